/*
 * node.h - a node's attributes, checked against its operator version
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_OPS_NODE_H
#define BL_OPS_NODE_H

#include <stdbool.h>

#include "broadloom/broadloom.h"
#include "ops/op.h"

/* Room for "Where-16 (node 'name')"; a long name is cut. */
#define BL_NODE_TEXT 160

/* "Add-14 (node 'x')", or "Add-14" for a node without a name, in `buffer`, which it
 * returns. */
char *bl_node_text(const bl_node *node, char *buffer);

/* How Cast rounds to float8e8m0, which has powers of two alone. */
enum bl_round { BL_ROUND_UP, BL_ROUND_DOWN, BL_ROUND_NEAREST };

/*
 * The attributes of all operators, with the version's defaults filled in.  An operator
 * reads its own; the rest are 0.  Lists, strings and tensors stay in the node:
 * bl_node_attribute.
 */
struct bl_params {
    float alpha, beta, gamma; /* Gemm, Elu, Selu, HardSigmoid, LeakyRelu, Swish, ... */
    float lambd, bias;        /* Shrink */
    float min, max;           /* Clip before opset 11, where has_min and has_max say so */
    bool has_min, has_max;
    bool trans_a, trans_b; /* Gemm */
    bool broadcast;        /* opsets 1 to 6 */
    bool has_axis;
    int64_t axis;                          /* opsets 1 to 6; Concat, Flatten, Gather */
    bool fmod;                             /* Mod */
    bool shift_right;                      /* BitShift: direction RIGHT */
    bool tanh;                             /* Gelu: approximate tanh */
    bool detect_negative, detect_positive; /* IsInf */
    bool saturate;                         /* Cast, CastLike to float8 */
    enum bl_round round_mode;              /* Cast, CastLike to float8e8m0 */
    bl_dtype to; /* Cast, BitCast; CastLike: the type of target_type, once it is inferred */
};

/* Check a node's attributes and read them, their values too.  BL_ERR_ATTRIBUTE, naming the
 * versions that have one this version has not.  (params.c) */
bl_status bl_params_read(const bl_node *node, struct bl_params *params, bl_error *err);

/* Check that the version has the attributes, in these types, and that none it needs is
 * missing. */
bl_status bl_node_check_attributes(const bl_node *node, bl_error *err);

/* The node's attribute of that name, NULL where it is not given. */
const bl_attribute *bl_node_attribute(const bl_node *node, const char *name);

/* What the version says of an attribute, NULL if it has none of that name. */
const bl_attribute_spec *bl_op_attribute(const bl_op *op, const char *name);

/* The value of a FLOAT or INT attribute: the node's, or the version's default, or 0. */
float bl_node_float(const bl_node *node, const char *name);
int64_t bl_node_int(const bl_node *node, const char *name);

#endif

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

/* The attributes of all operators that have any, with their defaults filled in. */
struct bl_params {
    float alpha, beta;
    bool trans_a, trans_b;
    bool broadcast;
    bool has_axis;
    int64_t axis;
};

/* Check a node's attributes and read them.  BL_ERR_ATTRIBUTE, naming the versions that have
 * one this version has not. */
bl_status bl_params_read(const bl_node *node, struct bl_params *params, bl_error *err);

#endif

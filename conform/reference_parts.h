/*
 * reference_parts.h - what the files of the reference share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_REFERENCE_PARTS_H
#define BL_CONFORM_REFERENCE_PARTS_H

#include "conform/reference.h"

/* ---- One element --------------------------------------------------------- */

/* The arguments of bl_reference_element. */
struct bl_reference_operands {
    const bl_dtype *dtypes;
    const void *const *in;
    size_t inputs;
    void *out;
};

/* Returns false where there is no result. */
typedef bool (*bl_reference_fn)(const struct bl_reference_operands *x);

/* The meaning of an operator by name; NULL if it is not pointwise, or unknown. */
bl_reference_fn bl_reference_find(const char *op);

/* Pow. */
bool bl_reference_pow(const struct bl_reference_operands *x);

/* A result of one arithmetic operation in double, rounded to the type in which `dtype` is
 * computed: float32 for all floating types but float64. */
double bl_reference_step(bl_dtype dtype, double exact);

/* ---- A whole operator ---------------------------------------------------- */

/* The arguments of bl_reference_apply that are not about outputs. */
struct bl_reference_call {
    const bl_node *node;
    const bl_tensor *const *inputs;
    size_t count;
    bl_error *err;
};

/* A node's attribute of that name, or NULL; its value, or what it is without the attribute.
 */
const bl_attribute *bl_reference_attribute(const bl_node *node, const char *name);
int64_t bl_reference_int(const bl_node *node, const char *name, int64_t otherwise);

/* BL_ERR_SHAPE, about input i. */
bl_status bl_reference_refuse_shape(const struct bl_reference_call *call, size_t i,
                                    const char *why);

/*
 * The shape of a pointwise operator's result, and for each of the inputs the axis of the
 * result on which its own first axis lies, in first[count]; negative for a single element
 * that is used everywhere.
 */
bl_status bl_reference_broadcast(const struct bl_reference_call *call, bl_shape *out,
                                 int *first);

/* True if a shape broadcasts onto another without changing it, aligned at the last axis. */
bool bl_reference_fits(const bl_shape *from, const bl_shape *onto);

bool bl_reference_same_shape(const bl_shape *a, const bl_shape *b);

/* Gemm's attributes and matrices; `c` is NULL where absent. */
struct bl_reference_gemm {
    float alpha, beta;
    bool trans_a, trans_b;
    const bl_tensor *a, *b, *c;
};

/* out[m][n] = alpha * A' * B' + beta * C, into a new tensor.  The shapes are checked. */
bl_status bl_reference_gemm(const struct bl_reference_gemm *gemm, bl_tensor **out,
                            bl_error *err);

#endif

/*
 * reference_parts.h - what the files of the reference share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_REFERENCE_PARTS_H
#define BL_CONFORM_REFERENCE_PARTS_H

#include "conform/reference.h"

/* ---- Attributes ---------------------------------------------------------- */

/* A node's attribute of that name, or NULL; its value, or what it is without the attribute.
 */
const bl_attribute *bl_reference_attribute(const bl_node *node, const char *name);
int64_t bl_reference_int(const bl_node *node, const char *name, int64_t otherwise);
float bl_reference_float(const bl_node *node, const char *name, float otherwise);

/* True if a string attribute is `text`; `otherwise` is what it is without the attribute. */
bool bl_reference_is(const bl_node *node, const char *name, const char *text,
                     const char *otherwise);

/* ---- A whole operator ---------------------------------------------------- */

/* The arguments of bl_reference_apply that are not about outputs.  `err` is never NULL. */
struct bl_reference_call {
    const bl_node *node;
    const bl_tensor *const *inputs;
    size_t count;
    bl_error *err;
};

/* An operator: makes the result, or fails.  Arity, types and attributes are checked. */
typedef bl_status (*bl_reference_whole_fn)(const struct bl_reference_call *call,
                                           bl_tensor **out);

/* The operators of a file that work on whole tensors; the last one's name is NULL. */
struct bl_reference_whole {
    const char *op;
    bl_reference_whole_fn fn;
};

extern const struct bl_reference_whole bl_reference_products[]; /* Gemm, MatMul */
extern const struct bl_reference_whole bl_reference_makers[];
extern const struct bl_reference_whole bl_reference_views[];
extern const struct bl_reference_whole bl_reference_moves[];

bl_status bl_reference_pointwise(const struct bl_reference_call *call, bl_tensor **out);

/* The input's shape. */
const bl_shape *bl_reference_shape(const struct bl_reference_call *call, size_t i);

/* Fail, with the operator and its version before the text. */
bl_status bl_reference_refuse(const struct bl_reference_call *call, bl_status status,
                              const char *why);

/* BL_ERR_SHAPE, about input i. */
bl_status bl_reference_refuse_shape(const struct bl_reference_call *call, size_t i,
                                    const char *why);

/* BL_ERR_TYPE unless the operator's output may have that type. */
bl_status bl_reference_check_output(const struct bl_reference_call *call, bl_dtype dtype);

/* A new tensor, zeros or empty strings. */
bl_status bl_reference_make(const struct bl_reference_call *call, bl_dtype dtype,
                            const bl_shape *shape, bl_tensor **out);

/* out[index] = *element, row-major; a string is copied. */
bl_status bl_reference_store(bl_tensor *out, int64_t index, const void *element,
                             bl_error *err);

/* A few integers, from an attribute or from an input. */
struct bl_reference_list {
    bool given;
    int count;
    int64_t at[BL_MAX_RANK];
};

/* Input i if there is one, else the attribute of that name (NULL: none), else nothing. */
bl_status bl_reference_read_list(const struct bl_reference_call *call, size_t i,
                                 const char *name, struct bl_reference_list *list);

/* An axis of a tensor of that rank; negative ones count from its end, where the operator's
 * version has that. */
bl_status bl_reference_axis(const struct bl_reference_call *call, int64_t given, int rank,
                            int *axis);

/* ---- Shapes -------------------------------------------------------------- */

/*
 * The shape of a pointwise operator's result, and for each of the inputs the axis of the
 * result on which its own first axis lies, in first[count]; negative for a single element
 * that is used everywhere.
 */
bl_status bl_reference_broadcast(const struct bl_reference_call *call, bl_shape *out,
                                 int *first);

/* The shape that two meet in, aligned at the last axis; false if they do not. */
bool bl_reference_meet(const bl_shape *a, const bl_shape *b, bl_shape *out);

/* True if a shape broadcasts onto another without changing it, aligned at the last axis. */
bool bl_reference_fits(const bl_shape *from, const bl_shape *onto);

bool bl_reference_same_shape(const bl_shape *a, const bl_shape *b);

/* The row-major index, in a tensor of shape `own`, of the element that broadcasts to `at`
 * in a result; the first axis of `own` lies on axis `first` of the result. */
int64_t bl_reference_index(const bl_shape *own, const int64_t *at, int first);

/* Where the element of that row-major index lies, on each axis. */
void bl_reference_position(const bl_shape *shape, int64_t index, int64_t *at);

#endif

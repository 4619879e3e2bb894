/*
 * infer_parts.h - what the files of shape inference share
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A list of at most BL_MAX_RANK numbers, such as axes or starts, is kept in a bl_shape
 * whose rank is its length: most lists are shapes, and bl_shape_text prints them.
 */
#ifndef BL_OPS_INFER_PARTS_H
#define BL_OPS_INFER_PARTS_H

#include "broadloom/broadloom.h"
#include "ops/node.h"
#include "shape/broadcast.h"

/* One call of bl_node_infer, as the rules see it: types, arity and attributes are
 * checked. */
struct bl_inference {
    const bl_node *node;
    const struct bl_params *params;
    const bl_tensor_type *inputs;
    const bl_tensor *const *values; /* NULL, or of each input its tensor, NULL if unknown */
    size_t input_count;
    char subject[BL_NODE_TEXT]; /* "Add-14 (node 'x')" */
};

/* ---- The shape, by form, each in its file ----------------------------------------- */

bl_status bl_infer_shape(const struct bl_inference *call, bl_shape *out, bl_error *err);
bl_status bl_infer_broadcast(const struct bl_inference *call, bl_shape *out, bl_error *err);
bl_status bl_infer_gemm(const struct bl_inference *call, bl_shape *out, bl_error *err);
bl_status bl_infer_matmul(const struct bl_inference *call, bl_shape *out, bl_error *err);
bl_status bl_infer_view(const struct bl_inference *call, bl_shape *out, bl_error *err);
bl_status bl_infer_host(const struct bl_inference *call, bl_shape *out, bl_error *err);

/* ---- Parts of them --------------------------------------------------------------- */

/* True if the node has the input, and it is not left off. */
bool bl_infer_has(const struct bl_inference *call, size_t input);

/* The numbers in a list that an input holds.  BL_ERR_ARGUMENT where they are not known. */
bl_status bl_infer_list(const struct bl_inference *call, size_t input, bl_shape *list,
                        bl_error *err);

/* The numbers of an INTS attribute that is given. */
bl_status bl_infer_attribute_list(const struct bl_inference *call,
                                  const bl_attribute *attribute, bl_shape *list,
                                  bl_error *err);

/*
 * An axis counted from the front, from one that may be counted from the back, for an input
 * or a result of `rank` axes.  `ahead` axes more are allowed at the end (Flatten: 1).
 */
bl_status bl_infer_axis(const struct bl_inference *call, int64_t axis, int rank, int ahead,
                        int *resolved, bl_error *err);

/* Each of the axes, all different: seen[axis] is set for each, and the list holds them
 * counted from the front. */
bl_status bl_infer_axes(const struct bl_inference *call, bl_shape *axes, int rank,
                        bool seen[BL_MAX_RANK], bl_error *err);

/* The first `count` dims from `axis` on, multiplied. */
bl_status bl_infer_product(const struct bl_inference *call, const bl_shape *shape, int axis,
                           int count, int64_t *product, bl_error *err);

/* What a Slice takes of its input: on each axis `count` elements from `start` on. */
struct bl_slice {
    int64_t start[BL_MAX_RANK];
    int64_t step[BL_MAX_RANK];
    bl_shape count;
};

bl_status bl_infer_slice(const struct bl_inference *call, struct bl_slice *slice,
                         bl_error *err);

#endif

/*
 * broadcast.h - the broadcasting rules of ONNX, on shapes alone
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each rule checks shapes and, on failure, says in whose name: which operator, which two
 * inputs, their whole shapes, the axis and its dims, and the rule that is broken.
 */
#ifndef BL_SHAPE_BROADCAST_H
#define BL_SHAPE_BROADCAST_H

#include <stddef.h>

#include "broadloom/broadloom.h"

/* Whose shapes they are, for messages. */
struct bl_shape_owner {
    const char *subject;      /* "Add-14 (node 'x')"; NULL: nobody's */
    const char *const *names; /* of each input; NULL: stem0, stem1, ... */
    const char *stem;
};

/* Right-aligned, each axis equal or 1 in all shapes.  `out` may be one of the shapes. */
bl_status bl_broadcast_multi(const struct bl_shape_owner *owner,
                             const bl_shape *const *shapes, size_t count, bl_shape *out,
                             bl_error *err);

/* shapes[from] broadcasts to exactly shapes[onto]; the indexes are into owner's names. */
bl_status bl_broadcast_uni(const struct bl_shape_owner *owner, size_t from,
                           const bl_shape *from_shape, size_t onto,
                           const bl_shape *onto_shape, bl_error *err);

/* All shapes are the same. */
bl_status bl_broadcast_none(const struct bl_shape_owner *owner,
                            const bl_shape *const *shapes, size_t count, bl_error *err);

/*
 * Opsets 1 to 6, with attribute broadcast=1: b lies inside a, from a's axis `axis` on
 * (NULL: b is a suffix of a).  A b of one element fits anywhere.
 *
 * @param offset  set to the axis of a on which b's first axis lies.
 */
bl_status bl_broadcast_legacy(const struct bl_shape_owner *owner, const bl_shape *a,
                              const bl_shape *b, const int64_t *axis, int *offset,
                              bl_error *err);

/* PRelu before opset 7: the slope has one element, or is [C] with C the dim of x's axis 1.
 */
bl_status bl_broadcast_channel(const struct bl_shape_owner *owner, const bl_shape *x,
                               const bl_shape *slope, bl_error *err);

#endif

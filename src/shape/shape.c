/*
 * shape.c - shapes: count, check, text
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shape/shape.h"

#include <string.h>

#include "base/checked.h"
#include "base/status.h"
#include "base/text.h"

char *bl_shape_text(const bl_shape *shape, char *buffer)
{
    /* The longest axis is ",9223372036854775807", and "...]" has to fit behind the last
     * one. */
    const size_t reserve = 20 + sizeof "...]";
    struct bl_text text = bl_text_in(buffer, BL_SHAPE_TEXT);

    bl_text_put(&text, "[");
    for (int i = 0; i < shape->rank; i++) {
        if (BL_SHAPE_TEXT - text.length <= reserve) {
            bl_text_put(&text, "...");
            break;
        }
        bl_text_put(&text, i == 0 ? "%lld" : ",%lld", (long long)shape->dim[i]);
    }
    bl_text_put(&text, "]");
    return buffer;
}

bool bl_shape_equal(const bl_shape *a, const bl_shape *b)
{
    return a->rank == b->rank &&
           memcmp(a->dim, b->dim, (size_t)a->rank * sizeof *a->dim) == 0;
}

void bl_shape_row_major(const bl_shape *shape, int64_t *stride)
{
    int64_t step = 1;

    for (int i = shape->rank - 1; i >= 0; i--) {
        stride[i] = step;
        /* Only a shape without elements can overflow here, and its strides are never
         * followed. */
        if (shape->dim[i] > 1 && !bl_count_mul(step, shape->dim[i], &step))
            step = 0;
    }
}

bl_status bl_shape_count(const bl_shape *shape, int64_t *count, bl_error *err)
{
    char text[BL_SHAPE_TEXT];
    int64_t product = 1;
    bool empty = false;
    bool fits = true;

    if (shape == NULL || count == NULL)
        return bl_fail(err, BL_ERR_ARGUMENT, "bl_shape_count: NULL argument");
    if (shape->rank < 0 || shape->rank > BL_MAX_RANK)
        return bl_fail(err, BL_ERR_SHAPE, "rank %d is out of range (0 to %d)", shape->rank,
                       BL_MAX_RANK);
    for (int i = 0; i < shape->rank; i++) {
        if (shape->dim[i] < 0)
            return bl_fail(err, BL_ERR_SHAPE, "shape %s: axis %d is negative",
                           bl_shape_text(shape, text), i);
        empty |= shape->dim[i] == 0;
        fits = fits && (empty || bl_count_mul(product, shape->dim[i], &product));
    }
    if (!fits && !empty)
        return bl_fail(err, BL_ERR_LIMIT,
                       "shape %s has more elements than 63 bits can count",
                       bl_shape_text(shape, text));
    *count = empty ? 0 : product;
    return BL_OK;
}

/*
 * unary.h - what the templates of one operand share: the shape of a run, rows with strides
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For kernel units only; all is static, as in row.h.
 */
#ifndef BL_KERNELS_UNARY_H
#define BL_KERNELS_UNARY_H

#include "kernels/attributes.h"
#include "kernels/row.h"

/* A run: y[i] = f(x[i]) for i < n, the element types known to both sides.  y may be x where
 * their elements have one size. */
typedef void (*run1_fn)(size_t n, const void *x, void *y, struct attributes with);

typedef uint16_t BL_MAY_ALIAS spread16;
typedef uint32_t BL_MAY_ALIAS spread32;
typedef uint64_t BL_MAY_ALIAS spread64;

/* out[i] = in[i * stride] for elements of 1, 2, 4 or 8 bytes. */
static inline void spread(size_t n, void *out, const void *in, ptrdiff_t stride,
                          size_t size)
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)
        if (size == 8)
            ((spread64 *)out)[i] = ((const spread64 *)in)[i * stride];
        else if (size == 4)
            ((spread32 *)out)[i] = ((const spread32 *)in)[i * stride];
        else if (size == 2)
            ((spread16 *)out)[i] = ((const spread16 *)in)[i * stride];
        else
            ((uint8_t *)out)[i] = ((const uint8_t *)in)[i * stride];
}

/* A row of runs from elements of in_size bytes to elements of out_size bytes. */
static inline size_t unary(const struct bl_row *row, run1_fn run, size_t in_size,
                           size_t out_size)
{
    const struct attributes with = attributes_of(row->params);
    uint64_t gathered[BLOCK]; /* of up to 8 bytes each */

    if (row->stride[0] == 1) {
        run(row->n, row->in[0], row->out, with);
    } else if (row->stride[0] == 0) {
        if (row->n == 0)
            return 0;
        run(1, row->in[0], gathered, with);
        spread(row->n, row->out, gathered, 0, out_size);
    } else {
        for (size_t at = 0; at < row->n; at += BLOCK) {
            const size_t n = block_size(row, at);

            spread(n, gathered, operand(row, 0, at, in_size), row->stride[0], in_size);
            run(n, gathered, (char *)row->out + at * out_size, with);
        }
    }
    return row->n;
}

#endif

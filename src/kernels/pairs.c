/*
 * pairs.c - the kernels of elements made of two parts: complex numbers and strings
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * They are copied and compared.  Vectors gain nothing with elements that wide, so one copy
 * serves every tier.
 */
#include "kernels/tables.h"

#include <string.h>

#include "kernels/row.h"

#define F(name) BL_CAT(name, TAG)

#define LANES 0

/* Aligned as their parts are. */
typedef struct {
    uint32_t real, imaginary;
} BL_MAY_ALIAS complex64;

typedef struct {
    uint64_t real, imaginary;
} BL_MAY_ALIAS complex128;

#define T complex64
#define TAG complex64
#include "kernels/select.tmpl.h"
#undef T
#undef TAG

#define T complex128
#define TAG complex128
#include "kernels/select.tmpl.h"
#undef T
#undef TAG

#define T bl_string
#define TAG string
#include "kernels/select.tmpl.h"
#undef T
#undef TAG

static size_t row_equal_string(const struct bl_row *row)
{
    const bl_string *a = row->in[0];
    const bl_string *b = row->in[1];
    uint8_t *y = row->out;

    for (size_t i = 0; i < row->n; i++, a += row->stride[0], b += row->stride[1])
        y[i] =
            a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
    return row->n;
}

#define PAIRS(row)                                                        \
    [BL_COMPLEX64] = row##_complex64, [BL_COMPLEX128] = row##_complex128, \
    [BL_STRING] = row##_string

const struct bl_kernels bl_kernels_pairs = {
    .row =
        {
            [BL_OP_BITCAST] = {[BL_COMPLEX64] = row_identity_complex64,
                               [BL_COMPLEX128] = row_identity_complex128},
            [BL_OP_EQUAL] = {[BL_STRING] = row_equal_string},
            [BL_OP_WHERE] = {PAIRS(row_where)},
            [BL_OP_IDENTITY] = {PAIRS(row_identity)},
        },
};

/*
 * reference_gemm.c - what Gemm means: one sum after the other, in order
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "base/status.h"
#include "conform/reference_parts.h"
#include "conform/value.h"
#include "tensor/dtype.h"

/* One element of the output: which, and how many products it sums. */
struct cell {
    const struct bl_reference_gemm *gemm;
    bl_dtype dtype;
    int64_t row, column, inner;
};

static const void *entry(const bl_tensor *matrix, bool transposed, int64_t row,
                         int64_t column)
{
    const int64_t columns = bl_tensor_shape(matrix)->dim[1];

    return bl_value_at(matrix,
                       transposed ? column * columns + row : row * columns + column);
}

static const void *a_at(const struct cell *cell, int64_t k)
{
    return entry(cell->gemm->a, cell->gemm->trans_a, cell->row, k);
}

static const void *b_at(const struct cell *cell, int64_t k)
{
    return entry(cell->gemm->b, cell->gemm->trans_b, k, cell->column);
}

/* C is lined up at its last axis; its dims of 1 expand. */
static const void *c_at(const struct cell *cell)
{
    const bl_shape *shape = bl_tensor_shape(cell->gemm->c);
    const int64_t columns = shape->rank >= 1 ? shape->dim[shape->rank - 1] : 1;
    const int64_t rows = shape->rank >= 2 ? shape->dim[shape->rank - 2] : 1;

    return bl_value_at(cell->gemm->c, (rows == 1 ? 0 : cell->row) * columns +
                                          (columns == 1 ? 0 : cell->column));
}

/* C is not read where beta is 0. */
static bool has_c(const struct bl_reference_gemm *gemm)
{
    return gemm->c != NULL && gemm->beta != 0;
}

static double float_cell(const struct cell *cell)
{
    const struct bl_reference_gemm *gemm = cell->gemm;
    const bl_dtype dtype = cell->dtype;
    double sum = 0;
    double result = 0;

    for (int64_t k = 0; k < cell->inner; k++) {
        const double product = bl_value_to_double(dtype, a_at(cell, k)) *
                               bl_value_to_double(dtype, b_at(cell, k));

        sum = bl_reference_step(dtype, sum + bl_reference_step(dtype, product));
    }
    if (cell->inner > 0)
        result = bl_reference_step(dtype, gemm->alpha * sum);
    if (has_c(gemm)) {
        const double c = bl_value_to_double(dtype, c_at(cell));
        const double scaled = bl_reference_step(dtype, gemm->beta * c);

        result = cell->inner > 0 ? bl_reference_step(dtype, result + scaled) : scaled;
    }
    return result;
}

/* True for an integral factor that int64 holds; *bits is that factor modulo 2^64. */
static bool is_integral(float factor, uint64_t *bits)
{
    const float end = ldexpf(1, 63);

    if (!(factor == truncf(factor) && factor >= -end && factor < end))
        return false;
    *bits = factor < 0 ? 0 - (uint64_t)-factor : (uint64_t)factor;
    return true;
}

static void integer_cell(const struct cell *cell, void *out)
{
    const struct bl_reference_gemm *gemm = cell->gemm;
    const bl_dtype dtype = cell->dtype;
    uint64_t sum = 0;
    uint64_t alpha, beta;

    for (int64_t k = 0; k < cell->inner; k++)
        sum +=
            bl_value_to_bits(dtype, a_at(cell, k)) * bl_value_to_bits(dtype, b_at(cell, k));
    if (is_integral(gemm->alpha, &alpha) && is_integral(gemm->beta, &beta)) {
        sum *= alpha;
        if (has_c(gemm))
            sum += beta * bl_value_to_bits(dtype, c_at(cell));
        bl_value_from_bits(dtype, sum, out);
        return;
    }
    double result = 0;

    bl_value_from_bits(dtype, sum, out);
    if (cell->inner > 0)
        result = gemm->alpha * bl_value_to_double(dtype, out);
    if (has_c(gemm))
        result += gemm->beta * bl_value_to_double(dtype, c_at(cell));
    bl_value_from_double(dtype, result, out);
}

bl_status bl_reference_gemm(const struct bl_reference_gemm *gemm, bl_tensor **out,
                            bl_error *err)
{
    const bl_dtype dtype = bl_tensor_dtype(gemm->a);
    const bl_shape *a = bl_tensor_shape(gemm->a);
    const bl_shape *b = bl_tensor_shape(gemm->b);
    const bl_shape shape = {
        .rank = 2, .dim = {a->dim[gemm->trans_a ? 1 : 0], b->dim[gemm->trans_b ? 0 : 1]}};
    struct cell cell = {
        .gemm = gemm, .dtype = dtype, .inner = a->dim[gemm->trans_a ? 0 : 1]};
    bl_tensor *made = bl_tensor_new(NULL, dtype, &shape, err);

    if (made == NULL)
        return err != NULL ? err->status : BL_ERR_MEMORY;
    unsigned char *at = bl_tensor_mutable_data(made);

    for (cell.row = 0; cell.row < shape.dim[0]; cell.row++)
        for (cell.column = 0; cell.column < shape.dim[1]; cell.column++) {
            if (bl_dtype_info(dtype)->kind == BL_KIND_FLOAT)
                bl_value_from_double(dtype, float_cell(&cell), at);
            else
                integer_cell(&cell, at);
            at += bl_dtype_size(dtype);
        }
    *out = made;
    return BL_OK;
}

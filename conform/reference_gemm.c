/*
 * reference_gemm.c - what Gemm and MatMul mean: one sum after the other, in order
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "base/status.h"
#include "conform/reference_element.h"

/* ---- Sums of products ---------------------------------------------------- */

/* A row of one matrix and a column of another: row-major indices of `count` elements each.
 */
struct line {
    const bl_tensor *matrix;
    int64_t first, step;
};

struct dot {
    struct line a, b;
    int64_t count;
};

static const void *element(const struct line *line, int64_t k)
{
    return bl_value_at(line->matrix, line->first + k * line->step);
}

static double float_dot(const struct dot *dot)
{
    const bl_dtype dtype = bl_tensor_dtype(dot->a.matrix);
    double sum = 0;

    for (int64_t k = 0; k < dot->count; k++) {
        const double product = bl_value_to_double(dtype, element(&dot->a, k)) *
                               bl_value_to_double(dtype, element(&dot->b, k));

        sum = bl_reference_step(dtype, sum + bl_reference_step(dtype, product));
    }
    return sum;
}

static uint64_t integer_dot(const struct dot *dot)
{
    const bl_dtype dtype = bl_tensor_dtype(dot->a.matrix);
    uint64_t sum = 0;

    for (int64_t k = 0; k < dot->count; k++)
        sum += bl_value_to_bits(dtype, element(&dot->a, k)) *
               bl_value_to_bits(dtype, element(&dot->b, k));
    return sum;
}

/* ---- Gemm ---------------------------------------------------------------- */

/* Gemm's attributes and matrices; `c` is NULL where it is absent or not read. */
struct gemm {
    float alpha, beta;
    bool trans_a, trans_b;
    const bl_tensor *a, *b, *c;
};

/* C is lined up at its last axis; its dims of 1 expand. */
static const void *c_at(const struct gemm *gemm, const int64_t *at)
{
    const bl_shape *shape = bl_tensor_shape(gemm->c);

    return bl_value_at(gemm->c, bl_reference_index(shape, at, 2 - shape->rank));
}

static void float_cell(const struct gemm *gemm, const struct dot *dot, const int64_t *at,
                       void *out)
{
    const bl_dtype dtype = bl_tensor_dtype(gemm->a);
    double result = 0;

    if (dot->count > 0)
        result = bl_reference_step(dtype, gemm->alpha * float_dot(dot));
    if (gemm->c != NULL) {
        const double c = bl_value_to_double(dtype, c_at(gemm, at));
        const double scaled = bl_reference_step(dtype, gemm->beta * c);

        result = dot->count > 0 ? bl_reference_step(dtype, result + scaled) : scaled;
    }
    bl_value_from_double(dtype, result, out);
}

/* True for an integral factor that int64 holds; *bits is that factor modulo 2^64. */
static bool is_integral(float factor, uint64_t *code)
{
    const float end = ldexpf(1, 63);

    if (!(factor == truncf(factor) && factor >= -end && factor < end))
        return false;
    *code = factor < 0 ? 0 - (uint64_t)-factor : (uint64_t)factor;
    return true;
}

static void integer_cell(const struct gemm *gemm, const struct dot *dot, const int64_t *at,
                         void *out)
{
    const bl_dtype dtype = bl_tensor_dtype(gemm->a);
    uint64_t sum = integer_dot(dot);
    uint64_t alpha, beta;

    if (is_integral(gemm->alpha, &alpha) && is_integral(gemm->beta, &beta)) {
        sum *= alpha;
        if (gemm->c != NULL)
            sum += beta * bl_value_to_bits(dtype, c_at(gemm, at));
        bl_value_from_bits(dtype, sum, out);
        return;
    }
    double result = 0;

    bl_value_from_bits(dtype, sum, out);
    if (dot->count > 0)
        result = gemm->alpha * bl_value_to_double(dtype, out);
    if (gemm->c != NULL)
        result += gemm->beta * bl_value_to_double(dtype, c_at(gemm, at));
    bl_value_from_double(dtype, result, out);
}

static void multiply(const struct gemm *gemm, bl_tensor *out)
{
    const bl_dtype dtype = bl_tensor_dtype(out);
    const int64_t *a = bl_tensor_shape(gemm->a)->dim;
    const int64_t *b = bl_tensor_shape(gemm->b)->dim;
    unsigned char *cell = bl_tensor_mutable_data(out);

    for (int64_t index = 0; index < bl_tensor_count(out); index++) {
        int64_t at[2];

        bl_reference_position(bl_tensor_shape(out), index, at);
        const struct dot dot = {
            .a = {gemm->a, gemm->trans_a ? at[0] : at[0] * a[1], gemm->trans_a ? a[1] : 1},
            .b = {gemm->b, gemm->trans_b ? at[1] * b[1] : at[1], gemm->trans_b ? 1 : b[1]},
            .count = a[gemm->trans_a ? 0 : 1],
        };

        (is_float(dtype) ? float_cell : integer_cell)(gemm, &dot, at, cell);
        cell += bl_dtype_size(dtype);
    }
}

static bl_status gemm_(const struct bl_reference_call *call, bl_tensor **out)
{
    const bl_node *node = call->node;
    struct gemm job = {
        .alpha = bl_reference_float(node, "alpha", 1),
        .beta = bl_reference_float(node, "beta", 1),
        .trans_a = bl_reference_int(node, "transA", 0) != 0,
        .trans_b = bl_reference_int(node, "transB", 0) != 0,
        .a = call->inputs[0],
        .b = call->inputs[1],
        .c = call->count > 2 ? call->inputs[2] : NULL,
    };
    const bl_shape *a = bl_reference_shape(call, 0);
    const bl_shape *b = bl_reference_shape(call, 1);

    if (a->rank != 2 || b->rank != 2)
        return bl_reference_refuse_shape(call, a->rank != 2 ? 0 : 1, "is no matrix");
    if (a->dim[job.trans_a ? 0 : 1] != b->dim[job.trans_b ? 1 : 0])
        return bl_reference_refuse_shape(call, 1, "does not multiply with the first");
    const bl_shape product = {
        .rank = 2, .dim = {a->dim[job.trans_a ? 1 : 0], b->dim[job.trans_b ? 0 : 1]}};
    const bool expand = node->op->since >= 7 || bl_reference_int(node, "broadcast", 0) != 0;

    if (job.c != NULL &&
        !(expand ? bl_reference_fits(bl_tensor_shape(job.c), &product)
                 : bl_reference_same_shape(bl_tensor_shape(job.c), &product)))
        return bl_reference_refuse_shape(call, 2, "does not broadcast onto the product");
    if (job.beta == 0)
        job.c = NULL;
    BL_TRY(bl_reference_make(call, bl_tensor_dtype(job.a), &product, out));
    multiply(&job, *out);
    return BL_OK;
}

/* ---- MatMul -------------------------------------------------------------- */

/* A vector is a row in front of the product, a column behind it. */
static bl_shape as_matrices(const bl_shape *shape, bool in_front)
{
    bl_shape matrices = *shape;

    if (shape->rank == 1) {
        matrices.rank = 2;
        matrices.dim[in_front ? 1 : 0] = shape->dim[0];
        matrices.dim[in_front ? 0 : 1] = 1;
    }
    return matrices;
}

static bl_shape without_last(const bl_shape *shape, int axes)
{
    bl_shape batch = *shape;

    batch.rank -= axes;
    return batch;
}

/* The row-major index of the first element of the matrix for that place in the batch. */
static int64_t matrix_at(const bl_shape *matrices, const int64_t *at, int batch_rank)
{
    const bl_shape own = without_last(matrices, 2);

    return bl_reference_index(&own, at, batch_rank - own.rank) *
           matrices->dim[matrices->rank - 2] * matrices->dim[matrices->rank - 1];
}

static void multiply_batch(const struct bl_reference_call *call, const bl_shape *a,
                           const bl_shape *b, const bl_shape *whole, bl_tensor *out)
{
    const bl_dtype dtype = bl_tensor_dtype(out);
    const int64_t inner = a->dim[a->rank - 1];
    const int64_t columns = b->dim[b->rank - 1];
    const int batch_rank = whole->rank - 2;
    unsigned char *cell = bl_tensor_mutable_data(out);

    for (int64_t index = 0; index < bl_tensor_count(out); index++) {
        int64_t at[BL_MAX_RANK];

        bl_reference_position(whole, index, at);
        const struct dot dot = {
            .a = {call->inputs[0], matrix_at(a, at, batch_rank) + at[batch_rank] * inner,
                  1},
            .b = {call->inputs[1], matrix_at(b, at, batch_rank) + at[batch_rank + 1],
                  columns},
            .count = inner,
        };

        if (is_float(dtype))
            bl_value_from_double(dtype, float_dot(&dot), cell);
        else
            bl_value_from_bits(dtype, integer_dot(&dot), cell);
        cell += bl_dtype_size(dtype);
    }
}

static bl_status matmul(const struct bl_reference_call *call, bl_tensor **out)
{
    const bl_shape a = as_matrices(bl_reference_shape(call, 0), true);
    const bl_shape b = as_matrices(bl_reference_shape(call, 1), false);
    const int64_t rows = a.rank > 0 ? a.dim[a.rank - 2] : 0;
    bl_shape whole;

    if (a.rank == 0 || b.rank == 0)
        return bl_reference_refuse_shape(call, a.rank == 0 ? 0 : 1, "is a scalar");
    if (a.dim[a.rank - 1] != b.dim[b.rank - 2])
        return bl_reference_refuse_shape(call, 1, "does not multiply with the first");
    const bl_shape a_batch = without_last(&a, 2);
    const bl_shape b_batch = without_last(&b, 2);

    if (!bl_reference_meet(&a_batch, &b_batch, &whole))
        return bl_reference_refuse_shape(call, 1, "is of another batch than the first");
    bl_shape shape = whole; /* what is left of it where a vector was a matrix */

    if (bl_reference_shape(call, 0)->rank > 1)
        shape.dim[shape.rank++] = rows;
    if (bl_reference_shape(call, 1)->rank > 1)
        shape.dim[shape.rank++] = b.dim[b.rank - 1];
    whole.dim[whole.rank++] = rows;
    whole.dim[whole.rank++] = b.dim[b.rank - 1];
    BL_TRY(bl_reference_make(call, bl_tensor_dtype(call->inputs[0]), &shape, out));
    multiply_batch(call, &a, &b, &whole, *out);
    return BL_OK;
}

const struct bl_reference_whole bl_reference_products[] = {
    {"Gemm", gemm_},
    {"MatMul", matmul},
    {NULL, NULL},
};

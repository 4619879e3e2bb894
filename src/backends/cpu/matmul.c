/*
 * matmul.c - Gemm and MatMul: tiles of the result, computed in the accumulator's type
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A unit is a tile of ROWS x COLUMNS results.  Its rows of a and columns of b are packed,
 * DEPTH at a time, in the accumulator's type, so that the kernel sees dense float32,
 * float64, uint32 or uint64 whatever the type, the strides and the transposition.  Products
 * are added one after the other, k = 0 first: the result is the plain loop's, bit for bit,
 * whatever the tile sizes.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "backends/cpu/block.h"
#include "backends/cpu/cpu.h"

enum {
    ROWS = 64,
    COLUMNS = 64,
    DEPTH = 256,
    WORD = 8, /* the largest accumulator */
    ACC_BYTES = ROWS * COLUMNS * WORD,
    A_BYTES = ROWS * DEPTH * WORD,
    B_BYTES = DEPTH * COLUMNS * WORD,
    ROW_BYTES = COLUMNS * WORD,
    BOUNCE_BYTES = DEPTH * WORD /* a row of a or b that is not aligned */
};

/* Tiles of one matrix of the result. */
static int64_t count_tiles(const struct bl_matmul *step)
{
    return ((step->m - 1) / ROWS + 1) * ((step->n - 1) / COLUMNS + 1);
}

void bl_cpu_prepare_matmul(struct bl_cpu_job *job)
{
    const struct bl_matmul *step = &job->step->as.matmul;
    const int64_t tile =
        (step->m < ROWS ? step->m : ROWS) * (step->n < COLUMNS ? step->n : COLUMNS);

    job->units = count_tiles(step);
    for (int i = 0; i < step->batch_rank; i++)
        job->units *= step->batch_dim[i];
    job->unit_cost = step->k > INT64_MAX / tile ? INT64_MAX : tile * step->k;
    job->scratch_bytes = ACC_BYTES + A_BYTES + B_BYTES + ROW_BYTES + BOUNCE_BYTES;
}

/* ---- Packing ---------------------------------------------------------------------- */

/* Convert a block of `rows` x `columns` elements to dense accumulators, a row every
 * `to_row_bytes`.  Columns are at most DEPTH. */
static void pack(bl_convert_fn widen, const struct bl_matrix *from, size_t from_bytes,
                 int64_t row, int64_t column, int64_t rows, int64_t columns, char *to,
                 size_t to_row_bytes, char *bounce)
{
    const char *source =
        from->data +
        (row * from->row_stride + column * from->column_stride) * (int64_t)from_bytes;
    const bool aligned = bl_cpu_is_aligned(source, from_bytes);
    const struct bl_block one_row = {
        .rank = 1, .dim = &columns, .stride = &from->column_stride, .bytes = from_bytes};

    for (int64_t i = 0; i < rows; i++) {
        const char *at = source + i * from->row_stride * (int64_t)from_bytes;

        if (!aligned)
            bl_block_gather(&one_row, bounce, at);
        widen((size_t)columns, to + (size_t)i * to_row_bytes, aligned ? at : bounce,
              aligned ? (ptrdiff_t)from->column_stride : 1);
    }
}

/* ---- alpha * acc + beta * c --------------------------------------------------------- */

/* The scale factors, read once for all elements. */
struct scale {
    bool has_c;    /* there is a c, and beta is not 0: otherwise c is not read */
    bool no_terms; /* k is 0: the product is nothing, and beta * c stands alone */
    float alpha, beta;
    bool whole; /* both are integers, so that an integer result is exact modulo 2^n */
    uint64_t alpha_int, beta_int;
};

static bool is_whole(float x)
{
    /* 2^63 and beyond do not fit the conversion, and are multiples of 2^40 anyway. */
    return x == truncf(x) && fabsf(x) < 0x1p63F;
}

static struct scale read_scale(const struct bl_matmul *step)
{
    struct scale scale = {
        .has_c = step->c.data != NULL && step->beta != 0.0F,
        .no_terms = step->k == 0,
        .alpha = step->alpha,
        .beta = step->beta,
        .whole = is_whole(step->alpha) && is_whole(step->beta),
    };

    if (scale.whole) {
        scale.alpha_int = (uint64_t)(int64_t)step->alpha;
        scale.beta_int = (uint64_t)(int64_t)step->beta;
    }
    return scale;
}

static void finish_f32(const struct scale *scale, int64_t n, float *acc, const float *c)
{
    for (int64_t j = 0; j < n; j++) {
        const float product = scale->alpha * acc[j];

        if (!scale->has_c)
            acc[j] = scale->no_terms ? 0.0F : product;
        else
            acc[j] = scale->no_terms ? scale->beta * c[j] : product + scale->beta * c[j];
    }
}

static void finish_f64(const struct scale *scale, int64_t n, double *acc, const double *c)
{
    const double alpha = scale->alpha;
    const double beta = scale->beta;

    for (int64_t j = 0; j < n; j++) {
        const double product = alpha * acc[j];

        if (!scale->has_c)
            acc[j] = scale->no_terms ? 0.0 : product;
        else
            acc[j] = scale->no_terms ? beta * c[j] : product + beta * c[j];
    }
}

/* An integer of `dtype` from its accumulator's bits, as a double; and back, truncated and
 * saturated. */
static double int_to_double(bl_dtype dtype, uint64_t bits)
{
    switch (dtype) {
    case BL_INT32:
        return (double)(int32_t)(uint32_t)bits;
    case BL_UINT32:
        return (double)(uint32_t)bits;
    case BL_INT64:
        return (double)(int64_t)bits;
    default:
        return (double)bits;
    }
}

static uint64_t double_to_int(bl_dtype dtype, double x)
{
    const bool is_signed = dtype == BL_INT32 || dtype == BL_INT64;
    const int width = dtype == BL_INT32 || dtype == BL_UINT32 ? 32 : 64;
    const double end =
        ldexp(1.0, is_signed ? width - 1 : width); /* one above the largest */
    const uint64_t largest = UINT64_MAX >> (is_signed ? 65 - width : 64 - width);

    if (isnan(x))
        return 0;
    if (x >= end)
        return largest;
    if (is_signed)
        return x <= -end ? ~largest : (uint64_t)(int64_t)x;
    return x <= 0.0 ? 0 : (uint64_t)x;
}

static uint64_t finish_int(const struct scale *scale, bl_dtype dtype, uint64_t acc,
                           uint64_t c)
{
    if (scale->whole)
        return scale->alpha_int * acc + (scale->has_c ? scale->beta_int * c : 0);
    const double product = scale->no_terms ? 0.0 : scale->alpha * int_to_double(dtype, acc);

    return double_to_int(
        dtype, scale->has_c ? product + scale->beta * int_to_double(dtype, c) : product);
}

/* Turn a row of accumulators into results, still in the accumulator's type. */
static void finish_row(const struct scale *scale, bl_dtype dtype, int64_t n, void *acc,
                       const void *c)
{
    switch (bl_accumulator(dtype)) {
    case BL_FLOAT32:
        finish_f32(scale, n, acc, c);
        break;
    case BL_FLOAT64:
        finish_f64(scale, n, acc, c);
        break;
    case BL_UINT32:
        for (int64_t j = 0; j < n; j++)
            ((uint32_t *)acc)[j] =
                (uint32_t)finish_int(scale, dtype, ((uint32_t *)acc)[j],
                                     scale->has_c ? ((const uint32_t *)c)[j] : 0);
        break;
    default:
        for (int64_t j = 0; j < n; j++)
            ((uint64_t *)acc)[j] = finish_int(scale, dtype, ((uint64_t *)acc)[j],
                                              scale->has_c ? ((const uint64_t *)c)[j] : 0);
        break;
    }
}

/* ---- Tiles ------------------------------------------------------------------------------
 */

struct memory {
    char *acc, *a, *b, *row, *bounce;
};

static void run_tile(const struct bl_kernels *kernels, const struct bl_matmul *step,
                     const struct scale *scale, int64_t row, int64_t column,
                     const struct memory *memory)
{
    const bl_dtype accumulator = bl_accumulator(step->dtype);
    const bl_convert_fn widen = kernels->widen[step->dtype];
    const size_t word = bl_dtype_size(accumulator);
    const size_t bytes = bl_dtype_size(step->dtype);
    const int64_t m = step->m - row < ROWS ? step->m - row : ROWS;
    const int64_t n = step->n - column < COLUMNS ? step->n - column : COLUMNS;

    memset(memory->acc, 0, ROWS * COLUMNS * word);
    for (int64_t at = 0; at < step->k; at += DEPTH) {
        const int64_t k = step->k - at < DEPTH ? step->k - at : DEPTH;

        pack(widen, &step->a, bytes, row, at, m, k, memory->a, DEPTH * word,
             memory->bounce);
        pack(widen, &step->b, bytes, at, column, k, n, memory->b, COLUMNS * word,
             memory->bounce);
        kernels->tile[accumulator](&(struct bl_tile){.m = (size_t)m,
                                                     .n = (size_t)n,
                                                     .k = (size_t)k,
                                                     .acc = memory->acc,
                                                     .acc_stride = COLUMNS,
                                                     .a = memory->a,
                                                     .a_stride = DEPTH,
                                                     .b = memory->b,
                                                     .b_stride = COLUMNS});
    }
    for (int64_t i = 0; i < m; i++) {
        char *acc = memory->acc + (size_t)i * COLUMNS * word;
        char *y = step->y.data +
                  ((row + i) * step->y.row_stride + column * step->y.column_stride) *
                      (int64_t)bytes;

        if (scale->has_c)
            pack(widen, &step->c, bytes, row + i, column, 1, n, memory->row, 0,
                 memory->bounce);
        finish_row(scale, step->dtype, n, acc, memory->row);
        if (step->y.column_stride == 1 || n == 1) {
            kernels->narrow[step->dtype]((size_t)n, y, acc, 1);
            continue;
        }
        for (int64_t j = 0; j < n; j++)
            kernels->narrow[step->dtype](1, y + j * step->y.column_stride * (int64_t)bytes,
                                         acc + (size_t)j * word, 1);
    }
}

/* The step of one index of the batch: the same, with the operands' data moved. */
static struct bl_matmul matrix_of_batch(const struct bl_matmul *step, int64_t batch)
{
    const int64_t bytes = (int64_t)bl_dtype_size(step->dtype);
    struct bl_matmul one = *step;

    for (int axis = step->batch_rank - 1; axis >= 0; axis--) {
        const int64_t index = batch % step->batch_dim[axis] * bytes;

        one.a.data += index * step->batch_stride[0][axis];
        one.b.data += index * step->batch_stride[1][axis];
        one.y.data += index * step->batch_stride[2][axis];
        batch /= step->batch_dim[axis];
    }
    return one;
}

void bl_cpu_run_matmul(const struct bl_cpu_job *job, int64_t first, int64_t end,
                       void *scratch)
{
    const struct bl_matmul *step = &job->step->as.matmul;
    const int64_t tiles = count_tiles(step);
    const int64_t across = (step->n - 1) / COLUMNS + 1;
    const struct scale scale = read_scale(step);
    char *const start = scratch;
    const struct memory memory = {start, start + ACC_BYTES, start + ACC_BYTES + A_BYTES,
                                  start + ACC_BYTES + A_BYTES + B_BYTES,
                                  start + ACC_BYTES + A_BYTES + B_BYTES + ROW_BYTES};

    for (int64_t unit = first; unit < end; unit++) {
        const struct bl_matmul one = matrix_of_batch(step, unit / tiles);
        const int64_t tile = unit % tiles;

        run_tile(job->kernels, &one, &scale, tile / across * ROWS, tile % across * COLUMNS,
                 &memory);
    }
}

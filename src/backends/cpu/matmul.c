/*
 * matmul.c - Gemm and MatMul: how the result is cut, and in which order blocks are computed
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The order is that of Goto and van de Geijn, "Anatomy of High-Performance Matrix
 * Multiplication" (2008): a strip of columns of the result takes `depth` rows of b at a time,
 * packed in panels, and multiplies them with blocks of a that stay in the second-level cache,
 * panel by panel; a panel of b stays in the first-level cache.  The kernel sees float32, float64,
 * uint32 or uint64 whatever the type, the strides and the transposition.
 *
 * Sums are kept in the result itself, if it lies as the kernel writes it.  Products are added one
 * after the other, k = 0 first: the result is the plain loop's, bit for bit, whatever the sizes.
 */
#include "backends/cpu/matmul.h"

#include "backends/cpu/cpu.h"
#include "base/checked.h"
#include "base/mem.h"

enum {
    PANEL_BYTES = 22528,   /* of a panel of b: two thirds of a first-level cache */
    A_BYTES = 110592,      /* of a block of a: a part of a second-level cache */
    B_BYTES = 720896,      /* of the panels of a strip: a is packed anew for each strip */
    B_ONCE_BYTES = 131072, /* the same where they meet but one block of a: they stay near */
    NEAR_BYTES = 131072,   /* an operand within so many is multiplied as it lies */
    MOST = 256,            /* rows of a block, and terms where b is turned */
    FEW_ROWS = 8,          /* of a result: too few for the packing of b to pay */
    DOTS_STRIP = 32,       /* results of a unit that are sums along lines */
    FEW_PANELS = 2         /* a block of a that is read so often is not worth packing */
};

/* How a product is cut.  A unit is a strip of columns and a few rows; units of a strip follow
 * each other, and those that one thread has share its packed b. */
struct cut {
    struct bl_matmul step; /* turned, so that the result is a row if it is a vector */
    const struct bl_product *product;
    size_t word;
    struct bl_pack_source a, b, c;
    bool few_rows; /* b is read row by row, by a kernel of its own */
    bool dots;     /* b is read column by column: each result is a sum along a line */
    bool in_place; /* the sums are kept in the result */
    bool pack_a, pack_b;
    int64_t depth;     /* terms of a block */
    int64_t tile_rows; /* rows of a block, at most */
    int64_t strip;     /* columns of a strip */
    int64_t unit_rows; /* rows of a unit */
    int64_t strips, units_in_strip;
    struct bl_matrix y; /* of the batch at hand, as a and b */
    bool plain_c;       /* c is read as it lies */
    struct bl_scale scale;
    struct bl_guard *guard;
    size_t a_at, b_at, acc_at, c_at, lines_at,
        scratch_bytes; /* where parts of scratch begin */
};

static int64_t divide_up(int64_t x, int64_t by)
{
    return x / by + (x % by != 0);
}

static int64_t round_up(int64_t x, int64_t to)
{
    return divide_up(x, to) * to;
}

/* The size of equal parts of x, as few as can be, none above `most`; a multiple of `of`. */
static int64_t even_part(int64_t x, int64_t most, int64_t of)
{
    return round_up(divide_up(x, divide_up(x, most)), of);
}

static struct bl_matrix transposed(struct bl_matrix matrix)
{
    return (struct bl_matrix){matrix.data, matrix.column_stride, matrix.row_stride};
}

/* One matrix for the batches that share b, if their rows follow each other. */
static void join_batches(struct bl_matmul *step)
{
    while (step->batch_rank > 0) {
        const int axis = step->batch_rank - 1;
        const int64_t a = step->batch_stride[0][axis];
        const int64_t y = step->batch_stride[2][axis];

        if (step->m == 1) {
            step->a.row_stride = a;
            step->y.row_stride = y;
        }
        if (step->batch_stride[1][axis] != 0 || a != step->m * step->a.row_stride ||
            y != step->m * step->y.row_stride)
            return;
        step->m *= step->batch_dim[axis];
        step->batch_rank--;
    }
}

/* A column is a row of the transposed product. */
static void turn_column(struct bl_matmul *step)
{
    const struct bl_matrix a = step->a;
    const int64_t *a_batch = step->batch_stride[0];

    if (step->n != 1 || step->m == 1)
        return;
    step->n = step->m;
    step->m = 1;
    step->a = transposed(step->b);
    step->b = transposed(a);
    step->c = transposed(step->c);
    step->y = transposed(step->y);
    step->batch_stride[0] = step->batch_stride[1];
    step->batch_stride[1] = a_batch;
}

static bool is_near(const struct bl_matrix *matrix, int64_t rows, size_t word)
{
    return matrix->row_stride <= NEAR_BYTES / (int64_t)word / rows;
}

static struct bl_pack_source source(const struct bl_kernels *kernels, const struct cut *cut,
                                    struct bl_matrix matrix)
{
    const bl_dtype dtype = cut->step.dtype;

    return (struct bl_pack_source){.widen = kernels->widen[dtype],
                                   .bytes = bl_dtype_size(dtype),
                                   .word = cut->word,
                                   .matrix = matrix};
}

/*
 * The sizes of blocks where there are few rows:
 * - b as it lies: long pieces of its rows; shorter ones, so that 8 of them stay near, if they are
 *   read several times;
 * - b converted: to a first-level cache;
 * - b turned, or summed along its columns: few columns at a time, each a stream of memory.
 */
static void cut_few_rows(struct cut *cut, bool plain_b)
{
    if (plain_b) {
        cut->strip = cut->step.m == 1 ? 2048 : 512;
    } else if (cut->dots) {
        cut->strip = DOTS_STRIP;
        cut->depth = cut->step.k;
    } else if (cut->b.matrix.column_stride == 1) {
        cut->strip = 256;
        cut->depth = 32;
    } else {
        cut->strip = 64 / (int64_t)cut->word;
        cut->depth = MOST;
    }
}

/* Which operands are read and written as they lie, and the sizes of blocks. */
static void choose_blocks(struct cut *cut)
{
    const struct bl_matmul *step = &cut->step;
    const int64_t rows = (int64_t)cut->product->rows;
    const int64_t columns = (int64_t)cut->product->columns;
    const int64_t word = (int64_t)cut->word;
    const int64_t height = bl_smaller(step->m, MOST);
    const int64_t deepest = bl_smaller(PANEL_BYTES / (columns * word), BL_PACK_MOST);
    const bool plain_a = bl_matmul_is_plain(&cut->a);
    const bool plain_b = bl_matmul_is_plain(&cut->b);
    const struct bl_pack_source y = {
        .bytes = cut->b.bytes, .word = cut->word, .matrix = step->y};

    cut->few_rows = step->m <= FEW_ROWS;
    cut->in_place = bl_matmul_is_plain(&y);
    cut->depth = step->k > deepest ? even_part(step->k, deepest, 1) : deepest;
    cut->tile_rows = bl_smaller(A_BYTES / (cut->depth * word), MOST) / rows * rows;
    cut->strip = bl_smaller((step->m <= cut->tile_rows ? B_ONCE_BYTES : B_BYTES) /
                                (cut->depth * word),
                            cut->in_place ? BL_PACK_MOST : MOST);
    cut->dots = step->m == 1 && step->dtype == BL_FLOAT32 && plain_a && !plain_b &&
                cut->b.matrix.row_stride == 1 &&
                bl_cpu_is_aligned(cut->b.matrix.data, cut->b.bytes);
    if (cut->few_rows)
        cut_few_rows(cut, plain_b);
    cut->strip = even_part(step->n, cut->strip, columns);
    cut->pack_a = !plain_a || (step->n > FEW_PANELS * columns && !cut->few_rows &&
                               !is_near(&cut->a.matrix, height, cut->word));
    cut->pack_b = plain_b ? step->k > 0 && !cut->few_rows &&
                                !is_near(&cut->b.matrix, step->k, cut->word)
                          : !cut->dots;
    cut->unit_rows = 2 * rows;
}

/* Set aside `bytes` of scratch, on a cache line of their own; returns where they begin. */
static size_t reserve(struct cut *cut, size_t bytes)
{
    const size_t at = cut->scratch_bytes;

    cut->scratch_bytes += bl_mem_round(bytes);
    return at;
}

static void choose_scratch(struct cut *cut)
{
    const struct bl_matmul *step = &cut->step;
    const size_t rows = (size_t)bl_smaller(step->m, cut->tile_rows);
    const size_t depth = (size_t)bl_smaller(step->k, cut->depth);
    const size_t panel = cut->product->columns;
    const size_t strip = (size_t)cut->strip;

    if (cut->pack_a)
        cut->a_at = reserve(cut, rows * depth * cut->word);
    if (cut->pack_b || !cut->few_rows)
        cut->b_at = reserve(cut, (cut->pack_b ? strip : panel) * (depth + 1) * cut->word);
    if (!cut->in_place)
        cut->acc_at = reserve(cut, rows * strip * cut->word);
    if (cut->scale.has_c && !cut->plain_c)
        cut->c_at = reserve(cut, MOST * cut->word);
    cut->lines_at = reserve(cut, BL_PACK_SCRATCH_BYTES);
}

static struct cut cut_product(const struct bl_cpu_job *job)
{
    struct cut cut = {.step = job->step->as.matmul, .guard = job->guard};
    const bl_dtype accumulator = bl_accumulator(cut.step.dtype);

    join_batches(&cut.step);
    turn_column(&cut.step);
    cut.product = job->kernels->product[accumulator];
    cut.word = bl_dtype_size(accumulator);
    cut.a = source(job->kernels, &cut, cut.step.a);
    cut.b = source(job->kernels, &cut, cut.step.b);
    cut.c = source(job->kernels, &cut, cut.step.c);
    cut.y = cut.step.y;
    cut.plain_c = bl_matmul_is_plain(&cut.c);
    cut.scale = bl_matmul_scale(&cut.step);
    choose_blocks(&cut);
    choose_scratch(&cut);
    cut.strips = divide_up(cut.step.n, cut.strip);
    cut.units_in_strip = divide_up(cut.step.m, cut.unit_rows);
    return cut;
}

void bl_cpu_prepare_matmul(struct bl_cpu_job *job)
{
    const struct cut cut = cut_product(job);
    const int64_t tile =
        bl_smaller(cut.step.m, cut.unit_rows) * bl_smaller(cut.step.n, cut.strip);

    job->units = cut.strips * cut.units_in_strip;
    for (int i = 0; i < cut.step.batch_rank; i++)
        job->units *= cut.step.batch_dim[i];
    job->unit_cost = cut.step.k > INT64_MAX / tile ? INT64_MAX : tile * cut.step.k;
    job->scratch_bytes = cut.scratch_bytes;
}

/* ---- Blocks -------------------------------------------------------------------------- */

/* What is computed at a time: rows and columns of the result, terms of their sums. */
struct block {
    int64_t row, column, term;
    int64_t m, n, k;
};

/* Element (row, column) of y. */
static char *result_at(const struct cut *cut, int64_t row, int64_t column)
{
    return cut->y.data + (row * cut->y.row_stride + column * cut->y.column_stride) *
                             (int64_t)bl_dtype_size(cut->step.dtype);
}

/* Where the sums of a block are kept, and in what stride of rows. */
static char *sums_at(const struct cut *cut, char *scratch, int64_t row, int64_t column)
{
    return cut->in_place ? result_at(cut, row, column) : scratch + cut->acc_at;
}

static size_t sums_stride(const struct cut *cut)
{
    return cut->in_place ? (size_t)cut->y.row_stride : (size_t)cut->strip;
}

/* Columns of a panel of the packed b: one panel for all where b is read row by row. */
static int64_t panel_columns(const struct cut *cut)
{
    return cut->few_rows ? cut->strip : (int64_t)cut->product->columns;
}

/* Pack the block's part of b: all of it, or the columns that do not fill a panel. */
static void read_b(const struct cut *cut, const struct block *block, char *scratch)
{
    const int64_t panel = panel_columns(cut);
    const int64_t skip = cut->pack_b ? 0 : block->n / panel * panel;
    const struct bl_packed to = {.data = scratch + cut->b_at,
                                 .columns = (size_t)panel,
                                 .row_stride = (size_t)panel,
                                 .panel_stride = (size_t)(panel * (block->k + 1))};

    if (skip < block->n && (cut->pack_b || !cut->few_rows))
        bl_matmul_pack(&cut->b, block->term, block->column + skip, block->k,
                       block->n - skip, &to);
}

static void multiply(const struct cut *cut, const struct block *block, char *scratch)
{
    const size_t panel = cut->product->columns;
    const size_t n = (size_t)block->n;
    const size_t whole = cut->pack_b ? 0 : n / panel * panel; /* columns read as they lie */
    char *sums = sums_at(cut, scratch, block->row, block->column);
    struct bl_tile tile = {.m = (size_t)block->m,
                           .n = n,
                           .k = (size_t)block->k,
                           .fresh = block->term == 0,
                           .acc = sums,
                           .acc_stride = sums_stride(cut),
                           .a = bl_matmul_at(&cut->a, block->row, block->term),
                           .a_stride = (size_t)cut->a.matrix.row_stride,
                           .b = bl_matmul_at(&cut->b, block->term, block->column),
                           .b_stride = (size_t)cut->b.matrix.row_stride,
                           .b_panel = panel};

    if (cut->pack_a) {
        const struct bl_packed to = {scratch + cut->a_at, tile.k, tile.k, 0};

        bl_matmul_pack(&cut->a, block->row, block->term, block->m, block->k, &to);
        tile.a = to.data;
        tile.a_stride = tile.k;
    }
    if (cut->dots) {
        bl_matmul_dots(block->n, block->k, (void *)sums, tile.b,
                       cut->b.matrix.column_stride, tile.a, cut->guard);
        return;
    }
    if (cut->few_rows) {
        if (cut->pack_b) {
            tile.b = scratch + cut->b_at;
            tile.b_stride = (size_t)cut->strip;
        }
        cut->product->few_rows(&tile);
        return;
    }
    if (whole > 0) {
        tile.n = whole;
        cut->product->tile(&tile);
    }
    if (whole < n) {
        tile.n = n - whole;
        tile.acc = sums + whole * cut->word;
        tile.b = scratch + cut->b_at;
        tile.b_stride = panel;
        tile.b_panel = panel * (tile.k + 1);
        cut->product->tile(&tile);
    }
}

/* Scale the sums of a part of a row, and put them into the result. */
static void finish_row(const struct cut *cut, const struct bl_kernels *kernels, int64_t row,
                       int64_t column, int64_t n, char *sums, char *scratch)
{
    const bl_dtype dtype = cut->step.dtype;
    const int64_t step = cut->y.column_stride * (int64_t)bl_dtype_size(dtype);
    char *y = result_at(cut, row, column);
    const void *c = NULL;

    if (cut->scale.has_c && cut->plain_c) {
        c = bl_matmul_at(&cut->c, row, column);
    } else if (cut->scale.has_c) {
        const struct bl_packed to = {scratch + cut->c_at, (size_t)n, 0, 0};

        bl_matmul_pack(&cut->c, row, column, 1, n, &to);
        c = to.data;
    }
    if (!cut->scale.is_one)
        bl_matmul_finish(&cut->scale, dtype, n, sums, c);
    if (cut->in_place)
        return;
    if (cut->y.column_stride == 1 || n == 1) {
        kernels->narrow[dtype]((size_t)n, y, sums, 1);
        return;
    }
    for (int64_t j = 0; j < n; j++)
        kernels->narrow[dtype](1, y + j * step, sums + (size_t)j * cut->word, 1);
}

static void finish(const struct cut *cut, const struct bl_kernels *kernels,
                   const struct block *block, char *scratch)
{
    char *sums = sums_at(cut, scratch, block->row, block->column);

    if (cut->in_place && cut->scale.is_one)
        return;
    for (int64_t i = 0; i < block->m; i++)
        for (int64_t j = 0; j < block->n; j += MOST)
            finish_row(cut, kernels, block->row + i, block->column + j,
                       bl_smaller(block->n - j, MOST),
                       sums + ((size_t)i * sums_stride(cut) + (size_t)j) * cut->word,
                       scratch);
}

/* ---- Strips -------------------------------------------------------------------------- */

/* Rows [row, end) of the strip that begins at `column`. */
static void run_strip(const struct cut *cut, const struct bl_kernels *kernels, int64_t row,
                      int64_t end, int64_t column, char *scratch)
{
    const int64_t terms = cut->step.k;
    const int64_t tile = even_part(end - row, cut->tile_rows, (int64_t)cut->product->rows);
    /* Sums that are not kept in the result are those of one block. */
    const int64_t group = cut->in_place ? end - row : tile;
    struct block block = {.column = column,
                          .n = bl_smaller(cut->step.n - column, cut->strip)};

    for (int64_t first = row; first < end; first += group) {
        const int64_t last = bl_smaller(first + group, end);

        block.term = 0;
        do {
            block.k = bl_smaller(terms - block.term, cut->depth);
            read_b(cut, &block, scratch);
            for (block.row = first; block.row < last; block.row += tile) {
                if (bl_guard_stops(cut->guard))
                    return;
                block.m = bl_smaller(last - block.row, tile);
                multiply(cut, &block, scratch);
                if (block.term + block.k == terms)
                    finish(cut, kernels, &block, scratch);
            }
            block.term += block.k;
        } while (block.term < terms);
    }
}

/* Go to the matrices of one index of the batch. */
static void move_to_batch(struct cut *cut, int64_t batch)
{
    const struct bl_matmul *step = &cut->step;
    const int64_t bytes = (int64_t)bl_dtype_size(step->dtype);

    cut->a.matrix.data = step->a.data;
    cut->b.matrix.data = step->b.data;
    cut->y.data = step->y.data;
    for (int axis = step->batch_rank - 1; axis >= 0; axis--) {
        const int64_t index = batch % step->batch_dim[axis] * bytes;

        cut->a.matrix.data += index * step->batch_stride[0][axis];
        cut->b.matrix.data += index * step->batch_stride[1][axis];
        cut->y.data += index * step->batch_stride[2][axis];
        batch /= step->batch_dim[axis];
    }
}

void bl_cpu_run_matmul(const struct bl_cpu_job *job, int64_t first, int64_t end,
                       void *scratch)
{
    struct cut cut = cut_product(job);

    cut.a.scratch = cut.b.scratch = cut.c.scratch = (char *)scratch + cut.lines_at;
    for (int64_t unit = first; unit < end;) {
        const int64_t strip = unit / cut.units_in_strip;
        const int64_t at = unit % cut.units_in_strip;
        const int64_t count = bl_smaller(cut.units_in_strip - at, end - unit);

        if (unit == first || strip % cut.strips == 0)
            move_to_batch(&cut, strip / cut.strips);
        run_strip(&cut, job->kernels, at * cut.unit_rows,
                  bl_smaller((at + count) * cut.unit_rows, cut.step.m),
                  strip % cut.strips * cut.strip, scratch);
        unit += count;
    }
}

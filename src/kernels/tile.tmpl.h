/*
 * tile.tmpl.h - a block of a matrix product in one accumulator type
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: T the accumulator's type; TAG the suffix of every name made here.
 *
 * Every sum starts from acc and adds one product after the other, so that the bits do not
 * depend on the shape of the block, the instruction set or the threads.  What shares a
 * vector is columns.
 */

/* Vectors are spelled out here: left to itself, gcc vectorises over k. */
typedef T BL_VECTOR(T, VECTOR_BYTES) F(lanes);

/* Sums that stay in registers.  6 rows by 2 vectors take 12 of the 16 that there are, and leave 2
 * for b, 1 for a and 1 for the product; and 12 sums are as many as can be under way where two
 * additions start in a cycle and each takes 3 to 6. */
#define ROWS 6
#define LOW_ROWS 4
#define WIDTH (sizeof(F(lanes)) / sizeof(T))
#define COLUMNS (2 * WIDTH)

/* Rows of b that are added to one row of sums at a time. */
#define TERMS 8

/* acc += a * b for `rows`, a constant, by COLUMNS sums.  The loop over k is not unrolled: its counter costs
 * less than the registers that gcc spills for two k at a time. */
BL_FORCE_INLINE void F(block)(size_t rows, const T *const *row, const T *b,
                              const struct bl_tile *tile, T *acc, size_t acc_stride)
{
    const size_t terms = tile->k;
    const size_t b_stride = tile->b_stride;
    const T *a[ROWS];
    F(lanes) left[ROWS], right[ROWS];

    BL_UNROLL
    for (size_t r = 0; r < rows; r++) {
        a[r] = row[r];
        left[r] = right[r] = (F(lanes)){0};
    }
    if (!tile->fresh) {
        BL_UNROLL
        for (size_t r = 0; r < rows; r++) {
            left[r] = *(const F(lanes) *)(acc + r * acc_stride);
            right[r] = *(const F(lanes) *)(acc + r * acc_stride + WIDTH);
        }
    }
    for (size_t k = 0; k < terms; k++, b += b_stride) {
        const F(lanes) b_left = *(const F(lanes) *)b;
        const F(lanes) b_right = *(const F(lanes) *)(b + WIDTH);

        BL_UNROLL
        for (size_t r = 0; r < rows; r++) {
            left[r] += a[r][k] * b_left;
            right[r] += a[r][k] * b_right;
        }
    }
    BL_UNROLL
    for (size_t r = 0; r < rows; r++) {
        *(F(lanes) *)(acc + r * acc_stride) = left[r];
        *(F(lanes) *)(acc + r * acc_stride + WIDTH) = right[r];
    }
}

/* The block as most of a tile needs it, and the one for its last rows. */

static void F(high_block)(const T *const *row, const T *b, const struct bl_tile *tile,
                          T *acc, size_t acc_stride)
{
    F(block)(ROWS, row, b, tile, acc, acc_stride);
}

static void F(low_block)(const T *const *row, const T *b, const struct bl_tile *tile,
                         T *acc, size_t acc_stride)
{
    F(block)(LOW_ROWS, row, b, tile, acc, acc_stride);
}

/* The same for fewer rows and columns: the last row is computed several times, and acc goes
 * through a buffer. */
static void F(corner)(const struct bl_tile *tile, size_t rows, size_t columns, const T *a,
                      const T *b, T *acc)
{
    T sums[ROWS * COLUMNS];
    const T *row[ROWS];

    for (size_t r = 0; r < ROWS; r++)
        row[r] = a + (r < rows ? r : rows - 1) * tile->a_stride;
    if (!tile->fresh) {
        memset(sums, 0, sizeof sums);
        for (size_t r = 0; r < rows; r++)
            memcpy(sums + r * COLUMNS, acc + r * tile->acc_stride, columns * sizeof(T));
    }
    if (rows <= LOW_ROWS)
        F(low_block)(row, b, tile, sums, COLUMNS);
    else
        F(high_block)(row, b, tile, sums, COLUMNS);
    for (size_t r = 0; r < rows; r++)
        memcpy(acc + r * tile->acc_stride, sums + r * COLUMNS, columns * sizeof(T));
}

static void F(tile)(const struct bl_tile *tile)
{
    const size_t panel = tile->b_panel;
    const T *b = tile->b;

    for (size_t j = 0; j < tile->n; j += COLUMNS, b += panel) {
        const size_t columns = tile->n - j < COLUMNS ? tile->n - j : COLUMNS;
        const T *a = tile->a;
        T *acc = (T *)tile->acc + j;

        for (size_t i = 0; i < tile->m; i += ROWS) {
            const size_t rows = tile->m - i < ROWS ? tile->m - i : ROWS;

            if (rows == ROWS && columns == COLUMNS) {
                const T *row[ROWS];

                BL_UNROLL
                for (size_t r = 0; r < ROWS; r++)
                    row[r] = a + r * tile->a_stride;
                F(high_block)(row, b, tile, acc, tile->acc_stride);
            } else {
                F(corner)(tile, rows, columns, a, b, acc);
            }
            a += ROWS * tile->a_stride;
            acc += ROWS * tile->acc_stride;
        }
    }
}

/* acc[j] += a[0] * b[0][j], then a[1] * b[1][j] and so on, for `terms`, a constant. */
BL_FORCE_INLINE void F(add_terms)(size_t n, size_t terms, T *acc, const T *a, const T *b,
                                  size_t b_stride)
{
    size_t j = 0;

    for (; j + WIDTH <= n; j += WIDTH) {
        F(lanes) sum = *(const F(lanes) *)(acc + j);

        BL_UNROLL
        for (size_t k = 0; k < terms; k++)
            sum += a[k] * *(const F(lanes) *)(b + k * b_stride + j);
        *(F(lanes) *)(acc + j) = sum;
    }
    for (; j < n; j++) {
        T sum = acc[j];

        for (size_t k = 0; k < terms; k++)
            sum += a[k] * b[k * b_stride + j];
        acc[j] = sum;
    }
}

/* Few rows: b is read once, row by row, as fast as memory gives it. */
static void F(few_rows)(const struct bl_tile *tile)
{
    const size_t n = tile->n;
    const T *b = tile->b;
    size_t terms;

    if (tile->fresh)
        for (size_t i = 0; i < tile->m; i++)
            memset((T *)tile->acc + i * tile->acc_stride, 0, n * sizeof(T));
    for (size_t k = 0; k < tile->k; k += terms, b += terms * tile->b_stride) {
        const T *a = (const T *)tile->a + k;
        T *acc = tile->acc;

        terms = tile->k - k < TERMS ? 1 : TERMS;
        for (size_t i = 0; i < tile->m; i++, a += tile->a_stride, acc += tile->acc_stride) {
            if (terms == TERMS)
                F(add_terms)(n, TERMS, acc, a, b, tile->b_stride);
            else
                F(add_terms)(n, 1, acc, a, b, tile->b_stride);
        }
    }
}

static const struct bl_product F(product) = {ROWS, COLUMNS, F(tile), F(few_rows)};

#undef ROWS
#undef LOW_ROWS
#undef WIDTH
#undef COLUMNS
#undef TERMS

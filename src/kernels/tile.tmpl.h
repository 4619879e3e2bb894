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

/* Sums that stay in registers: 4 rows by 2 vectors take 8 of the 16 that there are. */
#define ROWS 4
#define WIDTH (sizeof(F(lanes)) / sizeof(T))
#define COLUMNS (2 * WIDTH)

/* acc += a * b for `rows`, a constant, and COLUMNS from (i, j) on. */
BL_FORCE_INLINE void F(panel)(const struct bl_tile *tile, size_t i, size_t rows, size_t j)
{
    const T *a = (const T *)tile->a + i * tile->a_stride;
    const T *b = (const T *)tile->b + j;
    T *acc = (T *)tile->acc + i * tile->acc_stride + j;
    F(lanes) left[ROWS], right[ROWS];

    BL_UNROLL
    for (size_t r = 0; r < rows; r++) {
        left[r] = *(const F(lanes) *)(acc + r * tile->acc_stride);
        right[r] = *(const F(lanes) *)(acc + r * tile->acc_stride + WIDTH);
    }
    for (size_t k = 0; k < tile->k; k++) {
        const F(lanes) b_left = *(const F(lanes) *)(b + k * tile->b_stride);
        const F(lanes) b_right = *(const F(lanes) *)(b + k * tile->b_stride + WIDTH);

        BL_UNROLL
        for (size_t r = 0; r < rows; r++) {
            left[r] += a[r * tile->a_stride + k] * b_left;
            right[r] += a[r * tile->a_stride + k] * b_right;
        }
    }
    BL_UNROLL
    for (size_t r = 0; r < rows; r++) {
        *(F(lanes) *)(acc + r * tile->acc_stride) = left[r];
        *(F(lanes) *)(acc + r * tile->acc_stride + WIDTH) = right[r];
    }
}

/* The same for one row and the columns from j on, fewer than COLUMNS. */
static void F(edge)(const struct bl_tile *tile, size_t i, size_t j)
{
    const T *a = (const T *)tile->a + i * tile->a_stride;
    T *acc = (T *)tile->acc + i * tile->acc_stride;

    for (size_t k = 0; k < tile->k; k++) {
        const T *b = (const T *)tile->b + k * tile->b_stride;
        const T x = a[k];

        for (size_t c = j; c < tile->n; c++)
            acc[c] += x * b[c];
    }
}

/* All columns of `rows` rows from i on. */
BL_FORCE_INLINE void F(strip)(const struct bl_tile *tile, size_t i, size_t rows)
{
    size_t j = 0;

    for (; j + COLUMNS <= tile->n; j += COLUMNS)
        F(panel)(tile, i, rows, j);
    if (j < tile->n)
        for (size_t r = 0; r < rows; r++)
            F(edge)(tile, i + r, j);
}

static void F(tile)(const struct bl_tile *tile)
{
    size_t i = 0;

    for (; i + ROWS <= tile->m; i += ROWS)
        F(strip)(tile, i, ROWS);
    for (; i < tile->m; i++)
        F(strip)(tile, i, 1);
}

#undef ROWS
#undef WIDTH
#undef COLUMNS

/*
 * matmul_pack.c - copy blocks of matrices to where, and in the type that, the kernels read
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An operand is read line by line in the direction in which it is dense, rows or columns, a few
 * lines at a time; lines that are not accumulators already are converted first.  Lines that are
 * columns are turned into rows.
 */
#include "backends/cpu/matmul.h"

#include <string.h>

#include "backends/cpu/block.h"
#include "backends/cpu/cpu.h"
#include "base/compiler.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef uint32_t BL_MAY_ALIAS word32;
typedef uint64_t BL_MAY_ALIAS word64;

const char *bl_matmul_at(const struct bl_pack_source *from, int64_t row, int64_t column)
{
    const struct bl_matrix *matrix = &from->matrix;

    return matrix->data + (row * matrix->row_stride + column * matrix->column_stride) *
                              (int64_t)from->bytes;
}

bool bl_matmul_is_plain(const struct bl_pack_source *from)
{
    return from->bytes == from->word && from->matrix.column_stride == 1 &&
           from->matrix.row_stride >= 0 &&
           bl_cpu_is_aligned(from->matrix.data, from->bytes);
}

/* ---- Lines --------------------------------------------------------------------------- */

/* Point line[0..count) to `count` lines of n elements, `apart` elements apart, the first one at `at`,
 * whose elements are `next` apart: to the operand itself, or to a converted copy. */
static void read_lines(const struct bl_pack_source *from, const char *at, int64_t apart,
                       int64_t n, int64_t next, size_t count, const char **line)
{
    const bool aligned = bl_cpu_is_aligned(at, from->bytes);
    const bool dense = next == 1 && from->bytes == from->word && aligned;
    const struct bl_block block = {
        .rank = 1, .dim = &n, .stride = &next, .bytes = from->bytes};
    char *const bounce =
        (char *)from->scratch + (size_t)BL_PACK_LINES * BL_PACK_MOST * from->word;

    for (size_t i = 0; i < count; i++, at += apart * (int64_t)from->bytes) {
        char *copy = (char *)from->scratch + i * BL_PACK_MOST * from->word;

        line[i] = dense ? at : copy;
        if (dense)
            continue;
        if (!aligned)
            bl_block_gather(&block, bounce, at);
        from->widen((size_t)n, copy, aligned ? at : bounce, aligned ? (ptrdiff_t)next : 1);
    }
}

/* ---- Lines that are rows ------------------------------------------------------------- */

/* A panel's row is 32, 64 or 128 bytes, which is too short for a call of memcpy. */
BL_FORCE_INLINE void copy_panel_row(char *to, const char *from, size_t bytes)
{
    for (size_t done = 0; done < bytes; done += 32)
        memcpy(to + done, from + done, 32);
}

static void place_row(const struct bl_packed *to, size_t word, size_t row, size_t n,
                      const char *line)
{
    const size_t panel_bytes = to->columns * word;
    const bool short_rows = panel_bytes % 32 == 0 && panel_bytes <= 128;
    char *at = to->data + row * to->row_stride * word;
    size_t left = n * word;

    if (short_rows)
        for (; left >= panel_bytes; left -= panel_bytes) {
            copy_panel_row(at, line, panel_bytes);
            at += to->panel_stride * word;
            line += panel_bytes;
        }
    if (left == 0)
        return;
    memcpy(at, line, left);
    if (short_rows)
        memset(at + left, 0, panel_bytes - left);
}

/* ---- Lines that are columns ---------------------------------------------------------- */

/* Both write n rows of BL_PACK_LINES elements, `stride` elements apart. */

static void turn32(size_t n, word32 *to, size_t stride, const char *const *line)
{
    size_t i = 0;

#ifdef __SSE2__
    for (; i + 4 <= n; i += 4) {
        const __m128i a = _mm_loadu_si128((const void *)(line[0] + i * 4));
        const __m128i b = _mm_loadu_si128((const void *)(line[1] + i * 4));
        const __m128i c = _mm_loadu_si128((const void *)(line[2] + i * 4));
        const __m128i d = _mm_loadu_si128((const void *)(line[3] + i * 4));
        const __m128i ab = _mm_unpacklo_epi32(a, b); /* a0 b0 a1 b1 */
        const __m128i cd = _mm_unpacklo_epi32(c, d);
        const __m128i ab_high = _mm_unpackhi_epi32(a, b); /* a2 b2 a3 b3 */
        const __m128i cd_high = _mm_unpackhi_epi32(c, d);
        word32 *row = to + i * stride;

        _mm_storeu_si128((void *)row, _mm_unpacklo_epi64(ab, cd));
        _mm_storeu_si128((void *)(row + stride), _mm_unpackhi_epi64(ab, cd));
        _mm_storeu_si128((void *)(row + 2 * stride), _mm_unpacklo_epi64(ab_high, cd_high));
        _mm_storeu_si128((void *)(row + 3 * stride), _mm_unpackhi_epi64(ab_high, cd_high));
    }
#endif
    for (; i < n; i++)
        for (size_t j = 0; j < BL_PACK_LINES; j++)
            to[i * stride + j] = ((const word32 *)(const void *)line[j])[i];
}

static void turn64(size_t n, word64 *to, size_t stride, const char *const *line)
{
    size_t i = 0;

#ifdef __SSE2__
    for (; i + 2 <= n; i += 2) {
        word64 *row = to + i * stride;

        for (size_t j = 0; j < BL_PACK_LINES; j += 2) {
            const __m128i a = _mm_loadu_si128((const void *)(line[j] + i * 8));
            const __m128i b = _mm_loadu_si128((const void *)(line[j + 1] + i * 8));

            _mm_storeu_si128((void *)(row + j), _mm_unpacklo_epi64(a, b));
            _mm_storeu_si128((void *)(row + stride + j), _mm_unpackhi_epi64(a, b));
        }
    }
#endif
    for (; i < n; i++)
        for (size_t j = 0; j < BL_PACK_LINES; j++)
            to[i * stride + j] = ((const word64 *)(const void *)line[j])[i];
}

/* The last columns, fewer than BL_PACK_LINES: element by element. */
static void turn_few(size_t word, size_t n, size_t columns, char *to, size_t stride,
                     const char *const *line)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < columns; j++)
            memcpy(to + (i * stride + j) * word, line[j] + i * word, word);
}

static void place_columns(const struct bl_packed *to, size_t word, size_t rows,
                          size_t column, size_t columns, const char *const *line)
{
    char *at =
        to->data + (column / to->columns * to->panel_stride + column % to->columns) * word;

    if (columns < BL_PACK_LINES)
        turn_few(word, rows, columns, at, to->row_stride, line);
    else if (word == 4)
        turn32(rows, (word32 *)(void *)at, to->row_stride, line);
    else
        turn64(rows, (word64 *)(void *)at, to->row_stride, line);
}

/* Zeros in the columns of the last panel from `column` on. */
static void fill_columns(const struct bl_packed *to, size_t word, size_t rows,
                         size_t column)
{
    const size_t used = column % to->columns;
    char *at = to->data + (column / to->columns * to->panel_stride + used) * word;

    if (used != 0)
        for (size_t i = 0; i < rows; i++)
            memset(at + i * to->row_stride * word, 0, (to->columns - used) * word);
}

/* Lines that are asked for before they are read: a line that ends a page, or a processor that does
 * not look further, would wait for memory at the start of the next. */
#define AHEAD 4

static void fetch(const char *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64)
        BL_PREFETCH(at + i);
}

/* ---- Blocks -------------------------------------------------------------------------- */

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

void bl_matmul_pack(const struct bl_pack_source *from, int64_t row, int64_t column,
                    int64_t rows, int64_t columns, const struct bl_packed *to)
{
    const int64_t row_stride = from->matrix.row_stride;
    const int64_t column_stride = from->matrix.column_stride;
    const char *line[BL_PACK_LINES];

    if (rows == 0 || columns == 0)
        return;
    if (rows == 1 || magnitude(column_stride) <= magnitude(row_stride)) {
        for (int64_t i = 0; i < rows; i++) {
            read_lines(from, bl_matmul_at(from, row + i, column), row_stride, columns,
                       column_stride, 1, line);
            if (i + AHEAD < rows)
                fetch(bl_matmul_at(from, row + i + AHEAD, column),
                      (size_t)columns * from->bytes);
            place_row(to, from->word, (size_t)i, (size_t)columns, line[0]);
        }
        return;
    }
    for (int64_t j = 0; j < columns; j += BL_PACK_LINES) {
        const int64_t count = columns - j < BL_PACK_LINES ? columns - j : BL_PACK_LINES;

        read_lines(from, bl_matmul_at(from, row, column + j), column_stride, rows,
                   row_stride, (size_t)count, line);
        place_columns(to, from->word, (size_t)rows, (size_t)j, (size_t)count, line);
    }
    fill_columns(to, from->word, (size_t)rows, (size_t)columns);
}

/*
 * check_gemm.c - the kernels of Gemm against plain loops: tiles, and conversions around
 * them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kernel_check.h"

#include <string.h>

#include "base/compiler.h"
#include "conform/value.h"
#include "tensor/dtype.h"

/* ---- Products ----------------------------------------------------------------------- */

/* acc += a * b, the sums in the order of k.  All packed: m x n, m x k, k x n. */
#define PLAIN(name, T)                                                         \
    static void name(size_t m, size_t n, size_t k, void *acc, const void *a,   \
                     const void *b)                                            \
    {                                                                          \
        for (size_t i = 0; i < m; i++)                                         \
            for (size_t j = 0; j < n; j++)                                     \
                for (size_t l = 0; l < k; l++)                                 \
                    ((T *)acc)[i * n + j] +=                                   \
                        ((const T *)a)[i * k + l] * ((const T *)b)[l * n + j]; \
    }

PLAIN(plain_f32, float)
PLAIN(plain_f64, double)
PLAIN(plain_u32, uint32_t)
PLAIN(plain_u64, uint64_t)

static void plain(bl_dtype dtype, size_t m, size_t n, size_t k, void *acc, const void *a,
                  const void *b)
{
    switch (dtype) {
    case BL_FLOAT32:
        plain_f32(m, n, k, acc, a, b);
        break;
    case BL_FLOAT64:
        plain_f64(m, n, k, acc, a, b);
        break;
    case BL_UINT32:
        plain_u32(m, n, k, acc, a, b);
        break;
    default:
        plain_u64(m, n, k, acc, a, b);
    }
}

#define MOST_ROWS 14
#define MOST_COLUMNS 100
#define MOST_TERMS 40
#define MOST_PANEL 64 /* columns of a panel */

/* A matrix as the kernel sees it, and packed as the plain loop does. */
struct matrix {
    size_t rows, columns, stride;
    unsigned char *at;
    uint64_t packed[MOST_TERMS * MOST_COLUMNS];
};

/* Place a matrix with gaps after its rows, but not after the last. */
static void make_matrix(struct checker *checker, const struct guard *guard, bl_dtype dtype,
                        size_t rows, size_t columns, bool at_end, struct matrix *matrix)
{
    const size_t size = bl_dtype_size(dtype);
    const size_t stride = columns + random_below(&checker->random, 3);
    const size_t elements = rows == 0 || columns == 0 ? 0 : (rows - 1) * stride + columns;

    matrix->rows = rows;
    matrix->columns = columns;
    matrix->stride = stride;
    matrix->at = guard_place(guard, elements * size, at_end);
    guard_fill(guard);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            unsigned char *element = matrix->at + (i * stride + j) * size;

            random_element(&checker->random, dtype, element);
            memcpy((unsigned char *)matrix->packed + (i * columns + j) * size, element,
                   size);
        }
}

static bool equal(bl_dtype dtype, const void *a, const void *b)
{
    if (memcmp(a, b, bl_dtype_size(dtype)) == 0)
        return true;
    if (bl_dtype_info(dtype)->kind != BL_KIND_FLOAT)
        return false;
    const double x = bl_value_to_double(dtype, a);
    const double y = bl_value_to_double(dtype, b);

    return x != x && y != y;
}

/* The elements are what the plain loop gave, the gaps as they were. */
static bool compare_matrix(bl_dtype dtype, const struct matrix *matrix)
{
    const size_t size = bl_dtype_size(dtype);
    unsigned char gap[8];

    memset(gap, GUARD_FILLED, sizeof gap);

    for (size_t i = 0; i < matrix->rows; i++)
        for (size_t j = 0; j < matrix->stride; j++) {
            const unsigned char *actual = matrix->at + (i * matrix->stride + j) * size;
            const unsigned char *packed = (const unsigned char *)matrix->packed;
            const bool is_gap = j >= matrix->columns;

            if (is_gap && i + 1 == matrix->rows)
                break;
            if (!equal(dtype, is_gap ? gap : packed + (i * matrix->columns + j) * size,
                       actual)) {
                check_report("row %zu, column %zu of %zu x %zu is wrong", i, j,
                             matrix->rows, matrix->columns);
                return false;
            }
        }
    return true;
}

/* A b as it lies: row by row, each element once, or in panels, whose columns beyond n hold odd
 * values that may not show. */
enum layout { ROW_BY_ROW, WHOLE_PANELS, PANELS_APART };

/* Place b in panels of `width` columns, `rows_apart` elements from row to row.  Returns the
 * elements from panel to panel. */
static size_t make_panels(struct checker *checker, bl_dtype dtype, size_t k, size_t n,
                          size_t width, size_t rows_apart, bool at_end, struct matrix *b)
{
    const struct guard *guard = &checker->in[1];
    const size_t size = bl_dtype_size(dtype);
    const size_t panels = (n + width - 1) / width;
    const size_t apart = k * rows_apart + random_below(&checker->random, 5);
    const size_t elements =
        k == 0 ? 0 : (panels - 1) * apart + (k - 1) * rows_apart + width;

    b->stride = rows_apart;
    b->at = guard_place(guard, elements * size, at_end);
    guard_fill(guard);
    for (size_t p = 0; p < panels; p++)
        for (size_t l = 0; l < k; l++)
            for (size_t j = 0; j < width; j++) {
                unsigned char *element = b->at + (p * apart + l * rows_apart + j) * size;

                random_element(&checker->random, dtype, element);
                if (p * width + j < n)
                    memcpy((unsigned char *)b->packed + (l * n + p * width + j) * size,
                           element, size);
            }
    return apart;
}

/* Multiply, and compare with the plain loop. */
static bool call_tile(struct checker *checker, const struct bl_product *product,
                      bl_dtype dtype, size_t m, size_t n, size_t k, enum layout layout)
{
    static struct matrix a, b, acc; /* large */
    const size_t size = bl_dtype_size(dtype);
    const size_t width = product->columns;
    const bool at_end = random_below(&checker->random, 2) != 0;
    struct bl_tile tile = {.m = m, .n = n, .k = k, .b_panel = width};

    make_matrix(checker, &checker->in[0], dtype, m, k, at_end, &a);
    if (layout == PANELS_APART)
        tile.b_panel = make_panels(checker, dtype, k, n, width,
                                   width + random_below(&checker->random, 3), at_end, &b);
    else
        make_matrix(checker, &checker->in[1], dtype, k, n, at_end, &b);
    make_matrix(checker, &checker->out, dtype, m, n, at_end, &acc);
    tile.fresh = random_below(&checker->random, 2) != 0;
    tile.acc = acc.at;
    tile.acc_stride = acc.stride;
    tile.a = a.at;
    tile.a_stride = a.stride;
    tile.b = b.at;
    tile.b_stride = b.stride;
    if (tile.fresh)
        memset(acc.packed, 0, m * n * size);
    check_current.n = n;
    check_current.inputs = 0;
    check_current.at_end = at_end;
    check_current.note = "trapped";
    (layout == ROW_BY_ROW ? product->few_rows : product->tile)(&tile);
    check_current.note = NULL;
    checker->elements += m * n * k;
    plain(dtype, m, n, k, acc.packed, a.packed, b.packed);
    if (!guard_only_wrote(&checker->out, acc.at, ((m - 1) * acc.stride + n) * size)) {
        check_report("wrote beside its output");
        return false;
    }
    return compare_matrix(dtype, &acc);
}

/* One shape, by both kernels and in each layout of b that they take. */
static bool call_product(struct checker *checker, const struct bl_product *product,
                         bl_dtype dtype, size_t m, size_t n, size_t k)
{
    return call_tile(checker, product, dtype, m, n, k, ROW_BY_ROW) &&
           call_tile(checker, product, dtype, m, n, k, PANELS_APART) &&
           (n % product->columns != 0 ||
            call_tile(checker, product, dtype, m, n, k, WHOLE_PANELS));
}

bool check_product(struct checker *checker, const struct bl_product *product,
                   bl_dtype dtype)
{
    static const size_t terms[] = {0, 1, 2, 7, 8, 9, 17, MOST_TERMS};
    const size_t steps = checker->quick ? 3 : 1;

    if (product->columns > MOST_PANEL || product->columns % 4 != 0) {
        check_report("%zu columns in a panel", product->columns);
        return false;
    }
    for (size_t m = 1; m <= MOST_ROWS; m++)
        for (size_t n = 1; n <= MOST_COLUMNS; n += n < 70 ? 1 : 13)
            for (size_t i = checker->quick ? (m + n) % 3 : 0; i < BL_COUNT_OF(terms);
                 i += steps)
                if (!call_product(checker, product, dtype, m, n, terms[i]))
                    return false;
    return true;
}

/* ---- Conversions ------------------------------------------------------------------- */

static bool is_half(bl_dtype dtype)
{
    return dtype == BL_FLOAT16 || dtype == BL_BFLOAT16;
}

/* A float32 that lies on a value of a 16-bit type, on the middle between two, or beside. */
static void random_near_half(random_state *state, bl_dtype dtype, void *element)
{
    static const int32_t off[] = {-1, 0, 1, 0xFFF, 0x1000, 0x1001, 0x7FFF, 0x8000, 0x8001};
    const uint16_t half = (uint16_t)random_bits(state);
    const float x = (float)bl_value_to_double(dtype, &half);
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    bits += (uint32_t)off[random_below(state, BL_COUNT_OF(off))];
    memcpy(element, &bits, sizeof bits);
}

/* A conversion and the types it is between: 16-bit to float32 or back, or a copy. */
struct conversion {
    bl_convert_fn fn;
    bl_dtype from, to;
};

static void fill(struct checker *checker, const struct conversion *conversion, size_t i,
                 void *element)
{
    const uint16_t count = (uint16_t)(checker->elements + i);

    if (is_half(conversion->from)) /* one after the other: each of them comes */
        memcpy(element, &count, sizeof count);
    else if (is_half(conversion->to) && random_bits(&checker->random) % 2)
        random_near_half(&checker->random, conversion->to, element);
    else
        random_element(&checker->random, conversion->from, element);
}

static void convert(const struct conversion *conversion, const void *from, void *to)
{
    if (is_half(conversion->from) || is_half(conversion->to))
        bl_value_from_double(conversion->to, bl_value_to_double(conversion->from, from),
                             to);
    else
        memcpy(to, from, bl_dtype_size(conversion->to));
}

static bool call_convert(struct checker *checker, const struct conversion *conversion,
                         size_t n, ptrdiff_t stride, bool at_end)
{
    const size_t from_size = bl_dtype_size(conversion->from);
    const size_t to_size = bl_dtype_size(conversion->to);
    const size_t extent = (n - 1) * (size_t)(stride < 0 ? -stride : stride) + 1;
    unsigned char *in = guard_place(&checker->in[0], extent * from_size, at_end);
    unsigned char *out = guard_place(&checker->out, n * to_size, at_end);
    unsigned char *first = stride < 0 ? in + (extent - 1) * from_size : in;

    for (size_t i = 0; i < extent; i++)
        fill(checker, conversion, i, in + i * from_size);
    guard_fill(&checker->out);
    check_current.n = n;
    check_current.inputs = 1;
    check_current.stride = &stride;
    check_current.at_end = at_end;
    check_current.note = "trapped";
    conversion->fn(n, out, first, stride);
    check_current.note = NULL;
    checker->elements += n;
    if (!guard_only_wrote(&checker->out, out, n * to_size)) {
        check_report("wrote beside its output");
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const unsigned char *x = first + (ptrdiff_t)i * stride * (ptrdiff_t)from_size;
        char text[64];
        uint64_t expected;

        convert(conversion, x, &expected);
        if (!equal(conversion->to, &expected, out + i * to_size)) {
            check_report("element %zu, from %s, is wrong", i,
                         bl_value_text(conversion->from, x, text, sizeof text));
            return false;
        }
    }
    return true;
}

static bool check_convert(struct checker *checker, const struct conversion *conversion)
{
    static const ptrdiff_t strides[] = {1, 0, 2, -1, 3};
    const size_t step = checker->quick ? 5 : 1;

    for (size_t i = 0; i < BL_COUNT_OF(strides); i++)
        for (size_t n = 1; n <= CHECK_LONGEST; n += n < 70 ? step : 64)
            for (int at_end = 0; at_end < 2; at_end++)
                if (!call_convert(checker, conversion, n, strides[i], at_end != 0))
                    return false;
    /* Each 16-bit value, through the contiguous loop. */
    for (size_t done = 0; done <= UINT16_MAX; done += 1024)
        if (!call_convert(checker, conversion, 1024, 1, true))
            return false;
    return true;
}

bool check_widen(struct checker *checker, bl_convert_fn fn, bl_dtype dtype)
{
    return check_convert(checker, &(struct conversion){fn, dtype, bl_accumulator(dtype)});
}

bool check_narrow(struct checker *checker, bl_convert_fn fn, bl_dtype dtype)
{
    return check_convert(checker, &(struct conversion){fn, bl_accumulator(dtype), dtype});
}

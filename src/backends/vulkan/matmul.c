/*
 * matmul.c - print the shader of a matrix product, and fill its argument block
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/vulkan/matmul.h"

#include <math.h>
#include <string.h>

#include "backends/vulkan/print.h"
#include "base/half.h"

/* What a type is summed in, and how it gets there: see expressions.c. */
struct product {
    bl_dtype dtype;
    const char *sum, *bits,
        *in; /* "uint"; add and multiply in "u32"; its numbers are "i32" */
    const char *widen, *narrow;
    unsigned bytes;
};

static const struct product products[] = {
    {BL_FLOAT32, "uint", "f32", "f32", "", "", 4},
    {BL_FLOAT16, "uint", "f32", "f32", "f16_widen", "f16_narrow", 2},
    {BL_BFLOAT16, "uint", "f32", "f32", "bf16_widen", "bf16_narrow", 2},
    {BL_FLOAT64, "uvec2", "f64", "f64", "", "", 8},
    {BL_INT32, "uint", "u32", "i32", "", "", 4},
    {BL_UINT32, "uint", "u32", "u32", "", "", 4},
    {BL_INT64, "uvec2", "u64", "i64", "", "", 8},
    {BL_UINT64, "uvec2", "u64", "u64", "", "", 8},
};

static const struct product *product_of(bl_dtype dtype)
{
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        if (products[i].dtype == dtype)
            return &products[i];
    return NULL;
}

/* Rows and columns of y that a group computes, 4 x 4 an invocation. */
static unsigned tile_of(const struct bl_shader_features *features)
{
    return features->max_invocations >= 256 ? 64 : 32;
}

/* ---- How far matrices reach -------------------------------------------------------------------- */

struct reach {
    int64_t before, after; /* elements, from the one at index 0 on every axis */
};

static void go(struct reach *reach, int64_t dim, int64_t stride)
{
    const int64_t last = dim > 0 ? (dim - 1) * stride : 0;

    if (last < 0)
        reach->before -= last;
    else
        reach->after += last;
}

/* Matrices are numbered a, b, c, y. */
enum { A, B, C, Y, MATRICES };

static const struct bl_matrix *matrix_of(const struct bl_matmul *step, int which)
{
    const struct bl_matrix *const all[MATRICES] = {&step->a, &step->b, &step->c, &step->y};

    return all[which];
}

static int64_t batch_stride(const struct bl_matmul *step, int which, int axis)
{
    return which == C ? 0 : step->batch_stride[which == Y ? 2 : which][axis];
}

static struct reach reach_of(const struct bl_matmul *step, int which)
{
    const struct bl_matrix *matrix = matrix_of(step, which);
    struct reach reach = {0, 0};

    go(&reach, which == B ? step->k : step->m, matrix->row_stride);
    go(&reach, which == A ? step->k : step->n, matrix->column_stride);
    for (int axis = 0; axis < step->batch_rank; axis++)
        go(&reach, step->batch_dim[axis], batch_stride(step, which, axis));
    return reach;
}

static int64_t batches_of(const struct bl_matmul *step)
{
    int64_t count = 1;

    for (int axis = 0; axis < step->batch_rank; axis++)
        count *= step->batch_dim[axis];
    return count;
}

static bool is_wide(const struct bl_matmul *step, const struct bl_shader_features *features)
{
    const int64_t limit = (INT64_C(1) << 31) - 65536;

    for (int which = A; which < MATRICES; which++) {
        const struct reach reach = reach_of(step, which);

        if (reach.before + reach.after >= limit)
            return true;
    }
    return features->wide_indices || step->m >= limit || step->n >= limit ||
           step->k >= limit;
}

/* ---- The text ---------------------------------------------------------------------------------- */

static bool is_whole(float x)
{
    return x == truncf(x) && fabsf(x) < 0x1p63F;
}

static bool has_c(const struct bl_matmul *step)
{
    return step->c.data != NULL && step->beta != 0;
}

static void put_double(struct bl_text *glsl, double number)
{
    const uint64_t bits = bl_f64_bits(number);

    bl_text_put(glsl, "uvec2(0x%xu, 0x%xu)", (unsigned)bits, (unsigned)(bits >> 32));
}

/* alpha or beta, in what the product computes in. */
static void put_factor(const struct product *product, struct bl_text *glsl, float factor)
{
    const uint64_t whole = is_whole(factor) ? (uint64_t)(int64_t)factor : 0;

    if (product->in[0] != 'f' && product->bytes == 4)
        bl_text_put(glsl, "0x%xu", (unsigned)whole);
    else if (product->in[0] != 'f')
        bl_text_put(glsl, "uvec2(0x%xu, 0x%xu)", (unsigned)whole, (unsigned)(whole >> 32));
    else if (product->bytes == 8)
        put_double(glsl, (double)factor);
    else
        bl_text_put(glsl, "0x%xu", (unsigned)bl_f32_bits(factor));
}

static const char *const element_of_c =
    "WIDEN(LOAD(args.matrix[2].address, AT(args.matrix[2].start) + r * "
    "AT(args.matrix[2].row) + c * AT(args.matrix[2].column)))";

/* In the type itself, or modulo 2^n.  Without terms the product is absent, and not 0. */
static void print_finish(const struct bl_matmul *step, const struct product *product,
                         struct bl_text *glsl)
{
    if (step->alpha != 1) {
        bl_text_put(glsl, "sum = MUL(");
        put_factor(product, glsl, step->alpha);
        bl_text_put(glsl, ", sum);\n");
    }
    bl_text_put(glsl, "if (AT(args.terms) == 0)\nsum = SUM(0);\n");
    if (has_c(step)) {
        bl_text_put(glsl, "const SUM more = MUL(");
        put_factor(product, glsl, step->beta);
        bl_text_put(glsl, ", %s);\nsum = AT(args.terms) == 0 ? more : ADD(sum, more);\n",
                    element_of_c);
    }
}

/* Integers whose factors are fractions: in float64, cut and saturated at the end. */
static void print_finish_fraction(const struct bl_matmul *step,
                                  const struct product *product, struct bl_text *glsl)
{
    const bool words = product->bytes == 4;
    const char *pair = !words ? "" : product->in[0] == 'i' ? "i32_to_pair" : "u32_to_pair";
    const char sign = product->in[0];

    bl_text_put(glsl, "uvec2 number = AT(args.terms) == 0 ? uvec2(0) : f64_mul(");
    put_double(glsl, (double)step->alpha);
    bl_text_put(glsl, ", %c64_to_f64(%s(sum)));\n", sign, pair);
    if (has_c(step)) {
        bl_text_put(glsl, "number = f64_add(number, f64_mul(");
        put_double(glsl, (double)step->beta);
        bl_text_put(glsl, ", %c64_to_f64(%s(%s))));\n", sign, pair, element_of_c);
    }
    bl_text_put(glsl, "sum = f64_to_%c64(number, %uu)%s;\n", sign, product->bytes * 8,
                words ? ".x" : "");
}

static bool is_fraction(const struct bl_matmul *step, const struct product *product)
{
    return product->in[0] != 'f' && !(is_whole(step->alpha) && is_whole(step->beta));
}

static void print_block(const struct bl_matmul *step, struct bl_text *glsl)
{
    bl_text_put(glsl,
                "struct Matrix { uvec2 address; uvec2 start; uvec2 row; uvec2 column; };\n"
                "struct Batch { uvec2 dim; uvec2 a; uvec2 b; uvec2 y; };\n"
                "layout(buffer_reference, std430, buffer_reference_align = 16) readonly "
                "buffer Arguments {\nuvec2 rows;\nuvec2 columns;\nuvec2 terms;\n"
                "uvec2 batches;\nMatrix matrix[4];\n");
    if (step->batch_rank > 0)
        bl_text_put(glsl, "Batch batch[%d];\n", step->batch_rank);
    bl_text_put(glsl, "};\nlayout(push_constant) uniform Push { Arguments args; };\n");
}

static uint32_t needs_of(const struct bl_matmul *step, const struct product *product)
{
    uint32_t needs = BL_NEEDS(MEMORY) | BL_NEEDS(SMALL) | BL_NEEDS(F32) | BL_NEEDS(U32);

    if (product->bytes == 8)
        needs |= BL_NEEDS(F64);
    if (is_fraction(step, product))
        needs |= BL_NEEDS(CAST);
    return needs;
}

void bl_print_matmul(const struct bl_matmul *step,
                     const struct bl_shader_features *features, struct bl_text *glsl)
{
    const struct product *product = product_of(step->dtype);
    const unsigned tile = tile_of(features);
    const bool wide = is_wide(step, features);

    bl_print_head(features, wide, tile * tile / 16, glsl);
    bl_library_put(glsl, needs_of(step, product) | (wide ? BL_NEEDS(WIDE) : 0));
    bl_text_put(
        glsl,
        "#define TILE %uu\n#define RANK %d\n#define SUM %s\n#define ADD %s_add\n"
        "#define MUL %s_mul\n#define LOAD load_%u\n#define STORE store_%u\n"
        "#define WIDEN(x) %s(x)\n#define NARROW(x) %s(x)\n%s%s",
        tile, step->batch_rank, product->sum, product->bits, product->bits, product->bytes,
        product->bytes, product->widen, product->narrow,
        step->a.column_stride == 1 ? "#define A_ALONG_K\n" : "",
        step->b.row_stride == 1 && step->b.column_stride != 1 ? "#define B_ALONG_K\n" : "");
    print_block(step, glsl);
    bl_text_put(glsl, "SUM finish(SUM sum, INDEX r, INDEX c)\n{\n");
    if (is_fraction(step, product))
        print_finish_fraction(step, product, glsl);
    else
        print_finish(step, product, glsl);
    bl_text_put(glsl, "return sum;\n}\n%s", bl_glsl_matmul);
}

const char *bl_matmul_refusal(const struct bl_matmul *step,
                              const struct bl_shader_features *features)
{
    if (product_of(step->dtype) == NULL)
        return "MatMul of this type";
    if (!features->i64 && is_wide(step, features))
        return "2^31 elements and more, without 64-bit integers in shaders";
    return NULL;
}

/* ---- The argument block ------------------------------------------------------------------------ */

struct block {
    int64_t rows, columns, terms, batches;
    struct {
        uint64_t address, start; /* as in pointwise.c */
        int64_t row, column;
    } matrix[MATRICES];
};

size_t bl_matmul_argument_bytes(const struct bl_matmul *step)
{
    return sizeof(struct block) + (size_t)step->batch_rank * 4 * sizeof(int64_t);
}

void bl_matmul_arguments(const struct bl_matmul *step, const uint64_t *addresses, void *out)
{
    const unsigned bytes = product_of(step->dtype)->bytes;
    struct block block = {step->m, step->n, step->k, batches_of(step), {{0}}};
    char *at = (char *)out + sizeof block;

    for (int which = A; which < MATRICES; which++) {
        const struct reach reach = reach_of(step, which);
        const uint64_t first = addresses[which] - (uint64_t)reach.before * bytes;
        const uint64_t skew = bytes < 4 ? first % 4 : 0;

        block.matrix[which].address = first - skew;
        block.matrix[which].start = (uint64_t)reach.before + skew / bytes;
        block.matrix[which].row = matrix_of(step, which)->row_stride;
        block.matrix[which].column = matrix_of(step, which)->column_stride;
    }
    memcpy(out, &block, sizeof block);
    for (int axis = 0; axis < step->batch_rank; axis++) {
        const int64_t batch[4] = {step->batch_dim[axis], batch_stride(step, A, axis),
                                  batch_stride(step, B, axis), batch_stride(step, Y, axis)};

        memcpy(at, batch, sizeof batch);
        at += sizeof batch;
    }
}

struct bl_shader_groups bl_matmul_groups(const struct bl_matmul *step,
                                         const struct bl_shader_features *features)
{
    const int64_t tile = (int64_t)tile_of(features);
    const int64_t tiles = ((step->m + tile - 1) / tile) * ((step->n + tile - 1) / tile);
    const int64_t batches = batches_of(step);
    const int64_t limit =
        features->group_limit < 1U << 24 ? (int64_t)features->group_limit : 1 << 24;

    if (tiles == 0 || batches == 0)
        return (struct bl_shader_groups){0, 1, 1};
    const int64_t groups = tiles > limit / batches ? limit : tiles * batches;

    return (struct bl_shader_groups){(uint32_t)groups, 1, 1};
}

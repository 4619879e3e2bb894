/*
 * shader_check.c - every pointwise operator and type as a shader, against the reference
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Usage: shader_check [--operator NAME] [--type NAME] [--elements N] [--all] [--show]
 *
 * Odd values, in several of the ways that operands may lie, with --all in all of them; bits are compared, and of functions that are not
 * exact the distance.  --show prints the text of each shader.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "conform/reference.h"
#include "conform/value.h"
#include "shader_check.h"
#include "tensor/dtype.h"

#define MOST_RANK 6
#define BUFFER_BYTES (UINT64_C(256) << 20)
#define TEXT_BYTES (1 << 20)
#define FAILED_AT 65536 /* behind the argument block */
#define DATA_AT 131072

/* ---- Spaces ------------------------------------------------------------------------------------ */

/* A way to lay operands out: strides of each, the last row repeated. */
struct space {
    const char *name;
    int rank;
    int64_t dim[MOST_RANK];
    int64_t input[3][MOST_RANK];
    int64_t output[MOST_RANK];
    unsigned skew; /* elements by which operands miss alignment */
    bool wide;
};

static struct space spaces[] = {
    {"dense", 1, {4099}, {{1}, {1}, {1}}, {1}, 0, false},
    {"skewed", 1, {1029}, {{1}, {1}, {1}}, {1}, 1, false},
    {"scalars", 1, {77}, {{1}, {0}, {0}}, {1}, 0, false},
    {"scalars first", 1, {78}, {{0}, {1}, {0}}, {1}, 0, false},
    {"element", 0, {0}, {{0}, {0}, {0}}, {0}, 0, false},
    {"middle", 3, {7, 5, 6}, {{30, 6, 1}, {6, 0, 1}, {0, 1, 0}}, {30, 6, 1}, 0, false},
    {"rows", 3, {5, 3, 64}, {{192, 64, 1}, {64, 0, 1}, {3, 1, 0}}, {192, 64, 1}, 0, false},
    {"rows skewed",
     3,
     {5, 3, 32},
     {{0, 33, 1}, {1, 0, 2}, {32, 0, 1}},
     {96, 32, 1},
     3,
     false},
    {"columns", 2, {65, 3}, {{3, 1}, {1, 0}, {0, 1}}, {3, 1}, 0, false},
    {"turned",
     3,
     {4, 9, 11},
     {{-99, -11, -1}, {1, 4, 36}, {-2, 0, 7}},
     {200, 22, 2},
     1,
     false},
    {"many axes",
     5,
     {3, 2, 5, 2, 3},
     {{60, 30, 6, 3, 1}, {0, 1, 0, 2, 0}, {3, 0, 9, 0, 1}},
     {60, 30, 6, 3, 1},
     0,
     false},
    {"wide rows",
     3,
     {5, 3, 64},
     {{192, 64, 1}, {64, 0, 1}, {3, 1, 0}},
     {192, 64, 1},
     0,
     true},
    {"wide", 3, {7, 5, 6}, {{30, 6, 1}, {6, 0, 1}, {0, -1, 0}}, {30, 6, 1}, 2, true},
};

struct layout {
    struct bl_step step;
    struct bl_operand operand[MOST_INPUTS + 1];
    struct bl_instruction instruction;
    bl_slot args[MOST_INPUTS];
    int64_t stride[MOST_INPUTS + 1][MOST_RANK];
    size_t at[MOST_INPUTS + 1]; /* in the buffer, of the element at index 0 */
};

static int64_t count_of(const struct space *space)
{
    int64_t count = 1;

    for (int axis = 0; axis < space->rank; axis++)
        count *= space->dim[axis];
    return count;
}

static int64_t offset_of(const struct space *space, const int64_t *stride, int64_t index)
{
    int64_t offset = 0;

    for (int axis = space->rank - 1; axis >= 0; axis--) {
        offset += index % space->dim[axis] * stride[axis];
        index /= space->dim[axis];
    }
    return offset;
}

/* Clip's bounds are single elements. */
static void set_strides(const struct trial *trial, const struct space *space, size_t o,
                        int64_t *stride)
{
    const bool bound = bl_op_id_form(trial->op) == BL_FORM_CLIP && o > 0;

    for (int axis = 0; axis < space->rank; axis++)
        stride[axis] = o == trial->inputs ? space->output[axis]
                       : bound            ? 0
                                          : space->input[o % 3][axis];
}

static void lay_out(const struct trial *trial, const struct space *space,
                    struct layout *layout)
{
    size_t at = DATA_AT;

    for (size_t o = 0; o <= trial->inputs; o++) {
        const bl_dtype dtype = o < trial->inputs ? trial->dtypes[o] : trial->result;
        const size_t bytes = bl_dtype_size(dtype);
        int64_t before = 0, after = 0;

        set_strides(trial, space, o, layout->stride[o]);
        for (int axis = 0; axis < space->rank; axis++) {
            const int64_t reach = layout->stride[o][axis] * (space->dim[axis] - 1);

            before += reach < 0 ? -reach : 0;
            after += reach > 0 ? reach : 0;
        }
        layout->at[o] = at + ((size_t)before + space->skew) * bytes;
        at = layout->at[o] + ((size_t)after + 1) * bytes;
        at = (at + 64 + 255) / 256 * 256;
        layout->operand[o] = (struct bl_operand){.bytes = (unsigned)bytes,
                                                 .written = o == trial->inputs,
                                                 .stride = layout->stride[o]};
        layout->args[o < trial->inputs ? o : 0] =
            o < trial->inputs ? (bl_slot)o : layout->args[0];
    }
    layout->instruction = (struct bl_instruction){
        .op = trial->op,
        .dtype = bl_op_id_form(trial->op) == BL_FORM_SELECT ? trial->dtypes[1]
                                                            : trial->dtypes[0],
        .second = bl_op_id_form(trial->op) == BL_FORM_CAST ? trial->result
                  : trial->inputs > 1                      ? trial->dtypes[1]
                                                           : BL_UNDEFINED,
        .params = &trial->params,
        .args = layout->args,
        .arg_count = trial->inputs,
        .result = (bl_slot)trial->inputs};
    layout->step = (struct bl_step){.kind = BL_STEP_POINTWISE,
                                    .as.pointwise = {.rank = space->rank,
                                                     .dim = space->dim,
                                                     .operand_count = trial->inputs + 1,
                                                     .operand = layout->operand,
                                                     .instruction_count = 1,
                                                     .instruction = &layout->instruction}};
}

static char *element(const struct checker *checker, const struct space *space,
                     const struct layout *layout, size_t o, int64_t index)
{
    return checker->gpu.bytes + layout->at[o] +
           offset_of(space, layout->stride[o], index) * (int64_t)layout->operand[o].bytes;
}

/* ---- Expected and found ------------------------------------------------------------------------ */

static bool reference(const struct checker *checker, const struct trial *trial,
                      const struct space *space, const struct layout *layout, int64_t index,
                      void *out)
{
    const void *in[MOST_INPUTS];

    for (size_t j = 0; j < trial->inputs; j++)
        in[j] = element(checker, space, layout, j, index);
    return bl_reference_element(&trial->node, trial->dtypes, in, trial->inputs,
                                trial->result, out);
}

/* Operands, other ones drawn where there is no result, unless that is what is tried. */
static void fill(struct checker *checker, const struct trial *trial,
                 const struct space *space, const struct layout *layout)
{
    const int64_t count = count_of(space);
    char out[16];

    for (size_t j = 0; j < trial->inputs; j++)
        for (int64_t i = 0; i < count; i++)
            random_element(&checker->random, trial->dtypes[j],
                           element(checker, space, layout, j, i));
    for (int64_t i = 0; i < count && !trial->may_fail; i++)
        for (int tries = 0; tries < 50 && !reference(checker, trial, space, layout, i, out);
             tries++)
            for (size_t j = 0; j < trial->inputs; j++)
                random_element(&checker->random, trial->dtypes[j],
                               element(checker, space, layout, j, i));
}

static bool is_nan(bl_dtype dtype, const void *x)
{
    const double value = bl_value_to_double(dtype, x);

    return value != value;
}

/* How many values lie between two; UINT64_MAX where that says nothing. */
static uint64_t distance(const struct trial *trial, const void *a, const void *b)
{
    const bl_dtype dtype = trial->result;
    const enum bl_form form = bl_op_id_form(trial->op);

    if (memcmp(a, b, bl_dtype_size(dtype)) == 0)
        return 0;
    if (form == BL_FORM_SELECT || form == BL_FORM_COPY || trial->op == BL_OP_BITCAST ||
        bl_dtype_info(dtype)->kind != BL_KIND_FLOAT)
        return UINT64_MAX;
    if (is_nan(dtype, a) || is_nan(dtype, b))
        return is_nan(dtype, a) && is_nan(dtype, b) ? 0 : UINT64_MAX;
    const uint64_t x = bl_value_raw(dtype, a);
    const uint64_t y = bl_value_raw(dtype, b);

    return x > y ? x - y : y - x;
}

static void print_trial(const struct trial *trial, const struct space *space)
{
    printf("%s", trial->node.op->name);
    for (size_t j = 0; j < trial->inputs && j < 3; j++)
        printf(" %s", bl_dtype_name(trial->dtypes[j]));
    printf(" to %s, %zu inputs, %s: ", bl_dtype_name(trial->result), trial->inputs,
           space->name);
}

static void report(const struct checker *checker, const struct trial *trial,
                   const struct space *space, const struct layout *layout, int64_t i,
                   const void *expected)
{
    char text[64];
    const void *found = element(checker, space, layout, trial->inputs, i);

    print_trial(trial, space);
    printf("element %lld is %s", (long long)i,
           bl_value_text(trial->result, found, text, sizeof text));
    printf(" (0x%llx)", (unsigned long long)bl_value_raw(trial->result, found));
    printf(", not %s", bl_value_text(trial->result, expected, text, sizeof text));
    printf(" (0x%llx), of", (unsigned long long)bl_value_raw(trial->result, expected));
    for (size_t j = 0; j < trial->inputs && j < 3; j++) {
        const void *x = element(checker, space, layout, j, i);

        printf(" %s", bl_value_text(trial->dtypes[j], x, text, sizeof text));
        printf(" (0x%llx)", (unsigned long long)bl_value_raw(trial->dtypes[j], x));
    }
    printf("\n");
}

static bool compare(struct checker *checker, const struct trial *trial,
                    const struct space *space, const struct layout *layout)
{
    const int64_t count = count_of(space);
    const int64_t failed = bl_shader_failed(checker->gpu.bytes + FAILED_AT);
    char expected[16];

    for (int64_t i = 0; i < count; i++) {
        if (!reference(checker, trial, space, layout, i, expected)) {
            if (failed == i)
                return true;
            print_trial(trial, space);
            printf("element %lld is said to be the first without a result, not %lld\n",
                   (long long)failed, (long long)i);
            return false;
        }
        if (failed >= 0)
            continue;
        const uint64_t off =
            distance(trial, expected, element(checker, space, layout, trial->inputs, i));

        if (off > (uint64_t)trial->max_ulp) {
            report(checker, trial, space, layout, i, expected);
            return false;
        }
        checker->worst = off > checker->worst ? off : checker->worst;
        checker->elements++;
    }
    if (failed < 0)
        return true;
    print_trial(trial, space);
    printf("element %lld is said to have no result\n", (long long)failed);
    return false;
}

/* Bytes beside the results may not change. */
static bool wrote_only_results(struct checker *checker, const struct trial *trial,
                               const struct space *space, const struct layout *layout,
                               unsigned char *shadow)
{
    const size_t end = layout->at[trial->inputs] + 65536;
    const size_t size = bl_dtype_size(trial->result);
    const int64_t count = count_of(space);

    for (int64_t i = 0; i < count; i++) {
        char *result = element(checker, space, layout, trial->inputs, i);

        memcpy(shadow + (result - checker->gpu.bytes), result, size);
    }
    if (memcmp(shadow + DATA_AT, checker->gpu.bytes + DATA_AT, end - DATA_AT) == 0)
        return true;
    print_trial(trial, space);
    printf("bytes beside the results were written\n");
    return false;
}

/* ---- Running ----------------------------------------------------------------------------------- */

static bool run(struct checker *checker, const struct trial *trial,
                const struct space *space, const struct layout *layout,
                const struct bl_shader_features *features)
{
    static char text[TEXT_BYTES];
    static unsigned char shadow[BUFFER_BYTES];
    struct bl_text glsl = bl_text_in(text, sizeof text);
    struct gpu *gpu = &checker->gpu;
    struct gpu_shader shader;
    uint64_t addresses[MOST_INPUTS + 1];
    bl_error err;

    if (bl_shader_print(&layout->step, features, &glsl, &err) != BL_OK) {
        printf("%s\n", err.message);
        return false;
    }
    if (checker->show)
        puts(text);
    if (!gpu_compile(gpu, text, &shader)) {
        print_trial(trial, space);
        printf("does not compile\n");
        return false;
    }
    for (size_t o = 0; o <= trial->inputs; o++)
        addresses[o] = gpu->address + layout->at[o];
    bl_shader_arguments(&layout->step, features, addresses, gpu->address + FAILED_AT,
                        gpu->bytes);
    memset(gpu->bytes + FAILED_AT, 0xFF, 8);
    fill(checker, trial, space, layout);
    memcpy(shadow + DATA_AT, gpu->bytes + DATA_AT,
           layout->at[trial->inputs] + 65536 - DATA_AT);
    bool sound = gpu_run(gpu, &shader, 0, bl_shader_groups(&layout->step, features)) &&
                 compare(checker, trial, space, layout) &&
                 wrote_only_results(checker, trial, space, layout, shadow);

    gpu_free_shader(gpu, &shader);
    return sound;
}

/* All spaces, or until one is wrong. */
void try_trial(struct checker *checker, struct trial *trial)
{
    bool sound = true;

    checker->worst = 0;
    checker->trials++;
    for (size_t s = 0; s < BL_COUNT_OF(spaces) && sound; s++) {
        struct bl_shader_features features = checker->gpu.features;
        struct layout layout;

        if (!checker->all && s > 0 && (s + checker->trials) % 6 != 0)
            continue; /* shaders take long to compile */
        features.wide_indices = spaces[s].wide;
        if (spaces[s].wide && !features.i64)
            continue;
        lay_out(trial, &spaces[s], &layout);
        const char *refusal = bl_shader_refusal(&layout.step, &features);

        if (refusal != NULL) {
            printf("%s %s: refused: %s\n", trial->node.op->name,
                   bl_dtype_name(trial->dtypes[0]), refusal);
            checker->refused++;
            return;
        }
        sound = run(checker, trial, &spaces[s], &layout, &features);
    }
    if (sound && checker->worst > 0)
        printf("%s %s: up to %llu ulp\n", trial->node.op->name,
               bl_dtype_name(trial->dtypes[0]), (unsigned long long)checker->worst);
    fflush(stdout);
    checker->passed += sound;
    checker->failed += !sound;
}

int main(int argc, char **argv)
{
    static struct checker checker = {.random = 0x9E3779B97F4A7C15};
    const char *only = NULL, *type = NULL;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--show") == 0)
            checker.show = true;
        else if (strcmp(argv[i], "--all") == 0)
            checker.all = true;
        else if (strcmp(argv[i], "--operator") == 0 && i + 1 < argc)
            only = argv[++i];
        else if (strcmp(argv[i], "--type") == 0 && i + 1 < argc)
            type = argv[++i];
        else if (strcmp(argv[i], "--elements") == 0 && i + 1 < argc)
            spaces[0].dim[0] = strtoll(argv[++i], NULL, 10);
        else
            return fprintf(stderr,
                           "usage: %s [--operator NAME] [--type NAME] [--elements N] "
                           "[--all] [--show]\n",
                           argv[0]),
                   2;
    }
    if (!gpu_open(&checker.gpu, BUFFER_BYTES))
        return 2;
    const struct bl_shader_features *features = &checker.gpu.features;

    printf("%s: subnormals %s, fma %s, halves %s, f64 %d, i64 %d\n", checker.gpu.name,
           features->keeps_subnormals ? "kept" : "flushed",
           features->fuses ? "fused" : "not fused",
           features->packs_halves ? "packed" : "by integers", features->f64, features->i64);
    try_all(&checker, only, type);
    gpu_close(&checker.gpu);
    printf("%u passed, %u failed, %u refused, %lu elements\n", checker.passed,
           checker.failed, checker.refused, checker.elements);
    return checker.failed != 0;
}

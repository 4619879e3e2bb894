/*
 * wide_kernels_test.c - the pointwise kernels beyond the first eighteen against the
 * reference
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every type a kernel is there for, every tier of this machine, strides of 1, 0 and others,
 * and out in place of an input.
 */
#include "unit.h"

#include "../check/random.h"
#include "base/compiler.h"
#include "conform/reference.h"
#include "conform/value.h"
#include "kernels/kernel.h"
#include "tensor/dtype.h"

#define LONGEST 1100
#define ELEMENT 16

static bl_attribute number(const char *name, float value)
{
    return (bl_attribute){
        .name = name, .type = BL_ATTRIBUTE_FLOAT, .count = 1, .value.f = value};
}

static bl_attribute whole(const char *name, int64_t value)
{
    return (bl_attribute){
        .name = name, .type = BL_ATTRIBUTE_INT, .count = 1, .value.i = value};
}

static bl_attribute word(const char *name, const char *value)
{
    return (bl_attribute){.name = name,
                          .type = BL_ATTRIBUTE_STRING,
                          .count = 1,
                          .value.s = {value, strlen(value)}};
}

/* One kernel, and how it is called. */
struct trial {
    const struct bl_kernels *kernels;
    bl_node node;
    const struct bl_schema *schema;
    struct bl_params params;
    bl_dtype dtype, result;
    size_t inputs; /* those with an element for each of out's */
    const void *bounds[2];
    int max_ulp;
};

static random_state state_of_random = 0x9E3779B97F4A7C15;

static int is_nan(bl_dtype dtype, const void *x)
{
    const double value = bl_value_to_double(dtype, x);

    return value != value;
}

static int is_same(const struct trial *trial, const void *a, const void *b)
{
    const bl_dtype dtype = trial->result;

    if (memcmp(a, b, bl_dtype_size(dtype)) == 0)
        return 1;
    if (bl_dtype_info(dtype)->kind != BL_KIND_FLOAT)
        return 0;
    if (is_nan(dtype, a) || is_nan(dtype, b))
        return is_nan(dtype, a) && is_nan(dtype, b);
    const uint64_t x = bl_value_raw(dtype, a);
    const uint64_t y = bl_value_raw(dtype, b);

    return (x > y ? x - y : y - x) <= (uint64_t)trial->max_ulp;
}

static void report(const struct trial *trial, size_t i, const void *const *in,
                   const void *expected, const void *actual)
{
    char text[4][64];

    fail_msg("%s of %s to %s, element %zu: of %s, %s it is %s, not %s",
             trial->node.op->name, bl_dtype_name(trial->dtype),
             bl_dtype_name(trial->result), i,
             bl_value_text(trial->dtype, in[0], text[0], sizeof text[0]),
             trial->inputs > 1 ? bl_value_text(trial->dtype, in[1], text[1], sizeof text[1])
                               : "",
             bl_value_text(trial->result, actual, text[2], sizeof text[2]),
             bl_value_text(trial->result, expected, text[3], sizeof text[3]));
}

/* n elements, input j's with stride[j]; `in_place`: out is input 0, which has stride 1. */
static void call(const struct trial *trial, size_t n, const ptrdiff_t *stride, int in_place)
{
    static unsigned char in[2][LONGEST * 3 * ELEMENT], original[LONGEST * 3 * ELEMENT];
    static unsigned char out[LONGEST * ELEMENT];
    const size_t size = bl_dtype_size(trial->dtype);
    const size_t out_size = bl_dtype_size(trial->result);
    const void *first[4] = {0};
    ptrdiff_t strides[4] = {0};
    struct bl_row row = {.n = n,
                         .out = in_place ? in[0] : out,
                         .in = first,
                         .stride = strides,
                         .inputs = trial->inputs,
                         .second = trial->result,
                         .params = &trial->params};

    for (size_t j = 0; j < trial->inputs; j++) {
        for (size_t i = 0; i < n * 3; i++)
            random_element(&state_of_random, trial->dtype, in[j] + i * size);
        strides[j] = stride[j];
        first[j] = stride[j] < 0 ? in[j] + (n - 1) * size : in[j];
    }
    if (trial->schema->form == BL_FORM_CLIP) {
        row.inputs = 3;
        first[1] = trial->bounds[0];
        first[2] = trial->bounds[1];
    }
    memcpy(original, in[0], sizeof original);

    const size_t done = trial->kernels->row[trial->schema->id][trial->dtype](&row);

    for (size_t i = 0; i < n; i++) {
        const ptrdiff_t at = (ptrdiff_t)i * (ptrdiff_t)size;
        const void *operands[3] = {original + ((const unsigned char *)first[0] - in[0]) +
                                       at * stride[0],
                                   first[1], first[2]};
        const bl_dtype dtypes[3] = {trial->dtype,
                                    first[1] != NULL ? trial->dtype : BL_UNDEFINED,
                                    first[2] != NULL ? trial->dtype : BL_UNDEFINED};
        unsigned char expected[ELEMENT];

        if (trial->inputs == 2)
            operands[1] = (const unsigned char *)first[1] + at * stride[1];
        const int found = bl_reference_element(&trial->node, dtypes, operands, row.inputs,
                                               trial->result, expected);

        if (!found) {
            assert_int_equal(done, i); /* no result from here on */
            return;
        }
        if (!is_same(trial, expected, (unsigned char *)row.out + i * out_size))
            report(trial, i, operands, expected, (unsigned char *)row.out + i * out_size);
    }
    assert_int_equal(done, n);
}

static void call_all(const struct trial *trial)
{
    static const ptrdiff_t strides[][2] = {{1, 1}, {1, 0}, {0, 1},  {0, 0},
                                           {2, 1}, {3, 2}, {-1, 1}, {1, -1}};
    static const size_t lengths[] = {1, 2, 3, 7, 16, 33, 70, 513, LONGEST};
    const int may_replace = bl_dtype_size(trial->dtype) == bl_dtype_size(trial->result);

    for (size_t i = 0; i < BL_COUNT_OF(strides); i++)
        for (size_t j = 0; j < BL_COUNT_OF(lengths); j++)
            if (i == 0 || j % 3 == i % 3)
                call(trial, lengths[j], strides[i], 0);
    if (may_replace)
        call(trial, LONGEST, strides[0], 1);
}

/* With an operator's attributes in all tiers and all types that there are kernels for; the
 * results' type is `result`, or where that is BL_UNDEFINED the operands'. */
static void try_operator(const char *name, int opset, size_t count,
                         const bl_attribute *attributes, bl_dtype result)
{
    struct trial trial = {.node = {.op = bl_op_find(NULL, name, opset, NULL),
                                   .attributes = attributes,
                                   .attribute_count = count}};
    struct bl_kernels kernels;
    bl_error err = {0};
    unsigned tried = 0;

    assert_non_null(trial.node.op);
    trial.schema = bl_schema_of(trial.node.op);
    trial.max_ulp = trial.node.op->max_ulp;
    trial.kernels = &kernels;
    trial.inputs =
        trial.schema->form == BL_FORM_BINARY || trial.schema->form == BL_FORM_COMPARE ? 2
                                                                                      : 1;
    assert_ok(bl_params_read(&trial.node, &trial.params, &err), &err);
    for (unsigned tier = 0; tier < BL_TIER_COUNT; tier++) {
        if ((bl_cpu_tiers() >> tier & 1) == 0)
            continue;
        bl_kernels_resolve(&kernels, UINT32_C(1) << tier);
        for (int dtype = 1; dtype < BL_DTYPE_COUNT; dtype++) {
            if (kernels.row[trial.schema->id][dtype] == NULL ||
                (trial.node.op->inputs[0].dtypes >> dtype & 1) == 0)
                continue;
            trial.dtype = (bl_dtype)dtype;
            trial.result = result != BL_UNDEFINED ? result : (bl_dtype)dtype;
            call_all(&trial);
            tried++;
        }
    }
    assert_true(tried > 0);
}

/* ---- The tests ----------------------------------------------------------------------- */

static void plain_operators(void **state)
{
    static const char *const names[] = {
        "Abs",         "Acos",      "Acosh",      "Asin",       "Asinh",
        "Atan",        "Atanh",     "BitwiseAnd", "BitwiseNot", "BitwiseOr",
        "BitwiseXor",  "Ceil",      "Celu",       "Cos",        "Cosh",
        "Elu",         "Erf",       "Exp",        "Floor",      "Gelu",
        "HardSigmoid", "HardSwish", "LeakyRelu",  "Log",        "Mish",
        "Mod",         "Neg",       "Not",        "Reciprocal", "Relu",
        "Round",       "Selu",      "Shrink",     "Sigmoid",    "Sign",
        "Sin",         "Sinh",      "Softplus",   "Softsign",   "Sqrt",
        "SwiGLU",      "Swish",     "Tan",        "Tanh",       "ThresholdedRelu"};

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(names); i++)
        try_operator(names[i], BL_OPSET_LATEST, 0, NULL, BL_UNDEFINED);
    try_operator("Erf", 9, 0, NULL, BL_UNDEFINED); /* of integers */
}

static void operators_with_attributes(void **state)
{
    const bl_attribute alpha = number("alpha", -0.75F);
    const bl_attribute selu[] = {number("alpha", 1.5F), number("gamma", -2.25F)};
    const bl_attribute sigmoid[] = {number("alpha", 0.1F), number("beta", 0.3F)};
    const bl_attribute shrink[] = {number("bias", 1.5F), number("lambd", 2.5F)};
    const bl_attribute tanh = word("approximate", "tanh");
    const bl_attribute fmod = whole("fmod", 1);
    const bl_attribute left = word("direction", "LEFT");
    const bl_attribute right = word("direction", "RIGHT");

    (void)state;
    try_operator("Celu", BL_OPSET_LATEST, 1, &alpha, BL_UNDEFINED);
    try_operator("Elu", BL_OPSET_LATEST, 1, &alpha, BL_UNDEFINED);
    try_operator("LeakyRelu", BL_OPSET_LATEST, 1, &alpha, BL_UNDEFINED);
    try_operator("ThresholdedRelu", BL_OPSET_LATEST, 1, &alpha, BL_UNDEFINED);
    try_operator("Swish", BL_OPSET_LATEST, 1, &alpha, BL_UNDEFINED);
    try_operator("SwiGLU", BL_OPSET_LATEST, 1, &alpha, BL_UNDEFINED);
    try_operator("Selu", BL_OPSET_LATEST, 2, selu, BL_UNDEFINED);
    try_operator("HardSigmoid", BL_OPSET_LATEST, 2, sigmoid, BL_UNDEFINED);
    try_operator("Shrink", BL_OPSET_LATEST, 2, shrink, BL_UNDEFINED);
    try_operator("Gelu", BL_OPSET_LATEST, 1, &tanh, BL_UNDEFINED);
    try_operator("Mod", BL_OPSET_LATEST, 1, &fmod, BL_UNDEFINED);
    try_operator("BitShift", BL_OPSET_LATEST, 1, &left, BL_UNDEFINED);
    try_operator("BitShift", BL_OPSET_LATEST, 1, &right, BL_UNDEFINED);
}

static void tests_that_give_bools(void **state)
{
    (void)state;
    try_operator("GreaterOrEqual", BL_OPSET_LATEST, 0, NULL, BL_BOOL);
    try_operator("LessOrEqual", BL_OPSET_LATEST, 0, NULL, BL_BOOL);
    try_operator("Greater", BL_OPSET_LATEST, 0, NULL, BL_BOOL);
    try_operator("IsNaN", BL_OPSET_LATEST, 0, NULL, BL_BOOL);
    try_operator("IsInf", BL_OPSET_LATEST, 0, NULL, BL_BOOL);
    for (int64_t signs = 0; signs < 4; signs++) {
        const bl_attribute detect[] = {whole("detect_negative", signs & 1),
                                       whole("detect_positive", signs >> 1)};

        try_operator("IsInf", BL_OPSET_LATEST, 2, detect, BL_BOOL);
    }
}

static void clip_with_inputs(void **state)
{
    struct trial trial = {.node.op = bl_op_find(NULL, "Clip", BL_OPSET_LATEST, NULL),
                          .inputs = 1};
    struct bl_kernels kernels;

    (void)state;
    trial.schema = bl_schema_of(trial.node.op);
    trial.kernels = &kernels;
    for (unsigned tier = 0; tier < BL_TIER_COUNT; tier++) {
        if ((bl_cpu_tiers() >> tier & 1) == 0)
            continue;
        bl_kernels_resolve(&kernels, UINT32_C(1) << tier);
        for (int dtype = 1; dtype < BL_DTYPE_COUNT; dtype++) {
            unsigned char bounds[2][ELEMENT];

            if (kernels.row[BL_OP_CLIP][dtype] == NULL)
                continue;
            trial.dtype = trial.result = (bl_dtype)dtype;
            for (unsigned given = 0; given < 4 * 2; given++) {
                for (size_t j = 0; j < 2; j++) {
                    random_element(&state_of_random, trial.dtype, bounds[j]);
                    trial.bounds[j] = given >> j & 1 ? bounds[j] : NULL;
                }
                call_all(&trial);
            }
        }
    }
}

static void clip_with_attributes(void **state)
{
    const bl_attribute both[] = {number("min", -1.1F), number("max", 70000)};

    (void)state;
    for (int opset = 1; opset <= 6; opset += 5)
        for (size_t count = 0; count <= 2; count++)
            try_operator("Clip", opset, count, both, BL_UNDEFINED);
}

/* Every pair of types, both values of saturate, all ways of rounding to a power of two. */
static void cast_between_all_types(void **state)
{
    static const char *const modes[] = {"up", "down", "nearest"};
    const bl_op *op = bl_op_find(NULL, "Cast", BL_OPSET_LATEST, NULL);
    const uint64_t types = op->outputs[0].dtypes & ~(UINT64_C(1) << BL_STRING);

    (void)state;
    for (int to = 1; to < BL_DTYPE_COUNT; to++)
        for (int64_t variant = 0; variant < 6; variant++) {
            const bl_attribute attributes[] = {whole("to", to),
                                               whole("saturate", variant % 2),
                                               word("round_mode", modes[variant / 2])};
            const int plain = to < BL_FLOAT8E4M3FN || to == BL_UINT4 || to == BL_INT4 ||
                              to == BL_UINT2 || to == BL_INT2;

            if ((types >> to & 1) == 0 || (plain && variant > 0) ||
                (to != BL_FLOAT8E8M0 && variant > 1))
                continue;
            try_operator("Cast", BL_OPSET_LATEST, 3, attributes, (bl_dtype)to);
        }
}

/* Of the types of less than a byte, whose bytes are not all bits. */
static void bitcast_between_small_types(void **state)
{
    static const bl_dtype pairs[][2] = {{BL_UINT4, BL_INT4},       {BL_INT4, BL_UINT4},
                                        {BL_FLOAT4E2M1, BL_INT4},  {BL_INT4, BL_FLOAT4E2M1},
                                        {BL_UINT2, BL_INT2},       {BL_INT2, BL_UINT2},
                                        {BL_UINT4, BL_FLOAT4E2M1}, {BL_FLOAT32, BL_INT32}};
    struct trial trial = {.node.op = bl_op_find(NULL, "BitCast", BL_OPSET_LATEST, NULL),
                          .inputs = 1};
    struct bl_kernels kernels;

    (void)state;
    bl_kernels_resolve(&kernels, bl_cpu_tiers());
    trial.kernels = &kernels;
    trial.schema = bl_schema_of(trial.node.op);
    for (size_t i = 0; i < BL_COUNT_OF(pairs); i++) {
        trial.dtype = pairs[i][0];
        trial.result = pairs[i][1];
        call_all(&trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_operators),
        cmocka_unit_test(operators_with_attributes),
        cmocka_unit_test(tests_that_give_bools),
        cmocka_unit_test(clip_with_inputs),
        cmocka_unit_test(clip_with_attributes),
        cmocka_unit_test(cast_between_all_types),
        cmocka_unit_test(bitcast_between_small_types),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

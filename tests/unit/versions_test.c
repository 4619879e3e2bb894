/*
 * versions_test.c - every operator version with every type it allows, against the reference
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "contexts.h"

#include "conform/reference.h"
#include "operands.h"
#include "ops/op.h"
#include "ops/types.h"
#include "tensor/dtype.h"

/* All the (operator, version, type) triples of the eighteen operators, Pow by its base. */
#define TRIPLES_OF_THE_18 456
#define VERSIONS_OF_THE_18 75

/* The operators that the counts above are of. */
static bool is_of_the_18(const bl_op *op)
{
    static const char *const names[] = {
        "Add", "And", "Div", "Equal", "Gemm",  "Greater", "Less", "Max",   "Mean",
        "Min", "Mul", "Or",  "Pow",   "PRelu", "Sub",     "Sum",  "Where", "Xor"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], op->name) == 0)
            return true;
    return false;
}

/* Run one version with given input types, by the library and by the reference; both have to
 * agree. */
static void run_one(const bl_op *op, const bl_dtype *dtypes, size_t inputs)
{
    const bl_attribute direction = {
        .name = "direction", .type = BL_ATTRIBUTE_STRING, .value.s = {"LEFT", 4}};
    const bl_node node = {.op = op,
                          .name = "n",
                          .attributes = &direction,
                          .attribute_count = strcmp(op->name, "BitShift") == 0};
    const bool is_gemm = strcmp(op->name, "Gemm") == 0;
    bl_tensor *in[3], *got = NULL, *want = NULL;
    uint64_t seed = (uint64_t)op->since * 1000 + dtypes[inputs - 1];

    for (size_t i = 0; i < inputs; i++) {
        const bl_shape *shape = is_gemm                                 ? BL_SHAPE(5, 5)
                                : op->rule == BL_RULE_CHANNEL && i == 1 ? BL_SHAPE(5)
                                                                        : BL_SHAPE(4, 5);

        in[i] = random_tensor(dtypes[i], shape, values_for(op, i), &seed);
    }
    const bl_tensor *const *ins = (const bl_tensor *const *)in;

    if (bl_apply(context, &node, ins, inputs, &got, 1, &err) != BL_OK ||
        bl_reference_apply(&node, ins, inputs, &want, 1, &err) != BL_OK)
        fail_msg("%s-%d on %s: %s", op->name, op->since, bl_dtype_name(dtypes[0]),
                 err.message);
    if (!same_tensors(got, want, op->max_ulp))
        fail_msg("%s-%d on %s: not what the reference gives", op->name, op->since,
                 bl_dtype_name(dtypes[0]));
    bl_tensor_free(got);
    bl_tensor_free(want);
    for (size_t i = 0; i < inputs; i++)
        bl_tensor_free(in[i]);
}

/* The input whose type the triples are counted by: the first, but Where's condition is
 * always bool. */
static size_t counted_input(const bl_op *op)
{
    return strcmp(op->name, "Where") == 0 ? 1 : 0;
}

static void run_types(const bl_op *op, bl_dtype dtype)
{
    const size_t counted = counted_input(op);
    const size_t inputs = op->inputs[0].variadic ? 2 : op->min_inputs;

    for (int second = 0; second < BL_DTYPE_COUNT; second++) {
        bl_dtype dtypes[3] = {dtype, dtype, dtype};

        if (counted == 1)
            dtypes[0] = BL_BOOL;
        if (op->input_count == 2 && strcmp(op->inputs[1].type_variable, "T1") == 0) {
            /* Pow from 12 on: every type of the exponent too. */
            if (!(op->inputs[1].dtypes >> second & 1))
                continue;
            dtypes[1] = (bl_dtype)second;
        } else if (second > 0) {
            break;
        }
        run_one(op, dtypes, inputs);
    }
}

static void test_every_triple(void **state)
{
    size_t triples = 0, versions = 0;

    (void)state;
    for (size_t i = 0; i < bl_op_count(); i++) {
        const bl_op *op = bl_op_at(i);

        if (!takes_any_operands(op))
            continue;
        const uint64_t dtypes = op->inputs[counted_input(op)].dtypes;

        for (int dtype = 0; dtype < BL_DTYPE_COUNT; dtype++) {
            if (!(dtypes >> dtype & 1))
                continue;
            run_types(op, (bl_dtype)dtype);
            triples += is_of_the_18(op);
        }
        versions += is_of_the_18(op);
    }
    assert_int_equal(versions, VERSIONS_OF_THE_18);
    assert_int_equal(triples, TRIPLES_OF_THE_18);
}

/* Every type that a version does not allow is refused, with a message that names a later
 * version if one takes it. */
static void test_every_other_type(void **state)
{
    (void)state;
    for (size_t i = 0; i < bl_op_count(); i++) {
        const bl_op *op = bl_op_at(i);
        const size_t counted = counted_input(op);
        const bl_node node = {.op = op};

        if (!takes_any_operands(op))
            continue;

        for (int dtype = 1; dtype < BL_DTYPE_COUNT; dtype++) {
            bl_tensor_type in[3], out;

            if (op->inputs[counted].dtypes >> dtype & 1)
                continue;
            for (size_t k = 0; k < 3; k++)
                in[k] = (bl_tensor_type){k < counted ? BL_BOOL : (bl_dtype)dtype,
                                         {.rank = 2, .dim = {2, 2}}};
            assert_fails(bl_infer(&node, in, op->min_inputs, &out, 1, &err), BL_ERR_TYPE,
                         &err, bl_dtype_name((bl_dtype)dtype));
            const bl_op *newest = bl_op_find("", op->name, BL_OPSET_LATEST, &err);

            if (newest->inputs[counted].dtypes >> dtype & 1)
                assert_non_null(strstr(err.message, "from opset"));
            else
                assert_non_null(strstr(err.message, "in no version"));
        }
    }
}

static void test_find(void **state)
{

    (void)state;
    for (size_t i = 0; i < bl_op_count(); i++) {
        const bl_op *op = bl_op_at(i);

        assert_ptr_equal(bl_op_find("ai.onnx", op->name, op->since, &err), op);
        assert_ptr_equal(bl_op_find(NULL, op->name, bl_op_until(op), &err), op);
        if (i > 0 && strcmp(bl_op_at(i - 1)->name, op->name) == 0)
            assert_true(bl_op_at(i - 1)->since < op->since);
        else if (i > 0)
            assert_true(strcmp(bl_op_at(i - 1)->name, op->name) < 0);
    }
    assert_null(bl_op_at(bl_op_count()));
    assert_int_equal(bl_op_find("", "And", 6, &err)->since, 1);
    assert_null(bl_op_find("", "Where", 8, &err));
    assert_non_null(strstr(err.message, "from opset 9 on"));
    assert_null(bl_op_find("", "add", 14, &err));
    assert_non_null(strstr(err.message, "did you mean Add"));
    assert_null(bl_op_find("com.example", "Add", 14, &err));
    assert_non_null(strstr(err.message, "com.example"));
    assert_null(bl_op_find("", "Add", BL_OPSET_MAX + 1, &err));
    assert_int_equal(err.status, BL_ERR_OPERATOR);
    assert_null(bl_op_find("", "Add", -1, &err));
    assert_null(bl_op_find("", NULL, 1, &err));
    assert_int_equal(bl_op_until(NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_triple),
        cmocka_unit_test(test_every_other_type),
        cmocka_unit_test(test_find),
    };

    return cmocka_run_group_tests(tests, make_contexts, free_contexts);
}

/*
 * onnx_write_test.c - graphs of cases written as models: the library reads back the same
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "unit.h"

#include "conform/compare.h"
#include "conform/onnx_write.h"
#include "conform/value.h"
#include "tensor/dtype.h"

static bl_error err;

/* ---- A model that is open -------------------------------------------------------- */

struct opened {
    unsigned char *bytes;
    bl_context *context;
    bl_model *model;
    bl_session *session;
};

static struct opened open_written(const struct bl_fixture_case *it)
{
    struct opened opened = {.context = bl_context_new(NULL, &err)};
    size_t size;

    assert_non_null(opened.context);
    assert_ok(bl_onnx_write(it, &opened.bytes, &size, &err), &err);
    opened.model = bl_model_open_memory(opened.context, opened.bytes, size, NULL, &err);
    if (opened.model == NULL)
        fail_msg("%s: %s", it->name, err.message);
    opened.session = bl_session_new(opened.context, opened.model, NULL, &err);
    assert_non_null(opened.session);
    return opened;
}

static void close_opened(struct opened *opened)
{
    bl_session_free(opened->session);
    bl_model_free(opened->model);
    bl_context_free(opened->context);
    free(opened->bytes);
}

static const struct bl_compare_rule same = {
    .allow_nan = true, .exact = true, .max_ulp = -1};

static void check_same(const bl_tensor *got, const bl_tensor *want)
{
    char why[BL_COMPARE_TEXT];

    if (!bl_compare(got, want, &same, why))
        fail_msg("%s: %s", bl_dtype_name(bl_tensor_dtype(want)), why);
}

/* ---- Tensors --------------------------------------------------------------------- */

/* Elements of that type with all kinds of bits; an odd count, so that packed ones end
 * within a byte. */
static bl_tensor *various(bl_dtype dtype, const bl_shape *shape)
{
    static const char *const words[] = {"", "a", "b\0c", "\xC3\xA9"};
    bl_tensor *tensor = bl_tensor_new(NULL, dtype, shape, &err);
    const size_t size = bl_dtype_size(dtype);

    assert_non_null(tensor);
    for (int64_t i = 0; i < bl_tensor_count(tensor); i++) {
        unsigned char *element = bl_tensor_mutable_data(tensor);

        element += (size_t)i * size;
        if (dtype == BL_STRING)
            assert_ok(
                bl_tensor_set_string(tensor, i, words[i % 4], i % 4 == 2 ? 3 : i % 4, &err),
                &err);
        else if (bl_dtype_info(dtype)->kind == BL_KIND_COMPLEX)
            for (size_t k = 0; k < size; k++)
                element[k] = (unsigned char)(17 * (unsigned)i + k);
        else if (bl_dtype_info(dtype)->kind == BL_KIND_FLOAT)
            bl_value_from_double(dtype, (i % 3 - 1) * 1.5, element);
        else
            bl_value_from_bits(dtype, (uint64_t)i * UINT64_C(0x9E3779B97F4A7C15) >> 5,
                               element);
    }
    return tensor;
}

/* y = Identity(c), with c an initializer. */
static void check_initializer(bl_dtype dtype, const bl_shape *shape)
{
    const char *inputs[] = {"c"}, *outputs[] = {"y"};
    struct bl_fixture_tensor c = {
        .name = "c", .dtype = dtype, .data = various(dtype, shape)};
    struct bl_fixture_node node = {"Identity", inputs, 1, outputs, 1, NULL, 0};
    struct bl_fixture_graph graph = {&node, 1, &c, 1, outputs, 1};
    struct opened opened = open_written(&(struct bl_fixture_case){
        .name = bl_dtype_name(dtype), .opset = BL_OPSET_LATEST, .graph = &graph});
    bl_tensor *y = NULL;

    assert_int_equal(bl_model_input_count(opened.model), 0);
    assert_ok(bl_session_run(opened.session, NULL, &y, &err), &err);
    check_same(y, c.data);
    bl_tensor_free(y);
    bl_tensor_free(c.data);
    close_opened(&opened);
}

static void test_initializers(void **state)
{
    (void)state;
    for (int dtype = 1; dtype < BL_DTYPE_COUNT; dtype++) {
        check_initializer(dtype, BL_SHAPE(3, 5));
        check_initializer(dtype, BL_SCALAR);
        check_initializer(dtype, BL_SHAPE(2, 0));
    }
}

/* ---- Attributes ------------------------------------------------------------------ */

/* y = Constant, with one attribute of each kind that a case can have. */
static void check_constant(const bl_attribute *attribute, bl_dtype dtype,
                           const bl_shape *shape, const void *want)
{
    const char *outputs[] = {"y"};
    bl_attribute copy = *attribute;
    struct bl_fixture_node node = {"Constant", NULL, 0, outputs, 1, &copy, 1};
    struct bl_fixture_graph graph = {&node, 1, NULL, 0, outputs, 1};
    struct opened opened = open_written(
        &(struct bl_fixture_case){.name = copy.name, .opset = 13, .graph = &graph});
    bl_tensor *expected = bl_tensor_borrow(NULL, dtype, shape, NULL, want, &err);
    bl_tensor *y = NULL;

    assert_non_null(expected);
    assert_ok(bl_session_run(opened.session, NULL, &y, &err), &err);
    check_same(y, expected);
    bl_tensor_free(y);
    bl_tensor_free(expected);
    close_opened(&opened);
}

static void test_attributes(void **state)
{
    static const float floats[] = {0.1F, -0.0F, 3e38F};
    static const int64_t ints[] = {INT64_MIN, -1, 0, 127, 128, INT64_MAX};
    static const bl_string strings[] = {{"a\0b", 3}, {"", 0}};

    (void)state;
    check_constant(&(bl_attribute){"value_float", BL_ATTRIBUTE_FLOAT, 0, {.f = floats[0]}},
                   BL_FLOAT32, BL_SCALAR, floats);
    check_constant(&(bl_attribute){"value_int", BL_ATTRIBUTE_INT, 0, {.i = ints[0]}},
                   BL_INT64, BL_SCALAR, ints);
    check_constant(
        &(bl_attribute){"value_string", BL_ATTRIBUTE_STRING, 0, {.s = strings[0]}},
        BL_STRING, BL_SCALAR, strings);
    check_constant(
        &(bl_attribute){"value_floats", BL_ATTRIBUTE_FLOATS, 3, {.floats = floats}},
        BL_FLOAT32, BL_SHAPE(3), floats);
    check_constant(&(bl_attribute){"value_ints", BL_ATTRIBUTE_INTS, 6, {.ints = ints}},
                   BL_INT64, BL_SHAPE(6), ints);
    check_constant(
        &(bl_attribute){"value_strings", BL_ATTRIBUTE_STRINGS, 2, {.strings = strings}},
        BL_STRING, BL_SHAPE(2), strings);
}

/* ---- What goes in ---------------------------------------------------------------- */

/* Inputs are declared as the case gives them, absent ones not at all; the opset is the
 * case's. */
static void test_inputs(void **state)
{
    const char *inputs[] = {"x", "", "m"}, *outputs[] = {"y"};
    struct bl_fixture_tensor given[] = {
        {.name = "x", .dtype = BL_INT8, .shape = {2, {3, 0}}},
        {.name = "n"},
        {.name = "m", .dtype = BL_INT8},
    };
    struct bl_fixture_node node = {"Clip", inputs, 3, outputs, 1, NULL, 0};
    struct bl_fixture_graph graph = {&node, 1, NULL, 0, outputs, 1};
    struct bl_fixture_case it = {
        .name = "i", .opset = 12, .graph = &graph, .inputs = given, .input_count = 3};
    struct opened opened = open_written(&it);
    const bl_value_info *x = bl_model_input(opened.model, 0);

    (void)state;
    assert_int_equal(bl_model_input_count(opened.model), 2);
    assert_string_equal(x->name, "x");
    assert_int_equal(x->dtype, BL_INT8);
    assert_int_equal(x->rank, 2);
    assert_int_equal(x->dims[0], 3);
    assert_int_equal(x->dims[1], 0);
    assert_string_equal(bl_model_input(opened.model, 1)->name, "m");
    assert_int_equal(bl_model_input(opened.model, 1)->rank, 0);
    assert_int_equal(bl_model_output_count(opened.model), 1);
    assert_string_equal(bl_model_output(opened.model, 0)->name, "y");
    close_opened(&opened);

    unsigned char *bytes;
    size_t size;

    it.opset = 11; /* int8 came with 12 */
    assert_ok(bl_onnx_write(&it, &bytes, &size, &err), &err);
    bl_model *model = bl_model_open_memory(NULL, bytes, size, NULL, &err);
    bl_context *context = bl_context_new(NULL, &err);
    bl_session *session = bl_session_new(context, model, NULL, &err);
    bl_tensor *tensors[] = {bl_tensor_new(NULL, BL_INT8, BL_SHAPE(3, 0), &err),
                            bl_tensor_new(NULL, BL_INT8, BL_SCALAR, &err)};
    bl_tensor *y = NULL;

    assert_fails(bl_session_run(session, (const bl_tensor *const *)tensors, &y, &err),
                 BL_ERR_TYPE, &err, "Clip-11");
    bl_tensor_free(tensors[0]);
    bl_tensor_free(tensors[1]);
    bl_session_free(session);
    bl_model_free(model);
    bl_context_free(context);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_initializers),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_inputs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

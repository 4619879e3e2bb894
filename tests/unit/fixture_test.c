/*
 * fixture_test.c - fixture files: what they may hold, and what is said of the rest
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fixture_support.h"

#include <math.h>

#include "base/compiler.h"
#include "conform/base64.h"

/* ---- What is read -------------------------------------------------------- */

static void test_a_case(void **state)
{
    struct bl_fixture *fixture = parse(
        "{\"op\": \"ai.onnx.Sum\", \"opset\": 13, \"cases\": [{\"name\": \"one\","
        "\"provenance\": {\"source\": \"s\", \"notes\": \"n\"}, \"repeat\": 3,"
        "\"skipGpu\": {\"category\": \"todo\", \"reason\": \"r\"},"
        "\"inputs\": {"
        "  \"z\": {\"dtype\": \"int8\", \"shape\": [2], \"data\": {\"kind\": \"values\","
        "          \"values\": [1, -2]}},"
        "  \"a\": null},"
        "\"outputs\": {\"y\": {\"dtype\": \"float32\", \"shape\": [], \"tolerance\": 2e-45,"
        "  \"relTolerance\": 1, \"allowNaN\": true, \"exact\": true}}},"
        "{\"name\": \"two\", \"op\": \"com.example.x.Mul\", \"opset\": 7, \"inputs\": {},"
        " \"error\": \"arity\"}]}");
    struct bl_fixture_case it;

    (void)state;
    assert_int_equal(bl_fixture_count(fixture), 2);
    assert_string_equal(bl_fixture_case_name(fixture, 1), "two");
    assert_ok(bl_fixture_case_read(fixture, 0, &it, &err), &err);
    assert_string_equal(it.domain, "ai.onnx");
    assert_string_equal(it.op, "Sum");
    assert_int_equal(it.opset, 13);
    assert_int_equal(it.repeat, 3);
    assert_string_equal(it.skip_reason, "r");
    assert_null(it.error);
    assert_int_equal(it.input_count, 2);
    assert_string_equal(it.inputs[0].name, "z"); /* in the file's order */
    assert_int_equal(((const int8_t *)bl_tensor_data(it.inputs[0].data))[1], -2);
    assert_null(it.inputs[1].data);
    assert_int_equal(it.outputs[0].dtype, BL_FLOAT32);
    assert_int_equal(it.outputs[0].shape.rank, 0);
    assert_null(it.outputs[0].data);
    assert_true(it.outputs[0].tolerance == 2e-45 && it.outputs[0].rel_tolerance == 1);
    assert_true(it.outputs[0].allow_nan && it.outputs[0].exact);
    bl_fixture_case_free(&it);

    assert_ok(bl_fixture_case_read(fixture, 1, &it, &err), &err);
    assert_string_equal(it.domain, "com.example.x");
    assert_string_equal(it.op, "Mul");
    assert_int_equal(it.opset, 7);
    assert_string_equal(it.error, "arity");
    bl_fixture_case_free(&it);
    bl_fixture_close(fixture);
}

static void test_values(void **state)
{
    (void)state;
    check_tensor(VALUES("float32", "[6]", "[1, -0.0, -0, \"NaN\", \"-Infinity\", 0.1]"),
                 "1 -0 -0 NaN -Infinity 0.1 ");
    check_tensor(VALUES("float64", "[2]", "[18446744073709551616, 1e-320]"),
                 "1.8446744073709552e+19 1e-320 ");
    check_tensor(VALUES("float16", "[2]", "[1.00048828125, 65520]"), "1 Infinity ");
    check_tensor(
        VALUES("int64", "[4]", "[9223372036854775807, -9223372036854775808, \"-7\", 3.0]"),
        "9223372036854775807 -9223372036854775808 -7 3 ");
    check_tensor(
        VALUES("uint64", "[3]", "[18446744073709551615, \"18446744073709551615\", -0]"),
        "18446744073709551615 18446744073709551615 0 ");
    check_tensor(VALUES("bool", "[4]", "[true, false, 1, 0]"), "true false true false ");
    check_tensor(VALUES("string", "[3]", "[\"a\", \"\", \"1\\u0000\"]"),
                 "\"a\" \"\" \"1\\x00\" ");
    check_tensor(VALUES("complex64", "[1]", "[[1, \"NaN\"]]"), "(1,NaN) ");
    check_tensor(VALUES("int4", "[2]", "[-8, 7]"), "-8 7 ");
    check_tensor(VALUES("int8", "[2, 0]", "[]"), "");
    check_tensor(VALUES("bfloat16", "[]", "[3.140625]"), "3.14 ");
}

static void test_other_kinds(void **state)
{
    (void)state;
    check_tensor(
        "{\"dtype\": \"int16\", \"shape\": [2, 2], \"data\": {\"kind\": \"constant\","
        "\"value\": -3}}",
        "-3 -3 -3 -3 ");
    check_tensor(
        "{\"dtype\": \"string\", \"shape\": [2], \"data\": {\"kind\": \"constant\","
        "\"value\": \"s\"}}",
        "\"s\" \"s\" ");
    /* sin(0) + cos(0) = 1; sin(pi/2) + cos(pi) = 0, nearly. */
    check_tensor(
        "{\"dtype\": \"float16\", \"shape\": [1], \"data\": {\"kind\": \"fillFloat32\","
        "\"sinStep\": 0.5, \"cosStep\": 0.25, \"scale\": 2}}",
        "2 ");
    check_tensor(
        "{\"dtype\": \"int8\", \"shape\": [2], \"data\": {\"kind\": \"fillFloat32\","
        "\"sinStep\": 1.5707963267948966, \"cosStep\": 0, \"scale\": 1}}",
        "1 2 ");
    /* A TensorProto: dims 3, INT32, raw data 784, -1, 7. */
    check_tensor("{\"data\": {\"kind\": \"file\", \"format\": \"pb\","
                 "\"base64\": \"CAMQBkoMEAMAAP////8HAAAA\"}}",
                 "784 -1 7 ");
}

static void test_fill_is_float32(void **state)
{
    struct bl_fixture *fixture = parse(with_input(
        "{\"dtype\": \"float64\", \"shape\": [5], \"data\": {\"kind\": \"fillFloat32\","
        "\"sinStep\": 0.13, \"cosStep\": 0.29}}"));
    struct bl_fixture_case it;

    (void)state;
    assert_ok(bl_fixture_case_read(fixture, 0, &it, &err), &err);
    for (int i = 0; i < 5; i++)
        assert_true(((const double *)bl_tensor_data(it.inputs[0].data))[i] ==
                    (float)(sin(i * 0.13) + cos(i * 0.29)));
    bl_fixture_case_free(&it);
    bl_fixture_close(fixture);
}

static void test_attributes(void **state)
{
    struct bl_fixture *fixture =
        parse("{\"cases\": [{\"name\": \"c\", \"op\": \"ai.onnx.X\", \"attributes\": {"
              "\"i\": 3, \"f\": 3.0, \"s\": \"t\", \"is\": [1, 2], \"fs\": [1, 2.5],"
              "\"ss\": [\"a\", \"bc\"], \"typed\": {\"type\": \"float\", \"value\": 2},"
              "\"none\": {\"type\": \"ints\", \"value\": []}},"
              "\"inputs\": {}, \"error\": \"e\"}]}");
    struct bl_fixture_case it;

    (void)state;
    assert_ok(bl_fixture_case_read(fixture, 0, &it, &err), &err);
    assert_int_equal(it.attribute_count, 8);
    assert_int_equal(it.attributes[0].type, BL_ATTRIBUTE_INT);
    assert_int_equal(it.attributes[0].value.i, 3);
    assert_int_equal(it.attributes[1].type, BL_ATTRIBUTE_FLOAT);
    assert_true(it.attributes[1].value.f == 3);
    assert_int_equal(it.attributes[2].type, BL_ATTRIBUTE_STRING);
    assert_memory_equal(it.attributes[2].value.s.data, "t", 1);
    assert_int_equal(it.attributes[3].type, BL_ATTRIBUTE_INTS);
    assert_int_equal(it.attributes[3].value.ints[1], 2);
    assert_int_equal(it.attributes[4].type, BL_ATTRIBUTE_FLOATS);
    assert_true(it.attributes[4].value.floats[0] == 1 &&
                it.attributes[4].value.floats[1] == 2.5F);
    assert_int_equal(it.attributes[5].type, BL_ATTRIBUTE_STRINGS);
    assert_int_equal(it.attributes[5].value.strings[1].size, 2);
    assert_int_equal(it.attributes[6].type, BL_ATTRIBUTE_FLOAT);
    assert_true(it.attributes[6].value.f == 2);
    assert_int_equal(it.attributes[7].type, BL_ATTRIBUTE_INTS);
    assert_int_equal(it.attributes[7].count, 0);
    bl_fixture_case_free(&it);
    bl_fixture_close(fixture);
}

/* ---- What is refused ----------------------------------------------------- */

static void test_broken_files(void **state)
{
    static const struct {
        const char *text;
        const char *why;
    } broken[] = {
        {"", "f.json:1:"},
        {"{\"cases\":\n [}", "f.json:2:"},
        {"[]", "f.json: the file holds an array"},
        {"{}", "key 'cases' is missing"},
        {"{\"cases\": []}", "no case"},
        {"{\"cases\": {}}", "key 'cases' is an object"},
        {"{\"cases\": [{}], \"kases\": 1}", "unknown key 'kases'"},
        {"{\"op\": 3, \"cases\": [{}]}", "key 'op' is an integer"},
        {"{\"cases\": [{\"name\": \"a\", \"name\": \"b\"}]}", "f.json:1:"},
        {"{\"cases\": [\"\xFF\"]}", "f.json:1:"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(broken); i++) {
        assert_null(
            bl_fixture_parse(broken[i].text, strlen(broken[i].text), "f.json", &err));
        if (strstr(err.message, broken[i].why) == NULL)
            fail_msg("%s: %s", broken[i].text, err.message);
    }
    assert_null(bl_fixture_open("no/such/file.json", &err));
    assert_int_equal(err.status, BL_ERR_IO);
}

static void test_broken_cases(void **state)
{
    static const struct {
        const char *members;
        const char *why;
    } broken[] = {
        {"\"inputs\": {}, \"error\": \"e\"", "key 'op' is missing"},
        {"\"op\": \"Add\", \"inputs\": {}, \"error\": \"e\"", "not written domain.Name"},
        {"\"op\": \"ai.onnx.\", \"inputs\": {}, \"error\": \"e\"",
         "not written domain.Name"},
        {"\"op\": \"a.B\", \"error\": \"e\"", "key 'inputs' is missing"},
        {"\"op\": \"a.B\", \"inputs\": {}", "key 'outputs' is missing"},
        {"\"op\": \"a.B\", \"inputs\": {}, \"outputs\": {}", "no output"},
        {"\"op\": \"a.B\", \"inputs\": {}, \"outputs\": {\"y\": null}", "outputs.y"},
        {"\"op\": \"a.B\", \"inputs\": {}, \"error\": \"e\", \"opset\": 0", "opset 0"},
        {"\"op\": \"a.B\", \"inputs\": {}, \"error\": \"e\", \"opset\": 1.5",
         "key 'opset'"},
        {"\"op\": \"a.B\", \"inputs\": {}, \"error\": \"e\", \"repeat\": 0", "repeat"},
        {"\"op\": \"a.B\", \"inputs\": {}, \"error\": \"e\", \"note\": 0",
         "unknown key 'note'"},
        {"\"op\": \"a.B\", \"graph\": {}, \"inputs\": {}, \"error\": \"e\"", "only one of"},
        {"\"op\": \"a.B\", \"inputs\": {}, \"error\": \"e\", \"outputs\": {\"y\": {}}",
         "not both"},
        {"\"op\": \"a.B\", \"inputs\": {}, \"error\": \"e\", \"provenance\": {\"by\": "
         "\"\"}",
         "unknown key 'by'"},
        {"\"op\": \"a.B\", \"inputs\": {}, \"error\": \"e\", \"skipGpu\": {\"category\": "
         "\"x\"}",
         "skipGpu's category"},
        {"\"op\": \"a.B\", \"inputs\": {}, \"error\": \"e\", \"attributes\": {\"k\": true}",
         "attribute 'k'"},
        {"\"op\": \"a.B\", \"inputs\": {}, \"error\": \"e\", \"attributes\": {\"k\": []}",
         "empty list"},
        {"\"op\": \"a.B\", \"inputs\": {}, \"error\": \"e\", \"attributes\": {\"k\": [1, "
         "\"a\"]}",
         "mixes"},
        {"\"op\": \"a.B\", \"inputs\": {}, \"error\": \"e\", \"attributes\": "
         "{\"k\": 9223372036854775808}",
         "attribute 'k'"},
        {"\"op\": \"a.B\", \"inputs\": {}, \"outputs\": {\"y\": {\"dtype\": \"int8\", "
         "\"shape\": [],"
         "\"tolerance\": -1}}",
         "outputs.y: key 'tolerance' is negative"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(broken); i++) {
        char text[1024];

        snprintf(text, sizeof text, "{\"cases\": [{\"name\": \"c\", %s}]}",
                 broken[i].members);
        check_refused(text, 0, broken[i].why);
    }
    check_refused("{\"cases\": [{\"name\": \"\"}]}", 0, "the name is empty");
    check_refused("{\"cases\": [3]}", 0, "is an integer");
}

static void test_broken_tensors(void **state)
{
    static const struct {
        const char *tensor;
        const char *why;
    } broken[] = {
        {"3", "inputs.x: "},
        {"{\"dtype\": \"int8\", \"shape\": []}", "key 'data' is missing"},
        {VALUES("float", "[1]", "[1]"), "unknown dtype 'float'"},
        {VALUES("int9", "[1]", "[1]"), "unknown dtype 'int9'"},
        {VALUES("int8", "[-1]", "[]"), "axis 0 of the shape"},
        {VALUES("int8", "[1, 9223372036854775808]", "[]"), "axis 1 of the shape"},
        {VALUES("int8", "[1.0]", "[1]"), "axis 0 of the shape"},
        {VALUES("int8", "[0]", "3"), "key 'values' is an integer"},
        {VALUES("int8", "[2]", "[1]"), "1 values, but the shape has 2 elements"},
        {VALUES("int8", "[0]", "[1]"), "1 values, but the shape has 0 elements"},
        {VALUES("int8", "[2]", "[1, 128]"), "value 1: 128 is out of the range of int8"},
        {VALUES("uint8", "[1]", "[-1]"), "out of the range of uint8"},
        {VALUES("int8", "[1]", "[1.5]"), "1.5 is no value of int8"},
        {VALUES("int8", "[1]", "[\"1\"]"), "a string is no value for int8"},
        {VALUES("int64", "[1]", "[\"1x\"]"), "is no integer"},
        {VALUES("int64", "[1]", "[9223372036854775808]"), "range of int64"},
        {VALUES("uint64", "[1]", "[18446744073709551616]"), "range of uint64"},
        {VALUES("float32", "[1]", "[\"1.5\"]"), "is no value for float32"},
        {VALUES("float32", "[1]", "[true]"), "a boolean is no value for float32"},
        {VALUES("float4e2m1", "[1]", "[7]"), "range of float4e2m1"},
        {VALUES("bool", "[1]", "[2]"), "is no bool"},
        {VALUES("string", "[1]", "[18446744073709551616]"), "is no value for string"},
        {VALUES("complex64", "[1]", "[1]"), "is no complex number"},
        {"{\"dtype\": \"int8\", \"shape\": [], \"data\": {\"kind\": \"values\", \"value\": "
         "1}}",
         "key 'values' of the data is missing"},
        {"{\"dtype\": \"int8\", \"shape\": [], \"data\": {\"kind\": \"zeros\"}}",
         "unknown kind"},
        {"{\"dtype\": \"int8\", \"shape\": [4294967296], \"data\": {\"kind\": \"constant\","
         "\"value\": 1}}",
         "more than a fixture may make"},
        {"{\"dtype\": \"int8\", \"shape\": [], \"data\": {\"kind\": \"constant\", "
         "\"value\": 1},"
         "\"exact\": true}",
         "unknown key 'exact' in an input"},
        {"{\"data\": {\"kind\": \"file\", \"format\": \"pb\", \"base64\": \"A\"}}",
         "base64"},
        {"{\"data\": {\"kind\": \"file\", \"format\": \"txt\", \"base64\": \"\"}}",
         "format 'txt'"},
        {"{\"dtype\": \"int8\", \"shape\": [3], \"data\": {\"kind\": \"file\", \"format\": "
         "\"pb\","
         "\"base64\": \"CAMQBkoMEAMAAP////8HAAAA\"}}",
         "got int32 [3], want int8 [3]"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(broken); i++)
        check_refused(with_input(broken[i].tensor), 0, broken[i].why);
}

/* What is well written, but no tensor, is the case's business: it may be what it expects.
 */
static void test_load_errors(void **state)
{
    static const char *const tensors[] = {
        "{\"data\": {\"kind\": \"file\", \"format\": \"npy\", \"base64\": \"AAAA\"}}",
        "{\"data\": {\"kind\": \"file\", \"format\": \"pb\", \"base64\": \"CAMQBkoC\"}}",
        VALUES("int8", "[4294967296, 4294967296]", "[]"),
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(tensors); i++) {
        struct bl_fixture *fixture = parse(with_input(tensors[i]));
        struct bl_fixture_case it;

        assert_ok(bl_fixture_case_read(fixture, 0, &it, &err), &err);
        assert_true(it.load.status != BL_OK);
        assert_memory_equal(it.load.message, "inputs.x: ", 10);
        assert_null(it.inputs[0].data);
        bl_fixture_case_free(&it);
        bl_fixture_close(fixture);
    }
}

static void test_duplicate_name(void **state)
{
    static const char text[] = "{\"op\": \"ai.onnx.Add\", \"cases\": ["
                               "{\"name\": \"a\", \"inputs\": {}, \"error\": \"e\"},"
                               "{\"name\": \"b\", \"inputs\": {}, \"error\": \"e\"},"
                               "{\"name\": \"a\", \"inputs\": {}, \"error\": \"e\"}]}";
    struct bl_fixture *fixture = parse(text);
    struct bl_fixture_case it;

    (void)state;
    assert_ok(bl_fixture_case_read(fixture, 0, &it, &err), &err);
    bl_fixture_case_free(&it);
    assert_ok(bl_fixture_case_read(fixture, 1, &it, &err), &err);
    bl_fixture_case_free(&it);
    bl_fixture_close(fixture);
    check_refused(text, 2, "case 0 has the same name");
}

static void test_base64(void **state)
{
    static const char *const broken[] = {
        "A", "AA", "AAA", "A===", "====", "AA=A", "A A=", "AB==", "AAB="};
    unsigned char *bytes;
    size_t size;

    (void)state;
    assert_ok(bl_base64_decode("", 0, &bytes, &size, &err), &err);
    assert_int_equal(size, 0);
    free(bytes);
    assert_ok(bl_base64_decode("aGk+/w==", 8, &bytes, &size, &err), &err);
    assert_int_equal(size, 4);
    assert_memory_equal(bytes, "hi>\xFF", 4);
    free(bytes);
    for (size_t i = 0; i < BL_COUNT_OF(broken); i++)
        assert_fails(bl_base64_decode(broken[i], strlen(broken[i]), &bytes, &size, &err),
                     BL_ERR_FORMAT, &err, "base64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_case),         cmocka_unit_test(test_values),
        cmocka_unit_test(test_other_kinds),    cmocka_unit_test(test_fill_is_float32),
        cmocka_unit_test(test_attributes),

        cmocka_unit_test(test_broken_files),   cmocka_unit_test(test_broken_cases),
        cmocka_unit_test(test_broken_tensors), cmocka_unit_test(test_load_errors),
        cmocka_unit_test(test_duplicate_name), cmocka_unit_test(test_base64),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

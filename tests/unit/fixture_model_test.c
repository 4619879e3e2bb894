/*
 * fixture_model_test.c - cases with a graph, a model, files beside others
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fixture_support.h"

#include "base/compiler.h"

/* ---- What is read -------------------------------------------------------- */

static void test_graph(void **state)
{
    struct bl_fixture *fixture =
        parse("{\"opset\": 14, \"cases\": [{\"name\": \"c\", \"graph\": {\"nodes\": ["
              "{\"op\": \"Clip\", \"inputs\": [\"x\", \"\", \"m\"], \"outputs\": [\"y\"]},"
              "{\"op\": \"Cast\", \"inputs\": [\"y\"], \"outputs\": [\"z\"],"
              " \"attributes\": {\"to\": 11}}], \"initializers\": {\"m\": " VALUES(
                  "int8", "[]", "[7]") "}, \"outputs\": [\"z\", \"y\"]},"
                                       "\"inputs\": {}, \"error\": \"e\"}]}");
    struct bl_fixture_case it;

    (void)state;
    assert_ok(bl_fixture_case_read(fixture, 0, &it, &err), &err);
    assert_int_equal(it.subject, BL_FIXTURE_GRAPH);
    assert_int_equal(it.opset, 14);
    assert_int_equal(it.graph->node_count, 2);
    assert_string_equal(it.graph->nodes[0].op, "Clip");
    assert_int_equal(it.graph->nodes[0].input_count, 3);
    assert_string_equal(it.graph->nodes[0].inputs[1], "");
    assert_string_equal(it.graph->nodes[0].inputs[2], "m");
    assert_string_equal(it.graph->nodes[1].outputs[0], "z");
    assert_int_equal(it.graph->nodes[1].attributes[0].value.i, 11);
    assert_string_equal(it.graph->initializers[0].name, "m");
    assert_int_equal(*(const int8_t *)bl_tensor_data(it.graph->initializers[0].data), 7);
    assert_int_equal(it.graph->output_count, 2);
    assert_string_equal(it.graph->outputs[1], "y");
    bl_fixture_case_free(&it);
    bl_fixture_close(fixture);
}

static void test_model(void **state)
{
    struct bl_fixture *fixture = parse(
        "{\"cases\": [{\"name\": \"c\", \"model\": {\"base64\": \"aGk=\", \"files\": {"
        "\"../a\": \"symlink:b c\", \"d\": \"AAEC\"}},"
        "\"inputs\": {}, \"error\": \"e\"}]}");
    struct bl_fixture_case it;

    (void)state;
    assert_ok(bl_fixture_case_read(fixture, 0, &it, &err), &err);
    assert_int_equal(it.subject, BL_FIXTURE_MODEL);
    assert_int_equal(it.model->size, 2);
    assert_memory_equal(it.model->bytes, "hi", 2);
    assert_int_equal(it.model->beside_count, 2);
    assert_string_equal(it.model->beside[0].path, "../a");
    assert_string_equal(it.model->beside[0].link, "b c");
    assert_string_equal(it.model->beside[1].path, "d");
    assert_null(it.model->beside[1].link);
    assert_int_equal(it.model->beside[1].size, 3);
    assert_memory_equal(it.model->beside[1].bytes, "\0\1\2", 3);
    bl_fixture_case_free(&it);
    bl_fixture_close(fixture);
}

/* A TensorProto: dims 3, INT32, data in "w.bin" beside it. */
#define PB_BESIDE                                                     \
    "\"data\": {\"kind\": \"file\", \"format\": \"pb\", \"base64\": " \
    "\"CAMQBmoRCghsb2NhdGlvbhIFdy5iaW5wAQ==\", \"files\": "

static void test_tensor_in_files(void **state)
{
    (void)state;
    check_tensor("{" PB_BESIDE "{\"w.bin\": \"EAMAAP////8HAAAA\"}}}", "784 -1 7 ");
    check_tensor("{\"dtype\": \"int32\", \"shape\": [3]," PB_BESIDE
                 "{\"w.bin\": \"EAMAAP////8HAAAA\", \"../x\": \"\"}}}",
                 "784 -1 7 ");
}

/* ---- What is refused ----------------------------------------------------- */

static void test_broken_cases(void **state)
{
    static const struct {
        const char *members;
        const char *why;
    } broken[] = {
        {"\"graph\": 3", "key 'graph' is an integer"},
        {"\"graph\": {\"outputs\": []}", "graph: key 'nodes' is missing"},
        {"\"graph\": {\"nodes\": []}", "graph: key 'outputs' is missing"},
        {"\"graph\": {\"nodes\": [], \"outputs\": [3]}",
         "graph: key 'outputs' is an integer"},
        {"\"graph\": {\"nodes\": [3], \"outputs\": []}", "graph: node 0: it is an integer"},
        {"\"graph\": {\"nodes\": [{\"op\": \"Abs\", \"inputs\": [\"x\"], \"outputs\": "
         "[\"y\"]}, {\"op\": \"Abs\", \"outputs\": [\"z\"]}], \"outputs\": []}",
         "graph: node 1: key 'inputs' is missing"},
        {"\"graph\": {\"nodes\": [{\"op\": \"Abs\", \"inputs\": [\"x\"], \"outputs\": "
         "[\"y\"], \"attributes\": {\"k\": true}}], \"outputs\": []}",
         "graph: node 0: attribute 'k'"},
        {"\"graph\": {\"nodes\": [], \"outputs\": [], \"initializers\": {\"c\": 3}}",
         "graph: initializers.c: "},
        {"\"graph\": {\"nodes\": [], \"outputs\": [], \"edges\": []}",
         "graph: unknown key 'edges'"},
        {"\"graph\": {\"nodes\": [], \"outputs\": []}, \"attributes\": {}",
         "goes with 'op' alone"},
        {"\"graph\": {\"nodes\": [], \"outputs\": [\"y\"]}, \"inputs\": {}, \"outputs\": "
         "{\"y\": {\"dtype\": \"int8\", \"shape\": []}}",
         "outputs.y: key 'data' is missing"},
        {"\"model\": {}", "model: key 'base64' is missing"},
        {"\"model\": {\"base64\": \"A\"}", "model: base64 text"},
        {"\"model\": {\"base64\": \"\", \"name\": \"m\"}", "unknown key 'name' in a model"},
        {"\"model\": {\"base64\": \"\", \"files\": {\"w\": \"A\"}}",
         "model: files.w: base64 text"},
        {"\"model\": {\"base64\": \"\", \"files\": {\"w\": \"symlink:a\\u0000\"}}",
         "model: files.w: "},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(broken); i++) {
        char text[1024];

        snprintf(text, sizeof text, "{\"cases\": [{\"name\": \"c\", %s}]}",
                 broken[i].members);
        check_refused(text, 0, broken[i].why);
    }
}

/* Files that cannot be made are the fixture's fault; a tensor that they do not hold is the
 * case's business. */
static void test_broken_files(void **state)
{
    struct bl_fixture *fixture = parse(with_input("{" PB_BESIDE "{\"v.bin\": \"\"}}}"));
    struct bl_fixture_case it;

    (void)state;
    assert_ok(bl_fixture_case_read(fixture, 0, &it, &err), &err);
    assert_true(it.load.status != BL_OK);
    assert_non_null(strstr(it.load.message, "w.bin"));
    assert_null(it.inputs[0].data);
    bl_fixture_case_free(&it);
    bl_fixture_close(fixture);
    check_refused(with_input("{" PB_BESIDE "{\"\": \"\"}}}"), 0, "'' is no path of a file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph),           cmocka_unit_test(test_model),
        cmocka_unit_test(test_tensor_in_files), cmocka_unit_test(test_broken_cases),
        cmocka_unit_test(test_broken_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * conform_test.c - whole runs: what is found, what passes and what fails, filters, skips
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "unit.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "conform/conform.h"
#include "conform/find.h"

static bl_error err;
static char folder[] = "conform_test_XXXXXX";

/* ---- A folder of files ------------------------------------------------------------ */

static char *path_of(const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

#define PAIR(a, b)                                                                     \
    "\"inputs\": {\"a\": {\"dtype\": \"int32\", \"shape\": [2], \"data\": {\"kind\": " \
    "\"values\", "                                                                     \
    "\"values\": " a                                                                   \
    "}}, \"b\": {\"dtype\": \"int32\", \"shape\": [2], \"data\": {\"kind\": "          \
    "\"values\", \"values\": " b "}}}"
#define RESULT(values)                                                                  \
    "\"outputs\": {\"y\": {\"dtype\": \"int32\", \"shape\": [2], \"data\": {\"kind\": " \
    "\"values\", "                                                                      \
    "\"values\": " values "}}}"

/* A case with what has to come of it. */
struct expected {
    const char *name;
    const char *members;
    enum bl_conform_outcome outcome;
    const char *message; /* contains this */
};

static const struct expected cases[] = {
    {"right", "\"op\": \"ai.onnx.Add\", " PAIR("[1, 2]", "[3, 4]") ", " RESULT("[4, 6]"),
     BL_CONFORM_PASSED, ""},
    {"wrong", "\"op\": \"ai.onnx.Add\", " PAIR("[1, 2]", "[3, 4]") ", " RESULT("[4, 5]"),
     BL_CONFORM_FAILED, "output y: [1]: got 6, want 5; 1 of 2 differ"},
    {"repeated",
     "\"op\": \"ai.onnx.Mul\", \"repeat\": 3, " PAIR("[1, 2]",
                                                     "[3, 4]") ", " RESULT("[3, 8]"),
     BL_CONFORM_PASSED, ""},
    {"other_type",
     "\"op\": \"ai.onnx.Less\", " PAIR("[1, 2]", "[3, 4]") ", " RESULT("[1, 1]"),
     BL_CONFORM_FAILED, "got bool [2], want int32 [2]"},
    {"no_operator",
     "\"op\": \"ai.onnx.Addd\", " PAIR("[1, 2]", "[3, 4]") ", " RESULT("[4, 5]"),
     BL_CONFORM_FAILED, "Addd"},
    {"self",
     "\"op\": \"ai.onnx.Div\", " PAIR("[7, -7]",
                                      "[2, 2]") ", \"outputs\": {\"y\": {\"dtype\": "
                                                "\"int32\", \"shape\": [2]}}",
     BL_CONFORM_PASSED, ""},
    {"self_other_shape",
     "\"op\": \"ai.onnx.Div\", " PAIR("[7, -7]",
                                      "[2, 2]") ", \"outputs\": {\"y\": {\"dtype\": "
                                                "\"int32\", \"shape\": [1, 2]}}",
     BL_CONFORM_FAILED, "got int32 [2], want int32 [1,2]"},
    {"unexpected_error",
     "\"op\": \"ai.onnx.Div\", " PAIR("[1, 2]", "[1, 0]") ", " RESULT("[1, 0]"),
     BL_CONFORM_FAILED, "[1]"},
    {"error", "\"op\": \"ai.onnx.Div\", " PAIR("[1, 2]", "[1, 0]") ", \"error\": \"zero\"",
     BL_CONFORM_PASSED, ""},
    {"missing_error",
     "\"op\": \"ai.onnx.Add\", " PAIR("[1, 2]", "[1, 0]") ", \"error\": \"none\"",
     BL_CONFORM_FAILED, "it has to fail, but did not: none"},
    {"unknown_is_an_error",
     "\"op\": \"ai.onnx.Addd\", \"inputs\": {}, \"error\": \"operator\"", BL_CONFORM_PASSED,
     ""},
    {"load_error",
     "\"op\": \"ai.onnx.Identity\", \"inputs\": {\"x\": {\"data\": {\"kind\": \"file\", "
     "\"format\": "
     "\"npy\", \"base64\": \"AAAA\"}}}, \"error\": \"format\"",
     BL_CONFORM_PASSED, ""},
    {"unexpected_load_error",
     "\"op\": \"ai.onnx.Identity\", \"inputs\": {\"x\": {\"data\": {\"kind\": \"file\", "
     "\"format\": "
     "\"npy\", \"base64\": \"AAAA\"}}}, " RESULT("[1, 1]"),
     BL_CONFORM_FAILED, "inputs.x: "},
    {"broken", "\"op\": \"ai.onnx.Add\"", BL_CONFORM_FAILED, "key 'inputs' is missing"},
    {"gpu",
     "\"op\": \"ai.onnx.Add\", \"skipGpu\": {\"category\": \"todo\", \"reason\": "
     "\"r\"}, " PAIR("[1, 2]", "[3, 4]") ", " RESULT("[4, 6]"),
     BL_CONFORM_PASSED, ""},
};

/* t = a + b, y = t * two, z = t. */
#define GRAPH(outputs)                                                             \
    "\"graph\": {\"nodes\": ["                                                     \
    "{\"op\": \"Add\", \"inputs\": [\"a\", \"b\"], \"outputs\": [\"t\"]},"         \
    "{\"op\": \"Mul\", \"inputs\": [\"t\", \"two\"], \"outputs\": [\"y\"]}],"      \
    "\"initializers\": {\"two\": {\"dtype\": \"int32\", \"shape\": [], \"data\": " \
    "{\"kind\": \"constant\", \"value\": 2}}}, \"outputs\": " outputs "}, \"opset\": 13, "

/* A model y = x + c of float32[3], where c = 10 20 30 is an input's default. */
#define ADD_DEFAULT                                                                   \
    "\"CAgSBGJ1Z3M6XQoOCgF4CgFjEgF5IgNBZGQSAWcqFQgDEAFCAWNKDAAAIEEAAKBBAADwQVoPCgF4E" \
    "goKCAgBEgQKAggDWg8KAWMSCgoICAESBAoCCANiDwoBeRIKCggIARIECgIIA0ICEA0=\""

/* A model y = x + w of float32[2], where w is in the file w.bin, a link or not. */
#define ADD_FILE                                                                      \
    "\"CAgSBGJ1Z3M6UwoOCgF4CgF3EgF5IgNBZGQSAWcqHAgCEAFCAXdqEQoIbG9jYXRpb24SBXcuYmluc" \
    "AFaDwoBeBIKCggIARIECgIIAmIPCgF5EgoKCAgBEgQKAggCQgIQDQ==\""

#define FLOATS(name, shape, values)                                                      \
    "\"" name "\": {\"dtype\": \"float32\", \"shape\": " shape ", \"data\": {\"kind\": " \
    "\"values\", \"values\": " values "}}"
#define X3 FLOATS("x", "[3]", "[1, 2, 3]")
#define X2 FLOATS("x", "[2]", "[1, 2]")

/* Cases that the reference skips. */
static const struct expected models[] = {
    {"graph", GRAPH("[\"y\"]") PAIR("[1, 2]", "[3, 4]") ", " RESULT("[8, 12]"),
     BL_CONFORM_PASSED, ""},
    {"graph_wrong", GRAPH("[\"y\"]") PAIR("[1, 2]", "[3, 4]") ", " RESULT("[8, 13]"),
     BL_CONFORM_FAILED, "output y: [1]: got 12, want 13"},
    {"graph_repeated",
     "\"repeat\": 3, " GRAPH("[\"t\"]") PAIR("[1, 2]", "[3, 4]") ", " RESULT("[4, 6]"),
     BL_CONFORM_PASSED, ""},
    {"graph_two_outputs",
     GRAPH("[\"y\", \"t\"]") PAIR("[1, 2]", "[3, 4]") ", " RESULT("[8, 12]"),
     BL_CONFORM_FAILED, "it has 2 outputs, but the case 1"},
    {"graph_type",
     GRAPH("[\"y\"]") "\"inputs\": {" X2
                      ", " FLOATS("a", "[2]", "[1, 2]") "}, " RESULT("[8, 12]"),
     BL_CONFORM_FAILED, "'b'"},
    {"graph_unknown_output",
     GRAPH("[\"q\"]") PAIR("[1, 2]", "[3, 4]") ", " RESULT("[8, 12]"), BL_CONFORM_FAILED,
     "'q'"},
    {"graph_error", GRAPH("[\"q\"]") PAIR("[1, 2]", "[3, 4]") ", \"error\": \"e\"",
     BL_CONFORM_PASSED, ""},
    {"graph_no_error", GRAPH("[\"y\"]") PAIR("[1, 2]", "[3, 4]") ", \"error\": \"e\"",
     BL_CONFORM_FAILED, "it has to fail, but did not: e"},
    {"default",
     "\"model\": {\"base64\": " ADD_DEFAULT "}, \"inputs\": {" X3
     "}, \"outputs\": {" FLOATS("y", "[3]", "[11, 22, 33]") "}",
     BL_CONFORM_PASSED, ""},
    {"default_as_null",
     "\"model\": {\"base64\": " ADD_DEFAULT "}, \"inputs\": {\"c\": null, " X3
     "}, \"outputs\": {" FLOATS("y", "[3]", "[11, 22, 33]") "}",
     BL_CONFORM_PASSED, ""},
    {"not_default",
     "\"model\": {\"base64\": " ADD_DEFAULT
     "}, \"inputs\": {" FLOATS("c", "[3]", "[1, 1, 1]") ", " X3 "}, \"outputs\": {" FLOATS(
         "y", "[3]", "[2, 3, 4]") "}",
     BL_CONFORM_PASSED, ""},
    {"missing_input",
     "\"model\": {\"base64\": " ADD_DEFAULT
     "}, \"inputs\": {}, \"outputs\": {" FLOATS("y", "[3]", "[11, 22, 33]") "}",
     BL_CONFORM_FAILED, "input 'x' is missing"},
    /* An input that nobody knows is the case's fault, also where an error is expected. */
    {"unknown_input",
     "\"model\": {\"base64\": " ADD_DEFAULT
     "}, \"inputs\": {" FLOATS("q", "[3]", "[1, 1, 1]") "}, \"error\": \"e\"",
     BL_CONFORM_FAILED, "the model has no input 'q'"},
    {"no_model", "\"model\": {\"base64\": \"AAAA\"}, \"inputs\": {}, \"error\": \"e\"",
     BL_CONFORM_PASSED, ""},
    {"file",
     "\"model\": {\"base64\": " ADD_FILE ", \"files\": {\"w.bin\": \"AAAgQQAAoEE=\"}}, "
     "\"inputs\": {" X2 "}, \"outputs\": {" FLOATS("y", "[2]", "[11, 22]") "}",
     BL_CONFORM_PASSED, ""},
    {"link_inside",
     "\"model\": {\"base64\": " ADD_FILE ", \"files\": {\"w.bin\": \"symlink:v.bin\", "
     "\"v.bin\": \"AAAgQQAAoEE=\"}}, "
     "\"inputs\": {" X2 "}, \"error\": \"e\"",
     BL_CONFORM_PASSED, ""},
    {"link_outside",
     "\"model\": {\"base64\": " ADD_FILE ", \"files\": {\"w.bin\": \"symlink:../v.bin\", "
     "\"../v.bin\": \"AAAgQQAAoEE=\"}}, "
     "\"inputs\": {" X2 "}, \"error\": \"e\"",
     BL_CONFORM_PASSED, ""},
    {"file_is_missing",
     "\"model\": {\"base64\": " ADD_FILE ", \"files\": {\"v.bin\": \"AAAgQQAAoEE=\"}}, "
     "\"inputs\": {" X2 "}, \"outputs\": {" FLOATS("y", "[2]", "[11, 22]") "}",
     BL_CONFORM_FAILED, "w.bin"},
    /* Files that cannot be made are no error of the model. */
    {"file_cannot_be_made",
     "\"model\": {\"base64\": " ADD_FILE ", \"files\": {\"a/..\": \"\"}}, "
     "\"inputs\": {" X2 "}, \"error\": \"e\"",
     BL_CONFORM_FAILED, "'a/..' is no path of a file"},
};

static void write_cases(const char *name, const struct expected *list, size_t count)
{
    char text[32768] = "{\"cases\": [\n";

    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(text);

        snprintf(text + length, sizeof text - length, "%s{\"name\": \"%s\", %s}\n",
                 i > 0 ? "," : "", list[i].name, list[i].members);
    }
    strcat(text, "]}");
    write_file(name, text);
}

static int set_up(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    write_cases("b.json", cases, BL_COUNT_OF(cases));
    mkdir(path_of("models"), 0777);
    write_cases("models/m.json", models, BL_COUNT_OF(models));
    write_file("a.json", "{]");
    write_file("notes.txt", "no fixture");
    mkdir(path_of("c_onnx"), 0777);
    write_file("c_onnx/model.onnx", "");
    write_file("c_onnx/ignored.json", "{}");
    mkdir(path_of("empty"), 0777);
    return 0;
}

static int tear_down(void **state)
{
    static const char *const names[] = {
        "b.json",       "a.json", "notes.txt", "c_onnx/model.onnx", "c_onnx/ignored.json",
        "models/m.json"};

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(names); i++)
        unlink(path_of(names[i]));
    rmdir(path_of("c_onnx"));
    rmdir(path_of("empty"));
    rmdir(path_of("models"));
    return rmdir(folder);
}

/* ---- Runs ---------------------------------------------------------------------------- */

/* What a run's callback saw. */
struct seen {
    size_t count;
    size_t files_done;
    char names[64][64];
    enum bl_conform_outcome outcomes[64];
    char messages[64][256];
};

static void see(void *user, const struct bl_conform_progress *now)
{
    struct seen *seen = user;

    assert_true(seen->count < 64);
    snprintf(seen->names[seen->count], 64, "%s", now->last_result->name);
    snprintf(seen->messages[seen->count], 256, "%s", now->last_result->message);
    seen->outcomes[seen->count++] = now->last_result->outcome;
    seen->files_done = now->files_done;
}

static struct bl_conform_totals run(struct bl_conform_options options, const char *name,
                                    struct seen *seen)
{
    const char *path = path_of(name);
    struct bl_conform_totals totals;

    *seen = (struct seen){0};
    options.progress = see;
    options.user = seen;
    assert_ok(bl_conform_run(&options, &path, 1, &totals, &err), &err);
    assert_int_equal(totals.passed + totals.failed + totals.skipped, seen->count);
    return totals;
}

static void check_seen(const struct seen *seen, const struct expected *list, size_t count,
                       const char *backend)
{
    assert_int_equal(seen->count, count);
    assert_int_equal(seen->files_done, 1);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(seen->names[i], list[i].name);
        if (seen->outcomes[i] != list[i].outcome ||
            strstr(seen->messages[i], list[i].message) == NULL)
            fail_msg("%s on %s: %s: %s", list[i].name, backend,
                     bl_conform_outcome_name(seen->outcomes[i]), seen->messages[i]);
    }
}

static void test_outcomes(void **state)
{
    const char *name;

    (void)state;
    for (size_t backend = 0; (name = bl_conform_backend_name(backend)) != NULL; backend++) {
        bl_device_info device;
        struct seen seen;

        if (strcmp(name, "vulkan") == 0 && bl_device(0, &device, &err) != BL_OK) {
            print_message("vulkan is left out: %s\n", err.message);
            continue;
        }
        run((struct bl_conform_options){.backend = name}, "b.json", &seen);
        check_seen(&seen, cases, BL_COUNT_OF(cases), name);
    }
}

static void test_models(void **state)
{
    struct seen seen;

    (void)state;
    run((struct bl_conform_options){0}, "models/m.json", &seen);
    check_seen(&seen, models, BL_COUNT_OF(models), "cpu");
    const struct bl_conform_totals totals =
        run((struct bl_conform_options){.backend = "reference"}, "models/m.json", &seen);

    assert_int_equal(totals.skipped, BL_COUNT_OF(models));
    assert_string_equal(seen.messages[0], "backend 'reference' runs operators, not models");
}

static void test_folder(void **state)
{
    struct seen seen;
    const struct bl_conform_totals totals = run((struct bl_conform_options){0}, "", &seen);

    (void)state;
    /* a.json cannot be read, b.json has its cases, c_onnx is one test; empty holds nothing.
     */
    const size_t onnx = BL_COUNT_OF(cases) + 1;

    assert_int_equal(seen.count, onnx + 1 + BL_COUNT_OF(models));
    assert_string_equal(seen.names[0], "");
    assert_int_equal(seen.outcomes[0], BL_CONFORM_FAILED);
    assert_non_null(strstr(seen.messages[0], "a.json:1:"));
    assert_string_equal(seen.names[onnx], "c_onnx");
    assert_int_equal(seen.outcomes[onnx], BL_CONFORM_FAILED);
    assert_int_equal(seen.files_done, 4);
    assert_int_equal(totals.skipped, 0);
}

static void test_filter(void **state)
{
    struct seen seen;
    struct bl_conform_totals totals;

    (void)state;
    assert_int_equal(
        run((struct bl_conform_options){.filter = "self*"}, "b.json", &seen).passed, 1);
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.files_done, 1);
    run((struct bl_conform_options){.filter = "*b.json:w?ong"}, "b.json", &seen);
    assert_int_equal(seen.count, 1);
    assert_string_equal(seen.names[0], "wrong");
    assert_fails(bl_conform_run(&(struct bl_conform_options){.filter = "nothing"},
                                (const char *[]){path_of("b.json")}, 1, &totals, &err),
                 BL_ERR_ARGUMENT, &err, "no case matches the filter 'nothing'");
}

static void test_skips(void **state)
{
    struct seen seen;
    const struct bl_conform_totals totals =
        run((struct bl_conform_options){.honour_skips = true, .filter = "gpu"}, "b.json",
            &seen);

    (void)state;
    assert_int_equal(totals.skipped, 1);
    assert_string_equal(seen.messages[0], "skipGpu (todo): r");
}

static void test_nothing_to_run(void **state)
{
    const struct bl_conform_options plain = {0};
    struct bl_conform_totals totals;

    (void)state;
    assert_fails(
        bl_conform_run(&plain, (const char *[]){path_of("empty")}, 1, &totals, &err),
        BL_ERR_ARGUMENT, &err, "nothing to run");
    assert_fails(
        bl_conform_run(&plain, (const char *[]){path_of("absent")}, 1, &totals, &err),
        BL_ERR_IO, &err, "absent: cannot be opened");
    assert_fails(bl_conform_run(&plain, NULL, 0, &totals, &err), BL_ERR_ARGUMENT, &err,
                 "no path");
    assert_fails(bl_conform_run(&(struct bl_conform_options){.backend = "abacus"},
                                (const char *[]){folder}, 1, &totals, &err),
                 BL_ERR_ARGUMENT, &err, "unknown backend 'abacus'");
}

static void test_find(void **state)
{
    struct bl_found_list list = {0};

    (void)state;
    assert_ok(bl_find(folder, &list, &err), &err);
    assert_int_equal(list.count, 4);
    assert_string_equal(list.items[0].path, path_of("a.json"));
    assert_string_equal(list.items[1].path, path_of("b.json"));
    assert_string_equal(list.items[2].path, path_of("c_onnx"));
    assert_true(list.items[2].is_onnx_test && !list.items[1].is_onnx_test);
    bl_found_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outcomes), cmocka_unit_test(test_models),
        cmocka_unit_test(test_folder),   cmocka_unit_test(test_filter),
        cmocka_unit_test(test_skips),    cmocka_unit_test(test_nothing_to_run),
        cmocka_unit_test(test_find),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}

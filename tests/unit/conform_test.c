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

/* Cases with what has to come of each. */
static const struct {
    const char *name;
    const char *members;
    enum bl_conform_outcome outcome;
    const char *message; /* contains this */
} cases[] = {
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
    {"graph", "\"graph\": {}, \"inputs\": {}, " RESULT("[1, 1]"), BL_CONFORM_SKIPPED,
     "models are not supported yet"},
    {"gpu",
     "\"op\": \"ai.onnx.Add\", \"skipGpu\": {\"category\": \"todo\", \"reason\": "
     "\"r\"}, " PAIR("[1, 2]", "[3, 4]") ", " RESULT("[4, 6]"),
     BL_CONFORM_PASSED, ""},
};

static void write_cases(const char *name)
{
    char text[16384] = "{\"cases\": [\n";

    for (size_t i = 0; i < BL_COUNT_OF(cases); i++) {
        const size_t length = strlen(text);

        snprintf(text + length, sizeof text - length, "%s{\"name\": \"%s\", %s}\n",
                 i > 0 ? "," : "", cases[i].name, cases[i].members);
    }
    strcat(text, "]}");
    write_file(name, text);
}

static int set_up(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    write_cases("b.json");
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
    static const char *const names[] = {"b.json", "a.json", "notes.txt",
                                        "c_onnx/model.onnx", "c_onnx/ignored.json"};

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(names); i++)
        unlink(path_of(names[i]));
    rmdir(path_of("c_onnx"));
    rmdir(path_of("empty"));
    return rmdir(folder);
}

/* ---- Runs ---------------------------------------------------------------------------- */

/* What a run's callback saw. */
struct seen {
    size_t count;
    size_t files_done;
    char names[32][64];
    enum bl_conform_outcome outcomes[32];
    char messages[32][256];
};

static void see(void *user, const struct bl_conform_progress *now)
{
    struct seen *seen = user;

    assert_true(seen->count < 32);
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

static void test_outcomes(void **state)
{
    const char *name;

    (void)state;
    for (size_t backend = 0; (name = bl_conform_backend_name(backend)) != NULL; backend++) {
        struct seen seen;

        run((struct bl_conform_options){.backend = name}, "b.json", &seen);
        assert_int_equal(seen.count, BL_COUNT_OF(cases));
        assert_int_equal(seen.files_done, 1);
        for (size_t i = 0; i < seen.count; i++) {
            assert_string_equal(seen.names[i], cases[i].name);
            if (seen.outcomes[i] != cases[i].outcome ||
                strstr(seen.messages[i], cases[i].message) == NULL)
                fail_msg("%s on %s: %s: %s", cases[i].name, name,
                         bl_conform_outcome_name(seen.outcomes[i]), seen.messages[i]);
        }
    }
}

static void test_folder(void **state)
{
    struct seen seen;
    const struct bl_conform_totals totals = run((struct bl_conform_options){0}, "", &seen);

    (void)state;
    /* a.json cannot be read, b.json has its cases, c_onnx is one test; empty holds nothing.
     */
    assert_int_equal(seen.count, BL_COUNT_OF(cases) + 2);
    assert_string_equal(seen.names[0], "");
    assert_int_equal(seen.outcomes[0], BL_CONFORM_FAILED);
    assert_non_null(strstr(seen.messages[0], "a.json:1:"));
    assert_string_equal(seen.names[seen.count - 1], "c_onnx");
    assert_int_equal(seen.outcomes[seen.count - 1], BL_CONFORM_SKIPPED);
    assert_int_equal(seen.files_done, 3);
    assert_int_equal(totals.skipped, 2);
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
    assert_int_equal(list.count, 3);
    assert_string_equal(list.items[0].path, path_of("a.json"));
    assert_string_equal(list.items[1].path, path_of("b.json"));
    assert_string_equal(list.items[2].path, path_of("c_onnx"));
    assert_true(list.items[2].is_onnx_test && !list.items[1].is_onnx_test);
    bl_found_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outcomes),       cmocka_unit_test(test_folder),
        cmocka_unit_test(test_filter),         cmocka_unit_test(test_skips),
        cmocka_unit_test(test_nothing_to_run), cmocka_unit_test(test_find),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}

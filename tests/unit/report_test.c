/*
 * report_test.c - the four formats of a report
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "unit.h"

#include <jansson.h>
#include <stdio.h>

#include "base/compiler.h"
#include "conform/report.h"

static bl_error err;

static const struct bl_conform_result results[] = {
    {"a.json", "one", BL_CONFORM_PASSED, "", 0.5},
    {"a.json", "t#wo", BL_CONFORM_FAILED, "got \"<1>\" & not \\2", 0.25},
    {"b.json", "three", BL_CONFORM_SKIPPED, "not yet", 0},
    {"b.json", "four", BL_CONFORM_SKIPPED, "not yet", 0},
    {"c\x1B[31m\xFF.json", "", BL_CONFORM_FAILED, "line\nbreak \xC3\xA9 \xC0\x80", 0},
};

/* The report of the results above, to be freed. */
static char *report_text(const struct bl_conform_options *how, size_t count)
{
    char *text = NULL;
    size_t size;
    struct bl_conform_options options = *how;

    options.out = open_memstream(&text, &size);
    assert_non_null(options.out);
    struct bl_conform_report *report = bl_conform_report_new(&options, &err);

    assert_non_null(report);
    for (size_t i = 0; i < count; i++)
        assert_ok(bl_conform_report_add(report, &results[i], &err), &err);
    assert_ok(bl_conform_report_end(report, &err), &err);
    bl_conform_report_free(report);
    fclose(options.out);
    return text;
}

static void check_text(const struct bl_conform_options *how, size_t count, const char *want)
{
    char *text = report_text(how, count);

    assert_string_equal(text, want);
    free(text);
}

static void test_pretty(void **state)
{
    const struct bl_conform_options plain = {.format = BL_CONFORM_PRETTY};
    const struct bl_conform_options verbose = {.format = BL_CONFORM_PRETTY,
                                               .verbose = true};
    const struct bl_conform_options colour = {.format = BL_CONFORM_PRETTY, .colour = true};

    (void)state;
    check_text(&plain, 5,
               "FAIL a.json:t#wo\n"
               "     got \"<1>\" & not \\2\n"
               "FAIL c?[31m?.json\n"
               "     line?break \xC3\xA9 ??\n"
               "skipped 2: not yet\n"
               "1 passed, 2 failed, 2 skipped\n");
    check_text(&verbose, 3,
               "PASS a.json:one\n"
               "FAIL a.json:t#wo\n"
               "     got \"<1>\" & not \\2\n"
               "SKIP b.json:three\n"
               "     not yet\n"
               "skipped 1: not yet\n"
               "1 passed, 1 failed, 1 skipped\n");
    check_text(&colour, 2,
               "\033[31mFAIL\033[0m a.json:t#wo\n"
               "     got \"<1>\" & not \\2\n"
               "1 passed, 1 failed, 0 skipped\n");
}

static void test_tap(void **state)
{
    const struct bl_conform_options how = {.format = BL_CONFORM_TAP};

    (void)state;
    check_text(&how, 3,
               "TAP version 13\n"
               "ok 1 - a.json:one\n"
               "not ok 2 - a.json:t\\#wo\n"
               "  ---\n"
               "  message: \"got \\\"<1>\\\" & not \\\\2\"\n"
               "  ...\n"
               "ok 3 - b.json:three # SKIP not yet\n"
               "1..3\n"
               "# 1 passed, 1 failed, 1 skipped\n");
    check_text(&how, 0, "TAP version 13\n1..0\n# 0 passed, 0 failed, 0 skipped\n");
}

static void test_junit(void **state)
{
    const struct bl_conform_options how = {.format = BL_CONFORM_JUNIT,
                                           .backend = "reference"};

    (void)state;
    check_text(
        &how, 5,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"reference\" tests=\"5\" failures=\"2\" errors=\"0\" "
        "skipped=\"2\""
        " time=\"0.750000\">\n"
        "  <testsuite name=\"a.json\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\""
        " time=\"0.750000\">\n"
        "    <testcase classname=\"a.json\" name=\"one\" time=\"0.500000\"/>\n"
        "    <testcase classname=\"a.json\" name=\"t#wo\" time=\"0.250000\">\n"
        "      <failure message=\"got &quot;&lt;1&gt;&quot; &amp; not \\2\"/>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "  <testsuite name=\"b.json\" tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"2\""
        " time=\"0.000000\">\n"
        "    <testcase classname=\"b.json\" name=\"three\" time=\"0.000000\">\n"
        "      <skipped message=\"not yet\"/>\n"
        "    </testcase>\n"
        "    <testcase classname=\"b.json\" name=\"four\" time=\"0.000000\">\n"
        "      <skipped message=\"not yet\"/>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "  <testsuite name=\"c?[31m?.json\" tests=\"1\" failures=\"1\" errors=\"0\" "
        "skipped=\"0\""
        " time=\"0.000000\">\n"
        "    <testcase classname=\"c?[31m?.json\" name=\"c?[31m?.json\" "
        "time=\"0.000000\">\n"
        "      <failure message=\"line?break \xC3\xA9 ??\"/>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "</testsuites>\n");
}

static void test_json(void **state)
{
    const struct bl_conform_options how = {.format = BL_CONFORM_JSON};
    char *text = report_text(&how, 5);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const json_t *cases = json_object_get(root, "cases");
    const json_t *second = json_array_get(cases, 1);

    (void)state;
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "backend")), "cpu");
    assert_int_equal(json_integer_value(json_object_get(root, "passed")), 1);
    assert_int_equal(json_integer_value(json_object_get(root, "failed")), 2);
    assert_int_equal(json_integer_value(json_object_get(root, "skipped")), 2);
    assert_int_equal(json_array_size(cases), 5);
    assert_null(json_object_get(json_array_get(cases, 0), "message"));
    assert_string_equal(json_string_value(json_object_get(second, "file")), "a.json");
    assert_string_equal(json_string_value(json_object_get(second, "name")), "t#wo");
    assert_string_equal(json_string_value(json_object_get(second, "outcome")), "failed");
    assert_string_equal(json_string_value(json_object_get(second, "message")),
                        results[1].message);
    assert_true(json_real_value(json_object_get(second, "seconds")) == 0.25);
    json_decref(root);
    free(text);
}

/* A disk that is full is told. */
static void test_full_disk(void **state)
{
    struct bl_conform_options options = {.out = fopen("/dev/full", "w")};

    (void)state;
    if (options.out == NULL)
        skip();
    struct bl_conform_report *report = bl_conform_report_new(&options, &err);

    assert_ok(bl_conform_report_add(report, &results[1], &err), &err);
    assert_fails(bl_conform_report_end(report, &err), BL_ERR_IO, &err, "cannot be written");
    bl_conform_report_free(report);
    fclose(options.out);
}

static void test_names(void **state)
{
    (void)state;
    for (int i = 0; i < BL_CONFORM_FORMAT_COUNT; i++)
        assert_int_equal(
            bl_conform_format_from_name(bl_conform_format_name((enum bl_conform_format)i)),
            i);
    assert_int_equal(bl_conform_format_from_name("xml"), BL_CONFORM_FORMAT_COUNT);
    assert_null(bl_conform_format_name(BL_CONFORM_FORMAT_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pretty),    cmocka_unit_test(test_tap),
        cmocka_unit_test(test_junit),     cmocka_unit_test(test_json),
        cmocka_unit_test(test_full_disk), cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

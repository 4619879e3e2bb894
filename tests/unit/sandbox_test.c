/*
 * sandbox_test.c - files around a file: where they lie, and that nothing is left
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "unit.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "conform/path.h"
#include "conform/sandbox.h"

static bl_error err;
static char place[] = "sandbox_test_XXXXXX";
static unsigned char bytes[] = "abc";

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(place) == NULL || setenv("TMPDIR", place, 1) != 0;
}

static int tear_down(void **state)
{
    (void)state;
    return rmdir(place);
}

/* The number of entries in the place for temporary files. */
static int entries(void)
{
    DIR *folder = opendir(place);
    int count = 0;

    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static const struct bl_sandbox_file file = {"model.onnx", bytes, 2, NULL};

static struct bl_sandbox make(const struct bl_sandbox_file *beside, size_t count)
{
    struct bl_sandbox sandbox;

    assert_ok(bl_sandbox_open(&sandbox, &file, beside, count, &err), &err);
    assert_int_equal(entries(), 1);
    return sandbox;
}

static void check_gone(struct bl_sandbox *sandbox)
{
    bl_sandbox_close(sandbox);
    assert_int_equal(entries(), 0);
    assert_null(sandbox->path);
    bl_sandbox_close(sandbox); /* again does nothing */
}

/* What "name" from the folder of the main file holds; NULL if there is no such file. */
static const char *content(const struct bl_sandbox *sandbox, const char *name)
{
    static char text[16];
    char path[512];

    snprintf(path, sizeof path, "%.*s/%s",
             (int)(bl_path_last(sandbox->path) - 1 - sandbox->path), sandbox->path, name);
    FILE *stream = fopen(path, "rb");

    if (stream == NULL)
        return NULL;
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    return text;
}

static void test_places(void **state)
{
    const struct bl_sandbox_file beside[] = {
        {"w.bin", bytes, 3, NULL},          {"a/b/c.bin", bytes, 1, NULL},
        {"../secret.bin", bytes, 2, NULL},  {"a/../../../up/two.bin", bytes, 3, NULL},
        {"./here//x.bin", bytes, 3, NULL},  {"empty", bytes, 0, NULL},
        {"link", NULL, 0, "../secret.bin"}, {"nowhere", NULL, 0, "/no/such/file"},
    };
    struct bl_sandbox sandbox = make(beside, BL_COUNT_OF(beside));

    (void)state;
    assert_string_equal(content(&sandbox, "model.onnx"), "ab");
    assert_string_equal(content(&sandbox, "w.bin"), "abc");
    assert_string_equal(content(&sandbox, "a/b/c.bin"), "a");
    assert_string_equal(content(&sandbox, "../secret.bin"), "ab");
    assert_string_equal(content(&sandbox, "a/../../../up/two.bin"), "abc");
    assert_string_equal(content(&sandbox, "here/x.bin"), "abc");
    assert_string_equal(content(&sandbox, "empty"), "");
    assert_string_equal(content(&sandbox, "link"), "ab");
    assert_null(content(&sandbox, "nowhere"));
    check_gone(&sandbox);
}

/* An absolute path is left out, even one that could be written to. */
static void test_absolute(void **state)
{
    char path[512];
    const struct bl_sandbox_file beside[] = {{path, bytes, 3, NULL}, {path, NULL, 0, "x"}};

    (void)state;
    assert_non_null(getcwd(path, sizeof path - 64));
    strcat(path, "/sandbox_test_absolute");
    struct bl_sandbox sandbox = make(beside, BL_COUNT_OF(beside));

    assert_int_not_equal(access(path, F_OK), 0);
    check_gone(&sandbox);
}

/* A link that stands first in the list leads no file out of the sandbox. */
static void test_no_way_through_a_link(void **state)
{
    char target[512], out[600];
    const struct bl_sandbox_file beside[] = {{"door", NULL, 0, target},
                                             {"door/out.bin", bytes, 3, NULL}};
    struct bl_sandbox sandbox;

    (void)state;
    assert_non_null(getcwd(target, sizeof target));
    snprintf(out, sizeof out, "%s/out.bin", target);
    assert_fails(bl_sandbox_open(&sandbox, &file, beside, 2, &err), BL_ERR_IO, &err,
                 "door");
    assert_int_not_equal(access(out, F_OK), 0);
    assert_int_equal(entries(), 0);
}

static void test_refused(void **state)
{
    static const struct {
        const char *paths[2];
        bl_status status;
        const char *why;
    } refused[] = {
        {{"", "x"}, BL_ERR_FORMAT, "'' is no path of a file"},
        {{"x", "a/"}, BL_ERR_FORMAT, "'a/' is no path"},
        {{"a/..", "x"}, BL_ERR_FORMAT, "'a/..' is no path"},
        {{".", "x"}, BL_ERR_FORMAT, "'.' is no path"},
        {{"x", "x"}, BL_ERR_IO, "x: cannot be made"},
        {{"x", "x/y"}, BL_ERR_IO, "x/y: cannot be made"},
        {{"x", "./model.onnx"}, BL_ERR_IO, "model.onnx: cannot be made"},
        {{"../../../../../../../../../../../../../../../../../../../../../../../../../../"
          "../../../../../../../../../../x",
          "y"},
         BL_ERR_FORMAT,
         "36 folders up"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(refused); i++) {
        const struct bl_sandbox_file beside[] = {{refused[i].paths[0], bytes, 1, NULL},
                                                 {refused[i].paths[1], bytes, 1, NULL}};
        struct bl_sandbox sandbox;

        assert_fails(bl_sandbox_open(&sandbox, &file, beside, 2, &err), refused[i].status,
                     &err, refused[i].why);
        assert_int_equal(entries(), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_absolute),
        cmocka_unit_test(test_no_way_through_a_link),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}

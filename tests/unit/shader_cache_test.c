/*
 * shader_cache_test.c - compiled shaders on disk: used, and ignored where they are damaged
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Skipped where there is no device.
 */
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "operands.h"
#include "unit.h"

static bl_error err;

/* Do something to each file of a folder; returns how many there are. */
static int each_file(const char *folder, void (*act)(const char *path))
{
    DIR *files = opendir(folder);
    int count = 0;

    assert_non_null(files);
    for (const struct dirent *file = readdir(files); file != NULL; file = readdir(files)) {
        char path[512];

        if (file->d_name[0] == '.')
            continue;
        count++;
        snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        act(path);
    }
    closedir(files);
    return count;
}

/* Change the last byte of what is cached. */
static void damage(const char *path)
{
    FILE *file = fopen(path, "r+b");

    assert_non_null(file);
    fseek(file, -1, SEEK_END);
    const int last = fgetc(file);

    fseek(file, -1, SEEK_END);
    fputc(last ^ 0xff, file);
    fclose(file);
}

static void cut(const char *path)
{
    assert_int_equal(truncate(path, 20), 0);
}

static void leave(const char *path)
{
    (void)path;
}

static void erase(const char *path)
{
    assert_int_equal(remove(path), 0);
}

/* The sum of a tensor with itself; NULL where the context cannot be made. */
static bl_tensor *sum(const bl_context_options *options, const bl_tensor *a)
{
    const bl_node add = {.op = bl_op_find(NULL, "Add", BL_OPSET_LATEST, &err)};
    bl_context *context = bl_context_new(options, &err);
    bl_tensor *out = NULL;

    if (context == NULL)
        return NULL;
    assert_ok(bl_apply(context, &add, (const bl_tensor *const[]){a, a}, 2, &out, 1, &err),
              &err);
    bl_context_free(context);
    return out;
}

static void test_shader_cache(void **state)
{
    void (*const acts[])(const char *) = {leave, damage, cut, erase, leave};
    char folder[] = "/tmp/broadloom-shaders-XXXXXX";
    bl_context_options options = BL_CONTEXT_DEFAULTS;
    uint64_t seed = 10;

    (void)state;
    bl_tensor *a = random_tensor(BL_FLOAT32, BL_SHAPE(1000), ANY, &seed);
    bl_tensor *want = sum(&options, a);

    assert_non_null(mkdtemp(folder));
    options.backend = "vulkan";
    options.shader_cache = folder;
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        bl_tensor *out = sum(&options, a);

        if (out == NULL) {
            printf("skipped: %s\n", err.message);
            assert_int_equal(rmdir(folder), 0);
            bl_tensor_free(want);
            bl_tensor_free(a);
            skip();
        }
        assert_true(same_tensors(out, want, 0));
        bl_tensor_free(out);
        /* The probe's, the sum's, and what the driver made of both. */
        assert_int_equal(each_file(folder, acts[i]), 3);
    }
    each_file(folder, erase);
    assert_int_equal(rmdir(folder), 0);
    bl_tensor_free(want);
    bl_tensor_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shader_cache),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

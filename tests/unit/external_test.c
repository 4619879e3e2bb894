/*
 * external_test.c - tensors in files beside a model, and files that are none of its business
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The group works in a folder of its own, in which the model's folder is "m".
 */
#include "io_support.h"
#include "onnx_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>

static bl_error err;

/* What w.bin holds, and secret.bin outside. */
static const float weights[] = {1, 2, 3, 4, 5, 6};

static int enter(void **state)
{
    if (folder_enter(state) != 0 || mkdir("m", 0700) != 0 || mkdir("m/sub", 0700) != 0)
        return -1;
    write_floats("secret.bin", weights, BL_COUNT_OF(weights));
    write_floats("m/w.bin", weights, BL_COUNT_OF(weights));
    write_floats("m/sub/w.bin", weights, BL_COUNT_OF(weights));
    write_file("m/empty", "", 0);
    return symlink("../secret.bin", "m/link.bin") || symlink("w.bin", "m/near.bin") ||
           symlink("..", "m/up") || mkfifo("m/pipe", 0600);
}

static int leave(void **state)
{
    static const char *const files[] = {"secret.bin", "m/w.bin",    "m/sub/w.bin",
                                        "m/empty",    "m/link.bin", "m/near.bin",
                                        "m/up",       "m/pipe"};

    for (size_t i = 0; i < BL_COUNT_OF(files); i++)
        if (unlink(files[i]) != 0)
            return -1;
    return rmdir("m/sub") || rmdir("m") || folder_leave(state);
}

/* A model y[2] = x + w, w being the tensor, which is emptied. */
static struct bytes weight_model(struct bytes *tensor)
{
    struct bytes graph = {0};

    add_node(&graph, "Add", "x w", "y");
    put_body(&graph, BL_GRAPH_INITIALIZER, tensor);
    add_inputs(&graph, "x", 2);
    add_outputs(&graph, "y", 2);
    return model_bytes(8, 13, &graph);
}

static bl_model *open_weight(struct bytes *tensor, const char *folder)
{
    struct bytes model = weight_model(tensor);

    memset(&err, 0, sizeof err);
    write_file("m/model.onnx", model.data, model.size);
    bl_model *opened =
        folder == NULL ? bl_model_open(NULL, "m/model.onnx", &err)
                       : bl_model_open_memory(NULL, model.data, model.size, folder, &err);

    bytes_free(&model);
    assert_int_equal(unlink("m/model.onnx"), 0);
    return opened;
}

static void refused(struct bytes tensor, bl_status status, const char *message)
{
    assert_null(open_weight(&tensor, NULL));
    if (err.status != status || strstr(err.message, message) == NULL)
        fail_msg("\"%s\" (%s) instead of \"%s\"", err.message, bl_status_name(err.status),
                 message);
}

/* ---- Found ------------------------------------------------------------------------------ */

static void opens_files_in_the_folder(void **state)
{
    static const struct {
        int64_t count;
        const char *location, *offset, *length;
    } good[] = {
        {6, "w.bin", NULL, NULL},       {6, "w.bin", "0", "24"},
        {2, "w.bin", "16", NULL},       {2, "w.bin", "16", "8"},
        {2, "w.bin", "1", "8"},         {6, "sub/w.bin", NULL, NULL},
        {6, "./sub/w.bin", NULL, NULL}, {0, "w.bin", "24", "0"},
        {0, "w.bin", NULL, NULL},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(good); i++) {
        struct bytes tensor = external_bytes("w", good[i].count, good[i].location,
                                             good[i].offset, good[i].length);
        bl_model *model = open_weight(&tensor, i % 2 == 0 ? NULL : "m");

        if (model == NULL)
            fail_msg("%zu: %s", i, err.message);
        bl_model_free(model);
    }
}

/* Two tensors in one file, the second before the first, and one that is in none. */
static void opens_tensors_in_any_order(void **state)
{
    struct bytes graph = {0};
    struct bytes b = external_bytes("b", 2, "w.bin", "16", "8");
    struct bytes a = external_bytes("a", 3, "w.bin", "0", "12");

    (void)state;
    put_body(&graph, BL_GRAPH_INITIALIZER, &b);
    put_body(&graph, BL_GRAPH_INITIALIZER, &a);
    add_initializer(&graph, "c", BL_SHAPE(1), weights);
    add_outputs(&graph, "b a c", 1);
    struct bytes bytes = model_bytes(8, 13, &graph);
    bl_model *model = bl_model_open_memory(NULL, bytes.data, bytes.size, "m", &err);

    if (model == NULL)
        fail_msg("%s", err.message);
    bl_model_free(model);
    bytes_free(&bytes);
}

/* A tensor's file, read by itself; its elements are copied. */
static void reads_tensor_files(void **state)
{
    struct bytes bytes = external_bytes("w", 2, "w.bin", "4", "8");

    (void)state;
    write_file("m/t.pb", bytes.data, bytes.size);
    bl_tensor *tensor = bl_tensor_read(NULL, "m/t.pb", BL_FORMAT_AUTO, &err);

    if (tensor == NULL)
        fail_msg("%s", err.message);
    assert_memory_equal(bl_tensor_data(tensor), weights + 1, 8);
    assert_non_null(bl_tensor_mutable_data(tensor));
    bl_tensor_free(tensor);
    assert_int_equal(unlink("m/t.pb"), 0);
    assert_null(
        bl_tensor_read_memory(NULL, bytes.data, bytes.size, BL_FORMAT_PB, "t", &err));
    assert_int_equal(err.status, BL_ERR_UNSUPPORTED);
    bytes_free(&bytes);
}

/* ---- Refused --------------------------------------------------------------------------- */

static void refuses_to_leave_the_folder(void **state)
{
    static const struct {
        const char *location, *message;
    } bad[] = {
        {"../secret.bin", "the location '../secret.bin' leaves the model's folder"},
        {"a/../../secret.bin", "leaves the model's folder"},
        {"sub/../../secret.bin", "leaves the model's folder"},
        {"sub/..", "leaves the model's folder"},
        {"..", "leaves the model's folder"},
        {"/srv/secret.bin", "is absolute"},
        {"..\\secret.bin", "has a backslash in it"},
        {"", "is empty"},
        {"sub//w.bin", "has an empty part"},
        {"sub/", "has an empty part"},
        {"a\nb", "has a control character in it"},
        {"link.bin", "'link.bin' of the location 'link.bin' is a symbolic link"},
        {"near.bin", "is a symbolic link"},
        {"up/secret.bin", "'up' of the location 'up/secret.bin' is a symbolic link"},
        {"up/m/w.bin", "is a symbolic link"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(bad); i++)
        refused(external_bytes("w", 6, bad[i].location, NULL, NULL), BL_ERR_FORMAT,
                bad[i].message);
    char *deep = malloc(5001);

    assert_non_null(deep);
    memset(deep, 'a', 5000);
    deep[5000] = '\0';
    refused(external_bytes("w", 6, deep, NULL, NULL), BL_ERR_FORMAT, "is too long");
    free(deep);
}

static void refuses_what_is_no_file(void **state)
{
    static const char *const bad[] = {"missing.bin", "sub",  "sub/missing",
                                      "w.bin/x",     "pipe", "."};

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(bad); i++)
        refused(external_bytes("w", 6, bad[i], NULL, NULL), BL_ERR_IO,
                "external data: cannot read '");
    refused(external_bytes("w", 6, "pipe", NULL, NULL), BL_ERR_IO,
            "initializer 'w': m/model.onnx: byte 62: external data: cannot read 'pipe' in "
            "folder m: not a regular file");
}

/* What a folder of the system holds says of itself that it is a regular file, or is a link to anywhere. */
static void refuses_what_the_system_makes_up(void **state)
{
    static const char *const bad[] = {"environ", "mem",  "maps",       "root/etc/passwd",
                                      "exe",     "fd/0", "cwd/m/w.bin"};

    (void)state;
    if (access("/proc/self/environ", R_OK) != 0)
        skip();
    for (size_t i = 0; i < BL_COUNT_OF(bad); i++) {
        struct bytes tensor = external_bytes("w", 2, bad[i], NULL, NULL);

        assert_null(open_weight(&tensor, "/proc/self"));
        assert_non_null(strstr(err.message, i < 3 ? "8 bytes are needed, there are 0"
                                                  : "is a symbolic link"));
    }
}

static void refuses_devices(void **state)
{
    struct bytes tensor = external_bytes("w", 2, "zero", NULL, NULL);

    (void)state;
    assert_null(open_weight(&tensor, "/dev"));
    assert_non_null(strstr(err.message, "cannot read 'zero' in folder /dev: not a regular "
                                        "file"));
}

/* It cannot be told from the file's first name; who could make it could have copied the file. */
static void takes_hard_links(void **state)
{
    struct bytes tensor = external_bytes("w", 6, "hard.bin", NULL, NULL);

    (void)state;
    assert_int_equal(link("secret.bin", "m/hard.bin"), 0);
    bl_model *model = open_weight(&tensor, NULL);

    assert_non_null(model);
    bl_model_free(model);
    assert_int_equal(unlink("m/hard.bin"), 0);
}

/* A folder that may be entered, but not listed. */
static void needs_no_list_of_the_folder(void **state)
{
    struct bytes tensor = external_bytes("w", 6, "w.bin", NULL, NULL);

    (void)state;
#if defined(__linux__)
    assert_int_equal(chmod("m", 0300), 0);
    bl_model *model = open_weight(&tensor, NULL);

    assert_int_equal(chmod("m", 0700), 0);
    assert_non_null(model);
    bl_model_free(model);
#else
    bytes_free(&tensor);
#endif
}

static void refuses_places_that_do_not_fit(void **state)
{
    static const struct {
        int64_t count;
        const char *offset, *length, *message;
    } bad[] = {
        {2, "18446744073709551608", "16", "are out of the bounds of 'w.bin', which has 24"},
        {2, "25", NULL, "offset 25 and length 0 are out of the bounds"},
        {2, "20", "8", "offset 20 and length 8 are out of the bounds"},
        {2, "0", "18446744073709551615", "are out of the bounds"},
        {2, "0", "4", "data size mismatch: 8 bytes are needed, there are 4 in 'w.bin'"},
        {2, NULL, NULL, "data size mismatch: 8 bytes are needed, there are 24"},
        {0, NULL, "4", "data size mismatch: 0 bytes are needed, there are 4"},
        {2, "18446744073709551616", NULL, "'18446744073709551616' is no offset or length"},
        {2, "-1", NULL, "'-1' is no offset or length"},
        {2, " 8", NULL, "' 8' is no offset or length"},
        {2, "", NULL, "'' is no offset or length"},
        {2, NULL, "0x8", "'0x8' is no offset or length"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(bad); i++)
        refused(external_bytes("w", bad[i].count, "w.bin", bad[i].offset, bad[i].length),
                BL_ERR_FORMAT, bad[i].message);
    refused(external_bytes("w", 1, "empty", NULL, NULL), BL_ERR_FORMAT,
            "data size mismatch: 4 bytes are needed, there are 0");
    refused(external_bytes("w", 2, NULL, "0", "8"), BL_ERR_FORMAT, "there is no location");
}

static void refuses_data_in_two_places(void **state)
{
    struct bytes tensor = external_bytes("w", 2, "w.bin", "0", "8");

    (void)state;
    put_data(&tensor, BL_TENSOR_RAW_DATA, "zzzzzzzz", 8);
    refused(tensor, BL_ERR_FORMAT, "conflicting data: both external data and raw_data");
    tensor = external_bytes("w", 2, "w.bin", "0", "8");
    put_float(&tensor, 4, 1.0F);
    refused(tensor, BL_ERR_FORMAT, "conflicting data: both external data and float_data");
    tensor = external_bytes("w", 2, "w.bin", "0", "8");
    put_number(&tensor, BL_TENSOR_DATA_TYPE, BL_STRING);
    refused(tensor, BL_ERR_FORMAT, "strings are in string_data, not in a file");
}

static void refuses_a_missing_folder(void **state)
{
    struct bytes tensor = external_bytes("w", 6, "w.bin", NULL, NULL);

    (void)state;
    assert_null(open_weight(&tensor, "nowhere"));
    assert_int_equal(err.status, BL_ERR_IO);
    assert_non_null(strstr(err.message, "cannot read 'w.bin' in folder nowhere: "));
}

/* The number of open files, as the next one would get it. */
static int next_file(void)
{
    const int fd = open(".", O_RDONLY);

    close(fd);
    return fd;
}

static void closes_all_files(void **state)
{
    static const char *const locations[] = {"w.bin",      "sub/w.bin", "link.bin",
                                            "up/m/w.bin", "missing",   "sub/none",
                                            "pipe",       "sub"};
    const int before = next_file();

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(locations); i++) {
        struct bytes tensor = external_bytes("w", 6, locations[i], NULL, NULL);

        bl_model_free(open_weight(&tensor, NULL));
        assert_int_equal(next_file(), before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_files_in_the_folder),
        cmocka_unit_test(opens_tensors_in_any_order),
        cmocka_unit_test(reads_tensor_files),
        cmocka_unit_test(refuses_to_leave_the_folder),
        cmocka_unit_test(refuses_what_is_no_file),
        cmocka_unit_test(refuses_what_the_system_makes_up),
        cmocka_unit_test(refuses_devices),
        cmocka_unit_test(takes_hard_links),
        cmocka_unit_test(needs_no_list_of_the_folder),
        cmocka_unit_test(refuses_places_that_do_not_fit),
        cmocka_unit_test(refuses_data_in_two_places),
        cmocka_unit_test(refuses_a_missing_folder),
        cmocka_unit_test(closes_all_files),
    };

    return cmocka_run_group_tests(tests, enter, leave);
}

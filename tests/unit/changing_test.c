/*
 * changing_test.c - files that change while they are being read
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bus_errors.h"
#include "io_support.h"
#include "onnx_bytes.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

static bl_error err;

struct changer {
    atomic_bool stop;
    void (*change)(int round);
};

/* Until it is stopped, and then until what an even round changed is changed back. */
static void *change_on(void *argument)
{
    struct changer *changer = argument;

    for (int round = 0; round % 2 != 0 || !atomic_load(&changer->stop); round++)
        changer->change(round);
    return NULL;
}

/* Open the model again and again while it changes.  Returns how often it could be opened. */
static int open_while(void (*change)(int round), int times)
{
    struct changer changer = {.change = change};
    pthread_t thread;
    bl_error wrong = {0};
    int opened = 0;

    atomic_init(&changer.stop, false);
    assert_int_equal(pthread_create(&thread, NULL, change_on, &changer), 0);
    for (int i = 0; i < times; i++) {
        memset(&err, 0, sizeof err);
        bl_model *model = bl_model_open(NULL, "model", &err);

        opened += model != NULL;
        if (model == NULL && err.status != BL_ERR_IO && err.status != BL_ERR_FORMAT &&
            err.status != BL_ERR_ATTRIBUTE)
            wrong = err;
        bl_model_free(model);
    }
    atomic_store(&changer.stop, true);
    pthread_join(thread, NULL);
    if (wrong.status != BL_OK)
        fail_msg("%s: %s", bl_status_name(wrong.status), wrong.message);
    return opened;
}

#define LIST 40000 /* of int64, in ten bytes each */

static void cut_and_grow(int round)
{
    (void)!truncate("model", round % 2 == 0 ? 8192 : 10 * LIST + 200);
}

/* Numbers of ten bytes become ten numbers of one byte, and back. */
static void change_numbers(int round)
{
    static unsigned char bytes[10 * LIST];
    const int fd = open("model", O_WRONLY);

    memset(bytes, round % 2 == 0 ? 1 : 0xFF, sizeof bytes);
    for (size_t i = 9; round % 2 == 1 && i < sizeof bytes; i += 10)
        bytes[i] = 1;
    (void)!pwrite(fd, bytes, sizeof bytes - 200, 150);
    close(fd);
}

/* A Constant with a list of many numbers, which are counted and then read. */
static void write_list(void)
{
    struct bytes graph = {0}, list = {0}, node = node_bytes("Constant", "", "y");
    struct bytes attribute = attribute_bytes("value_ints", BL_ATTRIBUTE_INTS);

    list.size = list.capacity = (size_t)10 * LIST;
    list.data = malloc(list.capacity);
    assert_non_null(list.data);
    for (size_t i = 0; i < list.size; i++) /* -1, LIST times */
        list.data[i] = i % 10 == 9 ? 1 : 0xFF;
    put_body(&attribute, BL_ATTRIBUTE_FIELD_INTS, &list);
    put_body(&node, BL_NODE_ATTRIBUTE, &attribute);
    put_body(&graph, BL_GRAPH_NODE, &node);
    add_outputs(&graph, "y", LIST);
    struct bytes model = model_bytes(8, 13, &graph);

    write_file("model", model.data, model.size);
    bytes_free(&model);
}

static void takes_no_more_than_it_counted(void **state)
{
    (void)state;
    write_list();
    open_while(change_numbers, 300);
    assert_int_equal(unlink("model"), 0);
}

static void takes_no_more_than_is_left(void **state)
{
    (void)state;
    needs_bus_addresses();
    write_list();
    open_while(cut_and_grow, 300);
    assert_int_equal(unlink("model"), 0);
}

/* ---- Folders --------------------------------------------------------------------------------- */

#define INSIDE 1.0F
#define OUTSIDE 666.0F

/* In even rounds what has that name is put aside, and a link stands in its place; in odd ones it comes
 * back. */
static void swap_for_link(int round, const char *name, const char *aside,
                          const char *target)
{
    if (round % 2 == 0) {
        (void)!rename(name, aside);
        (void)!symlink(target, name);
    } else {
        (void)!unlink(name);
        (void)!rename(aside, name);
    }
}

/* The folder in which the elements are becomes a link out of the model's, and back. */
static void swap_sub(int round)
{
    swap_for_link(round, "m/sub", "m/real", "../outside");
}

/* The same with the file in it; it comes back over the link. */
static void swap_file(int round)
{
    if (round % 2 == 0)
        swap_for_link(round, "m/sub/w.bin", "m/sub/real", "../../outside/w.bin");
    else
        (void)!rename("m/sub/real", "m/sub/w.bin");
}

/* The model's folder becomes another, in which there is no model, but a file of that name. */
static void swap_folder(int round)
{
    swap_for_link(round, "m", "real", "other");
}

static void write_elements(const char *path, float value)
{
    const float elements[] = {value, value};

    write_floats(path, elements, BL_COUNT_OF(elements));
}

/* Open m/model, whose initializer lies in m/sub/w.bin, while `change` goes on; what it opens is always what
 * lies in the model's folder. */
static int open_inside(void (*change)(int round), int times)
{
    struct changer changer = {.change = change};
    pthread_t thread;
    int opened = 0, outside = 0;

    atomic_init(&changer.stop, false);
    assert_int_equal(pthread_create(&thread, NULL, change_on, &changer), 0);
    for (int i = 0; i < times; i++) {
        bl_model *model = bl_model_open(NULL, "m/model", &err);

        for (size_t v = 0; model != NULL && v < bl_model_value_count(model); v++) {
            const bl_tensor *w = bl_model_initializer(model, v);

            opened += w != NULL;
            outside += w != NULL && ((const float *)bl_tensor_data(w))[0] != INSIDE;
        }
        bl_model_free(model);
    }
    atomic_store(&changer.stop, true);
    pthread_join(thread, NULL);
    assert_int_equal(outside, 0);
    return opened;
}

static void make_folders(void)
{
    struct bytes tensor = external_bytes("w", 2, "sub/w.bin", NULL, NULL), graph = {0};

    add_node(&graph, "Add", "x w", "y");
    put_body(&graph, BL_GRAPH_INITIALIZER, &tensor);
    add_inputs(&graph, "x", 2);
    add_outputs(&graph, "y", 2);
    struct bytes model = model_bytes(8, 13, &graph);

    assert_int_equal(mkdir("m", 0700) | mkdir("m/sub", 0700) | mkdir("outside", 0700) |
                         mkdir("other", 0700) | mkdir("other/sub", 0700),
                     0);
    write_file("m/model", model.data, model.size);
    write_elements("m/sub/w.bin", INSIDE);
    write_elements("outside/w.bin", OUTSIDE);
    write_elements("other/sub/w.bin", OUTSIDE);
    bytes_free(&model);
}

static void stays_in_the_folder(void **state)
{
    static void (*const changes[])(int round) = {swap_sub, swap_file, swap_folder};

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(changes); i++) {
        int opened = 0;

        make_folders();
        /* Some attempts come at the right moment. */
        for (int round = 0; round < 20 && opened == 0; round++)
            opened += open_inside(changes[i], 1000);
        assert_true(opened > 0);
        assert_int_equal(system("rm -rf m real outside other"), 0);
    }
}

/* ---- Tensors -------------------------------------------------------------------------------- */

#define COUNT 200000

static void cut_tensor(int round)
{
    (void)!truncate("w.bin", round % 2 == 0 ? 0 : COUNT * (off_t)sizeof(float));
}

/* Elements of a .pb in another file; what was cut away reads as zeros for a while, so that only the status
 * can be told. */
static void reads_tensors_that_are_cut(void **state)
{
    struct changer changer = {.change = cut_tensor};
    pthread_t thread;

    (void)state;
    needs_bus_addresses();
    struct bytes tensor = external_bytes("w", COUNT, "w.bin", NULL, NULL);
    float *w = calloc(COUNT, sizeof *w);

    assert_non_null(w);
    write_file("w.bin", w, COUNT * sizeof *w);
    free(w);
    write_file("model", tensor.data, tensor.size);
    bytes_free(&tensor);
    atomic_init(&changer.stop, false);
    assert_int_equal(pthread_create(&thread, NULL, change_on, &changer), 0);
    for (int i = 0; i < 300; i++) {
        bl_tensor *read = bl_tensor_read(NULL, "model", BL_FORMAT_PB, &err);

        assert_true(read != NULL || err.status == BL_ERR_IO || err.status == BL_ERR_FORMAT);
        bl_tensor_free(read);
    }
    atomic_store(&changer.stop, true);
    pthread_join(thread, NULL);
    assert_int_equal(unlink("model"), 0);
    assert_int_equal(unlink("w.bin"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_no_more_than_it_counted),
        cmocka_unit_test(takes_no_more_than_is_left),
        cmocka_unit_test(stays_in_the_folder),
        cmocka_unit_test(reads_tensors_that_are_cut),
    };

    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}

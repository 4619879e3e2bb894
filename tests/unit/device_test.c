/*
 * device_test.c - tensors and steps on a GPU, against the CPU; skipped where there is none
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The same bits are asked for everywhere, so only exact operators are used here.
 */
#include <stdio.h>

#include "backends/vulkan/vulkan.h"
#include "base/mem.h"
#include "operands.h"
#include "unit.h"

static bl_error err;
static bl_context *cpu;
static bl_context *gpu; /* NULL: there is no device, and `err` says why */

static int open_contexts(void **state)
{
    bl_context_options options = BL_CONTEXT_DEFAULTS;

    (void)state;
    cpu = bl_context_new(NULL, &err);
    options.backend = "vulkan";
    options.timed = 1;
    gpu = bl_context_new(&options, &err);
    if (gpu == NULL)
        printf("skipped: %s\n", err.message);
    return cpu == NULL;
}

static int close_contexts(void **state)
{
    (void)state;
    bl_context_free(cpu);
    bl_context_free(gpu);
    return 0;
}

#define SKIP_WITHOUT_DEVICE() \
    do {                      \
        if (gpu == NULL)      \
            skip();           \
    } while (0)

/* ---- Helpers ----------------------------------------------------------------------------------- */

static bl_node node_of(const char *op)
{
    const bl_node node = {.op = bl_op_find(NULL, op, BL_OPSET_LATEST, &err)};

    assert_non_null(node.op);
    return node;
}

/* A copy on the device. */
static bl_tensor *on_device(const bl_tensor *from)
{
    bl_tensor *to =
        bl_tensor_new_on_device(gpu, bl_tensor_dtype(from), bl_tensor_shape(from), &err);

    assert_non_null(to);
    assert_true(bl_tensor_is_on_device(to));
    assert_null(bl_tensor_data(to));
    assert_ok(bl_tensor_upload(to, bl_tensor_data(from), &err), &err);
    return to;
}

/* A copy on the host. */
static bl_tensor *on_host(const bl_tensor *from)
{
    bl_tensor *to = bl_tensor_new(NULL, bl_tensor_dtype(from), bl_tensor_shape(from), &err);

    assert_non_null(to);
    assert_ok(bl_tensor_download(from, bl_tensor_mutable_data(to), &err), &err);
    return to;
}

static bl_tensor *apply(bl_context *context, const char *op, const bl_tensor *const *inputs,
                        size_t count)
{
    const bl_node node = node_of(op);
    bl_tensor *out = NULL;

    assert_ok(bl_apply(context, &node, inputs, count, &out, 1, &err), &err);
    return out;
}

/* The operator on the CPU, on the device with the host's tensors, and with the device's. */
static void check_everywhere(const char *op, bl_tensor *const *inputs, size_t count)
{
    const bl_tensor *const *given = (const bl_tensor *const *)inputs;
    const bl_tensor *there[4];
    bl_tensor *want = apply(cpu, op, given, count);
    bl_tensor *staged = apply(gpu, op, given, count);

    assert_false(bl_tensor_is_on_device(staged));
    assert_true(same_tensors(staged, want, 0));
    for (size_t i = 0; i < count; i++)
        there[i] = on_device(inputs[i]);
    bl_tensor *kept = apply(gpu, op, there, count);
    assert_true(bl_tensor_is_on_device(kept));
    bl_tensor *back = on_host(kept);

    assert_true(same_tensors(back, want, 0));
    for (size_t i = 0; i < count; i++) {
        bl_tensor_free((bl_tensor *)(uintptr_t)there[i]);
        bl_tensor_free(inputs[i]);
    }
    bl_tensor_free(back);
    bl_tensor_free(kept);
    bl_tensor_free(staged);
    bl_tensor_free(want);
}

static bl_tensor *ints(const int64_t *values, int count)
{
    bl_tensor *tensor = bl_tensor_new(NULL, BL_INT64, BL_SHAPE(count), &err);

    assert_non_null(tensor);
    memcpy(bl_tensor_mutable_data(tensor), values, (size_t)count * sizeof *values);
    return tensor;
}

/* ---- Tensors ----------------------------------------------------------------------------------- */

static void test_copies(void **state)
{
    uint64_t seed = 1;

    (void)state;
    SKIP_WITHOUT_DEVICE();
    for (int dtype = 1; dtype < BL_DTYPE_COUNT; dtype++) {
        if (dtype == BL_STRING)
            continue;
        bl_tensor *from = random_tensor((bl_dtype)dtype, BL_SHAPE(7, 13), ANY, &seed);
        bl_tensor *there = on_device(from);
        bl_tensor *back = on_host(there);

        assert_memory_equal(bl_tensor_data(back), bl_tensor_data(from),
                            91 * bl_dtype_size((bl_dtype)dtype));
        assert_ok(bl_tensor_map(there, &err), &err);
        assert_memory_equal(bl_tensor_data(there), bl_tensor_data(from),
                            91 * bl_dtype_size((bl_dtype)dtype));
        memset(bl_tensor_mutable_data(there), 1, 91 * bl_dtype_size((bl_dtype)dtype));
        assert_fails(bl_tensor_download(there, bl_tensor_mutable_data(back), &err),
                     BL_ERR_ARGUMENT, &err, "mapped");
        assert_ok(bl_tensor_unmap(there, &err), &err);
        assert_null(bl_tensor_data(there));
        assert_ok(bl_tensor_download(there, bl_tensor_mutable_data(back), &err), &err);
        assert_int_equal(((const char *)bl_tensor_data(back))[90], 1);
        bl_tensor_free(from);
        bl_tensor_free(there);
        bl_tensor_free(back);
    }
}

/* Without memory that the host shares, copies go through a buffer of 32 MiB. */
static void test_staged_copies(void **state)
{
    const struct bl_vk_options options = {.device = -1, .staged = true};
    const size_t bytes = ((size_t)70 << 20) + 3;
    unsigned char *from = malloc(bytes), *back = malloc(bytes);
    struct bl_vk *vk = NULL;
    uint64_t seed = 2;

    (void)state;
    if (gpu == NULL || from == NULL || back == NULL) {
        free(from);
        free(back);
        skip();
    }
    for (size_t i = 0; i < bytes; i++)
        from[i] = (unsigned char)(i % 64 == 0 ? next_random(&seed) : i * 7);
    assert_ok(bl_vk_open(&bl_allocator_default, &options, &vk, &err), &err);
    unsigned char *place = bl_vk_alloc(vk, bytes + 5, &err);

    assert_non_null(place);
    assert_true(bl_vk_has(vk, place + bytes));
    assert_false(bl_vk_has(vk, from));
    assert_null(bl_vk_mapped(vk, place));
    assert_ok(bl_vk_upload(vk, place + 5, from, bytes, &err), &err);
    assert_ok(bl_vk_download(vk, place + 5, back, bytes, &err), &err);
    assert_memory_equal(from, back, bytes);
    assert_ok(bl_vk_download(vk, place + 5 + 1001, back, 77, &err), &err);
    assert_memory_equal(from + 1001, back, 77);
    bl_vk_free(vk, place);
    assert_false(bl_vk_has(vk, place) && bl_vk_alloc(vk, SIZE_MAX - 1, &err) != NULL);
    bl_vk_let_go(vk);
    free(from);
    free(back);
}

static void test_places_are_given_back(void **state)
{
    const struct bl_vk_options options = {.device = -1};
    struct bl_vk *vk = NULL;
    char *places[600];
    uint64_t seed = 3;

    (void)state;
    SKIP_WITHOUT_DEVICE();
    assert_ok(bl_vk_open(&bl_allocator_default, &options, &vk, &err), &err);
    for (size_t i = 0; i < 600; i++) {
        places[i] = bl_vk_alloc(vk, next_random(&seed) % 300000, &err);
        assert_non_null(places[i]);
        assert_int_equal((uintptr_t)places[i] % 256, 0);
        if (i % 3 == 2) { /* its neighbours are untouched */
            const uint32_t number = (uint32_t)i;

            assert_ok(bl_vk_upload(vk, places[i - 1], &number, 0, &err), &err);
            bl_vk_free(vk, places[i - 2]);
            places[i - 2] = bl_vk_alloc(vk, next_random(&seed) % 1000 + 4, &err);
            assert_ok(bl_vk_upload(vk, places[i - 2], &number, sizeof number, &err), &err);
        }
    }
    for (size_t i = 0; i + 2 < 600; i += 3) {
        uint32_t number;

        assert_ok(bl_vk_download(vk, places[i], &number, sizeof number, &err), &err);
        assert_int_equal(number, i + 2);
    }
    bl_vk_let_go(vk); /* frees what is left */
}

/* ---- Operators --------------------------------------------------------------------------------- */

static void test_pointwise(void **state)
{
    uint64_t seed = 4;

    (void)state;
    SKIP_WITHOUT_DEVICE();
    check_everywhere(
        "Add",
        (bl_tensor *[]){random_tensor(BL_FLOAT32, BL_SHAPE(40, 50), ANY, &seed),
                        random_tensor(BL_FLOAT32, BL_SHAPE(50), ANY, &seed)},
        2);
    check_everywhere("Max",
                     (bl_tensor *[]){random_tensor(BL_FLOAT16, BL_SHAPE(3, 1), ANY, &seed),
                                     random_tensor(BL_FLOAT16, BL_SHAPE(1, 5), ANY, &seed),
                                     random_tensor(BL_FLOAT16, BL_SCALAR, ANY, &seed)},
                     3);
    check_everywhere("Mul",
                     (bl_tensor *[]){random_tensor(BL_UINT8, BL_SHAPE(333), ANY, &seed),
                                     random_tensor(BL_UINT8, BL_SHAPE(333), ANY, &seed)},
                     2);
    check_everywhere("Where",
                     (bl_tensor *[]){random_tensor(BL_BOOL, BL_SHAPE(9, 1), ANY, &seed),
                                     random_tensor(BL_INT64, BL_SHAPE(9, 7), ANY, &seed),
                                     random_tensor(BL_INT64, BL_SHAPE(7), ANY, &seed)},
                     3);
    check_everywhere("Add",
                     (bl_tensor *[]){random_tensor(BL_INT16, BL_SHAPE(0, 4), ANY, &seed),
                                     random_tensor(BL_INT16, BL_SHAPE(4), ANY, &seed)},
                     2);
}

/* What the host does, or reads, of the device's tensors. */
static void test_host_work(void **state)
{
    uint64_t seed = 5;

    (void)state;
    SKIP_WITHOUT_DEVICE();
    check_everywhere("Transpose",
                     (bl_tensor *[]){random_tensor(BL_FLOAT32, BL_SHAPE(6, 5), ANY, &seed)},
                     1);
    check_everywhere("Reshape",
                     (bl_tensor *[]){random_tensor(BL_INT8, BL_SHAPE(6, 5), ANY, &seed),
                                     ints((const int64_t[]){3, -1}, 2)},
                     2);
    check_everywhere("Expand",
                     (bl_tensor *[]){random_tensor(BL_UINT16, BL_SHAPE(6, 1), ANY, &seed),
                                     ints((const int64_t[]){6, 5}, 2)},
                     2);
    check_everywhere(
        "Shape", (bl_tensor *[]){random_tensor(BL_INT8, BL_SHAPE(6, 5), ANY, &seed)}, 1);
    check_everywhere("Gather",
                     (bl_tensor *[]){random_tensor(BL_FLOAT32, BL_SHAPE(6, 5), ANY, &seed),
                                     ints((const int64_t[]){5, 0, 3}, 3)},
                     2);
}

static void test_given_outputs(void **state)
{
    const bl_node add = node_of("Add");
    uint64_t seed = 6;

    (void)state;
    SKIP_WITHOUT_DEVICE();
    bl_tensor *a = random_tensor(BL_INT32, BL_SHAPE(8, 6), ANY, &seed);
    bl_tensor *b = random_tensor(BL_INT32, BL_SHAPE(6), ANY, &seed);
    const bl_tensor *inputs[] = {a, b};
    bl_tensor *want = apply(cpu, "Add", inputs, 2);
    int32_t memory[96];
    bl_tensor *strided = bl_tensor_borrow_mutable(NULL, BL_INT32, BL_SHAPE(8, 6),
                                                  (const int64_t[]){12, 2}, memory, &err);
    bl_tensor *there = on_device(a);

    memset(memory, 0x55, sizeof memory);
    assert_ok(bl_apply(gpu, &add, inputs, 2, &strided, 1, &err), &err);
    for (int i = 0; i < 48; i++) {
        assert_int_equal(memory[2 * i], ((const int32_t *)bl_tensor_data(want))[i]);
        assert_int_equal(memory[2 * i + 1], 0x55555555);
    }
    /* In place, on the device and on the host. */
    assert_ok(bl_apply(gpu, &add, (const bl_tensor *const[]){there, b}, 2, &there, 1, &err),
              &err);
    bl_tensor *back = on_host(there);

    assert_true(same_tensors(back, want, 0));
    assert_ok(bl_apply(gpu, &add, inputs, 2, &a, 1, &err), &err);
    assert_true(same_tensors(a, want, 0));
    bl_tensor_free(back);
    bl_tensor_free(there);
    bl_tensor_free(strided);
    bl_tensor_free(want);
    bl_tensor_free(a);
    bl_tensor_free(b);
}

/* Of many elements that fail, the first one is named, as on the CPU. */
static void test_division_by_zero(void **state)
{
    const bl_node div = node_of("Div");
    bl_error expected;
    uint64_t seed = 7;

    (void)state;
    SKIP_WITHOUT_DEVICE();
    bl_tensor *a = random_tensor(BL_INT32, BL_SHAPE(300, 7), ANY, &seed);
    bl_tensor *b = random_tensor(BL_INT32, BL_SHAPE(300, 7), NO_ZERO, &seed);
    const bl_tensor *inputs[] = {a, b};
    bl_tensor *out = NULL;

    for (int i = 1500; i < 2100; i += 3)
        ((int32_t *)bl_tensor_mutable_data(b))[i] = 0;
    assert_int_equal(bl_apply(cpu, &div, inputs, 2, &out, 1, &expected), BL_ERR_ARITHMETIC);
    assert_fails(bl_apply(gpu, &div, inputs, 2, &out, 1, &err), BL_ERR_ARITHMETIC, &err,
                 expected.message);
    assert_null(out);
    bl_tensor_free(a);
    bl_tensor_free(b);
}

static void test_wrong_tensors(void **state)
{
    const bl_node add = node_of("Add");
    uint64_t seed = 8;

    (void)state;
    SKIP_WITHOUT_DEVICE();
    bl_tensor *a = random_tensor(BL_INT32, BL_SHAPE(8), ANY, &seed);
    bl_tensor *there = on_device(a);
    const bl_tensor *inputs[] = {a, there};
    bl_tensor *out = NULL;

    assert_fails(bl_apply(cpu, &add, inputs, 2, &out, 1, &err), BL_ERR_ARGUMENT, &err,
                 "input 1 lies on the device of another context");
    assert_fails(bl_tensor_write(there, "there.npy", BL_FORMAT_AUTO, &err), BL_ERR_ARGUMENT,
                 &err, "download it first");
    assert_ok(bl_tensor_map(there, &err), &err);
    assert_fails(bl_apply(gpu, &add, inputs, 2, &out, 1, &err), BL_ERR_ARGUMENT, &err,
                 "unmap it");
    assert_ok(bl_tensor_unmap(there, &err), &err);
    assert_ok(bl_apply(gpu, &add, inputs, 2, &out, 1, &err), &err);
    bl_tensor_free(out);
    bl_tensor_free(there);
    bl_tensor_free(a);
}

static void test_unknown_backends(void **state)
{
    static const char *const names[] = {"", "cuda", "vulkan:", "vulkan:x", "vulkan:99999"};
    bl_context_options options = BL_CONTEXT_DEFAULTS;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        options.backend = names[i];
        assert_null(bl_context_new(&options, &err));
        assert_int_equal(err.status, BL_ERR_ARGUMENT);
    }
    options.backend = "vulkan:999"; /* what is wrong first depends on what there is */
    assert_null(bl_context_new(&options, &err));
    assert_true(err.status == BL_ERR_ARGUMENT || (gpu == NULL && err.message[0] != '\0'));
}

static void test_timings(void **state)
{
    uint64_t seed = 9;
    bl_timing timing;

    (void)state;
    SKIP_WITHOUT_DEVICE();
    bl_tensor *a = random_tensor(BL_FLOAT32, BL_SHAPE(1000), ANY, &seed);
    const bl_tensor *inputs[] = {a, a};

    bl_context_forget_timings(gpu);
    assert_int_equal(bl_context_timing(gpu, 0, &timing), 0);
    bl_tensor_free(apply(gpu, "Add", inputs, 2));
    bl_tensor_free(apply(gpu, "Sub", inputs, 2));
    assert_int_equal(bl_context_timing(gpu, 1, &timing), 1);
    assert_string_equal(timing.what, "Sub");
    assert_int_equal(bl_context_timing(gpu, 2, &timing), 0);
    assert_int_equal(timing.bytes, timing.bytes / 4000 * 4000);
    bl_tensor_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_staged_copies),
        cmocka_unit_test(test_places_are_given_back),
        cmocka_unit_test(test_pointwise),
        cmocka_unit_test(test_host_work),
        cmocka_unit_test(test_given_outputs),
        cmocka_unit_test(test_division_by_zero),
        cmocka_unit_test(test_wrong_tensors),
        cmocka_unit_test(test_unknown_backends),
        cmocka_unit_test(test_timings),
    };

    return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}

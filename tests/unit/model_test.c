/*
 * model_test.c - models through the public interface: files, memory, what they say
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io_support.h"
#include "onnx_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "api/context.h"
#include "api/model.h"
#include "io/elements.h"

static bl_error err;

static void write_model(const char *path, struct bytes *model)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(model->data, 1, model->size, file), model->size);
    assert_int_equal(fclose(file), 0);
    bytes_free(model);
}

static struct bytes small_model(void)
{
    struct bytes graph = add_constant_graph();

    add_inputs(&graph, "c", 3);
    return model_bytes(8, 13, &graph);
}

static const bl_tensor *constant(const bl_model *model, const char *name)
{
    for (size_t i = 0; i < model->graph->value_count; i++)
        if (strcmp(model->graph->values[i].info.name, name) == 0)
            return model->graph->values[i].constant;
    return NULL;
}

/* ---- What a model says ------------------------------------------------------------------ */

static void check_small(const bl_model *model)
{
    assert_int_equal(bl_model_input_count(model), 2);
    assert_int_equal(bl_model_output_count(model), 1);
    const bl_value_info *x = bl_model_input(model, 0);
    const bl_value_info *c = bl_model_input(model, 1);

    assert_string_equal(x->name, "x");
    assert_int_equal(x->dtype, BL_FLOAT32);
    assert_int_equal(x->rank, 1);
    assert_int_equal(x->dims[0], 3);
    assert_null(x->dim_names[0]);
    assert_false(x->has_default);
    assert_string_equal(c->name, "c");
    assert_true(c->has_default);
    assert_string_equal(bl_model_output(model, 0)->name, "y");
    assert_null(bl_model_input(model, 2));
    assert_null(bl_model_output(model, 1));
}

static void opens_memory_and_files(void **state)
{
    struct bytes bytes = small_model();
    bl_model *model = bl_model_open_memory(NULL, bytes.data, bytes.size, NULL, &err);

    (void)state;
    if (model == NULL)
        fail_msg("%s", err.message);
    check_small(model);
    bl_model_free(model);
    write_model("small.onnx", &bytes);
    model = bl_model_open(NULL, "small.onnx", &err);
    if (model == NULL)
        fail_msg("%s", err.message);
    assert_int_equal(unlink("small.onnx"), 0);
    assert_false(model->map.mapped); /* it is small */
    check_small(model);
    assert_memory_equal(constant(model, "c")->data, ((const float[]){10, 20, 30}), 12);
    bl_model_free(model);
    bl_model_free(NULL);
}

static void opens_a_pipe(void **state)
{
    struct bytes bytes = small_model();
    int ends[2];
    char path[32];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], bytes.data, bytes.size), bytes.size);
    assert_int_equal(close(ends[1]), 0);
    bytes_free(&bytes);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    bl_model *model = bl_model_open(NULL, path, &err);

    if (model == NULL)
        fail_msg("%s", err.message);
    assert_false(model->map.mapped);
    check_small(model);
    bl_model_free(model);
    assert_int_equal(close(ends[0]), 0);
}

static void refuses_arguments(void **state)
{
    (void)state;
    assert_null(bl_model_open(NULL, NULL, &err));
    assert_int_equal(err.status, BL_ERR_ARGUMENT);
    assert_null(bl_model_open_memory(NULL, NULL, 1, NULL, &err));
    assert_int_equal(err.status, BL_ERR_ARGUMENT);
    assert_null(bl_model_open_memory(NULL, NULL, 0, NULL, &err));
    assert_int_equal(err.status, BL_ERR_FORMAT);
    assert_string_equal(err.message,
                        "model: byte 0: not an ONNX model: there is no ir_version");
    assert_null(bl_model_open(NULL, "no/such.onnx", &err));
    assert_int_equal(err.status, BL_ERR_IO);
    assert_non_null(strstr(err.message, "cannot read no/such.onnx: "));
    assert_null(bl_model_open(NULL, ".", &err));
    assert_int_equal(err.status, BL_ERR_IO);
    assert_null(bl_model_open(NULL, "no/such.onnx", NULL));
    close(open("empty.onnx", O_CREAT | O_WRONLY, 0600));
    assert_null(bl_model_open(NULL, "empty.onnx", &err));
    assert_int_equal(err.status, BL_ERR_FORMAT);
    assert_int_equal(unlink("empty.onnx"), 0);
}

/* ---- Zero copy ------------------------------------------------------------------------------ */

/* A model with one initializer, whose elements begin at a multiple of 16 and `shift`. */
static struct bytes shifted_model(bl_dtype dtype, size_t count, size_t shift)
{
    for (size_t pad = 0;; pad++) {
        char name[64] = "w";
        unsigned char raw[256];
        struct bytes graph = {0}, tensor, model;

        memset(name + 1, 'w', pad);
        for (size_t i = 0; i < sizeof raw; i++)
            raw[i] = (unsigned char)(i * 7 + 1);
        tensor = tensor_bytes(name, dtype, BL_SHAPE((int64_t)count), raw,
                              (count * (size_t)bl_dtype_info(dtype)->bits + 7) / 8);
        put_body(&graph, BL_GRAPH_INITIALIZER, &tensor);
        model = model_bytes(8, 13, &graph);
        for (size_t i = 0; i + 4 < model.size; i++)
            if (memcmp(model.data + i, raw, 4) == 0 && i % 16 == shift)
                return model;
        bytes_free(&model);
        assert_true(pad < 40);
    }
}

/* The constant of a model with one initializer. */
static const bl_tensor *only_constant(const bl_model *model)
{
    assert_int_equal(model->graph->value_count, 1);
    return model->graph->values[0].constant;
}

static void borrows_what_is_aligned(void **state)
{
    static const bl_dtype types[] = {BL_FLOAT32, BL_UINT8,      BL_INT64,   BL_FLOAT16,
                                     BL_BOOL,    BL_COMPLEX128, BL_FLOAT64, BL_UINT4};

    (void)state;
    for (size_t t = 0; t < BL_COUNT_OF(types); t++)
        for (size_t shift = 0; shift < 16; shift++) {
            const bl_dtype dtype = types[t];
            const struct bl_dtype_info *info = bl_dtype_info(dtype);
            const bool packed = info->bits < 8;
            const bool swapped = !bl_host_is_little() && info->bits > 8;
            const bool converted = packed || dtype == BL_BOOL || swapped;
            /* where the byte that is first in the file comes to lie */
            const size_t first =
                swapped ? info->bytes / (info->kind == BL_KIND_COMPLEX ? 2 : 1) - 1 : 0;
            struct bytes bytes = shifted_model(dtype, 12, shift);

            write_model("shifted.onnx", &bytes);
            bl_model *model = bl_model_open(NULL, "shifted.onnx", &err);

            if (model == NULL)
                fail_msg("%s", err.message);
            const bl_tensor *tensor = only_constant(model);
            const unsigned char *data = tensor->data;
            const bool inside =
                data >= model->map.bytes && data < model->map.bytes + model->map.size;

            assert_int_equal(inside, !converted && shift % info->alignment == 0);
            assert_true(inside == !tensor->owned);
            assert_int_equal(data[first], 1);
            assert_int_equal(data[first ^ 1], packed ? 0 : dtype == BL_BOOL ? 1 : 8);
            bl_model_free(model);
        }
    assert_int_equal(unlink("shifted.onnx"), 0);
}

/* An allocator that adds up what is asked of it. */
static void *adding_alloc(void *user, size_t bytes, size_t alignment)
{
    *(size_t *)user += bytes;
    return bl_allocator_default.alloc(NULL, bytes, alignment);
}

static void adding_free(void *user, void *memory, size_t bytes)
{
    (void)user;
    bl_allocator_default.free(NULL, memory, bytes);
}

/* Write a model with one initializer, count zeros, whose elements are aligned to 4 bytes.  They
 * are a hole in the file. */
static void write_large_model(const char *path, bl_dtype dtype, int64_t count)
{
    const size_t hole = (size_t)count * bl_dtype_size(dtype);
    struct bytes model, graph, tensor;

    for (int pad = 0;; pad++) {
        model = graph = tensor = (struct bytes){0};
        put_data(&tensor, BL_TENSOR_NAME, "wwww", (size_t)pad + 1);
        put_number(&tensor, BL_TENSOR_DIMS, count);
        put_number(&tensor, BL_TENSOR_DATA_TYPE, dtype);
        put_length(&tensor, BL_TENSOR_RAW_DATA, hole);
        put_length(&graph, BL_GRAPH_INITIALIZER, tensor.size + hole);
        put_number(&model, BL_MODEL_IR_VERSION, 8);
        put_length(&model, BL_MODEL_GRAPH, graph.size + tensor.size + hole);
        if ((model.size + graph.size + tensor.size) % sizeof(float) == 0)
            break;
        bytes_free(&model);
        bytes_free(&graph);
        bytes_free(&tensor);
        assert_true(pad < 3);
    }
    const size_t size = model.size + graph.size + tensor.size + hole;
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    fwrite(model.data, 1, model.size, file);
    fwrite(graph.data, 1, graph.size, file);
    fwrite(tensor.data, 1, tensor.size, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(truncate(path, (off_t)size), 0);
    bytes_free(&model);
    bytes_free(&graph);
    bytes_free(&tensor);
}

/* On a big-endian machine floats would be copied. */
static void opens_a_large_model_in_little_memory(void **state)
{
    const bl_dtype dtype = bl_host_is_little() ? BL_FLOAT32 : BL_INT8;
    size_t total = 0;
    bl_context context = {.allocator = {adding_alloc, adding_free, &total}};

    (void)state;
    write_large_model("large.onnx", dtype, 125000000);
    bl_model *model = bl_model_open(&context, "large.onnx", &err);

    assert_int_equal(unlink("large.onnx"), 0);
    if (model == NULL)
        fail_msg("%s", err.message);
    assert_true(model->map.mapped);
    assert_int_equal(only_constant(model)->count, 125000000);
    const unsigned char *data = only_constant(model)->data;

    assert_int_equal(data[125000000 * bl_dtype_size(dtype) - 1], 0);
    assert_true(total < 100000);
    bl_model_free(model);
}

static void survives_lack_of_memory(void **state)
{
    struct bytes bytes = small_model();
    struct failing_allocator memory;
    bl_context context = {.allocator = counting_allocator(&memory, -1)};

    (void)state;
    write_model("small.onnx", &bytes);
    bl_model *model = bl_model_open(&context, "small.onnx", &err);

    assert_non_null(model);
    bl_model_free(model);
    assert_int_equal(memory.live, 0);
    const long calls = memory.calls;

    for (long i = 0; i < calls; i++) {
        counting_allocator(&memory, i);
        assert_null(bl_model_open(&context, "small.onnx", &err));
        assert_int_equal(err.status, BL_ERR_MEMORY);
        assert_int_equal(memory.live, 0);
    }
    assert_int_equal(unlink("small.onnx"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_memory_and_files),
        cmocka_unit_test(opens_a_pipe),
        cmocka_unit_test(refuses_arguments),
        cmocka_unit_test(borrows_what_is_aligned),
        cmocka_unit_test(opens_a_large_model_in_little_memory),
        cmocka_unit_test(survives_lack_of_memory),
    };

    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}

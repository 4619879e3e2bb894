/*
 * scenarios.c - uses of the library in which each allocation is made to fail once: tensors and models
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenarios.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apply_calls.h"
#include "onnx_bytes.h"

/* One that is mapped is larger than what is read. */
enum { ROWS = 3, LARGE = 70000 };

static struct bytes plain, functions, broken, external, strings;

/* Try a call; if memory ran out, once more with memory enough, after which the status is still that of the first.
 * A function pointer and its argument rather than a macro, so that the debugger can follow. */
typedef bl_status attempt(void *argument, bl_error *err);

static bl_status twice(attempt *call, void *argument, struct tracker *tracker,
                       bl_error *err)
{
    const bl_status status = call(argument, err);

    if (status != BL_ERR_MEMORY)
        return status;
    tracker_relent(tracker);
    const bl_status again = call(argument, err);

    return again == BL_OK ? BL_ERR_MEMORY : again;
}

static bl_status wrong(bl_error *err, const char *what)
{
    err->status = BL_ERR_FORMAT;
    snprintf(err->message, sizeof err->message, "%s is wrong", what);
    return BL_ERR_FORMAT;
}

/* ---- Tensors -------------------------------------------------------------------------------- */

static bl_status use_tensors(bl_context *context, struct tracker *tracker, bl_error *err)
{
    static const char text[] = "a string that is longer than others";
    bl_tensor *numbers = bl_tensor_new(context, BL_FLOAT64, BL_SHAPE(3, 4), err);
    bl_tensor *words = bl_tensor_new(context, BL_STRING, BL_SHAPE(2), err);
    bl_status status = numbers != NULL && words != NULL ? BL_OK : err->status;

    (void)tracker;
    for (int i = 0; i < 3 && status == BL_OK; i++)
        status = bl_tensor_set_string(words, i % 2, text, sizeof text - (size_t)i, err);
    if (status == BL_OK &&
        ((const bl_string *)bl_tensor_data(words))[1].size != sizeof text - 1)
        status = wrong(err, "a string");
    bl_tensor_free(numbers);
    bl_tensor_free(words);
    return status;
}

struct file_use {
    bl_context *context;
    const bl_tensor *tensor;
    const char *path;
};

static bl_status read_again(void *argument, bl_error *err)
{
    const struct file_use *use = argument;
    bl_tensor *read = bl_tensor_read(use->context, use->path, BL_FORMAT_AUTO, err);

    if (read == NULL)
        return err->status;
    const bl_status status = apply_same(use->tensor, read) ? BL_OK : wrong(err, use->path);

    bl_tensor_free(read);
    return status;
}

static bl_status use_files(bl_context *context, struct tracker *tracker, bl_error *err)
{
    static const struct {
        const char *tensor, *path;
    } files[] = {{"a", "a.npy"}, {"a", "a.pb"}, {"s", "s.pb"}, {"b", "b.npy"}};
    bl_status status = BL_OK;

    for (size_t i = 0; i < 4 && status == BL_OK; i++) {
        struct file_use use = {context, apply_tensor(files[i].tensor), files[i].path};

        status = bl_tensor_write(use.tensor, use.path, BL_FORMAT_AUTO, err);
        if (status == BL_OK)
            status = twice(read_again, &use, tracker, err);
        unlink(use.path);
    }
    return status;
}

/* ---- Models ----------------------------------------------------------------------------------- */

static bl_status close_model(bl_model *model, const bl_error *err)
{
    bl_model_free(model);
    return model != NULL ? BL_OK : err->status;
}

static bl_status use_model_file(bl_context *context, struct tracker *tracker, bl_error *err)
{
    (void)tracker;
    return close_model(bl_model_open(context, "external.onnx", err), err);
}

static bl_status use_model_functions(bl_context *context, struct tracker *tracker,
                                     bl_error *err)
{
    (void)tracker;
    return close_model(
        bl_model_open_memory(context, functions.data, functions.size, NULL, err), err);
}

static bl_status use_inspect(bl_context *context, struct tracker *tracker, bl_error *err)
{
    (void)tracker;
    bl_model *model = bl_model_inspect(context, "broken.onnx", err);
    bl_explanation *explanation = NULL;
    const bl_tensor_type type = {BL_FLOAT32, *BL_SHAPE(3)};

    if (model != NULL)
        explanation = bl_model_explain(context, model, &type, err);
    bl_status status = explanation != NULL ? BL_OK : err->status;

    if (status == BL_OK && explanation->problem_count != 1)
        status = wrong(err, "the number of problems");
    bl_explanation_free(explanation);
    bl_model_free(model);
    return status;
}

static bl_status use_explain(bl_context *context, struct tracker *tracker, bl_error *err)
{
    (void)tracker;
    bl_model *model = bl_model_open_memory(context, plain.data, plain.size, NULL, err);
    bl_explanation *explanation = NULL;
    const bl_tensor_type type = {BL_FLOAT32, *BL_SHAPE(2, 3)};

    if (model != NULL)
        explanation = bl_model_explain(context, model, &type, err);
    bl_status status = explanation != NULL ? BL_OK : err->status;

    if (status == BL_OK &&
        (explanation->problem_count != 0 || explanation->step_count == 0))
        status = wrong(err, "the explanation");
    bl_explanation_free(explanation);
    bl_model_free(model);
    return status;
}

/* ---- Sessions --------------------------------------------------------------------------------- */

struct run_use {
    bl_session *session;
    const bl_tensor *x;
    bl_tensor *given;
};

enum { OUTPUTS = 10 }; /* more than a run has room for without an allocation */

/* Each output k is (x + c) * c, plus k. */
static bool is_right(const bl_tensor *y, int k, int rows)
{
    const float *got = bl_tensor_data(y);

    for (int i = 0; i < rows * 3; i++)
        if (got[i] !=
            ((float)i + 10.0F * (float)(i % 3 + 1)) * 10.0F * (float)(i % 3 + 1) + (float)k)
            return false;
    return bl_tensor_count(y) == rows * 3;
}

static bl_status run_once(void *argument, bl_error *err)
{
    struct run_use *use = argument;
    bl_tensor *y[OUTPUTS] = {NULL, use->given};
    bl_status status = bl_session_run(use->session, &use->x, y, err);

    for (int k = 0; k < OUTPUTS; k++) {
        const bool there = y[k] != NULL;

        if (there != (status == BL_OK) && y[k] != use->given)
            status = wrong(err, "what is put out");
        if (status == BL_OK && !is_right(y[k], k, (int)bl_tensor_shape(use->x)->dim[0]))
            status = wrong(err, "an output");
        if (y[k] != use->given)
            bl_tensor_free(y[k]);
    }
    return status;
}

/* Run with new outputs, again from the plan that is kept, with an output given, and with another shape. */
static bl_status run_four_times(bl_context *context, bl_session *session,
                                struct tracker *tracker, bl_error *err)
{
    static float elements[(ROWS + 1) * 3];
    bl_status status = BL_OK;

    for (int i = 0; i < (ROWS + 1) * 3; i++)
        elements[i] = (float)i;
    for (int round = 0; round < 4 && status == BL_OK; round++) {
        const int rows = round < 3 ? ROWS : ROWS + 1;
        bl_tensor *x =
            bl_tensor_borrow(context, BL_FLOAT32, BL_SHAPE(rows, 3), NULL, elements, err);
        bl_tensor *given = x != NULL && round == 2
                               ? bl_tensor_new(context, BL_FLOAT32, BL_SHAPE(rows, 3), err)
                               : NULL;
        struct run_use use = {session, x, given};

        status = x == NULL || (round == 2 && given == NULL)
                     ? err->status
                     : twice(run_once, &use, tracker, err);
        bl_tensor_free(given);
        bl_tensor_free(x);
    }
    return status;
}

static bl_status use_session(bl_context *context, int no_fuse, struct tracker *tracker,
                             bl_error *err)
{
    const bl_session_options options = {sizeof options, no_fuse};
    bl_model *model = bl_model_open_memory(context, plain.data, plain.size, NULL, err);
    bl_session *session =
        model != NULL ? bl_session_new(context, model, &options, err) : NULL;
    const bl_status status =
        session != NULL ? run_four_times(context, session, tracker, err) : err->status;

    bl_session_free(session);
    bl_model_free(model);
    return status;
}

static bl_status use_fused(bl_context *context, struct tracker *tracker, bl_error *err)
{
    return use_session(context, 0, tracker, err);
}

static bl_status use_node_by_node(bl_context *context, struct tracker *tracker,
                                  bl_error *err)
{
    return use_session(context, 1, tracker, err);
}

struct string_use {
    bl_session *session;
    const bl_tensor *s;
};

static bl_status run_strings(void *argument, bl_error *err)
{
    struct string_use *use = argument;
    bl_tensor *y = NULL;
    bl_status status = bl_session_run(use->session, &use->s, &y, err);

    if (status == BL_OK && ((const bl_string *)bl_tensor_data(y))[0].size !=
                               2 * ((const bl_string *)bl_tensor_data(use->s))[0].size)
        status = wrong(err, "a string");
    bl_tensor_free(y);
    return status;
}

static bl_status use_strings(bl_context *context, struct tracker *tracker, bl_error *err)
{
    bl_model *model = bl_model_open_memory(context, strings.data, strings.size, NULL, err);
    bl_session *session = model != NULL ? bl_session_new(context, model, NULL, err) : NULL;
    struct string_use use = {session, apply_tensor("s")};
    const bl_status status =
        session != NULL ? twice(run_strings, &use, tracker, err) : err->status;

    bl_session_free(session);
    bl_model_free(model);
    return status;
}

/* ---- Operators -------------------------------------------------------------------------------- */

struct apply_use {
    bl_context *context;
    size_t call;
};

static bl_status apply_one(void *argument, bl_error *err)
{
    const struct apply_use *use = argument;

    return apply_call(use->context, use->call, err);
}

static bl_status use_operators(bl_context *context, struct tracker *tracker, bl_error *err)
{
    bl_status status = BL_OK;

    for (size_t i = 0; i < apply_call_count && status == BL_OK; i++) {
        struct apply_use use = {context, i};

        status = twice(apply_one, &use, tracker, err);
    }
    return status;
}

/* ---- What they read ------------------------------------------------------------------------- */

static void make_plain(void)
{
    static const float c[] = {10, 20, 30};
    struct bytes graph = {0};

    add_initializer(&graph, "c", BL_SHAPE(3), c);
    add_node(&graph, "Add", "x c", "sum");
    add_node(&graph, "Mul", "sum c", "y0");
    for (int k = 1; k < OUTPUTS; k++) {
        const float number = (float)k;
        char name[32], inputs[32], output[32];

        snprintf(name, sizeof name, "k%d", k);
        snprintf(inputs, sizeof inputs, "y0 k%d", k);
        snprintf(output, sizeof output, "y%d", k);
        add_initializer(&graph, name, BL_SCALAR, &number);
        add_node(&graph, "Add", inputs, output);
    }
    struct bytes value = value_bytes("x", BL_FLOAT32, BL_SHAPE(-1, 3));

    put_body(&graph, BL_GRAPH_INPUT, &value);
    for (int k = 0; k < OUTPUTS; k++) {
        char name[32];

        snprintf(name, sizeof name, "y%d", k);
        value = value_bytes(name, BL_FLOAT32, BL_SHAPE(-1, 3));
        put_body(&graph, BL_GRAPH_OUTPUT, &value);
    }
    plain = model_bytes(8, 13, &graph);
}

static void make_functions(void)
{
    struct bytes graph = {0}, function = {0}, import = {0};
    struct bytes inner = node_bytes("Add", "a a", "b"),
                 call = node_bytes("Twice", "x", "y");

    put_text(&function, BL_FUNCTION_NAME, "Twice");
    put_text(&function, BL_FUNCTION_DOMAIN, "my");
    put_text(&function, BL_FUNCTION_INPUT, "a");
    put_text(&function, BL_FUNCTION_OUTPUT, "b");
    put_body(&function, BL_FUNCTION_NODE, &inner);
    put_number(&import, BL_OPSET_VERSION, 13);
    put_body(&function, BL_FUNCTION_OPSET_IMPORT, &import);
    put_text(&call, BL_NODE_DOMAIN, "my");
    put_body(&graph, BL_GRAPH_NODE, &call);
    add_inputs(&graph, "x", 3);
    add_outputs(&graph, "y", 3);
    functions = model_bytes(8, 13, &graph);
    put_number(&import, BL_OPSET_VERSION, 1);
    put_text(&import, BL_OPSET_DOMAIN, "my");
    put_body(&functions, BL_MODEL_OPSET_IMPORT, &import);
    put_body(&functions, BL_MODEL_FUNCTIONS, &function);
}

static void make_others(void)
{
    struct bytes graph = {0}, tensor = external_bytes("w", LARGE, "w.bin", NULL, NULL);
    struct bytes s = value_bytes("s", BL_STRING, BL_SHAPE(3)),
                 t = value_bytes("t", BL_STRING, BL_SHAPE(3));

    put_body(&graph, BL_GRAPH_INITIALIZER, &tensor);
    add_node(&graph, "Add", "x w", "y");
    add_inputs(&graph, "x", LARGE);
    add_outputs(&graph, "y", LARGE);
    external = model_bytes(8, 13, &graph);
    add_node(&graph, "Add", "x x", "t");
    add_node(&graph, "Frobnicate", "t", "y");
    add_inputs(&graph, "x", 3);
    add_outputs(&graph, "y", 3);
    broken = model_bytes(8, 13, &graph);
    add_node(&graph, "StringConcat", "s s", "t");
    put_body(&graph, BL_GRAPH_INPUT, &s);
    put_body(&graph, BL_GRAPH_OUTPUT, &t);
    strings = model_bytes(8, 20, &graph);
}

static int write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL)
        return -1;
    const bool written = fwrite(data, 1, size, file) == size;

    return fclose(file) == 0 && written ? 0 : -1;
}

int scenarios_start(void)
{
    static const float w[LARGE];

    make_plain();
    make_functions();
    make_others();
    return write_file("w.bin", w, sizeof w) != 0 ||
           write_file("external.onnx", external.data, external.size) != 0 ||
           write_file("broken.onnx", broken.data, broken.size) != 0 || apply_start() != 0;
}

void scenarios_end(void)
{
    struct bytes *const all[] = {&plain, &functions, &broken, &external, &strings};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        bytes_free(all[i]);
    unlink("w.bin");
    unlink("external.onnx");
    unlink("broken.onnx");
    apply_end();
}

const struct scenario scenarios[] = {
    {"context of three threads, tensors", 3, use_tensors},
    {"files of tensors", 1, use_files},
    {"model with external data", 1, use_model_file},
    {"model with functions", 1, use_model_functions},
    {"inspect a model that cannot run", 1, use_inspect},
    {"explain", 1, use_explain},
    {"session, fused", 1, use_fused},
    {"session, node by node", 1, use_node_by_node},
    {"session, three threads", 3, use_fused},
    {"session with strings", 1, use_strings},
    {"each kind of operator", 1, use_operators},
    {"each kind of operator, three threads", 3, use_operators},
};

const size_t scenario_count = sizeof scenarios / sizeof scenarios[0];

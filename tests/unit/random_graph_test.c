/*
 * random_graph_test.c - random graphs: fused = node by node = the reference, bit for bit
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each round draws inputs and initializers, then nodes over what there is so far: arithmetic with
 * broadcasting, comparison, selection, casts, views and moves, in five types.  Several values are
 * outputs.  The model runs fused on one and on three threads, and node by node; the reference
 * evaluates each node by itself.  All operators drawn here are exact.
 *
 * The environment variable BL_GRAPHS says how many rounds (10,000 by default).
 */
#include "contexts.h"

#include <stdio.h>

#include "conform/reference.h"
#include "onnx_bytes.h"
#include "operands.h"
#include "tensor/dtype.h"

enum { MOST_VALUES = 40, MOST_NODES = 24, MOST_ELEMENTS = 3000, OPSET = 21 };

/* ---- A graph, as it is drawn --------------------------------------------------------------- */

struct drawn_value {
    bl_dtype dtype;
    bl_shape shape;
    bl_tensor
        *tensor; /* of inputs and initializers; of the others the reference's result */
    bool is_input, is_initializer, is_output;
};

struct drawn_node {
    const char *op;
    int in[5];
    size_t in_count;
    int out;
    bl_attribute attribute; /* its name NULL: none */
    int64_t ints[BL_MAX_RANK];
};

struct drawn {
    struct drawn_value value[MOST_VALUES];
    int value_count;
    struct drawn_node node[MOST_NODES];
    int node_count;
    uint64_t seed;
};

static int64_t below(struct drawn *graph, int64_t end)
{
    return (int64_t)(next_random(&graph->seed) % (uint64_t)end);
}

static int add_value(struct drawn *graph, bl_dtype dtype, const bl_shape *shape)
{
    struct drawn_value *value = &graph->value[graph->value_count];

    *value = (struct drawn_value){.dtype = dtype, .shape = *shape};
    return graph->value_count++;
}

static int add_leaf(struct drawn *graph, bl_dtype dtype, const bl_shape *shape,
                    bool is_input)
{
    const int v = add_value(graph, dtype, shape);

    graph->value[v].tensor = random_tensor(dtype, shape, ANY, &graph->seed);
    graph->value[v].is_input = is_input;
    graph->value[v].is_initializer = !is_input;
    return v;
}

/* An int64 initializer, as Reshape and the like read. */
static int add_ints(struct drawn *graph, const int64_t *ints, int count)
{
    const int v = add_value(graph, BL_INT64, BL_SHAPE(count));

    graph->value[v].tensor = bl_tensor_new(NULL, BL_INT64, BL_SHAPE(count), &err);
    memcpy(bl_tensor_mutable_data(graph->value[v].tensor), ints,
           (size_t)count * sizeof *ints);
    graph->value[v].is_initializer = true;
    return v;
}

static void add_drawn_node(struct drawn *graph, const char *op, const int *in,
                           size_t in_count, bl_dtype dtype, const bl_shape *shape)
{
    struct drawn_node *node = &graph->node[graph->node_count++];

    *node = (struct drawn_node){.op = op, .in_count = in_count};
    memcpy(node->in, in, in_count * sizeof *in);
    node->out = add_value(graph, dtype, shape);
}

/* ---- Nodes that broadcast ---------------------------------------------------------------------- */

/* A value of the type that is no shape input; -1 if there is none. */
static int pick(struct drawn *graph, bl_dtype dtype)
{
    for (int attempt = 0; attempt < 30; attempt++) {
        const int v = (int)below(graph, graph->value_count);

        if (graph->value[v].dtype == dtype && dtype != BL_INT64)
            return v;
    }
    return -1;
}

/* The shape that values broadcast to, if they do and it is not too large. */
static bool meet(const struct drawn *graph, const int *in, size_t count, bl_shape *out)
{
    const bl_shape *shapes[5];
    int64_t elements;

    for (size_t i = 0; i < count; i++)
        shapes[i] = &graph->value[in[i]].shape;
    return bl_shape_broadcast(shapes, count, out, NULL) == BL_OK &&
           bl_shape_count(out, &elements, NULL) == BL_OK && elements <= MOST_ELEMENTS;
}

static const bl_dtype dtypes[] = {BL_FLOAT32, BL_FLOAT32, BL_FLOAT32,
                                  BL_FLOAT16, BL_INT32,   BL_FLOAT64};

static bl_dtype any_number(struct drawn *graph)
{
    return dtypes[below(graph, (int64_t)(sizeof dtypes / sizeof *dtypes))];
}

static void draw_many(struct drawn *graph, const char *op, size_t count, bl_dtype dtype,
                      bl_dtype result)
{
    int in[5];
    bl_shape shape;

    for (size_t i = 0; i < count; i++) {
        in[i] = pick(graph, dtype);
        if (in[i] < 0)
            return;
    }
    if (meet(graph, in, count, &shape))
        add_drawn_node(graph, op, in, count, result, &shape);
}

static void draw_arithmetic(struct drawn *graph)
{
    static const char *const ops[] = {"Add", "Sub", "Mul", "Max", "Min"};
    const bl_dtype dtype = any_number(graph);

    draw_many(graph, ops[below(graph, 5)], 2, dtype, dtype);
}

static void draw_variadic(struct drawn *graph)
{
    static const char *const ops[] = {"Sum", "Mean", "Max", "Min"};
    const bl_dtype dtype = below(graph, 2) == 0 ? BL_FLOAT32 : BL_FLOAT16;

    draw_many(graph, ops[below(graph, 4)], 1 + (size_t)below(graph, 5), dtype, dtype);
}

static void draw_comparison(struct drawn *graph)
{
    static const char *const ops[] = {"Greater", "Less", "Equal", "GreaterOrEqual"};

    draw_many(graph, ops[below(graph, 4)], 2, any_number(graph), BL_BOOL);
}

static void draw_logic(struct drawn *graph)
{
    static const char *const ops[] = {"And", "Or", "Xor"};

    draw_many(graph, ops[below(graph, 3)], 2, BL_BOOL, BL_BOOL);
}

static void draw_where(struct drawn *graph)
{
    const bl_dtype dtype = any_number(graph);
    const int in[] = {pick(graph, BL_BOOL), pick(graph, dtype), pick(graph, dtype)};
    bl_shape shape;

    if (in[0] >= 0 && in[1] >= 0 && in[2] >= 0 && meet(graph, in, 3, &shape))
        add_drawn_node(graph, "Where", in, 3, dtype, &shape);
}

static void draw_unary(struct drawn *graph)
{
    static const char *const ops[] = {"Abs", "Neg", "Relu", "Sign", "Identity"};
    const bl_dtype dtype = any_number(graph);

    draw_many(graph, ops[below(graph, 5)], 1, dtype, dtype);
}

static void draw_cast(struct drawn *graph)
{
    const int from = pick(graph, below(graph, 4) == 0 ? BL_BOOL : any_number(graph));
    const bl_dtype to = any_number(graph);

    if (from < 0)
        return;
    add_drawn_node(graph, "Cast", &from, 1, to, &graph->value[from].shape);
    graph->node[graph->node_count - 1].attribute =
        (bl_attribute){.name = "to", .type = BL_ATTRIBUTE_INT, .value.i = to};
}

/* ---- Nodes that move ----------------------------------------------------------------------------- */

static void draw_transpose(struct drawn *graph)
{
    const int from = pick(graph, any_number(graph));
    bl_shape shape;

    if (from < 0 || graph->value[from].shape.rank < 2)
        return;
    shape.rank = graph->value[from].shape.rank;
    for (int i = 0; i < shape.rank; i++)
        shape.dim[i] = graph->value[from].shape.dim[shape.rank - 1 - i];
    add_drawn_node(graph, "Transpose", &from, 1, graph->value[from].dtype, &shape);
}

static void draw_reshape(struct drawn *graph)
{
    const int from = pick(graph, any_number(graph));
    int64_t count;
    bl_shape shape;

    if (from < 0 || bl_shape_count(&graph->value[from].shape, &count, NULL) != BL_OK)
        return;
    shape = count % 2 == 0 && count > 0 && below(graph, 2) == 0
                ? (bl_shape){2, {count / 2, 2}}
                : (bl_shape){3, {1, count, 1}};
    const int in[] = {from, add_ints(graph, shape.dim, shape.rank)};

    add_drawn_node(graph, "Reshape", in, 2, graph->value[from].dtype, &shape);
}

/* Every second index of axis 0, backwards or forwards. */
static void draw_slice(struct drawn *graph)
{
    const int from = pick(graph, any_number(graph));
    const int64_t step = below(graph, 2) == 0 ? 2 : -2, first = step > 0 ? 0 : -1;
    const int64_t end = step > 0 ? INT64_MAX : INT64_MIN, axis = 0;
    bl_shape shape;

    if (from < 0 || graph->value[from].shape.rank == 0)
        return;
    shape = graph->value[from].shape;
    shape.dim[0] = (shape.dim[0] + 1) / 2;
    const int in[] = {from, add_ints(graph, &first, 1), add_ints(graph, &end, 1),
                      add_ints(graph, &axis, 1), add_ints(graph, &step, 1)};

    add_drawn_node(graph, "Slice", in, 5, graph->value[from].dtype, &shape);
}

static void draw_concat(struct drawn *graph)
{
    const int from = pick(graph, any_number(graph));
    bl_shape shape;

    if (from < 0 || graph->value[from].shape.rank == 0)
        return;
    shape = graph->value[from].shape;
    shape.dim[0] *= 2;
    const int in[] = {from, from};

    add_drawn_node(graph, "Concat", in, 2, graph->value[from].dtype, &shape);
    graph->node[graph->node_count - 1].attribute =
        (bl_attribute){.name = "axis", .type = BL_ATTRIBUTE_INT, .value.i = 0};
}

/* ---- A whole graph --------------------------------------------------------------------------------- */

static bl_shape random_shape(struct drawn *graph, const bl_shape *space)
{
    const int skip = (int)below(graph, space->rank + 1);
    bl_shape shape = {.rank = space->rank - skip};

    for (int i = 0; i < shape.rank; i++)
        shape.dim[i] = below(graph, 3) == 0 ? 1 : space->dim[i + skip];
    return shape;
}

static void draw(struct drawn *graph)
{
    static void (*const kinds[])(struct drawn *) = {
        draw_arithmetic, draw_arithmetic, draw_arithmetic, draw_variadic, draw_comparison,
        draw_logic,      draw_where,      draw_where,      draw_unary,    draw_unary,
        draw_cast,       draw_transpose,  draw_reshape,    draw_slice,    draw_concat};
    bl_shape space = {.rank = 1 + (int)below(graph, 4)};

    for (int i = 0; i < space.rank; i++)
        space.dim[i] = 1 + below(graph, below(graph, 8) == 0 ? 60 : 6);
    for (int i = 0; i < 6; i++) {
        const bl_shape shape = i == 0 ? space : random_shape(graph, &space);

        add_leaf(graph, i == 5 ? BL_BOOL : any_number(graph), &shape, i < 4 || i == 5);
    }
    const int wanted = 1 + (int)below(graph, MOST_NODES - 4);

    for (int attempt = 0; attempt < 120 && graph->node_count < wanted; attempt++)
        if (graph->value_count + 6 < MOST_VALUES)
            kinds[below(graph, (int64_t)(sizeof kinds / sizeof *kinds))](graph);
    for (int n = 0; n < graph->node_count; n++)
        if (n + 1 == graph->node_count || below(graph, 5) == 0)
            graph->value[graph->node[n].out].is_output = true;
}

/* ---- As a model ---------------------------------------------------------------------------------------- */

static const char *name_of(int v, char *buffer)
{
    snprintf(buffer, 16, "v%d", v);
    return buffer;
}

static void put_attribute(struct bytes *node, const bl_attribute *attribute)
{
    struct bytes body = attribute_bytes(attribute->name, attribute->type);

    put_number(&body, BL_ATTRIBUTE_FIELD_I, attribute->value.i);
    put_body(node, BL_NODE_ATTRIBUTE, &body);
}

static void put_drawn_node(struct bytes *graph, const struct drawn_node *node)
{
    char names[5 * 16] = "", name[16];

    for (size_t i = 0; i < node->in_count; i++) {
        strcat(names, i > 0 ? " " : "");
        strcat(names, name_of(node->in[i], name));
    }
    struct bytes body = node_bytes(node->op, names, name_of(node->out, name));

    if (node->attribute.name != NULL)
        put_attribute(&body, &node->attribute);
    put_body(graph, BL_GRAPH_NODE, &body);
}

static struct bytes encode(const struct drawn *graph)
{
    struct bytes body = {NULL, 0, 0};
    char name[16];

    for (int n = 0; n < graph->node_count; n++)
        put_drawn_node(&body, &graph->node[n]);
    for (int v = 0; v < graph->value_count; v++) {
        const struct drawn_value *value = &graph->value[v];
        struct bytes info = value_bytes(name_of(v, name), value->dtype, &value->shape);

        if (value->is_input)
            put_body(&body, BL_GRAPH_INPUT, &info);
        else if (value->is_output)
            put_body(&body, BL_GRAPH_OUTPUT, &info);
        else
            bytes_free(&info);
        if (value->is_initializer) {
            struct bytes tensor = tensor_bytes(name_of(v, name), value->dtype,
                                               &value->shape, bl_tensor_data(value->tensor),
                                               (size_t)bl_tensor_count(value->tensor) *
                                                   bl_dtype_size(value->dtype));

            put_body(&body, BL_GRAPH_INITIALIZER, &tensor);
        }
    }
    return model_bytes(9, OPSET, &body);
}

/* ---- Running --------------------------------------------------------------------------------------------- */

static void run_reference(struct drawn *graph, int round)
{
    for (int n = 0; n < graph->node_count; n++) {
        struct drawn_node *drawn = &graph->node[n];
        const bl_node node = {.op = bl_op_find("", drawn->op, OPSET, &err),
                              .attributes = &drawn->attribute,
                              .attribute_count = drawn->attribute.name != NULL};
        const bl_tensor *in[5];

        for (size_t i = 0; i < drawn->in_count; i++)
            in[i] = graph->value[drawn->in[i]].tensor;
        if (bl_reference_apply(&node, in, drawn->in_count, &graph->value[drawn->out].tensor,
                               1, &err) != BL_OK)
            fail_msg("round %d, node %d (%s), reference: %s", round, n, drawn->op,
                     err.message);
    }
}

static void run_model(const struct drawn *graph, const bl_model *model, bl_context *own,
                      int no_fuse, int round)
{
    bl_session_options options = BL_SESSION_DEFAULTS;
    const bl_tensor *in[MOST_VALUES];
    bl_tensor *out[MOST_VALUES] = {NULL};
    size_t inputs = 0, outputs = 0;

    options.no_fuse = no_fuse;
    bl_session *session = bl_session_new(own, model, &options, &err);

    assert_non_null(session);
    for (int v = 0; v < graph->value_count; v++)
        if (graph->value[v].is_input)
            in[inputs++] = graph->value[v].tensor;
    if (bl_session_run(session, in, out, &err) != BL_OK)
        fail_msg("round %d, %s: %s", round, no_fuse ? "node by node" : "fused",
                 err.message);
    for (int v = 0; v < graph->value_count; v++) {
        if (!graph->value[v].is_output)
            continue;
        if (!same_tensors(out[outputs], graph->value[v].tensor, 0))
            fail_msg("round %d, %s: v%d is not what the reference gives", round,
                     no_fuse ? "node by node" : "fused", v);
        bl_tensor_free(out[outputs++]);
    }
    bl_session_free(session);
}

static void run_round(int round)
{
    struct drawn *graph = calloc(1, sizeof *graph);

    graph->seed = (uint64_t)round * 977 + 3;
    draw(graph);
    if (graph->node_count > 0) {
        struct bytes bytes = encode(graph);
        bl_model *model = bl_model_open_memory(context, bytes.data, bytes.size, NULL, &err);

        if (model == NULL)
            fail_msg("round %d: %s", round, err.message);
        run_reference(graph, round);
        run_model(graph, model, context, 0, round);
        run_model(graph, model, context, 1, round);
        run_model(graph, model, three_threads, 0, round);
        bl_model_free(model);
        bytes_free(&bytes);
    }
    for (int v = 0; v < graph->value_count; v++)
        bl_tensor_free(graph->value[v].tensor);
    free(graph);
}

static void test_random_graphs(void **state)
{
    const char *given = getenv("BL_GRAPHS");
    const int rounds = given != NULL ? atoi(given) : 10000;

    (void)state;
    for (int round = 0; round < rounds; round++)
        run_round(round);
    printf("%d graphs: fused = node by node = reference\n", rounds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_graphs)};

    return cmocka_run_group_tests(tests, make_contexts, free_contexts);
}

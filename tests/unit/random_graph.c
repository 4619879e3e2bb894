/*
 * random_graph.c - draw random graphs of exact and inexact operators
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "random_graph.h"

#include <stdlib.h>
#include <string.h>

#include "operands.h"
#include "ops/op.h"
#include "tensor/dtype.h"

enum { MOST_ELEMENTS = 3000, OPSET = RANDOM_GRAPH_OPSET };

static int64_t below(struct random_graph *graph, int64_t end)
{
    return choose(&graph->choices, end);
}

static int add_value(struct random_graph *graph, bl_dtype dtype, const bl_shape *shape)
{
    struct drawn_value *value = &graph->value[graph->value_count];

    *value = (struct drawn_value){.dtype = dtype, .shape = *shape};
    return graph->value_count++;
}

static int add_leaf(struct random_graph *graph, bl_dtype dtype, const bl_shape *shape,
                    enum values values, bool is_input)
{
    const int v = add_value(graph, dtype, shape);

    uint64_t seed = choose_seed(&graph->choices);

    graph->value[v].tensor = random_tensor(dtype, shape, values, &seed);
    graph->value[v].is_input = is_input;
    graph->value[v].is_initializer = !is_input;
    return v;
}

/* An int64 initializer, as Reshape and the like read. */
static int add_ints(struct random_graph *graph, const int64_t *ints, int count)
{
    const int v = add_value(graph, BL_INT64, BL_SHAPE(count));

    graph->value[v].tensor = bl_tensor_new(NULL, BL_INT64, BL_SHAPE(count), NULL);
    memcpy(bl_tensor_mutable_data(graph->value[v].tensor), ints,
           (size_t)count * sizeof *ints);
    graph->value[v].is_initializer = true;
    return v;
}

static void add_drawn_node(struct random_graph *graph, const char *op, const int *in,
                           size_t in_count, bl_dtype dtype, const bl_shape *shape)
{
    struct drawn_node *node = &graph->node[graph->node_count++];

    *node = (struct drawn_node){.op = op, .in_count = in_count};
    memcpy(node->in, in, in_count * sizeof *in);
    node->out = add_value(graph, dtype, shape);
    for (size_t i = 0; i < in_count; i++)
        graph->value[node->out].inexact |= graph->value[in[i]].inexact;
}

static bl_shape random_shape(struct random_graph *graph, const bl_shape *space)
{
    const int skip = (int)below(graph, space->rank + 1);
    bl_shape shape = {.rank = space->rank - skip};

    for (int i = 0; i < shape.rank; i++)
        shape.dim[i] = below(graph, 3) == 0 ? 1 : space->dim[i + skip];
    return shape;
}

/* ---- Nodes that broadcast ---------------------------------------------------------------------- */

/* A value of the type that is no shape input; -1 if there is none. */
static int pick(struct random_graph *graph, bl_dtype dtype)
{
    for (int attempt = 0; attempt < 30; attempt++) {
        const int v = (int)below(graph, graph->value_count);

        if (graph->value[v].dtype == dtype && dtype != BL_INT64)
            return v;
    }
    return -1;
}

/* The shape that values broadcast to, if they do and it is not too large. */
static bool meet(const struct random_graph *graph, const int *in, size_t count,
                 bl_shape *out)
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

static bl_dtype any_number(struct random_graph *graph)
{
    return dtypes[below(graph, (int64_t)(sizeof dtypes / sizeof *dtypes))];
}

static void draw_many(struct random_graph *graph, const char *op, size_t count,
                      bl_dtype dtype, bl_dtype result)
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

static void draw_arithmetic(struct random_graph *graph)
{
    static const char *const ops[] = {"Add", "Sub", "Mul", "Max", "Min"};
    const bl_dtype dtype = any_number(graph);

    draw_many(graph, ops[below(graph, 5)], 2, dtype, dtype);
}

static void draw_variadic(struct random_graph *graph)
{
    static const char *const ops[] = {"Sum", "Mean", "Max", "Min"};
    const bl_dtype dtype = below(graph, 2) == 0 ? BL_FLOAT32 : BL_FLOAT16;

    draw_many(graph, ops[below(graph, 4)], 1 + (size_t)below(graph, 5), dtype, dtype);
}

static void draw_comparison(struct random_graph *graph)
{
    static const char *const ops[] = {"Greater", "Less", "Equal", "GreaterOrEqual"};

    draw_many(graph, ops[below(graph, 4)], 2, any_number(graph), BL_BOOL);
}

static void draw_logic(struct random_graph *graph)
{
    static const char *const ops[] = {"And", "Or", "Xor"};

    draw_many(graph, ops[below(graph, 3)], 2, BL_BOOL, BL_BOOL);
}

static void draw_where(struct random_graph *graph)
{
    const bl_dtype dtype = any_number(graph);
    const int in[] = {pick(graph, BL_BOOL), pick(graph, dtype), pick(graph, dtype)};
    bl_shape shape;

    if (in[0] >= 0 && in[1] >= 0 && in[2] >= 0 && meet(graph, in, 3, &shape))
        add_drawn_node(graph, "Where", in, 3, dtype, &shape);
}

static void draw_unary(struct random_graph *graph)
{
    static const char *const ops[] = {"Abs", "Neg", "Relu", "Sign", "Identity"};
    const bl_dtype dtype = any_number(graph);

    draw_many(graph, ops[below(graph, 5)], 1, dtype, dtype);
}

static void draw_cast(struct random_graph *graph)
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

static void draw_transpose(struct random_graph *graph)
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

static void draw_reshape(struct random_graph *graph)
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
static void draw_slice(struct random_graph *graph)
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

static void draw_concat(struct random_graph *graph)
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

/* ---- Any operator of the table --------------------------------------------------------------------- */

static bl_dtype any_of(struct random_graph *graph, uint64_t set)
{
    for (int attempt = 0; attempt < 60; attempt++) {
        const int dtype = (int)below(graph, BL_DTYPE_COUNT);

        if (set >> dtype & 1 && dtype != BL_STRING)
            return (bl_dtype)dtype;
    }
    return BL_UNDEFINED;
}

/* A type for input i that its formal allows, and that the inputs before it leave. */
static bl_dtype type_for(struct random_graph *graph, const bl_op *op, const int *in,
                         size_t i)
{
    const size_t last = op->input_count - 1;
    const bl_formal *formal = &op->inputs[i < last ? i : last];

    for (size_t j = 0; j < i; j++)
        if (strcmp(formal->type_variable, op->inputs[j < last ? j : last].type_variable) ==
            0)
            return graph->value[in[j]].dtype;
    return any_of(graph, formal->dtypes);
}

/* A value that is there, or a new one; always new where not every value has a result. */
static int operand_for(struct random_graph *graph, const bl_op *op, size_t i,
                       bl_dtype dtype)
{
    const enum values values = values_for(op, i);
    const int there = values == ANY && below(graph, 4) != 0 ? pick(graph, dtype) : -1;

    if (there >= 0)
        return there;
    const bl_shape shape = random_shape(graph, &graph->value[0].shape);

    /* Files pack the types of less than a byte, and readers make 0 or 1 of any bool, which is not what
     * this is about. */
    const bool is_input = bl_dtype_info(dtype)->bits < 8 || dtype == BL_BOOL;

    return add_leaf(graph, dtype, &shape, values, is_input || below(graph, 2) == 0);
}

/* Add the node, if its inputs go together. */
static void add_if_valid(struct random_graph *graph, const bl_op *op, const int *in,
                         size_t count)
{
    const bl_node node = {.op = op};
    bl_tensor_type types[RANDOM_GRAPH_INPUTS], result;
    int64_t elements;

    for (size_t i = 0; i < count; i++)
        types[i] = (bl_tensor_type){graph->value[in[i]].dtype, graph->value[in[i]].shape};
    if (bl_infer(&node, types, count, &result, 1, NULL) != BL_OK ||
        bl_shape_count(&result.shape, &elements, NULL) != BL_OK || elements > MOST_ELEMENTS)
        return;
    add_drawn_node(graph, op->name, in, count, result.dtype, &result.shape);
    graph->value[graph->value_count - 1].inexact |= op->max_ulp > 0;
}

static void draw_any(struct random_graph *graph)
{
    const bl_op *some = bl_op_at((size_t)below(graph, (int64_t)bl_op_count()));
    const bl_op *op = bl_op_find(some->domain, some->name, OPSET, NULL);
    int in[RANDOM_GRAPH_INPUTS];

    if (op == NULL || !takes_any_operands(op) || op->output_count != 1)
        return;
    const size_t most =
        op->max_inputs < RANDOM_GRAPH_INPUTS ? op->max_inputs : RANDOM_GRAPH_INPUTS;
    const size_t count =
        op->min_inputs + (size_t)below(graph, (int64_t)(most - op->min_inputs + 1));

    for (size_t i = 0; i < count; i++) {
        const bl_dtype dtype = type_for(graph, op, in, i);

        if (dtype == BL_UNDEFINED)
            return;
        in[i] = operand_for(graph, op, i, dtype);
    }
    add_if_valid(graph, op, in, count);
}

/* A value of at least two axes times a new matrix. */
static void draw_product(struct random_graph *graph)
{
    const bl_op *op = bl_op_find("", "MatMul", OPSET, NULL);
    const bl_dtype dtype = any_number(graph);
    const int a = pick(graph, dtype);

    if (a < 0 || graph->value[a].shape.rank < 2)
        return;
    const int64_t k = graph->value[a].shape.dim[graph->value[a].shape.rank - 1];
    const bl_shape matrix = {2, {k, 1 + below(graph, 20)}};
    const int in[] = {a, add_leaf(graph, dtype, &matrix, ANY, false)};

    add_if_valid(graph, op, in, 2);
}

/* ---- A whole graph --------------------------------------------------------------------------------- */

static void draw(struct random_graph *graph)
{
    static void (*const kinds[])(struct random_graph *) = {
        draw_arithmetic, draw_arithmetic, draw_arithmetic, draw_variadic, draw_comparison,
        draw_logic,      draw_where,      draw_where,      draw_unary,    draw_unary,
        draw_cast,       draw_transpose,  draw_reshape,    draw_slice,    draw_concat,
        draw_any,        draw_any,        draw_any,        draw_any,      draw_product};
    bl_shape space = {.rank = 1 + (int)below(graph, 4)};

    for (int i = 0; i < space.rank; i++)
        space.dim[i] = 1 + below(graph, below(graph, 8) == 0 ? 60 : 6);
    for (int i = 0; i < 6; i++) {
        const bl_shape shape = i == 0 ? space : random_shape(graph, &space);

        add_leaf(graph, i == 5 ? BL_BOOL : any_number(graph), &shape, ANY, i < 4 || i == 5);
    }
    const int wanted = 1 + (int)below(graph, RANDOM_GRAPH_NODES - 4);

    for (int attempt = 0;
         attempt < 120 && graph->node_count < wanted && !choices_at_end(&graph->choices);
         attempt++)
        if (graph->value_count + 6 < RANDOM_GRAPH_VALUES)
            kinds[below(graph, (int64_t)(sizeof kinds / sizeof *kinds))](graph);
    for (int n = 0; n < graph->node_count; n++)
        if (n + 1 == graph->node_count || below(graph, 5) == 0)
            graph->value[graph->node[n].out].is_output = true;
}

struct random_graph *random_graph_draw(struct choices choices)
{
    struct random_graph *graph = calloc(1, sizeof *graph);

    if (graph == NULL)
        return NULL;
    graph->choices = choices;
    draw(graph);
    return graph;
}

void random_graph_free(struct random_graph *graph)
{
    for (int v = 0; v < graph->value_count; v++)
        bl_tensor_free(graph->value[v].tensor);
    free(graph);
}

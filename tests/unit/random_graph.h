/*
 * random_graph.h - random graphs, as models and as the reference evaluates them
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inputs and initializers are drawn, then nodes over what there is so far: arithmetic with
 * broadcasting, comparison, selection, casts, products, views and moves.  Several values are outputs.
 */
#ifndef BL_TESTS_UNIT_RANDOM_GRAPH_H
#define BL_TESTS_UNIT_RANDOM_GRAPH_H

#include <stdbool.h>

#include "broadloom/broadloom.h"
#include "fuzz/choices.h"

enum { RANDOM_GRAPH_OPSET = 21 };
enum { RANDOM_GRAPH_VALUES = 40, RANDOM_GRAPH_NODES = 24, RANDOM_GRAPH_INPUTS = 5 };

struct drawn_value {
    bl_dtype dtype;
    bl_shape shape;
    bl_tensor *tensor; /* of inputs and initializers; of others the reference's result */
    bool is_input, is_initializer, is_output;
    bool
        inexact; /* comes from an operator whose results the reference gives up to some ulp */
};

struct drawn_node {
    const char *op;
    int in[RANDOM_GRAPH_INPUTS];
    size_t in_count;
    int out;
    bl_attribute attribute; /* its name NULL: none */
};

struct random_graph {
    struct drawn_value value[RANDOM_GRAPH_VALUES];
    int value_count;
    struct drawn_node node[RANDOM_GRAPH_NODES];
    int node_count;
    struct choices choices;
};

/* Draw a graph; it may be without a node.  To be freed.  NULL without memory. */
struct random_graph *random_graph_draw(struct choices choices);

void random_graph_free(struct random_graph *graph);

/*
 * Run it as a model, in each context fused and node by node: all give the same bits, and those that
 * the reference gives, where the operators are exact.  False: `why` (BL_ERROR_BYTES) says what is wrong.
 */
bool random_graph_check(struct random_graph *graph, bl_context *const *contexts,
                        size_t count, char *why);

#endif

/*
 * graph.h - a model as nodes and values, checked against the operators' schemas
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * io/onnx builds it, plan reads it.  Once built it is never changed, so that several threads
 * may plan and run from one graph.
 */
#ifndef BL_GRAPH_GRAPH_H
#define BL_GRAPH_GRAPH_H

#include <stdbool.h>

#include "broadloom/broadloom.h"

/* An index into bl_graph.values; BL_NO_VALUE is an absent optional input or output. */
typedef int32_t bl_value_id;
#define BL_NO_VALUE ((bl_value_id)-1)

/* A name in the graph: an input, an initializer, or what a node puts out. */
struct bl_graph_value {
    bl_value_info info; /* what the model says; the name is always there, and unique */
    const bl_tensor *constant; /* an initializer's tensor, or NULL */
    int32_t producer; /* the node that puts it out; -1 for inputs and initializers */
    bool is_input;
    bool is_output;
};

/* Why a node cannot run, and what it was to be. */
struct bl_graph_problem {
    bl_problem why;
    const char *domain;
    const char *op_type;
};

/* A node.  node.name is never NULL: nodes without a name are named after their first output. */
struct bl_graph_node {
    bl_node node;
    size_t input_count, output_count;
    const bl_value_id *inputs;  /* [input_count], trailing absent ones left off */
    const bl_value_id *outputs; /* [output_count] */
    /* NULL in a graph that can run.  A node with a problem has no attributes, and node.op is
     * NULL if the operator is not known. */
    const struct bl_graph_problem *problem;
};

struct bl_graph {
    int64_t ir_version;
    int64_t opset;        /* of ai.onnx; 0: none is imported */
    size_t problem_count; /* nodes with one; only a graph without any can run */
    size_t value_count, node_count, input_count, output_count;
    const struct bl_graph_value *values;
    const struct bl_graph_node *nodes; /* in topological order */
    const bl_value_id *inputs; /* the model's, in its order; initializers that are listed as
                                          inputs too are among them from IR 4 on, with a default */
    const bl_value_id *outputs;
};

#endif

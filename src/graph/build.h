/*
 * build.h - put a graph together, name by name, and check it
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * In this order: initializers, inputs, nodes, outputs, finish.  Values go by their names;
 * what is handed in is copied, but for tensors.  A failure names the node, or the value;
 * after it the builder can only be freed.
 *
 *     builder = bl_builder_new(allocator, ir_version, err);
 *     bl_builder_initializer, bl_builder_input, bl_builder_node, bl_builder_output ...
 *     graph = bl_builder_finish(builder, err);
 *     bl_builder_free(builder);
 *     ...
 *     bl_graph_free(graph);
 */
#ifndef BL_GRAPH_BUILD_H
#define BL_GRAPH_BUILD_H

#include "graph/graph.h"

/* The versions of ONNX's format whose models are understood. */
#define BL_IR_MIN 3
#define BL_IR_MAX 13

struct bl_builder;

/* A node as a model writes it.  An absent input or output has the name "". */
struct bl_raw_node {
    const char *name;   /* "": none */
    const char *domain; /* of the operator; "" means ai.onnx */
    const char *op_type;
    int64_t opset; /* of ai.onnx, as imported where the node stands; 0: it is not */
    const bl_attribute *attributes; /* tensors have to be kept (bl_builder_keep) */
    size_t attribute_count;
    const char *const *inputs;
    size_t input_count;
    const char *const *outputs;
    size_t output_count;
};

/* What a node goes by: its name, or else its first output's, or else its operator's. */
const char *bl_raw_node_name(const struct bl_raw_node *raw);

/* BL_ERR_UNSUPPORTED for an IR version that is not understood; BL_ERR_MEMORY. */
struct bl_builder *bl_builder_new(const bl_allocator *allocator, int64_t ir_version,
                                  bl_error *err);

/* Note the opset of ai.onnx that the model imports. */
void bl_builder_set_opset(struct bl_builder *builder, int64_t opset);

void bl_builder_free(struct bl_builder *builder);

/* Hand a tensor over to the graph.  On failure it is freed. */
bl_status bl_builder_keep(struct bl_builder *builder, bl_tensor *tensor, bl_error *err);

/* `tensor` is kept, as by bl_builder_keep. */
bl_status bl_builder_initializer(struct bl_builder *builder, const char *name,
                                 bl_tensor *tensor, bl_error *err);

/* An input.  Where an initializer has its name, that is the input's default from IR 4 on;
 * before, where all initializers had to be inputs too, it is no input of the graph. */
bl_status bl_builder_input(struct bl_builder *builder, const bl_value_info *info,
                           bl_error *err);

bl_status bl_builder_node(struct bl_builder *builder, const struct bl_raw_node *raw,
                          bl_error *err);

/* Keep a node that bl_builder_node refuses, or that could not be read so far, for people to
 * look at.  The graph cannot be run then. */
bl_status bl_builder_broken_node(struct bl_builder *builder, const struct bl_raw_node *raw,
                                 const bl_error *why, bl_error *err);

bl_status bl_builder_output(struct bl_builder *builder, const bl_value_info *info,
                            bl_error *err);

/* Check what can only be checked at the end, the order of the nodes, and hand out the
 * graph; NULL on failure.  It lies in memory of its own. */
const struct bl_graph *bl_builder_finish(struct bl_builder *builder, bl_error *err);

void bl_graph_free(const struct bl_graph *graph);

#endif

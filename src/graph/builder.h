/*
 * builder.h - what a builder holds; for the files of this room
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_GRAPH_BUILDER_H
#define BL_GRAPH_BUILDER_H

#include "base/arena.h"
#include "graph/build.h"
#include "graph/names.h"

/* bl_graph_value.producer of a value that a node takes and that is not defined yet. */
#define BL_PRODUCER_UNKNOWN (-2)

/* The tensors of a graph, to be freed with it. */
struct bl_kept {
    bl_tensor *tensor;
    struct bl_kept *next;
};

struct bl_builder {
    struct bl_arena arena;   /* what the graph keeps */
    struct bl_arena scratch; /* what goes with the builder */
    int64_t ir_version;
    int64_t opset;
    size_t problem_count;
    struct bl_names names;  /* of values; the numbers are their ids */
    struct bl_list values;  /* struct bl_graph_value */
    struct bl_list nodes;   /* struct bl_graph_node */
    struct bl_list inputs;  /* bl_value_id */
    struct bl_list outputs; /* bl_value_id */
    struct bl_kept *kept;
};

static inline struct bl_graph_value *bl_builder_value(const struct bl_builder *builder,
                                                      bl_value_id id)
{
    return (struct bl_graph_value *)builder->values.things + id;
}

/* Every value that a node takes is there, and was before the node.  (order.c) */
bl_status bl_builder_check_order(struct bl_builder *builder, bl_error *err);

#endif

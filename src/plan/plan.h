/*
 * plan.h - a whole graph as steps over memory, for one set of input types and shapes
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs of pointwise nodes over one space become one step (group.c, merge.c); operators that only look at
 * memory differently become views; what is left between the steps lies in an arena (memory.c).
 */
#ifndef BL_PLAN_PLAN_H
#define BL_PLAN_PLAN_H

#include "graph/graph.h"
#include "plan/lower.h"

/* Whose memory a value lies in. */
enum bl_home {
    BL_HOME_NONE,   /* it has no elements, or lives within a group */
    BL_HOME_INPUT,  /* the caller's input `place` */
    BL_HOME_OUTPUT, /* the caller's output `place` */
    BL_HOME_CONSTANT, /* an initializer, or a value known while planning: data is set for good */
    BL_HOME_ARENA /* `place` bytes into the arena */
};

struct bl_plan_value {
    bl_tensor layout;  /* type, shape, strides; data is set by bl_plan_bind */
    bl_value_id root;  /* the value whose memory this is a view of; itself if it is none */
    int64_t offset;    /* bytes from the root's first element to this one's */
    bl_tensor *owned;  /* a constant that the plan made, or NULL */
    int32_t step;      /* the step that puts it out, -1: none */
    int32_t last_step; /* of a root: the last step that reads it or a view of it */
    bool leaves;       /* of a root: it is read outside of the step that puts it out */
    enum bl_home home; /* of a root */
    size_t place;
};

/* Nodes in a group: its temporaries have to stay in the cache together. */
#define BL_PLAN_MOST_NODES 64

enum bl_plan_kind { BL_PLAN_GROUP, BL_PLAN_MATMUL, BL_PLAN_COPY, BL_PLAN_HOST };

struct bl_plan_step {
    enum bl_plan_kind kind;
    int32_t *nodes; /* [node_count], of the graph; none for a copy */
    size_t node_count;
    struct bl_lowered lowered; /* not for a host step */
    bl_value_id *operands;     /* the values that the lowered step's operands are */
    size_t operand_count;
};

struct bl_plan {
    bl_allocator allocator;
    const struct bl_graph *graph;
    struct bl_params *params; /* [graph's nodes] */
    struct bl_plan_value *values;
    size_t value_count, value_room;
    struct bl_plan_step *steps;
    size_t step_count, step_room;
    bl_value_id *outputs; /* [graph's outputs]: the value that is written there */
    size_t arena_bytes;
    size_t constant_bytes; /* of the constants that the plan made */
};

/* Computes one node whose inputs are known while planning; *output is a new tensor. */
struct bl_plan_evaluator {
    bl_status (*run)(void *user, const bl_node *node, const bl_tensor *const *inputs,
                     size_t input_count, bl_tensor **output, bl_error *err);
    void *user;
};

/*
 * Plan a graph.
 *
 * @param inputs     [graph's inputs]: type, shape and strides count, and not the elements.
 * @param constants  [graph's values]: tensors that are known for good, or NULL.
 * Errors: as bl_infer, naming the node; BL_ERR_UNSUPPORTED for a graph that has to be run node by
 *         node: with strings, or with a shape that depends on an input's elements.
 */
bl_status bl_plan_graph(struct bl_plan **out, const bl_allocator *allocator,
                        const struct bl_graph *graph, const bl_tensor *const *inputs,
                        const bl_tensor *const *constants,
                        const struct bl_plan_evaluator *evaluator, bl_error *err);

/* Point all steps at this run's memory.  `arena` has arena_bytes, aligned to BL_ALIGNMENT. */
void bl_plan_bind(struct bl_plan *plan, const bl_tensor *const *inputs,
                  bl_tensor *const *outputs, void *arena);

void bl_plan_free(struct bl_plan *plan);

/* ---- The parts of planning ------------------------------------------------------------------- */

/* A value that the graph has not: the row-major copy of one that cannot be viewed.  BL_NO_VALUE if
 * memory runs out. */
bl_value_id bl_plan_add_value(struct bl_plan *plan);

/* A new step; NULL if memory runs out.  Pointers to steps become stale. */
struct bl_plan_step *bl_plan_add_step(struct bl_plan *plan, enum bl_plan_kind kind);

/* Note that a step runs a node, resp. has an operand; false if memory runs out. */
bool bl_plan_add_node(struct bl_plan *plan, struct bl_plan_step *step, int32_t node);
bool bl_plan_add_operand(struct bl_plan *plan, struct bl_plan_step *step,
                         bl_value_id value);

void bl_plan_free_step(const struct bl_plan *plan, struct bl_plan_step *step);

/* The shape that all nodes of a group put out. */
const bl_shape *bl_plan_space(const struct bl_plan *plan, const struct bl_plan_step *step);

/* True if the step is a group over that space, in which `nodes` more have room. */
bool bl_plan_has_room(const struct bl_plan *plan, const struct bl_plan_step *step,
                      size_t nodes, const bl_shape *space);

/* Put a pointwise node, whose outputs' layouts are set, into a group.  (group.c) */
bl_status bl_plan_place_pointwise(struct bl_plan *plan, int32_t node, bl_error *err);

/* Make one of groups where the later one alone waits for the other.  (merge.c) */
bl_status bl_plan_merge_groups(struct bl_plan *plan, bl_error *err);

/* Lower all steps, once it is known which values are read from outside.  (group.c) */
bl_status bl_plan_lower_steps(struct bl_plan *plan, bl_error *err);

/* Find out how long each root is needed, and give it a place in the arena.  (memory.c) */
bl_status bl_plan_place_memory(struct bl_plan *plan, bl_error *err);

#endif

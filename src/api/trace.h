/*
 * trace.h - the types of all values of a graph, and what keeps its nodes from running
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_API_TRACE_H
#define BL_API_TRACE_H

#include "api/context.h"
#include "base/arena.h"
#include "graph/graph.h"

/* What has been found out; all of it lies in the arena. */
struct bl_trace {
    bl_tensor_type *types;       /* [values]; BL_UNDEFINED: it cannot be told */
    const bl_problem **problems; /* [nodes]; NULL: none */
    size_t problem_count;
};

/*
 * Go through the nodes as a run would, without the elements of the inputs.  A node whose
 * problem is found leaves the types of its outputs open, and with them those of what
 * depends on them.
 *
 * @param inputs  [graph's inputs]: type and shape count; NULL for an input that is left to
 *                its default.
 * Errors: BL_ERR_MEMORY.
 */
bl_status bl_trace_graph(struct bl_trace *trace, struct bl_arena *arena,
                         bl_context *context, const struct bl_graph *graph,
                         const bl_tensor *const *inputs, bl_error *err);

/* Make `layout` a row-major tensor of that type, without elements. */
void bl_trace_lay_out(bl_tensor *layout, const bl_tensor_type *type);

#endif

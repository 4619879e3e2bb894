/*
 * onnx.h - read an ONNX model into a graph
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Source: onnx.proto and ONNX docs/IR.md, IR versions 3 to 13.
 */
#ifndef BL_IO_ONNX_H
#define BL_IO_ONNX_H

#include "graph/graph.h"
#include "io/external.h"
#include "io/source.h"

/*
 * Read the ModelProto that the source holds.  The graph borrows from the source's bytes and
 * from the external files, which have to outlive it; local functions are inlined.
 *
 * Memory is bounded by the bytes there are, and inlining by a limit of its own.
 *
 * Errors: BL_ERR_FORMAT, _OPERATOR, _ARITY, _ATTRIBUTE, _TYPE, _SHAPE, _LIMIT, _MEMORY, _IO;
 *         BL_ERR_UNSUPPORTED for subgraphs, sparse tensors, sequences, maps, optionals, and
 *         for external data where `external` has no folder.
 */
const struct bl_graph *bl_onnx_read(const struct bl_source *source,
                                    const bl_allocator *allocator,
                                    struct bl_external *external, bl_error *err);

/* The same for a graph to look at: a node that could not run is kept, with its problem. */
const struct bl_graph *bl_onnx_read_to_inspect(const struct bl_source *source,
                                               const bl_allocator *allocator,
                                               struct bl_external *external, bl_error *err);

#endif

/*
 * symbols.h - the symbols that a model writes for open dims of its inputs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_API_SYMBOLS_H
#define BL_API_SYMBOLS_H

#include "graph/graph.h"

/* The symbols of a graph's inputs, numbered. */
struct bl_symbols {
    int32_t
        *number; /* [dims]: of each dim of each input, in their order; -1: it has none */
    size_t dims;
    size_t count; /* of different ones */
};

/* Number a graph's symbols.  Errors: BL_ERR_MEMORY. */
bl_status bl_symbols_find(const struct bl_graph *graph, const bl_allocator *allocator,
                          struct bl_symbols *symbols, bl_error *err);

void bl_symbols_free(const bl_allocator *allocator, struct bl_symbols *symbols);

/*
 * Check that each symbol stands for one number.
 *
 * @param allocator  of the caller's, for as long as this takes: the symbols may be another's.
 * @param inputs     [graph's inputs], checked but for this; NULL: absent.
 * Errors: BL_ERR_SHAPE, naming the symbol and two inputs; BL_ERR_MEMORY.
 */
bl_status bl_symbols_check(const struct bl_symbols *symbols, const struct bl_graph *graph,
                           const bl_allocator *allocator, const bl_tensor *const *inputs,
                           bl_error *err);

#endif

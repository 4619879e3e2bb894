/*
 * model.h - what a model holds
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_API_MODEL_H
#define BL_API_MODEL_H

#include "api/symbols.h"
#include "graph/graph.h"
#include "io/external.h"
#include "io/map.h"

struct bl_model {
    bl_allocator allocator;
    struct bl_map map;           /* the model's file; of a model in memory nothing */
    struct bl_external external; /* the files beside it that tensors lie in */
    const struct bl_graph *graph;
    struct bl_symbols symbols; /* of the inputs' open dims */
};

/* BL_ERR_IO if a file of the model was cut short since it is open: what was read then were zeros. */
bl_status bl_model_check_files(const bl_model *model, bl_error *err);

/* Check the types and shapes of all inputs against what the model says of them; NULL is an
 * input that is left to its default.  The allocator is the caller's.  (session.c) */
bl_status bl_model_check_inputs(const bl_model *model, const bl_allocator *allocator,
                                const bl_tensor *const *inputs, bl_error *err);

#endif

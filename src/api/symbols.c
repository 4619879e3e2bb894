/*
 * symbols.c - the symbols that a model writes for open dims of its inputs
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * They are numbered when the model is opened: to compare their names in each run would take
 * longer than many a run, and a stranger's model may have as many as it likes.
 */
#include "api/symbols.h"

#include "base/arena.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "base/status.h"
#include "graph/names.h"
#include "tensor/tensor.h"

static const bl_value_info *input_at(const struct bl_graph *graph, size_t i)
{
    return &graph->values[graph->inputs[i]].info;
}

static size_t rank_of(const bl_value_info *info)
{
    return info->rank > 0 ? (size_t)info->rank : 0;
}

/* ---- Numbering ------------------------------------------------------------------------------- */

static bl_status number_all(const struct bl_graph *graph, struct bl_symbols *symbols,
                            struct bl_arena *arena, bl_error *err)
{
    struct bl_names names;
    size_t at = 0;

    bl_names_init(&names, arena);
    for (size_t i = 0; i < graph->input_count; i++) {
        const bl_value_info *info = input_at(graph, i);

        for (size_t axis = 0; axis < rank_of(info); axis++, at++) {
            const char *symbol = info->dim_names != NULL ? info->dim_names[axis] : NULL;

            symbols->number[at] = -1;
            if (symbol == NULL || bl_names_find(&names, symbol, &symbols->number[at]))
                continue;
            symbols->number[at] = (int32_t)symbols->count++;
            BL_TRY(bl_names_add(&names, symbol, symbols->number[at], err));
        }
    }
    return BL_OK;
}

bl_status bl_symbols_find(const struct bl_graph *graph, const bl_allocator *allocator,
                          struct bl_symbols *symbols, bl_error *err)
{
    struct bl_arena arena;

    *symbols = (struct bl_symbols){NULL, 0, 0};
    /* The graph has more memory for each of its dims: this sum and product fit. */
    for (size_t i = 0; i < graph->input_count; i++)
        symbols->dims += rank_of(input_at(graph, i));
    if (symbols->dims == 0)
        return BL_OK;
    symbols->number = bl_mem_alloc(allocator, symbols->dims * sizeof *symbols->number);
    if (symbols->number == NULL)
        return bl_arena_fail(err);
    bl_arena_init(&arena, allocator);
    const bl_status status = number_all(graph, symbols, &arena, err);

    bl_arena_free(&arena);
    return status;
}

void bl_symbols_free(const bl_allocator *allocator, struct bl_symbols *symbols)
{
    bl_mem_free(allocator, symbols->number, symbols->dims * sizeof *symbols->number);
    symbols->number = NULL;
}

/* ---- Checking -------------------------------------------------------------------------------- */

/* Where a symbol was met first, and what it stood for there. */
struct met {
    int64_t dim;
    size_t input; /* counted from 1; 0: nowhere yet */
};

static bl_status check(const struct bl_symbols *symbols, const struct bl_graph *graph,
                       const bl_tensor *const *inputs, struct met *met, bl_error *err)
{
    const int32_t *number = symbols->number;

    for (size_t i = 0; i < graph->input_count; i++) {
        const bl_value_info *info = input_at(graph, i);
        const size_t rank = rank_of(info);

        for (size_t axis = 0; inputs[i] != NULL && axis < rank; axis++) {
            const int64_t dim = inputs[i]->shape.dim[axis];

            if (number[axis] < 0)
                continue;
            struct met *first = &met[number[axis]];

            if (first->input == 0)
                *first = (struct met){dim, i + 1};
            if (first->dim != dim)
                return bl_fail(err, BL_ERR_SHAPE,
                               "dim '%s' is %lld in input '%s', but %lld in input '%s'",
                               info->dim_names[axis], (long long)first->dim,
                               input_at(graph, first->input - 1)->name, (long long)dim,
                               info->name);
        }
        number += rank;
    }
    return BL_OK;
}

bl_status bl_symbols_check(const struct bl_symbols *symbols, const struct bl_graph *graph,
                           const bl_allocator *allocator, const bl_tensor *const *inputs,
                           bl_error *err)
{
    struct met few[16] = {{0, 0}};
    const size_t bytes = symbols->count * sizeof *few;

    if (symbols->count == 0)
        return BL_OK;
    if (symbols->count <= BL_COUNT_OF(few))
        return check(symbols, graph, inputs, few, err);
    struct met *met = bl_mem_alloc_zero(allocator, bytes);

    if (met == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for %zu symbols of dims",
                       symbols->count);
    const bl_status status = check(symbols, graph, inputs, met, err);

    bl_mem_free(allocator, met, bytes);
    return status;
}

/*
 * model.c - models: open, list what goes in and out
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api/model.h"

#include "api/context.h"
#include "base/guard.h"
#include "base/mem.h"
#include "base/status.h"
#include "graph/build.h"
#include "io/onnx.h"

static bl_model *model_new(bl_context *context, bl_error *err)
{
    const bl_allocator *allocator = bl_context_allocator(context);
    bl_model *model = bl_mem_alloc_zero(allocator, sizeof *model);

    if (model == NULL) {
        bl_fail(err, BL_ERR_MEMORY, "out of memory for a model");
        return NULL;
    }
    model->allocator = *allocator;
    bl_external_init(&model->external, allocator, bl_context_mapping(context));
    return model;
}

void bl_model_free(bl_model *model)
{
    if (model == NULL)
        return;
    const bl_allocator allocator = model->allocator;

    bl_symbols_free(&allocator, &model->symbols);
    bl_graph_free(model->graph); /* before the bytes that it borrows */
    bl_external_close(&model->external);
    bl_map_close(&allocator, &model->map);
    bl_mem_free(&allocator, model, sizeof *model);
}

bl_status bl_model_check_files(const bl_model *model, bl_error *err)
{
    BL_TRY(bl_map_check("the model's file", &model->map, err));
    return bl_external_check(&model->external, err);
}

/* bl_onnx_read or bl_onnx_read_to_inspect. */
typedef const struct bl_graph *graph_reader(const struct bl_source *source,
                                            const bl_allocator *allocator,
                                            struct bl_external *external, bl_error *err);

/* Read the graph; the model, or what there is of it, is freed where that fails. */
static bl_model *read_graph(bl_model *model, graph_reader *reader,
                            const struct bl_source *source, bl_error *err)
{
    model->graph = reader(source, &model->allocator, &model->external, err);
    bl_external_close_folder(&model->external);
    /* Whatever the reader says of a file that was cut short meanwhile, this is the reason. */
    if (bl_model_check_files(model, err) == BL_OK && model->graph != NULL &&
        bl_symbols_find(model->graph, &model->allocator, &model->symbols, err) == BL_OK)
        return model;
    bl_model_free(model);
    return NULL;
}

/* The outcome of opening a model with that allocator, as a caller gets it. */
static bl_model *opened(bl_model *model, const bl_allocator *allocator,
                        struct bl_fpenv saved, bl_error *err)
{
    bl_fpenv_leave(saved);
    return model != NULL ? model : bl_guard_explain_null(allocator, err);
}

static bl_model *open_file(bl_context *context, const char *path, graph_reader *reader,
                           bl_error *err)
{
    if (path == NULL) {
        bl_fail(err, BL_ERR_ARGUMENT, "bl_model_open: the path is NULL");
        return NULL;
    }
    bl_model *model = model_new(context, err);

    if (model == NULL)
        return NULL;
    /* The file and those beside it are looked up in one folder, whatever its name comes to mean. */
    if (bl_external_set_beside(&model->external, path, err) != BL_OK ||
        bl_map_open(path, bl_external_open_folder(&model->external), &model->external.with,
                    &model->map, err) != BL_OK) {
        bl_model_free(model);
        return NULL;
    }
    const struct bl_source source = {path, model->map.bytes, model->map.size};

    return read_graph(model, reader, &source, err);
}

bl_model *bl_model_open(bl_context *context, const char *path, bl_error *err)
{
    const struct bl_fpenv saved = bl_fpenv_enter();

    return opened(open_file(context, path, bl_onnx_read, err),
                  bl_context_allocator(context), saved, err);
}

bl_model *bl_model_inspect(bl_context *context, const char *path, bl_error *err)
{
    const struct bl_fpenv saved = bl_fpenv_enter();

    return opened(open_file(context, path, bl_onnx_read_to_inspect, err),
                  bl_context_allocator(context), saved, err);
}

static bl_model *open_memory(bl_context *context, const void *bytes, size_t size,
                             const char *folder, bl_error *err)
{
    static const unsigned char none[1];

    if (bytes == NULL && size > 0) {
        bl_fail(err, BL_ERR_ARGUMENT, "bl_model_open_memory: the bytes are NULL");
        return NULL;
    }
    bl_model *model = model_new(context, err);

    if (model == NULL)
        return NULL;
    if (folder != NULL && bl_external_set_folder(&model->external, folder, err) != BL_OK) {
        bl_model_free(model);
        return NULL;
    }
    const struct bl_source source = {"model", bytes != NULL ? bytes : none, size};

    return read_graph(model, bl_onnx_read, &source, err);
}

bl_model *bl_model_open_memory(bl_context *context, const void *bytes, size_t size,
                               const char *folder, bl_error *err)
{
    const struct bl_fpenv saved = bl_fpenv_enter();

    return opened(open_memory(context, bytes, size, folder, err),
                  bl_context_allocator(context), saved, err);
}

/* ---- What goes in and out ------------------------------------------------------------ */

size_t bl_model_input_count(const bl_model *model)
{
    return model->graph->input_count;
}

size_t bl_model_output_count(const bl_model *model)
{
    return model->graph->output_count;
}

const bl_value_info *bl_model_input(const bl_model *model, size_t i)
{
    const struct bl_graph *graph = model->graph;

    return i < graph->input_count ? &graph->values[graph->inputs[i]].info : NULL;
}

const bl_value_info *bl_model_output(const bl_model *model, size_t i)
{
    const struct bl_graph *graph = model->graph;

    return i < graph->output_count ? &graph->values[graph->outputs[i]].info : NULL;
}

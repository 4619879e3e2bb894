/*
 * onnx.c - read an ONNX model into a graph
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Fields may come in any order, and a graph in several pieces, which are one message.  So
 * the file is gone through once for each kind of part; what is not wanted is skipped without
 * being looked at.
 */
#include "io/onnx.h"

#include <string.h>

#include "base/guard.h"
#include "io/onnx_reader.h"

/* ---- Fields --------------------------------------------------------------------- */

bl_status bl_onnx_at(const struct bl_onnx *reader, size_t offset, bl_status status,
                     bl_error *err)
{
    if (status == BL_OK)
        return BL_OK;
    return bl_fail_prefix(err, status, "%s: byte %zu: ", reader->source->name, offset);
}

bl_status bl_onnx_name(const struct bl_wire_field *field, struct bl_arena *arena,
                       const char **name, bl_error *err)
{
    BL_TRY(bl_wire_expect(field, BL_WIRE_BYTES, err));
    const unsigned char *bytes = bl_wire_bytes(&field->body);
    const size_t size = bl_wire_left(&field->body);

    /* Names stand in messages, which are lines. */
    for (size_t i = 0; i < size; i++)
        if (bytes[i] < 0x20 || bytes[i] == 0x7F)
            return bl_fail_at(err, BL_ERR_FORMAT, field->body.source, field->body.at + i,
                              "a control character (%u) in a name", (unsigned)bytes[i]);
    *name = bl_arena_text(arena, bytes, size);
    return *name != NULL ? BL_OK : bl_arena_fail(err);
}

bl_status bl_onnx_count(struct bl_wire message, uint32_t number, size_t *count,
                        bl_error *err)
{
    struct bl_wire_field field;

    *count = 0;
    while (message.at < message.end) {
        BL_TRY(bl_wire_next(&message, &field, err));
        if (field.number != number)
            continue;
        BL_TRY(bl_wire_expect(&field, BL_WIRE_BYTES, err));
        ++*count;
    }
    return BL_OK;
}

bl_status bl_onnx_names(struct bl_wire message, uint32_t number, struct bl_arena *arena,
                        const char ***names, size_t *count, bl_error *err)
{
    struct bl_wire_field field;
    size_t i = 0;

    BL_TRY(bl_onnx_count(message, number, count, err));
    *names = bl_arena_alloc(arena, *count, sizeof **names);
    if (*names == NULL)
        return bl_arena_fail(err);
    while (message.at < message.end) {
        BL_TRY(bl_wire_next(&message, &field, err));
        if (field.number != number)
            continue;
        if (i == *count)
            return bl_fail_changed(err, message.source, field.offset);
        BL_TRY(bl_onnx_name(&field, arena, &(*names)[i++], err));
    }
    return i == *count ? BL_OK : bl_fail_changed(err, message.source, message.end);
}

bl_status bl_onnx_opset(const struct bl_wire_field *field, struct bl_arena *arena,
                        int64_t *opset, bl_error *err)
{
    struct bl_wire message = field->body;
    const char *domain = "";
    int64_t version = 0;

    BL_TRY(bl_wire_expect(field, BL_WIRE_BYTES, err));
    while (message.at < message.end) {
        struct bl_wire_field part;

        BL_TRY(bl_wire_next(&message, &part, err));
        if (part.number == BL_OPSET_DOMAIN)
            BL_TRY(bl_onnx_name(&part, arena, &domain, err));
        if (part.number != BL_OPSET_VERSION)
            continue;
        BL_TRY(bl_wire_expect(&part, BL_WIRE_VARINT, err));
        version = (int64_t)part.value;
    }
    if (domain[0] != '\0' && strcmp(domain, "ai.onnx") != 0)
        return BL_OK;
    if (version < 1)
        return bl_fail_at(err, BL_ERR_OPERATOR, field->body.source, field->offset,
                          "opset %lld of ai.onnx is none", (long long)version);
    if (version > BL_OPSET_MAX)
        return bl_fail_at(
            err, BL_ERR_OPERATOR, field->body.source, field->offset,
            "opset %lld of ai.onnx is newer than %d, the newest that is known",
            (long long)version, BL_OPSET_MAX);
    if (*opset != 0 && *opset != version)
        return bl_fail_at(err, BL_ERR_FORMAT, field->body.source, field->offset,
                          "two opsets of ai.onnx are imported, %lld and %lld",
                          (long long)*opset, (long long)version);
    *opset = version;
    return BL_OK;
}

/* ---- ModelProto ------------------------------------------------------------------- */

/* The versions, and that there is a graph. */
static bl_status read_header(struct bl_onnx *reader, bl_error *err)
{
    struct bl_wire model = bl_wire_of(reader->source);
    bool has_version = false;
    bool has_graph = false;

    while (model.at < model.end) {
        struct bl_wire_field field;

        BL_TRY(bl_wire_next(&model, &field, err));
        switch (field.number) {
        case BL_MODEL_IR_VERSION:
            BL_TRY(bl_wire_expect(&field, BL_WIRE_VARINT, err));
            reader->ir_version = (int64_t)field.value;
            has_version = true;
            break;
        case BL_MODEL_GRAPH:
            BL_TRY(bl_wire_expect(&field, BL_WIRE_BYTES, err));
            has_graph = true;
            break;
        case BL_MODEL_OPSET_IMPORT:
            BL_TRY(bl_onnx_opset(&field, &reader->scratch, &reader->opset, err));
            break;
        }
    }
    if (!has_version || !has_graph)
        return bl_fail_at(err, BL_ERR_FORMAT, reader->source, reader->source->size,
                          "not an ONNX model: there is no %s",
                          has_version ? "graph" : "ir_version");
    return BL_OK;
}

static bl_status read_functions(struct bl_onnx *reader, bl_error *err)
{
    struct bl_wire model = bl_wire_of(reader->source);

    while (model.at < model.end) {
        struct bl_wire_field field;

        BL_TRY(bl_wire_next(&model, &field, err));
        if (field.number == BL_MODEL_FUNCTIONS)
            BL_TRY(bl_onnx_add_function(reader, &field, err));
    }
    return BL_OK;
}

/* ---- GraphProto --------------------------------------------------------------------- */

/* A name of the graph that the insides of functions must not get. */
static bl_status take_name(struct bl_onnx *reader, const char *name, bl_error *err)
{
    int32_t there;

    if (reader->functions.count == 0 || bl_names_find(&reader->taken, name, &there))
        return BL_OK;
    const char *copy = bl_arena_text(&reader->arena, name, strlen(name));

    return copy != NULL ? bl_names_add(&reader->taken, copy, 0, err) : bl_arena_fail(err);
}

static bl_status add_initializer(struct bl_onnx *reader, const struct bl_wire_field *field,
                                 bl_error *err)
{
    struct bl_wire message = field->body;
    const char *name = "";

    while (message.at < message.end) {
        struct bl_wire_field part;

        BL_TRY(bl_wire_next(&message, &part, err));
        if (part.number == BL_TENSOR_NAME)
            BL_TRY(bl_onnx_name(&part, &reader->scratch, &name, err));
    }
    bl_error why;
    bl_tensor *tensor = bl_pb_read(field->body, &reader->allocator, &reader->places, &why);

    if (tensor == NULL)
        return bl_fail(err, why.status, "initializer '%s': %s", name, why.message);
    BL_TRY(take_name(reader, name, err));
    return bl_onnx_at(reader, field->offset,
                      bl_builder_initializer(reader->builder, name, tensor, err), err);
}

static bl_status refuse_sparse(struct bl_onnx *reader, const struct bl_wire_field *field,
                               bl_error *err)
{
    return bl_fail_at(err, BL_ERR_UNSUPPORTED, reader->source, field->offset,
                      "a sparse initializer; sparse tensors are not supported");
}

static bl_status add_input(struct bl_onnx *reader, const struct bl_wire_field *field,
                           bl_error *err)
{
    bl_value_info info;

    BL_TRY(bl_onnx_value_info(reader, field, "input", &info, err));
    BL_TRY(take_name(reader, info.name, err));
    return bl_onnx_at(reader, field->offset, bl_builder_input(reader->builder, &info, err),
                      err);
}

static bl_status add_output(struct bl_onnx *reader, const struct bl_wire_field *field,
                            bl_error *err)
{
    bl_value_info info;

    BL_TRY(bl_onnx_value_info(reader, field, "output", &info, err));
    return bl_onnx_at(reader, field->offset, bl_builder_output(reader->builder, &info, err),
                      err);
}

static bl_status take_outputs(struct bl_onnx *reader, const struct bl_wire_field *field,
                              bl_error *err)
{
    const char **outputs;
    size_t count;

    if (reader->functions.count == 0)
        return BL_OK;
    BL_TRY(bl_onnx_names(field->body, BL_NODE_OUTPUT, &reader->scratch, &outputs, &count,
                         err));
    for (size_t i = 0; i < count; i++)
        BL_TRY(take_name(reader, outputs[i], err));
    return BL_OK;
}

static bl_status add_node(struct bl_onnx *reader, const struct bl_wire_field *field,
                          bl_error *err)
{
    struct bl_onnx_scope graph = {.prefix = ""};

    return bl_onnx_add_node(reader, &graph, field, err);
}

typedef bl_status part_reader(struct bl_onnx *reader, const struct bl_wire_field *field,
                              bl_error *err);

/* Read the graph's fields of one number, in all its pieces. */
static bl_status read_parts(struct bl_onnx *reader, uint32_t number, part_reader *read_part,
                            bl_error *err)
{
    struct bl_wire model = bl_wire_of(reader->source);
    struct bl_wire_field field;

    while (model.at < model.end) {
        BL_TRY(bl_wire_next(&model, &field, err));
        struct bl_wire graph = field.body;

        while (field.number == BL_MODEL_GRAPH && graph.at < graph.end) {
            struct bl_wire_field part;

            BL_TRY(bl_wire_next(&graph, &part, err));
            if (part.number != number)
                continue;
            BL_TRY(bl_guard_check(bl_guard_of(&reader->allocator), err));
            BL_TRY(bl_wire_expect(&part, BL_WIRE_BYTES, err));
            BL_TRY(read_part(reader, &part, err));
            bl_arena_reset(&reader->scratch);
        }
    }
    return BL_OK;
}

static bl_status read_graph(struct bl_onnx *reader, bl_error *err)
{
    BL_TRY(read_parts(reader, BL_GRAPH_SPARSE_INITIALIZER, refuse_sparse, err));
    BL_TRY(read_parts(reader, BL_GRAPH_INITIALIZER, add_initializer, err));
    BL_TRY(read_parts(reader, BL_GRAPH_INPUT, add_input, err));
    BL_TRY(read_parts(reader, BL_GRAPH_NODE, take_outputs, err));
    BL_TRY(read_parts(reader, BL_GRAPH_NODE, add_node, err));
    return read_parts(reader, BL_GRAPH_OUTPUT, add_output, err);
}

/* ---- All of it ------------------------------------------------------------------------ */

static const struct bl_graph *read_model(struct bl_onnx *reader, bl_error *err)
{
    if (read_header(reader, err) != BL_OK)
        return NULL;
    reader->builder = bl_builder_new(&reader->allocator, reader->ir_version, err);
    if (reader->builder == NULL) {
        if (err != NULL)
            bl_fail_prefix(err, err->status, "%s: ", reader->source->name);
        return NULL;
    }
    bl_builder_set_opset(reader->builder, reader->opset);
    if (read_functions(reader, err) != BL_OK || read_graph(reader, err) != BL_OK)
        return NULL;
    const struct bl_graph *graph = bl_builder_finish(reader->builder, err);

    if (graph == NULL && err != NULL)
        bl_fail_prefix(err, err->status, "%s: ", reader->source->name);
    return graph;
}

static const struct bl_graph *read_source(const struct bl_source *source,
                                          const bl_allocator *allocator,
                                          struct bl_external *external, bool keeps_broken,
                                          bl_error *err)
{
    struct bl_onnx reader = {.source = source,
                             .allocator = *allocator,
                             .places = {.external = external, .borrow = true},
                             .keeps_broken = keeps_broken};

    bl_arena_init(&reader.arena, allocator);
    bl_arena_init(&reader.scratch, allocator);
    bl_names_init(&reader.function_names, &reader.arena);
    bl_names_init(&reader.taken, &reader.arena);
    reader.inlining_left = bl_onnx_inlining_limit(source->size);
    const struct bl_graph *graph = read_model(&reader, err);

    bl_builder_free(reader.builder);
    bl_arena_free(&reader.scratch);
    bl_arena_free(&reader.arena);
    return graph;
}

const struct bl_graph *bl_onnx_read(const struct bl_source *source,
                                    const bl_allocator *allocator,
                                    struct bl_external *external, bl_error *err)
{
    return read_source(source, allocator, external, false, err);
}

const struct bl_graph *bl_onnx_read_to_inspect(const struct bl_source *source,
                                               const bl_allocator *allocator,
                                               struct bl_external *external, bl_error *err)
{
    return read_source(source, allocator, external, true, err);
}

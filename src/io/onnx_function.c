/*
 * onnx_function.c - FunctionProto: a model's own operators, inlined where they are called
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The names inside become names of the graph: those of the function's inputs and outputs are
 * what the call says, all others get the call's name in front, "node/name", and a number
 * behind where that is taken.
 */
#include <stdio.h>
#include <string.h>

#include "base/guard.h"
#include "io/onnx_reader.h"

/* Functions that call functions, whatever max_depth is: each level takes some kilobytes of the
 * stack. */
#define MOST_DEPTH 128

/*
 * A few functions that call each other twice stand for any number of nodes.  So what is
 * inlined has a price, in bytes: what is read again, new names, and for each node about what
 * it takes in memory.
 */
#define NODE_PRICE 256
#define LEAST_LIMIT (UINT64_C(64) << 20)

uint64_t bl_onnx_inlining_limit(size_t model_bytes)
{
    const uint64_t limit = (uint64_t)model_bytes * 16;

    return limit > LEAST_LIMIT ? limit : LEAST_LIMIT;
}

static bl_status pay(struct bl_onnx *reader, uint64_t price, bl_error *err)
{
    if (price > reader->inlining_left)
        return bl_fail(err, BL_ERR_LIMIT,
                       "%s: the functions of the model stand for too many nodes",
                       reader->source->name);
    reader->inlining_left -= price;
    return BL_OK;
}

/* ---- Functions ------------------------------------------------------------------------ */

/* What a function is found by.  No name has a line break in it. */
static bl_status key_of(struct bl_arena *arena, const char *domain, const char *name,
                        const char *overload, const char **key, bl_error *err)
{
    const char *known = strcmp(domain, "ai.onnx") == 0 ? "" : domain;
    const size_t size = strlen(known) + strlen(name) + strlen(overload) + 3;
    char *text = bl_arena_alloc(arena, size, 1);

    if (text == NULL)
        return bl_arena_fail(err);
    snprintf(text, size, "%s\n%s\n%s", known, name, overload);
    *key = text;
    return BL_OK;
}

static bl_status read_defaults(struct bl_onnx *reader, struct bl_onnx_function *function,
                               bl_error *err)
{
    struct bl_wire message = function->body;
    struct bl_wire_field field;
    char owner[160];
    size_t count;

    BL_TRY(bl_onnx_count(message, BL_FUNCTION_ATTRIBUTE_PROTO, &count, err));
    function->defaults = bl_arena_alloc(&reader->arena, count, sizeof *function->defaults);
    if (function->defaults == NULL)
        return bl_arena_fail(err);
    snprintf(owner, sizeof owner, "function '%.100s'", function->name);
    while (message.at < message.end) {
        const char *reference;

        BL_TRY(bl_wire_next(&message, &field, err));
        if (field.number != BL_FUNCTION_ATTRIBUTE_PROTO)
            continue;
        if (function->default_count == count)
            return bl_fail_changed(err, reader->source, field.offset);
        BL_TRY(bl_onnx_read_attribute(reader, &reader->arena, &field, owner,
                                      &function->defaults[function->default_count++],
                                      &reference, err));
        if (reference != NULL)
            return bl_fail_at(err, BL_ERR_FORMAT, reader->source, field.offset,
                              "%s: the default of an attribute refers to '%s'", owner,
                              reference);
    }
    return BL_OK;
}

static bl_status read_function(struct bl_onnx *reader, struct bl_onnx_function *function,
                               bl_error *err)
{
    struct bl_wire message = function->body;
    struct bl_arena *arena = &reader->arena;

    function->name = function->domain = function->overload = "";
    BL_TRY(bl_onnx_names(message, BL_FUNCTION_INPUT, arena, &function->inputs,
                         &function->input_count, err));
    BL_TRY(bl_onnx_names(message, BL_FUNCTION_OUTPUT, arena, &function->outputs,
                         &function->output_count, err));
    BL_TRY(bl_onnx_names(message, BL_FUNCTION_ATTRIBUTE, arena, &function->attributes,
                         &function->attribute_count, err));
    while (message.at < message.end) {
        struct bl_wire_field field;

        BL_TRY(bl_wire_next(&message, &field, err));
        switch (field.number) {
        case BL_FUNCTION_NAME:
            BL_TRY(bl_onnx_name(&field, arena, &function->name, err));
            break;
        case BL_FUNCTION_DOMAIN:
            BL_TRY(bl_onnx_name(&field, arena, &function->domain, err));
            break;
        case BL_FUNCTION_OVERLOAD:
            BL_TRY(bl_onnx_name(&field, arena, &function->overload, err));
            break;
        case BL_FUNCTION_OPSET_IMPORT:
            BL_TRY(bl_onnx_opset(&field, arena, &function->opset, err));
            break;
        }
    }
    return read_defaults(reader, function, err);
}

bl_status bl_onnx_add_function(struct bl_onnx *reader, const struct bl_wire_field *field,
                               bl_error *err)
{
    struct bl_onnx_function *function =
        bl_list_add(&reader->functions, &reader->arena, sizeof *function);
    const char *key = NULL;
    int32_t other;

    BL_TRY(bl_wire_expect(field, BL_WIRE_BYTES, err));
    if (function == NULL)
        return bl_arena_fail(err);
    function->body = field->body;
    BL_TRY(read_function(reader, function, err));
    BL_TRY(key_of(&reader->arena, function->domain, function->name, function->overload,
                  &key, err));
    if (bl_names_find(&reader->function_names, key, &other))
        return bl_fail_at(err, BL_ERR_FORMAT, reader->source, field->offset,
                          "there are two functions '%s' of domain '%s'", function->name,
                          function->domain);
    return bl_names_add(&reader->function_names, key,
                        (int32_t)(reader->functions.count - 1), err);
}

bl_status bl_onnx_find_function(struct bl_onnx *reader, const struct bl_onnx_node *node,
                                const struct bl_onnx_function **function, bl_error *err)
{
    const char *key = NULL;
    int32_t number;

    *function = NULL;
    if (reader->functions.count == 0)
        return BL_OK;
    BL_TRY(key_of(&reader->scratch, node->raw.domain, node->raw.op_type, node->overload,
                  &key, err));
    if (bl_names_find(&reader->function_names, key, &number))
        *function = (const struct bl_onnx_function *)reader->functions.things + number;
    return BL_OK;
}

/* ---- Names inside ---------------------------------------------------------------------- */

/* `prefix`/`name`, or something like it that no value has for a name yet. */
static bl_status new_name(struct bl_onnx *reader, const char *prefix, const char *name,
                          const char **fresh, bl_error *err)
{
    const size_t size = strlen(prefix) + strlen(name) + 24;
    int32_t there;

    BL_TRY(pay(reader, size, err));
    char *text = bl_arena_alloc(&reader->arena, size, 1);

    if (text == NULL)
        return bl_arena_fail(err);
    snprintf(text, size, "%s/%s", prefix, name);
    while (bl_names_find(&reader->taken, text, &there))
        snprintf(text, size, "%s/%s_%llu", prefix, name,
                 (unsigned long long)++reader->fresh);
    *fresh = text;
    return bl_names_add(&reader->taken, text, 0, err);
}

/* From now on `inside` means `in_graph`. */
static bl_status bind_name(struct bl_onnx *reader, struct bl_onnx_scope *scope,
                           const char *inside, const char *in_graph, bl_error *err)
{
    const char **place = bl_list_add(&scope->values, &reader->scratch, sizeof *place);

    if (place == NULL)
        return bl_arena_fail(err);
    *place = in_graph;
    return bl_names_add(&scope->names, inside, (int32_t)(scope->values.count - 1), err);
}

bl_status bl_onnx_value_name(struct bl_onnx *reader, struct bl_onnx_scope *scope,
                             const char *name, const char **in_graph, bl_error *err)
{
    int32_t number;

    *in_graph = name;
    if (scope->function == NULL || name[0] == '\0')
        return BL_OK;
    if (bl_names_find(&scope->names, name, &number)) {
        *in_graph = ((const char **)scope->values.things)[number];
        return BL_OK;
    }
    BL_TRY(new_name(reader, scope->prefix, name, in_graph, err));
    return bind_name(reader, scope, name, *in_graph, err);
}

/* ---- Calls -------------------------------------------------------------------------------- */

static const bl_attribute *find_attribute(const bl_attribute *attributes, size_t count,
                                          const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(attributes[i].name, name) == 0)
            return &attributes[i];
    return NULL;
}

const bl_attribute *bl_onnx_argument(const struct bl_onnx_scope *scope, const char *name)
{
    const bl_attribute *given =
        find_attribute(scope->arguments, scope->argument_count, name);

    if (given != NULL || scope->function == NULL)
        return given;
    return find_attribute(scope->function->defaults, scope->function->default_count, name);
}

static bool has_attribute(const struct bl_onnx_function *function, const char *name)
{
    for (size_t i = 0; i < function->attribute_count; i++)
        if (strcmp(function->attributes[i], name) == 0)
            return true;
    return find_attribute(function->defaults, function->default_count, name) != NULL;
}

static bl_status check_call(const struct bl_onnx *reader,
                            const struct bl_onnx_function *function,
                            const struct bl_onnx_node *call, int depth, bl_error *err)
{
    const struct bl_raw_node *raw = &call->raw;
    const int64_t given = bl_limits_of(&reader->allocator)->max_depth;
    const int64_t most = given < MOST_DEPTH ? given : MOST_DEPTH;

    if (depth > most)
        return bl_fail_at(err, BL_ERR_LIMIT, reader->source, call->offset,
                          "node '%s': max_depth is %lld, but functions call each other "
                          "more than %lld deep, or function '%s' calls itself",
                          raw->name, (long long)most, (long long)most, function->name);
    if (raw->input_count > function->input_count ||
        raw->output_count > function->output_count)
        return bl_fail_at(err, BL_ERR_ARITY, reader->source, call->offset,
                          "node '%s': function '%s' has %zu inputs and %zu outputs, not "
                          "%zu and %zu",
                          raw->name, function->name, function->input_count,
                          function->output_count, raw->input_count, raw->output_count);
    for (size_t i = 0; i < raw->attribute_count; i++) {
        const bl_attribute *attribute = &raw->attributes[i];

        if (!has_attribute(function, attribute->name))
            return bl_fail_at(err, BL_ERR_ATTRIBUTE, reader->source, call->offset,
                              "node '%s': function '%s' has no attribute '%s'", raw->name,
                              function->name, attribute->name);
        if (find_attribute(raw->attributes, i, attribute->name) != NULL)
            return bl_fail_at(err, BL_ERR_ATTRIBUTE, reader->source, call->offset,
                              "node '%s': attribute '%s' is given twice", raw->name,
                              attribute->name);
    }
    return BL_OK;
}

/* The function's inputs and outputs are the call's.  An output that the call does not name
 * is a value like those inside. */
static bl_status bind_call(struct bl_onnx *reader, struct bl_onnx_scope *scope,
                           const struct bl_onnx_node *call, bl_error *err)
{
    const struct bl_onnx_function *function = scope->function;
    const struct bl_raw_node *raw = &call->raw;
    int32_t there;

    for (size_t i = 0; i < function->input_count + function->output_count; i++) {
        const bool is_input = i < function->input_count;
        const size_t k = is_input ? i : i - function->input_count;
        const char *inside = is_input ? function->inputs[k] : function->outputs[k];
        const char *in_graph = "";

        if (k < (is_input ? raw->input_count : raw->output_count))
            in_graph = is_input ? raw->inputs[k] : raw->outputs[k];
        if (inside[0] == '\0' || bl_names_find(&scope->names, inside, &there))
            return bl_fail_at(err, BL_ERR_FORMAT, reader->source, function->body.at,
                              "function '%s': two of its inputs and outputs are called "
                              "'%s', or one is without a name",
                              function->name, inside);
        if (is_input || in_graph[0] != '\0')
            BL_TRY(bind_name(reader, scope, inside, in_graph, err));
    }
    return BL_OK;
}

bl_status bl_onnx_inline(struct bl_onnx *reader, const struct bl_onnx_scope *outer,
                         const struct bl_onnx_function *function,
                         const struct bl_onnx_node *call, bl_error *err)
{
    struct bl_wire body = function->body;
    struct bl_onnx_scope scope = {.function = function,
                                  .depth = outer->depth + 1,
                                  .prefix = call->raw.name,
                                  .arguments = call->raw.attributes,
                                  .argument_count = call->raw.attribute_count};

    bl_names_init(&scope.names, &reader->scratch);
    BL_TRY(check_call(reader, function, call, scope.depth, err));
    BL_TRY(pay(reader, NODE_PRICE + bl_wire_left(&body), err));
    BL_TRY(bind_call(reader, &scope, call, err));
    while (body.at < body.end) {
        struct bl_wire_field field;

        BL_TRY(bl_wire_next(&body, &field, err));
        if (field.number != BL_FUNCTION_NODE)
            continue;
        BL_TRY(pay(reader, NODE_PRICE + strlen(scope.prefix), err));
        BL_TRY(bl_onnx_add_node(reader, &scope, &field, err));
    }
    return BL_OK;
}

/*
 * build.c - put a graph together, name by name, and check it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/build.h"

#include <string.h>

#include "base/guard.h"
#include "base/mem.h"
#include "graph/builder.h"
#include "graph/check.h"
#include "tensor/tensor.h"

/* A graph and the memory that all of it, this too, lies in. */
struct whole {
    struct bl_graph graph;
    struct bl_arena arena;
    struct bl_kept *kept;
};

/* ---- Builders and graphs come and go ---------------------------------------- */

struct bl_builder *bl_builder_new(const bl_allocator *allocator, int64_t ir_version,
                                  bl_error *err)
{
    if (ir_version < BL_IR_MIN || ir_version > BL_IR_MAX) {
        bl_fail(err, BL_ERR_UNSUPPORTED, "IR version %lld is not supported (%d to %d are)",
                (long long)ir_version, BL_IR_MIN, BL_IR_MAX);
        return NULL;
    }
    struct bl_builder *builder = bl_mem_alloc_zero(allocator, sizeof *builder);

    if (builder == NULL) {
        bl_arena_fail(err);
        return NULL;
    }
    bl_arena_init(&builder->arena, allocator);
    bl_arena_init(&builder->scratch, allocator);
    bl_names_init(&builder->names, &builder->scratch);
    builder->ir_version = ir_version;
    return builder;
}

void bl_builder_set_opset(struct bl_builder *builder, int64_t opset)
{
    builder->opset = opset;
}

static void free_kept(struct bl_kept *kept)
{
    for (; kept != NULL; kept = kept->next)
        bl_tensor_free(kept->tensor);
}

void bl_builder_free(struct bl_builder *builder)
{
    if (builder == NULL)
        return;
    const bl_allocator allocator = builder->arena.allocator;

    free_kept(builder->kept);
    bl_arena_free(&builder->arena);
    bl_arena_free(&builder->scratch);
    bl_mem_free(&allocator, builder, sizeof *builder);
}

void bl_graph_free(const struct bl_graph *graph)
{
    if (graph == NULL)
        return;
    /* The graph is the first member of a whole that bl_builder_finish made. */
    struct whole *whole = (struct whole *)(uintptr_t)graph;
    struct bl_arena arena = whole->arena;

    free_kept(whole->kept);
    bl_arena_free(&arena);
}

bl_status bl_builder_keep(struct bl_builder *builder, bl_tensor *tensor, bl_error *err)
{
    struct bl_kept *kept = bl_arena_alloc(&builder->arena, 1, sizeof *kept);

    if (kept == NULL) {
        bl_tensor_free(tensor);
        return bl_arena_fail(err);
    }
    *kept = (struct bl_kept){tensor, builder->kept};
    builder->kept = kept;
    return BL_OK;
}

/* ---- Values ------------------------------------------------------------------- */

/* The value of that name, which is made where there is none yet. */
static bl_status value_of(struct bl_builder *builder, const char *name, bl_value_id *id,
                          bl_error *err)
{
    if (bl_names_find(&builder->names, name, id))
        return BL_OK;
    if (builder->values.count == INT32_MAX)
        return bl_fail(err, BL_ERR_LIMIT, "more than %d values", INT32_MAX);
    char *copy = bl_arena_text(&builder->arena, name, strlen(name));
    struct bl_graph_value *value =
        bl_list_add(&builder->values, &builder->scratch, sizeof *value);

    if (copy == NULL || value == NULL)
        return bl_arena_fail(err);
    value->info = (bl_value_info){.name = copy, .rank = -1};
    value->producer = BL_PRODUCER_UNKNOWN;
    *id = (bl_value_id)(builder->values.count - 1);
    return bl_names_add(&builder->names, copy, *id, err);
}

static bl_status list_value(struct bl_builder *builder, struct bl_list *list,
                            bl_value_id id, bl_error *err)
{
    bl_value_id *place = bl_list_add(list, &builder->scratch, sizeof *place);

    if (place == NULL)
        return bl_arena_fail(err);
    *place = id;
    return BL_OK;
}

static bool is_defined(const struct bl_graph_value *value)
{
    return value->producer != BL_PRODUCER_UNKNOWN;
}

/* Copy what a model says of a value, all but the name. */
static bl_status describe(struct bl_builder *builder, struct bl_graph_value *value,
                          const bl_value_info *said, bl_error *err)
{
    bl_value_info *info = &value->info;
    const size_t rank = said->rank > 0 ? (size_t)said->rank : 0;

    info->dtype = said->dtype;
    info->rank = said->rank;
    if (rank == 0)
        return BL_OK;
    const char **names = bl_arena_alloc(&builder->arena, rank, sizeof *names);

    info->dims = bl_arena_copy(&builder->arena, said->dims, rank, sizeof *info->dims);
    if (names == NULL || info->dims == NULL)
        return bl_arena_fail(err);
    for (size_t i = 0; i < rank && said->dim_names != NULL; i++) {
        const char *name = said->dim_names[i];

        if (name != NULL &&
            (names[i] = bl_arena_text(&builder->arena, name, strlen(name))) == NULL)
            return bl_arena_fail(err);
    }
    info->dim_names = names;
    return BL_OK;
}

bl_status bl_builder_initializer(struct bl_builder *builder, const char *name,
                                 bl_tensor *tensor, bl_error *err)
{
    bl_value_id id;

    BL_TRY(bl_builder_keep(builder, tensor, err));
    if (name[0] == '\0')
        return bl_fail(err, BL_ERR_FORMAT, "an initializer has no name");
    BL_TRY(value_of(builder, name, &id, err));
    struct bl_graph_value *value = bl_builder_value(builder, id);

    if (is_defined(value))
        return bl_fail(err, BL_ERR_FORMAT, "there are two initializers '%s'", name);
    value->producer = -1;
    value->constant = tensor;
    const bl_value_info info = {
        .dtype = tensor->dtype, .rank = tensor->shape.rank, .dims = tensor->shape.dim};

    return describe(builder, value, &info, err);
}

/* ---- Inputs and outputs -------------------------------------------------------- */

/* What a model says of an input and the initializer of its name agree. */
static bl_status check_default(const bl_value_info *input, const bl_value_info *tensor,
                               bl_error *err)
{
    if (input->dtype != BL_UNDEFINED && input->dtype != tensor->dtype)
        return bl_fail(err, BL_ERR_TYPE, "input '%s' is %s, but its initializer is %s",
                       input->name, bl_dtype_name(input->dtype),
                       bl_dtype_name(tensor->dtype));
    if (input->rank >= 0 && input->rank != tensor->rank)
        return bl_fail(err, BL_ERR_SHAPE,
                       "input '%s' has rank %d, but its initializer has rank %d",
                       input->name, input->rank, tensor->rank);
    for (int i = 0; i < input->rank; i++)
        if (input->dims[i] >= 0 && input->dims[i] != tensor->dims[i])
            return bl_fail(err, BL_ERR_SHAPE,
                           "axis %d of input '%s' is %lld, but its initializer's is %lld",
                           i, input->name, (long long)input->dims[i],
                           (long long)tensor->dims[i]);
    return BL_OK;
}

bl_status bl_builder_input(struct bl_builder *builder, const bl_value_info *info,
                           bl_error *err)
{
    bl_value_id id;

    if (info->name[0] == '\0')
        return bl_fail(err, BL_ERR_FORMAT, "an input of the graph has no name");
    BL_TRY(value_of(builder, info->name, &id, err));
    struct bl_graph_value *value = bl_builder_value(builder, id);

    if (value->is_input)
        return bl_fail(err, BL_ERR_FORMAT, "there are two inputs '%s'", info->name);
    if (value->constant != NULL) {
        BL_TRY(check_default(info, &value->info, err));
        if (builder->ir_version < 4)
            return BL_OK;
        value->info.has_default = 1;
    }
    value->producer = -1;
    value->is_input = true;
    BL_TRY(describe(builder, value, info, err));
    return list_value(builder, &builder->inputs, id, err);
}

bl_status bl_builder_output(struct bl_builder *builder, const bl_value_info *info,
                            bl_error *err)
{
    bl_value_id id;

    if (info->name[0] == '\0')
        return bl_fail(err, BL_ERR_FORMAT, "an output of the graph has no name");
    BL_TRY(value_of(builder, info->name, &id, err));
    struct bl_graph_value *value = bl_builder_value(builder, id);

    if (!is_defined(value))
        return bl_fail(err, BL_ERR_FORMAT, "nothing produces the output '%s' of the graph",
                       info->name);
    if (value->is_output)
        return bl_fail(err, BL_ERR_FORMAT, "there are two outputs '%s'", info->name);
    value->is_output = true;
    if (value->producer >= 0)
        BL_TRY(describe(builder, value, info, err));
    return list_value(builder, &builder->outputs, id, err);
}

/* ---- Nodes ---------------------------------------------------------------------- */

/* Copy a string in place. */
static bool own_string(struct bl_arena *arena, bl_string *string)
{
    string->data = bl_arena_text(arena, string->data, string->size);
    return string->data != NULL;
}

/* Make what an attribute points to the arena's own. */
static bool own_attribute(struct bl_arena *arena, bl_attribute *attribute)
{
    const size_t count = attribute->count;
    bl_string *strings;

    attribute->name = bl_arena_text(arena, attribute->name, strlen(attribute->name));
    if (attribute->name == NULL)
        return false;
    switch (attribute->type) {
    case BL_ATTRIBUTE_STRING:
        return own_string(arena, &attribute->value.s);
    case BL_ATTRIBUTE_FLOATS:
        attribute->value.floats =
            bl_arena_copy(arena, attribute->value.floats, count, sizeof(float));
        return attribute->value.floats != NULL || count == 0;
    case BL_ATTRIBUTE_INTS:
        attribute->value.ints =
            bl_arena_copy(arena, attribute->value.ints, count, sizeof(int64_t));
        return attribute->value.ints != NULL || count == 0;
    case BL_ATTRIBUTE_STRINGS:
        strings = bl_arena_copy(arena, attribute->value.strings, count, sizeof *strings);
        for (size_t i = 0; i < count && strings != NULL; i++)
            if (!own_string(arena, &strings[i]))
                return false;
        attribute->value.strings = strings;
        return strings != NULL || count == 0;
    case BL_ATTRIBUTE_FLOAT:
    case BL_ATTRIBUTE_INT:
    case BL_ATTRIBUTE_TENSOR:
    case BL_ATTRIBUTE_SPARSE_TENSOR:
        break;
    }
    return true;
}

static bl_status copy_attributes(struct bl_builder *builder, const struct bl_raw_node *raw,
                                 bl_node *node, bl_error *err)
{
    const size_t count = raw->attribute_count;
    bl_attribute *attributes =
        bl_arena_copy(&builder->arena, raw->attributes, count, sizeof *attributes);

    for (size_t i = 0; i < count; i++)
        if (attributes == NULL || !own_attribute(&builder->arena, &attributes[i]))
            return bl_arena_fail(err);
    node->attributes = attributes;
    node->attribute_count = count;
    return BL_OK;
}

/* The ids of names, trailing absent ones left off. */
static bl_status ids_of(struct bl_builder *builder, const char *const *names, size_t *count,
                        const bl_value_id **ids, bl_error *err)
{
    while (*count > 0 && names[*count - 1][0] == '\0')
        --*count;
    bl_value_id *all = bl_arena_alloc(&builder->arena, *count, sizeof *all);

    if (all == NULL)
        return bl_arena_fail(err);
    for (size_t i = 0; i < *count; i++) {
        all[i] = BL_NO_VALUE;
        if (names[i][0] != '\0')
            BL_TRY(value_of(builder, names[i], &all[i], err));
    }
    *ids = all;
    return BL_OK;
}

/* The values that a node puts out are its own. */
static bl_status define_outputs(struct bl_builder *builder,
                                const struct bl_graph_node *node, bl_error *err)
{
    for (size_t i = 0; i < node->output_count; i++) {
        if (node->outputs[i] == BL_NO_VALUE)
            continue;
        struct bl_graph_value *value = bl_builder_value(builder, node->outputs[i]);

        if (is_defined(value))
            return bl_fail(err, BL_ERR_FORMAT,
                           "node '%s' puts out '%s', which is already there (an input, an "
                           "initializer, or another output)",
                           node->node.name, value->info.name);
        value->producer = (int32_t)(builder->nodes.count - 1);
    }
    return BL_OK;
}

static bl_status place_node(struct bl_builder *builder, const struct bl_graph_node *node,
                            bl_error *err)
{
    const int64_t most = bl_limits_of(&builder->arena.allocator)->max_nodes;

    if (builder->nodes.count >= (uint64_t)most)
        return bl_fail(err, BL_ERR_LIMIT,
                       "max_nodes is %lld, and node '%s' is one more (calls of functions "
                       "count as the functions' nodes)",
                       (long long)most, node->node.name);
    if (builder->nodes.count == INT32_MAX)
        return bl_fail(err, BL_ERR_LIMIT, "more than %d nodes", INT32_MAX);
    struct bl_graph_node *place =
        bl_list_add(&builder->nodes, &builder->scratch, sizeof *place);

    if (place == NULL)
        return bl_arena_fail(err);
    *place = *node;
    return define_outputs(builder, place, err);
}

const char *bl_raw_node_name(const struct bl_raw_node *raw)
{
    if (raw->name[0] != '\0')
        return raw->name;
    for (size_t i = 0; i < raw->output_count; i++)
        if (raw->outputs[i][0] != '\0')
            return raw->outputs[i];
    return raw->op_type;
}

bl_status bl_builder_node(struct bl_builder *builder, const struct bl_raw_node *raw,
                          bl_error *err)
{
    const char *name = bl_raw_node_name(raw);
    struct bl_graph_node node = {.input_count = raw->input_count,
                                 .output_count = raw->output_count};

    node.node.op = bl_raw_node_op(raw, name, err);
    if (node.node.op == NULL)
        return BL_ERR_OPERATOR;
    node.node.name = bl_arena_text(&builder->arena, name, strlen(name));
    if (node.node.name == NULL)
        return bl_arena_fail(err);
    BL_TRY(copy_attributes(builder, raw, &node.node, err));
    BL_TRY(ids_of(builder, raw->inputs, &node.input_count, &node.inputs, err));
    BL_TRY(ids_of(builder, raw->outputs, &node.output_count, &node.outputs, err));
    BL_TRY(bl_graph_node_check(&node, err));
    return place_node(builder, &node, err);
}

static const struct bl_graph_problem *
problem_of(struct bl_builder *builder, const struct bl_raw_node *raw, const bl_error *why)
{
    struct bl_arena *arena = &builder->arena;
    struct bl_graph_problem *problem = bl_arena_alloc(arena, 1, sizeof *problem);

    if (problem == NULL)
        return NULL;
    problem->why.status = why->status;
    problem->why.message = bl_arena_text(arena, why->message, strlen(why->message));
    problem->domain = bl_arena_text(arena, raw->domain, strlen(raw->domain));
    problem->op_type = bl_arena_text(arena, raw->op_type, strlen(raw->op_type));
    if (problem->why.message == NULL || problem->domain == NULL || problem->op_type == NULL)
        return NULL;
    builder->problem_count++;
    return problem;
}

bl_status bl_builder_broken_node(struct bl_builder *builder, const struct bl_raw_node *raw,
                                 const bl_error *why, bl_error *err)
{
    const char *name = bl_raw_node_name(raw);
    struct bl_graph_node node = {
        .node = {.op = bl_raw_node_op(raw, name, NULL),
                 .name = bl_arena_text(&builder->arena, name, strlen(name))},
        .input_count = raw->input_count,
        .output_count = raw->output_count,
        .problem = problem_of(builder, raw, why)};

    if (node.node.name == NULL || node.problem == NULL)
        return bl_arena_fail(err);
    BL_TRY(ids_of(builder, raw->inputs, &node.input_count, &node.inputs, err));
    BL_TRY(ids_of(builder, raw->outputs, &node.output_count, &node.outputs, err));
    return place_node(builder, &node, err);
}

/* ---- Finish --------------------------------------------------------------------- */

/* A list's things in the arena that stays; NULL without memory. */
static const void *settled(struct bl_builder *builder, const struct bl_list *list,
                           size_t size)
{
    void *things = bl_arena_alloc(&builder->arena, list->count, size);

    if (things != NULL && list->count > 0)
        memcpy(things, list->things, list->count * size);
    return things;
}

const struct bl_graph *bl_builder_finish(struct bl_builder *builder, bl_error *err)
{
    if (bl_builder_check_order(builder, err) != BL_OK)
        return NULL;
    const struct bl_graph graph = {
        .ir_version = builder->ir_version,
        .opset = builder->opset,
        .problem_count = builder->problem_count,
        .value_count = builder->values.count,
        .node_count = builder->nodes.count,
        .input_count = builder->inputs.count,
        .output_count = builder->outputs.count,
        .values = settled(builder, &builder->values, sizeof *graph.values),
        .nodes = settled(builder, &builder->nodes, sizeof *graph.nodes),
        .inputs = settled(builder, &builder->inputs, sizeof *graph.inputs),
        .outputs = settled(builder, &builder->outputs, sizeof *graph.outputs),
    };
    struct whole *whole = bl_arena_alloc(&builder->arena, 1, sizeof *whole);

    if (graph.values == NULL || graph.nodes == NULL || graph.inputs == NULL ||
        graph.outputs == NULL || whole == NULL) {
        bl_arena_fail(err);
        return NULL;
    }
    whole->graph = graph;
    whole->kept = builder->kept;
    builder->kept = NULL;
    whole->arena = builder->arena;
    bl_arena_init(&builder->arena, &whole->arena.allocator);
    return &whole->graph;
}

/*
 * lower.c - from a group of pointwise nodes to a program
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plan/lower.h"

#include <string.h>

#include "base/checked.h"
#include "base/mem.h"
#include "base/status.h"
#include "ops/infer.h"
#include "shape/coalesce.h"
#include "tensor/dtype.h"

bl_status bl_lowered_reserve(struct bl_lowered *lowered, const bl_allocator *allocator,
                             size_t bytes, char **memory, bl_error *err)
{
    lowered->allocator = *allocator;
    lowered->memory = NULL;
    lowered->bytes = 0;
    *memory = (char *)lowered->inline_words;
    if (bytes <= sizeof lowered->inline_words)
        return BL_OK;
    *memory = bl_mem_alloc(allocator, bytes);
    if (*memory == NULL)
        return bl_fail(err, BL_ERR_MEMORY,
                       "out of memory for a step of the plan (%zu bytes)", bytes);
    lowered->memory = *memory;
    lowered->bytes = bytes;
    return BL_OK;
}

void bl_lowered_free(struct bl_lowered *lowered)
{
    bl_mem_free(&lowered->allocator, lowered->memory, lowered->bytes);
    lowered->memory = NULL;
}

void bl_place_strides(const bl_tensor *tensor, int offset, const bl_shape *space,
                      int64_t *stride)
{
    memset(stride, 0, (size_t)space->rank * sizeof *stride);
    for (int axis = 0; axis < tensor->shape.rank; axis++)
        if (tensor->shape.dim[axis] != 1 && axis + offset >= 0)
            stride[axis + offset] = tensor->stride[axis];
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* A program while it is built.  The arrays are as long as they can get. */
struct build {
    struct bl_lowered *lowered;
    const struct bl_group_value *values;
    const bl_shape *space;
    int32_t *operand_value; /* the caller's, or NULL */

    int64_t *dim;                       /* [rank] */
    int64_t *stride;                    /* [operands][rank] */
    struct bl_operand *operand;         /* [operands] */
    struct bl_instruction *instruction; /* [nodes] */
    int32_t
        *same_value; /* [operands]: an operand before it that is the same value, -1: none */
    int32_t *operand_at;  /* [values]: the last operand that it is, -1: none */
    int32_t *last_use;    /* [values]: the last node that reads it, -1: none */
    int32_t *temp_of;     /* [values]: its temporary, -1: none */
    int32_t *free_after;  /* [nodes]: of a temporary, the node after which it is free */
    bl_slot *args;        /* [args] */
    unsigned *temp_bytes; /* [nodes] */
    size_t operand_count, temp_count, arg_count;
};

/* Add room for `count` things of `bytes` to `*total`, each kind aligned for the largest. */
static bool add_room(size_t *total, size_t count, size_t bytes)
{
    size_t room;

    return bl_size_mul(count, bytes, &room) && bl_size_add(room, 7, &room) &&
           bl_size_add(*total, room / 8 * 8, total);
}

static void *take_room(char **memory, size_t count, size_t bytes)
{
    void *taken = *memory;

    *memory += (count * bytes + 7) / 8 * 8;
    return taken;
}

static bl_status reserve(struct build *build, const bl_allocator *allocator,
                         const struct bl_group_node *nodes, size_t node_count,
                         size_t value_count, bl_error *err)
{
    const size_t rank = build->space->rank > 0 ? (size_t)build->space->rank : 1;
    size_t args = 0, bytes = 0, operands, strides;
    bool fits = true;
    char *memory;

    for (size_t i = 0; i < node_count; i++)
        fits = fits && bl_size_add(args, nodes[i].arg_count, &args);
    fits = fits && bl_size_add(args, node_count, &operands) &&
           bl_size_mul(operands, rank, &strides) &&
           add_room(&bytes, rank, sizeof(int64_t)) &&
           add_room(&bytes, strides, sizeof(int64_t)) &&
           add_room(&bytes, operands, sizeof *build->operand) &&
           add_room(&bytes, node_count, sizeof *build->instruction) &&
           add_room(&bytes, operands, sizeof(int32_t)) &&
           add_room(&bytes, value_count, 3 * sizeof(int32_t)) &&
           add_room(&bytes, node_count, 2 * sizeof(int32_t)) &&
           add_room(&bytes, args, sizeof(bl_slot)) && add_room(&bytes, 4, 8);
    if (!fits)
        return bl_fail(err, BL_ERR_LIMIT, "too many inputs");
    BL_TRY(bl_lowered_reserve(build->lowered, allocator, bytes, &memory, err));
    build->dim = take_room(&memory, rank, sizeof(int64_t));
    build->stride = take_room(&memory, strides, sizeof(int64_t));
    build->operand = take_room(&memory, operands, sizeof *build->operand);
    build->instruction = take_room(&memory, node_count, sizeof *build->instruction);
    build->same_value = take_room(&memory, operands, sizeof(int32_t));
    build->operand_at = take_room(&memory, value_count, sizeof(int32_t));
    build->last_use = take_room(&memory, value_count, sizeof(int32_t));
    build->temp_of = take_room(&memory, value_count, sizeof(int32_t));
    build->free_after = take_room(&memory, node_count, sizeof(int32_t));
    build->temp_bytes = take_room(&memory, node_count, sizeof(unsigned));
    build->args = take_room(&memory, args, sizeof(bl_slot));
    return BL_OK;
}

/* ---- Slots ------------------------------------------------------------------------------------- */

/* The operand that a value in memory is when it lies `offset` axes into the space. */
static bl_slot operand_of(struct build *build, int32_t value, int offset, bool written)
{
    const bl_tensor *layout = build->values[value].layout;
    const size_t rank = (size_t)build->space->rank;
    int64_t *stride = build->stride + build->operand_count * rank;

    bl_place_strides(layout, offset, build->space, stride);
    for (int32_t o = build->operand_at[value]; o >= 0; o = build->same_value[o])
        if (memcmp(build->operand[o].stride, stride, rank * sizeof *stride) == 0)
            return (bl_slot)o;
    build->same_value[build->operand_count] = build->operand_at[value];
    build->operand_at[value] = (int32_t)build->operand_count;
    if (build->operand_value != NULL)
        build->operand_value[build->operand_count] = value;
    build->operand[build->operand_count] =
        (struct bl_operand){.data = layout->data,
                            .bytes = (unsigned)bl_dtype_size(layout->dtype),
                            .written = written,
                            .stride = stride};
    return (bl_slot)build->operand_count++;
}

/* Temporaries are marked by the top bit until the number of operands is known. */
#define TEMP_BIT (UINT32_C(1) << 31)

static bl_slot arg_slot(struct build *build, const struct bl_group_node *node, size_t i)
{
    const int32_t value = node->args[i];

    if (value < 0)
        return BL_NO_SLOT;
    if (build->temp_of[value] >= 0)
        return TEMP_BIT | (bl_slot)build->temp_of[value];
    const int offset = bl_node_offset(node->node, node->params, i,
                                      &build->values[value].layout->shape, build->space);

    return operand_of(build, value, offset, false);
}

/* A temporary for the result of node `at`: one that is free, or whose last reader this node is,
 * if its elements have the same size. */
static bl_slot new_temp(struct build *build, int32_t at, int32_t value)
{
    const unsigned bytes = (unsigned)bl_dtype_size(build->values[value].layout->dtype);
    size_t t = 0;

    while (t < build->temp_count &&
           (build->temp_bytes[t] != bytes || build->free_after[t] > at))
        t++;
    if (t == build->temp_count)
        build->temp_bytes[build->temp_count++] = bytes;
    build->free_after[t] = build->last_use[value] > at ? build->last_use[value] : at;
    build->temp_of[value] = (int32_t)t;
    return TEMP_BIT | (bl_slot)t;
}

/* ---- Instructions -------------------------------------------------------------------------------- */

/* The type that the kernel goes by: that of the first input, but Where's condition is always bool. */
static bl_dtype key_type(const struct build *build, const struct bl_group_node *node)
{
    const size_t keyed = bl_schema_of(node->node->op)->form == BL_FORM_SELECT ? 1 : 0;

    return build->values[node->args[keyed]].layout->dtype;
}

static bl_dtype second_type(const struct build *build, const struct bl_group_node *node)
{
    if (bl_schema_of(node->node->op)->form == BL_FORM_CAST)
        return build->values[node->result].layout->dtype;
    if (node->arg_count < 2 || node->args[1] < 0)
        return BL_UNDEFINED;
    return build->values[node->args[1]].layout->dtype;
}

static void add_instruction(struct build *build, const struct bl_group_node *node,
                            int32_t at)
{
    /* CastLike's second input says the type, and is not read. */
    const bool is_cast = bl_schema_of(node->node->op)->form == BL_FORM_CAST;
    const size_t arg_count = is_cast ? 1 : node->arg_count;
    bl_slot *args = build->args + build->arg_count;

    for (size_t i = 0; i < arg_count; i++)
        args[i] = arg_slot(build, node, i);
    build->arg_count += arg_count;
    build->instruction[at] = (struct bl_instruction){
        .op = bl_schema_of(node->node->op)->id,
        .dtype = key_type(build, node),
        .second = second_type(build, node),
        .params = node->params,
        .args = args,
        .arg_count = arg_count,
        .result = build->values[node->result].in_memory
                      ? operand_of(build, node->result, 0, true)
                      : new_temp(build, at, node->result),
    };
}

static bl_slot final_slot(const struct build *build, bl_slot slot)
{
    if (slot == BL_NO_SLOT || !(slot & TEMP_BIT))
        return slot;
    return (bl_slot)build->operand_count + (slot & ~TEMP_BIT);
}

bl_status bl_lower_group(struct bl_lowered *lowered, const bl_allocator *allocator,
                         const struct bl_group_node *nodes, size_t node_count,
                         const struct bl_group_value *values, size_t value_count,
                         const bl_shape *space, int32_t *operand_value, bl_error *err)
{
    struct build build = {.lowered = lowered,
                          .values = values,
                          .space = space,
                          .operand_value = operand_value};
    const int rank = space->rank;

    BL_TRY(reserve(&build, allocator, nodes, node_count, value_count, err));
    memcpy(build.dim, space->dim, (size_t)rank * sizeof *build.dim);
    for (size_t v = 0; v < value_count; v++)
        build.last_use[v] = build.temp_of[v] = build.operand_at[v] = -1;
    for (size_t i = 0; i < node_count; i++)
        for (size_t a = 0; a < nodes[i].arg_count; a++)
            if (nodes[i].args[a] >= 0)
                build.last_use[nodes[i].args[a]] = (int32_t)i;
    for (size_t i = 0; i < node_count; i++)
        add_instruction(&build, &nodes[i], (int32_t)i);
    for (size_t a = 0; a < build.arg_count; a++)
        build.args[a] = final_slot(&build, build.args[a]);
    for (size_t i = 0; i < node_count; i++)
        build.instruction[i].result = final_slot(&build, build.instruction[i].result);
    lowered->step.kind = BL_STEP_POINTWISE;
    lowered->step.as.pointwise = (struct bl_pointwise){
        .rank =
            bl_coalesce(rank, build.dim, build.operand_count, build.stride, (size_t)rank),
        .dim = build.dim,
        .operand_count = build.operand_count,
        .operand = build.operand,
        .temp_count = build.temp_count,
        .temp_bytes = build.temp_bytes,
        .instruction_count = node_count,
        .instruction = build.instruction,
    };
    return BL_OK;
}

/* ---- One node ---------------------------------------------------------------------------------------- */

/* Inputs of one node that need no allocation here. */
#define FEW 8

bl_status bl_lower_node(struct bl_lowered *lowered, const bl_allocator *allocator,
                        const bl_node *node, const struct bl_params *params,
                        const bl_tensor *const *inputs, size_t input_count,
                        bl_tensor *output, int32_t *operand_value, bl_error *err)
{
    struct bl_group_value few_values[FEW + 1] = {{NULL, false}};
    int32_t few_args[FEW] = {0};
    struct bl_group_value *values = few_values;
    int32_t *args = few_args;
    size_t bytes = 0;

    if (input_count > FEW) {
        if (input_count > INT32_MAX / 64)
            return bl_fail(err, BL_ERR_LIMIT, "too many inputs: %zu", input_count);
        bytes = (input_count + 1) * (sizeof *values + sizeof *args);
        values = bl_mem_alloc(allocator, bytes);
        if (values == NULL)
            return bl_fail(err, BL_ERR_MEMORY, "out of memory for the plan of %zu inputs",
                           input_count);
        args = (int32_t *)(void *)(values + input_count + 1);
    } else if (input_count == 0 || inputs[0] == NULL) {
        return bl_fail(err, BL_ERR_ARITY, "a pointwise node without inputs");
    }
    for (size_t i = 0; i < input_count; i++) {
        values[i] = (struct bl_group_value){inputs[i], true};
        args[i] = inputs[i] != NULL ? (int32_t)i : -1;
    }
    values[input_count] = (struct bl_group_value){output, true};
    const struct bl_group_node only = {.node = node,
                                       .params = params,
                                       .args = args,
                                       .arg_count = input_count,
                                       .result = (int32_t)input_count};
    const bl_status status =
        bl_lower_group(lowered, allocator, &only, 1, values, input_count + 1,
                       &output->shape, operand_value, err);

    if (values != few_values)
        bl_mem_free(allocator, values, bytes);
    return status;
}

bl_status bl_lower_copy(struct bl_lowered *lowered, const bl_allocator *allocator,
                        const bl_tensor *from, bl_tensor *to, bl_error *err)
{
    /* Any version serves: a copy has no attributes, and no type is checked here. */
    const bl_node node = {.op = bl_op_find(NULL, bl_op_id_name(BL_OP_IDENTITY), 1, NULL)};

    return bl_lower_node(lowered, allocator, &node, NULL, &from, 1, to, NULL, err);
}

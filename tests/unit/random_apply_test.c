/*
 * random_apply_test.c - random operators, types, shapes and strides, against the reference
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each round draws an operator version, a type, shapes that its rule allows, strides that
 * are row-major, transposed, reversed or broadcast, and an output that is new, strided or
 * an input itself; one context has one thread, the other several.  Results are compared bit
 * for bit (Pow: within its ulp).
 */
#include "contexts.h"

#include <stdio.h>

#include "conform/reference.h"
#include "operands.h"
#include "ops/op.h"
#include "shape/shape.h"
#include "tensor/dtype.h"

#define ROUNDS 6000
#define MOST_INPUTS 9

static int64_t below(uint64_t *seed, int64_t end)
{
    return (int64_t)(next_random(seed) % (uint64_t)end);
}

/* ---- Shapes -------------------------------------------------------------------------- */

static bl_shape random_space(uint64_t *seed, bool large)
{
    bl_shape space = {.rank = (int)below(seed, 7)};
    int64_t count = 1;

    for (int axis = 0; axis < space.rank; axis++) {
        static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 17, 64, 300, 0};
        const int64_t kinds = below(seed, 40) == 0 ? 10 : 9;

        space.dim[axis] = sizes[below(seed, kinds)];
        if (count * space.dim[axis] > (large ? 400000 : 5000))
            space.dim[axis] = 1;
        if (space.dim[axis] > 0)
            count *= space.dim[axis];
    }
    return space;
}

/* A shape that broadcasts to `space`: leading axes left off, others made 1. */
static bl_shape narrowed(const bl_shape *space, uint64_t *seed)
{
    const int skip = below(seed, 3) == 0 ? (int)below(seed, space->rank + 1) : 0;
    bl_shape shape = {.rank = space->rank - skip};

    for (int axis = 0; axis < shape.rank; axis++)
        shape.dim[axis] = below(seed, 4) == 0 ? 1 : space->dim[axis + skip];
    return shape;
}

/* ---- Tensors
 * ----------------------------------------------------------------------------- */

/* An operand with the elements in owned memory, and a view of it that is what the operator
 * sees. */
struct operand {
    bl_tensor *memory, *view;
};

/* A view of `shape` over fresh memory, with strides of a random kind. */
static struct operand make_operand(bl_dtype dtype, const bl_shape *shape,
                                   enum values values, uint64_t *seed)
{
    const int gap = (int)below(seed, 3) == 0 ? 2 : 1;
    int64_t stride[BL_MAX_RANK], step = gap, offset = 0;
    int order[BL_MAX_RANK];
    struct operand operand;
    int64_t count;

    for (int i = 0; i < shape->rank; i++)
        order[i] = shape->rank - 1 - i;
    if (below(seed, 3) == 0 && shape->rank > 1) { /* transpose two axes */
        const int64_t a = below(seed, shape->rank), b = below(seed, shape->rank);
        const int kept = order[a];

        order[a] = order[b];
        order[b] = kept;
    }
    for (int i = 0; i < shape->rank; i++) {
        const int axis = order[i];

        stride[axis] = step;
        step *= shape->dim[axis] > 0 ? shape->dim[axis] : 1;
    }
    for (int i = 0; i < shape->rank; i++)
        if (below(seed, 6) == 0 && shape->dim[i] > 0) { /* walk the axis backwards */
            offset += stride[i] * (shape->dim[i] - 1);
            stride[i] = -stride[i];
        }
    count = step + 1;
    operand.memory = random_tensor(dtype, BL_SHAPE(count), values, seed);
    operand.view = bl_tensor_borrow_mutable(NULL, dtype, shape, stride,
                                            (char *)bl_tensor_mutable_data(operand.memory) +
                                                offset * (int64_t)bl_dtype_size(dtype),
                                            &err);
    if (operand.view == NULL)
        fail_msg("%s", err.message);
    return operand;
}

static void free_operand(struct operand *operand)
{
    bl_tensor_free(operand->view);
    bl_tensor_free(operand->memory);
}

/* ---- Rounds
 * --------------------------------------------------------------------------------- */

struct round {
    const bl_op *op;
    bl_node node;
    bl_attribute attributes[4];
    size_t inputs;
    struct operand in[MOST_INPUTS];
    bl_shape space;
};

static bl_dtype random_type(uint64_t set, uint64_t *seed)
{
    int dtype;

    do
        dtype = (int)below(seed, BL_DTYPE_COUNT);
    while (!(set >> dtype & 1));
    return (bl_dtype)dtype;
}

static void add_int(struct round *round, const char *name, int64_t value)
{
    round->attributes[round->node.attribute_count++] =
        (bl_attribute){.name = name, .type = BL_ATTRIBUTE_INT, .value.i = value};
}

static void add_float(struct round *round, const char *name, float value)
{
    round->attributes[round->node.attribute_count++] =
        (bl_attribute){.name = name, .type = BL_ATTRIBUTE_FLOAT, .value.f = value};
}

/* Shapes of the inputs, by the version's rule. */
static void draw_shapes(struct round *round, bl_shape *shapes, uint64_t *seed)
{
    round->space = random_space(seed, below(seed, 50) == 0);
    for (size_t i = 0; i < round->inputs; i++) {
        shapes[i] = round->space;
        if (round->op->rule == BL_RULE_MULTIDIRECTIONAL ||
            (round->op->rule == BL_RULE_UNIDIRECTIONAL && i == 1))
            shapes[i] = narrowed(&round->space, seed);
    }
    if (round->op->rule == BL_RULE_CHANNEL)
        shapes[1] = round->space.rank >= 2
                        ? (bl_shape){.rank = 1, .dim = {round->space.dim[1]}}
                        : (bl_shape){.rank = 0};
    if (round->op->rule == BL_RULE_LEGACY && below(seed, 2) == 0 && round->space.rank > 0) {
        const int first = (int)below(seed, round->space.rank);
        const int rank = 1 + (int)below(seed, round->space.rank - first);

        shapes[1].rank = rank;
        for (int i = 0; i < rank; i++)
            shapes[1].dim[i] = below(seed, 4) == 0 ? 1 : round->space.dim[first + i];
        add_int(round, "broadcast", 1);
        add_int(round, "axis", below(seed, 2) == 0 ? first : first - round->space.rank);
    }
}

static void draw_gemm(struct round *round, bl_shape *shapes, uint64_t *seed)
{
    static const float scales[] = {1.0F, 0.5F, 2.0F, 0.0F, -1.5F};
    const int64_t m = below(seed, 70), n = below(seed, 70), k = below(seed, 300);
    const bool trans_a = below(seed, 2) == 0, trans_b = below(seed, 2) == 0;

    shapes[0] = (bl_shape){2, {trans_a ? k : m, trans_a ? m : k}};
    shapes[1] = (bl_shape){2, {trans_b ? n : k, trans_b ? k : n}};
    round->space = (bl_shape){2, {m, n}};
    if (round->inputs == 3)
        shapes[2] = round->op->since < 7 ? round->space : narrowed(&round->space, seed);
    add_int(round, "transA", trans_a);
    add_int(round, "transB", trans_b);
    add_float(round, "alpha", scales[below(seed, 5)]);
    add_float(round, "beta", scales[below(seed, 5)]);
}

static void draw(struct round *round, uint64_t *seed)
{
    bl_shape shapes[MOST_INPUTS];
    bl_dtype dtypes[MOST_INPUTS];

    memset(round, 0, sizeof *round);
    do
        round->op = bl_op_at((size_t)below(seed, (int64_t)bl_op_count()));
    while (!takes_any_operands(round->op) || strcmp(round->op->name, "BitShift") == 0);
    round->node = (bl_node){.op = round->op, .attributes = round->attributes};
    round->inputs = round->op->inputs[0].variadic
                        ? (size_t)(1 + below(seed, MOST_INPUTS))
                        : round->op->min_inputs +
                              (size_t)below(seed, (int64_t)(round->op->max_inputs -
                                                            round->op->min_inputs + 1));
    for (size_t i = 0; i < round->inputs; i++) {
        const bl_formal *formal =
            &round->op->inputs[i < round->op->input_count ? i : round->op->input_count - 1];

        dtypes[i] = random_type(formal->dtypes, seed);
        for (size_t j = 0; j < i; j++)
            if (strcmp(
                    formal->type_variable,
                    round->op->inputs[j < round->op->input_count ? j : 0].type_variable) ==
                0)
                dtypes[i] = dtypes[j];
    }
    if (strcmp(round->op->name, "Gemm") == 0)
        draw_gemm(round, shapes, seed);
    else
        draw_shapes(round, shapes, seed);
    for (size_t i = 0; i < round->inputs; i++)
        round->in[i] = make_operand(dtypes[i], &shapes[i], values_for(round->op, i), seed);
}

static void fail_round(const struct round *round, int number, const char *what)
{
    fail_msg("round %d, %s-%d on %s with %zu inputs: %s", number, round->op->name,
             round->op->since, bl_dtype_name(bl_tensor_dtype(round->in[0].view)),
             round->inputs, what);
}

/* The library's result, in a new tensor, a strided one, or over one of the inputs. */
static void compare(struct round *round, int number, bl_context *own, uint64_t *seed)
{
    const bl_tensor *ins[MOST_INPUTS];
    bl_tensor *want = NULL, *got = NULL;
    struct operand given = {NULL, NULL};
    const int64_t kind = below(seed, 3);

    for (size_t i = 0; i < round->inputs; i++)
        ins[i] = round->in[i].view;
    if (bl_reference_apply(&round->node, ins, round->inputs, &want, 1, &err) != BL_OK)
        fail_round(round, number, err.message);
    if (kind == 1 && bl_tensor_dtype(want) != BL_STRING) {
        given = make_operand(bl_tensor_dtype(want), bl_tensor_shape(want), ANY, seed);
        got = given.view;
    } else if (kind == 2 && bl_tensor_dtype(want) != BL_STRING) {
        for (size_t i = 0; i < round->inputs && got == NULL; i++)
            if (bl_tensor_dtype(ins[i]) == bl_tensor_dtype(want) &&
                bl_shape_equal(bl_tensor_shape(ins[i]), bl_tensor_shape(want)))
                got = round->in[i].view;
    }
    const bool is_given = got != NULL;

    if (bl_apply(own, &round->node, ins, round->inputs, &got, 1, &err) != BL_OK)
        fail_round(round, number, err.message);
    if (!same_tensors(got, want, round->op->max_ulp))
        fail_round(round, number, "not what the reference gives");
    bl_tensor_free(want);
    if (!is_given)
        bl_tensor_free(got);
    free_operand(&given);
}

static void test_random(void **state)
{
    uint64_t seed = 20260101;

    (void)state;
    for (int number = 0; number < ROUNDS; number++) {
        struct round round;

        draw(&round, &seed);
        compare(&round, number, number % 2 == 0 ? context : three_threads, &seed);
        for (size_t i = 0; i < round.inputs; i++)
            free_operand(&round.in[i]);
    }
    printf("%d rounds\n", ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};

    return cmocka_run_group_tests(tests, make_contexts, free_contexts);
}

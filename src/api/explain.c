/*
 * explain.c - how a model would run: its steps, what each moves, what stands in the way
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "api/context.h"
#include "api/model.h"
#include "api/trace.h"
#include "base/mem.h"
#include "base/status.h"
#include "plan/plan.h"
#include "tensor/dtype.h"

/* An explanation and the memory that all of it, this too, lies in. */
struct whole {
    bl_explanation explanation;
    struct bl_arena arena;
};

struct explaining {
    bl_context *context;
    const bl_model *model;
    bl_tensor *layouts;       /* [inputs] */
    const bl_tensor **inputs; /* [inputs]: the layouts, or NULL */
    bl_explanation explanation;
    struct bl_arena arena;
};

const char *bl_work_name(bl_work work)
{
    static const char *const names[BL_WORK_COUNT] = {[BL_WORK_GROUP] = "group",
                                                     [BL_WORK_PRODUCT] = "product",
                                                     [BL_WORK_COPY] = "copy",
                                                     [BL_WORK_WHOLE] = "whole",
                                                     [BL_WORK_NODE] = "node"};

    return (unsigned)work < BL_WORK_COUNT ? names[work] : "unknown";
}

/* ---- Bytes ------------------------------------------------------------------------------ */

/* Each operand can be counted in 63 bits, but a small model may tell of many that are as large: INT64_MAX
 * stands for all that is more. */
static void add_bytes(int64_t *sum, int64_t bytes)
{
    *sum = bytes <= INT64_MAX - *sum ? *sum + bytes : INT64_MAX;
}

/* Different elements under the strides, in bytes; an axis of stride 0 shows one again and again. */
static int64_t bytes_under(int rank, const int64_t *dim, const int64_t *stride,
                           size_t element)
{
    int64_t bytes = (int64_t)element;

    for (int axis = 0; axis < rank; axis++)
        if (stride[axis] != 0 || dim[axis] == 0)
            bytes *= dim[axis];
    return bytes;
}

static int64_t layout_bytes(const bl_tensor *layout)
{
    return bytes_under(layout->shape.rank, layout->shape.dim, layout->stride,
                       bl_dtype_size(layout->dtype));
}

static void count_pointwise(const struct bl_pointwise *program, bl_step_info *info)
{
    for (size_t o = 0; o < program->operand_count; o++) {
        const struct bl_operand *operand = &program->operand[o];
        const int64_t bytes =
            bytes_under(program->rank, program->dim, operand->stride, operand->bytes);

        if (operand->written)
            add_bytes(&info->bytes_written, bytes);
        else
            add_bytes(&info->bytes_read, bytes);
    }
    info->temporaries = program->temp_count;
}

/* Of a step whose first operand is its output, and the others its inputs. */
static void count_operands(const struct bl_plan *plan, const struct bl_plan_step *step,
                           bl_step_info *info)
{
    info->bytes_written = layout_bytes(&plan->values[step->operands[0]].layout);
    for (size_t i = 1; i < step->operand_count; i++)
        if (step->operands[i] != BL_NO_VALUE)
            add_bytes(&info->bytes_read,
                      layout_bytes(&plan->values[step->operands[i]].layout));
}

/* ---- Steps ------------------------------------------------------------------------------- */

static bl_status explain_step(struct explaining *explaining, const struct bl_plan *plan,
                              const struct bl_plan_step *step, bl_step_info *info,
                              bl_error *err)
{
    static const bl_work works[] = {[BL_PLAN_GROUP] = BL_WORK_GROUP,
                                    [BL_PLAN_MATMUL] = BL_WORK_PRODUCT,
                                    [BL_PLAN_COPY] = BL_WORK_COPY,
                                    [BL_PLAN_HOST] = BL_WORK_WHOLE};

    info->work = works[step->kind];
    info->node_count = step->node_count;
    info->nodes = bl_arena_copy(&explaining->arena, step->nodes, step->node_count,
                                sizeof *step->nodes);
    if (info->nodes == NULL && step->node_count > 0)
        return bl_arena_fail(err);
    if (step->kind == BL_PLAN_GROUP || step->kind == BL_PLAN_COPY)
        count_pointwise(&step->lowered.step.as.pointwise, info);
    else
        count_operands(plan, step, info);
    return BL_OK;
}

static bl_status explain_plan(struct explaining *explaining, const struct bl_plan *plan,
                              bl_error *err)
{
    bl_explanation *explanation = &explaining->explanation;
    bl_step_info *steps =
        bl_arena_alloc(&explaining->arena, plan->step_count, sizeof *steps);

    if (steps == NULL)
        return bl_arena_fail(err);
    for (size_t s = 0; s < plan->step_count; s++)
        BL_TRY(explain_step(explaining, plan, &plan->steps[s], &steps[s], err));
    explanation->steps = steps;
    explanation->step_count = plan->step_count;
    explanation->arena_bytes = (int64_t)plan->arena_bytes;
    return BL_OK;
}

static int64_t value_bytes(const bl_explanation *explanation, bl_value_id id)
{
    bl_tensor layout;

    if (id == BL_NO_VALUE || explanation->values[id].dtype == BL_UNDEFINED)
        return 0;
    bl_trace_lay_out(&layout, &explanation->values[id]);
    return layout_bytes(&layout);
}

/* Every node a step of its own. */
static bl_status explain_nodes(struct explaining *explaining, bl_error *err)
{
    const struct bl_graph *graph = explaining->model->graph;
    bl_explanation *explanation = &explaining->explanation;
    struct bl_arena *arena = &explaining->arena;
    bl_step_info *steps = bl_arena_alloc(arena, graph->node_count, sizeof *steps);
    int32_t *numbers = bl_arena_alloc(arena, graph->node_count, sizeof *numbers);

    if (steps == NULL || numbers == NULL)
        return bl_arena_fail(err);
    for (size_t n = 0; n < graph->node_count; n++) {
        const struct bl_graph_node *node = &graph->nodes[n];

        numbers[n] = (int32_t)n;
        steps[n] =
            (bl_step_info){.work = BL_WORK_NODE, .node_count = 1, .nodes = &numbers[n]};
        for (size_t i = 0; i < node->input_count; i++)
            add_bytes(&steps[n].bytes_read, value_bytes(explanation, node->inputs[i]));
        for (size_t i = 0; i < node->output_count; i++)
            add_bytes(&steps[n].bytes_written, value_bytes(explanation, node->outputs[i]));
    }
    explanation->steps = steps;
    explanation->step_count = graph->node_count;
    return BL_OK;
}

static bl_status evaluate(void *user, const bl_node *node, const bl_tensor *const *inputs,
                          size_t input_count, bl_tensor **output, bl_error *err)
{
    *output = NULL;
    return bl_context_apply(user, node, inputs, input_count, output, 1, err);
}

static bl_status explain_steps(struct explaining *explaining, bl_error *err)
{
    const struct bl_graph *graph = explaining->model->graph;
    const struct bl_plan_evaluator evaluator = {evaluate, explaining->context};
    const bl_tensor **constants =
        bl_arena_alloc(&explaining->arena, graph->value_count, sizeof *constants);
    struct bl_plan *plan = NULL;
    bl_error why;

    if (constants == NULL)
        return bl_arena_fail(err);
    for (size_t v = 0; v < graph->value_count; v++)
        constants[v] = graph->values[v].constant;
    bl_status status = bl_plan_graph(&plan, &explaining->context->allocator, graph,
                                     explaining->inputs, constants, &evaluator, &why);

    if (status == BL_OK) {
        status = explain_plan(explaining, plan, err);
        bl_plan_free(plan);
        return status;
    }
    if (status != BL_ERR_UNSUPPORTED)
        return bl_fail(err, status, "%s", why.message);
    explaining->explanation.unfused =
        bl_arena_text(&explaining->arena, why.message, strlen(why.message));
    if (explaining->explanation.unfused == NULL)
        return bl_arena_fail(err);
    return explain_nodes(explaining, err);
}

/* ---- The whole ----------------------------------------------------------------------------- */

/* The inputs as tensors without elements. */
static bl_status lay_out_inputs(struct explaining *explaining, const bl_tensor_type *inputs,
                                bl_error *err)
{
    const size_t count = explaining->model->graph->input_count;
    struct bl_arena *arena = &explaining->arena;
    int64_t elements;

    explaining->layouts = bl_arena_alloc(arena, count, sizeof *explaining->layouts);
    explaining->inputs = bl_arena_alloc(arena, count, sizeof *explaining->inputs);
    if (explaining->layouts == NULL || explaining->inputs == NULL)
        return bl_arena_fail(err);
    if (inputs == NULL && count > 0)
        return bl_fail(err, BL_ERR_ARGUMENT, "the types of the inputs are NULL");
    for (size_t i = 0; i < count; i++) {
        const char *name = bl_model_input(explaining->model, i)->name;

        if (inputs[i].dtype == BL_UNDEFINED)
            continue;
        if (bl_dtype_size(inputs[i].dtype) == 0)
            return bl_fail(err, BL_ERR_TYPE, "input '%s': %d is no element type", name,
                           (int)inputs[i].dtype);
        const bl_status status = bl_shape_count(&inputs[i].shape, &elements, err);

        if (status != BL_OK)
            return bl_fail_prefix(err, status, "input '%s': ", name);
        if (elements > INT64_MAX / (int64_t)bl_dtype_size(inputs[i].dtype))
            return bl_fail(err, BL_ERR_LIMIT, "input '%s': more than 63 bits of bytes",
                           name);
        bl_trace_lay_out(&explaining->layouts[i], &inputs[i]);
        explaining->inputs[i] = &explaining->layouts[i];
    }
    return bl_model_check_inputs(explaining->model, &explaining->context->allocator,
                                 explaining->inputs, err);
}

static bl_status explain(struct explaining *explaining, const bl_tensor_type *inputs,
                         bl_error *err)
{
    struct bl_trace trace;

    BL_TRY(lay_out_inputs(explaining, inputs, err));
    BL_TRY(bl_trace_graph(&trace, &explaining->arena, explaining->context,
                          explaining->model->graph, explaining->inputs, err));
    explaining->explanation = (bl_explanation){.values = trace.types,
                                               .problems = trace.problems,
                                               .problem_count = trace.problem_count};
    return trace.problem_count == 0 ? explain_steps(explaining, err) : BL_OK;
}

static bl_explanation *explain_whole(bl_context *context, const bl_model *model,
                                     const bl_tensor_type *inputs, bl_error *err)
{
    struct explaining explaining = {.context = context, .model = model};
    struct whole *whole;

    bl_arena_init(&explaining.arena, &context->allocator);
    const bl_status status = explain(&explaining, inputs, err);

    if (bl_model_check_files(model, err) == BL_OK && status == BL_OK) {
        whole = bl_arena_alloc(&explaining.arena, 1, sizeof *whole);
        if (whole != NULL) {
            *whole = (struct whole){explaining.explanation, explaining.arena};
            return &whole->explanation;
        }
        bl_arena_fail(err);
    }
    bl_arena_free(&explaining.arena);
    return NULL;
}

bl_explanation *bl_model_explain(bl_context *context, const bl_model *model,
                                 const bl_tensor_type *inputs, bl_error *err)
{
    bl_explanation *explanation = NULL;

    if (context == NULL || model == NULL ||
        (inputs == NULL && model->graph->input_count > 0)) {
        bl_fail(err, BL_ERR_ARGUMENT, "bl_model_explain: NULL argument");
        return NULL;
    }
    const struct bl_fpenv saved = bl_fpenv_enter();

    bl_map_guard_begin(context->exec.cpu.guard);
    context->work = 0;
    if (bl_guard_check(context->exec.cpu.guard, err) == BL_OK)
        explanation = explain_whole(context, model, inputs, err);
    bl_fpenv_leave(saved);
    return explanation != NULL ? explanation
                               : bl_guard_explain_null(&context->allocator, err);
}

void bl_explanation_free(bl_explanation *explanation)
{
    if (explanation == NULL)
        return;
    /* The explanation is the first member of a whole that bl_model_explain made. */
    struct bl_arena arena = ((struct whole *)(void *)explanation)->arena;

    bl_arena_free(&arena);
}

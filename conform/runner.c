/*
 * runner.c - run one case and judge what comes out
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "conform/compare.h"
#include "conform/heap.h"
#include "conform/model_case.h"
#include "conform/reference.h"

/* One case while it runs. */
struct run {
    const struct bl_runner *runner;
    const struct bl_fixture_case *it;
    bl_node node;               /* of an operator */
    struct bl_model_case model; /* of a graph or a model */
    const bl_tensor **inputs;
    size_t input_count;
    size_t output_count;
    bl_tensor **outputs;   /* of this run */
    bl_tensor **first;     /* of the first run, which the later ones have to equal */
    bl_tensor **reference; /* what the reference makes of the inputs, once somebody asks */
    char *message;
};

static enum bl_conform_outcome fail(struct run *run, const char *what, const char *why)
{
    struct bl_text text = bl_text_in(run->message, BL_ERROR_BYTES);

    bl_text_put(&text, "%s%s", what, why);
    return BL_CONFORM_FAILED;
}

/* ---- A case that has to fail --------------------------------------------- */

static enum bl_conform_outcome judge_error(struct run *run, bl_status status,
                                           const bl_error *err)
{
    if (status == BL_OK)
        return fail(run, "it has to fail, but did not: ", run->it->error);
    if (err->message[0] == '\0')
        return fail(run, "it failed without a message: ", bl_status_name(status));
    for (size_t i = 0; i < run->output_count; i++)
        if (run->outputs[i] != NULL)
            return fail(run, "it failed, but left an output: ", err->message);
    return BL_CONFORM_PASSED;
}

/* ---- A case that has outputs --------------------------------------------- */

static bool compute_reference(struct run *run, char *why)
{
    bl_error err = {0};

    if (run->reference[0] != NULL)
        return true;
    if (bl_reference_apply(&run->node, run->inputs, run->input_count, run->reference,
                           run->output_count, &err) == BL_OK)
        return true;
    snprintf(why, BL_COMPARE_TEXT, "the reference fails: %.900s", err.message);
    return false;
}

/* An output that states no data: the operator's own bound holds beside the case's. */
static bool equals_reference(struct run *run, size_t i, struct bl_compare_rule rule,
                             char *why)
{
    const int max_ulp = run->node.op->max_ulp;

    if (max_ulp == 0)
        rule.exact = true;
    else
        rule.max_ulp = max_ulp;
    return compute_reference(run, why) &&
           bl_compare(run->outputs[i], run->reference[i], &rule, why);
}

static bool output_passes(struct run *run, size_t i, char *why)
{
    static const struct bl_compare_rule same = {
        .allow_nan = true, .exact = true, .max_ulp = -1};
    const struct bl_fixture_tensor *want = &run->it->outputs[i];
    const struct bl_compare_rule rule = {.tolerance = want->tolerance,
                                         .rel_tolerance = want->rel_tolerance,
                                         .allow_nan = want->allow_nan,
                                         .exact = want->exact,
                                         .max_ulp = -1};

    if (run->outputs[i] == NULL) {
        snprintf(why, BL_COMPARE_TEXT, "there is no output");
        return false;
    }
    if (!bl_compare_type(run->outputs[i], want->dtype, &want->shape, why))
        return false;
    if (run->first[i] != NULL && !bl_compare(run->outputs[i], run->first[i], &same, why))
        return false;
    return want->data != NULL ? bl_compare(run->outputs[i], want->data, &rule, why)
                              : equals_reference(run, i, rule, why);
}

static enum bl_conform_outcome judge_outputs(struct run *run, int64_t round)
{
    char why[BL_COMPARE_TEXT];
    char what[256];

    for (size_t i = 0; i < run->output_count; i++) {
        if (output_passes(run, i, why))
            continue;
        if (round > 0)
            snprintf(what, sizeof what,
                     "output %.80s of run %lld: ", run->it->outputs[i].name,
                     (long long)round + 1);
        else
            snprintf(what, sizeof what, "output %.80s: ", run->it->outputs[i].name);
        return fail(run, what, why);
    }
    return BL_CONFORM_PASSED;
}

/* ---- Runs ---------------------------------------------------------------- */

static void free_all(bl_tensor **tensors, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bl_tensor_free(tensors[i]);
        tensors[i] = NULL;
    }
}

static enum bl_conform_outcome run_once(struct run *run, int64_t round)
{
    char differ[BL_ERROR_BYTES];
    bl_error err = {0};
    bl_status status;

    if (run->model.model == NULL)
        status = run->runner->backend->apply(run->runner->context, &run->node, run->inputs,
                                             run->input_count, run->outputs,
                                             run->output_count, &err);
    else if (!bl_model_pair_run(&run->model.pair, run->inputs, run->outputs, &status, &err,
                                differ))
        return fail(run, "", differ);
    if (bl_runner_cannot(run->runner, status, err.message)) {
        snprintf(run->message, BL_ERROR_BYTES, "%s", err.message);
        return BL_CONFORM_SKIPPED;
    }
    if (run->it->error != NULL)
        return judge_error(run, status, &err);
    if (status != BL_OK)
        return fail(run, "", err.message);
    return judge_outputs(run, round);
}

static enum bl_conform_outcome run_rounds(struct run *run)
{
    enum bl_conform_outcome outcome = BL_CONFORM_PASSED;

    for (int64_t round = 0; round < run->it->repeat && outcome == BL_CONFORM_PASSED;
         round++) {
        outcome = run_once(run, round);
        if (round == 0)
            memcpy(run->first, run->outputs, run->output_count * sizeof *run->first);
        else
            free_all(run->outputs, run->output_count);
        memset(run->outputs, 0, run->output_count * sizeof *run->outputs);
    }
    return outcome;
}

/* ---- What is run --------------------------------------------------------- */

static bl_status find_operator(struct run *run, bl_error *err)
{
    const struct bl_fixture_case *it = run->it;

    run->node = (bl_node){.op = bl_op_find(it->domain, it->op, it->opset, err),
                          .name = it->name,
                          .attributes = it->attributes,
                          .attribute_count = it->attribute_count};
    if (run->node.op == NULL)
        return err->status;
    run->input_count = it->input_count;
    run->output_count = it->error != NULL ? run->node.op->output_count : it->output_count;
    return BL_OK;
}

static bl_status open_model(struct run *run, bl_error *err)
{
    BL_TRY(bl_model_case_open(&run->model, run->runner->context, run->it, err));
    run->input_count = bl_model_input_count(run->model.model);
    run->output_count = bl_model_output_count(run->model.model);
    return BL_OK;
}

/* The inputs in their order, and room for the outputs. */
static enum bl_conform_outcome set_up(struct run *run)
{
    const struct bl_fixture_case *it = run->it;
    bl_error err = {0};

    /* One more, as calloc(0, ...) may return NULL. */
    run->inputs = bl_heap_zero(run->input_count + 1, sizeof *run->inputs);
    run->outputs = bl_heap_zero(3 * run->output_count + 1, sizeof *run->outputs);
    if (run->inputs == NULL || run->outputs == NULL)
        return fail(run, "no memory to run the case", "");
    run->first = run->outputs + run->output_count;
    run->reference = run->first + run->output_count;
    if (run->model.model != NULL) {
        if (bl_model_case_inputs(&run->model, it, run->inputs, &err) != BL_OK)
            return fail(run, "", err.message);
        if (it->error == NULL && it->output_count != run->output_count) {
            bl_fail(&err, BL_ERR_ARITY, "it has %zu outputs, but the case %zu",
                    run->output_count, it->output_count);
            return fail(run, "", err.message);
        }
        return BL_CONFORM_PASSED;
    }
    for (size_t i = 0; i < it->input_count; i++)
        run->inputs[i] = it->inputs[i].data;
    return BL_CONFORM_PASSED;
}

static enum bl_conform_outcome run_case(struct run *run)
{
    const struct bl_fixture_case *it = run->it;
    const bool is_model = it->subject != BL_FIXTURE_OPERATOR;
    bl_error err = {0};

    if (bl_heap_note_status(it->load.status) != BL_OK)
        return it->error != NULL ? BL_CONFORM_PASSED : fail(run, "", it->load.message);
    if (is_model && bl_model_case_make(&run->model, it, &err) != BL_OK)
        return fail(run, "", err.message);
    const bl_status status = is_model ? open_model(run, &err) : find_operator(run, &err);

    if (status != BL_OK)
        return it->error != NULL ? judge_error(run, status, &err)
                                 : fail(run, "", err.message);
    const enum bl_conform_outcome outcome = set_up(run);

    return outcome == BL_CONFORM_PASSED ? run_rounds(run) : outcome;
}

bool bl_runner_cannot(const struct bl_runner *runner, bl_status status, const char *message)
{
    return runner->backend->is_device && status == BL_ERR_UNSUPPORTED &&
           strstr(message, "this device (") != NULL;
}

bool bl_runner_skips_models(const struct bl_runner *runner, char *message)
{
    if (runner->backend->runs_models)
        return false;
    snprintf(message, BL_ERROR_BYTES, "backend '%s' runs operators, not models",
             runner->backend->name);
    return true;
}

enum bl_conform_outcome bl_runner_run(const struct bl_runner *runner,
                                      const struct bl_fixture_case *it, char *message)
{
    struct run run = {.runner = runner, .it = it, .message = message};

    message[0] = '\0';
    if (runner->honour_skips && it->skip_reason != NULL) {
        snprintf(message, BL_ERROR_BYTES, "skipGpu (%s): %s", it->skip_category,
                 it->skip_reason);
        return BL_CONFORM_SKIPPED;
    }
    if (it->subject != BL_FIXTURE_OPERATOR && bl_runner_skips_models(runner, message))
        return BL_CONFORM_SKIPPED;
    const enum bl_conform_outcome outcome = run_case(&run);

    if (run.outputs != NULL)
        free_all(run.outputs, 3 * run.output_count);
    free(run.outputs);
    free(run.inputs);
    bl_model_case_close(&run.model);
    return outcome;
}

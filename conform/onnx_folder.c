/*
 * onnx_folder.c - run one of ONNX's own tests: a folder with model.onnx and data sets
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/onnx_folder.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "conform/data_set.h"
#include "conform/heap.h"
#include "conform/model_pair.h"
#include "conform/path.h"

/* One test while it runs. */
struct test {
    const struct bl_runner *runner;
    bl_context *context;
    bl_model *model;
    struct bl_model_pair pair;
    char *message;
};

static enum bl_conform_outcome say(struct test *test, enum bl_conform_outcome outcome,
                                   const char *what, const char *why)
{
    struct bl_text text = bl_text_in(test->message, BL_ERROR_BYTES);

    bl_text_put(&text, "%s%s%s", what, *what != '\0' ? ": " : "", why);
    return outcome;
}

/* What cannot be run here, as the library or the reader of the data says, is skipped. */
static enum bl_conform_outcome say_error(struct test *test, const bl_error *err,
                                         const char *why)
{
    const bool skip = err->status == BL_ERR_OPERATOR || err->status == BL_ERR_UNSUPPORTED;

    return say(test, skip ? BL_CONFORM_SKIPPED : BL_CONFORM_FAILED, "", why);
}

/* ---- A data set ---------------------------------------------------------- */

/* Run the model both ways and compare; `outputs` has room for what comes out. */
static enum bl_conform_outcome run_on(struct test *test, const struct bl_data_set *set,
                                      bl_tensor **outputs)
{
    char why[BL_ERROR_BYTES];
    bl_error err = {0};
    bl_status status;

    if (!bl_model_pair_run(&test->pair, (const bl_tensor *const *)set->inputs, outputs,
                           &status, &err, why))
        return say(test, BL_CONFORM_FAILED, set->name, why);
    if (status != BL_OK)
        return say(test,
                   bl_runner_cannot(test->runner, status, err.message) ? BL_CONFORM_SKIPPED
                                                                       : BL_CONFORM_FAILED,
                   set->name, err.message);
    if (!bl_data_set_passes(set, outputs, why))
        return say(test, BL_CONFORM_FAILED, set->name, why);
    return BL_CONFORM_PASSED;
}

static enum bl_conform_outcome run_set(struct test *test, const char *folder)
{
    enum bl_conform_outcome outcome = BL_CONFORM_FAILED;
    struct bl_data_set set;
    bl_error err = {0};

    if (bl_data_set_read(&set, folder, test->model, &err) != BL_OK)
        return say_error(test, &err, err.message);
    bl_tensor **outputs = bl_heap_zero(set.output_count + 1, sizeof *outputs);

    if (outputs != NULL)
        outcome = run_on(test, &set, outputs);
    else
        say(test, outcome, set.name, "no memory for the outputs");
    for (size_t i = 0; outputs != NULL && i < set.output_count; i++)
        bl_tensor_free(outputs[i]);
    free(outputs);
    bl_data_set_free(&set);
    return outcome;
}

/* A set that fails ends the test; one that cannot be read leaves it skipped at best. */
static enum bl_conform_outcome run_sets(struct test *test, const char *folder)
{
    enum bl_conform_outcome all = BL_CONFORM_PASSED;
    struct bl_data_sets sets;
    bl_error err = {0};

    if (bl_data_sets_find(&sets, folder, &err) != BL_OK)
        return say_error(test, &err, err.message);
    for (size_t i = 0; i < sets.count && all != BL_CONFORM_FAILED; i++) {
        const enum bl_conform_outcome one = run_set(test, sets.paths[i]);

        if (one != BL_CONFORM_PASSED)
            all = one;
    }
    bl_data_sets_free(&sets);
    return all;
}

/* ---- The test ------------------------------------------------------------ */

/* The library's message without the path in front, which the test's name already gives, so
 * that tests that fail alike read alike. */
static const char *without(const char *message, const char *path)
{
    const size_t length = strlen(path);

    return strncmp(message, path, length) == 0 && strncmp(message + length, ": ", 2) == 0
               ? message + length + 2
               : message;
}

static enum bl_conform_outcome run_model(struct test *test, const char *folder,
                                         const char *path)
{
    bl_error err = {0};

    test->model = bl_model_open(test->context, path, &err);
    if (test->model == NULL)
        return say_error(test, &err, without(err.message, path));
    if (bl_model_pair_open(&test->pair, test->context, test->model, &err) != BL_OK)
        return say(test, BL_CONFORM_FAILED, "", err.message);
    return run_sets(test, folder);
}

enum bl_conform_outcome bl_onnx_folder_run(const struct bl_runner *runner,
                                           const char *folder, char *message)
{
    struct test test = {.runner = runner, .context = runner->context, .message = message};

    message[0] = '\0';
    if (bl_runner_skips_models(runner, message))
        return BL_CONFORM_SKIPPED;
    char *path = bl_path_join(folder, "model.onnx");

    if (path == NULL)
        return say(&test, BL_CONFORM_FAILED, "", "no memory for the path");
    const enum bl_conform_outcome outcome = run_model(&test, folder, path);

    bl_model_pair_close(&test.pair);
    bl_model_free(test.model);
    free(path);
    return outcome;
}

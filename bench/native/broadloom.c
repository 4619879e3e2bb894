/*
 * broadloom.c - runs of Broadloom: one operator by bl_apply, a model by a session
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "native.h"

#include <broadloom/broadloom.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct broadloom_runner {
    struct native_runner base;
    bl_context *context;
    bl_node node;
    bl_model *model;
    bl_session *session; /* NULL: bl_apply of the node */
    size_t input_count;
    bl_tensor **tensors; /* [sets][input_count + 1]: inputs, then the output */
};

static void broadloom_free(struct native_runner *base)
{
    struct broadloom_runner *self = (struct broadloom_runner *)base;

    if (self->tensors != NULL)
        for (size_t i = 0; i < (size_t)base->sets * (self->input_count + 1); i++)
            bl_tensor_free(self->tensors[i]);
    free(self->tensors);
    bl_session_free(self->session);
    bl_model_free(self->model);
    bl_context_free(self->context);
    free(self);
}

static bl_status run_once(struct broadloom_runner *self, int set, bl_error *err)
{
    bl_tensor **tensors = self->tensors + (size_t)set * (self->input_count + 1);
    const bl_tensor *const *inputs = (const bl_tensor *const *)tensors;
    bl_tensor **output = tensors + self->input_count;

    return self->session != NULL ? bl_session_run(self->session, inputs, output, err)
                                 : bl_apply(self->context, &self->node, inputs,
                                            self->input_count, output, 1, err);
}

static double broadloom_time(struct native_runner *base, int first, int64_t runs,
                             char *error)
{
    struct broadloom_runner *self = (struct broadloom_runner *)base;
    const double start = native_now();
    bl_error err;

    for (int64_t i = 0; i < runs; i++) {
        if (run_once(self, first, &err) != BL_OK) {
            snprintf(error, NATIVE_ERROR_BYTES, "%.2000s", err.message);
            return -1;
        }
        first = first + 1 < base->sets ? first + 1 : 0;
    }
    return native_now() - start;
}

static bl_status borrow_tensors(struct broadloom_runner *self, const struct native_job *job,
                                bl_error *err)
{
    const size_t count = self->input_count + 1;

    for (size_t i = 0; i < (size_t)job->sets * count; i++) {
        const struct native_array *array = &job->arrays[i % count];
        bl_shape shape = {.rank = array->rank};

        memcpy(shape.dim, array->dims, (size_t)array->rank * sizeof *array->dims);
        self->tensors[i] = bl_tensor_borrow_mutable(self->context, (bl_dtype)array->dtype,
                                                    &shape, NULL, job->data[i], err);
        if (self->tensors[i] == NULL)
            return err->status;
    }
    return BL_OK;
}

static bl_status open_work(struct broadloom_runner *self, const struct native_job *job,
                           bl_error *err)
{
    if (job->op != NULL) {
        self->node.op = bl_op_find("ai.onnx", job->op, job->opset, err);
        return self->node.op != NULL ? BL_OK : err->status;
    }
    self->model = bl_model_open(self->context, job->model, err);
    if (self->model == NULL)
        return err->status;
    if (bl_model_input_count(self->model) != self->input_count) {
        snprintf(err->message, sizeof err->message,
                 "the model has %zu inputs, the case %zu",
                 bl_model_input_count(self->model), self->input_count);
        return BL_ERR_ARITY;
    }
    self->session = bl_session_new(self->context, self->model, NULL, err);
    return self->session != NULL ? BL_OK : err->status;
}

static struct broadloom_runner *open_runner(const struct native_job *job,
                                            const bl_allocator *allocator, char *error)
{
    bl_context_options options = BL_CONTEXT_DEFAULTS;
    bl_error err = {BL_ERR_MEMORY, "out of memory"};
    struct broadloom_runner *self = calloc(1, sizeof *self);

    options.threads = job->threads;
    options.allocator = allocator;
    if (self == NULL)
        goto failed;
    self->base = (struct native_runner){broadloom_time, broadloom_free, job->sets, 0};
    self->input_count = (size_t)job->input_count;
    self->tensors =
        calloc((size_t)job->sets * (self->input_count + 1), sizeof(bl_tensor *));
    if (self->tensors == NULL)
        goto failed;
    self->context = bl_context_new(&options, &err);
    if (self->context == NULL || open_work(self, job, &err) != BL_OK ||
        borrow_tensors(self, job, &err) != BL_OK)
        goto failed;
    return self;

failed:
    snprintf(error, NATIVE_ERROR_BYTES, "%.2000s", err.message);
    if (self != NULL)
        broadloom_free(&self->base);
    return NULL;
}

struct native_runner *native_broadloom_new(const struct native_job *job, char *error)
{
    struct broadloom_runner *self = open_runner(job, NULL, error);

    return self != NULL ? &self->base : NULL;
}

/* ---- What a run allocates ---------------------------------------------------------------------- */

struct counter {
    atomic_llong now;
    atomic_llong most;
};

static void *counted_alloc(void *user, size_t bytes, size_t alignment)
{
    struct counter *counter = user;
    void *memory = NULL;
    const size_t aligned = alignment < sizeof(void *) ? sizeof(void *) : alignment;

    if (posix_memalign(&memory, aligned, bytes) != 0)
        return NULL;
    const long long now =
        atomic_fetch_add(&counter->now, (long long)bytes) + (long long)bytes;
    long long most = atomic_load(&counter->most);

    while (now > most && !atomic_compare_exchange_weak(&counter->most, &most, now))
        continue;
    return memory;
}

static void counted_free(void *user, void *memory, size_t bytes)
{
    struct counter *counter = user;

    if (memory != NULL)
        atomic_fetch_sub(&counter->now, (long long)bytes);
    free(memory);
}

int native_broadloom_memory(const struct native_job *job, int64_t *context_bytes,
                            int64_t *call_bytes, char *error)
{
    struct counter counter = {0, 0};
    const bl_allocator allocator = {counted_alloc, counted_free, &counter};
    struct broadloom_runner *self = open_runner(job, &allocator, error);

    if (self == NULL)
        return -1;
    *context_bytes = (int64_t)atomic_load(&counter.now);
    atomic_store(&counter.most, atomic_load(&counter.now));
    const double ns = broadloom_time(&self->base, 0, 1, error);

    *call_bytes = (int64_t)atomic_load(&counter.most) - *context_bytes;
    broadloom_free(&self->base);
    return ns < 0 ? -1 : 0;
}

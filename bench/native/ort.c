/*
 * ort.c - runs of ONNX Runtime: its shared library, loaded when it is asked for
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Its C interface is a table of functions that only grows at its end, so that a function's place
 * never changes (onnxruntime_c_api.h asserts it).  No header of it is needed, nor linked.
 */
#include "native.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum place {
    GET_ERROR_MESSAGE = 2,
    CREATE_ENV = 3,
    CREATE_SESSION = 7,
    RUN = 9,
    CREATE_SESSION_OPTIONS = 10,
    SET_GRAPH_OPTIMIZATION = 23,
    SET_INTRA_THREADS = 24,
    SET_INTER_THREADS = 25,
    SESSION_INPUT_COUNT = 30,
    CREATE_RUN_OPTIONS = 39,
    CREATE_TENSOR_WITH_DATA = 49,
    CREATE_CPU_MEMORY_INFO = 69,
    RELEASE_ENV = 92,
    RELEASE_STATUS = 93,
    RELEASE_MEMORY_INFO = 94,
    RELEASE_SESSION = 95,
    RELEASE_VALUE = 96,
    RELEASE_RUN_OPTIONS = 97,
    RELEASE_SESSION_OPTIONS = 100,
    RUN_WITH_BINDING = 133,
    CREATE_BINDING = 134,
    RELEASE_BINDING = 135,
    BIND_INPUT = 136,
    BIND_OUTPUT = 137,
};

enum {
    API_VERSION = 11, /* the first with everything above */
    LOG_ERRORS = 3,
    ALL_OPTIMIZATIONS = 99,
    ARENA_ALLOCATOR = 1,
    DEFAULT_MEMORY = 0,
    NAMES_MAX = 32,
};

typedef void (*function)(void);
typedef void *status; /* NULL: success */

struct api_base {
    const function *(*get)(uint32_t version);
    const char *(*version)(void);
};

/* The function at a place of the table, with the types of its arguments. */
#define CALL(place, ...) ((status(*)(__VA_ARGS__))table[place])
#define RELEASE(place, thing)                        \
    do {                                             \
        if ((thing) != NULL)                         \
            ((void (*)(void *))table[place])(thing); \
    } while (0)

static const struct api_base *api;
static const function *table;
static void *environment;

static int failed(status problem, char *error)
{
    if (problem == NULL)
        return 0;
    snprintf(error, NATIVE_ERROR_BYTES, "%.2000s",
             ((const char *(*)(status))table[GET_ERROR_MESSAGE])(problem));
    ((void (*)(status))table[RELEASE_STATUS])(problem);
    return 1;
}

/* Once a process: the library cannot be unloaded. */
static int load(const char *library, char *error)
{
    const struct api_base *(*get_base)(void);

    if (environment != NULL)
        return 0;
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

    if (handle == NULL) {
        snprintf(error, NATIVE_ERROR_BYTES, "%.2000s", dlerror());
        return -1;
    }
    void *symbol = dlsym(handle, "OrtGetApiBase");

    memcpy(&get_base, &symbol, sizeof get_base); /* ISO C has no cast for this */
    api = symbol != NULL ? get_base() : NULL;
    table = api != NULL ? api->get(API_VERSION) : NULL;
    if (table == NULL) {
        snprintf(error, NATIVE_ERROR_BYTES, "%.1000s has no C interface of version %d",
                 library, API_VERSION);
        return -1;
    }
    return failed(CALL(CREATE_ENV, int, const char *, void **)(LOG_ERRORS, "bench",
                                                               &environment),
                  error)
               ? -1
               : 0;
}

const char *native_ort_version(const char *library, char *error)
{
    return load(library, error) == 0 ? api->version() : NULL;
}

struct ort_runner {
    struct native_runner base;
    size_t input_count;
    void *options;
    void *run_options;
    void *memory;
    void *session;
    void **values;   /* [sets][input_count + 1] */
    void **bindings; /* [sets], or NULL */
    char names[NAMES_MAX][2];
    const char *name_list[NAMES_MAX];
};

static const char *const output_name = "y";

static void ort_free(struct native_runner *base)
{
    struct ort_runner *self = (struct ort_runner *)base;

    for (int i = 0; self->bindings != NULL && i < base->sets; i++)
        RELEASE(RELEASE_BINDING, self->bindings[i]);
    for (size_t i = 0;
         self->values != NULL && i < (size_t)base->sets * (self->input_count + 1); i++)
        RELEASE(RELEASE_VALUE, self->values[i]);
    RELEASE(RELEASE_SESSION, self->session);
    RELEASE(RELEASE_MEMORY_INFO, self->memory);
    RELEASE(RELEASE_RUN_OPTIONS, self->run_options);
    RELEASE(RELEASE_SESSION_OPTIONS, self->options);
    free(self->values);
    free(self->bindings);
    free(self);
}

static status run_once(struct ort_runner *self, int set)
{
    void **values = self->values + (size_t)set * (self->input_count + 1);

    if (self->bindings != NULL)
        return CALL(RUN_WITH_BINDING, void *, const void *,
                    const void *)(self->session, self->run_options, self->bindings[set]);
    return CALL(RUN, void *, const void *, const char *const *, void *const *, size_t,
                const char *const *, size_t,
                void **)(self->session, self->run_options, self->name_list, values,
                         self->input_count, &output_name, 1, values + self->input_count);
}

static double ort_time(struct native_runner *base, int first, int64_t runs, char *error)
{
    struct ort_runner *self = (struct ort_runner *)base;
    const double start = native_now();

    for (int64_t i = 0; i < runs; i++) {
        if (failed(run_once(self, first), error))
            return -1;
        first = first + 1 < base->sets ? first + 1 : 0;
    }
    return native_now() - start;
}

static int open_session(struct ort_runner *self, const struct native_job *job, char *error)
{
    size_t inputs = 0;

    if (failed(CALL(CREATE_SESSION_OPTIONS, void **)(&self->options), error) ||
        failed(CALL(SET_GRAPH_OPTIMIZATION, void *, int)(self->options, ALL_OPTIMIZATIONS),
               error) ||
        failed(CALL(SET_INTRA_THREADS, void *, int)(self->options, job->threads), error) ||
        failed(CALL(SET_INTER_THREADS, void *, int)(self->options, 1), error) ||
        failed(CALL(CREATE_SESSION, void *, const char *, const void *,
                    void **)(environment, job->model, self->options, &self->session),
               error) ||
        failed(CALL(SESSION_INPUT_COUNT, const void *, size_t *)(self->session, &inputs),
               error) ||
        failed(CALL(CREATE_RUN_OPTIONS, void **)(&self->run_options), error) ||
        failed(CALL(CREATE_CPU_MEMORY_INFO, int, int,
                    void **)(ARENA_ALLOCATOR, DEFAULT_MEMORY, &self->memory),
               error))
        return -1;
    if (inputs != self->input_count || inputs > NAMES_MAX) {
        snprintf(error, NATIVE_ERROR_BYTES, "the model has %zu inputs, the case %zu",
                 inputs, self->input_count);
        return -1;
    }
    return 0;
}

/* Inputs are named a, b, c ..., the output y, in every model that bench/ writes. */
static int make_values(struct ort_runner *self, const struct native_job *job, size_t set,
                       char *error)
{
    const size_t count = self->input_count + 1;

    for (size_t k = 0; k < count; k++) {
        const struct native_array *array = &job->arrays[k];
        const size_t i = set * count + k;

        if (failed(CALL(CREATE_TENSOR_WITH_DATA, const void *, void *, size_t,
                        const int64_t *, size_t, int,
                        void **)(self->memory, job->data[i], job->bytes[k], array->dims,
                                 (size_t)array->rank, array->dtype, &self->values[i]),
                   error))
            return -1;
    }
    return 0;
}

static int bind_values(struct ort_runner *self, size_t set, char *error)
{
    void **values = self->values + set * (self->input_count + 1);
    void **binding = &self->bindings[set];

    if (failed(CALL(CREATE_BINDING, void *, void **)(self->session, binding), error))
        return -1;
    for (size_t k = 0; k <= self->input_count; k++) {
        const int is_output = k == self->input_count;
        const char *name = is_output ? output_name : self->name_list[k];

        if (failed(CALL(is_output ? BIND_OUTPUT : BIND_INPUT, void *, const char *,
                        const void *)(*binding, name, values[k]),
                   error))
            return -1;
    }
    return 0;
}

static int fill_runner(struct ort_runner *self, const struct native_job *job, int binding,
                       char *error)
{
    if (open_session(self, job, error) != 0)
        return -1;
    for (size_t k = 0; k < self->input_count; k++) {
        self->names[k][0] = (char)('a' + k);
        self->name_list[k] = self->names[k];
    }
    self->values =
        calloc((size_t)job->sets * (self->input_count + 1), sizeof *self->values);
    if (binding)
        self->bindings = calloc((size_t)job->sets, sizeof *self->bindings);
    if (self->values == NULL || (binding && self->bindings == NULL)) {
        snprintf(error, NATIVE_ERROR_BYTES, "out of memory");
        return -1;
    }
    for (size_t set = 0; set < (size_t)job->sets; set++)
        if (make_values(self, job, set, error) != 0 ||
            (binding && bind_values(self, set, error) != 0))
            return -1;
    return 0;
}

struct native_runner *native_ort_new(const char *library, const struct native_job *job,
                                     int binding, char *error)
{
    if (load(library, error) != 0)
        return NULL;
    struct ort_runner *self = calloc(1, sizeof *self);

    if (self == NULL) {
        snprintf(error, NATIVE_ERROR_BYTES, "out of memory");
        return NULL;
    }
    self->base = (struct native_runner){ort_time, ort_free, job->sets, 0};
    self->input_count = (size_t)job->input_count;
    if (fill_runner(self, job, binding, error) != 0) {
        ort_free(&self->base);
        return NULL;
    }
    return &self->base;
}

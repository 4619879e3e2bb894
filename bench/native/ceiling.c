/*
 * ceiling.c - what this machine's memory can do: copy, add, triad and sums, like STREAM's
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bytes are counted as STREAM counts them: what is read and what is written.  A normal store
 * makes the processor read the line first, which is not counted; a non-temporal one does not,
 * but leaves nothing in the cache.  Which is faster depends on the footprint, so there are both.
 */
#include "native.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define CEILING_READS_MAX 15

/* ---- Kernels: one set for each width of registers --------------------------------------------- */

#if defined(__x86_64__)
#define STREAM(p, v) _mm_stream_ps(p, (__m128)(v))
#endif
#define TAG base
#define BYTES 16
#define TARGET
#include "ceiling.tmpl.h"

#if defined(__x86_64__)
#define TAG avx2
#define BYTES 32
#define TARGET __attribute__((target("avx2")))
#define STREAM(p, v) _mm256_stream_ps(p, (__m256)(v))
#include "ceiling.tmpl.h"

#define TAG avx512
#define BYTES 64
#define TARGET __attribute__((target("avx512f")))
#define STREAM(p, v) _mm512_stream_ps(p, (__m512)(v))
#include "ceiling.tmpl.h"
#endif

struct kernel {
    const char *name;
    int reads;
    void (*pass)(float *out, float *const *in, size_t n);
};

#define KERNELS(tag, store, suffix)                         \
    {"copy" store " " #tag, 1, copy##suffix##_##tag},       \
        {"add" store " " #tag, 2, add##suffix##_##tag},     \
        {"triad" store " " #tag, 2, triad##suffix##_##tag}, \
        {"sum4" store " " #tag, 4, sum4##suffix##_##tag},   \
        {"sum8" store " " #tag, 8, sum8##suffix##_##tag},   \
    {                                                       \
        "sum15" store " " #tag, 15, sum15##suffix##_##tag   \
    }

static const struct kernel kernels_base[] = {
    KERNELS(base, "", ),
#if defined(__x86_64__)
    KERNELS(base, " nt", _nt),
#endif
};
#if defined(__x86_64__)
static const struct kernel kernels_avx2[] = {KERNELS(avx2, "", ),
                                             KERNELS(avx2, " nt", _nt)};
static const struct kernel kernels_avx512[] = {KERNELS(avx512, "", ),
                                               KERNELS(avx512, " nt", _nt)};
#endif

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* Wider registers may be slower (some processors lower their clock for them), so a processor
 * with AVX-512 has AVX2's kernels too.  NULL past the end. */
static const struct kernel *kernel_at(int i)
{
    if (i < 0)
        return NULL;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        if (i < COUNT(kernels_avx2))
            return &kernels_avx2[i];
        i -= COUNT(kernels_avx2);
        return __builtin_cpu_supports("avx512f") && i < COUNT(kernels_avx512)
                   ? &kernels_avx512[i]
                   : NULL;
    }
#endif
    return i < COUNT(kernels_base) ? &kernels_base[i] : NULL;
}

const char *native_ceiling_name(int i)
{
    const struct kernel *kernel = kernel_at(i);

    return kernel != NULL ? kernel->name : NULL;
}

int native_ceiling_reads(int i)
{
    const struct kernel *kernel = kernel_at(i);

    return kernel != NULL ? kernel->reads : 0;
}

/* ---- Runs ------------------------------------------------------------------------------------------ */

struct ceiling_runner {
    struct native_runner base;
    const struct kernel *kernel;
    int threads;
    char *memory;
    size_t stride;
    size_t per_thread; /* floats of each array */
    size_t spacing;    /* floats from one array of a set to the next */
    /* Of the sample in progress: */
    int first;
    int64_t runs;
    atomic_int ready;
    atomic_int go;
    atomic_int done;
};

struct worker {
    struct ceiling_runner *runner;
    int index;
    pthread_t thread;
};

/* A thread's part of each pass, again and again: threads meet only before and after. */
static void work(const struct ceiling_runner *self, int index)
{
    const int arrays = self->kernel->reads + 1;
    float *at[CEILING_READS_MAX + 1];
    int set = self->first;

    for (int64_t run = 0; run < self->runs; run++) {
        float *base = (float *)(void *)(self->memory + (size_t)set * self->stride);

        for (int k = 0; k < arrays; k++)
            at[k] = base + (size_t)k * self->spacing + (size_t)index * self->per_thread;
        self->kernel->pass(at[0], at + 1, self->per_thread);
        set = set + 1 < self->base.sets ? set + 1 : 0;
    }
}

/* A wait this short is spun through; the yield is for machines with fewer processors. */
static void wait_for(atomic_int *value, int wanted)
{
    for (int i = 1; atomic_load(value) < wanted; i++)
        if (i % 4096 == 0)
            sched_yield();
}

static void *worker_main(void *argument)
{
    struct worker *worker = argument;
    struct ceiling_runner *self = worker->runner;

    atomic_fetch_add(&self->ready, 1);
    wait_for(&self->go, 1);
    if (self->runs > 0)
        work(self, worker->index);
    atomic_fetch_add(&self->done, 1);
    return NULL;
}

static double ceiling_time(struct native_runner *base, int first, int64_t runs, char *error)
{
    struct ceiling_runner *self = (struct ceiling_runner *)base;
    struct worker *workers = calloc((size_t)self->threads, sizeof *workers);
    int started = 1;

    if (workers == NULL) {
        snprintf(error, NATIVE_ERROR_BYTES, "out of memory");
        return -1;
    }
    self->first = first;
    self->runs = runs;
    atomic_store(&self->ready, 0);
    atomic_store(&self->go, 0);
    atomic_store(&self->done, 0);
    for (; started < self->threads; started++) {
        struct worker *worker = &workers[started];

        *worker = (struct worker){.runner = self, .index = started};
        if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0)
            break;
    }
    const int failed = started < self->threads;

    if (failed)
        self->runs = 0;
    wait_for(&self->ready, started - 1);
    const double start = native_now();

    atomic_store(&self->go, 1);
    work(self, 0);
    wait_for(&self->done, started - 1);
    const double ns = native_now() - start;

    for (int i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    free(workers);
    if (!failed)
        return ns;
    snprintf(error, NATIVE_ERROR_BYTES, "a thread could not be started");
    return -1;
}

static void ceiling_free(struct native_runner *base)
{
    free(base);
}

/* Arrays of a set do not begin at the same place of a page: some processors take a load for
 * one that depends on a store 4 KiB away.  Operands lie apart in the same way (bench.py). */
#define STAGGER 64

struct native_runner *native_ceiling_new(int kernel, int threads, int sets, void *memory,
                                         size_t stride, size_t bytes, char *error)
{
    struct ceiling_runner *self = calloc(1, sizeof *self);

    if (self == NULL || kernel_at(kernel) == NULL) {
        snprintf(error, NATIVE_ERROR_BYTES, "no memory, or no such kernel");
        free(self);
        return NULL;
    }
    self->base = (struct native_runner){ceiling_time, ceiling_free, sets, 0};
    self->kernel = kernel_at(kernel);
    self->threads = threads;
    self->memory = memory;
    self->stride = stride;
    const size_t arrays = (size_t)self->kernel->reads + 1;
    const size_t floats = bytes / sizeof(float) / arrays;

    self->per_thread = floats / (size_t)threads / 64 * 64;
    self->spacing = floats / 64 * 64 + STAGGER;
    if (self->per_thread == 0 || stride < arrays * self->spacing * sizeof(float)) {
        snprintf(error, NATIVE_ERROR_BYTES, "an area of %zu bytes is too small", bytes);
        free(self);
        return NULL;
    }
    return &self->base;
}

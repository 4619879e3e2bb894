/*
 * native.h - what bench/ does in C: arrays, the runs of each system, the machine's ceiling
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * bench/native.py loads this library and mirrors the structs.  It links Broadloom as a user
 * would, through the public header alone.
 *
 * A runner is one system, made ready for one case; native_time times it.  Where something
 * fails, a function returns NULL or a negative number, and `error` (NATIVE_ERROR_BYTES long)
 * holds a line of text.
 */
#ifndef NATIVE_H
#define NATIVE_H

#include <stddef.h>
#include <stdint.h>

#define NATIVE_ERROR_BYTES 2048

/* The library is built with hidden symbols. */
#define NATIVE_API __attribute__((visibility("default")))

/* Type and shape of an operand; types have ONNX's numbers, which are also bl_dtype's. */
struct native_array {
    int32_t dtype;
    int32_t rank;
    const int64_t *dims;
};

/* A case for one system.  Run i works on set i % sets: with more bytes in all sets than the
 * caches hold, each run finds its operands in memory. */
struct native_job {
    const char *op;    /* an operator of ai.onnx; NULL: the model */
    const char *model; /* a file */
    int32_t opset;
    int32_t threads;
    int32_t sets;
    int32_t input_count;
    const struct native_array *arrays; /* [input_count], then the output's */
    const size_t *bytes;               /* [input_count + 1], the size of each */
    void *const *data;                 /* [sets][input_count + 1] */
};

struct native_runner {
    /* Run `runs` times, beginning with set `first`; the nanoseconds, negative: failed. */
    double (*time)(struct native_runner *self, int first, int64_t runs, char *error);
    void (*free)(struct native_runner *self);
    int sets;
    int next; /* the set that the next run works on */
};

/* Time `runs` runs, which go on with the sets where the last ones ended. */
NATIVE_API double native_time(struct native_runner *runner, int64_t runs, char *error);
NATIVE_API void native_free(struct native_runner *runner);

/* ---- arrays.c ---- */

/* Zeroed memory, aligned to 2 MiB, for which huge pages are asked. */
NATIVE_API void *native_memory_new(size_t bytes);
NATIVE_API void native_memory_free(void *memory, size_t bytes);

/* Element i of an array is a function of the seed and i alone: from low to high, both
 * included for integers; a bool is 0 or 1. */
NATIVE_API int native_fill(void *memory, int32_t dtype, int64_t count, double low,
                           double high, uint64_t seed, char *error);

/* How many elements differ: in their bits and, where the type is a float, by more than
 * absolute + relative * |b|.  *worst is the largest difference of two elements, NaN against a
 * number counting as infinite.  Negative: a type that is not compared. */
NATIVE_API int64_t native_compare(const void *a, const void *b, int32_t dtype,
                                  int64_t count, double relative, double absolute,
                                  double *worst);

/* ---- broadloom.c ---- */

NATIVE_API struct native_runner *native_broadloom_new(const struct native_job *job,
                                                      char *error);

/* One run under a counting allocator: what the context held before it, and the most that was
 * held at once beyond that.  Inputs and output are the caller's and do not count. */
NATIVE_API int native_broadloom_memory(const struct native_job *job, int64_t *context_bytes,
                                       int64_t *call_bytes, char *error);

/* ---- ort.c ---- */

/* `library` is a path of libonnxruntime.so.1; binding: inputs and outputs are bound once. */
NATIVE_API const char *native_ort_version(const char *library, char *error);
NATIVE_API struct native_runner *
native_ort_new(const char *library, const struct native_job *job, int binding, char *error);

/* ---- ceiling.c ---- */

/* The i-th kernel that this processor has, such as "add nt avx2"; NULL past the end. */
NATIVE_API const char *native_ceiling_name(int i);

/* The arrays it reads; it writes one. */
NATIVE_API int native_ceiling_reads(int i);

/* The kernel over `sets` areas of `bytes` each, `stride` apart in `memory`. */
NATIVE_API struct native_runner *native_ceiling_new(int kernel, int threads, int sets,
                                                    void *memory, size_t stride,
                                                    size_t bytes, char *error);

/* ---- For the files of this library ---- */

double native_now(void); /* nanoseconds */

#endif

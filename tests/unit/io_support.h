/*
 * io_support.h - what the tests of readers and writers share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_UNIT_IO_SUPPORT_H
#define BL_TESTS_UNIT_IO_SUPPORT_H

#include "unit.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "io/file.h"
#include "io/source.h"
#include "io/writer.h"
#include "tensor/dtype.h"
#include "tensor/tensor.h"

/* An allocator that counts in `state`, which it resets, and fails at call `fail_at` (-1:
 * never). */
static inline bl_allocator counting_allocator(struct failing_allocator *state, long fail_at)
{
    *state = (struct failing_allocator){.fail_at = fail_at};
    return (bl_allocator){failing_alloc, failing_free, state};
}

/* ---- Sources of exactly their size ------------------------------------------- */

/* A copy on the heap without a byte to spare, so that a sanitizer sees a read past its end.
 */
static inline struct bl_source source_copy(const void *bytes, size_t size)
{
    unsigned char *copy = malloc(size > 0 ? size : 1);

    assert_non_null(copy);
    if (size > 0)
        memcpy(copy, bytes, size);
    return (struct bl_source){"x", copy, size};
}

static inline void source_free(struct bl_source *source)
{
    free((void *)(uintptr_t)source->bytes);
}

typedef bl_tensor *read_function(const struct bl_source *source,
                                 const bl_allocator *allocator, bl_error *err);

/* A read that has to fail, before anything is allocated. */
static inline void check_refused(const void *bytes, size_t size, read_function *read_it,
                                 bl_status status, const char *message)
{
    struct bl_source source = source_copy(bytes, size);
    struct failing_allocator state;
    const bl_allocator allocator = counting_allocator(&state, -1);
    bl_error err = {BL_OK, ""};

    assert_null(read_it(&source, &allocator, &err));
    if (strcmp(err.message, message) != 0)
        fail_msg("message \"%s\" instead of \"%s\"", err.message, message);
    assert_int_equal(err.status, status);
    assert_int_equal(state.calls, 0);
    source_free(&source);
}

/* Every beginning of a valid file is refused, before anything is allocated. */
static inline void check_truncation(const void *bytes, size_t size, read_function *read_it)
{
    for (size_t cut = 0; cut < size; cut++) {
        struct bl_source source = source_copy(bytes, cut);
        struct failing_allocator state;
        const bl_allocator allocator = counting_allocator(&state, -1);
        bl_error err = {BL_OK, ""};

        assert_null(read_it(&source, &allocator, &err));
        assert_int_equal(err.status, BL_ERR_FORMAT);
        assert_memory_equal(err.message, "x: byte ", 8);
        assert_int_equal(state.calls, 0);
        source_free(&source);
    }
}

/* Whatever value a byte has, the file is read or refused, and a tensor is never larger than
 * a file of this size can hold. */
static inline void check_corruption(const void *bytes, size_t size, read_function *read_it)
{
    for (size_t i = 0; i < size; i++)
        for (unsigned flip = 1; flip < 256; flip++) {
            struct bl_source source = source_copy(bytes, size);
            struct failing_allocator state;
            const bl_allocator allocator = counting_allocator(&state, -1);
            bl_error err = {BL_OK, ""};

            ((unsigned char *)(uintptr_t)source.bytes)[i] ^= (unsigned char)flip;
            bl_tensor *tensor = read_it(&source, &allocator, &err);

            assert_true((tensor != NULL) != (err.status != BL_OK));
            assert_true(tensor == NULL || (size_t)tensor->count <= 4 * size);
            bl_tensor_free(tensor);
            assert_int_equal(state.live, 0);
            source_free(&source);
        }
}

/* Whichever allocation fails, the read fails and gives back the others. */
static inline void check_no_memory(const void *bytes, size_t size, read_function *read_it)
{
    struct bl_source source = source_copy(bytes, size);
    struct failing_allocator state;
    const bl_allocator allocator = counting_allocator(&state, -1);
    bl_tensor *tensor = read_it(&source, &allocator, NULL);
    const long calls = state.calls;

    assert_non_null(tensor);
    bl_tensor_free(tensor);
    assert_int_equal(state.live, 0);
    assert_true(calls >= 2);
    for (long i = 0; i < calls; i++) {
        bl_error err = {BL_OK, ""};

        counting_allocator(&state, i);
        assert_null(read_it(&source, &allocator, &err));
        assert_int_equal(err.status, BL_ERR_MEMORY);
        assert_int_equal(state.live, 0);
    }
    source_free(&source);
}

/* ---- Files -------------------------------------------------------------------- */

static char folder_name[] = "io-test-XXXXXX";

/* Work in a new folder below the current one; cmocka's group set-up and tear-down. */
static inline int folder_enter(void **state)
{
    (void)state;
    return mkdtemp(folder_name) != NULL && chdir(folder_name) == 0 ? 0 : -1;
}

static inline int folder_leave(void **state)
{
    (void)state;
    return chdir("..") == 0 && rmdir(folder_name) == 0 ? 0 : -1; /* fails unless empty */
}

/* Make a file, or make it anew. */
static inline void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* A file of float32 elements, as external data are: each has its lowest byte first. */
static inline void write_floats(const char *path, const float *elements, size_t count)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;

        memcpy(&bits, &elements[i], sizeof bits);
        for (int shift = 0; shift < 32; shift += 8)
            assert_int_equal(fputc((int)(bits >> shift & 0xFF), file),
                             bits >> shift & 0xFF);
    }
    assert_int_equal(fclose(file), 0);
}

/* How many names there are in the current folder. */
static inline int names(void)
{
    DIR *folder = opendir(".");
    int count = -2; /* "." and ".." */

    assert_non_null(folder);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

typedef bl_status write_function(const bl_tensor *tensor, struct bl_writer *writer,
                                 bl_error *err);

/* Write a tensor, and get back what was written; free with source_free. */
static inline struct bl_source written(const bl_tensor *tensor, write_function *write_it)
{
    struct bl_writer writer;
    struct bl_file file;
    bl_error err = {BL_OK, ""};

    assert_int_equal(bl_writer_open(&writer, "written", &err), BL_OK);
    const bl_status status = write_it(tensor, &writer, &err);

    assert_int_equal(bl_writer_close(&writer, status, &err), BL_OK);
    assert_int_equal(bl_file_read("written", &bl_allocator_default, &file, &err), BL_OK);
    assert_int_equal(unlink("written"), 0);

    struct bl_source source = source_copy(file.bytes, file.size);

    bl_file_free(&bl_allocator_default, &file);
    return source;
}

/* ---- Tensors ------------------------------------------------------------------ */

/* Fill memory with elements that are all different where the type has so many, and valid.
 */
static inline void fill(bl_dtype dtype, unsigned char *bytes, size_t count)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);

    for (size_t i = 0; i < count * info->bytes; i++)
        bytes[i] = (unsigned char)(i * 37 + 11);
    for (size_t i = 0; i < count && info->bits < 8; i++) {
        const int range = 1 << info->bits;
        const int value = (int)(i * 5 + 3) % range;

        bytes[i] = (unsigned char)(info->kind == BL_KIND_INT ? value - range / 2 : value);
    }
    for (size_t i = 0; i < count && info->kind == BL_KIND_BOOL; i++)
        bytes[i] = i % 3 == 0;
}

/* Shape [4,3,5] and element strides of a view that is transposed, reversed and has gaps. */
#define VIEW_SHAPE BL_SHAPE(4, 3, 5)
#define VIEW_COUNT 60
#define VIEW_STRIDES ((const int64_t[]){2, -40, 8})
#define VIEW_FIRST 80   /* element of the memory that is index [0,0,0] */
#define VIEW_MEMORY 120 /* elements of the memory */

/* The place in that memory of the i-th element in row-major order. */
static inline size_t view_place(size_t i)
{
    return VIEW_FIRST + i / 15 * 2 - i / 5 % 3 * 40 + i % 5 * 8;
}

static inline bl_tensor *view_over(bl_dtype dtype, unsigned char *memory)
{
    bl_tensor *tensor =
        bl_tensor_make_borrowed(&bl_allocator_default, dtype, VIEW_SHAPE, VIEW_STRIDES,
                                memory + VIEW_FIRST * bl_dtype_size(dtype), false, NULL);

    assert_non_null(tensor);
    return tensor;
}

#endif

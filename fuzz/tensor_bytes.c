/*
 * tensor_bytes.c - read a tensor from bytes, write what was read, read it again
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz/tensor_bytes.h"

#include <string.h>

/* A byte of a file may stand for an element of 16 bytes (a string of none, a varint for half a complex
 * number would be 8); beside them there is the tensor itself. */
#define BYTES_EACH 16
#define BYTES_BESIDE 4096

/* Larger ones are not written: that would test the disk. */
#define MOST_WRITTEN 4096

static void check_round_trip(bl_context *context, const bl_tensor *tensor, bl_format format)
{
    const char *path = fuzz_path(format == BL_FORMAT_NPY ? "tensor.npy" : "tensor.pb");
    bl_error err;

    if (bl_tensor_write(tensor, path, format, &err) != BL_OK)
        fuzz_fail("what was read cannot be written: %s", err.message);
    bl_tensor *again = bl_tensor_read(context, path, format, &err);

    if (again == NULL)
        fuzz_fail("what was written cannot be read: %s", err.message);
    if (!fuzz_same(tensor, again))
        fuzz_fail("written and read again, the tensor is another one");
    bl_tensor_free(again);
}

void fuzz_tensor_bytes(const uint8_t *data, size_t size, bl_format format)
{
    struct fuzz_budget budget = {.most = (size_t)64 << 20};
    bl_context *context = fuzz_context(&budget, 1);
    const size_t before = budget.live;
    bl_error err = {BL_OK, ""};
    bl_tensor *tensor = bl_tensor_read_memory(context, data, size, format, "input", &err);

    if (tensor == NULL)
        fuzz_check_error(&err);
    else if (err.status != BL_OK)
        fuzz_fail("a tensor and an error: %s", err.message);
    if (budget.peak - before > BYTES_EACH * size + BYTES_BESIDE)
        fuzz_fail("%zu bytes allocated for %zu", budget.peak - before, size);
    if (FUZZ_HAS_FILES && tensor != NULL && bl_tensor_count(tensor) <= MOST_WRITTEN)
        check_round_trip(context, tensor, format);
    bl_tensor_free(tensor);
    bl_context_free(context);
    fuzz_check_freed(&budget);
}

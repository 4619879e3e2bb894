/*
 * npy_fuzz.c - fuzz target: the reader of NumPy's .npy
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz/tensor_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_tensor_bytes(data, size, BL_FORMAT_NPY);
    return 0;
}

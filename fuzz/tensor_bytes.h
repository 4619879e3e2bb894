/*
 * tensor_bytes.h - read a tensor from bytes, write what was read, read it again
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_FUZZ_TENSOR_BYTES_H
#define BL_FUZZ_TENSOR_BYTES_H

#include "fuzz/fuzz.h"

/* The promises of bl_tensor_read_memory: a tensor or a message, memory as the bytes justify, all of it
 * given back; and a tensor that was read is the same when written and read again. */
void fuzz_tensor_bytes(const uint8_t *data, size_t size, bl_format format);

#endif

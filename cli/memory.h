/*
 * memory.h - whether this machine could hold a tensor
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_MEMORY_H
#define BL_CLI_MEMORY_H

#include "broadloom/broadloom.h"

/*
 * BL_ERR_MEMORY if `what`, of so many elements, is more than the machine has.  malloc may
 * promise what is not there, and the process is killed when it fills it: a shape with a
 * digit too many should be a message instead.
 */
bl_status bl_memory_check(const char *what, bl_dtype dtype, int64_t elements,
                          bl_error *err);

#endif

/*
 * memory.c - whether this machine could hold a tensor
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/memory.h"

#include <unistd.h>

#include "cli/message.h"

bl_status bl_memory_check(const char *what, bl_dtype dtype, int64_t elements, bl_error *err)
{
#ifdef _SC_PHYS_PAGES
    const double have = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    const double need = (double)elements * (double)bl_dtype_size(dtype);

    if (have > 0 && need > have)
        return bl_error_fill(err, BL_ERR_MEMORY,
                             "%s would take %.0f bytes, this machine has %.0f", what, need,
                             have);
#endif
    return BL_OK;
}

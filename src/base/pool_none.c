/*
 * pool_none.c - in place of pool.c, where the system has no threads
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For WebAssembly (CMake's BL_THREADS=OFF).  Every pool is one of a single thread, however
 * many were asked for: results do not depend on their number.
 */
#include "base/pool.h"

#include <stddef.h>

bl_status bl_pool_new(const bl_allocator *allocator, int threads, struct bl_pool **pool,
                      bl_error *err)
{
    (void)allocator, (void)threads, (void)err;
    *pool = NULL;
    return BL_OK;
}

void bl_pool_free(struct bl_pool *pool)
{
    (void)pool;
}

int bl_pool_threads(const struct bl_pool *pool)
{
    (void)pool;
    return 1;
}

void bl_pool_run(struct bl_pool *pool, int parts, bl_pool_fn work, void *job)
{
    (void)pool, (void)parts;
    work(job, 0);
}

int bl_processors(void)
{
    return 1;
}

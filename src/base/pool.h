/*
 * pool.h - a few threads that work on one job together
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * One job at a time: the caller starts it, works on it as one of the threads, and returns
 * when there is nothing left to do.  In between the threads look out for the next job a while, then sleep.
 */
#ifndef BL_BASE_POOL_H
#define BL_BASE_POOL_H

#include "broadloom/broadloom.h"

struct bl_pool;

/* Work on a job until there is nothing left to take of it.  `index` tells the threads apart: 0 is
 * the caller. */
typedef void (*bl_pool_fn)(void *job, int index);

/* A pool of `threads` threads, the caller's among them.  For 1 it is NULL, which is a pool
 * too; NULL on failure as well, with *err filled. */
bl_status bl_pool_new(const bl_allocator *allocator, int threads, struct bl_pool **pool,
                      bl_error *err);

void bl_pool_free(struct bl_pool *pool);

/* The number of threads; 1 for NULL.  In a forked child they are gone, and bl_pool_run does without. */
int bl_pool_threads(const struct bl_pool *pool);

/* Call work(job, 0) here, and work(job, i), 0 < i < parts, on the threads that wake before that is
 * done; wait for all.  parts <= bl_pool_threads(pool). */
void bl_pool_run(struct bl_pool *pool, int parts, bl_pool_fn work, void *job);

/* Processors that this process may run on, at least 1. */
int bl_processors(void);

#endif

/*
 * pool.h - a few threads that work on one job together
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * One job at a time: the caller starts it, works on it as one of the threads, and returns
 * when all are done.  The threads sleep in between.
 */
#ifndef BL_BASE_POOL_H
#define BL_BASE_POOL_H

#include "broadloom/broadloom.h"

struct bl_pool;

/* A part of a job: `index` counts from 0, the caller's own.  May run on any of the threads.
 */
typedef void (*bl_pool_fn)(void *job, int index);

/* A pool of `threads` threads, the caller's among them.  For 1 it is NULL, which is a pool
 * too; NULL on failure as well, with *err filled. */
bl_status bl_pool_new(const bl_allocator *allocator, int threads, struct bl_pool **pool,
                      bl_error *err);

void bl_pool_free(struct bl_pool *pool);

/* The number of threads; 1 for NULL. */
int bl_pool_threads(const struct bl_pool *pool);

/* Call work(job, i) once for each i < parts, parts <= bl_pool_threads(pool), and wait for
 * all. */
void bl_pool_run(struct bl_pool *pool, int parts, bl_pool_fn work, void *job);

/* Processors that this process may run on, at least 1. */
int bl_processors(void);

#endif

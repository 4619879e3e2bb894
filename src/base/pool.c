/*
 * pool.c - a few threads that work on one job together
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * To wake a sleeping thread takes tens of microseconds, in which a core adds a million elements.
 * So a thread that has nothing to do looks out for work a while before it sleeps: from one call to
 * the next of a loop it stays awake, and a process that does other things is not kept busy.
 *
 * A process that was forked has none of the threads, and the lock as it was at that moment.  There
 * the caller does all of a job, which any of the threads may, and nothing else here is touched.
 */
#if defined(__linux__)
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#endif

#include "base/mem.h"
#include "base/status.h"

struct worker {
    struct bl_pool *pool;
    pthread_t thread;
    int index; /* of the part it does, 1 and up */
};

/* How often a thread looks before it sleeps: some tens of microseconds. */
#define LOOKS 2000

struct bl_pool {
    bl_allocator allocator;
    size_t bytes; /* of this struct with its workers */
    pid_t owner;  /* the process that the threads are in */
    pthread_mutex_t lock;
    pthread_cond_t start;
    pthread_cond_t done;
    /* Written under the lock, and looked at without it. */
    atomic_uint
        round; /* counts jobs, so that a worker knows a new one from the one it did */
    atomic_int running; /* parts of this job not yet done by workers */
    int parts;
    bool stop;
    bl_pool_fn work;
    void *job;
    int workers;
    struct worker worker[];
};

/* Tell the processor that this is a loop that waits. */
static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) && defined(__GNUC__)
    __asm__ volatile("yield");
#endif
}

/* Wait a while, without the lock, for another job than `seen`. */
static void look_for_job(struct bl_pool *pool, unsigned seen)
{
    for (int i = 0; i < LOOKS && atomic_load(&pool->round) == seen; i++)
        pause_briefly();
}

/* The same for the workers to be done. */
static void look_for_end(struct bl_pool *pool)
{
    for (int i = 0; i < LOOKS && atomic_load(&pool->running) > 0; i++)
        pause_briefly();
}

static void *worker_main(void *argument)
{
    struct worker *self = argument;
    struct bl_pool *pool = self->pool;
    unsigned seen = 0;

    for (;;) {
        look_for_job(pool, seen);
        pthread_mutex_lock(&pool->lock);
        while (!pool->stop && atomic_load(&pool->round) == seen)
            pthread_cond_wait(&pool->start, &pool->lock);
        const bool stop = pool->stop;
        const bool mine = self->index < pool->parts;

        seen = atomic_load(&pool->round);
        if (mine && !stop)
            atomic_fetch_add(&pool->running, 1);
        pthread_mutex_unlock(&pool->lock);
        if (stop)
            return NULL;
        if (!mine)
            continue;
        pool->work(pool->job, self->index);
        pthread_mutex_lock(&pool->lock);
        if (atomic_fetch_sub(&pool->running, 1) == 1)
            pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->lock);
    }
}

bl_status bl_pool_new(const bl_allocator *allocator, int threads, struct bl_pool **pool,
                      bl_error *err)
{
    *pool = NULL;
    if (threads <= 1)
        return BL_OK;
    const int workers = threads - 1;
    const size_t bytes = sizeof(struct bl_pool) + (size_t)workers * sizeof(struct worker);
    struct bl_pool *made = bl_mem_alloc_zero(allocator, bytes);

    if (made == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for %d threads", threads);
    made->allocator = *allocator;
    made->bytes = bytes;
    made->owner = getpid();
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->start, NULL);
    pthread_cond_init(&made->done, NULL);
    for (; made->workers < workers; made->workers++) {
        struct worker *worker = &made->worker[made->workers];

        *worker = (struct worker){.pool = made, .index = made->workers + 1};
        if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0) {
            bl_fail(err, BL_ERR_MEMORY, "could start only %d of %d threads",
                    made->workers + 1, threads);
            bl_pool_free(made);
            return BL_ERR_MEMORY;
        }
    }
    *pool = made;
    return BL_OK;
}

/* End the threads, and what they waited for. */
static void stop_workers(struct bl_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->workers; i++)
        pthread_join(pool->worker[i].thread, NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->start);
    pthread_mutex_destroy(&pool->lock);
}

void bl_pool_free(struct bl_pool *pool)
{
    if (pool == NULL)
        return;
    const bl_allocator allocator = pool->allocator;

    if (pool->owner == getpid())
        stop_workers(pool);
    bl_mem_free(&allocator, pool, pool->bytes);
}

int bl_pool_threads(const struct bl_pool *pool)
{
    return pool != NULL ? pool->workers + 1 : 1;
}

void bl_pool_run(struct bl_pool *pool, int parts, bl_pool_fn work, void *job)
{
    if (pool == NULL || parts <= 1 || pool->owner != getpid()) {
        work(job, 0);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->work = work;
    pool->job = job;
    pool->parts = parts;
    atomic_fetch_add(&pool->round, 1);
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->lock);

    work(job, 0);

    pthread_mutex_lock(&pool->lock);
    pool->parts = 0;
    pthread_mutex_unlock(&pool->lock);
    look_for_end(pool);
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->running) > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

int bl_processors(void)
{
#if defined(__linux__)
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);

    return online > 0 && online <= 1024 ? (int)online : 1;
}

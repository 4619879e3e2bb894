/*
 * guard.c - the limits of a context, and the flag that stops its work
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/guard.h"

#include <stdint.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/status.h"

/* The reasons stand in docs/limits.md. */
const bl_limits bl_limits_default = {
    .max_bytes = BL_UNLIMITED,
    .max_tensor_bytes = BL_UNLIMITED,
    .max_tensor_elements = INT64_C(1) << 40,
    .max_rank = BL_MAX_RANK,
    .max_nodes = INT64_C(1) << 20,
    .max_depth = 32,
    .max_work = INT64_C(1) << 50,
};

/* ---- Counting -------------------------------------------------------------------------------- */

/* What an allocation counts for: allocators give whole lines, and nothing is for free. */
static size_t price_of(size_t bytes)
{
    return bl_mem_round(bytes > 0 ? bytes : 1);
}

static bool take_price(struct bl_guard *guard, size_t price)
{
    const uint64_t most = (uint64_t)guard->limits.max_bytes;
    const size_t before =
        atomic_fetch_add_explicit(&guard->held, price, memory_order_relaxed);

    if (before <= SIZE_MAX - price && before + price <= most)
        return true;
    atomic_fetch_sub_explicit(&guard->held, price, memory_order_relaxed);
    return false;
}

/* Whoever gives back the last of it frees the guard. */
static void give_back(struct bl_guard *guard, size_t price)
{
    if (atomic_fetch_sub_explicit(&guard->held, price, memory_order_acq_rel) != price)
        return;
    const bl_allocator from = guard->from;

    bl_mem_free(&from, guard, sizeof *guard);
}

static void *guarded_alloc(void *user, size_t bytes, size_t alignment)
{
    struct bl_guard *guard = user;

    if (bl_guard_stops(guard))
        return NULL;
    if (bytes > PTRDIFF_MAX - BL_ALIGNMENT || !take_price(guard, price_of(bytes))) {
        atomic_store_explicit(&guard->refused, bytes, memory_order_relaxed);
        return NULL;
    }
    void *memory = guard->from.alloc(guard->from.user, bytes, alignment);

    if (memory == NULL)
        give_back(guard, price_of(bytes));
    return memory;
}

static void guarded_free(void *user, void *memory, size_t bytes)
{
    struct bl_guard *guard = user;

    guard->from.free(guard->from.user, memory, bytes);
    give_back(guard, price_of(bytes));
}

/* ---- Guards come and go ---------------------------------------------------------------------- */

/* The memory of this machine: what needs more would be swapped, or ended by the system. */
static int64_t physical_bytes(void)
{
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);

    if (pages > 0 && page > 0 && pages <= INT64_MAX / page)
        return (int64_t)pages * page;
#endif
    return BL_UNLIMITED;
}

static int64_t limit_or(int64_t given, int64_t otherwise)
{
    return given != 0 ? given : otherwise;
}

static bl_limits fill_in(const bl_limits *given)
{
    const bl_limits *otherwise = &bl_limits_default;
    bl_limits limits = *given;

    limits.max_bytes = limit_or(given->max_bytes, physical_bytes());
    limits.max_tensor_bytes = limit_or(given->max_tensor_bytes, limits.max_bytes);
    limits.max_tensor_elements =
        limit_or(given->max_tensor_elements, otherwise->max_tensor_elements);
    limits.max_rank = limit_or(given->max_rank, otherwise->max_rank);
    limits.max_nodes = limit_or(given->max_nodes, otherwise->max_nodes);
    limits.max_depth = limit_or(given->max_depth, otherwise->max_depth);
    limits.max_work = limit_or(given->max_work, otherwise->max_work);
    return limits;
}

bl_status bl_guard_new(const bl_allocator *from, const bl_limits *limits, bl_allocator *out,
                       bl_error *err)
{
    struct bl_guard *guard = bl_mem_alloc(from, sizeof *guard);

    if (guard == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for a context (%zu bytes)",
                       sizeof *guard);
    guard->from = *from;
    guard->limits = fill_in(limits);
    atomic_init(&guard->held, price_of(sizeof *guard));
    atomic_init(&guard->refused, 0);
    atomic_init(&guard->cancelled, 0);
    atomic_init(&guard->stopped, 0);
    *out = (bl_allocator){guarded_alloc, guarded_free, guard};
    return BL_OK;
}

void bl_guard_release(const bl_allocator *guard)
{
    give_back(guard->user, price_of(sizeof(struct bl_guard)));
}

struct bl_guard *bl_guard_of(const bl_allocator *allocator)
{
    return allocator->alloc == guarded_alloc ? allocator->user : NULL;
}

const bl_limits *bl_limits_of(const bl_allocator *allocator)
{
    const struct bl_guard *guard = bl_guard_of(allocator);

    return guard != NULL ? &guard->limits : &bl_limits_default;
}

/* ---- Failures -------------------------------------------------------------------------------- */

bl_status bl_guard_cancelled(bl_error *err)
{
    return bl_fail(err, BL_ERR_CANCELLED, "cancelled by bl_context_cancel");
}

bl_status bl_guard_explain(const bl_allocator *allocator, bl_status status, bl_error *err)
{
    struct bl_guard *guard = bl_guard_of(allocator);

    if (guard == NULL || status == BL_OK)
        return status;
    const bool stopped =
        atomic_exchange_explicit(&guard->stopped, 0, memory_order_relaxed) != 0;

    if (status != BL_ERR_MEMORY)
        return status;
    if (stopped)
        return bl_guard_cancelled(err);
    const size_t refused =
        atomic_exchange_explicit(&guard->refused, 0, memory_order_relaxed);

    if (refused == 0)
        return status;
    return bl_fail_prefix(
        err, BL_ERR_LIMIT, "max_bytes is %lld, %zu are held, and %zu more were asked for: ",
        (long long)guard->limits.max_bytes,
        atomic_load_explicit(&guard->held, memory_order_relaxed), refused);
}

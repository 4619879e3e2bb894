/*
 * context_test.c - contexts, the thread pool, statuses and messages
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "unit.h"

#include <stdatomic.h>
#include <stdio.h>

#include "base/checked.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/status.h"
#include "cpu/cpu.h"

static bl_error err;

static void test_options(void **state)
{
    bl_context_options options = BL_CONTEXT_DEFAULTS;
    bl_context *context = bl_context_new(NULL, &err);

    (void)state;
    assert_int_equal(bl_context_threads(context), 1);
    assert_string_equal(bl_context_isa(context), bl_cpu_isa());
    bl_context_free(context);
    bl_context_free(NULL);

    options.threads = 0;
    options.isas = 0;
    context = bl_context_new(&options, &err);
    assert_true(bl_context_threads(context) >= 1);
    assert_string_equal(bl_context_isa(context), "baseline");
    bl_context_free(context);

    options.threads = -1;
    assert_null(bl_context_new(&options, &err));
    assert_int_equal(err.status, BL_ERR_ARGUMENT);
    options.threads = 1 << 20;
    assert_null(bl_context_new(&options, &err));
    options.threads = 1;
    options.size = 3;
    assert_null(bl_context_new(&options, &err));
    assert_non_null(strstr(err.message, "BL_CONTEXT_DEFAULTS"));
    options = (bl_context_options)BL_CONTEXT_DEFAULTS;
    options.allocator = &(bl_allocator){NULL, NULL, NULL};
    assert_null(bl_context_new(&options, &err));
}

static void test_environment(void **state)
{
    bl_context *context;
    const char *had = getenv("BL_ISA");
    char kept[32];

    (void)state;
    snprintf(kept, sizeof kept, "%s", had != NULL ? had : "");
    setenv("BL_ISA", "baseline", 1);
    context = bl_context_new(NULL, &err);
    assert_string_equal(bl_context_isa(context), "baseline");
    bl_context_free(context);
    setenv("BL_ISA", "sse9", 1);
    assert_null(bl_context_new(NULL, &err));
    assert_non_null(
        strstr(err.message, "'sse9', which is none of: baseline, avx2, avx512"));
    setenv("BL_ISA", kept, 1);
    context = bl_context_new(NULL, &err);
    assert_non_null(context);
    bl_context_free(context);
}

static void test_tiers(void **state)
{
    (void)state;
    assert_int_equal(bl_cpu_tiers() & 1, 1);
    for (int tier = 0; tier < BL_TIER_COUNT; tier++)
        assert_non_null(bl_tier_name((enum bl_isa)tier));
}

/* ---- The pool
 * ------------------------------------------------------------------------------ */

/* Numbers that threads take, each once. */
struct tally {
    atomic_int next;
    int end;
    atomic_int taken, calls_of_caller;
};

static void take_numbers(void *job, int index)
{
    struct tally *tally = job;

    if (index == 0)
        atomic_fetch_add(&tally->calls_of_caller, 1);
    while (atomic_fetch_add(&tally->next, 1) < tally->end)
        atomic_fetch_add(&tally->taken, 1);
}

static void test_pool(void **state)
{
    struct bl_pool *pool;
    struct tally tally = {.end = 100};

    (void)state;
    assert_ok(bl_pool_new(&bl_allocator_default, 4, &pool, &err), &err);
    assert_int_equal(bl_pool_threads(pool), 4);
    for (int round = 0; round < 2000; round++) {
        atomic_store(&tally.next, 0);
        bl_pool_run(pool, 1 + round % 4, take_numbers, &tally);
        assert_int_equal(atomic_load(&tally.taken), (round + 1) * 100);
        assert_int_equal(atomic_load(&tally.calls_of_caller), round + 1);
    }
    bl_pool_free(pool);
    assert_ok(bl_pool_new(&bl_allocator_default, 1, &pool, &err), &err);
    assert_null(pool);
    atomic_store(&tally.next, 0);
    bl_pool_run(pool, 1, take_numbers, &tally);
    assert_int_equal(atomic_load(&tally.taken), 2001 * 100);
    bl_pool_free(pool);
    assert_true(bl_processors() >= 1);
}

/* ---- Messages
 * --------------------------------------------------------------------------------- */

static void test_messages(void **state)
{
    char *longest = malloc(3 * BL_ERROR_BYTES);

    (void)state;
    memset(longest, 'x', 3 * BL_ERROR_BYTES);
    longest[3 * BL_ERROR_BYTES - 1] = '\0';
    assert_int_equal(bl_fail(&err, BL_ERR_IO, "%s", longest), BL_ERR_IO);
    assert_int_equal(strlen(err.message), BL_ERROR_BYTES - 1);
    assert_string_equal(err.message + BL_ERROR_BYTES - 4, "...");
    bl_fail(&err, BL_ERR_IO, "what");
    bl_fail_prefix(&err, BL_ERR_FORMAT, "%s: ", "file");
    assert_string_equal(err.message, "file: what");
    assert_int_equal(err.status, BL_ERR_FORMAT);
    bl_fail_prefix(&err, BL_ERR_FORMAT, "%s", longest);
    assert_string_equal(err.message + BL_ERROR_BYTES - 4, "...");
    assert_int_equal(bl_fail(NULL, BL_ERR_IO, "unheard"), BL_ERR_IO);
    free(longest);
    for (int i = 0; i < BL_STATUS_COUNT; i++)
        assert_string_not_equal(bl_status_name((bl_status)i), "unknown");
    assert_string_equal(bl_status_name(BL_STATUS_COUNT), "unknown");
    assert_string_equal(bl_rule_name(BL_RULE_LEGACY), "legacy");
    assert_string_equal(bl_rule_name(BL_RULE_COUNT), "unknown");
    assert_string_equal(bl_version(), "0.1.0");
}

static void test_checked(void **state)
{
    size_t size;
    int64_t count;

    (void)state;
    assert_true(bl_size_add(SIZE_MAX - 1, 1, &size));
    assert_false(bl_size_add(SIZE_MAX, 1, &size));
    assert_true(bl_size_mul(0, SIZE_MAX, &size));
    assert_false(bl_size_mul(SIZE_MAX / 2 + 1, 2, &size));
    assert_true(bl_count_mul(INT64_MAX, 1, &count));
    assert_false(bl_count_mul(INT64_MAX / 2 + 1, 2, &count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),  cmocka_unit_test(test_environment),
        cmocka_unit_test(test_tiers),    cmocka_unit_test(test_pool),
        cmocka_unit_test(test_messages), cmocka_unit_test(test_checked),
    };

    unsetenv("BL_ISA"); /* the tests set it themselves, whatever tier the others run on */
    return cmocka_run_group_tests(tests, NULL, NULL);
}

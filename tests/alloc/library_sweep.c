/*
 * library_sweep.c - fail each allocation of the library once, and see that it takes it well
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * usage: library_sweep [--quick]
 * For each scenario and each n until it succeeds: the n-th allocation fails, alone, and then with all after
 * it.  Every time the status has to be BL_ERR_MEMORY or, where the allocation was not needed, BL_OK; all blocks
 * have to come back with their sizes; no file may be left; and malloc may not have been called past the
 * allocator.  --quick tries every third n, alone.
 */
#define _DEFAULT_SOURCE /* mkdtemp */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios.h"

static long faults;

static void fault(const struct scenario *scenario, long n, const char *what,
                  const char *message)
{
    faults++;
    printf("FAILED %s, allocation %ld: %s%s\n", scenario->name, n, what, message);
}

static int count_files(void)
{
    DIR *folder = opendir(".");
    int count = 0;

    while (folder != NULL && readdir(folder) != NULL)
        count++;
    if (folder != NULL)
        closedir(folder);
    return count;
}

/* To start a thread the C library allocates; linked into the program, its calls look like ours. */
static bool counts_calls(const struct scenario *scenario)
{
#ifdef LINKED_STATICALLY
    return scenario->threads <= 1;
#else
    (void)scenario;
    return true;
#endif
}

/* False when no allocation failed: the sweep is at its end. */
static bool try_one(const struct scenario *scenario, long n, bool onward, long *optional)
{
    struct tracker tracker;
    bl_context_options with = BL_CONTEXT_DEFAULTS;
    const bl_allocator allocator = tracker_allocator(&tracker);
    const int files = count_files();
    bl_status status = BL_ERR_MEMORY;
    bl_error err = {BL_OK, ""};

    tracker_reset(&tracker, n, onward);
    with.allocator = &allocator;
    with.threads = scenario->threads;
    const long direct = direct_calls();
    bl_context *context = bl_context_new(&with, &err);

    if (context != NULL)
        status = scenario->use(context, &tracker, &err);
    const bool failed = tracker.failed > 0;

    if (context != NULL && status == BL_ERR_MEMORY) {
        tracker_relent(&tracker);
        const bl_status again = scenario->use(context, &tracker, &err);

        if (again != BL_OK)
            fault(scenario, n, "with memory again: ", err.message);
    } else if (context == NULL ? err.status != BL_ERR_MEMORY : status != BL_OK) {
        fault(scenario, n, "not BL_ERR_MEMORY: ", err.message);
    }
    bl_context_free(context);
    if (failed && status == BL_OK)
        ++*optional;
    if (!failed && status != BL_OK)
        fault(scenario, n, "failed with memory enough: ", err.message);
    if (tracker.blocks != 0 || tracker.bytes != 0 || tracker.wrong != 0)
        fault(scenario, n, "blocks were not given back, or with another size", "");
    if (direct_calls() != direct && counts_calls(scenario))
        fault(scenario, n, "malloc or free was called past the allocator", "");
    if (count_files() != files)
        fault(scenario, n, "a file was left", "");
    return failed;
}

static long sweep(const struct scenario *scenario, bool quick)
{
    long n = 0, optional = 0;

    while (try_one(scenario, n, false, &optional))
        n += quick ? 3 : 1;
    for (long m = 0; !quick && try_one(scenario, m, true, &optional);)
        m++;
    printf("%-44s %6ld allocations%s", scenario->name, n, optional > 0 ? ", " : "\n");
    if (optional > 0)
        printf("%ld times done without\n", optional);
    return n;
}

int main(int argc, char **argv)
{
    const bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    char folder[] = "/tmp/broadloom-alloc-XXXXXX";
    long points = 0;

    if (mkdtemp(folder) == NULL || chdir(folder) != 0 || scenarios_start() != 0) {
        fprintf(stderr, "library_sweep: cannot make files in %s\n", folder);
        return 2;
    }
    for (size_t i = 0; i < scenario_count; i++)
        points += sweep(&scenarios[i], quick);
    scenarios_end();
    if (chdir("/") != 0 || rmdir(folder) != 0) {
        printf("FAILED: %s is not empty\n", folder);
        faults++;
    }
    printf("library_sweep: %zu scenarios, %ld allocation points%s, %ld faults\n",
           scenario_count, points, quick ? " (every third tried)" : "", faults);
    return faults > 0;
}

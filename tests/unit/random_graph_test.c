/*
 * random_graph_test.c - random graphs: fused = node by node = the reference, bit for bit
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each round draws a graph (random_graph.h) and runs it fused and node by node, on one and on three
 * threads; the reference evaluates each node by itself.  The fuzz target `graph` does the same
 * with graphs that a fuzzer chooses.
 *
 * The environment variable BL_GRAPHS says how many rounds (10,000 by default).
 */
#include "contexts.h"

#include <stdio.h>

#include "random_graph.h"

static void run_round(int round)
{
    bl_context *const contexts[] = {context, three_threads};
    struct random_graph *graph =
        random_graph_draw(choices_of_seed((uint64_t)round * 977 + 3));
    char why[BL_ERROR_BYTES];

    assert_non_null(graph);
    if (graph->node_count > 0 && !random_graph_check(graph, contexts, 2, why))
        fail_msg("round %d: %s", round, why);
    random_graph_free(graph);
}

static void test_random_graphs(void **state)
{
    const char *given = getenv("BL_GRAPHS");
    const int rounds = given != NULL ? atoi(given) : 10000;

    (void)state;
    for (int round = 0; round < rounds; round++)
        run_round(round);
    printf("%d graphs: fused = node by node = reference\n", rounds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_graphs)};

    return cmocka_run_group_tests(tests, make_contexts, free_contexts);
}

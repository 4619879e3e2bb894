/*
 * graph_fuzz.c - fuzz target: plan and run, bytes -> valid graph -> fused = node by node = reference
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every byte is a choice of the generator that tests/unit/random_graph_test.c draws from too, so any bytes
 * are a graph that has to run.  On one thread, and some on three too, bits are compared.
 */
#include "fuzz/fuzz.h"
#include "random_graph.h"

/* Once: threads are slow to make. */
static bl_context *const *contexts(void)
{
    static struct fuzz_budget budget[2] = {{.most = SIZE_MAX}, {.most = SIZE_MAX}};
    static bl_context *made[2];

    if (made[0] == NULL) {
        made[0] = fuzz_context(&budget[0], 1);
        made[1] = fuzz_context(&budget[1], 3);
    }
    return made;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct random_graph *graph = random_graph_draw(choices_of_bytes(data, size));
    char why[BL_ERROR_BYTES];

    if (graph == NULL)
        return 0;
    /* Threads are slow beside so small graphs: every fourth. */
    if (graph->node_count > 0 &&
        !random_graph_check(graph, contexts(), size % 4 == 0 ? 2 : 1, why))
        fuzz_fail("%s", why);
    random_graph_free(graph);
    return 0;
}

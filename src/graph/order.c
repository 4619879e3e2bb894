/*
 * order.c - are the nodes in topological order?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/builder.h"

static const struct bl_graph_node *node_at(const struct bl_builder *builder, int32_t i)
{
    return (const struct bl_graph_node *)builder->nodes.things + i;
}

/* The nodes that a search has come to, each once, and those whose inputs it has yet to
 * follow. */
struct search {
    unsigned char *found; /* [nodes] */
    int32_t *pending;     /* [nodes] */
    size_t pending_count;
};

static void find(struct search *search, int32_t node)
{
    if (node < 0 || search->found[node])
        return;
    search->found[node] = 1;
    search->pending[search->pending_count++] = node;
}

/* True if node `from` takes, by way of whatever other nodes, what node `to` puts out. */
static bool depends_on(struct bl_builder *builder, int32_t from, int32_t to)
{
    const size_t count = builder->nodes.count;
    struct search search = {
        .found = bl_arena_alloc(&builder->scratch, count, 1),
        .pending = bl_arena_alloc(&builder->scratch, count, sizeof *search.pending)};

    /* Without memory the message is less precise, no more. */
    if (search.found == NULL || search.pending == NULL)
        return false;
    find(&search, from);
    while (search.pending_count > 0 && !search.found[to]) {
        const struct bl_graph_node *node =
            node_at(builder, search.pending[--search.pending_count]);

        for (size_t i = 0; i < node->input_count; i++)
            if (node->inputs[i] != BL_NO_VALUE)
                find(&search, bl_builder_value(builder, node->inputs[i])->producer);
    }
    return search.found[to];
}

/* Node `user` takes what it, or a later node, puts out. */
static bl_status too_early(struct bl_builder *builder, int32_t user,
                           const struct bl_graph_value *value, bl_error *err)
{
    const char *name = node_at(builder, user)->node.name;
    const char *producer = node_at(builder, value->producer)->node.name;

    if (value->producer == user)
        return bl_fail(err, BL_ERR_FORMAT, "node '%s' takes its own output '%s'", name,
                       value->info.name);
    if (depends_on(builder, value->producer, user))
        return bl_fail(err, BL_ERR_FORMAT,
                       "a cycle: node '%s' takes '%s' of node '%s', which depends on it",
                       name, value->info.name, producer);
    return bl_fail(err, BL_ERR_FORMAT,
                   "the nodes are not in topological order: node '%s' takes '%s', which "
                   "node '%s' puts out only after it",
                   name, value->info.name, producer);
}

bl_status bl_builder_check_order(struct bl_builder *builder, bl_error *err)
{
    for (int32_t n = 0; n < (int32_t)builder->nodes.count; n++) {
        const struct bl_graph_node *node = node_at(builder, n);

        for (size_t i = 0; i < node->input_count; i++) {
            if (node->inputs[i] == BL_NO_VALUE)
                continue;
            const struct bl_graph_value *value = bl_builder_value(builder, node->inputs[i]);

            if (value->producer == BL_PRODUCER_UNKNOWN)
                return bl_fail(err, BL_ERR_FORMAT,
                               "node '%s': nothing produces its input '%s'",
                               node->node.name, value->info.name);
            if (value->producer >= n)
                return too_early(builder, n, value, err);
        }
    }
    return BL_OK;
}

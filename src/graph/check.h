/*
 * check.h - a node against its operator's schema, as far as no types are needed
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_GRAPH_CHECK_H
#define BL_GRAPH_CHECK_H

#include "graph/build.h"

/* The operator version that a node means; NULL if there is none. */
const bl_op *bl_raw_node_op(const struct bl_raw_node *raw, const char *name, bl_error *err);

/* Check arity and attributes. */
bl_status bl_graph_node_check(const struct bl_graph_node *node, bl_error *err);

#endif

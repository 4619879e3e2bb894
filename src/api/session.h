/*
 * session.h - what a session holds
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_API_SESSION_H
#define BL_API_SESSION_H

#include "api/context.h"
#include "api/model.h"
#include "plan/plan.h"

/* Plans that a session keeps: as many sets of input shapes can take turns without planning anew. */
#define BL_SESSION_PLANS 16

/* A plan, and for which inputs it was made. */
struct bl_cached_plan {
    struct bl_plan *plan; /* NULL: these inputs are run node by node */
    int64_t *signature;   /* [words] */
    size_t words;
    uint64_t last_use;
    struct bl_exec_job
        *jobs; /* [the plan's steps], on a device only: what is ready to run */
};

struct bl_session {
    bl_context *context;
    const bl_model *model;
    bool no_fuse;
    const bl_tensor **constants; /* [values]: initializers, or NULL */
    struct bl_cached_plan plans[BL_SESSION_PLANS];
    uint64_t uses;
    int64_t *signature; /* of this run's inputs, [signature_room] */
    size_t signature_room;
    void *arena;
    size_t arena_bytes;
};

/* The graph of a session's model. */
const struct bl_graph *bl_session_graph(const bl_session *session);

/* Run node by node, each result a tensor of its own; outputs are new tensors.  (run_nodes.c) */
bl_status bl_session_run_nodes(bl_session *session, const bl_tensor *const *inputs,
                               bl_tensor **outputs, bl_error *err);

/*
 * Run by a plan, made now or before.  (run_plan.c)
 *
 * @param given    [graph's outputs]: the caller's tensors, or NULL; all are checked before any is
 *                 written to.
 * @param results  [the same]: set to the given tensor where the result was put there at once, else
 *                 to a new one.
 * BL_ERR_UNSUPPORTED: it has to be done node by node; then, and after any other failure, new
 * results are freed.
 */
bl_status bl_session_run_plan(bl_session *session, const bl_tensor *const *inputs,
                              bl_tensor *const *given, bl_tensor **results, bl_error *err);

/* Check that the tensor given for output k, which may be NULL, can take a result of that layout. */
bl_status bl_session_check_given(const bl_session *session, size_t k,
                                 const bl_tensor *given, const bl_tensor *layout,
                                 bl_error *err);

/* Free the plans and the memory they use. */
void bl_session_free_plans(bl_session *session);

#endif

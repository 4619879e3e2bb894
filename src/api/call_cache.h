/*
 * call_cache.h - calls of bl_apply that were made before, ready to run again
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * To check and to plan an Add of 64 elements takes ten times as long as to add them.  A context
 * keeps what was found out for pointwise calls: the key is all that it depends on, which is the
 * operator version, the attributes, and each tensor's type, shape and strides.
 */
#ifndef BL_API_CALL_CACHE_H
#define BL_API_CALL_CACHE_H

#include "exec/exec.h"
#include "ops/node.h"
#include "plan/lower.h"

/* Words of a key: enough for three tensors of nine axes.  A call that takes more is not kept. */
#define BL_CALL_WORDS 64
#define BL_CALL_INPUTS 16
/* Calls that a context keeps; a new one takes the place of the one with the same hash. */
#define BL_CALLS 64

struct bl_call_key {
    uint64_t word[BL_CALL_WORDS];
    size_t count;
};

struct bl_cached_call {
    struct bl_call_key key;
    bl_tensor_type output;
    int64_t work; /* see max_work */
    struct bl_params params;
    struct bl_lowered lowered;
    struct bl_exec_job job;
    int32_t
        operand_value[BL_CALL_INPUTS + 1]; /* of each operand: the input, or their number */
    /* Where the elements of the inputs and then of the output lie: bytes from their data on. */
    ptrdiff_t first[BL_CALL_INPUTS + 1], end[BL_CALL_INPUTS + 1];
};

struct bl_call_cache {
    struct bl_cached_call *calls[BL_CALLS];
};

/* Write the key of a call; false if it is one that is not kept.  The node is one of ours; an
 * output of NULL stands for a new tensor. */
bool bl_call_key_make(struct bl_call_key *key, const bl_node *node,
                      const bl_tensor *const *inputs, size_t input_count,
                      const bl_tensor *output);

/* The call with that key, or NULL. */
struct bl_cached_call *bl_call_cache_find(const struct bl_call_cache *cache,
                                          const struct bl_call_key *key);

/* Keep a call that came from the allocator. */
void bl_call_cache_keep(struct bl_call_cache *cache, const bl_allocator *allocator,
                        struct bl_cached_call *call);

/* Note where the tensors' elements lie. */
void bl_cached_call_measure(struct bl_cached_call *call, const bl_tensor *const *inputs,
                            size_t input_count, const bl_tensor *output);

/* True if an input shares memory with the output.  The tensors have the call's key. */
bool bl_cached_call_overlaps(const struct bl_cached_call *call,
                             const bl_tensor *const *inputs, size_t input_count,
                             const bl_tensor *output);

/* Point the call's operands at these tensors. */
void bl_cached_call_bind(struct bl_cached_call *call, const bl_tensor *const *inputs,
                         size_t input_count, const bl_tensor *output);

void bl_cached_call_free(struct bl_cached_call *call, const bl_allocator *allocator);
void bl_call_cache_clear(struct bl_call_cache *cache, const bl_allocator *allocator);

#endif

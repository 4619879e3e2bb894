/*
 * call_cache.c - calls of bl_apply that were made before, ready to run again
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api/call_cache.h"

#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "tensor/tensor.h"

/* ---- Keys ------------------------------------------------------------------------------------ */

/* Add `count` words, few; false if there is no room. */
static bool put(struct bl_call_key *key, const void *words, size_t count)
{
    if (count > BL_CALL_WORDS - key->count)
        return false;
    for (size_t i = 0; i < count; i++)
        memcpy(&key->word[key->count + i], (const uint64_t *)words + i, sizeof *key->word);
    key->count += count;
    return true;
}

static bool put_word(struct bl_call_key *key, uint64_t word)
{
    if (key->count == BL_CALL_WORDS)
        return false;
    key->word[key->count++] = word;
    return true;
}

/* Add a text of up to 24 bytes; false if it is longer. */
static bool put_text(struct bl_call_key *key, const char *text, size_t bytes)
{
    uint64_t words[4] = {bytes, 0, 0, 0};

    if (bytes > 3 * sizeof *words || (text == NULL && bytes > 0))
        return false;
    if (bytes > 0)
        memcpy(words + 1, text, bytes);
    return put(key, words, BL_COUNT_OF(words));
}

static bool put_attribute(struct bl_call_key *key, const bl_attribute *attribute)
{
    uint32_t bits = 0;

    if (attribute->name == NULL ||
        !put_text(key, attribute->name, strlen(attribute->name)) ||
        !put_word(key, attribute->type))
        return false;
    switch (attribute->type) {
    case BL_ATTRIBUTE_INT:
        return put_word(key, (uint64_t)attribute->value.i);
    case BL_ATTRIBUTE_FLOAT:
        memcpy(&bits, &attribute->value.f, sizeof bits);
        return put_word(key, bits);
    case BL_ATTRIBUTE_STRING:
        return put_text(key, attribute->value.s.data, attribute->value.s.size);
    default:
        return false;
    }
}

/* Row-major strides follow from the shape, and are not written out. */
static bool put_input(struct bl_call_key *key, const bl_tensor *input)
{
    const bool dense = bl_tensor_is_row_major(input);
    const size_t rank = (size_t)input->shape.rank;

    /* A device's tensor is one that the context can use, or the call is not found. */
    return input->dtype != BL_STRING && input->mapped == NULL &&
           put_word(key, (uint64_t)input->dtype << 32 | (uint64_t)rank << 8 |
                             (uint64_t)(input->device != NULL) << 2 |
                             (uint64_t)bl_tensor_is_aligned(input) << 1 | dense) &&
           put(key, input->shape.dim, rank) && (dense || put(key, input->stride, rank));
}

bool bl_call_key_make(struct bl_call_key *key, const bl_node *node,
                      const bl_tensor *const *inputs, size_t input_count,
                      const bl_tensor *output)
{
    const bool dense = output == NULL || bl_tensor_is_row_major(output);

    key->count = 0;
    if (input_count > BL_CALL_INPUTS ||
        (node->attribute_count > 0 && node->attributes == NULL) ||
        !bl_form_is_pointwise(bl_schema_of(node->op)->form) ||
        !put_word(key, (uintptr_t)node->op) || !put_word(key, input_count << 1 | dense) ||
        !put_word(key, node->attribute_count))
        return false;
    for (size_t i = 0; i < node->attribute_count; i++)
        if (!put_attribute(key, &node->attributes[i]))
            return false;
    for (size_t i = 0; i < input_count; i++)
        if (inputs[i] != NULL ? !put_input(key, inputs[i]) : !put_word(key, 0))
            return false;
    return dense || put(key, output->stride, (size_t)output->shape.rank);
}

/* ---- The cache ------------------------------------------------------------------------------- */

/* Where a call with that key is, if it is kept.  Multiplied by an odd number, all bits of a word
 * reach the upper ones. */
static size_t place_of(const struct bl_call_key *key)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < key->count; i++)
        hash = (hash ^ key->word[i]) * UINT64_C(0x9E3779B97F4A7C15) ^ hash >> 29;
    return (size_t)(hash >> 40) % BL_CALLS;
}

struct bl_cached_call *bl_call_cache_find(const struct bl_call_cache *cache,
                                          const struct bl_call_key *key)
{
    struct bl_cached_call *call = cache->calls[place_of(key)];

    if (call == NULL || call->key.count != key->count ||
        memcmp(call->key.word, key->word, key->count * sizeof *key->word) != 0)
        return NULL;
    return call;
}

void bl_call_cache_keep(struct bl_call_cache *cache, const bl_allocator *allocator,
                        struct bl_cached_call *call)
{
    struct bl_cached_call **place = &cache->calls[place_of(&call->key)];

    bl_cached_call_free(*place, allocator);
    *place = call;
}

static void measure(const bl_tensor *tensor, ptrdiff_t *first, ptrdiff_t *end)
{
    uintptr_t from, to;

    bl_tensor_extent(tensor, &from, &to);
    *first = (ptrdiff_t)(from - (uintptr_t)tensor->data);
    *end = (ptrdiff_t)(to - (uintptr_t)tensor->data);
}

void bl_cached_call_measure(struct bl_cached_call *call, const bl_tensor *const *inputs,
                            size_t input_count, const bl_tensor *output)
{
    for (size_t i = 0; i < input_count; i++)
        if (inputs[i] != NULL)
            measure(inputs[i], &call->first[i], &call->end[i]);
    measure(output, &call->first[input_count], &call->end[input_count]);
}

bool bl_cached_call_overlaps(const struct bl_cached_call *call,
                             const bl_tensor *const *inputs, size_t input_count,
                             const bl_tensor *output)
{
    const uintptr_t first = (uintptr_t)output->data + (uintptr_t)call->first[input_count];
    const uintptr_t end = (uintptr_t)output->data + (uintptr_t)call->end[input_count];

    for (size_t i = 0; i < input_count; i++) {
        if (inputs[i] == NULL)
            continue;
        const uintptr_t data = (uintptr_t)inputs[i]->data;

        if (data + (uintptr_t)call->first[i] < end &&
            first < data + (uintptr_t)call->end[i])
            return true;
    }
    return false;
}

void bl_cached_call_bind(struct bl_cached_call *call, const bl_tensor *const *inputs,
                         size_t input_count, const bl_tensor *output)
{
    struct bl_pointwise *step = &call->lowered.step.as.pointwise;

    for (size_t o = 0; o < step->operand_count; o++) {
        const size_t value = (size_t)call->operand_value[o];

        step->operand[o].data = value < input_count ? inputs[value]->data : output->data;
    }
}

void bl_cached_call_free(struct bl_cached_call *call, const bl_allocator *allocator)
{
    if (call == NULL)
        return;
    bl_lowered_free(&call->lowered);
    bl_mem_free(allocator, call, sizeof *call);
}

void bl_call_cache_clear(struct bl_call_cache *cache, const bl_allocator *allocator)
{
    for (size_t i = 0; i < BL_CALLS; i++) {
        bl_cached_call_free(cache->calls[i], allocator);
        cache->calls[i] = NULL;
    }
}

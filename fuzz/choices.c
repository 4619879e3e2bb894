/*
 * choices.c - choices that bytes make, or a seed
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz/choices.h"

#include "operands.h"

struct choices choices_of_bytes(const uint8_t *bytes, size_t size)
{
    return (struct choices){.bytes = size > 0 ? bytes : (const uint8_t *)"", .left = size};
}

struct choices choices_of_seed(uint64_t seed)
{
    return (struct choices){.seed = seed};
}

static uint64_t next_bytes(struct choices *choices, int count)
{
    uint64_t value = 0;

    for (; count > 0 && choices->left > 0; count--, choices->left--)
        value = value << 8 | *choices->bytes++;
    return value;
}

int64_t choose(struct choices *choices, int64_t end)
{
    /* As few bytes as the choices need, so that most are made by one. */
    const uint64_t value = choices->bytes == NULL ? next_random(&choices->seed)
                                                  : next_bytes(choices, end <= 256 ? 1 : 8);

    return (int64_t)(value % (uint64_t)end);
}

uint64_t choose_seed(struct choices *choices)
{
    return choices->bytes == NULL ? next_random(&choices->seed) : next_bytes(choices, 2);
}

bool choices_at_end(const struct choices *choices)
{
    return choices->bytes != NULL && choices->left == 0;
}

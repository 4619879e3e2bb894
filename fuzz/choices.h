/*
 * choices.h - choices that bytes make, or a seed
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A generator of random things asks here for each of its choices.  From a seed it makes something
 * large and different each time; from bytes it makes what a fuzzer wants: a changed byte
 * changes a choice, a byte that is cut away is the first choice, 0.
 */
#ifndef BL_FUZZ_CHOICES_H
#define BL_FUZZ_CHOICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct choices {
    const uint8_t *bytes; /* NULL: from the seed */
    size_t left;
    uint64_t seed;
};

struct choices choices_of_bytes(const uint8_t *bytes, size_t size);
struct choices choices_of_seed(uint64_t seed);

/* A number from 0 to end - 1; 0 where the bytes have come to their end.  end > 0. */
int64_t choose(struct choices *choices, int64_t end);

/* True where the bytes have come to their end; never for a seed. */
bool choices_at_end(const struct choices *choices);

/* A seed for next_random (operands.h), for what is not worth a choice each: elements. */
uint64_t choose_seed(struct choices *choices);

#endif

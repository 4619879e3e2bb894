/*
 * suggest.c - near names by edit distance
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/suggest.h"

#include <ctype.h>
#include <string.h>

/* Longer words are nobody's typing error. */
#define LONGEST 40

static unsigned least(unsigned a, unsigned b, unsigned c)
{
    const unsigned ab = a < b ? a : b;

    return ab < c ? ab : c;
}

static int same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Levenshtein's distance, letters' case aside; one row of the table is kept. */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
    unsigned row[LONGEST + 1];

    for (size_t j = 0; j <= nb; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= na; i++) {
        unsigned diagonal = row[0];

        row[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            const unsigned above = row[j];

            row[j] = least(above + 1, row[j - 1] + 1, diagonal + !same(a[i - 1], b[j - 1]));
            diagonal = above;
        }
    }
    return row[nb];
}

void bl_suggest(struct bl_suggestion *suggestion, const char *name)
{
    const size_t na = strlen(suggestion->wrong);
    const size_t nb = strlen(name);

    if (na == 0 || na > LONGEST || nb > LONGEST)
        return;
    const unsigned found = distance(suggestion->wrong, na, name, nb);

    /* One error in three letters is a slip; more is another word. */
    if (found > (na + 2) / 3 || found >= nb)
        return;
    if (suggestion->best == NULL || found < suggestion->distance) {
        suggestion->best = name;
        suggestion->distance = found;
    }
}

/*
 * suggest.h - the known name that a wrong one was probably meant to be
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_SUGGEST_H
#define BL_CLI_SUGGEST_H

/* The best name so far; start from {wrong}. */
struct bl_suggestion {
    const char *wrong;
    const char *best; /* NULL while no name is near enough */
    unsigned distance;
};

/* Offer a known name. */
void bl_suggest(struct bl_suggestion *suggestion, const char *name);

#endif

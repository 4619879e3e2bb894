/*
 * text.h - build a line of text in a fixed buffer
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_BASE_TEXT_H
#define BL_BASE_TEXT_H

#include <stddef.h>

#include "base/compiler.h"

/* Text that grows up to `size - 1` bytes and is always terminated; what is too much is
 * dropped. */
struct bl_text {
    char *at;
    size_t size;
    size_t length;
};

struct bl_text bl_text_in(char *buffer, size_t size);

void bl_text_put(struct bl_text *text, const char *format, ...) BL_PRINTF(2, 3);

#endif

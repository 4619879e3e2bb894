/*
 * base64.h - bytes that a JSON text holds as base64 (RFC 4648, with padding)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_BASE64_H
#define BL_CONFORM_BASE64_H

#include <stddef.h>

#include "broadloom/broadloom.h"

/* Decode `length` characters into *bytes (to be freed with free, never NULL) and *size.
 * BL_ERR_FORMAT for text that is no base64: a wrong character, missing padding, bits that
 * belong to no byte. */
bl_status bl_base64_decode(const char *text, size_t length, unsigned char **bytes,
                           size_t *size, bl_error *err);

#endif

/*
 * info_devices.h - the GPUs, as `broadloom info` shows them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_INFO_DEVICES_H
#define BL_CLI_INFO_DEVICES_H

#include <jansson.h>

/* Lines of the pretty form: each device and what it cannot do, or why there is none; to be freed.  NULL
 * without memory.  Drivers are loaded, which may do anything: call it before the first output. */
char *bl_devices_text(void);

/* {"devices": [...], "no_devices": "why"}'s parts: a new array, and a text that is "" if there are
 * any. */
json_t *bl_devices_json(char *why, size_t size);

#endif

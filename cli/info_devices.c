/*
 * info_devices.c - the GPUs, as `broadloom info` shows them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/info_devices.h"

#include <stdio.h>
#include <stdlib.h>

#include "broadloom/broadloom.h"

#define LINE_BYTES 2048

/* A context on the device, to ask what it cannot do; NULL, with the reason, where it cannot be
 * opened. */
static bl_context *open_device(const bl_device_info *info, bl_error *err)
{
    bl_context_options with = BL_CONTEXT_DEFAULTS;

    with.backend = info->backend;
    return bl_context_new(&with, err);
}

static void print_device(FILE *out, const bl_device_info *info)
{
    char line[LINE_BYTES];
    bl_error err = {.message = ""};

    fprintf(out, "device     %s: %s (%s), Vulkan %s\n", info->backend, info->name,
            info->kind, info->version);
    if (info->unfit != NULL) {
        fprintf(out, "           cannot be used: %s\n", info->unfit);
        return;
    }
    fprintf(
        out, "           driver %s; %.1f GiB, of which a tensor can surely have %.1f; %s\n",
        info->driver, (double)info->memory * 0x1p-30, (double)info->allocation * 0x1p-30,
        info->clock ? "has a clock" : "has no clock");
    bl_context *context = open_device(info, &err);

    if (context == NULL)
        fprintf(out, "           cannot be used: %s\n", err.message);
    for (size_t i = 0; bl_context_lacks(context, i, line, sizeof line); i++)
        fprintf(out, "           cannot do %s\n", line);
    bl_context_free(context);
}

char *bl_devices_text(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bl_device_info info;
    bl_error err;
    size_t i = 0;

    if (out == NULL)
        return NULL;
    for (; bl_device(i, &info, &err) == BL_OK; i++)
        print_device(out, &info);
    if (i == 0)
        fprintf(out, "devices    none: %s\n",
                err.status == BL_ERR_ARGUMENT ? "Vulkan's loader finds no device"
                                              : err.message);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static json_t *device_json(const bl_device_info *info)
{
    json_t *lacks = json_array();
    char line[LINE_BYTES];
    bl_error err = {.message = ""};
    bl_context *context = info->unfit == NULL ? open_device(info, &err) : NULL;
    const char *unfit = info->unfit != NULL ? info->unfit : err.message;

    for (size_t i = 0; bl_context_lacks(context, i, line, sizeof line); i++)
        json_array_append_new(lacks, json_string(line));
    const int usable = context != NULL;

    bl_context_free(context);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:b, s:b, s:s, s:o}", "backend",
                     info->backend, "name", info->name, "kind", info->kind, "driver",
                     info->driver, "vulkan", info->version, "memory",
                     (json_int_t)info->memory, "allocation", (json_int_t)info->allocation,
                     "clock", info->clock, "usable", usable, "unfit", unfit, "lacks",
                     lacks);
}

json_t *bl_devices_json(char *why, size_t size)
{
    json_t *devices = json_array();
    bl_device_info info;
    bl_error err;
    size_t i = 0;

    for (; bl_device(i, &info, &err) == BL_OK; i++)
        json_array_append_new(devices, device_json(&info));
    snprintf(why, size, "%s", i > 0 ? "" : err.message);
    return devices;
}

/*
 * backend.c - what a case can be run on
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform/backend.h"

#include <string.h>

#include "base/compiler.h"
#include "conform/reference.h"

static bl_status reference_apply(bl_context *context, const bl_node *node,
                                 const bl_tensor *const *inputs, size_t input_count,
                                 bl_tensor **outputs, size_t output_count, bl_error *err)
{
    (void)context;
    return bl_reference_apply(node, inputs, input_count, outputs, output_count, err);
}

static const struct bl_conform_backend backends[] = {
    {"cpu", bl_apply, true, false},
    {"reference", reference_apply, false, false},
    {"vulkan", bl_apply, true, true},
};

const struct bl_conform_backend *bl_conform_backend_at(size_t i)
{
    return i < BL_COUNT_OF(backends) ? &backends[i] : NULL;
}

const struct bl_conform_backend *bl_conform_backend_find(const char *name)
{
    const size_t length = strcspn(name, ":");

    for (size_t i = 0; i < BL_COUNT_OF(backends); i++)
        if (strlen(backends[i].name) == length &&
            strncmp(backends[i].name, name, length) == 0 &&
            (name[length] == '\0' || backends[i].is_device))
            return &backends[i];
    return NULL;
}

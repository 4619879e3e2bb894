/*
 * shader.c - the shader of a step, whatever its kind
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/vulkan/shader.h"

#include <string.h>

#include "backends/vulkan/matmul.h"
#include "backends/vulkan/pointwise.h"
#include "base/status.h"

static bool is_matmul(const struct bl_step *step)
{
    return step->kind == BL_STEP_MATMUL;
}

const char *bl_shader_refusal(const struct bl_step *step,
                              const struct bl_shader_features *features)
{
    if (is_matmul(step))
        return bl_matmul_refusal(&step->as.matmul, features);
    return bl_pointwise_refusal(&step->as.pointwise, features);
}

bl_status bl_shader_print(const struct bl_step *step,
                          const struct bl_shader_features *features, struct bl_text *glsl,
                          bl_error *err)
{
    const char *refusal = bl_shader_refusal(step, features);

    if (refusal != NULL)
        return bl_fail(err, BL_ERR_UNSUPPORTED, "the GPU cannot compute %s", refusal);
    if (is_matmul(step))
        bl_print_matmul(&step->as.matmul, features, glsl);
    else
        bl_print_pointwise(&step->as.pointwise, features, glsl);
    if (glsl->length + 1 >= glsl->size)
        return bl_fail(err, BL_ERR_LIMIT, "no room for a shader's text in %zu bytes",
                       glsl->size);
    return BL_OK;
}

size_t bl_shader_argument_bytes(const struct bl_step *step)
{
    if (is_matmul(step))
        return bl_matmul_argument_bytes(&step->as.matmul);
    return bl_pointwise_argument_bytes(&step->as.pointwise);
}

void bl_shader_arguments(const struct bl_step *step,
                         const struct bl_shader_features *features,
                         const uint64_t *addresses, uint64_t failed_address, void *out)
{
    if (is_matmul(step))
        bl_matmul_arguments(&step->as.matmul, addresses, out);
    else
        bl_pointwise_arguments(&step->as.pointwise, features, addresses, failed_address,
                               out);
}

struct bl_shader_groups bl_shader_groups(const struct bl_step *step,
                                         const struct bl_shader_features *features)
{
    if (is_matmul(step))
        return bl_matmul_groups(&step->as.matmul, features);
    return bl_pointwise_groups(&step->as.pointwise, features);
}

/* See failure.glsl. */
int64_t bl_shader_failed(const void *eight_bytes)
{
    uint32_t words[2];

    memcpy(words, eight_bytes, sizeof words);
    if (words[1] == UINT32_MAX)
        return words[0] == UINT32_MAX ? -1 : (int64_t)words[0];
    return (int64_t)((uint64_t)words[1] << 32 | words[0]);
}

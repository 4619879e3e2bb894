/*
 * module.c - the shader compiler, glslang, as a module that is opened where it is needed
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/vulkan/glslang/module.h"

#include <glslang/Include/glslang_c_interface.h>
#include <glslang/Public/resource_limits_c.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Nothing optimises here: drivers do, and what folds floats before them could change a bit. */
static int generate(glslang_program_t *program, bl_glslang_take *take, void *user)
{
    glslang_spv_options_t options = {.disable_optimizer = true};

    glslang_program_SPIRV_generate_with_options(program, GLSLANG_STAGE_COMPUTE, &options);
    const size_t bytes = glslang_program_SPIRV_get_size(program) * sizeof(uint32_t);
    void *words = take(user, bytes);

    if (words == NULL)
        return 2;
    memcpy(words, glslang_program_SPIRV_get_ptr(program), bytes);
    return 0;
}

#define EXPORT __attribute__((visibility("default")))

EXPORT bl_glslang_start_function bl_glslang_start;
EXPORT bl_glslang_compile_function bl_glslang_compile;
EXPORT bl_glslang_end_function bl_glslang_end;

int bl_glslang_start(void)
{
    return glslang_initialize_process();
}

void bl_glslang_end(void)
{
    glslang_finalize_process();
}

int bl_glslang_compile(const char *text, bl_glslang_take *take, void *user, char *message,
                       size_t size)
{
    const glslang_input_t input = {
        .language = GLSLANG_SOURCE_GLSL,
        .stage = GLSLANG_STAGE_COMPUTE,
        .client = GLSLANG_CLIENT_VULKAN,
        .client_version = GLSLANG_TARGET_VULKAN_1_2,
        .target_language = GLSLANG_TARGET_SPV,
        .target_language_version = GLSLANG_TARGET_SPV_1_5,
        .code = text,
        .default_version = 460,
        .default_profile = GLSLANG_NO_PROFILE,
        .messages = GLSLANG_MSG_SPV_RULES_BIT | GLSLANG_MSG_VULKAN_RULES_BIT,
        .resource = glslang_default_resource(),
    };
    int outcome = 1;

    glslang_shader_t *shader = glslang_shader_create(&input);
    glslang_program_t *program = glslang_program_create();

    if (shader == NULL || program == NULL) {
        outcome = 2;
    } else if (!glslang_shader_preprocess(shader, &input) ||
               !glslang_shader_parse(shader, &input)) {
        snprintf(message, size, "%s", glslang_shader_get_info_log(shader));
    } else {
        glslang_program_add_shader(program, shader);
        if (glslang_program_link(program, (int)input.messages))
            outcome = generate(program, take, user);
        else
            snprintf(message, size, "%s", glslang_program_get_info_log(program));
    }
    if (program != NULL)
        glslang_program_delete(program);
    if (shader != NULL)
        glslang_shader_delete(shader);
    return outcome;
}

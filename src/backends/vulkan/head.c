/*
 * head.c - what every shader begins with
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/vulkan/print.h"

/* Invocations that a group has at most: more do not help a shader without shared memory. */
#define GROUP_SIZE 256

unsigned bl_group_size(const struct bl_shader_features *features)
{
    return features->max_invocations < GROUP_SIZE ? features->max_invocations : GROUP_SIZE;
}

/* An execution mode of SPV_KHR_float_controls, for floats of 32 bits. */
static void put_mode(struct bl_text *glsl, bool wanted, unsigned capability, unsigned mode)
{
    if (wanted)
        bl_text_put(glsl,
                    "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], "
                    "capabilities = [%u], %u, 32);\n",
                    capability, mode);
}

static void put_macro(struct bl_text *glsl, bool wanted, const char *name)
{
    if (wanted)
        bl_text_put(glsl, "#define %s\n", name);
}

/* no_bits is for small.glsl; main sets it where a half goes on in registers. */
void bl_print_head(const struct bl_shader_features *features, bool wide, unsigned group,
                   struct bl_text *glsl)
{
    bl_text_put(glsl, "#version 460\n"
                      "#extension GL_EXT_buffer_reference : require\n"
                      "#extension GL_EXT_buffer_reference_uvec2 : require\n"
                      "#extension GL_EXT_control_flow_attributes : require\n"
                      "#extension GL_EXT_spirv_intrinsics : require\n");
    if (features->store8)
        bl_text_put(glsl, "#extension GL_EXT_shader_8bit_storage : require\n");
    if (features->store16)
        bl_text_put(glsl, "#extension GL_EXT_shader_16bit_storage : require\n");
    if (features->i64)
        bl_text_put(glsl,
                    "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n");
    if (wide && features->atomic64)
        bl_text_put(glsl, "#extension GL_EXT_shader_atomic_int64 : require\n");
    put_mode(glsl, features->declares_denorm_preserve, 4464, 4459);
    put_mode(glsl, features->declares_nan_preserve, 4466, 4461);
    put_mode(glsl, features->round_to_even, 4467, 4462);
    put_macro(glsl, features->store8, "HAS_STORE_8");
    put_macro(glsl, features->store16, "HAS_STORE_16");
    put_macro(glsl, features->i64, "HAS_I64");
    put_macro(glsl, features->f64, "HAS_F64");
    put_macro(glsl, features->fuses, "FUSES");
    put_macro(glsl, features->packs_halves, "PACKS_HALVES");
    put_macro(glsl, !features->keeps_subnormals, "SOFT_F32");
    put_macro(glsl, wide, "WIDE");
    bl_text_put(glsl, "#define INDEX %s\n#define AT(pair) %s\n", wide ? "uint64_t" : "uint",
                wide ? "packUint2x32(pair)" : "(pair).x");
    bl_text_put(glsl, "layout(local_size_x = %u) in;\nuint no_bits = 0;\n", group);
}

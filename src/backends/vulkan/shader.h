/*
 * shader.h - steps as shader text: what a device is asked to compute, and with what
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Text and numbers only: nothing here knows Vulkan's functions.  The text is GLSL 4.60 for Vulkan
 * 1.2, with the entry point main.  It depends on a step's class (the program, the types, the rank,
 * how each operand lies, whether indices need 64 bits), not on sizes and addresses: equal texts do
 * the same, so the text can be a key.
 *
 * Every shader has one push constant, the 64-bit device address of its argument block, which holds
 * sizes, strides and the operands' addresses.
 */
#ifndef BL_BACKENDS_VULKAN_SHADER_H
#define BL_BACKENDS_VULKAN_SHADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "plan/step.h"

/* What a device can do, as its properties and the probe below tell. */
struct bl_shader_features {
    bool f16, f64, i8, i16, i64;   /* arithmetic: shaderFloat16, ... */
    bool store8, store16;          /* storageBuffer8BitAccess, storageBuffer16BitAccess */
    bool atomic64;                 /* shaderBufferInt64Atomics */
    bool keeps_subnormals;         /* of float32; by the probe */
    bool declares_denorm_preserve; /* the property is set for 32 bits */
    bool declares_nan_preserve;    /* shaderSignedZeroInfNanPreserveFloat32 */
    bool round_to_even;            /* shaderRoundingModeRTEFloat32 */
    bool fuses;                    /* fma() of float32 rounds once; by the probe */
    bool packs_halves; /* (un)packHalf2x16 are exact, ties to even; by the probe */
    bool wide_indices; /* take indices of 64 bits for any size, as tests do; needs i64 */
    unsigned max_invocations; /* maxComputeWorkGroupInvocations */
    unsigned group_limit;     /* maxComputeWorkGroupCount[0] */
    unsigned subgroup;
};

/* NULL: the device can run the step.  Otherwise why not ("float64 arithmetic, which this device has
 * not"). */
const char *bl_shader_refusal(const struct bl_step *step,
                              const struct bl_shader_features *features);

/* Append the text.  BL_ERR_LIMIT where `glsl` is too small: try again with more room; and
 * BL_ERR_UNSUPPORTED for a step with a refusal. */
bl_status bl_shader_print(const struct bl_step *step,
                          const struct bl_shader_features *features, struct bl_text *glsl,
                          bl_error *err);

/* The argument block: its size, a multiple of 16, and its content.
 *
 * @param addresses       of the operands (pointwise), or of a, b, c and y, at index 0 on every axis
 *                        and aligned to the element's size.  A program's operands of no memory may
 *                        have the address 0.
 * @param failed_address  of 8 bytes, aligned to 8, which the host has set to all ones.
 * @param out             [bl_shader_argument_bytes], aligned to 8; on the device to 16.
 */
size_t bl_shader_argument_bytes(const struct bl_step *step);
void bl_shader_arguments(const struct bl_step *step,
                         const struct bl_shader_features *features,
                         const uint64_t *addresses, uint64_t failed_address, void *out);

/* How many workgroups to dispatch; 0 of an empty step. */
struct bl_shader_groups {
    uint32_t x, y, z;
};

struct bl_shader_groups bl_shader_groups(const struct bl_step *step,
                                         const struct bl_shader_features *features);

/* What a step left in the 8 bytes: the first element without a result, in row-major order; -1:
 * none. */
int64_t bl_shader_failed(const void *eight_bytes);

/* ---- The probe --------------------------------------------------------------------------------- */

/*
 * A shader for one workgroup that tries what no property tells.  Its argument block, filled by
 * bl_shader_probe_fill, is written by the shader; bl_shader_probe_read sets the features that are
 * found "by the probe".
 */
bl_status bl_shader_print_probe(const struct bl_shader_features *features,
                                struct bl_text *glsl, bl_error *err);
size_t bl_shader_probe_bytes(void);
void bl_shader_probe_fill(void *block);
void bl_shader_probe_read(const void *block, struct bl_shader_features *features);

#endif

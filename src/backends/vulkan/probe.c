/*
 * probe.c - find out by a shader what no property of a device tells
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The operands come from memory, so that no compiler computes in the device's place.
 */
#include <string.h>

#include "backends/vulkan/print.h"
#include "base/half.h"
#include "base/status.h"

/* Halves that are tried: all of them. */
#define HALVES 65536

/* The same as Probe in the text. */
struct probe {
    uint32_t operand[8];
    uint32_t result[8];
    uint32_t from_float[HALVES]; /* a number; what packHalf2x16 made of it */
    uint32_t to_float[HALVES];   /* a half; what unpackHalf2x16 made of it */
    uint32_t both[HALVES]; /* a number; what is left when both are in one expression */
    uint32_t no_bits;      /* 0 */
};

static const char text[] =
    "layout(buffer_reference, std430, buffer_reference_align = 16) buffer Probe {\n"
    "float operand[8];\nfloat result[8];\nuint from_float[65536];\nuint to_float[65536];\n"
    "uint both[65536];\nuint no_bits;\n"
    "};\n"
    "layout(push_constant) uniform Push { Probe probe; };\n"
    "void main()\n{\nno_bits = probe.no_bits;\n"
    "if (gl_LocalInvocationID.x == 0) {\n"
    "precise float sum = probe.operand[0] + probe.operand[1];\n"
    "precise float product = probe.operand[2] * probe.operand[3];\n"
    "precise float fused = fma(probe.operand[4], probe.operand[5], probe.operand[6]);\n"
    "precise float difference = probe.operand[2] - probe.operand[7];\n"
    "probe.result[0] = sum;\nprobe.result[1] = product;\nprobe.result[2] = fused;\n"
    "probe.result[3] = difference;\n"
    "}\n"
    "for (uint i = gl_LocalInvocationID.x; i < 65536; i += gl_WorkGroupSize.x) {\n"
    "probe.from_float[i] = f16_narrow(probe.from_float[i]);\n"
    "probe.to_float[i] = f16_widen(probe.to_float[i]);\n"
    "probe.both[i] = f16_widen(f16_narrow(probe.both[i]));\n"
    "}\n}\n";

bl_status bl_shader_print_probe(const struct bl_shader_features *features,
                                struct bl_text *glsl, bl_error *err)
{
    struct bl_shader_features tried = *features;

    tried.packs_halves = true;
    bl_print_head(&tried, false, bl_group_size(features), glsl);
    bl_library_put(glsl, BL_NEEDS(SMALL));
    bl_text_put(glsl, "%s", text);
    if (glsl->length + 1 >= glsl->size)
        return bl_fail(err, BL_ERR_LIMIT, "no room for the probe's text in %zu bytes",
                       glsl->size);
    return BL_OK;
}

size_t bl_shader_probe_bytes(void)
{
    return sizeof(struct probe);
}

/*
 * Operands: two subnormals, whose sum is one; two numbers whose product is one; numbers whose
 * product and sum rounded twice are 0; and one that is 2^-149 from the third.
 */
static const uint32_t operands[8] = {0x00000003, 0x00400000, 0x00800001, 0x3F000000,
                                     0x3F800001, 0x3F800001, 0xBF800002, 0x00800000};
static const uint32_t results[4] = {0x00400003, 0x00400000, 0x28800000, 0x00000001};

/* The i-th number to make a half of: in each binade around theirs, those next to the middle of two
 * halves and others. */
static uint32_t number(uint32_t i)
{
    const uint32_t exponent = 100 + (i >> 4) % 45;
    const uint32_t fraction = (i * 2654435761u) >> 9;
    const uint32_t ends[4] = {0x1000, 0x0FFF, 0x1001, fraction & 0x1FFF};

    return (i & 8) << 28 | exponent << 23 | (fraction & 0x7FE000) | ends[i & 3];
}

void bl_shader_probe_fill(void *block)
{
    struct probe *probe = block;

    memset(probe, 0, sizeof *probe);
    memcpy(probe->operand, operands, sizeof operands);
    for (uint32_t i = 0; i < HALVES; i++) {
        probe->from_float[i] = number(i);
        probe->to_float[i] = i;
        probe->both[i] = number(i);
    }
}

static bool packs_halves(const struct probe *probe)
{
    for (uint32_t i = 0; i < HALVES; i++) {
        const bool nan = (i & 0x7FFF) > 0x7C00;
        const uint16_t half = bl_f32_to_f16(bl_f32_from_bits(number(i)));

        if (probe->from_float[i] != half ||
            probe->both[i] != bl_f32_bits(bl_f16_to_f32(half)))
            return false;
        if (nan ? (probe->to_float[i] & 0x7FFFFFFF) <= 0x7F800000
                : probe->to_float[i] != bl_f32_bits(bl_f16_to_f32((uint16_t)i)))
            return false;
    }
    return true;
}

void bl_shader_probe_read(const void *block, struct bl_shader_features *features)
{
    const struct probe *probe = block;

    features->keeps_subnormals = probe->result[0] == results[0] &&
                                 probe->result[1] == results[1] &&
                                 probe->result[3] == results[3];
    features->fuses = probe->result[2] == results[2];
    features->packs_halves = packs_halves(probe);
}

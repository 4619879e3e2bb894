/*
 * powers.c - Pow as GLSL: the exponent has a type of its own
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "backends/vulkan/print.h"

/* Types as Pow knows them: what they are widened to, "i32" and so on, and by which function. */
struct kind {
    const char *in, *widen;
};

static const struct kind kinds[BL_DTYPE_COUNT] = {
    [BL_FLOAT32] = {"f32", ""},
    [BL_FLOAT16] = {"f32", "f16_widen"},
    [BL_BFLOAT16] = {"f32", "bf16_widen"},
    [BL_FLOAT64] = {"f64", ""},
    [BL_INT8] = {"i32", "i8_widen"},
    [BL_INT16] = {"i32", "i16_widen"},
    [BL_INT32] = {"i32", ""},
    [BL_INT64] = {"i64", ""},
    [BL_UINT8] = {"u32", ""},
    [BL_UINT16] = {"u32", ""},
    [BL_UINT32] = {"u32", ""},
    [BL_UINT64] = {"u64", ""},
};

static bool is_in(const struct kind *kind, const char *in)
{
    return strcmp(kind->in, in) == 0;
}

static bool is_float(const struct kind *kind)
{
    return kind->in[0] == 'f';
}

/* How a base's power is computed. */
enum way { BY_FLOATS, BY_DOUBLES, BY_INTEGERS };

static enum way way_of(const struct kind *base, const struct kind *exponent)
{
    if (is_in(base, "f32"))
        return BY_FLOATS;
    return is_in(base, "f64") || is_float(exponent) ? BY_DOUBLES : BY_INTEGERS;
}

uint32_t bl_pow_needs(const struct bl_instruction *instruction)
{
    const struct kind *base = &kinds[instruction->dtype];
    const struct kind *exponent = &kinds[instruction->second];

    if (base->in == NULL || exponent->in == NULL || base->in[0] == 'u')
        return 0;
    const uint32_t all = BL_NEEDS(POWER) | BL_NEEDS(FAILURE);

    return way_of(base, exponent) == BY_DOUBLES ? all | BL_NEEDS(POWER64) : all;
}

/* An exponent as an integer of 64 bits, or as the bits of a float64. */
static void put_pair(const struct bl_printer *printer, const struct kind *kind,
                     const char *name)
{
    const char *const to = is_in(kind, "f32")   ? "f32_to_f64"
                           : is_in(kind, "i32") ? "i32_to_pair"
                           : is_in(kind, "u32") ? "u32_to_pair"
                                                : "";

    bl_text_put(printer->glsl, "%s(%s(%s))", to, kind->widen, name);
}

static void put_integers(const struct bl_printer *printer, const struct kind *base,
                         const struct kind *exponent, const char *x, const char *y)
{
    bl_text_put(printer->glsl, "%s_pow(%s, ", base->in, x);
    put_pair(printer, exponent, y);
    if (exponent->in[0] == 'i') {
        bl_text_put(printer->glsl, ", %s(", printer->dialect->to_signed);
        put_pair(printer, exponent, y);
        bl_text_put(printer->glsl, ".y) < 0)");
    } else {
        bl_text_put(printer->glsl, ", false)");
    }
}

static void put_floats(const struct bl_printer *printer,
                       const struct bl_instruction *instruction, const char *x,
                       const char *y)
{
    const struct kind *base = &kinds[instruction->dtype];
    const struct kind *exponent = &kinds[instruction->second];
    const char *const narrow = instruction->dtype == BL_FLOAT16    ? "f16_narrow"
                               : instruction->dtype == BL_BFLOAT16 ? "bf16_narrow"
                                                                   : "";

    if (is_in(exponent, "f32"))
        bl_text_put(printer->glsl, "%s(f32_pow_f32(%s(%s), %s(%s)))", narrow, base->widen,
                    x, exponent->widen, y);
    else
        bl_text_put(printer->glsl, "%s(f32_pow(%s(%s), exponent_of_%s(%s(%s))))", narrow,
                    base->widen, x, exponent->in, exponent->widen, y);
}

static void put_doubles(const struct bl_printer *printer, const struct kind *base,
                        const struct kind *exponent, const char *x, const char *y)
{
    const char sign = exponent->in[0];

    bl_text_put(printer->glsl, "%s_pow_%c64(%s, ", base->in, sign, x);
    put_pair(printer, exponent, y);
    bl_text_put(printer->glsl, ")");
}

void bl_print_pow(const struct bl_printer *printer,
                  const struct bl_instruction *instruction, unsigned lane)
{
    const struct kind *base = &kinds[instruction->dtype];
    const struct kind *exponent = &kinds[instruction->second];
    char x[BL_NAME_SIZE], y[BL_NAME_SIZE], result[BL_NAME_SIZE];

    bl_lane_name(printer, instruction->args[0], lane, x);
    bl_lane_name(printer, instruction->args[1], lane, y);
    bl_text_put(printer->glsl,
                "%s = ", bl_lane_name(printer, instruction->result, lane, result));
    switch (way_of(base, exponent)) {
    case BY_FLOATS:
        put_floats(printer, instruction, x, y);
        break;
    case BY_DOUBLES:
        put_doubles(printer, base, exponent, x, y);
        break;
    default:
        put_integers(printer, base, exponent, x, y);
    }
    bl_text_put(printer->glsl, ";\n");
}

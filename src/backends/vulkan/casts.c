/*
 * casts.c - Cast, CastLike and BitCast as GLSL
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A conversion goes by way of what both types have in common: the bits of a float32 or float64
 * that hold every value of the first, or those of an integer of 64 bits.
 */
#include "backends/vulkan/print.h"
#include "tensor/dtype.h"

/* What a type is widened to. */
enum carrier { NO_CARRIER, CARRIER_F32, CARRIER_F64, CARRIER_WORD, CARRIER_PAIR };

struct conversion {
    enum carrier carrier;
    bool is_signed;     /* an integer */
    const char *widen;  /* to the carrier; NULL: it is the same */
    const char *narrow; /* back; a float's takes the bits of a float32 */
    bool saturates;     /* narrow's second argument is the attribute saturate */
};

static const struct conversion conversions[BL_DTYPE_COUNT] = {
    [BL_FLOAT32] = {CARRIER_F32, false, NULL, NULL, false},
    [BL_FLOAT16] = {CARRIER_F32, false, "f16_widen", "f16_narrow", false},
    [BL_BFLOAT16] = {CARRIER_F32, false, "bf16_widen", "bf16_narrow", false},
    [BL_FLOAT64] = {CARRIER_F64, false, NULL, NULL, false},
    [BL_FLOAT8E4M3FN] = {CARRIER_F32, false, "f8e4m3fn_widen", "f8e4m3fn_narrow", true},
    [BL_FLOAT8E4M3FNUZ] = {CARRIER_F32, false, "f8e4m3fnuz_widen", "f8e4m3fnuz_narrow",
                           true},
    [BL_FLOAT8E5M2] = {CARRIER_F32, false, "f8e5m2_widen", "f8e5m2_narrow", true},
    [BL_FLOAT8E5M2FNUZ] = {CARRIER_F32, false, "f8e5m2fnuz_widen", "f8e5m2fnuz_narrow",
                           true},
    [BL_FLOAT4E2M1] = {CARRIER_F32, false, "f4e2m1_widen", "f4e2m1_narrow", false},
    [BL_FLOAT8E8M0] = {CARRIER_F32, false, "f8e8m0_widen", "f8e8m0_narrow", true},
    [BL_BOOL] = {CARRIER_WORD, false, "bool_widen", NULL, false},
    [BL_INT8] = {CARRIER_WORD, true, "i8_widen", "u8_narrow", false},
    [BL_INT16] = {CARRIER_WORD, true, "i16_widen", "u16_narrow", false},
    [BL_INT32] = {CARRIER_WORD, true, NULL, NULL, false},
    [BL_UINT8] = {CARRIER_WORD, false, NULL, "u8_narrow", false},
    [BL_UINT16] = {CARRIER_WORD, false, NULL, "u16_narrow", false},
    [BL_UINT32] = {CARRIER_WORD, false, NULL, NULL, false},
    [BL_INT64] = {CARRIER_PAIR, true, NULL, NULL, false},
    [BL_UINT64] = {CARRIER_PAIR, false, NULL, NULL, false},
    [BL_INT4] = {CARRIER_WORD, true, "i4_widen", "i4_narrow", false},
    [BL_UINT4] = {CARRIER_WORD, false, "u4_widen", "u4_narrow", false},
    [BL_INT2] = {CARRIER_WORD, true, "i2_widen", "i2_narrow", false},
    [BL_UINT2] = {CARRIER_WORD, false, "u2_widen", "u2_narrow", false},
};

uint32_t bl_cast_needs(const struct bl_instruction *instruction)
{
    if (instruction->op == BL_OP_BITCAST)
        return BL_NEEDS(CAST);
    if (conversions[instruction->dtype].carrier == NO_CARRIER ||
        conversions[instruction->second].carrier == NO_CARRIER)
        return 0;
    return BL_NEEDS(CAST);
}

/* An expression as it grows: functions go around an argument, so they are opened from the outside
 * in, and closed at the end. */
struct nest {
    struct bl_text *glsl;
    unsigned open;
};

static void enter(struct nest *nest, const char *function)
{
    if (function == NULL)
        return;
    bl_text_put(nest->glsl, "%s(", function);
    nest->open++;
}

/* ---- To the types' carriers -------------------------------------------------------------------- */

static bool is_integer(const struct conversion *from)
{
    return from->carrier == CARRIER_WORD || from->carrier == CARRIER_PAIR;
}

/* An integer as a pair of words. */
static void enter_pair(struct nest *nest, const struct conversion *from)
{
    if (from->carrier == CARRIER_WORD)
        enter(nest, from->is_signed ? "i32_to_pair" : "u32_to_pair");
}

/* As a float32: rounded once, or to odd for narrower types. */
static void enter_f32(struct nest *nest, const struct conversion *from, bool odd)
{
    if (from->carrier == CARRIER_F64)
        enter(nest, odd ? "f64_to_f32_odd" : "f64_to_f32");
    if (!is_integer(from))
        return;
    if (from->is_signed)
        enter(nest, odd ? "i64_to_f32_odd" : "i64_to_f32");
    else
        enter(nest, odd ? "u64_to_f32_odd" : "u64_to_f32");
    enter_pair(nest, from);
}

static void enter_f64(struct nest *nest, const struct conversion *from)
{
    if (from->carrier == CARRIER_F32)
        enter(nest, "f32_to_f64");
    if (!is_integer(from))
        return;
    enter(nest, from->is_signed ? "i64_to_f64" : "u64_to_f64");
    enter_pair(nest, from);
}

/* ---- From a number of any type to another ------------------------------------------------------ */

static void put_value(struct nest *nest, const struct conversion *from, const char *name)
{
    enter(nest, from->widen);
    bl_text_put(nest->glsl, "%s", name);
    for (; nest->open > 0; nest->open--)
        bl_text_put(nest->glsl, ")");
}

static void put_to_bool(struct nest *nest, const struct conversion *from, const char *name)
{
    static const char *const tests[] = {[CARRIER_F32] = "f32_to_bool",
                                        [CARRIER_F64] = "f64_to_bool",
                                        [CARRIER_WORD] = "bool_widen",
                                        [CARRIER_PAIR] = "pair_to_bool"};

    enter(nest, tests[from->carrier]);
    put_value(nest, from, name);
}

/* The attributes follow the number. */
static void put_to_float8(struct nest *nest, const struct bl_instruction *instruction,
                          const struct conversion *from, const char *name)
{
    const struct bl_params *params = instruction->params;
    const struct conversion *to = &conversions[instruction->second];
    struct nest inner = {nest->glsl, 0};

    bl_text_put(nest->glsl, "%s(", to->narrow);
    if (instruction->second != BL_FLOAT8E8M0) {
        enter_f32(&inner, from, true);
    } else if (is_integer(from)) {
        enter(&inner, "f32_to_f64");
        enter_f32(&inner, from, true);
    } else {
        enter_f64(&inner, from);
    }
    put_value(&inner, from, name);
    bl_text_put(nest->glsl, ", %s", params->saturate ? "true" : "false");
    if (instruction->second == BL_FLOAT8E8M0)
        bl_text_put(nest->glsl, ", %uu",
                    params->round_mode == BL_ROUND_UP     ? 0U
                    : params->round_mode == BL_ROUND_DOWN ? 1U
                                                          : 2U);
    bl_text_put(nest->glsl, ")");
}

/* The bits of an integer: its own, or a float truncated and saturated; the smallest types take the
 * low bits. */
static void put_to_integer(struct nest *nest, bl_dtype dtype, const struct conversion *from,
                           const char *name)
{
    const struct conversion *to = &conversions[dtype];
    const unsigned bits = bl_dtype_info(dtype)->bits;
    struct nest inner = {nest->glsl, 0};

    enter(nest, to->narrow);
    if (to->carrier == CARRIER_WORD)
        enter(nest, "low_word");
    if (is_integer(from)) {
        enter_pair(nest, from);
        put_value(nest, from, name);
        return;
    }
    if (bits < 8)
        enter(nest, "f64_to_bits");
    else
        enter(nest, to->is_signed ? "f64_to_i64" : "f64_to_u64");
    enter_f64(&inner, from);
    put_value(&inner, from, name);
    if (bits >= 8)
        bl_text_put(nest->glsl, ", %uu", bits);
    for (; nest->open > 0; nest->open--)
        bl_text_put(nest->glsl, ")");
}

static void put_cast(const struct bl_printer *printer,
                     const struct bl_instruction *instruction, const char *name)
{
    const struct conversion *from = &conversions[instruction->dtype];
    const struct conversion *to = &conversions[instruction->second];
    struct nest nest = {printer->glsl, 0};

    if (instruction->second == BL_BOOL) {
        put_to_bool(&nest, from, name);
    } else if (to->saturates) {
        put_to_float8(&nest, instruction, from, name);
    } else if (to->carrier == CARRIER_F32) {
        enter(&nest, to->narrow);
        enter_f32(&nest, from, to->narrow != NULL);
        put_value(&nest, from, name);
    } else if (to->carrier == CARRIER_F64) {
        enter_f64(&nest, from);
        put_value(&nest, from, name);
    } else {
        put_to_integer(&nest, instruction->second, from, name);
    }
}

/* ---- The instruction --------------------------------------------------------------------------- */

/* Types of less than a byte lie in one, whose upper bits the type gives. */
static void put_bit_cast(const struct bl_printer *printer, bl_dtype to, const char *name)
{
    const char *narrow = bl_dtype_info(to)->bits >= 8 ? "" : conversions[to].narrow;

    if (to == BL_FLOAT4E2M1)
        narrow = "u4_narrow";
    bl_text_put(printer->glsl, "%s(%s)", narrow, name);
}

void bl_print_cast(const struct bl_printer *printer,
                   const struct bl_instruction *instruction, unsigned lane)
{
    char name[BL_NAME_SIZE];

    bl_text_put(printer->glsl,
                "%s = ", bl_lane_name(printer, instruction->result, lane, name));
    bl_lane_name(printer, instruction->args[0], lane, name);
    if (instruction->op == BL_OP_BITCAST)
        put_bit_cast(printer, instruction->second, name);
    else
        put_cast(printer, instruction, name);
    bl_text_put(printer->glsl, ";\n");
}

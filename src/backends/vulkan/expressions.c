/*
 * expressions.c - an instruction as GLSL: which function of the library computes it
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A function is named after what it computes in and what it does: f32_add takes and gives the bits
 * of float32 numbers.  Narrower types are widened before and narrowed after it.
 */
#include <string.h>

#include "backends/vulkan/print.h"
#include "base/compiler.h"
#include "base/half.h"

/* ---- Types ------------------------------------------------------------------------------------- */

/* What a type computes in; NULL: it is only copied.  `widen` takes an element's bits there, and
 * `narrow` back; NULL: they are the same. */
struct arithmetic {
    const char *in;
    const char *bits_in; /* where the sign does not count */
    const char *widen, *narrow;
    uint32_t needs;
};

static const struct arithmetic arithmetics[BL_DTYPE_COUNT] = {
    [BL_FLOAT32] = {"f32", NULL, NULL, NULL, BL_NEEDS(F32)},
    [BL_FLOAT16] = {"f32", NULL, "f16_widen", "f16_narrow",
                    BL_NEEDS(F32) | BL_NEEDS(SMALL)},
    [BL_BFLOAT16] = {"f32", NULL, "bf16_widen", "bf16_narrow",
                     BL_NEEDS(F32) | BL_NEEDS(SMALL)},
    [BL_FLOAT64] = {"f64", NULL, NULL, NULL, BL_NEEDS(F64)},
    [BL_INT8] = {"i32", "u32", "i8_widen", "u8_narrow", BL_NEEDS(U32) | BL_NEEDS(SMALL)},
    [BL_INT16] = {"i32", "u32", "i16_widen", "u16_narrow", BL_NEEDS(U32) | BL_NEEDS(SMALL)},
    [BL_INT32] = {"i32", "u32", NULL, NULL, BL_NEEDS(U32)},
    [BL_INT64] = {"i64", "u64", NULL, NULL, BL_NEEDS(U64)},
    [BL_UINT8] = {"u32", "u32", NULL, "u8_narrow", BL_NEEDS(U32) | BL_NEEDS(SMALL)},
    [BL_UINT16] = {"u32", "u32", NULL, "u16_narrow", BL_NEEDS(U32) | BL_NEEDS(SMALL)},
    [BL_UINT32] = {"u32", "u32", NULL, NULL, BL_NEEDS(U32)},
    [BL_UINT64] = {"u64", "u64", NULL, NULL, BL_NEEDS(U64)},
    [BL_BOOL] = {"u32", "u32", "bool_widen", NULL, BL_NEEDS(U32) | BL_NEEDS(SMALL)},
    /* Only looked at. */
    [BL_FLOAT8E4M3FN] = {"f32", NULL, "f8e4m3fn_widen", NULL,
                         BL_NEEDS(F32) | BL_NEEDS(SMALL)},
    [BL_FLOAT8E4M3FNUZ] = {"f32", NULL, "f8e4m3fnuz_widen", NULL,
                           BL_NEEDS(F32) | BL_NEEDS(SMALL)},
    [BL_FLOAT8E5M2] = {"f32", NULL, "f8e5m2_widen", NULL, BL_NEEDS(F32) | BL_NEEDS(SMALL)},
    [BL_FLOAT8E5M2FNUZ] = {"f32", NULL, "f8e5m2fnuz_widen", NULL,
                           BL_NEEDS(F32) | BL_NEEDS(SMALL)},
};

/* ---- Operators --------------------------------------------------------------------------------- */

enum {
    BITS = 1,       /* the sign of an integer does not count */
    TO_BOOL = 2,    /* the result is 0 or 1 */
    MAY_FAIL = 4,   /* of integers: failed_here is set where there is no result */
    EXACT_FILE = 8, /* the function is in f32_exact.glsl, f64_exact.glsl, divide.glsl */
    MATH_FILE = 16, /* it is in math.glsl or, of float64, in math64.glsl, and so on */
    CIRCLE_FILE = 32,
    ACTIVATION_FILE = 64
};

/* Attributes that follow the arguments, as bits of the type that is computed in; see
 * put_attribute. */
struct operator
{
    enum bl_op_id op;
    const char *name;
    unsigned flags;
    const char *attributes; /* letters */
};

static const struct operator operators[] = {
    {BL_OP_ABS, "abs", EXACT_FILE, ""},
    {BL_OP_ACOS, "acos", CIRCLE_FILE, ""},
    {BL_OP_ACOSH, "acosh", MATH_FILE, ""},
    {BL_OP_ADD, "add", BITS, ""},
    {BL_OP_AND, "and", TO_BOOL | BITS, ""},
    {BL_OP_ASIN, "asin", CIRCLE_FILE, ""},
    {BL_OP_ASINH, "asinh", MATH_FILE, ""},
    {BL_OP_ATAN, "atan", CIRCLE_FILE, ""},
    {BL_OP_ATANH, "atanh", MATH_FILE, ""},
    {BL_OP_BITWISEAND, "and", BITS, ""},
    {BL_OP_BITWISENOT, "not", BITS, ""},
    {BL_OP_BITWISEOR, "or", BITS, ""},
    {BL_OP_BITWISEXOR, "xor", BITS, ""},
    {BL_OP_CEIL, "ceil", EXACT_FILE, ""},
    {BL_OP_CELU, "celu", ACTIVATION_FILE, "a"},
    {BL_OP_COS, "cos", CIRCLE_FILE, ""},
    {BL_OP_COSH, "cosh", MATH_FILE, ""},
    {BL_OP_DIV, "div", MAY_FAIL | EXACT_FILE, ""},
    {BL_OP_ELU, "elu", ACTIVATION_FILE, "a"},
    {BL_OP_EQUAL, "equal", TO_BOOL | BITS, ""},
    {BL_OP_ERF, "erf", ACTIVATION_FILE, ""},
    {BL_OP_EXP, "exp", MATH_FILE, ""},
    {BL_OP_FLOOR, "floor", EXACT_FILE, ""},
    {BL_OP_GREATER, "greater", TO_BOOL, ""},
    {BL_OP_GREATEROREQUAL, "greater_equal", TO_BOOL, ""},
    {BL_OP_HARDSIGMOID, "hardsigmoid", EXACT_FILE, "ab"},
    {BL_OP_HARDSWISH, "hardswish", EXACT_FILE, ""},
    {BL_OP_ISINF, "isinf", TO_BOOL | EXACT_FILE, "np"},
    {BL_OP_ISNAN, "isnan", TO_BOOL | EXACT_FILE, ""},
    {BL_OP_LEAKYRELU, "leakyrelu", EXACT_FILE, "a"},
    {BL_OP_LESS, "less", TO_BOOL, ""},
    {BL_OP_LESSOREQUAL, "less_equal", TO_BOOL, ""},
    {BL_OP_LOG, "log", MATH_FILE, ""},
    {BL_OP_MAX, "max", 0, ""},
    {BL_OP_MIN, "min", 0, ""},
    {BL_OP_MISH, "mish", ACTIVATION_FILE, ""},
    {BL_OP_MUL, "mul", BITS, ""},
    {BL_OP_NEG, "neg", BITS | EXACT_FILE, ""},
    {BL_OP_NOT, "is_zero", TO_BOOL | BITS, ""},
    {BL_OP_OR, "or", TO_BOOL | BITS, ""},
    {BL_OP_PRELU, "prelu", EXACT_FILE, ""},
    {BL_OP_RECIPROCAL, "reciprocal", EXACT_FILE, ""},
    {BL_OP_RELU, "relu", EXACT_FILE, ""},
    {BL_OP_ROUND, "round", EXACT_FILE, ""},
    {BL_OP_SELU, "selu", ACTIVATION_FILE, "ag"},
    {BL_OP_SHRINK, "shrink", EXACT_FILE, "lc"},
    {BL_OP_SIGMOID, "sigmoid", ACTIVATION_FILE, ""},
    {BL_OP_SIGN, "sign", EXACT_FILE, ""},
    {BL_OP_SIN, "sin", CIRCLE_FILE, ""},
    {BL_OP_SINH, "sinh", MATH_FILE, ""},
    {BL_OP_SOFTPLUS, "softplus", ACTIVATION_FILE, ""},
    {BL_OP_SOFTSIGN, "softsign", EXACT_FILE, ""},
    {BL_OP_SQRT, "sqrt", EXACT_FILE, ""},
    {BL_OP_SUB, "sub", BITS, ""},
    {BL_OP_SUM, "add", BITS, ""},
    {BL_OP_SWIGLU, "swiglu", ACTIVATION_FILE, "a"},
    {BL_OP_SWISH, "swish", ACTIVATION_FILE, "a"},
    {BL_OP_TAN, "tan", CIRCLE_FILE, ""},
    {BL_OP_TANH, "tanh", MATH_FILE, ""},
    {BL_OP_THRESHOLDEDRELU, "thresholdedrelu", EXACT_FILE, "a"},
    {BL_OP_XOR, "xor", TO_BOOL | BITS, ""},
};

static const struct operator* operator_of(enum bl_op_id op)
{
    for (size_t i = 0; i < BL_COUNT_OF(operators); i++)
        if (operators[i].op == op)
            return &operators[i];
    return NULL;
}

/* The function of an instruction, "fmod" where an attribute decides. */
static const char *function_of(const struct bl_instruction *instruction)
{
    const struct bl_params *params = instruction->params;
    const struct operator* operator= operator_of(instruction->op);

    switch (instruction->op) {
    case BL_OP_MOD:
        return params->fmod ? "fmod" : "mod";
    case BL_OP_BITSHIFT:
        return params->shift_right ? "shift_right" : "shift_left";
    case BL_OP_GELU:
        return params->tanh ? "gelu_tanh" : "gelu";
    default:
        return operator!= NULL ? operator->name : NULL;
    }
}

static bool is_float(bl_dtype dtype)
{
    return arithmetics[dtype].in != NULL && arithmetics[dtype].in[0] == 'f';
}

/* "f32_" and so on, before a function's name. */
static const char *family(bl_dtype dtype, unsigned flags)
{
    const struct arithmetic *arithmetic = &arithmetics[dtype];

    return flags & BITS && arithmetic->bits_in != NULL ? arithmetic->bits_in
                                                       : arithmetic->in;
}

static bool computes_in(bl_dtype dtype, const char *family)
{
    return strcmp(arithmetics[dtype].in, family) == 0;
}

/* ---- Parts of an expression -------------------------------------------------------------------- */

/* An argument's element, as it is or widened to what is computed in. */
static void put_bits(const struct bl_printer *printer, bl_slot slot, unsigned lane)
{
    char name[BL_NAME_SIZE];

    bl_text_put(printer->glsl, "%s", bl_lane_name(printer, slot, lane, name));
}

static void put_wide(const struct bl_printer *printer, bl_dtype dtype, bl_slot slot,
                     unsigned lane)
{
    const char *widen = arithmetics[dtype].widen;

    if (widen != NULL)
        bl_text_put(printer->glsl, "%s(", widen);
    put_bits(printer, slot, lane);
    if (widen != NULL)
        bl_text_put(printer->glsl, ")");
}

/* A number as the bits of the type that is computed in; integers have attributes of float64.  That it is 0
 * is hidden: lavapipe takes x * 0 for +0, whatever x is. */
static void put_number(const struct bl_printer *printer, bl_dtype dtype, float number)
{
    const uint64_t bits = bl_f64_bits((double)number);
    const char *const hidden = number == 0 ? " | no_bits" : "";

    if (computes_in(dtype, "f32"))
        bl_text_put(printer->glsl, "0x%xu%s", (unsigned)bl_f32_bits(number), hidden);
    else
        bl_text_put(printer->glsl, "%s(0x%xu%s, 0x%xu)", printer->dialect->pair,
                    (unsigned)bits, hidden, (unsigned)(bits >> 32));
}

static void put_attribute(const struct bl_printer *printer,
                          const struct bl_instruction *instruction, char letter)
{
    const struct bl_params *params = instruction->params;
    const bl_dtype dtype = instruction->dtype;

    bl_text_put(printer->glsl, ", ");
    switch (letter) {
    case 'a':
        put_number(printer, dtype, params->alpha);
        break;
    case 'b':
        put_number(printer, dtype, params->beta);
        break;
    case 'g':
        put_number(printer, dtype, params->gamma);
        break;
    case 'l':
        put_number(printer, dtype, params->lambd);
        break;
    case 'c':
        put_number(printer, dtype, params->bias);
        break;
    case 'n':
        bl_text_put(printer->glsl, "%s", params->detect_negative ? "true" : "false");
        break;
    default: /* 'p' */
        bl_text_put(printer->glsl, "%s", params->detect_positive ? "true" : "false");
    }
}

/* ---- Instructions ------------------------------------------------------------------------------ */

/* "v7_0 = ", and the function that the result goes through. */
static void begin(const struct bl_printer *printer,
                  const struct bl_instruction *instruction, unsigned lane,
                  const char *narrow)
{
    put_bits(printer, instruction->result, lane);
    bl_text_put(printer->glsl, " = %s(", narrow != NULL ? narrow : "");
}

static void end(const struct bl_printer *printer)
{
    bl_text_put(printer->glsl, ");\n");
}

static void print_function(const struct bl_printer *printer,
                           const struct bl_instruction *instruction, unsigned lane)
{
    const struct operator* operator= operator_of(instruction->op);
    const unsigned flags = operator!= NULL ? operator->flags : 0;
    const struct arithmetic *arithmetic = &arithmetics[instruction->dtype];

    begin(printer, instruction, lane, flags & TO_BOOL ? NULL : arithmetic->narrow);
    bl_text_put(printer->glsl, "%s_%s(", family(instruction->dtype, flags),
                function_of(instruction));
    for (size_t a = 0; a < instruction->arg_count; a++) {
        if (a > 0)
            bl_text_put(printer->glsl, ", ");
        put_wide(printer, instruction->dtype, instruction->args[a], lane);
    }
    for (const char *letter = operator != NULL ? operator->attributes : ""; *letter != '\0';
         letter++)
        put_attribute(printer, instruction, *letter);
    if (instruction->op == BL_OP_BITSHIFT ||
        (instruction->op == BL_OP_SHRINK && !is_float(instruction->dtype)))
        bl_text_put(printer->glsl, ", %uu",
                    8 * (unsigned)bl_dtype_size(instruction->dtype));
    bl_text_put(printer->glsl, ")");
    end(printer);
}

/* Sum, Mean, Max, Min: from left to right, rounded to the type at the end. */
static void print_fold(const struct bl_printer *printer,
                       const struct bl_instruction *instruction, unsigned lane)
{
    const bl_dtype dtype = instruction->dtype;
    const bool mean = instruction->op == BL_OP_MEAN;
    const struct operator* operator= operator_of(mean ? BL_OP_SUM : instruction->op);
    const char *in = family(dtype, operator->flags);

    bl_text_put(printer->glsl, "{\n");
    printer->dialect->variable(
        printer->glsl, bl_dialect_type(printer->dialect, (unsigned)bl_dtype_size(dtype)),
        "sum");
    bl_text_put(printer->glsl, " = ");
    put_wide(printer, dtype, instruction->args[0], lane);
    bl_text_put(printer->glsl, ";\n");
    for (size_t a = 1; a < instruction->arg_count; a++) {
        bl_text_put(printer->glsl, "sum = %s_%s(sum, ", in, operator->name);
        put_wide(printer, dtype, instruction->args[a], lane);
        end(printer);
    }
    if (mean) {
        bl_text_put(printer->glsl, "sum = %s_div(sum, ", in);
        put_number(printer, dtype, (float)instruction->arg_count);
        end(printer);
    }
    begin(printer, instruction, lane, arithmetics[dtype].narrow);
    bl_text_put(printer->glsl, "sum);\n}\n");
}

static void print_select(const struct bl_printer *printer,
                         const struct bl_instruction *instruction, unsigned lane)
{
    char condition[BL_NAME_SIZE + 8], name[BL_NAME_SIZE], yes[BL_NAME_SIZE],
        no[BL_NAME_SIZE];
    struct bl_text text = bl_text_in(condition, sizeof condition);

    bl_text_put(&text, "%s != 0", bl_lane_name(printer, instruction->args[0], lane, name));
    begin(printer, instruction, lane, NULL);
    printer->dialect->choice(printer->glsl, condition,
                             bl_lane_name(printer, instruction->args[1], lane, yes),
                             bl_lane_name(printer, instruction->args[2], lane, no));
    end(printer);
}

static void print_copy(const struct bl_printer *printer,
                       const struct bl_instruction *instruction, unsigned lane)
{
    begin(printer, instruction, lane, NULL);
    put_bits(printer, instruction->args[0], lane);
    end(printer);
}

/* ---- Clip -------------------------------------------------------------------------------------- */

/* A bound that is an attribute, which the type rounds: one that it cannot hold is infinite. */
static void put_bound(const struct bl_printer *printer, bl_dtype dtype, float bound)
{
    if (dtype == BL_FLOAT16)
        bl_text_put(printer->glsl, "0x%xu",
                    (unsigned)bl_f32_bits(bl_f16_to_f32(bl_f32_to_f16(bound))));
    else if (dtype == BL_BFLOAT16)
        bl_text_put(printer->glsl, "0x%xu",
                    (unsigned)bl_f32_bits(bl_bf16_to_f32(bl_f32_to_bf16(bound))));
    else
        put_number(printer, dtype, bound);
}

static bool has_bound(const struct bl_instruction *instruction, size_t a)
{
    return a < instruction->arg_count && instruction->args[a] != BL_NO_SLOT;
}

/* min(max(x, low), high); a bound is an argument, or before version 11 an attribute, or absent. */
static void print_clip(const struct bl_printer *printer,
                       const struct bl_instruction *instruction, unsigned lane)
{
    static const struct bl_params none = {.has_min = false};
    const struct bl_params *params =
        instruction->params != NULL ? instruction->params : &none;
    const bl_dtype dtype = instruction->dtype;
    const bool low = has_bound(instruction, 1) || params->has_min;
    const bool high = has_bound(instruction, 2) || params->has_max;

    begin(printer, instruction, lane, arithmetics[dtype].narrow);
    if (high)
        bl_text_put(printer->glsl, "%s_min(", arithmetics[dtype].in);
    if (low)
        bl_text_put(printer->glsl, "%s_max(", arithmetics[dtype].in);
    put_wide(printer, dtype, instruction->args[0], lane);
    for (size_t a = 1; a <= 2; a++) {
        if (!(a == 1 ? low : high))
            continue;
        bl_text_put(printer->glsl, ", ");
        if (has_bound(instruction, a))
            put_wide(printer, dtype, instruction->args[a], lane);
        else
            put_bound(printer, dtype, a == 1 ? params->min : params->max);
        bl_text_put(printer->glsl, ")");
    }
    end(printer);
}

/* ---- The instruction of a lane ----------------------------------------------------------------- */

static void print_lane(const struct bl_printer *printer,
                       const struct bl_instruction *instruction, unsigned lane)
{
    switch (bl_op_id_form(instruction->op)) {
    case BL_FORM_VARIADIC:
        print_fold(printer, instruction, lane);
        break;
    case BL_FORM_SELECT:
        print_select(printer, instruction, lane);
        break;
    case BL_FORM_CLIP:
        print_clip(printer, instruction, lane);
        break;
    case BL_FORM_COPY:
        print_copy(printer, instruction, lane);
        break;
    case BL_FORM_POW:
        bl_print_pow(printer, instruction, lane);
        break;
    case BL_FORM_CAST:
        bl_print_cast(printer, instruction, lane);
        break;
    default:
        print_function(printer, instruction, lane);
    }
}

void bl_print_instruction(const struct bl_printer *printer,
                          const struct bl_instruction *instruction)
{
    for (unsigned lane = 0; lane < printer->layout.lanes; lane++) {
        print_lane(printer, instruction, lane);
        if (bl_instruction_can_fail(instruction))
            bl_text_put(printer->glsl,
                        "if (failed_here) {\nreport_failure(args.failed, i + min(%uu, left "
                        "- 1));\nfailed_here = false;\n}\n",
                        lane);
    }
}

bool bl_instruction_can_fail(const struct bl_instruction *instruction)
{
    const enum bl_op_id op = instruction->op;

    return !is_float(instruction->dtype) &&
           (op == BL_OP_DIV || op == BL_OP_MOD || op == BL_OP_POW);
}

/* ---- What is there ----------------------------------------------------------------------------- */

static uint32_t exact_file(bl_dtype dtype)
{
    return computes_in(dtype, "f32")   ? BL_NEEDS(F32_EXACT)
           : computes_in(dtype, "f64") ? BL_NEEDS(F64_EXACT)
                                       : BL_NEEDS(DIVIDE);
}

/* Where a function that is not exact is; 0 of those that are. */
static uint32_t math_file(enum bl_op_id op, bl_dtype dtype)
{
    const struct operator* operator= operator_of(op);
    const unsigned flags =
        op == BL_OP_GELU ? ACTIVATION_FILE : operator!= NULL ? operator->flags : 0;

    const uint32_t files = flags & MATH_FILE     ? BL_NEEDS(MATH) | BL_NEEDS(MATH64)
                           : flags & CIRCLE_FILE ? BL_NEEDS(CIRCLE) | BL_NEEDS(CIRCLE64)
                           : flags & ACTIVATION_FILE
                               ? BL_NEEDS(ACTIVATION) | BL_NEEDS(ACTIVATION64)
                               : 0;

    return computes_in(dtype, "f64") ? files & BL_NEEDS_MATH64 : files & ~BL_NEEDS_MATH64;
}

uint32_t bl_instruction_needs(const struct bl_instruction *instruction)
{
    const enum bl_form form = bl_op_id_form(instruction->op);
    const struct operator* operator= operator_of(instruction->op);
    const bl_dtype dtype = instruction->dtype;

    if (form == BL_FORM_SELECT || form == BL_FORM_COPY)
        return BL_NEEDS(MEMORY);
    if (form == BL_FORM_CAST)
        return bl_cast_needs(instruction);
    if (form == BL_FORM_POW)
        return bl_pow_needs(instruction);
    if (dtype >= BL_DTYPE_COUNT || arithmetics[dtype].in == NULL)
        return 0;
    uint32_t needs = arithmetics[dtype].needs;

    if (form == BL_FORM_CLIP)
        return needs;
    if (instruction->op == BL_OP_MEAN || instruction->op == BL_OP_MOD)
        return needs | exact_file(dtype);
    if (math_file(instruction->op, dtype) != 0)
        return is_float(dtype) ? needs | math_file(instruction->op, dtype) : needs;
    if (operator== NULL && function_of(instruction) == NULL)
        return 0;
    if (operator!= NULL && operator->flags &
        EXACT_FILE &&(is_float(dtype) || operator->flags & MAY_FAIL))
        needs |= exact_file(dtype);
    if (instruction->op == BL_OP_SHRINK && !is_float(dtype))
        needs |= BL_NEEDS(CAST);
    return needs;
}

/*
 * reference_logic.c - comparisons, logic, bits, selections and strings, for one element
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "conform/reference_element.h"

/* ---- Comparison ---------------------------------------------------------- */

static bool equal(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_bool(x, number(x, 0) == number(x, 1));
    if (x->dtypes[0] != BL_STRING)
        return give_bool(x, bits(x, 0) == bits(x, 1));
    const bl_string a = string(x, 0);
    const bl_string b = string(x, 1);

    return give_bool(x, a.size == b.size &&
                            (a.size == 0 || memcmp(a.data, b.data, a.size) == 0));
}

static bool less(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_bool(x, number(x, 0) < number(x, 1));
    return give_bool(x, bl_reference_less_bits(x->dtypes[0], bits(x, 0), bits(x, 1)));
}

static bool greater(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_bool(x, number(x, 0) > number(x, 1));
    return give_bool(x, bl_reference_less_bits(x->dtypes[0], bits(x, 1), bits(x, 0)));
}

/* Not the opposite of greater: with a NaN both are false. */
static bool less_or_equal(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_bool(x, number(x, 0) <= number(x, 1));
    return give_bool(x, !bl_reference_less_bits(x->dtypes[0], bits(x, 1), bits(x, 0)));
}

static bool greater_or_equal(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_bool(x, number(x, 0) >= number(x, 1));
    return give_bool(x, !bl_reference_less_bits(x->dtypes[0], bits(x, 0), bits(x, 1)));
}

static bool is_nan(const struct bl_reference_operands *x)
{
    return give_bool(x, isnan(number(x, 0)));
}

static bool is_inf(const struct bl_reference_operands *x)
{
    const double value = number(x, 0);
    const char *detect = value < 0 ? "detect_negative" : "detect_positive";

    return give_bool(x, isinf(value) && bl_reference_int(x->node, detect, 1) != 0);
}

/* ---- Logic --------------------------------------------------------------- */

static bool and_(const struct bl_reference_operands *x)
{
    return give_bool(x, bits(x, 0) && bits(x, 1));
}

static bool or_(const struct bl_reference_operands *x)
{
    return give_bool(x, bits(x, 0) || bits(x, 1));
}

static bool xor_(const struct bl_reference_operands *x)
{
    return give_bool(x, bits(x, 0) != bits(x, 1));
}

static bool not_(const struct bl_reference_operands *x)
{
    return give_bool(x, !bits(x, 0));
}

/* ---- Bits ---------------------------------------------------------------- */

static bool bitwise_and(const struct bl_reference_operands *x)
{
    return give_bits(x, bits(x, 0) & bits(x, 1));
}

static bool bitwise_or(const struct bl_reference_operands *x)
{
    return give_bits(x, bits(x, 0) | bits(x, 1));
}

static bool bitwise_xor(const struct bl_reference_operands *x)
{
    return give_bits(x, bits(x, 0) ^ bits(x, 1));
}

static bool bitwise_not(const struct bl_reference_operands *x)
{
    return give_bits(x, ~bits(x, 0));
}

/* Bits that are shifted out are gone, all of them from the type's width on. */
static bool bit_shift(const struct bl_reference_operands *x)
{
    const uint64_t shift = bits(x, 1);

    if (shift >= bl_dtype_info(x->dtypes[0])->bits)
        return give_bits(x, 0);
    if (bl_reference_is(x->node, "direction", "RIGHT", ""))
        return give_bits(x, bits(x, 0) >> shift);
    return bl_reference_is(x->node, "direction", "LEFT", "") &&
           give_bits(x, bits(x, 0) << shift);
}

/* ---- Selections and strings ---------------------------------------------- */

static bool where(const struct bl_reference_operands *x)
{
    return give_copy(x, bits(x, 0) ? 1 : 2);
}

static bool identity(const struct bl_reference_operands *x)
{
    return give_copy(x, 0);
}

static bool string_concat(const struct bl_reference_operands *x)
{
    const bl_string a = string(x, 0);
    const bl_string b = string(x, 1);

    if (a.size > x->text_size || b.size > x->text_size - a.size)
        return false;
    if (a.size > 0)
        memcpy(x->text, a.data, a.size);
    if (b.size > 0)
        memcpy(x->text + a.size, b.data, b.size);
    return give_text(x, a.size + b.size);
}

/* ---- The table ----------------------------------------------------------- */

const struct bl_reference_meaning bl_reference_logic[] = {
    {"And", and_, 2, 0, BL_BOOLS},
    {"BitShift", bit_shift, 2, 0, 1U << BL_KIND_UINT},
    {"BitwiseAnd", bitwise_and, 2, 0, BL_INTEGERS},
    {"BitwiseNot", bitwise_not, 1, 0, BL_INTEGERS},
    {"BitwiseOr", bitwise_or, 2, 0, BL_INTEGERS},
    {"BitwiseXor", bitwise_xor, 2, 0, BL_INTEGERS},
    {"Equal", equal, 2, 0, BL_NUMBERS | BL_BOOLS | BL_STRINGS},
    {"Greater", greater, 2, 0, BL_NUMBERS},
    {"GreaterOrEqual", greater_or_equal, 2, 0, BL_NUMBERS},
    {"Identity", identity, 1, 0, BL_ANY},
    {"IsInf", is_inf, 1, 0, BL_FLOATS},
    {"IsNaN", is_nan, 1, 0, BL_FLOATS},
    {"Less", less, 2, 0, BL_NUMBERS},
    {"LessOrEqual", less_or_equal, 2, 0, BL_NUMBERS},
    {"Not", not_, 1, 0, BL_BOOLS},
    {"Or", or_, 2, 0, BL_BOOLS},
    {"StringConcat", string_concat, 2, 0, BL_STRINGS},
    {"Where", where, 3, 1, BL_ANY},
    {"Xor", xor_, 2, 0, BL_BOOLS},
    {NULL, NULL, 0, 0, 0},
};

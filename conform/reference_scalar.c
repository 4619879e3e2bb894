/*
 * reference_scalar.c - what each pointwise operator means for one element
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Floating types: the operands are exact as doubles, and so nearly is the result of one
 * operation that rounding it again to float32 gives what float32 arithmetic gives (53 >= 2
 * * 24 + 2 bits: Figueroa, "When is double rounding innocuous?", 1995).  Integers: modulo
 * 2^64, then the type's low bits.
 */
#include "conform/reference_parts.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "conform/value.h"
#include "tensor/dtype.h"

double bl_reference_step(bl_dtype dtype, double exact)
{
    return dtype == BL_FLOAT64 ? exact : (double)(float)exact;
}

static bool is_float(bl_dtype dtype)
{
    return bl_dtype_info(dtype)->kind == BL_KIND_FLOAT;
}

static bool is_signed(bl_dtype dtype)
{
    return bl_dtype_info(dtype)->kind == BL_KIND_INT;
}

static double number(const struct bl_reference_operands *x, size_t i)
{
    return bl_value_to_double(x->dtypes[i], x->in[i]);
}

static uint64_t bits(const struct bl_reference_operands *x, size_t i)
{
    return bl_value_to_bits(x->dtypes[i], x->in[i]);
}

static bool give_float(const struct bl_reference_operands *x, double result)
{
    const bl_dtype dtype = x->dtypes[0];

    bl_value_from_double(dtype, bl_reference_step(dtype, result), x->out);
    return true;
}

static bool give_bits(const struct bl_reference_operands *x, uint64_t result)
{
    bl_value_from_bits(x->dtypes[0], result, x->out);
    return true;
}

static bool give_bool(const struct bl_reference_operands *x, bool result)
{
    bl_value_from_bits(BL_BOOL, result, x->out);
    return true;
}

static bool give_copy(const struct bl_reference_operands *x, size_t i)
{
    memcpy(x->out, x->in[i], bl_dtype_size(x->dtypes[i]));
    return true;
}

/* ---- Arithmetic ---------------------------------------------------------- */

static bool add(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_float(x, number(x, 0) + number(x, 1));
    return give_bits(x, bits(x, 0) + bits(x, 1));
}

static bool sub(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_float(x, number(x, 0) - number(x, 1));
    return give_bits(x, bits(x, 0) - bits(x, 1));
}

static bool mul(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_float(x, number(x, 0) * number(x, 1));
    return give_bits(x, bits(x, 0) * bits(x, 1));
}

/* The magnitude of a signed number in 64 bits. */
static uint64_t magnitude(uint64_t signed_bits)
{
    return signed_bits >> 63 ? 0 - signed_bits : signed_bits;
}

/* Truncates toward zero; MIN / -1 has magnitude 2^(n-1), which is MIN again. */
static bool divide(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_float(x, number(x, 0) / number(x, 1));

    const uint64_t a = bits(x, 0);
    const uint64_t b = bits(x, 1);

    if (b == 0)
        return false;
    if (!is_signed(x->dtypes[0]))
        return give_bits(x, a / b);
    const uint64_t quotient = magnitude(a) / magnitude(b);

    return give_bits(x, (a ^ b) >> 63 ? 0 - quotient : quotient);
}

static bool prelu(const struct bl_reference_operands *x)
{
    const bool negative = is_float(x->dtypes[0])
                              ? number(x, 0) < 0
                              : is_signed(x->dtypes[0]) && bits(x, 0) >> 63;

    return negative ? mul(x) : give_copy(x, 0);
}

/* ---- Folds --------------------------------------------------------------- */

static double sum_of(const struct bl_reference_operands *x)
{
    double sum = number(x, 0);

    for (size_t i = 1; i < x->inputs; i++)
        sum = bl_reference_step(x->dtypes[0], sum + number(x, i));
    return sum;
}

static bool sum(const struct bl_reference_operands *x)
{
    return is_float(x->dtypes[0]) && give_float(x, sum_of(x));
}

static bool mean(const struct bl_reference_operands *x)
{
    return is_float(x->dtypes[0]) && give_float(x, sum_of(x) / (double)x->inputs);
}

/* IEEE 754-2019 maximum: a NaN wins, and +0 is greater than -0. */
static double maximum(double a, double b)
{
    if (isnan(a) || isnan(b))
        return NAN;
    if (a == b)
        return signbit(a) ? b : a;
    return a > b ? a : b;
}

static bool less_bits(bl_dtype dtype, uint64_t a, uint64_t b)
{
    const uint64_t flip = is_signed(dtype) ? UINT64_C(1) << 63 : 0;

    return (a ^ flip) < (b ^ flip);
}

static bool max(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0])) {
        double most = number(x, 0);

        for (size_t i = 1; i < x->inputs; i++)
            most = maximum(most, number(x, i));
        return give_float(x, most);
    }
    uint64_t most = bits(x, 0);

    for (size_t i = 1; i < x->inputs; i++)
        if (less_bits(x->dtypes[0], most, bits(x, i)))
            most = bits(x, i);
    return give_bits(x, most);
}

static bool min(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0])) {
        double least = number(x, 0);

        for (size_t i = 1; i < x->inputs; i++)
            least = -maximum(-least, -number(x, i));
        return give_float(x, least);
    }
    uint64_t least = bits(x, 0);

    for (size_t i = 1; i < x->inputs; i++)
        if (less_bits(x->dtypes[0], bits(x, i), least))
            least = bits(x, i);
    return give_bits(x, least);
}

/* ---- Comparison and logic ------------------------------------------------ */

static bool equal(const struct bl_reference_operands *x)
{
    bl_string a, b;

    if (is_float(x->dtypes[0]))
        return give_bool(x, number(x, 0) == number(x, 1));
    if (x->dtypes[0] != BL_STRING)
        return give_bool(x, bits(x, 0) == bits(x, 1));
    memcpy(&a, x->in[0], sizeof a);
    memcpy(&b, x->in[1], sizeof b);
    return give_bool(x, a.size == b.size &&
                            (a.size == 0 || memcmp(a.data, b.data, a.size) == 0));
}

static bool less(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_bool(x, number(x, 0) < number(x, 1));
    return give_bool(x, less_bits(x->dtypes[0], bits(x, 0), bits(x, 1)));
}

static bool greater(const struct bl_reference_operands *x)
{
    if (is_float(x->dtypes[0]))
        return give_bool(x, number(x, 0) > number(x, 1));
    return give_bool(x, less_bits(x->dtypes[0], bits(x, 1), bits(x, 0)));
}

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

/* ---- Copies -------------------------------------------------------------- */

static bool where(const struct bl_reference_operands *x)
{
    return give_copy(x, bits(x, 0) ? 1 : 2);
}

static bool identity(const struct bl_reference_operands *x)
{
    return give_copy(x, 0);
}

/* ---- The table ----------------------------------------------------------- */

/* The kinds of the first operand (Where: of the second) that an operator has a meaning for.
 */
#define FLOATS (1U << BL_KIND_FLOAT)
#define INTEGERS (1U << BL_KIND_INT | 1U << BL_KIND_UINT)
#define BOOLS (1U << BL_KIND_BOOL)
#define STRINGS (1U << BL_KIND_STRING)
#define ANY (FLOATS | INTEGERS | BOOLS | STRINGS | 1U << BL_KIND_COMPLEX)

struct meaning {
    const char *op;
    bl_reference_fn fn;
    size_t inputs; /* at least */
    size_t typed;  /* which operand `kinds` is about */
    unsigned kinds;
};

static const struct meaning meanings[] = {
    {"Add", add, 2, 0, FLOATS | INTEGERS},
    {"And", and_, 2, 0, BOOLS},
    {"Div", divide, 2, 0, FLOATS | INTEGERS},
    {"Equal", equal, 2, 0, FLOATS | INTEGERS | BOOLS | STRINGS},
    {"Greater", greater, 2, 0, FLOATS | INTEGERS},
    {"Identity", identity, 1, 0, ANY},
    {"Less", less, 2, 0, FLOATS | INTEGERS},
    {"Max", max, 1, 0, FLOATS | INTEGERS},
    {"Mean", mean, 1, 0, FLOATS},
    {"Min", min, 1, 0, FLOATS | INTEGERS},
    {"Mul", mul, 2, 0, FLOATS | INTEGERS},
    {"Or", or_, 2, 0, BOOLS},
    {"PRelu", prelu, 2, 0, FLOATS | INTEGERS},
    {"Pow", bl_reference_pow, 2, 0, FLOATS | INTEGERS},
    {"Sub", sub, 2, 0, FLOATS | INTEGERS},
    {"Sum", sum, 1, 0, FLOATS},
    {"Where", where, 3, 1, ANY},
    {"Xor", xor_, 2, 0, BOOLS},
};

static const struct meaning *meaning_of(const char *op)
{
    for (size_t i = 0; i < BL_COUNT_OF(meanings); i++)
        if (strcmp(meanings[i].op, op) == 0)
            return &meanings[i];
    return NULL;
}

bl_reference_fn bl_reference_find(const char *op)
{
    const struct meaning *meaning = meaning_of(op);

    return meaning != NULL ? meaning->fn : NULL;
}

bool bl_reference_element(const char *op, const bl_dtype *dtypes, const void *const *in,
                          size_t inputs, void *out)
{
    const struct meaning *meaning = meaning_of(op);
    const struct bl_reference_operands x = {dtypes, in, inputs, out};

    if (meaning == NULL || inputs < meaning->inputs)
        return false;
    const struct bl_dtype_info *info = bl_dtype_info(dtypes[meaning->typed]);

    return info != NULL && meaning->kinds >> info->kind & 1 && meaning->fn(&x);
}

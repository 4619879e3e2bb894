/*
 * mod.c - the kernels of Mod on floating types
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The remainder is exact, and takes the C library a loop over the bits of the quotient; one
 * copy serves every tier.  float16 and bfloat16 go by way of double, which holds remainder
 * and sum.
 */
#include "kernels/tables.h"

#include <math.h>

#include "base/compiler.h"
#include "base/half.h"
#include "kernels/row.h"

/* As Python's and ONNX's evaluator's %: the sign of y, also of a zero. */
static double modulo(double x, double y)
{
    const double rest = fmod(x, y);

    if (rest == 0)
        return copysign(rest, y);
    return (rest < 0) != (y < 0) ? rest + y : rest;
}

/* The same in float32, whose one rounding is that of the sum. */
static float modulo_f32(float x, float y)
{
    const float rest = fmodf(x, y);

    if (rest == 0)
        return copysignf(rest, y);
    return (rest < 0) != (y < 0) ? rest + y : rest;
}

static double from_f16(uint16_t x)
{
    return (double)bl_f16_to_f32(x);
}

static double from_bf16(uint16_t x)
{
    return (double)bl_bf16_to_f32(x);
}

/* READ makes a double of an element, WRITE an element of it. */
#define ROW(name, T, READ, WRITE, fmod_of, modulo_of)                                 \
    static size_t name(const struct bl_row *row)                                      \
    {                                                                                 \
        const T *a = row->in[0];                                                      \
        const T *b = row->in[1];                                                      \
        T *y = row->out;                                                              \
                                                                                      \
        for (size_t i = 0; i < row->n; i++, a += row->stride[0], b += row->stride[1]) \
            y[i] = WRITE(row->params->fmod ? fmod_of(READ(*a), READ(*b))              \
                                           : modulo_of(READ(*a), READ(*b)));          \
        return row->n;                                                                \
    }

ROW(row_f16, uint16_t, from_f16, bl_f64_to_f16, fmod, modulo)
ROW(row_bf16, uint16_t, from_bf16, bl_f64_to_bf16, fmod, modulo)
ROW(row_f32, float, , , fmodf, modulo_f32)
ROW(row_f64, double, , , fmod, modulo)

static const struct bl_op_rows ops[] = {
    {BL_OP_MOD,
     {[BL_FLOAT16] = row_f16,
      [BL_BFLOAT16] = row_bf16,
      [BL_FLOAT32] = row_f32,
      [BL_FLOAT64] = row_f64}},
};

const struct bl_op_table bl_float_mod = {BL_COUNT_OF(ops), ops};

/*
 * math_functions.c - every transcendental operator, with references of higher precision
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The references are the definitions, in the form in which they lose no precision.
 */
#include "math_functions.h"

#include <math.h>

#include "base/compiler.h"

typedef const struct bl_params *params;

#define REAL double
#define TAG quick
#define M(function) function
#include "math_reference.tmpl.h"

#define REAL long double
#define TAG wide
#define M(function) function##l
#include "math_reference.tmpl.h"

/* ---- In MPFR ------------------------------------------------------------------------- */

#ifdef BL_HAVE_MPFR

#define DIRECT(name)                             \
    static void exact_##name(mpfr_t y, params p) \
    {                                            \
        (void)p;                                 \
        mpfr_##name(y, y, MPFR_RNDN);            \
    }

DIRECT(acos)
DIRECT(acosh)
DIRECT(asin)
DIRECT(asinh)
DIRECT(atan)
DIRECT(atanh)
DIRECT(cos)
DIRECT(cosh)
DIRECT(erf)
DIRECT(exp)
DIRECT(log)
DIRECT(sin)
DIRECT(sinh)
DIRECT(tan)
DIRECT(tanh)
#undef DIRECT

/* 1 / (1 + e^-y) */
static void exact_sigmoid(mpfr_t y, params p)
{
    (void)p;
    mpfr_neg(y, y, MPFR_RNDN);
    mpfr_exp(y, y, MPFR_RNDN);
    mpfr_add_ui(y, y, 1, MPFR_RNDN);
    mpfr_ui_div(y, 1, y, MPFR_RNDN);
}

/* max(y, 0) + log(1 + e^-|y|) */
static void exact_softplus(mpfr_t y, params p)
{
    mpfr_t x;

    (void)p;
    mpfr_init2(x, mpfr_get_prec(y));
    mpfr_set(x, y, MPFR_RNDN);
    if (mpfr_sgn(y) > 0)
        mpfr_neg(y, y, MPFR_RNDN);
    mpfr_exp(y, y, MPFR_RNDN);
    mpfr_log1p(y, y, MPFR_RNDN);
    if (mpfr_sgn(x) > 0)
        mpfr_add(y, y, x, MPFR_RNDN);
    mpfr_clear(x);
}

static void exact_mish(mpfr_t y, params p)
{
    mpfr_t x;

    mpfr_init2(x, mpfr_get_prec(y));
    mpfr_set(x, y, MPFR_RNDN);
    exact_softplus(y, p);
    mpfr_tanh(y, y, MPFR_RNDN);
    mpfr_mul(y, y, x, MPFR_RNDN);
    mpfr_clear(x);
}

static void exact_elu(mpfr_t y, params p)
{
    if (mpfr_sgn(y) >= 0)
        return;
    mpfr_expm1(y, y, MPFR_RNDN);
    mpfr_mul_d(y, y, p->alpha, MPFR_RNDN);
}

static void exact_selu(mpfr_t y, params p)
{
    exact_elu(y, p);
    mpfr_mul_d(y, y, p->gamma, MPFR_RNDN);
}

/* With alpha above 0. */
static void exact_celu(mpfr_t y, params p)
{
    if (mpfr_sgn(y) >= 0)
        return;
    mpfr_div_d(y, y, p->alpha, MPFR_RNDN);
    mpfr_expm1(y, y, MPFR_RNDN);
    mpfr_mul_d(y, y, p->alpha, MPFR_RNDN);
}

/* y = x sigmoid(y) */
static void exact_gate(mpfr_t y, const mpfr_t x, params p)
{
    exact_sigmoid(y, p);
    mpfr_mul(y, y, x, MPFR_RNDN);
}

static void exact_swish(mpfr_t y, params p)
{
    mpfr_t x;

    mpfr_init2(x, mpfr_get_prec(y));
    mpfr_set(x, y, MPFR_RNDN);
    mpfr_mul_d(y, y, p->alpha, MPFR_RNDN);
    exact_gate(y, x, p);
    mpfr_clear(x);
}

static void exact_gelu(mpfr_t y, params p)
{
    mpfr_t x, z;

    mpfr_inits2(mpfr_get_prec(y), x, z, (mpfr_ptr)0);
    mpfr_set(x, y, MPFR_RNDN);
    if (p->tanh) { /* 2 sqrt(2 / pi) (x + 0.044715 x^3) */
        mpfr_pow_ui(y, x, 3, MPFR_RNDN);
        mpfr_mul_ui(y, y, 44715, MPFR_RNDN);
        mpfr_div_ui(y, y, 1000000, MPFR_RNDN);
        mpfr_add(y, y, x, MPFR_RNDN);
        mpfr_const_pi(z, MPFR_RNDN);
        mpfr_ui_div(z, 8, z, MPFR_RNDN);
        mpfr_sqrt(z, z, MPFR_RNDN);
        mpfr_mul(y, y, z, MPFR_RNDN);
        exact_gate(y, x, p);
    } else { /* x erfc(-x / sqrt(2)) / 2 */
        mpfr_sqrt_ui(z, 2, MPFR_RNDN);
        mpfr_div(y, y, z, MPFR_RNDN);
        mpfr_neg(y, y, MPFR_RNDN);
        mpfr_erfc(y, y, MPFR_RNDN);
        mpfr_mul(y, y, x, MPFR_RNDN);
        mpfr_div_ui(y, y, 2, MPFR_RNDN);
    }
    mpfr_clears(x, z, (mpfr_ptr)0);
}

#define REFERENCES(name) quick_##name, wide_##name, exact_##name
#else
#define REFERENCES(name) quick_##name, wide_##name
#endif

/* ---- The list ------------------------------------------------------------------------ */

const struct math_function math_functions[] = {
    {"Acos", BL_OP_ACOS, {.alpha = 0}, REFERENCES(acos)},
    {"Acosh", BL_OP_ACOSH, {.alpha = 0}, REFERENCES(acosh)},
    {"Asin", BL_OP_ASIN, {.alpha = 0}, REFERENCES(asin)},
    {"Asinh", BL_OP_ASINH, {.alpha = 0}, REFERENCES(asinh)},
    {"Atan", BL_OP_ATAN, {.alpha = 0}, REFERENCES(atan)},
    {"Atanh", BL_OP_ATANH, {.alpha = 0}, REFERENCES(atanh)},
    {"Celu", BL_OP_CELU, {.alpha = 1}, REFERENCES(celu)},
    {"Celu(0.3)", BL_OP_CELU, {.alpha = 0.3f}, REFERENCES(celu)},
    {"Celu(1000)", BL_OP_CELU, {.alpha = 1000}, REFERENCES(celu)},
    {"Cos", BL_OP_COS, {.alpha = 0}, REFERENCES(cos)},
    {"Cosh", BL_OP_COSH, {.alpha = 0}, REFERENCES(cosh)},
    {"Elu", BL_OP_ELU, {.alpha = 1}, REFERENCES(elu)},
    {"Elu(1.7)", BL_OP_ELU, {.alpha = 1.7f}, REFERENCES(elu)},
    {"Erf", BL_OP_ERF, {.alpha = 0}, REFERENCES(erf)},
    {"Exp", BL_OP_EXP, {.alpha = 0}, REFERENCES(exp)},
    {"Gelu", BL_OP_GELU, {.alpha = 0}, REFERENCES(gelu)},
    {"Gelu(tanh)", BL_OP_GELU, {.tanh = true}, REFERENCES(gelu)},
    {"Log", BL_OP_LOG, {.alpha = 0}, REFERENCES(log)},
    {"Mish", BL_OP_MISH, {.alpha = 0}, REFERENCES(mish)},
    {"Selu",
     BL_OP_SELU,
     {.alpha = 1.67326319217681884765625f, .gamma = 1.05070102214813232421875f},
     REFERENCES(selu)},
    {"Sigmoid", BL_OP_SIGMOID, {.alpha = 0}, REFERENCES(sigmoid)},
    {"Sin", BL_OP_SIN, {.alpha = 0}, REFERENCES(sin)},
    {"Sinh", BL_OP_SINH, {.alpha = 0}, REFERENCES(sinh)},
    {"Softplus", BL_OP_SOFTPLUS, {.alpha = 0}, REFERENCES(softplus)},
    {"Swish", BL_OP_SWISH, {.alpha = 1}, REFERENCES(swish)},
    {"Swish(1.7)", BL_OP_SWISH, {.alpha = 1.7f}, REFERENCES(swish)},
    {"Tan", BL_OP_TAN, {.alpha = 0}, REFERENCES(tan)},
    {"Tanh", BL_OP_TANH, {.alpha = 0}, REFERENCES(tanh)},
};

const size_t math_function_count = BL_COUNT_OF(math_functions);

/*
 * math_reference.tmpl.h - the transcendental operators in the C library's functions of one
 * type
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters, which it undefines:
 *   REAL   double or long double; TAG, the prefix of every name made here
 *   M(fn)  the name of a function of <math.h> for REAL
 */
#define NAME(name) BL_CAT(TAG, name)

#define DIRECT(name)                         \
    static REAL NAME(name)(REAL x, params p) \
    {                                        \
        (void)p;                             \
        return M(name)(x);                   \
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

static REAL NAME(sigmoid)(REAL x, params p)
{
    (void)p;
    return 1 / (1 + M(exp)(-x));
}

static REAL NAME(softplus)(REAL x, params p)
{
    (void)p;
    return x > 0 ? x + M(log1p)(M(exp)(-x)) : M(log1p)(M(exp)(x));
}

static REAL NAME(mish)(REAL x, params p)
{
    return x * M(tanh)(NAME(softplus)(x, p));
}

static REAL NAME(elu)(REAL x, params p)
{
    return x < 0 ? (REAL)p->alpha * M(expm1)(x) : x;
}

static REAL NAME(selu)(REAL x, params p)
{
    return (REAL)p->gamma * NAME(elu)(x, p);
}

static REAL NAME(celu)(REAL x, params p)
{
    const REAL alpha = (REAL)p->alpha;
    const REAL y = alpha * M(expm1)(x / alpha);

    return isnan(x) ? x : (x > 0 ? x : 0) + (y < 0 ? y : 0);
}

static REAL NAME(gelu)(REAL x, params p)
{
    const REAL two_root = (REAL)1.595769121605730711759784085L; /* 2 sqrt(2 / pi) */
    const REAL root_half = (REAL)0.7071067811865475244008443621L;
    const REAL third = (REAL)0.044715L;

    if (p->tanh)
        return x * NAME(sigmoid)(two_root * (x + third * x * x * x), p);
    return x / 2 * M(erfc)(-x * root_half);
}

static REAL NAME(swish)(REAL x, params p)
{
    return x * NAME(sigmoid)((REAL)p->alpha * x, p);
}

#undef REAL
#undef TAG
#undef M
#undef NAME

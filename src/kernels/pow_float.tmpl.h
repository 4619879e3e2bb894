/*
 * pow_float.tmpl.h - Pow of floating bases: blocks of powers, and the rows of float32, float64
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A block goes through several short loops: in one long loop a processor would wait for the
 * end of the chain from x to x^y, being able to look ahead no further than that.
 */

/* Elements of a block; what is kept between the loops fits the first-level cache. */
#define PIECE 256

struct powers {
    float x[PIECE];  /* the bases, where they do not lie side by side */
    double y[PIECE]; /* the exponents */
    double r[PIECE]; /* the powers, not yet rounded */
    float f[PIECE];  /* rounded */
};

static inline size_t piece_size(const struct bl_row *row, size_t at)
{
    return row->n - at < PIECE ? row->n - at : PIECE;
}

/* ---- Powers of positive numbers ---------------------------------------------------------- */

#define SIGN_BIT32 UINT32_C(0x80000000)
#define LEAST_NORMAL UINT32_C(0x00800000)
#define ROOT_HALF UINT32_C(0x3F3504F3)

/* |x| = m * 2^k, m from sqrt(1/2) to sqrt(2), and s = (m - 1) / (m + 1).  The sign bit is set
 * in the result if one x is not a positive, normal number. */
static uint32_t split_all(size_t n, const float *x, double *s, int32_t *k)
{
    uint32_t odd = 0;

    for (size_t i = 0; i < n; i++) {
        const uint32_t bits = bl_f32_bits(x[i]);
        const uint32_t moved = (bits & ~SIGN_BIT32) - ROOT_HALF;
        const double m = bl_f32_from_bits((moved & 0x7FFFFF) + ROOT_HALF);

        odd |= (bits - LEAST_NORMAL) | (bits + LEAST_NORMAL);
        k[i] = (int32_t)moved >> 23;
        s[i] = (m - 1) / (m + 1);
    }
    return odd;
}

/* y * log2 x */
static void log_all(size_t n, const double *s, const int32_t *k, const double *y, double *e)
{
    for (size_t i = 0; i < n; i++)
        e[i] = y[i] * fused(s[i], log2_rest_6(s[i] * s[i]), k[i]);
}

/* 2^e, or unknown, and rounded.  The sign bit is set in the result if one is doubtful. */
static uint64_t exp_all(size_t n, const double *e, double *r, float *f)
{
    const uint64_t limit = bl_f64_bits(POW_LIMIT) - 1;
    double p[PIECE];
    uint64_t doubts = 0;

    for (size_t i = 0; i < n; i++)
        p[i] = exp2_9(e[i] - nearest(e[i]));
    for (size_t i = 0; i < n; i++) {
        const uint64_t bits = bl_f64_bits(p[i]) + (integer_bits(e[i]) << 52);
        const double power = bl_f64_from_bits(bits);

        doubts |= doubt(bits) | (limit - bl_f64_bits(magnitude(e[i])));
        r[i] = magnitude(e[i]) < POW_LIMIT ? power : bl_f64_from_bits(POW_UNKNOWN);
        f[i] = (float)power;
    }
    return doubts;
}

/* ---- Powers of any number ---------------------------------------------------------------- */

/* Given |x|^y, x^y: NaN or with a sign where x is negative; unknown where x or y is special. */
static void sign_all(size_t n, struct powers *block, const float *x)
{
    const double *y = block->y;
    double *r = block->r;

    for (size_t i = 0; i < n; i++) {
        const double a = magnitude(x[i]);
        const double whole = nearest(y[i]) - y[i];
        const double odd = nearest(y[i] * 0.5) - y[i] * 0.5;
        const double negated = whole != 0 ? NAN : odd != 0 ? -r[i] : r[i];
        const double power = x[i] < 0 ? negated : r[i];
        const int known = a >= 0x1p-126 && a < INFINITY && magnitude(y[i]) < 0x1p51;

        r[i] = known ? power : bl_f64_from_bits(POW_UNKNOWN);
        block->f[i] = (float)r[i];
    }
}

/* The powers of a block.  Returns whether one of them may be doubtful. */
static int power_all(size_t n, struct powers *block, const float *x)
{
    int32_t k[PIECE];
    double s[PIECE], e[PIECE];
    const uint32_t odd = split_all(n, x, s, k) & SIGN_BIT32;

    log_all(n, s, k, block->y, e);
    const uint64_t doubts = exp_all(n, e, block->r, block->f) & SIGN_BIT;

    if (odd != 0)
        sign_all(n, block, x);
    return odd != 0 || doubts != 0;
}

/* ---- Exponents --------------------------------------------------------------------------- */

static void to_doubles(size_t n, const float *x, double *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = x[i];
}

/* n numbers from `at` of a float32 input, side by side. */
static const float *singles(const struct bl_row *row, size_t j, size_t at, size_t n,
                            float *buffer)
{
    const float *in = operand(row, j, at, sizeof(float));

    if (row->stride[j] == 1)
        return in;
    spread(n, buffer, in, row->stride[j], sizeof(float));
    return buffer;
}

/* Read the exponents of a block, of any type; a single one only at the start of the row. */
static void exponents(const struct bl_row *row, size_t at, size_t n, double *y)
{
    const ptrdiff_t stride = row->stride[1];
    float buffer[PIECE];

    if (stride == 0) {
        if (at != 0)
            return;
        bl_pow_exponents(row, 0, 1, y);
        for (size_t i = 1; i < PIECE; i++)
            y[i] = y[0];
    } else if (row->second == BL_FLOAT32) {
        to_doubles(n, singles(row, 1, at, n, buffer), y);
    } else if (row->second == BL_FLOAT16) {
        widen_f16(n, buffer, operand(row, 1, at, sizeof(uint16_t)), stride);
        to_doubles(n, buffer, y);
    } else if (row->second == BL_BFLOAT16) {
        widen_bf16(n, buffer, operand(row, 1, at, sizeof(uint16_t)), stride);
        to_doubles(n, buffer, y);
    } else {
        bl_pow_exponents(row, at, n, y);
    }
}

/* ---- One exponent for the whole row ------------------------------------------------------- */

/* The exponents whose powers are a step or two; these give the same bits as the C library's
 * pow, for every float32 (tests/exhaustive/pow_exhaustive.c). */
enum fixed { NOT_FIXED, SQUARE, CUBE, ROOT, RECIPROCAL };

static enum fixed fixed_exponent(const struct bl_row *row)
{
    double y;

    if (row->stride[1] != 0 || row->n == 0)
        return NOT_FIXED;
    bl_pow_exponents(row, 0, 1, &y);
    return y == 2     ? SQUARE
           : y == 3   ? CUBE
           : y == 0.5 ? ROOT
           : y == -1  ? RECIPROCAL
                      : NOT_FIXED;
}

static void fixed_all(size_t n, const float *x, enum fixed exponent, float *y)
{
    switch (exponent) {
    case SQUARE:
        BL_LANEWISE
        for (size_t i = 0; i < n; i++)
            y[i] = x[i] * x[i];
        break;
    case CUBE:
        BL_LANEWISE
        for (size_t i = 0; i < n; i++)
            y[i] = (float)((double)x[i] * x[i] * x[i]);
        break;
    case ROOT: /* pow has no negative zero here, and a root of -infinity */
        BL_LANEWISE
        for (size_t i = 0; i < n; i++)
            y[i] = x[i] == -INFINITY ? INFINITY : sqrtf(x[i] + 0.0F);
        break;
    default:
        BL_LANEWISE
        for (size_t i = 0; i < n; i++)
            y[i] = 1 / x[i];
    }
}

/* ---- Rows -------------------------------------------------------------------------------- */

static size_t row_f32(const struct bl_row *row)
{
    const enum fixed fixed = fixed_exponent(row);
    struct powers block;

    for (size_t at = 0; at < row->n; at += PIECE) {
        const size_t n = piece_size(row, at);
        const float *x = singles(row, 0, at, n, block.x);
        float *out = (float *)row->out + at;

        if (fixed != NOT_FIXED) {
            fixed_all(n, x, fixed, out);
            continue;
        }
        exponents(row, at, n, block.y);
        if (power_all(n, &block, x))
            for (size_t i = 0; i < n; i++)
                if (is_doubtful(block.r[i]))
                    block.f[i] = (float)bl_pow_value(row, BL_FLOAT32, at + i);
        memcpy(out, block.f, n * sizeof(float));
    }
    return row->n;
}

/* float64 leaves no room above its own digits: only squares are vectors. */
static size_t row_f64(const struct bl_row *row)
{
    const double *x = row->in[0];
    double *y = row->out;

    if (fixed_exponent(row) != SQUARE || row->stride[0] != 1)
        return bl_pow_doubles(row);
    BL_LANEWISE
    for (size_t i = 0; i < row->n; i++)
        y[i] = x[i] * x[i];
    return row->n;
}

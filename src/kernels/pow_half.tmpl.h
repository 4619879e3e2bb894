/*
 * pow_half.tmpl.h - Pow of one 16-bit float, by way of the powers of float32
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters, which it undefines: TAG f16 or bf16, DTYPE.  Needs pow_float.tmpl.h.
 */

/* The float32 next to each power, toward 0 and away from it.  Zeros, infinities and NaNs are
 * their own neighbours. */
static void F(neighbours)(size_t n, const float *power, float *low, float *high)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t bits = bl_f32_bits(power[i]);
        const uint32_t step = (bits & ~SIGN_BIT32) - 1 < 0x7F7FFFFF ? 1 : 0;

        low[i] = bl_f32_from_bits(bits - step);
        high[i] = bl_f32_from_bits(bits + step);
    }
}

/*
 * Round a block of powers, each less than one float32 away from the truth, or doubtful by its
 * double r[i] where r is not NULL.  If both neighbours of a power round to the same number,
 * so does the truth; otherwise it is computed again and put into a float32 that rounds as
 * the double would.
 */
static void F(round)(const struct bl_row *row, size_t at, size_t n, float *power,
                     const double *r)
{
    float low[PIECE], high[PIECE];
    uint16_t below[PIECE], above[PIECE];
    unsigned differ = r != NULL;

    F(neighbours)(n, power, low, high);
    F(narrow)(n, below, low, 1);
    F(narrow)(n, above, high, 1);
    for (size_t i = 0; i < n; i++)
        differ |= below[i] ^ above[i];
    for (size_t i = 0; i < n && differ != 0; i++)
        if (below[i] != above[i] || (r != NULL && is_doubtful(r[i])))
            power[i] = bl_f64_to_f32_odd(bl_pow_value(row, DTYPE, at + i));
    F(narrow)(n, (uint16_t *)row->out + at, power, 1);
}

static size_t F(row)(const struct bl_row *row)
{
    const enum fixed fixed = fixed_exponent(row);
    struct powers block;

    for (size_t at = 0; at < row->n; at += PIECE) {
        const size_t n = piece_size(row, at);
        int doubts = 0;

        F(widen)(n, block.x, operand(row, 0, at, sizeof(uint16_t)), row->stride[0]);
        if (fixed != NOT_FIXED) {
            fixed_all(n, block.x, fixed, block.f);
        } else {
            exponents(row, at, n, block.y);
            doubts = power_all(n, &block, block.x);
        }
        F(round)(row, at, n, block.f, doubts ? block.r : NULL);
    }
    return row->n;
}

#undef TAG
#undef DTYPE

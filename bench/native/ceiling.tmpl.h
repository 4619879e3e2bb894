/*
 * ceiling.tmpl.h - the passes over memory that are the ceiling, for one width of registers
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: TAG the suffix of every name made here; BYTES a register's width; TARGET the
 * function attribute that allows its instructions; STREAM(pointer, value) a non-temporal
 * store, not defined where there is none.
 */
#define CAT_(a, b) a##_##b
#define CAT(a, b) CAT_(a, b)
#define F(name) CAT(name, TAG)

typedef float F(lanes) __attribute__((vector_size(BYTES), may_alias));

enum { F(width) = BYTES / sizeof(float) };

/* out = in[0] + ... + in[reads - 1], or in[0] + 3 in[1].  Everything but the pointers and n is
 * a constant in each call. */
static inline __attribute__((always_inline)) TARGET void
F(pass)(int reads, int triad, int stream, float *out, float *const *in, size_t n)
{
    float *from[CEILING_READS_MAX];

    for (int k = 0; k < reads; k++)
        from[k] = in[k];
    for (size_t i = 0; i + 4 * F(width) <= n; i += 4 * F(width)) {
        for (size_t j = i; j < i + 4 * F(width); j += F(width)) {
            F(lanes) sum = *(const F(lanes) *)(from[0] + j);

            if (triad)
                sum += 3.0F * *(const F(lanes) *)(from[1] + j);
            else
                for (int k = 1; k < reads; k++)
                    sum += *(const F(lanes) *)(from[k] + j);
#ifdef STREAM
            if (stream) {
                STREAM(out + j, sum);
                continue;
            }
#endif
            *(F(lanes) *)(out + j) = sum;
        }
    }
#ifdef STREAM
    if (stream)
        _mm_sfence();
#endif
    (void)stream;
}

#define PASS(name, reads, triad, stream)                               \
    static TARGET void F(name)(float *out, float *const *in, size_t n) \
    {                                                                  \
        F(pass)(reads, triad, stream, out, in, n);                     \
    }
PASS(copy, 1, 0, 0)
PASS(add, 2, 0, 0)
PASS(triad, 2, 1, 0)
PASS(sum4, 4, 0, 0)
PASS(sum8, 8, 0, 0)
PASS(sum15, 15, 0, 0)
#ifdef STREAM
PASS(copy_nt, 1, 0, 1)
PASS(add_nt, 2, 0, 1)
PASS(triad_nt, 2, 1, 1)
PASS(sum4_nt, 4, 0, 1)
PASS(sum8_nt, 8, 0, 1)
PASS(sum15_nt, 15, 0, 1)
#endif

#undef PASS
#undef F
#undef CAT
#undef CAT_
#undef TAG
#undef BYTES
#undef TARGET
#undef STREAM

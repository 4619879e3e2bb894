/*
 * compiler.h - the compiler features we use beyond C11, each under a name that says what
 * for
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_BASE_COMPILER_H
#define BL_BASE_COMPILER_H

#define BL_CAT_(a, b) a##_##b
/* BL_CAT(add, f32) is add_f32, with both sides expanded first. */
#define BL_CAT(a, b) BL_CAT_(a, b)

#if defined(__GNUC__)
#define BL_FORCE_INLINE static inline __attribute__((always_inline))
#define BL_NOINLINE __attribute__((noinline)) /* for the size: many callers */
#define BL_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define BL_UNUSED __attribute__((unused))
#define BL_MAY_ALIAS \
    __attribute__((may_alias)) /* as char: an lvalue for memory of any type */
#define BL_LIKELY(x) __builtin_expect(!!(x), 1)
#define BL_PREFETCH(address) __builtin_prefetch(address)
#else
#define BL_FORCE_INLINE static inline
#define BL_NOINLINE
#define BL_PRINTF(text, first)
#define BL_UNUSED
#define BL_MAY_ALIAS
#define BL_LIKELY(x) (x)
#define BL_PREFETCH(address) ((void)(address))
#endif

/* Before a loop whose iteration i reads index i of its inputs and writes index i of its
 * output only.  The output may be one of the inputs; without this clang guards each vector
 * loop by an overlap test, which exactly that call fails, and goes element by element. */
#if defined(__clang__)
#define BL_LANEWISE _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define BL_LANEWISE _Pragma("GCC ivdep")
#else
#define BL_LANEWISE
#endif

/* Before a loop of few, constantly many rounds: write them all out, so that what they
 * keep in a local array can lie in registers. */
#if defined(__clang__)
#define BL_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define BL_UNROLL _Pragma("GCC unroll 8")
#else
#define BL_UNROLL
#endif

/* typedef uint32_t BL_UNALIGNED_PAIR name: in memory of any two values of 16 bits. */
#if defined(__GNUC__)
#define BL_UNALIGNED_PAIR __attribute__((aligned(2), may_alias))
#else
#define BL_UNALIGNED_PAIR
#endif

/* typedef T BL_VECTOR(T, bytes) name: as many T side by side as take so many bytes, with
 * T's own operators, to be loaded from and stored to any address that is aligned for T.
 * One T where the compiler has no vectors. */
#if defined(__GNUC__)
#define BL_VECTOR(T, bytes) \
    __attribute__((vector_size(bytes), aligned(sizeof(T)), may_alias))
#else
#define BL_VECTOR(T, bytes)
#endif

#define BL_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif

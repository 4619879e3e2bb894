/*
 * kernel_check.h - what the files of the kernel checker share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CHECK_KERNEL_CHECK_H
#define BL_CHECK_KERNEL_CHECK_H

#include <stdbool.h>

#include "base/compiler.h"
#include "guard.h"
#include "kernels/kernel.h"
#include "random.h"

/* Elements in a row at most, and inputs: so many that a variadic kernel's blocks come
 * several times, and its inputs too. */
#define CHECK_LONGEST 1100
#define CHECK_INPUTS 33

/* The call that is being tried: for the message about a failure, or about a trap in it. */
struct check_call {
    const char *tier;
    const char *kernel; /* "Add" */
    bl_dtype dtype, second;
    size_t n;
    size_t inputs;
    const ptrdiff_t *stride;
    const char *note; /* what else is special */
    int in_place;     /* the input that out is, or a value of enum check_place */
    bool at_end;
};

enum check_place { CHECK_APART = -1, CHECK_ALL_ONE = -2 /* every input is out */ };

/* The one global: a signal handler has no other way to know. */
extern struct check_call check_current;

/* One line on the current call, then the text. */
void check_report(const char *format, ...) BL_PRINTF(1, 2);

/* What the checks work with. */
struct checker {
    struct guard out;
    struct guard in[CHECK_INPUTS];
    random_state random;
    bool quick;
    unsigned long elements; /* compared so far */
};

/* Try a row kernel in every way; false (and a report) at the first difference from the
 * reference.  `second` is the type of Pow's exponent, else `dtype`. */
bool check_row(struct checker *checker, bl_row_fn fn, enum bl_op_id op, bl_dtype dtype,
               bl_dtype second);

/* The same for Gemm's kernels. */
bool check_product(struct checker *checker, const struct bl_product *product,
                   bl_dtype dtype);
bool check_widen(struct checker *checker, bl_convert_fn fn, bl_dtype dtype);
bool check_narrow(struct checker *checker, bl_convert_fn fn, bl_dtype dtype);

#endif

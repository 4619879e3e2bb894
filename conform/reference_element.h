/*
 * reference_element.h - what the meanings of operators for one element are written with
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_REFERENCE_ELEMENT_H
#define BL_CONFORM_REFERENCE_ELEMENT_H

#include <string.h>

#include "conform/reference_parts.h"
#include "conform/value.h"
#include "tensor/dtype.h"

/* The arguments of bl_reference_element, and where the bytes of a new string may go. */
struct bl_reference_operands {
    const bl_node *node;
    const bl_dtype *dtypes;
    const void *const *in;
    size_t inputs;
    bl_dtype out_dtype;
    void *out;
    char *text;
    size_t text_size;
};

/* Returns false where there is no result. */
typedef bool (*bl_reference_fn)(const struct bl_reference_operands *x);

/* The kinds of the first operand (Where: of the second) that an operator has a meaning for.
 */
#define BL_FLOATS (1U << BL_KIND_FLOAT)
#define BL_INTEGERS (1U << BL_KIND_INT | 1U << BL_KIND_UINT)
#define BL_BOOLS (1U << BL_KIND_BOOL)
#define BL_STRINGS (1U << BL_KIND_STRING)
#define BL_COMPLEXES (1U << BL_KIND_COMPLEX)
#define BL_NUMBERS (BL_FLOATS | BL_INTEGERS)
#define BL_ANY (BL_NUMBERS | BL_BOOLS | BL_STRINGS | BL_COMPLEXES)

struct bl_reference_meaning {
    const char *op;
    bl_reference_fn fn;
    size_t inputs; /* at least */
    size_t typed;  /* which operand `kinds` is about */
    unsigned kinds;
};

/* The operators of a file; the last one's name is NULL. */
extern const struct bl_reference_meaning bl_reference_arithmetic[];
extern const struct bl_reference_meaning bl_reference_logic[];
extern const struct bl_reference_meaning bl_reference_unary[];
extern const struct bl_reference_meaning bl_reference_transcendental[];
extern const struct bl_reference_meaning bl_reference_casts[];

/* The meaning of an operator by name; NULL if it is not pointwise, or unknown. */
const struct bl_reference_meaning *bl_reference_find(const char *op);

/* Call a meaning, if it is one of these types. */
bool bl_reference_call_meaning(const struct bl_reference_meaning *meaning,
                               const struct bl_reference_operands *x);

/* Pow. */
bool bl_reference_pow(const struct bl_reference_operands *x);

/* Cast between a string and another type. */
bool bl_reference_cast_from_text(const struct bl_reference_operands *x);
bool bl_reference_cast_to_text(const struct bl_reference_operands *x);

/* A number as an element of the output's type, as Cast does it from a floating type. */
void bl_reference_cast_number(const struct bl_reference_operands *x, double value);

/* A result of one arithmetic operation in double, rounded to the type in which `dtype` is
 * computed: float32 for all floating types but float64. */
double bl_reference_step(bl_dtype dtype, double exact);

/* IEEE 754-2019 maximum: a NaN wins, and +0 is greater than -0. */
double bl_reference_maximum(double a, double b);

/* a < b, of integers in 64 bits. */
bool bl_reference_less_bits(bl_dtype dtype, uint64_t a, uint64_t b);

/* ---- Operands ------------------------------------------------------------ */

static inline bool is_float(bl_dtype dtype)
{
    return bl_dtype_info(dtype)->kind == BL_KIND_FLOAT;
}

static inline bool is_signed(bl_dtype dtype)
{
    return bl_dtype_info(dtype)->kind == BL_KIND_INT;
}

static inline double number(const struct bl_reference_operands *x, size_t i)
{
    return bl_value_to_double(x->dtypes[i], x->in[i]);
}

static inline uint64_t bits(const struct bl_reference_operands *x, size_t i)
{
    return bl_value_to_bits(x->dtypes[i], x->in[i]);
}

static inline bl_string string(const struct bl_reference_operands *x, size_t i)
{
    bl_string it;

    memcpy(&it, x->in[i], sizeof it);
    return it;
}

/* ---- Results ------------------------------------------------------------- */

static inline bool give_float(const struct bl_reference_operands *x, double result)
{
    const bl_dtype dtype = x->dtypes[0];

    bl_value_from_double(dtype, bl_reference_step(dtype, result), x->out);
    return true;
}

static inline bool give_bits(const struct bl_reference_operands *x, uint64_t result)
{
    bl_value_from_bits(x->dtypes[0], result, x->out);
    return true;
}

static inline bool give_bool(const struct bl_reference_operands *x, bool result)
{
    bl_value_from_bits(BL_BOOL, result, x->out);
    return true;
}

static inline bool give_copy(const struct bl_reference_operands *x, size_t i)
{
    memcpy(x->out, x->in[i], bl_dtype_size(x->dtypes[i]));
    return true;
}

/* The first `size` bytes of x->text. */
static inline bool give_text(const struct bl_reference_operands *x, size_t size)
{
    const bl_string made = {x->text, size};

    memcpy(x->out, &made, sizeof made);
    return true;
}

#endif

/*
 * operands.c - random tensors with odd values in them, and bit-for-bit comparison
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "operands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "conform/value.h"
#include "ops/op.h"
#include "tensor/dtype.h"

bool takes_any_operands(const bl_op *op)
{
    switch (bl_schema_of(op)->form) {
    case BL_FORM_CLIP:
    case BL_FORM_CAST:
    case BL_FORM_VIEW:
    case BL_FORM_HOST:
    case BL_FORM_MATMUL:
        return false;
    default:
        return true;
    }
}

enum values values_for(const bl_op *op, size_t i)
{
    if (i == 1 && (strcmp(op->name, "Div") == 0 || strcmp(op->name, "Mod") == 0))
        return NO_ZERO;
    return i == 1 && strcmp(op->name, "Pow") == 0 ? SMALL : ANY;
}

uint64_t next_random(uint64_t *seed)
{
    /* splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
     * 2014. */
    uint64_t z = *seed += 0x9E3779B97F4A7C15;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

/* Values at which rounding, comparing and dividing go wrong. */
static double odd_value(uint64_t *seed)
{
    static const double odd[] = {
        0.0,      -0.0,         1.0,           -1.0,   2.0,    0.5,     -3.25,   NAN,
        INFINITY, -INFINITY,    1e-45,         -1e-40, 6e-8,   65504.0, 65520.0, 3.4e38,
        1e-310,   2147483647.0, -2147483648.0, 127.0,  -128.0, 255.0};

    return odd[next_random(seed) % (sizeof odd / sizeof *odd)];
}

static void fill_string(bl_string *out, uint64_t *seed)
{
    static const char *const words[] = {"", "a", "b", "ab", "loom", "\xC3\xA4"};
    const char *word = words[next_random(seed) % (sizeof words / sizeof *words)];

    *out = (bl_string){word, strlen(word)};
}

static bool is_zero(const void *element, size_t bytes)
{
    static const char zero[16];

    return memcmp(element, zero, bytes) == 0;
}

void fill_random(bl_dtype dtype, enum values values, void *elements, int64_t count,
                 uint64_t *seed)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);

    for (int64_t i = 0; i < count; i++) {
        char *element = (char *)elements + (size_t)i * info->bytes;
        const uint64_t bits[] = {next_random(seed), next_random(seed)};

        if (dtype == BL_STRING) {
            fill_string((bl_string *)(void *)element, seed);
            continue;
        }
        if (values == SMALL)
            bl_value_from_double(dtype, (double)(bits[0] % 4), element);
        else if (info->kind != BL_KIND_COMPLEX && bits[1] % 3 == 0)
            bl_value_from_double(dtype, odd_value(seed), element);
        else
            memcpy(element, bits, info->bytes);
        if (info->bits < 8)
            *element = (char)(*element & 1); /* within the range of every small type */
        if (values == NO_ZERO && is_zero(element, info->bytes))
            *element = 1;
    }
}

bl_tensor *random_tensor(bl_dtype dtype, const bl_shape *shape, enum values values,
                         uint64_t *seed)
{
    bl_tensor *tensor = bl_tensor_new(NULL, dtype, shape, NULL);

    for (int64_t i = 0; i < bl_tensor_count(tensor); i++) {
        if (dtype == BL_STRING) {
            bl_string string;

            fill_string(&string, seed);
            if (bl_tensor_set_string(tensor, i, string.data, string.size, NULL) != BL_OK)
                return NULL;
        }
    }
    if (dtype != BL_STRING)
        fill_random(dtype, values, bl_tensor_mutable_data(tensor), bl_tensor_count(tensor),
                    seed);
    return tensor;
}

/* ---- Comparing ----------------------------------------------------------------------- */

static bool same_string(const bl_string *a, const bl_string *b)
{
    return a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

/* The place of a float among all floats of its type: neighbours differ by 1, both zeros are
 * 0. */
static int64_t rank_of(bl_dtype dtype, const void *element)
{
    const int sign_bit = (int)bl_dtype_info(dtype)->bytes * 8 - 1;
    const uint64_t bits = bl_value_raw(dtype, element);
    const uint64_t magnitude = bits & ((UINT64_C(1) << sign_bit) - 1);

    return bits >> sign_bit & 1 ? -(int64_t)magnitude : (int64_t)magnitude;
}

static bool same_element(bl_dtype dtype, const char *a, const char *b, int max_ulp)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);

    if (dtype == BL_STRING)
        return same_string((const bl_string *)(const void *)a,
                           (const bl_string *)(const void *)b);
    if (memcmp(a, b, info->bytes) == 0)
        return true;
    if (info->kind != BL_KIND_FLOAT)
        return false;
    const bool a_nan = isnan(bl_value_to_double(dtype, a));
    const bool b_nan = isnan(bl_value_to_double(dtype, b));

    if (a_nan || b_nan)
        return a_nan && b_nan;
    const int64_t distance = rank_of(dtype, a) - rank_of(dtype, b);

    return max_ulp > 0 && distance >= -max_ulp && distance <= max_ulp;
}

/* The address of the element at a row-major position, by the strides. */
static const char *element_at(const bl_tensor *tensor, int64_t position)
{
    const bl_shape *shape = bl_tensor_shape(tensor);
    int64_t offset = 0;

    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        offset += position % shape->dim[axis] * bl_tensor_strides(tensor)[axis];
        position /= shape->dim[axis];
    }
    return (const char *)bl_tensor_data(tensor) +
           offset * (int64_t)bl_dtype_size(bl_tensor_dtype(tensor));
}

bool same_tensors(const bl_tensor *a, const bl_tensor *b, int max_ulp)
{
    const bl_dtype dtype = bl_tensor_dtype(a);
    const bl_shape *shape = bl_tensor_shape(a);

    if (dtype != bl_tensor_dtype(b) || shape->rank != bl_tensor_shape(b)->rank)
        return false;
    for (int axis = 0; axis < shape->rank; axis++)
        if (shape->dim[axis] != bl_tensor_shape(b)->dim[axis])
            return false;
    for (int64_t i = 0; i < bl_tensor_count(a); i++)
        if (!same_element(dtype, element_at(a, i), element_at(b, i), max_ulp)) {
            char at[64], bt[64];

            fprintf(stderr, "element %lld: %s against %s\n", (long long)i,
                    bl_value_text(dtype, element_at(a, i), at, sizeof at),
                    bl_value_text(dtype, element_at(b, i), bt, sizeof bt));
            return false;
        }
    return true;
}

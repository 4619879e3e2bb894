/*
 * random_tensor.c - tensors of values that a seed determines
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/random_tensor.h"

#include <stdio.h>
#include <string.h>

#include "cli/memory.h"
#include "conform/value.h"

/* SplitMix64: every state gives a good number, so that seeds and streams can be added up.
 * Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

#define LARGEST_INTEGER 10

/* A number of the type in [-1, 1), or from 0 to 10. */
static double draw(bl_dtype dtype, uint64_t *state)
{
    const uint64_t bits = next(state);

    switch (dtype) {
    case BL_FLOAT64:
        return (double)(bits >> 11) * 0x1p-52 - 1;
    case BL_FLOAT32:
        return (double)(bits >> 40) * 0x1p-23 - 1;
    case BL_FLOAT16:
    case BL_BFLOAT16: /* 8 bits: all of these numbers are in both types */
    case BL_FLOAT8E4M3FN:
    case BL_FLOAT8E4M3FNUZ:
    case BL_FLOAT8E5M2:
    case BL_FLOAT8E5M2FNUZ:
    case BL_FLOAT4E2M1:
        return (double)(bits >> 56) * 0x1p-7 - 1;
    case BL_FLOAT8E8M0: /* which has powers of two alone */
        return (double)(UINT64_C(1) << (bits >> 62)) / 16;
    case BL_BOOL:
        return (double)(bits >> 63);
    default:
        return (double)((bits >> 32) % (LARGEST_INTEGER + 1));
    }
}

static void fill_numbers(bl_tensor *tensor, uint64_t *state)
{
    const bl_dtype dtype = bl_tensor_dtype(tensor);
    const bool is_complex = dtype == BL_COMPLEX64 || dtype == BL_COMPLEX128;
    const bl_dtype part = is_complex ? bl_value_part(dtype) : dtype;
    const int64_t count = bl_tensor_count(tensor) * (is_complex ? 2 : 1);
    char *data = bl_tensor_mutable_data(tensor);

    /* What a type cannot hold is the nearest that it can: 3 in an uint2. */
    for (int64_t i = 0; i < count; i++)
        bl_value_from_double(part, draw(part, state),
                             data + (size_t)i * bl_dtype_size(part));
}

static bl_status fill_strings(bl_tensor *tensor, uint64_t *state, bl_error *err)
{
    for (int64_t i = 0; i < bl_tensor_count(tensor); i++) {
        char text[8];

        snprintf(text, sizeof text, "%.0f", draw(BL_INT64, state));
        const bl_status status = bl_tensor_set_string(tensor, i, text, strlen(text), err);

        if (status != BL_OK)
            return status;
    }
    return BL_OK;
}

bl_tensor *bl_random_tensor(bl_context *context, const bl_tensor_type *type, uint64_t seed,
                            uint64_t stream, bl_error *err)
{
    uint64_t state = seed;
    int64_t count;

    state = next(&state) + stream;
    state = next(&state);
    if (bl_shape_count(&type->shape, &count, err) != BL_OK ||
        bl_memory_check("the input", type->dtype, count, err) != BL_OK)
        return NULL;
    bl_tensor *tensor = bl_tensor_new(context, type->dtype, &type->shape, err);

    if (tensor == NULL)
        return NULL;
    if (type->dtype != BL_STRING) {
        fill_numbers(tensor, &state);
    } else if (fill_strings(tensor, &state, err) != BL_OK) {
        bl_tensor_free(tensor);
        return NULL;
    }
    return tensor;
}

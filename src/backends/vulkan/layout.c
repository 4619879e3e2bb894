/*
 * layout.c - how the operands of a pointwise step lie, and so how a shader reads them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/vulkan/layout.h"

/* Beyond this, an index does not fit a shader's 32 bits: a packet more or less, and a sign. */
#define NARROW_LIMIT (INT64_C(1) << 31)

/* The bytes that one load or store moves at best. */
#define BEST_BYTES 16

int64_t bl_layout_count(const struct bl_pointwise *step)
{
    int64_t count = 1;

    for (int axis = 0; axis < step->rank; axis++)
        count *= step->dim[axis];
    return count;
}

int64_t bl_layout_before(const struct bl_pointwise *step, const struct bl_operand *operand)
{
    int64_t before = 0;

    for (int axis = 0; axis < step->rank; axis++)
        if (operand->stride[axis] < 0 && step->dim[axis] > 0)
            before -= operand->stride[axis] * (step->dim[axis] - 1);
    return before;
}

int64_t bl_layout_after(const struct bl_pointwise *step, const struct bl_operand *operand)
{
    int64_t after = 0;

    for (int axis = 0; axis < step->rank; axis++)
        if (operand->stride[axis] > 0 && step->dim[axis] > 0)
            after += operand->stride[axis] * (step->dim[axis] - 1);
    return after;
}

static bool is_one(const struct bl_pointwise *step, const struct bl_operand *operand)
{
    if (operand->written)
        return false;
    for (int axis = 0; axis < step->rank; axis++)
        if (operand->stride[axis] != 0)
            return false;
    return true;
}

static bool is_dense(const struct bl_pointwise *step, const struct bl_operand *operand)
{
    int64_t below = 1;

    for (int axis = step->rank - 1; axis >= 0; axis--) {
        if (step->dim[axis] != 1 && operand->stride[axis] != below)
            return false;
        below *= step->dim[axis];
    }
    return true;
}

/* So many that the smallest elements make a word and the largest, if that is not more, 16 bytes. */
static unsigned lanes_of(const struct bl_pointwise *step)
{
    unsigned least = 16, most = 1;

    for (size_t o = 0; o < step->operand_count; o++) {
        const unsigned bytes = step->operand[o].bytes;

        if (bytes == 0 || is_one(step, &step->operand[o]))
            continue;
        least = bytes < least ? bytes : least;
        most = bytes > most ? bytes : most;
    }
    const unsigned for_words = least < 4 ? 4 / least : 1;
    const unsigned for_best = BEST_BYTES / most;

    return for_words > for_best ? for_words : for_best;
}

struct bl_layout bl_layout_of(const struct bl_pointwise *step,
                              const struct bl_shader_features *features)
{
    struct bl_layout layout = {.lanes = lanes_of(step)};

    layout.wide = features->wide_indices || bl_layout_count(step) >= NARROW_LIMIT - 65536;
    layout.rows = step->rank > 0 && step->dim[step->rank - 1] % layout.lanes == 0;
    for (size_t o = 0; o < step->operand_count; o++) {
        const struct bl_operand *operand = &step->operand[o];

        layout.wide |= bl_layout_before(step, operand) + bl_layout_after(step, operand) >=
                       NARROW_LIMIT - 65536;
        layout.coordinates |= bl_place_has_offset(bl_place_of(step, &layout, operand));
    }
    return layout;
}

enum bl_place bl_place_of(const struct bl_pointwise *step, const struct bl_layout *layout,
                          const struct bl_operand *operand)
{
    if (is_one(step, operand))
        return BL_PLACE_ONE;
    if (is_dense(step, operand))
        return BL_PLACE_DENSE;
    if (!layout->rows)
        return BL_PLACE_ANY;
    const int64_t last = operand->stride[step->rank - 1];

    return last == 0 ? BL_PLACE_STILL : last == 1 ? BL_PLACE_ROW : BL_PLACE_LINE;
}

/*
 * reference_broadcast.c - how shapes meet, by plain index arithmetic
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "base/status.h"
#include "conform/reference_parts.h"

static const bl_shape *shape_of(const struct bl_reference_call *call, size_t i)
{
    return bl_reference_shape(call, i);
}

/* ---- Positions ----------------------------------------------------------- */

void bl_reference_position(const bl_shape *shape, int64_t index, int64_t *at)
{
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        at[axis] = index % shape->dim[axis];
        index /= shape->dim[axis];
    }
}

int64_t bl_reference_index(const bl_shape *own, const int64_t *at, int first)
{
    int64_t index = 0;

    for (int axis = 0; axis < own->rank; axis++)
        index = index * own->dim[axis] + (own->dim[axis] == 1 ? 0 : at[first + axis]);
    return index;
}

/* ---- Broadcasting -------------------------------------------------------- */

bool bl_reference_same_shape(const bl_shape *a, const bl_shape *b)
{
    return a->rank == b->rank &&
           (a->rank == 0 || memcmp(a->dim, b->dim, (size_t)a->rank * sizeof *a->dim) == 0);
}

/* The one that is not 1; -1 where the two do not meet. */
static int64_t meet(int64_t a, int64_t b)
{
    return a == b || b == 1 ? a : a == 1 ? b : -1;
}

/* Lay the shape into `onto` so that its first axis comes to axis `first` there; -1 for a
 * dim that does not meet. */
static bool lay(const bl_shape *shape, bl_shape *onto, int first)
{
    for (int axis = 0; axis < shape->rank; axis++) {
        int64_t *dim = &onto->dim[first + axis];

        *dim = meet(*dim, shape->dim[axis]);
        if (*dim < 0)
            return false;
    }
    return true;
}

bool bl_reference_fits(const bl_shape *from, const bl_shape *onto)
{
    bl_shape met = *onto;

    return from->rank <= onto->rank && lay(from, &met, onto->rank - from->rank) &&
           bl_reference_same_shape(&met, onto);
}

bool bl_reference_meet(const bl_shape *a, const bl_shape *b, bl_shape *out)
{
    const bl_shape *wide = a->rank >= b->rank ? a : b;
    const bl_shape *narrow = wide == a ? b : a;
    bl_shape met = *wide;

    if (!lay(narrow, &met, wide->rank - narrow->rank))
        return false;
    *out = met;
    return true;
}

static bool one_element(const bl_shape *shape)
{
    for (int axis = 0; axis < shape->rank; axis++)
        if (shape->dim[axis] != 1)
            return false;
    return true;
}

static bl_status multidirectional(const struct bl_reference_call *call, bl_shape *out,
                                  int *first)
{
    out->rank = 0;
    for (size_t i = 0; i < call->count; i++)
        if (shape_of(call, i)->rank > out->rank)
            out->rank = shape_of(call, i)->rank;
    for (int axis = 0; axis < out->rank; axis++)
        out->dim[axis] = 1;
    for (size_t i = 0; i < call->count; i++) {
        first[i] = out->rank - shape_of(call, i)->rank;
        if (!lay(shape_of(call, i), out, first[i]))
            return bl_reference_refuse_shape(call, i,
                                             "does not broadcast with those before it");
    }
    return BL_OK;
}

/* The other inputs onto the first, each from axis first[i] on. */
static bl_status onto_first(const struct bl_reference_call *call, bl_shape *out,
                            const int *first)
{
    *out = *shape_of(call, 0);
    for (size_t i = 1; i < call->count; i++) {
        bl_shape met = *out;

        if (first[i] < 0 || first[i] > out->rank - shape_of(call, i)->rank ||
            !lay(shape_of(call, i), &met, first[i]) || !bl_reference_same_shape(&met, out))
            return bl_reference_refuse_shape(call, i,
                                             "does not broadcast onto the first input");
    }
    return BL_OK;
}

static bl_status legacy(const struct bl_reference_call *call, bl_shape *out, int *first)
{
    const int room = shape_of(call, 0)->rank - shape_of(call, 1)->rank;
    int64_t axis = bl_reference_int(call->node, "axis", room);

    if (bl_reference_int(call->node, "broadcast", 0) == 0) {
        if (!bl_reference_same_shape(shape_of(call, 0), shape_of(call, 1)))
            return bl_reference_refuse_shape(
                call, 1, "has another shape than the first, without broadcast=1");
        axis = 0;
    } else if (axis < 0 && bl_reference_attribute(call->node, "axis") != NULL) {
        axis += shape_of(call, 0)->rank;
    }
    if (axis < 0 || axis > room)
        return bl_reference_refuse_shape(call, 1,
                                         "does not fit into the first at that axis");
    first[1] = (int)axis;
    return onto_first(call, out, first);
}

static bl_status channel(const struct bl_reference_call *call, bl_shape *out, int *first)
{
    if (shape_of(call, 1)->rank != 1 || shape_of(call, 0)->rank < 2)
        return bl_reference_refuse_shape(call, 1,
                                         "is neither one element nor one for each channel");
    first[1] = 1;
    return onto_first(call, out, first);
}

static bl_status all_equal(const struct bl_reference_call *call, bl_shape *out)
{
    *out = *shape_of(call, 0);
    for (size_t i = 1; i < call->count; i++)
        if (!bl_reference_same_shape(shape_of(call, i), out))
            return bl_reference_refuse_shape(call, i, "has another shape than the first");
    return BL_OK;
}

/* The first input's shape, whatever the others are: Clip's bounds, of one element, and
 * CastLike's second input, of which only the type counts. */
static bl_status first_alone(const struct bl_reference_call *call, bl_shape *out,
                             int *first)
{
    const bool clip = strcmp(call->node->op->name, "Clip") == 0;

    *out = *shape_of(call, 0);
    for (size_t i = 1; i < call->count; i++) {
        first[i] = -1;
        if (clip && call->inputs[i] != NULL && !one_element(shape_of(call, i)))
            return bl_reference_refuse_shape(call, i, "is a bound, which is one element");
    }
    return BL_OK;
}

bl_status bl_reference_broadcast(const struct bl_reference_call *call, bl_shape *out,
                                 int *first)
{
    const bl_rule rule = call->node->op->rule;

    if (strcmp(call->node->op->name, "Clip") == 0 ||
        strcmp(call->node->op->name, "CastLike") == 0)
        return first_alone(call, out, first);
    switch (rule) {
    case BL_RULE_MULTIDIRECTIONAL:
        return multidirectional(call, out, first);
    case BL_RULE_UNIDIRECTIONAL:
        first[1] = shape_of(call, 0)->rank - shape_of(call, 1)->rank;
        return onto_first(call, out, first);
    case BL_RULE_LEGACY:
    case BL_RULE_CHANNEL:
        if (one_element(shape_of(call, 1)) &&
            (rule == BL_RULE_CHANNEL ||
             bl_reference_int(call->node, "broadcast", 0) != 0)) {
            *out = *shape_of(call, 0);
            first[1] = -1;
            return BL_OK;
        }
        return rule == BL_RULE_LEGACY ? legacy(call, out, first)
                                      : channel(call, out, first);
    case BL_RULE_NONE:
        return all_equal(call, out);
    default:
        return bl_fail(call->err, BL_ERR_UNSUPPORTED,
                       "%s-%d: the reference knows no rule '%s'", call->node->op->name,
                       call->node->op->since, bl_rule_name(rule));
    }
}

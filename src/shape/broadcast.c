/*
 * broadcast.c - the broadcasting rules of ONNX, on shapes alone
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Source: ONNX docs/Broadcasting.md, and docs/Changelog.md for opsets 1 to 6.
 */
#include "shape/broadcast.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "shape/shape.h"

/* ---- Messages ----------------------------------------------------------------- */

/* "Add-14: " or nothing. */
static const char *subject_of(const struct bl_shape_owner *owner, const char **colon)
{
    *colon = owner->subject != NULL ? ": " : "";
    return owner->subject != NULL ? owner->subject : "";
}

struct named_shape {
    char text[BL_SHAPE_TEXT + 64]; /* "B [2,3]" */
};

static const char *name_shape(const struct bl_shape_owner *owner, size_t i,
                              const bl_shape *shape, struct named_shape *out)
{
    char dims[BL_SHAPE_TEXT];

    bl_shape_text(shape, dims);
    if (owner->names != NULL)
        snprintf(out->text, sizeof out->text, "%s %s", owner->names[i], dims);
    else
        snprintf(out->text, sizeof out->text, "%s%zu %s", owner->stem, i, dims);
    return out->text;
}

/* A failure over two inputs and one axis of the first's (or the result's) shape. */
struct misfit {
    size_t a, b;
    const bl_shape *a_shape, *b_shape;
    int axis, rank; /* the axis, and the number of axes it is one of */
    int64_t a_dim, b_dim;
};

static bl_status report(const struct bl_shape_owner *owner, const struct misfit *misfit,
                        const char *verb, const char *rule, bl_error *err)
{
    struct named_shape a, b;
    const char *colon;
    const char *subject = subject_of(owner, &colon);

    return bl_fail(err, BL_ERR_SHAPE,
                   "%s%s%s %s %s: at axis %d (or %d) %lld meets %lld (%s)", subject, colon,
                   name_shape(owner, misfit->a, misfit->a_shape, &a), verb,
                   name_shape(owner, misfit->b, misfit->b_shape, &b), misfit->axis,
                   misfit->axis - misfit->rank, (long long)misfit->a_dim,
                   (long long)misfit->b_dim, rule);
}

/* ---- Rules ---------------------------------------------------------------------- */

/* The dim of an axis counted from the last; 1 beyond the first. */
static int64_t dim_from_last(const bl_shape *shape, int i)
{
    return i < shape->rank ? shape->dim[shape->rank - 1 - i] : 1;
}

/* A dim that is neither 1 nor `met`, before input `end`, at an axis counted from the last.
 */
static size_t who_has(const bl_shape *const *shapes, size_t end, int i, int64_t met)
{
    size_t who = 0;

    while (who + 1 < end && dim_from_last(shapes[who], i) != met)
        who++;
    return who;
}

bl_status bl_broadcast_multi(const struct bl_shape_owner *owner,
                             const bl_shape *const *shapes, size_t count, bl_shape *out,
                             bl_error *err)
{
    bl_shape met = {.rank = 0};

    for (size_t s = 0; s < count; s++)
        if (shapes[s]->rank > met.rank)
            met.rank = shapes[s]->rank;
    for (int i = 0; i < met.rank; i++) {
        int64_t dim = 1;

        for (size_t s = 0; s < count; s++) {
            const int64_t other = dim_from_last(shapes[s], i);

            if (dim != other && dim != 1 && other != 1) {
                const size_t first = who_has(shapes, s, i, dim);
                const struct misfit misfit = {
                    first,    s,   shapes[first], shapes[s], met.rank - 1 - i,
                    met.rank, dim, other};

                return report(owner, &misfit, "does not broadcast with",
                              "multidirectional rule: dims are equal, or one of them is 1",
                              err);
            }
            if (dim == 1)
                dim = other;
        }
        met.dim[met.rank - 1 - i] = dim;
    }
    *out = met; /* last, so that out may be one of the shapes and is untouched on failure */
    return BL_OK;
}

bl_status bl_broadcast_uni(const struct bl_shape_owner *owner, size_t from,
                           const bl_shape *from_shape, size_t onto,
                           const bl_shape *onto_shape, bl_error *err)
{
    if (from_shape->rank > onto_shape->rank) {
        struct named_shape a, b;
        const char *colon;
        const char *subject = subject_of(owner, &colon);

        return bl_fail(err, BL_ERR_SHAPE,
                       "%s%s%s does not broadcast onto %s: it has more axes, %d against %d "
                       "(unidirectional rule)",
                       subject, colon, name_shape(owner, from, from_shape, &a),
                       name_shape(owner, onto, onto_shape, &b), from_shape->rank,
                       onto_shape->rank);
    }
    for (int i = 0; i < from_shape->rank; i++) {
        const int64_t dim = dim_from_last(from_shape, i);
        const int64_t target = dim_from_last(onto_shape, i);

        if (dim != target && dim != 1) {
            const struct misfit misfit = {from,
                                          onto,
                                          from_shape,
                                          onto_shape,
                                          onto_shape->rank - 1 - i,
                                          onto_shape->rank,
                                          dim,
                                          target};

            return report(owner, &misfit, "does not broadcast onto",
                          "unidirectional rule: the first dim is the second, or 1", err);
        }
    }
    return BL_OK;
}

bl_status bl_broadcast_none(const struct bl_shape_owner *owner,
                            const bl_shape *const *shapes, size_t count, bl_error *err)
{
    for (size_t s = 1; s < count; s++) {
        struct named_shape a, b;
        const char *colon;
        const char *subject = subject_of(owner, &colon);

        if (bl_shape_equal(shapes[0], shapes[s]))
            continue;
        return bl_fail(
            err, BL_ERR_SHAPE,
            "%s%s%s and %s differ, and this version does not broadcast: all inputs "
            "must have one shape (rule: none)",
            subject, colon, name_shape(owner, 0, shapes[0], &a),
            name_shape(owner, s, shapes[s], &b));
    }
    return BL_OK;
}

static bool is_one_element(const bl_shape *shape)
{
    for (int i = 0; i < shape->rank; i++)
        if (shape->dim[i] != 1)
            return false;
    return true;
}

bl_status bl_broadcast_legacy(const struct bl_shape_owner *owner, const bl_shape *a,
                              const bl_shape *b, const int64_t *axis, int *offset,
                              bl_error *err)
{
    static const char rule[] = "legacy rule: each dim of the second is the first's, or 1";
    struct named_shape an, bn;
    const char *colon;
    const char *subject = subject_of(owner, &colon);

    if (b->rank > a->rank)
        return bl_fail(
            err, BL_ERR_SHAPE,
            "%s%s%s does not fit into %s: it has more axes, %d against %d (legacy rule)",
            subject, colon, name_shape(owner, 1, b, &bn), name_shape(owner, 0, a, &an),
            b->rank, a->rank);
    *offset = a->rank - b->rank;
    if (is_one_element(b))
        return BL_OK;
    if (axis != NULL) {
        const int64_t from_start = *axis < 0 ? *axis + a->rank : *axis;

        if (from_start < 0 || from_start > a->rank - b->rank)
            return bl_fail(
                err, BL_ERR_ATTRIBUTE,
                "%s%sattribute axis is %lld, which places %s outside of %s (legacy "
                "rule: axis is %d to %d here)",
                subject, colon, (long long)*axis, name_shape(owner, 1, b, &bn),
                name_shape(owner, 0, a, &an), -a->rank, a->rank - b->rank);
        *offset = (int)from_start;
    }
    for (int i = 0; i < b->rank; i++) {
        const int at = *offset + i;

        if (b->dim[i] != a->dim[at] && b->dim[i] != 1) {
            const struct misfit misfit = {1, 0, b, a, at, a->rank, b->dim[i], a->dim[at]};

            return report(owner, &misfit, "does not fit into", rule, err);
        }
    }
    return BL_OK;
}

bl_status bl_broadcast_channel(const struct bl_shape_owner *owner, const bl_shape *x,
                               const bl_shape *slope, bl_error *err)
{
    struct named_shape xn, sn;
    const char *colon;
    const char *subject = subject_of(owner, &colon);

    if (is_one_element(slope))
        return BL_OK;
    if (slope->rank == 1 && x->rank >= 2 && slope->dim[0] == x->dim[1])
        return BL_OK;
    if (slope->rank == 1 && x->rank >= 2) {
        const struct misfit misfit = {1, 0, slope, x, 1, x->rank, slope->dim[0], x->dim[1]};

        return report(owner, &misfit, "does not fit",
                      "channel rule: one slope for each of axis 1", err);
    }
    return bl_fail(
        err, BL_ERR_SHAPE,
        "%s%s%s does not fit %s (channel rule: one element, or one axis as long as "
        "axis 1)",
        subject, colon, name_shape(owner, 1, slope, &sn), name_shape(owner, 0, x, &xn));
}

/* ---- The public functions ------------------------------------------------------------ */

static const struct bl_shape_owner nobody = {NULL, NULL, "shape "};

static bl_status check_shape(const bl_shape *shape, bl_error *err)
{
    int64_t count;
    const bl_status status = bl_shape_count(shape, &count, err);

    /* A shape too large to hold can still be reasoned about. */
    return status == BL_ERR_LIMIT ? BL_OK : status;
}

bl_status bl_shape_broadcast(const bl_shape *const *shapes, size_t count, bl_shape *out,
                             bl_error *err)
{
    if (shapes == NULL || out == NULL || count == 0)
        return bl_fail(err, BL_ERR_ARGUMENT,
                       "bl_shape_broadcast: no shapes, or a NULL argument");
    for (size_t i = 0; i < count; i++)
        BL_TRY(check_shape(shapes[i], err));
    return bl_broadcast_multi(&nobody, shapes, count, out, err);
}

bl_status bl_shape_broadcast_onto(const bl_shape *from, const bl_shape *onto, bl_error *err)
{
    BL_TRY(check_shape(from, err));
    BL_TRY(check_shape(onto, err));
    return bl_broadcast_uni(&nobody, 0, from, 1, onto, err);
}

bl_status bl_shape_broadcast_legacy(const bl_shape *a, const bl_shape *b,
                                    const int64_t *axis, bl_error *err)
{
    int offset;

    BL_TRY(check_shape(a, err));
    BL_TRY(check_shape(b, err));
    return bl_broadcast_legacy(&nobody, a, b, axis, &offset, err);
}

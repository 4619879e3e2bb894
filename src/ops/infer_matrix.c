/*
 * infer_matrix.c - the shape of a matrix product: Gemm and MatMul
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "ops/infer_parts.h"
#include "shape/shape.h"

/* ---- Gemm ----------------------------------------------------------------------- */

static bl_status check_matrix(const struct bl_inference *call, const char *name,
                              const bl_shape *shape, bl_error *err)
{
    char text[BL_SHAPE_TEXT];

    if (shape->rank == 2)
        return BL_OK;
    return bl_fail(err, BL_ERR_SHAPE, "%s: %s %s has rank %d, but has to be a matrix",
                   call->subject, name, bl_shape_text(shape, text), shape->rank);
}

bl_status bl_infer_gemm(const struct bl_inference *call, bl_shape *out, bl_error *err)
{
    const struct bl_params *params = call->params;
    const bl_shape *a = &call->inputs[0].shape;
    const bl_shape *b = &call->inputs[1].shape;
    const bl_shape *c = &call->inputs[call->input_count - 1].shape;
    const bool has_flag =
        call->node->op->since < 7; /* attribute broadcast, gone with opset 7 */
    char at[BL_SHAPE_TEXT], bt[BL_SHAPE_TEXT];

    BL_TRY(check_matrix(call, "A", a, err));
    BL_TRY(check_matrix(call, "B", b, err));
    const int64_t k = a->dim[params->trans_a ? 0 : 1];
    const int64_t b_k = b->dim[params->trans_b ? 1 : 0];

    if (k != b_k)
        return bl_fail(err, BL_ERR_SHAPE,
                       "%s: A %s%s and B %s%s do not multiply: %lld columns meet %lld rows",
                       call->subject, bl_shape_text(a, at),
                       params->trans_a ? " transposed" : "", bl_shape_text(b, bt),
                       params->trans_b ? " transposed" : "", (long long)k, (long long)b_k);
    *out = (bl_shape){
        .rank = 2,
        .dim = {a->dim[params->trans_a ? 1 : 0], b->dim[params->trans_b ? 0 : 1]}};
    if (!bl_infer_has(call, 2))
        return BL_OK;
    if (has_flag && !params->broadcast && !bl_shape_equal(c, out))
        return bl_fail(
            err, BL_ERR_SHAPE,
            "%s: C %s is not the product's shape %s, and attribute broadcast is not "
            "set (before opset 7, C broadcasts only with broadcast=1)",
            call->subject, bl_shape_text(c, at), bl_shape_text(out, bt));
    const struct bl_shape_owner owner = {call->subject,
                                         (const char *const[]){"C", "the product"}, NULL};

    return bl_broadcast_uni(&owner, 0, c, 1, out, err);
}

/* ---- MatMul ----------------------------------------------------------------------- */

/* Put the axes of `shape` before its last two into `batch`. */
static void batch_of(const bl_shape *shape, bl_shape *batch)
{
    batch->rank = shape->rank > 2 ? shape->rank - 2 : 0;
    memcpy(batch->dim, shape->dim, (size_t)batch->rank * sizeof *batch->dim);
}

/* As numpy.matmul: a list A is a row, a list B a column, and that axis leaves the result
 * again. */
bl_status bl_infer_matmul(const struct bl_inference *call, bl_shape *out, bl_error *err)
{
    const bl_shape *a = &call->inputs[0].shape;
    const bl_shape *b = &call->inputs[1].shape;
    char at[BL_SHAPE_TEXT], bt[BL_SHAPE_TEXT];
    char subject[BL_NODE_TEXT + 2 * BL_SHAPE_TEXT + 16];
    bl_shape a_batch, b_batch, batch;

    bl_shape_text(a, at);
    bl_shape_text(b, bt);
    if (a->rank == 0 || b->rank == 0)
        return bl_fail(err, BL_ERR_SHAPE, "%s: %s is a scalar, but has to have axes",
                       call->subject, a->rank == 0 ? "A" : "B");
    const int b_rows = b->rank > 1 ? b->rank - 2 : 0;
    const int64_t k = a->dim[a->rank - 1];
    const int64_t b_k = b->dim[b_rows];

    if (k != b_k)
        return bl_fail(err, BL_ERR_SHAPE,
                       "%s: A %s and B %s do not multiply: %lld, A's axis %d, is not %lld, "
                       "B's axis %d",
                       call->subject, at, bt, (long long)k, a->rank - 1, (long long)b_k,
                       b_rows);
    batch_of(a, &a_batch);
    batch_of(b, &b_batch);
    snprintf(subject, sizeof subject, "%s: A %s, B %s", call->subject, at, bt);
    const struct bl_shape_owner owner = {
        subject, (const char *const[]){"the batch axes of A,", "those of B,"}, NULL};

    BL_TRY(bl_broadcast_multi(&owner, (const bl_shape *const[]){&a_batch, &b_batch}, 2,
                              &batch, err));
    if (a->rank > 1)
        batch.dim[batch.rank++] = a->dim[a->rank - 2];
    if (b->rank > 1)
        batch.dim[batch.rank++] = b->dim[b->rank - 1];
    *out = batch;
    return BL_OK;
}

/*
 * view.h - the output of an operator that computes nothing, as a view of its input
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_OPS_VIEW_H
#define BL_OPS_VIEW_H

#include <stdbool.h>

#include "broadloom/broadloom.h"
#include "ops/node.h"

/*
 * Where the elements of the output of a BL_FORM_VIEW node lie in its first input.
 *
 * The node's shapes are checked: `out` is what bl_node_infer gave for these values.
 *
 * @param values    as for bl_node_infer; Slice from opset 10 on reads them.
 * @param stride    [out->rank], in elements.
 * @param offset    from the input's first element to the output's, in elements.
 * @param possible  false where no strides do it (Reshape or Flatten of an input that is not
 *                  row-major): then the input has to be copied to row-major memory first.
 */
bl_status bl_node_view(const bl_node *node, const struct bl_params *params,
                       const bl_tensor *input, const bl_tensor *const *values,
                       size_t input_count, const bl_shape *out, int64_t *stride,
                       int64_t *offset, bool *possible, bl_error *err);

#endif

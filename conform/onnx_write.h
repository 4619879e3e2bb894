/*
 * onnx_write.h - the graph of a case as an ONNX model
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_ONNX_WRITE_H
#define BL_CONFORM_ONNX_WRITE_H

#include "conform/fixture.h"

/*
 * The bytes of a ModelProto with the case's graph, to be freed with free.
 *
 * It imports ai.onnx at the case's opset.  Its inputs are those of the case that are not
 * absent, with type and shape; the initializers hold raw data; the outputs have names
 * alone.  BL_ERR_MEMORY.
 */
bl_status bl_onnx_write(const struct bl_fixture_case *it, unsigned char **bytes,
                        size_t *size, bl_error *err);

#endif

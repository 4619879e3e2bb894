/*
 * onnx_folder.h - run one of ONNX's own tests: a folder with model.onnx and data sets
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_ONNX_FOLDER_H
#define BL_CONFORM_ONNX_FOLDER_H

#include "conform/runner.h"

/*
 * Run the model on each test_data_set_* beside it, fused and node by node, which have to
 * give the same bits.  All data sets are one test.  `message` (BL_ERROR_BYTES) is why it
 * failed or was skipped.
 *
 * A data set holds input_N.pb and output_N.pb, TensorProtos.  Inputs go by position: where
 * there are as many files as inputs without a default, to those, else to all; an input
 * without a file is left to its default.  Results are compared as ONNX's backend tests do:
 * type, shape and strings exactly, floats within 1e-7 + 1e-3 * abs(want), and here integers
 * exactly.  A uint16 tensor where the model says bfloat16 is its bits: ONNX up to 1.18
 * stored them so.
 *
 * Skipped: a model that the library says it does not run (BL_ERR_OPERATOR,
 * BL_ERR_UNSUPPORTED), data as .npz, which the first versions of ONNX had.
 */
enum bl_conform_outcome bl_onnx_folder_run(const struct bl_runner *runner,
                                           const char *folder, char *message);

#endif

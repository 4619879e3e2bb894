/*
 * data_set.h - the data sets of an ONNX test: inputs, and the outputs that are expected
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_DATA_SET_H
#define BL_CONFORM_DATA_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "broadloom/broadloom.h"

/* The folders of a test's data sets, in order. */
struct bl_data_sets {
    char **paths;
    size_t count;
};

/* Find the folders test_data_set_* in a test's.  BL_ERR_UNSUPPORTED where the data are in
 * .npz files, BL_ERR_FORMAT where there are none, BL_ERR_IO, BL_ERR_MEMORY; on failure
 * nothing has to be freed. */
bl_status bl_data_sets_find(struct bl_data_sets *out, const char *folder, bl_error *err);

void bl_data_sets_free(struct bl_data_sets *sets);

struct bl_data_set {
    const char *name;   /* of its folder, for messages; lives as long as the path */
    bl_tensor **inputs; /* [input_count], the model's; NULL: left to its default */
    size_t input_count;
    bl_tensor **outputs; /* [output_count], the model's */
    size_t output_count;
};

/* Read the tensors for a model from a folder with input_N.pb and output_N.pb (see
 * onnx_folder.h for which input gets which).  BL_ERR_UNSUPPORTED for files of another kind
 * in their place, BL_ERR_FORMAT for files that are missing, too many, or no tensors; on
 * failure nothing has to be freed. */
bl_status bl_data_set_read(struct bl_data_set *out, const char *folder,
                           const bl_model *model, bl_error *err);

void bl_data_set_free(struct bl_data_set *set);

/* True if the outputs [output_count] are what is expected, by ONNX's rule; else a line in
 * why[BL_ERROR_BYTES]. */
bool bl_data_set_passes(const struct bl_data_set *set, bl_tensor *const *outputs,
                        char *why);

#endif

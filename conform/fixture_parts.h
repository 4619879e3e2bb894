/*
 * fixture_parts.h - what the files of the fixture reader share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_FIXTURE_PARTS_H
#define BL_CONFORM_FIXTURE_PARTS_H

#include <jansson.h>

#include "conform/fixture.h"

/*
 * A tensor: dtype, shape, data, and for an output the tolerances.
 *
 * What the fixture format does not allow fails.  What it allows, but is no tensor (a file
 * with other bytes than it should have, a shape beyond the library's limits), goes to
 * *load, with out->data NULL. On failure nothing has to be freed.
 */
bl_status bl_fixture_tensor_read(json_t *json, bool is_output,
                                 struct bl_fixture_tensor *out, bl_error *load,
                                 bl_error *err);

/*
 * The tensors that are an object's members, in their order, into *out; `key` is the
 * object's.  `load` NULL: they are outputs, which all have to be tensors; else it gets the
 * first failure, and a null is an absent input.  On failure *out and *count are what has to
 * be freed.
 */
bl_status bl_fixture_tensors_read(json_t *json, const char *key,
                                  struct bl_fixture_tensor **out, size_t *count,
                                  bl_error *load, bl_error *err);

void bl_fixture_tensors_free(struct bl_fixture_tensor *tensors, size_t count);

/* One element of `tensor`, row-major `index`, from JSON. */
bl_status bl_fixture_value_read(const json_t *json, bl_tensor *tensor, int64_t index,
                                bl_error *err);

/* A node's attributes, to be freed with bl_fixture_attributes_free; on failure nothing has
 * to be. */
bl_status bl_fixture_attributes_read(json_t *json, bl_attribute **out, size_t *count,
                                     bl_error *err);

void bl_fixture_attributes_free(bl_attribute *attributes, size_t count);

/* ---- Graphs and files: on failure nothing has to be freed ---------------- */

/* A graph; what is no tensor among its initializers goes to *load. */
bl_status bl_fixture_graph_read(json_t *json, struct bl_fixture_graph **out, bl_error *load,
                                bl_error *err);

void bl_fixture_graph_free(struct bl_fixture_graph *graph);

/* The members "base64" and "files" of an object. */
bl_status bl_fixture_file_read(json_t *json, struct bl_fixture_file **out, bl_error *err);

/* An object that has no others. */
bl_status bl_fixture_model_read(json_t *json, struct bl_fixture_file **out, bl_error *err);

void bl_fixture_file_free(struct bl_fixture_file *file);

#endif

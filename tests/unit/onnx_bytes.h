/*
 * onnx_bytes.h - put the bytes of ONNX models together, for tests
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A message grows in a struct bytes, which starts from zeros; a function that takes one as
 * `body` empties it.  Lists of names are words with spaces between them, "-" is the empty
 * name.
 */
#ifndef BL_TESTS_UNIT_ONNX_BYTES_H
#define BL_TESTS_UNIT_ONNX_BYTES_H

#include "unit.h"

#include "io/onnx_fields.h"

struct bytes {
    unsigned char *data;
    size_t size;
    size_t capacity;
};

void bytes_free(struct bytes *bytes);

/* ---- Fields --------------------------------------------------------------------- */

void put_number(struct bytes *to, unsigned field, int64_t value);
void put_float(struct bytes *to, unsigned field, float value);
void put_data(struct bytes *to, unsigned field, const void *data, size_t size);
/* The tag and the length of data that come later. */
void put_length(struct bytes *to, unsigned field, size_t size);

void put_text(struct bytes *to, unsigned field, const char *text);
void put_body(struct bytes *to, unsigned field, struct bytes *body);
void put_names(struct bytes *to, unsigned field, const char *names);

/* ---- Messages ------------------------------------------------------------------- */

/* A TensorProto with raw data; `shape` is BL_SHAPE(...) or BL_SCALAR. */
struct bytes tensor_bytes(const char *name, bl_dtype dtype, const bl_shape *shape,
                          const void *raw, size_t size);

/* The same from elements as they lie in memory; of no packed type. */
struct bytes element_bytes(const char *name, bl_dtype dtype, const bl_shape *shape,
                           const void *elements, size_t size);

/* A TensorProto, float32[count], whose elements are in a file; NULL: left out. */
struct bytes external_bytes(const char *name, int64_t count, const char *location,
                            const char *offset, const char *length);

/* A ValueInfoProto of a tensor; dims of -1 are left open. */
struct bytes value_bytes(const char *name, bl_dtype dtype, const bl_shape *shape);

/* An AttributeProto without its value, to which that is added. */
struct bytes attribute_bytes(const char *name, int type);

/* A NodeProto, to which more can be added. */
struct bytes node_bytes(const char *op, const char *inputs, const char *outputs);

/* ---- Graphs and models ------------------------------------------------------------- */

void add_node(struct bytes *graph, const char *op, const char *inputs, const char *outputs);
void add_initializer(struct bytes *graph, const char *name, const bl_shape *shape,
                     const float *elements);

/* Inputs or outputs, float32[n], one for each name. */
void add_inputs(struct bytes *graph, const char *names, int64_t n);
void add_outputs(struct bytes *graph, const char *names, int64_t n);

/* A ModelProto of IR version `ir` with an opset of ai.onnx, 0 for none; without a graph if
 * that is NULL. */
struct bytes model_bytes(int64_t ir, int64_t opset, struct bytes *graph);

/* float32 y[3] = x[3] + c, c = 10 20 30: the graph that most tests start from. */
struct bytes add_constant_graph(void);

#endif

/*
 * fixture.h - a fixture file and its cases
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A fixture file is JSON: {"op", "opset", "cases"}.  Opening it checks the file's own keys;
 * each case is then read, and checked, alone, so that one that is broken does not keep the
 * others from running.
 */
#ifndef BL_CONFORM_FIXTURE_H
#define BL_CONFORM_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "broadloom/broadloom.h"
#include "conform/sandbox.h"

struct bl_fixture;

/* NULL on failure: the message starts with the path, and has line and column where the JSON
 * is broken. */
struct bl_fixture *bl_fixture_open(const char *path, bl_error *err);

/* The same for `size` bytes at `text`; `name` stands for them in messages. */
struct bl_fixture *bl_fixture_parse(const char *text, size_t size, const char *name,
                                    bl_error *err);

void bl_fixture_close(struct bl_fixture *fixture);

size_t bl_fixture_count(const struct bl_fixture *fixture);

/* The name of a case; "" for a case that has none and cannot be read. */
const char *bl_fixture_case_name(const struct bl_fixture *fixture, size_t i);

/* ---- A case -------------------------------------------------------------- */

struct bl_fixture_tensor {
    const char *name;
    bl_dtype dtype; /* BL_UNDEFINED: an absent optional input */
    bl_shape shape;
    bl_tensor *data; /* NULL: absent; in an output: the values are the reference's */
    /* Of an output: how far a result may be off. */
    double tolerance;
    double rel_tolerance;
    bool allow_nan;
    bool exact;
};

/* A file that the fixture holds, with the files around it. */
struct bl_fixture_file {
    unsigned char *bytes;
    size_t size;
    struct bl_sandbox_file *beside;
    size_t beside_count;
};

/* A node of a graph: an operator of ai.onnx, and the names of what goes in and out ("" is
 * an absent optional input). */
struct bl_fixture_node {
    const char *op;
    const char **inputs;
    size_t input_count;
    const char **outputs;
    size_t output_count;
    bl_attribute *attributes;
    size_t attribute_count;
};

struct bl_fixture_graph {
    struct bl_fixture_node *nodes;
    size_t node_count;
    struct bl_fixture_tensor *initializers;
    size_t initializer_count;
    const char **outputs;
    size_t output_count;
};

/* What a case runs. */
enum bl_fixture_subject { BL_FIXTURE_OPERATOR, BL_FIXTURE_GRAPH, BL_FIXTURE_MODEL };

/* A case.  Its texts live in the fixture, which has to outlive it. */
struct bl_fixture_case {
    const char *name;
    enum bl_fixture_subject subject;
    char *domain; /* of the operator */
    const char *op;
    int64_t opset; /* BL_OPSET_LATEST where the case names none */
    bl_attribute *attributes;
    size_t attribute_count;
    struct bl_fixture_graph *graph; /* NULL but for BL_FIXTURE_GRAPH */
    struct bl_fixture_file *model;  /* NULL but for BL_FIXTURE_MODEL */
    struct bl_fixture_tensor
        *inputs; /* in the operator's order; of a graph or model by name
                                       */
    size_t input_count;
    struct bl_fixture_tensor *outputs;
    size_t output_count;
    const char *error;         /* NULL, or the case has to fail; a label for people */
    int64_t repeat;            /* how often to run it */
    const char *skip_category; /* NULL: not to be skipped anywhere */
    const char *skip_reason;
    bl_error
        load; /* BL_OK, or why an input or initializer is no tensor: a broken file, a shape beyond the
                      limits */
};

/* Read case i into *out; BL_ERR_FORMAT and a message that starts with file and case if it
 * is not what the format allows.  On failure nothing has to be freed. */
bl_status bl_fixture_case_read(const struct bl_fixture *fixture, size_t i,
                               struct bl_fixture_case *out, bl_error *err);

void bl_fixture_case_free(struct bl_fixture_case *it);

/* Put a file of that name, and those around it, into a temporary folder. */
bl_status bl_fixture_file_place(const struct bl_fixture_file *file, const char *name,
                                struct bl_sandbox *out, bl_error *err);

#endif

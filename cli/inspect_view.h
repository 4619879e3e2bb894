/*
 * inspect_view.h - what is known of a model, and the ways to show it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_INSPECT_VIEW_H
#define BL_CLI_INSPECT_VIEW_H

#include <stdbool.h>
#include <stdio.h>

#include "broadloom/broadloom.h"
#include "cli/message.h"

/* How often an operator version occurs in a model. */
struct bl_op_use {
    const char *domain;
    const char *op_type;
    int since; /* 0: not known */
    size_t count;
};

struct bl_inspection {
    const char *path;
    const bl_model *model;
    const bl_explanation *explanation; /* NULL where it takes types that are not known */
    const char *unexplained;           /* why; NULL if there is one */
    struct bl_op_use *uses;            /* [use_count], the most used first */
    size_t use_count;
    size_t initializer_count;
    double initializer_bytes;
    size_t problem_count;
};

/* Count nodes and initializers.  False if memory runs out.  Free it in any case. */
bool bl_inspection_fill(struct bl_inspection *inspection);
void bl_inspection_free(struct bl_inspection *inspection);

/* Why node n cannot run; NULL: it can, as far as is known. */
const bl_problem *bl_inspection_problem(const struct bl_inspection *inspection, size_t n);

/* The type of a value in a run; NULL where it is not known, or for -1. */
const bl_tensor_type *bl_inspection_type(const struct bl_inspection *inspection,
                                         int32_t value);

/* The bytes that the nodes of a step would read and write one after the other. */
int64_t bl_inspection_bytes_apart(const struct bl_inspection *inspection,
                                  const bl_step_info *step);

/* "float32[2,3]" in `buffer`; returns it. */
char *bl_type_text(const bl_tensor_type *type, char *buffer, size_t size);

/* "512 bytes", "1.5 MB". */
char *bl_bytes_text(double bytes, char *buffer, size_t size);

/* Each prints all of it; false if memory runs out. */
bool bl_inspect_pretty(FILE *out, const struct bl_inspection *inspection,
                       const struct bl_style *style);
bool bl_inspect_json(FILE *out, const struct bl_inspection *inspection);
bool bl_inspect_dot(FILE *out, const struct bl_inspection *inspection);

/* The model's inputs or its outputs, for functions that show either. */
struct bl_ports {
    const bl_value_info *(*info)(const bl_model *model, size_t i);
    int32_t (*value)(const bl_model *model, size_t i);
};

extern const struct bl_ports bl_ports_in;
extern const struct bl_ports bl_ports_out;

/* A picture of what bl_inspect_dot prints, by Graphviz.  False after a message. */
bool bl_inspect_svg(FILE *out, const struct bl_inspection *inspection);

#endif

/*
 * operator_arg.h - operators and attributes as arguments
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CLI_OPERATOR_ARG_H
#define BL_CLI_OPERATOR_ARG_H

#include "broadloom/broadloom.h"

/* The version of an operator, written "Add" or "ai.onnx.Add", that `opset` means.  The
 * message for a name that is none suggests one. */
const bl_op *bl_operator_find(const char *text, int64_t opset, bl_error *err);

/* An attribute and what it owns. */
struct bl_attribute_arg {
    bl_attribute attribute;
    char *text;  /* the argument's copy: the name, and a string's bytes lie in it */
    void *items; /* of a list */
};

/*
 * Read "name=value", in the type that the operator version gives to the attribute.
 *
 * For a name that it does not have the value tells: a whole number is INT, one with a
 * fraction or an exponent FLOAT, [..] a list of these or of strings, all else STRING.  Free
 * it in any case.
 */
bl_status bl_attribute_parse(const bl_op *op, const char *argument,
                             struct bl_attribute_arg *out, bl_error *err);

void bl_attribute_free(struct bl_attribute_arg *arg);

#endif

/*
 * op.h - the operators' schemas: the public bl_op and what we keep beside it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_OPS_OP_H
#define BL_OPS_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "broadloom/broadloom.h"

/* BL_OP_ADD, BL_OP_SUB, ...: one for each operator, whatever the version. */
enum bl_op_id {
#define BL_OP(ID, name, form, max_ulp, summary) BL_OP_##ID,
#include "ops/ops.def"
    BL_OP_ID_COUNT
};

/*
 * How an operator computes.  One form is one way of calling a kernel; what an operator
 * means lies in its kernel alone.
 */
enum bl_form {
    /* Pointwise: an output element comes from one element of each input, by a kernel. */
    BL_FORM_UNARY,    /* Y = f(X), of X's type or bool */
    BL_FORM_BINARY,   /* C = f(A, B), all of one type */
    BL_FORM_COMPARE,  /* C = f(A, B), C is bool */
    BL_FORM_VARIADIC, /* a fold over any number of inputs of one type */
    BL_FORM_POW,      /* as binary, B has a type of its own */
    BL_FORM_SELECT,   /* Where: condition, X, Y */
    BL_FORM_CLIP,     /* Clip: the input, and bounds of one element, inputs or attributes */
    BL_FORM_CAST,     /* Cast, CastLike (whose second input is its type alone), BitCast */
    BL_FORM_COPY,     /* Identity */
    /* The others. */
    BL_FORM_VIEW,   /* the first input's elements under other strides: see ops/view.h */
    BL_FORM_HOST,   /* a function of whole tensors */
    BL_FORM_GEMM,   /* Gemm */
    BL_FORM_MATMUL, /* MatMul */
    BL_FORM_COUNT
};

/* A version of an operator, with what only the library needs to know. */
struct bl_schema {
    bl_op op; /* first, so that a bl_op of ours is a schema */
    enum bl_op_id id;
    enum bl_form form;
};

/* The schema behind a bl_op that came from bl_op_find or bl_op_at; NULL for any other
 * pointer. */
const struct bl_schema *bl_schema_of(const bl_op *op);

/* "Add", for an operator of any version. */
const char *bl_op_id_name(enum bl_op_id id);

/* The form, the same in all versions. */
enum bl_form bl_op_id_form(enum bl_op_id id);

/* True for the forms that a pointwise program may hold. */
bool bl_form_is_pointwise(enum bl_form form);

#endif

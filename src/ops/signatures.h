/*
 * signatures.h - what the signatures and the attributes in the rows of ops.def mean
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For op.c alone, whose tables they fill.
 */
#ifndef BL_OPS_SIGNATURES_H
#define BL_OPS_SIGNATURES_H

#include <float.h>

#include "broadloom/broadloom.h"

/* ---- Inputs and outputs ------------------------------------------------------- */

/* clang-format off */
#define FORMAL(name, variable, set) {name, variable, set, 0, 0}
#define OPTIONAL_FORMAL(name, variable, set) {name, variable, set, 1, 0}
#define VARIADIC_FORMAL(name, variable, set) {name, variable, set, 0, 1}
#define FORMALS(...) (const bl_formal[]){__VA_ARGS__}
/* clang-format on */

#define SIGNATURE(min, max, ins, outs)                                        \
    .min_inputs = (min), .max_inputs = (max), .inputs = ins, .outputs = outs, \
    .input_count = sizeof(ins) / sizeof(bl_formal), .output_count = 1

#define ONE_TO_ONE(x, T, y)                              \
    SIGNATURE(1, 1, FORMALS(FORMAL(x, "T", BL_SET_##T)), \
              FORMALS(FORMAL(y, "T", BL_SET_##T)))
#define BINARY_SIGNATURE(a, b, T, y, variable, Y)                                    \
    SIGNATURE(2, 2, FORMALS(FORMAL(a, "T", BL_SET_##T), FORMAL(b, "T", BL_SET_##T)), \
              FORMALS(FORMAL(y, variable, BL_SET_##Y)))

#define X_Y(T) ONE_TO_ONE("X", T, "Y")
#define X_BOOL(T)                                           \
    SIGNATURE(1, 1, FORMALS(FORMAL("X", "T1", BL_SET_##T)), \
              FORMALS(FORMAL("Y", "T2", BL_SET_B)))
#define AB_C(T) BINARY_SIGNATURE("A", "B", T, "C", "T", T)
#define AB_Y(T) BINARY_SIGNATURE("A", "B", T, "Y", "T", T)
#define AB_BOOL(T) BINARY_SIGNATURE("A", "B", T, "C", "T1", B)
#define XY_Z(T) BINARY_SIGNATURE("X", "Y", T, "Z", "T", T)
#define XSLOPE_Y(T) BINARY_SIGNATURE("X", "slope", T, "Y", "T", T)
#define XY1_Z(T, T1)                                                                       \
    SIGNATURE(2, 2, FORMALS(FORMAL("X", "T", BL_SET_##T), FORMAL("Y", "T1", BL_SET_##T1)), \
              FORMALS(FORMAL("Z", "T", BL_SET_##T)))
#define VARIADIC_SIGNATURE(x, T, y)                                      \
    SIGNATURE(1, SIZE_MAX, FORMALS(VARIADIC_FORMAL(x, "T", BL_SET_##T)), \
              FORMALS(FORMAL(y, "T", BL_SET_##T)))
#define ANY_OF(T, y) VARIADIC_SIGNATURE("data_0", T, y)
#define CXY_OUT(T)                                                                      \
    SIGNATURE(3, 3,                                                                     \
              FORMALS(FORMAL("condition", "B", BL_SET_B), FORMAL("X", "T", BL_SET_##T), \
                      FORMAL("Y", "T", BL_SET_##T)),                                    \
              FORMALS(FORMAL("output", "T", BL_SET_##T)))
#define ABC_Y_REQUIRED 3, FORMAL
#define ABC_Y_OPTIONAL 2, OPTIONAL_FORMAL
#define ABC_Y(T, C) ABC_Y_OF(T, ABC_Y_##C)
#define ABC_Y_OF(...) ABC_Y_WITH(__VA_ARGS__)
#define ABC_Y_WITH(T, min, C_FORMAL)                                              \
    SIGNATURE(min, 3,                                                             \
              FORMALS(FORMAL("A", "T", BL_SET_##T), FORMAL("B", "T", BL_SET_##T), \
                      C_FORMAL("C", "T", BL_SET_##T)),                            \
              FORMALS(FORMAL("Y", "T", BL_SET_##T)))
#define IN_OUT(T) ONE_TO_ONE("input", T, "output")
#define IN_OUT_V(T)                                            \
    SIGNATURE(1, 1, FORMALS(FORMAL("input", "V", BL_SET_##T)), \
              FORMALS(FORMAL("output", "V", BL_SET_##T)))
#define CLIP(T)                                                 \
    SIGNATURE(1, 3,                                             \
              FORMALS(FORMAL("input", "T", BL_SET_##T),         \
                      OPTIONAL_FORMAL("min", "T", BL_SET_##T),  \
                      OPTIONAL_FORMAL("max", "T", BL_SET_##T)), \
              FORMALS(FORMAL("output", "T", BL_SET_##T)))
#define CAST(T)                                                 \
    SIGNATURE(1, 1, FORMALS(FORMAL("input", "T1", BL_SET_##T)), \
              FORMALS(FORMAL("output", "T2", BL_SET_##T)))
#define CAST_LIKE(T)                                            \
    SIGNATURE(2, 2,                                             \
              FORMALS(FORMAL("input", "T1", BL_SET_##T),        \
                      FORMAL("target_type", "T2", BL_SET_##T)), \
              FORMALS(FORMAL("output", "T2", BL_SET_##T)))

/* ---- Of operators that move data ------------------------------------------------ */

/* A type that no other formal shares: ONNX writes it out in place of a variable. */
#define INT64_FORMAL(name) FORMAL(name, "tensor(int64)", BL_SET_INT64)
#define OPTIONAL_INT64_FORMAL(name) OPTIONAL_FORMAL(name, "tensor(int64)", BL_SET_INT64)

#define CONSTANT(T) .outputs = FORMALS(FORMAL("output", "T", BL_SET_##T)), .output_count = 1
#define OF_SHAPE(T2)                                              \
    SIGNATURE(1, 1, FORMALS(FORMAL("input", "T1", BL_SET_INT64)), \
              FORMALS(FORMAL("output", "T2", BL_SET_##T2)))
#define DATA_TO(y, T) ONE_TO_ONE("data", T, y)
#define DATA_TO_INT64(y, T)                                   \
    SIGNATURE(1, 1, FORMALS(FORMAL("data", "T", BL_SET_##T)), \
              FORMALS(FORMAL(y, "T1", BL_SET_INT64)))
#define WITH_INT64(min, x, T, FORMAL_2, y)                           \
    SIGNATURE(min, 2, FORMALS(FORMAL(x, "T", BL_SET_##T), FORMAL_2), \
              FORMALS(FORMAL(y, "T", BL_SET_##T)))
#define INPUT_SHAPE(T) WITH_INT64(2, "input", T, INT64_FORMAL("shape"), "output")
#define RESHAPE(T) WITH_INT64(2, "data", T, INT64_FORMAL("shape"), "reshaped")
#define UNSQUEEZE(T) WITH_INT64(2, "data", T, INT64_FORMAL("axes"), "expanded")
#define SQUEEZE(T) WITH_INT64(1, "data", T, OPTIONAL_INT64_FORMAL("axes"), "squeezed")
#define CONCAT(T) VARIADIC_SIGNATURE("inputs", T, "concat_result")
#define SLICE(T)                                                    \
    SIGNATURE(3, 5,                                                 \
              FORMALS(FORMAL("data", "T", BL_SET_##T),              \
                      FORMAL("starts", "Tind", BL_SET_I2),          \
                      FORMAL("ends", "Tind", BL_SET_I2),            \
                      OPTIONAL_FORMAL("axes", "Tind", BL_SET_I2),   \
                      OPTIONAL_FORMAL("steps", "Tind", BL_SET_I2)), \
              FORMALS(FORMAL("output", "T", BL_SET_##T)))
#define GATHER(T)                                                                       \
    SIGNATURE(                                                                          \
        2, 2,                                                                           \
        FORMALS(FORMAL("data", "T", BL_SET_##T), FORMAL("indices", "Tind", BL_SET_I2)), \
        FORMALS(FORMAL("output", "T", BL_SET_##T)))
#define RANGE(T)                                                                          \
    SIGNATURE(3, 3,                                                                       \
              FORMALS(FORMAL("start", "T", BL_SET_##T), FORMAL("limit", "T", BL_SET_##T), \
                      FORMAL("delta", "T", BL_SET_##T)),                                  \
              FORMALS(FORMAL("output", "T", BL_SET_##T)))

/* ---- Attributes ------------------------------------------------------------- */

/* Each ends in a comma, so that a row lists them with spaces. */
#define FREE(text, kind) {.name = text, .type = BL_ATTRIBUTE_##kind},
#define NEEDED(text, kind) {.name = text, .type = BL_ATTRIBUTE_##kind, .required = 1},
#define INT_OF(text, value) \
    {.name = text, .type = BL_ATTRIBUTE_INT, .has_default = 1, .default_int = (value)},
#define FLOAT_OF(text, value) \
    {.name = text, .type = BL_ATTRIBUTE_FLOAT, .has_default = 1, .default_float = (value)},
#define STRING_OF(text, value)    \
    {.name = text,                \
     .type = BL_ATTRIBUTE_STRING, \
     .has_default = 1,            \
     .default_string = (value)},
#define END_OF_LIST  \
    {                \
        .name = NULL \
    }

#define ALLOWZERO INT_OF("allowzero", 0)
#define ALPHA(value) FLOAT_OF("alpha", value)
#define APPROXIMATE STRING_OF("approximate", "none")
#define AXES FREE("axes", INTS)
#define AXES_NEEDED NEEDED("axes", INTS)
#define AXIS FREE("axis", INT)
#define AXIS_NEEDED NEEDED("axis", INT)
#define AXIS_OF(value) INT_OF("axis", value)
#define BETA(value) FLOAT_OF("beta", value)
#define BIAS(value) FLOAT_OF("bias", value)
#define BROADCAST INT_OF("broadcast", 0)
#define CONSUMED FREE("consumed_inputs", INTS)
#define DETECT_NEGATIVE INT_OF("detect_negative", 1)
#define DETECT_POSITIVE INT_OF("detect_positive", 1)
#define DIRECTION NEEDED("direction", STRING)
#define END FREE("end", INT)
#define ENDS NEEDED("ends", INTS)
#define FMOD INT_OF("fmod", 0)
#define GAMMA(value) FLOAT_OF("gamma", value)
#define LAMBD(value) FLOAT_OF("lambd", value)
#define MAX_BOUND FREE("max", FLOAT)
#define MAX_BOUND_OF(value) FLOAT_OF("max", value)
#define MIN_BOUND FREE("min", FLOAT)
#define MIN_BOUND_OF(value) FLOAT_OF("min", value)
#define PERM FREE("perm", INTS)
#define ROUND_MODE STRING_OF("round_mode", "up")
#define SATURATE INT_OF("saturate", 1)
#define SHAPE_INTS FREE("shape", INTS)
#define SPARSE_VALUE FREE("sparse_value", SPARSE_TENSOR)
#define START INT_OF("start", 0)
#define STARTS NEEDED("starts", INTS)
#define STASH_TYPE INT_OF("stash_type", 1)
#define TO NEEDED("to", INT)
#define TO_NAME NEEDED("to", STRING)
#define TRANS INT_OF("transA", 0) INT_OF("transB", 0)
#define VALUE FREE("value", TENSOR)
#define VALUE_NEEDED NEEDED("value", TENSOR)
#define VALUE_FORMS              \
    FREE("value_float", FLOAT)   \
    FREE("value_floats", FLOATS) \
    FREE("value_int", INT)       \
    FREE("value_ints", INTS) FREE("value_string", STRING) FREE("value_strings", STRINGS)

#endif

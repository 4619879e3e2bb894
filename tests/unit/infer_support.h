/*
 * infer_support.h - nodes with their inputs in one line, for tests of inference
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_UNIT_INFER_SUPPORT_H
#define BL_TESTS_UNIT_INFER_SUPPORT_H

#include "unit.h"

#include "ops/infer.h"
#include "shape/shape.h"
#include "tensor/tensor.h"

/* The tensors of a test, freed after it. */
static bl_tensor *made[256];
static size_t made_count;

static inline const bl_tensor *keep(bl_tensor *tensor, const bl_error *err)
{
    if (tensor == NULL)
        fail_msg("%s", err->message);
    assert_true(made_count < sizeof made / sizeof *made);
    return made[made_count++] = tensor;
}

static inline int free_made(void **state)
{
    (void)state;
    while (made_count > 0)
        bl_tensor_free(made[--made_count]);
    return 0;
}

static inline const bl_tensor *zeros(bl_dtype dtype, const bl_shape *shape)
{
    bl_error err;

    return keep(bl_tensor_new(NULL, dtype, shape, &err), &err);
}

static inline const bl_tensor *list_of(size_t count, const int64_t *numbers)
{
    bl_error err;
    bl_tensor *tensor = bl_tensor_new(NULL, BL_INT64, BL_SHAPE((int64_t)count), &err);

    if (tensor != NULL && count > 0)
        memcpy(tensor->data, numbers, count * sizeof *numbers);
    return keep(tensor, &err);
}

#define COUNT(...) (sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t))
/* A float32 tensor of a shape; an int64 tensor with these elements; INTS attributes. */
#define OF(...) zeros(BL_FLOAT32, BL_SHAPE(__VA_ARGS__))
#define SCALAR zeros(BL_FLOAT32, BL_SCALAR)
#define LIST(...) list_of(COUNT(__VA_ARGS__), (int64_t[]){__VA_ARGS__})
#define EMPTY list_of(0, NULL)
#define INTS(label, ...)                                                         \
    {                                                                            \
        .name = (label), .type = BL_ATTRIBUTE_INTS, .count = COUNT(__VA_ARGS__), \
        .value.ints = (const int64_t[]){__VA_ARGS__},                            \
    }
#define INT(label, number)                                              \
    {                                                                   \
        .name = (label), .type = BL_ATTRIBUTE_INT, .value.i = (number), \
    }

/* A node and its inputs; NULL ends both lists, a NULL before the end of the inputs needs
 * `inputs`. */
struct call {
    const char *op;
    int64_t opset;
    const bl_tensor *in[5];
    size_t inputs; /* 0: up to the first NULL */
    bl_attribute attributes[4];
};

static inline bl_status infer(const struct call *call, int with_values, bl_tensor_type *out,
                              bl_error *err)
{
    bl_node node = {.op = bl_op_find("", call->op, call->opset, err), .name = "n"};
    bl_tensor_type types[5];
    struct bl_params params;
    size_t count = call->inputs;

    if (node.op == NULL)
        return err->status;
    node.attributes = call->attributes;
    while (node.attribute_count < 4 && call->attributes[node.attribute_count].name != NULL)
        node.attribute_count++;
    while (call->inputs == 0 && count < 5 && call->in[count] != NULL)
        count++;
    for (size_t i = 0; i < count; i++) {
        types[i].dtype = BL_UNDEFINED;
        if (call->in[i] == NULL)
            continue;
        types[i].dtype = call->in[i]->dtype;
        types[i].shape = call->in[i]->shape;
    }
    return bl_node_infer(&node, types, with_values ? call->in : NULL, count, out, 1,
                         &params, err);
}

/* The output is of that type and shape. */
#define assert_infers(type, expected, ...)                                                 \
    do {                                                                                   \
        bl_tensor_type out_;                                                               \
        bl_error err_;                                                                     \
        char text_[BL_SHAPE_TEXT];                                                         \
        assert_ok(infer(&(const struct call){.op = __VA_ARGS__}, 1, &out_, &err_), &err_); \
        assert_int_equal(out_.dtype, type);                                                \
        if (!bl_shape_equal(&out_.shape, expected))                                        \
            fail_msg("%d: got %s", __LINE__, bl_shape_text(&out_.shape, text_));           \
    } while (0)

#define assert_refuses(status, text, ...)                                             \
    do {                                                                              \
        bl_tensor_type out_;                                                          \
        bl_error err_;                                                                \
        assert_fails(infer(&(const struct call){.op = __VA_ARGS__}, 1, &out_, &err_), \
                     status, &err_, text);                                            \
    } while (0)

#endif

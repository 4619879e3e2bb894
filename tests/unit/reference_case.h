/*
 * reference_case.h - a call of the reference with everything in it written as text
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_UNIT_REFERENCE_CASE_H
#define BL_TESTS_UNIT_REFERENCE_CASE_H

#include "unit.h"

#include "base/text.h"
#include "conform/reference.h"
#include "conform/value.h"

#define CASE_INPUTS 5
#define CASE_ATTRIBUTES 3

/* A tensor: its elements with a space between, as bl_value_parse reads them; an empty
 * string is written ''.  dtype BL_UNDEFINED: an absent input. */
struct text_tensor {
    bl_dtype dtype;
    const bl_shape *shape;
    const char *values;
};

struct reference_case {
    const char *op;
    int64_t opset;
    struct text_tensor in[CASE_INPUTS];
    bl_attribute attributes[CASE_ATTRIBUTES];
    struct text_tensor out; /* dtype BL_UNDEFINED: the call fails */
    bl_status status;
};

/* clang-format off */
#define INT(key, number) {.name = key, .type = BL_ATTRIBUTE_INT, .value.i = number}
#define FLOAT(key, number) {.name = key, .type = BL_ATTRIBUTE_FLOAT, .value.f = number}
#define STRING(key, text) \
    {.name = key, .type = BL_ATTRIBUTE_STRING, .value.s = {text, sizeof text - 1}}
#define INTS(key, ...)                                                    \
    {.name = key, .type = BL_ATTRIBUTE_INTS,                              \
     .count = sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t),         \
     .value.ints = (const int64_t[]){__VA_ARGS__}}
/* clang-format on */

/* A vector of n. */
#define ROW(dtype, n, values)      \
    {                              \
        dtype, BL_SHAPE(n), values \
    }
#define ONE(dtype, value)       \
    {                           \
        dtype, BL_SCALAR, value \
    }
#define ABSENT                       \
    {                                \
        BL_UNDEFINED, NULL, "absent" \
    }

static inline bl_tensor *make_tensor(const struct text_tensor *from)
{
    bl_error err = {0};
    bl_tensor *made = bl_tensor_new(NULL, from->dtype, from->shape, &err);
    const char *at = from->values;
    char word[64];

    if (made == NULL)
        fail_msg("%s", err.message);
    for (int64_t i = 0; i < bl_tensor_count(made); i++) {
        const size_t length = strcspn(at, " ");

        assert_true(length < sizeof word);
        memcpy(word, at, length);
        word[length] = '\0';
        at += length + (at[length] == ' ');
        if (from->dtype != BL_STRING)
            assert_ok(bl_value_parse(from->dtype, word,
                                     (char *)bl_tensor_mutable_data(made) +
                                         (size_t)i * bl_dtype_size(from->dtype),
                                     &err),
                      &err);
        else if (strcmp(word, "''") != 0)
            assert_ok(bl_tensor_set_string(made, i, word, length, &err), &err);
    }
    assert_true(*at == '\0');
    return made;
}

/* The elements as text, strings without quotes. */
static inline void print_tensor(const bl_tensor *tensor, char *buffer, size_t size)
{
    struct bl_text text = bl_text_in(buffer, size);
    char one[64];

    for (int64_t i = 0; i < bl_tensor_count(tensor); i++) {
        const void *element = bl_value_at(tensor, i);
        bl_string string;

        bl_text_put(&text, "%s", i > 0 ? " " : "");
        if (bl_tensor_dtype(tensor) != BL_STRING) {
            bl_text_put(&text, "%s",
                        bl_value_text(bl_tensor_dtype(tensor), element, one, sizeof one));
            continue;
        }
        memcpy(&string, element, sizeof string);
        bl_text_put(&text, "%.*s", string.size > 0 ? (int)string.size : 2,
                    string.size > 0 ? string.data : "''");
    }
}

static inline void check_output(const struct reference_case *it, size_t number,
                                const bl_tensor *out)
{
    const bl_shape *shape = bl_tensor_shape(out);
    char text[1024];

    print_tensor(out, text, sizeof text);
    if (bl_tensor_dtype(out) != it->out.dtype || shape->rank != it->out.shape->rank)
        fail_msg("%s-%d, case %zu: %s of rank %d: %s", it->op, (int)it->opset, number,
                 bl_dtype_name(bl_tensor_dtype(out)), shape->rank, text);
    for (int axis = 0; axis < shape->rank; axis++)
        if (shape->dim[axis] != it->out.shape->dim[axis])
            fail_msg("%s-%d, case %zu: axis %d is %d", it->op, (int)it->opset, number, axis,
                     (int)shape->dim[axis]);
    if (strcmp(text, it->out.values) != 0)
        fail_msg("%s-%d, case %zu: got %s, want %s", it->op, (int)it->opset, number, text,
                 it->out.values);
}

static inline void check_case(const struct reference_case *it, size_t number)
{
    bl_error err = {0};
    bl_tensor *inputs[CASE_INPUTS] = {NULL};
    bl_tensor *out = NULL;
    bl_node node = {.op = bl_op_find("", it->op, it->opset, &err),
                    .attributes = it->attributes};
    size_t count = 0;

    if (node.op == NULL)
        fail_msg("%s", err.message);
    while (node.attribute_count < CASE_ATTRIBUTES &&
           it->attributes[node.attribute_count].name != NULL)
        node.attribute_count++;
    for (; count < CASE_INPUTS && it->in[count].values != NULL; count++)
        if (it->in[count].dtype != BL_UNDEFINED)
            inputs[count] = make_tensor(&it->in[count]);
    const bl_status status =
        bl_reference_apply(&node, (const bl_tensor *const *)inputs, count, &out, 1, &err);

    if (status != it->status)
        fail_msg("%s-%d, case %zu: %s %s", it->op, (int)it->opset, number,
                 bl_status_name(status), err.message);
    if (status == BL_OK)
        check_output(it, number, out);
    else
        assert_null(out);
    bl_tensor_free(out);
    for (size_t i = 0; i < count; i++)
        bl_tensor_free(inputs[i]);
}

static inline void check_cases(const struct reference_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_case(&cases[i], i);
}

#endif

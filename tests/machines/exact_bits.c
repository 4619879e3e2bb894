/*
 * exact_bits.c - the bits of what every exact operator computes, as a list of hashes
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   exact_bits            print the list
 *   exact_bits LIST       compare with the list in a file
 *
 * A line is an operator, an element type, and a hash over the results on fixed operands that
 * are odd in some way.  The list in exact_bits.txt is one for all machines: a result that
 * differs anywhere, by processor, tier or compiler, fails there.
 *
 * In are the newest versions of all pointwise operators and matrix products whose results
 * are exact.  What only moves elements is left to the fixtures.  Any NaN counts as the same,
 * except in copies.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check/random.h"
#include "base/compiler.h"
#include "conform/value.h"
#include "ops/op.h"
#include "tensor/dtype.h"

#define MOST_INPUTS 5
#define LINE_BYTES 80

/* ---- Hashes -------------------------------------------------------------------------- */

/* FNV-1a.  Source: Fowler, Noll, Vo; RFC 9923. */
#define HASH_START UINT64_C(0xCBF29CE484222325)

static void add_byte(uint64_t *hash, unsigned byte)
{
    *hash = (*hash ^ (byte & 0xFF)) * UINT64_C(0x100000001B3);
}

/* The lowest byte first, on every machine. */
static void add_number(uint64_t *hash, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        add_byte(hash, (unsigned)(number >> (8 * i)));
}

static void add_element(uint64_t *hash, bl_dtype dtype, const char *element, bool is_copy)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);
    bl_string text;

    if (info->kind == BL_KIND_STRING) {
        memcpy(&text, element, sizeof text);
        for (size_t i = 0; i <= text.size; i++)
            add_byte(hash, i < text.size ? (unsigned char)text.data[i] : 0x100);
    } else if (info->kind == BL_KIND_COMPLEX) {
        const bl_dtype part = bl_value_part(dtype);

        add_element(hash, part, element, is_copy);
        add_element(hash, part, element + bl_dtype_size(part), is_copy);
    } else if (!is_copy && info->kind == BL_KIND_FLOAT &&
               isnan(bl_value_to_double(dtype, element))) {
        add_byte(hash, 'N');
    } else {
        add_number(hash, bl_value_raw(dtype, element), info->bytes);
    }
}

static void add_tensor(uint64_t *hash, const bl_tensor *tensor, bool is_copy)
{
    const bl_dtype dtype = bl_tensor_dtype(tensor);

    add_number(hash, (uint64_t)bl_tensor_count(tensor), 8);
    add_byte(hash, dtype);
    for (int64_t i = 0; i < bl_tensor_count(tensor); i++)
        add_element(hash, dtype, bl_value_at(tensor, i), is_copy);
}

/* ---- Operands -------------------------------------------------------------------------- */

static void fill_element(random_state *random, bl_dtype dtype, void *element)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);
    const uint64_t bits = random_bits(random);

    random_element(random, dtype, element);
    if (dtype == BL_FLOAT4E2M1)
        *(uint8_t *)element &= 0x0F;
    else if (dtype != BL_STRING && info->bits < 8)
        bl_value_from_bits(dtype, bits, element);
}

/* An integer divisor of 0 has no result. */
static bool is_divisor(const bl_op *op, size_t i)
{
    return i == 1 && (strcmp(op->name, "Div") == 0 || strcmp(op->name, "Mod") == 0);
}

static bl_tensor *new_operand(random_state *random, const bl_op *op, size_t i,
                              bl_dtype dtype, const bl_shape *shape)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);
    const bool is_integer = info->kind == BL_KIND_INT || info->kind == BL_KIND_UINT;
    bl_tensor *tensor = bl_tensor_new(NULL, dtype, shape, NULL);

    if (tensor == NULL)
        return NULL;
    for (int64_t at = 0; at < bl_tensor_count(tensor); at++) {
        union {
            unsigned char bytes[16];
            bl_string text;
        } element;

        fill_element(random, dtype, &element);
        if (is_integer && is_divisor(op, i) && bl_value_raw(dtype, &element) == 0)
            bl_value_from_bits(dtype, 7, &element);
        if (dtype != BL_STRING)
            memcpy((char *)bl_tensor_mutable_data(tensor) + (size_t)at * info->bytes,
                   &element, info->bytes);
        else if (bl_tensor_set_string(tensor, at, element.text.data, element.text.size,
                                      NULL) != BL_OK)
            exit(2);
    }
    return tensor;
}

/* The shape of input i; `broadcast` where the rule allows it. */
static bl_shape shape_of(const bl_op *op, size_t i, bool broadcast)
{
    const bool is_gemm = strcmp(op->name, "Gemm") == 0;

    if (is_gemm || strcmp(op->name, "MatMul") == 0)
        return i == 0   ? (bl_shape){2, {9, 40}}
               : i == 1 ? (bl_shape){2, {40, 21}}
                        : (bl_shape){1, {21}};
    if (strcmp(op->name, "Clip") == 0 && i > 0)
        return (bl_shape){.rank = 0};
    if (!broadcast || i == 0 || op->rule == BL_RULE_NONE || op->rule == BL_RULE_OWN)
        return (bl_shape){2, {7, 101}};
    return i == 1 ? (bl_shape){1, {101}} : (bl_shape){2, {7, 1}};
}

/* ---- Calls ------------------------------------------------------------------------------ */

/* What is the same for all calls that make one line. */
struct line {
    bl_context *context;
    const bl_op *op;
    bl_dtype dtype; /* of the formal that decides */
    random_state random;
    uint64_t hash;
    bool is_copy;
};

static const bl_formal *formal_of(const bl_op *op, size_t i)
{
    return &op->inputs[i < op->input_count ? i : op->input_count - 1];
}

/* The formal whose type decides: the first, but Where's second. */
static const bl_formal *deciding(const bl_op *op)
{
    return formal_of(op, bl_schema_of(op)->form == BL_FORM_SELECT ? 1 : 0);
}

/* A call with `inputs` inputs; those that have a type of their own have `other`. */
static void add_call(struct line *line, const bl_attribute *attributes, size_t count,
                     size_t inputs, bl_dtype other, bool broadcast)
{
    const bl_op *op = line->op;
    const bl_node node = {.op = op, .attributes = attributes, .attribute_count = count};
    bl_tensor *in[MOST_INPUTS], *out = NULL;
    bl_error err;

    for (size_t i = 0; i < inputs; i++) {
        const bool own =
            strcmp(formal_of(op, i)->type_variable, deciding(op)->type_variable) != 0;
        const bl_shape shape = shape_of(op, i, broadcast);

        in[i] = new_operand(&line->random, op, i, own ? other : line->dtype, &shape);
        if (in[i] == NULL)
            exit(2);
    }
    const bl_status status =
        bl_apply(line->context, &node, (const bl_tensor *const *)in, inputs, &out, 1, &err);

    add_number(&line->hash, (uint64_t)status, 4); /* of types that do not go together */
    if (status == BL_OK)
        add_tensor(&line->hash, out, line->is_copy);
    else if (status == BL_ERR_ARITHMETIC || status == BL_ERR_MEMORY) {
        fprintf(stderr, "exact_bits: %s\n", err.message);
        exit(2);
    }
    bl_tensor_free(out);
    for (size_t i = 0; i < inputs; i++)
        bl_tensor_free(in[i]);
}

/* Calls with every number of inputs, of the attributes given. */
static void add_calls(struct line *line, const bl_attribute *attributes, size_t count)
{
    const bl_op *op = line->op;
    const size_t most = op->max_inputs < MOST_INPUTS ? op->max_inputs : MOST_INPUTS;
    const bl_formal *last = formal_of(op, op->input_count - 1);
    const bl_formal *other =
        formal_of(op, bl_schema_of(op)->form == BL_FORM_SELECT ? 0 : 1);

    if (strcmp(other->type_variable, deciding(op)->type_variable) == 0)
        other = NULL;
    for (size_t inputs = op->min_inputs; inputs <= most; inputs++) {
        if (inputs < op->input_count && !last->optional && !last->variadic)
            continue;
        for (int dtype = 1; dtype < BL_DTYPE_COUNT; dtype++) {
            if (other != NULL ? !(other->dtypes >> dtype & 1) : dtype != BL_FLOAT32)
                continue;
            add_call(line, attributes, count, inputs, (bl_dtype)dtype, false);
            add_call(line, attributes, count, inputs, (bl_dtype)dtype, true);
        }
    }
}

static bl_attribute integer(const char *name, int64_t value)
{
    return (bl_attribute){.name = name, .type = BL_ATTRIBUTE_INT, .value.i = value};
}

/* Calls with the attributes that an operator has to have, or that change what it does. */
static void add_variants(struct line *line)
{
    const bl_op *op = line->op;
    const bool is_float = bl_dtype_info(line->dtype)->kind == BL_KIND_FLOAT;

    if (strcmp(op->name, "BitShift") == 0) {
        bl_attribute direction = {.name = "direction", .type = BL_ATTRIBUTE_STRING};

        direction.value.s = (bl_string){"LEFT", 4};
        add_calls(line, &direction, 1);
        direction.value.s = (bl_string){"RIGHT", 5};
        add_calls(line, &direction, 1);
    } else if (strcmp(op->name, "Cast") == 0 || strcmp(op->name, "BitCast") == 0) {
        for (int to = 1; to < BL_DTYPE_COUNT; to++) {
            const bl_attribute type = integer("to", to);

            if (op->outputs[0].dtypes >> to & 1)
                add_calls(line, &type, 1);
        }
    } else if (strcmp(op->name, "Gemm") == 0) {
        bl_attribute scale[] = {{.name = "alpha", .type = BL_ATTRIBUTE_FLOAT},
                                {.name = "beta", .type = BL_ATTRIBUTE_FLOAT}};

        add_calls(line, NULL, 0);
        scale[0].value.f = 0.3F;
        scale[1].value.f = -1.7F;
        add_calls(line, scale, 2);
    } else if (strcmp(op->name, "Mod") == 0) {
        const bl_attribute fmod = integer("fmod", 1);

        add_calls(line, &fmod, 1);
        if (!is_float)
            add_calls(line, NULL, 0);
    } else {
        add_calls(line, NULL, 0);
    }
}

/* ---- The list ------------------------------------------------------------------------------ */

static bool is_listed(const bl_op *op)
{
    const enum bl_form form = bl_schema_of(op)->form;

    return op->max_ulp == 0 && bl_op_until(op) == BL_OPSET_MAX &&
           (bl_form_is_pointwise(form) || form == BL_FORM_GEMM || form == BL_FORM_MATMUL);
}

static bool only_copies(const bl_op *op)
{
    const enum bl_form form = bl_schema_of(op)->form;

    return form == BL_FORM_COPY || form == BL_FORM_SELECT;
}

/* Print the line, or compare it with the next of `list`; false if they differ. */
static bool finish(const struct line *line, FILE *list)
{
    char text[LINE_BYTES], wanted[LINE_BYTES];

    snprintf(text, sizeof text, "%s %s %016llx\n", line->op->name,
             bl_dtype_name(line->dtype), (unsigned long long)line->hash);
    if (list == NULL) {
        fputs(text, stdout);
        return true;
    }
    if (fgets(wanted, sizeof wanted, list) == NULL)
        strcpy(wanted, "nothing\n");
    if (strcmp(text, wanted) == 0)
        return true;
    printf("differs: %.*s, the list has %s", (int)strlen(text) - 1, text, wanted);
    return false;
}

static int go_through(bl_context *context, FILE *list)
{
    int lines = 0, different = 0;
    char rest[LINE_BYTES];

    for (size_t i = 0; i < bl_op_count(); i++) {
        const bl_op *op = bl_op_at(i);

        for (int dtype = 1; is_listed(op) && dtype < BL_DTYPE_COUNT; dtype++) {
            struct line line = {context,  op,         (bl_dtype)dtype,
                                20261130, HASH_START, only_copies(op)};

            if (!(deciding(op)->dtypes >> dtype & 1))
                continue;
            add_variants(&line);
            lines++;
            different += !finish(&line, list);
        }
    }
    if (list == NULL)
        return 0;
    if (fgets(rest, sizeof rest, list) != NULL) {
        printf("the list has more: %s", rest);
        different++;
    }
    printf("exact bits (%s kernels): %d lines, %d differ\n", bl_context_isa(context), lines,
           different);
    return different != 0;
}

int main(int argc, char **argv)
{
    bl_error err;
    bl_context *context = bl_context_new(NULL, &err);
    FILE *list = argc > 1 ? fopen(argv[1], "r") : NULL;

    if (context == NULL || (argc > 1 && list == NULL)) {
        fprintf(stderr, "exact_bits: cannot open %s\n", argc > 1 ? argv[1] : "a context");
        return 2;
    }
    const int status = go_through(context, list);

    if (list != NULL)
        fclose(list);
    bl_context_free(context);
    return status;
}

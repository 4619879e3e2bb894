/*
 * params.c - the values of a node's attributes, checked and with defaults filled in
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "ops/node.h"
#include "ops/types.h"
#include "tensor/dtype.h"
#include "tensor/tensor.h"

/* ---- Words -------------------------------------------------------------------- */

/* A STRING attribute that is one of a few words. */
struct choice {
    const char *name;
    size_t count;
    const char *words[3];
};

static const struct choice direction = {"direction", 2, {"LEFT", "RIGHT"}};
static const struct choice approximate = {"approximate", 2, {"none", "tanh"}};
/* In the order of enum bl_round. */
static const struct choice round_mode = {"round_mode", 3, {"up", "down", "nearest"}};

static bool is_word(const bl_string *text, const char *word)
{
    return text->size == strlen(word) && memcmp(text->data, word, text->size) == 0;
}

/* For messages: some attributes are long. */
static int shown(const bl_string *text)
{
    return text->size < 40 ? (int)text->size : 40;
}

/* Set *index to the word that the node gives; it stays where none is given. */
static bl_status read_choice(const bl_node *node, const struct choice *choice,
                             size_t *index, bl_error *err)
{
    const bl_attribute *attribute = bl_node_attribute(node, choice->name);
    char subject[BL_NODE_TEXT];
    char buffer[64];
    struct bl_text words = bl_text_in(buffer, sizeof buffer);

    if (attribute == NULL)
        return BL_OK;
    for (size_t i = 0; i < choice->count; i++) {
        if (is_word(&attribute->value.s, choice->words[i])) {
            *index = i;
            return BL_OK;
        }
        bl_text_put(&words, "%s%s",
                    i == 0                   ? ""
                    : i + 1 == choice->count ? " or "
                                             : ", ",
                    choice->words[i]);
    }
    return bl_fail(err, BL_ERR_ATTRIBUTE, "%s: attribute '%s' is '%.*s', but has to be %s",
                   bl_node_text(node, subject), choice->name, shown(&attribute->value.s),
                   attribute->value.s.data, buffer);
}

/* ---- Types ---------------------------------------------------------------------- */

/* ONNX's name of a type, in capitals, as Cast-1 has it: "FLOAT". */
static bl_dtype dtype_of_capitals(const bl_string *text)
{
    char name[24];

    if (text->size >= sizeof name)
        return BL_UNDEFINED;
    for (size_t i = 0; i < text->size; i++)
        name[i] = (char)(text->data[i] >= 'A' && text->data[i] <= 'Z' ? text->data[i] | 0x20
                                                                      : text->data[i]);
    name[text->size] = '\0';
    return bl_dtype_from_name(name);
}

/* The output's types do not have this one: say which later version does. */
static bl_status output_not_allowed(const bl_node *node, const char *attribute,
                                    bl_dtype dtype, bl_error *err)
{
    const bl_op *later = node->op;
    char subject[BL_NODE_TEXT];
    char allowed[512];

    bl_node_text(node, subject);
    while (later != NULL && !(later->outputs[0].dtypes & BL_SET(dtype)))
        later = bl_op_until(later) < BL_OPSET_MAX
                    ? bl_op_find(later->domain, later->name, bl_op_until(later) + 1, NULL)
                    : NULL;
    bl_dtype_set_text(node->op->outputs[0].dtypes, allowed, sizeof allowed);
    if (later != NULL)
        return bl_fail(err, BL_ERR_TYPE,
                       "%s does not make %s, which attribute '%s' asks for; %s does from "
                       "opset %d on (here: %s)",
                       subject, bl_dtype_name(dtype), attribute, later->name, later->since,
                       allowed);
    return bl_fail(
        err, BL_ERR_TYPE,
        "%s does not make %s, which attribute '%s' asks for, in no version up to "
        "opset %d (it makes %s)",
        subject, bl_dtype_name(dtype), attribute, BL_OPSET_MAX, allowed);
}

static bl_status check_output_type(const bl_node *node, const char *attribute,
                                   bl_dtype dtype, bl_error *err)
{
    return node->op->outputs[0].dtypes & BL_SET(dtype)
               ? BL_OK
               : output_not_allowed(node, attribute, dtype, err);
}

static bl_status read_to(const bl_node *node, bl_dtype *to, bl_error *err)
{
    const bl_attribute *attribute = bl_node_attribute(node, "to"); /* it is required */
    char subject[BL_NODE_TEXT];

    bl_node_text(node, subject);
    if (attribute->type == BL_ATTRIBUTE_STRING) {
        *to = dtype_of_capitals(&attribute->value.s);
        if (*to == BL_UNDEFINED)
            return bl_fail(err, BL_ERR_ATTRIBUTE,
                           "%s: attribute 'to' is '%.*s', which is no type (FLOAT, INT64, "
                           "...)",
                           subject, shown(&attribute->value.s), attribute->value.s.data);
    } else {
        const int64_t number = attribute->value.i;

        if (number <= BL_UNDEFINED || number >= BL_DTYPE_COUNT)
            return bl_fail(err, BL_ERR_ATTRIBUTE,
                           "%s: attribute 'to' is %lld, which is the number of no type "
                           "(1 to %d)",
                           subject, (long long)number, BL_DTYPE_COUNT - 1);
        *to = (bl_dtype)number;
    }
    return check_output_type(node, "to", *to, err);
}

/* ---- Single operators -------------------------------------------------------------- */

static bl_status check_constant(const bl_node *node, bl_error *err)
{
    char subject[BL_NODE_TEXT];

    bl_node_text(node, subject);
    if (node->attribute_count != 1)
        return bl_fail(err, BL_ERR_ATTRIBUTE,
                       "%s: exactly one attribute has to give the value, not %zu", subject,
                       node->attribute_count);
    if (node->attributes[0].type != BL_ATTRIBUTE_TENSOR)
        return BL_OK;
    return check_output_type(node, "value", node->attributes[0].value.tensor->dtype, err);
}

static bl_status check_constant_of_shape(const bl_node *node, bl_error *err)
{
    const bl_attribute *value = bl_node_attribute(node, "value");
    char subject[BL_NODE_TEXT];

    if (value == NULL)
        return BL_OK;
    if (value->value.tensor->count != 1)
        return bl_fail(err, BL_ERR_ATTRIBUTE,
                       "%s: attribute 'value' has %lld elements, but has to have one",
                       bl_node_text(node, subject), (long long)value->value.tensor->count);
    return check_output_type(node, "value", value->value.tensor->dtype, err);
}

static bl_status check_fmod(const bl_node *node, bl_error *err)
{
    const int64_t fmod = bl_node_int(node, "fmod");
    char subject[BL_NODE_TEXT];

    if (fmod == 0 || fmod == 1)
        return BL_OK;
    return bl_fail(err, BL_ERR_ATTRIBUTE,
                   "%s: attribute 'fmod' is %lld, but has to be 0 or 1",
                   bl_node_text(node, subject), (long long)fmod);
}

/* What needs more than a number filled in. */
static bl_status read_special(const bl_node *node, struct bl_params *params, bl_error *err)
{
    size_t word = 0;

    switch (bl_schema_of(node->op)->id) {
    case BL_OP_BITSHIFT:
        BL_TRY(read_choice(node, &direction, &word, err));
        params->shift_right = word == 1;
        return BL_OK;
    case BL_OP_GELU:
        BL_TRY(read_choice(node, &approximate, &word, err));
        params->tanh = word == 1;
        return BL_OK;
    case BL_OP_CAST:
        BL_TRY(read_choice(node, &round_mode, &word, err));
        params->round_mode = (enum bl_round)word;
        return read_to(node, &params->to, err);
    case BL_OP_CASTLIKE:
        BL_TRY(read_choice(node, &round_mode, &word, err));
        params->round_mode = (enum bl_round)word;
        return BL_OK;
    case BL_OP_BITCAST:
        return read_to(node, &params->to, err);
    case BL_OP_MOD:
        return check_fmod(node, err);
    case BL_OP_CONSTANT:
        return check_constant(node, err);
    case BL_OP_CONSTANTOFSHAPE:
        return check_constant_of_shape(node, err);
    default:
        return BL_OK;
    }
}

/* True if the node gives the attribute, or the version has a default for it. */
static bool has_value(const bl_node *node, const char *name)
{
    const bl_attribute_spec *spec = bl_op_attribute(node->op, name);

    return bl_node_attribute(node, name) != NULL || (spec != NULL && spec->has_default);
}

bl_status bl_params_read(const bl_node *node, struct bl_params *params, bl_error *err)
{
    BL_TRY(bl_node_check_attributes(node, err));
    *params = (struct bl_params){.has_axis = bl_node_attribute(node, "axis") != NULL};
    if (node->op->attribute_count == 0)
        return BL_OK;
    params->alpha = bl_node_float(node, "alpha");
    params->beta = bl_node_float(node, "beta");
    params->gamma = bl_node_float(node, "gamma");
    params->lambd = bl_node_float(node, "lambd");
    params->bias = bl_node_float(node, "bias");
    params->min = bl_node_float(node, "min");
    params->max = bl_node_float(node, "max");
    params->has_min = has_value(node, "min");
    params->has_max = has_value(node, "max");
    params->trans_a = bl_node_int(node, "transA") != 0;
    params->trans_b = bl_node_int(node, "transB") != 0;
    params->broadcast = bl_node_int(node, "broadcast") != 0;
    params->axis = bl_node_int(node, "axis");
    params->fmod = bl_node_int(node, "fmod") != 0;
    params->detect_negative = bl_node_int(node, "detect_negative") != 0;
    params->detect_positive = bl_node_int(node, "detect_positive") != 0;
    params->saturate = bl_node_int(node, "saturate") != 0;
    return read_special(node, params, err);
}

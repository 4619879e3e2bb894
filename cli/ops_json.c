/*
 * ops_json.c - the operators as JSON
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <jansson.h>

#include "cli/json_out.h"
#include "cli/op_types.h"
#include "cli/operator_arg.h"
#include "cli/ops_view.h"

static json_t *json_of_types(uint64_t set)
{
    json_t *list = json_array();

    for (int dtype = 1; dtype < BL_DTYPE_COUNT; dtype++)
        if (set >> dtype & 1)
            json_array_append_new(list, json_string(bl_dtype_name((bl_dtype)dtype)));
    return list;
}

static json_t *json_of_formals(const bl_formal *formals, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:b, s:b}", "name", formals[i].name,
                            "type_variable", formals[i].type_variable, "optional",
                            formals[i].optional, "variadic", formals[i].variadic));
    return list;
}

static json_t *json_of_variables(const bl_op *op)
{
    struct bl_variable variables[BL_VARIABLES_MAX];
    const size_t count = bl_op_variables(op, variables);
    json_t *object = json_object();

    for (size_t i = 0; i < count; i++)
        json_object_set_new(object, variables[i].name, json_of_types(variables[i].dtypes));
    return object;
}

static json_t *json_of_default(const bl_attribute_spec *spec)
{
    if (!spec->has_default)
        return json_null();
    if (spec->type == BL_ATTRIBUTE_STRING)
        return json_string(spec->default_string);
    return spec->type == BL_ATTRIBUTE_FLOAT ? json_real((double)spec->default_float)
                                            : json_integer(spec->default_int);
}

static json_t *json_of_attributes(const bl_op *op)
{
    json_t *list = json_array();

    for (size_t i = 0; i < op->attribute_count; i++) {
        const bl_attribute_spec *spec = &op->attributes[i];

        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:b, s:o}", "name", spec->name, "type",
                                        bl_attribute_type_name(spec->type), "required",
                                        spec->required, "default", json_of_default(spec)));
    }
    return list;
}

static json_t *json_of_version(const bl_op *op)
{
    return json_pack("{s:i, s:i, s:s, s:o, s:o, s:o, s:o, s:I, s:o, s:I}", "since",
                     op->since, "until", bl_op_until(op), "rule", bl_rule_name(op->rule),
                     "inputs", json_of_formals(op->inputs, op->input_count), "outputs",
                     json_of_formals(op->outputs, op->output_count), "types",
                     json_of_variables(op), "attributes", json_of_attributes(op),
                     "min_inputs", (json_int_t)op->min_inputs, "max_inputs",
                     op->max_inputs == SIZE_MAX ? json_null()
                                                : json_integer((json_int_t)op->max_inputs),
                     "type_count", (json_int_t)bl_op_type_count(op));
}

static json_t *json_of_family(const struct bl_family *family)
{
    const bl_op *newest = bl_family_newest(family);
    json_t *versions = json_array();

    for (size_t i = 0; i < family->count; i++)
        json_array_append_new(versions, json_of_version(bl_op_at(family->first + i)));
    return json_pack("{s:s, s:s, s:s, s:i, s:o}", "domain", newest->domain, "name",
                     newest->name, "summary", newest->summary, "max_ulp", newest->max_ulp,
                     "versions", versions);
}

enum bl_exit bl_ops_json(const struct bl_family *family)
{
    struct bl_family each;
    json_t *list;

    if (family != NULL)
        return bl_json_print(json_of_family(family));
    list = json_array();
    for (size_t at = 0; (each = bl_family_at(at)).count > 0; at += each.count)
        json_array_append_new(list, json_of_family(&each));
    return bl_json_print(list);
}

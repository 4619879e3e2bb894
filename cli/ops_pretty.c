/*
 * ops_pretty.c - the operators, for people at a terminal
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>

#include "cli/op_types.h"
#include "cli/ops_view.h"
#include "cli/message.h"

/* ---- All operators, a line each -------------------------------------------------- */

/* "1 6 7 13 14"; for 64 versions, of which each takes at most 3 bytes. */
#define VERSIONS_TEXT 192

static char *versions_text(const struct bl_family *family, char *buffer)
{
    size_t length = 0;

    buffer[0] = '\0';
    for (size_t i = 0; i < family->count && length < VERSIONS_TEXT; i++)
        length +=
            (size_t)snprintf(buffer + length, VERSIONS_TEXT - length, i > 0 ? " %d" : "%d",
                             bl_op_at(family->first + i)->since);
    return buffer;
}

static void print_overview(void)
{
    const struct bl_style style = bl_style_of(stdout);
    struct bl_family family;
    size_t families = 0;

    printf("%s%-15s %-28s %5s  %-17s %3s%s\n", style.bold, "operator", "versions", "types",
           "rule", "ulp", style.plain);
    for (size_t at = 0; (family = bl_family_at(at)).count > 0; at += family.count) {
        const bl_op *op = bl_family_newest(&family);
        char versions[VERSIONS_TEXT];

        printf("%-15s %-28s %5u  %-17s %3d\n", op->name, versions_text(&family, versions),
               bl_op_type_count(op), bl_rule_name(op->rule), op->max_ulp);
        families++;
    }
    printf("\n%zu operators, %zu versions. Types, rule and ulp (0: exact) are the newest "
           "version's.\n'broadloom ops NAME' tells all of one.\n",
           families, bl_op_count());
}

/* ---- One operator ------------------------------------------------------------------ */

/* Where the names in a set of types are broken into lines. */
#define LINE_END 92

/* The names of a set, over as many lines as they need, each indented by `column`. */
static void print_types(uint64_t set, int column)
{
    int at = column;
    bool first = true;

    for (int dtype = 1; dtype < BL_DTYPE_COUNT; dtype++) {
        if (!(set >> dtype & 1))
            continue;
        const char *name = bl_dtype_name((bl_dtype)dtype);

        if (!first && at + 1 + (int)strlen(name) > LINE_END) {
            printf("\n%*s", column, "");
            at = column;
        } else if (!first) {
            putchar(' ');
            at++;
        }
        printf("%s", name);
        at += (int)strlen(name);
        first = false;
    }
    putchar('\n');
}

/* "A: T", and what is special about it. */
static void print_formal(const char *role, const bl_formal *formal)
{
    printf("  %-10s %s: %s%s%s\n", role, formal->name, formal->type_variable,
           formal->optional ? " (optional)" : "",
           formal->variadic ? " (any number of times)" : "");
}

static void print_opsets(const bl_op *op)
{
    const struct bl_style style = bl_style_of(stdout);

    printf("\n%s%s-%d%s, opset %d", style.bold, op->name, op->since, style.plain,
           op->since);
    if (bl_op_until(op) > op->since)
        printf(" to %d", bl_op_until(op));
    putchar('\n');
}

static void print_version(const bl_op *op)
{
    struct bl_variable variables[BL_VARIABLES_MAX];
    const size_t count = bl_op_variables(op, variables);
    char text[BL_PART_TEXT];

    print_opsets(op);
    for (size_t i = 0; i < op->input_count; i++)
        print_formal(i == 0 ? "inputs" : "", &op->inputs[i]);
    for (size_t i = 0; i < op->output_count; i++)
        print_formal(i == 0 ? "output" : "", &op->outputs[i]);
    for (size_t i = 0; i < count; i++) {
        printf("  %-10s %-2s ", i == 0 ? "types" : "", variables[i].name);
        print_types(variables[i].dtypes, 16);
    }
    for (size_t i = 0; i < op->attribute_count; i++)
        printf("  %-10s %s\n", i == 0 ? "attributes" : "",
               bl_attribute_spec_text(&op->attributes[i], text));
    printf("  %-10s %s\n", "rule", bl_rule_name(op->rule));
    printf("  %-10s %s\n", "arity", bl_input_range_text(op, text));
}

static void print_family(const struct bl_family *family)
{
    const struct bl_style style = bl_style_of(stdout);
    const bl_op *op = bl_family_newest(family);

    printf("%s%s%s (%s): %s\n", style.bold, op->name, style.plain, op->domain, op->summary);
    if (op->max_ulp == 0)
        printf("Exact: the same bits on every machine.\n");
    else
        printf("Within %d ulp of the correctly rounded result.\n", op->max_ulp);
    for (size_t i = family->count; i-- > 0;)
        print_version(bl_op_at(family->first + i));
}

void bl_ops_pretty(const struct bl_family *family)
{
    if (family == NULL)
        print_overview();
    else
        print_family(family);
}

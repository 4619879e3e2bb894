/*
 * ops_markdown.c - the operators as a page of documentation
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "cli/op_types.h"
#include "cli/ops_view.h"

/* Text in a table's cell: a bar would end it, a star or an underscore start emphasis. */
static void put_text(const char *text)
{
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '|' || *p == '*' || *p == '_' || *p == '<' || *p == '>')
            putchar('\\');
        putchar(*p);
    }
}

/* GitHub's anchor of "## Name" is the name in lower case. */
static void put_anchor(const char *name)
{
    for (const char *p = name; *p != '\0'; p++)
        putchar(*p >= 'A' && *p <= 'Z' ? *p + 32 : *p);
}

static void print_accuracy(int max_ulp)
{
    if (max_ulp == 0)
        printf("exact");
    else
        printf("%d ulp", max_ulp);
}

static void print_overview_row(const struct bl_family *family)
{
    const bl_op *op = bl_family_newest(family);

    printf("| [%s](#", op->name);
    put_anchor(op->name);
    printf(") | ");
    put_text(op->summary);
    printf(" | ");
    for (size_t i = 0; i < family->count; i++)
        printf(i > 0 ? ", %d" : "%d", bl_op_at(family->first + i)->since);
    printf(" | %u | %s | ", bl_op_type_count(op), bl_rule_name(op->rule));
    print_accuracy(op->max_ulp);
    printf(" |\n");
}

/* "A: T, B: T, C: T (optional)" */
static void print_formals(const bl_formal *formals, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("%s`%s`: %s%s%s", i > 0 ? ", " : "", formals[i].name,
               formals[i].type_variable, formals[i].optional ? " (optional)" : "",
               formals[i].variadic ? " (any number)" : "");
}

static void print_attributes(const bl_op *op)
{
    char text[BL_PART_TEXT];

    if (op->attribute_count == 0)
        printf("none");
    for (size_t i = 0; i < op->attribute_count; i++)
        printf("%s`%s`", i > 0 ? ", " : "",
               bl_attribute_spec_text(&op->attributes[i], text));
}

static void print_version_types(const bl_op *op)
{
    struct bl_variable variables[BL_VARIABLES_MAX];
    const size_t count = bl_op_variables(op, variables);
    char text[BL_TYPES_TEXT];

    for (size_t i = 0; i < count; i++)
        printf("%s%s: %s", i > 0 ? "<br>" : "", variables[i].name,
               bl_types_text(variables[i].dtypes, ", ", text));
}

static void print_family(const struct bl_family *family)
{
    const bl_op *newest = bl_family_newest(family);
    char text[BL_PART_TEXT];

    printf("\n## %s\n\n", newest->name);
    put_text(newest->summary);
    printf(". Inputs: %s. Results: ", bl_input_range_text(newest, text));
    print_accuracy(newest->max_ulp);
    printf(".\n\n| opset | inputs | output | types | rule | attributes |\n"
           "| --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = family->count; i-- > 0;) {
        const bl_op *op = bl_op_at(family->first + i);

        if (op->since == bl_op_until(op))
            printf("| %d | ", op->since);
        else
            printf("| %d to %d | ", op->since, bl_op_until(op));
        print_formals(op->inputs, op->input_count);
        printf(" | ");
        print_formals(op->outputs, op->output_count);
        printf(" | ");
        print_version_types(op);
        printf(" | %s | ", bl_rule_name(op->rule));
        print_attributes(op);
        printf(" |\n");
    }
}

static void print_introduction(void)
{
    printf("# Operators\n\n"
           "<!-- Made by `broadloom ops --format markdown`: edit src/ops/ops.def instead. "
           "-->\n\n"
           "Every operator of ai.onnx that Broadloom computes, in every version of opsets "
           "1 to "
           "%d.\nA model means the newest version that is not after its opset.\n\n"
           "- **versions**: the opsets that brought one.\n"
           "- **types**: how many element types the newest version computes in.\n"
           "- **results**: exact, the same bits on every machine; or how many ulp a result "
           "may "
           "stand\n  from the correctly rounded one.\n"
           "- **rule**: how the shapes of the inputs meet:\n",
           BL_OPSET_MAX);
    for (int rule = 0; rule < BL_RULE_COUNT; rule++)
        printf("  - *%s*: %s\n", bl_rule_name((bl_rule)rule),
               bl_rule_meaning((bl_rule)rule));
    printf("\n| operator | computes | versions | types | rule | results |\n"
           "| --- | --- | --- | --- | --- | --- |\n");
}

void bl_ops_markdown(const struct bl_family *family)
{
    struct bl_family each;

    if (family != NULL) {
        print_family(family);
        return;
    }
    print_introduction();
    for (size_t at = 0; (each = bl_family_at(at)).count > 0; at += each.count)
        print_overview_row(&each);
    for (size_t at = 0; (each = bl_family_at(at)).count > 0; at += each.count)
        print_family(&each);
}

/*
 * inspect_pretty.c - a model as people read it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "cli/inspect_view.h"
#include "cli/model_arg.h"
#include "cli/quoted.h"

/* A column grows with what is in it up to here; what is longer pushes the rest aside. */
#define WIDEST 32

#define TYPE_TEXT 512
#define BYTES_TEXT 32

static int wider(int width, const char *text)
{
    const int length = (int)strlen(text);

    return length > width && length <= WIDEST ? length : width;
}

/* Text of the model, which may hold anything, in a column. */
static void put(FILE *out, const char *text, int width)
{
    bl_utf8_write(out, text, "");
    fprintf(out, "%*s", width - (int)strlen(text) > 0 ? width - (int)strlen(text) : 0, "");
}

static void print_value(FILE *out, const struct bl_inspection *inspection,
                        const bl_value_info *info, int32_t value, int name_width,
                        int type_width)
{
    const bl_tensor_type *type = bl_inspection_type(inspection, value);
    char said[TYPE_TEXT];
    char here[TYPE_TEXT];

    const bool differs =
        type != NULL && strcmp(bl_type_text(type, here, sizeof here),
                               bl_value_info_text(info, said, sizeof said)) != 0;

    fputs("  ", out);
    put(out, info->name, name_width);
    fputs("  ", out);
    put(out, bl_value_info_text(info, said, sizeof said), differs ? type_width : 0);
    if (differs)
        fprintf(out, "  here %s", here);
    fprintf(out, "%s\n", info->has_default ? "  (has a default)" : "");
}

static void print_values(FILE *out, const struct bl_inspection *inspection,
                         const struct bl_ports *ports, const char *title,
                         const struct bl_style *style)
{
    const bl_value_info *info;
    char said[TYPE_TEXT];
    int name_width = 0;
    int type_width = 0;

    fprintf(out, "%s%s:%s%s\n", style->bold, title, style->plain,
            ports->info(inspection->model, 0) == NULL ? " none" : "");
    for (size_t i = 0; (info = ports->info(inspection->model, i)) != NULL; i++) {
        name_width = wider(name_width, info->name);
        type_width = wider(type_width, bl_value_info_text(info, said, sizeof said));
    }
    for (size_t i = 0; (info = ports->info(inspection->model, i)) != NULL; i++)
        print_value(out, inspection, info, ports->value(inspection->model, i), name_width,
                    type_width);
}

static void print_uses(FILE *out, const struct bl_inspection *inspection,
                       const struct bl_style *style)
{
    fprintf(out, "%sOperators:%s%s\n", style->bold, style->plain,
            inspection->use_count == 0 ? " none" : "");
    for (size_t i = 0; i < inspection->use_count; i++) {
        const struct bl_op_use *use = &inspection->uses[i];

        fprintf(out, "  %5zu  ", use->count);
        put(out, use->domain, 0);
        fputs(use->domain[0] != '\0' ? "." : "", out);
        put(out, use->op_type, 0);
        if (use->since > 0)
            fprintf(out, "-%d\n", use->since);
        else
            fprintf(out, "  %s(unknown)%s\n", style->red, style->plain);
    }
}

static void print_problems(FILE *out, const struct bl_inspection *inspection,
                           const struct bl_style *style)
{
    if (inspection->problem_count == 0)
        return;
    fprintf(out, "%s%sCannot run (%zu of %zu nodes):%s\n", style->bold, style->red,
            inspection->problem_count, bl_model_node_count(inspection->model),
            style->plain);
    for (size_t n = 0; n < bl_model_node_count(inspection->model); n++) {
        const bl_problem *problem = bl_inspection_problem(inspection, n);

        if (problem == NULL)
            continue;
        fputs("  ", out);
        put(out, problem->message, 0);
        putc('\n', out);
    }
}

static void print_step(FILE *out, const struct bl_inspection *inspection, size_t s)
{
    const bl_step_info *step = &inspection->explanation->steps[s];
    const int64_t apart = bl_inspection_bytes_apart(inspection, step);
    char reads[BYTES_TEXT], writes[BYTES_TEXT], text[BYTES_TEXT];

    fprintf(out, "  %5zu  %-7s  reads %s, writes %s", s + 1, bl_work_name(step->work),
            bl_bytes_text((double)step->bytes_read, reads, sizeof reads),
            bl_bytes_text((double)step->bytes_written, writes, sizeof writes));
    if (step->node_count > 1)
        fprintf(out, " (apart: %s)", bl_bytes_text((double)apart, text, sizeof text));
    fputs(step->node_count > 0 ? "\n        " : "", out);
    for (size_t i = 0; i < step->node_count; i++) {
        bl_node_info node;

        if (!bl_model_node(inspection->model, (size_t)step->nodes[i], &node))
            continue;
        fprintf(out, " %s '", node.op_type);
        put(out, node.name, 0);
        fputs(i + 1 < step->node_count ? "'," : "'", out);
    }
    putc('\n', out);
}

static void print_steps(FILE *out, const struct bl_inspection *inspection,
                        const struct bl_style *style)
{
    const bl_explanation *explanation = inspection->explanation;
    size_t idle = bl_model_node_count(inspection->model);
    char text[BYTES_TEXT];

    if (explanation == NULL) {
        fprintf(out, "%sSteps:%s not known: %s\n", style->bold, style->plain,
                inspection->unexplained);
        return;
    }
    if (explanation->problem_count > 0)
        return;
    fprintf(out, "%sSteps:%s%s\n", style->bold, style->plain,
            explanation->step_count == 0 ? " none" : "");
    if (explanation->unfused != NULL)
        fprintf(out, "  node by node: %s\n", explanation->unfused);
    for (size_t s = 0; s < explanation->step_count; s++) {
        idle -= explanation->steps[s].node_count;
        print_step(out, inspection, s);
    }
    if (idle > 0)
        fprintf(out,
                "  %5zu  nodes cost nothing: views, and what is known before the run\n",
                idle);
    if (explanation->unfused == NULL)
        fprintf(out, "  memory between steps: %s\n",
                bl_bytes_text((double)explanation->arena_bytes, text, sizeof text));
}

bool bl_inspect_pretty(FILE *out, const struct bl_inspection *inspection,
                       const struct bl_style *style)
{
    const bl_model *model = inspection->model;
    const size_t nodes = bl_model_node_count(model);
    char text[BYTES_TEXT];

    fprintf(
        out, "%s%s%s: IR version %lld, opset %lld, %zu node%s, %zu initializer%s (%s)\n",
        style->bold, inspection->path, style->plain, (long long)bl_model_ir_version(model),
        (long long)bl_model_opset(model), nodes, nodes == 1 ? "" : "s",
        inspection->initializer_count, inspection->initializer_count == 1 ? "" : "s",
        bl_bytes_text(inspection->initializer_bytes, text, sizeof text));
    print_values(out, inspection, &bl_ports_in, "Inputs", style);
    print_values(out, inspection, &bl_ports_out, "Outputs", style);
    print_uses(out, inspection, style);
    print_problems(out, inspection, style);
    print_steps(out, inspection, style);
    return true;
}

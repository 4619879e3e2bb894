/*
 * inspect_dot.c - a model as a graph in Graphviz's language
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Nodes are boxes, those of one step in a frame; edges are values with their types.
 * Source: https://graphviz.org/doc/info/lang.html
 */
#include <stdlib.h>

#include "cli/inspect_view.h"
#include "cli/model_arg.h"
#include "cli/quoted.h"

#define TYPE_TEXT 512
#define BYTES_TEXT 32

/* Text within a quoted string of DOT. */
static void put_text(FILE *out, const char *text)
{
    bl_utf8_write(out, text, "\"\\");
}

/* The label of an edge or a value: its type in the run, or what the model says. */
static void put_type(FILE *out, const struct bl_inspection *inspection, size_t value)
{
    const bl_tensor_type *type = bl_inspection_type(inspection, (int32_t)value);
    const bl_value_info *info = bl_model_value(inspection->model, value);
    char text[TYPE_TEXT];

    if (type != NULL)
        put_text(out, bl_type_text(type, text, sizeof text));
    else if (info->dtype != BL_UNDEFINED)
        put_text(out, bl_value_info_text(info, text, sizeof text));
}

static void put_node(FILE *out, const struct bl_inspection *inspection, size_t n,
                     bool in_step)
{
    const bl_problem *problem = bl_inspection_problem(inspection, n);
    bl_node_info node;

    if (!bl_model_node(inspection->model, n, &node))
        return;
    fprintf(out, "    n%zu [label=\"", n);
    put_text(out, node.op_type);
    fputs("\\n", out);
    put_text(out, node.name);
    fputs("\"", out);
    if (problem != NULL) {
        fputs(", style=filled, fillcolor=\"#f4b6b6\", color=\"#b00020\", tooltip=\"", out);
        put_text(out, problem->message);
        fputs("\"", out);
    } else if (!in_step) {
        fputs(", style=\"rounded,dashed\"", out);
    }
    fputs("];\n", out);
}

/* The nodes of the steps, in frames; then those in none: views, what is known before. */
static bool put_nodes(FILE *out, const struct bl_inspection *inspection)
{
    const bl_explanation *explanation = inspection->explanation;
    const size_t count = bl_model_node_count(inspection->model);
    const size_t steps = explanation != NULL ? explanation->step_count : 0;
    bool *in_step = calloc(count + 1, sizeof *in_step);

    if (in_step == NULL)
        return false;
    for (size_t s = 0; s < steps; s++) {
        const bl_step_info *step = &explanation->steps[s];
        char reads[BYTES_TEXT], writes[BYTES_TEXT];

        if (step->node_count == 0)
            continue;
        fprintf(out,
                "  subgraph cluster_%zu {\n"
                "    label=\"%zu: %s, reads %s, writes %s\"; fontsize=11; "
                "style=\"rounded,filled\"; "
                "color=\"#9fb4cc\"; fillcolor=\"#f2f6fa\";\n",
                s + 1, s + 1, bl_work_name(step->work),
                bl_bytes_text((double)step->bytes_read, reads, sizeof reads),
                bl_bytes_text((double)step->bytes_written, writes, sizeof writes));
        for (size_t i = 0; i < step->node_count; i++) {
            in_step[step->nodes[i]] = true;
            put_node(out, inspection, (size_t)step->nodes[i], true);
        }
        fputs("  }\n", out);
    }
    for (size_t n = 0; n < count; n++)
        if (!in_step[n])
            put_node(out, inspection, n, steps == 0);
    free(in_step);
    return true;
}

/* What is not a node: inputs, outputs, initializers that are used. */
struct ends {
    bool *is_input;  /* [values] */
    bool *is_used;   /* [values] */
    int32_t *source; /* [values]: the node that puts it out, -1: none */
};

static void put_end(FILE *out, const struct bl_inspection *inspection, const char *prefix,
                    size_t value, const char *style)
{
    fprintf(out, "  %s%zu [label=\"", prefix, value);
    put_text(out, bl_model_value(inspection->model, value)->name);
    fputs("\\n", out);
    put_type(out, inspection, value);
    fprintf(out, "\", %s];\n", style);
}

static void put_ends(FILE *out, const struct bl_inspection *inspection,
                     const struct ends *ends)
{
    static const char input_style[] =
        "shape=ellipse, style=filled, fillcolor=\"#d9ead3\", color=\"#38761d\"";
    static const char constant_style[] =
        "shape=note, style=filled, fillcolor=\"#eeeeee\", color=\"#888888\", fontsize=9";

    for (size_t v = 0; v < bl_model_value_count(inspection->model); v++) {
        if (ends->is_input[v])
            put_end(out, inspection, "v", v, input_style);
        else if (ends->source[v] < 0 && ends->is_used[v])
            put_end(out, inspection, "v", v, constant_style);
    }
    for (size_t i = 0; i < bl_model_output_count(inspection->model); i++) {
        const size_t v = (size_t)bl_model_output_value(inspection->model, i);

        put_end(out, inspection, "o", v,
                "shape=ellipse, peripheries=2, style=filled, fillcolor=\"#fce5cd\", "
                "color=\"#b45f06\"");
        fprintf(out, "  %c%lld -> o%zu;\n", ends->source[v] >= 0 ? 'n' : 'v',
                ends->source[v] >= 0 ? (long long)ends->source[v] : (long long)v, v);
    }
}

static void put_edges(FILE *out, const struct bl_inspection *inspection,
                      const struct ends *ends)
{
    bl_node_info node;

    for (size_t n = 0; bl_model_node(inspection->model, n, &node); n++)
        for (size_t i = 0; i < node.input_count; i++) {
            const int32_t v = node.inputs[i];

            if (v < 0)
                continue;
            if (ends->source[v] >= 0) {
                fprintf(out, "  n%d -> n%zu [label=\"", (int)ends->source[v], n);
                put_type(out, inspection, (size_t)v);
                fputs("\"];\n", out);
            } else { /* whose type stands in it */
                fprintf(out, "  v%d -> n%zu;\n", (int)v, n);
            }
        }
}

static void find_ends(const bl_model *model, struct ends *ends)
{
    bl_node_info node;

    for (size_t v = 0; v < bl_model_value_count(model); v++)
        ends->source[v] = -1;
    for (size_t n = 0; bl_model_node(model, n, &node); n++) {
        for (size_t i = 0; i < node.input_count; i++)
            if (node.inputs[i] >= 0)
                ends->is_used[node.inputs[i]] = true;
        for (size_t i = 0; i < node.output_count; i++)
            if (node.outputs[i] >= 0)
                ends->source[node.outputs[i]] = (int32_t)n;
    }
    for (size_t i = 0; i < bl_model_input_count(model); i++)
        ends->is_input[bl_model_input_value(model, i)] = true;
}

static bool put_graph(FILE *out, const struct bl_inspection *inspection,
                      const struct ends *ends)
{
    fputs("digraph model {\n  label=\"", out);
    put_text(out, inspection->path);
    fputs("\"; labelloc=t; fontname=\"sans-serif\";\n"
          "  node [shape=box, style=\"rounded,filled\", fillcolor=white, "
          "fontname=\"sans-serif\", fontsize=11];\n"
          "  edge [fontname=\"sans-serif\", fontsize=9, color=\"#555555\"];\n",
          out);
    if (!put_nodes(out, inspection))
        return false;
    put_ends(out, inspection, ends);
    put_edges(out, inspection, ends);
    fputs("}\n", out);
    return true;
}

bool bl_inspect_dot(FILE *out, const struct bl_inspection *inspection)
{
    const size_t count = bl_model_value_count(inspection->model) + 1;
    struct ends ends = {.is_input = calloc(count, sizeof *ends.is_input),
                        .is_used = calloc(count, sizeof *ends.is_used),
                        .source = calloc(count, sizeof *ends.source)};
    bool done = false;

    if (ends.is_input != NULL && ends.is_used != NULL && ends.source != NULL) {
        find_ends(inspection->model, &ends);
        done = put_graph(out, inspection, &ends);
    }
    free(ends.is_input);
    free(ends.is_used);
    free(ends.source);
    return done;
}

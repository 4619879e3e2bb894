/*
 * inspect.c - what is in a model: its versions, nodes and values
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "api/model.h"

int64_t bl_model_ir_version(const bl_model *model)
{
    return model->graph->ir_version;
}

int64_t bl_model_opset(const bl_model *model)
{
    return model->graph->opset;
}

size_t bl_model_node_count(const bl_model *model)
{
    return model->graph->node_count;
}

/* ai.onnx has an empty name in files. */
static const char *domain_of(const char *domain)
{
    return strcmp(domain, "ai.onnx") == 0 ? "" : domain;
}

int bl_model_node(const bl_model *model, size_t i, bl_node_info *info)
{
    if (i >= model->graph->node_count)
        return 0;
    const struct bl_graph_node *node = &model->graph->nodes[i];
    const struct bl_graph_problem *problem = node->problem;
    const bl_op *op = node->node.op;

    *info = (bl_node_info){
        .name = node->node.name,
        .domain = domain_of(problem != NULL ? problem->domain : op->domain),
        .op_type = problem != NULL ? problem->op_type : op->name,
        .op = op,
        .problem = problem != NULL ? &problem->why : NULL,
        .input_count = node->input_count,
        .output_count = node->output_count,
        .inputs = node->inputs,
        .outputs = node->outputs,
    };
    return 1;
}

size_t bl_model_value_count(const bl_model *model)
{
    return model->graph->value_count;
}

const bl_value_info *bl_model_value(const bl_model *model, size_t i)
{
    return i < model->graph->value_count ? &model->graph->values[i].info : NULL;
}

int32_t bl_model_input_value(const bl_model *model, size_t i)
{
    return i < model->graph->input_count ? model->graph->inputs[i] : -1;
}

int32_t bl_model_output_value(const bl_model *model, size_t i)
{
    return i < model->graph->output_count ? model->graph->outputs[i] : -1;
}

const bl_tensor *bl_model_initializer(const bl_model *model, size_t value)
{
    return value < model->graph->value_count ? model->graph->values[value].constant : NULL;
}

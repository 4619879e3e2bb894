/*
 * lacks.c - what a device cannot do of what the CPU does
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "base/compiler.h"
#include "base/text.h"
#include "exec/device.h"

/* Arguments that an operator of that form has at least, all its optional ones among them. */
static size_t arguments_of(enum bl_form form)
{
    switch (form) {
    case BL_FORM_UNARY:
    case BL_FORM_CAST:
    case BL_FORM_COPY:
        return 1;
    case BL_FORM_SELECT:
    case BL_FORM_CLIP:
        return 3;
    default:
        return 2;
    }
}

/* Why the device does not do the operator in that type, on a few elements; NULL: it does, or the CPU
 * does not either. */
static const char *refusal_of(const struct bl_exec *exec, int op, int dtype)
{
    static const int64_t dim[] = {16};
    static const int64_t stride[] = {1};
    static const struct bl_params params = {.broadcast = false};
    const bl_slot args[] = {0, 1, 2};
    const struct bl_instruction instruction = {
        .op = (enum bl_op_id)op,
        .dtype = (bl_dtype)dtype,
        .second = (bl_dtype)dtype,
        .params = &params,
        .args = args,
        .arg_count = arguments_of(bl_op_id_form((enum bl_op_id)op)),
        .result = 3,
    };
    struct bl_operand operands[4];
    struct bl_step step = {.kind = BL_STEP_POINTWISE};

    if (exec->cpu.kernels.row[op][dtype] == NULL || dtype == BL_STRING)
        return NULL;
    for (size_t o = 0; o < BL_COUNT_OF(operands); o++)
        operands[o] = (struct bl_operand){.bytes = (unsigned)bl_dtype_size((bl_dtype)dtype),
                                          .written = o == 3,
                                          .stride = stride};
    step.as.pointwise = (struct bl_pointwise){.rank = 1,
                                              .dim = dim,
                                              .operand_count = BL_COUNT_OF(operands),
                                              .operand = operands,
                                              .instruction_count = 1,
                                              .instruction = &instruction};
    return bl_shader_refusal(&step, bl_vk_features(exec->device));
}

/* The operators that are refused for a reason, from the first on that is. */
static void list(const struct bl_exec *exec, int dtype, int first, const char *why,
                 struct bl_text *line)
{
    bl_text_put(line, "%s: ", bl_dtype_name((bl_dtype)dtype));
    for (int op = first; op < BL_OP_ID_COUNT; op++) {
        const char *now = refusal_of(exec, op, dtype);

        if (now != NULL && strcmp(now, why) == 0)
            bl_text_put(line, "%s%s", op > first ? ", " : "",
                        bl_op_id_name((enum bl_op_id)op));
    }
    bl_text_put(line, " (%s)", why);
}

/* True if an operator before that one is refused for the same reason. */
static bool is_listed(const struct bl_exec *exec, int dtype, int op, const char *why)
{
    for (int before = 0; before < op; before++) {
        const char *now = refusal_of(exec, before, dtype);

        if (now != NULL && strcmp(now, why) == 0)
            return true;
    }
    return false;
}

bool bl_exec_lacks(const struct bl_exec *exec, size_t i, struct bl_text *line)
{
    for (int dtype = 1; exec->device != NULL && dtype < BL_DTYPE_COUNT; dtype++) {
        for (int op = 0; op < BL_OP_ID_COUNT; op++) {
            const char *why = refusal_of(exec, op, dtype);

            if (why == NULL || is_listed(exec, dtype, op, why) || i-- > 0)
                continue;
            list(exec, dtype, op, why, line);
            return true;
        }
    }
    return false;
}

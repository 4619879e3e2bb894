/*
 * times.c - how long each step took
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "exec/times.h"

#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/text.h"

#define FIRST_ROOM 64

double bl_exec_now(void)
{
    struct timespec time = {0, 0};

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* "Mul+Add+Sigmoid"; what does not fit is cut. */
static void describe(const struct bl_step *step, char *what, size_t size)
{
    struct bl_text text = bl_text_in(what, size);

    if (step->kind == BL_STEP_MATMUL) {
        bl_text_put(&text, "MatMul");
        return;
    }
    for (size_t i = 0; i < step->as.pointwise.instruction_count; i++)
        bl_text_put(&text, "%s%s", i > 0 ? "+" : "",
                    bl_op_id_name(step->as.pointwise.instruction[i].op));
}

static int64_t bytes_of_pointwise(const struct bl_pointwise *step)
{
    int64_t bytes = 0;

    for (size_t o = 0; o < step->operand_count; o++) {
        int64_t count = step->operand[o].bytes;

        for (int axis = 0; axis < step->rank; axis++)
            if (step->operand[o].stride[axis] != 0)
                count *= step->dim[axis];
        bytes += count;
    }
    return bytes;
}

static int64_t bytes_of_matmul(const struct bl_matmul *step)
{
    const int64_t counts[] = {step->m * step->k, step->k * step->n, step->m * step->n};
    int64_t elements = 0;

    for (int i = 0; i < 3; i++) {
        int64_t count = counts[i];

        for (int axis = 0; axis < step->batch_rank; axis++)
            if (step->batch_stride[i][axis] != 0)
                count *= step->batch_dim[axis];
        elements += count;
    }
    return elements * (int64_t)bl_dtype_size(step->dtype);
}

static bool make_room(struct bl_exec_times *times, const bl_allocator *allocator)
{
    if (times->count < times->room)
        return true;
    const size_t room = times->room > 0 ? 2 * times->room : FIRST_ROOM;
    bl_timing *larger =
        room <= BL_EXEC_TIMES_MAX ? bl_mem_alloc(allocator, room * sizeof *larger) : NULL;

    if (larger == NULL)
        return false;
    if (times->count > 0)
        memcpy(larger, times->list, times->count * sizeof *larger);
    bl_mem_free(allocator, times->list, times->room * sizeof *larger);
    times->list = larger;
    times->room = room;
    return true;
}

void bl_exec_times_add(struct bl_exec_times *times, const bl_allocator *allocator,
                       const struct bl_step *step, double seconds)
{
    if (!times->wanted || !make_room(times, allocator))
        return;
    bl_timing *timing = &times->list[times->count++];

    describe(step, timing->what, sizeof timing->what);
    timing->seconds = seconds;
    timing->bytes = step->kind == BL_STEP_MATMUL ? bytes_of_matmul(&step->as.matmul)
                                                 : bytes_of_pointwise(&step->as.pointwise);
}

void bl_exec_times_close(struct bl_exec_times *times, const bl_allocator *allocator)
{
    bl_mem_free(allocator, times->list, times->room * sizeof *times->list);
    *times = (struct bl_exec_times){.list = NULL};
}

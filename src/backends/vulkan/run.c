/*
 * run.c - steps: recorded one after the other, submitted together, waited for
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "backends/vulkan/device.h"
#include "backends/vulkan/extent.h"
#include "base/compiler.h"
#include "base/mem.h"

/* Room for arguments at first. */
#define ARGUMENT_BYTES ((size_t)1 << 20)
/* What a step leaves behind if an element has no result. */
#define FAILURE_BYTES 8
/* Operands of a step that need no allocation. */
#define FEW_OPERANDS 16

/* ---- The batch --------------------------------------------------------------------------------- */

static bl_status open_clock(struct bl_vk *vk, bl_error *err)
{
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = BL_VK_BATCH_STEPS + 1,
    };

    if (!vk->physical.info.has_clock)
        return BL_OK;
    const VkResult result =
        vk->f.vkCreateQueryPool(vk->device, &info, NULL, &vk->batch.clock);

    return result == VK_SUCCESS ? BL_OK : bl_vk_fail(err, result, "making a clock");
}

bl_status bl_vk_batch_open(struct bl_vk *vk, bool timed, bl_error *err)
{
    struct bl_vk_batch *batch = &vk->batch;

    BL_TRY(bl_vk_commands_make(vk, &batch->commands, err));
    BL_TRY(
        bl_vk_buffer_make(vk, BL_VK_USE_ARGUMENTS, ARGUMENT_BYTES, &batch->arguments, err));
    BL_TRY(bl_vk_buffer_make(vk, BL_VK_USE_STAGING, BL_VK_BATCH_STEPS * FAILURE_BYTES,
                             &batch->failures, err));
    return timed ? open_clock(vk, err) : BL_OK;
}

void bl_vk_batch_close(struct bl_vk *vk)
{
    struct bl_vk_batch *batch = &vk->batch;

    bl_vk_drop(vk);
    if (batch->clock != VK_NULL_HANDLE)
        vk->f.vkDestroyQueryPool(vk->device, batch->clock, NULL);
    bl_vk_buffer_free(vk, &batch->failures);
    bl_vk_buffer_free(vk, &batch->arguments);
    bl_vk_commands_free(vk, &batch->commands);
    bl_mem_free(&vk->allocator, batch->staged, batch->staged_room * sizeof *batch->staged);
    bl_mem_free(&vk->allocator, batch->seconds,
                batch->seconds_room * sizeof *batch->seconds);
}

static void tick(struct bl_vk *vk, size_t steps)
{
    const struct bl_vk_batch *batch = &vk->batch;

    if (batch->clock != VK_NULL_HANDLE)
        vk->f.vkCmdWriteTimestamp(batch->commands.buffer,
                                  VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, batch->clock,
                                  (uint32_t)steps);
}

static bl_status begin(struct bl_vk *vk, bl_error *err)
{
    struct bl_vk_batch *batch = &vk->batch;

    BL_TRY(bl_vk_commands_begin(vk, &batch->commands, err));
    if (batch->clock != VK_NULL_HANDLE)
        vk->f.vkCmdResetQueryPool(batch->commands.buffer, batch->clock, 0,
                                  BL_VK_BATCH_STEPS + 1);
    tick(vk, 0);
    return BL_OK;
}

/* ---- Adding a step ----------------------------------------------------------------------------- */

void *bl_vk_argument_room(struct bl_vk *vk, size_t bytes, VkDeviceAddress *address)
{
    struct bl_vk_batch *batch = &vk->batch;
    const size_t at = batch->argument_bytes;

    batch->argument_bytes += bl_mem_round(bytes);
    *address = batch->arguments.address + at;
    return batch->arguments.mapped + at;
}

/* True for an operand that lies where the device cannot read it. */
static bool is_of_host(const struct bl_vk *vk, const struct bl_vk_extent *extent)
{
    return extent->bytes > 0 && !bl_vk_has(vk, extent->data) &&
           (extent->written || bl_vk_kept_address(vk, extent->first, extent->bytes) == 0);
}

/* Bytes of arguments that the step takes at most; *clashes: if it cannot be added to this batch. */
static size_t measure(const struct bl_vk *vk, const struct bl_step *step, bool *clashes)
{
    size_t bytes = bl_mem_round(bl_shader_argument_bytes(step));

    *clashes = vk->batch.steps == BL_VK_BATCH_STEPS;
    for (size_t i = 0; i < bl_vk_operand_count(step); i++) {
        const struct bl_vk_extent extent = bl_vk_extent_of(step, i);

        if (!is_of_host(vk, &extent))
            continue;
        if (extent.bytes <= BL_VK_SMALL_BYTES)
            bytes += bl_mem_round(extent.bytes);
        *clashes =
            *clashes || bl_vk_stage_clashes(vk, extent.first, extent.bytes, extent.written);
    }
    return bytes;
}

/* See to it that the step can be added: run those before where that has to be. */
static bl_status make_room(struct bl_vk *vk, const struct bl_step *step, int64_t *failed,
                           bl_error *err)
{
    struct bl_vk_batch *batch = &vk->batch;
    bool clashes;
    const size_t bytes = measure(vk, step, &clashes);

    if (clashes || bytes > batch->arguments.bytes - batch->argument_bytes)
        BL_TRY(bl_vk_finish(vk, failed, err));
    if (bytes <= batch->arguments.bytes)
        return BL_OK;
    bl_vk_buffer_free(vk, &batch->arguments);
    return bl_vk_buffer_make(vk, BL_VK_USE_ARGUMENTS, 2 * (uint64_t)bytes,
                             &batch->arguments, err);
}

static bl_status find_address(struct bl_vk *vk, const struct bl_vk_extent *extent,
                              uint64_t *address, bl_error *err)
{
    VkDeviceAddress first;

    *address = 0;
    if (extent->bytes == 0)
        return BL_OK;
    if (bl_vk_has(vk, extent->data)) {
        *address = bl_vk_address_of(vk, extent->data);
        return BL_OK;
    }
    if (is_of_host(vk, extent))
        BL_TRY(bl_vk_stage(vk, extent->first, extent->bytes, extent->written, &first, err));
    else
        first = bl_vk_kept_address(vk, extent->first, extent->bytes);
    *address = first + (uint64_t)(extent->data - extent->first);
    return BL_OK;
}

/* The next step begins when this one is done. */
static void end_step(struct bl_vk *vk)
{
    struct bl_vk_batch *batch = &vk->batch;

    bl_vk_commands_barrier(vk, &batch->commands);
    batch->steps++;
    tick(vk, batch->steps);
}

static void dispatch(struct bl_vk *vk, const struct bl_vk_pipeline *pipeline,
                     VkDeviceAddress block, struct bl_shader_groups groups)
{
    VkCommandBuffer commands = vk->batch.commands.buffer;

    vk->f.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->handle);
    vk->f.vkCmdPushConstants(commands, vk->pipelines.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                             sizeof block, &block);
    vk->f.vkCmdDispatch(commands, groups.x, groups.y, groups.z);
    end_step(vk);
}

static void record(struct bl_vk *vk, const struct bl_vk_job *job,
                   const struct bl_step *step, const uint64_t *addresses)
{
    struct bl_vk_batch *batch = &vk->batch;
    const size_t failure = batch->steps * FAILURE_BYTES;
    VkDeviceAddress block;
    void *arguments = bl_vk_argument_room(vk, bl_shader_argument_bytes(step), &block);

    memset(batch->failures.mapped + failure, 0xff, FAILURE_BYTES);
    bl_shader_arguments(step, &vk->features, addresses, batch->failures.address + failure,
                        arguments);
    dispatch(vk, job->pipeline, block, bl_shader_groups(step, &vk->features));
}

static bl_status add(struct bl_vk *vk, const struct bl_vk_job *job,
                     const struct bl_step *step, uint64_t *addresses, int64_t *failed,
                     bl_error *err)
{
    BL_TRY(make_room(vk, step, failed, err));
    for (size_t i = 0; i < bl_vk_operand_count(step); i++) {
        const struct bl_vk_extent extent = bl_vk_extent_of(step, i);

        BL_TRY(find_address(vk, &extent, &addresses[i], err));
    }
    if (vk->batch.steps == 0)
        BL_TRY(begin(vk, err));
    record(vk, job, step, addresses);
    return BL_OK;
}

bl_status bl_vk_add(struct bl_vk *vk, const struct bl_vk_job *job,
                    const struct bl_step *step, int64_t *failed, bl_error *err)
{
    const size_t count = bl_vk_operand_count(step);
    uint64_t few[FEW_OPERANDS];
    uint64_t *addresses = few;

    if (count > BL_COUNT_OF(few)) {
        addresses = bl_mem_alloc(&vk->allocator, count * sizeof *addresses);
        if (addresses == NULL)
            return bl_fail(err, BL_ERR_MEMORY, "out of memory for %zu operands", count);
    }
    *failed = -1;
    const bl_status status = add(vk, job, step, addresses, failed, err);

    if (addresses != few)
        bl_mem_free(&vk->allocator, addresses, count * sizeof *addresses);
    return status;
}

/* ---- Running ----------------------------------------------------------------------------------- */

static bl_status read_clock(struct bl_vk *vk, bl_error *err)
{
    struct bl_vk_batch *batch = &vk->batch;
    uint64_t ticks[BL_VK_BATCH_STEPS + 1];

    if (batch->clock == VK_NULL_HANDLE)
        return BL_OK;
    const VkResult result = vk->f.vkGetQueryPoolResults(
        vk->device, batch->clock, 0, (uint32_t)batch->steps + 1, sizeof ticks, ticks,
        sizeof *ticks, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);

    if (result != VK_SUCCESS)
        return bl_vk_fail(err, result, "reading the device's clock");
    for (size_t i = 0; i < batch->steps; i++) {
        if (!bl_vk_grow(vk, (void **)&batch->seconds, batch->seconds_count,
                        &batch->seconds_room, sizeof *batch->seconds))
            return bl_fail(err, BL_ERR_MEMORY, "out of memory for the times of steps");
        batch->seconds[batch->seconds_count++] =
            (double)((ticks[i + 1] - ticks[i]) & vk->physical.clock_mask) *
            (double)vk->physical.tick * 1e-9;
    }
    return BL_OK;
}

static int64_t first_failure(const struct bl_vk *vk)
{
    int64_t failed = -1;

    for (size_t i = 0; i < vk->batch.steps && failed < 0; i++)
        failed = bl_shader_failed(vk->batch.failures.mapped + i * FAILURE_BYTES);
    return failed;
}

static bl_status run(struct bl_vk *vk, int64_t *failed, bl_error *err)
{
    BL_TRY(bl_vk_commands_run(vk, &vk->batch.commands, "running on the device", err));
    BL_TRY(read_clock(vk, err));
    *failed = first_failure(vk);
    return *failed < 0 ? BL_OK : BL_ERR_ARITHMETIC;
}

bl_status bl_vk_finish(struct bl_vk *vk, int64_t *failed, bl_error *err)
{
    struct bl_vk_batch *batch = &vk->batch;

    *failed = -1;
    bl_status status = batch->steps > 0 ? run(vk, failed, err) : BL_OK;
    const bl_status copied = bl_vk_unstage(vk, status != BL_OK, err);

    batch->steps = 0;
    batch->argument_bytes = 0;
    return status != BL_OK ? status : copied;
}

void bl_vk_drop(struct bl_vk *vk)
{
    if (vk->batch.steps > 0) /* recorded and not submitted */
        (void)vk->f.vkEndCommandBuffer(vk->batch.commands.buffer);
    (void)bl_vk_unstage(vk, true, NULL);
    vk->batch.steps = 0;
    vk->batch.argument_bytes = 0;
}

bl_status bl_vk_run_once(struct bl_vk *vk, const struct bl_vk_pipeline *pipeline,
                         void *block, size_t bytes, bl_error *err)
{
    VkDeviceAddress address;
    int64_t failed;

    BL_TRY(begin(vk, err));
    memset(vk->batch.failures.mapped, 0xff, FAILURE_BYTES);
    void *room = bl_vk_argument_room(vk, bytes, &address);

    memcpy(room, block, bytes);
    dispatch(vk, pipeline, address, (struct bl_shader_groups){1, 1, 1});
    BL_TRY(bl_vk_finish(vk, &failed, err));
    memcpy(block, room, bytes);
    return BL_OK;
}

double bl_vk_seconds(const struct bl_vk *vk, size_t i)
{
    return i < vk->batch.seconds_count ? vk->batch.seconds[i] : -1;
}

void bl_vk_forget_seconds(struct bl_vk *vk)
{
    vk->batch.seconds_count = 0;
}

/* Begin a step that is a command of the driver's. */
static bl_status begin_command(struct bl_vk *vk, bl_error *err)
{
    struct bl_vk_batch *batch = &vk->batch;
    int64_t failed;

    if (batch->steps == BL_VK_BATCH_STEPS)
        BL_TRY(bl_vk_finish(vk, &failed, err));
    if (batch->steps == 0)
        BL_TRY(begin(vk, err));
    memset(batch->failures.mapped + batch->steps * FAILURE_BYTES, 0xff, FAILURE_BYTES);
    return BL_OK;
}

bl_status bl_vk_add_copy(struct bl_vk *vk, const void *from, void *to, size_t bytes,
                         bl_error *err)
{
    const struct bl_vk_block *source = bl_vk_block_of(vk, from);
    const struct bl_vk_block *target = bl_vk_block_of(vk, to);

    if (source == NULL || target == NULL)
        return bl_fail(err, BL_ERR_ARGUMENT, "a copy of memory that is not the device's");
    const VkBufferCopy region = {(VkDeviceSize)((const char *)from - source->place),
                                 (VkDeviceSize)((char *)to - target->place), bytes};

    BL_TRY(begin_command(vk, err));
    vk->f.vkCmdCopyBuffer(vk->batch.commands.buffer, source->buffer.handle,
                          target->buffer.handle, 1, &region);
    end_step(vk);
    return BL_OK;
}

bl_status bl_vk_add_fill(struct bl_vk *vk, void *to, size_t bytes, bl_error *err)
{
    const struct bl_vk_block *target = bl_vk_block_of(vk, to);

    if (target == NULL || bytes % 4 != 0)
        return bl_fail(err, BL_ERR_ARGUMENT, "a fill of memory that is not the device's");
    BL_TRY(begin_command(vk, err));
    vk->f.vkCmdFillBuffer(vk->batch.commands.buffer, target->buffer.handle,
                          (VkDeviceSize)((char *)to - target->place), bytes, 0);
    end_step(vk);
    return BL_OK;
}

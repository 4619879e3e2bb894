/*
 * device.c - open a device, and close it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/vulkan/device.h"

#include "base/mem.h"

/* The shader's text is printed into so much room at first, and at most. */
#define FIRST_TEXT ((size_t)64 << 10)
#define MOST_TEXT ((size_t)64 << 20)

static bl_status make_device(struct bl_vk *vk, bl_error *err)
{
    const struct bl_shader_features *has = &vk->physical.info.features;
    const float priority = 1;
    VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .storageBuffer8BitAccess = has->store8,
        .shaderBufferInt64Atomics = has->atomic64,
        .shaderFloat16 = has->f16,
        .shaderInt8 = has->i8,
        .bufferDeviceAddress = VK_TRUE,
    };
    VkPhysicalDeviceVulkan11Features v11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
        .pNext = &v12,
        .storageBuffer16BitAccess = has->store16,
    };
    const VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &v11,
        .features = {.shaderFloat64 = has->f64,
                     .shaderInt64 = has->i64,
                     .shaderInt16 = has->i16},
    };
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = vk->physical.family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
    };
    const VkResult result =
        vk->loader.vkCreateDevice(vk->physical.handle, &info, NULL, &vk->device);

    if (result != VK_SUCCESS) {
        vk->device = NULL;
        return bl_vk_fail(err, result, "opening the device");
    }
    return BL_OK;
}

static bl_status probe(struct bl_vk *vk, bl_error *err)
{
    const size_t bytes = bl_shader_probe_bytes();
    struct bl_vk_pipeline *pipeline;
    void *block = bl_mem_alloc(&vk->allocator, bytes);

    if (block == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for a probe of %zu bytes", bytes);
    bl_shader_probe_fill(block);
    bl_status status = bl_vk_prepare_text(vk, NULL, &pipeline, err);

    if (status == BL_OK)
        status = bl_vk_run_once(vk, pipeline, block, bytes, err);
    if (status == BL_OK)
        bl_shader_probe_read(block, &vk->features);
    bl_mem_free(&vk->allocator, block, bytes);
    bl_vk_forget_seconds(vk);
    return status;
}

static bl_status set_up(struct bl_vk *vk, const struct bl_vk_options *options,
                        bl_error *err)
{
    BL_TRY(bl_vk_loader_open(&vk->loader, err));
    BL_TRY(bl_vk_physical_choose(&vk->loader, options->device, &vk->physical, err));
    BL_TRY(make_device(vk, err));
    BL_TRY(bl_vk_load_device(&vk->loader, vk->device, &vk->f, err));
    vk->f.vkGetDeviceQueue(vk->device, vk->physical.family, 0, &vk->queue);
    vk->features = vk->physical.info.features;
    vk->staged = options->staged;
    BL_TRY(bl_vk_commands_make(vk, &vk->transfer, err));
    BL_TRY(bl_vk_pipelines_open(vk, options->cache, err));
    BL_TRY(bl_vk_batch_open(vk, options->timed, err));
    return probe(vk, err);
}

static void close_device(struct bl_vk *vk)
{
    /* Every submission was waited for, so nothing is in use. */
    bl_vk_batch_close(vk);
    bl_vk_pipelines_close(vk);
    bl_vk_commands_free(vk, &vk->transfer);
    bl_vk_buffer_free(vk, &vk->staging);
    bl_vk_memory_close(vk);
    vk->f.vkDestroyDevice(vk->device, NULL);
}

bl_status bl_vk_open(const bl_allocator *allocator, const struct bl_vk_options *options,
                     struct bl_vk **out, bl_error *err)
{
    struct bl_vk *vk = bl_mem_alloc_zero(allocator, sizeof *vk);

    if (vk == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for a device (%zu bytes)",
                       sizeof *vk);
    vk->allocator = *allocator;
    atomic_init(&vk->holders, 1);
    const bl_status status = set_up(vk, options, err);

    if (status == BL_OK)
        *out = vk;
    else
        bl_vk_let_go(vk);
    return status;
}

void bl_vk_hold(struct bl_vk *vk)
{
    atomic_fetch_add(&vk->holders, 1);
}

void bl_vk_let_go(struct bl_vk *vk)
{
    if (vk == NULL || atomic_fetch_sub(&vk->holders, 1) > 1)
        return;
    const bl_allocator allocator = vk->allocator;

    if (vk->device != NULL && vk->f.vkGetQueryPoolResults != NULL)
        close_device(vk);
    bl_mem_free(&allocator, vk->text, vk->text_room);
    bl_vk_loader_close(&vk->loader);
    bl_mem_free(&allocator, vk, sizeof *vk);
}

const char *bl_vk_name(const struct bl_vk *vk)
{
    return vk->physical.info.name;
}

const struct bl_shader_features *bl_vk_features(const struct bl_vk *vk)
{
    return &vk->features;
}

/* ---- Making steps ready ------------------------------------------------------------------------ */

static bl_status more_text(struct bl_vk *vk, bl_error *err)
{
    const size_t room = vk->text_room > 0 ? 2 * vk->text_room : FIRST_TEXT;
    char *larger = room <= MOST_TEXT ? bl_mem_alloc(&vk->allocator, room) : NULL;

    if (larger == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for a shader's text");
    bl_mem_free(&vk->allocator, vk->text, vk->text_room);
    vk->text = larger;
    vk->text_room = room;
    return BL_OK;
}

bl_status bl_vk_prepare_text(struct bl_vk *vk, const struct bl_step *step,
                             struct bl_vk_pipeline **pipeline, bl_error *err)
{
    for (;;) {
        struct bl_text text;

        if (vk->text_room == 0)
            BL_TRY(more_text(vk, err));
        text = bl_text_in(vk->text, vk->text_room);
        const bl_status status = step != NULL
                                     ? bl_shader_print(step, &vk->features, &text, err)
                                     : bl_shader_print_probe(&vk->features, &text, err);

        if (status == BL_OK)
            return bl_vk_pipeline_find(vk, vk->text, text.length, pipeline, err);
        if (status != BL_ERR_LIMIT)
            return status;
        BL_TRY(more_text(vk, err));
    }
}

bl_status bl_vk_check(const struct bl_vk *vk, const struct bl_step *step, bl_error *err)
{
    const char *why = bl_shader_refusal(step, &vk->features);

    return why == NULL
               ? BL_OK
               : bl_fail(err, BL_ERR_UNSUPPORTED, "this device (%s) cannot, because of %s",
                         vk->physical.info.name, why);
}

bl_status bl_vk_prepare(struct bl_vk *vk, const struct bl_step *step, struct bl_vk_job *job,
                        bl_error *err)
{
    BL_TRY(bl_vk_check(vk, step, err));
    return bl_vk_prepare_text(vk, step, &job->pipeline, err);
}

/*
 * pipeline.c - shaders by their text: compiled once, kept in memory and, if asked, on disk
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "backends/vulkan/cache_file.h"
#include "backends/vulkan/compile.h"
#include "backends/vulkan/device.h"
#include "base/mem.h"

#define FIRST_ROOM 64

/* ---- The table --------------------------------------------------------------------------------- */

/* Where the pipeline of the text is, or would be. */
static size_t slot_of(const struct bl_vk_pipelines *pipelines, uint64_t hash,
                      const char *text, size_t size)
{
    size_t slot = (size_t)hash & (pipelines->room - 1);

    for (;; slot = (slot + 1) & (pipelines->room - 1)) {
        const struct bl_vk_pipeline *found = pipelines->table[slot];

        if (found == NULL || (found->hash == hash && found->size == size &&
                              memcmp(found->text, text, size) == 0))
            return slot;
    }
}

/* Keep the table at most half full; false if memory runs out. */
static bool make_room(struct bl_vk *vk)
{
    struct bl_vk_pipelines *pipelines = &vk->pipelines;
    struct bl_vk_pipelines larger = *pipelines;

    if (2 * pipelines->count < pipelines->room)
        return true;
    larger.room = pipelines->room > 0 ? 2 * pipelines->room : FIRST_ROOM;
    larger.table =
        bl_mem_alloc_zero(&vk->allocator, larger.room * sizeof(struct bl_vk_pipeline *));
    if (larger.table == NULL)
        return false;
    for (size_t i = 0; i < pipelines->room; i++) {
        struct bl_vk_pipeline *entry = pipelines->table[i];

        if (entry != NULL)
            larger.table[slot_of(&larger, entry->hash, entry->text, entry->size)] = entry;
    }
    bl_mem_free(&vk->allocator, (void *)pipelines->table,
                pipelines->room * sizeof(struct bl_vk_pipeline *));
    *pipelines = larger;
    return true;
}

static void free_pipeline(struct bl_vk *vk, struct bl_vk_pipeline *pipeline)
{
    if (pipeline == NULL)
        return;
    if (pipeline->handle != VK_NULL_HANDLE)
        vk->f.vkDestroyPipeline(vk->device, pipeline->handle, NULL);
    bl_mem_free(&vk->allocator, pipeline->text, pipeline->size);
    bl_mem_free(&vk->allocator, pipeline, sizeof *pipeline);
}

/* ---- Making one -------------------------------------------------------------------------------- */

static bl_status compile(struct bl_vk *vk, const char *text, size_t size,
                         struct bl_vk_spirv *spirv, bl_error *err)
{
    struct bl_vk_pipelines *pipelines = &vk->pipelines;
    const struct bl_vk_cache_key key = {pipelines->folder, "spv", text, size};
    void *bytes;

    if (pipelines->folder != NULL &&
        bl_vk_cache_read(&key, &vk->allocator, &bytes, &spirv->bytes)) {
        spirv->words = bytes;
        return BL_OK;
    }
    if (pipelines->compiler == NULL)
        BL_TRY(bl_vk_compiler_open(&vk->allocator, &pipelines->compiler, err));
    BL_TRY(bl_vk_compile(pipelines->compiler, &vk->allocator, text, spirv, err));
    if (pipelines->folder != NULL)
        bl_vk_cache_write(&key, spirv->words, spirv->bytes);
    return BL_OK;
}

static bl_status make_handle(struct bl_vk *vk, const struct bl_vk_spirv *spirv,
                             VkPipeline *handle, bl_error *err)
{
    const VkShaderModuleCreateInfo module = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = spirv->bytes,
        .pCode = spirv->words,
    };
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = vk->pipelines.layout,
        .basePipelineIndex = -1,
    };
    VkResult result =
        vk->f.vkCreateShaderModule(vk->device, &module, NULL, &info.stage.module);

    if (result != VK_SUCCESS)
        return bl_vk_fail(err, result, "giving a shader to the driver");
    result = vk->f.vkCreateComputePipelines(vk->device, vk->pipelines.driver_cache, 1,
                                            &info, NULL, handle);
    vk->f.vkDestroyShaderModule(vk->device, info.stage.module, NULL);
    return result == VK_SUCCESS
               ? BL_OK
               : bl_vk_fail(err, result, "compiling a shader in the driver");
}

static bl_status make(struct bl_vk *vk, const char *text, size_t size,
                      struct bl_vk_pipeline *pipeline, bl_error *err)
{
    struct bl_vk_spirv spirv = {NULL, 0};

    pipeline->text = bl_mem_alloc(&vk->allocator, size);
    if (pipeline->text == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for a shader of %zu bytes", size);
    pipeline->size = size;
    memcpy(pipeline->text, text, size);
    BL_TRY(compile(vk, text, size, &spirv, err));
    const bl_status status = make_handle(vk, &spirv, &pipeline->handle, err);

    bl_mem_free(&vk->allocator, spirv.words, spirv.bytes);
    return status;
}

bl_status bl_vk_pipeline_find(struct bl_vk *vk, const char *text, size_t size,
                              struct bl_vk_pipeline **out, bl_error *err)
{
    struct bl_vk_pipelines *pipelines = &vk->pipelines;
    const uint64_t hash = bl_vk_hash(text, size);

    if (!make_room(vk))
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for the table of shaders");
    const size_t slot = slot_of(pipelines, hash, text, size);

    *out = pipelines->table[slot];
    if (*out != NULL)
        return BL_OK;
    struct bl_vk_pipeline *made = bl_mem_alloc_zero(&vk->allocator, sizeof *made);

    if (made == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for a shader");
    made->hash = hash;
    const bl_status status = make(vk, text, size, made, err);

    if (status != BL_OK) {
        free_pipeline(vk, made);
        return status;
    }
    pipelines->table[slot] = *out = made;
    pipelines->count++;
    pipelines->made++;
    return BL_OK;
}

/* ---- The driver's own cache -------------------------------------------------------------------- */

/* What the driver compiled is good for the same driver and device, which its key names. */
static struct bl_vk_cache_key driver_key(const struct bl_vk *vk)
{
    return (struct bl_vk_cache_key){vk->pipelines.folder, "pipelines",
                                    vk->physical.cache_key, sizeof vk->physical.cache_key};
}

static bl_status open_driver_cache(struct bl_vk *vk, bl_error *err)
{
    const struct bl_vk_cache_key key = driver_key(vk);
    VkPipelineCacheCreateInfo info = {.sType =
                                          VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    void *bytes = NULL;

    if (key.folder != NULL &&
        bl_vk_cache_read(&key, &vk->allocator, &bytes, &info.initialDataSize))
        info.pInitialData = bytes;
    const VkResult result =
        vk->f.vkCreatePipelineCache(vk->device, &info, NULL, &vk->pipelines.driver_cache);

    bl_mem_free(&vk->allocator, bytes, info.initialDataSize);
    return result == VK_SUCCESS ? BL_OK
                                : bl_vk_fail(err, result, "making a cache of shaders");
}

static void save_driver_cache(struct bl_vk *vk)
{
    const struct bl_vk_cache_key key = driver_key(vk);
    size_t size = 0;

    if (key.folder == NULL || vk->pipelines.made == 0 ||
        vk->f.vkGetPipelineCacheData(vk->device, vk->pipelines.driver_cache, &size, NULL) !=
            VK_SUCCESS ||
        size == 0)
        return;
    const size_t room = size;
    void *bytes = bl_mem_alloc(&vk->allocator, room);

    if (bytes == NULL)
        return;
    if (vk->f.vkGetPipelineCacheData(vk->device, vk->pipelines.driver_cache, &size,
                                     bytes) == VK_SUCCESS)
        bl_vk_cache_write(&key, bytes, size);
    bl_mem_free(&vk->allocator, bytes, room);
}

/* ---- Opening and closing ----------------------------------------------------------------------- */

bl_status bl_vk_pipelines_open(struct bl_vk *vk, const char *folder, bl_error *err)
{
    const VkPushConstantRange address = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                         sizeof(VkDeviceAddress)};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &address,
    };
    const VkResult result =
        vk->f.vkCreatePipelineLayout(vk->device, &info, NULL, &vk->pipelines.layout);

    if (result != VK_SUCCESS)
        return bl_vk_fail(err, result, "making a pipeline's layout");
    if (folder != NULL && folder[0] != '\0') {
        const size_t bytes = strlen(folder) + 1;

        vk->pipelines.folder = bl_mem_alloc(&vk->allocator, bytes);
        if (vk->pipelines.folder == NULL)
            return bl_fail(err, BL_ERR_MEMORY, "out of memory for a folder's name");
        memcpy(vk->pipelines.folder, folder, bytes);
    }
    return open_driver_cache(vk, err);
}

void bl_vk_pipelines_close(struct bl_vk *vk)
{
    struct bl_vk_pipelines *pipelines = &vk->pipelines;

    if (pipelines->driver_cache != VK_NULL_HANDLE) {
        save_driver_cache(vk);
        vk->f.vkDestroyPipelineCache(vk->device, pipelines->driver_cache, NULL);
    }
    for (size_t i = 0; i < pipelines->room; i++)
        free_pipeline(vk, pipelines->table[i]);
    bl_mem_free(&vk->allocator, (void *)pipelines->table,
                pipelines->room * sizeof(struct bl_vk_pipeline *));
    if (pipelines->layout != VK_NULL_HANDLE)
        vk->f.vkDestroyPipelineLayout(vk->device, pipelines->layout, NULL);
    if (pipelines->folder != NULL)
        bl_mem_free(&vk->allocator, pipelines->folder, strlen(pipelines->folder) + 1);
    bl_vk_compiler_close(&vk->allocator, pipelines->compiler);
}

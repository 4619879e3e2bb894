/*
 * device.h - what a device that is open holds; the parts of the backend share it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_BACKENDS_VULKAN_DEVICE_H
#define BL_BACKENDS_VULKAN_DEVICE_H

#include <stdatomic.h>

#include "backends/vulkan/physical.h"

/* ---- Buffers (buffer.c) ------------------------------------------------------------------------ */

enum bl_vk_use {
    BL_VK_USE_DEVICE, /* tensors: the device's own memory, the host's too where it is one */
    BL_VK_USE_ARGUMENTS, /* written by the host, read by shaders, near to them if it can be */
    BL_VK_USE_STAGING    /* copied to and from, and read by the host */
};

struct bl_vk_buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkDeviceAddress address;
    char *mapped; /* NULL: the host cannot read or write it */
    uint64_t bytes;
};

bl_status bl_vk_buffer_make(struct bl_vk *vk, enum bl_vk_use use, uint64_t bytes,
                            struct bl_vk_buffer *buffer, bl_error *err);
void bl_vk_buffer_free(struct bl_vk *vk, struct bl_vk_buffer *buffer);

/* ---- Memory (memory.c) ------------------------------------------------------------------------- */

/* A part of a block that is taken. */
struct bl_vk_part {
    size_t start, bytes;
};

/* Device memory that is allocated at once, and handed out in parts. */
struct bl_vk_block {
    struct bl_vk_buffer buffer;
    char *place; /* addresses of this process, of which none can be read or written */
    size_t bytes;
    struct bl_vk_part *parts; /* [part_count], by start */
    size_t part_count, part_room;
};

/* Host memory with a copy on the device. */
struct bl_vk_kept {
    const char *host;
    size_t bytes;
    char *place;
    unsigned times;
};

struct bl_vk_memory {
    struct bl_vk_block *blocks;
    size_t block_count, block_room;
    struct bl_vk_kept *kept; /* by host */
    size_t kept_count, kept_room;
};

/* The block that an address lies in, or NULL. */
const struct bl_vk_block *bl_vk_block_of(const struct bl_vk *vk, const void *address);

/* The device's address for a place, or for kept host memory; 0 for any other. */
VkDeviceAddress bl_vk_address_of(const struct bl_vk *vk, const void *place);
VkDeviceAddress bl_vk_kept_address(const struct bl_vk *vk, const char *host, size_t bytes);

void bl_vk_memory_close(struct bl_vk *vk);

/* ---- Commands (commands.c) --------------------------------------------------------------------- */

/* A command buffer that is recorded, submitted and waited for. */
struct bl_vk_commands {
    VkCommandPool pool;
    VkCommandBuffer buffer;
    VkFence fence;
};

bl_status bl_vk_commands_make(struct bl_vk *vk, struct bl_vk_commands *commands,
                              bl_error *err);
bl_status bl_vk_commands_begin(struct bl_vk *vk, const struct bl_vk_commands *commands,
                               bl_error *err);
bl_status bl_vk_commands_run(struct bl_vk *vk, const struct bl_vk_commands *commands,
                             const char *doing, bl_error *err);
void bl_vk_commands_free(struct bl_vk *vk, struct bl_vk_commands *commands);

/* What is written before, by shaders and copies, can be read and written after, by these and the
 * host. */
void bl_vk_commands_barrier(struct bl_vk *vk, const struct bl_vk_commands *commands);

/* ---- Shaders (pipeline.c, compile.c, cache_file.c) --------------------------------------------- */

struct bl_vk_pipeline {
    VkPipeline handle;
    uint64_t hash; /* of the text */
    char *text;    /* [size] */
    size_t size;
};

struct bl_vk_pipelines {
    VkPipelineLayout layout;
    VkPipelineCache driver_cache;
    struct bl_vk_pipeline *
        *table; /* [room], open addressing by hash; room is a power of two */
    size_t count, room;
    size_t made;                     /* since the cache was written */
    char *folder;                    /* of the cache, NULL: none */
    struct bl_vk_compiler *compiler; /* NULL until it is needed */
};

bl_status bl_vk_pipelines_open(struct bl_vk *vk, const char *folder, bl_error *err);
void bl_vk_pipelines_close(struct bl_vk *vk);

/* The pipeline of a shader's text, which a 0 ends: found, or made. */
bl_status bl_vk_pipeline_find(struct bl_vk *vk, const char *text, size_t size,
                              struct bl_vk_pipeline **out, bl_error *err);

/* ---- Steps that were added (run.c, stage.c) ---------------------------------------------------- */

/* What is no larger is not copied to a place of its own. */
#define BL_VK_SMALL_BYTES 4096

/* Steps of one submission. */
#define BL_VK_BATCH_STEPS 1024

/* Host memory that the steps of a batch read or write: it has a copy on the device meanwhile. */
struct bl_vk_staged {
    char *host;
    size_t bytes;
    char *place; /* NULL: a copy that lies among the arguments */
    VkDeviceAddress address;
    bool written;
};

struct bl_vk_batch {
    struct bl_vk_commands commands;
    struct bl_vk_buffer arguments;
    size_t argument_bytes;        /* that are taken */
    struct bl_vk_buffer failures; /* 8 bytes for each step */
    size_t steps;
    struct bl_vk_staged *staged;
    size_t staged_count, staged_room;
    VkQueryPool clock; /* NULL: steps are not timed */
    double *seconds;   /* of steps that are finished, since they were asked for */
    size_t seconds_count, seconds_room;
};

/* So much of the arguments as bl_vk_add has seen to, aligned to BL_ALIGNMENT, and the device's address
 * of it. */
void *bl_vk_argument_room(struct bl_vk *vk, size_t bytes, VkDeviceAddress *address);

bl_status bl_vk_batch_open(struct bl_vk *vk, bool timed, bl_error *err);
void bl_vk_batch_close(struct bl_vk *vk);

/* The device's address of [first, first + bytes) at the host, `first` being read, or written, by the
 * step that is added next. */
bl_status bl_vk_stage(struct bl_vk *vk, char *first, size_t bytes, bool written,
                      VkDeviceAddress *address, bl_error *err);

/* True if staging that would read what an earlier step has still to write back, or the like. */
bool bl_vk_stage_clashes(const struct bl_vk *vk, const char *first, size_t bytes,
                         bool written);

/* Copy back what was written, unless `drop`; forget all. */
bl_status bl_vk_unstage(struct bl_vk *vk, bool drop, bl_error *err);

/* ---- The device (device.c) ------------------------------------------------------------ */

struct bl_vk {
    bl_allocator allocator;
    _Atomic unsigned holders;
    struct bl_vk_loader loader;
    struct bl_vk_physical physical;
    VkDevice device;
    VkQueue queue;
    struct bl_vk_functions f;
    struct bl_shader_features features;
    bool staged;
    char *text; /* of the shader that is looked up, [text_room] */
    size_t text_room;
    struct bl_vk_memory memory;
    struct bl_vk_commands transfer;
    struct bl_vk_buffer staging; /* made when it is needed */
    struct bl_vk_pipelines pipelines;
    struct bl_vk_batch batch;
};

/* Room for one more thing of `size` bytes in an array of `count`; false if memory runs out. */
bool bl_vk_grow(struct bl_vk *vk, void **array, size_t count, size_t *room, size_t size);

/* The pipeline of a step's shader, or, for NULL, of the probe's. */
bl_status bl_vk_prepare_text(struct bl_vk *vk, const struct bl_step *step,
                             struct bl_vk_pipeline **pipeline, bl_error *err);

/* Run a pipeline once, as one workgroup, on an argument block that it writes to.  (run.c) */
bl_status bl_vk_run_once(struct bl_vk *vk, const struct bl_vk_pipeline *pipeline,
                         void *block, size_t bytes, bl_error *err);

#endif

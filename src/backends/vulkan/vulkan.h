/*
 * vulkan.h - the Vulkan backend: devices, their memory, and steps that run on them
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * No type of Vulkan's shows here, and a build without Vulkan has the same functions: those that open
 * a device say why there is none (absent.c).
 *
 * Memory of a device has a *place*, an address in this process at which nothing can be read or
 * written.  Tensors, plans and steps hold places as they hold any pointer, add offsets and compare
 * them; what runs a step translates.
 */
#ifndef BL_BACKENDS_VULKAN_VULKAN_H
#define BL_BACKENDS_VULKAN_VULKAN_H

#include <stdbool.h>

#include "backends/vulkan/shader.h"
#include "base/status.h"
#include "plan/step.h"

/* A device that is open.  One thread at a time. */
struct bl_vk;

struct bl_vk_options {
    int device;        /* as bl_vk_list counts; -1: the best */
    const char *cache; /* a folder for compiled shaders; NULL: none */
    bool timed;        /* note how long each step takes */
    bool staged; /* copy through a buffer of the host's even where that can be spared */
};

bl_status bl_vk_open(const bl_allocator *allocator, const struct bl_vk_options *options,
                     struct bl_vk **out, bl_error *err);

/* A device is shared by the context that opened it and the tensors that lie on it. */
void bl_vk_hold(struct bl_vk *vk);
void bl_vk_let_go(struct bl_vk *vk);

/* The name that the driver gives the device, such as "llvmpipe (LLVM 15.0.6, 256 bits)". */
const char *bl_vk_name(const struct bl_vk *vk);

const struct bl_shader_features *bl_vk_features(const struct bl_vk *vk);

/* ---- Memory ------------------------------------------------------------------------------------ */

/* A place of `bytes`, aligned to 256; NULL on failure.  Unspecified content. */
void *bl_vk_alloc(struct bl_vk *vk, size_t bytes, bl_error *err);
void bl_vk_free(struct bl_vk *vk, void *place);

/* True for an address within a place. */
bool bl_vk_has(const struct bl_vk *vk, const void *address);

/* What is there for the host to read and write; NULL where the device's memory is not the host's. */
void *bl_vk_mapped(const struct bl_vk *vk, const void *place);

/* Copy bytes to a place or from it, which no step uses that was added and is not finished. */
bl_status bl_vk_upload(struct bl_vk *vk, void *place, const void *from, size_t bytes,
                       bl_error *err);
bl_status bl_vk_download(struct bl_vk *vk, const void *place, void *to, size_t bytes,
                         bl_error *err);

/* Keep a copy of host memory, which does not change until it is forgotten: steps that read it use the
 * copy.  Counted: what is kept twice is forgotten at the second time. */
bl_status bl_vk_keep(struct bl_vk *vk, const void *host, size_t bytes, bl_error *err);
void bl_vk_forget(struct bl_vk *vk, const void *host);

/* ---- Steps ------------------------------------------------------------------------------------- */

/* A step that is ready: its shader is compiled. */
struct bl_vk_job {
    struct bl_vk_pipeline *pipeline; /* the device's */
};

/* BL_ERR_UNSUPPORTED, saying why, for a step that the device cannot run. */
bl_status bl_vk_check(const struct bl_vk *vk, const struct bl_step *step, bl_error *err);

bl_status bl_vk_prepare(struct bl_vk *vk, const struct bl_step *step, struct bl_vk_job *job,
                        bl_error *err);

/*
 * Add a step to those that bl_vk_finish runs, in order.
 *
 * Its operands lie at places or in host memory.  What is read of the latter is copied now; what is
 * written appears there when the steps are finished.  What is written lies row-major without gaps.
 * It may have to finish steps that were added before: `failed` and errors as of bl_vk_finish.
 */
bl_status bl_vk_add(struct bl_vk *vk, const struct bl_vk_job *job,
                    const struct bl_step *step, int64_t *failed, bl_error *err);

/*
 * Run what was added.
 *
 * @param failed  set to -1, or to the first element that has no result, of the first step with such
 *                an element; the status is then BL_ERR_ARITHMETIC, without a message, and no host
 *                memory is written.
 */
bl_status bl_vk_finish(struct bl_vk *vk, int64_t *failed, bl_error *err);

/* Forget what was added and not run, as after a failure. */
void bl_vk_drop(struct bl_vk *vk);

/* Seconds of the i-th step that was finished since they were forgotten, by the device's clock; -1
 * where it has none, or i is past the end. */
double bl_vk_seconds(const struct bl_vk *vk, size_t i);
void bl_vk_forget_seconds(struct bl_vk *vk);

/* Add a copy of `bytes` from one place to another by the driver, resp. zeros (a multiple of 4), as a
 * step: what a measurement is held against. */
bl_status bl_vk_add_copy(struct bl_vk *vk, const void *from, void *to, size_t bytes,
                         bl_error *err);
bl_status bl_vk_add_fill(struct bl_vk *vk, void *to, size_t bytes, bl_error *err);

/* ---- What there is ----------------------------------------------------------------------------- */

struct bl_vk_info {
    char name[256];
    char driver[512];    /* with its version; "" before Vulkan 1.2 */
    unsigned version[3]; /* of Vulkan */
    const char *kind;    /* "discrete GPU", "CPU", ... */
    uint64_t memory_bytes;
    uint64_t allocation_bytes; /* the largest */
    bool has_clock;
    struct bl_shader_features features; /* without what the probe finds */
    const char *unfit;                  /* why it cannot be used; NULL: it can */
};

/* The i-th device.  BL_ERR_UNSUPPORTED: there is no Vulkan; BL_ERR_ARGUMENT: i is past the end. */
bl_status bl_vk_describe(unsigned i, struct bl_vk_info *info, bl_error *err);

#endif

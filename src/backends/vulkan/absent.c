/*
 * absent.c - a build without Vulkan: what opens a device says so
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled instead of the other files of this folder.  No device is ever open, so that nothing else
 * is called.
 */
#include <stddef.h>

#include "backends/vulkan/vulkan.h"

static bl_status say_so(bl_error *err)
{
    return bl_fail(err, BL_ERR_UNSUPPORTED,
                   "this library was built without Vulkan (BL_VULKAN, Vulkan's headers)");
}

bl_status bl_vk_open(const bl_allocator *allocator, const struct bl_vk_options *options,
                     struct bl_vk **out, bl_error *err)
{
    (void)allocator;
    (void)options;
    *out = NULL;
    return say_so(err);
}

bl_status bl_vk_describe(unsigned i, struct bl_vk_info *info, bl_error *err)
{
    (void)i;
    (void)info;
    return say_so(err);
}

void bl_vk_hold(struct bl_vk *vk)
{
    (void)vk;
}

void bl_vk_let_go(struct bl_vk *vk)
{
    (void)vk;
}

const char *bl_vk_name(const struct bl_vk *vk)
{
    (void)vk;
    return "";
}

const struct bl_shader_features *bl_vk_features(const struct bl_vk *vk)
{
    (void)vk;
    return NULL;
}

const char *bl_shader_refusal(const struct bl_step *step,
                              const struct bl_shader_features *features)
{
    (void)step;
    (void)features;
    return "no device";
}

void *bl_vk_alloc(struct bl_vk *vk, size_t bytes, bl_error *err)
{
    (void)vk;
    (void)bytes;
    (void)say_so(err);
    return NULL;
}

void bl_vk_free(struct bl_vk *vk, void *place)
{
    (void)vk;
    (void)place;
}

bool bl_vk_has(const struct bl_vk *vk, const void *address)
{
    (void)vk;
    (void)address;
    return false;
}

void *bl_vk_mapped(const struct bl_vk *vk, const void *place)
{
    (void)vk;
    (void)place;
    return NULL;
}

bl_status bl_vk_upload(struct bl_vk *vk, void *place, const void *from, size_t bytes,
                       bl_error *err)
{
    (void)vk;
    (void)place;
    (void)from;
    (void)bytes;
    return say_so(err);
}

bl_status bl_vk_download(struct bl_vk *vk, const void *place, void *to, size_t bytes,
                         bl_error *err)
{
    (void)vk;
    (void)place;
    (void)to;
    (void)bytes;
    return say_so(err);
}

bl_status bl_vk_keep(struct bl_vk *vk, const void *host, size_t bytes, bl_error *err)
{
    (void)vk;
    (void)host;
    (void)bytes;
    return say_so(err);
}

void bl_vk_forget(struct bl_vk *vk, const void *host)
{
    (void)vk;
    (void)host;
}

bl_status bl_vk_check(const struct bl_vk *vk, const struct bl_step *step, bl_error *err)
{
    (void)vk;
    (void)step;
    return say_so(err);
}

bl_status bl_vk_prepare(struct bl_vk *vk, const struct bl_step *step, struct bl_vk_job *job,
                        bl_error *err)
{
    (void)job;
    return bl_vk_check(vk, step, err);
}

bl_status bl_vk_add(struct bl_vk *vk, const struct bl_vk_job *job,
                    const struct bl_step *step, int64_t *failed, bl_error *err)
{
    (void)job;
    *failed = -1;
    return bl_vk_check(vk, step, err);
}

bl_status bl_vk_finish(struct bl_vk *vk, int64_t *failed, bl_error *err)
{
    (void)vk;
    *failed = -1;
    return say_so(err);
}

void bl_vk_drop(struct bl_vk *vk)
{
    (void)vk;
}

double bl_vk_seconds(const struct bl_vk *vk, size_t i)
{
    (void)vk;
    (void)i;
    return -1;
}

void bl_vk_forget_seconds(struct bl_vk *vk)
{
    (void)vk;
}

bl_status bl_vk_add_copy(struct bl_vk *vk, const void *from, void *to, size_t bytes,
                         bl_error *err)
{
    (void)vk;
    (void)from;
    (void)to;
    (void)bytes;
    return say_so(err);
}

bl_status bl_vk_add_fill(struct bl_vk *vk, void *to, size_t bytes, bl_error *err)
{
    (void)vk;
    (void)to;
    (void)bytes;
    return say_so(err);
}

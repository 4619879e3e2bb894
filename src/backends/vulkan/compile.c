/*
 * compile.c - GLSL to SPIR-V, by a compiler that is found at run time
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* dladdr */
#include "backends/vulkan/compile.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "backends/vulkan/glslang/module.h"
#include "base/mem.h"

#define PATH_BYTES 4096
#define MESSAGE_BYTES 1500

struct bl_vk_compiler {
    void *library;
    bl_glslang_compile_function *compile;
    bl_glslang_end_function *end; /* NULL: it has not started */
};

/* ---- Finding the module ------------------------------------------------------------------------ */

/* The folder of the file that holds this code: the library's, or the program's.  "" if it cannot be
 * told. */
static void own_folder(char folder[PATH_BYTES])
{
    Dl_info info;
    void (*self)(char *) = own_folder;
    void *address;

    folder[0] = '\0';
    memcpy(&address, &self, sizeof address); /* POSIX has pointers to functions alike */
    if (dladdr(address, &info) == 0 || info.dli_fname == NULL)
        return;
    const char *slash = strrchr(info.dli_fname, '/');

    if (slash != NULL && slash - info.dli_fname < PATH_BYTES)
        snprintf(folder, PATH_BYTES, "%.*s", (int)(slash - info.dli_fname), info.dli_fname);
}

/* Beside this code, above it (as a build has its tests), where a program's libraries are installed, or
 * where the system looks. */
static void *open_module(void)
{
    static const char *const ways[] = {"", "/..", ("/../" BL_LIBRARY_FOLDER)};
    char folder[PATH_BYTES], path[PATH_BYTES + 128];

    own_folder(folder);
    for (size_t i = 0; folder[0] != '\0' && i < sizeof ways / sizeof *ways; i++) {
        snprintf(path, sizeof path, "%s%s/%s", folder, ways[i], BL_GLSLANG_MODULE);
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

        if (library != NULL)
            return library;
    }
    return dlopen(BL_GLSLANG_MODULE, RTLD_NOW | RTLD_LOCAL);
}

/* A function of the module's, in *function; POSIX has pointers to functions like any other. */
static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);

    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bl_status set_up(struct bl_vk_compiler *compiler, bl_error *err)
{
    bl_glslang_start_function *start;

    compiler->library = open_module();
    if (compiler->library == NULL || !find(compiler->library, BL_GLSLANG_START, &start) ||
        !find(compiler->library, BL_GLSLANG_COMPILE, &compiler->compile) ||
        !find(compiler->library, BL_GLSLANG_END, &compiler->end)) {
        const char *why = dlerror();

        compiler->end = NULL;
        return bl_fail(err, BL_ERR_UNSUPPORTED,
                       "there is no shader compiler, %s (built where glslang is): %s",
                       BL_GLSLANG_MODULE, why != NULL ? why : "");
    }
    if (start() != 0)
        return BL_OK;
    compiler->end = NULL;
    return bl_fail(err, BL_ERR_MEMORY, "out of memory for the shader compiler");
}

bl_status bl_vk_compiler_open(const bl_allocator *allocator, struct bl_vk_compiler **out,
                              bl_error *err)
{
    struct bl_vk_compiler *compiler = bl_mem_alloc_zero(allocator, sizeof *compiler);

    if (compiler == NULL)
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for the shader compiler");
    const bl_status status = set_up(compiler, err);

    if (status == BL_OK)
        *out = compiler;
    else
        bl_vk_compiler_close(allocator, compiler);
    return status;
}

void bl_vk_compiler_close(const bl_allocator *allocator, struct bl_vk_compiler *compiler)
{
    if (compiler == NULL)
        return;
    if (compiler->end != NULL)
        compiler->end();
    if (compiler->library != NULL)
        dlclose(compiler->library);
    bl_mem_free(allocator, compiler, sizeof *compiler);
}

/* ---- Compiling --------------------------------------------------------------------------------- */

struct taking {
    const bl_allocator *allocator;
    struct bl_vk_spirv *out;
};

static void *take(void *user, size_t bytes)
{
    const struct taking *taking = user;

    taking->out->words = bl_mem_alloc(taking->allocator, bytes);
    taking->out->bytes = bytes;
    return taking->out->words;
}

bl_status bl_vk_compile(const struct bl_vk_compiler *compiler,
                        const bl_allocator *allocator, const char *text,
                        struct bl_vk_spirv *out, bl_error *err)
{
    struct taking taking = {allocator, out};
    char message[MESSAGE_BYTES] = "";

    switch (compiler->compile(text, take, &taking, message, sizeof message)) {
    case 0:
        return BL_OK;
    case 1:
        for (char *at = message; *at != '\0'; at++)
            *at = *at == '\n' ? ' ' : *at; /* an error's message is one line */
        return bl_fail(err, BL_ERR_DEVICE, "a shader does not compile: %s", message);
    default:
        return bl_fail(err, BL_ERR_MEMORY, "out of memory for a shader");
    }
}

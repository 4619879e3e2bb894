/*
 * loader.c - Vulkan's functions, found at run time
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/vulkan/loader.h"

#include <dlfcn.h>
#include <string.h>

/* ISO C has no cast from an object's pointer to a function's; POSIX makes them alike. */
static PFN_vkVoidFunction function_of(void *symbol)
{
    PFN_vkVoidFunction function;

    memcpy(&function, &symbol, sizeof function);
    return function;
}

static bl_status no_function(bl_error *err, const char *name)
{
    return bl_fail(err, BL_ERR_UNSUPPORTED, "Vulkan's loader has no function %s", name);
}

static bl_status load_library(struct bl_vk_loader *loader, bl_error *err)
{
    static const char name[] = "libvulkan.so.1";

    loader->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (loader->library == NULL) {
        const char *why = dlerror();

        return bl_fail(err, BL_ERR_UNSUPPORTED, "there is no Vulkan: %s",
                       why != NULL ? why : name);
    }
    loader->vkGetInstanceProcAddr = (PFN_vkGetInstanceProcAddr)function_of(
        dlsym(loader->library, "vkGetInstanceProcAddr"));
    if (loader->vkGetInstanceProcAddr == NULL)
        return no_function(err, "vkGetInstanceProcAddr");
#define LOAD(function)                                                              \
    loader->function =                                                              \
        (PFN_##function)loader->vkGetInstanceProcAddr(loader->instance, #function); \
    if (loader->function == NULL)                                                   \
        return no_function(err, #function);
    BL_VK_GLOBAL_FUNCTIONS(LOAD)
    return BL_OK;
}

static bl_status make_instance(struct bl_vk_loader *loader, bl_error *err)
{
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "broadloom",
        .pEngineName = "broadloom",
        .apiVersion = VK_API_VERSION_1_2,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
    };
    uint32_t version = 0;

    if (loader->vkEnumerateInstanceVersion(&version) != VK_SUCCESS ||
        version < VK_API_VERSION_1_2)
        return bl_fail(err, BL_ERR_UNSUPPORTED,
                       "Vulkan's loader is of version %u.%u, but 1.2 is needed",
                       VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version));
    const VkResult result = loader->vkCreateInstance(&info, NULL, &loader->instance);

    if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
        loader->instance = NULL;
        return bl_fail(err, BL_ERR_UNSUPPORTED, "Vulkan's loader finds no driver");
    }
    if (result != VK_SUCCESS) {
        loader->instance = NULL;
        return bl_vk_fail(err, result, "making a Vulkan instance");
    }
    BL_VK_INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
    return BL_OK;
}

bl_status bl_vk_loader_open(struct bl_vk_loader *loader, bl_error *err)
{
    *loader = (struct bl_vk_loader){.library = NULL};
    BL_TRY(load_library(loader, err));
    return make_instance(loader, err);
}

void bl_vk_loader_close(struct bl_vk_loader *loader)
{
    if (loader->instance != NULL && loader->vkDestroyInstance != NULL)
        loader->vkDestroyInstance(loader->instance, NULL);
    if (loader->library != NULL)
        dlclose(loader->library);
    *loader = (struct bl_vk_loader){.library = NULL};
}

bl_status bl_vk_load_device(const struct bl_vk_loader *loader, VkDevice device,
                            struct bl_vk_functions *functions, bl_error *err)
{
#define LOAD(function)                                                                    \
    functions->function = (PFN_##function)loader->vkGetDeviceProcAddr(device, #function); \
    if (functions->function == NULL)                                                      \
        return no_function(err, #function);
    BL_VK_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    return BL_OK;
}

bl_status bl_vk_fail(bl_error *err, VkResult result, const char *doing)
{
    switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return bl_fail(err, BL_ERR_MEMORY, "%s: the driver is out of host memory", doing);
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return bl_fail(err, BL_ERR_MEMORY, "%s: out of device memory", doing);
    case VK_ERROR_TOO_MANY_OBJECTS:
        return bl_fail(err, BL_ERR_MEMORY, "%s: the device has no room for more objects",
                       doing);
    case VK_ERROR_DEVICE_LOST:
        return bl_fail(err, BL_ERR_DEVICE,
                       "%s: the device was lost; a new context may find it again", doing);
    case VK_ERROR_INITIALIZATION_FAILED:
        return bl_fail(err, BL_ERR_DEVICE, "%s: the driver cannot start", doing);
    case VK_ERROR_FEATURE_NOT_PRESENT:
    case VK_ERROR_EXTENSION_NOT_PRESENT:
    case VK_ERROR_LAYER_NOT_PRESENT:
        return bl_fail(err, BL_ERR_UNSUPPORTED,
                       "%s: the driver lacks a feature, extension or layer (result %d)",
                       doing, (int)result);
    default:
        return bl_fail(err, BL_ERR_DEVICE, "%s: the driver failed with result %d", doing,
                       (int)result);
    }
}

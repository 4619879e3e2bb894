/*
 * dtype.c - what the library knows of each element type
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tensor/dtype.h"

#include <string.h>

#include "base/compiler.h"
#include "base/text.h"

/* Complex numbers are aligned as their parts are; strings as the pointer in them. */
#define ALIGNMENT_UINT(bytes) (bytes)
#define ALIGNMENT_INT(bytes) (bytes)
#define ALIGNMENT_FLOAT(bytes) (bytes)
#define ALIGNMENT_BOOL(bytes) (bytes)
#define ALIGNMENT_COMPLEX(bytes) ((bytes) / 2)
#define ALIGNMENT_STRING(bytes) _Alignof(bl_string)

static const struct bl_dtype_info infos[BL_DTYPE_COUNT] = {
#define BL_DTYPE(ID, name, onnx_name, bytes, bits, kind) \
    [BL_##ID] = {name, onnx_name, bytes, bits, ALIGNMENT_##kind(bytes), BL_KIND_##kind},
#include "tensor/dtypes.def"
};

const struct bl_dtype_info *bl_dtype_info(bl_dtype dtype)
{
    if ((unsigned)dtype >= BL_DTYPE_COUNT || infos[dtype].name == NULL)
        return NULL;
    return &infos[dtype];
}

const char *bl_dtype_name(bl_dtype dtype)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);

    return info != NULL ? info->name : NULL;
}

size_t bl_dtype_size(bl_dtype dtype)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);

    return info != NULL ? info->bytes : 0;
}

bl_dtype bl_dtype_from_name(const char *name)
{
    if (name == NULL)
        return BL_UNDEFINED;
    for (int i = 0; i < BL_DTYPE_COUNT; i++)
        if (infos[i].name != NULL &&
            (strcmp(infos[i].name, name) == 0 || strcmp(infos[i].onnx_name, name) == 0))
            return (bl_dtype)i;
    return BL_UNDEFINED;
}

char *bl_dtype_set_text(uint64_t set, char *buffer, size_t size)
{
    struct bl_text text = bl_text_in(buffer, size);

    for (int i = 0; i < BL_DTYPE_COUNT; i++) {
        if (!(set >> i & 1) || infos[i].name == NULL)
            continue;
        set &= ~(UINT64_C(1) << i);
        bl_text_put(&text, "%s%s",
                    text.length == 0 ? ""
                    : set != 0       ? ", "
                                     : " and ",
                    infos[i].name);
    }
    return buffer;
}

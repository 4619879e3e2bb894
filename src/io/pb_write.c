/*
 * pb_write.c - a tensor to ONNX's TensorProto
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/pb.h"

#include "io/elements.h"
#include "io/onnx_fields.h"

/* A field's tag and the number after it: its value, or the length of what follows. */
static bl_status put_field(struct bl_writer *writer, uint32_t number,
                           enum bl_wire_type type, uint64_t value, bl_error *err)
{
    unsigned char bytes[2 * BL_WIRE_VARINT_BYTES];
    size_t size = bl_wire_put_tag(bytes, number, type);

    size += bl_wire_put_varint(bytes + size, value);
    return bl_writer_put(writer, bytes, size, err);
}

static bl_status put_strings(const bl_tensor *tensor, struct bl_writer *writer,
                             bl_error *err)
{
    struct bl_elements elements = bl_elements_of(tensor);
    bl_string string;

    while (bl_elements_next(&elements, &string, 1) > 0) {
        BL_TRY(put_field(writer, BL_TENSOR_STRING_DATA, BL_WIRE_BYTES, string.size, err));
        BL_TRY(bl_writer_put(writer, string.data, string.size, err));
    }
    return BL_OK;
}

bl_status bl_pb_write(const bl_tensor *tensor, struct bl_writer *writer, bl_error *err)
{
    int64_t bytes = 0;

    for (int i = 0; i < tensor->shape.rank; i++)
        BL_TRY(put_field(writer, BL_TENSOR_DIMS, BL_WIRE_VARINT,
                         (uint64_t)tensor->shape.dim[i], err));
    BL_TRY(put_field(writer, BL_TENSOR_DATA_TYPE, BL_WIRE_VARINT, (uint64_t)tensor->dtype,
                     err));
    if (tensor->dtype == BL_STRING)
        return put_strings(tensor, writer, err);
    /* It exists in memory, where it takes as much or more. */
    bl_elements_raw_bytes(tensor->dtype, tensor->count, &bytes);
    BL_TRY(put_field(writer, BL_TENSOR_RAW_DATA, BL_WIRE_BYTES, (uint64_t)bytes, err));
    return bl_elements_write(tensor, writer, err);
}

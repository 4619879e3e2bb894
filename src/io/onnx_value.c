/*
 * onnx_value.c - ValueInfoProto: what a model says of an input or output
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A message may come in pieces, which add up: fields read later win, dims are joined.  A
 * type is one of several kinds; another kind makes the one before as if it had not been.
 */
#include "io/onnx_reader.h"
#include "tensor/dtype.h"

struct type {
    uint32_t kind; /* enum bl_type_field; 0: none */
    uint64_t elem;
    size_t elem_offset;
    int rank; /* -1: no shape */
    int64_t dims[BL_MAX_RANK];
    const char *names[BL_MAX_RANK];
};

static bl_status read_dim(struct bl_onnx *reader, const struct bl_wire_field *field,
                          struct type *type, bl_error *err)
{
    struct bl_wire message = field->body;
    int64_t dim = -1;
    const char *name = NULL;

    BL_TRY(bl_wire_expect(field, BL_WIRE_BYTES, err));
    while (message.at < message.end) {
        struct bl_wire_field part;

        BL_TRY(bl_wire_next(&message, &part, err));
        if (part.number == BL_DIMENSION_VALUE) {
            BL_TRY(bl_wire_expect(&part, BL_WIRE_VARINT, err));
            dim = (int64_t)part.value;
            name = NULL;
        } else if (part.number == BL_DIMENSION_PARAM) {
            BL_TRY(bl_onnx_name(&part, &reader->scratch, &name, err));
            dim = -1;
        }
    }
    if (type->rank == BL_MAX_RANK)
        return bl_fail_at(err, BL_ERR_LIMIT, reader->source, field->offset,
                          "more than %d dims", BL_MAX_RANK);
    /* Some writers say -1 for a dim that is open. */
    type->dims[type->rank] = dim < 0 ? -1 : dim;
    type->names[type->rank] = name != NULL && name[0] != '\0' ? name : NULL;
    type->rank++;
    return BL_OK;
}

static bl_status read_shape(struct bl_onnx *reader, const struct bl_wire_field *field,
                            struct type *type, bl_error *err)
{
    struct bl_wire message = field->body;

    BL_TRY(bl_wire_expect(field, BL_WIRE_BYTES, err));
    if (type->rank < 0)
        type->rank = 0;
    while (message.at < message.end) {
        struct bl_wire_field part;

        BL_TRY(bl_wire_next(&message, &part, err));
        if (part.number == BL_SHAPE_DIM)
            BL_TRY(read_dim(reader, &part, type, err));
    }
    return BL_OK;
}

static bl_status read_tensor_type(struct bl_onnx *reader, struct bl_wire message,
                                  struct type *type, bl_error *err)
{
    while (message.at < message.end) {
        struct bl_wire_field part;

        BL_TRY(bl_wire_next(&message, &part, err));
        if (part.number == BL_TENSOR_TYPE_ELEM) {
            BL_TRY(bl_wire_expect(&part, BL_WIRE_VARINT, err));
            type->elem = part.value;
            type->elem_offset = part.offset;
        } else if (part.number == BL_TENSOR_TYPE_SHAPE) {
            BL_TRY(read_shape(reader, &part, type, err));
        }
    }
    return BL_OK;
}

static const char *kind_name(uint32_t kind)
{
    switch (kind) {
    case BL_TYPE_SEQUENCE:
        return "sequence";
    case BL_TYPE_MAP:
        return "map";
    case BL_TYPE_OPAQUE:
        return "opaque value";
    case BL_TYPE_SPARSE_TENSOR:
        return "sparse tensor";
    case BL_TYPE_OPTIONAL:
        return "optional value";
    default:
        return NULL;
    }
}

static bl_status read_type(struct bl_onnx *reader, const struct bl_wire_field *field,
                           struct type *type, bl_error *err)
{
    struct bl_wire message = field->body;

    BL_TRY(bl_wire_expect(field, BL_WIRE_BYTES, err));
    while (message.at < message.end) {
        struct bl_wire_field part;

        BL_TRY(bl_wire_next(&message, &part, err));
        if (part.number != BL_TYPE_TENSOR && kind_name(part.number) == NULL)
            continue;
        BL_TRY(bl_wire_expect(&part, BL_WIRE_BYTES, err));
        if (part.number != type->kind)
            *type = (struct type){.kind = part.number, .rank = -1};
        if (part.number == BL_TYPE_TENSOR)
            BL_TRY(read_tensor_type(reader, part.body, type, err));
    }
    return BL_OK;
}

bl_status bl_onnx_value_info(struct bl_onnx *reader, const struct bl_wire_field *field,
                             const char *kind, bl_value_info *info, bl_error *err)
{
    struct bl_wire message = field->body;
    struct type type = {.rank = -1};

    *info = (bl_value_info){.name = "", .rank = -1};
    while (message.at < message.end) {
        struct bl_wire_field part;

        BL_TRY(bl_wire_next(&message, &part, err));
        if (part.number == BL_VALUE_INFO_NAME)
            BL_TRY(bl_onnx_name(&part, &reader->scratch, &info->name, err));
        else if (part.number == BL_VALUE_INFO_TYPE)
            BL_TRY(read_type(reader, &part, &type, err));
    }
    if (kind_name(type.kind) != NULL)
        return bl_fail_at(err, BL_ERR_UNSUPPORTED, reader->source, field->offset,
                          "%s '%s' is of type %s; only tensors are supported", kind,
                          info->name, kind_name(type.kind));
    if (type.elem != BL_UNDEFINED &&
        (type.elem >= BL_DTYPE_COUNT || bl_dtype_info((bl_dtype)type.elem) == NULL))
        return bl_fail_at(err, BL_ERR_FORMAT, reader->source, type.elem_offset,
                          "bad data type: %s '%s' has elem_type %lld, which is none", kind,
                          info->name, (long long)(int64_t)type.elem);
    info->dtype = (bl_dtype)type.elem;
    info->rank = type.rank;
    if (type.rank <= 0)
        return BL_OK;
    const size_t rank = (size_t)type.rank;

    info->dims = bl_arena_copy(&reader->scratch, type.dims, rank, sizeof *type.dims);
    info->dim_names = bl_arena_copy(&reader->scratch, type.names, rank, sizeof *type.names);
    return info->dims != NULL && info->dim_names != NULL ? BL_OK : bl_arena_fail(err);
}

/*
 * wire.c - read protocol buffers' wire format, field by field
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/wire.h"

/* Field numbers have 29 bits. */
#define MOST_NUMBER 0x1FFFFFFF

struct bl_wire bl_wire_of(const struct bl_source *source)
{
    return (struct bl_wire){source, 0, source->size};
}

static bl_status varint(struct bl_wire *wire, uint64_t *value, bl_error *err)
{
    const unsigned char *bytes = bl_wire_bytes(wire);
    const size_t left = bl_wire_left(wire);
    uint64_t result = 0;

    for (size_t i = 0; i < BL_WIRE_VARINT_BYTES; i++) {
        if (i == left)
            return bl_fail_at(err, BL_ERR_FORMAT, wire->source, wire->at,
                              "truncated: the data end within a varint");
        /* The tenth byte holds the last of 64 bits. */
        if (i == BL_WIRE_VARINT_BYTES - 1 && bytes[i] > 1)
            break;
        result |= (uint64_t)(bytes[i] & 0x7F) << (7 * i);
        if (bytes[i] < 0x80) {
            wire->at += i + 1;
            *value = result;
            return BL_OK;
        }
    }
    return bl_fail_at(err, BL_ERR_FORMAT, wire->source, wire->at,
                      "a varint of more than 64 bits");
}

/* `bytes` bytes, the lowest first. */
static bl_status fixed(struct bl_wire *wire, size_t bytes, uint64_t *value, bl_error *err)
{
    const unsigned char *from = bl_wire_bytes(wire);

    if (bl_wire_left(wire) < bytes)
        return bl_fail_at(err, BL_ERR_FORMAT, wire->source, wire->at,
                          "truncated: a number of %zu bytes, %zu left", bytes,
                          bl_wire_left(wire));
    *value = 0;
    for (size_t i = 0; i < bytes; i++)
        *value |= (uint64_t)from[i] << (8 * i);
    wire->at += bytes;
    return BL_OK;
}

bl_status bl_wire_number(struct bl_wire *wire, enum bl_wire_type type, uint64_t *value,
                         bl_error *err)
{
    return type == BL_WIRE_VARINT
               ? varint(wire, value, err)
               : fixed(wire, type == BL_WIRE_FIXED32 ? 4 : 8, value, err);
}

/* Read a length and give out as many bytes as `body`. */
static bl_status delimited(struct bl_wire *wire, uint32_t number, struct bl_wire *body,
                           bl_error *err)
{
    const size_t offset = wire->at;
    uint64_t length;

    BL_TRY(varint(wire, &length, err));
    if (length > bl_wire_left(wire))
        return bl_fail_at(err, BL_ERR_FORMAT, wire->source, offset,
                          "truncated: field %u has %llu bytes, %zu left", (unsigned)number,
                          (unsigned long long)length, bl_wire_left(wire));
    *body = (struct bl_wire){wire->source, wire->at, wire->at + (size_t)length};
    wire->at = body->end;
    return BL_OK;
}

bl_status bl_wire_next(struct bl_wire *wire, struct bl_wire_field *field, bl_error *err)
{
    uint64_t tag;

    *field = (struct bl_wire_field){.offset = wire->at};
    BL_TRY(varint(wire, &tag, err));
    if (tag >> 3 == 0 || tag >> 3 > MOST_NUMBER)
        return bl_fail_at(err, BL_ERR_FORMAT, wire->source, field->offset,
                          "no field has the number %llu", (unsigned long long)(tag >> 3));
    field->number = (uint32_t)(tag >> 3);
    field->body = *wire;
    switch (tag & 7) {
    case BL_WIRE_VARINT:
    case BL_WIRE_FIXED64:
    case BL_WIRE_FIXED32:
        field->type = (enum bl_wire_type)(tag & 7);
        BL_TRY(bl_wire_number(wire, field->type, &field->value, err));
        field->body.end = wire->at;
        return BL_OK;
    case BL_WIRE_BYTES:
        field->type = BL_WIRE_BYTES;
        return delimited(wire, field->number, &field->body, err);
    default:
        return bl_fail_at(err, BL_ERR_FORMAT, wire->source, field->offset,
                          "field %u has wire type %u, which is %s", (unsigned)field->number,
                          (unsigned)(tag & 7), (tag & 7) < 5 ? "a group" : "none");
    }
}

bl_status bl_wire_expect(const struct bl_wire_field *field, enum bl_wire_type type,
                         bl_error *err)
{
    if (field->type == type)
        return BL_OK;
    return bl_fail_at(err, BL_ERR_FORMAT, field->body.source, field->offset,
                      "field %u has wire type %d instead of %d", (unsigned)field->number,
                      (int)field->type, (int)type);
}

bl_status bl_wire_expect_numbers(const struct bl_wire_field *field, enum bl_wire_type type,
                                 bl_error *err)
{
    return field->type == BL_WIRE_BYTES ? BL_OK : bl_wire_expect(field, type, err);
}

size_t bl_wire_put_varint(unsigned char *out, uint64_t value)
{
    size_t bytes = 0;

    for (; value >= 0x80; value >>= 7)
        out[bytes++] = (unsigned char)(value | 0x80);
    out[bytes++] = (unsigned char)value;
    return bytes;
}

size_t bl_wire_put_tag(unsigned char *out, uint32_t number, enum bl_wire_type type)
{
    return bl_wire_put_varint(out, (uint64_t)number << 3 | type);
}

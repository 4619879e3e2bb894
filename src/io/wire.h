/*
 * wire.h - read protocol buffers' wire format, field by field
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A cursor over one message: where it is and where the message ends.  It never reads past
 * that end, allocates nothing, and knows the offset of every byte from the start of the
 * source.  A field's value comes decoded, so that a field nobody wants needs no skipping,
 * and a nested message is read by a cursor of its own:
 *
 *     while (wire.at < wire.end) {
 *         struct bl_wire_field field;
 *
 *         BL_TRY(bl_wire_next(&wire, &field, err));
 *         switch (field.number) {
 *         case 7:
 *             BL_TRY(bl_wire_expect(&field, BL_WIRE_BYTES, err));
 *             BL_TRY(read_graph(field.body, ...));
 *
 * Source: protobuf.dev/programming-guides/encoding.  Groups, which ONNX has never used, are
 * refused.
 */
#ifndef BL_IO_WIRE_H
#define BL_IO_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "io/source.h"

enum bl_wire_type {
    BL_WIRE_VARINT = 0,
    BL_WIRE_FIXED64 = 1,
    BL_WIRE_BYTES =
        2, /* a length, then that many bytes: a string, a message, packed numbers */
    BL_WIRE_FIXED32 = 5
};

struct bl_wire {
    const struct bl_source *source;
    size_t at;  /* the next byte to read */
    size_t end; /* one past the last */
};

struct bl_wire_field {
    uint32_t number;
    enum bl_wire_type type;
    size_t offset;  /* of the field's first byte */
    uint64_t value; /* of the types that are numbers */
    struct bl_wire
        body; /* over the bytes of the value; of BL_WIRE_BYTES without the length */
};

/* A cursor over the whole source. */
struct bl_wire bl_wire_of(const struct bl_source *source);

/* The bytes that a cursor has left. */
static inline const unsigned char *bl_wire_bytes(const struct bl_wire *wire)
{
    return wire->source->bytes + wire->at;
}

static inline size_t bl_wire_left(const struct bl_wire *wire)
{
    return wire->end - wire->at;
}

/* Read the next field.  Not to be called at the end. */
bl_status bl_wire_next(struct bl_wire *wire, struct bl_wire_field *field, bl_error *err);

/* Fail unless the field has this type. */
bl_status bl_wire_expect(const struct bl_wire_field *field, enum bl_wire_type type,
                         bl_error *err);

/* Fail unless the field's body is a row of numbers of this type: one number, or a packed
 * row. */
bl_status bl_wire_expect_numbers(const struct bl_wire_field *field, enum bl_wire_type type,
                                 bl_error *err);

/* Read one number (not BL_WIRE_BYTES) off the cursor, such as the body of a field. */
bl_status bl_wire_number(struct bl_wire *wire, enum bl_wire_type type, uint64_t *value,
                         bl_error *err);

#define BL_WIRE_VARINT_BYTES 10

/* Write a varint to `out`, which has room for BL_WIRE_VARINT_BYTES.  Returns how many it
 * took. */
size_t bl_wire_put_varint(unsigned char *out, uint64_t value);

/* Write a field's tag, likewise. */
size_t bl_wire_put_tag(unsigned char *out, uint32_t number, enum bl_wire_type type);

#endif

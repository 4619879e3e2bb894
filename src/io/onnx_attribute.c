/*
 * onnx_attribute.c - AttributeProto
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A message is read twice: to see what is there, then, with memory for exactly that, to take
 * it out.
 */
#include <string.h>

#include "base/half.h"
#include "io/onnx_reader.h"
#include "tensor/tensor.h"

/* AttributeProto.AttributeType; those of enum bl_attribute_type are left out. */
enum { TYPE_UNDEFINED = 0, TYPE_GRAPH = 5, TYPE_GRAPHS = 10, TYPE_LAST = 14 };

/* What the first reading finds. */
struct found {
    const char *name;
    const char *reference;
    uint64_t type;
    size_t type_offset;
    uint64_t implied; /* the type that the last field with a value is for */
    float f;
    int64_t i;
    struct bl_wire s;
    size_t tensor_count; /* pieces of the one tensor */
    size_t tensor_bytes;
    size_t floats, ints, strings; /* how many */
};

/* ---- First reading ---------------------------------------------------------------- */

/* How many numbers are in one occurrence of a list of them. */
static bl_status count_numbers(const struct bl_wire_field *field, enum bl_wire_type type,
                               size_t *count, bl_error *err)
{
    struct bl_wire body = field->body;
    uint64_t number;

    BL_TRY(bl_wire_expect_numbers(field, type, err));
    for (; body.at < body.end; ++*count)
        BL_TRY(bl_wire_number(&body, type, &number, err));
    return BL_OK;
}

static uint64_t implied_type(uint32_t field)
{
    switch (field) {
    case BL_ATTRIBUTE_FIELD_F:
        return BL_ATTRIBUTE_FLOAT;
    case BL_ATTRIBUTE_FIELD_I:
        return BL_ATTRIBUTE_INT;
    case BL_ATTRIBUTE_FIELD_S:
        return BL_ATTRIBUTE_STRING;
    case BL_ATTRIBUTE_FIELD_T:
        return BL_ATTRIBUTE_TENSOR;
    case BL_ATTRIBUTE_FIELD_G:
        return TYPE_GRAPH;
    case BL_ATTRIBUTE_FIELD_FLOATS:
        return BL_ATTRIBUTE_FLOATS;
    case BL_ATTRIBUTE_FIELD_INTS:
        return BL_ATTRIBUTE_INTS;
    case BL_ATTRIBUTE_FIELD_STRINGS:
        return BL_ATTRIBUTE_STRINGS;
    case BL_ATTRIBUTE_FIELD_GRAPHS:
        return TYPE_GRAPHS;
    default:
        return TYPE_UNDEFINED;
    }
}

static bl_status find_field(const struct bl_wire_field *field, struct bl_arena *arena,
                            struct found *found, bl_error *err)
{
    const uint64_t implied = implied_type(field->number);

    if (implied != TYPE_UNDEFINED)
        found->implied = implied;
    switch (field->number) {
    case BL_ATTRIBUTE_FIELD_NAME:
        return bl_onnx_name(field, arena, &found->name, err);
    case BL_ATTRIBUTE_FIELD_REF_NAME:
        return bl_onnx_name(field, arena, &found->reference, err);
    case BL_ATTRIBUTE_FIELD_TYPE:
        found->type = field->value;
        found->type_offset = field->offset;
        return bl_wire_expect(field, BL_WIRE_VARINT, err);
    case BL_ATTRIBUTE_FIELD_F:
        found->f = bl_f32_from_bits((uint32_t)field->value);
        return bl_wire_expect(field, BL_WIRE_FIXED32, err);
    case BL_ATTRIBUTE_FIELD_I:
        found->i = (int64_t)field->value;
        return bl_wire_expect(field, BL_WIRE_VARINT, err);
    case BL_ATTRIBUTE_FIELD_S:
        found->s = field->body;
        return bl_wire_expect(field, BL_WIRE_BYTES, err);
    case BL_ATTRIBUTE_FIELD_T:
        found->tensor_count++;
        found->tensor_bytes += bl_wire_left(&field->body);
        return bl_wire_expect(field, BL_WIRE_BYTES, err);
    case BL_ATTRIBUTE_FIELD_FLOATS:
        return count_numbers(field, BL_WIRE_FIXED32, &found->floats, err);
    case BL_ATTRIBUTE_FIELD_INTS:
        return count_numbers(field, BL_WIRE_VARINT, &found->ints, err);
    case BL_ATTRIBUTE_FIELD_STRINGS:
        found->strings++;
        return bl_wire_expect(field, BL_WIRE_BYTES, err);
    default:
        return BL_OK;
    }
}

static bl_status find(struct bl_wire message, struct bl_arena *arena, struct found *found,
                      bl_error *err)
{
    *found = (struct found){.name = "", .s = {message.source, message.at, message.at}};
    while (message.at < message.end) {
        struct bl_wire_field field;

        BL_TRY(bl_wire_next(&message, &field, err));
        BL_TRY(find_field(&field, arena, found, err));
    }
    /* Writers of old leave the type out. */
    if (found->type == TYPE_UNDEFINED)
        found->type = found->implied;
    return BL_OK;
}

/* ---- Is it an attribute that we have? ------------------------------------------------- */

static bl_status check_type(const struct found *found, const struct bl_wire_field *field,
                            const char *owner, bl_error *err)
{
    static const char *const refused[] = {
        [TYPE_GRAPH] = "a subgraph",
        [9] = "a list of tensors",
        [TYPE_GRAPHS] = "a list of subgraphs",
        [BL_ATTRIBUTE_SPARSE_TENSOR] = "a sparse tensor",
        [12] = "a list of sparse tensors",
        [13] = "a type",
        [TYPE_LAST] = "a list of types",
    };
    const struct bl_source *source = field->body.source;

    if (found->name[0] == '\0')
        return bl_fail_at(err, BL_ERR_FORMAT, source, field->offset,
                          "%s: an attribute has no name", owner);
    if (found->type == TYPE_UNDEFINED)
        return bl_fail_at(err, BL_ERR_FORMAT, source, field->offset,
                          "%s: attribute '%s' has neither type nor value", owner,
                          found->name);
    if (found->type > TYPE_LAST)
        return bl_fail_at(err, BL_ERR_FORMAT, source, found->type_offset,
                          "%s: attribute '%s' has type %lld, which is none", owner,
                          found->name, (long long)(int64_t)found->type);
    if (refused[found->type] != NULL)
        return bl_fail_at(err, BL_ERR_UNSUPPORTED, source, field->offset,
                          "%s: attribute '%s' is %s, which is not supported", owner,
                          found->name, refused[found->type]);
    return BL_OK;
}

/* ---- Second reading -------------------------------------------------------------------- */

static bl_string string_of(const struct bl_wire *body)
{
    return (bl_string){(const char *)bl_wire_bytes(body), bl_wire_left(body)};
}

/* The values of all occurrences of the list's field, one after the other. */
static bl_status take_list(struct bl_wire message, struct bl_arena *arena, size_t count,
                           bl_attribute *attribute, bl_error *err)
{
    size_t taken = 0;
    float *floats = NULL;
    int64_t *ints = NULL;
    bl_string *strings = NULL;

    if (attribute->type == BL_ATTRIBUTE_FLOATS)
        attribute->value.floats = floats = bl_arena_alloc(arena, count, sizeof *floats);
    else if (attribute->type == BL_ATTRIBUTE_INTS)
        attribute->value.ints = ints = bl_arena_alloc(arena, count, sizeof *ints);
    else
        attribute->value.strings = strings = bl_arena_alloc(arena, count, sizeof *strings);
    if (floats == NULL && ints == NULL && strings == NULL)
        return bl_arena_fail(err);
    attribute->count = count;
    while (message.at < message.end) {
        struct bl_wire_field field;
        uint64_t number;

        BL_TRY(bl_wire_next(&message, &field, err));
        if (implied_type(field.number) != (uint64_t)attribute->type)
            continue;
        if (taken == count && (strings != NULL || bl_wire_left(&field.body) > 0))
            return bl_fail_changed(err, message.source, field.offset);
        if (strings != NULL)
            strings[taken++] = string_of(&field.body);
        while (strings == NULL && taken < count && field.body.at < field.body.end) {
            BL_TRY(bl_wire_number(&field.body,
                                  floats != NULL ? BL_WIRE_FIXED32 : BL_WIRE_VARINT,
                                  &number, err));
            if (floats != NULL)
                floats[taken++] = bl_f32_from_bits((uint32_t)number);
            else
                ints[taken++] = (int64_t)number;
        }
    }
    return taken == count ? BL_OK : bl_fail_changed(err, message.source, message.end);
}

/* A tensor that comes in several pieces is one message: theirs, end to end. */
static bl_status join_tensor(struct bl_onnx *reader, struct bl_wire message, size_t bytes,
                             struct bl_source *joined, bl_error *err)
{
    /* Elements may stay in it, so it has to live as long as the graph. */
    bl_tensor *holder =
        bl_tensor_make(&reader->allocator, BL_UINT8, &(bl_shape){1, {(int64_t)bytes}}, err);

    if (holder == NULL)
        return err != NULL ? err->status : BL_ERR_MEMORY;
    BL_TRY(bl_builder_keep(reader->builder, holder, err));
    unsigned char *to = holder->data;
    size_t left = bytes;

    *joined = (struct bl_source){reader->source->name, to, bytes};
    while (message.at < message.end) {
        struct bl_wire_field field;

        BL_TRY(bl_wire_next(&message, &field, err));
        if (field.number != BL_ATTRIBUTE_FIELD_T)
            continue;
        if (bl_wire_left(&field.body) > left)
            return bl_fail_changed(err, message.source, field.offset);
        left -= bl_wire_left(&field.body);
        memcpy(to, bl_wire_bytes(&field.body), bl_wire_left(&field.body));
        to += bl_wire_left(&field.body);
    }
    return left == 0 ? BL_OK : bl_fail_changed(err, message.source, message.end);
}

static bl_status take_tensor(struct bl_onnx *reader, struct bl_wire message,
                             const struct found *found, const char *owner,
                             bl_attribute *attribute, bl_error *err)
{
    struct bl_wire body;
    struct bl_source joined;
    bl_error why;

    if (found->tensor_count == 0)
        return bl_fail_at(err, BL_ERR_FORMAT, message.source, message.at,
                          "%s: attribute '%s' is a tensor, but there is none", owner,
                          found->name);
    if (found->tensor_count > 1) {
        BL_TRY(join_tensor(reader, message, found->tensor_bytes, &joined, err));
        body = bl_wire_of(&joined);
    } else {
        struct bl_wire_field field = {.number = 0};

        while (field.number != BL_ATTRIBUTE_FIELD_T)
            BL_TRY(bl_wire_next(&message, &field, err));
        body = field.body;
    }
    bl_tensor *tensor = bl_pb_read(body, &reader->allocator, &reader->places, &why);

    if (tensor == NULL)
        return bl_fail(err, why.status, "%s: attribute '%s': %s", owner, found->name,
                       why.message);
    attribute->value.tensor = tensor;
    return bl_builder_keep(reader->builder, tensor, err);
}

bl_status bl_onnx_read_attribute(struct bl_onnx *reader, struct bl_arena *arena,
                                 const struct bl_wire_field *field, const char *owner,
                                 bl_attribute *attribute, const char **reference,
                                 bl_error *err)
{
    struct found found;

    BL_TRY(bl_wire_expect(field, BL_WIRE_BYTES, err));
    BL_TRY(find(field->body, arena, &found, err));
    BL_TRY(check_type(&found, field, owner, err));
    *attribute = (bl_attribute){.name = found.name, .type = (bl_attribute_type)found.type};
    *reference =
        found.reference != NULL && found.reference[0] != '\0' ? found.reference : NULL;
    if (*reference != NULL)
        return BL_OK;
    switch (attribute->type) {
    case BL_ATTRIBUTE_FLOAT:
        attribute->value.f = found.f;
        return BL_OK;
    case BL_ATTRIBUTE_INT:
        attribute->value.i = found.i;
        return BL_OK;
    case BL_ATTRIBUTE_STRING:
        attribute->value.s = string_of(&found.s);
        return BL_OK;
    case BL_ATTRIBUTE_TENSOR:
        return take_tensor(reader, field->body, &found, owner, attribute, err);
    case BL_ATTRIBUTE_FLOATS:
        return take_list(field->body, arena, found.floats, attribute, err);
    case BL_ATTRIBUTE_INTS:
        return take_list(field->body, arena, found.ints, attribute, err);
    case BL_ATTRIBUTE_STRINGS:
        return take_list(field->body, arena, found.strings, attribute, err);
    case BL_ATTRIBUTE_SPARSE_TENSOR:
        break;
    }
    return BL_OK; /* not reached: check_type refuses all others */
}

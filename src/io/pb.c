/*
 * pb.c - ONNX's TensorProto to a tensor
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A message is read twice: once to check it and count what is there, then, with memory for
 * exactly that, to take it out.
 */
#include "io/pb.h"

#include <string.h>

#include "base/checked.h"
#include "base/compiler.h"
#include "io/elements.h"
#include "io/onnx_fields.h"
#include "shape/shape.h"
#include "tensor/dtype.h"

/* Values of data_location. */
enum { LOCATION_DEFAULT = 0, LOCATION_EXTERNAL = 1 };

#define TYPE(ID) (UINT64_C(1) << BL_##ID)

/* The fields that hold elements one by one, and the types whose elements they hold. */
static const struct typed {
    uint32_t field;
    const char *name;
    enum bl_wire_type wire_type; /* of one number; BL_WIRE_BYTES: of one string */
    uint64_t dtypes;
} typed_fields[] = {
    {4, "float_data", BL_WIRE_FIXED32, TYPE(FLOAT32) | TYPE(COMPLEX64)},
    {5, "int32_data", BL_WIRE_VARINT,
     TYPE(INT32) | TYPE(INT16) | TYPE(INT8) | TYPE(INT4) | TYPE(INT2) | TYPE(UINT16) |
         TYPE(UINT8) | TYPE(UINT4) | TYPE(UINT2) | TYPE(BOOL) | TYPE(FLOAT16) |
         TYPE(BFLOAT16) | TYPE(FLOAT8E4M3FN) | TYPE(FLOAT8E4M3FNUZ) | TYPE(FLOAT8E5M2) |
         TYPE(FLOAT8E5M2FNUZ) | TYPE(FLOAT8E8M0) | TYPE(FLOAT4E2M1)},
    {BL_TENSOR_STRING_DATA, "string_data", BL_WIRE_BYTES, TYPE(STRING)},
    {7, "int64_data", BL_WIRE_VARINT, TYPE(INT64)},
    {10, "double_data", BL_WIRE_FIXED64, TYPE(FLOAT64) | TYPE(COMPLEX128)},
    {11, "uint64_data", BL_WIRE_VARINT, TYPE(UINT32) | TYPE(UINT64)},
};

/* What the first reading finds. */
struct found {
    struct bl_wire message;
    bl_shape shape;
    uint64_t data_type;
    size_t data_type_offset;
    uint64_t location;
    size_t location_offset;
    bool has_raw; /* raw_data, or once it is found the external data */
    size_t raw_offset;
    const unsigned char *raw;
    size_t raw_bytes;
    struct bl_external_place place;
    const struct typed *typed; /* the one typed field with numbers in it */
    size_t typed_offset;       /* of the first of its fields */
    int64_t typed_count;       /* numbers, or strings */
    int64_t count;             /* elements */
};

static const struct typed *find_typed(uint32_t field)
{
    for (size_t i = 0; i < BL_COUNT_OF(typed_fields); i++)
        if (typed_fields[i].field == field)
            return &typed_fields[i];
    return NULL;
}

/* ---- First reading: check and count ------------------------------------------ */

static bl_status find_dims(struct bl_wire_field *field, bl_shape *shape, bl_error *err)
{
    struct bl_wire *body = &field->body;

    BL_TRY(bl_wire_expect_numbers(field, BL_WIRE_VARINT, err));
    while (body->at < body->end) {
        const size_t offset = body->at;
        uint64_t value;

        BL_TRY(bl_wire_number(body, BL_WIRE_VARINT, &value, err));
        if (value > INT64_MAX)
            return bl_fail_at(err, BL_ERR_FORMAT, body->source, offset,
                              "negative dimension %lld", (long long)(int64_t)value);
        if (shape->rank == BL_MAX_RANK)
            return bl_fail_at(err, BL_ERR_LIMIT, body->source, offset, "more than %d dims",
                              BL_MAX_RANK);
        shape->dim[shape->rank++] = (int64_t)value;
    }
    return BL_OK;
}

/* How many numbers or strings one occurrence of a typed field holds. */
static bl_status count_typed(struct bl_wire_field *field, const struct typed *typed,
                             int64_t *count, bl_error *err)
{
    struct bl_wire *body = &field->body;
    const size_t offset = body->at;
    uint64_t value;

    *count = 0;
    if (typed->wire_type == BL_WIRE_BYTES) {
        *count = 1;
        return bl_wire_expect(field, BL_WIRE_BYTES, err);
    }
    BL_TRY(bl_wire_expect_numbers(field, typed->wire_type, err));
    if (typed->wire_type == BL_WIRE_VARINT) {
        for (; body->at < body->end; ++*count)
            BL_TRY(bl_wire_number(body, BL_WIRE_VARINT, &value, err));
        return BL_OK;
    }
    const size_t width = typed->wire_type == BL_WIRE_FIXED32 ? 4 : 8;
    const size_t bytes = bl_wire_left(body);

    if (bytes % width != 0)
        return bl_fail_at(err, BL_ERR_FORMAT, body->source, offset,
                          "data size mismatch: %s has %zu bytes, not a multiple of %zu",
                          typed->name, bytes, width);
    *count = (int64_t)(bytes / width);
    return BL_OK;
}

static bl_status find_typed_data(struct bl_wire_field *field, const struct typed *typed,
                                 struct found *found, bl_error *err)
{
    int64_t count;

    BL_TRY(count_typed(field, typed, &count, err));
    if (count == 0)
        return BL_OK;
    if (found->typed == NULL) {
        found->typed = typed;
        found->typed_offset = field->offset;
    }
    if (found->typed != typed)
        return bl_fail_at(err, BL_ERR_FORMAT, field->body.source, field->offset,
                          "conflicting data: both %s and %s", found->typed->name,
                          typed->name);
    found->typed_count += count;
    return BL_OK;
}

static bl_status find_field(struct bl_wire_field *field, struct found *found, bl_error *err)
{
    const struct typed *typed = find_typed(field->number);

    if (typed != NULL)
        return find_typed_data(field, typed, found, err);
    switch (field->number) {
    case BL_TENSOR_DIMS:
        return find_dims(field, &found->shape, err);
    case BL_TENSOR_DATA_TYPE:
        found->data_type = field->value;
        found->data_type_offset = field->offset;
        return bl_wire_expect(field, BL_WIRE_VARINT, err);
    case BL_TENSOR_SEGMENT:
        return bl_fail_at(err, BL_ERR_UNSUPPORTED, field->body.source, field->offset,
                          "a segment of a larger tensor");
    case BL_TENSOR_RAW_DATA:
        found->has_raw = true;
        found->raw_offset = field->body.at;
        found->raw = bl_wire_bytes(&field->body);
        found->raw_bytes = bl_wire_left(&field->body);
        return bl_wire_expect(field, BL_WIRE_BYTES, err);
    case BL_TENSOR_EXTERNAL_DATA:
        return bl_external_read_entry(field, &found->place, err);
    case BL_TENSOR_DATA_LOCATION:
        found->location = field->value;
        found->location_offset = field->offset;
        return bl_wire_expect(field, BL_WIRE_VARINT, err);
    default:
        return BL_OK;
    }
}

/* ---- Is it a tensor? ---------------------------------------------------------- */

static bool is_external(const struct found *found)
{
    return found->location == LOCATION_EXTERNAL;
}

static bl_status check_type(const struct found *found, const struct bl_pb_places *places,
                            bl_error *err)
{
    const struct bl_source *source = found->message.source;

    if (is_external(found) &&
        (places->external == NULL || !bl_external_has_folder(places->external)))
        return bl_fail_at(err, BL_ERR_UNSUPPORTED, source, found->location_offset,
                          "external data: the elements are in another file");
    if (found->location != LOCATION_DEFAULT && !is_external(found))
        return bl_fail_at(err, BL_ERR_FORMAT, source, found->location_offset,
                          "data_location %llu is none",
                          (unsigned long long)found->location);
    if (found->data_type_offset == SIZE_MAX)
        return bl_fail_at(err, BL_ERR_FORMAT, source, found->message.end,
                          "bad data type: there is no data_type");
    if (found->data_type >= BL_DTYPE_COUNT ||
        bl_dtype_info((bl_dtype)found->data_type) == NULL)
        return bl_fail_at(err, BL_ERR_FORMAT, source, found->data_type_offset,
                          "bad data type: data_type %lld is no element type",
                          (long long)(int64_t)found->data_type);
    return BL_OK;
}

/* The elements are in raw_data, or in the one field that is for their type. */
static bl_status check_place(const struct found *found, bl_error *err)
{
    const bl_dtype dtype = (bl_dtype)found->data_type;
    const struct bl_source *source = found->message.source;

    if (found->has_raw && found->typed != NULL)
        return bl_fail_at(err, BL_ERR_FORMAT, source, found->typed_offset,
                          "conflicting data: both raw_data and %s", found->typed->name);
    if (is_external(found) && (found->raw_bytes > 0 || found->typed != NULL))
        return bl_fail_at(err, BL_ERR_FORMAT, source, found->location_offset,
                          "conflicting data: both external data and %s",
                          found->typed != NULL ? found->typed->name : "raw_data");
    if (is_external(found) && dtype == BL_STRING)
        return bl_fail_at(err, BL_ERR_FORMAT, source, found->location_offset,
                          "conflicting data: strings are in string_data, not in a file");
    if (found->has_raw && dtype == BL_STRING)
        return bl_fail_at(err, BL_ERR_FORMAT, source, found->raw_offset,
                          "conflicting data: strings are in string_data, not in raw_data");
    if (found->typed != NULL && !(found->typed->dtypes >> dtype & 1))
        return bl_fail_at(err, BL_ERR_FORMAT, source, found->typed_offset,
                          "conflicting data: %s does not hold elements of type %s",
                          found->typed->name, bl_dtype_name(dtype));
    return BL_OK;
}

/* Have the bytes of external data at hand.  Of a tensor without elements nothing is read. */
static bl_status find_external(struct found *found, struct bl_external *external,
                               int64_t needed, bl_error *err)
{
    if (needed > 0 || (found->place.has_length && found->place.length > 0)) {
        const bl_status status =
            bl_external_find(external, &found->place, (uint64_t)needed, &found->raw, err);

        if (status != BL_OK)
            return bl_fail_prefix(err, status,
                                  "%s: byte %zu: ", found->message.source->name,
                                  found->location_offset);
    }
    found->has_raw = true;
    found->raw_bytes = (size_t)needed;
    return BL_OK;
}

/* The data are as many as the dims say: `needed` bytes of raw_data, or numbers or strings. */
static bl_status check_size(const struct found *found, int64_t needed, bl_error *err)
{
    const bl_dtype dtype = (bl_dtype)found->data_type;
    const uint64_t there = found->has_raw ? found->raw_bytes : (uint64_t)found->typed_count;
    const size_t offset = found->has_raw         ? found->raw_offset
                          : found->typed != NULL ? found->typed_offset
                                                 : found->message.end;
    char text[BL_SHAPE_TEXT];

    if (there == (uint64_t)needed)
        return BL_OK;
    return bl_fail_at(err, BL_ERR_FORMAT, found->message.source, offset,
                      "data size mismatch: %s%s needs %lld %s, there are %llu",
                      bl_dtype_name(dtype), bl_shape_text(&found->shape, text),
                      (long long)needed,
                      found->has_raw       ? "bytes of raw_data"
                      : dtype == BL_STRING ? "strings"
                                           : "numbers",
                      (unsigned long long)there);
}

/* How many bytes, numbers or strings the dims ask for. */
static bl_status count_needed(struct found *found, int64_t *needed, bl_error *err)
{
    const bl_dtype dtype = (bl_dtype)found->data_type;
    const bool pairs = bl_dtype_info(dtype)->kind == BL_KIND_COMPLEX;
    const int64_t per_byte = bl_elements_per_byte(dtype);
    char text[BL_SHAPE_TEXT];
    bool fits = bl_shape_count(&found->shape, &found->count, NULL) == BL_OK;

    if (found->has_raw || is_external(found))
        fits = fits && bl_elements_raw_bytes(dtype, found->count, needed);
    else if (pairs)
        fits = fits && bl_count_mul(found->count, 2, needed);
    else
        *needed = found->count / per_byte + (found->count % per_byte != 0);
    if (fits)
        return BL_OK;
    return bl_fail_at(err, BL_ERR_LIMIT, found->message.source, found->message.at,
                      "size overflow: %s%s is more than 63 bits can count",
                      bl_dtype_name(dtype), bl_shape_text(&found->shape, text));
}

static bl_status find(struct bl_wire message, const struct bl_pb_places *places,
                      struct found *found, bl_error *err)
{
    int64_t needed = 0;

    *found = (struct found){.message = message, .data_type_offset = SIZE_MAX};
    while (message.at < message.end) {
        struct bl_wire_field field;

        BL_TRY(bl_wire_next(&message, &field, err));
        BL_TRY(find_field(&field, found, err));
    }
    BL_TRY(check_type(found, places, err));
    BL_TRY(check_place(found, err));
    BL_TRY(count_needed(found, &needed, err));
    if (is_external(found))
        return find_external(found, places->external, needed, err);
    return check_size(found, needed, err);
}

/* ---- Second reading: take out ------------------------------------------------- */

/* The value of one number of int32_data as the low bits of an element, or for a packed type
 * of the byte that holds several; false if it is out of range. */
static bool narrow(bl_dtype dtype, uint64_t number, uint32_t *bits)
{
    const struct bl_dtype_info *info = bl_dtype_info(dtype);
    const unsigned width = info->bits < 8 ? 8 : info->bits;
    const int64_t wide = (int64_t)number;

    /* Negative numbers come as ten bytes, or from some writers as five. */
    if (wide < INT32_MIN || wide > (int64_t)UINT32_MAX)
        return false;
    *bits = (uint32_t)number;
    const int64_t value = (int32_t)*bits;

    if (info->kind == BL_KIND_BOOL) {
        *bits = value != 0;
        return true;
    }
    if (info->kind == BL_KIND_INT && info->bits >= 8)
        return value >= -(INT64_C(1) << (width - 1)) && value < INT64_C(1) << (width - 1);
    return value >= 0 && value < INT64_C(1) << width;
}

/* Put one number at the i-th place of the elements. */
static bool put_number(bl_tensor *tensor, int64_t i, uint64_t number)
{
    const unsigned per_byte = bl_elements_per_byte(tensor->dtype);
    const size_t width = bl_dtype_size(tensor->dtype);
    unsigned char *to = (unsigned char *)tensor->data + (size_t)i * width * per_byte;
    uint32_t bits = (uint32_t)number;

    if (width == 8) { /* int64, uint64 */
        memcpy(to, &number, 8);
        return true;
    }
    if (tensor->dtype == BL_UINT32) {
        if (number > UINT32_MAX)
            return false;
    } else if (!narrow(tensor->dtype, number, &bits)) {
        return false;
    }
    const uint16_t low16 = (uint16_t)bits;
    const uint8_t low8 = (uint8_t)bits;

    if (per_byte > 1) {
        const int64_t left = tensor->count - i * (int64_t)per_byte;

        bl_elements_unpack(tensor->dtype, &low8, left < per_byte ? (size_t)left : per_byte,
                           to);
    } else if (width == 4) {
        memcpy(to, &bits, 4);
    } else if (width == 2) {
        memcpy(to, &low16, 2);
    } else {
        *to = low8;
    }
    return true;
}

/* Take the elements out of one occurrence of the typed field; `*at` counts numbers or strings, `count` is
 * how many there were when they were counted. */
static bl_status take_typed(struct bl_wire_field *field, const struct typed *typed,
                            bl_tensor *tensor, int64_t *at, int64_t count, bl_error *err)
{
    struct bl_wire *body = &field->body;
    const size_t left = (size_t)(count - *at);

    if (typed->wire_type == BL_WIRE_BYTES) {
        if (left == 0)
            return bl_fail_changed(err, body->source, field->offset);
        bl_string *strings = tensor->data;

        strings[(*at)++] =
            (bl_string){(const char *)bl_wire_bytes(body), bl_wire_left(body)};
        return BL_OK;
    }
    if (typed->wire_type != BL_WIRE_VARINT) {
        const size_t width = typed->wire_type == BL_WIRE_FIXED32 ? 4 : 8;

        if (bl_wire_left(body) / width > left || bl_wire_left(body) % width != 0)
            return bl_fail_changed(err, body->source, field->offset);
        memcpy((unsigned char *)tensor->data + (size_t)*at * width, bl_wire_bytes(body),
               bl_wire_left(body));
        *at += (int64_t)(bl_wire_left(body) / width);
        return BL_OK;
    }
    while (body->at < body->end) {
        const size_t offset = body->at;
        uint64_t number;

        if (*at == count)
            return bl_fail_changed(err, body->source, offset);
        BL_TRY(bl_wire_number(body, BL_WIRE_VARINT, &number, err));
        if (!put_number(tensor, (*at)++, number))
            return bl_fail_at(err, BL_ERR_FORMAT, body->source, offset,
                              "%s has %lld, which is out of range for %s", typed->name,
                              (long long)(int64_t)number, bl_dtype_name(tensor->dtype));
    }
    return BL_OK;
}

static bl_status take_all_typed(const struct found *found, bl_tensor *tensor, bl_error *err)
{
    struct bl_wire message = found->message;
    int64_t at = 0;

    while (message.at < message.end) {
        struct bl_wire_field field;

        BL_TRY(bl_wire_next(&message, &field, err));
        if (field.number == found->typed->field)
            BL_TRY(take_typed(&field, found->typed, tensor, &at, found->typed_count, err));
    }
    if (at != found->typed_count)
        return bl_fail_changed(err, message.source, message.end);
    if (found->typed->wire_type == BL_WIRE_BYTES)
        return bl_tensor_own_strings(tensor, err);
    if (found->typed->wire_type != BL_WIRE_VARINT)
        bl_elements_to_host(tensor->dtype, tensor->data, (size_t)tensor->count, true);
    return BL_OK;
}

/* ---- The tensor ------------------------------------------------------------------ */

/* Raw data of fewer bytes are copied where they are not aligned; of more they are borrowed all the
 * same, and whoever reads them goes by bl_tensor_is_aligned.  Shapes and the like, which are read
 * element by element, stay far below. */
#define COPY_BELOW 4096

/* True if the raw elements can be used where they are: numbers in the host's order of bytes.
 * Bools may have any bits in a file. */
static bool lies_as_in_memory(const struct found *found)
{
    const struct bl_dtype_info *info = bl_dtype_info((bl_dtype)found->data_type);

    return found->has_raw && (bl_host_is_little() || info->bits == 8) && info->bits >= 8 &&
           info->kind != BL_KIND_BOOL &&
           (found->raw_bytes >= COPY_BELOW || (uintptr_t)found->raw % info->alignment == 0);
}

static void take_raw(const struct found *found, bl_tensor *tensor)
{
    const size_t count = (size_t)tensor->count;

    if (bl_elements_per_byte(tensor->dtype) > 1) {
        bl_elements_unpack(tensor->dtype, found->raw, count, tensor->data);
        return;
    }
    memcpy(tensor->data, found->raw, found->raw_bytes);
    bl_elements_to_host(tensor->dtype, tensor->data, count, true);
}

bl_tensor *bl_pb_read(struct bl_wire message, const bl_allocator *allocator,
                      const struct bl_pb_places *places, bl_error *err)
{
    struct found found;

    if (find(message, places, &found, err) != BL_OK)
        return NULL;
    const bl_dtype dtype = (bl_dtype)found.data_type;
    const bl_status allowed = bl_tensor_check_limits(allocator, dtype, &found.shape, err);

    if (allowed != BL_OK) {
        bl_fail_prefix(err, allowed, "%s: byte %zu: ", message.source->name, message.at);
        return NULL;
    }
    /* Read-only: the const comes back in bl_tensor_mutable_data, which gives NULL. */
    if (places->borrow && found.count > 0 && lies_as_in_memory(&found))
        return bl_tensor_make_borrowed(allocator, dtype, &found.shape, NULL,
                                       (void *)(uintptr_t)found.raw, false, err);
    bl_tensor *tensor = bl_tensor_make(allocator, dtype, &found.shape, err);

    if (tensor == NULL || found.count == 0)
        return tensor;
    if (found.typed == NULL) {
        take_raw(&found, tensor);
    } else if (take_all_typed(&found, tensor, err) != BL_OK) {
        bl_tensor_free(tensor);
        return NULL;
    }
    return tensor;
}

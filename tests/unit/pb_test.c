/*
 * pb_test.c - ONNX's TensorProto
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io_support.h"

#include "io/pb.h"

#define BYTES(text) (text), sizeof(text) - 1

static bl_tensor *read_pb(const struct bl_source *source, const bl_allocator *allocator,
                          bl_error *err)
{
    static const struct bl_pb_places nowhere = {0};

    return bl_pb_read(bl_wire_of(source), allocator, &nowhere, err);
}

static bl_tensor *read_ok(struct bl_source source)
{
    bl_error err = {BL_OK, ""};
    bl_tensor *tensor = read_pb(&source, &bl_allocator_default, &err);

    assert_string_equal(err.message, "");
    assert_non_null(tensor);
    source_free(&source);
    return tensor;
}

/* ---- Typed fields ------------------------------------------------------------- */

/* Numbers as they are in memory, whatever the host's byte order. */
#define U16(...) ((const uint16_t[]){__VA_ARGS__})
#define U32(...) ((const uint32_t[]){__VA_ARGS__})
#define U64(...) ((const uint64_t[]){__VA_ARGS__})
#define I8(...) ((const int8_t[]){__VA_ARGS__})

static void reads_typed_fields(void **state)
{
    const struct {
        bl_dtype dtype;
        const char *bytes;
        size_t size;
        int64_t count;
        const void *elements;
    } cases[] = {
        /* dims 2; data_type; then packed, or one by one */
        {BL_FLOAT32, BYTES("\x08\x02\x10\x01\x22\x08\x00\x00\xc0\x3f\x00\x00\x20\xc0"), 2,
         U32(0x3fc00000, 0xc0200000)},
        {BL_FLOAT32, BYTES("\x08\x02\x25\x00\x00\xc0\x3f\x10\x01\x25\x00\x00\x20\xc0"), 2,
         U32(0x3fc00000, 0xc0200000)},
        {BL_FLOAT32,
         BYTES(
             "\x08\x03\x10\x01\x25\x01\x00\x00\x00\x22\x00\x22\x08\x02\x00\x00\x00\x03\x00"
             "\x00\x00"),
         3, U32(1, 2, 3)},
        {BL_COMPLEX64, BYTES("\x08\x01\x10\x0e\x22\x08\x00\x00\xc0\x3f\x00\x00\x20\xc0"), 1,
         U32(0x3fc00000, 0xc0200000)},
        {BL_FLOAT64, BYTES("\x08\x01\x10\x0b\x52\x08\x01\x02\x03\x04\x05\x06\x07\x40"), 1,
         U64(0x4007060504030201)},
        {BL_FLOAT64, BYTES("\x08\x01\x10\x0b\x51\x01\x02\x03\x04\x05\x06\x07\x40"), 1,
         U64(0x4007060504030201)},
        {BL_COMPLEX128,
         BYTES(
             "\x08\x01\x10\x0f\x52\x10\x01\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00"
             "\x00\x00\x80"),
         1, U64(1, 0x8000000000000002)},
        {BL_INT64,
         BYTES("\x08\x02\x10\x07\x3a\x0b\x07\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), 2,
         U64(7, UINT64_MAX)},
        {BL_INT64, BYTES("\x08\x02\x10\x07\x38\x07\x38\x80\x01"), 2, U64(7, 128)},
        {BL_UINT64,
         BYTES("\x08\x01\x10\x0d\x5a\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), 1,
         U64(UINT64_MAX)},
        {BL_UINT32, BYTES("\x08\x02\x10\x0c\x5a\x06\xff\xff\xff\xff\x0f\x07"), 2,
         U32(UINT32_MAX, 7)},
        /* -2 in ten bytes and in five */
        {BL_INT32,
         BYTES(
             "\x08\x02\x10\x06\x2a\x0f\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\xfe\xff\xff"
             "\xff\x0f"),
         2, U32(0xfffffffe, 0xfffffffe)},
        {BL_INT16,
         BYTES("\x08\x02\x10\x05\x2a\x0d\x80\x80\xfe\xff\xff\xff\xff\xff\xff\x01\xff\xff"
               "\x01"),
         2, U16(0x8000, 0x7fff)},
        {BL_INT8,
         BYTES("\x08\x02\x10\x03\x2a\x0b\x80\xff\xff\xff\xff\xff\xff\xff\xff\x01\x7f"), 2,
         I8(-128, 127)},
        {BL_UINT16, BYTES("\x08\x02\x10\x04\x2a\x04\xff\xff\x03\x00"), 2, U16(0xffff, 0)},
        {BL_UINT8, BYTES("\x08\x02\x10\x02\x28\xff\x01\x28\x00"), 2, "\xff\x00"},
        {BL_BOOL, BYTES("\x08\x03\x10\x09\x2a\x04\x00\x01\x80\x02"), 3, "\x00\x01\x01"},
        {BL_FLOAT16, BYTES("\x08\x02\x10\x0a\x2a\x05\x80\x78\x80\x80\x03"), 2,
         U16(0x3c00, 0xc000)},
        {BL_BFLOAT16, BYTES("\x08\x02\x10\x10\x2a\x05\x80\x7f\x80\x80\x03"), 2,
         U16(0x3f80, 0xc000)},
        {BL_FLOAT8E4M3FN, BYTES("\x08\x02\x10\x11\x2a\x03\xff\x01\x01"), 2, "\xff\x01"},
        {BL_FLOAT8E4M3FNUZ, BYTES("\x08\x02\x10\x12\x2a\x03\xff\x01\x01"), 2, "\xff\x01"},
        {BL_FLOAT8E5M2, BYTES("\x08\x02\x10\x13\x2a\x03\xff\x01\x01"), 2, "\xff\x01"},
        {BL_FLOAT8E5M2FNUZ, BYTES("\x08\x02\x10\x14\x2a\x03\xff\x01\x01"), 2, "\xff\x01"},
        {BL_FLOAT8E8M0, BYTES("\x08\x02\x10\x18\x2a\x03\xff\x01\x01"), 2, "\xff\x01"},
        /* two and four to a number: 0xf1 0x08, 0xe4 0x03 */
        {BL_UINT4, BYTES("\x08\x03\x10\x15\x2a\x03\xf1\x01\x08"), 3, "\x01\x0f\x08"},
        {BL_INT4, BYTES("\x08\x03\x10\x16\x2a\x03\xf1\x01\x08"), 3, I8(1, -1, -8)},
        {BL_FLOAT4E2M1, BYTES("\x08\x04\x10\x17\x2a\x03\xf1\x01\x08"), 4,
         "\x01\x0f\x08\x00"},
        {BL_UINT2, BYTES("\x08\x05\x10\x19\x2a\x03\xe4\x01\x03"), 5,
         "\x00\x01\x02\x03\x03"},
        {BL_INT2, BYTES("\x08\x05\x10\x1a\x2a\x03\xe4\x01\x03"), 5, I8(0, 1, -2, -1, -1)},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(cases); i++) {
        bl_tensor *tensor = read_ok(source_copy(cases[i].bytes, cases[i].size));

        assert_int_equal(tensor->dtype, cases[i].dtype);
        assert_int_equal(tensor->shape.rank, 1);
        assert_int_equal(tensor->count, cases[i].count);
        assert_memory_equal(tensor->data, cases[i].elements,
                            (size_t)tensor->count * bl_dtype_size(tensor->dtype));
        bl_tensor_free(tensor);
        check_truncation(cases[i].bytes, cases[i].size, read_pb);
        check_corruption(cases[i].bytes, cases[i].size, read_pb);
    }
}

static void reads_strings(void **state)
{
    /* [2,2]: "ab", "", "c\0d", "e" */
    static const char message[] = "\x0a\x02\x02\x02\x10\x08\x32\x02"
                                  "ab\x32\x00\x32\x03"
                                  "c\x00"
                                  "d\x32\x01"
                                  "e";
    bl_tensor *tensor = read_ok(source_copy(BYTES(message)));
    const bl_string *strings = tensor->data;

    (void)state;
    assert_int_equal(tensor->count, 4);
    assert_int_equal(strings[0].size, 2);
    assert_memory_equal(strings[0].data, "ab", 2);
    assert_int_equal(strings[1].size, 0);
    assert_int_equal(strings[2].size, 3);
    assert_memory_equal(strings[2].data, "c\0d", 3);
    assert_memory_equal(strings[3].data, "e", 1);

    /* Columns before rows. */
    bl_tensor *view =
        bl_tensor_make_borrowed(&bl_allocator_default, BL_STRING, BL_SHAPE(2, 2),
                                (const int64_t[]){1, 2}, tensor->data, false, NULL);
    struct bl_source source = written(view, bl_pb_write);

    assert_int_equal(source.size, 20);
    assert_memory_equal(source.bytes,
                        "\x08\x02\x08\x02\x10\x08\x32\x02"
                        "ab\x32\x03"
                        "c\x00"
                        "d\x32\x00\x32\x01"
                        "e",
                        20);
    check_truncation(source.bytes, source.size, read_pb);
    check_corruption(source.bytes, source.size, read_pb);
    check_no_memory(source.bytes, source.size, read_pb);
    source_free(&source);
    bl_tensor_free(view);
    bl_tensor_free(tensor);
}

/* ---- What a message may look like ---------------------------------------------- */

static void reads_odd_messages(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        bl_dtype dtype;
        bl_shape shape;
        const char *elements;
    } good[] = {
        /* no dims: a scalar */
        {BYTES("\x10\x02\x4a\x01\x07"), BL_UINT8, {0, {0}}, "\x07"},
        /* the last data_type and raw_data count; dims before and after, packed and not */
        {BYTES("\x08\x02\x10\x01\x4a\x03zzz\x4a\x02\x05\x06\x10\x02\x0a\x01\x01"),
         BL_UINT8,
         {2, {2, 1}},
         "\x05\x06"},
        /* a name, a doc_string, external_data nobody asks for, unknown fields of each type
         */
        {BYTES("\x42\x01t\x62\x01"
               "d\x6a\x02\x0a\x00\x70\x00\x78\x05\x82\x01\x01m\x89\x01\x01\x02\x03\x04\x05"
               "\x06\x07\x08\x8d\x01\x01\x02\x03\x04\x08\x01\x10\x02\x4a\x01\x07"),
         BL_UINT8,
         {1, {1}},
         "\x07"},
        /* empty, with no data, with empty data, with huge other dims */
        {BYTES("\x08\x00\x10\x01"), BL_FLOAT32, {1, {0}}, ""},
        {BYTES("\x08\x00\x10\x01\x22\x00\x4a\x00"), BL_FLOAT32, {1, {0}}, ""},
        {BYTES("\x08\x00\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x08\x09\x10\x08"),
         BL_STRING,
         {3, {0, INT64_MAX, 9}},
         ""},
        /* bits of the last byte that belong to no element do not matter */
        {BYTES("\x08\x03\x10\x16\x4a\x02\x8f\xf7"), BL_INT4, {1, {3}}, "\xff\xf8\x07"},
        {BYTES("\x08\x03\x10\x09\x4a\x03\x00\xff\x02"), BL_BOOL, {1, {3}}, "\x00\x01\x01"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(good); i++) {
        bl_tensor *tensor = read_ok(source_copy(good[i].bytes, good[i].size));

        assert_int_equal(tensor->dtype, good[i].dtype);
        assert_int_equal(tensor->shape.rank, good[i].shape.rank);
        for (int axis = 0; axis < good[i].shape.rank; axis++)
            assert_true(tensor->shape.dim[axis] == good[i].shape.dim[axis]);
        if (tensor->count > 0)
            assert_memory_equal(tensor->data, good[i].elements, (size_t)tensor->count);
        bl_tensor_free(tensor);
        check_corruption(good[i].bytes, good[i].size, read_pb);
    }
}

static void refuses_faults(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        bl_status status;
        const char *message;
    } bad[] = {
        {BYTES(""), BL_ERR_FORMAT, "x: byte 0: bad data type: there is no data_type"},
        {BYTES("\x10\x00\x4a\x00"), BL_ERR_FORMAT,
         "x: byte 0: bad data type: data_type 0 is no element type"},
        {BYTES("\x08\x00\x10\x1b"), BL_ERR_FORMAT,
         "x: byte 2: bad data type: data_type 27 is no element type"},
        {BYTES("\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), BL_ERR_FORMAT,
         "x: byte 0: bad data type: data_type -1 is no element type"},
        {BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x01"), BL_ERR_FORMAT,
         "x: byte 1: negative dimension -1"},
        {BYTES("\x0d\x01\x00\x00\x00\x10\x01"), BL_ERR_FORMAT,
         "x: byte 0: field 1 has wire type 5 instead of 0"},
        {BYTES("\x10\x01\x48\x07"), BL_ERR_FORMAT,
         "x: byte 2: field 9 has wire type 0 instead of 2"},
        {BYTES("\x10\x01\x20\x07"), BL_ERR_FORMAT,
         "x: byte 2: field 4 has wire type 0 instead of 5"},
        {BYTES("\x10\x08\x30\x07"), BL_ERR_FORMAT,
         "x: byte 2: field 6 has wire type 0 instead of 2"},
        {BYTES("\x10\x01\x1a\x00"), BL_ERR_UNSUPPORTED,
         "x: byte 2: a segment of a larger tensor"},
        {BYTES("\x08\x02\x10\x01\x70\x01"), BL_ERR_UNSUPPORTED,
         "x: byte 4: external data: the elements are in another file"},
        {BYTES("\x08\x02\x10\x01\x70\x02"), BL_ERR_FORMAT,
         "x: byte 4: data_location 2 is none"},
        {BYTES("\x08\x01\x10\x06\x2a\x01\x80\x42\x01t"), BL_ERR_FORMAT,
         "x: byte 6: truncated: the data end within a varint"},
        /* how many */
        {BYTES("\x08\x64\x10\x01\x22\x08\x00\x00\x80\x3f\x00\x00\x00\x40"), BL_ERR_FORMAT,
         "x: byte 4: data size mismatch: float32[100] needs 100 numbers, there are 2"},
        {BYTES("\x08\x80\x01\x10\x03"), BL_ERR_FORMAT,
         "x: byte 5: data size mismatch: int8[128] needs 128 numbers, there are 0"},
        {BYTES("\x08\x02\x10\x01\x4a\x09zzzzzzzzz"), BL_ERR_FORMAT,
         "x: byte 6: data size mismatch: float32[2] needs 8 bytes of raw_data, there are "
         "9"},
        {BYTES("\x08\x80\x80\x80\x80\x80\x20\x10\x02\x4a\x02\x01\x02"), BL_ERR_FORMAT,
         "x: byte 11: data size mismatch: uint8[1099511627776] needs 1099511627776 bytes "
         "of "
         "raw_data, there are 2"},
        {BYTES("\x08\x02\x10\x0e\x22\x0czzzzzzzzzzzz"), BL_ERR_FORMAT,
         "x: byte 4: data size mismatch: complex64[2] needs 4 numbers, there are 3"},
        {BYTES("\x08\x01\x10\x01\x22\x05zzzzz"), BL_ERR_FORMAT,
         "x: byte 6: data size mismatch: float_data has 5 bytes, not a multiple of 4"},
        {BYTES("\x08\x02\x10\x0a\x2a\x06\x80\x78\x80\x80\x03\x00"), BL_ERR_FORMAT,
         "x: byte 4: data size mismatch: float16[2] needs 2 numbers, there are 3"},
        {BYTES("\x08\x03\x10\x15\x4a\x01\x12"), BL_ERR_FORMAT,
         "x: byte 6: data size mismatch: uint4[3] needs 2 bytes of raw_data, there are 1"},
        {BYTES("\x08\x03\x10\x15\x2a\x03\x01\x02\x03"), BL_ERR_FORMAT,
         "x: byte 4: data size mismatch: uint4[3] needs 2 numbers, there are 3"},
        {BYTES("\x08\x02\x10\x08\x32\x01z"), BL_ERR_FORMAT,
         "x: byte 4: data size mismatch: string[2] needs 2 strings, there are 1"},
        {BYTES("\x08\x00\x10\x02\x4a\x01z"), BL_ERR_FORMAT,
         "x: byte 6: data size mismatch: uint8[0] needs 0 bytes of raw_data, there are 1"},
        {BYTES("\x08\x80\x80\x80\x80\x10\x08\x80\x80\x80\x80\x10\x10\x02\x4a\x00"),
         BL_ERR_LIMIT,
         "x: byte 0: size overflow: uint8[4294967296,4294967296] is more than 63 bits can "
         "count"},
        {BYTES("\x08\x80\x80\x80\x80\x80\x80\x80\x80\x40\x10\x01\x4a\x00"), BL_ERR_LIMIT,
         "x: byte 0: size overflow: float32[4611686018427387904] is more than 63 bits can "
         "count"},
        {BYTES("\x08\x80\x80\x80\x80\x80\x80\x80\x80\x40\x10\x0e"), BL_ERR_LIMIT,
         "x: byte 0: size overflow: complex64[4611686018427387904] is more than 63 bits "
         "can "
         "count"},
        /* where */
        {BYTES("\x08\x01\x10\x01\x4a\x04zzzz\x22\x04zzzz"), BL_ERR_FORMAT,
         "x: byte 10: conflicting data: both raw_data and float_data"},
        {BYTES("\x08\x01\x10\x01\x28\x01\x22\x04zzzz"), BL_ERR_FORMAT,
         "x: byte 6: conflicting data: both int32_data and float_data"},
        {BYTES("\x08\x01\x10\x08\x4a\x03zzz"), BL_ERR_FORMAT,
         "x: byte 6: conflicting data: strings are in string_data, not in raw_data"},
        {BYTES("\x08\x01\x10\x01\x28\x01"), BL_ERR_FORMAT,
         "x: byte 4: conflicting data: int32_data does not hold elements of type float32"},
        {BYTES("\x08\x01\x10\x0c\x28\x01"), BL_ERR_FORMAT,
         "x: byte 4: conflicting data: int32_data does not hold elements of type uint32"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(bad); i++)
        check_refused(bad[i].bytes, bad[i].size, read_pb, bad[i].status, bad[i].message);
}

/* These are found only when the tensor is there to be filled; it is given back. */
static void refuses_numbers_out_of_range(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } bad[] = {
        {BYTES("\x08\x02\x10\x02\x2a\x03\x01\x80\x02"),
         "x: byte 7: int32_data has 256, which is out of range for uint8"},
        {BYTES("\x08\x01\x10\x02\x28\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
         "x: byte 5: int32_data has -1, which is out of range for uint8"},
        {BYTES("\x08\x01\x10\x03\x28\x80\x01"),
         "x: byte 5: int32_data has 128, which is out of range for int8"},
        {BYTES("\x08\x01\x10\x05\x28\x80\x80\x02"),
         "x: byte 5: int32_data has 32768, which is out of range for int16"},
        {BYTES("\x08\x01\x10\x0a\x28\x80\x80\x04"),
         "x: byte 5: int32_data has 65536, which is out of range for float16"},
        {BYTES("\x08\x01\x10\x16\x28\x80\x02"),
         "x: byte 5: int32_data has 256, which is out of range for int4"},
        {BYTES("\x08\x01\x10\x06\x28\x80\x80\x80\x80\x10"),
         "x: byte 5: int32_data has 4294967296, which is out of range for int32"},
        {BYTES("\x08\x01\x10\x0c\x58\x80\x80\x80\x80\x10"),
         "x: byte 5: uint64_data has 4294967296, which is out of range for uint32"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(bad); i++) {
        struct bl_source source = source_copy(bad[i].bytes, bad[i].size);
        struct failing_allocator memory;
        const bl_allocator allocator = counting_allocator(&memory, -1);
        bl_error err = {BL_OK, ""};

        assert_null(read_pb(&source, &allocator, &err));
        assert_string_equal(err.message, bad[i].message);
        assert_int_equal(err.status, BL_ERR_FORMAT);
        assert_int_equal(memory.live, 0);
        source_free(&source);
    }
}

static void refuses_65_dims(void **state)
{
    unsigned char message[2 * 65 + 5];

    (void)state;
    for (size_t i = 0; i < 65; i++)
        memcpy(message + 2 * i, "\x08\x01", 2);
    memcpy(message + 2 * 64, "\x10\x02\x4a\x01\x07", 5);
    bl_tensor *tensor = read_ok(source_copy(message, 2 * 64 + 5));

    assert_int_equal(tensor->shape.rank, 64);
    bl_tensor_free(tensor);
    memcpy(message + 2 * 64, "\x08\x01\x10\x02\x4a\x01\x07", 7);
    check_refused(message, sizeof message, read_pb, BL_ERR_LIMIT,
                  "x: byte 129: more than 64 dims");
}

/* ---- Writing -------------------------------------------------------------------- */

static void writes_the_canonical_bytes(void **state)
{
    static const struct {
        bl_dtype dtype;
        const char *elements; /* 5, of a byte each */
        const char *raw;
        size_t raw_size;
    } cases[] = {
        {BL_UINT8, "\x01\x02\x03\xff\x00", BYTES("\x01\x02\x03\xff\x00")},
        {BL_BOOL, "\x00\x02\x01\xff\x00", BYTES("\x00\x01\x01\x01\x00")},
        {BL_INT4, "\x01\xff\xf8\x07\xf9", BYTES("\xf1\x78\x09")},
        {BL_UINT4, "\x01\x0f\x08\x07\x09", BYTES("\xf1\x78\x09")},
        {BL_FLOAT4E2M1, "\x01\x0f\x08\x07\x09", BYTES("\xf1\x78\x09")},
        {BL_INT2, "\x00\x01\xfe\xff\xfe", BYTES("\xe4\x02")},
        {BL_UINT2, "\x00\x01\x02\x03\x03", BYTES("\xe4\x03")},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(cases); i++) {
        unsigned char memory[5];

        memcpy(memory, cases[i].elements, 5);
        bl_tensor *tensor =
            bl_tensor_make_borrowed(&bl_allocator_default, cases[i].dtype, BL_SHAPE(5, 1),
                                    NULL, memory, false, NULL);
        struct bl_source source = written(tensor, bl_pb_write);

        assert_int_equal(source.size, 8 + cases[i].raw_size);
        assert_memory_equal(source.bytes, "\x08\x05\x08\x01\x10", 5);
        assert_int_equal(source.bytes[5], cases[i].dtype);
        assert_int_equal(source.bytes[6], 0x4a);
        assert_int_equal(source.bytes[7], cases[i].raw_size);
        assert_memory_equal(source.bytes + 8, cases[i].raw, cases[i].raw_size);
        source_free(&source);
        bl_tensor_free(tensor);
    }
}

static void round_trips_every_type(void **state)
{
    (void)state;
    for (int t = 1; t < BL_DTYPE_COUNT; t++) {
        const bl_dtype dtype = (bl_dtype)t;
        const size_t width = bl_dtype_size(dtype);
        _Alignas(16) unsigned char memory[VIEW_MEMORY * 16];

        if (dtype == BL_STRING)
            continue;
        fill(dtype, memory, VIEW_MEMORY);
        bl_tensor *view = view_over(dtype, memory);
        struct bl_source source = written(view, bl_pb_write);

        check_truncation(source.bytes, source.size, read_pb);
        check_no_memory(source.bytes, source.size, read_pb);
        bl_tensor *dense = read_ok(source);

        assert_int_equal(dense->dtype, dtype);
        assert_int_equal(dense->count, VIEW_COUNT);
        for (size_t i = 0; i < VIEW_COUNT; i++)
            assert_memory_equal((unsigned char *)dense->data + i * width,
                                memory + view_place(i) * width, width);
        bl_tensor *again = read_ok(written(dense, bl_pb_write));

        assert_memory_equal(again->data, dense->data, VIEW_COUNT * width);
        bl_tensor_free(again);
        bl_tensor_free(dense);
        bl_tensor_free(view);
    }
}

/* More packed elements than the writer takes at once, and an odd number of them. */
static void round_trips_long_packed_tensors(void **state)
{
    static const bl_dtype types[] = {BL_INT4, BL_UINT2};
    enum { COUNT = 50001 };

    (void)state;
    for (size_t t = 0; t < BL_COUNT_OF(types); t++) {
        bl_tensor *tensor =
            bl_tensor_make(&bl_allocator_default, types[t], BL_SHAPE(COUNT), NULL);

        assert_non_null(tensor);
        fill(types[t], tensor->data, COUNT);
        bl_tensor *again = read_ok(written(tensor, bl_pb_write));

        assert_memory_equal(again->data, tensor->data, COUNT);
        bl_tensor_free(again);
        bl_tensor_free(tensor);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_typed_fields),
        cmocka_unit_test(reads_strings),
        cmocka_unit_test(reads_odd_messages),
        cmocka_unit_test(refuses_faults),
        cmocka_unit_test(refuses_numbers_out_of_range),
        cmocka_unit_test(refuses_65_dims),
        cmocka_unit_test(writes_the_canonical_bytes),
        cmocka_unit_test(round_trips_every_type),
        cmocka_unit_test(round_trips_long_packed_tensors),
    };

    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}

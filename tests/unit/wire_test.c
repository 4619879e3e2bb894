/*
 * wire_test.c - protocol buffers' wire format
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io_support.h"

#include "io/wire.h"

#define BYTES(text) (text), sizeof(text) - 1

/* Read all fields of a message; `fields` counts those read before the end or a fault. */
static bl_status read_all(const struct bl_source *source, int *fields, bl_error *err)
{
    struct bl_wire wire = bl_wire_of(source);

    for (*fields = 0; wire.at < wire.end; ++*fields) {
        struct bl_wire_field field;

        BL_TRY(bl_wire_next(&wire, &field, err));
        assert_true(field.body.at >= field.offset && field.body.end <= wire.at);
    }
    assert_int_equal(wire.at, wire.end);
    return BL_OK;
}

static void reads_each_type(void **state)
{
    /* field 1: 150; field 2: 8 bytes; field 3: "abc"; field 16: 4 bytes */
    struct bl_source source = source_copy(BYTES("\x08\x96\x01"
                                                "\x11\x01\x02\x03\x04\x05\x06\x07\x08"
                                                "\x1a\x03"
                                                "abc"
                                                "\x85\x01\xff\x00\x00\x80"));
    struct bl_wire wire = bl_wire_of(&source);
    struct bl_wire_field field;

    (void)state;
    assert_int_equal(bl_wire_next(&wire, &field, NULL), BL_OK);
    assert_int_equal(field.number, 1);
    assert_int_equal(field.type, BL_WIRE_VARINT);
    assert_int_equal(field.offset, 0);
    assert_int_equal(field.value, 150);
    assert_int_equal(bl_wire_left(&field.body), 2);
    assert_int_equal(bl_wire_next(&wire, &field, NULL), BL_OK);
    assert_int_equal(field.number, 2);
    assert_int_equal(field.offset, 3);
    assert_true(field.value == UINT64_C(0x0807060504030201));
    assert_int_equal(bl_wire_next(&wire, &field, NULL), BL_OK);
    assert_int_equal(field.type, BL_WIRE_BYTES);
    assert_int_equal(field.body.at, 14);
    assert_int_equal(bl_wire_left(&field.body), 3);
    assert_memory_equal(bl_wire_bytes(&field.body), "abc", 3);
    assert_int_equal(bl_wire_next(&wire, &field, NULL), BL_OK);
    assert_int_equal(field.number, 16);
    assert_int_equal(field.type, BL_WIRE_FIXED32);
    assert_true(field.value == UINT32_C(0x800000ff));
    assert_int_equal(wire.at, wire.end);
    source_free(&source);
}

static void refuses_faults(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } faults[] = {
        {BYTES("\x08"), "x: byte 1: truncated: the data end within a varint"},
        {BYTES("\x08\x80"), "x: byte 1: truncated: the data end within a varint"},
        {BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"),
         "x: byte 1: a varint of more than 64 bits"},
        {BYTES("\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"),
         "x: byte 1: a varint of more than 64 bits"},
        {BYTES("\x00\x01"), "x: byte 0: no field has the number 0"},
        {BYTES("\x80\x80\x80\x80\x10\x01"), "x: byte 0: no field has the number 536870912"},
        {BYTES("\x09\x01\x02"), "x: byte 1: truncated: a number of 8 bytes, 2 left"},
        {BYTES("\x0d\x01\x02\x03"), "x: byte 1: truncated: a number of 4 bytes, 3 left"},
        {BYTES("\x0a\x04zzz"), "x: byte 1: truncated: field 1 has 4 bytes, 3 left"},
        {BYTES("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01zzz"),
         "x: byte 1: truncated: field 1 has 18446744073709551615 bytes, 3 left"},
        {BYTES("\x08\x01\x13\x14"), "x: byte 2: field 2 has wire type 3, which is a group"},
        {BYTES("\x14"), "x: byte 0: field 2 has wire type 4, which is a group"},
        {BYTES("\x16"), "x: byte 0: field 2 has wire type 6, which is none"},
        {BYTES("\x17"), "x: byte 0: field 2 has wire type 7, which is none"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(faults); i++) {
        struct bl_source source = source_copy(faults[i].bytes, faults[i].size);
        bl_error err = {BL_OK, ""};
        int fields;

        assert_int_equal(read_all(&source, &fields, &err), BL_ERR_FORMAT);
        assert_int_equal(err.status, BL_ERR_FORMAT);
        assert_string_equal(err.message, faults[i].message);
        source_free(&source);
    }
}

static void accepts_limits(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        int fields;
    } good[] = {
        {BYTES(""), 0},
        {BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), 1}, /* 2^64 - 1 */
        {BYTES("\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"), 1}, /* a long 0 is a 0 */
        {BYTES("\xf8\xff\xff\xff\x0f\x01"), 1},                     /* field 2^29 - 1 */
        {BYTES("\x0a\x00\x0a\x00"), 2},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(good); i++) {
        struct bl_source source = source_copy(good[i].bytes, good[i].size);
        int fields;

        assert_int_equal(read_all(&source, &fields, NULL), BL_OK);
        assert_int_equal(fields, good[i].fields);
        source_free(&source);
    }
}

/* A cursor over a nested message ends where that message does, not where the source does.
 */
static void stays_within_messages(void **state)
{
    struct bl_source source = source_copy(BYTES("\x0a\x02\x08\x80\x08\x01"));
    struct bl_wire wire = bl_wire_of(&source);
    struct bl_wire_field field;
    struct bl_wire_field inner;
    bl_error err = {BL_OK, ""};

    (void)state;
    assert_int_equal(bl_wire_next(&wire, &field, &err), BL_OK);
    assert_int_equal(bl_wire_next(&field.body, &inner, &err), BL_ERR_FORMAT);
    assert_string_equal(err.message, "x: byte 3: truncated: the data end within a varint");
    source_free(&source);
}

static void checks_types(void **state)
{
    struct bl_source source = source_copy(BYTES("\x08\x01\x12\x01\x05"));
    struct bl_wire wire = bl_wire_of(&source);
    struct bl_wire_field field;
    bl_error err = {BL_OK, ""};
    uint64_t value;

    (void)state;
    assert_int_equal(bl_wire_next(&wire, &field, &err), BL_OK);
    assert_int_equal(bl_wire_expect(&field, BL_WIRE_VARINT, &err), BL_OK);
    assert_int_equal(bl_wire_expect(&field, BL_WIRE_BYTES, &err), BL_ERR_FORMAT);
    assert_string_equal(err.message, "x: byte 0: field 1 has wire type 0 instead of 2");
    assert_int_equal(bl_wire_expect_numbers(&field, BL_WIRE_FIXED32, &err), BL_ERR_FORMAT);
    assert_int_equal(bl_wire_next(&wire, &field, &err), BL_OK);
    assert_int_equal(bl_wire_expect_numbers(&field, BL_WIRE_VARINT, &err), BL_OK);
    assert_int_equal(bl_wire_number(&field.body, BL_WIRE_VARINT, &value, &err), BL_OK);
    assert_int_equal(value, 5);
    assert_int_equal(field.body.at, field.body.end);
    source_free(&source);
}

static void writes_what_it_reads(void **state)
{
    static const uint64_t values[] = {0,   1,          127,       128,
                                      300, UINT32_MAX, INT64_MAX, UINT64_MAX};

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(values); i++) {
        unsigned char bytes[2 * BL_WIRE_VARINT_BYTES];
        size_t size = bl_wire_put_tag(bytes, 0x1FFFFFFF - (uint32_t)i, BL_WIRE_VARINT);

        size += bl_wire_put_varint(bytes + size, values[i]);
        struct bl_source source = source_copy(bytes, size);
        struct bl_wire wire = bl_wire_of(&source);
        struct bl_wire_field field;

        assert_int_equal(bl_wire_next(&wire, &field, NULL), BL_OK);
        assert_int_equal(field.number, 0x1FFFFFFF - (uint32_t)i);
        assert_true(field.value == values[i]);
        assert_int_equal(wire.at, wire.end);
        source_free(&source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_each_type), cmocka_unit_test(refuses_faults),
        cmocka_unit_test(accepts_limits),  cmocka_unit_test(stays_within_messages),
        cmocka_unit_test(checks_types),    cmocka_unit_test(writes_what_it_reads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

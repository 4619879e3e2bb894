/*
 * npy_test.c - NumPy's .npy files
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io_support.h"

#include "io/elements.h"
#include "io/npy.h"

/* A file of a version with this header, unpadded, and `size` bytes of data. */
static struct bl_source npy(int version, const char *header, const void *data, size_t size)
{
    const size_t length = strlen(header);
    const size_t preamble = version == 1 ? 10 : 12;
    unsigned char *bytes = calloc(1, preamble + length + size + 1);

    assert_non_null(bytes);
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (unsigned char)version;
    bytes[8] = (unsigned char)(length & 0xFF);
    bytes[9] = (unsigned char)(length >> 8);
    memcpy(bytes + preamble, header, length);
    if (data != NULL)
        memcpy(bytes + preamble + length, data, size);

    struct bl_source source = source_copy(bytes, preamble + length + size);

    free(bytes);
    return source;
}

static bl_tensor *read_ok(struct bl_source source)
{
    bl_error err = {BL_OK, ""};
    bl_tensor *tensor = bl_npy_read(&source, &bl_allocator_default, &err);

    assert_string_equal(err.message, "");
    assert_non_null(tensor);
    source_free(&source);
    return tensor;
}

static bl_dtype npy_types[] = {
    BL_BOOL,   BL_INT8,   BL_INT16,   BL_INT32,   BL_INT64,   BL_UINT8,     BL_UINT16,
    BL_UINT32, BL_UINT64, BL_FLOAT16, BL_FLOAT32, BL_FLOAT64, BL_COMPLEX64, BL_COMPLEX128};

#define TAIL ", 'fortran_order': False, 'shape': (2,)}"

static void reads_every_header(void **state)
{
    static const struct {
        const char *header;
        bl_dtype dtype;
        bl_shape shape;
        size_t size;
    } good[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n",
         BL_FLOAT32,
         {2, {2, 3}},
         24},
        {"{'shape':(3,),'descr':'|u1','fortran_order':False}", BL_UINT8, {1, {3}}, 3},
        {"{\"fortran_order\": True, \"shape\": (), \"descr\": \"<c16\"}\n",
         BL_COMPLEX128,
         {0, {0}},
         16},
        {" {\n'descr'\t:\r'=i2' , 'fortran_order' : False , 'shape' : ( 2 , 1 , ) , }\n",
         BL_INT16,
         {2, {2, 1}},
         4},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (1L, 2L)}",
         BL_INT64,
         {2, {1, 2}},
         16},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 0)}",
         BL_FLOAT64,
         {2, {4294967296, 0}},
         0},
        {"{'descr': '<f8', 'fortran_order': True, 'shape': (0, 9223372036854775807, 7)}",
         BL_FLOAT64,
         {3, {0, INT64_MAX, 7}},
         0},
        {"{'descr': '|b1'" TAIL, BL_BOOL, {1, {2}}, 2},
        {"{'descr': 'f2'" TAIL, BL_FLOAT16, {1, {2}}, 4},
        {"{'descr': '|i1'" TAIL, BL_INT8, {1, {2}}, 2},
        {"{'descr': '<i4'" TAIL, BL_INT32, {1, {2}}, 8},
        {"{'descr': '<u2'" TAIL, BL_UINT16, {1, {2}}, 4},
        {"{'descr': '<u4'" TAIL, BL_UINT32, {1, {2}}, 8},
        {"{'descr': '<u8'" TAIL, BL_UINT64, {1, {2}}, 16},
        {"{'descr': '<c8'" TAIL, BL_COMPLEX64, {1, {2}}, 16},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(good); i++)
        for (int version = 1; version <= 3; version++) {
            bl_tensor *tensor = read_ok(
                npy(version, good[i].header, "0123456789abcdefghijklmn", good[i].size));

            assert_int_equal(tensor->dtype, good[i].dtype);
            assert_int_equal(tensor->shape.rank, good[i].shape.rank);
            assert_memory_equal(tensor->shape.dim, good[i].shape.dim,
                                sizeof(int64_t) * (size_t)tensor->shape.rank);
            if (bl_host_is_little() && tensor->dtype != BL_BOOL)
                assert_memory_equal(tensor->data, "0123456789abcdefghijklmn", good[i].size);
            bl_tensor_free(tensor);
        }
}

static void refuses_headers(void **state)
{
    static const struct {
        const char *header;
        bl_status status;
        const char *message;
    } bad[] = {
        {"", BL_ERR_FORMAT, "x: byte 10: the header ends where '{' should stand"},
        {"{", BL_ERR_FORMAT, "x: byte 11: the header ends where a key or '}' should stand"},
        {"{}", BL_ERR_FORMAT, "x: byte 12: the header has no key 'descr'"},
        {"{'descr': '<f4', 'shape': (2,)}", BL_ERR_FORMAT,
         "x: byte 41: the header has no key 'fortran_order'"},
        {"{'descr': '<f4', 'descr': '<f4'}", BL_ERR_FORMAT,
         "x: byte 28: the header has twice the key 'descr'"},
        {"{'a\nb': 1}", BL_ERR_FORMAT, "x: byte 12: the header has an unknown key 'a?b'"},
        {"{'descr' '<f4'" TAIL, BL_ERR_FORMAT,
         "x: byte 19: the header has a byte 0x27 where ':' should stand"},
        {"{'descr': '<f4' 'fortran_order': False}", BL_ERR_FORMAT,
         "x: byte 26: the header has a byte 0x27 where ',' or '}' should stand"},
        {"{'descr': '<f4", BL_ERR_FORMAT, "x: byte 20: the header ends within a string"},
        {"{'descr': '<f4'" TAIL "x", BL_ERR_FORMAT,
         "x: byte 65: the header has a byte 0x78 where nothing more should stand"},
        {"{'descr': f4" TAIL, BL_ERR_FORMAT,
         "x: byte 20: the header has a byte 0x66 where the type should stand"},
        {"{'descr': '<f3'" TAIL, BL_ERR_FORMAT, "x: byte 21: '<f3' is no element type"},
        {"{'descr': ''" TAIL, BL_ERR_FORMAT, "x: byte 21: '' is no element type"},
        {"{'descr': '<f4 '" TAIL, BL_ERR_FORMAT, "x: byte 21: '<f4 ' is no element type"},
        {"{'descr': '|O'" TAIL, BL_ERR_UNSUPPORTED,
         "x: byte 21: the type '|O' stands for pickled Python objects, which no tensor "
         "holds"},
        {"{'descr': '<U7'" TAIL, BL_ERR_UNSUPPORTED,
         "x: byte 21: the type '<U7' stands for fixed-width Unicode text, which no tensor "
         "holds"},
        {"{'descr': '|S7'" TAIL, BL_ERR_UNSUPPORTED,
         "x: byte 21: the type '|S7' stands for fixed-width byte strings, which no tensor "
         "holds"},
        {"{'descr': '<M8[ns]'" TAIL, BL_ERR_UNSUPPORTED,
         "x: byte 21: the type '<M8[ns]' stands for dates, which no tensor holds"},
        {"{'descr': '<f16'" TAIL, BL_ERR_UNSUPPORTED,
         "x: byte 21: the type '<f16' stands for long doubles, which no tensor holds"},
        {"{'descr': [('a', '<f4')]" TAIL, BL_ERR_UNSUPPORTED,
         "x: byte 20: a structured type (a list of fields), which no tensor holds"},
        {"{'fortran_order': 0", BL_ERR_FORMAT,
         "x: byte 28: the header has a byte 0x30 where True or False should stand"},
        {"{'shape': [2]", BL_ERR_FORMAT,
         "x: byte 20: the header has a byte 0x5b where '(' of the shape should stand"},
        {"{'shape': (2)", BL_ERR_FORMAT,
         "x: byte 22: the header has a byte 0x29 where ',' should stand"},
        {"{'shape': (,)", BL_ERR_FORMAT,
         "x: byte 21: the header has a byte 0x2c where an integer should stand"},
        {"{'shape': (2,,3)", BL_ERR_FORMAT,
         "x: byte 23: the header has a byte 0x2c where an integer should stand"},
        {"{'shape': (2.0,)", BL_ERR_FORMAT,
         "x: byte 22: the header has a byte 0x2e where ',' should stand"},
        {"{'shape': (2 3)", BL_ERR_FORMAT,
         "x: byte 23: the header has a byte 0x33 where ',' should stand"},
        {"{'shape': (02,)", BL_ERR_FORMAT,
         "x: byte 21: an integer starts with 0, which Python does not allow"},
        {"{'shape': (-1,)", BL_ERR_FORMAT, "x: byte 21: negative dimension -1"},
        {"{'shape': (9223372036854775808,)", BL_ERR_LIMIT,
         "x: byte 21: an axis is longer than 63 bits can count"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
         BL_ERR_LIMIT,
         "x: byte 85: size overflow: float32[4294967296,4294967296] has more bytes than 63 "
         "bits can count"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,)}",
         BL_ERR_LIMIT,
         "x: byte 83: size overflow: float32[4611686018427387904] has more bytes than 63 "
         "bits can count"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776,)}",
         BL_ERR_FORMAT,
         "x: byte 77: truncated: float32[1099511627776] needs 4398046511104 bytes of data, "
         "8 "
         "are left"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': ()}", BL_ERR_FORMAT,
         "x: byte 67: 4 bytes follow the data of float32[]"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(bad); i++) {
        struct bl_source source = npy(1, bad[i].header, "01234567", 8);

        check_refused(source.bytes, source.size, bl_npy_read, bad[i].status,
                      bad[i].message);
        source_free(&source);
    }
}

static void refuses_preambles(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } bad[] = {
        {"\x92NUMPY\x01\x00\x00\x00", 10,
         "x: byte 0: not a .npy file: it does not start with \\x93NUMPY and a version"},
        {"\x93NUMPY\x04\x00\x00\x00", 10,
         "x: byte 6: version 4.0 of .npy; 1.0, 2.0 and 3.0 are known"},
        {"\x93NUMPY\x01\x01\x00\x00", 10,
         "x: byte 6: version 1.1 of .npy; 1.0, 2.0 and 3.0 are known"},
        {"\x93NUMPY\x02\x00\xf0\xff\xff\xff", 12,
         "x: byte 8: truncated: the header has 4294967280 bytes, 0 are left"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(bad); i++)
        check_refused(bad[i].bytes, bad[i].size, bl_npy_read, BL_ERR_FORMAT,
                      bad[i].message);
}

static void refuses_65_axes(void **state)
{
    char header[1024] = "{'descr': '<f4', 'fortran_order': False, 'shape': (";

    (void)state;
    for (int i = 0; i < 64; i++)
        strcat(header, "1, ");
    char *end = header + strlen(header);

    strcpy(end, ")}");
    bl_tensor *tensor = read_ok(npy(1, header, "0123", 4));

    assert_int_equal(tensor->shape.rank, 64);
    bl_tensor_free(tensor);
    strcpy(end, "1)}");
    struct bl_source source = npy(1, header, "0123", 4);

    check_refused(source.bytes, source.size, bl_npy_read, BL_ERR_LIMIT,
                  "x: byte 253: more than 64 axes");
    source_free(&source);
}

/* [2,3] as NumPy stores it in either byte order and either order of axes. */
static void reads_either_order(void **state)
{
    static const uint16_t values[6] = {0x0102, 0x0304, 0x0506, 0x0708, 0x090a, 0x0b0c};
    static const struct {
        const char *header;
        const char *data;
    } files[] = {
        {"{'descr': '>u2', 'fortran_order': False, 'shape': (2, 3)}",
         "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c"},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3)}",
         "\x02\x01\x04\x03\x06\x05\x08\x07\x0a\x09\x0c\x0b"},
        {"{'descr': '>u2', 'fortran_order': True, 'shape': (2, 3)}",
         "\x01\x02\x07\x08\x03\x04\x09\x0a\x05\x06\x0b\x0c"},
        {"{'descr': '<u2', 'fortran_order': True, 'shape': (2, 3)}",
         "\x02\x01\x08\x07\x04\x03\x0a\x09\x06\x05\x0c\x0b"},
    };

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(files); i++) {
        bl_tensor *tensor = read_ok(npy(1, files[i].header, files[i].data, 12));

        assert_memory_equal(tensor->data, values, sizeof values);
        assert_true(bl_tensor_is_row_major(tensor));
        bl_tensor_free(tensor);
    }
}

static void reads_wide_numbers_of_other_hosts(void **state)
{
    static const unsigned char data[16] = {0x3f, 0xf8, 0, 0, 0, 0, 0, 0,
                                           0xc0, 0x04, 0, 0, 0, 0, 0, 0};
    bl_tensor *tensor = read_ok(
        npy(1, "{'descr': '>f8', 'fortran_order': False, 'shape': (2,)}", data, 16));

    (void)state;
    assert_true(((double *)tensor->data)[0] == 1.5);
    assert_true(((double *)tensor->data)[1] == -2.5);
    bl_tensor_free(tensor);
    tensor =
        read_ok(npy(1, "{'descr': '>c16', 'fortran_order': False, 'shape': ()}", data, 16));
    assert_true(((double *)tensor->data)[0] == 1.5);
    assert_true(((double *)tensor->data)[1] == -2.5);
    bl_tensor_free(tensor);
    tensor = read_ok(npy(1, "{'descr': '>c8', 'fortran_order': True, 'shape': (1,)}",
                         "\x3f\xc0\x00\x00\xc0\x20\x00\x00", 8));
    assert_true(((float *)tensor->data)[0] == 1.5F);
    assert_true(((float *)tensor->data)[1] == -2.5F);
    bl_tensor_free(tensor);
}

static void makes_bools_0_or_1(void **state)
{
    static const char header[] = "{'descr': '|b1', 'fortran_order': False, 'shape': (4,)}";
    bl_tensor *tensor = read_ok(npy(1, header, "\x00\xff\x02\x01", 4));
    unsigned char *data = tensor->data;

    (void)state;
    assert_memory_equal(data, "\x00\x01\x01\x01", 4);
    data[1] = 0x80;
    struct bl_source source = written(tensor, bl_npy_write);

    assert_memory_equal(source.bytes + source.size - 4, "\x00\x01\x01\x01", 4);
    source_free(&source);
    bl_tensor_free(tensor);
}

static void writes_the_canonical_bytes(void **state)
{
    static const char header[118] =
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 1), }";
    bl_tensor *tensor =
        bl_tensor_make(&bl_allocator_default, BL_INT32, BL_SHAPE(2, 1), NULL);

    (void)state;
    assert_non_null(tensor);
    ((int32_t *)tensor->data)[0] = 0x01020304;
    ((int32_t *)tensor->data)[1] = -1;
    struct bl_source source = written(tensor, bl_npy_write);

    assert_int_equal(source.size, 128 + 8);
    assert_memory_equal(source.bytes, "\x93NUMPY\x01\x00\x76\x00", 10);
    assert_memory_equal(source.bytes + 10, header, strlen(header));
    for (size_t i = 10 + strlen(header); i < 127; i++)
        assert_int_equal(source.bytes[i], ' ');
    assert_int_equal(source.bytes[127], '\n');
    assert_memory_equal(source.bytes + 128, "\x04\x03\x02\x01\xff\xff\xff\xff", 8);
    source_free(&source);
    bl_tensor_free(tensor);
}

/* Whatever the shape: data at a multiple of 64, and what is written can be read. */
static void pads_every_header(void **state)
{
    bl_shape shape = {0, {0}};

    (void)state;
    for (int rank = 0; rank <= BL_MAX_RANK; rank++) {
        shape.rank = rank;
        shape.dim[0] = 0;
        for (int i = 1; i < rank; i++)
            shape.dim[i] = INT64_MAX;
        bl_tensor *tensor = bl_tensor_make(&bl_allocator_default, BL_UINT8, &shape, NULL);

        assert_non_null(tensor);
        if (rank == 0)
            *(unsigned char *)tensor->data = 7;
        struct bl_source source = written(tensor, bl_npy_write);

        assert_int_equal((source.size - (rank == 0 ? 1 : 0)) % 64, 0);
        bl_tensor *again = read_ok(source);

        assert_int_equal(again->shape.rank, rank);
        assert_memory_equal(again->shape.dim, shape.dim, sizeof(int64_t) * (size_t)rank);
        bl_tensor_free(again);
        bl_tensor_free(tensor);
    }
}

static void round_trips_every_type(void **state)
{
    (void)state;
    for (size_t t = 0; t < BL_COUNT_OF(npy_types); t++) {
        const size_t width = bl_dtype_size(npy_types[t]);
        _Alignas(16) unsigned char memory[VIEW_MEMORY * 16];

        fill(npy_types[t], memory, VIEW_MEMORY);
        bl_tensor *view = view_over(npy_types[t], memory);
        bl_tensor *dense = read_ok(written(view, bl_npy_write));

        assert_int_equal(dense->dtype, npy_types[t]);
        assert_int_equal(dense->count, VIEW_COUNT);
        for (size_t i = 0; i < VIEW_COUNT; i++)
            assert_memory_equal((unsigned char *)dense->data + i * width,
                                memory + view_place(i) * width, width);
        bl_tensor *again = read_ok(written(dense, bl_npy_write));

        assert_memory_equal(again->data, dense->data, VIEW_COUNT * width);
        bl_tensor_free(again);
        bl_tensor_free(dense);
        bl_tensor_free(view);
    }
}

/* A transposed tensor longer than the writer's chunks. */
static void round_trips_large_views(void **state)
{
    enum { ROWS = 300, COLUMNS = 211 };
    int32_t *memory = malloc(sizeof *memory * ROWS * COLUMNS);

    (void)state;
    assert_non_null(memory);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        memory[i] = i * 7;
    bl_tensor *view =
        bl_tensor_make_borrowed(&bl_allocator_default, BL_INT32, BL_SHAPE(COLUMNS, ROWS),
                                (const int64_t[]){1, COLUMNS}, memory, false, NULL);

    assert_non_null(view);
    bl_tensor *dense = read_ok(written(view, bl_npy_write));

    for (int i = 0; i < COLUMNS; i++)
        for (int j = 0; j < ROWS; j++)
            assert_int_equal(((int32_t *)dense->data)[i * ROWS + j],
                             memory[j * COLUMNS + i]);
    bl_tensor_free(dense);
    bl_tensor_free(view);
    free(memory);
}

static void refuses_to_write_other_types(void **state)
{
    uint64_t has = 0;

    (void)state;
    for (size_t t = 0; t < BL_COUNT_OF(npy_types); t++)
        has |= UINT64_C(1) << npy_types[t];
    for (int dtype = 1; dtype < BL_DTYPE_COUNT; dtype++) {
        struct bl_writer writer;
        bl_error err = {BL_OK, ""};

        if (has >> dtype & 1)
            continue;
        bl_tensor *tensor =
            bl_tensor_make_zero(&bl_allocator_default, (bl_dtype)dtype, BL_SHAPE(2), NULL);

        assert_non_null(tensor);
        assert_int_equal(bl_writer_open(&writer, "other.npy", &err), BL_OK);
        const bl_status status = bl_npy_write(tensor, &writer, &err);

        assert_int_equal(bl_writer_close(&writer, status, &err), BL_ERR_TYPE);
        assert_non_null(strstr(err.message, bl_dtype_name((bl_dtype)dtype)));
        assert_int_equal(names(), 0);
        bl_tensor_free(tensor);
    }
}

static void survives_bad_bytes(void **state)
{
    struct bl_source c =
        npy(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (3, 2), }\n",
            "0123456789ab", 12);
    struct bl_source fortran =
        npy(2, "{'descr': '>f4', 'fortran_order': True, 'shape': (1, 2,)}", "01234567", 8);

    (void)state;
    check_truncation(c.bytes, c.size, bl_npy_read);
    check_truncation(fortran.bytes, fortran.size, bl_npy_read);
    check_corruption(c.bytes, c.size, bl_npy_read);
    check_corruption(fortran.bytes, fortran.size, bl_npy_read);
    check_no_memory(c.bytes, c.size, bl_npy_read);
    source_free(&c);
    source_free(&fortran);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_header),
        cmocka_unit_test(refuses_headers),
        cmocka_unit_test(refuses_preambles),
        cmocka_unit_test(refuses_65_axes),
        cmocka_unit_test(reads_either_order),
        cmocka_unit_test(reads_wide_numbers_of_other_hosts),
        cmocka_unit_test(makes_bools_0_or_1),
        cmocka_unit_test(writes_the_canonical_bytes),
        cmocka_unit_test(pads_every_header),
        cmocka_unit_test(round_trips_every_type),
        cmocka_unit_test(round_trips_large_views),
        cmocka_unit_test(refuses_to_write_other_types),
        cmocka_unit_test(survives_bad_bytes),
    };

    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}

/*
 * npy_header.c - the header of a .npy file
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * After 6 bytes of magic, a version and a length stands a Python dictionary as text:
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 * It is read by that grammar and no more: three keys in any order, a string, a bool, a
 * tuple of integers, white space where Python allows it.  Nothing is evaluated.
 */
#include "io/npy_header.h"

#include <string.h>

#include "base/compiler.h"
#include "base/text.h"
#include "io/elements.h"

#define DATA_ALIGNMENT 64 /* of numpy's own files */

static const struct {
    char code[4];
    bl_dtype dtype;
} types[] = {
    {"b1", BL_BOOL},      {"i1", BL_INT8},        {"i2", BL_INT16},   {"i4", BL_INT32},
    {"i8", BL_INT64},     {"u1", BL_UINT8},       {"u2", BL_UINT16},  {"u4", BL_UINT32},
    {"u8", BL_UINT64},    {"f2", BL_FLOAT16},     {"f4", BL_FLOAT32}, {"f8", BL_FLOAT64},
    {"c8", BL_COMPLEX64}, {"c16", BL_COMPLEX128},
};

/* What NumPy has and ONNX has not, by the first bytes of the code. */
static const struct {
    const char *code;
    const char *what;
} strangers[] = {
    {"O", "pickled Python objects"},
    {"U", "fixed-width Unicode text"},
    {"S", "fixed-width byte strings"},
    {"a", "fixed-width byte strings"},
    {"M", "dates"},
    {"m", "time differences"},
    {"V", "raw bytes of a type that NumPy has no code for"},
    {"f12", "long doubles"},
    {"f16", "long doubles"},
    {"c24", "complex long doubles"},
    {"c32", "complex long doubles"},
};

/* The text between `at` and `end`, offsets into the source. */
struct text {
    const struct bl_source *source;
    size_t at;
    size_t end;
};

/* A part of the source. */
struct part {
    const unsigned char *bytes;
    size_t size;
    size_t offset;
};

static bool part_is(const struct part *part, const char *text)
{
    return part->size == strlen(text) && memcmp(part->bytes, text, part->size) == 0;
}

static bool starts_with(const struct part *part, const char *text)
{
    return part->size >= strlen(text) && memcmp(part->bytes, text, strlen(text)) == 0;
}

/* ---- Tokens ----------------------------------------------------------------- */

/* The next character that is no white space, or -1 at the end; it stays to be read. */
static int peek(struct text *text)
{
    while (text->at < text->end &&
           memchr(" \t\n\r\f", text->source->bytes[text->at], 5) != NULL)
        text->at++;
    return text->at < text->end ? text->source->bytes[text->at] : -1;
}

static bool accept(struct text *text, int c)
{
    if (peek(text) != c)
        return false;
    text->at++;
    return true;
}

static bl_status expected(struct text *text, const char *what, bl_error *err)
{
    if (peek(text) < 0)
        return bl_fail_at(err, BL_ERR_FORMAT, text->source, text->at,
                          "the header ends where %s should stand", what);
    return bl_fail_at(err, BL_ERR_FORMAT, text->source, text->at,
                      "the header has a byte 0x%02x where %s should stand",
                      (unsigned)text->source->bytes[text->at], what);
}

/* A string in either quotes.  There are no escapes in the strings that belong here, and one
 * with a backslash will match none of them. */
static bl_status string(struct text *text, const char *what, struct part *part,
                        bl_error *err)
{
    const int quote = peek(text);

    if (quote != '\'' && quote != '"')
        return expected(text, what, err);
    const unsigned char *bytes = text->source->bytes + ++text->at;
    const unsigned char *close = memchr(bytes, quote, text->end - text->at);

    if (close == NULL)
        return bl_fail_at(err, BL_ERR_FORMAT, text->source, text->at - 1,
                          "the header ends within a string");
    *part = (struct part){bytes, (size_t)(close - bytes), text->at};
    text->at += part->size + 1;
    return BL_OK;
}

static bool accept_word(struct text *text, const char *word)
{
    const size_t length = strlen(word);

    peek(text);
    if (text->end - text->at < length ||
        memcmp(text->source->bytes + text->at, word, length) != 0)
        return false;
    text->at += length;
    return true;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* An axis: digits, perhaps with the L that Python 2 put behind a long. */
static bl_status integer(struct text *text, int64_t *value, bl_error *err)
{
    const unsigned char *bytes = text->source->bytes;
    const bool negative = accept(text, '-');
    const size_t start = text->at;

    *value = 0;
    for (; text->at < text->end && is_digit(bytes[text->at]); text->at++) {
        const int digit = bytes[text->at] - '0';

        if (*value > (INT64_MAX - digit) / 10)
            return bl_fail_at(err, BL_ERR_LIMIT, text->source, start,
                              "an axis is longer than 63 bits can count");
        *value = *value * 10 + digit;
    }
    if (text->at == start)
        return expected(text, "an integer", err);
    if (negative)
        return bl_fail_at(err, BL_ERR_FORMAT, text->source, start - 1,
                          "negative dimension -%lld", (long long)*value);
    if (bytes[start] == '0' && text->at - start > 1)
        return bl_fail_at(err, BL_ERR_FORMAT, text->source, start,
                          "an integer starts with 0, which Python does not allow");
    if (text->at < text->end && bytes[text->at] == 'L')
        text->at++;
    return BL_OK;
}

/* ---- Values ----------------------------------------------------------------- */

static bl_status unknown_type(const struct bl_source *source, const struct part *descr,
                              const struct part *code, bl_error *err)
{
    char quoted[BL_QUOTE_BYTES];

    bl_quote(descr->bytes, descr->size, quoted);
    for (size_t i = 0; i < BL_COUNT_OF(strangers); i++)
        if (starts_with(code, strangers[i].code))
            return bl_fail_at(err, BL_ERR_UNSUPPORTED, source, descr->offset,
                              "the type '%s' stands for %s, which no tensor holds", quoted,
                              strangers[i].what);
    return bl_fail_at(err, BL_ERR_FORMAT, source, descr->offset, "'%s' is no element type",
                      quoted);
}

static bl_status read_type(struct text *text, struct bl_npy_header *header, bl_error *err)
{
    struct part descr;

    if (peek(text) == '[')
        return bl_fail_at(err, BL_ERR_UNSUPPORTED, text->source, text->at,
                          "a structured type (a list of fields), which no tensor holds");
    BL_TRY(string(text, "the type", &descr, err));
    struct part code = descr;

    header->little = bl_host_is_little(); /* what '=', '|' and no sign at all stand for */
    if (code.size > 0 && memchr("<>=|", code.bytes[0], 4) != NULL) {
        if (code.bytes[0] == '<' || code.bytes[0] == '>')
            header->little = code.bytes[0] == '<';
        code.bytes++;
        code.size--;
    }
    for (size_t i = 0; i < BL_COUNT_OF(types); i++)
        if (part_is(&code, types[i].code)) {
            header->dtype = types[i].dtype;
            return BL_OK;
        }
    return unknown_type(text->source, &descr, &code, err);
}

static bl_status read_order(struct text *text, struct bl_npy_header *header, bl_error *err)
{
    header->fortran_order = accept_word(text, "True");
    if (header->fortran_order || accept_word(text, "False"))
        return BL_OK;
    return expected(text, "True or False", err);
}

static bl_status read_shape(struct text *text, struct bl_npy_header *header, bl_error *err)
{
    bl_shape *shape = &header->shape;

    if (!accept(text, '('))
        return expected(text, "'(' of the shape", err);
    while (!accept(text, ')')) {
        int64_t dim;

        peek(text);
        if (shape->rank == BL_MAX_RANK)
            return bl_fail_at(err, BL_ERR_LIMIT, text->source, text->at,
                              "more than %d axes", BL_MAX_RANK);
        BL_TRY(integer(text, &dim, err));
        shape->dim[shape->rank++] = dim;
        if (accept(text, ','))
            continue;
        /* (3) is a number to Python; a tuple of one is (3,). */
        if (shape->rank == 1 || peek(text) != ')')
            return expected(text, "','", err);
    }
    return BL_OK;
}

/* ---- The whole header ------------------------------------------------------- */

static const struct {
    const char *name;
    bl_status (*read)(struct text *text, struct bl_npy_header *header, bl_error *err);
} keys[] = {
    {"descr", read_type},
    {"fortran_order", read_order},
    {"shape", read_shape},
};

static bl_status read_item(struct text *text, struct bl_npy_header *header, bool *seen,
                           bl_error *err)
{
    char quoted[BL_QUOTE_BYTES];
    struct part key;
    size_t i = 0;

    BL_TRY(string(text, "a key or '}'", &key, err));
    while (i < BL_COUNT_OF(keys) && !part_is(&key, keys[i].name))
        i++;
    if (i == BL_COUNT_OF(keys) || seen[i])
        return bl_fail_at(err, BL_ERR_FORMAT, text->source, key.offset,
                          "the header has %s key '%s'",
                          i < BL_COUNT_OF(keys) ? "twice the" : "an unknown",
                          bl_quote(key.bytes, key.size, quoted));
    seen[i] = true;
    if (!accept(text, ':'))
        return expected(text, "':'", err);
    return keys[i].read(text, header, err);
}

static bl_status read_dictionary(struct text *text, struct bl_npy_header *header,
                                 bl_error *err)
{
    bool seen[BL_COUNT_OF(keys)] = {false};

    if (!accept(text, '{'))
        return expected(text, "'{'", err);
    while (!accept(text, '}')) {
        BL_TRY(read_item(text, header, seen, err));
        if (!accept(text, ',') && peek(text) != '}')
            return expected(text, "',' or '}'", err);
    }
    if (peek(text) >= 0)
        return expected(text, "nothing more", err);
    for (size_t i = 0; i < BL_COUNT_OF(keys); i++)
        if (!seen[i])
            return bl_fail_at(err, BL_ERR_FORMAT, text->source, text->end,
                              "the header has no key '%s'", keys[i].name);
    return BL_OK;
}

/* Magic, version and length; `text` becomes what they announce. */
static bl_status read_preamble(const struct bl_source *source, struct text *text,
                               bl_error *err)
{
    const unsigned char *bytes = source->bytes;
    const size_t version_end = BL_NPY_MAGIC_BYTES + 2;

    if (source->size < version_end || memcmp(bytes, BL_NPY_MAGIC, BL_NPY_MAGIC_BYTES) != 0)
        return bl_fail_at(
            err, BL_ERR_FORMAT, source, 0,
            "not a .npy file: it does not start with \\x93NUMPY and a version");
    const unsigned major = bytes[BL_NPY_MAGIC_BYTES];
    const unsigned minor = bytes[BL_NPY_MAGIC_BYTES + 1];

    if (major < 1 || major > 3 || minor != 0)
        return bl_fail_at(err, BL_ERR_FORMAT, source, BL_NPY_MAGIC_BYTES,
                          "version %u.%u of .npy; 1.0, 2.0 and 3.0 are known", major,
                          minor);
    const size_t length_bytes = major == 1 ? 2 : 4;
    uint32_t length = 0;

    if (source->size - version_end < length_bytes)
        return bl_fail_at(err, BL_ERR_FORMAT, source, source->size,
                          "truncated: the file ends within the header's length");
    for (size_t i = 0; i < length_bytes; i++)
        length |= (uint32_t)bytes[version_end + i] << (8 * i);
    text->source = source;
    text->at = version_end + length_bytes;
    if (length > source->size - text->at)
        return bl_fail_at(err, BL_ERR_FORMAT, source, version_end,
                          "truncated: the header has %lu bytes, %zu are left",
                          (unsigned long)length, source->size - text->at);
    text->end = text->at + length;
    return BL_OK;
}

bl_status bl_npy_header_read(const struct bl_source *source, struct bl_npy_header *header,
                             bl_error *err)
{
    struct text text;

    *header = (struct bl_npy_header){0};
    BL_TRY(read_preamble(source, &text, err));
    header->data = text.end;
    return read_dictionary(&text, header, err);
}

size_t bl_npy_header_write(bl_dtype dtype, const bl_shape *shape, char *out)
{
    const size_t preamble = BL_NPY_MAGIC_BYTES + 4;
    struct bl_text text = bl_text_in(out + preamble, BL_NPY_HEADER_BYTES - preamble);
    const char *code = NULL;

    for (size_t i = 0; i < BL_COUNT_OF(types); i++)
        if (types[i].dtype == dtype)
            code = types[i].code;
    if (code == NULL)
        return 0;
    /* Single bytes have no order. */
    bl_text_put(&text, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                strcmp(code + 1, "1") == 0 ? '|' : '<', code);
    for (int i = 0; i < shape->rank; i++)
        bl_text_put(&text, i == 0 ? "%lld" : ", %lld", (long long)shape->dim[i]);
    bl_text_put(&text, shape->rank == 1 ? ",), }" : "), }");

    const size_t used = preamble + text.length + 1; /* with the newline at the end */
    const size_t size = (used + DATA_ALIGNMENT - 1) / DATA_ALIGNMENT * DATA_ALIGNMENT;
    const size_t length = size - preamble;

    memset(out + used - 1, ' ', size - used);
    out[size - 1] = '\n';
    memcpy(out, BL_NPY_MAGIC "\x01\x00",
           BL_NPY_MAGIC_BYTES + 2); /* version 1.0 holds 65535 bytes */
    out[BL_NPY_MAGIC_BYTES + 2] = (char)(length & 0xFF);
    out[BL_NPY_MAGIC_BYTES + 3] = (char)(length >> 8);
    return size;
}

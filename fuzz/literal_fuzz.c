/*
 * literal_fuzz.c - fuzz target: the tool's readers of literals, shapes, strings and attributes
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bytes are a text up to the first NUL: a literal such as float32[2]=1,2; a shape such as 2x3; a
 * string in quotes; OPERATOR:NAME=VALUE, an attribute.  Each reader is given all of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/dims.h"
#include "cli/literal.h"
#include "cli/operator_arg.h"
#include "cli/quoted.h"
#include "fuzz/fuzz.h"

/* The readers say where the fault is; that is in the text, or at its end. */
static void check_fault(const char *text, size_t at, const bl_error *err)
{
    fuzz_check_failure(err);
    if (at > strlen(text))
        fuzz_fail("the fault is at %zu of %zu", at, strlen(text));
}

static void read_literal(const char *text)
{
    struct fuzz_budget budget = {.most = (size_t)1 << 20};
    bl_context *context = fuzz_context(&budget, 1);
    bl_error err = {BL_OK, ""};
    size_t at = 0;
    bl_tensor *tensor = bl_literal_parse(context, text, &at, &err);

    if (tensor == NULL)
        check_fault(text, at, &err);
    else if (!bl_literal_is(text) && strchr(text, '/') == NULL)
        fuzz_fail("'%s' is a literal, but not said to be one", text);
    bl_tensor_free(tensor);
    bl_context_free(context);
    fuzz_check_freed(&budget);
}

/* What was read, written and read again, is the same shape. */
static void read_shape(const char *text)
{
    char written[BL_DIMS_TEXT];
    bl_error err = {BL_OK, ""};
    bl_shape shape, again;
    size_t at = 0;

    if (bl_dims_parse(text, &shape, &at, &err) != BL_OK) {
        check_fault(text, at, &err);
        return;
    }
    bl_dims_text(&shape, written);
    if (bl_dims_parse(written, &again, &at, &err) != BL_OK || again.rank != shape.rank ||
        memcmp(again.dim, shape.dim, (size_t)shape.rank * sizeof *shape.dim) != 0)
        fuzz_fail("'%s' is read as %s, and that as another shape", text, written);
}

/* What was read, written and read again, is the same string, unless it is no UTF-8, which comes
 * out as U+FFFD. */
static void check_quoted(const char *string, size_t size)
{
    char *written = NULL;
    size_t written_size = 0, again_size = 0;
    FILE *out = open_memstream(&written, &written_size);
    bl_error err = {BL_OK, ""};

    if (out == NULL)
        return;
    bl_quoted_write(out, string, size);
    fclose(out);
    char *again = malloc(written_size + 1);
    const char *p = written;

    if (again == NULL || bl_quoted_read(&p, again, &again_size, &err) != BL_OK ||
        *p != '\0')
        fuzz_fail("%s was written, and cannot be read: %s", written, err.message);
    if (strstr(written, "\\ufffd") == NULL &&
        (again_size != size || memcmp(again, string, size) != 0))
        fuzz_fail("%s was written, and is another string", written);
    free(again);
    free(written);
}

static void read_quoted(const char *text)
{
    char *string = malloc(strlen(text) + 1);
    bl_error err = {BL_OK, ""};
    const char *p = text;
    size_t size = 0;

    if (string == NULL)
        return;
    if (bl_quoted_read(&p, string, &size, &err) != BL_OK)
        check_fault(text, (size_t)(p - text), &err);
    else if (size > strlen(text))
        fuzz_fail("%zu bytes from %zu", size, strlen(text));
    else
        check_quoted(string, size);
    free(string);
}

static void read_attribute(char *text)
{
    struct bl_attribute_arg attribute;
    bl_error err = {BL_OK, ""};
    char *colon = strchr(text, ':');

    if (colon == NULL)
        return;
    *colon = '\0';
    const bl_op *op = bl_operator_find(text, BL_OPSET_LATEST, &err);

    if (op == NULL) {
        fuzz_check_failure(&err);
        return;
    }
    if (bl_attribute_parse(op, colon + 1, &attribute, &err) != BL_OK)
        fuzz_check_failure(&err);
    bl_attribute_free(&attribute);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    read_literal(text);
    read_shape(text);
    if (text[0] == '"')
        read_quoted(text);
    read_attribute(text); /* last: it cuts the text */
    free(text);
    return 0;
}

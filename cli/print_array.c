/*
 * print_array.c - print the elements of a tensor
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/print_array.h"

#include <string.h>

#include "cli/dims.h"
#include "cli/quoted.h"
#include "conform/value.h"

/* Beyond so many elements an array is summarised to so many at each end of an axis; NumPy's
 * numbers. */
#define SUMMARY_ABOVE 1000
#define EDGE 3

/* Two float64 of 24 characters each with brackets and a comma fit. */
#define VALUE_TEXT 96

struct printer {
    FILE *out;
    const bl_tensor *tensor;
    const bl_shape *shape;
    const int64_t *stride;
    const char *data;
    size_t bytes; /* an element */
    bl_dtype dtype;
    bool summary;
    int width; /* of a number; 0: not aligned */
};

static struct printer printer_of(FILE *out, const bl_tensor *tensor)
{
    return (struct printer){
        .out = out,
        .tensor = tensor,
        .shape = bl_tensor_shape(tensor),
        .stride = bl_tensor_strides(tensor),
        .data = bl_tensor_data(tensor),
        .bytes = bl_dtype_size(bl_tensor_dtype(tensor)),
        .dtype = bl_tensor_dtype(tensor),
    };
}

/* The element i along an axis from `at`, which lies on index 0 of it. */
static const char *step(const struct printer *printer, int axis, const char *at, int64_t i)
{
    return at + i * printer->stride[axis] * (int64_t)printer->bytes;
}

/* The index to show after i along an axis: in a summary the middle is left out. */
static int64_t next_shown(const struct printer *printer, int axis, int64_t i)
{
    const int64_t n = printer->shape->dim[axis];

    return printer->summary && n > 2 * EDGE && i + 1 == EDGE ? n - EDGE : i + 1;
}

/* ---- As people read arrays ----------------------------------------------------- */

static int widest(const struct printer *printer, int axis, const char *at)
{
    char text[VALUE_TEXT];
    int width = 0;

    if (axis == printer->shape->rank)
        return (int)strlen(bl_value_text(printer->dtype, at, text, sizeof text));
    for (int64_t i = 0; i < printer->shape->dim[axis]; i = next_shown(printer, axis, i)) {
        const int found = widest(printer, axis + 1, step(printer, axis, at, i));

        width = found > width ? found : width;
    }
    return width;
}

static void print_value(const struct printer *printer, const char *at)
{
    char text[VALUE_TEXT];

    if (printer->dtype == BL_STRING) {
        bl_string string;

        memcpy(&string, at, sizeof string);
        bl_quoted_write(printer->out, string.data, string.size);
        return;
    }
    fprintf(printer->out, "%*s", printer->width,
            bl_value_text(printer->dtype, at, text, sizeof text));
}

/* Between two parts along an axis: a space between values; else as many line ends as the
 * part has axes, which sets planes apart, and the brackets' indent. */
static void print_gap(const struct printer *printer, int axis)
{
    const int below = printer->shape->rank - 1 - axis;

    if (below == 0) {
        putc(' ', printer->out);
        return;
    }
    for (int i = 0; i < below; i++)
        putc('\n', printer->out);
    fprintf(printer->out, "%*s", axis + 1, "");
}

static void print_axis(const struct printer *printer, int axis, const char *at)
{
    if (axis == printer->shape->rank) {
        print_value(printer, at);
        return;
    }
    putc('[', printer->out);
    for (int64_t i = 0, next; i < printer->shape->dim[axis]; i = next) {
        next = next_shown(printer, axis, i);
        print_axis(printer, axis + 1, step(printer, axis, at, i));
        if (next > i + 1) {
            print_gap(printer, axis);
            fputs("...", printer->out);
        }
        if (next < printer->shape->dim[axis])
            print_gap(printer, axis);
    }
    putc(']', printer->out);
}

void bl_array_print(FILE *out, const bl_tensor *tensor, bool full)
{
    struct printer printer = printer_of(out, tensor);
    char text[BL_DIMS_TEXT];
    const int64_t count = bl_tensor_count(tensor);

    fprintf(out, "%s%s\n", bl_dtype_name(printer.dtype), bl_dims_text(printer.shape, text));
    if (count == 0) {
        fputs("[]\n", out); /* brackets for 10^9 rows of nothing would help nobody */
        return;
    }
    printer.summary = !full && count > SUMMARY_ABOVE;
    if (printer.shape->rank > 1 && printer.dtype != BL_STRING)
        printer.width = widest(&printer, 0, printer.data);
    print_axis(&printer, 0, printer.data);
    putc('\n', out);
}

/* ---- As JSON -------------------------------------------------------------------- */

static void print_json_value(const struct printer *printer, const char *at)
{
    const bool is_complex =
        printer->dtype == BL_COMPLEX64 || printer->dtype == BL_COMPLEX128;
    const bl_dtype part = printer->dtype == BL_COMPLEX64 ? BL_FLOAT32 : BL_FLOAT64;
    char text[VALUE_TEXT];

    if (printer->dtype == BL_STRING) {
        print_value(printer, at);
    } else if (is_complex) {
        const struct printer half = {.out = printer->out, .dtype = part};

        putc('[', printer->out);
        print_json_value(&half, at);
        fputs(", ", printer->out);
        print_json_value(&half, at + bl_dtype_size(part));
        putc(']', printer->out);
    } else {
        bl_value_text(printer->dtype, at, text, sizeof text);
        /* NaN, Infinity and -Infinity are no JSON numbers; true and false are JSON. */
        const char *quote = strpbrk(text, "NI") != NULL ? "\"" : "";
        /* A reader takes -0 for an integer, which has no such zero. */
        const char *point = strcmp(text, "-0") == 0 ? ".0" : "";

        fprintf(printer->out, "%s%s%s%s", quote, text, point, quote);
    }
}

static void print_json_axis(const struct printer *printer, int axis, const char *at,
                            bool first)
{
    if (axis == printer->shape->rank) {
        if (!first)
            fputs(", ", printer->out);
        print_json_value(printer, at);
        return;
    }
    for (int64_t i = 0; i < printer->shape->dim[axis]; i++)
        print_json_axis(printer, axis + 1, step(printer, axis, at, i), first && i == 0);
}

void bl_array_put_json(FILE *out, const bl_tensor *tensor)
{
    const struct printer printer = printer_of(out, tensor);
    char text[BL_DIMS_TEXT];

    fprintf(
        out,
        "{\"dtype\": \"%s\", \"shape\": %s, \"data\": {\"kind\": \"values\", \"values\": [",
        bl_dtype_name(printer.dtype), bl_dims_text(printer.shape, text));
    /* The axes before an empty one may be long: walk only what has elements. */
    if (bl_tensor_count(tensor) > 0)
        print_json_axis(&printer, 0, printer.data, true);
    fputs("]}}", out);
}

void bl_array_print_json(FILE *out, const bl_tensor *tensor)
{
    bl_array_put_json(out, tensor);
    putc('\n', out);
}

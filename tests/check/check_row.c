/*
 * check_row.c - one row kernel against the reference, in every way that it may be called
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kernel_check.h"

#include <string.h>

#include "base/compiler.h"
#include "conform/reference.h"
#include "conform/value.h"
#include "ops/node.h"
#include "ops/types.h"
#include "tensor/dtype.h"
#include "variants.h"

#define LARGEST_STRIDE 3
#define LARGEST_ELEMENT 16

/* A kernel, and how to call it. */
struct trial {
    bl_row_fn fn;
    bl_node node;
    struct bl_params params;
    enum bl_form form;
    int max_ulp;
    bl_dtype result;
    bl_dtype dtypes[CHECK_INPUTS];
    ptrdiff_t stride[CHECK_INPUTS];
    const void *in[CHECK_INPUTS]; /* the element at index 0 */
    size_t inputs;
    size_t n;
    int in_place;
    bool at_end;
    bool may_fail; /* leave elements in that have no result */
    bool small;    /* integers that a kernel may divide as smaller floats */
};

/* What the reference says. */
struct expected {
    size_t n; /* elements before the first without a result */
    unsigned char bytes[CHECK_LONGEST * LARGEST_ELEMENT];
};

/* ---- Operands ------------------------------------------------------------------ */

static size_t extent(const struct trial *trial, size_t j)
{
    const ptrdiff_t stride = trial->stride[j];

    return (trial->n - 1) * (size_t)(stride < 0 ? -stride : stride) + 1;
}

/* Leave an integer of 32 or 64 bits as many as divide.tmpl.h calls small, and its sign. */
static void make_small(bl_dtype dtype, void *element)
{
    const size_t bits = 8 * bl_dtype_size(dtype);
    const unsigned lost = bits == 64 ? 14 : 11;
    uint64_t value = 0;

    memcpy(&value, element, bits / 8);
    value <<= 64 - bits + lost;
    if (bl_dtype_info(dtype)->kind == BL_KIND_INT)
        value = (uint64_t)((int64_t)value >> (64 - bits + lost));
    else
        value >>= 64 - bits + lost + 1;
    memcpy(element, &value, bits / 8);
}

static void draw(struct checker *checker, const struct trial *trial, size_t j,
                 void *element)
{
    random_element(&checker->random, trial->dtypes[j], element);
    if (trial->small)
        make_small(trial->dtypes[j], element);
}

/* Fill the inputs, the gaps between their elements too. */
static void fill_inputs(struct checker *checker, struct trial *trial)
{
    for (size_t j = 0; j < trial->inputs; j++) {
        const size_t size = bl_dtype_size(trial->dtypes[j]);
        const size_t elements = extent(trial, j);
        char *first = guard_place(&checker->in[j], elements * size, trial->at_end);

        if (trial->in_place == CHECK_ALL_ONE && j > 0) {
            trial->in[j] = trial->in[0];
            continue;
        }
        for (size_t i = 0; i < elements; i++)
            draw(checker, trial, j, first + i * size);
        trial->in[j] = trial->stride[j] < 0 ? first + (elements - 1) * size : first;
    }
}

static char *element(const struct trial *trial, size_t j, size_t i)
{
    const size_t size = bl_dtype_size(trial->dtypes[j]);
    const uintptr_t address =
        (uintptr_t)trial->in[j]; /* of memory that is the checker's own */

    return (char *)address + (ptrdiff_t)i * trial->stride[j] * (ptrdiff_t)size;
}

static bool reference(const struct trial *trial, size_t i, void *out)
{
    const void *in[CHECK_INPUTS];

    for (size_t j = 0; j < trial->inputs; j++)
        in[j] = element(trial, j, i);
    return bl_reference_element(&trial->node, trial->dtypes, in, trial->inputs,
                                trial->result, out);
}

/* The reference's results.  Where there is none, another value is drawn, unless failures
 * are what is tried. */
static void expect(struct checker *checker, const struct trial *trial,
                   struct expected *expected)
{
    const size_t size = bl_dtype_size(trial->result);

    for (size_t i = 0; i < trial->n; i++) {
        bool found = reference(trial, i, expected->bytes + i * size);

        for (int attempt = 0; !found && !trial->may_fail && attempt < 50; attempt++) {
            for (size_t j = 0; j < trial->inputs; j++)
                if (trial->stride[j] != 0)
                    draw(checker, trial, j, element(trial, j, i));
            found = reference(trial, i, expected->bytes + i * size);
        }
        if (!found) {
            expected->n = i;
            return;
        }
    }
    expected->n = trial->n;
}

/* ---- Comparison ----------------------------------------------------------------- */

static bool is_copy(const struct trial *trial)
{
    return trial->form == BL_FORM_SELECT || trial->form == BL_FORM_COPY;
}

static bool is_nan(bl_dtype dtype, const void *x)
{
    const double value = bl_value_to_double(dtype, x);

    return value != value;
}

/* How many values of the type lie between two of one sign. */
static uint64_t distance(bl_dtype dtype, const void *a, const void *b)
{
    const uint64_t x = bl_value_raw(dtype, a);
    const uint64_t y = bl_value_raw(dtype, b);

    return x > y ? x - y : y - x;
}

/* A NaN is as good as another, but for copies. */
static bool same(const struct trial *trial, const void *expected, const void *actual)
{
    const bl_dtype dtype = trial->result;

    if (memcmp(expected, actual, bl_dtype_size(dtype)) == 0)
        return true;
    if (is_copy(trial) || bl_dtype_info(dtype)->kind != BL_KIND_FLOAT)
        return false;
    if (is_nan(dtype, expected) || is_nan(dtype, actual))
        return is_nan(dtype, expected) && is_nan(dtype, actual);
    return distance(dtype, expected, actual) <= (uint64_t)trial->max_ulp;
}

static char *hex(const void *bytes, size_t size, char *text)
{
    static const char digits[] = "0123456789abcdef";
    char *at = text;

    for (size_t i = 0; i < size; i++) {
        *at++ = digits[((const unsigned char *)bytes)[i] >> 4];
        *at++ = digits[((const unsigned char *)bytes)[i] & 15];
    }
    *at = '\0';
    return text;
}

static const char *operand_text(const struct trial *trial, size_t j, size_t i, char *text,
                                size_t size)
{
    if (trial->in_place == (int)j || trial->in_place == CHECK_ALL_ONE)
        return "(overwritten)";
    return bl_value_text(trial->dtypes[j], element(trial, j, i), text, size);
}

static void report_element(const struct trial *trial, size_t i, const void *expected,
                           const void *actual)
{
    const size_t size = bl_dtype_size(trial->result);
    char text[4][64], bytes[2][2 * LARGEST_ELEMENT + 1];
    const size_t last = trial->inputs - 1;

    check_report("element %zu is %s (bytes %s), not %s (bytes %s); operands %s%s %s", i,
                 bl_value_text(trial->result, actual, text[0], sizeof text[0]),
                 hex(actual, size, bytes[0]),
                 bl_value_text(trial->result, expected, text[1], sizeof text[1]),
                 hex(expected, size, bytes[1]),
                 operand_text(trial, 0, i, text[2], sizeof text[2]),
                 trial->inputs > 2 ? " ..." : "",
                 operand_text(trial, last, i, text[3], sizeof text[3]));
}

static bool compare(const struct trial *trial, const struct expected *expected,
                    const unsigned char *out)
{
    const size_t size = bl_dtype_size(trial->result);

    for (size_t i = 0; i < expected->n; i++)
        if (!same(trial, expected->bytes + i * size, out + i * size)) {
            report_element(trial, i, expected->bytes + i * size, out + i * size);
            return false;
        }
    return true;
}

/* ---- One call --------------------------------------------------------------------- */

static bool is_legal_place(const struct trial *trial, size_t j)
{
    return trial->stride[j] == 1 &&
           bl_dtype_size(trial->dtypes[j]) == bl_dtype_size(trial->result);
}

/* The memory that out is: its own, or an input's. */
static const struct guard *place_of(const struct checker *checker,
                                    const struct trial *trial)
{
    if (trial->in_place == CHECK_APART)
        return &checker->out;
    return &checker->in[trial->in_place == CHECK_ALL_ONE ? 0 : trial->in_place];
}

static bool call(struct checker *checker, struct trial *trial)
{
    static struct expected expected; /* large */
    const size_t bytes = trial->n * bl_dtype_size(trial->result);
    const struct guard *place = place_of(checker, trial);
    unsigned char *out = guard_place(place, bytes, trial->at_end);
    const struct bl_row row = {.n = trial->n,
                               .out = out,
                               .in = trial->in,
                               .stride = trial->stride,
                               .inputs = trial->inputs,
                               .second =
                                   trial->inputs > 1 ? trial->dtypes[1] : BL_UNDEFINED,
                               .params = &trial->params};

    guard_fill(place);
    fill_inputs(checker, trial);
    expect(checker, trial, &expected);

    check_current.n = trial->n;
    check_current.inputs = trial->inputs;
    check_current.stride = trial->stride;
    check_current.in_place = trial->in_place;
    check_current.at_end = trial->at_end;
    check_current.note = "trapped";
    const size_t done = trial->fn(&row);

    check_current.note = NULL;
    checker->elements += trial->n;
    if (done != expected.n) {
        check_report("returned %zu, not %zu", done, expected.n);
        return false;
    }
    if (!guard_only_wrote(place, out, bytes)) {
        check_report("wrote beside its output");
        return false;
    }
    return compare(trial, &expected, out);
}

/* ---- Every way to call a kernel ------------------------------------------------------ */

/* At both ends of its page, or at one of them by chance. */
static bool call_at(struct checker *checker, struct trial *trial, int place, bool both_ends)
{
    trial->in_place = place;
    trial->at_end = random_bits(&checker->random) % 2 != 0;
    if (!call(checker, trial))
        return false;
    trial->at_end = !trial->at_end;
    return !both_ends || call(checker, trial);
}

/* Out apart, out each input it may be, out all of them. */
static bool call_everywhere(struct checker *checker, struct trial *trial)
{
    bool all_one = trial->inputs > 1;

    if (!call_at(checker, trial, CHECK_APART, true))
        return false;
    for (size_t j = 0; j < trial->inputs; j++) {
        const bool legal = is_legal_place(trial, j);

        all_one &= legal && trial->dtypes[j] == trial->dtypes[0];
        if (legal && !call_at(checker, trial, (int)j, false))
            return false;
    }
    return !all_one || call_at(checker, trial, CHECK_ALL_ONE, false);
}

/* True if each stride has a loop of its own in a kernel: 1 or 0. */
static bool is_fast(const struct trial *trial)
{
    for (size_t j = 0; j < trial->inputs; j++)
        if (trial->stride[j] != 0 && trial->stride[j] != 1)
            return false;
    return true;
}

/* Every length up to more than the widest vector holds, then some around a block. */
static bool call_all_lengths(struct checker *checker, struct trial *trial)
{
    static const size_t longer[] = {128, 255, 511, 512, 513, 1025, CHECK_LONGEST};
    const size_t step = checker->quick ? 7 : is_fast(trial) ? 1 : 3;

    for (trial->n = 1; trial->n <= 70; trial->n += step)
        if (!call_everywhere(checker, trial))
            return false;
    for (size_t i = random_below(&checker->random, 4); i < BL_COUNT_OF(longer); i += 4) {
        trial->n = longer[i];
        if (!call_everywhere(checker, trial))
            return false;
    }
    return true;
}

/* The strides that an operator of 1, 2, 3 inputs is tried with. */
static const struct {
    size_t count;
    ptrdiff_t stride[15][3];
} patterns[] = {
    {5, {{1}, {0}, {2}, {-1}, {3}}},
    {11,
     {{1, 1},
      {1, 0},
      {0, 1},
      {0, 0},
      {2, 3},
      {-1, 1},
      {1, -1},
      {2, 1},
      {1, 3},
      {0, -2},
      {3, 0}}},
    {15,
     {{1, 1, 1},
      {1, 1, 0},
      {1, 0, 1},
      {1, 0, 0},
      {0, 1, 1},
      {0, 0, 1},
      {0, 1, 0},
      {0, 0, 0},
      {1, 2, 1},
      {2, 1, 1},
      {1, 1, 3},
      {-1, 1, 0},
      {3, -2, 2},
      {1, 0, -1},
      {0, 2, -1}}},
};

static bool check_fixed(struct checker *checker, struct trial *trial, bool can_fail)
{
    const ptrdiff_t(*stride)[3] = patterns[trial->inputs - 1].stride;

    for (size_t i = 0; i < patterns[trial->inputs - 1].count; i++) {
        memcpy(trial->stride, stride[i], sizeof stride[i]);
        for (int may_fail = 0; may_fail <= (int)can_fail; may_fail++) {
            trial->may_fail = may_fail != 0;
            if (!call_all_lengths(checker, trial))
                return false;
        }
    }
    return true;
}

/* Any number of inputs: first all contiguous, then of strides by chance. */
static bool check_variadic(struct checker *checker, struct trial *trial)
{
    static const size_t counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, CHECK_INPUTS};
    static const size_t lengths[] = {1, 2, 3, 7, 8, 9, 16, 17, 31, 32, 33, 65, 513, 1025};
    static const ptrdiff_t strides[] = {1, 1, 0, 2, -1, 3};

    for (size_t i = 0; i < 3 * BL_COUNT_OF(counts); i++) {
        trial->inputs = counts[i / 3];
        for (size_t j = 0; j < trial->inputs; j++)
            trial->stride[j] =
                i % 3 == 0 ? 1
                           : strides[random_below(&checker->random, BL_COUNT_OF(strides))];
        const size_t step = trial->inputs > 9 ? 6 : checker->quick ? 3 : 1;

        for (size_t k = i % step; k < BL_COUNT_OF(lengths); k += step) {
            trial->n = lengths[k];
            if ((trial->n < 500 || trial->inputs % 4 == 1) &&
                !call_everywhere(checker, trial))
                return false;
        }
    }
    return true;
}

/* A fixed number of inputs; integers that are divided also where all of them are small. */
static bool check_operands(struct checker *checker, struct trial *trial, enum bl_op_id op)
{
    const bool divides = op == BL_OP_DIV || op == BL_OP_MOD;
    const bool can_be_small = divides && bl_dtype_size(trial->result) >= 4 &&
                              bl_dtype_info(trial->result)->kind != BL_KIND_FLOAT;

    trial->small = false;
    if (!check_fixed(checker, trial, divides || op == BL_OP_POW))
        return false;
    trial->small = can_be_small;
    return !can_be_small || check_fixed(checker, trial, true);
}

static bool try_variants(struct checker *checker, struct trial *trial, enum bl_op_id op)
{
    bool sound = true;

    for (size_t i = 0; i < check_variant_count; i++) {
        if (check_variants[i].op != op)
            continue;
        trial->node.attributes = &check_variants[i].attribute;
        trial->node.attribute_count = 1;
        sound = sound && bl_params_read(&trial->node, &trial->params, NULL) == BL_OK &&
                check_operands(checker, trial, op);
    }
    return sound;
}

bool check_row(struct checker *checker, bl_row_fn fn, enum bl_op_id op, bl_dtype dtype,
               bl_dtype second)
{
    const bl_op *newest = bl_op_find(NULL, bl_op_id_name(op), BL_OPSET_LATEST, NULL);
    const enum bl_form form = bl_op_id_form(op);
    const bool gives_bool = newest->outputs[0].dtypes == BL_SET(BL_BOOL);
    struct trial trial = {.fn = fn,
                          .node = {.op = newest},
                          .form = form,
                          .max_ulp = newest->max_ulp,
                          .result = gives_bool ? BL_BOOL : dtype,
                          .inputs = newest->input_count};

    for (size_t j = 0; j < CHECK_INPUTS; j++)
        trial.dtypes[j] = dtype;
    if (form == BL_FORM_SELECT)
        trial.dtypes[0] = BL_BOOL;
    if (form == BL_FORM_POW)
        trial.dtypes[1] = second;
    if (op == BL_OP_BITSHIFT || op == BL_OP_MOD)
        return try_variants(checker, &trial, op);
    if (bl_params_read(&trial.node, &trial.params, NULL) != BL_OK)
        return false;
    return form == BL_FORM_VARIADIC ? check_variadic(checker, &trial)
                                    : check_operands(checker, &trial, op);
}

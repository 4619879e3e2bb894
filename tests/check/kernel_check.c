/*
 * kernel_check.c - every kernel of every tier this machine has, against the reference
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   kernel_check [--tier baseline|avx2|avx512] [--quick]
 *
 * A tier's kernels are tried if it brings a better one than the tiers below it.  The tables
 * are held against ops.def: a kernel for every type that any version of an operator allows,
 * and no other.
 */
#include "kernel_check.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "ops/types.h"

struct check_call check_current;

/* ---- Messages ----------------------------------------------------------------------- */

static int describe(char *text, size_t size)
{
    const struct check_call *now = &check_current;
    int length = snprintf(text, size, "%s %s %s", now->tier, now->kernel,
                          now->dtype != BL_UNDEFINED ? bl_dtype_name(now->dtype) : "");

    if (now->second != now->dtype)
        length += snprintf(text + length, size - (size_t)length, " to %s",
                           bl_dtype_name(now->second));
    length += snprintf(text + length, size - (size_t)length, ": n %zu, %zu inputs, strides",
                       now->n, now->inputs);
    for (size_t j = 0; j < now->inputs && j < 9; j++)
        length += snprintf(text + length, size - (size_t)length, " %td", now->stride[j]);
    if (now->in_place == CHECK_ALL_ONE)
        length += snprintf(text + length, size - (size_t)length, ", out is every input");
    else if (now->in_place != CHECK_APART)
        length += snprintf(text + length, size - (size_t)length, ", out is input %d",
                           now->in_place);
    length += snprintf(text + length, size - (size_t)length,
                       ", at the %s of its page: ", now->at_end ? "end" : "start");
    return length;
}

void check_report(const char *format, ...)
{
    char text[512];
    va_list arguments;

    describe(text, sizeof text);
    fputs(text, stdout);
    va_start(arguments, format);
    vfprintf(stdout, format, arguments);
    va_end(arguments);
    fputc('\n', stdout);
}

/* The trap came from the thread itself, in a kernel or the reference, so stdio's own state
 * is sound; the text is formatted in a buffer all the same, and written past stdio. */
static void on_trap(int number)
{
    char text[600];
    int length = describe(text, 512);

    length +=
        snprintf(text + length, sizeof text - (size_t)length, "%s, %s\n",
                 check_current.note != NULL ? "the kernel trapped" : "a trap outside it",
                 number == SIGSEGV  ? "outside its buffers (SIGSEGV)"
                 : number == SIGBUS ? "outside its buffers (SIGBUS)"
                 : number == SIGFPE ? "in arithmetic (SIGFPE)"
                                    : "by an illegal instruction (SIGILL)");
    if (write(STDOUT_FILENO, text, (size_t)length) < 0)
        _exit(2);
    _exit(1);
}

static void catch_traps(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    struct sigaction action = {.sa_handler = on_trap};

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < BL_COUNT_OF(numbers); i++)
        sigaction(numbers[i], &action, NULL);
}

/* ---- The tables ------------------------------------------------------------------------
 */

/* True for the operators that are tried here: pointwise ones on any operands.  Clip's bounds are
 * single values, and Cast goes from every type to every other: they have a test of their own. */
static bool is_tried(enum bl_op_id id)
{
    const enum bl_form form = bl_op_id_form(id);

    return bl_form_is_pointwise(form) && form != BL_FORM_CLIP && form != BL_FORM_CAST;
}

/* The types that any version of an operator allows for the input that a table goes by. */
static uint64_t allowed(enum bl_op_id id)
{
    uint64_t set = 0;

    for (size_t i = 0; i < bl_op_count(); i++) {
        const bl_op *op = bl_op_at(i);

        if (strcmp(op->name, bl_op_id_name(id)) == 0)
            set |= op->inputs[bl_op_id_form(id) == BL_FORM_SELECT ? 1 : 0].dtypes;
    }
    return set;
}

static bool check_entry(const char *table, bool is_there, bool should_be, bl_dtype dtype)
{
    if (is_there == should_be)
        return true;
    printf("%s, %s: %s\n", table, bl_dtype_name(dtype),
           is_there ? "a kernel for a type that is not allowed" : "no kernel");
    return false;
}

/* All types have the kernels they need, already in the baseline.  Returns false if not. */
static bool check_tables(const struct bl_kernels *kernels)
{
    bool sound = true;

    for (int dtype = 1; dtype < BL_DTYPE_COUNT; dtype++) {
        const bool gemm = allowed(BL_OP_GEMM) >> dtype & 1;
        const bl_dtype accumulator = bl_accumulator((bl_dtype)dtype);

        for (int op = 0; op < BL_OP_ID_COUNT; op++)
            if (is_tried((enum bl_op_id)op))
                sound &= check_entry(
                    bl_op_id_name((enum bl_op_id)op), kernels->row[op][dtype] != NULL,
                    allowed((enum bl_op_id)op) >> dtype & 1, (bl_dtype)dtype);
        sound &= check_entry("Gemm's accumulators", accumulator != BL_UNDEFINED, gemm,
                             (bl_dtype)dtype);
        sound &= check_entry("widen", kernels->widen[dtype] != NULL, gemm, (bl_dtype)dtype);
        sound &=
            check_entry("narrow", kernels->narrow[dtype] != NULL, gemm, (bl_dtype)dtype);
        if (gemm)
            sound &= check_entry("product", kernels->product[accumulator] != NULL, true,
                                 accumulator);
    }
    return sound;
}

/* ---- A tier
 * ------------------------------------------------------------------------------ */

struct totals {
    unsigned passed, failed;
};

static void count(struct totals *totals, bool passed)
{
    fflush(stdout);
    if (passed)
        totals->passed++;
    else
        totals->failed++;
}

static void begin(const char *kernel, bl_dtype dtype, bl_dtype second)
{
    check_current.kernel = kernel;
    check_current.dtype = dtype;
    check_current.second = second;
    check_current.in_place = CHECK_APART;
}

/* One entry of the table: for Pow, with every type of exponent. */
static void try_row(struct checker *checker, bl_row_fn fn, enum bl_op_id op, bl_dtype dtype,
                    struct totals *totals)
{
    const bl_op *newest = bl_op_find(NULL, bl_op_id_name(op), BL_OPSET_LATEST, NULL);
    const bool pow = bl_op_id_form(op) == BL_FORM_POW;
    const uint64_t seconds = pow ? newest->inputs[1].dtypes : BL_SET(dtype);

    for (int second = 1; second < BL_DTYPE_COUNT; second++) {
        if (!(seconds >> second & 1))
            continue;
        begin(newest->name, dtype, (bl_dtype)second);
        count(totals, check_row(checker, fn, op, dtype, (bl_dtype)second));
    }
}

/* The kernels of `now` that are not those of `below`. */
static void try_new(struct checker *checker, const struct bl_kernels *now,
                    const struct bl_kernels *below, struct totals *totals)
{
    for (int d = 1; d < BL_DTYPE_COUNT; d++) {
        const bl_dtype dtype = (bl_dtype)d;

        for (int op = 0; op < BL_OP_ID_COUNT; op++)
            if (is_tried((enum bl_op_id)op) && now->row[op][d] != below->row[op][d])
                try_row(checker, now->row[op][d], (enum bl_op_id)op, dtype, totals);
        begin("product", dtype, dtype);
        if (now->product[d] != below->product[d])
            count(totals, check_product(checker, now->product[d], dtype));
        begin("widen", dtype, dtype);
        if (now->widen[d] != below->widen[d])
            count(totals, check_widen(checker, now->widen[d], dtype));
        begin("narrow", dtype, dtype);
        if (now->narrow[d] != below->narrow[d])
            count(totals, check_narrow(checker, now->narrow[d], dtype));
    }
}

static void try_tier(struct checker *checker, enum bl_isa tier, struct totals *totals)
{
    const uint32_t have = bl_cpu_tiers();
    const uint32_t lower = (UINT32_C(1) << tier) - 1;
    struct bl_kernels now, below = {0};
    struct totals own = {0, 0};

    bl_kernels_resolve(&now, have & (lower << 1 | 1));
    if (tier != BL_TIER_BASELINE)
        bl_kernels_resolve(&below, have & lower);
    check_current.tier = bl_tier_name(tier);
    checker->elements = 0;
    try_new(checker, &now, &below, &own);
    printf("%s: %u kernels, %lu elements: %s\n", bl_tier_name(tier),
           own.passed + own.failed, checker->elements, own.failed == 0 ? "right" : "WRONG");
    fflush(stdout);
    totals->passed += own.passed;
    totals->failed += own.failed;
}

/* ---- The program
 * ---------------------------------------------------------------------------- */

static bool map_memory(struct checker *checker)
{
    const size_t size = (size_t)CHECK_LONGEST * 16 * 3;

    for (size_t j = 0; j < CHECK_INPUTS; j++)
        if (!guard_map(&checker->in[j], size))
            return false;
    return guard_map(&checker->out, size);
}

/* Tiers to try, as a mask; 0 if the arguments are wrong. */
static uint32_t parse(int argc, char **argv, bool *quick)
{
    uint32_t tiers = bl_cpu_tiers();

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            *quick = true;
        } else if (strcmp(argv[i], "--tier") == 0 && i + 1 < argc) {
            uint32_t named = 0;

            i++;
            for (int tier = 0; tier < BL_TIER_COUNT; tier++)
                if (strcmp(argv[i], bl_tier_name((enum bl_isa)tier)) == 0)
                    named = UINT32_C(1) << tier;
            if ((named & tiers) == 0)
                fprintf(stderr, "no tier '%s' on this machine\n", argv[i]);
            tiers &= named;
        } else {
            fprintf(stderr, "usage: %s [--tier baseline|avx2|avx512] [--quick]\n", argv[0]);
            return 0;
        }
    }
    return tiers;
}

int main(int argc, char **argv)
{
    static struct checker checker = {.random = 0x9E3779B97F4A7C15};
    const uint32_t tiers = parse(argc, argv, &checker.quick);
    struct totals totals = {0, 0};
    struct bl_kernels baseline;

    if (tiers == 0)
        return 2;
    if (!map_memory(&checker)) {
        fprintf(stderr, "no memory\n");
        return 2;
    }
    catch_traps();
    bl_kernels_resolve(&baseline, 0);
    count(&totals, check_tables(&baseline));
    for (int tier = 0; tier < BL_TIER_COUNT; tier++)
        if (tiers >> tier & 1)
            try_tier(&checker, (enum bl_isa)tier, &totals);
    printf("%u passed, %u failed\n", totals.passed, totals.failed);
    return totals.failed != 0;
}

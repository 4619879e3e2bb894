/*
 * gpu_bench.c - how near a GPU's steps come to the rate at which it copies
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * usage: gpu_bench [--backend NAME] [--bytes N] [--runs N] [--warm SECONDS] [--filter TEXT]
 *                  [--json FILE] [--markdown FILE]
 * Each case runs on tensors of the device, the largest input N bytes long (256 MiB by default), as
 * often as --runs says (20).  Times are the device's own.  A round is a copy by the driver, one by a
 * shader (Identity), and the case; many rounds are one submission, and before they count the device is
 * kept busy for a while (0.5 s), so that its clock is up.  The medians are compared, with the better
 * copy's.  What a case reads and writes counts once.  Judges nothing: exits with 0 where all ran.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/context.h"
#include "gpu_bench.h"

enum { MOST_RUNS = 1000 };

struct request {
    const char *backend, *filter, *json, *markdown;
    int64_t bytes;
    int runs;
    double warm;
};

struct result {
    const struct bench_case *what;
    double seconds, copy_seconds, fill_seconds; /* medians */
    int64_t bytes;
    size_t steps;
    char problem[256]; /* "": it ran */
};

static bl_error err;

static void give_up(const char *what)
{
    fprintf(stderr, "gpu_bench: %s\n", what);
    exit(2);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, by_size);
    return times[count / 2];
}

/* ---- Tensors ----------------------------------------------------------------------------------- */

static const struct bench_shape *shape_of(const struct bench_case *what, size_t i)
{
    return &what->shape[what->alike ? 0 : i];
}

/* What stands for -1, so that the output of a case takes the bytes that are asked for. */
static int64_t free_dim(const struct bench_case *what, int64_t bytes)
{
    int64_t row = (int64_t)bl_dtype_size(what->dtype);

    for (int axis = 0; axis < MOST_AXES; axis++) {
        int64_t most = 1;

        for (size_t i = 0; i < what->input_count; i++) {
            const struct bench_shape *shape = shape_of(what, i);
            const int at = shape->rank - 1 - axis;

            if (at >= 0 && shape->dim[at] > most)
                most = shape->dim[at];
        }
        row *= most;
    }
    return bytes / row > 0 ? bytes / row : 1;
}

/* Small numbers, of which none is zero and many differ. */
static void fill(bl_tensor *tensor, uint64_t seed)
{
    const bl_dtype dtype = bl_tensor_dtype(tensor);
    const int64_t count = bl_tensor_count(tensor);
    void *data = bl_tensor_mutable_data(tensor);

    for (int64_t i = 0; i < count; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        const int number = (int)(seed >> 33) % 100 + 1;

        switch (bl_dtype_size(dtype)) {
        case 1:
            ((int8_t *)data)[i] = (int8_t)(dtype == BL_BOOL ? number & 1 : number);
            break;
        case 2: /* 1 to 2, roughly, in both formats of 16 bits */
            ((uint16_t *)data)[i] =
                (uint16_t)((dtype == BL_FLOAT16 ? 0x3C00 : 0x3F80) + number);
            break;
        case 4:
            if (dtype == BL_FLOAT32)
                ((float *)data)[i] = (float)number / 32;
            else
                ((int32_t *)data)[i] = number;
            break;
        default:
            if (dtype == BL_FLOAT64)
                ((double *)data)[i] = (double)number / 32;
            else
                ((int64_t *)data)[i] = number;
        }
    }
}

/* A tensor on the device; scalars stay on the host, as a user's would. */
static bl_tensor *make_input(bl_context *context, bl_dtype dtype,
                             const struct bench_shape *from, int64_t free, uint64_t seed)
{
    bl_shape shape = {.rank = from->rank};

    for (int axis = 0; axis < from->rank; axis++)
        shape.dim[axis] = from->dim[axis] < 0 ? free : from->dim[axis];
    bl_tensor *host = bl_tensor_new(NULL, dtype, &shape, &err);

    if (host == NULL)
        return NULL;
    fill(host, seed);
    if (shape.rank == 0)
        return host;
    bl_tensor *tensor = bl_tensor_new_on_device(context, dtype, &shape, &err);

    if (tensor != NULL && bl_tensor_upload(tensor, bl_tensor_data(host), &err) != BL_OK) {
        bl_tensor_free(tensor);
        tensor = NULL;
    }
    bl_tensor_free(host);
    return tensor;
}

/* ---- Running ----------------------------------------------------------------------------------- */

/* A case that is ready to run. */
struct ready {
    const struct bench_case *what;
    bl_context *context;
    bl_tensor *inputs[MOST_INPUTS];
    bl_tensor *output;
    unsigned char *bytes;
    bl_model *model; /* NULL: one operator */
    bl_session *session;
};

static bool set_up(struct ready *ready, int64_t bytes)
{
    const struct bench_case *what = ready->what;
    const int64_t free = free_dim(what, bytes);
    size_t size;

    for (size_t i = 0; i < what->input_count; i++) {
        const bool is_condition = i == 0 && strcmp(what->nodes, "Where") == 0;

        ready->inputs[i] = make_input(ready->context, is_condition ? BL_BOOL : what->dtype,
                                      shape_of(what, i), free, i + 1);
        if (ready->inputs[i] == NULL)
            return false;
    }
    if (strchr(what->nodes, ' ') == NULL)
        return true;
    ready->bytes = bench_model(what, &size);
    ready->model = bl_model_open_memory(NULL, ready->bytes, size, NULL, &err);
    if (ready->model != NULL)
        ready->session = bl_session_new(ready->context, ready->model, NULL, &err);
    return ready->session != NULL;
}

static void tear_down(struct ready *ready)
{
    bl_session_free(ready->session);
    bl_model_free(ready->model);
    free(ready->bytes);
    bl_tensor_free(ready->output);
    for (size_t i = 0; i < ready->what->input_count; i++)
        bl_tensor_free(ready->inputs[i]);
}

/* One run, into the output of the first. */
static bool run(struct ready *ready)
{
    const bl_tensor *const *inputs = (const bl_tensor *const *)ready->inputs;
    const struct bench_case *what = ready->what;

    if (ready->session != NULL)
        return bl_session_run(ready->session, inputs, &ready->output, &err) == BL_OK;
    const bl_node node = {.op = bl_op_find(NULL, what->nodes, 21, &err)};

    return node.op != NULL && bl_apply(ready->context, &node, inputs, what->input_count,
                                       &ready->output, 1, &err) == BL_OK;
}

/* The device's copies, of as many bytes as a case's largest input. */
struct copies {
    bl_tensor *from, *to;
};

/* What the last run moved, and in how many steps. */
static void read_work(const bl_context *context, struct result *result)
{
    bl_timing timing;

    result->bytes = 0;
    for (result->steps = 0; bl_context_timing(context, result->steps, &timing);
         result->steps++)
        result->bytes += timing.bytes;
}

/* Add a round of two copies, a fill and the case. */
static bool add_round(struct ready *ready, struct copies *copies)
{
    const bl_node identity = {.op = bl_op_find(NULL, "Identity", 21, &err)};
    const bl_tensor *from = copies->from;

    return identity.op != NULL &&
           bl_vk_add_copy(ready->context->exec.device, copies->from->data, copies->to->data,
                          bl_tensor_bytes(copies->from), &err) == BL_OK &&
           bl_apply(ready->context, &identity, &from, 1, &copies->to, 1, &err) == BL_OK &&
           bl_vk_add_fill(ready->context->exec.device, copies->to->data,
                          bl_tensor_bytes(copies->to), &err) == BL_OK &&
           run(ready);
}

/* Submit so many rounds together. */
static bool run_rounds(struct ready *ready, struct copies *copies, int rounds)
{
    struct bl_exec *exec = &ready->context->exec;
    int64_t failed;

    bl_context_forget_timings(ready->context);
    exec->gathers = true;
    for (int i = 0; i < rounds; i++)
        if (!add_round(ready, copies)) {
            exec->gathers = false;
            bl_vk_drop(exec->device);
            return false;
        }
    exec->gathers = false;
    return bl_exec_finish(exec, &failed, &err) == BL_OK;
}

/* The times of the rounds: the driver's copies, the shader's, fills, the case. */
static double read_rounds(const struct ready *ready, const struct result *result,
                          int rounds, double (*times)[MOST_RUNS])
{
    const struct bl_vk *device = ready->context->exec.device;
    double all = 0;
    size_t at = 0;

    for (int i = 0; i < rounds; i++) {
        times[0][i] = bl_vk_seconds(device, at++);
        times[1][i] = bl_vk_seconds(device, at++);
        times[2][i] = bl_vk_seconds(device, at++);
        times[3][i] = 0;
        for (size_t step = 0; step < result->steps; step++)
            times[3][i] += bl_vk_seconds(device, at++);
        all += times[0][i] + times[1][i] + times[2][i] + times[3][i];
    }
    return all;
}

static bool measure(struct ready *ready, const struct request *request,
                    struct copies *copies, struct result *result)
{
    static double times[4][MOST_RUNS];
    double busy = 0;

    bl_context_forget_timings(ready->context);
    if (!set_up(ready, request->bytes) || !run(ready)) /* which compiles the shader */
        return false;
    read_work(ready->context, result);
    do { /* the last rounds count */
        if (!run_rounds(ready, copies, request->runs))
            return false;
        const double seconds = read_rounds(ready, result, request->runs, times);

        busy += seconds > 1e-6 ? seconds : 1e-6;
    } while (busy < request->warm);
    if (request->warm > 0 && (!run_rounds(ready, copies, request->runs) ||
                              read_rounds(ready, result, request->runs, times) <= 0))
        return false;
    const double by_driver = median(times[0], request->runs);
    const double by_shader = median(times[1], request->runs);

    result->fill_seconds = median(times[2], request->runs);
    result->seconds = median(times[3], request->runs);
    result->copy_seconds = by_driver < by_shader ? by_driver : by_shader;
    return true;
}

static double share_of(const struct result *result, const struct request *request)
{
    const double rate = (double)result->bytes / result->seconds;

    return rate / (2 * (double)request->bytes / result->copy_seconds);
}

/* ---- Reports ----------------------------------------------------------------------------------- */

static void write_markdown(FILE *out, const struct request *request, const char *device,
                           const struct result *results, size_t count)
{
    fprintf(out, "%s, %lld bytes, medians of %d runs by the device's clock\n\n", device,
            (long long)request->bytes, request->runs);
    fprintf(
        out,
        "| case | steps | bytes moved | us | GB/s | copy GB/s | fill GB/s | share | target "
        "|\n|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < count; i++) {
        const struct result *result = &results[i];

        if (result->problem[0] != '\0') {
            fprintf(out, "| %s | | | | | | | %s | |\n", result->what->name,
                    result->problem);
            continue;
        }
        fprintf(out, "| %s | %zu | %lld | %.1f | %.1f | %.1f | %.1f | %.3f | ",
                result->what->name, result->steps, (long long)result->bytes,
                1e6 * result->seconds, 1e-9 * (double)result->bytes / result->seconds,
                2e-9 * (double)request->bytes / result->copy_seconds,
                1e-9 * (double)request->bytes / result->fill_seconds,
                share_of(result, request));
        if (result->what->target > 0)
            fprintf(out, "%.2f |\n", result->what->target);
        else
            fprintf(out, "- |\n");
    }
}

static void write_json(FILE *out, const struct request *request, const char *device,
                       const struct result *results, size_t count)
{
    fprintf(out, "{\"device\": \"%s\", \"bytes\": %lld, \"runs\": %d, \"cases\": [", device,
            (long long)request->bytes, request->runs);
    for (size_t i = 0; i < count; i++) {
        const struct result *result = &results[i];

        fprintf(out, "%s\n  {\"name\": \"%s\", ", i > 0 ? "," : "", result->what->name);
        if (result->problem[0] != '\0')
            fprintf(out, "\"problem\": \"%s\"}", result->problem);
        else
            fprintf(out,
                    "\"steps\": %zu, \"bytes\": %lld, \"seconds\": %.9g, "
                    "\"copy_seconds\": %.9g, \"fill_seconds\": %.9g, \"share\": %.4f, "
                    "\"target\": %.2f}",
                    result->steps, (long long)result->bytes, result->seconds,
                    result->copy_seconds, result->fill_seconds, share_of(result, request),
                    result->what->target);
    }
    fprintf(out, "\n]}\n");
}

typedef void report_writer(FILE *out, const struct request *request, const char *device,
                           const struct result *results, size_t count);

static void write_report(const char *path, report_writer *write,
                         const struct request *request, const char *device,
                         const struct result *results, size_t count)
{
    FILE *out = path != NULL ? fopen(path, "w") : NULL;

    if (path == NULL)
        return;
    if (out == NULL)
        give_up("a report cannot be written");
    write(out, request, device, results, count);
    if (fclose(out) != 0)
        give_up("a report cannot be written");
}

/* ---- The program ------------------------------------------------------------------------------- */

static void read_request(int argc, char **argv, struct request *request)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--backend") == 0)
            request->backend = argv[i + 1];
        else if (strcmp(argv[i], "--filter") == 0)
            request->filter = argv[i + 1];
        else if (strcmp(argv[i], "--json") == 0)
            request->json = argv[i + 1];
        else if (strcmp(argv[i], "--markdown") == 0)
            request->markdown = argv[i + 1];
        else if (strcmp(argv[i], "--bytes") == 0)
            request->bytes = strtoll(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--warm") == 0)
            request->warm = strtod(argv[i + 1], NULL);
        else if (strcmp(argv[i], "--runs") == 0)
            request->runs = (int)strtol(argv[i + 1], NULL, 10);
        else
            give_up("unknown option; see the head of gpu_bench.c");
    }
    if (argc % 2 == 0 || request->bytes < 1024 || request->bytes % 4 != 0 ||
        request->runs < 1 || request->runs > MOST_RUNS)
        give_up("each option takes a value; --bytes from 1024 by 4, --runs from 1 to 1000");
}

/* Quotes and backslashes would end a string of JSON. */
static void clean(char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\' || *text == '|')
            *text = '\'';
}

static size_t run_all(const struct request *request, bl_context *context,
                      struct result *results)
{
    const bl_shape shape = {1, {request->bytes / 4}};
    struct copies copies = {
        bl_tensor_new_on_device(context, BL_FLOAT32, &shape, &err),
        bl_tensor_new_on_device(context, BL_FLOAT32, &shape, &err),
    };
    size_t count = 0;

    if (copies.from == NULL || copies.to == NULL)
        give_up(err.message);
    for (size_t i = 0; i < bench_case_count; i++) {
        struct ready ready = {.what = &bench_cases[i], .context = context};
        struct result *result = &results[count];

        if (request->filter != NULL && strstr(ready.what->name, request->filter) == NULL)
            continue;
        *result = (struct result){.what = ready.what};
        if (!measure(&ready, request, &copies, result)) {
            snprintf(result->problem, sizeof result->problem, "%.250s", err.message);
            clean(result->problem);
        }
        tear_down(&ready);
        fprintf(stderr, "%-36s %s%.3f\n", ready.what->name, result->problem,
                result->problem[0] == '\0' ? share_of(result, request) : 0);
        count++;
    }
    bl_tensor_free(copies.from);
    bl_tensor_free(copies.to);
    return count;
}

int main(int argc, char **argv)
{
    static struct result results[64];
    struct request request = {
        .backend = "vulkan", .bytes = (int64_t)256 << 20, .runs = 20, .warm = 0.5};
    bl_context_options options = BL_CONTEXT_DEFAULTS;
    char device[256];
    int problems = 0;

    read_request(argc, argv, &request);
    options.backend = request.backend;
    options.timed = 1;
    bl_context *context = bl_context_new(&options, &err);

    if (context == NULL)
        give_up(err.message);
    if (context->exec.device == NULL)
        give_up("the backend is no GPU");
    snprintf(device, sizeof device, "%s", bl_vk_name(context->exec.device));
    clean(device);
    const size_t count = run_all(&request, context, results);

    write_markdown(stdout, &request, device, results, count);
    write_report(request.markdown, write_markdown, &request, device, results, count);
    write_report(request.json, write_json, &request, device, results, count);
    for (size_t i = 0; i < count; i++)
        problems += results[i].problem[0] != '\0';
    bl_context_free(context);
    return problems > 0;
}

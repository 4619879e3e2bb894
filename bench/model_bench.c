/*
 * model_bench.c - how fast a large and a long model open, plan and run
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * usage: model_bench [FOLDER]
 * Makes two models in a temporary folder (below FOLDER, else TMPDIR, else /tmp): one with 500 MB of
 * weights, which is opened; one that is a chain of 5,000 nodes, which is opened, planned and run.  Prints
 * the median and the best of seven runs, and judges nothing.
 */
#define _DEFAULT_SOURCE /* mkdtemp, getrusage */
#include "tests/unit/onnx_bytes.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WEIGHTS = 125000000, NODES = 5000, RUNS = 7 };

static bl_error err;

static void give_up(const char *what)
{
    fprintf(stderr, "model_bench: %s\n", what);
    exit(2);
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void report(const char *what, double *times)
{
    qsort(times, RUNS, sizeof *times, by_size);
    printf("%-52s %8.3f ms median, %8.3f ms best\n", what, 1e3 * times[RUNS / 2],
           1e3 * times[0]);
}

/* ---- 500 MB -------------------------------------------------------------------------------- */

static void write_large(const char *path)
{
    float *weights = calloc(WEIGHTS, sizeof *weights);
    struct bytes graph = {NULL, 0, 0};

    if (weights == NULL)
        give_up("out of memory for the weights");
    add_node(&graph, "Add", "x w", "y");
    add_initializer(&graph, "w", BL_SHAPE(WEIGHTS), weights);
    add_inputs(&graph, "x", WEIGHTS);
    add_outputs(&graph, "y", WEIGHTS);
    struct bytes model = model_bytes(8, 13, &graph);
    FILE *file = fopen(path, "wb");

    if (file == NULL || fwrite(model.data, 1, model.size, file) != model.size ||
        fclose(file) != 0)
        give_up("cannot write the large model");
    bytes_free(&model);
    free(weights);
}

static void bench_large(const char *path)
{
    struct rusage before, after;
    double times[RUNS];

    getrusage(RUSAGE_SELF, &before);
    for (int run = 0; run < RUNS; run++) {
        const double start = seconds();
        bl_model *model = bl_model_open(NULL, path, &err);

        times[run] = seconds() - start;
        if (model == NULL)
            give_up(err.message);
        bl_model_free(model);
    }
    getrusage(RUSAGE_SELF, &after);
    report("open a model with 500 MB of weights", times);
    printf("%-52s %8ld kB beyond what the process had before\n", "  peak memory",
           after.ru_maxrss - before.ru_maxrss);
}

/* ---- 5,000 nodes --------------------------------------------------------------------------- */

static struct bytes long_model(void)
{
    static const float one = 1;
    struct bytes graph = {NULL, 0, 0};
    char in[32] = "x one", out[16];

    for (int i = 0; i < NODES; i++) {
        snprintf(out, sizeof out, i + 1 < NODES ? "t%d" : "y", i);
        add_node(&graph, i % 2 == 0 ? "Add" : "Mul", in, out);
        snprintf(in, sizeof in, "%s one", out);
    }
    add_initializer(&graph, "one", BL_SHAPE(1), &one);
    add_inputs(&graph, "x", 1000);
    add_outputs(&graph, "y", 1000);
    return model_bytes(8, 13, &graph);
}

/* Opens, plans with the first run, and runs again; the times of each. */
static void run_long(bl_context *context, const struct bytes *bytes, int no_fuse,
                     double *times)
{
    const bl_session_options options = {sizeof options, no_fuse};
    bl_tensor *x = bl_tensor_new(context, BL_FLOAT32, BL_SHAPE(1000), &err);
    const bl_tensor *in = x;
    double start = seconds();
    bl_model *model = bl_model_open_memory(context, bytes->data, bytes->size, NULL, &err);
    bl_session *session =
        model != NULL ? bl_session_new(context, model, &options, &err) : NULL;

    if (session == NULL)
        give_up(err.message);
    times[0] = seconds() - start;
    for (int run = 0; run < 2; run++) {
        bl_tensor *out = NULL;

        start = seconds();
        if (bl_session_run(session, &in, &out, &err) != BL_OK)
            give_up(err.message);
        times[1 + run] = seconds() - start;
        bl_tensor_free(out);
    }
    bl_session_free(session);
    bl_model_free(model);
    bl_tensor_free(x);
}

static void bench_long(bl_context *context, int no_fuse)
{
    static const char *const names[2][3] = {
        {"open a chain of 5,000 nodes", "  plan it and run it, fused, 1,000 elements",
         "  run it again"},
        {"the same, node by node: open", "  run it", "  run it again"}};
    double times[3][RUNS], one[3];
    struct bytes bytes = long_model();

    for (int run = 0; run < RUNS; run++) {
        run_long(context, &bytes, no_fuse, one);
        for (int i = 0; i < 3; i++)
            times[i][run] = one[i];
    }
    for (int i = 0; i < 3; i++)
        report(names[no_fuse][i], times[i]);
    bytes_free(&bytes);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : getenv("TMPDIR");
    char path[4096];
    bl_context *context = bl_context_new(NULL, &err);

    if (context == NULL)
        give_up(err.message);
    snprintf(path, sizeof path, "%s/model_bench_XXXXXX", folder != NULL ? folder : "/tmp");
    const int fd = mkstemp(path);

    if (fd < 0)
        give_up("cannot make a file in the temporary folder");
    close(fd);
    /* In a process of its own, so that its memory does not count. */
    const pid_t writer = fork();
    int status = 0;

    if (writer == 0) {
        write_large(path);
        _exit(0);
    }
    if (writer < 0 || waitpid(writer, &status, 0) != writer || status != 0)
        give_up("the large model was not written");
    bench_large(path);
    remove(path);
    bench_long(context, 0);
    bench_long(context, 1);
    bl_context_free(context);
    return 0;
}

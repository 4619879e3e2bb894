/*
 * arguments_fuzz.c - fuzz target: the tool's command line
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bytes are lines, an argument each; the whole tool runs with them, in a folder with a model, a
 * tensor and a fixture ("model.onnx", "x.npy", "cases.json").  What it writes there is removed.
 */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/dims.h"
#include "cli/tool.h"
#include "fuzz/fuzz.h"
#include "onnx_bytes.h"

enum { MOST_ARGUMENTS = 32, MOST_ELEMENTS = 65536 };

static const char cases[] = "{\"op\": \"ai.onnx.Neg\", \"cases\": [{\"name\": \"one\", "
                            "\"inputs\": {\"x\": {\"dtype\": "
                            "\"int8\", \"shape\": [1], \"data\": {\"kind\": \"values\", "
                            "\"values\": [1]}}}, \"outputs\": "
                            "{\"y\": {\"dtype\": \"int8\", \"shape\": [1], \"data\": "
                            "{\"kind\": \"values\", \"values\": "
                            "[-1]}}}}]}";

/* ---- The folder ------------------------------------------------------------------------------ */

/* What the arguments may name.  `inode` changes when the tool has put an output in its place. */
static struct {
    const char *name;
    ino_t inode;
} files[] = {{"model.onnx", 0}, {"x.npy", 0}, {"cases.json", 0}};

static ino_t inode_of(const char *name)
{
    struct stat info;

    return stat(name, &info) == 0 ? info.st_ino : 0;
}

static void make_files(void)
{
    struct bytes graph = add_constant_graph();
    struct bytes model = model_bytes(8, 13, &graph);
    bl_tensor *tensor = bl_tensor_new(NULL, BL_FLOAT32, BL_SHAPE(3), NULL);

    fuzz_write("model.onnx", model.data, model.size);
    fuzz_write("cases.json", cases, sizeof cases - 1);
    if (tensor == NULL || bl_tensor_write(tensor, "x.npy", BL_FORMAT_NPY, NULL) != BL_OK)
        fuzz_fail("cannot make a tensor's file");
    bl_tensor_free(tensor);
    bytes_free(&model);
    for (size_t i = 0; i < BL_COUNT_OF(files); i++)
        files[i].inode = inode_of(files[i].name);
}

static bool is_ours(const char *name)
{
    for (size_t i = 0; i < BL_COUNT_OF(files); i++)
        if (strcmp(files[i].name, name) == 0)
            return true;
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Have the folder as it was. */
static void restore_folder(void)
{
    DIR *folder = opendir(".");
    struct dirent *entry;
    bool is_whole = true;

    while (folder != NULL && (entry = readdir(folder)) != NULL)
        if (!is_ours(entry->d_name))
            fuzz_remove(entry->d_name);
    if (folder != NULL)
        closedir(folder);
    for (size_t i = 0; i < BL_COUNT_OF(files); i++)
        is_whole &= files[i].inode != 0 && inode_of(files[i].name) == files[i].inode;
    if (!is_whole)
        make_files();
}

/* ---- The arguments ------------------------------------------------------------------------------ */

/* True for a literal that is a lot of work, and has memory to be done in. */
static bool is_large(const char *argument)
{
    const char *bracket = strchr(argument, '[');
    bl_shape shape;
    int64_t count;

    if (bracket == NULL)
        return false;
    bracket++;
    return bl_dims_read(&bracket, &shape, NULL) == BL_OK &&
           bl_shape_count(&shape, &count, NULL) == BL_OK && count > MOST_ELEMENTS &&
           count < INT64_C(1) << 40;
}

/* What would write elsewhere, start a program, or run again and again because it
 * was told to. */
static bool is_left_out(const char *argument)
{
    const bool is_letters = argument[0] == '-' && argument[1] != '-';

    return strchr(argument, '/') != NULL || strstr(argument, "..") != NULL ||
           strstr(argument, "svg") != NULL || strncmp(argument, "--re", 4) == 0 ||
           is_large(argument) || (is_letters && strchr(argument, 'n') != NULL);
}

/* Cut the text into words[1..]; how many there are with words[0], 0 for what is left out. */
static int cut(char *text, char **words)
{
    static char name[] = "broadloom";
    int count = 0;

    words[count++] = name;
    for (char *line = strtok(text, "\n"); line != NULL && count < MOST_ARGUMENTS;
         line = strtok(NULL, "\n")) {
        if (is_left_out(line))
            return 0;
        words[count++] = line;
    }
    words[count] = NULL;
    return count;
}

/* getopt keeps its place in a word of several letters; the tool runs once in a process. */
static void forget_options(void)
{
    static char name[] = "broadloom";
    char *const words[] = {name, NULL};

    optind = 0;
    (void)getopt(1, words, "");
}

/* The whole tool, in the folder; the fuzzer's own paths may be relative, so back again. */
static void run_tool(int count, char **words)
{
    const int home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (home < 0 || chdir(fuzz_path("")) != 0)
        fuzz_fail("no folder to run in");
    restore_folder();
    forget_options();
    const enum bl_exit exit = bl_tool_run(count, words);

    if (exit > BL_EXIT_USAGE)
        fuzz_fail("the tool returned %d", (int)exit);
    fflush(stdout);
    if (fchdir(home) != 0)
        fuzz_fail("no way back");
    close(home);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *words[MOST_ARGUMENTS + 1];
    char *text = malloc(size + 1);

    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    const int count = cut(text, words);

    if (count > 0)
        run_tool(count, words);
    free(text);
    return 0;
}

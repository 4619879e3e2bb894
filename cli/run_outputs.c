/*
 * run_outputs.c - the outputs of a model, as files
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/dims.h"
#include "cli/message.h"
#include "cli/run_files.h"
#include "cli/stage.h"

/* A file's name can have 255 bytes on most systems; ".npy" and a number come behind. */
#define NAME_TEXT 200

/* ---- Where --------------------------------------------------------------------------- */

static bl_format format_of(const char *path)
{
    const char *dot = strrchr(path, '.');

    if (dot != NULL && strcmp(dot, ".npy") == 0)
        return BL_FORMAT_NPY;
    return dot != NULL && strcmp(dot, ".pb") == 0 ? BL_FORMAT_PB : BL_FORMAT_AUTO;
}

bool bl_run_outputs_place(const bl_model *model, struct bl_run_outputs *outputs)
{
    const size_t count = bl_model_output_count(model);

    outputs->paths = calloc(count + 1, sizeof *outputs->paths);
    outputs->made = calloc(count + 1, sizeof *outputs->made);
    if (outputs->paths == NULL || outputs->made == NULL) {
        bl_message("out of memory for %zu outputs", count);
        return false;
    }
    for (size_t i = 0; i < outputs->given.count; i++) {
        const char *path;
        size_t output;

        if (!bl_model_named(model, BL_SIDE_OUTPUT, "output", outputs->given.items[i],
                            &output, &path))
            return false;
        if (outputs->paths[output] != NULL) {
            bl_message("output '%s' is written twice",
                       bl_model_output(model, output)->name);
            return false;
        }
        if (format_of(path) == BL_FORMAT_AUTO) {
            bl_message("output '%s': the ending of '%s' is neither .npy nor .pb",
                       bl_model_output(model, output)->name, path);
            return false;
        }
        outputs->paths[output] = path;
    }
    return true;
}

void bl_run_outputs_free(const bl_model *model, struct bl_run_outputs *outputs)
{
    for (size_t i = 0; outputs->made != NULL && i < bl_model_output_count(model); i++)
        free(outputs->made[i]);
    free(outputs->made);
    free(outputs->paths);
}

/* ---- Names of files -------------------------------------------------------------------- */

/* The types that NumPy has. */
static bool npy_holds(bl_dtype dtype)
{
    return (dtype >= BL_FLOAT32 && dtype <= BL_COMPLEX128) && dtype != BL_STRING;
}

/* The value's name with all that means something in a path or to a shell made "_". */
static void safe_name(const char *name, char *safe)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";

    snprintf(safe, NAME_TEXT, "%s", name);
    for (char *p = safe; *p != '\0'; p++)
        if (strchr(letters, *p) == NULL)
            *p = '_';
    if (safe[0] == '.' || safe[0] == '-')
        safe[0] = '_';
}

static bool is_taken(const struct bl_run_outputs *outputs, size_t before, const char *path)
{
    for (size_t i = 0; i < before; i++)
        if (outputs->made[i] != NULL && strcmp(outputs->made[i], path) == 0)
            return true;
    return false;
}

/* Name the file of an output in the folder. */
static bool name_file(const bl_model *model, struct bl_run_outputs *outputs, size_t output,
                      const bl_tensor *tensor)
{
    const char *name = bl_model_output(model, output)->name;
    const char *ending = npy_holds(bl_tensor_dtype(tensor)) ? ".npy" : ".pb";
    const char *slash = outputs->folder[strlen(outputs->folder) - 1] == '/' ? "" : "/";
    const size_t room = strlen(outputs->folder) + NAME_TEXT + 32;
    char *path = malloc(room);
    char safe[NAME_TEXT];

    if (path == NULL) {
        bl_message("out of memory for the name of a file");
        return false;
    }
    safe_name(name, safe);
    snprintf(path, room, "%s%s%s%s", outputs->folder, slash, safe, ending);
    for (unsigned n = 2; is_taken(outputs, output, path); n++)
        snprintf(path, room, "%s%s%s_%u%s", outputs->folder, slash, safe, n, ending);
    outputs->made[output] = path;
    outputs->paths[output] = path;
    return true;
}

static bool name_files(const bl_model *model, struct bl_run_outputs *outputs,
                       bl_tensor *const *tensors)
{
    for (size_t i = 0; i < bl_model_output_count(model); i++)
        if (outputs->paths[i] == NULL && !name_file(model, outputs, i, tensors[i]))
            return false;
    return true;
}

/* Say where outputs are: of those whose name had to be changed in any case. */
static void report(const bl_model *model, const struct bl_run_outputs *outputs,
                   bl_tensor *const *tensors)
{
    const bool is_terminal = isatty(STDERR_FILENO) == 1;

    for (size_t i = 0; i < bl_model_output_count(model); i++) {
        const char *name = bl_model_output(model, i)->name;
        char text[BL_DIMS_TEXT];
        char safe[NAME_TEXT];

        safe_name(name, safe);
        if (outputs->made[i] != NULL && strcmp(safe, name) != 0)
            bl_message("note: output '%s' is in %s", name, outputs->made[i]);
        else if (is_terminal && outputs->paths[i] != NULL)
            fprintf(stderr, "wrote %s%s to %s\n",
                    bl_dtype_name(bl_tensor_dtype(tensors[i])),
                    bl_dims_text(bl_tensor_shape(tensors[i]), text), outputs->paths[i]);
    }
}

/* ---- Writing ------------------------------------------------------------------------------- */

static bool write_staged(const bl_model *model, const struct bl_run_outputs *outputs,
                         bl_tensor *const *tensors, struct bl_stage *stage)
{
    for (size_t i = 0; i < bl_model_output_count(model); i++)
        if (outputs->paths[i] != NULL &&
            !bl_stage_tensor(stage, outputs->paths[i], tensors[i]))
            return false;
    return bl_stage_commit(stage);
}

/* Make the folder unless it is there; *made: it is new. */
static bool make_folder(const char *folder, bool *made)
{
    struct stat there;

    *made = mkdir(folder, 0777) == 0;
    if (*made || (errno == EEXIST && stat(folder, &there) == 0 && S_ISDIR(there.st_mode)))
        return true;
    bl_message("cannot make the folder %s: %s", folder, strerror(errno));
    return false;
}

bool bl_run_outputs_write(const bl_model *model, struct bl_run_outputs *outputs,
                          bl_tensor *const *tensors)
{
    struct bl_stage stage;
    bool made = false;
    bool done = false;

    if (outputs->folder != NULL && !make_folder(outputs->folder, &made))
        return false;
    const bool named = outputs->folder == NULL || name_files(model, outputs, tensors);

    if (bl_stage_start(&stage, bl_model_output_count(model)))
        done = named && write_staged(model, outputs, tensors, &stage);
    bl_stage_end(&stage);
    if (!done && made)
        rmdir(outputs->folder);
    if (done)
        report(model, outputs, tensors);
    return done;
}

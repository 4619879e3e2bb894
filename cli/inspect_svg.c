/*
 * inspect_svg.c - a picture of a model, which Graphviz's dot draws
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/inspect_view.h"

extern char **environ;

/* Start `dot` with these as its standard input and output. */
static int start_dot(FILE *in, FILE *out, pid_t *child)
{
    static char name[] = "dot", format[] = "-Tsvg";
    char *const words[] = {name, format, NULL};
    posix_spawn_file_actions_t files;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, fileno(in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, fileno(out), STDOUT_FILENO);
    const int failed = posix_spawnp(child, name, &files, NULL, words, environ);

    posix_spawn_file_actions_destroy(&files);
    return failed;
}

static bool run_dot(FILE *in, FILE *out)
{
    int status = 0;
    pid_t child;
    const int failed = start_dot(in, out, &child);

    if (failed == ENOENT) {
        bl_message("--format svg needs 'dot' of Graphviz, which is not installed; --format "
                   "dot does not");
        return false;
    }
    if (failed != 0) {
        bl_message("cannot run 'dot' of Graphviz: %s", strerror(failed));
        return false;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    bl_message("'dot' of Graphviz failed (%s %d)",
               WIFEXITED(status) ? "exit status" : "signal",
               WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    return false;
}

static void copy(FILE *from, FILE *to)
{
    char buffer[4096];
    size_t got;

    rewind(from);
    while ((got = fread(buffer, 1, sizeof buffer, from)) > 0)
        fwrite(buffer, 1, got, to);
}

/* Files in between rather than pipes: neither side waits for the other. */
bool bl_inspect_svg(FILE *out, const struct bl_inspection *inspection)
{
    FILE *graph = tmpfile();
    FILE *picture = tmpfile();
    bool done = false;

    if (graph == NULL || picture == NULL) {
        bl_message("cannot make a temporary file: %s", strerror(errno));
    } else if (!bl_inspect_dot(graph, inspection) || fflush(graph) != 0) {
        bl_message("cannot write the graph for 'dot'");
    } else {
        rewind(graph);
        done = run_dot(graph, picture);
    }
    if (done)
        copy(picture, out);
    if (graph != NULL)
        fclose(graph);
    if (picture != NULL)
        fclose(picture);
    return done;
}

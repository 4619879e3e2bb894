/*
 * replay.c - run a fuzz target over files, without a fuzzer: a main for any compiler
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Usage: fuzz_NAME PATH...      files, and folders, of which all files are run (not those of
 *                               folders inside); a folder that is not there is empty
 * Prints the name of each file before it runs, so that the last one is at fault if the process ends.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/fuzz.h"

/* So that mutators link; nothing is mutated here. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
    (void)data;
    return size < most ? size : most;
}

static bool run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat info;

    if (file == NULL || fstat(fileno(file), &info) != 0) {
        fprintf(stderr, "replay: cannot open %s: %s\n", path, strerror(errno));
        return false;
    }
    const size_t size = (size_t)info.st_size;
    /* No byte more, so that AddressSanitizer and valgrind see the end. */
    uint8_t *bytes = malloc(size > 0 ? size : 1);
    const bool read = bytes != NULL && fread(bytes, 1, size, file) == size;

    fclose(file);
    if (read) {
        printf("%s\n", path);
        fflush(stdout);
        LLVMFuzzerTestOneInput(bytes, size);
    } else {
        fprintf(stderr, "replay: cannot read %s\n", path);
    }
    free(bytes);
    return read;
}

/* How many files were run; -1 if one could not be read. */
static long run_folder(const char *path)
{
    struct dirent **entries;
    const int found = scandir(path, &entries, NULL, alphasort);
    long count = 0;

    if (found < 0) {
        fprintf(stderr, "replay: cannot read %s: %s\n", path, strerror(errno));
        return -1;
    }
    for (int i = 0; i < found; i++) {
        char name[4096];
        struct stat info;

        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (count >= 0 && stat(name, &info) == 0 && S_ISREG(info.st_mode))
            count = run_file(name) ? count + 1 : -1;
        free(entries[i]);
    }
    free(entries);
    return count;
}

int main(int argc, char **argv)
{
    long count = 0;

    for (int i = 1; i < argc; i++) {
        struct stat info;

        if (stat(argv[i], &info) != 0 && errno == ENOENT)
            continue;
        const long done =
            S_ISDIR(info.st_mode) ? run_folder(argv[i]) : (long)run_file(argv[i]) * 2 - 1;

        if (done < 0)
            return 2;
        count += done;
    }
    printf("replay: %ld inputs, every promise kept\n", count);
    return count > 0 ? 0 : 2;
}

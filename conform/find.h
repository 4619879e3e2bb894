/*
 * find.h - the fixture files and ONNX tests below a path
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_FIND_H
#define BL_CONFORM_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "broadloom/broadloom.h"

/* A fixture file, or the folder of an ONNX test. */
struct bl_found {
    char *path;
    bool is_onnx_test;
};

struct bl_found_list {
    struct bl_found *items;
    size_t count;
    size_t room;
};

/*
 * Add what `path` stands for to the list: a file is a fixture file; a folder that holds
 * model.onnx is an ONNX test; any other folder is searched for *.json files and folders,
 * sorted by name.  Links to folders are followed for `path` itself only, so the search
 * ends. Errors: BL_ERR_IO for a path that cannot be opened, BL_ERR_ARGUMENT for one with
 * nothing in it.
 */
bl_status bl_find(const char *path, struct bl_found_list *list, bl_error *err);

void bl_found_list_free(struct bl_found_list *list);

#endif

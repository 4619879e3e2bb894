/*
 * external.h - elements of tensors that lie in files beside a model
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A model is not to be trusted with the names of files.  A location is a path below the
 * model's folder: not absolute, without "..", and no part of it below the folder may be a
 * symbolic link.  It is walked part by part from the open folder, so that nothing can be
 * exchanged between the check and the opening.  What it leads to is a regular file, and no more of it is
 * read than its size says.  A hard link is a file of the folder like any other: only who may write there
 * can have made it.
 *
 * Source: onnx.proto, TensorProto.external_data, and ONNX docs/ExternalData.md.
 */
#ifndef BL_IO_EXTERNAL_H
#define BL_IO_EXTERNAL_H

#include <stdbool.h>

#include "io/map.h"
#include "io/wire.h"

/* What the entries of external_data say. */
struct bl_external_place {
    const unsigned char *location; /* NULL: not said */
    size_t location_size;
    uint64_t offset;
    uint64_t length;
    bool has_length;
};

/* Read one entry, a key and a value, into what the entries before said.  Keys that do not
 * say where the elements are, such as "checksum", are skipped. */
bl_status bl_external_read_entry(const struct bl_wire_field *field,
                                 struct bl_external_place *place, bl_error *err);

/* A folder, and the files of it that have been opened. */
struct bl_external {
    struct bl_map_options with;
    char *folder;
    size_t folder_bytes;
    int fd;    /* of the folder; -1: not open yet */
    int error; /* why it could not be opened: it is not tried again, for the name may mean another by then */
    struct bl_external_file *files;
};

/* Start with no folder: no file will be found. */
void bl_external_init(struct bl_external *external, const bl_allocator *allocator,
                      bl_mapping mapping);

/* Name the folder, which is opened only when a file of it is looked for. */
bl_status bl_external_set_folder(struct bl_external *external, const char *folder,
                                 bl_error *err);

/* The same: the folder that the file `path` is in. */
bl_status bl_external_set_beside(struct bl_external *external, const char *path,
                                 bl_error *err);

/* Open the folder now, so that it stays the one it is; where that fails, a file of it will say so.  Returns its
 * file descriptor, or -1. */
int bl_external_open_folder(struct bl_external *external);

/* No more files will be looked for: the folder need not be open any longer. */
void bl_external_close_folder(struct bl_external *external);

/* BL_ERR_IO if a file was cut short since it is open. */
bl_status bl_external_check(const struct bl_external *external, bl_error *err);

/* Close all files. */
void bl_external_close(struct bl_external *external);

/* True if a folder is named. */
bool bl_external_has_folder(const struct bl_external *external);

/*
 * The bytes of a place, `needed` of them, until bl_external_close.
 *
 * Errors: BL_ERR_FORMAT for a location that leaves the folder, and for an offset and a length
 *         that do not fit the file or `needed`; BL_ERR_IO, BL_ERR_MEMORY.
 */
bl_status bl_external_find(struct bl_external *external,
                           const struct bl_external_place *place, uint64_t needed,
                           const unsigned char **bytes, bl_error *err);

#endif

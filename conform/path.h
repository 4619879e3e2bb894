/*
 * path.h - paths put together
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_PATH_H
#define BL_CONFORM_PATH_H

/* "folder/name", to be freed with free; NULL where there is no memory. */
char *bl_path_join(const char *folder, const char *name);

/* What stands after the last slash; the whole path where that is nothing. */
const char *bl_path_last(const char *path);

#endif

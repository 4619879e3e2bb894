/*
 * map_guard.h - keep a mapped file that is cut short from ending the process
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * To read a page of a mapping that its file no longer has is a SIGBUS, which ends a process.  While a
 * mapping is guarded, a handler puts zeros in place of what is gone and marks the mapping as damaged; who
 * reads from it asks for the mark when done, and fails.
 *
 * A handler gets no argument, so what is guarded has to be found from a static table: the one state of
 * this library that is not in an object.  The handler is installed with the first mapping and taken back
 * with the last.  A SIGBUS that is not for a guarded mapping goes to the handler that was there before.
 * Who installs one later has to pass on what it does not know, as is the custom.
 */
#ifndef BL_IO_MAP_GUARD_H
#define BL_IO_MAP_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* Guard `size` bytes, not 0, of a mapping that is read only.  Returns its number, or 0 where that cannot be
 * done: no signals of POSIX here, or more mappings than the table has room for. */
int bl_map_guard_begin(const void *bytes, size_t size);

/* The mapping is not used any more.  0 is allowed. */
void bl_map_guard_end(int guard);

/* True if something of it could not be read since it is guarded; of 0 false. */
bool bl_map_guard_is_damaged(int guard);

#endif

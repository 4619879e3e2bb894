/*
 * wasi.h - what WASI lacks of the POSIX that this room uses
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_IO_WASI_H
#define BL_IO_WASI_H

#ifdef __wasi__
#include <errno.h>

/* A descriptor cannot be had twice there, so "/dev/stdin" and "/dev/stdout" give an error. */
static inline int dup(int fd)
{
    (void)fd;
    errno = ENOSYS;
    return -1;
}
#endif

#endif

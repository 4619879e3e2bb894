/*
 * interrupt.h - remove unfinished files when a signal ends the tool
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Between bl_interrupt_start and bl_interrupt_stop, SIGINT, SIGTERM and SIGHUP remove what was named to
 * bl_interrupt_add before they end the process as ever.  One that is ignored (nohup) stays ignored.
 */
#ifndef BL_CLI_INTERRUPT_H
#define BL_CLI_INTERRUPT_H

/* A file that is to be removed; the caller's, and in place until bl_interrupt_stop. */
struct bl_unfinished {
    const char *path; /* NULL: nothing to remove any more */
    struct bl_unfinished *next;
};

void bl_interrupt_start(void);
void bl_interrupt_stop(void);

void bl_interrupt_add(struct bl_unfinished *file);

/* What lies between hold and release is done whole: a signal takes effect after it. */
void bl_interrupt_hold(void);
void bl_interrupt_release(void);

#endif

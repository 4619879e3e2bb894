/*
 * interrupt.c - remove unfinished files when a signal ends the tool
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

#define SIGNAL_COUNT (sizeof signals / sizeof signals[0])

/* A handler gets no argument.  All of it is used by the thread that has started, or in a handler on it, which
 * comes between two of its steps: volatile is all it takes. */
static struct bl_unfinished *volatile unfinished;
static volatile sig_atomic_t holds;
static volatile sig_atomic_t came; /* the signal that waits for release, or 0 */
static pthread_t starter;
static struct sigaction before[SIGNAL_COUNT];

static void end_by(int number)
{
    for (struct bl_unfinished *file = unfinished; file != NULL; file = file->next)
        if (file->path != NULL)
            unlink(file->path);
    signal(number, SIG_DFL);
    raise(number); /* of a handler, when it returns */
}

static void on_signal(int number)
{
    if (!pthread_equal(pthread_self(), starter))
        pthread_kill(starter, number);
    else if (holds)
        came = number;
    else
        end_by(number);
}

void bl_interrupt_start(void)
{
    struct sigaction ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

    starter = pthread_self();
    unfinished = NULL;
    holds = came = 0;
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        sigaddset(&ours.sa_mask, signals[i]);
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        if (sigaction(signals[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &ours, NULL);
}

void bl_interrupt_stop(void)
{
    unfinished = NULL;
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        sigaction(signals[i], &before[i], NULL);
}

void bl_interrupt_add(struct bl_unfinished *file)
{
    file->next = unfinished;
    unfinished = file;
}

void bl_interrupt_hold(void)
{
    holds = 1;
}

void bl_interrupt_release(void)
{
    holds = 0;
    if (came != 0)
        end_by(came);
}

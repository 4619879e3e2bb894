/*
 * map_guard.c - keep a mapped file that is cut short from ending the process
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#if defined(__linux__)
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#elif defined(__APPLE__)
#define _DARWIN_C_SOURCE
#endif
#include "io/map_guard.h"

#include <unistd.h>

/* WASI has neither signals nor mapped files. */
#if defined(_POSIX_MAPPED_FILES) && _POSIX_MAPPED_FILES > 0
#include <signal.h>
#include <sys/mman.h>
#endif

#if defined(SA_SIGINFO) && defined(BUS_ADRERR) && defined(MAP_ANONYMOUS)

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* Files are few: one, or one a tensor.  What has no room is read instead. */
#define MOST_GUARDS 1024

/* A row of the table.  The handler may read it while another thread changes it, and cannot wait: it takes no
 * row whose version is odd, or has changed meanwhile. */
struct guarded {
    atomic_uint version;
    atomic_uintptr_t begin;
    atomic_size_t size; /* 0: free */
    atomic_bool damaged;
};

static struct {
    pthread_mutex_t lock; /* for all but the handler */
    int count;            /* rows in use */
    bool installed;
    struct sigaction old; /* what was there before */
    size_t page;          /* bytes */
    struct guarded rows[MOST_GUARDS];
} guards = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- In the handler: nothing that is not safe in one ---------------------------------- */

static bool read_row(const struct guarded *row, uintptr_t *begin, size_t *size)
{
    const unsigned before = atomic_load(&row->version);

    *begin = atomic_load(&row->begin);
    *size = atomic_load(&row->size);
    return before % 2 == 0 && atomic_load(&row->version) == before;
}

/* Put zeros at an address of a guarded mapping, and up to its end: nothing there can be read either.
 * mmap is not in POSIX's list of what a handler may call, but is a bare system call where we run. */
static bool repair(uintptr_t address)
{
    for (int i = 0; i < MOST_GUARDS; i++) {
        struct guarded *row = &guards.rows[i];
        uintptr_t begin;
        size_t size;

        if (!read_row(row, &begin, &size) || address - begin >= size)
            continue;
        const uintptr_t from = address - (address - begin) % guards.page;

        atomic_store(&row->damaged, true);
        return mmap((void *)from, begin + size - from, PROT_READ,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
    }
    return false;
}

/* Do what would have happened without us. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    const struct sigaction *old = &guards.old;

    if ((old->sa_flags & SA_SIGINFO) != 0) {
        old->sa_sigaction(number, info, context);
    } else if (old->sa_handler == SIG_DFL || old->sa_handler == SIG_IGN) {
        /* A fault ends the process even where the signal is ignored; one sent by kill does not. */
        if (old->sa_handler == SIG_IGN && info->si_code <= 0)
            return;
        signal(number, SIG_DFL);
        raise(number); /* comes when the handler returns */
    } else {
        old->sa_handler(number);
    }
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    const int error = errno;

    /* Not BUS_MCEERR_AR: broken memory is not ours to hide. */
    if ((info->si_code != BUS_ADRERR && info->si_code != BUS_OBJERR) ||
        !repair((uintptr_t)info->si_addr))
        pass_on(number, info, context);
    errno = error;
}

/* ---- Under the lock ---------------------------------------------------------------------- */

static bool is_same(const struct sigaction *a, const struct sigaction *b)
{
    if ((a->sa_flags & SA_SIGINFO) != (b->sa_flags & SA_SIGINFO))
        return false;
    return (a->sa_flags & SA_SIGINFO) != 0 ? a->sa_sigaction == b->sa_sigaction
                                           : a->sa_handler == b->sa_handler;
}

static struct sigaction our_action(void)
{
    return (struct sigaction){.sa_sigaction = on_bus_error,
                              .sa_flags = SA_SIGINFO | SA_ONSTACK};
}

/* False where there is another handler over ours: it may pass on to us, so that ours must not go over it
 * again, or not, so that nothing would be guarded. */
static bool install(void)
{
    struct sigaction ours = our_action(), now;
    const long page = sysconf(_SC_PAGESIZE);

    if (page <= 0 || sigaction(SIGBUS, NULL, &now) != 0)
        return false;
    if (is_same(&now, &ours))
        return true;
    if (guards.installed && !is_same(&now, &guards.old))
        return false;
    guards.old = now;
    guards.page = (size_t)page;
    ours.sa_mask = now.sa_mask;
    guards.installed = sigaction(SIGBUS, &ours, NULL) == 0;
    return guards.installed;
}

/* Give the old handler back, unless there is another over ours, which may pass on to us. */
static void uninstall(void)
{
    const struct sigaction ours = our_action();
    struct sigaction now;

    if (sigaction(SIGBUS, NULL, &now) == 0 && is_same(&now, &ours))
        guards.installed = sigaction(SIGBUS, &guards.old, NULL) != 0;
}

static void write_row(struct guarded *row, uintptr_t begin, size_t size)
{
    atomic_fetch_add(&row->version, 1);
    atomic_store(&row->begin, begin);
    atomic_store(&row->size, size);
    atomic_store(&row->damaged, false);
    atomic_fetch_add(&row->version, 1);
}

/* The number of a free row; 0: there is none. */
static int free_row(void)
{
    for (int i = 0; guards.count < MOST_GUARDS && i < MOST_GUARDS; i++)
        if (atomic_load(&guards.rows[i].size) == 0)
            return i + 1;
    return 0;
}

int bl_map_guard_begin(const void *bytes, size_t size)
{
    pthread_mutex_lock(&guards.lock);
    const int guard = install() ? free_row() : 0;

    if (guard != 0) {
        write_row(&guards.rows[guard - 1], (uintptr_t)bytes, size);
        guards.count++;
    }
    pthread_mutex_unlock(&guards.lock);
    return guard;
}

void bl_map_guard_end(int guard)
{
    if (guard == 0)
        return;
    pthread_mutex_lock(&guards.lock);
    write_row(&guards.rows[guard - 1], 0, 0);
    guards.count--;
    if (guards.count == 0)
        uninstall();
    pthread_mutex_unlock(&guards.lock);
}

bool bl_map_guard_is_damaged(int guard)
{
    return guard != 0 && atomic_load(&guards.rows[guard - 1].damaged);
}

#else

int bl_map_guard_begin(const void *bytes, size_t size)
{
    (void)bytes, (void)size;
    return 0;
}

void bl_map_guard_end(int guard)
{
    (void)guard;
}

bool bl_map_guard_is_damaged(int guard)
{
    (void)guard;
    return false;
}

#endif

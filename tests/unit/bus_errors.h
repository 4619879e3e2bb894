/*
 * bus_errors.h - whether this system tells what the library's guard of mapped files has to know
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_UNIT_BUS_ERRORS_H
#define BL_TESTS_UNIT_BUS_ERRORS_H

#include "unit.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static sigjmp_buf bus_return;
static void *volatile bus_address;

static inline void note_bus_error(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    bus_address = info->si_addr;
    siglongjmp(bus_return, 1);
}

/* Skip the test where a SIGBUS does not say which address was touched: nothing can be guarded there.
 * qemu 7.2 in user mode has another address in its place for s390x (halves exchanged) and i686. */
static inline void needs_bus_addresses(void)
{
    const struct sigaction action = {.sa_sigaction = note_bus_error,
                                     .sa_flags = SA_SIGINFO};
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    struct sigaction before;
    FILE *file = tmpfile();

    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), (off_t)size), 0);
    char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fileno(file), 0);

    assert_ptr_not_equal(bytes, MAP_FAILED);
    assert_int_equal(ftruncate(fileno(file), 0), 0);
    assert_int_equal(sigaction(SIGBUS, &action, &before), 0);
    if (sigsetjmp(bus_return, 1) == 0)
        (void)*(volatile const char *)(bytes + 8);
    assert_int_equal(sigaction(SIGBUS, &before, NULL), 0);
    const bool told = bus_address == bytes + 8;

    munmap(bytes, size);
    fclose(file);
    if (!told) {
        puts("skipped: a SIGBUS does not say here which address was touched");
        skip();
    }
}

#endif

/*
 * runner.h - run one case and judge what comes out
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_CONFORM_RUNNER_H
#define BL_CONFORM_RUNNER_H

#include <stdbool.h>

#include "conform/backend.h"
#include "conform/conform.h"
#include "conform/fixture.h"

struct bl_runner {
    const struct bl_conform_backend *backend;
    bl_context *context;
    bool honour_skips;
};

/* True, with the reason in `message` (BL_ERROR_BYTES), where models are to be skipped. */
bool bl_runner_skips_models(const struct bl_runner *runner, char *message);

/* True for the failure of a run that the backend's device cannot do: it counts as skipped. */
bool bl_runner_cannot(const struct bl_runner *runner, bl_status status,
                      const char *message);

/*
 * Run a case, as often as it says, and compare.  `message` (BL_ERROR_BYTES) is why it
 * failed or was skipped.
 *
 * A graph or a model runs fused and node by node, which have to give the same bits.
 *
 * Where the case has no expected data, the reference's result is, and the tolerance that
 * the operator's max_ulp states holds beside that of the case.
 */
enum bl_conform_outcome bl_runner_run(const struct bl_runner *runner,
                                      const struct bl_fixture_case *it, char *message);

#endif

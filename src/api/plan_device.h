/*
 * plan_device.h - a plan where a device runs its steps
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_API_PLAN_DEVICE_H
#define BL_API_PLAN_DEVICE_H

#include "api/session.h"

/* True if the step writes nothing, since its result has no elements. */
bool bl_plan_step_is_empty(const struct bl_plan *plan, const struct bl_plan_step *step);

/* Before a plan's first run on a device, when it is bound: compile its steps' shaders, and copy what they read of
 * constants.  Does nothing for the CPU, nor the second time. */
bl_status bl_plan_enter_device(const bl_session *session, struct bl_cached_plan *cached,
                               bl_error *err);

/* Undo it, before the plan is freed. */
void bl_plan_leave_device(const bl_session *session, struct bl_cached_plan *cached);

/* Run a step of the host; what lies on the device is copied to and fro. */
bl_status bl_plan_run_host(struct bl_exec *exec, const struct bl_plan *plan,
                           const struct bl_plan_step *step, bl_error *err);

#endif

/*
 * fixture_support.h - read fixtures from text, for tests
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_TESTS_UNIT_FIXTURE_SUPPORT_H
#define BL_TESTS_UNIT_FIXTURE_SUPPORT_H

#include "unit.h"

#include <stdio.h>

#include "conform/fixture.h"
#include "conform/value.h"

static bl_error err;

static inline struct bl_fixture *parse(const char *text)
{
    struct bl_fixture *fixture = bl_fixture_parse(text, strlen(text), "f.json", &err);

    if (fixture == NULL)
        fail_msg("%s", err.message);
    return fixture;
}

/* The text of a fixture with one input. */
static inline char *with_input(const char *tensor)
{
    static char text[4096];

    snprintf(text, sizeof text,
             "{\"cases\": [{\"name\": \"c\", \"op\": \"ai.onnx.Identity\", \"inputs\": "
             "{\"x\": %s},"
             " \"error\": \"e\"}]}",
             tensor);
    return text;
}

/* The elements of a tensor as text: "1 2 3 ". */
static inline void check_tensor(const char *tensor, const char *want)
{
    struct bl_fixture *fixture = parse(with_input(tensor));
    struct bl_fixture_case it;
    char text[512] = "";

    assert_ok(bl_fixture_case_read(fixture, 0, &it, &err), &err);
    if (it.load.status != BL_OK)
        fail_msg("%s: %s", tensor, it.load.message);
    for (int64_t i = 0; i < bl_tensor_count(it.inputs[0].data); i++) {
        char element[64];

        bl_value_text(it.inputs[0].dtype, bl_value_at(it.inputs[0].data, i), element,
                      sizeof element);
        strcat(strcat(text, element), " ");
    }
    assert_string_equal(text, want);
    bl_fixture_case_free(&it);
    bl_fixture_close(fixture);
}

#define VALUES(dtype, shape, values)                                                     \
    "{\"dtype\": \"" dtype "\", \"shape\": " shape ", \"data\": {\"kind\": \"values\", " \
    "\"values\": " values "}}"

/* Reading case i fails with a message that contains `why`. */
static inline void check_refused(const char *text, size_t i, const char *why)
{
    struct bl_fixture *fixture = parse(text);
    struct bl_fixture_case it;

    err.message[0] = '\0';
    if (bl_fixture_case_read(fixture, i, &it, &err) == BL_OK)
        fail_msg("%s: is accepted", text);
    if (strncmp(err.message, "f.json: case ", 13) != 0 || strstr(err.message, why) == NULL)
        fail_msg("%s: %s", text, err.message);
    bl_fixture_close(fixture);
}

#endif

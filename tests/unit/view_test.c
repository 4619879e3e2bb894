/*
 * view_test.c - views against what the operators mean, element by element
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The input's memory holds at each place the number of that place, so that an element
 * tells where it lies.
 */
#include "infer_support.h"

#include "ops/values.h"
#include "ops/view.h"

#define ROUNDS 20000
#define PLACES 65536
#define MAX_RANK 5

static uint64_t seed = 7;

/* A number from 0 up to but not including `end`. */
static int below(int end)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((seed >> 33) % (uint64_t)end);
}

/* ---- A random input ---------------------------------------------------------- */

static int64_t places[PLACES];

struct input {
    bl_shape shape;
    int64_t stride[BL_MAX_RANK];
    bl_tensor *tensor;
};

/* Row-major, but now and then with axes swapped, gaps, backwards, or not moving. */
static void random_input(struct input *input, bool row_major)
{
    int order[MAX_RANK];
    int64_t step = 1, start = PLACES / 2;
    bl_error err;

    input->shape.rank = below(MAX_RANK + 1);
    for (int i = 0; i < input->shape.rank; i++) {
        input->shape.dim[i] = below(12) == 0 ? 0 : 1 + below(4);
        order[i] = i;
    }
    if (!row_major && below(3) == 0 && input->shape.rank > 1) {
        const int i = below(input->shape.rank), j = below(input->shape.rank);
        const int kept = order[i];

        order[i] = order[j];
        order[j] = kept;
    }
    for (int k = input->shape.rank - 1; k >= 0; k--) {
        const int axis = order[k];
        const int how = row_major ? 3 : below(10);

        if (how == 0)
            step *= 2;
        input->stride[axis] = how == 1 ? -step : how == 2 ? 0 : step;
        step *= input->shape.dim[axis] > 0 ? input->shape.dim[axis] : 1;
    }
    input->tensor = bl_tensor_borrow(NULL, BL_INT64, &input->shape, input->stride,
                                     places + start, &err);
    assert_non_null(input->tensor);
    made[made_count++] = input->tensor;
}

/* The element at an index. */
static int64_t element(const int64_t *first, const int64_t *stride, const int64_t *index,
                       int rank)
{
    int64_t at = 0;

    for (int i = 0; i < rank; i++)
        at += index[i] * stride[i];
    return first[at];
}

/* Step to the next index in row-major order; false after the last. */
static bool next_index(const bl_shape *shape, int64_t *index)
{
    for (int i = shape->rank - 1; i >= 0; i--) {
        if (++index[i] < shape->dim[i])
            return true;
        index[i] = 0;
    }
    return false;
}

/* ---- A view, and what it has to show ----------------------------------------- */

/* The index into the input that an index into the output means. */
typedef void (*meaning)(const struct call *call, const bl_shape *in, const bl_shape *out,
                        const int64_t *index, int64_t *from);

/* Returns whether there is a view. */
static bool check_view(const struct call *call, const struct input *input, meaning means)
{
    bl_error err;
    bl_node node = {.op = bl_op_find("", call->op, call->opset, &err), .name = "n"};
    int64_t stride[BL_MAX_RANK], offset, index[BL_MAX_RANK] = {0};
    int64_t in_index[BL_MAX_RANK] = {0};
    size_t inputs = call->inputs;
    struct bl_params params;
    bl_tensor_type out;
    int64_t count;
    bool possible;

    node.attributes = call->attributes;
    node.attribute_count = call->attributes[0].name != NULL;
    while (call->inputs == 0 && inputs < 5 && call->in[inputs] != NULL)
        inputs++;
    assert_ok(infer(call, 1, &out, &err), &err);
    assert_ok(bl_params_read(&node, &params, &err), &err);
    assert_ok(bl_node_view(&node, &params, input->tensor, call->in, inputs, &out.shape,
                           stride, &offset, &possible, &err),
              &err);
    assert_ok(bl_shape_count(&out.shape, &count, &err), &err);
    if (!possible || count == 0)
        return possible;
    const int64_t *first = (const int64_t *)input->tensor->data;

    do {
        int64_t from[BL_MAX_RANK];

        if (means != NULL)
            means(call, &input->shape, &out.shape, index, from);
        else
            memcpy(from, in_index, sizeof from);
        assert_int_equal(element(first + offset, stride, index, out.shape.rank),
                         element(first, input->stride, from, input->shape.rank));
        next_index(&input->shape, in_index);
    } while (next_index(&out.shape, index));
    return true;
}

/* ---- Transpose, Expand, Slice ------------------------------------------------ */

static void transpose_means(const struct call *call, const bl_shape *in,
                            const bl_shape *out, const int64_t *index, int64_t *from)
{
    (void)out;
    for (int i = 0; i < in->rank; i++)
        from[call->attributes[0].value.ints[i]] = index[i];
}

static void test_transpose(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t perm[MAX_RANK];
        struct input input;

        random_input(&input, false);
        for (int i = 0; i < input.shape.rank; i++) {
            const int at = below(i + 1);

            perm[i] = perm[at];
            perm[at] = i;
        }
        const struct call call = {.op = "Transpose",
                                  .opset = 13,
                                  .in = {input.tensor},
                                  .attributes = {{.name = "perm",
                                                  .type = BL_ATTRIBUTE_INTS,
                                                  .count = (size_t)input.shape.rank,
                                                  .value.ints = perm}}};

        assert_true(check_view(&call, &input, transpose_means));
        free_made(NULL);
    }
}

static void expand_means(const struct call *call, const bl_shape *in, const bl_shape *out,
                         const int64_t *index, int64_t *from)
{
    (void)call;
    for (int i = 0; i < in->rank; i++)
        from[i] = in->dim[i] == 1 ? 0 : index[out->rank - in->rank + i];
}

static void test_expand(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t target[MAX_RANK + 2];
        const int added = below(3);
        struct input input;

        random_input(&input, false);
        for (int i = 0; i < added + input.shape.rank; i++) {
            const int64_t dim = i < added ? 1 : input.shape.dim[i - added];

            target[i] = dim == 1 ? 1 + below(3) : below(2) == 0 ? 1 : dim;
        }
        const size_t skipped = added == 0 && input.shape.rank > 0 ? (size_t)below(2) : 0;
        const struct call call = {
            .op = "Expand",
            .opset = 13,
            .in = {input.tensor, list_of((size_t)(added + input.shape.rank) - skipped,
                                         target + skipped)}};

        assert_true(check_view(&call, &input, expand_means));
        free_made(NULL);
    }
}

/* The i-th index that Python's range(dim)[start:end:step] gives, by walking it; -1 past the
 * last.  As ONNX has it, a start before the first index is the first also when walking
 * down. */
static int64_t sliced(int64_t dim, int64_t start, int64_t end, int64_t step, int64_t i)
{
    int64_t at = start < 0 ? start + dim : start;
    const int64_t stop = end < 0 ? end + dim : end;

    if (at < 0)
        at = 0;
    if (step < 0 && at >= dim)
        at = dim - 1;
    for (; step > 0 ? at < stop && at < dim : at > stop && at >= 0; at += step)
        if (i-- == 0)
            return at;
    return -1;
}

static void slice_means(const struct call *call, const bl_shape *in, const bl_shape *out,
                        const int64_t *index, int64_t *from)
{
    memcpy(from, index, (size_t)in->rank * sizeof *from);
    for (int64_t k = 0; k < call->in[1]->count; k++) {
        int64_t lists[4];

        for (int i = 0; i < 4; i++)
            lists[i] = ((const int64_t *)call->in[i + 1]->data)[k];
        const int64_t axis = lists[2] < 0 ? lists[2] + in->rank : lists[2];
        const int64_t dim = in->dim[axis];

        from[axis] = sliced(dim, lists[0], lists[1], lists[3], index[axis]);
        assert_true(from[axis] >= 0 && from[axis] < dim);
        /* The output has no fewer either. */
        assert_int_equal(sliced(dim, lists[0], lists[1], lists[3], out->dim[axis]), -1);
    }
}

static void test_slice(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t lists[4][MAX_RANK];
        struct input input;
        size_t count = 0;

        random_input(&input, false);
        for (int i = 0; i < input.shape.rank; i++) {
            if (below(2) == 0)
                continue;
            lists[0][count] = below(13) - 6;
            lists[1][count] = below(8) == 0 ? INT64_MAX : below(13) - 6;
            lists[2][count] = below(2) == 0 ? i : i - input.shape.rank;
            lists[3][count] = below(2) == 0 ? 1 + below(3) : -1 - below(3);
            count++;
        }
        const struct call call = {.op = "Slice",
                                  .opset = 13,
                                  .in = {input.tensor, list_of(count, lists[0]),
                                         list_of(count, lists[1]), list_of(count, lists[2]),
                                         list_of(count, lists[3])}};

        assert_true(check_view(&call, &input, slice_means));
        free_made(NULL);
    }
}

/* ---- Reshape and its kin ----------------------------------------------------- */

/* A random shape with `count` elements. */
static size_t random_split(int64_t count, int64_t *dim)
{
    size_t rank = 0;

    while (rank < MAX_RANK) {
        const int64_t factor = 1 + below(4);

        if (count % factor != 0)
            continue;
        dim[rank++] = factor;
        count /= factor;
        if (count == 1 && below(2) == 0)
            return rank;
    }
    dim[rank++] = count;
    return rank;
}

static void test_reshape(void **state)
{
    int views = 0, copies = 0;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const bool row_major = below(4) == 0;
        int64_t dim[MAX_RANK + 1];
        struct input input;

        random_input(&input, row_major);
        if (input.tensor->count > 0) {
            const struct call call = {
                .op = "Reshape",
                .opset = 13,
                .in = {input.tensor, list_of(random_split(input.tensor->count, dim), dim)}};
            const bool possible = check_view(&call, &input, NULL);

            assert_true(possible || !bl_tensor_is_row_major(input.tensor));
            views += possible && !bl_tensor_is_row_major(input.tensor);
            copies += !possible;
        }
        free_made(NULL);
    }
    /* Both ways are walked, also on inputs that are not row-major. */
    assert_true(views > ROUNDS / 50 && copies > ROUNDS / 50);
}

static void test_flatten(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct input input;

        random_input(&input, below(4) == 0);
        const struct call call = {.op = "Flatten",
                                  .opset = 13,
                                  .in = {input.tensor},
                                  .attributes = {INT("axis", below(input.shape.rank + 1))}};

        assert_true(check_view(&call, &input, NULL) ||
                    !bl_tensor_is_row_major(input.tensor));
        free_made(NULL);
    }
}

/* These are always possible, whatever the strides. */
static void test_squeeze_and_unsqueeze(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const int64_t axes[] = {below(2), 2 + below(2)};
        struct input input;

        random_input(&input, false);
        const struct call squeeze = {
            .op = "Squeeze", .opset = 13, .in = {input.tensor, NULL}, .inputs = 2};
        const struct call unsqueeze = {
            .op = "Unsqueeze", .opset = 13, .in = {input.tensor, list_of(2, axes)}};

        assert_true(check_view(&squeeze, &input, NULL));
        if (input.shape.rank >= 2)
            assert_true(check_view(&unsqueeze, &input, NULL));
        free_made(NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transpose), cmocka_unit_test(test_expand),
        cmocka_unit_test(test_slice),     cmocka_unit_test(test_reshape),
        cmocka_unit_test(test_flatten),   cmocka_unit_test(test_squeeze_and_unsqueeze),
    };

    for (int64_t i = 0; i < PLACES; i++)
        places[i] = i;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

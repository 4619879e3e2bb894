/*
 * quickstart.c - add a bias to each row of a matrix; the README shows these lines
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <broadloom/broadloom.h>
#include <stdio.h>
int main(void)
{
    float rows[] = {1, 2, 3, 4, 5, 6}, bias[] = {10, 20, 30}, y[6];
    bl_error err;
    bl_context *cpu = bl_context_new(NULL, &err);
    bl_tensor *a = bl_tensor_borrow(cpu, BL_FLOAT32, BL_SHAPE(2, 3), NULL, rows, &err);
    bl_tensor *b = bl_tensor_borrow(cpu, BL_FLOAT32, BL_SHAPE(3), NULL, bias, &err);
    bl_tensor *c = bl_tensor_borrow_mutable(cpu, BL_FLOAT32, BL_SHAPE(2, 3), NULL, y, &err);
    const bl_node add = {.op = bl_op_find("ai.onnx", "Add", BL_OPSET_LATEST, &err)};
    if (bl_apply(cpu, &add, (const bl_tensor *[]){a, b}, 2, &c, 1, &err) != BL_OK)
        return fprintf(stderr, "%s\n", err.message), 1;
    printf("%g %g %g\n%g %g %g\n", y[0], y[1], y[2], y[3], y[4], y[5]);
}

/*
 * consumer.cpp - the public header from C++: find, infer, apply, and read an error
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <broadloom/broadloom.h>

#include <cstdio>
#include <memory>

namespace
{
using context = std::unique_ptr<bl_context, decltype(&bl_context_free)>;
using tensor = std::unique_ptr<bl_tensor, decltype(&bl_tensor_free)>;

bl_shape shape_of(int64_t outer, int64_t inner)
{
    bl_shape shape = {};
    shape.rank = 2;
    shape.dim[0] = outer;
    shape.dim[1] = inner;
    return shape;
}

tensor borrow(const context &with, const bl_shape &shape, const double *data, bl_error &err)
{
    return tensor(bl_tensor_borrow(with.get(), BL_FLOAT64, &shape, nullptr, data, &err),
                  bl_tensor_free);
}
} // namespace

int main()
{
    bl_error err = {};
    const context with(bl_context_new(nullptr, &err), bl_context_free);
    const double column[] = {1, 2}, row[] = {10, 20, 30}, other[] = {0, 0};
    const tensor a = borrow(with, shape_of(2, 1), column, err);
    const tensor b = borrow(with, shape_of(1, 3), row, err);
    const tensor c = borrow(with, shape_of(1, 2), other, err);
    bl_node node = {};
    node.op = bl_op_find("", "Mul", 14, &err);

    const bl_tensor *inputs[] = {a.get(), b.get()};
    bl_tensor *made = nullptr;
    if (bl_apply(with.get(), &node, inputs, 2, &made, 1, &err) != BL_OK) {
        std::fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    const tensor product(made, bl_tensor_free);
    const double *y = static_cast<const double *>(bl_tensor_data(product.get()));
    std::printf("%g %g %g\n%g %g %g\n", y[0], y[1], y[2], y[3], y[4], y[5]);

    const bl_tensor *unequal[] = {b.get(), c.get()};
    bl_tensor *none = nullptr;
    const bl_status status = bl_apply(with.get(), &node, unequal, 2, &none, 1, &err);
    std::printf("%s\n", bl_status_name(status));
    return none != nullptr || err.message[0] == '\0';
}

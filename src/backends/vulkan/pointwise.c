/*
 * pointwise.c - print the shader of a pointwise program, and fill its argument block
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/vulkan/pointwise.h"

#include <string.h>

#include "backends/vulkan/print.h"
#include "base/status.h"

/* ---- The text ---------------------------------------------------------------------------------- */

/* The same as struct block, struct operand and struct axis below. */
static void print_block(const struct bl_printer *printer)
{
    const size_t rank = (size_t)printer->step->rank;
    const size_t count = printer->step->operand_count;

    bl_text_put(
        printer->glsl,
        "struct Operand { uvec2 address; uvec2 start; };\n"
        "struct Axis { uvec2 dim; uint magic; uint shift; };\n"
        "layout(buffer_reference, std430, buffer_reference_align = 16) readonly "
        "buffer Arguments {\n"
        "uvec2 failed;\nuvec2 count;\nuint aligned;\nuint no_bits;\nuint unused[2];\n"
        "Operand operand[%zu];\n",
        count);
    if (rank > 0)
        bl_text_put(printer->glsl, "Axis axis[%zu];\nuvec2 stride[%zu];\n", rank,
                    rank * count);
    bl_text_put(printer->glsl,
                "};\nlayout(push_constant) uniform Push { Arguments args; };\n");
}

/* Variables of a slot, for all lanes. */
static void print_variables(const struct bl_printer *printer, bl_slot slot, unsigned bytes)
{
    const struct bl_dialect *dialect = printer->dialect;
    char name[BL_NAME_SIZE], first[BL_NAME_SIZE];

    bl_lane_name(printer, slot, 0, first);
    for (unsigned lane = 0; lane < printer->layout.lanes; lane++) {
        if (lane > 0 && strcmp(bl_lane_name(printer, slot, lane, name), first) == 0)
            break;
        dialect->variable(printer->glsl, bl_dialect_type(dialect, bytes),
                          lane > 0 ? name : first);
        bl_text_put(printer->glsl, ";\n");
    }
}

static void print_all_variables(const struct bl_printer *printer)
{
    const struct bl_pointwise *step = printer->step;

    for (size_t o = 0; o < step->operand_count; o++)
        if (bl_place_of(step, &printer->layout, &step->operand[o]) != BL_PLACE_ONE)
            print_variables(printer, (bl_slot)o, step->operand[o].bytes);
    for (size_t t = 0; t < step->temp_count; t++)
        print_variables(printer, (bl_slot)(step->operand_count + t), step->temp_bytes[t]);
}

static void print_main(const struct bl_printer *printer)
{
    const unsigned lanes = printer->layout.lanes;

    bl_text_put(printer->glsl, "void main()\n{\n"
                               "const INDEX count = AT(args.count);\n"
                               "no_bits = args.no_bits;\n");
    bl_print_ones(printer);
    bl_text_put(printer->glsl,
                "const INDEX packets = (count + %u) / %u;\n"
                "const INDEX stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;\n"
                "for (INDEX p = gl_GlobalInvocationID.x; p < packets; p += stride) {\n"
                "const INDEX i = p * %u;\n"
                "const uint left = uint(min(count - i, INDEX(%u)));\n"
                "const bool whole = left == %u && args.aligned != 0;\n",
                lanes - 1, lanes, lanes, lanes, lanes);
    print_all_variables(printer);
    bl_print_places(printer);
    bl_print_loads(printer);
    for (size_t i = 0; i < printer->step->instruction_count; i++)
        bl_print_instruction(printer, &printer->step->instruction[i]);
    bl_print_stores(printer);
    bl_text_put(printer->glsl, "}\n}\n");
}

void bl_print_pointwise(const struct bl_pointwise *step,
                        const struct bl_shader_features *features, struct bl_text *glsl)
{
    const struct bl_printer printer = {.step = step,
                                       .features = features,
                                       .layout = bl_layout_of(step, features),
                                       .dialect = &bl_dialect_glsl,
                                       .glsl = glsl};
    uint32_t needs = BL_NEEDS(MEMORY);

    if (printer.layout.wide)
        needs |= BL_NEEDS(WIDE);
    for (size_t i = 0; i < step->instruction_count; i++) {
        needs |= bl_instruction_needs(&step->instruction[i]);
        if (bl_instruction_can_fail(&step->instruction[i]))
            needs |= BL_NEEDS(FAILURE);
    }
    bl_print_head(features, printer.layout.wide, bl_group_size(features), glsl);
    bl_library_put(glsl, needs);
    print_block(&printer);
    print_main(&printer);
}

/* ---- The argument block ------------------------------------------------------------------------ */

struct block {
    uint32_t failed[2];
    uint64_t count;
    uint32_t aligned; /* packets may be moved as wholes */
    uint32_t no_bits; /* 0: see small.glsl */
    uint32_t unused[2];
};

struct operand {
    uint64_t address; /* of the first element that is read, aligned to a word */
    uint64_t start;   /* the index of that at index 0, seen from there */
};

/* A divisor: see quotient() in memory.glsl. */
struct axis {
    uint64_t dim;
    uint32_t magic, shift;
};

size_t bl_pointwise_argument_bytes(const struct bl_pointwise *step)
{
    const size_t rank = (size_t)step->rank;
    const size_t bytes =
        sizeof(struct block) + step->operand_count * sizeof(struct operand) +
        rank * sizeof(struct axis) + rank * step->operand_count * sizeof(int64_t);

    return (bytes + 15) / 16 * 16;
}

static struct axis axis_of(int64_t dim)
{
    struct axis axis = {.dim = (uint64_t)dim};

    while (UINT64_C(1) << axis.shift < axis.dim)
        axis.shift++;
    if (axis.shift <= 31 && dim > 0)
        axis.magic = (uint32_t)((UINT64_C(1) << (31 + axis.shift)) / axis.dim + 1);
    return axis;
}

/* Element sizes of 1 and 2 need not be aligned to words: the words' first elements are others. */
static struct operand operand_of(const struct bl_pointwise *step, size_t o,
                                 uint64_t address)
{
    const struct bl_operand *operand = &step->operand[o];
    const int64_t before = bl_layout_before(step, operand);
    const uint64_t first = address - (uint64_t)before * operand->bytes;
    const uint64_t skew = operand->bytes < 4 ? first % 4 : 0;

    return (struct operand){.address = first - skew,
                            .start = (uint64_t)before + skew / operand->bytes};
}

/* True if each packet of the operand begins where it may be moved as a whole. */
static bool is_aligned(const struct bl_pointwise *step, const struct bl_layout *layout,
                       size_t o, const struct operand *lies)
{
    const struct bl_operand *operand = &step->operand[o];
    const enum bl_place place = bl_place_of(step, layout, operand);
    const uint64_t packet = (uint64_t)layout->lanes * operand->bytes;

    if (!bl_place_is_packed(place))
        return true;
    if (lies->address % (packet < 16 ? packet : 16) != 0 ||
        lies->start % layout->lanes != 0)
        return false;
    for (int axis = 0; axis < step->rank - 1 && place == BL_PLACE_ROW; axis++)
        if (operand->stride[axis] % (int64_t)layout->lanes != 0)
            return false;
    return true;
}

void bl_pointwise_arguments(const struct bl_pointwise *step,
                            const struct bl_shader_features *features,
                            const uint64_t *addresses, uint64_t failed_address, void *out)
{
    const struct bl_layout layout = bl_layout_of(step, features);
    struct block block = {
        .failed = {(uint32_t)failed_address, (uint32_t)(failed_address >> 32)},
        .count = (uint64_t)bl_layout_count(step),
        .aligned = 1};
    char *at = (char *)out + sizeof block;

    memset(out, 0, bl_pointwise_argument_bytes(step));
    for (size_t o = 0; o < step->operand_count; o++, at += sizeof(struct operand)) {
        const struct operand operand = operand_of(step, o, addresses[o]);

        block.aligned &= is_aligned(step, &layout, o, &operand);
        memcpy(at, &operand, sizeof operand);
    }
    for (int a = 0; a < step->rank; a++, at += sizeof(struct axis)) {
        const struct axis axis = axis_of(step->dim[a]);

        memcpy(at, &axis, sizeof axis);
    }
    for (size_t o = 0; o < step->operand_count; o++) {
        const size_t bytes = (size_t)step->rank * sizeof(int64_t);

        if (bytes > 0)
            memcpy(at, step->operand[o].stride, bytes);
        at += bytes;
    }
    memcpy(out, &block, sizeof block);
}

/* Packets that an invocation takes, one after the other, so that what it begins with (the operands'
 * addresses, the inverse of a divisor) is done once for them: an outer sum, which reads next to
 * nothing, is a fifth faster on an NVIDIA H200.  Fewer, where the device would not be full. */
#define PACKETS_EACH 4
#define GROUPS_WANTED 4096

/* More than PACKETS_EACH only where the device's groups do not suffice. */
struct bl_shader_groups bl_pointwise_groups(const struct bl_pointwise *step,
                                            const struct bl_shader_features *features)
{
    const struct bl_layout layout = bl_layout_of(step, features);
    const uint64_t in_group = (uint64_t)layout.lanes * bl_group_size(features);
    const uint64_t count = (uint64_t)bl_layout_count(step);
    uint64_t groups = count / in_group + (count % in_group != 0);

    if (groups > GROUPS_WANTED)
        groups = groups > GROUPS_WANTED * PACKETS_EACH
                     ? (groups + PACKETS_EACH - 1) / PACKETS_EACH
                     : GROUPS_WANTED;
    if (groups > features->group_limit)
        groups = features->group_limit;
    if (groups > UINT64_C(1) << 22) /* their invocations' numbers fit 31 bits */
        groups = UINT64_C(1) << 22;
    return (struct bl_shader_groups){(uint32_t)groups, 1, 1};
}

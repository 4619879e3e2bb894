/*
 * packets.c - print how a shader finds, reads and writes the elements of a packet
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends/vulkan/print.h"

static unsigned log2_of(unsigned power)
{
    unsigned bits = 0;

    while (power >> bits > 1)
        bits++;
    return bits;
}

static enum bl_place place_of(const struct bl_printer *printer, size_t operand)
{
    return bl_place_of(printer->step, &printer->layout, &printer->step->operand[operand]);
}

/* ---- Where elements lie ------------------------------------------------------------------------ */

/* An index on each axis, from that of an element: by products in 32 bits, else by divisions. */
static void print_coordinates(const struct bl_printer *printer)
{
    const int rank = printer->step->rank;

    bl_text_put(printer->glsl, "INDEX c[%d];\nINDEX rest = i;\n", rank);
    for (int axis = rank - 1; axis > 0; axis--) {
        bl_text_put(printer->glsl, "{\nconst INDEX q = ");
        if (printer->layout.wide)
            bl_text_put(printer->glsl, "rest / AT(args.axis[%d].dim)", axis);
        else
            bl_text_put(printer->glsl,
                        "quotient(rest, args.axis[%d].magic, args.axis[%d].shift)", axis,
                        axis);
        bl_text_put(printer->glsl,
                    ";\nc[%d] = rest - q * AT(args.axis[%d].dim);\nrest = q;\n}\n", axis,
                    axis);
    }
    bl_text_put(printer->glsl, "c[0] = rest;\n");
}

/* The offset of an operand's element at those coordinates. */
static void print_offset(const struct bl_printer *printer, size_t operand)
{
    const int rank = printer->step->rank;

    bl_text_put(printer->glsl, "INDEX o%zu = AT(args.operand[%zu].start)", operand,
                operand);
    for (int axis = 0; axis < rank; axis++)
        if (printer->step->operand[operand].stride[axis] != 0)
            bl_text_put(printer->glsl, " + c[%d] * AT(args.stride[%zu])", axis,
                        operand * (size_t)rank + (size_t)axis);
    bl_text_put(printer->glsl, ";\n");
}

/* One step along the last axis, and a carry to the axes before it; offsets go with the
 * coordinates. */
static void print_step(const struct bl_printer *printer, int axis)
{
    const int rank = printer->step->rank;

    bl_text_put(printer->glsl, "c[%d]++;\n", axis);
    for (size_t o = 0; o < printer->step->operand_count; o++) {
        const int64_t *stride = printer->step->operand[o].stride;
        const size_t at = o * (size_t)rank + (size_t)axis;

        if (place_of(printer, o) != BL_PLACE_ANY)
            continue;
        if (stride[axis] != 0)
            bl_text_put(printer->glsl, "o%zu += AT(args.stride[%zu]);\n", o, at);
        if (axis + 1 < rank && stride[axis + 1] != 0)
            bl_text_put(printer->glsl,
                        "o%zu -= AT(args.stride[%zu]) * AT(args.axis[%d].dim);\n", o,
                        at + 1, axis + 1);
    }
    if (axis == 0)
        return;
    bl_text_put(printer->glsl, "if (c[%d] == AT(args.axis[%d].dim)) {\nc[%d] = 0;\n", axis,
                axis, axis);
    print_step(printer, axis - 1);
    bl_text_put(printer->glsl, "}\n");
}

static bool has_any(const struct bl_printer *printer)
{
    for (size_t o = 0; o < printer->step->operand_count; o++)
        if (place_of(printer, o) == BL_PLACE_ANY)
            return true;
    return false;
}

/* The offsets of all lanes: o3 and, for elements that are found one by one, o3_0, o3_1, ...  Past
 * the last element, those of the last. */
void bl_print_places(const struct bl_printer *printer)
{
    const size_t count = printer->step->operand_count;

    if (!printer->layout.coordinates)
        return;
    print_coordinates(printer);
    for (size_t o = 0; o < count; o++)
        if (bl_place_has_offset(place_of(printer, o)))
            print_offset(printer, o);
    if (!has_any(printer))
        return;
    for (unsigned lane = 0; lane < printer->layout.lanes; lane++) {
        for (size_t o = 0; o < count; o++)
            if (place_of(printer, o) == BL_PLACE_ANY)
                bl_text_put(printer->glsl, "const INDEX o%zu_%u = o%zu;\n", o, lane, o);
        if (lane + 1 == printer->layout.lanes)
            break;
        bl_text_put(printer->glsl, "if (%uu < left) {\n", lane + 1);
        print_step(printer, printer->step->rank - 1);
        bl_text_put(printer->glsl, "}\n");
    }
}

/* The offset of an operand's element of a lane. */
static void put_offset(const struct bl_printer *printer, size_t operand, unsigned lane)
{
    const int rank = printer->step->rank;

    switch (place_of(printer, operand)) {
    case BL_PLACE_ONE:
        bl_text_put(printer->glsl, "AT(args.operand[%zu].start)", operand);
        break;
    case BL_PLACE_DENSE:
        bl_text_put(printer->glsl, "AT(args.operand[%zu].start) + i + min(%uu, left - 1)",
                    operand, lane);
        break;
    case BL_PLACE_ANY:
        bl_text_put(printer->glsl, "o%zu_%u", operand, lane);
        break;
    case BL_PLACE_STILL:
        bl_text_put(printer->glsl, "o%zu", operand);
        break;
    default:
        bl_text_put(printer->glsl, "o%zu + %u * AT(args.stride[%zu])", operand, lane,
                    (operand + 1) * (size_t)rank - 1);
    }
}

/* ---- Elements one by one ----------------------------------------------------------------------- */

/* What follows the name of a variable that an element is loaded to. */
static void print_loaded(const struct bl_printer *printer, size_t operand, unsigned lane)
{
    bl_text_put(printer->glsl, " = load_%u(args.operand[%zu].address, ",
                printer->step->operand[operand].bytes, operand);
    put_offset(printer, operand, lane);
    bl_text_put(printer->glsl, ");\n");
}

static void print_load(const struct bl_printer *printer, size_t operand, unsigned lane)
{
    char name[BL_NAME_SIZE];

    bl_text_put(printer->glsl, "%s", bl_lane_name(printer, (bl_slot)operand, lane, name));
    print_loaded(printer, operand, lane);
}

static void print_store(const struct bl_printer *printer, size_t operand, unsigned lane)
{
    char name[BL_NAME_SIZE];

    if (lane > 0 && !printer->layout.rows)
        bl_text_put(printer->glsl, "if (%uu < left)\n", lane);
    bl_text_put(printer->glsl, "store_%u(args.operand[%zu].address, ",
                printer->step->operand[operand].bytes, operand);
    put_offset(printer, operand, lane);
    bl_text_put(printer->glsl, ", %s);\n",
                bl_lane_name(printer, (bl_slot)operand, lane, name));
}

/* ---- Packets ----------------------------------------------------------------------------------- */

/* How a packet's bytes are moved: `parts` times 4, 8 or 16 of them. */
struct transfer {
    unsigned bytes, parts;
};

static struct transfer transfer_of(const struct bl_printer *printer, size_t operand)
{
    const unsigned all = printer->layout.lanes * printer->step->operand[operand].bytes;

    return all <= 16 ? (struct transfer){all, 1} : (struct transfer){16, all / 16};
}

/* The index of a part in an array of such parts. */
static void put_part(const struct bl_printer *printer, size_t operand, unsigned parts,
                     unsigned part)
{
    if (place_of(printer, operand) == BL_PLACE_DENSE)
        bl_text_put(printer->glsl, "p * %u + %u", parts, part);
    else
        bl_text_put(printer->glsl, "(o%zu >> %u) * %u + %u", operand,
                    log2_of(printer->layout.lanes), parts, part);
}

/* The words of a part that is a uint, a uvec2 or a uvec4. */
static const char *word_of(unsigned part_bytes, unsigned word)
{
    static const char *const words[] = {".x", ".y", ".z", ".w"};

    return part_bytes == 4 ? "" : words[word];
}

/* Take a lane's element out of the part q. */
static void print_take(const struct bl_printer *printer, size_t operand, unsigned lane,
                       unsigned part_bytes)
{
    const unsigned bytes = printer->step->operand[operand].bytes;
    const unsigned at = lane * bytes % part_bytes;
    char name[BL_NAME_SIZE];

    bl_text_put(printer->glsl,
                "%s = ", bl_lane_name(printer, (bl_slot)operand, lane, name));
    if (bytes == part_bytes)
        bl_text_put(printer->glsl, "q;\n");
    else if (bytes == 8)
        bl_text_put(printer->glsl, "q.%s;\n", at == 0 ? "xy" : "zw");
    else if (bytes == 4)
        bl_text_put(printer->glsl, "q%s;\n", word_of(part_bytes, at / 4));
    else
        bl_text_put(printer->glsl, "q%s >> %u & %s;\n", word_of(part_bytes, at / 4),
                    at % 4 * 8, bytes == 2 ? "0xffffu" : "0xffu");
}

static void print_packed_load(const struct bl_printer *printer, size_t operand)
{
    const struct transfer transfer = transfer_of(printer, operand);
    const unsigned lanes = printer->layout.lanes / transfer.parts;

    for (unsigned part = 0; part < transfer.parts; part++) {
        bl_text_put(printer->glsl, "{\n");
        printer->dialect->constant(printer->glsl,
                                   bl_dialect_type(printer->dialect, transfer.bytes), "q");
        bl_text_put(printer->glsl, " = load_%u(args.operand[%zu].address, ", transfer.bytes,
                    operand);
        put_part(printer, operand, transfer.parts, part);
        bl_text_put(printer->glsl, ");\n");
        for (unsigned lane = part * lanes; lane < (part + 1) * lanes; lane++)
            print_take(printer, operand, lane, transfer.bytes);
        bl_text_put(printer->glsl, "}\n");
    }
}

/* A part made of its lanes' elements: a word of small ones by shifts. */
static void put_word(const struct bl_printer *printer, size_t operand, unsigned first)
{
    const unsigned bytes = printer->step->operand[operand].bytes;
    char name[BL_NAME_SIZE];

    for (unsigned k = 0; k < (bytes < 4 ? 4 / bytes : 1); k++)
        bl_text_put(printer->glsl, k == 0 ? "%s" : " | %s << %u",
                    bl_lane_name(printer, (bl_slot)operand, first + k, name),
                    k * bytes * 8);
}

static void print_packed_store(const struct bl_printer *printer, size_t operand)
{
    const unsigned bytes = printer->step->operand[operand].bytes;
    const struct transfer transfer = transfer_of(printer, operand);
    const unsigned lanes = printer->layout.lanes / transfer.parts;
    const unsigned unit = bytes < 4 ? 4 / bytes : 1; /* lanes in a word */

    for (unsigned part = 0; part < transfer.parts; part++) {
        bl_text_put(printer->glsl, "store_%u(args.operand[%zu].address, ", transfer.bytes,
                    operand);
        put_part(printer, operand, transfer.parts, part);
        bl_text_put(printer->glsl, ", %s(",
                    bl_dialect_type(printer->dialect, transfer.bytes));
        for (unsigned lane = 0; lane < lanes; lane += unit) {
            if (lane > 0)
                bl_text_put(printer->glsl, ", ");
            put_word(printer, operand, part * lanes + lane);
        }
        bl_text_put(printer->glsl, "));\n");
    }
}

/* ---- All operands ------------------------------------------------------------------------------ */

/* True if a packet of the operand is one element, and so has one variable. */
static bool is_single(enum bl_place place)
{
    return place == BL_PLACE_ONE || place == BL_PLACE_STILL;
}

const char *bl_lane_name(const struct bl_printer *printer, bl_slot slot, unsigned lane,
                         char *name)
{
    struct bl_text text = bl_text_in(name, BL_NAME_SIZE);

    if (slot < printer->step->operand_count && is_single(place_of(printer, slot)))
        bl_text_put(&text, "v%u", (unsigned)slot);
    else
        bl_text_put(&text, "v%u_%u", (unsigned)slot, lane);
    return name;
}

/* What is read once. */
void bl_print_ones(const struct bl_printer *printer)
{
    const struct bl_dialect *dialect = printer->dialect;
    char name[BL_NAME_SIZE];

    for (size_t o = 0; o < printer->step->operand_count; o++)
        if (place_of(printer, o) == BL_PLACE_ONE) {
            dialect->constant(printer->glsl,
                              bl_dialect_type(dialect, printer->step->operand[o].bytes),
                              bl_lane_name(printer, (bl_slot)o, 0, name));
            print_loaded(printer, o, 0);
        }
}

/* All operands that may be read in packets, or none. */
static void print_loads_of(const struct bl_printer *printer, bool packed)
{
    for (size_t o = 0; o < printer->step->operand_count; o++) {
        if (printer->step->operand[o].written || !bl_place_is_packed(place_of(printer, o)))
            continue;
        if (packed)
            print_packed_load(printer, o);
        else
            for (unsigned lane = 0; lane < printer->layout.lanes; lane++)
                print_load(printer, o, lane);
    }
}

void bl_print_loads(const struct bl_printer *printer)
{
    for (size_t o = 0; o < printer->step->operand_count; o++) {
        const enum bl_place place = place_of(printer, o);
        const unsigned lanes = is_single(place) ? 1 : printer->layout.lanes;

        if (printer->step->operand[o].written || bl_place_is_packed(place) ||
            place == BL_PLACE_ONE)
            continue;
        for (unsigned lane = 0; lane < lanes; lane++)
            print_load(printer, o, lane);
    }
    bl_text_put(printer->glsl, "if (whole) {\n");
    print_loads_of(printer, true);
    bl_text_put(printer->glsl, "} else {\n");
    print_loads_of(printer, false);
    bl_text_put(printer->glsl, "}\n");
}

static void print_stores_of(const struct bl_printer *printer, bool packed)
{
    for (size_t o = 0; o < printer->step->operand_count; o++) {
        if (!printer->step->operand[o].written)
            continue;
        if (packed && bl_place_is_packed(place_of(printer, o)))
            print_packed_store(printer, o);
        else
            for (unsigned lane = 0; lane < printer->layout.lanes; lane++)
                print_store(printer, o, lane);
    }
}

void bl_print_stores(const struct bl_printer *printer)
{
    bl_text_put(printer->glsl, "if (whole) {\n");
    print_stores_of(printer, true);
    bl_text_put(printer->glsl, "} else {\n");
    print_stores_of(printer, false);
    bl_text_put(printer->glsl, "}\n");
}

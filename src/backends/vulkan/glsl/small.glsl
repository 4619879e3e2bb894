// small.glsl - types of 1 and 2 bytes, to and from what they compute in
//
// SPDX-License-Identifier: Apache-2.0
//
// Integers become 32 bits, floats the bits of a float32; the latter by integers where a device's own
// conversions are not known to be exact.

uint i8_widen(uint x)
{
    return uint(bitfieldExtract(int(x), 0, 8));
}

uint i16_widen(uint x)
{
    return uint(bitfieldExtract(int(x), 0, 16));
}

// Integers of 4 bits and 2 lie in a byte, whose other bits do not count.
uint i4_widen(uint x)
{
    return uint(bitfieldExtract(int(x), 0, 4));
}

uint u4_widen(uint x)
{
    return x & 15;
}

uint i2_widen(uint x)
{
    return uint(bitfieldExtract(int(x), 0, 2));
}

uint u2_widen(uint x)
{
    return x & 3;
}

uint u8_narrow(uint x)
{
    return x & 0xffu;
}

uint u16_narrow(uint x)
{
    return x & 0xffffu;
}

uint bool_widen(uint x)
{
    return x != 0 ? 1 : 0;
}

// ---- bfloat16: the upper half of a float32 ---------------------------------

uint bf16_widen(uint x)
{
    return x << 16;
}

// To nearest, ties to even; a NaN stays one.
uint bf16_narrow(uint x)
{
    const bool nan = (x & 0x7fffffffu) > 0x7f800000u;

    return nan ? 0x7fc0u : (x + 0x7fffu + (x >> 16 & 1)) >> 16;
}

// ---- float16 ---------------------------------------------------------------

// Compilers take unpackHalf2x16(packHalf2x16(x)) for x, and so lose the rounding of a half that goes
// on in registers (NVIDIA's do).  no_bits is read from memory, where it is 0, so that none knows
// what is unpacked.
#ifdef PACKS_HALVES
uint f16_widen(uint x)
{
    return floatBitsToUint(unpackHalf2x16(x).x);
}

uint f16_narrow(uint x)
{
    return packHalf2x16(vec2(uintBitsToFloat(x), 0.0)) ^ no_bits;
}
#else
uint f16_widen(uint x)
{
    const uint sign = (x & 0x8000u) << 16;
    const uint magnitude = x & 0x7fffu;

    if (magnitude >= 0x7c00u)
        return sign | ((magnitude << 13) + (224u << 23));
    if (magnitude >= 0x400u)
        return sign | ((magnitude << 13) + (112u << 23));
    if (magnitude == 0)
        return sign;
    // Subnormal: its leading bit becomes the implied one.
    const int top = findMSB(magnitude);

    return sign | ((uint(top + 103) << 23) + ((magnitude << (23 - top)) & 0x7fffffu));
}

uint f16_narrow(uint x)
{
    const uint sign = x >> 16 & 0x8000u;
    const uint magnitude = x & 0x7fffffffu;

    if (magnitude > 0x7f800000u)
        return 0x7e00u;
    if (magnitude >= 0x47800000u)
        return sign | 0x7c00u;
    if (magnitude >= 0x38800000u)
        return sign | ((magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1)) >> 13);
    // Below the normal numbers: shifted until its unit is 2^-24.
    const uint shift = min(126 - (magnitude >> 23), 31);
    const uint significand = (magnitude & 0x7fffffu) | 0x800000u;
    const uint kept = significand >> shift;
    const uint lost = significand & ((1u << shift) - 1);
    const uint half_way = 1u << (shift - 1);

    return sign | (kept + (lost > half_way || (lost == half_way && (kept & 1) != 0) ? 1 : 0));
}
#endif

// ---- The floats of 8 bits and less -----------------------------------------

// A code without its sign that is a number, of so many fraction bits and that bias.
uint mini_widen(uint magnitude, uint fraction_bits, uint bias)
{
    if (magnitude == 0)
        return 0;
    if (magnitude >> fraction_bits != 0)
        return (magnitude << (23 - fraction_bits)) + ((127 - bias) << 23);
    const uint top = uint(findMSB(magnitude));

    return ((top + 128 - bias - fraction_bits) << 23) + ((magnitude << (23 - top)) & 0x7fffffu);
}

const uint F32_NAN = 0x7fc00000u;

uint f8e4m3fn_widen(uint x)
{
    const uint magnitude = x & 0x7fu;

    return magnitude == 0x7fu ? F32_NAN : (x & 0x80u) << 24 | mini_widen(magnitude, 3, 7);
}

uint f8e4m3fnuz_widen(uint x)
{
    return x == 0x80u ? F32_NAN : (x & 0x80u) << 24 | mini_widen(x & 0x7fu, 3, 8);
}

uint f8e5m2_widen(uint x)
{
    const uint magnitude = x & 0x7fu;
    const uint sign = (x & 0x80u) << 24;

    if (magnitude > 0x7cu)
        return F32_NAN;
    return sign | (magnitude == 0x7cu ? 0x7f800000u : mini_widen(magnitude, 2, 15));
}

uint f8e5m2fnuz_widen(uint x)
{
    return x == 0x80u ? F32_NAN : (x & 0x80u) << 24 | mini_widen(x & 0x7fu, 2, 16);
}

uint f4e2m1_widen(uint x)
{
    return (x & 8u) << 28 | mini_widen(x & 7u, 1, 1);
}

// A power of two, the least of them subnormal.
uint f8e8m0_widen(uint x)
{
    return x == 0xffu ? F32_NAN : x == 0 ? 1u << 22 : x << 23;
}

// memory.glsl - elements and packets in memory, by address and index
//
// SPDX-License-Identifier: Apache-2.0
//
// A value is the bits of an element: a uint for those of 4 bytes and less, a uvec2 or uvec4 for
// those of 8 and 16.  Elements of 1 and 2 bytes are read from words.

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Pairs { uvec2 at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Quads { uvec4 at[]; };

// The bits of element `i` of 1, 2, 4, 8, 16 bytes.
uint load_1(uvec2 base, uint i)
{
    return Words(base).at[i >> 2] >> ((i & 3u) << 3) & 0xffu;
}

uint load_2(uvec2 base, uint i)
{
    return Words(base).at[i >> 1] >> ((i & 1u) << 4) & 0xffffu;
}

uint load_4(uvec2 base, uint i)
{
    return Words(base).at[i];
}

uvec2 load_8(uvec2 base, uint i)
{
    return Pairs(base).at[i];
}

uvec4 load_16(uvec2 base, uint i)
{
    return Quads(base).at[i];
}

void store_4(uvec2 base, uint i, uint value)
{
    Words(base).at[i] = value;
}

void store_8(uvec2 base, uint i, uvec2 value)
{
    Pairs(base).at[i] = value;
}

void store_16(uvec2 base, uint i, uvec4 value)
{
    Quads(base).at[i] = value;
}

#ifdef HAS_STORE_8
layout(buffer_reference, std430, buffer_reference_align = 1) buffer Bytes { uint8_t at[]; };

void store_1(uvec2 base, uint i, uint value)
{
    Bytes(base).at[i] = uint8_t(value);
}
#else
// Other invocations write the word's other bytes at the same time: each touches its own bits alone.
void store_1(uvec2 base, uint i, uint value)
{
    const uint shift = (i & 3u) << 3;

    atomicAnd(Words(base).at[i >> 2], ~(0xffu << shift));
    atomicOr(Words(base).at[i >> 2], (value & 0xffu) << shift);
}
#endif

#ifdef HAS_STORE_16
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Halves { uint16_t at[]; };

void store_2(uvec2 base, uint i, uint value)
{
    Halves(base).at[i] = uint16_t(value);
}
#else
void store_2(uvec2 base, uint i, uint value)
{
    const uint shift = (i & 1u) << 4;

    atomicAnd(Words(base).at[i >> 1], ~(0xffffu << shift));
    atomicOr(Words(base).at[i >> 1], (value & 0xffffu) << shift);
}
#endif

// n / d for n below 2^31, by a product: `magic` is 2^(31 + shift) / d + 1, shift the bits of d - 1.
uint quotient(uint n, uint magic, uint shift)
{
    uint high, low;

    umulExtended(n << 1, magic, high, low);
    return high >> shift;
}

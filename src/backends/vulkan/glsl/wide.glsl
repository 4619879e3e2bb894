// wide.glsl - elements by an index of 64 bits
//
// SPDX-License-Identifier: Apache-2.0

uvec2 far(uvec2 base, uint64_t bytes)
{
    return unpackUint2x32(packUint2x32(base) + bytes);
}

uint load_1(uvec2 base, uint64_t i)
{
    return load_1(far(base, i & ~uint64_t(3)), uint(i) & 3u);
}

uint load_2(uvec2 base, uint64_t i)
{
    return load_2(far(base, 2 * (i & ~uint64_t(1))), uint(i) & 1u);
}

uint load_4(uvec2 base, uint64_t i)
{
    return load_4(far(base, 4 * i), 0u);
}

uvec2 load_8(uvec2 base, uint64_t i)
{
    return load_8(far(base, 8 * i), 0u);
}

uvec4 load_16(uvec2 base, uint64_t i)
{
    return load_16(far(base, 16 * i), 0u);
}

void store_1(uvec2 base, uint64_t i, uint value)
{
    store_1(far(base, i & ~uint64_t(3)), uint(i) & 3u, value);
}

void store_2(uvec2 base, uint64_t i, uint value)
{
    store_2(far(base, 2 * (i & ~uint64_t(1))), uint(i) & 1u, value);
}

void store_4(uvec2 base, uint64_t i, uint value)
{
    store_4(far(base, 4 * i), 0u, value);
}

void store_8(uvec2 base, uint64_t i, uvec2 value)
{
    store_8(far(base, 8 * i), 0u, value);
}

void store_16(uvec2 base, uint64_t i, uvec4 value)
{
    store_16(far(base, 16 * i), 0u, value);
}

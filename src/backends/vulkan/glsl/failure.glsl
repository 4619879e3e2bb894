// failure.glsl - the first element without a result
//
// SPDX-License-Identifier: Apache-2.0
//
// 8 bytes, all ones at first: the lowest of all indices is left in them.  With indices of 32 bits,
// the upper 4 stay as they are.

// Set by a function that has no result.
bool failed_here = false;

void report_failure(uvec2 words, uint index)
{
    atomicMin(Words(words).at[0], index);
}

#ifdef WIDE
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Failure { uint64_t first; };

void report_failure(uvec2 words, uint64_t index)
{
    atomicMin(Failure(words).first, index);
}
#endif

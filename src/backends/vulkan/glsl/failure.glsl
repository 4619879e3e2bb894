// failure.glsl - the first element without a result
//
// SPDX-License-Identifier: Apache-2.0
//
// Two words, all ones at first: the lower of all indices is left in them.  With indices of 32 bits,
// the second stays as it is.

// Set by a function that has no result.
bool failed_here = false;

void report_failure(uvec2 words, uint index)
{
    atomicMin(Words(words).at[0], index);
}

#ifdef WIDE
// The second word is also a lock: no index has all of its upper bits set but the last.
const uint LOCKED = 0xfffffffeu;

void report_failure(uvec2 words, uint64_t index)
{
    const uvec2 mine = unpackUint2x32(index);
    bool done = false;

    while (!done) {
        const uint high = atomicOr(Words(words).at[1], 0u);

        if (high != LOCKED && atomicCompSwap(Words(words).at[1], high, LOCKED) == high) {
            const uint low = atomicOr(Words(words).at[0], 0u);
            const bool lower = mine.y < high || (mine.y == high && mine.x < low);

            memoryBarrierBuffer();
            if (lower)
                atomicExchange(Words(words).at[0], mine.x);
            memoryBarrierBuffer();
            atomicExchange(Words(words).at[1], lower ? mine.y : high);
            done = true;
        }
    }
}
#endif

// matmul.glsl - a matrix product, tile by tile
//
// SPDX-License-Identifier: Apache-2.0
//
// What is defined before it: TILE rows and columns in a tile; SUM the type of the sums' bits, ADD and
// MUL what computes them; LOAD and WIDEN for the operands' elements, STORE and NARROW for the
// result's; A_ALONG_K and B_ALONG_K where an operand's elements lie side by side along k; RANK of the
// batch; and finish(), from a sum to a result.
//
// A group computes a tile of y.  Slices of a and b, STEP long, are brought to shared memory; an
// invocation has 4 x 4 sums.  Terms are added one after the other, k rising: the slice's end is
// padded with zeros, and +0 changes no sum, for none is -0.

const uint STEP = 16;
const uint SIDE = TILE / 4; // invocations along a tile

shared SUM a_slice[STEP][TILE + 1];
shared SUM b_slice[STEP][TILE + 1];

// Element of a matrix, 0 outside of it.
SUM element_of(uint which, INDEX base, INDEX row, INDEX column, INDEX rows, INDEX columns)
{
    if (row >= rows || column >= columns)
        return SUM(0);
    return WIDEN(LOAD(args.matrix[which].address, base + row * AT(args.matrix[which].row) +
                                                      column * AT(args.matrix[which].column)));
}

void bring(INDEX a, INDEX b, INDEX row, INDEX column, INDEX k)
{
    const INDEX rows = AT(args.rows), columns = AT(args.columns), terms = AT(args.terms);

    for (uint e = gl_LocalInvocationIndex; e < STEP * TILE; e += SIDE * SIDE) {
#ifdef A_ALONG_K
        const uint ak = e % STEP, ai = e / STEP;
#else
        const uint ak = e / TILE, ai = e % TILE;
#endif
#ifdef B_ALONG_K
        const uint bk = e % STEP, bj = e / STEP;
#else
        const uint bk = e / TILE, bj = e % TILE;
#endif
        a_slice[ak][ai] = element_of(0, a, row + ai, k + ak, rows, terms);
        b_slice[bk][bj] = element_of(1, b, k + bk, column + bj, terms, columns);
    }
}

void multiply(INDEX a, INDEX b, INDEX y, INDEX row, INDEX column)
{
    const uint i0 = gl_LocalInvocationIndex / SIDE, j0 = gl_LocalInvocationIndex % SIDE;
    SUM sum[4][4];

    [[unroll]] for (uint i = 0; i < 4; i++)
        [[unroll]] for (uint j = 0; j < 4; j++)
            sum[i][j] = SUM(0);
    for (INDEX k = 0; k < AT(args.terms); k += STEP) {
        bring(a, b, row, column, k);
        barrier();
        for (uint s = 0; s < STEP; s++) {
            SUM p[4], q[4];

            [[unroll]] for (uint i = 0; i < 4; i++) {
                p[i] = a_slice[s][i0 + i * SIDE];
                q[i] = b_slice[s][j0 + i * SIDE];
            }
            [[unroll]] for (uint i = 0; i < 4; i++)
                [[unroll]] for (uint j = 0; j < 4; j++)
                    sum[i][j] = ADD(sum[i][j], MUL(p[i], q[j]));
        }
        barrier();
    }
    [[unroll]] for (uint i = 0; i < 4; i++)
        [[unroll]] for (uint j = 0; j < 4; j++) {
            const INDEX r = row + i0 + i * SIDE, c = column + j0 + j * SIDE;

            if (r < AT(args.rows) && c < AT(args.columns))
                STORE(args.matrix[3].address,
                      y + r * AT(args.matrix[3].row) + c * AT(args.matrix[3].column),
                      NARROW(finish(sum[i][j], r, c)));
        }
}

void main()
{
    const INDEX across = (AT(args.columns) + TILE - 1) / TILE;
    const INDEX down = (AT(args.rows) + TILE - 1) / TILE;

    for (INDEX t = gl_WorkGroupID.x; t < across * down * AT(args.batches); t += gl_NumWorkGroups.x) {
        const INDEX rest = t / across;
        INDEX batch = rest / down;
        INDEX a = AT(args.matrix[0].start), b = AT(args.matrix[1].start);
        INDEX y = AT(args.matrix[3].start);

#if RANK > 0
        for (int axis = RANK - 1; axis >= 0; axis--) {
            const INDEX at = batch % AT(args.batch[axis].dim);

            batch /= AT(args.batch[axis].dim);
            a += at * AT(args.batch[axis].a);
            b += at * AT(args.batch[axis].b);
            y += at * AT(args.batch[axis].y);
        }
#endif
        multiply(a, b, y, (rest % down) * TILE, (t % across) * TILE);
    }
}

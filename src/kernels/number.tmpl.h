/*
 * number.tmpl.h - every kernel of one numeric type; undefines its parameters
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: those of arith.tmpl.h, FLOATING excepted.
 */
#include "kernels/arith.tmpl.h"
#include "kernels/compare.tmpl.h"

#undef T
#undef TAG
#undef W
#undef COPY
#if FLOATING
#undef TO_BITS
#undef FROM_BITS
#else
#undef Q
#undef SIGNED
#endif

/*
 * number.tmpl.h - every kernel of one numeric type; undefines its parameters
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameters: those of arith.tmpl.h, FLOATING excepted; WIDTH, the bits of T.
 */
#include "kernels/arith.tmpl.h"
#include "kernels/compare.tmpl.h"

#if FLOATING
#define NO_MIN ((T)-INFINITY)
#define NO_MAX ((T)INFINITY)
#include "kernels/clip_float.tmpl.h"
#elif SIGNED
#define NO_MIN ((T)((W)1 << (WIDTH - 1)))
#define NO_MAX ((T)~NO_MIN)
#include "kernels/divide.tmpl.h"
#else
#define NO_MIN ((T)0)
#define NO_MAX ((T)~NO_MIN)
#include "kernels/divide.tmpl.h"
#include "kernels/shift.tmpl.h"
#endif
#define OF_FLOAT(x) (x)
#define SOUND FLOATING
#include "kernels/clip.tmpl.h"
#undef OF_FLOAT
#undef SOUND
#undef NO_MIN
#undef NO_MAX

#undef T
#undef TAG
#undef W
#undef COPY
#undef WIDTH
#if FLOATING
#undef TO_BITS
#undef FROM_BITS
#else
#undef SIGNED
#endif

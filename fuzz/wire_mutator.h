/*
 * wire_mutator.h - change a protobuf message into another one
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BL_FUZZ_WIRE_MUTATOR_H
#define BL_FUZZ_WIRE_MUTATOR_H

#include "fuzz/fuzz.h"

/*
 * As LLVMFuzzerCustomMutator, for a ModelProto: take away, repeat, move or exchange a field, wherever in
 * the message it lies, change its number, or its text for another text of the model or another
 * operator's name; the lengths of the messages around it follow.  Now and then, and for what is no
 * message, libFuzzer's own mutations.
 */
size_t fuzz_mutate_wire(uint8_t *data, size_t size, size_t most, unsigned seed);

#endif

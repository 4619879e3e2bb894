/*
 * pb.h - ONNX's TensorProto to a tensor and back
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Source: onnx.proto, message TensorProto.
 */
#ifndef BL_IO_PB_H
#define BL_IO_PB_H

#include "io/external.h"
#include "io/wire.h"
#include "io/writer.h"

/* Where a tensor's elements may be. */
struct bl_pb_places {
    struct bl_external *external; /* files beside this one; NULL, or without a folder: no */
    bool borrow; /* leave elements where they are, in the source or in an external file, if
                    they lie there as they have to in memory; they have to outlive the
                    tensor */
};

/*
 * Read the TensorProto that `message` is a cursor over: a whole .pb file, or a part of a
 * model.
 *
 * Nothing is allocated before the data have been found to be as many as the dims say.
 *
 * Errors: BL_ERR_FORMAT; BL_ERR_UNSUPPORTED for data in another file, where `places` has
 *         none, and for segments; BL_ERR_LIMIT; BL_ERR_MEMORY; BL_ERR_IO.
 */
bl_tensor *bl_pb_read(struct bl_wire message, const bl_allocator *allocator,
                      const struct bl_pb_places *places, bl_error *err);

/* Write a tensor as a TensorProto without a name: dims, data_type, and raw_data or
 * string_data.  From 2 GiB on other readers of protocol buffers will refuse it; this one
 * will not. */
bl_status bl_pb_write(const bl_tensor *tensor, struct bl_writer *writer, bl_error *err);

#endif

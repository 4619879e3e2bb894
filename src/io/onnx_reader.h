/*
 * onnx_reader.h - what the files that read a model share
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     onnx.c            ModelProto, GraphProto
 *     onnx_value.c      ValueInfoProto, TypeProto
 *     onnx_node.c       NodeProto
 *     onnx_attribute.c  AttributeProto
 *     onnx_function.c   FunctionProto, and a call of one
 */
#ifndef BL_IO_ONNX_READER_H
#define BL_IO_ONNX_READER_H

#include "base/arena.h"
#include "graph/build.h"
#include "graph/names.h"
#include "io/onnx_fields.h"
#include "io/pb.h"

struct bl_onnx {
    const struct bl_source *source;
    bl_allocator allocator;
    struct bl_pb_places places;
    struct bl_builder *builder;
    bool keeps_broken;       /* nodes that could not run, rather than refusing the model */
    struct bl_arena arena;   /* functions, and names that are taken; until the end */
    struct bl_arena scratch; /* for what is being read */
    int64_t ir_version;
    int64_t opset; /* of ai.onnx; 0: not imported */
    struct bl_list functions;
    struct bl_names function_names;
    struct bl_names taken;  /* names of values, where functions ask for new ones */
    uint64_t fresh;         /* numbers new names */
    uint64_t inlining_left; /* what may still be inlined (onnx_function.c) */
};

/* A local function: what is needed of it to inline a call. */
struct bl_onnx_function {
    struct bl_wire body;
    const char *domain;
    const char *name;
    const char *overload;
    int64_t opset; /* of ai.onnx, which its nodes are in */
    const char **inputs;
    size_t input_count;
    const char **outputs;
    size_t output_count;
    const char **attributes; /* those without a default */
    size_t attribute_count;
    bl_attribute *defaults; /* the others */
    size_t default_count;
};

/* Where nodes stand: in the graph, or in a call of a function. */
struct bl_onnx_scope {
    const struct bl_onnx_function *function; /* NULL: in the graph */
    int depth;
    const char *prefix;            /* of names inside, "" in the graph */
    const bl_attribute *arguments; /* what the call gives for the function's attributes */
    size_t argument_count;
    struct bl_names names; /* inside; the numbers are indices into... */
    struct bl_list values; /* ...const char *, the names in the graph */
};

/* A node with its names as they are in the graph. */
struct bl_onnx_node {
    struct bl_raw_node raw;
    const char *overload;
    size_t offset;
};

/* ---- Fields (onnx.c) ------------------------------------------------------------ */

/* A string that is a name: one line of text.  The copy lies in `arena`. */
bl_status bl_onnx_name(const struct bl_wire_field *field, struct bl_arena *arena,
                       const char **name, bl_error *err);

/* How often a field occurs in a message; it has to be a string or a message. */
bl_status bl_onnx_count(struct bl_wire message, uint32_t number, size_t *count,
                        bl_error *err);

/* All strings of a field, copies of names as above. */
bl_status bl_onnx_names(struct bl_wire message, uint32_t number, struct bl_arena *arena,
                        const char ***names, size_t *count, bl_error *err);

/* Read an OperatorSetIdProto.  *opset is set if it is ai.onnx's. */
bl_status bl_onnx_opset(const struct bl_wire_field *field, struct bl_arena *arena,
                        int64_t *opset, bl_error *err);

/* Put the source and an offset in front of the message of a failure that has none. */
bl_status bl_onnx_at(const struct bl_onnx *reader, size_t offset, bl_status status,
                     bl_error *err);

/* ---- Values (onnx_value.c) ------------------------------------------------------- */

/* Read the ValueInfoProto of what `kind` ("input") says.  All in the scratch arena. */
bl_status bl_onnx_value_info(struct bl_onnx *reader, const struct bl_wire_field *field,
                             const char *kind, bl_value_info *info, bl_error *err);

/* ---- Nodes (onnx_node.c, onnx_attribute.c, onnx_function.c) ---------------------- */

/* Read a NodeProto and add it to the graph, or all that it stands for. */
bl_status bl_onnx_add_node(struct bl_onnx *reader, struct bl_onnx_scope *scope,
                           const struct bl_wire_field *field, bl_error *err);

/*
 * Read an AttributeProto.  Its tensor is the graph's; all else lies in `arena`.  `owner` is
 * whose it is, for messages: "node 'x'".
 *
 * @param reference  set to the name of the function's attribute that it refers to, or NULL.
 *                   Such an attribute has a name and a type, but no value.
 */
bl_status bl_onnx_read_attribute(struct bl_onnx *reader, struct bl_arena *arena,
                                 const struct bl_wire_field *field, const char *owner,
                                 bl_attribute *attribute, const char **reference,
                                 bl_error *err);

/* Read a FunctionProto. */
bl_status bl_onnx_add_function(struct bl_onnx *reader, const struct bl_wire_field *field,
                               bl_error *err);

/* What the inlining of functions may add up to, in a model of that many bytes. */
uint64_t bl_onnx_inlining_limit(size_t model_bytes);

/* The function that a node calls; NULL: none. */
bl_status bl_onnx_find_function(struct bl_onnx *reader, const struct bl_onnx_node *node,
                                const struct bl_onnx_function **function, bl_error *err);

/* Add the nodes of a function for a call of it, which stands in `outer`. */
bl_status bl_onnx_inline(struct bl_onnx *reader, const struct bl_onnx_scope *outer,
                         const struct bl_onnx_function *function,
                         const struct bl_onnx_node *call, bl_error *err);

/* The value of the function's attribute of that name, as called; NULL: none is given. */
const bl_attribute *bl_onnx_argument(const struct bl_onnx_scope *scope, const char *name);

/* The name in the graph of a value that is `name` in the scope. */
bl_status bl_onnx_value_name(struct bl_onnx *reader, struct bl_onnx_scope *scope,
                             const char *name, const char **in_graph, bl_error *err);

#endif

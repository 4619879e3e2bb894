/*
 * broadloom.h - the whole public interface of Broadloom
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * ONNX's element-wise operators and their broadcasting: every operator version, every
 * element type, exact.  In short: make a context, put arrays into tensors, look an operator
 * up, apply it.
 *
 * Conventions that hold everywhere:
 *   Errors     A function that can fail takes a `bl_error *err`, last; it may be NULL.  On
 *              failure it holds the status and one line of text that names what is wrong.
 *              On success it is left alone.  Functions that make something return it, or
 *              NULL on failure.
 *   Ownership  What a function named `..._new`, `..._borrow`, `..._read` or `bl_apply` hands
 *              out is the caller's, to be freed with the matching `..._free`.  Pointers got
 *              from a getter live as long as the object they came from.
 *   Threads    There is no global state but what BL_MAPPING_GUARDED needs.  A context may be
 *              used by one thread at a time; several contexts may be used at once.  Tensors
 *              may be read by many threads.
 *              bl_context_cancel may be called from any thread, and by a signal handler.
 *   Fork       A child may use and free all that was not in use by another thread of the
 *              parent at the fork; its contexts work with one thread.
 *   Floats     Rounding mode, flush-to-zero, traps and exception flags of the caller change
 *              no result, and are as before when a call returns.
 *   Units      Shapes and strides count elements, never bytes.
 */
#ifndef BROADLOOM_BROADLOOM_H
#define BROADLOOM_BROADLOOM_H

#include <stddef.h>
#include <stdint.h>

#define BL_VERSION_MAJOR 0
#define BL_VERSION_MINOR 1
#define BL_VERSION_PATCH 0

#if defined(BL_STATIC) || !defined(__GNUC__)
#define BL_API
#else
#define BL_API __attribute__((visibility("default")))
#endif

#if defined(__GNUC__)
#define BL_NODISCARD __attribute__((warn_unused_result))
#else
#define BL_NODISCARD
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The library's version, "major.minor.patch". */
BL_API const char *bl_version(void);

/* ---- Status and error --------------------------------------------------- */

typedef enum bl_status {
    BL_OK = 0,
    BL_ERR_ARGUMENT,   /* a NULL, a size or an option that makes no sense */
    BL_ERR_OPERATOR,   /* no such domain, operator or opset */
    BL_ERR_ARITY,      /* too few or too many inputs or outputs */
    BL_ERR_TYPE,       /* an element type that this operator version does not allow */
    BL_ERR_SHAPE,      /* shapes that do not fit together */
    BL_ERR_ATTRIBUTE,  /* an unknown attribute, or one of the wrong type or value */
    BL_ERR_ARITHMETIC, /* integer division by zero, zero to a negative power */
    BL_ERR_LIMIT,  /* more than 63 bits can count, or than a limit of bl_limits allows */
    BL_ERR_MEMORY, /* the allocator returned NULL */
    BL_ERR_IO,     /* a file could not be opened, read or written */
    BL_ERR_FORMAT, /* a file or a text that is not what it should be */
    BL_ERR_UNSUPPORTED, /* valid, but not something this library, or the device, does */
    BL_ERR_CANCELLED,   /* bl_context_cancel was called */
    BL_ERR_DEVICE,      /* a device, or its driver, failed or was lost */
    BL_STATUS_COUNT
} bl_status;

#define BL_ERROR_BYTES 2048

/** Why a call failed.  The caller owns it; `message` is one line, always terminated. */
typedef struct bl_error {
    bl_status status;
    char message[BL_ERROR_BYTES];
} bl_error;

/** A short name such as "shape" for a status; "unknown" for a value that is none. */
BL_API const char *bl_status_name(bl_status status);

/* ---- Element types ------------------------------------------------------ */

/** Element types, with the numbers of ONNX's TensorProto.DataType. */
typedef enum bl_dtype {
    BL_UNDEFINED = 0, /* no type: an absent optional input */
    BL_FLOAT32 = 1,
    BL_UINT8 = 2,
    BL_INT8 = 3,
    BL_UINT16 = 4,
    BL_INT16 = 5,
    BL_INT32 = 6,
    BL_INT64 = 7,
    BL_STRING = 8, /* elements are bl_string */
    BL_BOOL = 9,   /* a byte; any value but 0 is true, results are 0 or 1 */
    BL_FLOAT16 = 10,
    BL_FLOAT64 = 11,
    BL_UINT32 = 12,
    BL_UINT64 = 13,
    BL_COMPLEX64 = 14,  /* two float32: real, imaginary */
    BL_COMPLEX128 = 15, /* two float64 */
    BL_BFLOAT16 = 16,
    BL_FLOAT8E4M3FN = 17,
    BL_FLOAT8E4M3FNUZ = 18,
    BL_FLOAT8E5M2 = 19,
    BL_FLOAT8E5M2FNUZ = 20,
    BL_UINT4 = 21, /* the 4- and 2-bit types take a whole byte an element in memory: the */
    BL_INT4 = 22,  /* bits, or the signed number, in an int8; only files pack them */
    BL_FLOAT4E2M1 = 23,
    BL_FLOAT8E8M0 = 24,
    BL_UINT2 = 25,
    BL_INT2 = 26,
    BL_DTYPE_COUNT
} bl_dtype;

/** A string element: `size` bytes at `data`, not terminated, no encoding assumed. */
typedef struct bl_string {
    const char *data;
    size_t size;
} bl_string;

/** The name of a type, such as "float32"; NULL for a value that is none. */
BL_API const char *bl_dtype_name(bl_dtype dtype);

/** The type of that name ("float32", or ONNX's "float", "double"), or BL_UNDEFINED. */
BL_API bl_dtype bl_dtype_from_name(const char *name);

/** Bytes an element takes in memory; 0 for BL_UNDEFINED and for a value that is no type. */
BL_API size_t bl_dtype_size(bl_dtype dtype);

/* ---- Shapes ------------------------------------------------------------- */

#define BL_MAX_RANK 64

/** A shape: `rank` is 0 (a scalar) to BL_MAX_RANK, dim[i] >= 0, outermost axis first. */
typedef struct bl_shape {
    int rank;
    int64_t dim[BL_MAX_RANK];
} bl_shape;

/** BL_SHAPE(2, 3) points to the shape [2,3], BL_SCALAR to the shape [] (C only). */
#define BL_SHAPE(...) \
    (&(bl_shape){(int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), {__VA_ARGS__}})
#define BL_SCALAR (&(bl_shape){0, {0}})

/**
 * The number of elements of a shape: the product of its dims, 1 for rank 0.
 *
 * Errors: BL_ERR_SHAPE for a rank or dim out of range, BL_ERR_LIMIT where the product does
 *         not fit 63 bits (a dim of 0 makes it 0, whatever the others are).
 */
BL_API BL_NODISCARD bl_status bl_shape_count(const bl_shape *shape, int64_t *count,
                                             bl_error *err);

/**
 * Multidirectional broadcasting: the shape that `count` shapes broadcast to.
 *
 * Shapes:   aligned at the last axis, missing axes count as 1; on each axis all dims are
 *           equal or 1.  An axis of 0 meets 0 or 1 and stays 0.
 * Aliasing: `out` may be one of the shapes; it is untouched on failure.
 * Errors:   BL_ERR_SHAPE names both shapes whole, the axis and its two dims.
 * Source:   ONNX docs/Broadcasting.md.
 */
BL_API BL_NODISCARD bl_status bl_shape_broadcast(const bl_shape *const *shapes,
                                                 size_t count, bl_shape *out,
                                                 bl_error *err);

/** Unidirectional broadcasting: BL_OK if `from` broadcasts to exactly `onto`. */
BL_API BL_NODISCARD bl_status bl_shape_broadcast_onto(const bl_shape *from,
                                                      const bl_shape *onto, bl_error *err);

/**
 * The broadcasting of opsets 1 to 6 with broadcast=1: BL_OK if `b` fits into `a`, whose
 * shape is the result.  `axis` is where b's first axis lies in a (negative counts from a's
 * end); NULL: b is a suffix.  A `b` of one element fits anywhere; b's dims of 1 expand.
 */
BL_API BL_NODISCARD bl_status bl_shape_broadcast_legacy(const bl_shape *a,
                                                        const bl_shape *b,
                                                        const int64_t *axis, bl_error *err);

/* ---- Context ------------------------------------------------------------ */

/** Where memory comes from.  `alloc` gives NULL on failure; `alignment` is a power of two. */
typedef struct bl_allocator {
    void *(*alloc)(void *user, size_t bytes, size_t alignment);
    void (*free)(void *user, void *memory, size_t bytes);
    void *user;
} bl_allocator;

/** Bits of bl_context_options.isas.  The baseline (SSE2, NEON, ...) is always there. */
#define BL_ISA_AVX2 (UINT32_C(1) << 1)
#define BL_ISA_AVX512 (UINT32_C(1) << 2)
#define BL_ISA_ALL (~UINT32_C(0))

/** How the files of a model are held while it is open.  What is below 256 KiB is always read. */
typedef enum bl_mapping {
    BL_MAPPING_GUARDED, /* mapped; if one is cut short meanwhile, calls fail with BL_ERR_IO.
                           For that a SIGBUS handler is installed while such a file is open */
    BL_MAPPING_NONE,    /* read into memory */
    BL_MAPPING_TRUSTED  /* mapped without a handler: to be cut short ends the process */
} bl_mapping;

/** A limit that does not bind, beyond what 63 bits can count. */
#define BL_UNLIMITED INT64_MAX

/**
 * What a context may be asked for; 0 stands for the default, BL_UNLIMITED for no limit.
 *
 * What is more fails with BL_ERR_LIMIT, which names the limit, its value, and what asked for how
 * much, before memory is allocated or time is spent on it.  docs/limits.md gives the reasons.
 */
typedef struct bl_limits {
    int64_t max_bytes;        /* that all that is made with the context takes at one time;
                                    default: the memory of the machine */
    int64_t max_tensor_bytes; /* of a tensor's elements, also of one between two nodes;
                                    default: max_bytes */
    int64_t max_tensor_elements; /* default: 2^40 */
    int64_t max_rank;            /* default, and the most: BL_MAX_RANK */
    int64_t max_nodes; /* of a model, calls of its functions replaced; default: 2^20 */
    int64_t max_depth; /* of functions that call each other; default: 32, at most 128 */
    int64_t
        max_work; /* of a call or run: elements read by operators, and multiplications of
                          matrix products; default: 2^50 */
} bl_limits;

/** Options of a context; start from BL_CONTEXT_DEFAULTS. */
typedef struct bl_context_options {
    size_t size;   /* sizeof(bl_context_options), for later versions to grow */
    int threads;   /* that work on one call, the caller's among them; 0: one a processor */
    uint32_t isas; /* BL_ISA_... that may be used beyond the baseline */
    const bl_allocator *allocator; /* NULL: malloc and free.  Copied. */
    bl_mapping mapping;            /* of models that are opened with it */
    bl_limits limits;
    /* NULL or "cpu"; "vulkan": the best GPU; "vulkan:1": that of bl_device */
    const char *backend;
    const char
        *shader_cache; /* a folder that keeps a GPU's shaders, only its owner's; or NULL */
    int timed;         /* not 0: note the time of each step, for bl_context_timing */
} bl_context_options;

/* clang-format off */
#define BL_CONTEXT_DEFAULTS                                                                     \
    {sizeof(bl_context_options), 1, BL_ISA_ALL, NULL, BL_MAPPING_GUARDED, {0, 0, 0, 0, 0, 0, 0}, \
     NULL, NULL, 0}
/* clang-format on */

typedef struct bl_context bl_context;

/**
 * Make a context: threads, kernels chosen for this processor, allocator.
 *
 * The environment variable BL_ISA (baseline, avx2 or avx512) limits the kernels further.
 *
 * @param options  NULL for the defaults: one thread, every instruction set, malloc.
 * @return         the context, or NULL (BL_ERR_ARGUMENT, BL_ERR_MEMORY; for a GPU also
 *                 BL_ERR_UNSUPPORTED, saying why there is none, and BL_ERR_DEVICE).
 */
BL_API bl_context *bl_context_new(const bl_context_options *options, bl_error *err);

/** Free a context; NULL is allowed.  Tensors made with it live on, with its allocator. */
BL_API void bl_context_free(bl_context *context);

/** The limits that hold, the defaults filled in. */
BL_API const bl_limits *bl_context_limits(const bl_context *context);

/**
 * Stop what the context is doing: the call that is running, within some tens of milliseconds on all
 * of its threads, and every later one fail with BL_ERR_CANCELLED until bl_context_resume.
 *
 * Nothing is leaked or left half done, but outputs that were given have unspecified content.  A call
 * that is about to end may still succeed.  NULL is allowed.
 *
 * Threads: any thread may call these three while another is in a call with the context, until
 *          bl_context_free begins.  They do not wait.
 * Signals: async-signal-safe, as no other function of the library is.
 */
BL_API void bl_context_cancel(bl_context *context);

/** Let calls work again. */
BL_API void bl_context_resume(bl_context *context);

/** 1 between bl_context_cancel and bl_context_resume, else 0. */
BL_API int bl_context_is_cancelled(const bl_context *context);

/** The number of threads the context works with. */
BL_API int bl_context_threads(const bl_context *context);

/** The kernel tier in use: "baseline", "avx2" or "avx512". */
BL_API const char *bl_context_isa(const bl_context *context);

/** The best kernel tier that this processor could run, whatever a context is limited to. */
BL_API const char *bl_cpu_isa(void);

/** What a step of a run did, and how long it took by the device's clock, or the host's. */
typedef struct bl_timing {
    char what[64];  /* its operators: "Mul+Add+Sigmoid" */
    double seconds; /* below 0: the device has no clock */
    int64_t bytes;  /* of the elements that it read and wrote */
} bl_timing;

/**
 * The i-th step that the context has run since its timings were forgotten; 0 past the end, else
 * 1.  Only where bl_context_options.timed was set.
 */
BL_API int bl_context_timing(const bl_context *context, size_t i, bl_timing *timing);
BL_API void bl_context_forget_timings(bl_context *context);

/* ---- Tensors ------------------------------------------------------------ */

typedef struct bl_tensor bl_tensor;

/**
 * A tensor with memory of its own: row-major, 64-byte aligned, filled with zeros (strings:
 * empty).
 *
 * @param context  whose allocator to use; NULL: malloc and free.
 * @return         the tensor, or NULL (BL_ERR_TYPE, _SHAPE, _LIMIT or _MEMORY).
 */
BL_API bl_tensor *bl_tensor_new(bl_context *context, bl_dtype dtype, const bl_shape *shape,
                                bl_error *err);

/**
 * A read-only tensor over the caller's memory, which has to outlive it.  Nothing is copied.
 *
 * @param strides  elements from one index to the next on each axis, [rank]; 0 and negative
 *                 are allowed.  NULL: row-major.
 * @param data     the element at index 0 on every axis, aligned for its type.
 */
BL_API bl_tensor *bl_tensor_borrow(bl_context *context, bl_dtype dtype,
                                   const bl_shape *shape, const int64_t *strides,
                                   const void *data, bl_error *err);

/** Like bl_tensor_borrow, for memory that bl_apply may also write to (strings excepted). */
BL_API bl_tensor *bl_tensor_borrow_mutable(bl_context *context, bl_dtype dtype,
                                           const bl_shape *shape, const int64_t *strides,
                                           void *data, bl_error *err);

/** Free a tensor, and its memory if it owns it.  NULL is allowed. */
BL_API void bl_tensor_free(bl_tensor *tensor);

BL_API bl_dtype bl_tensor_dtype(const bl_tensor *tensor);
BL_API const bl_shape *bl_tensor_shape(const bl_tensor *tensor);

/** Strides in elements, [rank]. */
BL_API const int64_t *bl_tensor_strides(const bl_tensor *tensor);

/** The number of elements. */
BL_API int64_t bl_tensor_count(const bl_tensor *tensor);

/** The element at index 0 on every axis.  NULL for a tensor on a device that is not mapped. */
BL_API const void *bl_tensor_data(const bl_tensor *tensor);

/** The same, to write to; NULL also if the tensor is read-only. */
BL_API void *bl_tensor_mutable_data(bl_tensor *tensor);

/** Copy `size` bytes into the string at row-major `index` of a tensor that owns its memory. */
BL_API BL_NODISCARD bl_status bl_tensor_set_string(bl_tensor *tensor, int64_t index,
                                                   const char *data, size_t size,
                                                   bl_error *err);

/* ---- Devices ------------------------------------------------------------ */

/** A GPU that Vulkan's loader finds (VK_ICD_FILENAMES chooses its drivers). */
typedef struct bl_device_info {
    char backend[16]; /* for bl_context_options: "vulkan:0" */
    char name[256];   /* as the driver says */
    char driver[512];
    char version[32]; /* of Vulkan */
    const char *kind; /* "discrete GPU", "integrated GPU", "virtual GPU", "CPU", "other" */
    uint64_t memory;  /* bytes */
    uint64_t allocation; /* bytes of the largest tensor that is sure to be possible */
    int clock;           /* 1: steps can be timed */
    const char *unfit;   /* why it cannot be used; NULL: it can */
} bl_device_info;

/**
 * The i-th device.
 *
 * Errors: BL_ERR_ARGUMENT past the end; BL_ERR_UNSUPPORTED, saying why there is none.
 */
BL_API BL_NODISCARD bl_status bl_device(size_t i, bl_device_info *info, bl_error *err);

/**
 * What the context's device cannot do, and why: the i-th line, for one element type and reason, in
 * `line`, which is cut to `size`.  0 past the end, else 1.
 */
BL_API int bl_context_lacks(const bl_context *context, size_t i, char *line, size_t size);

/**
 * A tensor in the memory of the context's device, row-major; its elements are unspecified.  For
 * the CPU it is a tensor like any other.
 *
 * bl_apply and bl_session_run of this context take it where it lies.  A new output lies on the
 * device where an input does.  It belongs to the context's thread, and may be freed after the
 * context.  Strings lie on the host alone.
 */
BL_API bl_tensor *bl_tensor_new_on_device(bl_context *context, bl_dtype dtype,
                                          const bl_shape *shape, bl_error *err);

/** 1 for a tensor in a device's memory, 0 for one in the host's. */
BL_API int bl_tensor_is_on_device(const bl_tensor *tensor);

/** Copy all elements, row-major, to a tensor from the host's memory, and back.  No strings. */
BL_API BL_NODISCARD bl_status bl_tensor_upload(bl_tensor *tensor, const void *elements,
                                               bl_error *err);
BL_API BL_NODISCARD bl_status bl_tensor_download(const bl_tensor *tensor, void *elements,
                                                 bl_error *err);

/**
 * Let the host read and write a device's tensor by bl_tensor_mutable_data, until it is unmapped;
 * meanwhile no run may use it.  Where the host cannot reach the device's memory, both copy.
 */
BL_API BL_NODISCARD bl_status bl_tensor_map(bl_tensor *tensor, bl_error *err);
BL_API BL_NODISCARD bl_status bl_tensor_unmap(bl_tensor *tensor, bl_error *err);

/* ---- Tensor files ------------------------------------------------------- */

typedef enum bl_format {
    BL_FORMAT_AUTO = 0, /* by the name's ending, or else by the first bytes */
    BL_FORMAT_NPY,      /* NumPy's .npy, versions 1 to 3, either byte order */
    BL_FORMAT_PB        /* an ONNX TensorProto, .pb */
} bl_format;

/**
 * Read a tensor from a file, or from `size` bytes of memory.
 *
 * `name` stands for the bytes in messages.  Bytes that are not what they should be:
 * BL_ERR_FORMAT, with the byte offset.  Memory is allocated only for data that is there.
 */
BL_API bl_tensor *bl_tensor_read(bl_context *context, const char *path, bl_format format,
                                 bl_error *err);
BL_API bl_tensor *bl_tensor_read_memory(bl_context *context, const void *bytes, size_t size,
                                        bl_format format, const char *name, bl_error *err);

/**
 * Write a tensor to a file: to a temporary one beside it, then renamed, so that `path`
 * holds the whole tensor or what it held before.  A pipe or a device is written to directly.
 *
 * BL_FORMAT_AUTO goes by the ending, .npy or .pb.  A .npy cannot hold every type; then it
 * is BL_ERR_TYPE.
 */
BL_API BL_NODISCARD bl_status bl_tensor_write(const bl_tensor *tensor, const char *path,
                                              bl_format format, bl_error *err);

/** The same to an open file, from where it stands, for who does the rest himself; `name` stands for it in
 * messages.  On failure it may hold a part. */
BL_API BL_NODISCARD bl_status bl_tensor_write_fd(const bl_tensor *tensor, int fd,
                                                 bl_format format, const char *name,
                                                 bl_error *err);

/* ---- Operators ---------------------------------------------------------- */

/** The newest opset of ai.onnx that the library knows, and "the newest" as an argument. */
#define BL_OPSET_MAX 28
#define BL_OPSET_LATEST 0

/** With the numbers of ONNX's AttributeProto. */
typedef enum bl_attribute_type {
    BL_ATTRIBUTE_FLOAT = 1,
    BL_ATTRIBUTE_INT = 2,
    BL_ATTRIBUTE_STRING = 3,
    BL_ATTRIBUTE_TENSOR = 4,
    BL_ATTRIBUTE_FLOATS = 6,
    BL_ATTRIBUTE_INTS = 7,
    BL_ATTRIBUTE_STRINGS = 8,
    BL_ATTRIBUTE_SPARSE_TENSOR = 11 /* named, but no node may give one */
} bl_attribute_type;

/** An attribute of a node.  `count` is used by the list types alone. */
typedef struct bl_attribute {
    const char *name;
    bl_attribute_type type;
    size_t count;
    union {
        float f;
        int64_t i;
        bl_string s;
        const bl_tensor *tensor;
        const float *floats;
        const int64_t *ints;
        const bl_string *strings;
    } value;
} bl_attribute;

/** What an operator version says of one attribute. */
typedef struct bl_attribute_spec {
    const char *name;
    bl_attribute_type type;
    int required;
    int has_default; /* FLOAT, INT and STRING attributes only */
    float default_float;
    int64_t default_int;
    const char *default_string;
} bl_attribute_spec;

/** A formal input or output of an operator version. */
typedef struct bl_formal {
    const char *name;
    const char *type_variable; /* formals of one variable share one type */
    uint64_t dtypes;           /* bit BL_FLOAT32 and so on: the allowed element types */
    int optional;
    int variadic; /* the last input, any number of times */
} bl_formal;

typedef enum bl_rule {
    BL_RULE_NONE,             /* all inputs have one shape */
    BL_RULE_MULTIDIRECTIONAL, /* as bl_shape_broadcast */
    BL_RULE_UNIDIRECTIONAL,   /* later inputs onto the first, or onto the result */
    BL_RULE_LEGACY,  /* as bl_shape_broadcast_legacy, if attribute broadcast is not 0 */
    BL_RULE_CHANNEL, /* a slope of one element, or [C] along axis 1 */
    BL_RULE_OWN,     /* the operator's own, which does not broadcast */
    BL_RULE_COUNT
} bl_rule;

/** One version of an operator.  All of it is static and read-only. */
typedef struct bl_op {
    const char *domain;
    const char *name;
    int since; /* the first opset it serves; bl_op_until has the last */
    const char *summary;
    bl_rule rule;
    int max_ulp; /* how far a result may stand from the correctly rounded one; 0: exact,
                    the same bits on every machine */
    size_t input_count; /* formals, a variadic one once */
    size_t output_count;
    const bl_formal *inputs;
    const bl_formal *outputs;
    size_t min_inputs;
    size_t max_inputs; /* SIZE_MAX: no limit */
    size_t attribute_count;
    const bl_attribute_spec *attributes;
} bl_op;

/** The last opset that an operator version serves; BL_OPSET_MAX for the newest version. */
BL_API int bl_op_until(const bl_op *op);

/** "FLOAT", "INTS" and so on; "of an unknown type" for a value that is none. */
BL_API const char *bl_attribute_type_name(bl_attribute_type type);

/** "multidirectional" and so on. */
BL_API const char *bl_rule_name(bl_rule rule);

/** The number of operator versions, and the i-th, by name and version; NULL past the end. */
BL_API size_t bl_op_count(void);
BL_API const bl_op *bl_op_at(size_t i);

/**
 * The version of an operator that a model of that opset means: the newest not after it.
 *
 * @param domain  "ai.onnx", or "" or NULL, which mean the same.
 * @param opset   1 to BL_OPSET_MAX, or BL_OPSET_LATEST.
 * @return        the version, or NULL (BL_ERR_OPERATOR, saying what there is instead).
 */
BL_API const bl_op *bl_op_find(const char *domain, const char *name, int64_t opset,
                               bl_error *err);

/** An operator with its attributes.  `name` (may be NULL) is the node's, for messages. */
typedef struct bl_node {
    const bl_op *op;
    const char *name;
    const bl_attribute *attributes;
    size_t attribute_count;
} bl_node;

/** A type and a shape; dtype BL_UNDEFINED means absent. */
typedef struct bl_tensor_type {
    bl_dtype dtype;
    bl_shape shape;
} bl_tensor_type;

/**
 * The types and shapes of a node's outputs, from those of its inputs; nothing is computed.
 *
 * @param inputs   [input_count], an absent optional input has dtype BL_UNDEFINED.
 * @param outputs  [output_count], filled in.
 * Errors: as bl_apply, less the arithmetic ones.
 */
BL_API BL_NODISCARD bl_status bl_infer(const bl_node *node, const bl_tensor_type *inputs,
                                       size_t input_count, bl_tensor_type *outputs,
                                       size_t output_count, bl_error *err);

/**
 * Apply an operator to tensors.
 *
 * @param inputs   [input_count]; NULL is an absent optional input.
 * @param outputs  [output_count]; where outputs[i] is NULL, a new tensor is made and put
 *                 there; where not, the result is written into it: type and shape have to be
 *                 the result's, it may be strided, and it may be one of the inputs or
 *                 overlap it.
 * Errors: BL_ERR_ARITY, _TYPE, _SHAPE and _ATTRIBUTE name the operator, its version and node,
 *         the inputs with their whole shapes, the axis, the rule that is broken;
 *         BL_ERR_ARITHMETIC the first output index too.  On failure a tensor made here is
 *         freed; one that was given has unspecified content after BL_ERR_ARITHMETIC,
 *         _CANCELLED and _DEVICE only.
 */
BL_API BL_NODISCARD bl_status bl_apply(bl_context *context, const bl_node *node,
                                       const bl_tensor *const *inputs, size_t input_count,
                                       bl_tensor **outputs, size_t output_count,
                                       bl_error *err);

/* ---- Models ------------------------------------------------------------- */

typedef struct bl_model bl_model;

/** What a model says of one of its inputs or outputs. */
typedef struct bl_value_info {
    const char *name;
    bl_dtype dtype;               /* BL_UNDEFINED: not said */
    int rank;                     /* -1: not said */
    const int64_t *dims;          /* [rank], -1 where the model leaves a dim open */
    const char *const *dim_names; /* [rank], the symbol of an open dim, or NULL */
    int has_default;              /* an input that an initializer stands in for */
} bl_value_info;

/**
 * Open an ONNX model: a file, which stays mapped, or `size` bytes that have to outlive the model.
 *
 * The whole graph is read and checked: names, order, operators, versions, attributes.  Tensor data
 * is not copied where it lies aligned.  Data in other files is looked for beside the model's file, never
 * outside its folder; a model in memory has none, unless `folder` names one (may be NULL).
 *
 * @param context  whose allocator to use; NULL: malloc and free.
 * @return         the model, or NULL (BL_ERR_IO, _FORMAT, _OPERATOR, _UNSUPPORTED, ...), naming the
 *                 byte or the node.
 */
BL_API bl_model *bl_model_open(bl_context *context, const char *path, bl_error *err);
BL_API bl_model *bl_model_open_memory(bl_context *context, const void *bytes, size_t size,
                                      const char *folder, bl_error *err);

/** Free a model.  NULL is allowed.  Its sessions have to be freed before. */
BL_API void bl_model_free(bl_model *model);

BL_API size_t bl_model_input_count(const bl_model *model);
BL_API size_t bl_model_output_count(const bl_model *model);

/** The i-th input or output; NULL past the end. */
BL_API const bl_value_info *bl_model_input(const bl_model *model, size_t i);
BL_API const bl_value_info *bl_model_output(const bl_model *model, size_t i);

typedef struct bl_session bl_session;

/** Options of a session; start from BL_SESSION_DEFAULTS. */
typedef struct bl_session_options {
    size_t size; /* sizeof(bl_session_options) */
    int no_fuse; /* not 0: run node by node.  The results are the same bits. */
} bl_session_options;

/* clang-format off */
#define BL_SESSION_DEFAULTS {sizeof(bl_session_options), 0}
/* clang-format on */

/**
 * A session: what is needed to run a model, again and again.
 *
 * It uses the context for each run, so both belong to one thread at a time.  Several sessions, each
 * with a context of its own, may run one model at once.
 */
BL_API bl_session *bl_session_new(bl_context *context, const bl_model *model,
                                  const bl_session_options *options, bl_error *err);

BL_API void bl_session_free(bl_session *session);

/**
 * Run the model.
 *
 * @param inputs   [bl_model_input_count]; NULL for an input with a default.
 * @param outputs  [bl_model_output_count]; as for bl_apply: NULL asks for a new tensor.
 * Errors: as bl_apply, naming the node.  On failure no new tensor is left; one that was given has
 *         unspecified content after BL_ERR_ARITHMETIC, _MEMORY, _CANCELLED and _DEVICE only, and after
 *         BL_ERR_IO for a file of the model that was cut short meanwhile.
 */
BL_API BL_NODISCARD bl_status bl_session_run(bl_session *session,
                                             const bl_tensor *const *inputs,
                                             bl_tensor **outputs, bl_error *err);

/* ---- Looking into models ------------------------------------------------ */

/** What keeps a node from running. */
typedef struct bl_problem {
    bl_status status;
    const char *message; /* one line, as in a bl_error */
} bl_problem;

/** A node of a model; those of the model's own functions stand where they are called. */
typedef struct bl_node_info {
    const char *name;   /* where the model gives none, that of an output */
    const char *domain; /* "" is ai.onnx */
    const char *op_type;
    const bl_op *op;           /* NULL: not known */
    const bl_problem *problem; /* NULL: none that shows without shapes */
    size_t input_count;
    size_t output_count;
    const int32_t *inputs; /* which of the model's values, -1: absent */
    const int32_t *outputs;
} bl_node_info;

/**
 * As bl_model_open, but a node that could not run is kept with its problem, so that all of
 * them can be shown.  A session cannot be made of a model with such a node.
 */
BL_API bl_model *bl_model_inspect(bl_context *context, const char *path, bl_error *err);

/** The version of ONNX's format, and the opset of ai.onnx that is imported, 0: none. */
BL_API int64_t bl_model_ir_version(const bl_model *model);
BL_API int64_t bl_model_opset(const bl_model *model);

/** Fill in *info for the i-th node, in the order of running.  0 past the end, else 1. */
BL_API size_t bl_model_node_count(const bl_model *model);
BL_API int bl_model_node(const bl_model *model, size_t i, bl_node_info *info);

/** The i-th of all values: inputs, initializers, what nodes put out; NULL past the end. */
BL_API size_t bl_model_value_count(const bl_model *model);
BL_API const bl_value_info *bl_model_value(const bl_model *model, size_t i);

/** Which of the values the i-th input or output is; -1 past the end. */
BL_API int32_t bl_model_input_value(const bl_model *model, size_t i);
BL_API int32_t bl_model_output_value(const bl_model *model, size_t i);

/** The tensor of a value that is an initializer; NULL for others. */
BL_API const bl_tensor *bl_model_initializer(const bl_model *model, size_t value);

typedef enum bl_work {
    BL_WORK_GROUP,   /* pointwise nodes: one pass over memory for all of them */
    BL_WORK_PRODUCT, /* a Gemm or MatMul */
    BL_WORK_COPY,    /* of elements that cannot be used where they lie */
    BL_WORK_WHOLE,   /* a node that is a function of whole tensors */
    BL_WORK_NODE,    /* a node by itself, where there is no plan */
    BL_WORK_COUNT
} bl_work;

/** "group" and so on. */
BL_API const char *bl_work_name(bl_work work);

/** A step of a run.  Bytes are those of the elements that it reads and writes in memory. */
typedef struct bl_step_info {
    bl_work work;
    size_t node_count; /* 0 for a copy */
    const int32_t *nodes;
    int64_t bytes_read;    /* INT64_MAX: that or more */
    int64_t bytes_written; /* likewise */
    size_t temporaries;    /* values that live in the cache at once */
} bl_step_info;

/** How a model would run for inputs of certain types and shapes. */
typedef struct bl_explanation {
    const bl_tensor_type *values;      /* [values]; BL_UNDEFINED: it cannot be told */
    const bl_problem *const *problems; /* [nodes]; NULL: none */
    size_t problem_count;
    const bl_step_info *steps; /* none where there is a problem */
    size_t step_count;
    int64_t arena_bytes; /* for values between steps */
    const char *unfused; /* why it would be run node by node, NULL: it would not */
} bl_explanation;

/**
 * Find out how a model would run, and all that would keep it from running.
 *
 * @param inputs  [bl_model_input_count]; BL_UNDEFINED for an input with a default.
 * @return        to be freed before the model; NULL for inputs that do not fit the model,
 *                or without memory.  Problems of nodes are no failure.
 */
BL_API bl_explanation *bl_model_explain(bl_context *context, const bl_model *model,
                                        const bl_tensor_type *inputs, bl_error *err);

BL_API void bl_explanation_free(bl_explanation *explanation);

#ifdef __cplusplus
}
#endif

#endif

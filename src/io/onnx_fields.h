/*
 * onnx_fields.h - the numbers of the fields of ONNX's messages
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Those that are read or written; all others are skipped.  Source: onnx.proto.
 */
#ifndef BL_IO_ONNX_FIELDS_H
#define BL_IO_ONNX_FIELDS_H

enum bl_model_field {
    BL_MODEL_IR_VERSION = 1,
    BL_MODEL_GRAPH = 7,
    BL_MODEL_OPSET_IMPORT = 8,
    BL_MODEL_FUNCTIONS = 25
};

enum bl_opset_field { BL_OPSET_DOMAIN = 1, BL_OPSET_VERSION = 2 };

enum bl_graph_field {
    BL_GRAPH_NODE = 1,
    BL_GRAPH_INITIALIZER = 5,
    BL_GRAPH_INPUT = 11,
    BL_GRAPH_OUTPUT = 12,
    BL_GRAPH_SPARSE_INITIALIZER = 15
};

enum bl_function_field {
    BL_FUNCTION_NAME = 1,
    BL_FUNCTION_INPUT = 4,
    BL_FUNCTION_OUTPUT = 5,
    BL_FUNCTION_ATTRIBUTE = 6,
    BL_FUNCTION_NODE = 7,
    BL_FUNCTION_OPSET_IMPORT = 9,
    BL_FUNCTION_DOMAIN = 10,
    BL_FUNCTION_ATTRIBUTE_PROTO = 11,
    BL_FUNCTION_OVERLOAD = 13
};

enum bl_node_field {
    BL_NODE_INPUT = 1,
    BL_NODE_OUTPUT = 2,
    BL_NODE_NAME = 3,
    BL_NODE_OP_TYPE = 4,
    BL_NODE_ATTRIBUTE = 5,
    BL_NODE_DOMAIN = 7,
    BL_NODE_OVERLOAD = 8
};

enum bl_attribute_field {
    BL_ATTRIBUTE_FIELD_NAME = 1,
    BL_ATTRIBUTE_FIELD_F = 2,
    BL_ATTRIBUTE_FIELD_I = 3,
    BL_ATTRIBUTE_FIELD_S = 4,
    BL_ATTRIBUTE_FIELD_T = 5,
    BL_ATTRIBUTE_FIELD_G = 6,
    BL_ATTRIBUTE_FIELD_FLOATS = 7,
    BL_ATTRIBUTE_FIELD_INTS = 8,
    BL_ATTRIBUTE_FIELD_STRINGS = 9,
    BL_ATTRIBUTE_FIELD_GRAPHS = 11,
    BL_ATTRIBUTE_FIELD_TYPE = 20,
    BL_ATTRIBUTE_FIELD_REF_NAME = 21
};

enum bl_value_info_field { BL_VALUE_INFO_NAME = 1, BL_VALUE_INFO_TYPE = 2 };

enum bl_type_field {
    BL_TYPE_TENSOR = 1,
    BL_TYPE_SEQUENCE = 4,
    BL_TYPE_MAP = 5,
    BL_TYPE_OPAQUE = 7,
    BL_TYPE_SPARSE_TENSOR = 8,
    BL_TYPE_OPTIONAL = 9
};

enum bl_tensor_type_field { BL_TENSOR_TYPE_ELEM = 1, BL_TENSOR_TYPE_SHAPE = 2 };

enum bl_shape_field { BL_SHAPE_DIM = 1 };

enum bl_dimension_field { BL_DIMENSION_VALUE = 1, BL_DIMENSION_PARAM = 2 };

/* Of TensorProto.  Those that hold elements one by one have a table in pb.c. */
enum bl_tensor_field {
    BL_TENSOR_DIMS = 1,
    BL_TENSOR_DATA_TYPE = 2,
    BL_TENSOR_SEGMENT = 3,
    BL_TENSOR_STRING_DATA = 6,
    BL_TENSOR_NAME = 8,
    BL_TENSOR_RAW_DATA = 9,
    BL_TENSOR_EXTERNAL_DATA = 13,
    BL_TENSOR_DATA_LOCATION = 14
};

#endif

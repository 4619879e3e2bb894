"""cases.py - what is measured: one table of cases, for every system alike

SPDX-License-Identifier: Apache-2.0

A case says which operands there are and what is computed of them, in four ways: as nodes of an
ONNX model, as one operator where it is one, as steps of NumPy, as an expression of numexpr.
Names: inputs are a, b, c ... in the model's order, the output is y.

Groups:
  same   operands of one shape, 1,024 to 16 million elements
  more   further operators and types, 1 million elements
  types  Add Sub Mul Max Min And Equal Greater in every type, 64 Ki and 16 Mi elements
  bcast  operands that broadcast
  gemm   matrix products with a bias
  call   64 elements: what a call costs
  chain  several nodes, which can be one pass over memory
  scale  sizes and numbers of inputs between those above, for the plots
"""
import dataclasses
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples"))
import onnx_writer  # noqa: E402

# Of each type: its name in ONNX's words, NumPy's name for it (None: it has none), bytes.
TYPES = {"f32": ("float32", "float32", 4), "f64": ("float64", "float64", 8),
         "f16": ("float16", "float16", 2), "bf16": ("bfloat16", None, 2),
         "i8": ("int8", "int8", 1), "u8": ("uint8", "uint8", 1), "i16": ("int16", "int16", 2),
         "u16": ("uint16", "uint16", 2), "i32": ("int32", "int32", 4),
         "u32": ("uint32", "uint32", 4), "i64": ("int64", "int64", 8),
         "u64": ("uint64", "uint64", 8), "bool": ("bool", "bool", 1)}
FLOATS = ("f32", "f64", "f16", "bf16")
NUMBERS = tuple(name for name in TYPES if name != "bool")
INTEGERS = tuple(name for name in NUMBERS if name not in FLOATS)
NUMEXPR_TYPES = ("f32", "f64", "i32", "i64", "bool")  # it widens others

OPSET = 17
SIZES = {"1K": 1 << 10, "64K": 1 << 16, "1M": 1 << 20, "16M": 1 << 24}
LETTERS = "abcdefghijklmnopqrstuvwx"
GROUPS = ("same", "more", "types", "bcast", "gemm", "call", "chain", "scale")

# Below this many bytes a case is run on one set of operands, which stay in the cache.
HOT_BYTES = 3 << 20


def type_number(dtype):
    return onnx_writer.TYPES[TYPES[dtype][0]][0]


def product(dims):
    count = 1
    for dim in dims:
        count *= dim
    return count


@dataclasses.dataclass(frozen=True)
class Operand:
    dtype: str
    shape: tuple
    low: float = 0
    high: float = 1

    @property
    def count(self):
        return product(self.shape)

    @property
    def bytes(self):
        return self.count * TYPES[self.dtype][2]


@dataclasses.dataclass(frozen=True)
class Constant:
    """A float32 that a model holds."""
    shape: tuple
    values: tuple


@dataclasses.dataclass(frozen=True)
class Tolerance:
    """How far results of two systems may lie apart, and why they may."""
    relative: float
    absolute: float
    reason: str


@dataclasses.dataclass
class Case:
    name: str
    group: str
    title: str           # the operator, or what a chain computes
    inputs: list         # of Operand
    output: Operand
    nodes: list          # of (op_type, inputs, outputs, attributes)
    constants: dict = dataclasses.field(default_factory=dict)
    numpy: tuple = None  # steps (function, input..., output); None: it cannot
    numexpr: str = None
    tolerance: Tolerance = None
    flops: int = 0
    ort_nodes: list = None  # where its model is another one
    quick: bool = False     # part of a default run

    @property
    def bytes(self):
        """Every input once, as it is before broadcasting, and the output once."""
        return sum(operand.bytes for operand in self.inputs) + self.output.bytes

    @property
    def reads(self):
        """Bytes read for each one written."""
        return (self.bytes - self.output.bytes) / self.output.bytes

    @property
    def dtype(self):
        """The type that is computed in: that of the last input, as a Where's first is bool."""
        return self.inputs[-1].dtype

    @property
    def hot(self):
        return self.bytes < HOT_BYTES

    @property
    def shapes(self):
        texts = ["[" + ",".join(map(str, operand.shape)) + "]" for operand in self.inputs]
        if len(texts) > 1 and len(set(texts)) == 1:
            return f"{len(texts)}×{texts[0]}"
        return " ".join(texts)

    @property
    def op(self):
        """The operator, if one call of it is the whole case."""
        op_type, _, _, attributes = self.nodes[0]
        return op_type if len(self.nodes) == 1 and not attributes else None

    def op_operands(self):
        """Names of the operator's inputs, constants among them."""
        return self.nodes[0][1]

    def model(self, ort=False):
        """The bytes of an .onnx file."""
        nodes = self.ort_nodes if ort and self.ort_nodes else self.nodes
        used = {name for _, names, _, _ in nodes for name in names}
        domains = sorted({attributes["domain"] for *_, attributes in nodes
                          if "domain" in attributes})
        return onnx_writer.model(
            [onnx_writer.node(op, names, outputs, **attributes)
             for op, names, outputs, attributes in nodes],
            [onnx_writer.value(name, TYPES[operand.dtype][0], operand.shape)
             for name, operand in zip(LETTERS, self.inputs)],
            [onnx_writer.value("y", TYPES[self.output.dtype][0], self.output.shape)],
            [onnx_writer.tensor(name, "float32", constant.shape, constant.values)
             for name, constant in self.constants.items() if name in used],
            opset=OPSET, name=self.name, domains=domains)


# ---- One operator ------------------------------------------------------------------------------

UFUNCS = {"Add": "add", "Sub": "subtract", "Mul": "multiply", "Div": "divide", "Pow": "power",
          "Mod": "mod", "Max": "maximum", "Min": "minimum", "Sum": "add", "Mean": "add",
          "Equal": "equal", "Greater": "greater", "Less": "less", "And": "logical_and",
          "Or": "logical_or", "Xor": "logical_xor"}
SIGNS = {"Add": "+", "Sum": "+", "Mean": "+", "Sub": "-", "Mul": "*", "Div": "/", "Pow": "**",
         "Equal": "==", "Greater": ">", "Less": "<", "And": "&", "Or": "|"}

POW = Tolerance(1e-6, 0, "each is within a few ulp of the exact power")
HALF_POW = Tolerance(2e-3, 0, "each is within an ulp or two of the exact power, in float16")
HALF = Tolerance(4e-3, 0, "NumPy rounds each partial sum to float16")
PRODUCT = Tolerance(0, 1e-3, "1,024 products are summed in another order")
ZERO_SIGN = Tolerance(0, 1e-30, "ONNX Runtime has +0 where a negative times zero is -0")
CURVE = Tolerance(1e-5, 1e-5, "tanh or exp differ by some ulp")


def broadcast(shapes):
    rank = max(map(len, shapes))
    aligned = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    return tuple(max(dims) if 0 not in dims else 0 for dims in zip(*aligned))


def draw_range(op, dtype, i):
    """What the i-th input's values lie between, so that no result is special."""
    if dtype == "bool":
        return 0, 1
    if dtype not in FLOATS:
        if op in ("Div", "Mod"):
            return 1, 50
        return (0, 3) if op == "Pow" else (-50, 50) if dtype[0] == "i" else (0, 100)
    if op in ("PRelu", "Max", "Min"):
        return -1, 1
    if op in ("Equal", "Greater", "Less"):
        return 0, 1
    return (-2, 2) if op == "Pow" and i == 1 else (0.5, 2)


def numpy_steps(op, names, dtype):
    if dtype == "bf16":
        return None
    if op == "Where":
        return (("copy", "c", "y"), ("copy_where", "a", "b", "y"))
    if op == "PRelu":
        return (("multiply", "a", "b", "y"), ("greater_equal", "a", 0, "m0"),
                ("copy_where", "m0", "a", "y"))
    function = "floor_divide" if op == "Div" and dtype in INTEGERS else UFUNCS[op]
    steps = [(function, "a", "b", "y")]
    steps += [(function, "y", name, "y") for name in names[2:]]
    if op == "Mean":
        steps.append(("divide", "y", len(names), "y"))
    return tuple(steps)


def numexpr_text(op, names, dtype):
    if dtype not in NUMEXPR_TYPES or (op in ("Div", "Pow") and dtype in INTEGERS):
        return None
    if op == "Where":
        return "where(a,b,c)"
    if op == "PRelu":
        return "where(a>=ZERO,a,a*b)"
    if op == "Mean":
        return f"({'+'.join(names)})*QUARTER" if len(names) == 4 else None
    return SIGNS[op].join(names) if op in SIGNS else None


def one_op(group, label, dtype, shapes, tag, quick=False):
    """A case of one operator; a label such as Sum4 is Sum with four inputs."""
    op = label.rstrip("0123456789")
    names = list(LETTERS[:len(shapes)])
    inputs = [Operand("bool" if op == "Where" and i == 0 else dtype, tuple(shape),
                      *draw_range(op, "bool" if op == "Where" and i == 0 else dtype, i))
              for i, shape in enumerate(shapes)]
    compares = op in ("Equal", "Greater", "Less")
    output = Operand("bool" if compares else dtype, broadcast(shapes))
    tolerance = None
    if op == "Pow" and dtype in FLOATS:
        tolerance = HALF_POW if dtype == "f16" else POW
    elif op == "PRelu" and dtype != "f32":
        tolerance = ZERO_SIGN
    elif dtype == "f16" and op in ("Sum", "Mean") and len(shapes) > 2:
        tolerance = HALF
    return Case(f"{label}_{dtype}_{tag}", group, label, inputs, output,
                [(op, names, ["y"], {})], numpy=numpy_steps(op, names, dtype),
                numexpr=numexpr_text(op, names, dtype), tolerance=tolerance, quick=quick)


# ---- The groups ------------------------------------------------------------------------------------

def same_shape():
    for tag, n in SIZES.items():
        quick = tag in ("64K", "16M")
        for k in (2, 3, 4, 8, 15):
            yield one_op("same", f"Sum{k}", "f32", [(n,)] * k, tag, tag == "16M" and k > 3)
        for op in ("Add", "Mul", "Div", "Max", "Pow", "Greater", "Where", "PRelu"):
            yield one_op("same", op, "f32", [(n,)] * (3 if op == "Where" else 2), tag,
                         quick and op not in ("Mul", "Div"))
        yield one_op("same", "And", "bool", [(n,)] * 2, tag, tag == "16M")
        for label, k in (("Sum2", 2), ("Sum4", 4), ("Add", 2), ("Mul", 2)):
            yield one_op("same", label, "f16", [(n,)] * k, tag, quick and label != "Sum2")
        for label, k in (("Sum2", 2), ("Sum4", 4), ("Add", 2), ("Mul", 2)):
            yield one_op("same", label, "bf16", [(n,)] * k, tag, tag == "16M" and label == "Add")
        for dtype in ("i8", "i32", "i64"):
            yield one_op("same", "Add", dtype, [(n,)] * 2, tag, tag == "16M" and dtype == "i8")


def more_types():
    n = SIZES["1M"]
    quick = ("Div_i32", "Mod_i64", "Max_f16", "Pow_i64", "Mean4_f16")
    table = [("Sub", "f32"), ("Min", "f32"), ("Max4", "f32"), ("Equal", "i32"), ("Less", "i64"),
             ("Xor", "bool"), ("Mul", "i64"), ("Max", "i32"), ("Where", "i64"), ("Where", "u8"),
             ("Max", "f16"), ("Min", "f16"), ("Max4", "f16"), ("Add", "f64"), ("Pow", "i64"),
             ("Pow", "i32"), ("Pow", "f64"), ("Pow", "f16"), ("Div", "f16"), ("Mean4", "f32"),
             ("Mean4", "f16"), ("Sum8", "f16"), ("Sum15", "f16"), ("Where", "f64"),
             ("Where", "f16"), ("PRelu", "f16"), ("PRelu", "f64"), ("PRelu", "i32"),
             ("Equal", "bool"), ("Greater", "bf16"), ("Max", "bf16")]
    table += [(op, dtype) for op in ("Div", "Mod") for dtype in INTEGERS]
    for label, dtype in table:
        op = label.rstrip("0123456789")
        k = int(label[len(op):] or (3 if op == "Where" else 2))
        yield one_op("more", label, dtype, [(n,)] * k, "1M", f"{label}_{dtype}" in quick)


def every_type():
    for tag in ("64K", "16M"):
        for op in ("Add", "Sub", "Mul", "Max", "Min", "Equal", "Greater"):
            for dtype in NUMBERS:
                yield one_op("types", op, dtype, [(SIZES[tag],)] * 2, tag)
        yield one_op("types", "And", "bool", [(SIZES[tag],)] * 2, tag)


PATTERNS = {
    "scalar0": [(1 << 20,), ()], "scalar1": [(1 << 20,), (1,)], "scalarL": [(), (1 << 20,)],
    "row": [(4096, 1024), (1024,)], "rowL": [(1024,), (4096, 1024)],
    "row64": [(65536, 64), (64,)], "row3": [(1048576, 3), (3,)],
    "col": [(4096, 1024), (4096, 1)], "col64": [(65536, 64), (65536, 1)],
    "col3": [(1048576, 3), (1048576, 1)], "chan": [(8, 64, 56, 56), (1, 64, 1, 1)],
    "chan7": [(32, 512, 7, 7), (1, 512, 1, 1)], "rank4": [(32, 64, 56, 56), (1, 64, 1, 1)],
    "inner": [(4096, 64, 7, 3), (1, 64, 1, 3)], "outer": [(2048, 1), (1, 2048)],
    "rank8": [(4, 3, 8, 5, 6, 7, 4, 16), (1, 3, 1, 5, 1, 7, 1, 16)],
    "rank8x": [(4, 1, 8, 1, 6, 1, 4, 1), (1, 3, 1, 5, 1, 7, 1, 16)],
    "row_small": [(16, 256), (256,)], "chan_small": [(1, 64, 8, 8), (1, 64, 1, 1)]}


def broadcasts():
    quick = ("scalar0", "row", "row3", "col", "col3", "chan7", "inner", "outer", "rank8x")
    for tag, shapes in PATTERNS.items():
        yield one_op("bcast", "Add", "f32", shapes, tag, tag in quick)
    for op in ("Mul", "Div", "Max", "Greater", "Pow"):
        for tag in ("row", "col", "inner"):
            yield one_op("bcast", op, "f32", PATTERNS[tag], tag)
    for dtype in ("f16", "i8", "i64"):
        for tag in ("row", "col"):
            yield one_op("bcast", "Add", dtype, PATTERNS[tag], tag)
    full = (4096, 1024)
    yield one_op("bcast", "Sum2", "f32", [full, (1024,)], "row")
    yield one_op("bcast", "Sum3", "f32", [full, (1024,), (4096, 1)], "rowcol")
    yield one_op("bcast", "Sum4", "f32", [full, (1024,), (4096, 1), ()], "rowcolscalar")
    yield one_op("bcast", "Sum3", "f32", [(2048, 1), (1, 2048), (2048, 2048)], "outerfull")
    yield one_op("bcast", "Where", "f32", [(1, 1, 512, 512), (4, 8, 512, 512), ()], "mask", True)
    yield one_op("bcast", "Where", "f32", [(8, 1, 1, 512), (8, 8, 128, 512), ()], "maskrow")
    yield one_op("bcast", "PRelu", "f32", [(8, 64, 56, 56), (64, 1, 1)], "chan", True)
    yield one_op("bcast", "PRelu", "f32", [full, (1024,)], "row")
    yield one_op("bcast", "And", "bool", [full, (1024,)], "row")
    for op, dtype in (("Div", "i32"), ("Div", "i64"), ("Mod", "i32"), ("Mod", "i64")):
        yield one_op("bcast", op, dtype, [(1 << 20,), ()], "scalar")
    for tag, exponent in (("sq", 2.0), ("sqrt", 0.5), ("cube", 3.0)):
        n = 1 << 20
        yield Case(f"Pow_f32_{tag}", "bcast", "Pow", [Operand("f32", (n,), 0.5, 2)],
                   Operand("f32", (n,)), [("Pow", ["a", "E"], ["y"], {})],
                   {"E": Constant((), (exponent,))}, (("power", "a", "E", "y"),), "a**E", POW,
                   quick=True)


def products():
    n = 1024
    for tag, bias in (("nobias", None), ("bias_row", (n,)), ("bias_col", (n, 1))):
        inputs = [Operand("f32", (n, n), -1, 1)] * 2
        inputs += [Operand("f32", bias, -1, 1)] if bias else []
        steps = [("matmul", "a", "b", "y")] + ([("add", "y", "c", "y")] if bias else [])
        yield Case(f"Gemm_f32_{tag}", "gemm", "Gemm", inputs, Operand("f32", (n, n)),
                   [("Gemm", list("abc")[:len(inputs)], ["y"], {})], numpy=tuple(steps),
                   tolerance=PRODUCT, flops=2 * n ** 3, quick=tag == "bias_row")


def calls():
    for label, dtype, k in (("Add", "f32", 2), ("Sum4", "f32", 4), ("Where", "f32", 3),
                            ("Add", "f16", 2), ("Add", "i64", 2)):
        yield one_op("call", label, dtype, [(64,)] * k, "64", label == "Add")
    yield one_op("call", "Add", "f32", [(8, 8), (8,)], "64row")


def normalise():
    shape = (8, 3, 224, 224)
    constants = {"K255": Constant((), (255.0,)), "LO": Constant((), (-2.0,)),
                 "MEAN": Constant((3, 1, 1), (0.485, 0.456, 0.406)),
                 "STD": Constant((3, 1, 1), (0.229, 0.224, 0.225)), "HI": Constant((), (2.0,))}
    value = "(a/K255-MEAN)/STD"
    yield Case("chain_norm_f32", "chain", "(x/255-mean)/std, clip",
               [Operand("f32", shape, 0, 255)], Operand("f32", shape),
               [("Div", ["a", "K255"], ["t0"], {}), ("Sub", ["t0", "MEAN"], ["t1"], {}),
                ("Div", ["t1", "STD"], ["t2"], {}), ("Clip", ["t2", "LO", "HI"], ["y"], {})],
               constants,
               (("divide", "a", "K255", "y"), ("subtract", "y", "MEAN", "y"),
                ("divide", "y", "STD", "y"), ("clip", "y", "LO", "HI", "y")),
               f"where({value}<LO,LO,where({value}>HI,HI,{value}))", quick=True)


def gelus():
    """The tanh form, as two exporters write it, and as ONNX Runtime's own operator."""
    shape = (1024, 3072)
    constants = {"H": Constant((), (0.5,)), "ONE": Constant((), (1.0,)),
                 "S": Constant((), (0.7978845608,)), "Q": Constant((), (0.044715,)),
                 "THREE": Constant((), (3.0,))}
    rest = [("Mul", ["t1", "Q"], ["t2"], {}), ("Add", ["a", "t2"], ["t3"], {}),
            ("Mul", ["t3", "S"], ["t4"], {}), ("Tanh", ["t4"], ["t5"], {}),
            ("Add", ["t5", "ONE"], ["t6"], {}), ("Mul", ["a", "H"], ["t7"], {}),
            ("Mul", ["t7", "t6"], ["y"], {})]
    products_ = [("Mul", ["a", "a"], ["t0"], {}), ("Mul", ["t0", "a"], ["t1"], {})] + rest
    power = [("Pow", ["a", "THREE"], ["t1"], {})] + rest
    steps = (("multiply", "a", "a", "t0"), ("multiply", "t0", "a", "t0"),
             ("multiply", "t0", "Q", "t0"), ("add", "t0", "a", "t0"),
             ("multiply", "t0", "S", "t0"), ("tanh", "t0", "t0"), ("add", "t0", "ONE", "t0"),
             ("multiply", "a", "H", "y"), ("multiply", "y", "t0", "y"))
    for tag, title, nodes, ort_nodes in (
            ("mul", "gelu tanh (x*x*x)", products_, None), ("pow", "gelu tanh (Pow 3)", power, None),
            ("fast", "gelu tanh (against FastGelu)", products_,
             [("FastGelu", ["a"], ["y"], {"domain": "com.microsoft"})])):
        yield Case(f"chain_gelu_{tag}_f32", "chain", title, [Operand("f32", shape, -4, 4)],
                   Operand("f32", shape), nodes, constants, steps,
                   "H*a*(ONE+tanh(S*(a+Q*a*a*a)))", CURVE, ort_nodes=ort_nodes,
                   quick=tag == "pow")


def other_chains():
    wide, tall = (1024, 3072), (4096, 1024)
    yield Case("chain_swiglu_f32", "chain", "silu(a)*b", [Operand("f32", wide, -4, 4)] * 2,
               Operand("f32", wide),
               [("Sigmoid", ["a"], ["t0"], {}), ("Mul", ["a", "t0"], ["t1"], {}),
                ("Mul", ["t1", "b"], ["y"], {})], {"ONE": Constant((), (1.0,))},
               (("negative", "a", "t0"), ("exp", "t0", "t0"), ("add", "t0", "ONE", "t0"),
                ("divide", "a", "t0", "y"), ("multiply", "y", "b", "y")),
               "a/(ONE+exp(-a))*b", CURVE, quick=True)
    for tag in ("64K", "1M", "16M"):
        n = SIZES[tag]
        yield Case(f"chain_fma_f32_{tag}", "chain", "a*b+c*d-e",
                   [Operand("f32", (n,), 0.5, 2)] * 5, Operand("f32", (n,)),
                   [("Mul", ["a", "b"], ["t0"], {}), ("Mul", ["c", "d"], ["t1"], {}),
                    ("Add", ["t0", "t1"], ["t2"], {}), ("Sub", ["t2", "e"], ["y"], {})], {},
                   (("multiply", "a", "b", "y"), ("multiply", "c", "d", "t0"),
                    ("add", "y", "t0", "y"), ("subtract", "y", "e", "y")), "a*b+c*d-e",
                   quick=tag == "16M")
    yield Case("chain_biasres_f32", "chain", "x+bias+residual",
               [Operand("f32", tall, -1, 1), Operand("f32", (1024,), -1, 1),
                Operand("f32", tall, -1, 1)], Operand("f32", tall),
               [("Add", ["a", "b"], ["t0"], {}), ("Add", ["t0", "c"], ["y"], {})], {},
               (("add", "a", "b", "y"), ("add", "y", "c", "y")), "a+b+c", quick=True)


def scales():
    for tag, n in (("4K", 1 << 12), ("16K", 1 << 14), ("256K", 1 << 18), ("4M", 1 << 22)):
        for label, k in (("Add", 2), ("Sum8", 8)):
            yield one_op("scale", label, "f32", [(n,)] * k, tag)
    for k in (6, 10, 12):
        yield one_op("scale", f"Sum{k}", "f32", [(1 << 20,)] * k, "1M")


def all_cases():
    """Every case; of two of one name, the first."""
    cases = {}
    for source in (same_shape, more_types, every_type, broadcasts, products, calls, normalise,
                   gelus, other_chains, scales):
        for case in source():
            cases.setdefault(case.name, case)
    return list(cases.values())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare `broadloom ops --format json` with a specification file of all operators, where there is one.

usage: check_ops.py TOOL SPEC.json
Exit status: 0 the same, 1 a difference (each is named), 77 no specification here.
"""
import json
import os
import struct
import subprocess
import sys

# The specification uses ONNX's own names for these.
DTYPES = {"float": "float32", "double": "float64"}
ATTRIBUTES = {"int": "INT", "float": "FLOAT", "list of ints": "INTS", "string": "STRING"}
RULES = {"multi": "multidirectional", "multi (with shape value)": "multidirectional",
         "batch dims multi": "multidirectional", "uni": "unidirectional", "C:uni": "unidirectional",
         "C:flag": "unidirectional", "none (equal shapes)": "none", "scalar bounds": "own"}
# Not in scope: quantization, normalization over axes, and what is not element-wise.
LEFT_OUT = {"DequantizeLinear", "Dropout", "DynamicQuantizeLinear", "Einsum", "LayerNormalization",
            "MatMulInteger", "QLinearMatMul", "QuantizeLinear", "RMSNormalization", "RegexFullMatch"}


def float32(number):
    """The float32 nearest to a number, as Python has it: in ONNX all FLOAT attributes are one."""
    return struct.unpack("f", struct.pack("f", float(number)))[0]


def spec_rule(version):
    """How the inputs' shapes meet; the specification has a dash where no two have to."""
    if version["broadcast"] == "\u2014":
        return "none" if len(version["inputs"]) == 1 else "own"
    return RULES.get(version["broadcast"], version["broadcast"])


def spec_attributes(version):
    """The attributes as our tool prints them."""
    listed = []
    for attribute in version["attributes"]:
        default = attribute["default"]
        kind = ATTRIBUTES[attribute["type"]]
        if default is not None and kind != "STRING":
            default = int(default) if kind == "INT" else float32(default)
        listed.append((attribute["name"], kind, attribute["required"], default))
    return sorted(listed)


def spec_types(version):
    """Element types of each type variable; ours are tensors, not sequences or optionals."""
    return {variable: sorted(DTYPES.get(t, t) for t in types if "(" not in t)
            for variable, types in version["types"].items()}


def compare(name, ours, spec):
    """Yield each difference between two descriptions of one version."""
    where = f"{name}-{spec['since']}"
    facts = {
        "min_inputs": (ours["min_inputs"], spec["min_inputs"]),
        "max_inputs": (ours["max_inputs"], spec["max_inputs"]),
        "inputs": ([(i["name"], i["optional"], i["variadic"]) for i in ours["inputs"]],
                   [(i["name"], i["optional"], i["variadic"]) for i in spec["inputs"]]),
        "outputs": ([o["name"] for o in ours["outputs"]], [o["name"] for o in spec["outputs"]]),
        "types": ({v: sorted(t) for v, t in ours["types"].items()}, spec_types(spec)),
        "attributes": (sorted((a["name"], a["type"], a["required"], a["default"])
                              for a in ours["attributes"]), spec_attributes(spec)),
        "rule": (ours["rule"], spec_rule(spec)),
    }
    for fact, (have, want) in facts.items():
        if have != want:
            yield f"{where}: {fact} is {have}, but has to be {want}"


def main():
    tool, spec_path = sys.argv[1:]
    if not os.path.exists(spec_path):
        print(f"skipped: there is no {os.path.basename(spec_path)} beside the project")
        return 77
    with open(spec_path, encoding="utf-8") as file:
        spec = {op["name"]: {v["since"]: v for v in op["versions"]} for op in json.load(file)}
    listing = json.loads(subprocess.run([tool, "ops", "--format", "json"], check=True,
                                        capture_output=True, text=True).stdout)
    differences, versions, beyond = [], 0, []
    missing = spec.keys() - {op["name"] for op in listing} - LEFT_OUT
    differences += [f"{name} is missing" for name in sorted(missing)]
    for op in listing:
        if op["name"] not in spec:
            beyond.append(op["name"])
            continue
        theirs = spec[op["name"]]
        have = {v["since"] for v in op["versions"]}
        differences += [f"{op['name']}-{since} is missing" for since in sorted(theirs.keys() - have)]
        differences += [f"{op['name']}-{since} does not exist" for since in sorted(have - theirs.keys())]
        for version in op["versions"]:
            versions += 1
            if version["since"] in theirs:
                differences += compare(op["name"], version, theirs[version["since"]])
    for difference in differences:
        print(difference)
    print(f"{versions} operator versions compared, {len(differences)} differences; not in the specification: "
          f"{' '.join(beyond) or 'none'}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())

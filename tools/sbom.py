#!/usr/bin/env python3
# sbom.py - the software bill of materials of a build, as CycloneDX 1.6 in JSON
# SPDX-License-Identifier: Apache-2.0
"""Usage: tools/sbom.py [--schema FOLDER] [--installed TREE] BUILD [OUTPUT]

BUILD is a folder that CMake has built in; OUTPUT is BUILD/broadloom-VERSION.cdx.json.  What is
listed is read from what was built, not from what was meant: the files that `cmake --install` puts
down (or those of TREE, which were packed or installed already), with their SHA-256; the libraries that they ask the dynamic linker for, each with the version
and package that would be loaded here and the newest symbol version that it has to have; the compiler
that the libraries name in themselves, and its flags.

Then the list is read again and checked: every hash, every reference, no library that LICENCES
does not know.  --schema FOLDER also holds it against the official schema, which npm fetched there.
The same build gives the same bytes (SOURCE_DATE_EPOCH, or the last commit's time).
"""
import argparse
import datetime
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import uuid

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
# What a file of ours may ask the dynamic linker for: project, licence.
LICENCES = {
    "libc.so": ("glibc", "LGPL-2.1-or-later"),
    "libm.so": ("glibc", "LGPL-2.1-or-later"),
    "libpthread.so": ("glibc", "LGPL-2.1-or-later"),
    "ld-linux": ("glibc", "LGPL-2.1-or-later"),
    "libjansson.so": ("jansson", "MIT"),
}
OURS = "Apache-2.0"
# What a file of ours has in itself of others: the archive it was linked with, project, licence.
INSIDE = {
    "libbroadloom-glslang.so": (
        ("libglslang.a", "glslang", "BSD-3-Clause"),
        ("libSPIRV-Tools.a", "SPIRV-Tools", "Apache-2.0"),
        ("libstdc++.a", "gcc", "GPL-3.0-with-GCC-exception"),
    ),
}


def run(*command, check=True):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if check and done.returncode != 0:
        sys.exit(f"sbom: {' '.join(command[:2])} failed: {done.stderr.strip()}")
    return done.stdout if done.returncode == 0 else ""


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def licence(name):
    return [{"license": {"id": name}}]


def properties(**values):
    return [{"name": f"broadloom:{name}", "value": str(value)} for name, value in values.items() if value]


def hashes(path):
    return [{"alg": "SHA-256", "content": sha256(path)}]


def files_of(tree):
    return sorted(p for p in glob.glob(f"{tree}/**", recursive=True)
                  if os.path.isfile(p) and not os.path.islink(p))


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def needed(path):
    return re.findall(r"^\s*NEEDED\s+(\S+)", run("objdump", "-p", path), re.MULTILINE)


def newest_symbols(path, library):
    """The newest version of a library's symbols that a file refers to, such as GLIBC_2.34."""
    wanted = re.search(rf"required from {re.escape(library)}:\n((?:\s+0x.*\n)+)",
                       run("objdump", "-p", path))
    names = re.findall(r"\s(\S+_[0-9.]+)$", wanted.group(1), re.MULTILINE) if wanted else []
    return max(names, default="", key=lambda n: [int(x) for x in re.findall(r"\d+", n)])


def package_of(path):
    """The package of the system that a file is from: name, version, purl; None elsewhere."""
    if not shutil.which("dpkg-query"):
        return None
    for name in (os.path.realpath(path), path, path.removeprefix("/usr")):
        owner = run("dpkg-query", "-S", name, check=False).split(": ")[0]
        if owner:
            form = "${Package}\t${Version}\t${Architecture}"
            package, version, architecture = run("dpkg-query", "-W", "-f", form, owner).split("\t")
            with open("/etc/os-release", encoding="utf-8") as text:
                system = re.search(r"^ID=\"?(\w+)", text.read(), re.MULTILINE).group(1)
            return package, version, f"pkg:deb/{system}/{package}@{version.replace('+', '%2B')}?arch={architecture}"
    return None


def library_component(name, path):
    """A library of somebody else that is loaded with ours."""
    project, terms = next((known for start, known in LICENCES.items() if name.startswith(start)), (None, None))
    if project is None:
        sys.exit(f"sbom: {name} is linked with, and LICENCES in tools/sbom.py does not know it")
    return component(name, path, project, terms)


def component(name, path, project, terms):
    package = package_of(path)
    entry = {"type": "library", "bom-ref": f"system:{name}", "name": name, "licenses": licence(terms),
             "scope": "required", "hashes": hashes(path), "properties": properties(project=project)}
    if package:
        entry["version"] = package[1]
        entry["purl"] = package[2]
    return entry


class Bill:
    def __init__(self, build):
        self.build = build
        self.cache = {}
        with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as text:
            for name, value in re.findall(r"^(\w+):\w+=(.*)$", text.read(), re.MULTILINE):
                self.cache[name] = value
        self.version = self.cache["CMAKE_PROJECT_VERSION"]
        self.components, self.dependencies, self.system = [], {}, {}
        self.top = f"pkg:generic/broadloom@{self.version}"

    def add_files(self, prefix):
        for path in files_of(prefix):
            name = os.path.relpath(path, prefix)
            elf = is_elf(path)
            kind = "file" if not elf and not name.endswith(".a") else \
                "application" if "/bin/" in f"/{name}" else "library"
            entry = {"type": kind, "bom-ref": f"file:{name}", "name": name, "licenses": licence(OURS),
                     "hashes": hashes(path)}
            if kind != "file":
                entry["version"] = self.version
            self.components.append(entry)
            self.dependencies[entry["bom-ref"]] = self.add_needed(path) + self.add_inside(path) if elf else []
            if elf:
                symbols = {library: newest_symbols(path, library) for library in needed(path)}
                entry["properties"] = [{"name": f"broadloom:symbols:{library}", "value": version}
                                       for library, version in symbols.items() if version]
        # The tool has the static library in itself.
        archive = [c["bom-ref"] for c in self.components if c["name"].endswith("/libbroadloom.a")]
        for part in self.components:
            if part["type"] == "application":
                self.dependencies[part["bom-ref"]] += archive
        self.dependencies[self.top] = [c["bom-ref"] for c in self.components if c["type"] != "file"]

    def add_needed(self, path):
        """The references of what a file asks for; what is loaded is looked for as the linker does."""
        said = run("ldd", path)
        loaded = dict(re.findall(r"^\s*(\S+) => (/\S+)", said, re.MULTILINE))
        for linker in re.findall(r"^\s*(/\S+) \(", said, re.MULTILINE):
            loaded[os.path.basename(linker)] = linker
        for library in needed(path):
            if library not in self.system:
                if library not in loaded:
                    sys.exit(f"sbom: {library} is needed by {path} and is not on this machine")
                self.system[library] = library_component(library, loaded[library])
        return [f"system:{library}" for library in needed(path)]

    def add_inside(self, path):
        """The references of the archives that a file was linked with."""
        parts = INSIDE.get(os.path.basename(path), ())
        for archive, project, terms in parts:
            place = run(self.cache.get("CMAKE_C_COMPILER", "cc"), f"-print-file-name={archive}").strip()
            self.system[archive] = component(archive, os.path.realpath(place), project, terms)
        return [f"system:{archive}" for archive, _, _ in parts]

    def compiler(self):
        """What the shared library says it was compiled by; it runs nowhere but here."""
        shared = os.path.join(self.build, "libbroadloom.so")
        said = re.findall(r"\]\s+(.*\S)", run("readelf", "-p", ".comment", shared))
        if not said:
            sys.exit("sbom: libbroadloom.so does not say by what it was compiled")
        kind = self.cache.get("CMAKE_BUILD_TYPE", "")
        flags = " ".join(filter(None, (self.cache.get("CMAKE_C_FLAGS"),
                                       self.cache.get(f"CMAKE_C_FLAGS_{kind.upper()}"))))
        version = re.search(r"(\d+\.\d+\.\d+)", said[-1])
        return {"type": "application", "bom-ref": "tool:compiler", "scope": "excluded",
                "name": "clang" if "clang" in said[-1] else "gcc",
                "version": version.group(1) if version else said[-1],
                "licenses": licence("Apache-2.0" if "clang" in said[-1] else "GPL-3.0-or-later"),
                "properties": properties(comment="; ".join(said), build_type=kind, flags=flags)}

    def document(self, tree):
        self.add_files(tree)
        self.components += [self.system[name] for name in sorted(self.system)] + [self.compiler()]
        when = os.environ.get("SOURCE_DATE_EPOCH") or \
            run("git", "-C", ROOT, "log", "-1", "--format=%ct", check=False).strip() or "0"
        moment = datetime.datetime.fromtimestamp(int(when), datetime.timezone.utc)
        body = {
            "metadata": {
                "timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
                "lifecycles": [{"phase": "build"}],
                "tools": {"components": [{"type": "application", "name": "tools/sbom.py",
                                          "version": self.version}]},
                "component": {"type": "library", "bom-ref": self.top, "name": "broadloom",
                              "version": self.version, "purl": self.top, "licenses": licence(OURS),
                              "description": "ONNX's element-wise operators and their broadcasting"},
            },
            "components": self.components,
            "dependencies": [{"ref": ref, **({"dependsOn": sorted(set(on))} if on else {})}
                             for ref, on in sorted(self.dependencies.items())],
        }
        serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(body, sort_keys=True))
        return {"$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX",
                "specVersion": "1.6", "serialNumber": f"urn:uuid:{serial}", "version": 1, **body}


def faults(bill, tree):
    """What is wrong with a bill that was read back, against the files of the tree."""
    parts = [bill["metadata"]["component"], *bill["components"]]
    refs = [part["bom-ref"] for part in parts]
    for ref in sorted({ref for ref in refs if refs.count(ref) > 1}):
        yield f"{ref} is there twice"
    for part in bill["dependencies"]:
        for ref in [part["ref"], *part.get("dependsOn", [])]:
            if ref not in refs:
                yield f"{ref} is depended on and not listed"
    listed = {part["name"]: part["hashes"] for part in parts if part["bom-ref"].startswith("file:")}
    for path in files_of(tree):
        name = os.path.relpath(path, tree)
        if name not in listed:
            yield f"{name} is there and not listed"
        elif listed[name] != hashes(path):
            yield f"{name} has another hash than is listed"
    for part in parts:
        if not part.get("licenses"):
            yield f"{part['bom-ref']} has no licence"


def main():
    parser = argparse.ArgumentParser(description="the bill of materials of a build, as CycloneDX")
    parser.add_argument("--schema", metavar="FOLDER")
    parser.add_argument("--installed", metavar="TREE")
    parser.add_argument("build")
    parser.add_argument("output", nargs="?")
    with_ = parser.parse_args()
    bill = Bill(os.path.abspath(with_.build))
    output = os.path.abspath(with_.output or
                             os.path.join(bill.build, f"broadloom-{bill.version}.cdx.json"))
    with tempfile.TemporaryDirectory() as work:
        tree = with_.installed
        if tree is None:
            tree = os.path.join(work, "installed")
            run("cmake", "--install", bill.build, "--prefix", tree)
        with open(output, "w", encoding="utf-8") as out:
            json.dump(bill.document(tree), out, indent=2)
            out.write("\n")
        with open(output, encoding="utf-8") as text:
            read = json.load(text)
        found = list(faults(read, tree))
    for fault in found:
        print(fault)
    libraries = sum(c["bom-ref"].startswith("system:") for c in read["components"])
    print(f"sbom: {len(read['components'])} components, {libraries} of them libraries of others, "
          f"{len(found)} faults: {os.path.relpath(output)}")
    status = 1 if found else 0
    if with_.schema:
        checker = os.path.join(HERE, "npm", "check_sbom.cjs")
        status |= subprocess.run(["node", checker, output], cwd=with_.schema, check=False).returncode
    return status


if __name__ == "__main__":
    sys.exit(main())

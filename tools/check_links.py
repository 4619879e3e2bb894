#!/usr/bin/env python3
# check_links.py - every link in the documents leads somewhere
# SPDX-License-Identifier: Apache-2.0
"""Usage: tools/check_links.py [--online] [ROOT]

Reads all .md files and manual pages of the tree and looks at
  - relative links and images: the file or folder is there, inside the tree, and not made by a build
  - anchors, #like-this: a heading (as GitHub names it) or an id of that document; #L10 a line
  - references to manual pages of ours, broadloom(1), and .Xr in manual pages
  - addresses: a scheme and a host that can be one.  --online also asks each host for the page.
What stands in code is no link.  Prints a line for each fault, and how many links there were.
"""
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

SKIP = re.compile(r"\.git$|build(-.*)?$|out$|node_modules$|__pycache__$")
FENCE = re.compile(r"^( {0,3})(```+|~~~+)")
CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
INLINE = re.compile(r"!?\[(?:[^\]\\]|\\.)*?\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'(][^)]*)?\s*\)")
SHORTCUT = re.compile(r"\]\[([^\]]+)\]")
DEFINED = re.compile(r"^ {0,3}\[([^\]]+)\]:\s*<?(\S+?)>?(?:\s|$)")
AUTOMATIC = re.compile(r"<((?:https?|mailto):[^>\s]*)>")
HTML = re.compile(r"<(?:a|img)\b[^>]*?\b(?:href|src)\s*=\s*[\"']([^\"']+)", re.IGNORECASE)
IDENTITY = re.compile(r"<[a-z]+\b[^>]*?\b(?:id|name)\s*=\s*[\"']([^\"']+)", re.IGNORECASE)
HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$")
MANUAL = re.compile(r"\b(broadloom[a-z-]*)\((\d)\)")
HOST = re.compile(r"(localhost|([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,})(:\d+)?$")
# Manual pages of other projects that ours may name.
SYSTEM_PAGES = {("dot", "1"), ("pkg-config", "1"), ("dlopen", "3")}


def anchor_of(title, taken):
    """The name that GitHub gives a heading; of several alike the later ones are numbered."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", title)
    text = re.sub(r"<[^>]+>", "", text)
    name = re.sub(r"[^\w\- ]", "", text.replace("`", "").lower()).replace(" ", "-")
    count = taken.get(name, -1) + 1
    taken[name] = count
    return f"{name}-{count}" if count else name


class Document:
    """Links of a file as (line, target), and the anchors that others may link to."""

    def __init__(self, path):
        self.links, self.manuals, self.undefined = [], [], []
        self.anchors, taken = set(), {}
        defined, used, fence = set(), [], None
        with open(path, encoding="utf-8") as text:
            for number, line in enumerate(text, 1):
                mark = FENCE.match(line)
                if mark and (fence is None or mark.group(2).startswith(fence)):
                    fence = mark.group(2) if fence is None else None
                    continue
                if fence is not None:
                    continue
                title = HEADING.match(line)
                if title:
                    self.anchors.add(anchor_of(title.group(1), taken))
                bare = CODE.sub("", line)
                self.anchors.update(IDENTITY.findall(bare))
                definition = DEFINED.match(bare)
                if definition:
                    defined.add(definition.group(1).lower())
                    self.links.append((number, definition.group(2)))
                    continue
                for pattern in (INLINE, AUTOMATIC, HTML):
                    self.links += [(number, target) for target in pattern.findall(bare)]
                used += [(number, name) for name in SHORTCUT.findall(bare)]
                self.manuals += [(number, page) for page in MANUAL.findall(bare)]
        self.undefined = [(n, name) for n, name in used if name.lower() not in defined]


class Manual:
    """The same of a manual page in mdoc."""

    def __init__(self, path):
        self.links, self.manuals = [], []
        with open(path, encoding="utf-8") as text:
            for number, line in enumerate(text, 1):
                words = line.split()
                if words[:1] == [".Lk"] and len(words) > 1:
                    self.links.append((number, words[1]))
                if words[:1] == [".Xr"] and len(words) > 2:
                    self.manuals.append((number, (words[1], words[2])))


class Checker:
    def __init__(self, root, online):
        self.root = os.path.realpath(root)
        self.online = online
        self.documents = {}
        self.addresses = {}
        self.links = 0

    def find(self, ending):
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(f for f in folders if not SKIP.match(f))
            for name in sorted(names):
                if re.search(ending, name):
                    yield os.path.join(folder, name)

    def document(self, path):
        if path not in self.documents:
            self.documents[path] = Document(path)
        return self.documents[path]

    def address_fault(self, address):
        parts = urllib.parse.urlsplit(address)
        if parts.scheme == "mailto":
            return None if re.match(r"[^@\s]+@[^@\s]+\.[^@\s]+$", parts.path) else "is no mail address"
        if not HOST.match(parts.netloc):
            return "names no host"
        if self.online and address not in self.addresses:
            self.addresses[address] = ask(address)
        return self.addresses.get(address)

    def fault(self, path, target):
        """What is wrong with a link from the document at `path`; None: nothing."""
        if re.match(r"(https?|mailto):", target):
            return self.address_fault(target)
        if re.match(r"[a-z][a-z0-9+.-]*:", target) or target.startswith("/"):
            return "is neither a relative path nor http, https or mailto"
        name, _, anchor = urllib.parse.unquote(target).partition("#")
        goal = os.path.realpath(os.path.join(os.path.dirname(path), name)) if name else path
        inside = os.path.relpath(goal, self.root)
        if inside.startswith(".."):
            return "leads out of the tree"
        if any(SKIP.match(part) for part in inside.split(os.sep)):
            return "leads to what a build makes"
        if not os.path.exists(goal):
            return "is not there"
        if not anchor:
            return None
        if goal.endswith(".md"):
            return None if anchor in self.document(goal).anchors else f"has no heading #{anchor}"
        lines = re.match(r"L(\d+)(?:-L(\d+))?$", anchor)
        if not lines or os.path.isdir(goal):
            return f"has no anchor #{anchor}"
        with open(goal, "rb") as text:
            return None if int(lines.group(2) or lines.group(1)) <= sum(1 for _ in text) else \
                f"has no line {anchor}"

    def faults(self):
        pages = {tuple(os.path.basename(p).rsplit(".", 1)) for p in self.find(r"^[\w-]+\.[1-8]$")}
        manuals = [(p, Manual(p)) for p in self.find(r"^[\w-]+\.[1-8]$")]
        for path, page in [(p, self.document(p)) for p in self.find(r"\.md$")] + manuals:
            name = os.path.relpath(path, self.root)
            for line, target in page.links:
                self.links += 1
                wrong = self.fault(path, target)
                if wrong:
                    yield f"{name}:{line}: {target} {wrong}"
            for line, (title, section) in page.manuals:
                self.links += 1
                if (title, section) not in pages | SYSTEM_PAGES:
                    yield f"{name}:{line}: there is no manual page {title}({section})"
            for line, label in getattr(page, "undefined", []):
                yield f"{name}:{line}: [{label}] is defined nowhere"


def ask(address):
    """None if the host has the page, else what it says."""
    request = urllib.request.Request(address.split("#")[0], method="HEAD",
                                     headers={"User-Agent": "broadloom-check-links"})
    try:
        with urllib.request.urlopen(request, timeout=20):
            return None
    except urllib.error.HTTPError as error:
        # Hosts that let browsers in only, or know GET alone, have the page all the same.
        return None if error.code in (403, 405, 429) else f"answers {error.code}"
    except (urllib.error.URLError, OSError, ValueError) as error:
        return f"cannot be asked for: {error}"


def main():
    arguments = [a for a in sys.argv[1:] if a != "--online"]
    if len(arguments) > 1 or any(a.startswith("-") for a in arguments):
        sys.exit("usage: tools/check_links.py [--online] [ROOT]")
    root = arguments[0] if arguments else os.path.join(os.path.dirname(__file__), "..")
    checker = Checker(root, "--online" in sys.argv[1:])
    found = 0
    for fault in checker.faults():
        found += 1
        print(fault)
    print(f"links: {len(checker.documents)} documents, {checker.links} links, {found} faults")
    return 1 if found or not checker.links else 0


if __name__ == "__main__":
    sys.exit(main())

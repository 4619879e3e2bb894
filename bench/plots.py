"""plots.py - pictures of measurements, in SVG

SPDX-License-Identifier: Apache-2.0

Colours have a second set for dark mode, and each picture has a background of its own, so that
it is readable wherever it is shown.
"""
import math
import re
from xml.sax.saxutils import escape

from targets import judge, ratio_of, share_of, time_of

SYSTEMS = (("broadloom", "Broadloom"), ("ort", "ONNX Runtime"), ("numpy", "NumPy"))
ROWS_MAX = 60
LAST = ("bcast", "chain")  # groups that come after all others

# Of each class: what its colour is for, in light and in dark mode.
COLOURS = (("back", "fill", "#ffffff", "#11161d"), ("back", "stroke", "#d5dce4", "#2d3845"),
           ("plain", "fill", "#ffffff", "#11161d"),
           ("ink", "fill", "#1b2430", "#e8edf3"), ("soft", "fill", "#5d6b7c", "#9aa7b6"),
           ("grid", "stroke", "#e3e8ee", "#232c37"), ("axis", "stroke", "#5d6b7c", "#9aa7b6"),
           ("wanted", "stroke", "#1b2430", "#e8edf3"), ("guide", "stroke", "#5d6b7c", "#9aa7b6"),
           ("broadloom", "fill", "#1767c4", "#5aa9ff"), ("ort", "fill", "#e39a26", "#f0b350"),
           ("numpy", "fill", "#a9b5c3", "#66758a"),
           ("line-broadloom", "stroke", "#1767c4", "#5aa9ff"),
           ("line-ort", "stroke", "#e39a26", "#f0b350"),
           ("line-numpy", "stroke", "#a9b5c3", "#66758a"))
STYLE = """\
text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
       font-size: 12px; }
.title { font-size: 17px; font-weight: 600; }
.soft { font-size: 11px; }
.strong { font-weight: 600; }
.wanted { stroke-dasharray: 3 2; stroke-width: 1.5; }
.guide { stroke-dasharray: 3 4; fill: none; }
.line-broadloom, .line-ort, .line-numpy { fill: none; stroke-width: 2.2;
                                          stroke-linejoin: round; }
"""


def style():
    """Plain rules, no CSS variables, which not every program that draws SVG knows."""
    light = [f".{kind} {{ {what}: {colour}; }}" for kind, what, colour, _ in COLOURS]
    dark = [f"  .{kind} {{ {what}: {colour}; }}" for kind, what, _, colour in COLOURS]
    return STYLE + "\n".join([*light, "@media (prefers-color-scheme: dark) {", *dark, "}"])


class Picture:
    def __init__(self, width, height, title):
        self.width, self.height, self.title, self.parts = width, height, title, []

    def add(self, element, **attributes):
        shown = " ".join(f'{name.rstrip("_").replace("_", "-")}="{self.number(value)}"'
                         for name, value in attributes.items())
        self.parts.append(f"<{element} {shown}/>")

    @staticmethod
    def number(value):
        if isinstance(value, float):
            return f"{value:.2f}".rstrip("0").rstrip(".")
        return escape(str(value), {'"': "&quot;"})

    def text(self, x, y, content, kind="", anchor="start"):
        self.parts.append(f'<text x="{self.number(float(x))}" y="{self.number(float(y))}" '
                          f'class="{kind or "ink"}" text-anchor="{anchor}">{escape(content)}</text>')

    def line(self, x1, y1, x2, y2, kind):
        self.add("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), class_=kind)

    def render(self):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" '
                f'height="{self.height}" viewBox="0 0 {self.width} {self.height}" role="img">\n'
                f"<title>{escape(self.title)}</title>\n<style>\n{style()}\n</style>\n"
                f'<rect x="0.5" y="0.5" width="{self.width - 1}" height="{self.height - 1}" '
                f'rx="8" class="back"/>\n')
        return head + "\n".join(self.parts) + "\n</svg>\n"

    def legend(self, x, y, systems):
        for system, name in systems:
            self.add("rect", x=float(x), y=float(y - 9), width=11, height=11, rx=2, class_=system)
            self.text(x + 16, y, name)
            x += 30 + 7 * len(name)


def subtitle(data):
    machine = data["machine"]
    compiler = re.sub(r"\([^)]*\) ?", "", machine["compiler"]).split(",")[0]
    compiler = compiler.replace("cc ", "gcc ")
    return f"{machine['cpu']} · {data['tier']} · {compiler} · {machine['date'][:10]}"


def present(data, entries):
    """The systems that have a time at one thread in any of the entries."""
    return [(system, name) for system, name in SYSTEMS
            if any(time_of(entry, system, 1) for entry in entries)]


# ---- Shares of the ceiling --------------------------------------------------------------------

def chosen(data):
    """The entries of the plot: the short list, or where that is not there, the first ones."""
    usable = [entry for entry in data["cases"]
              if entry["group"] not in ("gemm", "call") and share_of(entry, "broadloom", 1)]
    quick = [entry for entry in usable if entry.get("quick")]
    return (quick or usable)[:ROWS_MAX]


def label(entry):
    """A case's name in words: Add f32 16M."""
    if entry["name"].startswith("chain_"):
        return entry["op"] if len(entry["op"]) < 30 else entry["op"][:28] + "…"
    return entry["name"].replace("_", " ")


def section(entry):
    """What an entry stands under."""
    if entry["group"] == "bcast":
        return "Broadcast and scalar operands, in memory"
    if entry["group"] == "chain":
        return "Chains of nodes, in memory, bytes as if fused"
    return f"Operands of one shape, in {'the cache' if entry['mode'] == 'hot' else 'memory'}"


def shares(data):
    """Bars: which part of the ceiling's bytes a second each system moves; "" without cases."""
    entries = sorted(chosen(data), key=lambda entry: (
        entry["group"] in LAST and LAST.index(entry["group"]) + 1, entry["mode"] == "cold"))
    if not entries:
        return ""
    systems = present(data, entries)
    bar, gap, heading = 7, 9, 30
    step = bar * len(systems) + gap
    left, top, scale = 210, 84, 475
    bottom = top + step * len(entries) + heading * len({section(entry) for entry in entries})
    picture = Picture(860, bottom + 46, "Share of the memory ceiling, one thread")
    picture.text(24, 34, picture.title, "ink title")
    picture.text(24, 53, subtitle(data), "soft")
    picture.legend(left, 76, systems)
    for tenth in range(0, 11, 2):
        x = left + scale * tenth / 10
        picture.line(x, top + 4, x, bottom, "axis" if tenth in (0, 10) else "grid")
        picture.text(x, bottom + 17, f"{10 * tenth} %", "soft", "middle")
    picture.text(left + scale, bottom + 33, "the ceiling", "soft", "middle")
    with_ort = any(system == "ort" for system, _ in systems)
    picture.text(836, 76, "× ONNX Runtime" if with_ort else "share", "soft", "end")
    y, before = top, None
    for entry in entries:
        if section(entry) != before:
            before = section(entry)
            picture.add("rect", x=1, y=float(y + 7), width=858, height=18, class_="plain")
            picture.text(24, y + 20, before, "ink strong")
            y += heading
        share_row(picture, entry, systems, y + gap / 2, bar, scale, left)
        y += step
    return picture.render()


def share_row(picture, entry, systems, y, bar, scale, left):
    height = bar * len(systems)
    picture.text(left - 12, y + height / 2 + 4, label(entry), "", "end")
    for i, (system, _) in enumerate(systems):
        share = share_of(entry, system, 1)
        if share:
            picture.add("rect", x=float(left), y=float(y + bar * i), rx=1.5,
                        width=float(scale * min(share, 1.1)), height=bar - 1, class_=system)
    ratio = ratio_of(entry, "ort", 1)
    if ratio:
        picture.text(836, y + height / 2 + 4, times(ratio), "ink strong", "end")
    elif any(system == "ort" for system, _ in systems):
        picture.text(836, y + height / 2 + 4, "no kernel", "soft", "end")
    else:
        picture.text(836, y + height / 2 + 4,
                     f"{100 * share_of(entry, 'broadloom', 1):.0f} %", "ink strong", "end")


def times(ratio):
    return f"{ratio:.2f} ×" if ratio < 1 else f"{ratio:.1f} ×" if ratio < 10 else f"{ratio:.0f} ×"


# ---- Against ONNX Runtime ---------------------------------------------------------------------

def against(data):
    """A bar a target: how many times as fast as ONNX Runtime, from the worst case to the median;
    "" without its times."""
    rows = [(target, parts["ort"]) for target, _, parts, _ in judge(data)
            if parts.get("ort", (0, None))[1]]
    if not rows:
        return ""
    left, top, step, width = 390, 92, 24, 390
    bottom = top + step * len(rows)
    picture = Picture(860, bottom + 60, "How many times as fast as ONNX Runtime, one thread")
    low = min(0.5, *(value[0] for _, (_, value) in rows))
    high = max(20.0, *(max(wanted, value[1]) for _, (wanted, value) in rows))

    def x_of(ratio):
        return left + width * math.log(ratio / low) / math.log(high / low)

    picture.text(24, 34, picture.title, "ink title")
    picture.text(24, 53, subtitle(data), "soft")
    picture.text(24, 76, "bar: median of the cases;  notch: the worst case;  dashed: wanted", "soft")
    for ratio in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100):
        if low <= ratio <= high:
            x = x_of(ratio)
            picture.line(x, top - 4, x, bottom, "axis" if ratio == 1 else "grid")
            picture.text(x, bottom + 17, f"{ratio:g} ×", "soft", "middle")
    picture.text(x_of(1) - 6, bottom + 36, "ONNX Runtime is faster", "soft", "end")
    picture.text(x_of(1) + 6, bottom + 36, "Broadloom is faster", "soft")
    for i, (target, (wanted, (worst, middle, _))) in enumerate(rows):
        y = top + step * i
        name = target.name if len(target.name) < 54 else target.name[:52] + "…"
        picture.text(left - 14, y + 16, name, "", "end")
        start, end = sorted((x_of(1), x_of(middle)))
        picture.add("rect", x=float(start), y=float(y + 5), width=float(max(end - start, 1)),
                    height=14, rx=2, class_="broadloom" if middle >= 1 else "ort")
        x = x_of(worst)
        picture.add("rect", x=float(x - 1.5), y=float(y + 3), width=3, height=18, class_="ink")
        picture.line(x_of(wanted), y + 2, x_of(wanted), y + 22, "wanted")
        picture.text(836, y + 16, times(middle), "ink strong", "end")
    return picture.render()


# ---- Growth -------------------------------------------------------------------------------------

def points(data, pattern, key):
    """[(key, entry)] of the cases of that name, in order of the key."""
    found = [(entry[key], entry) for entry in data["cases"] if re.search(pattern, entry["name"])]
    return sorted(found, key=lambda point: point[0])


def scaling(data):
    """Time against elements and against inputs, both axes logarithmic; "" without cases."""
    panels = [("Add float32: time against elements", "elements", "elements",
               points(data, r"^Add_f32_\d+[KM]$", "elements")),
              ("Sum float32, 1 Mi elements: time against inputs", "inputs", "inputs",
               points(data, r"^Sum\d+_f32_1M$", "inputs"))]
    panels = [panel for panel in panels if len(panel[3]) > 2]
    if not panels:
        return ""
    picture = Picture(28 + 426 * len(panels), 400, "How time grows, one thread")
    picture.text(24, 34, picture.title, "ink title")
    picture.text(24, 53, subtitle(data), "soft")
    entries = [entry for panel in panels for _, entry in panel[3]]
    picture.legend(24, 380, present(data, entries))
    for i, panel in enumerate(panels):
        draw_panel(picture, data, 72 + 426 * i, *panel)
    return picture.render()


def time_label(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:g} {unit}"
    return f"{ns:g} ns"


def count_label(count):
    for unit, size in (("Mi", 1 << 20), ("Ki", 1 << 10)):
        if count >= size:
            return f"{count / size:g} {unit}"
    return str(count)


def draw_panel(picture, data, left, title, axis, key, found):
    width, top, height = 360, 92, 230
    systems = present(data, [entry for _, entry in found])
    times = [time_of(entry, system, 1) for _, entry in found for system, _ in systems]
    times = [ns for ns in times if ns]
    first, last = found[0][0], found[-1][0]
    low = math.floor(math.log10(min(times)))
    high = math.ceil(math.log10(max(times)))

    def x_of(count):
        return left + width * math.log(count / first) / math.log(last / first)

    def y_of(ns):
        return top + height * (high - math.log10(ns)) / (high - low)

    picture.text(left, top - 14, title, "ink strong")
    for exponent in range(low, high + 1):
        y = y_of(10.0 ** exponent)
        picture.line(left, y, left + width, y, "grid")
        picture.text(left - 8, y + 4, time_label(10 ** exponent), "soft", "end")
    for count in dict.fromkeys(count for count, _ in found):
        x = x_of(count)
        picture.line(x, top + height, x, top + height + 4, "axis")
        picture.text(x, top + height + 18, count_label(count), "soft", "middle")
    picture.line(left, top + height, left + width, top + height, "axis")
    picture.text(left + width, top + height + 34, axis, "soft", "end")
    draw_guide(picture, x_of, y_of, found, (low, high))
    for system, _ in reversed(systems):  # ours on top
        line = [(x_of(count), y_of(time_of(entry, system, 1))) for count, entry in found
                if time_of(entry, system, 1)]
        path = " L".join(f"{x:.1f} {y:.1f}" for x, y in line)
        picture.add("path", d="M" + path, class_="line-" + system)
        for x, y in line:
            picture.add("circle", cx=float(x), cy=float(y), r=3, class_=system)


def draw_guide(picture, x_of, y_of, found, decades):
    """A dashed line through our last point: time in proportion to the count (to the arrays that
    are read and written, where inputs are counted)."""
    last, entry = found[-1]
    ns = time_of(entry, "broadloom", 1)
    if not ns:
        return
    extra = 1 if entry["inputs"] == last else 0
    line = []
    for step in range(41):
        count = found[0][0] * (last / found[0][0]) ** (step / 40)
        value = ns * (count + extra) / (last + extra)
        if value >= 10.0 ** decades[0]:
            line.append(f"{x_of(count):.1f} {y_of(value):.1f}")
    picture.add("path", d="M" + " L".join(line), class_="guide")

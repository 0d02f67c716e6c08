#!/usr/bin/env python3
"""Draws docs/pictures/architecture.svg: the folders of src/ as layers, and the way of the data through them.

    scripts/architecture_picture.py            writes the picture
    scripts/architecture_picture.py --check    exit status 1 if the picture is not up to date

Names, descriptions and dependencies come from TABLE in tests/project/dependency_rule.py, sub-folders from src/. Only the
places of the boxes are given here. The script refuses a table that the places do not fit: a folder without a place, or a
dependency that points upward.
"""

import pathlib
import sys
from xml.sax.saxutils import escape

SOURCE = pathlib.Path(__file__).resolve().parents[1]
PICTURE = SOURCE / "docs/pictures/architecture.svg"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "tests/project"))
from dependency_rule import NEIGHBOURS, TABLE  # noqa: E402

WIDTH = 1000
HEIGHT = 820
# folder -> (layer, x, y, width, height, text from, text to)
PLACES = {
    "io": (8, 10, 10, 378, 92, 116, 382),
    "api": (7, 10, 114, 980, 64, 116, 640),
    "methods": (6, 10, 190, 670, 88, 116, 628),
    "cuda": (6, 692, 190, 298, 86, 700, 992),
    "rigid": (6, 692, 284, 298, 106, 700, 992),
    "query": (5, 10, 288, 670, 102, 116, 628),
    "bvh": (4, 10, 398, 308, 134, 116, 312),
    "hash": (4, 10, 540, 308, 100, 116, 312),
    "cull": (4, 330, 398, 196, 242, 344, 496),
    "narrow": (4, 538, 398, 452, 242, 718, 986),
    "scene": (3, 10, 652, 980, 34, 24, 976),
    "mesh": (2, 10, 694, 980, 34, 24, 976),
    "geometry": (1, 10, 736, 980, 34, 24, 976),
    "core": (0, 10, 778, 980, 34, 24, 976),
}
# Outside of the library: title, text, place.
OUTSIDE = [
    ("apps, bindings", "the program with the page of its report, and Python; both use public headers", (400, 10, 312, 92, 414, 660)),
    ("research", "the tables of the papers", (724, 10, 122, 92, 738, 840)),
    ("scenes, benchmarks", "shared with the tests", (858, 10, 132, 92, 872, 986)),
]

STYLE = """
text { font-family: system-ui, sans-serif; font-size: 13px; fill: #3d464e; }
.name { font-size: 15px; font-weight: 600; fill: #14191d; } .small { font-size: 11px; fill: #5f6870; }
.box { fill: #f7f5f0; stroke: #c9c3b5; } .outside { fill: #fdfcfa; stroke: #b5aea0; stroke-dasharray: 5 4; }
.chip { fill: #e8e3d8; } .side { stroke: #7d868e; fill: none; stroke-width: 1.4; } .head { fill: #7d868e; }
.flow { fill: none; stroke: #2f80b8; opacity: .45; stroke-width: 9; stroke-linejoin: round; stroke-linecap: round; }
.tip { fill: #2f80b8; } .pill { fill: #1f5f8d; } .stage { font-size: 12px; font-weight: 600; fill: #ffffff; }
@media (prefers-color-scheme: dark) { text { fill: #c3cbd2; } .name { fill: #f1f4f6; } .small { fill: #9aa4ad; }
.box { fill: #20272e; stroke: #4a555f; } .outside { fill: #191f25; stroke: #56616b; } .chip { fill: #303a43; }
.flow { stroke: #58aee6; opacity: .5; } .tip { fill: #58aee6; } .pill { fill: #2a73a8; } .stage { fill: #ffffff; } }
"""


def check_places():
    """The places fit the table: every folder has one, and every dependency points down or to a sibling."""
    if set(PLACES) != set(TABLE):
        sys.exit(f"PLACES and TABLE differ in: {', '.join(sorted(set(PLACES) ^ set(TABLE)))}")
    for folder, (_, allowed) in TABLE.items():
        for target in allowed:
            if PLACES[target][0] > PLACES[folder][0]:
                sys.exit(f"{folder} includes {target}, which is drawn above it")
    for title, _, _ in OUTSIDE:
        for place in title.split(", "):
            if place not in NEIGHBOURS and place != "tests":
                sys.exit(f"{place}: not a place that tests/project/dependency_rule.py knows")


def siblings():
    """The dependencies between folders of one layer: (folder, target, reason)."""
    for folder, (_, allowed) in TABLE.items():
        for target, why in allowed.items():
            if PLACES[target][0] == PLACES[folder][0]:
                yield folder, target, why


def wrapped(text, width, per_character):
    """Lines of a text of at most `width` pixels, by a rule of thumb."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) * per_character <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def words(x, y, text, kind=""):
    return f'<text x="{x:g}" y="{y:g}"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}>{escape(text)}</text>'


def chips(x, y, end, names):
    """Sub-folders as chips in rows; returns the drawing and the y below."""
    out, at = [], x
    for name in names:
        width = 6.6 * len(name) + 18
        if at + width > end and at > x:
            at, y = x, y + 21
        out.append(f'<rect class="chip" x="{at:g}" y="{y:g}" width="{width:g}" height="17" rx="4"/>')
        out.append(words(at + 6, y + 12.5, f"{name}/", "small"))
        at += width + 6
    return out, y + 17


def folder_box(folder):
    what, allowed = TABLE[folder]
    _, x, y, width, height, begin, end = PLACES[folder]
    out = [f'<rect class="box" x="{x}" y="{y}" width="{width}" height="{height}" rx="7"/>']
    includes = "includes " + ", ".join(allowed) if allowed else "includes nothing of graze"
    if height < 40:  # one line
        out.append(words(begin, y + 22, folder, "name"))
        out.append(words(begin + 92, y + 22, what))
        out.append(f'<text x="{end}" y="{y + 22}" class="small" text-anchor="end">{escape(includes)}</text>')
        return out
    out.append(words(begin, y + 22, folder, "name"))
    down = y + 40
    for line in wrapped(what, end - begin, 6.8):
        out.append(words(begin, down, line))
        down += 16
    subfolders = sorted(path.name for path in (SOURCE / "src" / folder).iterdir() if path.is_dir())
    if subfolders:
        drawn, down = chips(begin, down - 8, end, subfolders)
        out += drawn
        down += 15
    for line in wrapped(includes, end - begin, 5.9):
        out.append(words(begin, down, line, "small"))
        down += 13
    if down - 9 > y + height:
        sys.exit(f"{folder}: its text does not fit its box; change PLACES")
    return out


def outside_box(title, text, place):
    x, y, width, height, begin, end = place
    out = [f'<rect class="outside" x="{x}" y="{y}" width="{width}" height="{height}" rx="7"/>']
    down = y + 22
    for line in wrapped(title, end - begin, 8.4):
        out.append(words(begin, down, line, "name"))
        down += 18
    for line in wrapped(text, end - begin, 6.8):
        out.append(words(begin, down, line))
        down += 16
    return out


def side_arrow(folder, target):
    """A thin arrow between two boxes side by side."""
    _, x, y, width, height, _, _ = PLACES[folder]
    _, tx, ty, twidth, theight, _, _ = PLACES[target]
    level = max(y, ty) + 16
    begin, end = (x, tx + twidth) if tx < x else (x + width, tx)
    back = 6 if end < begin else -6
    return [
        f'<path class="side" d="M{begin} {level} H{end + back}"/>',
        f'<path class="head" d="M{end} {level} l{back} -4 v8 z"/>',
    ]


def pill(x, y, text):
    width = 6.8 * len(text) + 16
    return [
        f'<rect class="pill" x="{x - width / 2:g}" y="{y - 11}" width="{width:g}" height="22" rx="11"/>',
        f'<text class="stage" x="{x:g}" y="{y + 4}" text-anchor="middle">{escape(text)}</text>',
    ]


def data_flow():
    """positions -> bounds -> candidates -> elementary tests -> impacts."""
    out = [
        # Down from the files; a hierarchy or a hash table; proofs; the candidate stream; the narrow phase; up again. One
        # group, so that lines that meet do not darken each other.
        '<g class="flow">',
        '<path d="M61 46 V618 Q61 626 69 626 H316 Q324 626 324 618 V570"/>',
        '<path d="M61 510 Q61 518 69 518 H316 Q324 518 324 526 V562 Q324 570 332 570 H502 Q510 570 510 562 V376 '
        'Q510 366 520 366 H544 Q554 366 554 376 V562 Q554 570 562 570 H678 Q686 570 686 562 V66"/>',
        "</g>",
        '<path class="tip" d="M686 40 l-12 26 h24 z"/>',
    ]
    for x, y, text in [
        (61, 46, "positions"),
        (61, 466, "bounds"),
        (420, 570, "candidates"),
        (624, 570, "elementary tests"),
        (686, 146, "impacts"),
    ]:
        out += pill(x, y, text)
    return out


def picture():
    check_places()
    body = []
    for folder in PLACES:
        body += folder_box(folder)
    for box in OUTSIDE:
        body += outside_box(*box)
    for folder, target, _ in siblings():
        body += side_arrow(folder, target)
    body += data_flow()
    label = "The folders of graze in layers, and the way of the data from positions to impacts"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">\n'
        f"<style>{STYLE}</style>\n" + "\n".join(body) + "\n</svg>\n"
    )


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    made = picture()
    if arguments:
        if PICTURE.is_file() and PICTURE.read_text(encoding="utf-8") == made:
            return 0
        print("docs/pictures/architecture.svg is not up to date; run scripts/architecture_picture.py", file=sys.stderr)
        return 1
    PICTURE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

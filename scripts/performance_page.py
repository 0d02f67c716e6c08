#!/usr/bin/env python3
"""Measures the figures of docs/performance.md and writes them: the tables between markers, and docs/pictures/scaling.svg.

    scripts/performance_page.py --graze build/peers/graze            all parts, about a quarter of an hour
    scripts/performance_page.py --only frames,first                  some parts; the rest of the page stays as it is

The figures come from `graze bench`, from scripts/compare_methods.py, which runs it, and from graze_bench_auto. All of them check answers
while they measure. Use a quiet machine. The public frames are measured if they exist (--data), and peers if the program was built with them
(`make bench-peers` builds one at build/peers/graze). --quick measures tiny scenes, to try the script.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

SOURCE = pathlib.Path(__file__).resolve().parents[1]
FRAMES = ["cloth-ball", "n-body-simulation", "cloth-funnel"]
PARTS = ["machine", "frames", "first", "scenes", "scaling", "large"]
BALL = 512  # triangles of a ball of the scene flying-balls
# Cubes of balls: the box is then full, so that contacts per ball are comparable between sizes.
SIDES = [3, 4, 5, 7, 9, 13]
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #4a525a; } .grid { stroke: #dddad2; } .band { fill: #2f6690; opacity: .08; }
.s0 { stroke: #2f6690; fill: #2f6690; } .s1 { stroke: #d1495b; fill: #d1495b; } .line { fill: none; stroke-width: 2; }
@media (prefers-color-scheme: dark) { text { fill: #a9b2ba; } .grid { stroke: #353d45; } .band { fill: #6cb2e0; }
.s0 { stroke: #6cb2e0; fill: #6cb2e0; } .s1 { stroke: #ff7a85; fill: #ff7a85; } .line { fill: none; } }
"""


def refuse(line):
    """Prints one line that names the cause, and exits with status 2."""
    print(line, file=sys.stderr)
    sys.exit(2)


def bench(graze, *arguments):
    """Returns the JSON document of one `graze bench`."""
    command = [str(graze), "bench", "--json", "-", *map(str, arguments)]
    print("measure", " ".join(command[1:]), file=sys.stderr)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        refuse(f"performance_page: {' '.join(command)} ends with status {done.returncode}")
    return json.loads(done.stdout)


def busy_note(cores):
    """Returns a note for the reader if other programs used the machine when the measurement began."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if load < 0.5 * cores:
        return ""
    return f" Other programs used the machine at the same time (load {load:.1f}): times are too long, and threads gain too little."


def has_peers(graze):
    """Returns whether the program was built with Embree as a peer."""
    command = [str(graze), "bench", "--scene", "crossing-sheets", "--size", "50", "--runs", "1", "--method", "peer:embree"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def milliseconds(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "| " + " | ".join(["---"] * len(columns)) + " |"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def bench_table(documents):
    """Table of the public frames; CPU time is that of all threads."""
    rows = []
    for document in documents:
        triangles = {scene["scene"]: scene["triangles"] for scene in document["scenes"]}
        for row in document["rows"]:
            found = "–" if row["vf"] is None else f"{row['vf']:,} + {row['ee']:,}"
            memory = "–" if row["bytes_per_triangle"] is None else f"{row['bytes_per_triangle']:.0f}"
            rows.append([pathlib.PurePath(row["scene"]).name, f"{triangles[row['scene']]:,}", row["method"], str(row["threads"]), found,
                         milliseconds(row["median_ms"]), milliseconds(row["min_ms"]), milliseconds(row["cpu_ms"]), memory])
    return table(["scene", "triangles", "method", "threads", "VF + EE", "median ms", "min ms", "CPU ms", "bytes per triangle"], rows)


def frames_part(graze, folders, threads, runs, peers):
    methods = ",".join(["auto", "r-tri", "iccd", "hash", *peers])
    return bench_table([bench(graze, "--scene", folder, "--method", methods, "--threads", count, "--runs", runs)
                        for folder in folders for count in threads])


def first_part(graze, folders, threads, runs):
    rows = []
    for folder in folders:
        for count in threads:
            document = bench(graze, "--scene", folder, "--method", "auto,r-tri", "--threads", count, "--runs", runs, "--first")
            rows += [[folder.name, row["method"], str(count), milliseconds(row["median_ms"]), milliseconds(row["min_ms"]),
                      milliseconds(row["cpu_ms"])] for row in document["rows"]]
    return table(["scene", "method", "threads", "median ms", "min ms", "CPU ms"], rows)


def scenes_part(graze, data, quick):
    """The table of compare_methods.py over all steps, and the sentence below it. With --wall there is no second table."""
    command = [sys.executable, str(SOURCE / "scripts/compare_methods.py"), "--graze", str(graze), "--data", str(data), "--wall"]
    command += ["--size", "300", "--runs", "1", "--scene", "crossing-sheets,giant-triangle"] if quick else []
    print("measure", " ".join(command[1:]), file=sys.stderr)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):  # 1: not the fastest everywhere, which the table says
        refuse(f"performance_page: compare_methods.py ends with status {done.returncode}")
    return done.stdout.split("\n\n", 1)[1].strip()


def large_part(program, quick):
    """Table of graze_bench_auto: growing scenes, and scenes of which a part moves."""
    if not program.exists():
        refuse(f"performance_page: {program} is not there; build graze_bench_auto")
    runs = [["--scene", "sheets", "--scene", "pieces", "--sizes", "10000,100000,1000000,10000000", "--method", "auto"],
            ["--scene", "obstacles", "--scene", "moving-10", "--scene", "moving-1", "--scene", "moving-0.1", "--sizes", "1000000"]]
    if quick:
        runs = [["--sizes", "1000,2000"]]
    rows = []
    for arguments in runs:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "rows.json"
            print("measure", program.name, " ".join(arguments), file=sys.stderr)
            if subprocess.run([program, *arguments, "--json", file], stdout=subprocess.DEVNULL, check=False).returncode != 0:
                refuse(f"performance_page: {program.name} {' '.join(arguments)} fails")
            rows += json.loads(file.read_text(encoding="utf-8"))["rows"]
    return table(["scene", "triangles", "method", "moved", "contacts per triangle", "ns per triangle", "million triangles per second", "peak MB",
                  "bytes per triangle"],
                 [[row["scene"], f"{row['triangles']:,}", row["method"], f"{100 * row['moved']:.3g} %", f"{row['impacts_per_triangle']:.4f}",
                   f"{row['ns_per_triangle']:.0f}", f"{row['million_per_second']:.2f}", f"{row['peak_mb']:,.0f}",
                   f"{row['bytes_per_triangle']:.0f}"] for row in rows])


def scaling(graze, method, threads, sides, frames, runs):
    """Points of the plot: size, and for each number of threads the time of a step in ns per triangle."""
    points = []
    for side in sides:
        asked = side ** 3 * BALL
        seeds = 1 if runs == 1 else max(1, min(8, round(100_000 / asked)))  # few balls touch by chance: several scenes
        point = {"triangles": 0, "contacts": 0.0, "ns": {count: 0.0 for count in threads}}
        for seed in range(1, seeds + 1):
            document = bench(graze, "--scene", "flying-balls", "--size", asked, "--frames", frames, "--seed", seed,
                             "--method", method, "--threads", ",".join(map(str, threads)), "--runs", runs)
            scene = document["scenes"][0]
            point["triangles"] = scene["triangles"]
            for row in document["rows"]:
                point["ns"][row["threads"]] += row["min_ms"] * 1e6 / scene["triangles"] / seeds
            row = document["rows"][0]
            point["contacts"] += (row["vf"] + row["ee"]) / scene["triangles"] / scene["steps"] / seeds
        points.append(point)
    return points


def scaling_table(points, threads):
    columns = ["triangles", "contacts per triangle and step"]
    columns += [f"ns per triangle, {count} thread{'s' if count > 1 else ''}" for count in threads]
    rows = [[f"{point['triangles']:,}", f"{point['contacts']:.2f}", *(f"{point['ns'][count]:,.0f}" for count in threads)]
            for point in points]
    values = [point["ns"][threads[0]] for point in points]
    spread = max(values) / min(values)
    contacts = [point["contacts"] for point in points]
    by_contact = ""
    if min(contacts) > 0:
        by_contact = f"; the contacts per triangle vary by a factor of {max(contacts) / min(contacts):.2f}"
    return (table(columns, rows) + f"\n\nFrom {points[0]['triangles']:,} to {points[-1]['triangles']:,} triangles the time per triangle on one "
            f"thread\nvaries by a factor of {spread:.2f}{by_contact}.")


def scaling_svg(points, threads, method):
    left, right, top, bottom = 70, 740, 40, 330
    low, high = math.log10(points[0]["triangles"]), math.log10(points[-1]["triangles"])
    largest = max(value for point in points for value in point["ns"].values())
    step = 10 ** math.floor(math.log10(largest))
    step = next(s for s in (step / 5, step / 2, step, 2 * step) if largest / s <= 6)
    ceiling = step * math.ceil(largest / step)

    def x(triangles):
        return left + (right - left) * (math.log10(triangles) - low) / max(1e-9, high - low)

    def y(value):
        return bottom - (bottom - top) * value / ceiling

    least = min(point["ns"][threads[0]] for point in points)
    band_top = y(min(2 * least, ceiling))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 390" role="img" aria-label="Time per triangle over size">',
           f"<style>{STYLE}</style>",
           f'<text x="{left}" y="20">time per step and triangle, µs: {escape(method)}, flying-balls; '
           "shaded: within 2× of the minimum</text>",
           f'<rect class="band" x="{left}" y="{band_top:.1f}" width="{right - left}" height="{y(least) - band_top:.1f}"/>']
    for k in range(round(ceiling / step) + 1):
        value = k * step
        out.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>'
                   f'<text x="{left - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value / 1000:g}</text>')
    for point in points:
        out.append(f'<text x="{x(point["triangles"]):.1f}" y="{bottom + 20}" text-anchor="middle">'
                   f'{point["triangles"] / 1000:,.0f}k</text>')
    out.append(f'<text x="{(left + right) / 2}" y="{bottom + 45}" text-anchor="middle">triangles</text>')
    for k, count in enumerate(threads):
        places = [(x(point["triangles"]), y(point["ns"][count])) for point in points]
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in places)
        out.append(f'<polyline class="line s{k % 2}" points="{path}"/>')
        out += [f'<circle class="s{k % 2}" cx="{px:.1f}" cy="{py:.1f}" r="3.5"/>' for px, py in places]
        out.append(f'<text x="{right}" y="{places[-1][1] - 9:.1f}" text-anchor="end">'
                   f"{count} thread{'s' if count > 1 else ''}</text>")
    return "\n".join(out + ["</svg>"]) + "\n"


def markers(name):
    return f"<!-- figures: {name} -->", f"<!-- end: {name} -->"


def check_markers(text):
    """Checks the markers before the measurement, which takes minutes."""
    for name in PARTS:
        for marker in markers(name):
            if text.count(marker) != 1:
                refuse(f"performance_page: the page needs the markers {' and '.join(markers(name))} once each")


def put(text, name, content):
    """Returns the document with the text between the markers of a name replaced."""
    opening, closing = markers(name)
    before, rest = text.split(opening)
    return f"{before}{opening}\n\n{content}\n\n{closing}{rest.split(closing)[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graze", type=pathlib.Path, default=SOURCE / "build/release/graze", help="the program")
    parser.add_argument("--page", type=pathlib.Path, default=SOURCE / "docs/performance.md", help="the page to rewrite")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("GRAZE_DATA", SOURCE.parent / "shared/data")),
                        help="folder of the public data")
    parser.add_argument("--only", help=f"parts, with commas between, of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--method", default="auto", help="method of the scaling plot")
    parser.add_argument("--runs", type=int, default=5, help="runs of each row")
    parser.add_argument("--quick", action="store_true", help="tiny scenes, to try the script")
    options = parser.parse_args()
    graze = options.graze.resolve()
    text = options.page.read_text(encoding="utf-8")
    check_markers(text)
    parts = options.only.split(",") if options.only else PARTS
    if unknown := [part for part in parts if part not in PARTS]:
        refuse(f"performance_page: --only {','.join(unknown)}: the parts are {', '.join(PARTS)}")
    busy = busy_note(os.cpu_count() or 1)
    peers = ["peer:embree", "peer:embree-low"] if has_peers(graze) else []
    machine = bench(graze, "--scene", "crossing-sheets", "--size", 50, "--runs", 1, "--method", "auto")["machine"]
    cores = machine["cores"]
    threads = [1, 2] if cores >= 2 else [1]
    folders = [options.data / "frames" / name for name in FRAMES if (options.data / "frames" / name).is_dir()]
    picture = options.page.parent / "pictures" / "scaling.svg"

    def scaling_part():
        sides, steps, runs = ([1, 2], 3, 1) if options.quick else (SIDES, 9, 2)
        points = scaling(graze, options.method, threads, sides, steps, runs)
        picture.parent.mkdir(exist_ok=True)
        picture.write_text(scaling_svg(points, threads, options.method), encoding="utf-8")
        return scaling_table(points, threads)

    make = {
        "machine": lambda: f"graze {machine['graze']}, {machine['cpu']}, {cores} cores, {machine['simd']}, {machine['compiler']}.{busy}",
        "frames": lambda: frames_part(graze, folders, threads, options.runs, peers),
        "first": lambda: first_part(graze, folders, threads, options.runs),
        "scenes": lambda: scenes_part(graze, options.data, options.quick),
        "scaling": scaling_part,
        "large": lambda: large_part(graze.parent / "benchmarks/graze_bench_auto", options.quick),
    }
    for part in parts:
        if part in ("frames", "first") and (options.quick or not folders):
            print(f"performance_page: {part}: public frames are left as they are", file=sys.stderr)
            continue
        text = put(text, part, make[part]())
        options.page.write_text(text, encoding="utf-8")
    print(f"performance_page: wrote {options.page}", file=sys.stderr)


if __name__ == "__main__":
    main()

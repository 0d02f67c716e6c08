#!/usr/bin/env python3
"""Every method and peer on every scene, as a table: is `auto` the fastest, and are all answers the same?

    scripts/compare_methods.py --graze build/peers/graze                 all scenes, some minutes
    scripts/compare_methods.py --scene skirt,n-body --method auto,r-tri  some of them

Runs `graze bench` scene by scene: all of the catalogue at their default sizes, and the public frames where they are (--data, $GRAZE_DATA, or
../shared/data). Times are milliseconds of processor time a step on one thread, each step's least over the runs, so that the table can be made
while others use the machine; with more threads, or --wall, they are those that passed. The second table leaves out the first step of each
run, to which the scene jumps back from the last. basic and adj do the work of no-dupl and more, and take part with --all. With --json FILE --resume
scenes that the file has already are not measured again. Exit status: 0; 1 where `auto` is slower than --limit times the fastest other; 2 for what it cannot do; 3 where
answers differ, or are not the truth of the public frames.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[1]
FRAMES = {"cloth-ball": (19_032, 94_822), "n-body-simulation": (9_459, 41_031), "cloth-funnel": (27, 107)}  # exact VF, EE
PEERS = ["peer:embree", "peer:embree-low"]
CHANGING = {"letters", "breaking"}  # their triangles change on the way, which peers do not take
SLOW = ["basic", "adj"]
HERO = "auto"


def refuse(line):
    """One line that names the culprit, and status 2."""
    print(line, file=sys.stderr)
    sys.exit(2)


def default_program():
    for folder in ("peers", "release"):
        if (SOURCE / "build" / folder / "graze").exists():
            return SOURCE / "build" / folder / "graze"
    return SOURCE / "build/release/graze"


def default_data():
    return pathlib.Path(os.environ.get("GRAZE_DATA", SOURCE.parent / "shared/data"))


def run(graze, *arguments):
    return subprocess.run([str(graze), *map(str, arguments)], capture_output=True, text=True, check=False)


def catalogue(graze):
    """Names of all scenes, as `graze scene --list` has them."""
    lines = run(graze, "scene", "--list").stdout.splitlines()
    return [line.split()[0] for line in lines[1:] if re.match(r"\S", line)]


def contestants(graze, with_slow):
    """All methods that may be the fastest, and the peers that the program was built with."""
    names = [method["name"] for method in json.loads(run(graze, "methods", "--json", "-").stdout)["methods"]]
    names = [name for name in names if name != "brute" and (with_slow or name not in SLOW)]
    tiny = ["--scene", "crossing-sheets", "--size", 50, "--runs", 1, "--threads", 1]
    return names + [peer for peer in PEERS if run(graze, "bench", *tiny, "--method", peer).returncode == 0]


def number(value):
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "| " + " | ".join(["---"] + ["---:"] * (len(columns) - 1)) + " |"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


class SceneResult:
    """One scene: the rows of its bench, by method."""

    def __init__(self, name, document, wrong, truth=None):
        self.name = name
        self.document = document
        self.triangles = document["scenes"][0]["triangles"]
        self.steps = document["scenes"][0]["steps"]
        self.rows = {row["method"]: row for row in document["rows"]}
        self.wrong = wrong
        own = [row for row in document["rows"] if row["hash"] is not None]
        self.contacts = own[0]["vf"] + own[0]["ee"] if own else None
        if truth and own and (own[0]["vf"], own[0]["ee"]) != truth:
            self.wrong.append(f"{name}: {own[0]['vf']} + {own[0]['ee']} contacts, in truth {truth[0]} + {truth[1]}")

    def milliseconds(self, method, key):
        return self.rows[method][key] if method in self.rows else None

    def best_other(self, key):
        others = [(row[key], name) for name, row in self.rows.items() if name != HERO]
        return min(others) if others else (None, "–")

    def ratio(self, key):
        best, _ = self.best_other(key)
        own = self.milliseconds(HERO, key)
        return own / best if own is not None and best else None

    def cells(self, methods, key):
        best, name = self.best_other(key)
        ratio = self.ratio(key)
        shown = [f"**{number(self.milliseconds(m, key))}**" if m == name else number(self.milliseconds(m, key)) for m in methods]
        answers = "differ" if self.wrong else "same"
        return [self.name, f"{self.triangles:,}", str(self.steps), number(self.contacts / self.steps) if self.contacts is not None else "–",
                *shown, name, f"{ratio:.2f}" if ratio is not None else "–", answers]


def measure(graze, scene, methods, options, title=None, truth=None):
    """Benches one scene; None if the program refuses it."""
    arguments = ["bench", "--json", "-", "--scene", scene, "--method", ",".join(methods), "--threads", options.threads,
                 "--runs", options.runs]
    if options.size and title is None:
        arguments += ["--size", options.size]
    start = time.monotonic()
    done = run(graze, *arguments)
    print(f"{title or scene}: {time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)
    if done.returncode not in (0, 3) or not done.stdout.startswith("{"):
        print(f"compare_methods: {scene}: {done.stderr.strip()}", file=sys.stderr)
        return None
    wrong = [line for line in done.stderr.splitlines() if line.startswith("graze:")]
    return SceneResult(title or scene, json.loads(done.stdout), wrong, truth)


def tables(results, methods, key, later):
    columns = ["scene", "triangles", "steps", "contacts per step", *methods, "fastest other", f"{HERO} / it", "answers"]
    text = "## Milliseconds per step, all steps\n\n" + table(columns, [r.cells(methods, key) for r in results])
    longer = [r for r in results if r.steps > 1]
    if later and longer:
        text += "\n\n## The same without the first step\n\n" + table(columns, [r.cells(methods, later) for r in longer])
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graze", type=pathlib.Path, default=default_program(), help="the program")
    parser.add_argument("--data", type=pathlib.Path, default=default_data(), help="folder of the public data")
    parser.add_argument("--scene", help="scenes of the catalogue or public frames, with commas between (default: all)")
    parser.add_argument("--method", help="methods and peers (default: all but brute, and the peers there are)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3, help="runs of each scene, of which each step's least counts")
    parser.add_argument("--size", type=int, help="triangles of each catalogue scene (default: its own)")
    parser.add_argument("--wall", action="store_true", help="the time that passed: the least mean of a run")
    parser.add_argument("--limit", type=float, default=1.05, help="auto may take so many times the fastest other")
    parser.add_argument("--all", action="store_true", help="basic and adj, too")
    parser.add_argument("--json", type=pathlib.Path, help="write what was measured, too")
    parser.add_argument("--resume", action="store_true", help="go on with the file of --json")
    options = parser.parse_args()
    graze = options.graze.resolve()
    if not graze.exists():
        refuse(f"compare_methods: {graze}: no such program; make build, or make bench-peers")
    methods = options.method.split(",") if options.method else contestants(graze, options.all)
    names = catalogue(graze)
    public = {f"frames/{name}": truth for name, truth in FRAMES.items()}
    wanted = options.scene.split(",") if options.scene else [*public, *names]
    wall = options.wall or options.threads != 1
    key, later = ("min_ms", None) if wall else ("cpu_ms", "later_cpu_ms")

    results = []
    done = json.loads(options.json.read_text(encoding="utf-8")) if options.resume and options.json.exists() else {}
    for scene in wanted:
        if scene in done:
            result = SceneResult(scene, done[scene]["bench"], done[scene]["wrong"], public.get(scene))
        elif scene in public:
            folder = options.data / scene
            if not folder.is_dir():
                print(f"compare_methods: {scene} is left out: {folder} is not there; --data or $GRAZE_DATA says where it is", file=sys.stderr)
                continue
            result = measure(graze, folder, methods, options, scene, public[scene])
        elif scene in names:
            own = [m for m in methods if scene not in CHANGING or not m.startswith("peer:")]
            result = measure(graze, scene, own, options)
        else:
            refuse(f"compare_methods: {scene}: no scene of the catalogue, and none of {', '.join(public)}")
        if result:
            results.append(result)
            done[scene] = {"bench": result.document, "wrong": result.wrong}
            if options.json:
                options.json.write_text(json.dumps(done, indent=1), encoding="utf-8")
    if not results:
        refuse("compare_methods: nothing was measured")
    print(tables(results, methods, key, later))
    wrong = [line for r in results for line in r.wrong]
    for line in wrong:
        print(line, file=sys.stderr)
    slow = [r for r in results if r.ratio(key) is not None and r.ratio(key) > options.limit]
    if HERO in methods:
        print(f"\n{HERO} is the fastest, or within {options.limit:g} times, on {len(results) - len(slow)} of {len(results)} scenes"
              + (": not on " + ", ".join(r.name for r in slow) if slow else "") + ".")
    sys.exit(3 if wrong else 1 if slow else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Where the time goes: shares of the stages of a method on every scene, by sampling with perf (Linux).

    scripts/profile_scenes.py --graze build/release/graze --method r-tri

Runs `graze bench` under `perf record` and sorts its samples into stages by the names of functions. Only the end of a run counts, as long as
the measured steps took, since making a scene takes longer than its steps. What a compiler inlines goes with the function that it is in.
--others lists the functions that no stage knows.
"""

import argparse
import collections
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[1]
FRAMES = ["cloth-ball", "n-body-simulation", "cloth-funnel"]
# The first that matches a function's name. "" is not part of a step: hashes of answers, the making of detectors, files.
STAGES = [
    ("", r"Impacts::(toi_)?hash|bvh_build|BuildRange|make_representatives|Topology|make_topology|[Ii]ncidence|Scene::|MethodRunner|build_clusters|"
         r"namespace\)::(cut|search)$|load_frames|StepCursor|parse_|read_|Json|nlohmann|add_stats|simulat|dl_|_dl|SceneEdit|scene_edit"),
    ("features", r"RepresentedFeatures|N_\w+::collect"),
    ("proof", r"N_\w+::prove"),
    ("exact", r"[Ee]xact|MachineWidth|WideWidth|starts_in_contact|fixed_|first_contact|multiprecision|cpp_int|[Bb]ig_?[Ii]nteger|[Dd]ouble_?[Dd]ouble|eval_multiply|eval_add|integer_points|::touch|ilogb"),
    ("roots", r"interval|root|scalbn|ldexp|frexp|[Pp]olynomial|relative_points|[Bb]ernstein|narrow::test_|N_\w+::find_(ee|vf)|[Qq]uick_?[Rr]oot|cubic"),
    ("roots", r"describe_|unit_or_zero|contact_point|contact_normal|weights|hypot|sqrt"),  # and where the contact is
    ("sort", r"sort_impacts|parallel_sort|::Key|__merge|__move_merge|__introsort|vector<graze::Impact[^B].*push_back|span<graze::Impact.*_M_invoke|memcmp"),
    ("filter", r"filter_ee|filter_vf|pair_filter|ImpactBatch"),
    ("update", r"[Rr]efit|LeafBounds::make|make_\w*boxes|update_|MotionBounds|require_finite|validate|BvhVolumes|for_blocks_bottom_up|with_leaf_volumes|moved|"
               r"[Qq]uality|round_down|round_up|make_vertex_volumes|make_paths|take_paths|fill_table|make_bounds|make_tables|ClusterMesh::"),
    ("traversal", r"[Tt]ravers|leaf_pairs|LeafPair"),
    ("features", r"keep_edges|keep_vertex_faces|segment_may_cross|spread|continuous|overlapping_vertex_faces|[Cc]luster"),
]
COLUMNS = ["update", "traversal", "features", "proof", "filter", "roots", "exact", "sort", "rest"]


def stage_of(symbol, dso):
    if dso.startswith("[kernel") or dso == "[unknown]":
        return "rest"
    for stage, pattern in STAGES:
        if re.search(pattern, symbol):
            return stage
    return "rest"


def bench_under_perf(options, scene, runs, data):
    command = ["perf", "record", "-q", "-F", str(options.rate), "-o", data, "--", str(options.graze), "bench", "--json", "-",
               "--scene", str(scene), "--method", options.method, "--threads", "1", "--runs", str(runs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"profile_scenes: {' '.join(command)} ends with status {done.returncode}: {done.stderr.strip()}")
    document = json.loads(done.stdout[done.stdout.index("{"):])
    return document["scenes"][0], document["rows"][0]


def samples(data):
    """(thread, seconds, function, object) of each sample."""
    done = subprocess.run(["perf", "script", "-i", data, "-F", "tid,time,ip,sym,dso"], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        match = re.match(r"\s*(\d+)\s+([\d.]+):\s+[0-9a-f]+\s+(.*) \((.*)\)$", line)
        if match:
            yield int(match.group(1)), float(match.group(2)), match.group(3), match.group(4).rsplit("/", 1)[-1]


def profile(options, scene):
    runs = options.runs
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "perf.data")
        info, row = bench_under_perf(options, scene, runs, data)
        seconds = row["median_ms"] * info["steps"] * runs / 1000
        if seconds < 0.6 * options.seconds:
            runs = math.ceil(options.seconds / (seconds / runs))
            info, row = bench_under_perf(options, scene, runs, data)
            seconds = row["median_ms"] * info["steps"] * runs / 1000
        found = list(samples(data))
    begin = found[-1][1] - 0.97 * seconds
    # Other threads have made the scene, and spin for a while.
    thread = collections.Counter(sample[0] for sample in found if sample[1] >= begin).most_common(1)[0][0]
    counts, others = collections.Counter(), collections.Counter()
    for own_thread, when, symbol, dso in found:
        if when < begin or own_thread != thread:
            continue
        stage = stage_of(symbol, dso)
        if stage:
            counts[stage] += 1
        if stage == "rest":
            others[f"{symbol[:100]} ({dso})"] += 1
    return info, row, counts, others


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graze", type=pathlib.Path, default=SOURCE / "build/release/graze", help="the program")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("GRAZE_DATA", SOURCE.parent / "shared/data")))
    parser.add_argument("--method", default="r-tri")
    parser.add_argument("--scene", help="scenes of the catalogue, or folders, with commas between (default: all)")
    parser.add_argument("--runs", type=int, default=8, help="runs at first; more where they take less than --seconds")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rate", type=int, default=4000, help="samples a second")
    parser.add_argument("--others", action="store_true", help="list functions that no stage knows")
    options = parser.parse_args()
    options.graze = options.graze.resolve()
    if options.scene:
        scenes = options.scene.split(",")
    else:
        listed = subprocess.run([options.graze, "scene", "--list"], capture_output=True, text=True, check=True).stdout
        scenes = [options.data / "frames" / name for name in FRAMES if (options.data / "frames" / name).is_dir()]
        scenes += [line.split()[0] for line in listed.splitlines()[1:]]
    print("| scene | triangles | ms a step | " + " | ".join(COLUMNS) + " |")
    print("| --- |" + " ---: |" * (2 + len(COLUMNS)))
    all_others = collections.Counter()
    for scene in scenes:
        info, row, counts, others = profile(options, scene)
        total = sum(counts.values())
        shares = [f"{100 * counts[stage] / total:.0f}" if counts[stage] else "" for stage in COLUMNS]
        name = f"frames/{scene.name}" if isinstance(scene, pathlib.Path) else scene
        ms = row.get("cpu_ms", row["min_ms"])
        print(f"| {name} | {info['triangles']:,} | {ms:.3g} | " + " | ".join(shares) + " |", flush=True)
        for symbol, count in others.items():
            all_others[symbol] += count / total
    if options.others:
        for symbol, share in all_others.most_common(40):
            print(f"{100 * share / len(scenes):6.2f} %  {symbol}", file=sys.stderr)


if __name__ == "__main__":
    main()

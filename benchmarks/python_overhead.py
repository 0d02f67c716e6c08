#!/usr/bin/env python3
"""Measures what a call from Python costs beside the query itself, on the public frames.

    PYTHONPATH=build/release/python benchmarks/python_overhead.py DATA/frames [--runs N]

For each step: the median time of Detector.impacts seen from Python, that inside graze (Stats.total_ms), and their
difference in percent. The answers are checked against the numbers of contacts of the public truth.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import sys
import time

import graze

STEPS = {
    "cloth-funnel": ("227.ply", "228.ply", 27, 107),
    "n-body-simulation": ("balls16_18.ply", "balls16_19.ply", 9459, 41031),
    "cloth-ball": ("cloth_ball92.ply", "cloth_ball93.ply", 19032, 94822),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures what a call from Python costs beside the query itself.")
    parser.add_argument("frames", type=pathlib.Path, help="folder of the public frames")
    parser.add_argument("--runs", type=int, default=101, help="calls of each query (101)")
    parser.add_argument("--threads", type=int, default=1, help="threads of a query (1)")
    options = parser.parse_args()
    print(f"{'step':20} {'Python, ms':>10} {'inside, ms':>10} {'overhead':>9}")
    for name, (begin, end, vf, ee) in STEPS.items():
        x_t0, faces = graze.read_mesh(options.frames / name / begin)
        x_t1, _ = graze.read_mesh(options.frames / name / end)
        scene = graze.Scene()
        scene.add_body(x_t0, faces)
        detector = graze.Detector(scene, threads=options.threads)
        outside, inside = [], []
        for _ in range(options.runs):
            started = time.perf_counter()
            impacts = detector.impacts(x_t0, x_t1)
            outside.append(1e3 * (time.perf_counter() - started))
            inside.append(impacts.stats.total_ms)
            if (impacts.vf_count, impacts.ee_count) != (vf, ee):
                sys.exit(f"{name}: {impacts}, but there are {vf} and {ee} contacts")
        a, b = statistics.median(outside), statistics.median(inside)
        print(f"{name:20} {a:10.2f} {b:10.2f} {100 * (a - b) / b:8.1f}%")


if __name__ == "__main__":
    main()

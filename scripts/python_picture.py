#!/usr/bin/env python3
"""Makes docs/pictures/python-plot.png, the picture of docs/python.md: two functions of graze.plot, side by side.

PYTHONPATH=build/release/python scripts/python_picture.py [FILE]

A cloth falls through a ball. Needs matplotlib; the bytes of the picture depend on its version.
"""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

import graze  # noqa: E402

PICTURE = pathlib.Path(__file__).resolve().parent.parent / "docs/pictures/python-plot.png"


def grid_faces(rows, columns):
    """Two triangles for each square of a grid of vertices."""
    a = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    return np.concatenate([np.column_stack([a, a + 1, a + columns + 1]), np.column_stack([a, a + columns + 1, a + columns])])


def ball(rings):
    """A sphere of radius 1 by latitude and longitude; its seam and its poles are vertices at equal positions."""
    theta, phi = np.meshgrid(np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, 2 * rings + 1), indexing="ij")
    x = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], axis=-1)
    return x.reshape(-1, 3), grid_faces(rings + 1, 2 * rings + 1)


def cloth(n, z):
    side = np.linspace(-1.4, 1.4, n + 1)
    x, y = np.meshgrid(side, side, indexing="ij")
    return np.column_stack([x.ravel(), y.ravel(), z + 0.1 * np.sin(4 * x).ravel()]), grid_faces(n + 1, n + 1)


def main():
    scene = graze.Scene()
    scene.add_body(*ball(12), name="ball", static=True)
    scene.ignore_pair("ball", "ball")
    scene.add_body(*cloth(16, 1.25), name="cloth")
    x_t0 = scene.positions.copy()
    x_t1 = x_t0.copy()
    x_t1[scene.vertices("cloth"), 2] -= 1.0
    impacts = graze.Detector(scene).impacts(x_t0, x_t1)

    figure = plt.figure(figsize=(10, 3.8), layout="constrained")
    axes = graze.plot.contacts(impacts, ax=figure.add_subplot(1, 2, 1, projection="3d"))
    axes.view_init(elev=24, azim=-50)
    axes.set_title(f"graze.plot.contacts: {len(impacts):,} contacts", fontsize=10)
    axes = graze.plot.funnel(impacts, ax=figure.add_subplot(1, 2, 2))
    axes.set_title("graze.plot.funnel", fontsize=10)
    figure.savefig(sys.argv[1] if len(sys.argv) > 1 else PICTURE, dpi=80)


if __name__ == "__main__":
    main()

"""Small meshes and helpers that several test files share.

The scene `two_triangles` is a large triangle at z = 0 (vertices 0, 1, 2) and a small one (3, 4, 5) well inside it at
another height. When the small triangle passes through the large one, its three vertices touch the face at the same
time, and no other features touch.
"""

from __future__ import annotations

import itertools
import math
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import graze

LARGE = [(-10.0, -10.0, 0.0), (10.0, -10.0, 0.0), (0.0, 10.0, 0.0)]
SMALL = [(-1.0, -1.0), (1.0, -1.0), (0.0, 1.0)]
TWO_FACES = np.array([(0, 1, 2), (3, 4, 5)], dtype=np.int64)

CUBE_VERTICES = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
CUBE_FACES = np.array(
    [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)]
    + [(2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)],
    dtype=np.int64,
)


def two_triangles(height: float) -> np.ndarray:
    """Positions of the two triangles, the small one at this height."""
    return np.array(LARGE + [(x, y, height) for x, y in SMALL])


def two_bodies() -> graze.Scene:
    """The scene of the large triangle, static, and of the small one, as bodies `floor` and `leaf`."""
    scene = graze.Scene()
    x = two_triangles(1.0)
    scene.add_body(x[:3], [(0, 1, 2)], name="floor", static=True)
    scene.add_body(x[3:], [(0, 1, 2)], name="leaf")
    return scene


def grid(side: int) -> tuple[np.ndarray, np.ndarray]:
    """A flat sheet of side x side vertices with a distance of one, and its triangles."""
    x, y = np.meshgrid(np.arange(side, dtype=np.float64), np.arange(side, dtype=np.float64))
    positions = np.column_stack([x.ravel(), y.ravel(), np.zeros(side * side)])
    a = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    faces = np.vstack(
        [np.column_stack([a, a + 1, a + side]), np.column_stack([a + 1, a + side + 1, a + side])]
    )
    return positions, faces


def sphere(rings: int, radius: float = 1.0, centre: tuple[float, float, float] = (0, 0, 0)) -> Any:
    """A closed sphere of latitude rings with twice as many vertices each: vertices and faces."""
    around = 2 * rings
    vertices = [(0.0, 0.0, 1.0)]
    for i in range(1, rings):
        theta = math.pi * i / rings
        for j in range(around):
            phi = 2 * math.pi * j / around
            vertices.append((math.sin(theta) * math.cos(phi), math.sin(theta) * math.sin(phi), math.cos(theta)))
    vertices.append((0.0, 0.0, -1.0))
    last = len(vertices) - 1
    faces = []
    for j in range(around):
        k = (j + 1) % around
        faces.append((0, 1 + j, 1 + k))
        for i in range(rings - 2):
            a, b = 1 + i * around, 1 + (i + 1) * around
            faces += [(a + j, b + j, b + k), (a + j, b + k, a + k)]
        a = 1 + (rings - 2) * around
        faces.append((a + j, last, a + k))
    return np.array(vertices) * radius + np.array(centre), np.array(faces, dtype=np.int64)


def soup(rng: np.random.Generator, vertices: int, triangles: int, *, lattice: bool = False) -> Any:
    """Random triangles: faces, positions at the start and at the end of a step.

    With `lattice` all coordinates are small integers, so that degenerate contacts abound.
    """
    faces = rng.integers(0, vertices, size=(triangles, 3))
    if lattice:
        x_t0 = rng.integers(-3, 4, size=(vertices, 3)).astype(np.float64)
        x_t1 = x_t0 + rng.integers(-2, 3, size=(vertices, 3))
    else:
        x_t0 = rng.uniform(-1, 1, size=(vertices, 3))
        x_t1 = x_t0 + rng.normal(scale=0.2, size=(vertices, 3))
    return faces, x_t0, x_t1


def features(faces: np.ndarray) -> tuple[list[int], list[tuple[int, int]], list[tuple[int, int, int]]]:
    """Vertices, edges and faces of triangles, as docs/guarantees.md defines them: sorted, each once."""
    rows = [tuple(sorted(map(int, row))) for row in faces]
    vertices = sorted({v for row in rows for v in row})
    edges = sorted({(a, b) for row in rows for a, b in itertools.combinations(row, 2) if a != b})
    return vertices, edges, sorted(set(rows))


def feature_pairs(faces: np.ndarray) -> list[tuple[int, tuple[int, int, int, int]]]:
    """All pairs of features without a common vertex: kind and vertex ids, in the order of results."""
    vertices, edges, triangles = features(faces)
    pairs = [(graze.VERTEX_FACE, (v, *f)) for v in vertices for f in triangles if v not in f]
    pairs += [
        (graze.EDGE_EDGE, (*a, *b)) for a, b in itertools.combinations(edges, 2) if not set(a) & set(b)
    ]
    return sorted(pairs)


def rows_of(result: Any) -> list[tuple[int, tuple[int, ...]]]:
    """Kind and vertex ids of each row of impacts or proximities."""
    return [(int(k), tuple(map(int, v))) for k, v in zip(result.kind, result.vertices)]


def same(a: Any, b: Any) -> bool:
    """Whether two results have the same pairs with the same intervals."""
    return bool(
        np.array_equal(a.kind, b.kind)
        and np.array_equal(a.vertices, b.vertices)
        and np.array_equal(a.toi, b.toi)
        and np.array_equal(a.toi_hi, b.toi_hi)
    )


def refused(call: Callable[[], Any], *words: object, error: type[BaseException] | None = None) -> str:
    """Calls, and checks that graze refuses with one line that contains all of these words; returns the line."""
    try:
        call()
    except error or graze.InputError as caught:
        line = str(caught)
    else:
        raise AssertionError(f"the call was not refused; expected an error with {words}")
    assert line.strip() and "\n" not in line, f"the message is not one line: {line!r}"
    for word in words:
        assert str(word) in line, f"the message does not name {word!r}: {line!r}"
    return line


def run_python(code: str, *, timeout: float = 60, status: int = 0, **environment: str) -> str:
    """Runs Python code in a process of its own, so that a crash or a deadlock fails one test only."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code],
        env={**os.environ, **environment},
        cwd=os.path.dirname(__file__),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == status, f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout

"""A cloth falls onto a static pyramid: how a solver's loop uses graze.

Each time step predicts positions without thinking of contact (gravity, springs), pushes near vertices apart
(proximities), and takes as much of the way as is proved free (safe_step). However rough the prediction is, nothing
ever intersects. The notebook cloth_safe_step has an implicit solver with a barrier. Ends with an AssertionError if
an answer is wrong."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import graze

Floats = npt.NDArray[np.float64]

SIDE = 12  # squares along a side of the cloth
TIME_STEP = 0.004  # seconds
GRAVITY = np.array([0.0, 0.0, -9.8])
STIFFNESS = 1500.0  # of a spring, per mass of a vertex, 1 / s^2
NEAR = 0.02  # distance within which features push each other apart, in metres

PYRAMID = np.array([[-0.4, -0.3, 0.0], [0.4, -0.35, 0.0], [0.4, 0.4, 0.0], [-0.35, 0.4, 0.0], [0.02, 0.03, 0.5]])


def cloth() -> tuple[Floats, npt.NDArray[np.int64]]:
    line = np.linspace(-0.5, 0.5, SIDE + 1)
    x, y = np.meshgrid(line, line, indexing="ij")
    corner = (np.arange(SIDE)[:, None] * (SIDE + 1) + np.arange(SIDE)).ravel()
    lower = np.column_stack([corner, corner + 1, corner + SIDE + 2])
    upper = np.column_stack([corner, corner + SIDE + 2, corner + SIDE + 1])
    return np.column_stack([x.ravel(), y.ravel(), np.full(x.size, 0.53)]), np.concatenate([lower, upper])


def push(detector: graze.Detector, x: Floats) -> Floats:
    """Displacements that separate near pairs, shared by their vertices by weight."""
    near = detector.proximities(x, NEAR)
    split = np.where(near.kind == graze.VERTEX_FACE, 1, 2)  # where the second feature begins
    sign = np.where(np.arange(4) < split[:, None], 1.0, -1.0)
    share = sign * near.weights * (0.5 * (NEAR - near.distance))[:, None]
    moves = np.zeros_like(x)
    np.add.at(moves, near.vertices, share[:, :, None] * near.normal[:, None, :])
    return moves


def main() -> None:
    positions, triangles = cloth()
    scene = graze.Scene()
    scene.add_body(positions, triangles, name="cloth")
    scene.add_body(PYRAMID, [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]], name="pyramid", static=True)
    detector = graze.Detector(scene)
    moving = scene.vertices("cloth")

    ends = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    springs = np.unique(np.sort(ends, axis=1), axis=0)
    rest = np.linalg.norm(positions[springs[:, 0]] - positions[springs[:, 1]], axis=1)

    x = scene.positions.copy()
    velocity = np.zeros_like(x)
    shortest = 1.0
    for _ in range(150):
        along = x[springs[:, 1]] - x[springs[:, 0]]
        length = np.linalg.norm(along, axis=1)
        force = STIFFNESS * ((length - rest) / length)[:, None] * along
        acceleration = np.zeros_like(x)
        acceleration[moving] = GRAVITY
        np.add.at(acceleration, springs[:, 0], force)
        np.add.at(acceleration, springs[:, 1], -force)
        velocity = 0.995 * (velocity + TIME_STEP * acceleration)
        target = x + TIME_STEP * velocity + push(detector, x)
        target[scene.vertices("pyramid")] = PYRAMID

        safe = detector.safe_step(x, target)
        assert safe.step > 0.0
        shortest = min(shortest, safe.step)
        velocity = (safe.positions - x) / TIME_STEP
        x = safe.positions

    middle = x[SIDE // 2 * (SIDE + 2), 2]
    corner = x[0, 2]
    print(f"after 0.6 s: middle at {middle:.3f}, corner at {corner:.3f}; shortest step {shortest:.2f} of the way")
    assert len(detector.intersections(x)) == 0
    assert middle > 0.4 > corner  # the middle is on the pyramid, the corner hangs
    assert len(detector.proximities(x, NEAR)) > 0


if __name__ == "__main__":
    main()

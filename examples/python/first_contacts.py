"""A small cloth falls onto a larger one: all contacts of the step, the time of the first one, and a safe step after
which nothing intersects. Ends with an AssertionError if an answer is wrong."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import graze


def sheet(n: int, size: float, z: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """An n-by-n sheet of squares, two triangles each, at height z."""
    side = np.linspace(-size / 2, size / 2, n + 1)
    x, y = np.meshgrid(side, side, indexing="ij")
    positions = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, z)])
    corner = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    lower = np.column_stack([corner, corner + 1, corner + n + 2])
    upper = np.column_stack([corner, corner + n + 2, corner + n + 1])
    return positions, np.concatenate([lower, upper])


def main() -> None:
    scene = graze.Scene()
    scene.add_body(*sheet(4, 4.0, 0.0), name="ground")
    scene.add_body(*sheet(3, 1.0, 1.0), name="cloth")

    # The cloth falls by 2 and passes through the other sheet half-way.
    x_t0 = scene.positions.copy()
    x_t1 = x_t0.copy()
    cloth = scene.vertices("cloth")
    x_t1[cloth, 2] -= 2.0

    detector = graze.Detector(scene)
    result = detector.impacts(x_t0, x_t1)
    first = detector.first_impact(x_t0, x_t1)
    print(f"{result.vf_count} vertex-face and {result.ee_count} edge-edge contacts, first at {first.toi:.9f}")
    assert len(result) > 0 and 0.5 - 1e-6 <= first.toi <= 0.5
    assert np.all(result.toi >= first.toi)
    assert np.allclose(result.point[:, 2], 0.0, atol=1e-5)  # every contact is on the sheet at rest

    # The safe step stops before the contact; a second one gets closer still.
    safe = detector.safe_step(x_t0, x_t1)
    safe = detector.safe_step(safe.positions, x_t1)
    height = float(safe.positions[cloth, 2].min())
    print(f"after two safe steps the cloth is at {height:.4f}")
    assert 0.0 < height < 0.2
    assert len(detector.intersections(safe.positions)) == 0


if __name__ == "__main__":
    main()

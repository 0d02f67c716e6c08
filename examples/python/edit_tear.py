"""A cloth that tears while in use: vertices are split between two steps, and the detector follows.

The seam between the halves of a rectangle opens from one end. Every edit names the triangles that go with the copy
of a seam vertex. In the end the halves are separate bodies. `carry` gives the copies the positions of their
originals. Ends with an AssertionError if an answer is wrong."""

from __future__ import annotations

import numpy as np

import graze

CELLS = 6  # along the seam; two across


def vertex(row: int, column: int) -> int:
    return 3 * row + column


def main() -> None:
    x = np.array([[column - 1.0, float(row), 0.0] for row in range(CELLS + 1) for column in range(3)])
    triangles = []
    for row in range(CELLS):
        for column in range(2):
            triangles.append([vertex(row, column), vertex(row, column + 1), vertex(row + 1, column + 1)])
            triangles.append([vertex(row, column), vertex(row + 1, column + 1), vertex(row + 1, column)])
    cloth = graze.Scene()
    cloth.add_body(x, triangles, name="cloth")
    detector = graze.Detector(cloth)
    is_right = np.arange(len(triangles)) % 4 >= 2  # triangles right of the seam

    for row in range(CELLS + 1):
        # The triangles right of the seam that use this vertex get a copy of it, slightly to the right.
        seam = vertex(row, 1)
        uses_seam = (detector.scene.triangles == seam).any(axis=1)
        edit = detector.begin_edit()
        copy = edit.split_vertex(seam, [int(t) for t in np.flatnonzero(is_right & uses_seam)])
        x = edit.carry(x)
        detector.apply(edit)
        x[copy, 0] += 0.125
        # In a static step the two sides must not touch where the seam is open.
        assert len(detector.impacts(x, x)) == 0

    # Torn through: two bodies now. The right one moves over the left one and through it.
    edit = detector.begin_edit()
    pieces = edit.split_body("cloth")
    detector.apply(edit)
    assert len(pieces) == 1 and detector.scene.body_count == 2
    torn = detector.scene.vertex_body == pieces[0]
    start, end = x.copy(), x.copy()
    start[torn, 2] += 0.5
    end[torn, 2] -= 0.25
    end[torn, 0] -= 1.5
    result = detector.impacts(start, end)
    print(f"{len(x)} vertices, {len(result)} impacts")
    # The answer equals that of a detector without history.
    assert len(result) > 0
    assert result.hash() == graze.Detector(detector.scene).impacts(start, end).hash()
    assert detector.validate() == ""


if __name__ == "__main__":
    main()

"""Two rigid cubes: whether and where they intersect, along many poses at once, and when they first touch between two
poses. The cubes have sides of 2, so copies whose centres are 2 apart touch face to face, which counts: answers are
exact for the posed doubles. Ends with an AssertionError if an answer is wrong."""

from __future__ import annotations

import itertools
import math

import numpy as np
import numpy.typing as npt

from graze import rigid

# Corner 4 i + 2 j + k is at (x, y, z) = (i, j, k), scaled to -1 and 1; two triangles for each side.
CORNERS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
SIDES = np.array(
    [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4]]
    + [[2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]]
)


def at(x: float, angle: float = 0.0) -> npt.NDArray[np.float64]:
    """A rotation about z by an angle in radians, then a translation along x."""
    return rigid.pose_from_axis_angle((0.0, 0.0, 1.0), angle, (x, 0.0, 0.0))


def main() -> None:
    a = rigid.Object(CORNERS, SIDES)
    b = rigid.Object(CORNERS, SIDES)
    collider = rigid.Collider(a, b)
    touch = bool(collider.first_hit(at(0.0), at(2.0)))
    farther = bool(collider.first_hit(at(0.0), at(math.nextafter(2.0, 3.0))))
    print(f"2 apart: {'they touch' if touch else 'nothing'}; one bit farther: {'a hit' if farther else 'nothing'}")
    assert touch and not farther

    # One side of each cube lies on the other: two triangles on two triangles, and the sides around them.
    contacts = collider.contacts(at(0.0), at(2.0))
    assert len(contacts) == len(collider.triangle_pairs(at(0.0), at(2.0))) > 4
    assert np.all(contacts.segment[:, :, 0] == 1.0)  # every contact is in the plane x = 1
    print(f"{len(contacts)} pairs of triangles intersect")

    # A turn in 100 poses at distance 2.2, on all cores: a rotated cube extends farther than its sides. It hits where
    # its extent |cos| + |sin| along x is at least 1.2.
    angles = np.linspace(0.0, 2.0 * math.pi, 100, endpoint=False)
    fixed = np.tile(np.eye(4), (len(angles), 1, 1))
    turned = np.stack([at(2.2, angle) for angle in angles])
    hits = np.array([bool(hit) for hit in rigid.first_hits(a, b, fixed, turned)])
    print(f"{hits.sum()} of {len(hits)} poses of a turn at distance 2.2 hit")
    assert np.array_equal(hits, np.abs(np.cos(angles)) + np.abs(np.sin(angles)) >= 1.2)

    # From 5 apart towards the centre: it touches at 2, three fifths of the way.
    first = collider.first_contact(at(0.0), rigid.Motion(at(5.0), at(0.0)))
    print(f"on its way from 5 to 0 it touches at t = {first.toi:.6f}")
    assert first.pair is not None and 0.5999 < first.toi <= 0.6


if __name__ == "__main__":
    main()

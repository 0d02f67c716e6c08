"""graze.rigid: distances, solids and contact patches."""

from __future__ import annotations

import math

import numpy as np
import pytest

import graze
from graze import rigid
from meshes import CUBE_FACES, CUBE_VERTICES, refused

EYE = np.eye(4)


def shift(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


@pytest.fixture
def cube() -> rigid.Object:
    return rigid.Object(CUBE_VERTICES, CUBE_FACES)


def side(cube: rigid.Object) -> float:
    return float(np.ptp(cube.positions[:, 0]))


def test_distance_has_bounds_points_and_a_normal(cube: rigid.Object) -> None:
    gap = 0.75
    found = rigid.distance(cube, EYE, cube, shift(side(cube) + gap))
    assert found.lo <= gap <= found.hi
    assert found.hi - found.lo <= 1e-6 * found.hi
    assert found.points.shape == (2, 3)
    assert np.linalg.norm(found.points[1] - found.points[0]) == pytest.approx(gap)
    assert found.normal == pytest.approx((1, 0, 0))
    assert found.pair is not None and not found.intersects
    assert found.stats.node_tests > 0
    fine = rigid.distance(cube, EYE, cube, shift(side(cube) + gap), relative=0.0)
    assert fine.hi - fine.lo <= 1e-11
    touching = rigid.distance(cube, EYE, cube, shift(side(cube)))
    assert touching.intersects and (touching.lo, touching.hi) == (0.0, 0.0)
    beyond = rigid.distance(cube, EYE, cube, shift(50.0), limit=1.0)
    assert beyond.pair is None and beyond.lo >= 1.0 and beyond.hi == math.inf
    assert cube.memory["distance_bytes"] > 0


def test_a_query_decides_ties_and_lists_pairs(cube: rigid.Object) -> None:
    query = rigid.DistanceQuery(cube, cube, coherence=True)
    there = shift(side(cube) + 0.5)
    assert query.within(EYE, there, 0.5)
    assert not query.within(EYE, there, np.nextafter(0.5, 0))
    assert query.within(EYE, there, 0.5).pair is not None
    assert query.distance(EYE, there).hi == pytest.approx(0.5)
    found = query.proximities(EYE, there, 0.5)
    assert len(found) == len(found.pairs) > 0
    assert found.bounds.shape == (len(found), 2) and found.points.shape == (len(found), 2, 3)
    assert found.normal.shape == (len(found), 3)
    assert (found.bounds[:, 0] <= 0.5).all() and found.bounds == pytest.approx(0.5)
    assert len(query.proximities(EYE, there, 0.25)) == 0


def test_batches_answer_as_single_queries(cube: rigid.Object) -> None:
    poses = np.stack([shift(side(cube) + 0.01 * k, 0.1) for k in range(50)])
    still = np.tile(EYE, (50, 1, 1))
    for threads in (1, 2, 7):
        found = rigid.distances(cube, cube, still, poses, threads=threads)
        assert [(d.lo, d.hi) for d in found] == [
            (d.lo, d.hi) for d in (rigid.distance(cube, EYE, cube, pose) for pose in poses)
        ]
    around = rigid.obstacle_distances(cube, EYE, [(cube, poses[0]), (cube, poses[9])])
    assert [d.intersects for d in around] == [True, False]
    with pytest.raises(graze.Interrupted):
        rigid.distances(cube, cube, still, poses, progress=lambda share: False)
    refused(lambda: rigid.distances(cube, cube, still, poses[:1]), "poses_b has 1 poses, poses_a has 50")


def test_solids_are_apart_touch_overlap_or_contain(cube: rigid.Object) -> None:
    width = side(cube)
    small = rigid.Object(np.asarray(CUBE_VERTICES) * 0.25, CUBE_FACES)
    middle = cube.positions.mean(axis=0)
    inside = shift(*(middle - small.positions.mean(axis=0)))
    for pose, relation in ((shift(9), "apart"), (shift(width), "touching"), (shift(0.5 * width), "overlapping")):
        assert rigid.relate(cube, EYE, cube, pose).relation == relation
    assert rigid.relate(small, inside, cube, EYE).relation == "a-in-b"
    assert rigid.relate(cube, EYE, small, inside).relation == "b-in-a"
    assert rigid.relate(cube, EYE, cube, shift(width)).pair is not None
    corner = cube.positions[0]
    points = (middle, corner, middle + [width, 0, 0])
    assert [rigid.locate(cube, EYE, p) for p in points] == ["inside", "boundary", "outside"]
    refused(lambda: rigid.relate(cube, EYE, rigid.Object(CUBE_VERTICES, CUBE_FACES[1:]), EYE), "bounds no solid")


def test_patches_group_contacts(cube: rigid.Object) -> None:
    floor = rigid.Object([[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], [[0, 1, 2], [0, 2, 3]])
    low = float(cube.positions[:, 2].min())
    pose = shift(0.1, 0.2, -low - 0.125)
    contacts = rigid.Collider(floor, cube).contacts(EYE, pose)
    (patch,) = rigid.contact_patches(floor, EYE, cube, pose, contacts)
    assert sorted(patch.contacts) == list(range(len(contacts)))
    assert patch.depth == pytest.approx(0.125)
    assert patch.normal == pytest.approx((0, 0, 1))
    assert patch.centre[2] == pytest.approx(0, abs=1e-12)


def test_bad_options_are_refused(cube: rigid.Object) -> None:
    refused(lambda: rigid.distance(cube, EYE, cube, EYE, relative=-1.0), "relative tolerance")
    refused(lambda: rigid.distance(cube, EYE, cube, EYE, limit=0.0), "limit")
    refused(lambda: rigid.DistanceQuery(cube, cube).within(EYE, EYE, -1.0), "distance")

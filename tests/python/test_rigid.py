"""graze.rigid: posed soups against exact arithmetic on the posed doubles."""

from __future__ import annotations

import gc
import itertools
import math
import threading
from typing import Any

import numpy as np
import pytest

import graze
import oracle
from graze import rigid
from meshes import CUBE_FACES, CUBE_VERTICES, refused, sphere

EYE = np.eye(4)
TREES = ["boxtree", "aabb", "obb", "kdop18", "kdop26", "sphere"]


def shift(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def turned(rng: np.random.Generator, distance: float = 1.0) -> np.ndarray:
    return rigid.pose_from_quaternion(rng.normal(size=4), rng.uniform(-distance, distance, size=3))


def soup_object(rng: np.random.Generator, triangles: int, lattice: bool = False, **options: Any) -> rigid.Object:
    if lattice:
        x = rng.integers(-2, 3, size=(3 * triangles, 3)).astype(float)
    else:
        x = rng.uniform(-1, 1, size=(3 * triangles, 3))
    return rigid.Object(x, rng.integers(0, len(x), size=(triangles, 3)), **options)


def exact_pairs(a: rigid.Object, b: rigid.Object, pose_a: np.ndarray, pose_b: np.ndarray) -> list[tuple[int, int]]:
    """Pairs of triangles that intersect, from the posed doubles."""
    corners = []
    for object, pose in ((a, pose_a), (b, pose_b)):
        x = oracle.points(rigid.posed(pose, object.positions))
        corners.append([[x[v] for v in row] for row in object.triangles.tolist()])
    return [
        (i, j)
        for (i, one), (j, other) in itertools.product(*map(enumerate, corners))
        if oracle.triangle_triangle(one, other)
    ]


def test_posed_points_have_the_documented_bits() -> None:
    rng = np.random.default_rng(0)
    pose, x = turned(rng, 5.0), rng.normal(size=(100, 3))
    r, t = pose[:3, :3], pose[:3, 3]
    expected = np.column_stack(
        [((r[k, 0] * x[:, 0] + r[k, 1] * x[:, 1]) + r[k, 2] * x[:, 2]) + t[k] for k in range(3)]
    )
    assert rigid.posed(pose, x).tobytes() == expected.tobytes()
    assert np.array_equal(rigid.posed(EYE, x), x) and rigid.posed(pose, np.zeros((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("lattice", [False, True])
def test_pairs_are_those_of_exact_arithmetic(tree: Any, seed: int, lattice: bool) -> None:
    rng = np.random.default_rng(seed)
    a, b = (soup_object(rng, 8, lattice, tree=tree) for _ in range(2))
    poses = [(EYE, EYE), (shift(1), EYE), (turned(rng), turned(rng))]
    collider = rigid.Collider(a, b)
    for pose_a, pose_b in poses:
        expected = exact_pairs(a, b, pose_a, pose_b)
        found = collider.triangle_pairs(pose_a, pose_b)
        assert [tuple(row) for row in found.pairs.tolist()] == expected and len(found) == len(expected)
        contacts = collider.contacts(pose_a, pose_b)
        assert np.array_equal(contacts.pairs, found.pairs)
        hit = collider.first_hit(pose_a, pose_b)
        assert bool(hit) == bool(expected) and (hit.pair is None or hit.pair in expected)
        swapped = rigid.Collider(b, a).triangle_pairs(pose_b, pose_a)
        assert sorted((j, i) for i, j in swapped.pairs.tolist()) == expected


@pytest.mark.parametrize("options", [{"overlap": o} for o in ("sat", "sat-lite", "axis", "lut")] + [{"lift": False}])
@pytest.mark.parametrize("coherence", [False, True])
def test_options_change_no_answer(options: Any, coherence: bool) -> None:
    rng = np.random.default_rng(4)
    vertices, faces = sphere(8)
    a, b = rigid.Object(vertices, faces), soup_object(rng, 60)
    poses = [(turned(rng), turned(rng)) for _ in range(10)]
    plain, other = rigid.Collider(a, b), rigid.Collider(a, b, coherence=coherence, **options)
    for pose_a, pose_b in poses:
        assert other.triangle_pairs(pose_a, pose_b).hash() == plain.triangle_pairs(pose_a, pose_b).hash()
        assert bool(other.first_hit(pose_a, pose_b)) == bool(plain.first_hit(pose_a, pose_b))


@pytest.mark.parametrize("split", ["free", "volume", "longest", "volume-sampled"])
def test_splits_change_no_answer(split: Any) -> None:
    rng = np.random.default_rng(5)
    vertices, faces = sphere(8)
    expected = rigid.Object(vertices, faces)
    a = rigid.Object(vertices, faces, split=split, threads=1)
    pose = turned(rng)
    found = rigid.Collider(a, a).triangle_pairs(EYE, pose)
    assert len(found) > 0 and found.hash() == rigid.Collider(expected, expected).triangle_pairs(EYE, pose).hash()


def test_cubes_that_touch_hit_and_those_one_bit_apart_do_not() -> None:
    cube = rigid.Object(CUBE_VERTICES, CUBE_FACES)
    collider = rigid.Collider(cube, cube)
    assert collider.first_hit(EYE, shift(2.0))
    assert not collider.first_hit(EYE, shift(math.nextafter(2.0, 3.0)))
    assert not collider.first_hit(EYE, shift(10.0)) and collider.first_hit(EYE, shift(10.0)).pair is None
    assert collider.first_hit(EYE, EYE)


def test_contacts_have_the_shape_and_the_ends_of_what_is_shared() -> None:
    floor = rigid.Object([(0, 0, 0), (8, 0, 0), (0, 8, 0)], [(0, 1, 2)])
    shapes = {
        "segment": ([(1, 1, -1), (1, 1, 1), (3, 1, 1)], {(1, 1, 0), (2, 1, 0)}),
        "point": ([(2, 3, 0), (2, 3, 5), (3, 3, 5)], {(2, 3, 0)}),
        "area": ([(1, 1, 0), (2, 1, 0), (1, 2, 0)], {(1, 2, 0), (2, 1, 0)}),
    }
    for code, (corners, ends) in enumerate(shapes.values()):
        contacts = rigid.Collider(floor, rigid.Object(corners, [(0, 1, 2)])).contacts(EYE, EYE)
        assert contacts.shape.tolist() == [code] and contacts.pairs.tolist() == [[0, 0]]
        assert set(map(tuple, contacts.segment[0].tolist())) == ends


def test_arrays_of_results_are_read_only_and_outlive_them() -> None:
    cube = rigid.Object(CUBE_VERTICES, CUBE_FACES)
    contacts = rigid.Collider(cube, cube).contacts(EYE, shift(0.5))
    pairs = rigid.Collider(cube, cube).triangle_pairs(EYE, shift(0.5))
    arrays = [contacts.pairs, contacts.shape, contacts.segment, pairs.pairs, cube.positions, cube.triangles]
    before = [array.copy() for array in arrays]
    assert contacts.segment.shape == (len(contacts), 2, 3) and contacts.pairs.dtype == np.uint32
    del contacts, pairs, cube
    gc.collect()
    for array, expected in zip(arrays, before):
        assert np.array_equal(array, expected)
        with pytest.raises(ValueError):
            array[0] = 0


def test_objects_keep_their_triangles_in_order() -> None:
    # Without an index: three vertices a triangle, which the object welds.
    corners = CUBE_VERTICES[CUBE_FACES].reshape(-1, 3)
    faces = np.arange(36).reshape(12, 3)
    object = rigid.Object(corners, faces)
    assert np.array_equal(object.positions[object.triangles], corners[faces])
    assert object.tree == "boxtree" and object.validate() == "" and all(
        isinstance(value, int) for value in object.memory.values()
    )


def test_empty_and_degenerate_objects_are_legal() -> None:
    cube = rigid.Object(CUBE_VERTICES, CUBE_FACES)
    for nothing in (rigid.Object([], []), rigid.Object(CUBE_VERTICES, np.zeros((0, 3), int))):
        for a, b in ((cube, nothing), (nothing, cube), (nothing, nothing)):
            collider = rigid.Collider(a, b)
            assert not collider.first_hit(EYE, EYE)
            assert collider.contacts(EYE, EYE).segment.shape == (0, 2, 3)
            assert collider.first_contact(EYE, EYE).pair is None
    point = rigid.Object([(1, 0, 0)], [(0, 0, 0)])
    assert rigid.Collider(cube, point).first_hit(EYE, EYE)
    assert not rigid.Collider(cube, point).first_hit(EYE, shift(x=1e-15))


# Motions ------------------------------------------------------------------------------------------------------------


def test_the_first_contact_of_a_straight_motion() -> None:
    cube = rigid.Object(CUBE_VERTICES, CUBE_FACES)
    collider = rigid.Collider(cube, cube)
    first = collider.first_contact(EYE, rigid.Motion(shift(5.0), EYE))
    assert first.pair is not None and 0.6 - 1e-5 < first.toi <= 0.6 and 0 <= first.distance < 1e-4
    assert not collider.first_hit(EYE, rigid.Motion(shift(5.0), EYE).pose_at(first.toi - 1e-5))
    none = collider.first_contact(EYE, rigid.Motion(shift(5.0), shift(5.0, 9.0)))
    assert none.pair is None and none.toi == 1.0
    fine = collider.first_contact(rigid.Motion(EYE), rigid.Motion(shift(5.0), EYE), tolerance=1e-10)
    assert abs(fine.toi - 0.6) < 1e-8


@pytest.mark.parametrize("path", ["straight", "screw"])
def test_a_turning_bar_hits_a_wall(path: Any) -> None:
    bar = rigid.Object([(-2, 0, -0.1), (2, 0, -0.1), (0, 0, 0.1)], [(0, 1, 2)])
    wall = rigid.Object([(-9, 1, -9), (9, 1, -9), (0, 1, 9)], [(0, 1, 2)])
    end = rigid.pose_from_axis_angle((0, 0, 1), math.pi / 2)
    motion = rigid.Motion(EYE, end, path=path)
    first = rigid.Collider(bar, wall).first_contact(motion, EYE)
    assert first.pair == (0, 0) and abs(first.toi - 1 / 3) < 1e-5  # the tip is at height 1 after 30 degrees
    assert np.array_equal(motion.pose_at(0.0), EYE) and np.array_equal(motion.pose_at(1.0), end)
    half = rigid.pose_from_axis_angle((0, 0, 1), math.pi / 4)
    assert np.allclose(motion.pose_at(0.5), half, atol=1e-12)


def test_a_straight_path_turns_about_its_centre() -> None:
    centre = np.array([3.0, 1.0, -2.0])
    motion = rigid.Motion(EYE, rigid.pose_from_axis_angle((0, 0, 1), 1.0, (1, 2, 3)), centre=centre)
    end = rigid.posed(motion.pose_at(1.0), centre[None])[0]
    for t in (0.25, 0.5):
        assert np.allclose(rigid.posed(motion.pose_at(t), centre[None])[0], centre + t * (end - centre), atol=1e-12)


@pytest.mark.parametrize("t", [-0.1, 1.1, math.nan, math.inf])
def test_times_out_of_range_are_refused(t: float) -> None:
    refused(lambda: rigid.Motion(EYE, shift(1.0)).pose_at(t))


@pytest.mark.parametrize("tolerance", [0.0, 2.0, -1.0, math.nan])
def test_tolerances_out_of_range_are_refused(tolerance: float) -> None:
    cube = rigid.Object(CUBE_VERTICES, CUBE_FACES)
    refused(lambda: rigid.Collider(cube, cube).first_contact(EYE, EYE, tolerance=tolerance))


# Poses --------------------------------------------------------------------------------------------------------------


def test_poses_compose_and_invert() -> None:
    rng = np.random.default_rng(1)
    a, b = turned(rng), turned(rng)
    assert np.allclose(rigid.compose(a, b), a @ b, atol=1e-14)
    assert np.allclose(rigid.compose(a, rigid.inverse(a)), EYE, atol=1e-14)
    turn = rigid.pose_from_axis_angle((0, 0, 2), math.pi / 2, (1, 2, 3))
    assert np.allclose(turn, [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]], atol=1e-15)
    assert np.allclose(rigid.pose_from_quaternion((1, 0, 0, 1), (1, 2, 3)), turn, atol=1e-15)


def matrix_with(row: int, column: int, value: float) -> np.ndarray:
    pose = np.eye(4)
    pose[row, column] = value
    return pose


BAD_POSES: dict[str, Any] = {
    "nan": matrix_with(0, 3, math.nan),
    "inf in the rotation": matrix_with(1, 1, math.inf),
    "a scale": np.diag([2.0, 2.0, 2.0, 1.0]),
    "a shear": matrix_with(0, 1, 0.5),
    "a singular rotation": np.diag([0.0, 1.0, 1.0, 1.0]),
    "a perspective": matrix_with(3, 0, 0.1),
    "a last row of twos": matrix_with(3, 3, 2.0),
    "nan in the last row": matrix_with(3, 1, math.nan),
    "3 x 3": np.eye(3),
    "3 x 4": np.eye(4)[:3],
    "flat": np.eye(4).ravel(),
    "two poses": np.stack([EYE, EYE]),
    "bools": np.eye(4) > 0,
    "complex": np.eye(4) * 1j,
    "words": [["a"] * 4] * 4,
    "ragged": [[1, 0, 0, 0], [0, 1]],
    "None": None,
    "a number": 1.0,
}

POSE_TAKERS: dict[str, Any] = {
    "first_hit a": lambda c, p: c.first_hit(p, EYE),
    "first_hit b": lambda c, p: c.first_hit(EYE, p),
    "triangle_pairs": lambda c, p: c.triangle_pairs(EYE, p),
    "contacts": lambda c, p: c.contacts(p, EYE),
    "first_contact": lambda c, p: c.first_contact(p, EYE),
    "start of a motion": lambda c, p: c.first_contact(EYE, rigid.Motion(p, EYE)),
    "end of a motion": lambda c, p: c.first_contact(EYE, rigid.Motion(EYE, p) if p is not None else p),
}


@pytest.mark.filterwarnings("ignore::numpy.VisibleDeprecationWarning")
@pytest.mark.parametrize("taker", POSE_TAKERS)
@pytest.mark.parametrize("bad", BAD_POSES)
def test_what_is_no_pose_is_refused(taker: str, bad: str) -> None:
    cube = rigid.Object(CUBE_VERTICES, CUBE_FACES)
    collider = rigid.Collider(cube, cube)
    with pytest.raises((graze.InputError, TypeError)) as caught:
        POSE_TAKERS[taker](collider, BAD_POSES[bad])
    assert str(caught.value).strip()
    assert collider.first_hit(EYE, EYE)


def test_a_reflection_is_a_pose_but_no_motion() -> None:
    cube = rigid.Object(CUBE_VERTICES, CUBE_FACES)
    mirror = np.diag([-1.0, 1.0, 1.0, 1.0])
    assert rigid.Collider(cube, cube).first_hit(mirror, EYE)
    refused(lambda: rigid.Collider(cube, cube).first_contact(rigid.Motion(mirror, EYE), EYE))


@pytest.mark.parametrize("form", ["list", "float32", "column-major", "read-only", "int", "big-endian"])
def test_poses_of_any_form_are_taken(form: str) -> None:
    pose = shift(2.0)
    made: dict[str, Any] = {
        "list": pose.tolist(),
        "float32": pose.astype(np.float32),
        "column-major": np.asfortranarray(pose),
        "read-only": np.broadcast_to(pose, (1, 4, 4))[0],
        "int": pose.astype(int),
        "big-endian": pose.astype(">f8"),
    }
    cube = rigid.Object(CUBE_VERTICES, CUBE_FACES)
    assert rigid.Collider(cube, cube).first_hit(EYE, made[form])
    assert np.array_equal(rigid.posed(made[form], CUBE_VERTICES), CUBE_VERTICES + (2, 0, 0))


@pytest.mark.parametrize(
    "call",
    [
        lambda: rigid.pose_from_axis_angle((0, 0, 0), 1.0),
        lambda: rigid.pose_from_axis_angle((0, 0, 1), math.nan),
        lambda: rigid.pose_from_axis_angle((0, math.inf, 1), 1.0),
        lambda: rigid.pose_from_axis_angle((0, 1), 1.0),
        lambda: rigid.pose_from_axis_angle((0, 0, 1), 1.0, (1, 2)),
        lambda: rigid.pose_from_axis_angle(None, 1.0),
        lambda: rigid.pose_from_quaternion((0, 0, 0, 0)),
        lambda: rigid.pose_from_quaternion((1, 0, 0)),
        lambda: rigid.pose_from_quaternion((1, 0, 0, math.nan)),
        lambda: rigid.pose_from_quaternion("turn"),
        lambda: rigid.posed(EYE, [(1, 2)]),
        lambda: rigid.posed(EYE, None),
        lambda: rigid.posed(np.eye(3), [(1, 2, 3)]),
        lambda: rigid.compose(EYE, np.eye(3)),
        lambda: rigid.inverse(None),
    ],
)
def test_bad_arguments_of_poses_are_refused(call: Any) -> None:
    refused(call)


def test_options_that_do_not_exist_are_refused() -> None:
    refused(lambda: rigid.Object(CUBE_VERTICES, CUBE_FACES, tree="oak"), "oak")
    refused(lambda: rigid.Object(CUBE_VERTICES, CUBE_FACES, split="banana"), "banana")
    cube = rigid.Object(CUBE_VERTICES, CUBE_FACES)
    refused(lambda: rigid.Collider(cube, cube, overlap="close"), "close")
    refused(lambda: rigid.Motion(EYE, EYE, path="winding"), "winding")
    refused(lambda: rigid.Collider(cube, rigid.Object(CUBE_VERTICES, CUBE_FACES, tree="aabb")))
    other = rigid.Object(CUBE_VERTICES, CUBE_FACES, tree="aabb")
    refused(lambda: rigid.Collider(other, other).first_contact(EYE, EYE))
    with pytest.raises((TypeError, graze.InputError)):
        rigid.Collider(cube, None)  # type: ignore[arg-type]


def test_a_collider_keeps_its_objects() -> None:
    collider = rigid.Collider(rigid.Object(CUBE_VERTICES, CUBE_FACES), rigid.Object(CUBE_VERTICES, CUBE_FACES))
    gc.collect()
    assert collider.first_hit(EYE, shift(1.0))


# Files and batches --------------------------------------------------------------------------------------------------


def test_an_object_reads_back_with_its_tree(tmp_path: Any) -> None:
    vertices, faces = sphere(8)
    object = rigid.Object(vertices, faces)
    object.save(tmp_path / "sphere.boxtree")
    other = rigid.Object.load(tmp_path / "sphere.boxtree")
    assert np.array_equal(other.positions, object.positions) and np.array_equal(other.triangles, object.triangles)
    assert other.validate() == "" and other.memory == object.memory
    refused(lambda: rigid.Object(vertices, faces, tree="aabb").save(tmp_path / "no.boxtree"))


def poses(rng: np.random.Generator, count: int) -> np.ndarray:
    return np.stack([turned(rng, 1.5) for _ in range(count)])


@pytest.mark.parametrize("threads", [0, 1, 3])
@pytest.mark.parametrize("coherence", [False, True])
def test_batches_over_poses_answer_as_single_calls(threads: int, coherence: bool) -> None:
    rng = np.random.default_rng(6)
    a, b = soup_object(rng, 20), soup_object(rng, 15)
    poses_a, poses_b = poses(rng, 70), poses(rng, 70)
    collider = rigid.Collider(a, b)
    single = [collider.triangle_pairs(p, q) for p, q in zip(poses_a, poses_b)]
    found = rigid.triangle_pairs(a, b, poses_a, poses_b, threads=threads, coherence=coherence)
    assert [f.hash() for f in found] == [s.hash() for s in single]
    hits = rigid.first_hits(a, b, poses_a, list(poses_b), threads=threads, coherence=coherence)
    assert [bool(hit) for hit in hits] == [len(s) > 0 for s in single]
    assert 0 < sum(map(bool, hits)) < 70


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_batches_over_obstacles_answer_as_single_calls(threads: int) -> None:
    rng = np.random.default_rng(7)
    a = soup_object(rng, 20)
    obstacles = [(soup_object(rng, 3 + i), turned(rng, 1.5)) for i in range(9)]
    single = [rigid.Collider(a, b).triangle_pairs(EYE, pose) for b, pose in obstacles]
    found = rigid.obstacle_triangle_pairs(a, EYE, obstacles, threads=threads)
    assert [f.hash() for f in found] == [s.hash() for s in single]
    hits = rigid.obstacle_first_hits(a, EYE, obstacles, threads=threads)
    assert [bool(hit) for hit in hits] == [len(s) > 0 for s in single]
    assert rigid.obstacle_first_hits(a, EYE, []) == []


def test_bad_batches_are_refused() -> None:
    cube = rigid.Object(CUBE_VERTICES, CUBE_FACES)
    good = np.stack([EYE] * 3)
    bad = good.copy()
    bad[2, 0, 0] = math.nan
    assert rigid.first_hits(cube, cube, good[:0], good[:0]) == []
    refused(lambda: rigid.first_hits(cube, cube, good, bad), 2)
    refused(lambda: rigid.triangle_pairs(cube, cube, good, good[:2]), 3, 2)
    refused(lambda: rigid.first_hits(cube, cube, EYE, EYE), "(4, 4)")
    for wrong in (None, "poses", good[:, :3], good.astype(str), good > 0):
        refused(lambda: rigid.first_hits(cube, cube, wrong, good))
    refused(lambda: rigid.obstacle_first_hits(cube, EYE, [(cube, EYE), (cube, bad[2])]), 1)
    other = rigid.Object(CUBE_VERTICES, CUBE_FACES, tree="obb")
    refused(lambda: rigid.obstacle_triangle_pairs(cube, EYE, [(cube, EYE), (other, EYE)]))
    for obstacles in (None, [None], [(cube,)], [(None, EYE)], [(EYE, cube)], "ab", 3):
        with pytest.raises((TypeError, graze.InputError)):
            rigid.obstacle_first_hits(cube, EYE, obstacles)  # type: ignore[arg-type]


def test_a_batch_can_be_watched_and_stopped() -> None:
    rng = np.random.default_rng(8)
    a = soup_object(rng, 30)
    many = poses(rng, 500)
    shares: list[float] = []
    rigid.first_hits(a, a, many, many, progress=lambda share: shares.append(share))
    assert shares and all(0 <= share <= 1 for share in shares)
    with pytest.raises(graze.Interrupted):
        rigid.first_hits(a, a, many, many, progress=lambda share: False)
    with pytest.raises(ZeroDivisionError):
        rigid.triangle_pairs(a, a, many, many, progress=lambda share: 1 // 0)


def test_one_collider_in_two_threads_is_an_error_not_a_crash() -> None:
    vertices, faces = sphere(60)
    object = rigid.Object(vertices, faces)
    collider = rigid.Collider(object, object)
    pose = rigid.pose_from_axis_angle((1, 2, 3), 0.5)
    expected = collider.triangle_pairs(EYE, pose).hash()
    outcomes: list[Any] = []

    def work() -> None:
        for _ in range(10):
            try:
                outcomes.append(collider.triangle_pairs(EYE, pose).hash())
            except graze.Error:
                outcomes.append(None)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(outcomes) <= {expected, None} and expected in outcomes
    assert collider.triangle_pairs(EYE, pose).hash() == expected

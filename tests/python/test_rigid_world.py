"""graze.rigid.World: against colliders on all pairs, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

import graze
from graze import rigid
from meshes import CUBE_FACES, CUBE_VERTICES, refused

NO_OBJECT = 2**32 - 1


def shift(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def cube() -> rigid.Object:
    return rigid.Object(CUBE_VERTICES, CUBE_FACES)


def soup(rng: np.random.Generator) -> rigid.Object:
    return rigid.Object(rng.uniform(-1, 1, size=(24, 3)), rng.integers(0, 24, size=(8, 3)))


def rows(hits: rigid.WorldHits | rigid.WorldContacts) -> list[tuple[int, int, int, int]]:
    return [(a, b, i, j) for a, b, (i, j) in zip(hits.a.tolist(), hits.b.tolist(), hits.pairs.tolist())]


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_worlds_answer_as_colliders_on_all_pairs(threads: int) -> None:
    rng = np.random.default_rng(5)
    objects = [soup(rng) for _ in range(3)]
    world = rigid.World()
    ids, of, poses = [], [], []
    for k in range(14):
        of.append(objects[k % 3])
        poses.append(rigid.pose_from_quaternion(rng.normal(size=4), rng.uniform(-2, 2, size=3)))
        ids.append(world.add(of[k], poses[k], static=k % 4 == 0))
    for step in range(4):
        moving = [k for k in range(14) if k % 4 != 0]
        for k in moving:
            poses[k] = rigid.compose(shift(0.3 * step), poses[k])
        world.move(np.array(ids)[moving], np.stack([poses[k] for k in moving]))
        expected = []
        for a in range(14):
            for b in range(a + 1, 14):
                pairs = rigid.Collider(of[a], of[b]).triangle_pairs(poses[a], poses[b]).pairs
                expected += [(ids[a], ids[b], i, j) for i, j in pairs.tolist()]
        assert rows(world.triangle_pairs(threads=threads)) == expected
        assert rows(world.contacts(threads=threads)) == expected
        assert {row[:2] for row in rows(world.hits(threads=threads))} == {row[:2] for row in expected}
        assert bool(world.first_hit(threads=threads)) == bool(expected)
        probe = world.triangle_pairs(of[0], poses[0], instead_of=ids[0])
        assert [(ids[0], *row[1:]) for row in rows(probe)] == [row for row in expected if row[0] == ids[0]]
        assert world.validate() == ""
    assert world.memory_bytes > 0


def test_ids_of_removed_objects_stay_invalid() -> None:
    world = rigid.World()
    first = world.add(cube())
    world.remove(first)
    second = world.add(cube())
    assert first not in world and second in world and first != second
    assert world.ids.tolist() == [second] and len(world) == 1
    assert "object 0 was removed" in refused(lambda: world.pose(first))
    assert repr(world) == "World(1 objects)"


def test_groups_and_ignored_pairs() -> None:
    world = rigid.World()
    a, b = world.add(cube(), groups=1, meets=2), world.add(cube(), shift(0.5), groups=2, meets=1)
    c = world.add(cube(), shift(0.25), groups=1, meets=2)
    assert [row[:2] for row in rows(world.hits())] == [(a, b), (b, c)]
    assert not world.tests_pair(a, c) and world.tests_pair(a, b)
    assert world.groups(b) == 2 and world.meets(b) == 1
    world.ignore_pair(a, b)
    assert [row[:2] for row in rows(world.hits())] == [(b, c)]
    world.allow_pair(a, b)
    world.set_groups(c, 0)
    assert [row[:2] for row in rows(world.hits())] == [(a, b)]
    assert len(world.hits(groups_a=1, groups_b=1)) == 0


def test_probes_rays_and_segments() -> None:
    world = rigid.World()
    near, far = world.add(cube(), shift(5)), world.add(cube(), shift(10), static=True)
    hits = world.hits(cube(), shift(5.5))
    assert hits.a.tolist() == [NO_OBJECT] and hits.b.tolist() == [near]
    assert world.first_hit(cube(), shift(5.5)).objects == (NO_OBJECT, near)
    assert world.first_hit().pair is None and world.first_hit().objects is None
    box = world.object(near).positions
    through = (box.min(axis=0) + box.max(axis=0)) / 2 + [0, 0.1, 0.2]
    rays = world.cast([through - [20, 0, 0], through + [0, 90, 0]], [[1, 0, 0], [1, 0, 0]])
    assert rays.hit.tolist() == [True, False] and rays.object.tolist() == [near, NO_OBJECT]
    assert np.isinf(rays.t[1]) and rays.t[0] == 5 + box[:, 0].min() - (through[0] - 20)
    along = world.ray_hits(through - [20, 0, 0], (1, 0, 0))
    assert along.object.tolist() == [near, near, far, far] and (np.diff(along.t) > 0).all()
    assert len(world.ray_hits(through - [20, 0, 0], (1, 0, 0), max=1.0)) == 0
    assert len(world.segment_hits(through - [20, 0, 0], through + [20, 0, 0])) == 4
    assert rays.stats.object_pairs >= 1 and rays.stats.narrow.triangle_tests >= 1


def test_bad_input_is_refused_and_changes_nothing() -> None:
    world = rigid.World()
    a, fixed = world.add(cube()), world.add(cube(), shift(9), static=True)
    assert "object 1 is static" in refused(lambda: world.move(fixed, shift(1)))
    assert "pose of object 0" in refused(lambda: world.set_pose(a, shift(np.inf)))
    assert "1 ids, but 2 poses" in refused(lambda: world.move([a], np.stack([shift(1), shift(2)])))
    assert "direction" in refused(lambda: world.cast([[0, 0, 0]], [[0, 0, 0]]))
    assert "pose and instead_of" in refused(lambda: world.hits(a, shift(1)))
    assert (world.pose(a) == np.eye(4)).all() and world.is_static(fixed)
    with pytest.raises(graze.Interrupted):
        world.hits(progress=lambda share: False)
    with pytest.raises(ZeroDivisionError):
        world.hits(progress=lambda share: 1 / 0)
    assert len(world.hits()) == 0

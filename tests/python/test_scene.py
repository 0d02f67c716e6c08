"""Scene: bodies with names, collision filters, and what a scene refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graze
from meshes import CUBE_FACES, CUBE_VERTICES, TWO_FACES, refused, two_bodies, two_triangles


def cubes(count: int, **options: Any) -> graze.Scene:
    """Cubes at one place: each intersects all others."""
    scene = graze.Scene()
    for i in range(count):
        scene.add_body(CUBE_VERTICES + 0.1 * i, CUBE_FACES, name=f"cube {i}", **options)
    return scene


def ids(rows: slice) -> range:
    """The ids of a slice with a start and an end."""
    return range(rows.start, rows.stop, rows.step or 1)


def touching(scene: graze.Scene) -> set[tuple[int, int]]:
    """Pairs of bodies that intersect."""
    result = graze.Detector(scene).intersections(scene.positions)
    return {tuple(sorted(map(int, row))) for row in result.body}


def test_an_empty_scene_has_nothing() -> None:
    scene = graze.Scene()
    assert (scene.body_count, scene.vertex_count, scene.triangle_count) == (0, 0, 0)
    assert scene.positions.shape == (0, 3) and scene.triangles.shape == (0, 3)
    assert scene.vertex_body.shape == (0,) and scene.ignored_pairs.shape == (0, 2)
    assert not scene.has_body(0) and not scene.has_vertex(0) and not scene.has_triangle(0)


def test_bodies_follow_each_other() -> None:
    scene = graze.Scene()
    assert scene.add_body(CUBE_VERTICES, CUBE_FACES) == 0
    assert scene.add_body(two_triangles(1.0), TWO_FACES, name="pair") == 1
    assert (scene.body_count, scene.vertex_count, scene.triangle_count) == (2, 14, 14)
    assert ids(scene.vertices(0)) == range(8) and ids(scene.vertices("pair")) == range(8, 14)
    assert np.array_equal(scene.positions[scene.vertices(1)], two_triangles(1.0))
    assert np.array_equal(scene.triangles[12:], TWO_FACES + 8)
    assert scene.vertex_body.tolist() == [0] * 8 + [1] * 6
    for array, dtype in ((scene.positions, np.float64), (scene.triangles, np.uint32)):
        assert array.dtype == dtype and not array.flags.writeable


def test_names_find_bodies() -> None:
    scene = two_bodies()
    assert (scene.body("floor"), scene.body("leaf")) == (0, 1)
    assert (scene.name(0), scene.name(1)) == ("floor", "leaf")
    scene.add_body(CUBE_VERTICES, CUBE_FACES)
    assert scene.name(2) and scene.body(scene.name(2)) == 2


@pytest.mark.parametrize("name", ["été", "日本", "🦌", "a b", "", "x" * 10000, "line\nbreak", "nul\0nul"])
def test_any_text_is_a_name_or_is_refused(name: str) -> None:
    scene = graze.Scene()
    try:
        scene.add_body(CUBE_VERTICES, CUBE_FACES, name=name)
    except graze.InputError:
        assert scene.body_count == 0
        return
    assert scene.name(0) == name and scene.body(name) == 0


def test_a_name_is_taken_once() -> None:
    scene = two_bodies()
    revision = scene.revision
    refused(lambda: scene.add_body(CUBE_VERTICES, CUBE_FACES, name="leaf"), "leaf")
    assert scene.body_count == 2 and scene.vertex_count == 6 and scene.revision == revision


@pytest.mark.parametrize("taken", ["body 1", "body 2"])
def test_the_names_of_unnamed_bodies_stay_unique(taken: str) -> None:
    scene = graze.Scene()
    try:
        for name in (taken, None, None, None):
            scene.add_body(CUBE_VERTICES, CUBE_FACES, name=name)
    except graze.InputError:
        pass
    names = [scene.name(body) for body in range(scene.body_count)]
    assert len(set(names)) == len(names)
    assert [scene.body(name) for name in names] == list(range(len(names)))


TAKERS: dict[str, Any] = {
    "vertices": lambda scene, body: scene.vertices(body),
    "motion": lambda scene, body: scene.motion(body),
    "ignore_pair, first": lambda scene, body: scene.ignore_pair(body, 0),
    "ignore_pair, second": lambda scene, body: scene.ignore_pair(0, body),
    "tests_pair, first": lambda scene, body: scene.tests_pair(body, 0),
    "tests_pair, second": lambda scene, body: scene.tests_pair(0, body),
    "add_vertex": lambda scene, body: scene.begin_edit().add_vertex(body, (0, 0, 0)),
    "remove_body": lambda scene, body: scene.begin_edit().remove_body(body),
    "split_body": lambda scene, body: scene.begin_edit().split_body(body),
}


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("body", [2, -1, 2**32 - 1, 2**32, 2**64, -(2**70), "cat", ""])
def test_a_body_that_does_not_exist_is_named(taker: str, body: Any) -> None:
    scene = two_bodies()
    refused(lambda: TAKERS[taker](scene, body), body)
    assert scene.ignored_pairs.shape == (0, 2)


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("body", [None, 1.0, [0], "0"])
def test_what_is_no_body_is_refused(taker: str, body: Any) -> None:
    with pytest.raises((graze.InputError, TypeError)):
        TAKERS[taker](two_bodies(), body)


@pytest.mark.parametrize("body", [np.int64(1), np.uint8(1), True])
def test_an_integer_of_any_type_is_a_body(body: Any) -> None:
    assert ids(two_bodies().vertices(body)) == range(3, 6)


@pytest.mark.parametrize("body", [2, -1, 2**32, 2**64])
def test_names_of_bodies_that_do_not_exist_are_refused(body: int) -> None:
    with pytest.raises((graze.InputError, TypeError)):
        two_bodies().name(body)
    refused(lambda: two_bodies().body("cat"), "cat")


def test_ids_out_of_range_do_not_exist() -> None:
    scene = two_bodies()
    assert scene.has_body(1) and scene.has_vertex(5) and scene.has_triangle(1)
    for has in (scene.has_body, scene.has_vertex, scene.has_triangle):
        assert not has(6)
        for id in (-1, 2**32 - 1, 2**32, 2**64):
            try:
                assert not has(id)
            except (TypeError, graze.InputError):
                pass


def test_all_pairs_of_bodies_are_tested() -> None:
    assert touching(cubes(3)) == {(0, 1), (0, 2), (1, 2)}


def test_an_ignored_pair_is_not_tested() -> None:
    scene = cubes(3)
    scene.ignore_pair("cube 2", 0)
    scene.ignore_pair(0, 2)
    assert scene.ignored_pairs.tolist() == [[0, 2]]
    assert not scene.tests_pair(0, "cube 2") and not scene.tests_pair(2, 0) and scene.tests_pair(0, 1)
    assert touching(scene) == {(0, 1), (1, 2)}


def test_a_body_can_ignore_itself() -> None:
    x = two_triangles(0.0)
    scene = graze.Scene()
    scene.add_body(x, TWO_FACES)
    assert len(graze.Detector(scene).intersections(x)) == 1
    scene.ignore_pair(0, 0)
    assert not scene.tests_pair(0, 0)
    assert len(graze.Detector(scene).intersections(x)) == 0


def test_groups_select_pairs() -> None:
    scene = graze.Scene()
    for groups, meets in ((1, 2), (2, 1), (2, 3), (1, 1)):
        scene.add_body(CUBE_VERTICES + 0.1 * scene.body_count, CUBE_FACES, groups=groups, meets=meets)
    expected = {(0, 1), (0, 2)}
    assert {(a, b) for a in range(4) for b in range(a + 1, 4) if scene.tests_pair(a, b)} == expected
    assert touching(scene) == expected
    assert not scene.tests_pair(0, 0) and scene.tests_pair(2, 2) and scene.tests_pair(3, 3)


@pytest.mark.parametrize("options", [{"groups": -1}, {"meets": 2**32}, {"groups": 1.5}, {"meets": "all"}], ids=str)
def test_groups_are_bit_masks(options: dict[str, Any]) -> None:
    with pytest.raises((TypeError, graze.InputError)):
        graze.Scene().add_body(CUBE_VERTICES, CUBE_FACES, **options)


def test_motion_is_kept() -> None:
    scene = graze.Scene()
    for options in ({}, {"static": True}, {"motion": "rigid"}, {"motion": "static"}, {"motion": "deforming"}):
        scene.add_body(CUBE_VERTICES, CUBE_FACES, **options)
    expected = ["deforming", "static", "rigid", "static", "deforming"]
    assert [scene.motion(body) for body in range(5)] == expected


@pytest.mark.parametrize("options", [{"motion": "flying"}, {"static": True, "motion": "rigid"}], ids=str)
def test_contradictory_motions_are_refused(options: dict[str, Any]) -> None:
    refused(lambda: graze.Scene().add_body(CUBE_VERTICES, CUBE_FACES, **options), options["motion"])


def test_a_refused_body_changes_nothing() -> None:
    scene = two_bodies()
    revision = scene.revision
    bad = CUBE_VERTICES.copy()
    bad[3, 1] = np.inf
    refused(lambda: scene.add_body(bad, CUBE_FACES, name="new"), "positions", 3, "inf")
    refused(lambda: scene.add_body(CUBE_VERTICES, CUBE_FACES + 5, name="new"))
    assert (scene.body_count, scene.vertex_count, scene.triangle_count) == (2, 6, 2)
    assert scene.revision == revision
    scene.add_body(CUBE_VERTICES, CUBE_FACES, name="new")


def test_a_copy_is_independent() -> None:
    scene = two_bodies()
    other = scene.copy()
    other.add_body(CUBE_VERTICES, CUBE_FACES, name="cube")
    other.ignore_pair(0, 1)
    assert scene.body_count == 2 and scene.tests_pair(0, 1) and other.body("leaf") == 1
    refused(lambda: scene.body("cube"), "cube")
    scene.add_body(CUBE_VERTICES, CUBE_FACES, name="cube")


def test_the_revision_counts_changes() -> None:
    scene = graze.Scene()
    seen = [scene.revision]
    scene.add_body(CUBE_VERTICES, CUBE_FACES)
    seen.append(scene.revision)
    scene.ignore_pair(0, 0)
    seen.append(scene.revision)
    edit = scene.begin_edit()
    edit.remove_triangle(0)
    scene.apply(edit)
    seen.append(scene.revision)
    assert seen == sorted(set(seen))

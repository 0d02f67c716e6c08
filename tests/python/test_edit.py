"""Edits of scenes and detectors: the ids they give, what they refuse, and detectors that follow them."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import graze
from meshes import grid, refused, soup, two_bodies, two_triangles

METHODS = ["auto", "brute", "r-tri", "iccd", "adaptive", "hash"]


def sheet(side: int = 4) -> graze.Scene:
    scene = graze.Scene()
    scene.add_body(*grid(side), name="sheet")
    return scene


def test_a_scene_follows_an_edit() -> None:
    scene = sheet()
    edit = scene.begin_edit()
    v = edit.add_vertex("sheet", (0.5, 0.5, 2.0))
    t = edit.add_triangle((0, 1, v))
    edit.remove_triangle(0)
    edit.set_triangle(1, (0, 1, v))
    assert (v, t) == (16, 18) and (edit.vertex_count, edit.triangle_count, edit.body_count) == (17, 19, 1)
    assert not edit.empty and scene.vertex_count == 16
    scene.apply(edit)
    assert np.array_equal(scene.positions[v], (0.5, 0.5, 2.0)) and scene.triangles[t].tolist() == [0, 1, v]
    assert not scene.has_triangle(0) and scene.has_triangle(t) and scene.triangles[1].tolist() == [0, 1, v]
    assert scene.vertex_body[v] == 0


def test_an_empty_edit_changes_nothing() -> None:
    scene = sheet()
    edit = scene.begin_edit()
    assert edit.empty and edit.copies.shape == (0, 2)
    scene.apply(edit)
    assert scene.triangle_count == 18


def test_copies_carry_positions() -> None:
    scene = sheet()
    edit = scene.begin_edit()
    users = [int(t) for t in np.flatnonzero((scene.triangles == 5).any(axis=1))]
    copy = edit.split_vertex(5, users[:2])
    middle = edit.split_edge(0, 1, (0.5, 0.0, 0.25))
    assert edit.copies.tolist() == [[copy, 5]] and edit.copies.dtype == np.uint32
    x = np.random.default_rng(0).normal(size=(16, 3))
    carried = edit.carry(x)
    assert carried.shape == (18, 3) and np.array_equal(carried[:16], x)
    assert np.array_equal(carried[copy], x[5]) and np.array_equal(carried[middle], (0.5, 0.0, 0.25))
    carried[0, 0] = 7.0  # it is the caller's own
    scene.apply(edit)
    assert (scene.triangles[users[:2]] == copy).any(axis=1).all()


def test_an_edge_tears() -> None:
    x = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], dtype=float)
    scene = graze.Scene()
    scene.add_body(x, [(0, 1, 2), (1, 3, 2)])
    edit = scene.begin_edit()
    copies = edit.tear_edge(1, 2)
    assert len(copies) == 2 and sorted(edit.copies.tolist()) == [[4, 1], [5, 2]]
    scene.apply(edit)
    assert not set(scene.triangles[0].tolist()) & set(scene.triangles[1].tolist())


def test_bodies_come_split_and_go() -> None:
    scene = graze.Scene()
    x = np.vstack([grid(3)[0], grid(3)[0] + 10])
    faces = np.vstack([grid(3)[1], grid(3)[1] + 9])
    scene.add_body(x, faces, name="both")
    edit = scene.begin_edit()
    new = edit.add_body(*grid(2), name="new")
    assert new == 1
    pieces = edit.split_body("both")
    assert pieces == [2]
    scene.apply(edit)
    assert scene.body("new") == 1 and scene.vertex_body.tolist() == [0] * 9 + [2] * 9 + [1] * 4
    edit = scene.begin_edit()
    edit.remove_body("new")
    assert edit.split_body(0, [[0], [1, 2]]) == [3, 4]
    scene.apply(edit)
    assert not scene.has_body(1) and scene.has_body(4)
    with pytest.raises(graze.InputError):
        scene.ignore_pair(0, 1)


def test_the_name_of_a_removed_body_finds_no_live_body() -> None:
    scene = two_bodies()
    edit = scene.begin_edit()
    edit.remove_body("leaf")
    scene.apply(edit)
    refused(lambda: scene.ignore_pair("leaf", 0))
    try:
        body = scene.add_body(*grid(2), name="leaf")
    except graze.InputError:
        return  # the name stays taken
    assert scene.body("leaf") == body == 2


REFUSED: dict[str, Any] = {
    "a vertex of no body": lambda e: e.add_vertex(7, (0, 0, 0)),
    "a vertex at nan": lambda e: e.add_vertex(0, (0, np.nan, 0)),
    "a vertex with two coordinates": lambda e: e.add_vertex(0, (0, 0)),
    "a vertex at None": lambda e: e.add_vertex(0, None),
    "an edge split at inf": lambda e: e.split_edge(0, 1, (0, 0, np.inf)),
    "a vertex that does not exist": lambda e: e.remove_vertex(16),
    "vertex -1": lambda e: e.remove_vertex(-1),
    "vertex 2^32": lambda e: e.remove_vertex(2**32),
    "vertex 2^64": lambda e: e.remove_vertex(2**64),
    "a triangle of four": lambda e: e.add_triangle((0, 1, 2, 3)),
    "a triangle of two": lambda e: e.add_triangle((0, 1)),
    "a triangle of none": lambda e: e.add_triangle(()),
    "a triangle of words": lambda e: e.add_triangle(("a", "b", "c")),
    "a triangle of halves": lambda e: e.add_triangle((0.5, 1, 2)),
    "a triangle out of range": lambda e: e.add_triangle((0, 1, 99)),
    "a triangle with -1": lambda e: e.add_triangle((0, 1, -1)),
    "a triangle with 2^32": lambda e: e.add_triangle((0, 1, 2**32)),
    "a triangle with 2^70": lambda e: e.add_triangle((0, 1, 2**70)),
    "a triangle None": lambda e: e.add_triangle(None),
    "a triangle that does not exist": lambda e: e.remove_triangle(18),
    "triangle -1": lambda e: e.set_triangle(-1, (0, 1, 2)),
    "a tear of no edge": lambda e: e.tear_edge(0, 15),
    "a tear inside": lambda e: e.tear_edge(5, 6),
    "a split of no edge": lambda e: e.split_edge(0, 15, (0, 0, 0)),
    "a split for triangles elsewhere": lambda e: e.split_vertex(0, [17]),
    "a split for a triangle named twice": lambda e: e.split_vertex(0, [0, 0]),
    "a split for triangles out of range": lambda e: e.split_vertex(0, [99]),
    "a split for triangle -1": lambda e: e.split_vertex(0, [-1]),
    "a split for no list": lambda e: e.split_vertex(0, None),
    "an empty group": lambda e: e.split_body(0, [[]]),
    "a group twice": lambda e: e.split_body(0, [[0], [0]]),
    "a group out of range": lambda e: e.split_body(0, [[99]]),
    "a group of words": lambda e: e.split_body(0, ["ab"]),
    "a body with nan": lambda e: e.add_body([(0, 0, np.nan)], []),
    "a body with a taken name": lambda e: e.add_body(*grid(2), name="sheet"),
    "a carry of the wrong length": lambda e: e.carry(np.zeros((15, 3))),
    "a carry of words": lambda e: e.carry("x"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_refused_operation_leaves_the_edit_as_it_was(what: str) -> None:
    scene = sheet()
    edit = scene.begin_edit()
    with pytest.raises((graze.InputError, TypeError)):
        REFUSED[what](edit)
    assert (edit.vertex_count, edit.triangle_count, edit.body_count) == (16, 18, 1) and edit.empty
    edit.remove_triangle(3)
    scene.apply(edit)
    assert not scene.has_triangle(3) and scene.has_triangle(2)


def test_an_edit_of_an_earlier_state_is_refused() -> None:
    scene = sheet()
    edit, other = scene.begin_edit(), scene.begin_edit()
    edit.remove_triangle(0)
    other.remove_triangle(1)
    scene.apply(other)
    refused(lambda: scene.apply(edit))
    refused(lambda: edit.remove_triangle(2))
    assert scene.has_triangle(0) and not scene.has_triangle(1) and scene.has_triangle(2)


def test_an_edit_is_applied_once() -> None:
    scene = sheet()
    edit = scene.begin_edit()
    edit.remove_triangle(0)
    scene.apply(edit)
    refused(lambda: scene.apply(edit))


def test_an_edit_of_another_scene_is_refused() -> None:
    edit = sheet().begin_edit()
    edit.remove_triangle(0)
    refused(lambda: two_bodies().apply(edit))
    refused(lambda: graze.Detector(two_bodies()).apply(edit))
    with pytest.raises((TypeError, graze.InputError)):
        two_bodies().apply(None)  # type: ignore[arg-type]


def test_an_edit_outlives_the_names_of_its_scene_and_detector() -> None:
    scene = sheet()
    edit = scene.begin_edit()
    del scene
    gc.collect()
    assert edit.add_vertex("sheet", (1, 2, 3)) == 16
    detector = graze.Detector(sheet())
    edit = detector.begin_edit()
    del detector
    gc.collect()
    assert edit.add_vertex("sheet", (1, 2, 3)) == 16 and edit.carry(np.zeros((16, 3))).shape == (17, 3)


@pytest.mark.parametrize("method", METHODS)
def test_a_detector_that_follows_edits_answers_as_a_new_one(method: Any) -> None:
    rng = np.random.default_rng(9)
    faces, x, _ = soup(rng, 40, 50)
    scene = graze.Scene()
    scene.add_body(x, faces, name="soup")
    detector = graze.Detector(scene, method=method)
    for step in range(6):
        edit = detector.begin_edit()
        live = [t for t in range(detector.scene.triangle_count) if detector.scene.has_triangle(t)]
        edit.remove_triangle(int(rng.choice(live)))
        v = edit.add_vertex("soup", rng.uniform(-1, 1, size=3))
        edit.add_triangle((v, int(rng.integers(40)), int(rng.integers(40))))
        edit.add_body(rng.uniform(-1, 1, size=(3, 3)), [(0, 1, 2)], name=f"step {step}")
        x = edit.carry(x)
        detector.apply(edit)
        y = x + rng.normal(scale=0.2, size=x.shape)
        expected = graze.Detector(detector.scene, method="brute").impacts(x, y)
        result = detector.impacts(x, y)
        assert len(result) > 0 and result.toi_hash() == expected.toi_hash()
        assert detector.validate() == ""
        assert detector.scene.body(f"step {step}") == step + 1


def test_positions_of_removed_vertices_are_ignored() -> None:
    detector = graze.Detector(two_bodies())
    edit = detector.begin_edit()
    edit.remove_vertex(3)
    detector.apply(edit)
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    assert not detector.scene.has_vertex(3) and len(detector.impacts(x_t0, x_t1)) == 0
    x_t0[3], x_t1[3] = np.nan, np.inf
    assert len(detector.impacts(x_t0, x_t1)) == 0


def test_a_result_keeps_the_scene_of_its_query() -> None:
    detector = graze.Detector(two_bodies())
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    before = detector.impacts(x_t0, x_t1)
    edit = detector.begin_edit()
    edit.remove_body("leaf")
    detector.apply(edit)
    assert before.body.tolist() == [[1, 0]] * 3 and before.triangle.tolist() == [[1, 0]] * 3
    assert before.scene.has_body(1) and not detector.scene.has_body(1)

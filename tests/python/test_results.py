"""Results: rows, slices, hashes, tables, and what each row refers to."""

from __future__ import annotations

import copy
import gc
import pickle
from typing import Any

import numpy as np
import pytest

import graze
from meshes import TWO_FACES, rows_of, same, soup, two_bodies, two_triangles

FACES, X_T0, X_T1 = soup(np.random.default_rng(11), 60, 60)
IMPACTS = graze.contacts(X_T0, X_T1, FACES)
N = len(IMPACTS)

COLUMNS = [
    "kind", "vertices", "toi", "toi_hi", "weights", "normal", "point", "side", "remembered_side", "body", "triangle",
]  # fmt: skip

MASK = np.random.default_rng(0).random(N) < 0.3

SELECTIONS: dict[str, Any] = {
    "all": slice(None),
    "none": slice(0, 0),
    "first ten": slice(10),
    "last three": slice(-3, None),
    "every other": slice(None, None, 2),
    "backwards": slice(None, None, -1),
    "backwards in steps": slice(N - 1, 3, -4),
    "beyond the end": slice(N - 2, N + 100),
    "mask": MASK,
    "mask of none": np.zeros(N, dtype=bool),
    "mask as a list": MASK.tolist(),
    "rows": np.array([3, 1, 2]),
    "rows as a list": [5, 0, 5, -1],
    "rows, int8": np.array([1, -2], dtype=np.int8),
    "rows, uint64": np.array([0, 4], dtype=np.uint64),
    "no rows": np.array([], dtype=np.int64),
    "strided rows": np.arange(20)[::3],
}


def test_the_soup_of_this_file_has_contacts_of_both_kinds() -> None:
    assert IMPACTS.vf_count > 20 and IMPACTS.ee_count > 20 and IMPACTS.vf_count + IMPACTS.ee_count == N


@pytest.mark.parametrize("name", SELECTIONS)
def test_a_selection_of_rows_is_a_result(name: str) -> None:
    part = IMPACTS[SELECTIONS[name]]
    assert isinstance(part, graze.Impacts)
    for column in COLUMNS:
        expected = getattr(IMPACTS, column)[SELECTIONS[name]]
        found = getattr(part, column)
        assert np.array_equal(found, expected) and found.dtype == expected.dtype
        assert not found.flags.writeable
    assert len(part) == len(IMPACTS.kind[SELECTIONS[name]])
    assert part.vf_count == int((part.kind == graze.VERTEX_FACE).sum())
    assert part.ee_count == int((part.kind == graze.EDGE_EDGE).sum())
    assert part.scene.vertex_count == 60


def test_rows_of_other_results_are_selected_alike() -> None:
    near = graze.Detector(IMPACTS.scene).proximities(X_T0, 0.2)
    assert len(near) > 20
    rows = np.flatnonzero(near.distance < 0.1)
    part = near[rows]
    assert isinstance(part, graze.Proximities) and rows_of(part) == [rows_of(near)[row] for row in rows]
    for column in ("distance", "weights", "normal", "points", "body", "triangle"):
        assert np.array_equal(getattr(part, column), getattr(near, column)[rows])
        assert not getattr(part, column).flags.writeable


@pytest.mark.parametrize("row", [0, 1, N - 1, -1, -N, np.int64(2), np.uint8(7), np.intp(-2)])
def test_a_number_selects_one_impact(row: Any) -> None:
    impact = IMPACTS[row]
    assert isinstance(impact, graze.Impact)
    assert impact.kind == ("vertex-face" if IMPACTS.kind[row] == graze.VERTEX_FACE else "edge-edge")
    assert impact.vertices == tuple(map(int, IMPACTS.vertices[row]))
    assert impact.toi == IMPACTS.toi[row] and impact.toi_hi == IMPACTS.toi_hi[row]
    assert impact.side == IMPACTS.side[row] and impact.remembered_side == IMPACTS.remembered_side[row]
    assert impact.body == tuple(map(int, IMPACTS.body[row]))
    assert impact.triangle == tuple(map(int, IMPACTS.triangle[row]))
    for column in ("weights", "normal", "point"):
        assert np.array_equal(getattr(impact, column), getattr(IMPACTS, column)[row])


def test_a_number_selects_one_proximity() -> None:
    near = graze.Detector(IMPACTS.scene).proximities(X_T0, 0.2)
    rows = list(near)
    assert len(rows) == len(near) > 20
    for row in (0, 3, -1, np.int64(2)):
        pair = near[row]
        assert isinstance(pair, graze.Proximity) and repr(pair) == repr(rows[row])
        assert pair.kind == ("vertex-face" if near.kind[row] == graze.VERTEX_FACE else "edge-edge")
        assert pair.distance == near.distance[row]
        for column in ("vertices", "body", "triangle"):
            assert getattr(pair, column) == tuple(map(int, getattr(near, column)[row]))
        for column in ("weights", "normal", "points"):
            assert np.array_equal(getattr(pair, column), getattr(near, column)[row])
    for row in (len(near), -len(near) - 1):
        with pytest.raises(IndexError):
            near[row]


@pytest.mark.parametrize("row", [N, -N - 1, 2**31, 2**63, -(2**70), [N], [-N - 1], np.array([0, N])])
def test_a_row_out_of_range_is_an_index_error(row: Any) -> None:
    with pytest.raises(IndexError):
        IMPACTS[row]


@pytest.mark.parametrize("rows", [1.0, "first", None, [1.5], (1, 2, 3), [[0, 1]], MASK[:-1], np.ones((N, 2), bool)])
def test_rows_of_the_wrong_type_are_refused(rows: Any) -> None:
    with pytest.raises((IndexError, TypeError, ValueError)):
        IMPACTS[rows]


def test_a_step_of_zero_is_refused() -> None:
    with pytest.raises(ValueError):
        IMPACTS[::0]


def test_iteration_gives_every_row_once() -> None:
    assert [impact.vertices for impact in IMPACTS] == [tuple(map(int, row)) for row in IMPACTS.vertices]
    assert [impact.toi for impact in IMPACTS[MASK]] == IMPACTS.toi[MASK].tolist()
    assert list(IMPACTS[:0]) == []


def test_a_result_is_true_if_there_are_contacts() -> None:
    assert IMPACTS and not IMPACTS[:0]


def test_rows_are_sorted_and_occur_once() -> None:
    rows = rows_of(IMPACTS)
    assert rows == sorted(set(rows))


def test_an_empty_result_has_empty_columns() -> None:
    empty = graze.contacts(X_T0, X_T0 + 0.0, FACES[:0])
    for column in COLUMNS:
        assert len(getattr(empty, column)) == 0
        assert getattr(empty, column).shape[1:] == getattr(IMPACTS, column).shape[1:]
    with pytest.raises(IndexError):
        empty[0]


def test_an_impact_outlives_everything_it_came_from() -> None:
    result = graze.contacts(X_T0, X_T1, FACES)
    impact = result[5]
    normal, weights = impact.normal, impact.weights
    values = (impact.vertices, impact.toi, impact.body, impact.triangle, normal.copy(), weights.copy())
    del result
    gc.collect()
    garbage = [graze.contacts(X_T0, X_T1, FACES) for _ in range(3)]
    assert (impact.vertices, impact.toi, impact.body, impact.triangle) == values[:4]
    del impact
    gc.collect()
    assert np.array_equal(normal, values[4]) and np.array_equal(weights, values[5])
    del garbage


def test_a_part_outlives_the_whole() -> None:
    result = graze.contacts(X_T0, X_T1, FACES)
    part = result[MASK]
    del result
    gc.collect()
    assert np.array_equal(part.toi, IMPACTS.toi[MASK])


# What rows mean -----------------------------------------------------------------------------------------------------


def test_the_contact_point_lies_on_both_features() -> None:
    for row, impact in enumerate(IMPACTS):
        x = (1 - impact.toi_hi) * X_T0[list(impact.vertices)] + impact.toi_hi * X_T1[list(impact.vertices)]
        split = 1 if impact.kind == "vertex-face" else 2
        first, second = impact.weights[:split] @ x[:split], impact.weights[split:] @ x[split:]
        assert np.allclose(first, second, atol=1e-4), row
        assert np.allclose(impact.point, (first + second) / 2, atol=1e-12)


def test_the_normal_is_a_unit_vector_orthogonal_to_both_features() -> None:
    for impact in IMPACTS:
        x = (1 - impact.toi_hi) * X_T0[list(impact.vertices)] + impact.toi_hi * X_T1[list(impact.vertices)]
        if not impact.normal.any():
            continue
        assert abs(np.linalg.norm(impact.normal) - 1) < 1e-12
        split = 1 if impact.kind == "vertex-face" else 2
        for i in [*range(1, split), *range(split + 1, 4)]:
            edge = x[i] - x[0 if i < split else split]
            assert abs(impact.normal @ edge) < 1e-6


def test_the_normal_points_to_the_side_where_the_first_feature_comes_from() -> None:
    impact = graze.contacts(two_triangles(1.0), two_triangles(-1.0), TWO_FACES)[0]
    assert np.array_equal(impact.normal, (0, 0, 1)) and impact.side == 1
    impact = graze.contacts(two_triangles(-1.0), two_triangles(1.0), TWO_FACES)[0]
    assert np.array_equal(impact.normal, (0, 0, -1)) and impact.side == -1
    impact = graze.contacts(two_triangles(0.0), two_triangles(1.0), TWO_FACES)[0]
    assert impact.side == 0


def test_bodies_and_triangles_are_those_of_the_features() -> None:
    rng = np.random.default_rng(5)
    scene = graze.Scene()
    for _ in range(3):
        faces, x, _ = soup(rng, 30, 25)
        scene.add_body(x, faces)
    x_t0 = scene.positions.copy()
    x_t1 = x_t0 + rng.normal(scale=0.2, size=x_t0.shape)
    detector = graze.Detector(scene)
    for result in (detector.impacts(x_t0, x_t1), detector.proximities(x_t0, 0.1)):
        assert len(result) > 30 and len(set(map(tuple, result.body.tolist()))) > 3
        for kind, v, bodies, triangles in zip(result.kind, result.vertices, result.body, result.triangle):
            split = 1 if kind == graze.VERTEX_FACE else 2
            for feature, body, triangle in zip((v[:split], v[split:]), bodies, triangles):
                assert set(scene.vertex_body[feature]) == {body}
                contains = [set(feature) <= set(row) for row in scene.triangles]
                if len(feature) == 3:
                    contains = [sorted(feature) == sorted(row) for row in scene.triangles]
                assert triangle == contains.index(True)


def test_bodies_of_intersections_are_those_of_the_triangles() -> None:
    scene = two_bodies()
    x = two_triangles(0.0)
    x[3, 2] = -1.0
    result = graze.Detector(scene).intersections(x)
    assert result.triangle_pairs.tolist() == [[0, 1]] and result.body.tolist() == [[0, 1]]
    for name in ("edges", "faces", "triangle_pairs", "body"):
        array = getattr(result, name)
        assert array.dtype == np.uint32
        with pytest.raises(ValueError):
            array[0] = 0


# Hashes -------------------------------------------------------------------------------------------------------------


def test_hashes_depend_on_the_pairs_and_on_the_intervals() -> None:
    again = graze.contacts(X_T0, X_T1, FACES, method="brute")
    assert IMPACTS.hash() == again.hash() and IMPACTS.toi_hash() == again.toi_hash()
    slow, fast = (graze.contacts(two_triangles(1.0), two_triangles(z), TWO_FACES) for z in (-1.0, -2.0))
    assert slow.hash() == fast.hash() and slow.toi_hash() != fast.toi_hash()
    assert IMPACTS[1:].hash() != IMPACTS.hash() and IMPACTS[:].hash() == IMPACTS.hash()
    assert isinstance(IMPACTS.hash(), int) and 0 <= IMPACTS.hash() < 2**64


# Tables -------------------------------------------------------------------------------------------------------------


def test_tables_have_a_row_for_each_row() -> None:
    pandas = pytest.importorskip("pandas")
    table = IMPACTS.to_pandas()
    assert isinstance(table, pandas.DataFrame) and len(table) == N
    assert np.array_equal(table["toi"], IMPACTS.toi) and np.array_equal(table["toi_hi"], IMPACTS.toi_hi)
    assert len(IMPACTS[MASK].to_pandas()) == int(MASK.sum()) and len(IMPACTS[:0].to_pandas()) == 0
    assert list(IMPACTS[:0].to_pandas().columns) == list(table.columns)
    near = graze.Detector(IMPACTS.scene).proximities(X_T0, 0.2)
    assert np.array_equal(near.to_pandas()["distance"], near.distance)
    crossing = graze.self_intersections(X_T0, FACES)
    assert len(crossing.to_pandas()) == len(crossing) > 0


def test_a_table_is_a_copy() -> None:
    pytest.importorskip("pandas")
    table = IMPACTS.to_pandas()
    table.loc[:, "toi"] = -1.0
    assert np.all(IMPACTS.toi >= 0)


def test_everything_prints() -> None:
    detector = graze.Detector(IMPACTS.scene)
    things = [
        IMPACTS, IMPACTS[0], IMPACTS.stats, IMPACTS.scene, detector, detector.first_impact(X_T0, X_T1),
        detector.safe_step(X_T0, X_T1), detector.intersections(X_T0), detector.proximities(X_T0, 0.1),
        detector.begin_edit(), graze.ResearchOptions(),
    ]  # fmt: skip
    for thing in things:
        assert repr(thing) and str(thing)


@pytest.mark.parametrize("make", [graze.Impacts, graze.Impact, graze.Proximities, graze.Proximity, graze.Intersections, graze.Stats])
def test_results_are_made_by_queries_only(make: Any) -> None:
    with pytest.raises(TypeError):
        make()


@pytest.mark.parametrize("copier", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_are_equal_or_refused(copier: Any) -> None:
    try:
        other = copier(IMPACTS)
    except (TypeError, NotImplementedError):
        return
    assert same(other, IMPACTS)


def test_attributes_cannot_be_replaced() -> None:
    with pytest.raises(AttributeError):
        IMPACTS.toi = np.zeros(N)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        IMPACTS[0].toi = 0.0  # type: ignore[misc]

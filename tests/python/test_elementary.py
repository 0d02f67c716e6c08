"""Elementary tests of one pair against exact answers."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import graze
import oracle
from meshes import refused

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, strategies as st  # noqa: E402

# Coordinates at which degenerate positions are likely, and any other double.
SMALL = st.integers(-3, 3).map(float)
ANY = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e150, max_value=1e150)


def arrays(rows: int, coordinate: Any) -> Any:
    point = st.tuples(coordinate, coordinate, coordinate)
    return st.lists(point, min_size=rows, max_size=rows).map(lambda rows: np.array(rows))


def points(rows: int) -> Any:
    return st.one_of(arrays(rows, SMALL), arrays(rows, SMALL), arrays(rows, ANY))


def is_root(value: float, square: Fraction, units: int) -> bool:
    """Whether a double is within some units in the last place of the square root."""
    slack = units * Fraction(math.ulp(value))
    low, high = max(Fraction(value) - slack, Fraction(0)), Fraction(value) + slack
    return low * low <= square <= high * high


@given(points(5))
def test_an_edge_and_a_face_intersect_as_in_exact_arithmetic(x: np.ndarray) -> None:
    assert graze.intersect_edge_face(x) == oracle.segment_triangle(*oracle.points(x))


@given(points(6))
def test_two_triangles_intersect_as_in_exact_arithmetic(x: np.ndarray) -> None:
    p = oracle.points(x)
    assert graze.intersect_triangle_triangle(x) == oracle.triangle_triangle(p[:3], p[3:])


PAIRS = [
    (graze.distance_vertex_face, graze.within_vertex_face, oracle.point_triangle, 1),
    (graze.distance_edge_edge, graze.within_edge_edge, oracle.segment_segment, 2),
]


@pytest.mark.parametrize("distance, within, exact, split", PAIRS, ids=["vertex-face", "edge-edge"])
@given(x=points(4))
def test_distances_are_those_of_exact_arithmetic(
    distance: Any, within: Any, exact: Any, split: int, x: np.ndarray
) -> None:
    square = Fraction(exact(*oracle.points(x)))
    found = distance(x)
    assert is_root(found.distance, square, 2)
    for d in (found.distance, math.nextafter(found.distance, math.inf), math.nextafter(found.distance, 0.0), 1.0):
        assert within(x, d) == (square <= Fraction(d) ** 2)
    w = found.weights
    assert w.shape == (4,) and np.all(w >= 0)
    assert abs(w[:split].sum() - 1) < 1e-12 and abs(w[split:].sum() - 1) < 1e-12
    length = float(np.linalg.norm(found.normal))
    assert length == 0.0 if found.distance == 0 else abs(length - 1) < 1e-7


@given(arrays(5, SMALL))
def test_a_vertex_that_moves_hits_a_face_as_in_exact_arithmetic(x: np.ndarray) -> None:
    t0, t1 = x[:4], x[:4].copy()
    t1[0] = t0[0] + x[4]
    p = oracle.points(t0)
    move = oracle.exact(x[4])
    check(graze.impact_vertex_face(t0, t1), lambda t: oracle.swept_vertex_face(p[0], p[1:], oracle.scaled(move, t)))


@given(arrays(5, SMALL))
def test_an_edge_that_moves_hits_an_edge_as_in_exact_arithmetic(x: np.ndarray) -> None:
    t0, t1 = x[:4], x[:4].copy()
    t1[:2] += x[4]
    p = oracle.points(t0)
    move = oracle.exact(x[4])
    check(graze.impact_edge_edge(t0, t1), lambda t: oracle.swept_edge_edge(*p, oracle.scaled(move, t)))


def check(impact: graze.ElementaryImpact | None, touches: Any) -> None:
    """Checks an impact against the exact answer for each part [0, t] of the step."""
    assert (impact is not None) == touches(Fraction(1))
    if impact is None:
        return
    lo, hi = Fraction(impact.toi), Fraction(impact.toi_hi)
    assert 0 <= lo <= hi <= 1 and hi - lo <= Fraction(1e-6) and touches(hi)
    assert lo == 0 or not touches(Fraction(math.nextafter(impact.toi, 0.0)))
    assert impact.side in (-1, 0, 1) and impact.normal.shape == (3,) and impact.weights.shape == (4,)


@given(arrays(8, SMALL))
def test_a_reversed_step_has_the_same_verdict(x: np.ndarray) -> None:
    t0, t1 = x[:4], x[4:]
    for test in (graze.impact_vertex_face, graze.impact_edge_edge):
        assert (test(t0, t1) is None) == (test(t1, t0) is None)


def test_a_single_pair_has_the_bits_of_a_detector() -> None:
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(200):
        t0, t1 = rng.uniform(-1, 1, size=(2, 4, 3))
        result = graze.contacts(t0, t1, [(0, 0, 1), (2, 2, 3)])
        edges = [impact for impact in result if impact.kind == "edge-edge"]
        single = graze.impact_edge_edge(t0, t1)
        assert (single is None) == (not edges)
        if single is not None:
            hits += 1
            assert (single.toi, single.toi_hi, single.side) == (edges[0].toi, edges[0].toi_hi, edges[0].side)
            assert np.array_equal(single.weights, edges[0].weights)
            assert np.array_equal(single.normal, edges[0].normal)
    assert hits > 3


def test_tolerance_and_thickness() -> None:
    t0 = np.array([(0, 0, 2), (-1, -1, 0), (2, -1, 0), (-1, 2, 0)], dtype=float)
    t1 = t0.copy()
    t1[0, 2] = -1.0
    plain = graze.impact_vertex_face(t0, t1)
    assert plain is not None and plain.toi <= 2 / 3 <= plain.toi_hi and plain.side == 1
    thick = graze.impact_vertex_face(t0, t1, thickness=0.5)
    assert thick is not None and thick.toi <= 0.5 and thick.toi_hi - thick.toi <= 1e-6
    assert 2 - 3 * thick.toi > 0.5 and 2 - 3 * thick.toi_hi <= 0.5 + 0.5e-6
    fine = graze.impact_vertex_face(t0, t1, tolerance=2.0**-40)
    assert fine is not None and fine.toi_hi - fine.toi <= 2.0**-40


TESTS: dict[str, tuple[Any, int, str]] = {
    "impact_vertex_face t0": (lambda x: graze.impact_vertex_face(x, np.zeros((4, 3))), 4, "t0"),
    "impact_vertex_face t1": (lambda x: graze.impact_vertex_face(np.zeros((4, 3)), x), 4, "t1"),
    "impact_edge_edge t0": (lambda x: graze.impact_edge_edge(x, np.zeros((4, 3))), 4, "t0"),
    "impact_edge_edge t1": (lambda x: graze.impact_edge_edge(np.zeros((4, 3)), x), 4, "t1"),
    "intersect_edge_face": (graze.intersect_edge_face, 5, "point"),
    "intersect_triangle_triangle": (graze.intersect_triangle_triangle, 6, "point"),
    "distance_vertex_face": (graze.distance_vertex_face, 4, "point"),
    "distance_edge_edge": (graze.distance_edge_edge, 4, "point"),
    "within_vertex_face": (lambda x: graze.within_vertex_face(x, 1.0), 4, "point"),
    "within_edge_edge": (lambda x: graze.within_edge_edge(x, 1.0), 4, "point"),
}


@pytest.mark.parametrize("test", TESTS)
def test_points_that_are_none_are_refused(test: str) -> None:
    call, rows, name = TESTS[test]
    good = np.random.default_rng(0).normal(size=(rows, 3))
    call(good)
    call(good.tolist())
    call(np.asfortranarray(good))
    for value in (np.nan, np.inf, -np.inf):
        bad = good.copy()
        bad[rows - 1, 1] = value
        refused(lambda: call(bad), name, rows - 1, "nan" if np.isnan(value) else "inf")
    for bad in (good[:-1], np.vstack([good, good]), good[:, :2], good.ravel(), good[None], good > 0, good * 1j):
        refused(lambda: call(bad), name)
    for bad in (None, "points", [], [[1, 2, 3], [4]], {}, 3.0):
        refused(lambda: call(bad), name)


@pytest.mark.parametrize("options", [{"tolerance": 0.0}, {"tolerance": math.nan}, {"thickness": -1.0}], ids=str)
def test_options_out_of_range_are_refused(options: dict[str, float]) -> None:
    x = np.zeros((4, 3))
    refused(lambda: graze.impact_vertex_face(x, x, **options))
    refused(lambda: graze.impact_edge_edge(x, x, **options))


@pytest.mark.parametrize("d", [-1.0, math.nan, math.inf])
def test_distances_out_of_range_are_refused(d: float) -> None:
    x = np.zeros((4, 3))
    refused(lambda: graze.within_vertex_face(x, d))
    refused(lambda: graze.within_edge_edge(x, d))

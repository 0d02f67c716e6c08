"""Detector and the functions for one step: every query against exact answers of small scenes."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import graze
import oracle
from meshes import (
    CUBE_FACES,
    CUBE_VERTICES,
    TWO_FACES,
    feature_pairs,
    grid,
    refused,
    rows_of,
    same,
    soup,
    sphere,
    two_bodies,
    two_triangles,
)

METHODS = ["auto", "brute", "r-tri", "iccd", "adaptive", "hash", "basic", "no-dupl", "adj"]


def translating(rng: np.random.Generator, bodies: int, vertices: int, faces: int) -> Any:
    """Bodies of small integers, each of which moves as a whole: scene, both ends, and the moves by body."""
    scene = graze.Scene()
    moves = rng.integers(-4, 5, size=(bodies, 3)).astype(float)
    for _ in range(bodies):
        x = rng.integers(-3, 4, size=(vertices, 3)).astype(float)
        scene.add_body(x, rng.integers(0, vertices, size=(faces, 3)))
    x_t0 = scene.positions.copy()
    return scene, x_t0, x_t0 + moves[scene.vertex_body], moves


def touches(kind: int, x: list[oracle.Point], v: tuple[int, ...], move: oracle.Point) -> bool:
    """Whether a pair touches while its first feature moves relative to the second."""
    p = [x[i] for i in v]
    if kind == graze.VERTEX_FACE:
        return oracle.swept_vertex_face(p[0], p[1:], move)
    return oracle.swept_edge_edge(*p, move)


def relative(scene: graze.Scene, moves: np.ndarray, kind: int, v: tuple[int, ...]) -> oracle.Point:
    body = scene.vertex_body
    second = 1 if kind == graze.VERTEX_FACE else 2
    return oracle.exact(moves[body[v[0]]] - moves[body[v[second]]])


@pytest.mark.parametrize("seed", range(12))
def test_impacts_are_those_of_exact_arithmetic(seed: int) -> None:
    scene, x_t0, x_t1, moves = translating(np.random.default_rng(seed), 3, 5, 4)
    x = oracle.points(x_t0)
    expected = [
        (kind, v)
        for kind, v in feature_pairs(scene.triangles)
        if touches(kind, x, v, relative(scene, moves, kind, v))
    ]
    result = graze.Detector(scene).impacts(x_t0, x_t1)
    assert rows_of(result) == expected
    for method in METHODS:
        assert same(graze.Detector(scene, method=method).impacts(x_t0, x_t1), result), method


@pytest.mark.parametrize("seed", range(12))
def test_times_of_impact_contain_the_exact_first_time(seed: int) -> None:
    scene, x_t0, x_t1, moves = translating(np.random.default_rng(100 + seed), 3, 5, 3)
    x = oracle.points(x_t0)
    result = graze.Detector(scene).impacts(x_t0, x_t1)
    for impact in result:
        kind = graze.VERTEX_FACE if impact.kind == "vertex-face" else graze.EDGE_EDGE
        move = relative(scene, moves, kind, impact.vertices)
        lo, hi = Fraction(impact.toi), Fraction(impact.toi_hi)
        assert 0 <= lo <= hi <= 1 and hi - lo <= Fraction(1e-6) and hi - lo <= hi / 1024
        assert touches(kind, x, impact.vertices, oracle.scaled(move, hi))
        if lo > 0:
            before = Fraction(math.nextafter(impact.toi, 0.0))
            assert not touches(kind, x, impact.vertices, oracle.scaled(move, before))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("lattice", [False, True])
def test_every_method_gives_the_same_bits(seed: int, lattice: bool) -> None:
    faces, x_t0, x_t1 = soup(np.random.default_rng(seed), 40, 30, lattice=lattice)
    expected = graze.contacts(x_t0, x_t1, faces, method="brute")
    assert len(expected) > 0
    for method in METHODS:
        result = graze.contacts(x_t0, x_t1, faces, method=method)
        assert same(result, expected), method
        assert result.hash() == expected.hash() and result.toi_hash() == expected.toi_hash()
        for name in ("weights", "normal", "point", "side"):
            assert np.array_equal(getattr(result, name), getattr(expected, name)), (method, name)


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_change_nothing(threads: int) -> None:
    faces, x_t0, x_t1 = soup(np.random.default_rng(8), 300, 400)
    expected = graze.contacts(x_t0, x_t1, faces, threads=1)
    assert same(graze.contacts(x_t0, x_t1, faces, threads=threads), expected)


def test_methods_are_listed_and_described() -> None:
    assert set(graze.methods()) == set(METHODS)
    for method in METHODS:
        assert graze.Detector(graze.Scene(), method=method).method == method
        assert graze.method_summary(method).strip() and "\n" not in graze.method_summary(method)


def test_the_tolerance_bounds_the_interval() -> None:
    faces, x_t0, x_t1 = soup(np.random.default_rng(5), 30, 20)
    for tolerance in (1.0, 1e-3, 1e-9, 2.0**-40):
        result = graze.contacts(x_t0, x_t1, faces, tolerance=tolerance)
        assert len(result) > 0 and np.all(result.toi_hi - result.toi <= tolerance)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("thickness", [0.25, 1.0])
def test_thickness_reports_every_pair_within_it_and_none_beyond(seed: int, thickness: float) -> None:
    # Nothing moves: a pair counts if its distance is at most the thickness, plus a slack that is bounded.
    rng = np.random.default_rng(seed)
    faces = rng.integers(0, 9, size=(6, 3))
    x = rng.integers(-3, 4, size=(9, 3)).astype(float) / 2
    found = set(rows_of(graze.contacts(x, x, faces, thickness=thickness)))
    p = oracle.points(x)
    slack = max(1e-6 * min(1.0, thickness), 2.0**-43 * 3)
    for kind, v in feature_pairs(faces):
        q = [p[i] for i in v]
        square = oracle.point_triangle(*q) if kind == graze.VERTEX_FACE else oracle.segment_segment(*q)
        if square <= Fraction(thickness) ** 2:
            assert (kind, v) in found
        if square > Fraction(thickness + slack) ** 2:
            assert (kind, v) not in found


def test_contacts_of_a_soup_and_of_a_scene_are_the_same() -> None:
    faces, x_t0, x_t1 = soup(np.random.default_rng(2), 30, 25)
    scene = graze.Scene()
    scene.add_body(x_t0, faces)
    detector = graze.Detector(scene)
    assert same(detector.impacts(x_t0, x_t1), graze.contacts(x_t0, x_t1, faces))
    assert same(detector.impacts(x_t0, x_t1), graze.contacts(x_t0, x_t1, faces))  # the second step, with history


# First impact and safe step -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(4))
def test_the_first_impact_is_the_earliest_and_the_first_in_order(method: str, seed: int) -> None:
    faces, x_t0, x_t1 = soup(np.random.default_rng(seed), 30, 12)
    result = graze.contacts(x_t0, x_t1, faces, method="brute")
    scene = graze.Scene()
    scene.add_body(x_t0, faces)
    first = graze.Detector(scene, method=method).first_impact(x_t0, x_t1)
    assert len(result) > 0 and first.toi == result.toi.min()
    assert first.impact is not None
    row = int(np.flatnonzero(result.toi == result.toi.min())[0])
    assert first.impact.vertices == result[row].vertices and first.impact.toi == first.toi


def test_without_an_impact_the_first_time_is_one() -> None:
    x = two_triangles(1.0)
    first = graze.Detector(two_bodies()).first_impact(x, x)
    assert first.toi == 1.0 and first.impact is None
    assert first.stats.total_ms >= 0.0


@pytest.mark.parametrize("seed", range(10))
def test_a_safe_step_is_free_positive_and_long_enough(seed: int) -> None:
    rng = np.random.default_rng(seed)
    faces, x_t0, x_t1 = soup(rng, 24, 8)
    contacts = graze.contacts(x_t0, x_t1, faces, method="brute")
    p = oracle.points(x_t0)
    touching = any(
        (oracle.point_triangle if kind == graze.VERTEX_FACE else oracle.segment_segment)(*(p[i] for i in v)) == 0
        for kind, v in feature_pairs(faces)
    )
    for keep in (1 / 64, 0.2, 0.9):
        safe = graze.safe_step(x_t0, x_t1, faces, keep=keep)
        assert (safe.step == 0) == touching
        assert (safe.step == 1) == (len(contacts) == 0)
        assert len(graze.contacts(x_t0, safe.positions, faces, method="brute")) == 0 or touching
        if safe.step < 1 and not touching:
            assert safe.limit is not None and safe.limit.toi == contacts.toi.min()
            assert (1 - keep) * contacts.toi.min() * (1 - 1e-9) <= safe.step < contacts.toi_hi.min()
        assert np.allclose(safe.positions, x_t0 + safe.step * (x_t1 - x_t0), rtol=0, atol=1e-15)
        if safe.step == 1:
            assert safe.limit is None and np.array_equal(safe.positions, x_t1)


def test_a_safe_step_does_not_start_from_a_contact() -> None:
    x = two_triangles(0.0)
    safe = graze.safe_step(x, two_triangles(5.0), TWO_FACES)
    assert safe.step == 0.0 and np.array_equal(safe.positions, x) and safe.limit is not None


@pytest.mark.parametrize("argument", ["min_distance", "thickness"])
def test_a_safe_step_keeps_a_distance(argument: str) -> None:
    x_t0, x_t1 = two_triangles(2.0), two_triangles(-1.0)
    safe = graze.safe_step(x_t0, x_t1, TWO_FACES, **{argument: 0.5})
    assert 0.8 * 0.5 <= safe.step <= 0.5 and safe.positions[3, 2] > 0.5
    close = two_triangles(0.5)
    assert graze.safe_step(close, two_triangles(3.0), TWO_FACES, **{argument: 0.5}).step == 0.0


def test_safe_steps_come_closer_until_doubles_end() -> None:
    x_t1 = two_triangles(-1.0)
    x = two_triangles(1.0)
    detector = graze.Detector(two_bodies())
    for _ in range(30):
        x = detector.safe_step(x, x_t1).positions
        assert x[3, 2] > 0.0
        assert len(graze.contacts(two_triangles(1.0), x, TWO_FACES)) == 0
    assert x[3, 2] < 1e-12


# Queries at one instant ---------------------------------------------------------------------------------------------


def edges_and_faces(faces: np.ndarray) -> Any:
    rows = [tuple(sorted(map(int, row))) for row in faces]
    edges = sorted({tuple(sorted(e)) for row in rows for e in itertools.combinations(row, 2) if e[0] != e[1]})
    return edges, sorted(set(rows))


@pytest.mark.parametrize("seed", range(10))
def test_intersections_are_those_of_exact_arithmetic(seed: int) -> None:
    rng = np.random.default_rng(seed)
    faces = rng.integers(0, 12, size=(8, 3))
    x = rng.integers(-2, 3, size=(12, 3)).astype(float)
    scene = graze.Scene()
    scene.add_body(x, faces)
    p = oracle.points(x)
    edges, triangles = edges_and_faces(faces)
    expected = [
        (e, f)
        for e in edges
        for f in triangles
        if len(set(f)) > 1 and not set(e) & set(f) and oracle.segment_triangle(*(p[i] for i in e + f))
    ]
    pairs = [
        (a, b)
        for a, b in itertools.combinations(range(len(faces)), 2)
        if not set(faces[a]) & set(faces[b])
        and oracle.triangle_triangle([p[i] for i in faces[a]], [p[i] for i in faces[b]])
        and all(len(set(faces[t])) > 1 for t in (a, b))
    ]
    result = graze.Detector(scene).intersections(x)
    found = [(tuple(map(int, e)), tuple(map(int, f))) for e, f in zip(result.edges, result.faces)]
    assert found == expected
    assert [tuple(map(int, row)) for row in result.triangle_pairs] == pairs and len(result) == len(pairs)
    assert result.shape is None and result.segment is None
    for method in METHODS:
        other = graze.Detector(scene, method=method).intersections(x)
        assert np.array_equal(other.edges, result.edges) and np.array_equal(other.faces, result.faces)
        assert np.array_equal(other.triangle_pairs, result.triangle_pairs)


def meets_beyond(p: list[oracle.Point], one: Any, other: Any) -> bool:
    """Whether two triangles with area share a point that is not in their common vertex or on their common edge."""
    common = sorted(set(one) & set(other))
    if len(common) == 3:
        return True
    if len(common) == 0:
        return oracle.triangle_triangle([p[i] for i in one], [p[i] for i in other])
    a, b = [[i for i in row if i not in common] for row in (one, other)]
    if len(common) == 1:
        # The common part is convex: it reaches the edge opposite to the common vertex in one of them.
        return oracle.segment_triangle(*(p[i] for i in a), *(p[i] for i in other)) or oracle.segment_triangle(
            *(p[i] for i in b), *(p[i] for i in one)
        )
    u, v = (p[i] for i in common)
    n = oracle.cross(oracle.sub(v, u), oracle.sub(p[a[0]], u))
    m = oracle.cross(oracle.sub(v, u), oracle.sub(p[b[0]], u))
    return oracle.cross(n, m) == (0, 0, 0) and oracle.dot(n, m) > 0  # folded flat onto each other


@pytest.mark.parametrize("seed", range(10))
def test_adjacent_triangles_that_meet_beyond_their_common_part_are_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(-2, 3, size=(9, 3)).astype(float)
    p = oracle.points(x)
    rows = [tuple(map(int, rng.permutation(9)[:3])) for _ in range(14)]
    zero = (0, 0, 0)
    faces = [
        row
        for row in rows
        if oracle.cross(oracle.sub(p[row[1]], p[row[0]]), oracle.sub(p[row[2]], p[row[0]])) != zero
    ]
    expected = [
        (a, b)
        for a, b in itertools.combinations(range(len(faces)), 2)
        if meets_beyond(p, faces[a], faces[b])
    ]
    result = graze.self_intersections(x, faces)
    assert [tuple(map(int, row)) for row in result.triangle_pairs] == expected
    scene = graze.Scene()
    scene.add_body(x, faces)
    again = graze.Detector(scene).intersections(x, adjacent=True)
    assert np.array_equal(again.triangle_pairs, result.triangle_pairs)
    apart = [pair for pair in expected if not set(faces[pair[0]]) & set(faces[pair[1]])]
    plain = graze.Detector(scene).intersections(x)
    assert [tuple(map(int, row)) for row in plain.triangle_pairs] == apart


def test_overlaps_have_the_shape_and_the_ends_of_what_two_triangles_share() -> None:
    # A triangle in the plane z = 0, and three others: one crosses it, one touches it with a tip, one lies in it.
    x = np.array(
        [(0, 0, 0), (8, 0, 0), (0, 8, 0)]
        + [(1, 1, -1), (1, 1, 1), (3, 1, 1)]
        + [(2, 3, 0), (2, 3, 5), (3, 3, 5)]
        + [(1, 1, 0), (2, 1, 0), (1, 2, 0)],
        dtype=float,
    )
    faces = np.arange(12).reshape(4, 3)
    result = graze.self_intersections(x, faces, overlaps=True)
    pairs = [tuple(map(int, row)) for row in result.triangle_pairs]
    shape, segment = result.shape, result.segment
    assert shape is not None and segment is not None and segment.shape == (len(result), 2, 3)
    rows = {pair: row for row, pair in enumerate(pairs) if pair[0] == 0}
    assert set(rows) == {(0, 1), (0, 2), (0, 3)}
    assert {p: int(shape[row]) for p, row in rows.items()} == {(0, 1): 0, (0, 2): 1, (0, 3): 2}
    assert sorted(map(tuple, segment[rows[0, 1]])) == [(1, 1, 0), (2, 1, 0)]
    assert np.array_equal(segment[rows[0, 2]], [(2, 3, 0), (2, 3, 0)])
    assert sorted(map(tuple, segment[rows[0, 3]])) == [(1, 2, 0), (2, 1, 0)]
    assert graze.self_intersections(x, faces).segment is None


def test_a_closed_surface_does_not_intersect_itself() -> None:
    assert len(graze.self_intersections(CUBE_VERTICES, CUBE_FACES)) == 0
    vertices, faces = sphere(12)
    assert len(graze.self_intersections(vertices, faces)) == 0


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("d", [0.0, 1.0, 1.5])
def test_proximities_are_those_of_exact_arithmetic(seed: int, d: float) -> None:
    rng = np.random.default_rng(seed)
    faces = rng.integers(0, 9, size=(6, 3))
    x = rng.integers(-3, 4, size=(9, 3)).astype(float)
    scene = graze.Scene()
    scene.add_body(x, faces)
    p = oracle.points(x)
    expected = {}
    for kind, v in feature_pairs(faces):
        q = [p[i] for i in v]
        square = oracle.point_triangle(*q) if kind == graze.VERTEX_FACE else oracle.segment_segment(*q)
        if square <= Fraction(d) ** 2:
            expected[kind, v] = square
    result = graze.Detector(scene).proximities(x, d)
    assert rows_of(result) == sorted(expected)
    for row, key in enumerate(rows_of(result)):
        exact = math.sqrt(expected[key])
        distance = float(result.distance[row])
        assert abs(distance - exact) <= 4 * math.ulp(exact)
        first, second = result.points[row]
        assert abs(np.linalg.norm(first - second) - distance) <= 1e-14 * 10
        split = 1 if result.kind[row] == graze.VERTEX_FACE else 2
        w = result.weights[row]
        assert np.all(w >= 0) and abs(w[:split].sum() - 1) < 1e-12 and abs(w[split:].sum() - 1) < 1e-12
        corners = x[result.vertices[row]]
        assert np.allclose(w[:split] @ corners[:split], first, atol=1e-12)
        assert np.allclose(w[split:] @ corners[split:], second, atol=1e-12)
        if distance > 0:
            assert np.allclose(result.normal[row], (first - second) / distance, atol=1e-7)
    for method in METHODS:
        other = graze.Detector(scene, method=method).proximities(x, d)
        assert rows_of(other) == rows_of(result) and np.array_equal(other.distance, result.distance)


# Streams ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_a_stream_has_every_impact_once(method: str) -> None:
    faces, x_t0, x_t1 = soup(np.random.default_rng(1), 120, 150)
    expected = graze.contacts(x_t0, x_t1, faces)
    scene = graze.Scene()
    scene.add_body(x_t0, faces)
    batches: list[graze.Impacts] = []
    stats = graze.Detector(scene, method=method).impacts(x_t0, x_t1, sink=batches.append)
    assert isinstance(stats, graze.Stats) and len(expected) > 100
    assert all(isinstance(batch, graze.Impacts) for batch in batches)
    rows = [
        (key, float(toi), tuple(point))
        for batch in batches
        for key, toi, point in zip(rows_of(batch), batch.toi, batch.point)
    ]
    assert sorted(rows) == [
        (key, float(toi), tuple(point))
        for key, toi, point in zip(rows_of(expected), expected.toi, expected.point)
    ]


@pytest.mark.parametrize("method", ["auto", "r-tri", "hash"])
def test_a_stream_has_every_proximity_once(method: str) -> None:
    faces, x, _ = soup(np.random.default_rng(1), 80, 60)
    scene = graze.Scene()
    scene.add_body(x, faces)
    detector = graze.Detector(scene, method=method)
    expected = detector.proximities(x, 0.1)
    batches: list[graze.Proximities] = []
    detector.proximities(x, 0.1, sink=batches.append)
    assert len(expected) > 50 and sorted(row for b in batches for row in rows_of(b)) == rows_of(expected)


@pytest.mark.parametrize("answer", [None, True, 1, "go on"])
def test_a_sink_that_does_not_say_false_gets_all(answer: Any) -> None:
    total = 0

    def sink(batch: graze.Impacts) -> Any:
        nonlocal total
        total += len(batch)
        return answer

    graze.Detector(two_bodies()).impacts(two_triangles(1.0), two_triangles(-1.0), sink=sink)
    assert total == 3


def test_a_sink_that_says_false_stops_the_query() -> None:
    detector = graze.Detector(two_bodies())
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    with pytest.raises(graze.Interrupted):
        detector.impacts(x_t0, x_t1, sink=lambda batch: False)
    with pytest.raises(graze.Interrupted):
        detector.proximities(x_t0, 5.0, sink=lambda batch: False)
    assert len(detector.impacts(x_t0, x_t1)) == 3


class Unusual(BaseException):
    """No Exception: it must pass through graze all the same."""


@pytest.mark.parametrize("error", [ValueError("mine"), KeyError(3), SystemExit(4), Unusual(), graze.InputError("x")])
def test_an_exception_of_a_callable_is_the_one_that_was_raised(error: BaseException) -> None:
    def fail(_: Any) -> None:
        raise error

    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    detector = graze.Detector(two_bodies())
    watched = graze.Detector(two_bodies(), progress=fail)
    calls = [
        lambda: detector.impacts(x_t0, x_t1, sink=fail),
        lambda: detector.proximities(x_t0, 5.0, sink=fail),
        lambda: watched.impacts(x_t0, x_t1),
        lambda: watched.first_impact(x_t0, x_t1),
        lambda: watched.safe_step(x_t0, x_t1),
        lambda: watched.proximities(x_t0, 5.0),
        lambda: watched.intersections(x_t0),
        lambda: graze.find_impacts([(TWO_FACES, x_t0, x_t1)] * 3, progress=fail),
    ]
    for call in calls:
        with pytest.raises(type(error)) as caught:
            call()
        assert caught.value is error
    assert len(detector.impacts(x_t0, x_t1)) == 3


def test_progress_gets_shares_of_the_work_and_can_stop_it() -> None:
    shares: list[float] = []
    faces, x_t0, x_t1 = soup(np.random.default_rng(0), 400, 800)
    scene = graze.Scene()
    scene.add_body(x_t0, faces)
    detector = graze.Detector(scene, progress=lambda share: shares.append(share))
    count = len(detector.impacts(x_t0, x_t1))
    assert shares and all(isinstance(share, float) and 0.0 <= share <= 1.0 for share in shares)
    stopping = graze.Detector(scene, progress=lambda share: False)
    for call in (
        lambda: stopping.impacts(x_t0, x_t1),
        lambda: stopping.first_impact(x_t0, x_t1),
        lambda: stopping.proximities(x_t0, 0.1),
        lambda: stopping.intersections(x_t0),
        lambda: stopping.safe_step(x_t0, x_t1),
    ):
        with pytest.raises(graze.Interrupted):
            call()
    assert len(detector.impacts(x_t0, x_t1)) == count


def test_a_detector_inside_its_own_callable_is_refused() -> None:
    detector = graze.Detector(two_bodies())
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    for call in (
        lambda: detector.impacts(x_t0, x_t1),
        lambda: detector.first_impact(x_t0, x_t1),
        lambda: detector.proximities(x_t0, 1.0),
        lambda: detector.begin_edit(),
        lambda: detector.validate(),
    ):
        with pytest.raises(graze.Error):
            detector.impacts(x_t0, x_t1, sink=lambda batch: call() and None)
    assert len(detector.impacts(x_t0, x_t1)) == 3


def test_another_detector_inside_a_callable_works() -> None:
    other = graze.Detector(two_bodies())
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    counts: list[int] = []
    graze.Detector(two_bodies()).impacts(
        x_t0, x_t1, sink=lambda batch: counts.append(len(other.impacts(x_t0, x_t1)))
    )
    assert counts == [3]


def test_a_detector_may_lose_its_last_reference_during_a_query() -> None:
    holder = [graze.Detector(two_bodies())]
    kept: list[graze.Impacts] = []

    def sink(batch: graze.Impacts) -> None:
        holder.clear()
        kept.append(batch)

    holder[0].impacts(two_triangles(1.0), two_triangles(-1.0), sink=sink)
    assert len(kept) == 1 and len(kept[0]) == 3 and kept[0].scene.body_count == 2


# Options ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"method": "fastest"},
        {"method": ""},
        {"method": "AUTO"},
        {"thickness": -1.0},
        {"thickness": math.nan},
        {"thickness": math.inf},
        {"tolerance": 0.0},
        {"tolerance": 2.0},
        {"tolerance": -1e-6},
        {"tolerance": math.nan},
        {"tolerance": 2.0**-41},
    ],
    ids=str,
)
def test_options_out_of_range_are_refused(options: dict[str, Any]) -> None:
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    refused(lambda: graze.Detector(two_bodies(), **options))
    refused(lambda: graze.contacts(x_t0, x_t1, TWO_FACES, **options))
    refused(lambda: graze.find_impacts([(TWO_FACES, x_t0, x_t1)], **options))
    refused(lambda: graze.first_impacts([(TWO_FACES, x_t0, x_t1)], **options))


@pytest.mark.parametrize(
    "options",
    [
        {"threads": -1},
        {"threads": 1.5},
        {"threads": "two"},
        {"threads": 2**40},
        {"memory_cap": -1},
        {"method": 3},
        {"method": None},
        {"thickness": "thin"},
        {"thickness": None},
        {"progress": 3},
        {"research": {"cones": "tight"}},
        {"speed": "fast"},
    ],
    ids=str,
)
def test_options_of_the_wrong_type_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises((TypeError, graze.InputError)):
        graze.Detector(two_bodies(), **options)


@pytest.mark.parametrize("scene", [None, "scene", 3, two_triangles(0.0)], ids=["None", "str", "int", "array"])
def test_a_detector_needs_a_scene(scene: Any) -> None:
    with pytest.raises((TypeError, graze.InputError)):
        graze.Detector(scene)


def test_options_are_by_name() -> None:
    with pytest.raises(TypeError):
        graze.Detector(two_bodies(), "auto")  # type: ignore[misc]
    with pytest.raises(TypeError):
        graze.contacts(two_triangles(1.0), two_triangles(-1.0), TWO_FACES, 0.1)  # type: ignore[misc]


@pytest.mark.parametrize("keep", [0.0, 1.0, 1 / 65, -1.0, math.nan, math.inf])
def test_keep_out_of_range_is_refused(keep: float) -> None:
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    refused(lambda: graze.Detector(two_bodies()).safe_step(x_t0, x_t1, keep=keep))
    refused(lambda: graze.safe_step(x_t0, x_t1, TWO_FACES, keep=keep))


@pytest.mark.parametrize("d", [-1.0, math.nan, math.inf, -math.inf])
def test_distances_out_of_range_are_refused(d: float) -> None:
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    detector = graze.Detector(two_bodies())
    refused(lambda: detector.proximities(x_t0, d))
    refused(lambda: detector.safe_step(x_t0, x_t1, min_distance=d))
    refused(lambda: graze.safe_step(x_t0, x_t1, TWO_FACES, min_distance=d))


def test_a_static_body_that_moves_is_refused_by_name_or_number() -> None:
    detector = graze.Detector(two_bodies())
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    x_t1[1, 0] += 1
    line = refused(lambda: detector.impacts(x_t0, x_t1), 1)
    assert "floor" in line or "body 0" in line
    assert len(detector.impacts(x_t0, two_triangles(-1.0))) == 3


@pytest.mark.parametrize("method", METHODS)
def test_too_little_memory_is_an_error_that_leaves_the_detector_usable(method: str) -> None:
    faces, x_t0, x_t1 = soup(np.random.default_rng(0), 300, 600)
    scene = graze.Scene()
    scene.add_body(x_t0, faces)
    with pytest.raises(graze.ResourceError):
        graze.Detector(scene, method=method, memory_cap=1).impacts(x_t0, x_t1)
    with pytest.raises(MemoryError):
        graze.find_impacts([(faces, x_t0, x_t1)], memory_cap=1000)
    expected = graze.contacts(x_t0, x_t1, faces)
    enough = graze.Detector(scene, method=method, memory_cap=1 << 30)
    assert enough.impacts(x_t0, x_t1).hash() == expected.hash()


def test_errors_are_of_the_classes_that_python_knows() -> None:
    assert issubclass(graze.InputError, ValueError) and issubclass(graze.InputError, graze.Error)
    assert issubclass(graze.ResourceError, MemoryError) and issubclass(graze.ResourceError, graze.Error)
    assert issubclass(graze.Interrupted, graze.Error) and not issubclass(graze.Interrupted, ValueError)
    assert issubclass(graze.Error, Exception)


def test_a_detector_says_what_it_is() -> None:
    detector = graze.Detector(two_bodies(), method="r-tri", thickness=0.5, tolerance=1e-4)
    assert (detector.method, detector.thickness, detector.tolerance) == ("r-tri", 0.5, 1e-4)
    detector.impacts(two_triangles(4.0), two_triangles(3.0))
    assert detector.memory_bytes > 0 and detector.validate() == ""
    assert detector.scene.body("leaf") == 1


def test_a_detector_keeps_its_own_scene() -> None:
    scene = two_bodies()
    detector = graze.Detector(scene)
    scene.add_body(two_triangles(0.0), TWO_FACES)
    assert detector.scene.body_count == 2
    assert len(detector.impacts(two_triangles(1.0), two_triangles(-1.0))) == 3
    kept = detector.scene
    del detector
    assert kept.body_count == 2 and np.array_equal(kept.triangles, TWO_FACES)


def test_an_error_leaves_a_detector_as_it_was() -> None:
    detector = graze.Detector(two_bodies(), method="adaptive")
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    bad = x_t1.copy()
    bad[4, 1] = np.nan
    for _ in range(5):
        refused(lambda: detector.impacts(x_t0, bad), "x_t1", 4)
        assert len(detector.impacts(x_t0, x_t1)) == 3


@pytest.mark.parametrize("method", METHODS)
def test_a_sequence_of_steps_has_the_contacts_of_single_steps(method: str) -> None:
    x, faces = grid(7)
    rng = np.random.default_rng(4)
    scene = graze.Scene()
    scene.add_body(x, faces)
    detector = graze.Detector(scene, method=method)
    for _ in range(6):
        y = x + rng.normal(scale=0.4, size=x.shape)
        assert detector.impacts(x, y).toi_hash() == graze.contacts(x, y, faces, method="brute").toi_hash()
        x = y


def test_statistics_have_names_and_a_dictionary() -> None:
    stats = graze.contacts(two_triangles(1.0), two_triangles(-1.0), TWO_FACES, method="brute").stats
    # Two triangles have 6 vertex-face pairs and 9 edge-edge pairs that are not incident; bounds cull some.
    assert 3 <= stats.vf_tests <= 6 and stats.ee_tests <= 9
    tests = stats.vf_tests + stats.ee_tests
    assert stats.tiers.filter + stats.tiers.interval + stats.tiers.exact == tests
    values = stats.to_dict()
    assert values["vf_tests"] == stats.vf_tests and values["tiers"]["filter"] == stats.tiers.filter
    assert set(values["cluster"]) >= {"clusters", "kept", "pairs"} and values["total_ms"] == stats.total_ms
    with pytest.raises(AttributeError):
        stats.speed  # noqa: B018


@pytest.mark.parametrize(
    "research, method",
    [
        ({"volume": "kdop26"}, "r-tri"),
        ({"builder": "lbvh"}, "r-tri"),
        ({"edge_bounds": "none"}, "r-tri"),
        ({"cones": "canonical"}, "iccd"),
        ({"cells": "largest"}, "hash"),
        ({"neighbours": "certified"}, "hash"),
    ],
    ids=str,
)
def test_research_options_change_no_answer(research: dict[str, Any], method: Any) -> None:
    faces, x_t0, x_t1 = soup(np.random.default_rng(6), 60, 60)
    scene = graze.Scene()
    scene.add_body(x_t0, faces)
    options = graze.ResearchOptions(**research)
    for key, value in research.items():
        assert key in repr(options.to_dict()) and value in repr(options.to_dict())
    detector = graze.Detector(scene, method=method, research=options)
    assert same(detector.impacts(x_t0, x_t1), graze.contacts(x_t0, x_t1, faces))


@pytest.mark.parametrize("research", [{"volume": "sphere"}, {"speed": 3}, {"volume": 3}, {"frames": -1}], ids=str)
def test_research_options_that_do_not_exist_are_refused(research: dict[str, Any]) -> None:
    with pytest.raises((graze.InputError, TypeError, AttributeError)):
        graze.ResearchOptions(**research)

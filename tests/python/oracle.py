"""Slow, exact answers to compare graze with: distances and intersections of simplices in rational arithmetic.

Nothing here calls graze, and the formulas are not those of graze: a distance is the least of those to all sub-features,
contacts during a step are those of swept features that do not deform. Points are tuples of Fractions or ints; any
degenerate shape is legal. Costs microseconds to milliseconds a pair, so scenes must be small.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Union

Number = Union[int, Fraction]
Point = tuple[Number, Number, Number]


def exact(row: Iterable[Any]) -> Point:
    """The point with exactly these doubles."""
    x, y, z = (Fraction(float(value)) for value in row)
    return x, y, z


def points(rows: Iterable[Iterable[Any]]) -> list[Point]:
    return [exact(row) for row in rows]


def add(a: Point, b: Point) -> Point:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def sub(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scaled(a: Point, factor: Number) -> Point:
    return a[0] * factor, a[1] * factor, a[2] * factor


def dot(a: Point, b: Point) -> Number:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Point, b: Point) -> Point:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def point_segment(v: Point, a: Point, b: Point) -> Number:
    """Square of the distance of a point and a closed segment."""
    e, d = sub(b, a), sub(v, a)
    length = dot(e, e)
    t = Fraction(0) if length == 0 else min(max(Fraction(dot(d, e)) / length, Fraction(0)), Fraction(1))
    r = sub(d, scaled(e, t))
    return dot(r, r)


def point_triangle(v: Point, a: Point, b: Point, c: Point) -> Number:
    """Square of the distance of a point and a closed triangle."""
    n = cross(sub(b, a), sub(c, a))
    least = min(point_segment(v, p, q) for p, q in ((a, b), (b, c), (c, a)))
    area = dot(n, n)
    if area == 0:
        return least
    inside = all(dot(n, cross(sub(q, p), sub(v, p))) >= 0 for p, q in ((a, b), (b, c), (c, a)))
    height = dot(n, sub(v, a))
    return Fraction(height * height) / area if inside else least


def segment_segment(a: Point, b: Point, c: Point, d: Point) -> Number:
    """Square of the distance of two closed segments."""
    least = min(
        point_segment(a, c, d), point_segment(b, c, d), point_segment(c, a, b), point_segment(d, a, b)
    )
    e, f, r = sub(b, a), sub(d, c), sub(a, c)
    ee, ef, ff, er, fr = dot(e, e), dot(e, f), dot(f, f), dot(e, r), dot(f, r)
    determinant = ee * ff - ef * ef
    if determinant == 0:
        return least
    s, t = Fraction(ef * fr - ff * er) / determinant, Fraction(ee * fr - ef * er) / determinant
    if not (0 <= s <= 1 and 0 <= t <= 1):
        return least
    gap = sub(add(a, scaled(e, s)), add(c, scaled(f, t)))
    return dot(gap, gap)


def segment_triangle(p: Point, q: Point, a: Point, b: Point, c: Point) -> bool:
    """Whether a closed segment and a closed triangle share a point."""
    n = cross(sub(b, a), sub(c, a))
    at_p, at_q = dot(n, sub(p, a)), dot(n, sub(q, a))
    if at_p * at_q > 0:
        return False
    if at_p == at_q:  # both 0: coplanar, or a triangle without area
        if point_triangle(p, a, b, c) == 0 or point_triangle(q, a, b, c) == 0:
            return True
        return any(segment_segment(p, q, u, v) == 0 for u, v in ((a, b), (b, c), (c, a)))
    t = Fraction(at_p) / (at_p - at_q)
    return point_triangle(add(p, scaled(sub(q, p), t)), a, b, c) == 0


def edges_of(triangle: Sequence[Point]) -> list[tuple[Point, Point]]:
    a, b, c = triangle
    return [(a, b), (b, c), (c, a)]


def triangle_triangle(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether two closed triangles share a point."""
    return any(segment_triangle(p, q, *other) for p, q in edges_of(one)) or any(
        segment_triangle(p, q, *one) for p, q in edges_of(other)
    )


def triangle_triangle_distance(one: Sequence[Point], other: Sequence[Point]) -> Number:
    """Square of the distance of two closed triangles."""
    if triangle_triangle(one, other):
        return 0
    return min(
        min(point_triangle(v, *other) for v in one),
        min(point_triangle(v, *one) for v in other),
        min(segment_segment(*e, *f) for e, f in itertools.product(edges_of(one), edges_of(other))),
    )


def swept_vertex_face(v: Point, face: Sequence[Point], move: Point) -> bool:
    """Whether a vertex touches a closed triangle while it moves by `move` relative to it."""
    a, b, c = face
    return segment_triangle(v, add(v, move), a, b, c)


def swept_edge_edge(a: Point, b: Point, c: Point, d: Point, move: Point) -> bool:
    """Whether the segment a-b touches the segment c-d while it moves by `move` relative to it.

    It sweeps a parallelogram, two triangles; a flat one is the union of its sides.
    """
    a_end, b_end = add(a, move), add(b, move)
    return segment_triangle(c, d, a, b, b_end) or segment_triangle(c, d, a, b_end, a_end)

"""Pairs of boxes within a distance, and the boxes of lattice cells."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import graze
from meshes import refused


def boxes(rng: np.random.Generator, count: int, lattice: bool) -> Any:
    lo = rng.integers(-6, 7, size=(count, 3)).astype(float) if lattice else rng.uniform(-6, 6, size=(count, 3))
    size = rng.integers(0, 3, size=(count, 3)) if lattice else rng.exponential(size=(count, 3))
    return lo, lo + size


def square_of_distance(lo: np.ndarray, hi: np.ndarray, a: int, b: int) -> Fraction:
    gaps = (
        max(Fraction(lo[a, k]) - Fraction(hi[b, k]), Fraction(lo[b, k]) - Fraction(hi[a, k]), Fraction(0))
        for k in range(3)
    )
    return sum((gap * gap for gap in gaps), Fraction(0))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("lattice", [False, True])
@pytest.mark.parametrize("d", [0.0, 1.0, math.sqrt(2), 5.0])
def test_pairs_are_those_of_exact_arithmetic(seed: int, lattice: bool, d: float) -> None:
    lo, hi = boxes(np.random.default_rng(seed), 40, lattice)
    expected = {
        (a, b): square
        for a, b in itertools.combinations(range(40), 2)
        if (square := square_of_distance(lo, hi, a, b)) <= Fraction(d) ** 2
    }
    result = graze.close_boxes(lo, hi, d)
    assert [tuple(row) for row in result.pairs.tolist()] == sorted(expected) and len(result) == len(expected)
    for row, distance in zip(result.pairs.tolist(), result.distance):
        exact = expected[tuple(row)]
        # Correctly rounded: the square is between those of the midpoints to both neighbours.
        below, above = (Fraction(math.nextafter(distance, to)) for to in (-math.inf, math.inf))
        assert exact == 0 if distance == 0 else ((below + Fraction(distance)) / 2) ** 2 <= exact
        assert exact <= ((above + Fraction(distance)) / 2) ** 2


def test_boxes_that_touch_are_pairs() -> None:
    lo = np.array([(0, 0, 0), (1, 1, 1), (np.nextafter(1, 2), 0, 0)])
    result = graze.close_boxes(lo, lo + (1, 1, 1), 0.0)
    assert result.pairs.tolist() == [[0, 1], [1, 2]] and result.distance.tolist() == [0, 0]
    assert result.pairs.dtype == np.uint32 and not result.pairs.flags.writeable


def test_equal_groups_are_not_tested() -> None:
    lo, hi = np.zeros((4, 3)), np.ones((4, 3))
    assert len(graze.close_boxes(lo, hi, 0.0)) == 6
    expected = [[0, 1], [0, 3], [1, 2], [2, 3]]
    for groups in ([0, 7, 0, 7], np.array([0, 7, 0, 7], dtype=np.uint32), (2**32 - 1, 0, 2**32 - 1, 0)):
        assert graze.close_boxes(lo, hi, 0.0, groups=groups).pairs.tolist() == expected


def test_no_boxes_have_no_pairs() -> None:
    none = np.zeros((0, 3))
    assert graze.close_boxes(none, none, 1.0).pairs.shape == (0, 2)
    assert graze.close_boxes([], [], 1.0).distance.shape == (0,)
    assert len(graze.close_boxes([(0, 0, 0)], [(1, 1, 1)], 1.0)) == 0


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_and_cells_change_nothing(threads: int) -> None:
    lo, hi = boxes(np.random.default_rng(1), 2000, False)
    expected = graze.close_boxes(lo, hi, 0.1, threads=1)
    assert np.array_equal(graze.close_boxes(lo, hi, 0.1, threads=threads).pairs, expected.pairs)
    research = graze.ResearchOptions(cells="largest")
    result = graze.close_boxes(lo, hi, 0.1, threads=threads, research=research)
    assert np.array_equal(result.pairs, expected.pairs) and len(result) > 1000


LO, HI = np.zeros((3, 3)), np.ones((3, 3))


def with_value(array: np.ndarray, row: int, column: int, value: float) -> np.ndarray:
    copy = array.copy()
    copy[row, column] = value
    return copy


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: graze.close_boxes(with_value(LO, 2, 1, np.nan), HI, 0.0), [2, "nan"]),
        (lambda: graze.close_boxes(LO, with_value(HI, 1, 1, np.inf), 0.0), [1, "inf"]),
        (lambda: graze.close_boxes(with_value(LO, 2, 1, 2.0), HI, 0.0), [2]),
        (lambda: graze.close_boxes(LO, HI[:2], 0.0), [3, 2]),
        (lambda: graze.close_boxes(LO[:, :2], HI, 0.0), ["lo", "(3, 2)"]),
        (lambda: graze.close_boxes(LO, HI > 0, 0.0), ["hi", "bool"]),
        (lambda: graze.close_boxes(None, HI, 0.0), ["lo"]),
        (lambda: graze.close_boxes(LO, HI, -1.0), [-1]),
        (lambda: graze.close_boxes(LO, HI, math.nan), ["nan"]),
        (lambda: graze.close_boxes(LO, HI, math.inf), ["inf"]),
        (lambda: graze.close_boxes(LO, HI, 0.0, groups=[0, 1]), ["group", 2, 3]),
        (lambda: graze.close_boxes(LO, HI, 0.0, groups=[0, 1, -1]), ["groups", 2, -1]),
        (lambda: graze.close_boxes(LO, HI, 0.0, groups=[0, 1, 2**32]), ["groups", 2, 2**32]),
        (lambda: graze.close_boxes(LO, HI, 0.0, groups=np.array([0, 1, 2**64 - 1], np.uint64)), ["groups", 2]),
        (lambda: graze.close_boxes(LO, HI, 0.0, groups=[0.0, 1.0, 2.0]), ["groups"]),
        (lambda: graze.close_boxes(LO, HI, 0.0, groups=[[0, 1, 2]]), ["groups", "(1, 3)"]),
        (lambda: graze.close_boxes(LO, HI, 0.0, groups="abc"), ["groups"]),
    ],
)
def test_bad_boxes_are_refused(call: Any, words: list[Any]) -> None:
    refused(call, *words)


def test_memory_and_progress() -> None:
    lo, hi = boxes(np.random.default_rng(1), 3000, False)
    with pytest.raises(graze.ResourceError):
        graze.close_boxes(lo, hi, 1.0, memory_cap=1000)
    with pytest.raises(graze.Interrupted):
        graze.close_boxes(lo, hi, 1.0, progress=lambda share: False)
    with pytest.raises(ZeroDivisionError):
        graze.close_boxes(lo, hi, 1.0, progress=lambda share: 1 / 0)


@pytest.mark.parametrize("dtype", ["i4", "u4", "i8", "u8", "u1"])
def test_boxes_of_lattice_cells_contain_their_corners_at_both_ends(dtype: str) -> None:
    rng = np.random.default_rng(2)
    x_t0, x_t1 = rng.normal(size=(2, 30, 3))
    cells = rng.integers(0, 30, size=(9, 8)).astype(dtype)
    lo, hi = graze.lattice_boxes(cells, x_t0, x_t1)
    both = np.concatenate([x_t0[cells], x_t1[cells]], axis=1)
    assert np.array_equal(lo, both.min(axis=1)) and np.array_equal(hi, both.max(axis=1))


@pytest.mark.parametrize(
    "cells, words",
    [
        ([[0, 1, 2, 3, 4, 5, 6, 30]], [30]),
        ([[0, 1, 2, 3, 4, 5, 6, -1]], [-1]),
        ([[0, 1, 2, 3, 4, 5, 6, 2**32]], [2**32]),
        ([[0, 1, 2, 3]], ["cells", "(1, 4)"]),
        ([0, 1, 2, 3, 4, 5, 6, 7], ["cells", "(8,)"]),
        (np.zeros((1, 8)), ["cells", "float64"]),
        (None, ["cells"]),
    ],
)
def test_bad_cells_are_refused(cells: Any, words: list[Any]) -> None:
    x = np.zeros((30, 3))
    refused(lambda: graze.lattice_boxes(cells, x, x), *words)


def test_lattice_boxes_need_both_ends() -> None:
    x = np.zeros((30, 3))
    cells = np.arange(8)[None]
    refused(lambda: graze.lattice_boxes(cells, x, x[:9]), 30, 9)
    refused(lambda: graze.lattice_boxes(cells, with_value(x, 7, 0, np.nan), x), "x_t0", 7, "nan")
    lo, hi = graze.lattice_boxes(np.zeros((0, 8), int), x, x)
    assert lo.shape == hi.shape == (0, 3)

"""Batches: each result is that of a single call, and an error names the scene."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graze
from meshes import TWO_FACES, refused, same, soup, two_bodies, two_triangles

STEPS = [soup(np.random.default_rng(seed), 10 + 5 * seed, 5 + 4 * seed) for seed in range(12)]
SINGLE = [graze.contacts(x_t0, x_t1, faces) for faces, x_t0, x_t1 in STEPS]


@pytest.mark.parametrize("threads", [0, 1, 2, 5])
def test_results_are_those_of_single_calls(threads: int) -> None:
    results = graze.find_impacts(STEPS, threads=threads)
    assert len(results) == len(STEPS) and sum(map(len, SINGLE)) > 50
    assert all(same(a, b) for a, b in zip(results, SINGLE))
    for result, (faces, x_t0, _) in zip(results, STEPS):
        assert result.scene.triangle_count == len(faces) and len(result.point) == len(result)
    firsts = graze.first_impacts(STEPS, threads=threads)
    for first, single in zip(firsts, SINGLE):
        assert first.toi == (single.toi.min() if len(single) else 1.0)
        assert (first.impact is None) == (len(single) == 0)


@pytest.mark.parametrize("method", ["brute", "hash", "r-tri"])
def test_options_hold_for_all_scenes(method: Any) -> None:
    results = graze.find_impacts(STEPS[:4], method=method, thickness=0.05, tolerance=1e-3)
    for result, (faces, x_t0, x_t1) in zip(results, STEPS):
        assert same(result, graze.contacts(x_t0, x_t1, faces, thickness=0.05, tolerance=1e-3))


def test_no_scenes_have_no_results() -> None:
    assert graze.find_impacts([]) == [] and graze.first_impacts([]) == []
    assert graze.detector_impacts([]) == [] and graze.detector_first_impacts([]) == []


def test_steps_may_be_any_sequences() -> None:
    faces, x_t0, x_t1 = STEPS[3]
    for step in ([faces, x_t0, x_t1], (faces.tolist(), x_t0.tolist(), x_t1.tolist())):
        assert same(graze.find_impacts((step, step))[1], SINGLE[3])


def test_equal_arrays_may_occur_in_several_steps() -> None:
    results = graze.find_impacts([STEPS[5]] * 8)
    assert all(same(result, SINGLE[5]) for result in results)


@pytest.mark.parametrize("call", [graze.find_impacts, graze.first_impacts])
@pytest.mark.parametrize("index", [0, 2])
def test_a_bad_scene_is_named_with_its_array_and_row(call: Any, index: int) -> None:
    steps = [(TWO_FACES, two_triangles(1.0), two_triangles(-1.0)) for _ in range(3)]
    bad = two_triangles(-1.0)
    bad[4, 0] = np.nan
    steps[index] = (TWO_FACES, two_triangles(1.0), bad)
    refused(lambda: call(steps), index, "x_t1", 4, "nan")
    steps[index] = (TWO_FACES + [[0], [1]], two_triangles(1.0), two_triangles(-1.0))
    refused(lambda: call(steps), index, "faces", 1, 6)
    steps[index] = (TWO_FACES, two_triangles(1.0), bad[:5])
    refused(lambda: call(steps), index)


@pytest.mark.parametrize("call", [graze.find_impacts, graze.first_impacts])
@pytest.mark.parametrize(
    "steps",
    [None, 3, "abc", [None], [3], [(TWO_FACES,)], [(1, 2, 3, 4)], [("a", "b", "c")], {"a": 1}, [()]],
    ids=str,
)
def test_what_are_no_steps_is_refused(call: Any, steps: Any) -> None:
    with pytest.raises((TypeError, graze.InputError)):
        call(steps)


def detectors(count: int) -> list[graze.Detector]:
    return [graze.Detector(two_bodies()) for _ in range(count)]


def test_detectors_of_a_batch_answer_as_alone() -> None:
    heights = [0.5 * i for i in range(6)]
    steps = [
        (detector, two_triangles(height), two_triangles(height - 1.25))
        for detector, height in zip(detectors(6), heights)
    ]
    expected = [graze.contacts(x_t0, x_t1, TWO_FACES) for _, x_t0, x_t1 in steps]
    for threads in (0, 1, 3):
        assert all(map(same, graze.detector_impacts(steps, threads=threads), expected))
        firsts = graze.detector_first_impacts(steps, threads=threads)
        assert [f.toi for f in firsts] == [e.toi.min() if len(e) else 1.0 for e in expected]
    assert [len(e) for e in expected] == [3, 3, 3, 0, 0, 0]


@pytest.mark.parametrize("call", [graze.detector_impacts, graze.detector_first_impacts])
def test_a_detector_twice_is_refused(call: Any) -> None:
    one, two = detectors(2)
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    with pytest.raises(graze.Error):
        call([(one, x_t0, x_t1), (two, x_t0, x_t1), (one, x_t0, x_t1)])
    assert len(one.impacts(x_t0, x_t1)) == 3 and len(two.impacts(x_t0, x_t1)) == 3


@pytest.mark.parametrize("call", [graze.detector_impacts, graze.detector_first_impacts])
def test_bad_input_is_refused_before_any_detector_works(call: Any) -> None:
    one, two = detectors(2)
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    bad = x_t1.copy()
    bad[5, 1] = np.inf
    refused(lambda: call([(one, x_t0, x_t1), (two, x_t0, bad)]), 1, 5, "inf")
    for step in ((None, x_t0, x_t1), (two, x_t0), (two, None, x_t1), (two_bodies(), x_t0, x_t1), None):
        with pytest.raises((TypeError, graze.InputError)):
            call([(one, x_t0, x_t1), step])
    assert len(one.impacts(x_t0, x_t1)) == 3 and len(two.impacts(x_t0, x_t1)) == 3


@pytest.mark.parametrize("call", [graze.find_impacts, graze.first_impacts])
def test_progress_is_called_and_stops_a_batch(call: Any) -> None:
    shares: list[float] = []
    call(STEPS, progress=lambda share: shares.append(share))
    assert shares and all(0.0 <= share <= 1.0 for share in shares)
    with pytest.raises(graze.Interrupted):
        call(STEPS, progress=lambda share: False)


def test_an_exception_of_a_detectors_progress_is_the_one_that_was_raised() -> None:
    error = RuntimeError("mine")

    def fail(share: float) -> None:
        raise error

    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    steps = [(detector, x_t0, x_t1) for detector in detectors(3)]
    steps.append((graze.Detector(two_bodies(), progress=fail), x_t0, x_t1))
    with pytest.raises(RuntimeError) as caught:
        graze.detector_impacts(steps)
    assert caught.value is error
    assert len(graze.detector_impacts(steps[:3])[2]) == 3


def test_a_batch_inside_a_callable_of_one_of_its_detectors_is_refused() -> None:
    one, two = detectors(2)
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    with pytest.raises(graze.Error):
        one.impacts(x_t0, x_t1, sink=lambda b: graze.detector_impacts([(two, x_t0, x_t1), (one, x_t0, x_t1)]) and None)
    assert len(two.impacts(x_t0, x_t1)) == 3


def test_a_memory_cap_that_does_not_suffice_names_the_scene() -> None:
    with pytest.raises(graze.ResourceError, match="scene"):
        graze.find_impacts(STEPS, memory_cap=1)

"""Threads: detectors are independent, one detector in two threads is an error, and the GIL is released."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import graze
from meshes import TWO_FACES, run_python, same, soup, two_bodies, two_triangles


def scene_and_steps(seed: int, steps: int = 4) -> Any:
    rng = np.random.default_rng(seed)
    faces, x, _ = soup(rng, 150, 200)
    scene = graze.Scene()
    scene.add_body(x, faces)
    positions = [x]
    for _ in range(steps):
        positions.append(positions[-1] + rng.normal(scale=0.1, size=x.shape))
    return scene, positions


def together(*work: Callable[[], Any]) -> list[Any]:
    """Runs these at the same time; raises what one of them raises."""
    barrier = threading.Barrier(len(work))

    def start(one: Callable[[], Any]) -> Any:
        barrier.wait(timeout=30)
        return one()

    with ThreadPoolExecutor(len(work)) as pool:
        return [future.result(timeout=60) for future in [pool.submit(start, one) for one in work]]


@pytest.mark.parametrize("methods", [("auto", "auto"), ("auto", "hash"), ("adaptive", "r-tri"), ("iccd", "brute")])
def test_two_detectors_answer_at_once(methods: Any) -> None:
    scenes = [scene_and_steps(seed) for seed in (0, 1)]
    expected = [
        [graze.contacts(x, y, scene.triangles).toi_hash() for x, y in zip(xs, xs[1:])] for scene, xs in scenes
    ]

    def follow(index: int) -> list[int]:
        scene, xs = scenes[index]
        detector = graze.Detector(scene, method=methods[index])
        return [detector.impacts(x, y).toi_hash() for _ in range(5) for x, y in zip(xs, xs[1:])]

    found = together(lambda: follow(0), lambda: follow(1))
    assert found == [expected[0] * 5, expected[1] * 5]


def test_functions_without_a_detector_run_in_many_threads() -> None:
    steps = [soup(np.random.default_rng(seed), 60, 60) for seed in range(8)]
    expected = [graze.contacts(x_t0, x_t1, faces) for faces, x_t0, x_t1 in steps]

    def work(seed: int) -> graze.Impacts:
        faces, x_t0, x_t1 = steps[seed]
        for _ in range(10):
            result = graze.contacts(x_t0, x_t1, faces, threads=2)
        return result

    assert all(map(same, together(*(lambda seed=seed: work(seed) for seed in range(8))), expected))


def test_threads_share_a_scene_a_result_and_an_object() -> None:
    scene, xs = scene_and_steps(2)
    result = graze.Detector(scene).impacts(xs[0], xs[1])

    def work() -> Any:
        detector = graze.Detector(scene)
        part = result[::2]
        return detector.impacts(xs[0], xs[1]).hash(), part.hash(), float(result.toi.sum()), scene.copy().body_count

    answers = together(*[work] * 6)
    assert answers == [answers[0]] * 6 and answers[0][0] == result.hash()


def hold(detector: graze.Detector, entered: threading.Event, leave: threading.Event) -> graze.Stats:
    """A query that stays inside its sink until it may leave."""

    def sink(batch: graze.Impacts) -> None:
        entered.set()
        assert leave.wait(timeout=30)

    return detector.impacts(two_triangles(1.0), two_triangles(-1.0), sink=sink)


X = two_triangles(1.0)
CALLS: dict[str, Callable[[graze.Detector], Any]] = {
    "impacts": lambda d: d.impacts(X, X),
    "impacts with a sink": lambda d: d.impacts(X, X, sink=lambda batch: None),
    "first_impact": lambda d: d.first_impact(X, X),
    "safe_step": lambda d: d.safe_step(X, X),
    "intersections": lambda d: d.intersections(X),
    "proximities": lambda d: d.proximities(X, 1.0),
    "detector_impacts": lambda d: graze.detector_impacts([(d, X, X)]),
    "detector_first_impacts": lambda d: graze.detector_first_impacts([(d, X, X)]),
    "begin_edit": lambda d: d.begin_edit(),
    "apply": lambda d: d.apply(graze.Scene().begin_edit()),
    "validate": lambda d: d.validate(),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_detector_that_is_busy_in_another_thread_refuses(name: str) -> None:
    detector = graze.Detector(two_bodies())
    entered, leave = threading.Event(), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(hold, detector, entered, leave)
        try:
            assert entered.wait(timeout=30)
            with pytest.raises(graze.Error) as caught:
                CALLS[name](detector)
        finally:
            leave.set()
        future.result(timeout=30)
    assert "\n" not in str(caught.value) and str(caught.value)
    assert len(detector.impacts(two_triangles(1.0), two_triangles(-1.0))) == 3


def test_what_a_busy_detector_is_can_be_asked() -> None:
    detector = graze.Detector(two_bodies())
    entered, leave = threading.Event(), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(hold, detector, entered, leave)
        assert entered.wait(timeout=30)
        try:
            assert detector.method == "auto" and detector.scene.body_count == 2 and repr(detector)
        finally:
            leave.set()
        future.result(timeout=30)


def test_one_detector_in_many_threads_never_crashes() -> None:
    code = """
import threading
import numpy as np
import graze
from meshes import soup
faces, x_t0, x_t1 = soup(np.random.default_rng(0), 200, 300)
scene = graze.Scene()
scene.add_body(x_t0, faces)
expected = graze.contacts(x_t0, x_t1, faces).hash()
detector = graze.Detector(scene)
answers, refusals = [], []
def work(k):
    for i in range(40):
        try:
            if i % 4 == 0:
                edit = detector.begin_edit()
                edit.add_vertex(0, (0, 0, 0))  # never applied
            if i % 4 == 1:
                detector.memory_bytes, detector.validate(), detector.scene.positions.sum()
            answers.append(detector.impacts(x_t0, x_t1).hash() == expected)
        except graze.InputError:
            raise
        except graze.Error:
            refusals.append(k)
threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
[t.start() for t in threads]
[t.join() for t in threads]
assert all(answers) and answers
assert detector.impacts(x_t0, x_t1).hash() == expected
print("done")
"""
    assert run_python(code).strip() == "done"


def test_python_runs_while_graze_works() -> None:
    faces, x_t0, x_t1 = soup(np.random.default_rng(0), 3000, 3000)
    scene = graze.Scene()
    scene.add_body(x_t0, faces)
    detector = graze.Detector(scene, method="brute", threads=1)
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks
    detector.first_impact(x_t0, x_t1)
    detector.impacts(x_t0, x_t1)
    during = ticks - before
    done.set()
    thread.join()
    assert during > 10, f"the other thread ran {during} times during two long queries"


def test_a_sink_may_wait_for_another_thread() -> None:
    other = graze.Detector(two_bodies())
    found: list[int] = []
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)

    def sink(batch: graze.Impacts) -> None:
        thread = threading.Thread(target=lambda: found.append(len(other.impacts(x_t0, x_t1))))
        thread.start()
        thread.join(timeout=30)

    graze.Detector(two_bodies()).impacts(x_t0, x_t1, sink=sink)
    assert found == [3]


def test_progress_of_batches_in_many_threads() -> None:
    steps = [soup(np.random.default_rng(seed), 40, 40) for seed in range(20)]
    expected = [result.hash() for result in graze.find_impacts(steps)]

    def work() -> list[int]:
        shares: list[float] = []
        results = graze.find_impacts(steps, threads=2, progress=lambda share: shares.append(share))
        assert shares
        return [result.hash() for result in results]

    assert together(*[work] * 4) == [expected] * 4


def test_a_thread_may_end_with_a_result_in_hand() -> None:
    kept: list[Any] = []

    def work() -> None:
        result = graze.contacts(two_triangles(1.0), two_triangles(-1.0), TWO_FACES)
        kept.extend([result, result.toi, result[0]])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(kept[0]) == 3 and kept[1].shape == (3,) and kept[2].toi == kept[1][0]

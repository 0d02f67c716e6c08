"""Ctrl-C: a query stops soon, the exception is KeyboardInterrupt, and what was interrupted works afterwards.

Each test runs in a process of its own, because a signal reaches the main thread only.
"""

from __future__ import annotations

import os

import pytest

from meshes import run_python

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")

#: Queries that take far longer than the tests allow if nothing stops them.
QUERIES = {
    "impacts": "detector.impacts(x_t0, x_t1)",
    "impacts with a sink": "detector.impacts(x_t0, x_t1, sink=lambda batch: None)",
    "first_impact": "detector.first_impact(apart, apart)",
    "safe_step": "detector.safe_step(apart, apart)",
    "intersections": "detector.intersections(x_t0)",
    "proximities": "detector.proximities(x_t0, 0.1)",
    "with progress": "watched.impacts(x_t0, x_t1)",
    "contacts": "graze.contacts(x_t0, x_t1, faces, method='brute', threads=1)",
    "find_impacts": "graze.find_impacts([(faces, x_t0, x_t1)] * 2, method='brute', threads=1)",
    "first_impacts": "graze.first_impacts([(faces, apart, apart)] * 2, method='brute', threads=2)",
    "detector_impacts": "graze.detector_impacts([(detector, x_t0, x_t1), (watched, x_t0, x_t1)])",
    "first_hits": "rigid.first_hits(one, around, many, many, threads=1)",
    "triangle_pairs": "rigid.triangle_pairs(one, one, many, many, threads=1)",
    "close_boxes": "graze.close_boxes(lo, lo + 0.05, 0.0, threads=1)",
}

CODE = """
import os
import signal
import threading
import numpy as np
import graze
from graze import rigid
from meshes import soup, sphere, two_bodies, two_triangles

rng = np.random.default_rng(0)
count = 60000
faces = rng.integers(0, count, size=(count, 3))
x_t0 = rng.uniform(size=(count, 3))
x_t1 = x_t0 + rng.normal(scale=0.1, size=x_t0.shape)
# Triangles in layers: no contact, and every pair is looked at.
apart = np.column_stack([x_t0[:, :2], np.zeros(count)])
faces = np.arange(count).reshape(-1, 3) if {layers} else faces
apart[:, 2] = np.arange(count) // 3
scene = graze.Scene()
scene.add_body(x_t0, faces)
detector = graze.Detector(scene, method="brute", threads=1)
watched = graze.Detector(scene, method="brute", threads=1, progress=lambda share: True)
lo = rng.uniform(size=(10 * count, 3))
vertices, sides = sphere(40)
one, around = rigid.Object(vertices, sides), rigid.Object(1.01 * vertices, sides)
many = np.stack([rigid.pose_from_axis_angle((1, 2, 3), 0.001 * i) for i in range(20000)])

sent = []
def send():
    sent.append(True)
    os.kill(os.getpid(), signal.SIGINT)
timer = threading.Timer(0.3, send)
timer.start()
try:
    {query}
except KeyboardInterrupt:
    print("interrupted")
else:
    raise SystemExit("the query was not interrupted" if sent else "the query ended before the signal")
assert len(graze.Detector(two_bodies()).impacts(two_triangles(1.0), two_triangles(-1.0))) == 3
"""


@pytest.mark.parametrize("name", QUERIES)
def test_a_long_query_stops_at_ctrl_c(name: str) -> None:
    layers = "apart" in QUERIES[name]
    # A whole query takes minutes: one that goes on after the signal ends at the time limit.
    assert run_python(CODE.format(query=QUERIES[name], layers=layers), timeout=60).strip() == "interrupted"


def test_an_interrupted_detector_answers_again() -> None:
    code = """
import signal
import numpy as np
import graze
from meshes import soup
faces, x_t0, x_t1 = soup(np.random.default_rng(0), 100, 100)
scene = graze.Scene()
scene.add_body(x_t0, faces)
expected = graze.contacts(x_t0, x_t1, faces)
for method in graze.methods():
    calls = []
    def raise_once(share):
        calls.append(share)
        if len(calls) == 2:
            signal.raise_signal(signal.SIGINT)
    detector = graze.Detector(scene, method=method, progress=raise_once)
    for query in (lambda: detector.impacts(x_t0, x_t1), lambda: detector.proximities(x_t0, 0.01)):
        try:
            for _ in range(50):
                query()
        except KeyboardInterrupt:
            print("interrupted")
        calls = [0, 0, 0]
        assert detector.impacts(x_t0, x_t1).toi_hash() == expected.toi_hash(), method
        calls = []
"""
    assert run_python(code).count("interrupted") == 18


def test_a_handler_of_the_user_decides() -> None:
    code = """
import signal
import graze
from meshes import two_bodies, two_triangles
class Stop(Exception):
    pass
def handler(number, frame):
    raise Stop
signal.signal(signal.SIGTERM, handler)
seen = []
signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(number))
def sink(batch):
    signal.raise_signal(signal.SIGUSR1)
    signal.raise_signal(signal.SIGTERM)
detector = graze.Detector(two_bodies())
try:
    detector.impacts(two_triangles(1.0), two_triangles(-1.0), sink=sink)
except Stop:
    print("stopped")
assert seen and len(detector.impacts(two_triangles(1.0), two_triangles(-1.0))) == 3
"""
    assert run_python(code).strip() == "stopped"


def test_a_query_in_another_thread_goes_on() -> None:
    code = """
import signal
import threading
import time
import numpy as np
import graze
from meshes import soup
faces, x_t0, x_t1 = soup(np.random.default_rng(0), 1500, 1500)
expected = graze.contacts(x_t0, x_t1, faces).hash()
found = []
def work():
    for _ in range(3):
        found.append(graze.contacts(x_t0, x_t1, faces, method="brute", threads=1).hash())
def wait():  # not by join, which an exception ends for good in some versions of Python
    while len(found) < 3:
        time.sleep(0.01)
threading.Thread(target=work).start()
try:
    threading.Timer(0.02, lambda: signal.raise_signal(signal.SIGINT)).start()
    wait()
except KeyboardInterrupt:
    print("interrupted")
wait()
assert found == [expected] * 3
"""
    assert run_python(code).strip() == "interrupted"


def test_a_process_may_end_while_another_thread_works() -> None:
    code = """
import threading
import numpy as np
import graze
from meshes import soup
faces, x_t0, x_t1 = soup(np.random.default_rng(0), 2000, 2000)
def work():
    while True:
        graze.contacts(x_t0, x_t1, faces, method="brute", threads=1)
threading.Thread(target=work, daemon=True).start()
detector = graze.Detector(graze.Scene(), progress=lambda share: True)
print("ends")
"""
    assert run_python(code).strip() == "ends"

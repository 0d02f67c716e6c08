"""Several bodies, one of them static, and impacts streamed in batches: no list of all contacts is kept, as in a
simulator's inner loop or for very many contacts. Ends with an AssertionError if an answer is wrong."""

from __future__ import annotations

import numpy as np

import graze

FLOOR = np.array([[-4.0, -4.0, 0.0], [4.0, -4.0, 0.0], [4.0, 4.0, 0.0], [-4.0, 4.0, 0.0]])
KITE = np.array([[0.0, 0.0, 1.0], [1.0, 0.5, 2.0], [0.0, 1.0, 3.0]])


def main() -> None:
    # A floor, and two kites above it that fall through it while one passes through the other.
    scene = graze.Scene()
    floor = scene.add_body(FLOOR, [[0, 1, 2], [0, 2, 3]], name="floor", static=True)
    scene.add_body(KITE, [[0, 1, 2]], name="left")
    scene.add_body(KITE, [[0, 1, 2]], name="right")
    scene.ignore_pair("floor", "left")  # the left kite may pass through the floor

    x_t0 = scene.positions.copy()
    x_t1 = x_t0.copy()
    x_t0[scene.vertices("right"), 0] += 0.25  # the right kite starts beside the left one
    for name in ("left", "right"):
        x_t1[scene.vertices(name), 2] -= 2.0

    on_floor = 0
    total = 0

    def count(batch: graze.Impacts) -> None:
        """Gets each batch of impacts; it may return False to stop the query."""
        nonlocal on_floor, total
        on_floor += int((batch.body == floor).any(axis=1).sum())
        total += len(batch)

    detector = graze.Detector(scene)
    stats = detector.impacts(x_t0, x_t1, sink=count)
    print(f"{on_floor} impacts with the floor, {total - on_floor} between the kites, in {stats.total_ms:.2f} ms")
    # The tip of the right kite touches the floor, and so do its two edges, on the floor's diagonal.
    assert on_floor == 3 and total > on_floor
    assert total == len(detector.impacts(x_t0, x_t1))

    # False from the callback stops the query at the first batch.
    calls = 0

    def stop(_: graze.Impacts) -> bool:
        nonlocal calls
        calls += 1
        return False

    try:
        detector.impacts(x_t0, x_t1, sink=stop)
    except graze.Interrupted:
        print(f"stopped after {calls} batch")
    assert calls == 1


if __name__ == "__main__":
    main()

"""Pictures of results with matplotlib: the culling funnel, the steps of a sequence, contacts on the mesh.

Each function draws into the axes that it is given, or into a new figure, and returns the axes: titles, sizes and
files are the caller's. matplotlib is imported by the first picture, so `import graze` does not need it.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._graze import FirstImpact, Impacts, Intersections, Proximities, SafeStep, Stats

__all__ = ["Stage", "contacts", "funnel", "stages", "steps"]

# Axes and figures of matplotlib, which has no types before version 3.8.
_Axes = Any

_BLUE, _LIGHT_BLUE, _ORANGE, _GREY = "#3b6fb6", "#a9c3e6", "#d97b29", "#8a8a8a"
_ONE_PAIR = 0.7  # left end of the logarithmic axis, below 1 so that the bar of one pair is visible
_REMOVED = np.uint32(0xFFFFFFFF)  # vertex id in a triangle that an edit removed


class Stage(NamedTuple):
    """One stage of the funnel: how many pairs reach it, and their share of the stage above."""

    key: str
    name: str
    pairs: int
    left: float | None  # None for the first stage, and below a stage without pairs
    aside: bool  # a part of the stage above; the next stage is compared with the stage above this one


# Keys, order and names of the stages are those of the program: `graze detect --stats`.
_NAMES = {
    "voxel_pairs": "pairs in voxels",
    "bounds": "bounds compared",
    "box_pairs": "boxes overlap",
    "cluster_pairs": "cluster pairs",
    "triangle_pairs": "triangle pairs",
    "kept_pairs": "pairs kept",
    "admissible_pairs": "pairs admissible",
    "element_pairs": "element pairs",
    "feature_tests": "features compared",
    "feature_pairs": "feature pairs",
    "tests": "elementary tests",
    "past_filter": "past the filter",
    "solved": "roots isolated",
    "exact": "in exact arithmetic",
    "contacts": "contacts",
}
_ASIDE = {"exact"}


def _counters(stats: Stats, contacts: int | None) -> dict[str, int]:
    """Pairs of the stages that the query's method has, in the order in which pairs pass them."""
    clustered = stats.cluster.clusters > 0
    hashed = stats.hash.entries > 0
    kept = stats.coherence.pairs > 0 or stats.coherence.admissible > 0
    tests = int(stats.vf_tests + stats.ee_tests)
    past_filter = max(tests - int(stats.tiers.filter), 0)
    solved = int(stats.tiers.interval + stats.tiers.exact)
    every: list[tuple[bool, str, int]] = [
        (hashed, "voxel_pairs", stats.hash.voxel_pairs),
        (not hashed, "bounds", stats.bv_tests),  # hash counts two levels of bounds together
        (hashed, "box_pairs", stats.hash.box_pairs),
        (clustered, "cluster_pairs", stats.cluster.pairs),
        (not clustered or stats.triangle_pairs > 0, "triangle_pairs", stats.triangle_pairs),
        (kept, "kept_pairs", stats.coherence.pairs),
        (kept, "admissible_pairs", stats.coherence.admissible),
        (hashed, "element_pairs", stats.hash.element_pairs),
        (clustered, "feature_tests", stats.cluster.feature_tests),
        (clustered, "feature_pairs", stats.cluster.feature_pairs),
        (True, "tests", tests),
        (True, "past_filter", past_filter),
        (solved < past_filter, "solved", solved),  # first_impact drops pairs that can only touch later
        (True, "exact", stats.tiers.exact),
        (contacts is not None, "contacts", contacts or 0),
    ]
    present = [(key, int(pairs)) for has, key, pairs in every if has]
    counters: dict[str, int] = {}
    later = False  # a later stage has pairs, which did not pass a stage without pairs
    for key, pairs in reversed(present):
        is_stage = key != "contacts" and key not in _ASIDE
        if pairs > 0 or not is_stage or not later:
            counters[key] = pairs
        later = later or (is_stage and pairs > 0)
    return dict(reversed(counters.items()))


def _counters_of(source: Any) -> dict[str, int]:
    if isinstance(source, Stats):
        return _counters(source, None)
    if isinstance(source, (Impacts, Proximities)):
        return _counters(source.stats, len(source))
    if isinstance(source, Intersections):
        return _counters(source.stats, len(source.edges))
    if isinstance(source, FirstImpact):
        return _counters(source.stats, 0 if source.impact is None else 1)
    if isinstance(source, SafeStep):
        return _counters(source.stats, 0 if source.limit is None else 1)
    raise TypeError(
        f"graze.plot.funnel takes a result of a query, its stats, or a sequence of them, not {_type_name(source)}"
    )


def stages(source: Any) -> list[Stage]:
    """Returns the stages of the culling funnel of a result, of its `stats`, or the sum of a sequence of them."""
    if isinstance(source, Iterable) and not isinstance(source, (Impacts, Proximities)):
        total: dict[str, int] = {}
        for one in source:
            for key, pairs in _counters_of(one).items():
                total[key] = total.get(key, 0) + pairs
        counters = {key: total[key] for key in _NAMES if key in total}
    else:
        counters = _counters_of(source)
    result: list[Stage] = []
    above: int | None = None  # pairs of the stage above, those aside left out
    for key, pairs in counters.items():
        result.append(Stage(key, _NAMES[key], pairs, pairs / above if above else None, key in _ASIDE))
        if key not in _ASIDE:
            above = pairs
    return result


def funnel(stats_or_result: Any, *, ax: _Axes = None) -> _Axes:
    """Draws how many pairs each stage of a query leaves, from bounds to contacts, on a logarithmic axis.

    Takes a result, its `stats` (then without the stage of contacts), or a sequence of them, whose pairs it adds. The
    text at a bar has its pairs and their share of the stage above. "in exact arithmetic" is a part of the stage
    above it.
    """
    rows = stages(stats_or_result)
    if ax is None:
        _, ax = _pyplot().subplots(figsize=(7.0, 0.6 + 0.36 * len(rows)), layout="constrained")
    for row, stage in enumerate(rows):
        if stage.pairs > 0:  # a logarithmic axis has no zero: a stage without pairs has a text and no bar
            color = _LIGHT_BLUE if stage.aside else _ORANGE if stage.key == "contacts" else _BLUE
            ax.barh(row, stage.pairs - _ONE_PAIR, left=_ONE_PAIR, color=color, height=0.5 if stage.aside else 0.8)
        text = f"{stage.pairs:,}" + ("" if stage.left is None else f"   {_left_text(stage.left)}")
        ax.annotate(text, (max(stage.pairs, _ONE_PAIR), row), (4, 0), textcoords="offset points", va="center")
    ax.set_yticks(range(len(rows)), [("  " if stage.aside else "") + stage.name for stage in rows])
    ax.invert_yaxis()
    ax.set_xscale("log")
    # The axis is longer than the longest bar by the room for its text.
    most = max([stage.pairs for stage in rows] + [2])
    ax.set_xlim(_ONE_PAIR, _ONE_PAIR * (most / _ONE_PAIR) ** 1.35)
    ax.set_xlabel("pairs")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def _left_text(left: float) -> str:
    if left > 1.0:
        return f"x {left:.{2 if left < 10.0 else 1 if left < 100.0 else 0}f}"
    if 0.0 < left < 0.0001:
        return "< 0.01 %"
    return f"{100.0 * left:.{2 if left < 0.1 else 1}f} %"


def steps(results: Sequence[Impacts], *, ax: Sequence[_Axes] | None = None) -> tuple[_Axes, _Axes, _Axes]:
    """Draws a sequence of steps: contacts of both kinds, the earliest time of impact, and milliseconds by stage.

    `ax` is a sequence of three axes; the new figure has them one above the other. Steps without a contact have no
    point in the chart of times of impact.
    """
    rows = list(results)
    for row, result in enumerate(rows):
        if not isinstance(result, Impacts):
            raise TypeError(
                f"graze.plot.steps takes a sequence of Impacts, but element {row} is {_type_name(result)}"
            )
    if not rows:
        raise ValueError("graze.plot.steps needs at least one step")
    if ax is None:
        _, ax = _pyplot().subplots(3, 1, sharex=True, figsize=(7.0, 6.0), layout="constrained")
    if len(ax) != 3:
        raise ValueError(f"graze.plot.steps draws into three axes, but `ax` has {len(ax)}")
    count_axes, toi_axes, time_axes = ax
    x = np.arange(len(rows))

    vf = np.array([result.vf_count for result in rows], dtype=np.int64)
    ee = np.array([result.ee_count for result in rows], dtype=np.int64)
    count_axes.bar(x, vf, color=_BLUE, label="vertex–face")
    count_axes.bar(x, ee, bottom=vf, color=_LIGHT_BLUE, label="edge–edge")
    count_axes.set_ylabel("contacts")
    count_axes.legend(frameon=False)

    touching = np.array([len(result) > 0 for result in rows])
    earliest = np.array([result.toi.min() for result in rows if len(result) > 0], dtype=np.float64)
    toi_axes.plot(x[touching], earliest, "o", color=_ORANGE, markersize=4)
    toi_axes.set_ylim(-0.05, 1.05)
    toi_axes.set_ylabel("earliest toi")

    bottom = np.zeros(len(rows))
    total = np.array([result.stats.total_ms for result in rows], dtype=np.float64)
    for name, color in (("update", _GREY), ("traverse", _BLUE), ("narrow", _ORANGE)):
        ms = np.array([getattr(result.stats, name + "_ms") for result in rows], dtype=np.float64)
        time_axes.bar(x, ms, bottom=bottom, color=color, label=name)
        bottom += ms
    rest = np.maximum(total - bottom, 0.0)  # stages and total are timed separately
    time_axes.bar(x, rest, bottom=bottom, color="#dddddd", label="the rest")
    time_axes.set_ylabel("ms")
    time_axes.set_xlabel("step")
    time_axes.legend(frameon=False, ncol=4)
    return count_axes, toi_axes, time_axes


def contacts(result: Impacts, x: npt.ArrayLike | None = None, *, ax: _Axes = None) -> _Axes:
    """Draws the edges of the mesh, and the contact points coloured by time of impact, in three dimensions.

    `x` are the positions of the mesh, by default those at the end of the step. A part of a result (a slice, a batch
    of a stream) does not have them: name them then. Contact points are where the features first touch, so they are
    on the mesh at their own times of impact. matplotlib is slow beyond some 10,000 triangles; `graze.show` is not.
    """
    if not isinstance(result, Impacts):
        raise TypeError(f"graze.plot.contacts takes Impacts, not {_type_name(result)}")
    if x is None:
        x = result.x_t1
    if x is None:
        raise ValueError(
            "graze.plot.contacts: a part of a result has no positions; name those of the mesh, "
            "for example graze.plot.contacts(part, whole.x_t1)"
        )
    positions = np.asarray(x, dtype=np.float64)
    if positions.shape != (result.scene.vertex_count, 3):
        raise ValueError(
            f"graze.plot.contacts: x has shape {positions.shape}, "
            f"but the scene has {result.scene.vertex_count} vertices"
        )
    plt = _pyplot()
    if ax is None:
        ax = plt.figure(figsize=(7.0, 6.0), layout="constrained").add_subplot(projection="3d")
    if getattr(ax, "name", "") != "3d":
        raise ValueError(
            "graze.plot.contacts draws into axes of three dimensions: figure.add_subplot(projection='3d')"
        )
    edges = _edges(result.scene.triangles)
    lines = importlib.import_module("mpl_toolkits.mplot3d.art3d").Line3DCollection(
        positions[edges], colors=_GREY, linewidths=0.4, alpha=0.6
    )
    ax.add_collection3d(lines)
    points = result.point
    if len(points) > 0:
        marks = ax.scatter(*points.T, c=result.toi, cmap="viridis", vmin=0.0, vmax=1.0, s=14, depthshade=False)
        ax.figure.colorbar(marks, ax=ax, label="time of impact", shrink=0.7, pad=0.15)
    shown = np.concatenate([positions[np.unique(edges)], points])
    if len(shown) > 0:
        _set_equal_limits(ax, shown)
    ax.set_xlabel("x")
    ax.set_ylabel("y")
    ax.set_zlabel("z")
    return ax


def _edges(triangles: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Edges of the triangles, each once, n x 2."""
    there = triangles[(triangles != _REMOVED).all(axis=1)]
    ends = np.sort(np.concatenate([there[:, [0, 1]], there[:, [1, 2]], there[:, [2, 0]]]), axis=1)
    edges: npt.NDArray[np.uint32] = np.unique(ends, axis=0)
    return edges


def _set_equal_limits(ax: _Axes, points: npt.NDArray[np.float64]) -> None:
    """Shows all points, with one scale for the three axes."""
    lo, hi = points.min(axis=0), points.max(axis=0)
    size = np.maximum(hi - lo, max(float((hi - lo).max()), 1e-300) * 0.2)  # a flat mesh gets a box that is not flat
    middle = lo + 0.5 * (hi - lo)
    for axis, setter in enumerate((ax.set_xlim, ax.set_ylim, ax.set_zlim)):
        setter(middle[axis] - 0.5 * size[axis], middle[axis] + 0.5 * size[axis])
    ax.set_box_aspect(size / size.max())


def _pyplot() -> Any:
    try:
        return importlib.import_module("matplotlib.pyplot")
    except ImportError as error:
        raise ImportError("graze.plot needs matplotlib: pip install matplotlib") from error


def _type_name(value: object) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"

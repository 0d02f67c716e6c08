"""graze.plot: what the charts show is what the results say, in the order and with the names of the program."""

from __future__ import annotations

import json
import pathlib
import re
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import graze
from graze import _program
from meshes import TWO_FACES, grid, refused, run_python, same, sphere, two_triangles

matplotlib = pytest.importorskip("matplotlib", reason="the charts need matplotlib")
matplotlib.use("Agg")

from matplotlib import pyplot as plt  # noqa: E402  # the backend is chosen above

from graze import plot  # noqa: E402


@pytest.fixture(autouse=True)
def closed_figures() -> Iterator[None]:
    yield
    plt.close("all")


def falling(height: float = -1.0, **options: Any) -> graze.Impacts:
    return graze.contacts(two_triangles(1.0), two_triangles(height), TWO_FACES, **options)


def cloth_on_ball() -> tuple[graze.Scene, np.ndarray, np.ndarray]:
    """A sheet that falls through a ball: a few hundred contacts."""
    scene = graze.Scene()
    sheet, faces = grid(12)
    scene.add_body(sheet * 0.25 + [-1.3, -1.4, 1.2], faces, name="sheet")
    scene.add_body(*sphere(10), name="ball")
    x_t0 = scene.positions.copy()
    x_t1 = x_t0.copy()
    x_t1[scene.vertices("sheet"), 2] -= 1.5
    return scene, x_t0, x_t1


METHODS = ["auto", "brute", "r-tri", "iccd", "adaptive", "hash", "basic", "no-dupl", "adj"]


@pytest.mark.parametrize("method", METHODS)
def test_stages_are_those_of_the_program(method: Any, tmp_path: pathlib.Path) -> None:
    import subprocess

    if not _program.path().exists():
        pytest.skip(f"there is no program at {_program.path()}")
    scene, x_t0, x_t1 = cloth_on_ball()
    result = graze.Detector(scene, method=method).impacts(x_t0, x_t1)
    graze.write_capture(tmp_path / "step.graze", graze.Capture(scene, x_t0, x_t1, result))
    run = subprocess.run(
        [_program.path(), "detect", "step.graze", "--method", method, "--report", "page.html"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    if "GRAZE_VIEWER" in run.stderr:
        pytest.skip(f"no report page: {run.stderr.strip()}")
    assert run.returncode == 1, run.stderr
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    found = re.search(r'id="graze-report">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    report = json.loads(found.group(1))
    funnel = report["steps"][0]["funnel"]
    stages = plot.stages(result)
    assert [stage.key for stage in stages] == [key for key in report["stages"] if key in funnel]
    assert {stage.key: stage.pairs for stage in stages} == funnel
    for stage in stages:
        assert stage.name == report["stages"][stage.key]["name"]
        assert stage.aside == report["stages"][stage.key].get("aside", False)
    assert stages[-1].key == "contacts" and stages[-1].pairs == len(result) > 100


def test_shares_are_of_the_stage_above_that_is_not_aside() -> None:
    scene, x_t0, x_t1 = cloth_on_ball()
    stages = plot.stages(graze.Detector(scene).impacts(x_t0, x_t1))
    assert stages[0].left is None
    above = stages[0]
    for stage in stages[1:]:
        assert stage.left == (stage.pairs / above.pairs if above.pairs else None)
        above = above if stage.aside else stage
    assert any(stage.aside for stage in stages)


def test_every_result_has_a_funnel() -> None:
    scene, x_t0, x_t1 = cloth_on_ball()
    detector = graze.Detector(scene)
    whole = detector.impacts(x_t0, x_t1)
    through = 0.5 * (x_t0 + x_t1)
    contacts = {
        "impacts": (whole, len(whole)),
        "first": (detector.first_impact(x_t0, x_t1), 1),
        "safe": (detector.safe_step(x_t0, x_t1), 1),
        "free": (detector.safe_step(x_t0, x_t0), 0),
        "none": (detector.first_impact(x_t0, x_t0), 0),
        "intersections": (detector.intersections(through), len(detector.intersections(through).edges)),
        "proximities": (detector.proximities(x_t0, 0.3), len(detector.proximities(x_t0, 0.3))),
    }
    for name, (result, count) in contacts.items():
        (stage,) = [stage for stage in plot.stages(result) if stage.key == "contacts"]
        assert stage.pairs == count, name
    assert contacts["intersections"][1] > 0 and contacts["proximities"][1] > 0


def test_statistics_alone_have_no_contacts() -> None:
    result = falling()
    stages = plot.stages(result.stats)
    assert stages == plot.stages(result)[:-1]


def test_a_sequence_is_the_sum_of_its_results() -> None:
    scene, x_t0, x_t1 = cloth_on_ball()
    detector = graze.Detector(scene)
    results = [detector.impacts(x_t0, x_t0 + t * (x_t1 - x_t0)) for t in (0.25, 0.5, 1.0)]
    sums: dict[str, int] = {}
    for result in results:
        for stage in plot.stages(result):
            sums[stage.key] = sums.get(stage.key, 0) + stage.pairs
    assert {stage.key: stage.pairs for stage in plot.stages(results)} == sums
    assert plot.stages([]) == []


@pytest.mark.parametrize("value", [3, "impacts", [1], None])
def test_a_funnel_of_other_values_is_refused_by_type(value: Any) -> None:
    one = value[0] if isinstance(value, list) else value
    refused(lambda: plot.funnel(value), "graze.plot.funnel", type(one).__name__, error=TypeError)


def test_the_funnel_shows_a_bar_and_a_text_for_each_stage() -> None:
    scene, x_t0, x_t1 = cloth_on_ball()
    result = graze.Detector(scene).impacts(x_t0, x_t1)
    stages = plot.stages(result)
    axes = plot.funnel(result)
    assert [label.get_text().strip() for label in axes.get_yticklabels()] == [stage.name for stage in stages]
    assert [text.get_text().split()[0] for text in axes.texts] == [f"{stage.pairs:,}" for stage in stages]
    with_pairs = [stage for stage in stages if stage.pairs > 0]
    right_ends = [bar.get_x() + bar.get_width() for bar in axes.patches]
    assert right_ends == pytest.approx([stage.pairs for stage in with_pairs])
    assert axes.get_xscale() == "log" and axes.yaxis_inverted()


def test_a_funnel_goes_into_given_axes_and_a_file(tmp_path: pathlib.Path) -> None:
    figure, axes = plt.subplots()
    assert plot.funnel(falling(), ax=axes) is axes
    figure.savefig(tmp_path / "funnel.png")
    assert (tmp_path / "funnel.png").stat().st_size > 1000


def test_a_query_without_any_pair_has_a_funnel() -> None:
    nothing = graze.contacts(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))
    axes = plot.funnel(nothing)
    assert axes.texts[-1].get_text().split()[0] == "0" and len(axes.patches) == 0


def test_steps_show_counts_times_of_impact_and_milliseconds() -> None:
    scene, x_t0, x_t1 = cloth_on_ball()
    detector = graze.Detector(scene)
    results = [detector.impacts(x_t0, x_t0 + t * (x_t1 - x_t0)) for t in (0.0, 0.5, 1.0)]
    assert len(results[0]) == 0 < len(results[1]) < len(results[2])
    counts, tois, times = plot.steps(results)
    heights = np.array([bar.get_height() for bar in counts.patches]).reshape(2, 3)
    assert np.array_equal(heights, [[r.vf_count for r in results], [r.ee_count for r in results]])
    x, y = tois.lines[0].get_data()
    assert np.array_equal(x, [1, 2])  # the first step has no contact and no point
    assert np.array_equal(y, [result.toi.min() for result in results[1:]])
    heights = np.array([bar.get_height() for bar in times.patches]).reshape(4, 3).sum(axis=0)
    assert np.all(heights >= [result.stats.total_ms - 1e-9 for result in results])


def test_steps_go_into_three_given_axes() -> None:
    _, axes = plt.subplots(3)
    assert plot.steps([falling()], ax=axes) == tuple(axes)
    refused(lambda: plot.steps([falling()], ax=axes[:2]), "three axes", "2", error=ValueError)


def test_steps_refuse_what_is_no_sequence_of_impacts() -> None:
    refused(lambda: plot.steps([]), "at least one step", error=ValueError)
    results: Any = [falling(), falling().stats]
    refused(lambda: plot.steps(results), "element 1", "Stats", error=TypeError)


def test_contacts_are_points_coloured_by_time_of_impact() -> None:
    scene, x_t0, x_t1 = cloth_on_ball()
    result = graze.Detector(scene).impacts(x_t0, x_t1)
    axes = plot.contacts(result)
    lines, points = axes.collections
    # Colours and points in the order of the result; both collections in three dimensions.
    assert np.array_equal(points.get_array(), result.toi)
    assert np.allclose(np.column_stack(points._offsets3d), result.point)
    edges = {tuple(sorted(edge)) for t in scene.triangles.tolist() for edge in zip(t, t[1:] + t[:1])}
    ends = np.array(lines._segments3d)
    assert len(ends) == len(edges)
    assert np.array_equal(
        np.unique(ends.reshape(-1, 6), axis=0),
        np.unique([np.concatenate([x_t1[a], x_t1[b]]) for a, b in edges], axis=0),
    )
    for limits, values in zip((axes.get_xlim(), axes.get_ylim(), axes.get_zlim()), ends.reshape(-1, 3).T):
        assert limits[0] <= values.min() and values.max() <= limits[1]


def test_contacts_of_a_part_need_positions() -> None:
    part = falling()[:2]
    refused(lambda: plot.contacts(part), "part", "x_t1", error=ValueError)
    axes = plot.contacts(part, two_triangles(-1.0))
    assert len(axes.collections[1].get_array()) == 2


def test_contacts_of_removed_triangles_are_not_drawn() -> None:
    scene, x_t0, x_t1 = cloth_on_ball()
    detector = graze.Detector(scene)
    edit = detector.begin_edit()
    for triangle in range(1, scene.triangle_count):
        edit.remove_triangle(triangle)
    detector.apply(edit)
    axes = plot.contacts(detector.impacts(x_t0, x_t1))
    assert len(axes.collections[0]._segments3d) == 3


def test_a_step_without_contact_is_drawn() -> None:
    axes = plot.contacts(falling(0.5))
    assert len(axes.collections) == 1


def test_contacts_refuse_what_does_not_fit() -> None:
    value: Any = 3
    refused(lambda: plot.contacts(value), "Impacts", "int", error=TypeError)
    refused(lambda: plot.contacts(falling(), two_triangles(0.0)[:5]), "(5, 3)", "6", error=ValueError)
    _, flat = plt.subplots()
    refused(lambda: plot.contacts(falling(), ax=flat), "3d", error=ValueError)


def test_pictures_change_no_result() -> None:
    scene, x_t0, x_t1 = cloth_on_ball()
    results = [graze.Detector(scene).impacts(x_t0, x_t1) for _ in range(2)]
    plot.contacts(results[0])
    plot.funnel(results[0])
    plot.steps(results[:1])
    assert same(*results)


def test_matplotlib_is_imported_by_the_first_picture_only() -> None:
    run_python("import sys, graze, graze.plot; assert 'matplotlib' not in sys.modules")


def test_without_matplotlib_a_picture_says_what_it_needs() -> None:
    code = """
import sys
sys.modules["matplotlib"] = None
import numpy as np, graze, graze.plot
x = np.zeros((3, 3))
result = graze.contacts(x, x, [[0, 1, 2]])
print(len(graze.plot.stages(result)) > 0)
try:
    graze.plot.funnel(result)
except ImportError as error:
    print(error)
"""
    assert run_python(code).splitlines() == ["True", "graze.plot needs matplotlib: pip install matplotlib"]


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))

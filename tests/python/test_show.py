"""graze.show: the page has the contacts of the result, opens in the browser or is displayed inline, and what cannot be
shown is refused."""

from __future__ import annotations

import html
import json
import pathlib
import re
import sys
import tempfile
import types
import webbrowser
from typing import Any

import numpy as np
import pytest

import graze
from graze import _program
from meshes import TWO_FACES, refused, two_bodies, two_triangles


@pytest.fixture(scope="module", autouse=True)
def viewer(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skips where the package has no program, or one without the report page."""
    if not _program.path().exists():
        pytest.skip(f"there is no program at {_program.path()}")
    try:
        graze.show(falling(), path=tmp_path_factory.mktemp("viewer") / "page.html")
    except graze.Error as error:
        if "GRAZE_VIEWER" in str(error):
            pytest.skip(f"no report page: {error}")
        raise


def falling(**options: Any) -> graze.Impacts:
    """Three contacts: the small triangle passes through the large one."""
    return graze.contacts(two_triangles(1.0), two_triangles(-1.0), TWO_FACES, **options)


def report_of(page: str) -> Any:
    found = re.search(r'id="graze-report">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found.group(1))


def contents(page: pathlib.Path) -> Any:
    return report_of(page.read_text(encoding="utf-8"))


@pytest.fixture
def temporary(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A folder of temporary files of the test's own, to see what stays in it."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a browser was asked to open; no browser runs."""
    addresses: list[str] = []

    def record(address: str, *_: Any, **__: Any) -> bool:
        addresses.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", record)
    return addresses


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes graze see the kernel of a notebook."""
    ipython = types.ModuleType("IPython")
    setattr(ipython, "get_ipython", lambda: types.SimpleNamespace(kernel=object()))
    monkeypatch.setitem(sys.modules, "IPython", ipython)


def test_the_page_has_the_contacts_of_the_result(
    tmp_path: pathlib.Path, temporary: pathlib.Path, opened: list[str]
) -> None:
    result = falling()
    page = graze.show(result, path=tmp_path / "page.html")
    assert page == tmp_path / "page.html"
    report = contents(page)
    (step,) = report["steps"]
    assert (step["vf"], step["ee"]) == (3, 0)
    assert int(step["hash"], 16) == result.hash()
    assert int(step["toi_hash"], 16) == result.toi_hash()
    assert report["shown"] == [{"step": 0, "found": 3, "kept": 3}]
    assert report["mesh"]["min"] == [-10, -10, -1] and report["mesh"]["max"] == [10, 10, 1]
    assert opened == []  # a page with a path is written, not opened
    assert list(temporary.iterdir()) == []


def test_bodies_stay_apart(tmp_path: pathlib.Path) -> None:
    scene = two_bodies()
    detector = graze.Detector(scene)
    page = graze.show(detector.impacts(two_triangles(1.0), two_triangles(-1.0)), path=str(tmp_path / "page.html"))
    mesh = contents(pathlib.Path(str(page)))["mesh"]
    assert (mesh["parts"], mesh["parts_are"]) == (2, "body")


def test_thickness_and_tolerance_are_those_of_the_query(tmp_path: pathlib.Path) -> None:
    x_t1 = two_triangles(0.25)
    assert len(graze.contacts(two_triangles(1.0), x_t1, TWO_FACES)) == 0
    result = graze.contacts(two_triangles(1.0), x_t1, TWO_FACES, thickness=0.5, tolerance=1e-3)
    assert len(result) == 3
    report = contents(pathlib.Path(str(graze.show(result, path=tmp_path / "page.html"))))
    assert (report["thickness"], report["tolerance"]) == (0.5, 1e-3)
    assert (report["steps"][0]["vf"], int(report["steps"][0]["toi_hash"], 16)) == (3, result.toi_hash())


def test_another_thickness_finds_the_contacts_again(tmp_path: pathlib.Path) -> None:
    result = graze.contacts(two_triangles(1.0), two_triangles(0.25), TWO_FACES)
    report = contents(pathlib.Path(str(graze.show(result, thickness=0.5, path=tmp_path / "page.html"))))
    assert report["thickness"] == 0.5 and report["steps"][0]["vf"] == 3


def test_a_step_without_contact_has_a_page(tmp_path: pathlib.Path) -> None:
    result = graze.contacts(two_triangles(1.0), two_triangles(0.5), TWO_FACES)
    report = contents(pathlib.Path(str(graze.show(result, path=tmp_path / "page.html"))))
    assert report["steps"][0]["vf"] == report["steps"][0]["ee"] == 0


def test_the_page_opens_in_the_browser(temporary: pathlib.Path, opened: list[str]) -> None:
    page = graze.show(falling())
    assert isinstance(page, pathlib.Path)
    assert opened == [page.as_uri()]
    assert temporary in page.parents
    assert contents(page)["steps"][0]["vf"] == 3
    assert [path for path in temporary.rglob("*") if path.is_file()] == [page]  # the capture is gone


def test_where_no_browser_opens_stderr_names_the_page(
    temporary: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    page = graze.show(falling())
    assert capsys.readouterr().err == f"graze.show: no browser opens {page}\n"


def test_a_notebook_displays_the_page_inline(
    notebook: None, temporary: pathlib.Path, opened: list[str]
) -> None:
    page = graze.show(falling())
    assert not isinstance(page, pathlib.Path)
    element = page._repr_html_()
    found = re.fullmatch(r'<div><iframe srcdoc="([^"]*)" [^<>]*></iframe></div>', element)
    assert found is not None
    assert report_of(html.unescape(found.group(1)))["steps"][0]["vf"] == 3
    assert re.fullmatch(r"<graze report page, \d+\.\d MB>", repr(page))
    assert opened == [] and list(temporary.iterdir()) == []


def test_a_terminal_with_ipython_is_no_notebook(
    monkeypatch: pytest.MonkeyPatch, temporary: pathlib.Path, opened: list[str]
) -> None:
    ipython = types.ModuleType("IPython")
    setattr(ipython, "get_ipython", lambda: types.SimpleNamespace())
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    assert isinstance(graze.show(falling()), pathlib.Path)
    assert len(opened) == 1


def test_a_part_of_a_result_needs_positions(tmp_path: pathlib.Path) -> None:
    part = falling()[:1]
    refused(lambda: graze.show(part), "graze.show", "part", error=ValueError)
    page = graze.show(part, two_triangles(1.0), two_triangles(-1.0), path=tmp_path / "page.html")
    assert contents(pathlib.Path(str(page)))["steps"][0]["vf"] == 3  # all contacts of the step


def test_one_end_of_the_step_is_refused() -> None:
    refused(lambda: graze.show(falling(), two_triangles(1.0)), "x_t0", "x_t1", error=TypeError)


@pytest.mark.parametrize("value", [3, None, [1, 2], np.zeros(3)])
def test_other_values_are_refused_by_type(value: Any) -> None:
    refused(lambda: graze.show(value), "Impacts", type(value).__name__, error=TypeError)


def test_positions_of_another_mesh_are_refused() -> None:
    x = two_triangles(1.0)[:-1]
    refused(lambda: graze.show(falling(), x, x), "5", "6")


def test_positions_that_changed_since_the_query_are_refused(tmp_path: pathlib.Path) -> None:
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    result = graze.contacts(x_t0, x_t1, TWO_FACES)
    x_t1[3:, 2] = -2.0  # other times of impact
    refused(lambda: graze.show(result, path=tmp_path / "page.html"), "changed", "copies", error=graze.Error)
    x_t1[3:, 2] = 2.0  # no contacts
    refused(lambda: graze.show(result, path=tmp_path / "page.html"), "changed", "copies", error=graze.Error)
    assert list(tmp_path.iterdir()) == []
    graze.show(result, two_triangles(1.0), two_triangles(-1.0), path=tmp_path / "page.html")
    assert contents(tmp_path / "page.html")["steps"][0]["vf"] == 3


def test_a_page_that_cannot_be_written_is_an_error(tmp_path: pathlib.Path, temporary: pathlib.Path) -> None:
    target = tmp_path / "missing" / "page.html"
    refused(lambda: graze.show(falling(), path=target), "graze.show", str(target), error=graze.Error)
    assert list(temporary.iterdir()) == []


def test_the_words_of_a_program_that_fails_are_the_error(
    tmp_path: pathlib.Path, temporary: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\necho 'graze: no page today' >&2\nexit 3\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(_program, "path", lambda: program)
    line = refused(lambda: graze.show(falling()), error=graze.Error)
    assert line == "graze.show: no page today"
    assert list(temporary.iterdir()) == []


def test_a_package_without_the_program_says_so(
    tmp_path: pathlib.Path, temporary: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_program, "path", lambda: tmp_path / "absent")
    refused(lambda: graze.show(falling()), "graze.show", tmp_path / "absent", error=graze.Error)
    assert list(temporary.iterdir()) == []

"""graze.show: the report page of a result, in a browser or inside a notebook.

The page is that of the program (`graze detect --report`): the mesh in motion, every contact with its features, and
the culling funnel. The program comes with the package. It gets the step as a capture, finds the contacts again, and
compares them with the result by hash before the page is shown.
"""

from __future__ import annotations

import html
import pathlib
import shutil
import subprocess
import sys
import tempfile
import webbrowser
from os import PathLike
from typing import Any

import numpy.typing as npt

from . import _program
from ._graze import Capture, Detector, Error, Impacts, write_capture

__all__ = ["Page", "show"]


class Page:
    """A report page inside a notebook: the last value of a cell is displayed."""

    def __init__(self, text: str, height: int = 720) -> None:
        self.text = text  # the whole page, HTML
        self.height = height  # pixels

    def _repr_html_(self) -> str:
        # srcdoc holds the page itself: it needs no file that must stay where it is, and is saved with the notebook.
        return (
            f'<div><iframe srcdoc="{html.escape(self.text)}" width="100%" height="{self.height}" '
            'style="border: 0" title="graze: contacts of a step" allowfullscreen></iframe></div>'
        )

    def __repr__(self) -> str:
        return f"<graze report page, {len(self.text) / 1e6:.1f} MB>"


def show(
    result: Impacts,
    x_t0: npt.ArrayLike | None = None,
    x_t1: npt.ArrayLike | None = None,
    *,
    path: str | PathLike[str] | None = None,
    thickness: float | None = None,
    tolerance: float | None = None,
) -> pathlib.Path | Page:
    """Shows the contacts of a step as a page: opens it in the browser, or returns it for display in Jupyter.

    Positions, thickness and tolerance are those of the query. A part of a result (a slice, a batch of a stream) does
    not have positions: name both ends of the step then, and the page shows all contacts of the step. With `path` the
    page is written there and nothing is opened. Returns the path of the page, or in Jupyter the page.
    """
    if not isinstance(result, Impacts):
        kind = type(result).__name__
        raise TypeError(f"graze.show takes the Impacts of a step, from impacts() or graze.contacts(), not {kind}")
    if (x_t0 is None) != (x_t1 is None):
        raise TypeError("graze.show: name both x_t0 and x_t1, or none of them")
    capture = _capture(result, x_t0, x_t1, thickness, tolerance)
    if path is not None:
        target = pathlib.Path(path)
        _write_page(capture, target)
        return target
    if _in_jupyter():
        with tempfile.TemporaryDirectory(prefix="graze-") as folder:
            page = pathlib.Path(folder) / "contacts.html"
            _write_page(capture, page)
            return Page(page.read_text(encoding="utf-8"))
    # The browser reads the page when this process may have ended: it stays in the folder of temporary files.
    folder = tempfile.mkdtemp(prefix="graze-")
    target = pathlib.Path(folder) / "contacts.html"
    try:
        _write_page(capture, target)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    if not webbrowser.open(target.as_uri()):
        print(f"graze.show: no browser opens {target}", file=sys.stderr)
    return target


def _capture(
    result: Impacts,
    x_t0: npt.ArrayLike | None,
    x_t1: npt.ArrayLike | None,
    thickness: float | None,
    tolerance: float | None,
) -> Capture:
    start = result.x_t0 if x_t0 is None else x_t0
    end = result.x_t1 if x_t1 is None else x_t1
    if start is None or end is None:
        raise ValueError(
            "graze.show: a part of a result has no positions; show the whole result, or name both ends of the step: "
            "graze.show(part, x_t0, x_t1)"
        )
    asked_thickness = result.thickness if thickness is None else thickness
    asked_tolerance = result.tolerance if tolerance is None else tolerance
    whole = result
    if x_t0 is not None or thickness is not None or tolerance is not None:
        # A capture keeps the answer to its own step: that of a part, or of other options, is another one.
        detector = Detector(result.scene, thickness=asked_thickness, tolerance=asked_tolerance)
        whole = detector.impacts(start, end)
    return Capture(
        result.scene, start, end, whole, thickness=asked_thickness, tolerance=asked_tolerance
    )


def _write_page(capture: Capture, target: pathlib.Path) -> None:
    """Writes the page of a capture; graze.Error with the program's own words if the program writes none."""
    program = _program.path()
    if not program.exists():
        raise Error(f"graze.show: this package comes without the program: {program} does not exist")
    with tempfile.TemporaryDirectory(prefix="graze-") as folder:
        step = pathlib.Path(folder) / "contacts.graze"
        write_capture(step, capture)
        command: list[Any] = [program, "detect", step, "--report", target.absolute()]
        run = subprocess.run(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    if run.returncode not in (0, 1):  # 0: no contact, 1: contacts
        words = run.stderr.strip().splitlines()
        reason = words[-1].removeprefix("graze: ") if words else f"the program ended with status {run.returncode}"
        if "differ from the capture" in reason:
            target.unlink(missing_ok=True)  # a page of another step
            reason = (
                "these positions do not have the contacts of the result: if they were changed since the query, "
                "pass copies to the query, or name both ends of the step"
            )
        raise Error(f"graze.show: {reason}")


def _in_jupyter() -> bool:
    """True in the kernel of a notebook. IPython is there if so: it is not imported for the question."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None

"""The notebooks run from the first cell to the last, with the asserts in their cells, and are stored without outputs."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest

import graze
from graze import _program

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2] / "examples" / "notebooks"
FILES = sorted(NOTEBOOKS.glob("*.ipynb"))
PACKAGES = str(pathlib.Path(graze.__file__).absolute().parents[1])


def cells_of(file: pathlib.Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["cells"]
    return cells


def code_of(file: pathlib.Path) -> list[dict[str, Any]]:
    return [cell for cell in cells_of(file) if cell["cell_type"] == "code"]


def execute(file: pathlib.Path, folder: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """Runs a notebook, into a copy of the same name in a folder."""
    packages = os.pathsep.join(part for part in (PACKAGES, os.environ.get("PYTHONPATH")) if part)
    command = ["-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", str(folder), str(file)]
    return subprocess.run(
        [sys.executable, *command, "--ExecutePreprocessor.timeout=120", "--ExecutePreprocessor.kernel_name=python3"],
        env={**os.environ, "PYTHONPATH": packages, "IPYTHONDIR": str(folder / "ipython")},
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skips, and says why, where a notebook cannot run."""
    for module in ("nbconvert", "ipykernel", "matplotlib"):
        pytest.importorskip(module, reason=f"the notebooks need {module}")
    if not _program.path().exists():
        pytest.skip(f"the notebooks show report pages, and there is no program at {_program.path()}")
    x = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    try:
        graze.show(graze.contacts(x, x, [[0, 1, 2]]), path=tmp_path_factory.mktemp("viewer") / "page.html")
    except graze.Error as error:
        if "GRAZE_VIEWER" not in str(error):
            raise
        pytest.skip(f"the notebooks show report pages: {error}")


def test_the_three_notebooks_are_there() -> None:
    assert [file.stem for file in FILES] == ["cad_assembly", "cloth_safe_step", "first_contacts"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_notebook_is_stored_without_outputs(file: pathlib.Path) -> None:
    for cell in code_of(file):
        assert cell["outputs"] == [] and cell["execution_count"] is None


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_notebook_runs(file: pathlib.Path, tools: None, tmp_path: pathlib.Path) -> None:
    done = execute(file, tmp_path)
    assert done.returncode == 0, done.stderr[-4000:]
    ran = code_of(tmp_path / file.name)
    assert len(ran) == len(code_of(file)) and all(cell["execution_count"] for cell in ran)
    outputs = [output for cell in ran for output in cell["outputs"]]
    assert not [output for output in outputs if output.get("name") == "stderr"]  # warnings
    pictures = sum("image/png" in output.get("data", {}) for output in outputs)
    assert pictures == sum("plt.show()" in "".join(cell["source"]) for cell in ran) > 0


def test_a_cell_that_fails_fails_the_test(tools: None, tmp_path: pathlib.Path) -> None:
    notebook = json.loads(FILES[0].read_text(encoding="utf-8"))
    cell = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    notebook["cells"] = [{**cell, "source": ["assert 1 + 1 == 3, 'a wrong answer'"]}]
    (tmp_path / "wrong.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    folder = tmp_path / "run"
    folder.mkdir()
    done = execute(tmp_path / "wrong.ipynb", folder)
    assert done.returncode != 0 and "a wrong answer" in done.stderr

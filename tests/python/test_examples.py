"""The examples of the package run, print what they found, and have types that mypy accepts."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

import graze

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"
FILES = sorted(EXAMPLES.glob("*.py"))
PACKAGES = pathlib.Path(graze.__file__).absolute().parents[1]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, encoding="utf-8", timeout=120, check=False
    )


def test_there_are_examples() -> None:
    assert {"first_contacts.py", "solver_loop.py", "rigid_pose.py"} <= {file.name for file in FILES}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_example_runs(file: pathlib.Path) -> None:
    done = run("-W", "error", str(file))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip() and done.stderr == ""


def test_mypy_accepts_the_examples(tmp_path: pathlib.Path) -> None:
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    # mypy finds installed packages by itself, and refuses to be told where they are.
    path = {} if PACKAGES.name in ("site-packages", "dist-packages") else {"MYPYPATH": str(PACKAGES)}
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(EXAMPLES)],
        env={**os.environ, **path},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr

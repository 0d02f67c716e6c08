"""Fixtures of the Python tests: the public data, the program, and settings of hypothesis.

The tests import the package `graze` from PYTHONPATH. The program is $GRAZE, else the one beside the package. Public
data is in $GRAZE_DATA, else in ../shared/data beside the project; tests that need it skip where it is absent.
"""

from __future__ import annotations

import os
import pathlib

import pytest

try:
    from hypothesis import HealthCheck, settings
except ImportError:  # the tests that need hypothesis skip
    pass
else:
    settings.register_profile(
        "graze",
        deadline=None,
        derandomize=True,
        database=None,
        max_examples=60,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
    settings.load_profile("graze")

PROJECT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program() -> str:
    """The path of the program graze."""
    path = os.environ.get("GRAZE")
    if not path:
        try:
            from graze import _program
        except ImportError:
            pytest.skip("the program is not installed: set GRAZE to its path")
        path = str(_program.path())
    if not os.access(path, os.X_OK):
        pytest.skip(f"there is no program at {path}")
    return path


@pytest.fixture(scope="session")
def data() -> pathlib.Path:
    """The folder of the public data."""
    folder = pathlib.Path(os.environ.get("GRAZE_DATA") or PROJECT.parent / "shared" / "data")
    if not (folder / "frames").is_dir():
        pytest.skip(f"there is no public data at {folder}: set GRAZE_DATA")
    return folder

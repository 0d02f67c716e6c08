"""The program graze that comes with the package."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys


def path() -> pathlib.Path:
    """Returns the path of the program."""
    name = "graze.exe" if os.name == "nt" else "graze"
    return pathlib.Path(__file__).parent / "bin" / name


def main() -> None:
    """Runs the program in place of this one: the command `graze` of the package."""
    program = path()
    if not program.exists():
        sys.exit(f"graze: this package comes without the program: {program} does not exist")
    arguments = [str(program), *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.call(arguments))
    os.execv(arguments[0], arguments)

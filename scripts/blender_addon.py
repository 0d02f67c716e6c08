#!/usr/bin/env python3
"""Packs the Blender add-on: graze_check-VERSION.zip, the file that Blender's preferences install.

    scripts/blender_addon.py                 writes build/graze_check-VERSION.zip, and prints its path
    scripts/blender_addon.py --output DIR    writes it there

Equal sources give equal bytes: names are sorted, dates and permissions fixed, and nothing is compressed. The version is
that of the project; the script refuses an add-on whose bl_info has another.
"""

from __future__ import annotations

import argparse
import ast
import pathlib
import re
import sys
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parents[1]
ADDON = SOURCE / "integrations/blender/graze_check"
DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip can have


def refuse(line: str) -> None:
    """One line that names the culprit, and status 2."""
    print(f"blender_addon: {line}", file=sys.stderr)
    sys.exit(2)


def project_version() -> str:
    match = re.search(r"^\s*VERSION (\d+\.\d+\.\d+)$", (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)
    if match is None:
        refuse("CMakeLists.txt has no line VERSION x.y.z")
    return match.group(1)


def addon_version() -> str:
    """The version in bl_info, read as Blender reads it: without running the file."""
    for node in ast.parse((ADDON / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "bl_info":
            return ".".join(map(str, ast.literal_eval(node.value)["version"]))
    refuse(f"{ADDON / '__init__.py'} has no bl_info")


def pack(folder: pathlib.Path) -> pathlib.Path:
    """Writes the zip into a folder, and returns its path."""
    version = project_version()
    if addon_version() != version:
        refuse(f"bl_info of the add-on has version {addon_version()}, the project {version}")
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"graze_check-{version}.zip"
    files = [(f"graze_check/{path.name}", path) for path in ADDON.glob("*.py")] + [("graze_check/LICENSE", SOURCE / "LICENSE")]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, path in sorted(files):
            entry = zipfile.ZipInfo(name, DATE)
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            archive.writestr(entry, path.read_bytes())
    return target


def main() -> None:
    parser = argparse.ArgumentParser(description="Packs the Blender add-on.")
    parser.add_argument("--output", type=pathlib.Path, default=SOURCE / "build", help="folder of the zip (build)")
    print(pack(parser.parse_args().output))


if __name__ == "__main__":
    main()

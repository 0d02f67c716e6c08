"""Puts the shared libraries that a package needs beside it, so that it runs where they are not installed.

Each library gets a name of its own (libtbb-1a2b3c4d.so.12): another package in the same process may have brought
another version of it. Needs patchelf; does nothing on systems other than Linux.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

# What every Linux has, as manylinux defines it.
_SYSTEM = re.compile(
    r"^(ld-linux.*|linux-vdso|libc|libm|libdl|librt|libpthread|libutil|libresolv|libgcc_s|libstdc\+\+)\.so"
)


def _run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _needed(binary: Path) -> list[str]:
    names = _run("patchelf", "--print-needed", str(binary)).split()
    return [name for name in names if not _SYSTEM.match(name)]


def _places(binary: Path) -> dict[str, Path]:
    """Returns where the loader finds each library that the binary needs, also through others."""
    lines = (line.split("=>") for line in _run("ldd", str(binary)).splitlines() if "=>" in line)
    places = {name.strip(): rest.split("(")[0].strip() for name, rest in lines}
    missing = [name for name, place in places.items() if place == "not found"]
    if missing:
        sys.exit(f"bundle: {binary.name} needs {missing[0]}, which is not installed")
    return {name: Path(place).resolve() for name, place in places.items() if place}


def _new_name(name: str, file: Path) -> str:
    """Returns libNAME-HASH.so.N for libNAME.so.N."""
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:8]
    stem, end = name.split(".so", 1)
    return f"{stem}-{digest}.so{end}"


def _copy_licence(library: Path, folder: Path) -> None:
    """Copies the licence that Debian keeps for the package of a library."""
    if not shutil.which("dpkg-query"):
        return
    owners = [str(library), "/usr" + str(library), str(library).removeprefix("/usr")]
    for path in owners:
        found = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True, check=False).stdout
        package = found.split(":")[0]
        notice = Path("/usr/share/doc") / package / "copyright"
        if package and notice.exists():
            shutil.copyfile(notice, folder / f"{package}.copyright")
            return


def bundle_libraries(package: Path, *binaries: Path) -> None:
    """Copies the libraries of the binaries into package/_libs, and makes the binaries look there."""
    if sys.platform != "linux":
        return
    if not shutil.which("patchelf"):
        sys.exit("bundle: patchelf is missing: install it, or set GRAZE_PYTHON_BUNDLE=0")
    folder = package / "_libs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    renamed: dict[str, str] = {}
    pending = [binary for binary in binaries if binary.exists()]
    while pending:
        binary = pending.pop()
        places = _places(binary) if binary.parent != folder else _places(binaries[0])
        for name in _needed(binary):
            if name not in renamed:
                copy = folder / _new_name(name, places[name])
                shutil.copyfile(places[name], copy)
                copy.chmod(0o755)
                _copy_licence(places[name], folder)
                _run("patchelf", "--set-soname", copy.name, str(copy))
                renamed[name] = copy.name
                pending.append(copy)
            _run("patchelf", "--replace-needed", name, renamed[name], str(binary))
        origin = os.path.relpath(folder, binary.parent)
        _run("patchelf", "--force-rpath", "--set-rpath", f"$ORIGIN/{origin}", str(binary))

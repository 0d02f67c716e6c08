"""Builds the Python package: CMake compiles and installs it, and the libraries that it needs are put beside it.

Variables:
  GRAZE_PYTHON_BUILD_DIR   a build folder to use and keep, such as build/release; default: one that setuptools makes
  GRAZE_PYTHON_BUNDLE      0: leave the libraries to another tool, such as auditwheel
  CMAKE_ARGS               more arguments for CMake
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "bindings" / "python"))

from bundle import bundle_libraries  # noqa: E402  (beside the sources of the package)


def project_version() -> str:
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"project\(\s*graze\s+VERSION\s+([0-9.]+)", text)
    if found is None:
        sys.exit("setup.py: CMakeLists.txt has no version")
    return found.group(1)


def configure(build: Path) -> None:
    command = [
        "cmake", "-S", str(ROOT), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release", "-DGRAZE_PYTHON=ON",
        "-DGRAZE_INSTALL=ON", "-DGRAZE_BUILD_APPS=ON", "-DGRAZE_PAPERS=OFF", "-DGRAZE_BUILD_TESTS=OFF",
        "-DGRAZE_BUILD_BENCHMARKS=OFF", f"-DPython_EXECUTABLE={sys.executable}",
    ]  # fmt: skip
    if shutil.which("ninja"):
        command += ["-G", "Ninja"]
    if not shutil.which("npm"):
        command += ["-DGRAZE_VIEWER=OFF"]
        print("setup.py: no npm: the program comes without the page of --report", file=sys.stderr)
    subprocess.run(command + shlex.split(os.environ.get("CMAKE_ARGS", "")), check=True)


class CMakeBuild(build_ext):
    """Builds the compiled module and the program by CMake, in place of setuptools' own compiler."""

    def run(self) -> None:
        given = os.environ.get("GRAZE_PYTHON_BUILD_DIR")
        build = Path(given).resolve() if given else Path(self.build_temp).resolve()
        if not (build / "CMakeCache.txt").exists():
            configure(build)
        jobs = ["-j", str(self.parallel or os.cpu_count() or 1)]
        subprocess.run(["cmake", "--build", str(build), "--target", "graze_python", "graze_app", *jobs], check=True)
        target = ROOT / "bindings" / "python" if self.inplace else Path(self.build_lib).resolve()
        subprocess.run(
            ["cmake", "--install", str(build), "--component", "graze_python", "--prefix", str(target), "--strip"],
            check=True,
        )
        module = target / "graze" / f"_graze{sysconfig.get_config_var('EXT_SUFFIX')}"
        if not module.exists():
            sys.exit(f"setup.py: {build} made no {module.name}: it was configured for another Python")
        if os.environ.get("GRAZE_PYTHON_BUNDLE", "1") != "0":
            bundle_libraries(target / "graze", module, target / "graze" / "bin" / "graze")


setup(
    version=project_version(),
    ext_modules=[Extension("graze._graze", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)

#!/usr/bin/env bash
# Builds the wheel and the source distribution of the Python package at build/python/dist, installs the wheel into a new
# virtual environment, and runs the tests of tests/python there, away from the build tree.
#
#   scripts/python_package.sh            all of it
#   scripts/python_package.sh --quick    without the tests of tests/python, which CTest runs on the build tree's package
#
# PYTHON names the interpreter (default: Debian's own, to which python3-numpy belongs).
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
python=${PYTHON:-$([[ -x /usr/bin/python3 ]] && echo /usr/bin/python3 || echo python3)}
build=$root/build/python

for module in build numpy setuptools wheel; do
  "$python" -c "import $module" 2>/dev/null || { echo "skipped: python3-$module is missing"; exit 0; }
done

rm -rf "$build" build/lib.* build/bdist.* graze.egg-info
mkdir -p "$build"
echo "== wheel and source distribution"
GRAZE_PYTHON_BUILD_DIR=${GRAZE_PYTHON_BUILD_DIR:-build/release} CMAKE_ARGS="${LAUNCHER:-} ${CMAKE_ARGS:-}" \
  "$python" -m build --no-isolation --sdist --wheel --outdir "$build/dist" . >"$build/build.log" 2>&1 ||
  { tail -n 40 "$build/build.log" >&2; exit 1; }
ls -l "$build/dist"

echo "== the source distribution has all that CMake needs"
tar -xzf "$build"/dist/graze-*.tar.gz -C "$build"
cmake -S "$build"/graze-*[0-9] -B "$build/from-source" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGRAZE_PYTHON=ON \
  -DGRAZE_PAPERS=OFF -DGRAZE_BUILD_TESTS=OFF -DGRAZE_BUILD_BENCHMARKS=OFF >"$build/from-source.log" 2>&1 ||
  { tail -n 20 "$build/from-source.log" >&2; exit 1; }
ninja -C "$build/from-source" -n graze_python graze_app >/dev/null

echo "== the wheel in a new environment"
"$python" -m venv --system-site-packages "$build/venv"
"$build/venv/bin/pip" install --quiet --no-index "$build"/dist/graze-*.whl
cd /
for file in "$build"/venv/lib/python*/site-packages/graze/{_graze*.so,bin/graze}; do
  # Debian's libraries would hide that one is missing in the wheel.
  if ldd "$file" | grep -E 'lib(fmt|tbb|hwy)' | grep -v "$build/venv/.*/_libs/"; then
    echo "python_package: $file does not use the libraries of the wheel" >&2
    exit 1
  fi
  if strings "$file" 2>/dev/null | grep -F "$root/build"; then
    echo "python_package: $file names the build tree" >&2
    exit 1
  fi
done
"$build/venv/bin/python" - <<'EOF'
import graze

fixed = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
above, below = ([[0.2, 0.2, z], [0.3, 0.2, z], [0.2, 0.3, z]] for z in (1.0, -1.0))
impacts = graze.contacts(fixed + above, fixed + below, [[0, 1, 2], [3, 4, 5]])
print(graze.__version__, impacts, impacts.toi)
assert len(impacts) == 3 and impacts.toi.max() <= 0.5
EOF
"$build/venv/bin/graze" --version
if [[ "${1:-}" != --quick ]] && "$python" -c "import pytest" 2>/dev/null; then
  cd "$root/tests/python"
  GRAZE="" "$build/venv/bin/python" -m pytest -q --import-mode=append .
fi

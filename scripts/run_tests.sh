#!/usr/bin/env bash
# Builds and runs the tests of one preset after the other; prints the closing lines of each run at the end, and fails if
# one failed.
#
#   scripts/run_tests.sh release      every test of the build that users get
#   scripts/run_tests.sh asan tsan    the fast tests under the sanitizers: address and undefined behaviour in a build
#                                     by clang, threads in one by gcc
#
# Tests labelled "slow" run in the release build alone: sanitizers make a test five to twenty times slower.
set -euo pipefail
cd "$(dirname "$0")/.."

presets=("$@")
if [[ ${#presets[@]} -eq 0 ]]; then presets=(release); fi
jobs=${JOBS:-$(nproc)}
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}

export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"
export ASAN_OPTIONS="detect_leaks=1 ${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1 ${UBSAN_OPTIONS:-}"

# Long tests of what runs on one thread, of numbers that only exact arithmetic decides, and of whole scenes, whose
# methods have tests of their own: they have nothing for the thread sanitizer.
not_for_tsan='(^(SelfProof|ShapeCurved|ShapeMesh|ShapePairs|ShapeTouch|AdjacentTriangles|ReferencePositions|Volumes|ClusterTraversal\.AFront|TreeEdit\.a|MeshEditor|EditCases|RandomSceneEdits|RepresentativeUpdate|Orphans|Oracle|StressScenes|AdaptiveScenes)|/(as_small_as_doubles_go|below_floats))'

mkdir -p build
failed=0
for preset in "${presets[@]}"; do
  selection=()
  case "$preset" in
    release) ;;
    tsan) selection=(-LE slow -E "$not_for_tsan") ;;
    *) selection=(-LE slow) ;;
  esac
  echo "== $preset"
  # CMAKE_ARGS is a list of words.
  # shellcheck disable=SC2086
  cmake --preset "$preset" "${launcher[@]}" ${CMAKE_ARGS:-} >"build/configure-$preset.log" 2>&1 ||
    { cat "build/configure-$preset.log"; exit 1; }
  cmake --build --preset "$preset" -j "$jobs"
  ctest --test-dir "build/$preset" --output-on-failure -j "$jobs" "${selection[@]}" 2>&1 |
    tee "build/ctest-$preset.log" || failed=1
done

echo
for preset in "${presets[@]}"; do
  echo "== $preset"
  sed -n '/tests passed/,$p' "build/ctest-$preset.log"
done
exit "$failed"

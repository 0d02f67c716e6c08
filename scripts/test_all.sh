#!/usr/bin/env bash
# Builds and runs all tests: every test in the release build, then the fast ones under the sanitizers.
#
# Tests labelled "slow" are left out of the sanitizer runs, which are five to twenty times slower. Reports the
# closing lines of each run at the end, and fails if any failed.
#
#   GRAZE_TEST_PRESETS="release asan tsan"   which builds, by default all three
set -euo pipefail
cd "$(dirname "$0")/.."

read -r -a presets <<<"${GRAZE_TEST_PRESETS:-release asan tsan}"
jobs=$(nproc)
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi

export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"
export ASAN_OPTIONS="detect_leaks=1 ${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1 ${UBSAN_OPTIONS:-}"

# Long tests of what runs on one thread, and of whole scenes, whose methods have tests of their own: they have
# nothing for the thread sanitizer.
not_for_tsan='^(Volumes|TreeEdit\.a|MeshEditor|EditCases|RandomSceneEdits|RepresentativeUpdate|Orphans|Oracle|StressScenes|AdaptiveScenes)'

mkdir -p build
failed=0
for preset in "${presets[@]}"; do
  options=()
  selection=()
  if [[ "$preset" != release ]]; then
    options=(-DGRAZE_BUILD_BENCHMARKS=OFF -DGRAZE_VIEWER=OFF)
    selection=(-LE slow)
    if [[ "$preset" == tsan ]]; then
      # Threads live in the library: the program and its scenes need no thread sanitizer of their own.
      options+=(-DGRAZE_BUILD_APPS=OFF)
      selection+=(-E "$not_for_tsan")
    fi
  fi
  echo "== $preset"
  cmake --preset "$preset" "${launcher[@]}" "${options[@]}" >"build/configure-$preset.log" 2>&1 ||
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

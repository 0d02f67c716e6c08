#!/usr/bin/env bash
# Runs the tests and benchmarks of the GPU from the folder that scripts/test_gpu.sh has made; it lies there as run.sh.
#
#   run.sh OUT [PART...]   writes logs and JSON files to OUT; parts, by default all:
#
#     tests        the GPU's tests, all of them
#     sanitizer    compute-sanitizer's memcheck, racecheck, initcheck and synccheck on a part of the tests
#     frames       benchmark of the public frames
#     large        benchmark of a million and ten million triangles
#     batch        benchmark of 4,096 scenes of 1,000 triangles
#     python       the Python package for this machine's Python, with the array libraries that are installed there
#
# The exit status is 1 if a part failed. The last lines say which.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [[ $# -eq 0 ]]; then
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
  exit 2
fi
out=$1
shift
parts=("$@")
[[ ${#parts[@]} -gt 0 ]] || parts=(tests sanitizer frames large batch python)
mkdir -p "$out"
out=$(cd "$out" && pwd)
outer_library_path=${LD_LIBRARY_PATH:-}
export LD_LIBRARY_PATH=$here/lib:$here/lib/c++${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PATH=$PATH:/usr/local/cuda/bin
[[ -d "$here/data/frames" ]] && export GRAZE_DATA=$here/data
frames=$here/data/frames
failed=()

run_tests() {
  "$here/bin/test_cuda" --gtest_brief=1 >"$out/tests.log" 2>&1
  local status=$?
  tail -n 15 "$out/tests.log"
  return $status
}

run_sanitizer() {
  command -v compute-sanitizer >/dev/null || { echo "compute-sanitizer is missing"; return 1; }
  local status=0
  for tool in memcheck racecheck initcheck synccheck; do
    GRAZE_CUDA_EFFORT=${GRAZE_CUDA_EFFORT:-1} compute-sanitizer --tool "$tool" --error-exitcode 9 \
      "$here/bin/test_cuda" --gtest_brief=1 >"$out/$tool.log" 2>&1
    local code=$?
    echo "$tool: status $code: $(grep -E 'SUMMARY|PASSED|FAILED' "$out/$tool.log" | tr '\n' ' ')"
    [[ $code -eq 0 ]] || status=1
  done
  return $status
}

pair() { echo "$frames/$1,$frames/$2"; }

run_frames() {
  "$here/bin/graze_bench_gpu" --json "$out/frames.json" ${GRAZE_BENCH_ARGUMENTS:-} \
    --frames "$(pair cloth-ball/cloth_ball92.ply cloth-ball/cloth_ball93.ply)" \
    --frames "$(pair n-body-simulation/balls16_18.ply n-body-simulation/balls16_19.ply)" \
    --frames "$(pair cloth-funnel/227.ply cloth-funnel/228.ply)" 2>&1 | tee "$out/frames.log"
  return "${PIPESTATUS[0]}"
}

run_large() {
  "$here/bin/graze_bench_gpu" --json "$out/large.json" --scene sheets --sizes 1000000,10000000 --runs 31 --cpu-runs 3 \
    2>&1 | tee "$out/large.log"
  return "${PIPESTATUS[0]}"
}

run_batch() {
  "$here/bin/graze_bench_gpu" --json "$out/batch.json" --batch 4096,1000 --runs 31 --cpu-runs 3 2>&1 |
    tee "$out/batch.log"
  return "${PIPESTATUS[0]}"
}

run_python() {
  local LD_LIBRARY_PATH=$outer_library_path
  local python=${PYTHON:-python3}
  local build=$out/python-build
  mkdir -p "$build/graze"
  cp -r "$here"/python/graze/* "$build/graze/"
  local includes
  includes=$("$python" -c 'import sysconfig; print("-I" + sysconfig.get_path("include"))') || return 1
  # shellcheck disable=SC2086 # includes are words
  ls "$here"/python/src/*.cpp | xargs -P "$(nproc)" -I{} sh -c 'c++ -std=c++20 -O1 -fPIC -fvisibility=hidden '"$includes"' \
    -I'"$here"'/python/include -I'"$here"'/python/src -c {} -o '"$build"'/$(basename {}).o' || return 1
  local libraries=()
  for library in "$here"/lib/lib{tbb,hwy}*.so*; do [[ -e "$library" ]] && libraries+=("$library"); done
  c++ -shared -o "$build/graze/_graze$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')" \
    "$build"/*.o "$here/python/lib/libgraze.a" "$here"/python/lib/libfmt.a "${libraries[@]}" \
    -L/usr/local/cuda/lib64 -lcudart_static -ldl -lrt -lpthread -Wl,-rpath,"$here/lib" || return 1
  PYTHONPATH=$build GRAZE=$here/bin/graze "$python" -m pytest -q -p no:cacheprovider "$here/python/tests/test_device.py" \
    2>&1 | tee "$out/python.log"
  local status=${PIPESTATUS[0]}
  rm -rf "$build"
  return "$status"
}

nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null | tee "$out/machine.txt"
for part in "${parts[@]}"; do
  echo "== $part"
  "run_$part" || failed+=("$part")
done
if [[ ${#failed[@]} -gt 0 ]]; then
  echo "failed: ${failed[*]}"
  exit 1
fi
echo "all right: ${parts[*]}"

#!/usr/bin/env bash
# Builds a folder that runs the tests and benchmarks of the GPU on another machine, which needs nothing but a driver:
# programs, the libraries they use, and the public frames where they are there.
#
#   scripts/test_gpu.sh              makes build/gpu
#   build/gpu/run.sh OUT [PART...]   on the machine with the GPU; its head names the parts
#
# A machine that has a GPU and this tree runs both, one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/gpu
data=${GRAZE_DATA:-../shared/data}

[[ -n "${GRAZE_NO_INSTALL:-}" ]] || scripts/install_deps.sh
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
if [[ -z "${GRAZE_NO_BUILD:-}" ]]; then
  cmake --preset release -DGRAZE_CUDA=ON "${launcher[@]}" >/dev/null
  cmake --build --preset release -j "${JOBS:-$(nproc)}" --target test_cuda graze_app graze_bench_gpu
fi

rm -rf "$folder"
mkdir -p "$folder"/{bin,lib,data}
cp build/release/graze "$folder/bin/"
find build/release -type f \( -name test_cuda -o -name graze_bench_gpu \) -exec cp {} "$folder/bin/" \;
strip "$folder"/bin/*
# All but the C library and its parts, which belong to the system that runs the program.
for program in "$folder"/bin/*; do ldd "$program"; done |
  awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
  grep -vE '/(libc|libm|libpthread|libdl|librt|libresolv|ld-linux[^/]*)\.so' |
  xargs -r cp -Lt "$folder/lib/"
# A module for the Python of that machine uses that machine's own.
mkdir -p "$folder/lib/c++"
mv "$folder"/lib/lib{stdc++,gcc_s}.so* "$folder/lib/c++/"
[[ -d "$data/frames" ]] && cp -r "$data/frames" "$folder/data/"
chmod -R u+w "$folder"
cp scripts/run_on_gpu.sh "$folder/run.sh"

# What the module for the Python of that machine is made from.
mkdir -p "$folder"/python/{include,lib,tests}
cp -r include/graze "$folder/python/include/"
cp -r bindings/python/src bindings/python/graze "$folder/python/"
cp build/release/src/libgraze.a "$folder/python/lib/"
cp tests/python/{test_device,gpu_arrays,meshes}.py "$folder/python/tests/"
pybind11=$(/usr/bin/python3 -c 'import pybind11; print(pybind11.get_include())' 2>/dev/null || echo /usr/include)
cp -r "$pybind11/pybind11" "$folder/python/include/"
cp -r /usr/include/fmt "$folder/python/include/"
cp -L "$(find /usr/lib -name libfmt.a | head -n 1)" "$folder/python/lib/" 2>/dev/null || true

du -sh "$folder"

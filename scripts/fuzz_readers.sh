#!/usr/bin/env bash
# Runs the fuzzer of each file reader for a while, from a seed corpus of small valid files made here.
#
#   scripts/fuzz_readers.sh [SECONDS_EACH] [READER...]      default: 60, all of them
#
# Needs the fuzz preset: cmake --preset fuzz && cmake --build --preset fuzz --target reader_fuzzers
# What is found (corpus and crashes) stays in build/fuzz/corpus and build/fuzz/crashes. Stops at the first crash.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
shift || true
readers=("$@")
[ ${#readers[@]} -gt 0 ] || readers=(ply obj stl off point_cache query_csv capture)
build=build/fuzz
corpus=$build/corpus
mkdir -p "$build/crashes"
python3 scripts/fuzz_seeds.py "$build/seeds"

for reader in "${readers[@]}"; do
  mkdir -p "$corpus/$reader"
  echo "fuzz_$reader: $seconds s"
  # A reader may allocate a small multiple of its input: 4 KiB of input never needs 4 MiB.
  "$build/fuzz/readers/fuzz_$reader" -max_total_time="$seconds" -max_len=4096 -timeout=5 -malloc_limit_mb=4 \
    -rss_limit_mb=1024 -print_final_stats=1 -verbosity=0 -print_funcs=0 -dict="$build/seeds/$reader.dict" \
    -artifact_prefix="$build/crashes/$reader-" "$corpus/$reader" "$build/seeds/$reader"
done

#!/usr/bin/env bash
# Installs the Debian packages that graze needs and that are missing; asks nothing, and does nothing when all are there.
#
#   scripts/install_deps.sh demo     to build and run the program
#   scripts/install_deps.sh python   also what the Python package and its tests need
#   scripts/install_deps.sh          to build, test and benchmark
#   scripts/install_deps.sh dev      also what sanitizers, fuzzing, formatting, static analysis and the reference need
#   scripts/install_deps.sh peers    also the libraries that graze bench compares with
#
# This is the only list of packages. Programs that may come from elsewhere (node and npm for the report's page, a browser
# for its test) are looked for by name first. Runs as root, or with sudo.
set -euo pipefail

demo=(
  make g++ cmake ninja-build ccache
  libtbb-dev libhwy-dev libboost-dev libfmt-dev libcli11-dev nlohmann-json3-dev libtinyobjloader-dev
)
demo_programs=(node:nodejs npm:npm)
python=(
  python3-dev pybind11-dev python3-numpy python3-setuptools python3-wheel python3-build python3-venv python3-pip patchelf
  python3-pytest python3-hypothesis python3-pandas python3-matplotlib python3-nbconvert python3-ipykernel mypy binutils
)
integrations=(blender python3-vtk9)
tests=(git python3 libgtest-dev libbenchmark-dev librapidcheck-dev libeigen3-dev libboost-context-dev)
test_programs=(chromium:chromium)
dev=(clang clang-format clang-tidy libclang-rt-14-dev doxygen)
peers=(libembree-dev libfcl-dev libbullet-dev libcgal-dev)

packages=("${demo[@]}")
programs=("${demo_programs[@]}")
case "${1:-test}" in
  demo) ;;
  python) packages+=("${python[@]}") ;;
  test) packages+=("${python[@]}" "${tests[@]}" "${integrations[@]}") programs+=("${test_programs[@]}") ;;
  dev) packages+=("${tests[@]}" "${dev[@]}") programs+=("${test_programs[@]}") ;;
  peers) packages+=("${tests[@]}" "${peers[@]}") programs+=("${test_programs[@]}") ;;
  *)
    echo "usage: $0 [demo|python|test|dev|peers]" >&2
    exit 2
    ;;
esac
for need in "${programs[@]}"; do
  command -v "${need%:*}" >/dev/null || packages+=("${need#*:}")
done

if ! command -v dpkg-query >/dev/null; then
  echo "install_deps: this is no Debian; see the package names in $0 and install what they hold" >&2
  exit 0
fi

installed=$(dpkg-query -W -f='${Package} ${db:Status-Abbrev}\n' "${packages[@]}" 2>/dev/null | awk '$2 == "ii" { print $1 }' || true)
missing=()
for package in "${packages[@]}"; do
  grep -qx -- "$package" <<<"$installed" || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  exit 0
fi

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "install_deps: missing ${missing[*]}; install them as root (there is no sudo)" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "install_deps: installing ${missing[*]}" >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" >&2

#!/usr/bin/env python3
"""Checks who includes whom: dependencies point one way, and public headers show nobody else's types.

    core <- geometry <- mesh <- {narrow, bvh, hash, cluster, cull, coherence, rigid} <- pipeline <- io, apps, bindings, scenes

Siblings share only through geometry and mesh. Backends (simd, cuda, mpi) stand beside the siblings and share kernels
with the one they are a backend of. Prints one line a violation; exit status 1 if there is any.

usage: dependency_rule.py PROJECT_ROOT
"""

import re
import sys
from pathlib import Path

BASE = {"core", "geometry", "mesh"}
SIBLINGS = {"narrow", "bvh", "hash", "cluster", "cull", "coherence", "rigid"}
BACKENDS = {"simd", "cuda", "mpi"}
BELOW_PIPELINE = BASE | SIBLINGS | BACKENDS

# folder of src/ -> folders that it may include besides itself
ALLOWED = {
    "core": set(),
    "geometry": {"core"},
    "mesh": {"core", "geometry"},
    "pipeline": BELOW_PIPELINE,
    "io": BELOW_PIPELINE | {"pipeline"},
}
ALLOWED.update({sibling: set(BASE) for sibling in SIBLINGS})
# A backend runs the kernels of its scalar twin, and the twin calls it.
ALLOWED["narrow"] = BASE | {"simd"}
ALLOWED["simd"] = BASE | {"narrow"}
# Clusters prove feature pairs separated in floats by the kernel of narrow.
ALLOWED["cluster"] = BASE | {"narrow"}
ALLOWED["cuda"] = BASE | SIBLINGS
ALLOWED["mpi"] = BELOW_PIPELINE | {"pipeline"}

STANDARD_HEADERS = set(
    """algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes climits
    clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal cstdarg cstddef cstdint
    cstdio cstdlib cstring ctime cuchar cwchar cwctype deque exception execution filesystem format forward_list fstream
    functional future initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map memory
    memory_resource mutex new numbers numeric optional ostream queue random ranges ratio regex scoped_allocator semaphore
    set shared_mutex source_location span sstream stack stdexcept stop_token streambuf string string_view strstream
    syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray
    variant vector version""".split()
)
# Optional adapters, not part of the umbrella header, and the library that each may include.
ADAPTERS = {"eigen.hpp": "Eigen/"}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
SOURCES = {".hpp", ".cpp", ".cu", ".cuh", ".h", ".ipp"}


def includes(file):
    """Yields (line number, quoted name or None, bracketed name or None) of every include."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def check_sources(root):
    source = root / "src"
    for file in sorted(path for path in source.rglob("*") if path.suffix in SOURCES):
        relative = file.relative_to(source)
        folder = relative.parts[0]
        if len(relative.parts) == 1 or folder not in ALLOWED:
            yield f"src/{relative}: folder '{folder}' is not in the dependency rule"
            continue
        for number, quoted, bracketed in includes(file):
            # An include written as <dir/...> is checked as well.
            name = quoted or bracketed
            target = name.split("/")[0] if "/" in name else None
            if quoted and target not in ALLOWED:
                yield f'src/{relative}:{number}: "{quoted}" is not named by its path under src/'
            elif target in ALLOWED and target != folder and target not in ALLOWED[folder]:
                yield f"src/{relative}:{number}: {folder} must not include {target} ({name})"


def check_public_headers(root):
    public = root / "include"
    for file in sorted(path for path in public.rglob("*") if path.is_file()):
        relative = file.relative_to(root)
        for number, quoted, bracketed in includes(file):
            if quoted:
                yield f'{relative}:{number}: public headers include each other as <graze/...>, not "{quoted}"'
            elif bracketed.startswith("graze/"):
                if not (public / bracketed).is_file():
                    yield f"{relative}:{number}: <{bracketed}> is not a public header"
            elif bracketed not in STANDARD_HEADERS:
                if file.name in ADAPTERS and bracketed.startswith(ADAPTERS[file.name]):
                    continue
                yield f"{relative}:{number}: <{bracketed}> is neither graze's nor the standard library's"


def check(root):
    violations = list(check_sources(root)) + list(check_public_headers(root))
    if not any((root / "src").rglob("*.cpp")) or not any((root / "include").rglob("*.hpp")):
        violations.append(f"{root}: no sources found, nothing was checked")
    return violations


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = check(Path(sys.argv[1]))
    print("\n".join(found) if found else "dependency rule: kept")
    sys.exit(1 if found else 0)

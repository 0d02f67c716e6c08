#!/usr/bin/env python3
"""Checks who includes whom: dependencies point one way, and public headers show nobody else's types.

    core <- geometry <- mesh <- {scene, narrow, bvh, hash, cull} <- query <- methods <- cuda <- api <- io, apps, research

narrow, bvh, hash and cull do not include scene; rigid stands beside methods and may use narrow. TABLE lists exactly the
edges that exist: an edge that is not used is a violation, like an edge that is not allowed. The namespaces of
src/core/namespaces.hpp must agree with TABLE. Prints one line per violation; exit status 1 if there is any.

usage: dependency_rule.py PROJECT_ROOT            check
       dependency_rule.py PROJECT_ROOT --table    print the table as Markdown
       dependency_rule.py PROJECT_ROOT --write    put the table into docs/architecture.md
"""

import re
import sys
from pathlib import Path

# folder -> (what it is, {folder it includes: why, where the reason is not the order of the layers})
TABLE = {
    "core": ("tasks, deterministic sort and hash, memory budget, SIMD lanes", {}),
    "geometry": ("vectors, boxes, k-DOPs, paths, motion bounds", {"core": ""}),
    "mesh": ("topology, incidence, representatives, orphan sets, local edits", {"core": "", "geometry": ""}),
    "scene": ("Scene, SceneEdit, body filter, checks of input", {"core": "", "mesh": ""}),
    "narrow": (
        "elementary tests in three tiers: filter, interval, exact",
        {"core": "", "geometry": ""},
    ),
    "bvh": ("bounding volume hierarchies: build, refit, restructure, traverse", {"core": "", "geometry": "", "mesh": ""}),
    "hash": ("spatial hash: cells, voxels, pairs of boxes", {"core": "", "geometry": "", "mesh": ""}),
    "cull": (
        "proofs of no contact: cones, contours, patches, neighbours, bounds of features",
        {"core": "", "geometry": "", "mesh": "", "narrow": "pairs of vertex ids", "bvh": "a patch is a subtree"},
    ),
    "query": (
        "waves, candidate stream, impact batches, first-impact loop, the seam for methods",
        {"core": "", "geometry": "", "mesh": "", "scene": "", "narrow": "", "bvh": "", "cull": ""},
    ),
    "methods": (
        "one class a method: brute, bvh, adaptive, hash, cluster",
        {"core": "", "geometry": "", "mesh": "", "narrow": "", "bvh": "", "hash": "", "cull": "", "query": ""},
    ),
    "cuda": (
        "method auto on a GPU, by CUDA",
        {
            "core": "",
            "scene": "checks of positions",
            "narrow": "the kernels of the elementary tests",
            "query": "",
            "methods": "clusters, their tree and their proofs",
        },
    ),
    "rigid": (
        "rigid objects in poses and motions, worlds",
        {"core": "", "geometry": "", "mesh": "", "scene": "checks of a body", "narrow": ""},
    ),
    "api": (
        "Detector, batches, boxes: checks input, picks the method, takes the time",
        {
            "core": "",
            "geometry": "",
            "mesh": "",
            "scene": "",
            "narrow": "",
            "hash": "",
            "query": "",
            "methods": "",
            "cuda": "picks it where it is built",
        },
    ),
    "io": (
        "meshes, sequences, point caches, query files, captures, VTK files",
        {"core": "", "mesh": "", "scene": "", "rigid": "trees in files", "api": "checks of options"},
    ),
}
LIBRARY = set(TABLE)

# What stands outside of the library -> the folders of src/ it may look into, and its other neighbours.
OUTSIDE = {
    "scenes": {"geometry"},
    "research": LIBRARY,
    "benchmarks": LIBRARY,
    "bindings": set(),
}
# The program uses the public headers. Every other include of an internal header is named here, with its reason.
APPS_INTERNAL = {
    "core/hash.hpp": "a hash over several answers must be the library's hash",
    "io/output.hpp": "files are replaced only when they are complete",
    "io/input.hpp": "numbers are rounded as the library's readers round them",
    "rigid/object.hpp": "a bad pose is reported with its option or line",
}

# Who may be included by whom among the folders outside of src/.
NEIGHBOURS = {
    "scenes": {"scenes"},
    "benchmarks": {"benchmarks", "scenes", "research"},
    "apps": {"apps", "scenes", "research", "benchmarks"},
    "research": {"research", "apps", "scenes", "benchmarks"},
    "bindings": {"bindings"},
}

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
# Optional adapters, not part of the umbrella header: what each may show.
ADAPTERS = {"eigen.hpp": "Eigen/"}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
SOURCES = {".hpp", ".cpp", ".cu", ".cuh", ".h", ".ipp"}
MOST_FILES = 35
BEGIN = "<!-- dependency table: written by tests/project/dependency_rule.py -->"
END = "<!-- end of dependency table -->"


def includes(file):
    """(line number, quoted name or None, bracketed name or None) of every include."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in SOURCES)


def check_sources(root):
    source = root / "src"
    used = {folder: set() for folder in TABLE}
    for file in sources(source):
        relative = file.relative_to(source)
        folder = relative.parts[0]
        if len(relative.parts) == 1 or folder not in TABLE:
            yield f"src/{relative}: folder '{folder}' is not in the dependency rule"
            continue
        for number, quoted, bracketed in includes(file):
            name = quoted or bracketed  # <dir/...> must not be a way round the rule
            target = name.split("/")[0] if "/" in name else None
            if quoted and target not in TABLE:
                yield f'src/{relative}:{number}: "{quoted}" is not named by its path under src/'
            elif target in TABLE and target != folder:
                used[folder].add(target)
                if target not in TABLE[folder][1]:
                    yield f"src/{relative}:{number}: {folder} must not include {target} ({name})"
    for folder, (_, allowed) in TABLE.items():
        if not (source / folder).is_dir():
            yield f"src/{folder}: the dependency rule names a folder that does not exist"
            continue
        for target in sorted(set(allowed) - used[folder]):
            yield f"src/{folder}: the dependency rule allows {target}, which no file includes"


def check_sizes(root):
    """No folder of src/ holds more than MOST_FILES files."""
    for folder in sorted(path for path in (root / "src").rglob("*") if path.is_dir()):
        count = sum(1 for path in folder.iterdir() if path.is_file())
        if count > MOST_FILES:
            yield f"{folder.relative_to(root)}: {count} files, more than {MOST_FILES}: perhaps two rooms"


def below(folder):
    """The folders that a folder sees, directly or through another."""
    seen = set()
    for target in TABLE.get(folder, ("", {}))[1]:
        seen |= {target} | below(target)
    return seen


def check_namespaces(root):
    """src/core/namespaces.hpp opens to each folder the namespaces of folders that it may include."""
    file = root / "src/core/namespaces.hpp"
    if not file.is_file():
        return
    text = file.read_text(encoding="utf-8")
    for folder, body in re.findall(r"^namespace (\w+) \{\n((?:using namespace \w+;\n)+)\}", text, re.M):
        for target in re.findall(r"using namespace (\w+);", body):
            if target not in below(folder):
                yield f"src/core/namespaces.hpp: opens {target} to {folder}, which is not below it"


def check_outside(root):
    """Programs, scenes, benchmarks and bindings: who looks into the library, and who includes whom."""
    for place in ("scenes", "benchmarks", "research", "apps", "bindings"):
        for file in sources(root / place):
            relative = file.relative_to(root)
            for number, quoted, bracketed in includes(file):
                if place == "bindings" and bracketed and bracketed.split("/")[0] in TABLE:
                    quoted = bracketed  # <dir/...> must not be a way round the rule
                if quoted is None or "/" not in quoted:
                    continue
                target = quoted.split("/")[0]
                own = (root / "apps/graze" / quoted).is_file() and place in ("apps", "research")
                if (root / quoted).is_file():
                    if target not in NEIGHBOURS[place]:
                        yield f"{relative}:{number}: {place} must not include {target} ({quoted})"
                elif own:
                    if "apps" not in NEIGHBOURS[place]:
                        yield f"{relative}:{number}: {place} must not include the program ({quoted})"
                elif target in TABLE:
                    if place == "apps":
                        if quoted not in APPS_INTERNAL:
                            yield f"{relative}:{number}: apps must not include the library's {quoted}"
                    elif target not in OUTSIDE[place]:
                        yield f"{relative}:{number}: {place} must not include {target} ({quoted})"


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


def table():
    """The dependency table as Markdown."""
    lines = ["| folder of `src/` | what it is | may include |", "| --- | --- | --- |"]
    for folder, (what, allowed) in TABLE.items():
        edges = ", ".join(f"{name} ({why})" if why else name for name, why in allowed.items()) or "nothing"
        lines.append(f"| `{folder}` | {what} | {edges} |")
    lines += ["", "Outside of the library:", "", "| place | looks into |", "| --- | --- |"]
    for place, allowed in OUTSIDE.items():
        folders = "every folder" if allowed == LIBRARY else ", ".join(sorted(allowed)) or "public headers only"
        lines.append(f"| `{place}/` | {folders} |")
    internal = ", ".join(f"`{name}` ({why})" for name, why in APPS_INTERNAL.items()) or "public headers only"
    lines.append(f"| `apps/` | {internal} |")
    return "\n".join(lines)


def check_page(root):
    """docs/architecture.md shows the table."""
    page = root / "docs/architecture.md"
    if page.is_file() and table() not in page.read_text(encoding="utf-8"):
        yield "docs/architecture.md: the dependency table is not up to date; run dependency_rule.py . --write"


def write_page(root):
    page = root / "docs/architecture.md"
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    page.write_text(f"{before}{BEGIN}\n\n{table()}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")


def check(root):
    violations = []
    for part in (check_sources, check_sizes, check_namespaces, check_outside, check_public_headers, check_page):
        violations += list(part(root))
    if not any((root / "src").rglob("*.cpp")) or not any((root / "include").rglob("*.hpp")):
        violations.append(f"{root}: no sources found, nothing was checked")
    return violations


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[1:] not in ([], ["--table"], ["--write"]):
        sys.exit(__doc__)
    root = Path(arguments[0])
    if arguments[1:] == ["--table"]:
        print(table())
        return 0
    if arguments[1:] == ["--write"]:
        write_page(root)
        return 0
    found = check(root)
    print("\n".join(found) if found else f"dependency rule: kept\n\n{table()}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

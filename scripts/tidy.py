#!/usr/bin/env python3
"""Runs clang-tidy, on every source or on what changed, and prints each finding once.

    scripts/tidy.py                  every source
    scripts/tidy.py --changed        what changed since the merge base with the upstream branch
    scripts/tidy.py --base REVISION  what changed since REVISION

Needs build/tidy (cmake --preset tidy). A changed header is analysed through one source that includes it.

clang-tidy looks at every declaration of every header that a source includes, which takes 15 s a source. Sources of one
target are therefore analysed together, several in one unit, where they compile together. Ends with 1 where something
was found.
"""
import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
UNIT_SIZE = 6


def git(*arguments):
    """Output of a git command, or None where it fails."""
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def default_base():
    """Where the branch left its upstream (or origin's main), else the revision before the last."""
    for upstream in ("@{upstream}", "origin/main"):
        base = git("merge-base", "HEAD", upstream)
        if base and base != git("rev-parse", "HEAD"):
            return base
    return "HEAD~1"


def changed_sources(base, sources):
    """Sources that changed since base, and for each changed header one source that includes it."""
    names = git("diff", "--name-only", "--diff-filter=d", base)
    if names is None:
        raise SystemExit(f"tidy: {base}: no such revision")
    changed = [ROOT / name for name in names.splitlines() if name.endswith((".cpp", ".hpp"))]
    chosen = {path for path in changed if path in sources}
    texts = {}
    for header in (path for path in changed if path.suffix == ".hpp"):
        texts = texts or {source: source.read_text() for source in sorted(sources)}
        include = re.compile(r'#include [<"](?:\S*/)?' + re.escape(header.name) + '[>"]')
        users = [source for source, text in texts.items() if include.search(text)]
        own = [source for source in users if source.stem == header.stem]
        if users and not chosen.intersection(users):
            chosen.add((own or users)[0])
    return chosen


def command_of(entry):
    """The compile command of a source as words, without the source and what is written."""
    words = shlex.split(entry["command"])
    kept = []
    skip = False
    for word in words:
        if skip or word in ("-c", entry["file"]):
            skip = False
        elif word in ("-o", "-MF", "-MT"):
            skip = True
        elif word not in ("-MD",):
            kept.append(word)
    return kept


class Units:
    """Writes units that include several sources, with a compile command each, into a folder of their own."""

    def __init__(self, folder):
        self.folder = folder
        self.numbers = itertools.count()  # next() of it is safe from several threads
        folder.mkdir(parents=True, exist_ok=True)

    def make(self, sources, command):
        folder = self.folder / str(next(self.numbers))
        folder.mkdir(exist_ok=True)
        unit = folder / "unit.cpp"
        unit.write_text("".join(f'#include "{source}"  // NOLINT\n' for source in sources))
        if len(sources) > 1:  # a name of one source may shadow that of another; compilers look for shadows within one
            command = [*command, "-Wno-shadow"]
        entry = {"directory": str(folder), "file": str(unit), "arguments": [*command, "-c", str(unit)]}
        (folder / "compile_commands.json").write_text(json.dumps([entry]))
        return unit


def analyse(units, sources, command):
    """What clang-tidy says of the sources: of one unit where they compile together, else of its halves."""
    unit = units.make(sources, command)
    if len(sources) > 1 and subprocess.run([*command, "-w", "-fsyntax-only", unit], capture_output=True).returncode:
        half = len(sources) // 2
        return analyse(units, sources[:half], command) + analyse(units, sources[half:], command)
    tidy = ["clang-tidy", "--quiet", f"--config-file={ROOT}/.clang-tidy", "-p", unit.parent, unit]
    done = subprocess.run(tidy, capture_output=True, text=True)
    return [(sources, done.returncode, done.stdout, done.stderr)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/tidy", help="what cmake configured")
    parser.add_argument("--changed", action="store_true", help="only what changed since the upstream branch")
    parser.add_argument("--base", default="", help="only what changed since this revision")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()

    entries = json.loads((options.build / "compile_commands.json").read_text())
    commands = {pathlib.Path(entry["file"]): command_of(entry) for entry in entries}
    known = {ROOT / name for name in git("ls-files", "-co", "--exclude-standard", "*.cpp").splitlines()}
    sources = known & commands.keys()
    if options.changed or options.base:
        sources = changed_sources(options.base or default_base(), sources)

    groups = {}
    for source in sorted(sources):
        # Highway includes such a source once an instruction set, and can do so with one in a unit.
        alone = source if "foreach_target.h" in source.read_text() else None
        groups.setdefault((source.parent, alone, *commands[source]), []).append(source)

    units = Units(options.build / "units")
    seen = set()
    failed = False
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        parts = [
            pool.submit(analyse, units, members[first : first + UNIT_SIZE], list(key[2:]))
            for key, members in groups.items()
            for first in range(0, len(members), UNIT_SIZE)
        ]
        for part in concurrent.futures.as_completed(parts):
            for analysed, status, output, errors in part.result():
                # A finding is a line with place and check, and the lines up to the next one.
                for finding in re.split(r"(?m)^(?=/\S+:\d+:\d+: (?:error|warning): )", output):
                    head = finding.split("\n", 1)[0]
                    if head and head not in seen:
                        seen.add(head)
                        print(finding.rstrip(), flush=True)
                if status != 0:
                    failed = True
                    if not output.strip():
                        print(f"{analysed[0]}: clang-tidy failed\n{errors}", flush=True)
    print(f"clang-tidy: {len(sources)} sources, {len(seen)} findings", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs clang-tidy, on every source or on what changed, and prints each finding once.

    scripts/tidy.py --build build/tidy                  every source
    scripts/tidy.py --build build/tidy --changed        what changed since the merge base with the upstream branch
    scripts/tidy.py --build build/tidy --base REVISION  what changed since REVISION

A changed header is analysed through one source that includes it. Ends with 1 where something was found.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


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
    texts = None
    for header in (path for path in changed if path.suffix == ".hpp"):
        if texts is None:
            texts = {source: source.read_text() for source in sorted(sources)}
        include = re.compile(r'#include [<"](?:\S*/)?' + re.escape(header.name) + '[>"]')
        users = [source for source, text in texts.items() if include.search(text)]
        own = [source for source in users if source.stem == header.stem]
        if users and not chosen.intersection(users):
            chosen.add((own or users)[0])
    return chosen


def analyse(source, build):
    done = subprocess.run(["clang-tidy", "--quiet", "-p", build, source], capture_output=True, text=True)
    return source, done.returncode, done.stdout, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build/tidy"), help="build folder with compile_commands.json")
    parser.add_argument("--changed", action="store_true", help="only what changed since the upstream branch")
    parser.add_argument("--base", default="", help="only what changed since this revision")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()

    with open(pathlib.Path(options.build) / "compile_commands.json") as commands:
        compiled = {pathlib.Path(entry["file"]) for entry in json.load(commands)}
    known = {ROOT / name for name in git("ls-files", "-co", "--exclude-standard", "*.cpp").splitlines()}
    sources = compiled & known
    if options.changed or options.base:
        sources = changed_sources(options.base or default_base(), sources)

    seen = set()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(analyse, s, options.build) for s in sorted(sources)]):
            source, status, output, errors = done.result()
            # A finding is a line with place and check, and the lines up to the next one.
            for finding in re.split(r"(?m)^(?=/\S+:\d+:\d+: (?:error|warning): )", output):
                head = finding.split("\n", 1)[0]
                if head and head not in seen:
                    seen.add(head)
                    print(finding.rstrip(), flush=True)
            if status != 0:
                failed += 1
                if not output.strip():
                    print(f"{source}: clang-tidy failed\n{errors}", flush=True)
    print(f"clang-tidy: {len(sources)} sources, {len(seen)} findings", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs the commands that README.md and docs/ show, so that they cannot go stale.

A block is checked when its fence says so:

    ```sh check              the commands must succeed
    ```sh check exit=1       ... or end with that status

All checked blocks of a document run in order, in one scratch folder of its own, by bash -euo pipefail, with `graze`
on the PATH. $GRAZE_SOURCE is the project. A failing block is reported as FILE:LINE with its output.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^(`{3,})\s*(\S*)\s*(.*)$")
BLOCK_SECONDS = 300


class Block:
    def __init__(self, line, status, script):
        self.line, self.status, self.script = line, status, script


def checked_blocks(path):
    """The blocks of one document that are marked for checking."""
    blocks, fence, start, status, lines = [], None, 0, None, []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = FENCE.match(text)
        if fence is None:
            if match:
                fence, start, lines = match.group(1), number, []
                words = match.group(3).split()
                status = None
                if match.group(2) in ("sh", "bash") and "check" in words:
                    status = 0
                    for word in words:
                        if word.startswith("exit="):
                            status = int(word[5:])
        elif match and match.group(1) == fence and not match.group(2):
            if status is not None:
                blocks.append(Block(start, status, "\n".join(lines) + "\n"))
            fence = None
        else:
            lines.append(text)
    if fence is not None:
        raise SystemExit(f"{path}:{start}: this block is never closed")
    return blocks


def run_document(path, graze, source):
    """Runs the blocks of a document; returns how many ran and what failed."""
    blocks, failures = checked_blocks(path), []
    environment = dict(os.environ, GRAZE_SOURCE=str(source), NO_COLOR="1")
    environment["PATH"] = f"{graze.parent}{os.pathsep}{environment['PATH']}"
    with tempfile.TemporaryDirectory(prefix="graze-docs-") as folder:
        for block in blocks:
            try:
                done = subprocess.run(
                    ["bash", "-euo", "pipefail", "-c", block.script], cwd=folder, env=environment,
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                    # Two streams in one: what is on stderr may come in the middle of a character on stdout.
                    text=True, errors="replace", timeout=BLOCK_SECONDS)
            except subprocess.TimeoutExpired:
                failures.append(f"{path}:{block.line}: not done after {BLOCK_SECONDS} s")
                break
            if done.returncode != block.status:
                failures.append(f"{path}:{block.line}: exit {done.returncode}, expected {block.status}\n{done.stdout}")
                break  # later blocks build on this one
    return len(blocks), failures


def main():
    source = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--graze", type=pathlib.Path, default=source / "build/release/graze")
    parser.add_argument("documents", nargs="*", type=pathlib.Path, help="default: README.md and docs/**/*.md")
    arguments = parser.parse_args()
    graze = arguments.graze.resolve()
    if not graze.is_file():
        raise SystemExit(f"{graze}: no such program; run 'make build' first")
    documents = arguments.documents
    if not documents:
        documents = [path for path in [source / "README.md"] if path.is_file()] + sorted(source.glob("docs/**/*.md"))
    total, failures = 0, []
    for path in documents:
        count, failed = run_document(path, graze, source)
        total += count
        failures += failed
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{total} blocks of {len(documents)} documents checked, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs the commands and Python examples that README.md and docs/ show, so that they cannot go stale.

A block is checked when its fence says so:

    ```sh check              the commands must succeed
    ```sh check exit=1       ... or end with that status
    ```python check          the code must run without an exception

All checked blocks of a document run in order, in one scratch folder of its own: first those of the shell, by bash -euo
pipefail, with `graze` on the PATH; then those of Python, in one process, so that names of earlier blocks are known in
later ones. $GRAZE_SOURCE is the project. A failing block is reported as FILE:LINE with its output.

The interpreter is $PYTHON (default: /usr/bin/python3), with the package in the folder python beside the program. Where
the module graze cannot be imported, Python blocks are skipped, and a line says so.
"""

import argparse
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^(`{3,})\s*(\S*)\s*(.*)$")
BLOCK_SECONDS = 300
# Runs a source file under the name of the document, so that a traceback names the document's lines.
RUN_AS = "import sys; exec(compile(open(sys.argv[1], encoding='utf-8').read(), sys.argv[2], 'exec'))"


class Block:
    def __init__(self, line, language, status, script):
        self.line, self.language, self.status, self.script = line, language, status, script


def checked_blocks(path):
    """The blocks of one document that are marked for checking."""
    blocks, fence, start, language, status, lines = [], None, 0, None, None, []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = FENCE.match(text)
        if fence is None:
            if match:
                fence, start, lines = match.group(1), number, []
                words = match.group(3).split()
                language = {"sh": "sh", "bash": "sh", "python": "python"}.get(match.group(2))
                status = None
                if language and "check" in words:
                    status = 0
                    for word in words:
                        if word.startswith("exit="):
                            status = int(word[5:])
        elif match and match.group(1) == fence and not match.group(2):
            if status is not None:
                blocks.append(Block(start, language, status, "\n".join(lines) + "\n"))
            fence = None
        else:
            lines.append(text)
    if fence is not None:
        raise SystemExit(f"{path}:{start}: this block is never closed")
    return blocks


def run(command, folder, environment):
    return subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        # Two streams in one: what is on stderr may come in the middle of a character on stdout.
        stderr=subprocess.STDOUT, text=True, errors="replace", timeout=BLOCK_SECONDS)


def run_shell(path, blocks, folder, environment):
    """Runs the shell blocks of a document up to the first that fails; returns a line about that one, or None."""
    for block in blocks:
        try:
            done = run(["bash", "-euo", "pipefail", "-c", block.script], folder, environment)
        except subprocess.TimeoutExpired:
            return f"{path}:{block.line}: not done after {BLOCK_SECONDS} s"
        if done.returncode != block.status:  # later blocks build on this one
            return f"{path}:{block.line}: exit {done.returncode}, expected {block.status}\n{done.stdout}"
    return None


def python_source(blocks):
    """The Python blocks of a document as one file, each line at the number that it has in the document."""
    lines = []
    for block in blocks:
        lines += [""] * (block.line - len(lines)) + block.script.splitlines()
    return "\n".join(lines) + "\n"


def failed_block(path, blocks, output):
    """The block in which a traceback begins; the first one if there is no traceback."""
    frame = re.search(rf'File "{re.escape(str(path))}", line (\d+)', output)
    line = int(frame.group(1)) if frame else 0
    return max((block.line for block in blocks if block.line <= line), default=blocks[0].line)


def run_python(path, blocks, folder, environment, python):
    """Runs the Python blocks of a document in one process; returns a line about the one that failed, or None."""
    with tempfile.TemporaryDirectory(prefix="graze-docs-") as beside:
        source = pathlib.Path(beside) / "blocks.py"
        source.write_text(python_source(blocks), encoding="utf-8")
        try:
            done = run([python, "-c", RUN_AS, source, path], folder, environment)
        except subprocess.TimeoutExpired:
            return f"{path}:{blocks[0].line}: Python blocks not done after {BLOCK_SECONDS} s"
    if done.returncode != 0:
        return f"{path}:{failed_block(path, blocks, done.stdout)}: exit {done.returncode}, expected 0\n{done.stdout}"
    return None


@functools.lru_cache(maxsize=None)
def why_no_python(python, packages):
    """Why an interpreter cannot import graze; empty if it can."""
    environment = dict(os.environ, PYTHONPATH=packages)
    try:
        done = run([python, "-c", "import graze"], None, environment)
    except OSError as error:
        return str(error)
    return (done.stdout.strip().splitlines() or ["it ended"])[-1] if done.returncode != 0 else ""


def run_document(path, graze, source):
    """Runs the blocks of a document; returns how many ran and what failed."""
    blocks, failures = checked_blocks(path), []
    environment = dict(os.environ, GRAZE_SOURCE=str(source), NO_COLOR="1", MPLBACKEND="Agg", PYTHONDONTWRITEBYTECODE="1")
    environment["PATH"] = f"{graze.parent}{os.pathsep}{environment['PATH']}"
    packages = os.pathsep.join(filter(None, [str(graze.parent / "python"), os.environ.get("PYTHONPATH")]))
    python = os.environ.get("PYTHON") or "/usr/bin/python3"
    shell_blocks = [block for block in blocks if block.language == "sh"]
    python_blocks = [block for block in blocks if block.language == "python"]
    if python_blocks and why_no_python(python, packages):
        reason = why_no_python(python, packages)
        print(f"skipped: {len(python_blocks)} Python blocks of {path}: {python} cannot import graze: {reason}")
        python_blocks = []
    with tempfile.TemporaryDirectory(prefix="graze-docs-") as folder:
        failures.append(run_shell(path, shell_blocks, folder, environment))
        if python_blocks:
            failures.append(run_python(path, python_blocks, folder, dict(environment, PYTHONPATH=packages), python))
    return len(shell_blocks) + len(python_blocks), list(filter(None, failures))


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

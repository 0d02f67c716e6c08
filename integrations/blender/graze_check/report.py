"""The text of a report: what was checked, a table of the findings, and what could not be tested. No Blender here."""

from __future__ import annotations

from collections.abc import Sequence

from .queries import STEP, Finding, Options

HEADER = ("frame", "earliest", "found", "number", "objects")


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def frame_name(begin: int, end: int) -> str:
    return str(begin) if begin == end else f"{begin} to {end}"


def pair_name(finding: Finding, names: Sequence[str]) -> str:
    return f"{names[finding.a]} with itself" if finding.a == finding.b else f"{names[finding.a]}, {names[finding.b]}"


def summary(findings: Sequence[Finding], options: Options, names: Sequence[str], steps: int, frames: int) -> str:
    """One line: how much was found, and what comes first."""
    contacts = [finding for finding in findings if finding.kind == STEP]
    intersections = [finding for finding in findings if finding.kind != STEP]
    parts = []
    if options.steps:
        hit = len({finding.begin for finding in contacts})
        parts.append(f"{counted(total(contacts), 'contact')} in {hit} of {counted(steps, 'step')}")
    if options.frames:
        hit = len({finding.begin for finding in intersections})
        parts.append(f"{counted(total(intersections), 'intersection')} in {hit} of {counted(frames, 'frame')}")
    if findings:
        first = min(findings, key=lambda finding: finding.time)
        parts.append(f"the earliest at frame {first.time:.4g} ({pair_name(first, names)})")
    return "; ".join(parts)


def total(findings: Sequence[Finding]) -> int:
    return sum(finding.count for finding in findings)


def table(findings: Sequence[Finding], names: Sequence[str]) -> list[str]:
    """Lines with a row for each finding, in the order of time."""
    rows = [HEADER]
    for finding in findings:
        frame = frame_name(finding.begin, finding.end)
        rows.append((frame, f"{finding.time:.6f}", finding.kind, str(finding.count), pair_name(finding, names)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
    return [format_row(row, widths) for row in rows]


def format_row(row: Sequence[str], widths: Sequence[int]) -> str:
    frame, earliest, found, number, objects = row
    cells = (frame.ljust(widths[0]), earliest.rjust(widths[1]), found.ljust(widths[2]), number.rjust(widths[3]))
    return "  ".join((*cells, objects))


def skipped_line(name: str, skipped: Sequence[tuple[int, int]], steps: int) -> str:
    first = frame_name(*skipped[0])
    return (
        f"{name}: its faces change in {len(skipped)} of {counted(steps, 'step')}, first from {first}; "
        "it is not tested during these steps"
    )


def made_faces_line(name: str, made: int, unknown: int) -> str:
    line = f"{name}: modifiers make {counted(made, 'face')}; contacts are counted on the faces of the mesh they come from"
    if unknown == 0:
        return line
    return line + f". {unknown} come from none: contacts there are in the table, but not marked"


def text(settings: Sequence[str], line: str, rows: Sequence[str], messages: Sequence[str]) -> str:
    parts = [*settings, "", line]
    if len(rows) > 1:
        parts += ["", *rows]
    if messages:
        parts += ["", *messages]
    return "\n".join(parts) + "\n"

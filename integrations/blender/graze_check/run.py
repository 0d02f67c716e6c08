"""One check of a scene, from the settings to the marks.

Work is a generator, so that the same code runs in a loop or in slices between the events of a window. Blender is asked
on the main thread alone. With `threaded`, queries run on a thread of their own, and the window stays alive.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import ModuleType

import bpy

from . import marks, report, simulations
from .meshes import MeshReader, readers_of, remove_numbers, take_snapshot
from .queries import STEP, Check, Snapshot
from .settings import GrazeSettings


class CheckError(Exception):
    """The settings leave nothing to check. The message is one line."""


class Run:
    """A check: work() until it ends, then finish() in any case."""

    def __init__(self, context: bpy.types.Context, graze: ModuleType, threaded: bool) -> None:
        self.scene = context.scene
        self.cancelled = False
        self.share = 0.0  # of the work that is done, in [0, 1]
        self.stage = ""  # what it is doing
        self._settings: GrazeSettings = context.scene.graze_check
        self._options = self._settings.options()
        self._samples = sample_frames(*self._settings.frame_range(self.scene), self._settings.step)
        self._left_out: list[str] = []
        context.view_layer.update()  # objects that a script has just made are visible only then
        self._things = self._choose(context)
        self._names = [thing.name_full for thing in self._things]
        self._check_options()
        self.graze = graze
        self._readers: list[MeshReader] = readers_of(self._things)
        polygon_counts = [reader.polygon_count for reader in self._readers]
        self._check = Check(graze, self._options, self._names, polygon_counts, self._watch)
        self._shown = (self.scene.frame_current, self.scene.frame_subframe)
        self._steps = self._frames = 0  # that are done
        self._done = (0.0, 1.0)  # share of the work before the query that runs, and after it
        self._pool = ThreadPoolExecutor(1, "graze") if threaded else None

    def work(self) -> Iterator[bool]:
        """Visits the frames. Yields often: True while there is nothing to do but wait for a query."""
        self._settings.clear_results()
        marks.clear(keep_text=True)
        for reader in self._readers:
            reader.number_polygons()
        samples = set(self._samples)
        visits = simulations.frames_to(self.scene, self._samples[0], self._samples[-1])
        before: Snapshot | None = None
        for number, frame in enumerate(visits):
            self._done = (number / len(visits), (number + 1) / len(visits))
            self.share, self.stage = self._done[0], f"frame {frame} of {visits[-1]}"
            self.scene.frame_set(frame)
            if frame in samples:
                after = take_snapshot(self._readers, frame, bpy.context.evaluated_depsgraph_get())
                yield from self._query(before, after, frame == visits[-1])
                before = after
            yield False
            if self.cancelled:
                return
        self.share = 1.0

    def cancel(self) -> None:
        """Stops the query that runs, and with it the work."""
        self.cancelled = True

    def finish(self, error: str = "") -> str:
        """Writes what was found, and shows the frame from before. Returns the summary."""
        try:
            self._stop_pool()
            for mesh in {thing.data.name_full: thing.data for thing in self._things}.values():
                remove_numbers(mesh)
            return self._write(error)
        finally:
            self.scene.frame_set(self._shown[0], subframe=self._shown[1])

    def abandon(self) -> None:
        """Stops without a trace in the results: the file or the window goes away."""
        self.cancel()
        self._stop_pool()

    def row_count(self) -> int:
        return len(self._check.findings)

    def _stop_pool(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True)

    def _query(self, before: Snapshot | None, after: Snapshot, last: bool) -> Iterator[bool]:
        """Tests the step between two frames; a frame is tested with the step that begins there, the last by itself."""
        if before is not None:
            tested = yield from self._wait(partial(self._check.step, before, after))
            self._steps += tested
            self._frames += tested
        if last:
            self._frames += yield from self._wait(partial(self._check.frame, after))

    def _wait(self, query: Callable[[], None]) -> Generator[bool, None, bool]:
        """Runs a query and waits for it. Returns whether it ran."""
        if self.cancelled:
            return False
        if self._pool is None:
            query()
            return True
        future = self._pool.submit(query)
        while not future.done():
            yield True
        future.result()
        return True

    def _watch(self, share: float) -> bool:
        """The progress callback of queries. Runs on the thread of the query."""
        begin, end = self._done
        self.share = begin + share * (end - begin)
        return not self.cancelled

    def _choose(self, context: bpy.types.Context) -> list[bpy.types.Object]:
        """The objects to check, by name. Notes those that are left out."""
        chosen = []
        for thing in sorted(self._candidates(context), key=lambda thing: thing.name_full):
            if not thing.visible_get(view_layer=context.view_layer):
                self._left_out.append(f"{thing.name_full}: it is hidden, and is not checked")
            elif thing.mode == "EDIT":
                raise CheckError(f"{thing.name_full} is in edit mode: leave it first")
            elif not thing.data.polygons and not thing.modifiers:
                self._left_out.append(f"{thing.name_full}: it has no faces, and is not checked")
            else:
                chosen.append(thing)
        if not chosen:
            raise CheckError("there is no mesh to check: choose others under Objects")
        return chosen

    def _candidates(self, context: bpy.types.Context) -> list[bpy.types.Object]:
        which = self._settings.objects
        if which == "COLLECTION" and self._settings.collection is None:
            raise CheckError("choose a collection")
        if which == "COLLECTION":
            things = set(self._settings.collection.all_objects) & set(context.view_layer.objects)
        elif which == "SELECTED":
            things = set(context.selected_objects)
        else:
            things = {thing for thing in context.view_layer.objects if thing.visible_get()}
        return [thing for thing in things if thing.type == "MESH"]

    def _check_options(self) -> None:
        options = self._options
        if not (options.steps or options.frames):
            raise CheckError("choose what to find: contacts during steps, intersections at frames, or both")
        if not (options.within or options.between):
            raise CheckError("choose where to find contacts: within objects, between objects, or both")
        if not options.within and len(self._things) == 1:
            raise CheckError(f"{self._names[0]} is the only mesh: there are no contacts between objects")
        if options.steps and not options.frames and len(self._samples) == 1:
            raise CheckError("contacts during steps need a range of at least two frames")

    def _write(self, error: str) -> str:
        check = self._check
        check.findings.sort(key=lambda finding: (finding.begin, finding.kind == STEP, finding.a, finding.b))
        messages = self._left_out + self._mark_faces() + self._lines_about_meshes() + self._lines_about_the_run(error)
        summary = report.summary(check.findings, self._options, self._names, self._steps, self._frames)
        marks.add_markers(self.scene, check.findings)
        rows = report.table(check.findings, self._names)
        marks.write_text(report.text(self._lines_about_settings(), summary, rows, messages))
        self._fill_list(summary, error, messages)
        return summary

    def _mark_faces(self) -> list[str]:
        """Marks the faces of all objects. Returns a line for each object for which it cannot."""
        lines = []
        for thing, counts in zip(self._things, self._check.counts):
            if not counts.any():
                continue
            problem = marks.why_not_marked(thing)
            if problem:
                lines.append(f"{thing.name_full}: its faces are not marked, because {problem}")
            else:
                marks.mark_faces(thing, counts)
        return lines

    def _lines_about_meshes(self) -> list[str]:
        lines = []
        for number, (name, reader) in enumerate(zip(self._names, self._readers)):
            if self._options.steps and number in self._check.skipped:
                lines.append(report.skipped_line(name, self._check.skipped[number], self._steps))
            if reader.made_faces:
                lines.append(report.made_faces_line(name, reader.made_faces, reader.unknown_faces))
        return lines

    def _lines_about_the_run(self, error: str) -> list[str]:
        lines = [
            f"{name}: its simulation is not baked. It was played from frame {start}"
            for name, start in simulations.unbaked(self.scene)
        ]
        if error:
            lines.append(f"stopped at frame {self.scene.frame_current}: {error}")
        elif self.cancelled:
            lines.append(f"cancelled at frame {self.scene.frame_current}: later frames are not checked")
        return lines

    def _lines_about_settings(self) -> list[str]:
        options = self._options
        places = [name for name, chosen in (("within", options.within), ("between", options.between)) if chosen]
        objects = [f"{name} ({report.counted(len(counts), 'face')})" for name, counts in zip(self._names, self._check.counts)]
        return [
            f"graze {self.graze.__version__}: scene {self.scene.name}, frames {self._samples[0]} to "
            f"{self._samples[-1]}, step {self._settings.step}",
            f"objects: {', '.join(objects)}",
            f"contacts {' and '.join(places)} objects, thickness {options.thickness:.7g}",
        ]

    def _fill_list(self, summary: str, error: str, messages: list[str]) -> None:
        settings = self._settings
        settings.clear_results()
        settings.summary, settings.error = summary, error
        for finding in self._check.findings:
            row = settings.rows.add()
            row.begin, row.end, row.time = finding.begin, finding.end, finding.time
            row.kind, row.count = finding.kind, min(finding.count, 2**31 - 1)
            row.objects = report.pair_name(finding, self._names)
        for line in messages:
            settings.messages.add().name = line


def sample_frames(first: int, last: int, step: int) -> list[int]:
    """Every `step`-th frame from the first, and the last."""
    if first > last:
        raise CheckError(f"the first frame, {first}, is after the last, {last}")
    frames = list(range(first, last + 1, step))
    return frames if frames[-1] == last else [*frames, last]

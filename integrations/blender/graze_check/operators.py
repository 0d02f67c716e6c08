"""Operators: check the scene, remove all marks, jump to a frame.

A check from the panel runs between the events of the window: progress in the status bar, Esc cancels. From a script,
and without a window, it is a plain loop.
"""

import time
from types import ModuleType
from typing import ClassVar

import bpy

from . import graze_module, marks, simulations
from .run import CheckError, Run

SLICE = 0.05  # seconds of work between two looks at events


def begin(operator: bpy.types.Operator, context: bpy.types.Context, threaded: bool) -> Run | None:
    """A run for the settings of the scene; None, with one line for the user, if there is none."""
    graze, problem = graze_module.load()
    try:
        if graze is not None:
            return Run(context, graze, threaded)
    except CheckError as error:
        problem = str(error)
    context.scene.graze_check.clear_results()
    context.scene.graze_check.error = problem
    operator.report({"ERROR"}, problem)
    return None


def stop_line(error: BaseException, graze: ModuleType) -> str | None:
    """One line about an error that ends a run; None for one that is a mistake of the add-on."""
    if isinstance(error, (graze.Error, MemoryError)):
        return graze_module.one_line(error)
    if isinstance(error, ReferenceError):
        return "an object was removed"
    return None


class GRAZE_OT_check(bpy.types.Operator):
    bl_idname = "graze.check"
    bl_label = "Find Contacts"
    bl_description = "Find the contacts of the chosen meshes in a range of frames. Esc cancels"
    bl_options = {"UNDO"}

    running: ClassVar[Run | None] = None  # one at a time, because a run owns the current frame

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if context.mode.startswith("EDIT"):
            cls.poll_message_set("Leave edit mode first")
            return False
        return GRAZE_OT_check.running is None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if bpy.app.background:
            return self.execute(context)
        if not self._begin(context, threaded=True):
            return {"CANCELLED"}
        if context.screen.is_animation_playing:
            bpy.ops.screen.animation_cancel(restore_frame=False)
        self._timer = context.window_manager.event_timer_add(0.02, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        if not self._begin(context, threaded=False):
            return {"CANCELLED"}
        try:
            for _ in self._work:
                context.window_manager.progress_update(int(1000 * self._run.share))
        except BaseException as error:
            return self._end(context, error)
        return self._end(context)

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if event.type == "ESC":
            self._run.cancel()
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            done = self._work_for_a_while()
        except BaseException as error:
            return self._end(context, error)
        if done:
            return self._end(context)
        self._show_progress(context)
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender ends the operator: the window closes, or another file is loaded."""
        self._run.abandon()
        self._release(context)

    def _begin(self, context: bpy.types.Context, threaded: bool) -> bool:
        run = begin(self, context, threaded)
        if run is None:
            return False
        self._run, self._timer, self._work = run, None, run.work()
        GRAZE_OT_check.running = run
        context.window_manager.progress_begin(0, 1000)
        return True

    def _work_for_a_while(self) -> bool:
        """Works for a slice of time, or until there is only a query to wait for. True at the end."""
        stop = time.monotonic() + SLICE
        while time.monotonic() < stop:
            waiting = next(self._work, None)
            if waiting is None:
                return True
            if waiting:
                return False
        return False

    def _show_progress(self, context: bpy.types.Context) -> None:
        context.window_manager.progress_update(int(1000 * self._run.share))
        rows = self._run.row_count()
        line = f"Graze: {self._run.stage}, {100 * self._run.share:.0f} %, {rows} rows found.   Esc: cancel"
        context.workspace.status_text_set(line)

    def _end(self, context: bpy.types.Context, error: BaseException | None = None) -> set[str]:
        """Finishes the run. An error of graze is a line for the user; any other is raised."""
        run, interrupted = self._run, isinstance(error, self._run.graze.Interrupted)
        line = None if error is None or interrupted else stop_line(error, run.graze)
        try:
            summary = run.finish(line or "")
        finally:
            self._release(context)
        if line:
            self.report({"ERROR"}, line)
            return {"CANCELLED"}
        if error is not None and not interrupted:
            raise error
        self.report({"WARNING" if run.cancelled else "INFO"}, ("Cancelled: " if run.cancelled else "") + summary)
        return {"FINISHED"}

    def _release(self, context: bpy.types.Context) -> None:
        GRAZE_OT_check.running = None
        self._work.close()
        context.window_manager.progress_end()
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            context.workspace.status_text_set(None)
        redraw(context)


class GRAZE_OT_clear(bpy.types.Operator):
    bl_idname = "graze.clear"
    bl_label = "Clear"
    bl_description = "Remove the face attributes, vertex groups, markers, text and results of all checks from the file"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return GRAZE_OT_check.running is None and not context.mode.startswith("EDIT")

    def execute(self, context: bpy.types.Context) -> set[str]:
        marks.clear()
        for scene in bpy.data.scenes:
            scene.graze_check.clear_results()
        return {"FINISHED"}


class GRAZE_OT_jump(bpy.types.Operator):
    bl_idname = "graze.jump"
    bl_label = "Jump to Frame"
    bl_description = "Show this frame. Simulations that are not baked are played from their first frame"

    frame: bpy.props.IntProperty(name="Frame")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return GRAZE_OT_check.running is None

    def execute(self, context: bpy.types.Context) -> set[str]:
        simulations.go_to(context.scene, self.frame)
        return {"FINISHED"}


def redraw(context: bpy.types.Context) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            area.tag_redraw()


_CLASSES = (GRAZE_OT_check, GRAZE_OT_clear, GRAZE_OT_jump)


def register() -> None:
    for one in _CLASSES:
        bpy.utils.register_class(one)


def unregister() -> None:
    for one in reversed(_CLASSES):
        bpy.utils.unregister_class(one)

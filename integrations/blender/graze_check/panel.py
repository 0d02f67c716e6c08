"""The panel "Graze" in the sidebar of the 3D view: settings, the two buttons, and the list of results."""

import bpy

from . import graze_module
from .operators import GRAZE_OT_check
from .report import frame_name

LINE = 48  # letters in a line of the panel


class GRAZE_UL_rows(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index) -> None:
        icon = "MOD_PHYSICS" if item.kind == "contact" else "SELECT_INTERSECT"
        parts = layout.row(align=True).split(factor=0.3)
        parts.operator("graze.jump", text=frame_name(item.begin, item.end)).frame = item.begin
        parts.label(text=f"{item.count}  {item.objects}", icon=icon)


class GRAZE_PT_check(bpy.types.Panel):
    bl_idname = "GRAZE_PT_check"
    bl_label = "Graze"
    bl_category = "Graze"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context: bpy.types.Context) -> None:
        settings = context.scene.graze_check
        self.layout.use_property_split = True
        self.layout.use_property_decorate = False
        problem = graze_module.load()[1]
        if problem:
            draw_lines(self.layout, problem, "ERROR")
        draw_settings(self.layout, settings)
        buttons = self.layout.row(align=True)
        buttons.enabled = not problem
        buttons.operator("graze.check", icon="VIEWZOOM")
        buttons.operator("graze.clear", icon="X", text="")
        if GRAZE_OT_check.running is not None:
            self.layout.label(text="Esc cancels", icon="TIME")
        else:
            draw_results(self.layout, settings)


def draw_settings(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    column = layout.column()
    column.prop(settings, "objects")
    if settings.objects == "COLLECTION":
        column.prop(settings, "collection")
    column = layout.column(align=True)
    column.prop(settings, "whole_scene")
    frames = column.column(align=True)
    frames.enabled = not settings.whole_scene
    frames.prop(settings, "first")
    frames.prop(settings, "last")
    column.prop(settings, "step")
    column = layout.column(heading="Find")
    column.prop(settings, "steps")
    thickness = column.row()
    thickness.enabled = settings.steps
    thickness.prop(settings, "thickness")
    column.prop(settings, "frames")
    adjacent = column.row()
    adjacent.enabled = settings.frames
    adjacent.prop(settings, "adjacent")
    column = layout.column(heading="Contacts")
    column.prop(settings, "within")
    column.prop(settings, "between")


def draw_results(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    if settings.error:
        draw_lines(layout, settings.error, "ERROR")
    if settings.summary:
        draw_lines(layout, settings.summary, "INFO")
    if settings.rows:
        layout.template_list("GRAZE_UL_rows", "", settings, "rows", settings, "active_row", rows=5)
    for message in settings.messages:
        draw_lines(layout, message.name, "DOT")


def draw_lines(layout: bpy.types.UILayout, text: str, icon: str) -> None:
    """A text on as many lines as it needs: labels do not wrap."""
    column = layout.column(align=True)
    for number, line in enumerate(wrapped(text)):
        column.label(text=line, icon="BLANK1" if number else icon)


def wrapped(text: str) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > LINE:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


_CLASSES = (GRAZE_UL_rows, GRAZE_PT_check)


def register() -> None:
    for one in _CLASSES:
        bpy.utils.register_class(one)


def unregister() -> None:
    for one in reversed(_CLASSES):
        bpy.utils.unregister_class(one)

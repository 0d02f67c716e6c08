"""What a check leaves in the file: face attributes, vertex groups, timeline markers and the text. And their removal."""

from __future__ import annotations

import re

import bpy
import numpy as np

from .meshes import column, remove_numbers
from .queries import STEP, Finding
from .report import counted
from .topology import Ids

NAME = "graze_contact"  # of the face attribute and the vertex group
TEXT = "graze report"
MARKER = re.compile(r"graze: \d+ (contact|intersection)s?(, \d+ intersections?)?")


def mark_faces(thing: bpy.types.Object, counts: Ids) -> None:
    """Adds the counts to the face attribute of the object's mesh, and the vertices of counted faces to the group."""
    mesh = thing.data
    attribute = mesh.attributes.get(NAME)
    if attribute is None:
        attribute = mesh.attributes.new(NAME, "INT", "FACE")
    before = column(attribute.data, "value", np.int32)
    attribute.data.foreach_set("value", np.minimum(before + counts, 2**31 - 1).astype(np.int32))
    active = thing.vertex_groups.active_index
    group = thing.vertex_groups.get(NAME) or thing.vertex_groups.new(name=NAME)
    group.add(vertices_of_faces(mesh, counts > 0), 1.0, "REPLACE")
    thing.vertex_groups.active_index = max(active, 0)
    mesh.update()


def vertices_of_faces(mesh: bpy.types.Mesh, chosen: np.ndarray) -> list[int]:
    corners = np.repeat(chosen, column(mesh.polygons, "loop_total", np.int32))
    return np.unique(column(mesh.loops, "vertex_index", np.int32)[corners]).tolist()


def why_not_marked(thing: bpy.types.Object) -> str:
    """Why the faces of an object cannot be marked; empty if they can."""
    attribute = thing.data.attributes.get(NAME)
    if thing.data.library or thing.library:
        return "it is linked from another file"
    if attribute is not None and not is_ours(attribute):
        return f'its mesh has an attribute "{NAME}" of another kind'
    return ""


def is_ours(attribute: bpy.types.Attribute) -> bool:
    return attribute.data_type == "INT" and attribute.domain == "FACE"


def add_markers(scene: bpy.types.Scene, findings: list[Finding]) -> None:
    """A marker at each frame with contacts: that at which the step begins, or that of the intersections."""
    totals: dict[int, list[int]] = {}
    for finding in findings:
        totals.setdefault(finding.begin, [0, 0])[finding.kind != STEP] += finding.count
    for frame, (contacts, intersections) in sorted(totals.items()):
        scene.timeline_markers.new(marker_name(contacts, intersections), frame=frame)


def marker_name(contacts: int, intersections: int) -> str:
    parts = [counted(contacts, "contact")] if contacts else []
    parts += [counted(intersections, "intersection")] if intersections else []
    return "graze: " + ", ".join(parts)


def write_text(text: str) -> None:
    block = bpy.data.texts.get(TEXT) or bpy.data.texts.new(TEXT)
    block.from_string(text)


def clear(keep_text: bool = False) -> None:
    """Removes all marks from the file."""
    for thing in bpy.data.objects:
        group = thing.vertex_groups.get(NAME) if thing.type == "MESH" and not thing.library else None
        if group is not None:
            active = thing.vertex_groups.active.name if thing.vertex_groups.active else ""
            thing.vertex_groups.remove(group)
            thing.vertex_groups.active_index = max(thing.vertex_groups.find(active), 0)
    for mesh in bpy.data.meshes:
        clear_mesh(mesh)
    for scene in bpy.data.scenes:
        for marker in [marker for marker in scene.timeline_markers if MARKER.fullmatch(marker.name)]:
            scene.timeline_markers.remove(marker)
    if TEXT in bpy.data.texts and not keep_text:
        bpy.data.texts.remove(bpy.data.texts[TEXT])


def clear_mesh(mesh: bpy.types.Mesh) -> None:
    attribute = mesh.attributes.get(NAME)
    if attribute is not None and is_ours(attribute) and not mesh.library:
        mesh.attributes.remove(attribute)
        mesh.update()
    remove_numbers(mesh)

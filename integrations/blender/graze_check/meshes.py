"""Evaluated meshes as arrays: modifiers applied, world coordinates computed in double precision.

Blender chooses the diagonals of a polygon anew at every frame, from the positions. A step needs the same triangles at
both ends. So the triangles are those of the mesh that the user edits, if modifiers keep its polygons, and otherwise
those of the first frame at which the mesh has its polygons.

Faces of an evaluated mesh are traced to the polygons of the mesh that the user edits. Modifiers that only move
vertices keep the polygons. Others copy the attributes of a polygon to the faces that they make of it, so during a
check the mesh has a face attribute that numbers its polygons. Numbers differ between objects: a face that a modifier
takes from another object is not mistaken for one of this object's.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import numpy.typing as npt

from .queries import Body, Floats, Snapshot
from .topology import NO_FACE, Ids, Topology

NUMBERS = "graze_face"  # the attribute that numbers polygons during a check; 0: no polygon

MOVES_VERTICES_ONLY = frozenset(
    """ARMATURE CAST CLOTH COLLISION CORRECTIVE_SMOOTH CURVE DISPLACE HOOK LAPLACIANDEFORM LAPLACIANSMOOTH LATTICE
    MESH_CACHE MESH_DEFORM NORMAL_EDIT SHRINKWRAP SIMPLE_DEFORM SMOOTH SOFT_BODY SURFACE SURFACE_DEFORM UV_PROJECT
    UV_WARP VERTEX_WEIGHT_EDIT VERTEX_WEIGHT_MIX VERTEX_WEIGHT_PROXIMITY WARP WAVE WEIGHTED_NORMAL""".split()
)


class MeshReader:
    """Reads an object at one frame after the other."""

    def __init__(self, thing: bpy.types.Object, first_number: int) -> None:
        self.thing = thing
        self.polygon_count = len(thing.data.polygons)
        self.made_faces = self.unknown_faces = 0  # faces made by modifiers, and those that come from no polygon
        self._first_number = first_number
        self._original = (len(thing.data.vertices), polygons_of(thing.data))
        self._topology: Topology | None = None

    def number_polygons(self) -> None:
        """Adds the attribute, if a modifier may change the faces."""
        mesh = self.thing.data
        keeps_polygons = all(modifier.type in MOVES_VERTICES_ONLY for modifier in self.thing.modifiers)
        if keeps_polygons or mesh.library or NUMBERS in mesh.attributes:
            return
        numbers = np.arange(self._first_number, self._first_number + self.polygon_count, dtype=np.int32)
        mesh.attributes.new(NUMBERS, "INT", "FACE").data.foreach_set("value", numbers)

    def read(self, depsgraph: bpy.types.Depsgraph) -> Body | None:
        """The object at the current frame; None if it is not evaluated or has no faces."""
        evaluated = self.thing.evaluated_get(depsgraph)
        if not evaluated.is_evaluated:
            return None
        mesh = evaluated.to_mesh()
        try:
            if mesh is None or not mesh.polygons:
                return None
            topology = self._topology_of(mesh)
            return Body(topology, world_positions(mesh, evaluated.matrix_world))
        finally:
            evaluated.to_mesh_clear()

    def _topology_of(self, mesh: bpy.types.Mesh) -> Topology:
        """The topology of the frame before, if the mesh still has it; otherwise a new one."""
        vertex_count, polygons = len(mesh.vertices), polygons_of(mesh)
        if self._topology is None or not self._topology.has(vertex_count, polygons):
            same = vertex_count == self._original[0] and all(map(np.array_equal, polygons, self._original[1]))
            triangles, polygon = triangles_of(self.thing.data if same else mesh)
            self._topology = Topology(vertex_count, polygons, triangles, self._sources(mesh, same)[polygon])
        return self._topology

    def _sources(self, mesh: bpy.types.Mesh, same: bool) -> Ids:
        """By evaluated polygon: the polygon of the user's mesh, or NO_FACE."""
        count = len(mesh.polygons)
        numbers = mesh.attributes.get(NUMBERS)
        if numbers is not None and len(numbers.data) == count:
            source = column(numbers.data, "value", np.int32).astype(np.int64) - self._first_number
            source[(source < 0) | (source >= self.polygon_count)] = NO_FACE
        else:
            source = np.arange(count, dtype=np.int64) if same else np.full(count, NO_FACE, dtype=np.int64)
        if not same:
            self.made_faces = max(self.made_faces, count)
            self.unknown_faces = max(self.unknown_faces, int((source == NO_FACE).sum()))
        return source


def remove_numbers(mesh: bpy.types.Mesh) -> None:
    numbers = mesh.attributes.get(NUMBERS)
    if numbers is not None and not mesh.library:
        mesh.attributes.remove(numbers)


def readers_of(things: list[bpy.types.Object]) -> list[MeshReader]:
    """A reader for each object. Objects that share a mesh share the numbers of its polygons."""
    first_numbers: dict[str, int] = {}
    next_number = 1
    for thing in things:
        if thing.data.name_full not in first_numbers:
            first_numbers[thing.data.name_full] = next_number
            next_number += len(thing.data.polygons)
    return [MeshReader(thing, first_numbers[thing.data.name_full]) for thing in things]


def take_snapshot(readers: list[MeshReader], frame: int, depsgraph: bpy.types.Depsgraph) -> Snapshot:
    bodies = {number: reader.read(depsgraph) for number, reader in enumerate(readers)}
    return Snapshot(frame, {number: body for number, body in bodies.items() if body is not None})


def world_positions(mesh: bpy.types.Mesh, matrix: Any) -> Floats:
    """Vertices in world coordinates. Equal input has equal results, bit for bit."""
    x = column(mesh.vertices, "co", np.float32, 3).astype(np.float64)
    m = np.array(matrix, dtype=np.float64)
    return np.stack([x[:, 0] * m[k, 0] + x[:, 1] * m[k, 1] + x[:, 2] * m[k, 2] + m[k, 3] for k in range(3)], axis=1)


def polygons_of(mesh: bpy.types.Mesh) -> tuple[Ids, Ids]:
    """The number of corners of each polygon, and the vertices of all corners."""
    corners = column(mesh.polygons, "loop_total", np.int32)
    return corners.astype(np.int64), column(mesh.loops, "vertex_index", np.int32).astype(np.int64)


def triangles_of(mesh: bpy.types.Mesh) -> tuple[Ids, Ids]:
    """Triangles, and the polygon of each."""
    mesh.calc_loop_triangles()
    triangles = column(mesh.loop_triangles, "vertices", np.int32, 3)
    polygon = column(mesh.loop_triangles, "polygon_index", np.int32)
    return triangles.astype(np.int64), polygon.astype(np.int64)


def column(items: Any, name: str, kind: npt.DTypeLike, width: int = 1) -> npt.NDArray[Any]:
    """An attribute of all items as an array with a row each."""
    values = np.empty(len(items) * width, dtype=kind)
    items.foreach_get(name, values)
    return values.reshape(-1, width) if width > 1 else values

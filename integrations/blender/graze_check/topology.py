"""Triangles of a mesh, and the faces around their vertices and edges.

A face is a polygon of the mesh that the user edits. Modifiers may make several polygons of one, and polygons of
more than three corners become triangles: each triangle knows the face that it comes from. Tables of the faces around
vertices, edges and triangles are sorted arrays, made when first asked for: O(m log m) for m triangles.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int64]
NO_FACE = -1


class Incidence:
    """Faces around each feature, as sorted rows of a key and a face, each row once."""

    def __init__(self, keys: Ids, faces: Ids) -> None:
        order = np.lexsort((faces, keys))
        keys, faces = keys[order], faces[order]
        first = np.ones(len(keys), dtype=bool)
        first[1:] = (keys[1:] != keys[:-1]) | (faces[1:] != faces[:-1])
        self.keys: Ids = keys[first]
        self.faces: Ids = faces[first]

    def around(self, keys: Ids) -> tuple[Ids, Ids]:
        """Rows of `keys`, and the faces around each: a row is repeated for every face."""
        begin = np.searchsorted(self.keys, keys, side="left")
        count = np.searchsorted(self.keys, keys, side="right") - begin
        rows = np.repeat(np.arange(len(keys), dtype=np.int64), count)
        offset = np.arange(len(rows), dtype=np.int64) - np.repeat(np.cumsum(count) - count, count)
        return rows, self.faces[np.repeat(begin, count) + offset]


class Topology:
    """What stays equal while a mesh moves: vertices, polygons, triangles, and the face of each triangle."""

    def __init__(self, vertex_count: int, polygons: tuple[Ids, Ids], triangles: Ids, face: Ids) -> None:
        self.vertex_count = vertex_count
        self.polygons = polygons  # corners of each polygon, and the vertices of all corners
        self.triangles = triangles  # m x 3
        self.face = face  # by triangle: polygon of the user's mesh, or NO_FACE

    def has(self, vertex_count: int, polygons: tuple[Ids, Ids]) -> bool:
        """Whether a mesh has these vertices and polygons."""
        return vertex_count == self.vertex_count and all(map(np.array_equal, polygons, self.polygons))

    def faces_of_vertices(self, vertices: Ids) -> tuple[Ids, Ids]:
        return self._vertex_faces.around(vertices)

    def faces_of_edges(self, edges: Ids) -> tuple[Ids, Ids]:
        """`edges`: n x 2, ascending."""
        return self._edge_faces.around(self._edge_keys(edges[:, 0], edges[:, 1]))

    def faces_of_corners(self, corners: Ids) -> tuple[Ids, Ids]:
        """Faces with triangles of these three vertices. `corners`: n x 3, ascending."""
        return self._corner_faces.around(self._corner_keys(corners))

    @cached_property
    def _corners(self) -> Ids:
        return np.sort(self.triangles, axis=1)

    @cached_property
    def _vertex_faces(self) -> Incidence:
        return Incidence(self.triangles.ravel(), np.repeat(self.face, 3))

    @cached_property
    def _edge_faces(self) -> Incidence:
        keys = [self._edge_keys(self._corners[:, a], self._corners[:, b]) for a, b in ((0, 1), (0, 2), (1, 2))]
        return Incidence(np.concatenate(keys), np.tile(self.face, 3))

    @cached_property
    def _corner_faces(self) -> Incidence:
        return Incidence(self._corner_keys(self._corners), self.face)

    def _edge_keys(self, low: Ids, high: Ids) -> Ids:
        return low * self.vertex_count + high

    def _corner_keys(self, corners: Ids) -> Ids:
        # The place of the first edge in the table stands for its two vertices, so that a key fits into 64 bits.
        edge = np.searchsorted(self._edge_faces.keys, self._edge_keys(corners[:, 0], corners[:, 1]))
        return edge * self.vertex_count + corners[:, 2]

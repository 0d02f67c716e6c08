"""The queries of a check: contacts during a step, intersections at a frame. Knows graze and arrays, but not Blender.

A check takes the meshes frame by frame. It keeps a detector as long as the meshes keep their triangles. A mesh whose
triangles change from one frame to the next cannot be tested during that step; the others are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from .topology import NO_FACE, Ids, Topology

Floats = npt.NDArray[np.float64]

STEP, FRAME = "contact", "intersection"  # kinds of findings


@dataclass(frozen=True)
class Options:
    """What a check looks for."""

    steps: bool = True  # contacts during each step between frames
    frames: bool = False  # intersections at each frame
    within: bool = True  # contacts of an object with itself
    between: bool = True  # contacts between objects
    adjacent: bool = False  # intersections of faces that share a vertex or an edge, too
    thickness: float = 0.0  # distance that counts as a contact during a step


@dataclass(frozen=True)
class Body:
    """An object at one frame."""

    topology: Topology
    positions: Floats  # world coordinates, n x 3


@dataclass(frozen=True)
class Snapshot:
    """All objects at one frame, by their number; those without faces at this frame are absent."""

    frame: int
    bodies: dict[int, Body]


@dataclass(frozen=True)
class Finding:
    """Contacts of two objects, or of one with itself (a = b), during a step or at a frame."""

    kind: str
    begin: int  # frame
    end: int  # frame; equal to begin for intersections
    a: int
    b: int
    count: int
    time: float  # earliest time, in frames


@dataclass(frozen=True)
class _Answer:
    """What a query found: bodies and time of each contact, and the faces that take part, body by body."""

    kind: str
    end: int  # frame at which the step ends
    at: Snapshot  # frame at which it begins
    members: list[int]  # the objects that are bodies of the scene
    bodies: npt.NDArray[Any]  # n x 2
    times: Floats
    faces_of: Callable[[_SceneBody], Iterable[tuple[Ids, Ids]]]  # rows of contacts, and a face of each


@dataclass
class _Scope:
    """Objects that are tested together. The detector is kept while they keep their triangles and motions."""

    members: tuple[int, ...]  # numbers of objects
    topologies: list[Topology] = field(default_factory=list)
    static: list[bool] = field(default_factory=list)
    detector: Any = None


@dataclass
class Check:
    """All queries of one run, and what they found."""

    graze: ModuleType
    options: Options
    names: list[str]  # of the objects
    face_counts: list[int]  # of the objects
    progress: Callable[[float], bool] = lambda share: True
    findings: list[Finding] = field(default_factory=list)
    skipped: dict[int, list[tuple[int, int]]] = field(default_factory=dict)  # by object: steps that were not tested

    def __post_init__(self) -> None:
        objects = range(len(self.names))
        self.counts: list[Ids] = [np.zeros(count, dtype=np.int64) for count in self.face_counts]
        self._moved: set[int] = set()
        self._scopes = [_Scope(tuple(objects))] if self.options.between else [_Scope((i,)) for i in objects]

    def step(self, begin: Snapshot, end: Snapshot) -> None:
        """Finds the contacts from one frame to the next, and the intersections at the first of the two."""
        tested = self._note_changes(begin, end)
        answers = []
        if self.options.steps:
            for scope in self._scopes:
                answers += self._contacts(scope, begin, end, [i for i in scope.members if i in tested])
        self._add(answers + self._all_intersections(begin))

    def frame(self, at: Snapshot) -> None:
        """Finds the intersections at a frame."""
        self._add(self._all_intersections(at))

    def _note_changes(self, begin: Snapshot, end: Snapshot) -> set[int]:
        """Returns the objects with equal triangles at both frames, and notes which of them move, and the others."""
        tested = set()
        for i in sorted(begin.bodies.keys() | end.bodies.keys()):
            a, b = begin.bodies.get(i), end.bodies.get(i)
            if a is not None and b is not None and a.topology is b.topology:
                tested.add(i)
                if not np.array_equal(a.positions, b.positions):
                    self._moved.add(i)
            else:
                self.skipped.setdefault(i, []).append((begin.frame, end.frame))
        return tested

    def _contacts(self, scope: _Scope, begin: Snapshot, end: Snapshot, members: list[int]) -> list[_Answer]:
        if not members:
            return []
        x_t0, x_t1 = self._positions(begin, members), self._positions(end, members)
        impacts = self._detector(scope, begin, members, keep_motions=False).impacts(x_t0, x_t1)
        times = begin.frame + impacts.toi * (end.frame - begin.frame)
        vertex_face = impacts.kind == self.graze.VERTEX_FACE
        faces = partial(_faces_of_impacts, impacts, vertex_face)
        return [_Answer(STEP, end.frame, begin, members, impacts.body, times, faces)]

    def _all_intersections(self, at: Snapshot) -> list[_Answer]:
        answers = []
        if self.options.frames:
            for scope in self._scopes:
                answers += self._intersections(scope, at, [i for i in scope.members if i in at.bodies])
        return answers

    def _intersections(self, scope: _Scope, at: Snapshot, members: list[int]) -> list[_Answer]:
        if not members:
            return []
        x = self._positions(at, members)
        detector = self._detector(scope, at, members, keep_motions=True)
        found = detector.intersections(x, adjacent=self.options.adjacent)
        times = np.full(len(found), float(at.frame))
        return [_Answer(FRAME, at.frame, at, members, found.body, times, partial(_faces_of_pairs, found))]

    def _detector(self, scope: _Scope, at: Snapshot, members: list[int], keep_motions: bool) -> Any:
        """The detector of these objects: the one that is kept, if it fits. Motions do not matter at a frame."""
        topologies = [at.bodies[i].topology for i in members]
        static = [i not in self._moved for i in members]
        fits = len(topologies) == len(scope.topologies) and all(a is b for a, b in zip(topologies, scope.topologies))
        if not fits or not (keep_motions or static == scope.static):
            scene = self._scene(at, members, static)
            scope.detector = self.graze.Detector(scene, thickness=self.options.thickness, progress=self.progress)
            scope.topologies, scope.static = topologies, static
        return scope.detector

    def _positions(self, at: Snapshot, members: list[int]) -> Floats:
        """Positions of all vertices of a scene. Throws InputError, with the name of the object, if one is no number."""
        for i in members:
            bad = np.flatnonzero(~np.isfinite(at.bodies[i].positions).all(axis=1))
            if len(bad) > 0:
                place = ", ".join(f"{value:g}" for value in at.bodies[i].positions[bad[0]])
                line = f"{self.names[i]}: vertex {bad[0]} is at ({place}) at frame {at.frame}, which is no finite point"
                raise self.graze.InputError(line)
        return np.concatenate([at.bodies[i].positions for i in members])

    def _scene(self, at: Snapshot, members: list[int], static: list[bool]) -> Any:
        scene = self.graze.Scene()
        for i, rests in zip(members, static):
            body = at.bodies[i]
            triangles = body.topology.triangles.astype(np.uint32)
            added = scene.add_body(body.positions, triangles, name=self.names[i], static=rests)
            if not self.options.within:
                scene.ignore_pair(added, added)
        return scene

    def _add(self, answers: list[_Answer]) -> None:
        """Keeps what queries found. Called when all queries of a frame have succeeded, so that none is half done."""
        for answer in answers:
            if len(answer.times) > 0:
                self._add_findings(answer)
                self._count_faces(answer)

    def _add_findings(self, answer: _Answer) -> None:
        """One finding for each pair of objects, with the earliest of its times."""
        members = answer.members
        pairs = np.sort(answer.bodies.astype(np.int64), axis=1)
        keys, pair = np.unique(pairs[:, 0] * len(members) + pairs[:, 1], return_inverse=True)
        earliest = np.full(len(keys), np.inf)
        np.minimum.at(earliest, pair, answer.times)
        for key, count, time in zip(keys.tolist(), np.bincount(pair).tolist(), earliest.tolist()):
            a, b = (members[body] for body in divmod(key, len(members)))
            self.findings.append(Finding(answer.kind, answer.at.frame, answer.end, a, b, count, time))

    def _count_faces(self, answer: _Answer) -> None:
        """Adds to each face of each object the number of contacts that it takes part in."""
        for body in _scene_bodies(answer.at, answer.members):
            counts = self.counts[answer.members[body.number]]
            rows, faces = (np.concatenate(part) for part in zip(*answer.faces_of(body)))
            known = faces != NO_FACE
            once = np.unique(rows[known] * len(counts) + faces[known])
            counts += np.bincount(once % max(len(counts), 1), minlength=len(counts))


@dataclass(frozen=True)
class _SceneBody:
    """A body in a scene: its topology, and its first vertex and triangle among those of the scene."""

    number: int
    topology: Topology
    first_vertex: int
    first_triangle: int


def _scene_bodies(at: Snapshot, members: list[int]) -> Iterator[_SceneBody]:
    vertex = triangle = 0
    for number, i in enumerate(members):
        topology = at.bodies[i].topology
        yield _SceneBody(number, topology, vertex, triangle)
        vertex += topology.vertex_count
        triangle += len(topology.triangles)


def _faces_of_impacts(
    impacts: Any, vertex_face: npt.NDArray[np.bool_], body: _SceneBody
) -> Iterator[tuple[Ids, Ids]]:
    """Rows of impacts and faces of a body that have the vertex, the edge or the triangle of the contact."""
    topology = body.topology
    lookups = (
        (vertex_face, 0, slice(0, 1), lambda ids: topology.faces_of_vertices(ids[:, 0])),
        (vertex_face, 1, slice(1, 4), topology.faces_of_corners),
        (~vertex_face, 0, slice(0, 2), topology.faces_of_edges),
        (~vertex_face, 1, slice(2, 4), topology.faces_of_edges),
    )
    for kind, side, columns, faces_around in lookups:
        chosen = np.flatnonzero(kind & (impacts.body[:, side] == body.number))
        ids = impacts.vertices[chosen, columns].astype(np.int64) - body.first_vertex
        rows, faces = faces_around(ids)
        yield chosen[rows], faces


def _faces_of_pairs(found: Any, body: _SceneBody) -> Iterator[tuple[Ids, Ids]]:
    """Rows of triangle pairs and the faces of a body that the triangles belong to."""
    for side in (0, 1):
        chosen = np.flatnonzero(found.body[:, side] == body.number)
        triangles = found.triangle_pairs[chosen, side].astype(np.int64) - body.first_triangle
        yield chosen, body.topology.face[triangles]

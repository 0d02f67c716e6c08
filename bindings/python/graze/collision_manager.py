"""graze.collision_manager: a CollisionManager with the interface of trimesh.collision, for those who come from it.

Objects are meshes with a name and a pose. A mesh is anything with `vertices` and `faces` (a trimesh.Trimesh), or a
pair of arrays. Collisions are those of `graze.rigid`: every pair of triangles that share a point, decided exactly for
the posed doubles. Distances are those of `graze.Detector.proximities`, found by a search radius that shrinks to the
distance of the closest pair found so far; each call costs O(n) for the objects that are near enough to matter.

What differs from trimesh with python-fcl:

- Objects are surfaces, convex ones too: an object wholly inside another does not collide with it. With python-fcl a
  convex mesh is a solid.
- Surfaces that only touch collide. Their distance is 0, as is that of surfaces that intersect: there are no signed
  distances, and `ContactData.depth` is nan, because intersecting surfaces have no penetration depth.
- `ContactData.normal` is the unit normal of the face of the first object, not a direction of separation.
- All contacts are listed; there is no limit of 100000.
- Poses are doubles, and must be rotations (or reflections) and translations; a scale is refused.
- Without a pair of objects the distance is inf, and names and data are None.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import rigid
from ._graze import Detector, InputError, Proximities, Scene, close_boxes

__all__ = ["CollisionManager", "ContactData", "DistanceData"]

_Floats = npt.NDArray[np.float64]
_Value = TypeVar("_Value")

#: Name of the mesh that in_collision_single and min_distance_single take.
EXTERNAL = "__external"

# Collision groups of the detector that measures distances.
_FIRST, _SECOND = 1, 2


class ContactData:
    """Two faces, one of each object, that share a point."""

    def __init__(
        self, names: tuple[str, str], faces: tuple[int, int], segment: _Floats, normal: _Floats
    ) -> None:
        self.names = set(names)
        #: Ends of what the two faces share, 2 x 3: a segment, a point, or the farthest points of an area.
        self.segment = segment
        self._faces = _by_name(names, faces)
        self._normal = normal

    @property
    def point(self) -> _Floats:
        """A point that both faces contain: the middle of `segment`."""
        return _middle(self.segment)

    @property
    def normal(self) -> _Floats:
        """Unit normal of the face of the first object, by the orientation of the face; zero for a face without area.

        The first object is that of the manager asked, and of two in one manager that which was added first.
        """
        return self._normal

    @property
    def depth(self) -> float:
        """Always nan: graze does not define a penetration depth."""
        return math.nan

    def index(self, name: str) -> int:
        """The face of the mesh with this name. Of two objects with one name, in two managers: that of the first."""
        return self._faces[name]


class DistanceData:
    """The closest points of two objects."""

    def __init__(
        self,
        names: tuple[str, str],
        faces: tuple[int, int],
        points: tuple[_Floats, _Floats],
        distance: float,
    ) -> None:
        self.names = set(names)
        self._faces = _by_name(names, faces)
        self._points = _by_name(names, points)
        self._distance = distance

    @property
    def distance(self) -> float:
        """Distance of the two objects, to two units in the last place; 0 if they touch or intersect."""
        return self._distance

    def index(self, name: str) -> int:
        """A face of the mesh with this name that contains its closest point."""
        return self._faces[name]

    def point(self, name: str) -> _Floats:
        """The closest point of the mesh with this name; for objects that intersect, a point of both."""
        return self._points[name]


class CollisionManager:
    """Named meshes with poses: which of them collide, where, and how far they are apart.

    Several threads may ask at once; none may add, move or remove an object meanwhile.
    """

    def __init__(self) -> None:
        self._objects: dict[str, _Body] = {}

    def add_object(self, name: str, mesh: Any, transform: npt.ArrayLike | None = None) -> rigid.Object:
        """Adds a mesh, or replaces the one with this name. Returns its object of graze.rigid.

        `transform` is a 4 x 4 matrix of a rotation and a translation; None means the identity.
        """
        body = _Body(name, mesh, transform)
        self._objects[name] = body
        return body.object

    def remove_object(self, name: str) -> None:
        """Removes an object. ValueError if there is none with this name."""
        self._find(name)
        del self._objects[name]

    def set_transform(self, name: str, transform: npt.ArrayLike) -> None:
        """Replaces the pose of an object. ValueError if there is none with this name."""
        self._find(name).place(transform)

    def in_collision_single(
        self,
        mesh: Any,
        transform: npt.ArrayLike | None = None,
        return_names: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Whether a mesh collides with an object of the manager.

        Returns a bool; with `return_names` also the set of names of objects that collide with the mesh, and with
        `return_data` a list of ContactData, in which the mesh is named "__external".
        """
        pairs = _close_pairs(self._bodies(), [_Body(EXTERNAL, mesh, transform)])
        return _collisions(pairs, return_names, return_data, lambda a, b: a)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether two objects of the manager collide.

        Returns a bool; with `return_names` also the set of pairs of names that collide, each pair sorted, and with
        `return_data` a list of ContactData.
        """
        pairs = _close_pairs(self._bodies(), None)
        return _collisions(pairs, return_names, return_data, lambda a, b: tuple(sorted((a, b))))

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether an object of this manager collides with an object of the other.

        Returns a bool; with `return_names` also the set of pairs of names that collide, that of this manager first,
        and with `return_data` a list of ContactData.
        """
        pairs = _close_pairs(self._bodies(), other_manager._bodies())
        return _collisions(pairs, return_names, return_data, lambda a, b: (a, b))

    def min_distance_single(
        self,
        mesh: Any,
        transform: npt.ArrayLike | None = None,
        return_name: bool = False,
        return_data: bool = False,
    ) -> Any:
        """The distance of a mesh from the closest object of the manager.

        Returns a float; with `return_name` also the name of that object, and with `return_data` a DistanceData, in
        which the mesh is named "__external".
        """
        closest = _closest(self._bodies(), [_Body(EXTERNAL, mesh, transform)])
        return _distance(closest, return_name, return_data, lambda a, b: a)

    def min_distance_internal(
        self, name: str | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The distance of the two closest objects of the manager; with a name, of this object from the others.

        Returns a float; with `return_names` also the two names, sorted, and with `return_data` a DistanceData.
        ValueError if there is no object with the name.
        """
        first, second = self._bodies(), None
        if name is not None:
            one = self._find(name)
            first, second = [one], [body for body in first if body is not one]
        return _distance(
            _closest(first, second), return_names, return_data, lambda a, b: tuple(sorted((a, b)))
        )

    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The distance of the two closest objects, one of each manager.

        Returns a float; with `return_names` also the two names, that of this manager first, and with `return_data` a
        DistanceData.
        """
        closest = _closest(self._bodies(), other_manager._bodies())
        return _distance(closest, return_names, return_data, lambda a, b: (a, b))

    def _bodies(self) -> list[_Body]:
        return list(self._objects.values())

    def _find(self, name: str) -> _Body:
        try:
            return self._objects[name]
        except KeyError:
            raise ValueError(f"there is no object {name!r} in the collision manager") from None


class _Body:
    """A mesh in a pose: its tree, its posed vertices and their bounding box."""

    def __init__(self, name: str, mesh: Any, transform: npt.ArrayLike | None) -> None:
        self.name = name
        vertices, faces = _arrays(mesh)
        self.object = rigid.Object(vertices, faces)
        # The object may have renumbered its vertices, but not its triangles.
        used, inverse = np.unique(self.object.triangles, return_inverse=True)
        self.faces = inverse.reshape(-1, 3).astype(np.uint32)
        self.vertices = self.object.positions[used]
        self.place(np.eye(4) if transform is None else transform)

    def place(self, transform: npt.ArrayLike) -> None:
        # A query without obstacles checks the pose: a bad one is refused before anything changes.
        rigid.obstacle_first_hits(self.object, transform, [])
        self.pose = np.array(transform, dtype=np.float64)
        self.x = rigid.posed(self.pose, self.vertices)

    @property
    def has_faces(self) -> bool:
        return len(self.faces) > 0


def _arrays(mesh: Any) -> tuple[Any, Any]:
    if hasattr(mesh, "vertices") and hasattr(mesh, "faces"):
        return mesh.vertices, mesh.faces
    if isinstance(mesh, Sequence) and not isinstance(mesh, str) and len(mesh) == 2:
        return mesh[0], mesh[1]
    raise InputError(
        f"a mesh has vertices and faces, or is a pair of arrays; this is of the type {type(mesh).__name__}"
    )


def _by_name(names: tuple[str, str], values: tuple[_Value, _Value]) -> dict[str, _Value]:
    """Values by name; the first object's, if both have the same name."""
    return {names[1]: values[1], names[0]: values[0]}


def _middle(segment: _Floats) -> _Floats:
    middle: _Floats = segment[0] + 0.5 * (segment[1] - segment[0])
    return middle


_Pair = tuple[_Body, _Body]


def _close_pairs(first: Iterable[_Body], second: Iterable[_Body] | None, d: float = 0.0) -> list[_Pair]:
    """The pairs whose boxes are within a distance: within `first`, or between both. In the order of addition."""
    a = [body for body in first if body.has_faces]
    b = [body for body in second or () if body.has_faces]
    bodies = a + b
    if len(bodies) < 2:
        return []
    lo = np.array([body.x.min(axis=0) for body in bodies])
    hi = np.array([body.x.max(axis=0) for body in bodies])
    groups = None if second is None else [0] * len(a) + [1] * len(b)
    close = close_boxes(lo, hi, d, groups=groups)
    return [(bodies[int(i)], bodies[int(j)]) for i, j in close.pairs]


def _hits(pairs: Iterable[_Pair]) -> Iterator[tuple[_Pair, tuple[int, int]]]:
    """The pairs that collide, each with two of its faces that do."""
    for a, group in itertools.groupby(pairs, key=lambda pair: pair[0]):
        others = [b for _, b in group]
        answers = rigid.obstacle_first_hits(a.object, a.pose, [(b.object, b.pose) for b in others])
        for b, answer in zip(others, answers):
            if answer.pair is not None:
                yield (a, b), answer.pair


def _contacts(pair: _Pair) -> list[ContactData]:
    a, b = pair
    found = rigid.Collider(a.object, b.object).contacts(a.pose, b.pose)
    names = (a.name, b.name)
    normals = _normals(a.x[a.faces[found.pairs[:, 0]]])
    return [
        ContactData(names, (int(i), int(j)), segment, normal)
        for (i, j), segment, normal in zip(found.pairs, np.array(found.segment), normals)
    ]


def _normals(corners: _Floats) -> _Floats:
    """Unit normals of triangles, n x 3 x 3; zero for triangles without area."""
    edges = corners[:, 1:] - corners[:, :1]
    # Scaled to a size of one, because products of large or small doubles overflow or vanish.
    size = np.abs(edges).max(axis=(1, 2), keepdims=True)
    edges = edges / np.where(size > 0, size, 1.0)
    cross = np.cross(edges[:, 0], edges[:, 1])
    length = np.linalg.norm(cross, axis=1, keepdims=True)
    normals: _Floats = cross / np.where(length > 0, length, 1.0)
    return normals


def _collisions(
    pairs: list[_Pair], return_names: bool, return_data: bool, label: Callable[[str, str], Any]
) -> Any:
    """The answer of a collision query, in the form that was asked for."""
    hits = (pair for pair, _ in _hits(pairs))
    if not (return_names or return_data):
        return any(True for _ in hits)
    found = list(hits)
    answer: list[Any] = [bool(found)]
    if return_names:
        answer.append({label(a.name, b.name) for a, b in found})
    if return_data:
        answer.append([contact for pair in found for contact in _contacts(pair)])
    return tuple(answer)


def _distance(
    closest: tuple[tuple[str, str], DistanceData] | None,
    return_names: bool,
    return_data: bool,
    label: Callable[[str, str], Any],
) -> Any:
    """The answer of a distance query, in the form that was asked for."""
    distance = math.inf if closest is None else closest[1].distance
    if not (return_names or return_data):
        return distance
    answer: list[Any] = [distance]
    if return_names:
        answer.append(None if closest is None else label(*closest[0]))
    if return_data:
        answer.append(None if closest is None else closest[1])
    return tuple(answer)


def _closest(
    first: list[_Body], second: list[_Body] | None
) -> tuple[tuple[str, str], DistanceData] | None:
    """The closest two objects: within `first`, or between both; their names in that order."""
    for pair, faces in _hits(_close_pairs(first, second)):
        return _touching(pair, faces)
    d = _some_distance(first, second)
    if d is None:
        return None
    pairs = _close_pairs(first, second, d)
    search = _Search(pairs, second is None)
    return search.closest(d)


def _touching(pair: _Pair, faces: tuple[int, int]) -> tuple[tuple[str, str], DistanceData]:
    """The distance of two objects that collide: zero."""
    a, b = pair
    names = (a.name, b.name)
    i, j = faces
    # The two faces as objects of one triangle each.
    one = rigid.Object(a.x[a.faces[i]], [(0, 1, 2)])
    other = rigid.Object(b.x[b.faces[j]], [(0, 1, 2)])
    point = _middle(rigid.Collider(one, other).contacts(np.eye(4), np.eye(4)).segment[0])
    return names, DistanceData(names, faces, (point, point.copy()), 0.0)


def _some_distance(first: list[_Body], second: list[_Body] | None) -> float | None:
    """The distance of some two objects, or slightly more: a bound on that of the closest."""
    a = next((body for body in first if body.has_faces), None)
    if a is None:
        return None
    others = [body for body in (first if second is None else second) if body is not a and body.has_faces]
    if not others:
        return None
    # The object whose box is the closest to the first one's; any other would do.
    x = a.x
    y = min((body.x for body in others), key=lambda other: _box_distance(x, other))
    v, w = x[0], y[0]
    for _ in range(4):
        w = y[np.argmin(np.abs(y - v).max(axis=1))]
        v = x[np.argmin(np.abs(x - w).max(axis=1))]
    return min(math.dist(v, w) * (1.0 + 2.0**-40), sys.float_info.max)


def _box_distance(x: _Floats, y: _Floats) -> float:
    gaps = np.maximum(x.min(axis=0) - y.max(axis=0), y.min(axis=0) - x.max(axis=0))
    return float(np.maximum(gaps, 0.0).max())


class _Closer(Exception):
    """Stops a query of proximities whose search radius can shrink."""


class _Search:
    """Finds the closest features of several objects that do not collide, each with its own vertices and faces."""

    def __init__(self, pairs: Sequence[_Pair], within: bool) -> None:
        # dict.fromkeys: each body once, in order.
        firsts = list(dict.fromkeys(body for pair in pairs for body in (pair if within else pair[:1])))
        seconds = [] if within else list(dict.fromkeys(b for _, b in pairs))
        self.bodies = firsts + seconds
        scene = Scene()
        self.first_triangle: list[int] = []
        for body in self.bodies:
            is_first = len(self.first_triangle) < len(firsts)
            groups, meets = (_FIRST, _SECOND) if is_first else (_SECOND, _FIRST)
            self.first_triangle.append(scene.triangle_count)
            added = scene.add_body(body.x, body.faces, groups=groups, meets=_FIRST if within else meets)
            scene.ignore_pair(added, added)
        self.x = np.concatenate([body.x for body in self.bodies])
        # Of the methods, one that keeps no proximities between queries at one instant: they are streamed.
        self.detector = Detector(scene, method="r-tri")
        self.best: tuple[float, Proximities] | None = None

    def closest(self, d: float) -> tuple[tuple[str, str], DistanceData]:
        """The closest pair of objects, given that some are within d."""
        radius = d
        while True:
            try:
                self.detector.proximities(self.x, radius, sink=lambda batch: self._look(batch, radius))
            except _Closer:
                assert self.best is not None
                radius = self.best[0]
            else:
                return self._answer()

    def _look(self, batch: Proximities, radius: float) -> None:
        """Keeps the closest pair of a batch; raises _Closer if a smaller radius leaves much less to look at."""
        row = int(np.argmin(batch.distance))
        distance = float(batch.distance[row])
        if self.best is None or distance < self.best[0]:
            self.best = distance, batch[row : row + 1]
        if distance < 0.75 * radius:
            raise _Closer

    def _answer(self) -> tuple[tuple[str, str], DistanceData]:
        assert self.best is not None
        distance, row = self.best
        # Bodies of the first group have the lower numbers.
        sides = sorted(range(2), key=lambda side: int(row.body[0, side]))
        bodies = [int(row.body[0, side]) for side in sides]
        names = (self.bodies[bodies[0]].name, self.bodies[bodies[1]].name)
        face_0, face_1 = (
            int(row.triangle[0, side]) - self.first_triangle[body] for side, body in zip(sides, bodies)
        )
        points = np.array(row.points[0])[sides]
        return names, DistanceData(names, (face_0, face_1), (points[0], points[1]), distance)

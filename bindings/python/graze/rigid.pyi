"""Types of graze.rigid: posed polygon soups. A pose is a 4 x 4 matrix: rotation, translation, last row 0 0 0 1."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

_Path = str | os.PathLike[str]
_Floats = npt.NDArray[np.float64]
_Ids = npt.NDArray[np.uint32]
_Tree = Literal["boxtree", "aabb", "obb", "kdop18", "kdop26", "sphere"]
_Split = Literal["free", "volume", "longest", "volume-sampled"]
_Overlap = Literal["sat", "sat-lite", "axis", "lut"]
_Progress = Callable[[float], bool | None]

class RigidStats:
    """Work of a rigid query; the same in every run."""

    @property
    def node_tests(self) -> int:
        """Pairs of nodes whose volumes were tested for overlap."""
    @property
    def triangle_tests(self) -> int:
        """Pairs of triangles that were tested."""
    @property
    def tiers(self) -> tuple[int, int, int]:
        """Tests decided by the filter, by intervals and in exact arithmetic."""

class Object:
    """A polygon soup with its tree. Immutable: any number of queries may use it at a time."""

    def __init__(
        self,
        positions: npt.ArrayLike,
        faces: npt.ArrayLike,
        *,
        tree: _Tree = "boxtree",
        split: _Split = "free",
        threads: int = 0,
    ) -> None:
        """Copies the mesh and builds the tree. `tree` and `split` do not change answers, apart from FirstHit.pair."""
    @property
    def positions(self) -> _Floats:
        """Positions of the object's own copy of the mesh, n x 3; vertices may be renumbered."""
    @property
    def triangles(self) -> _Ids:
        """Triangles in their original order, m x 3, in rows of `positions`."""
    @property
    def tree(self) -> _Tree:
        """Kind of the tree."""
    @property
    def memory(self) -> dict[str, int]:
        """Size of the tree: nodes, bytes and depth."""
    def validate(self) -> str:
        """An empty string, or the first error of the tree: for tests."""
    def save(self, file: _Path) -> None:
        """Writes a .boxtree file. The tree must be a boxtree."""
    @staticmethod
    def load(file: _Path) -> Object:
        """Reads a .boxtree file."""

class FirstHit:
    """Whether two objects intersect; true in a condition if they do."""

    def __bool__(self) -> bool: ...
    @property
    def pair(self) -> tuple[int, int] | None:
        """Triangles of a and b that intersect; None if there are none."""
    @property
    def stats(self) -> RigidStats:
        """Work of the query."""

class TrianglePairs:
    """All pairs of triangles that intersect, sorted."""

    def __len__(self) -> int: ...
    @property
    def pairs(self) -> _Ids:
        """Triangles of a and b, n x 2."""
    @property
    def stats(self) -> RigidStats:
        """Work of the query."""
    def hash(self) -> int:
        """Hash of the pairs."""

class Contacts:
    """All intersections of triangles, sorted by pair, with their shapes."""

    def __len__(self) -> int: ...
    @property
    def pairs(self) -> _Ids:
        """Triangles of a and b, n x 2."""
    @property
    def shape(self) -> npt.NDArray[np.uint8]:
        """graze.SEGMENT, graze.POINT or graze.AREA, n."""
    @property
    def segment(self) -> _Floats:
        """Both ends of each intersection, n x 2 x 3; of an area the farthest points."""
    @property
    def stats(self) -> RigidStats:
        """Work of finding the pairs."""

class Motion:
    """The motion of an object from time 0 to time 1."""

    def __init__(
        self,
        start: npt.ArrayLike,
        end: npt.ArrayLike | None = None,
        *,
        path: Literal["straight", "screw"] = "straight",
        centre: npt.ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        """The motion between two poses; without `end` the object stays.

        On a straight path `centre`, in the coordinates of the object, moves on a line while the object turns about
        it. A screw turns about a fixed axis in space and glides along it.
        """
    def pose_at(self, t: float) -> _Floats:
        """The pose at a time in [0, 1]."""

class FirstContact:
    """The first contact of two motions, certified: until `toi` the objects do not touch."""

    @property
    def toi(self) -> float:
        """Time of impact in [0, 1]; 1 if there is no contact."""
    @property
    def pair(self) -> tuple[int, int] | None:
        """Triangles of a and b in contact; None if there is no contact."""
    @property
    def distance(self) -> float:
        """Upper bound on the distance of the pair at `toi`; 0 if there is no contact."""
    @property
    def stats(self) -> RigidStats:
        """Work of the query."""

class Distance:
    """Proved bounds of the distance of two objects, and closest points."""

    @property
    def lo(self) -> float:
        """Lower bound of the distance."""
    @property
    def hi(self) -> float:
        """Upper bound; 0 if and only if the objects intersect."""
    @property
    def points(self) -> _Floats:
        """Closest points of a and b, 2 x 3, rounded."""
    @property
    def normal(self) -> _Floats:
        """Unit vector from the point of a to that of b; zero if the objects intersect."""
    @property
    def pair(self) -> tuple[int, int] | None:
        """Triangles of a and b at this distance; None without triangles or beyond the limit."""
    @property
    def intersects(self) -> bool:
        """Whether the objects intersect."""
    @property
    def stats(self) -> RigidStats:
        """Work of the query."""

class Within:
    """Whether two objects come within a distance; true in a condition if they do."""

    def __bool__(self) -> bool: ...
    @property
    def pair(self) -> tuple[int, int] | None:
        """Triangles of a and b within the distance; None if there are none."""
    @property
    def stats(self) -> RigidStats:
        """Work of the query."""

class Proximities:
    """All pairs of triangles within a distance, sorted."""

    def __len__(self) -> int: ...
    @property
    def pairs(self) -> _Ids:
        """Triangles of a and b, n x 2."""
    @property
    def bounds(self) -> _Floats:
        """Lower and upper bound of each distance, n x 2."""
    @property
    def points(self) -> _Floats:
        """Closest points of each pair, n x 2 x 3."""
    @property
    def normal(self) -> _Floats:
        """Unit vectors from a to b, n x 3; zero where triangles intersect."""
    @property
    def stats(self) -> RigidStats:
        """Work of the query."""

class DistanceQuery:
    """Distance queries between two objects with trees of any kind. Runs one query at a time."""

    def __init__(self, a: Object, b: Object, *, coherence: bool = False) -> None: ...
    def distance(
        self,
        pose_a: npt.ArrayLike,
        pose_b: npt.ArrayLike,
        *,
        relative: float = 1e-6,
        absolute: float = 0.0,
        limit: float = ...,
    ) -> Distance:
        """Finds bounds of the distance, hi - lo within the larger tolerance, and closest points."""
    def within(self, pose_a: npt.ArrayLike, pose_b: npt.ArrayLike, d: float) -> Within:
        """Decides exactly whether the distance is at most d."""
    def proximities(self, pose_a: npt.ArrayLike, pose_b: npt.ArrayLike, d: float) -> Proximities:
        """Finds all pairs of triangles with a distance of at most d; decided exactly."""

class Relation:
    """How two solids lie to each other."""

    @property
    def relation(self) -> Literal["apart", "touching", "overlapping", "a-in-b", "b-in-a"]:
        """Decided exactly."""
    @property
    def pair(self) -> tuple[int, int] | None:
        """Triangles of a and b that intersect; None if none do."""
    @property
    def stats(self) -> RigidStats:
        """Work of finding pairs of triangles."""

class ContactPatch:
    """A connected part of the contact of two objects."""

    @property
    def contacts(self) -> _Ids:
        """Rows of the contacts, ascending."""
    @property
    def centre(self) -> _Floats:
        """Mean point, rounded."""
    @property
    def normal(self) -> _Floats:
        """Unit vector from a to b."""
    @property
    def depth(self) -> float:
        """Local penetration depth: moved by it along the normal, the triangles of the patch are apart."""

class Collider:
    """Queries between two objects with the same kind of tree. Runs one query at a time."""

    def __init__(
        self, a: Object, b: Object, *, overlap: _Overlap = "sat", lift: bool = True, coherence: bool = False
    ) -> None: ...
    def first_hit(self, pose_a: npt.ArrayLike, pose_b: npt.ArrayLike) -> FirstHit:
        """Decides whether the objects intersect in these poses."""
    def triangle_pairs(self, pose_a: npt.ArrayLike, pose_b: npt.ArrayLike) -> TrianglePairs:
        """Finds all pairs of triangles that intersect."""
    def contacts(self, pose_a: npt.ArrayLike, pose_b: npt.ArrayLike) -> Contacts:
        """Finds all pairs of triangles that intersect, with the segment, point or area that they share."""
    def first_contact(
        self, motion_a: Motion | npt.ArrayLike, motion_b: Motion | npt.ArrayLike, *, tolerance: float = 1e-6
    ) -> FirstContact:
        """Finds the first contact of two motions; a pose is the motion of an object that stays.

        `tolerance` is a distance that counts as contact, relative to the size of the objects plus the distance that
        they move. The objects must have boxtrees.
        """

def posed(pose: npt.ArrayLike, positions: npt.ArrayLike) -> _Floats:
    """The posed positions, to the bit as all queries use them."""
def pose_from_axis_angle(
    axis: npt.ArrayLike, angle: float, translation: npt.ArrayLike = (0.0, 0.0, 0.0)
) -> _Floats:
    """The pose that rotates about an axis by an angle in radians, then translates."""
def pose_from_quaternion(wxyz: npt.ArrayLike, translation: npt.ArrayLike = (0.0, 0.0, 0.0)) -> _Floats:
    """The pose that rotates by a quaternion (w, x, y, z), then translates."""
def compose(outer: npt.ArrayLike, inner: npt.ArrayLike) -> _Floats:
    """The pose that applies `inner` first, then `outer`."""
def inverse(pose: npt.ArrayLike) -> _Floats:
    """The inverse of a pose."""
def first_hits(
    a: Object,
    b: Object,
    poses_a: npt.ArrayLike,
    poses_b: npt.ArrayLike,
    *,
    overlap: _Overlap = "sat",
    coherence: bool = False,
    threads: int = 0,
    progress: _Progress | None = None,
) -> list[FirstHit]:
    """Decides for many poses, n x 4 x 4, whether two objects intersect, in parallel."""
def triangle_pairs(
    a: Object,
    b: Object,
    poses_a: npt.ArrayLike,
    poses_b: npt.ArrayLike,
    *,
    overlap: _Overlap = "sat",
    coherence: bool = False,
    threads: int = 0,
    progress: _Progress | None = None,
) -> list[TrianglePairs]:
    """Finds all pairs of triangles that intersect in many poses, n x 4 x 4, in parallel."""
def obstacle_first_hits(
    object: Object,
    pose: npt.ArrayLike,
    obstacles: Sequence[tuple[Object, npt.ArrayLike]],
    *,
    overlap: _Overlap = "sat",
    threads: int = 0,
    progress: _Progress | None = None,
) -> list[FirstHit]:
    """Decides for many obstacles (object, pose) whether one object intersects them, in parallel."""
def obstacle_triangle_pairs(
    object: Object,
    pose: npt.ArrayLike,
    obstacles: Sequence[tuple[Object, npt.ArrayLike]],
    *,
    overlap: _Overlap = "sat",
    threads: int = 0,
    progress: _Progress | None = None,
) -> list[TrianglePairs]:
    """Finds all pairs of triangles in which one object intersects many obstacles, in parallel."""
def distance(
    a: Object,
    pose_a: npt.ArrayLike,
    b: Object,
    pose_b: npt.ArrayLike,
    *,
    relative: float = 1e-6,
    absolute: float = 0.0,
    limit: float = ...,
) -> Distance:
    """Finds bounds of the distance of two posed objects, and closest points."""
def distances(
    a: Object,
    b: Object,
    poses_a: npt.ArrayLike,
    poses_b: npt.ArrayLike,
    *,
    relative: float = 1e-6,
    absolute: float = 0.0,
    limit: float = ...,
    coherence: bool = False,
    threads: int = 0,
    progress: _Progress | None = None,
) -> list[Distance]:
    """Finds the distances of two objects in many poses, n x 4 x 4, in parallel."""
def obstacle_distances(
    object: Object,
    pose: npt.ArrayLike,
    obstacles: Sequence[tuple[Object, npt.ArrayLike]],
    *,
    relative: float = 1e-6,
    absolute: float = 0.0,
    limit: float = ...,
    threads: int = 0,
    progress: _Progress | None = None,
) -> list[Distance]:
    """Finds the distances of one object from many obstacles (object, pose), in parallel."""
def locate(
    solid: Object, pose: npt.ArrayLike, point: npt.ArrayLike
) -> Literal["outside", "boundary", "inside"]:
    """Decides where a point lies relative to a posed solid: a mesh with an even number of triangles at every edge."""
def relate(a: Object, pose_a: npt.ArrayLike, b: Object, pose_b: npt.ArrayLike) -> Relation:
    """Decides how two posed solids lie to each other."""
def contact_patches(
    a: Object, pose_a: npt.ArrayLike, b: Object, pose_b: npt.ArrayLike, contacts: Contacts
) -> list[ContactPatch]:
    """Groups the contacts of Collider.contacts, in these poses, into connected patches."""

class WorldStats:
    """Work of a query of a world; it depends on the edits so far, not on threads."""

    @property
    def box_tests(self) -> int:
        """Overlap tests of boxes in the broad phase."""
    @property
    def object_pairs(self) -> int:
        """Pairs of objects, or of ray and object, whose boxes overlap and that were tested."""
    @property
    def narrow(self) -> RigidStats:
        """Work on the trees and triangles of these pairs."""

class WorldFirstHit:
    """Whether any objects intersect; true in a condition if they do."""

    def __bool__(self) -> bool: ...
    @property
    def objects(self) -> tuple[int, int] | None:
        """Ids of the first two objects that intersect; None if there are none."""
    @property
    def pair(self) -> tuple[int, int] | None:
        """Triangles of them that intersect; None if there are none."""
    @property
    def stats(self) -> WorldStats:
        """Work up to this pair."""

class WorldHits:
    """Objects and triangles that intersect, sorted by a, b and pair."""

    def __len__(self) -> int: ...
    @property
    def a(self) -> npt.NDArray[np.uint64]:
        """Ids of the first objects, n; 2**32 - 1 for an Object that is not in the world."""
    @property
    def b(self) -> npt.NDArray[np.uint64]:
        """Ids of the second objects, n."""
    @property
    def pairs(self) -> _Ids:
        """Triangles of a and b, n x 2."""
    @property
    def stats(self) -> WorldStats:
        """Work of the query."""
    def hash(self) -> int:
        """Hash of the hits."""

class WorldContacts:
    """All intersections of triangles of different objects, sorted by a, b and pair, with their shapes."""

    def __len__(self) -> int: ...
    @property
    def a(self) -> npt.NDArray[np.uint64]:
        """Ids of the first objects, n; 2**32 - 1 for an Object that is not in the world."""
    @property
    def b(self) -> npt.NDArray[np.uint64]:
        """Ids of the second objects, n."""
    @property
    def pairs(self) -> _Ids:
        """Triangles of a and b, n x 2."""
    @property
    def shape(self) -> npt.NDArray[np.uint8]:
        """graze.SEGMENT, graze.POINT or graze.AREA, n."""
    @property
    def segment(self) -> _Floats:
        """Both ends of each intersection, n x 2 x 3; of an area the farthest points."""
    @property
    def stats(self) -> WorldStats:
        """Work of the query."""

class WorldRayHits:
    """Triangles that rays hit: a row for each ray, or for each hit of one ray."""

    def __len__(self) -> int: ...
    @property
    def object(self) -> npt.NDArray[np.uint64]:
        """Ids of the objects, n; 2**32 - 1 for a ray that hits nothing."""
    @property
    def triangle(self) -> _Ids:
        """Triangles of the objects, n."""
    @property
    def t(self) -> _Floats:
        """Parameters, n, within one unit in the last place; infinite for a ray that hits nothing."""
    @property
    def hit(self) -> npt.NDArray[np.bool_]:
        """Whether there is a hit, n."""
    @property
    def stats(self) -> WorldStats:
        """Work of the query."""

class World:
    """Many posed objects, with a broad phase that follows edits. Runs one call at a time.

    An id is an integer and never names another object. Two objects are tested if `meets` of each has a bit of `groups`
    of the other, and the pair is not ignored. `what` of a query is None for all against all, an id for one object
    against all, or an Object at a `pose` that is not in the world; `instead_of` then names the object that it stands
    for. A query is restricted to pairs of which one object has a bit of `groups_a` and the other one of `groups_b`.
    """

    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def __contains__(self, id: int) -> bool: ...
    def add(
        self,
        object: Object,
        pose: npt.ArrayLike | None = None,
        *,
        static: bool = False,
        groups: int = 1,
        meets: int = 0xFFFFFFFF,
    ) -> int:
        """Adds an object and returns its id. Objects of one world have trees of one kind."""
    def remove(self, id: int) -> None:
        """Removes an object; its id becomes invalid for ever."""
    def set_pose(self, id: int, pose: npt.ArrayLike) -> None:
        """Places an object anywhere."""
    def move(self, ids: int | npt.ArrayLike, poses: npt.ArrayLike) -> None:
        """Moves one object, or many at once with poses n x 4 x 4, by small steps; not static ones."""
    def set_static(self, id: int, static: bool) -> None:
        """Makes an object static or moving."""
    def set_groups(self, id: int, groups: int, meets: int = 0xFFFFFFFF) -> None:
        """Changes the collision groups of an object."""
    def ignore_pair(self, a: int, b: int) -> None:
        """Excludes a pair of objects from all queries about pairs."""
    def allow_pair(self, a: int, b: int) -> None:
        """Takes ignore_pair back."""
    @property
    def ids(self) -> npt.NDArray[np.uint64]:
        """Ids of all objects, n, sorted by slot."""
    def object(self, id: int) -> Object:
        """The object; it shares mesh and tree."""
    def pose(self, id: int) -> _Floats:
        """The pose of an object."""
    def is_static(self, id: int) -> bool:
        """Whether an object is static."""
    def groups(self, id: int) -> int:
        """Collision groups of an object."""
    def meets(self, id: int) -> int:
        """Collision groups that an object is tested against."""
    def tests_pair(self, a: int, b: int) -> bool:
        """Whether queries test a pair of objects."""
    @property
    def memory_bytes(self) -> int:
        """Bytes of the world without meshes and trees."""
    def validate(self) -> str:
        """An empty string, or the first error of the broad phase: for tests."""
    def first_hit(
        self,
        what: int | Object | None = None,
        pose: npt.ArrayLike | None = None,
        *,
        groups: int = 1,
        meets: int = 0xFFFFFFFF,
        instead_of: int | None = None,
        overlap: _Overlap = "sat",
        groups_a: int = 0xFFFFFFFF,
        groups_b: int = 0xFFFFFFFF,
        threads: int = 0,
        progress: _Progress | None = None,
    ) -> WorldFirstHit:
        """Decides whether anything intersects."""
    def hits(
        self,
        what: int | Object | None = None,
        pose: npt.ArrayLike | None = None,
        *,
        groups: int = 1,
        meets: int = 0xFFFFFFFF,
        instead_of: int | None = None,
        overlap: _Overlap = "sat",
        groups_a: int = 0xFFFFFFFF,
        groups_b: int = 0xFFFFFFFF,
        threads: int = 0,
        progress: _Progress | None = None,
    ) -> WorldHits:
        """Finds the pairs of objects that intersect, with one pair of triangles of each."""
    def triangle_pairs(
        self,
        what: int | Object | None = None,
        pose: npt.ArrayLike | None = None,
        *,
        groups: int = 1,
        meets: int = 0xFFFFFFFF,
        instead_of: int | None = None,
        overlap: _Overlap = "sat",
        groups_a: int = 0xFFFFFFFF,
        groups_b: int = 0xFFFFFFFF,
        threads: int = 0,
        progress: _Progress | None = None,
    ) -> WorldHits:
        """Finds all pairs of intersecting triangles of different objects."""
    def contacts(
        self,
        what: int | Object | None = None,
        pose: npt.ArrayLike | None = None,
        *,
        groups: int = 1,
        meets: int = 0xFFFFFFFF,
        instead_of: int | None = None,
        overlap: _Overlap = "sat",
        groups_a: int = 0xFFFFFFFF,
        groups_b: int = 0xFFFFFFFF,
        threads: int = 0,
        progress: _Progress | None = None,
    ) -> WorldContacts:
        """Finds all pairs of intersecting triangles, with the segment, point or area that they share."""
    def cast(
        self,
        origins: npt.ArrayLike,
        directions: npt.ArrayLike,
        *,
        max: float = ...,
        groups_b: int = 0xFFFFFFFF,
        threads: int = 0,
        progress: _Progress | None = None,
    ) -> WorldRayHits:
        """The first hit of each of many rays origin + t direction, 0 <= t <= max, in parallel; decided exactly."""
    def ray_hits(
        self, origin: npt.ArrayLike, direction: npt.ArrayLike, *, max: float = ..., groups_b: int = 0xFFFFFFFF
    ) -> WorldRayHits:
        """All triangles along a ray, in order."""
    def segment_hits(self, p: npt.ArrayLike, q: npt.ArrayLike, *, groups_b: int = 0xFFFFFFFF) -> WorldRayHits:
        """All triangles along a segment, in order; p = q is a point."""

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
_Split = Literal["free", "volume", "longest"]
_Overlap = Literal["sat", "sat-lite", "axis", "lut"]
_Progress = Callable[[float], bool | None]

class RigidStats:
    @property
    def node_tests(self) -> int: ...
    @property
    def triangle_tests(self) -> int: ...
    @property
    def tiers(self) -> tuple[int, int, int]: ...

class Object:
    def __init__(
        self,
        positions: npt.ArrayLike,
        faces: npt.ArrayLike,
        *,
        tree: _Tree = "boxtree",
        split: _Split = "free",
        threads: int = 0,
    ) -> None: ...
    @property
    def positions(self) -> _Floats: ...
    @property
    def triangles(self) -> _Ids: ...
    @property
    def tree(self) -> _Tree: ...
    @property
    def memory(self) -> dict[str, int]: ...
    def validate(self) -> str: ...
    def save(self, file: _Path) -> None: ...
    @staticmethod
    def load(file: _Path) -> Object: ...

class FirstHit:
    """Whether two objects intersect; true in a condition if they do."""

    def __bool__(self) -> bool: ...
    @property
    def pair(self) -> tuple[int, int] | None: ...
    @property
    def stats(self) -> RigidStats: ...

class TrianglePairs:
    def __len__(self) -> int: ...
    @property
    def pairs(self) -> _Ids: ...
    @property
    def stats(self) -> RigidStats: ...
    def hash(self) -> int: ...

class Contacts:
    def __len__(self) -> int: ...
    @property
    def pairs(self) -> _Ids: ...
    @property
    def shape(self) -> npt.NDArray[np.uint8]: ...
    @property
    def segment(self) -> _Floats: ...
    @property
    def stats(self) -> RigidStats: ...

class Motion:
    def __init__(
        self,
        start: npt.ArrayLike,
        end: npt.ArrayLike | None = None,
        *,
        path: Literal["straight", "screw"] = "straight",
        centre: npt.ArrayLike = (0.0, 0.0, 0.0),
    ) -> None: ...
    def pose_at(self, t: float) -> _Floats: ...

class FirstContact:
    @property
    def toi(self) -> float: ...
    @property
    def pair(self) -> tuple[int, int] | None: ...
    @property
    def distance(self) -> float: ...
    @property
    def stats(self) -> RigidStats: ...

class Collider:
    def __init__(
        self, a: Object, b: Object, *, overlap: _Overlap = "sat", lift: bool = True, coherence: bool = False
    ) -> None: ...
    def first_hit(self, pose_a: npt.ArrayLike, pose_b: npt.ArrayLike) -> FirstHit: ...
    def triangle_pairs(self, pose_a: npt.ArrayLike, pose_b: npt.ArrayLike) -> TrianglePairs: ...
    def contacts(self, pose_a: npt.ArrayLike, pose_b: npt.ArrayLike) -> Contacts: ...
    def first_contact(
        self, motion_a: Motion | npt.ArrayLike, motion_b: Motion | npt.ArrayLike, *, tolerance: float = 1e-6
    ) -> FirstContact: ...

def posed(pose: npt.ArrayLike, positions: npt.ArrayLike) -> _Floats: ...
def pose_from_axis_angle(
    axis: npt.ArrayLike, angle: float, translation: npt.ArrayLike = (0.0, 0.0, 0.0)
) -> _Floats: ...
def pose_from_quaternion(wxyz: npt.ArrayLike, translation: npt.ArrayLike = (0.0, 0.0, 0.0)) -> _Floats: ...
def compose(outer: npt.ArrayLike, inner: npt.ArrayLike) -> _Floats: ...
def inverse(pose: npt.ArrayLike) -> _Floats: ...
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
) -> list[FirstHit]: ...
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
) -> list[TrianglePairs]: ...
def obstacle_first_hits(
    object: Object,
    pose: npt.ArrayLike,
    obstacles: Sequence[tuple[Object, npt.ArrayLike]],
    *,
    overlap: _Overlap = "sat",
    threads: int = 0,
    progress: _Progress | None = None,
) -> list[FirstHit]: ...
def obstacle_triangle_pairs(
    object: Object,
    pose: npt.ArrayLike,
    obstacles: Sequence[tuple[Object, npt.ArrayLike]],
    *,
    overlap: _Overlap = "sat",
    threads: int = 0,
    progress: _Progress | None = None,
) -> list[TrianglePairs]: ...

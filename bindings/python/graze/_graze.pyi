"""Types of the compiled part of graze. `import graze` has all of these names, and `graze.rigid` those of rigid."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, Protocol, overload

import numpy as np
import numpy.typing as npt

from . import rigid as rigid

__version__: str

_Path = str | os.PathLike[str]
_Method = Literal["auto", "brute", "r-tri", "iccd", "adaptive", "hash", "basic", "no-dupl", "adj"]
_Motion = Literal["deforming", "rigid", "static"]
_Shape = Literal["segment", "point", "area"]
_Kind = Literal["vertex-face", "edge-edge"]
_Floats = npt.NDArray[np.float64]
_Ids = npt.NDArray[np.uint32]
_Kinds = npt.NDArray[np.uint8]
_Rows = slice | Sequence[int] | npt.NDArray[Any]
_Progress = Callable[[float], bool | None]
_Device = Literal["cpu", "cuda", "auto"]

class _CudaArray(Protocol):
    """An array in GPU memory: of PyTorch, CuPy, Numba or Warp."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...

class _DLPackArray(Protocol):
    """An array that DLPack hands over without a copy, of JAX, PyTorch, CuPy and others."""

    def __dlpack__(self) -> Any: ...
    def __dlpack_device__(self) -> tuple[Any, Any]: ...

_Positions = npt.ArrayLike | _CudaArray | _DLPackArray

#: Values of `kind` arrays.
VERTEX_FACE: int
EDGE_EDGE: int

#: Values of `shape` arrays.
SEGMENT: int
POINT: int
AREA: int

class Error(Exception):
    """Base class of the exceptions of graze."""

class InputError(Error, ValueError):
    """Bad data or options. One line that names the argument, the row and the value; nothing has changed."""

class ResourceError(Error, MemoryError):
    """A query needs more memory than its memory_cap allows, or a GPU that is not there."""

class Interrupted(Error):
    """A progress callable or a sink returned False. The detector stays usable."""

class Stats:
    """Counters, times and memory of one query.

    Attributes as in graze/stats.hpp: total_ms, vf_tests, tiers.exact, ... Counters are the same in every run, times
    are not.
    """

    def to_dict(self) -> dict[str, Any]:
        """The fields as a dictionary, groups as dictionaries in it."""
    def __getattr__(self, name: str) -> Any: ...

class Impact:
    """One contact of a step: a row of Impacts."""

    @property
    def kind(self) -> _Kind:
        """The kind of pair: "vertex-face" or "edge-edge"."""
    @property
    def vertices(self) -> tuple[int, int, int, int]:
        """Vertex ids: the vertex and the face, or two edges."""
    @property
    def toi(self) -> float:
        """Time of impact: no contact of the pair before it."""
    @property
    def toi_hi(self) -> float:
        """Upper end of the interval that contains the exact time of impact."""
    @property
    def weights(self) -> _Floats:
        """Barycentric weights of the contact points, in the order of `vertices`."""
    @property
    def normal(self) -> _Floats:
        """Unit normal towards the first feature; zero where there is none."""
    @property
    def point(self) -> _Floats:
        """Middle of the closest points of both features at `toi_hi`."""
    @property
    def side(self) -> int:
        """Side of the first feature before the contact: 1, -1, or 0."""
    @property
    def remembered_side(self) -> int:
        """The side before the contact began, in an earlier step; as `side` except with method adaptive."""
    @property
    def body(self) -> tuple[int, int]:
        """Bodies of the two features."""
    @property
    def triangle(self) -> tuple[int, int]:
        """For each feature the triangle with the lowest id that contains it."""

class Impacts:
    """Impacts of a step, sorted by pair, as read-only arrays with a row each; they share the memory of the result."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Impact]: ...
    @overload
    def __getitem__(self, rows: int) -> Impact: ...
    @overload
    def __getitem__(self, rows: _Rows) -> Impacts: ...
    @property
    def kind(self) -> _Kinds:
        """VERTEX_FACE or EDGE_EDGE, n."""
    @property
    def vertices(self) -> _Ids:
        """Vertex ids of each pair, n x 4: the vertex and the face, or two edges."""
    @property
    def toi(self) -> _Floats:
        """Times of impact, n: no contact of the pair before it."""
    @property
    def toi_hi(self) -> _Floats:
        """Upper ends of the intervals that contain the exact times of impact, n."""
    @property
    def weights(self) -> _Floats:
        """Barycentric weights of the contact points, n x 4, in the order of `vertices`."""
    @property
    def normal(self) -> _Floats:
        """Unit normals towards the first feature, n x 3; zero where there is none."""
    @property
    def point(self) -> _Floats:
        """Middle of the closest points of both features at `toi_hi`, n x 3."""
    @property
    def side(self) -> npt.NDArray[np.int32]:
        """Side of the first feature before the contact, n: 1, -1, or 0."""
    @property
    def remembered_side(self) -> npt.NDArray[np.int32]:
        """The side before the contact began, in an earlier step, n; as `side` except with method adaptive."""
    @property
    def body(self) -> _Ids:
        """Bodies of the two features, n x 2."""
    @property
    def triangle(self) -> _Ids:
        """For each feature the triangle with the lowest id that contains it, n x 2."""
    @property
    def scene(self) -> Scene:
        """The scene of the query."""
    @property
    def stats(self) -> Stats:
        """Counters and times of the query."""
    @property
    def vf_count(self) -> int:
        """Number of vertex-face impacts."""
    @property
    def ee_count(self) -> int:
        """Number of edge-edge impacts."""
    @property
    def x_t0(self) -> _Floats | None:
        """Positions at the start of the step: the array of the query, not a copy. None for a part of a result."""
    @property
    def x_t1(self) -> _Floats | None:
        """Positions at the end of the step: the array of the query, not a copy. None for a part of a result."""
    @property
    def thickness(self) -> float:
        """Thickness of the query."""
    @property
    def tolerance(self) -> float:
        """Tolerance of the query."""
    def hash(self) -> int:
        """Hash of the pairs: equal for equal sets of pairs."""
    def toi_hash(self) -> int:
        """Hash of the pairs and their time-of-impact intervals."""
    def to_pandas(self) -> Any:
        """The impacts as a pandas.DataFrame, a row each."""
    def to_vtk(self, file: _Path) -> None:
        """Writes a .vtp file for ParaView, and the mesh beside it: FILE.vtp and FILE_mesh.vtp."""

class FirstImpact:
    """The earliest impact of a step."""

    @property
    def toi(self) -> float:
        """No contact before this time; 1 if there is none. For a step to take, see SafeStep."""
    @property
    def impact(self) -> Impact | None:
        """An impact at this time; None if there is none."""
    @property
    def scene(self) -> Scene:
        """The scene of the query."""
    @property
    def stats(self) -> Stats:
        """Counters and times of the query."""

class SafeStep:
    """A step that is free of contact."""

    @property
    def step(self) -> float:
        """Share of the way that can be taken, in [0, 1]; 0 only if there is a contact at the start."""
    @property
    def positions(self) -> _Floats:
        """Positions to go on from, n x 3: the way to these very doubles is proved free of contact."""
    @property
    def limit(self) -> Impact | None:
        """The first impact of the way to x_t1, which limits the step; None if the step is 1."""
    @property
    def scene(self) -> Scene:
        """The scene of the query."""
    @property
    def stats(self) -> Stats:
        """Counters and times of the query."""

class Intersections:
    """Edges and faces that intersect at one instant, and the pairs of triangles; both sorted."""

    def __len__(self) -> int:
        """Number of triangle pairs."""
    @property
    def edges(self) -> _Ids:
        """Vertex ids of the edges that meet a face, k x 2; row by row with `faces`."""
    @property
    def faces(self) -> _Ids:
        """Vertex ids of the faces that these edges meet, k x 3."""
    @property
    def triangle_pairs(self) -> _Ids:
        """Pairs of triangles that intersect, m x 2."""
    @property
    def body(self) -> _Ids:
        """Bodies of the two triangles of each pair, m x 2."""
    @property
    def shape(self) -> _Kinds | None:
        """What each pair of triangles shares, m: SEGMENT, POINT or AREA; None without overlaps=True."""
    @property
    def segment(self) -> _Floats | None:
        """Ends of what each pair of triangles shares, m x 2 x 3; None without overlaps=True."""
    @property
    def scene(self) -> Scene:
        """The scene of the query."""
    @property
    def stats(self) -> Stats:
        """Counters and times of the query."""
    def to_pandas(self) -> Any:
        """The pairs of triangles as a pandas.DataFrame, a row each."""
    def to_vtk(self, file: _Path) -> None:
        """Writes a .vtp file for ParaView, and the mesh beside it: FILE.vtp and FILE_mesh.vtp."""

class Proximity:
    """Two features within a distance: a row of Proximities."""

    @property
    def kind(self) -> _Kind:
        """What the two features are."""
    @property
    def vertices(self) -> tuple[int, int, int, int]:
        """Vertex ids: the vertex and the face, or two edges."""
    @property
    def distance(self) -> float:
        """Distance of the two features, to two units in the last place."""
    @property
    def weights(self) -> _Floats:
        """Barycentric weights of the closest points, in the order of `vertices`."""
    @property
    def normal(self) -> _Floats:
        """Unit normal towards the first feature; zero where there is none."""
    @property
    def points(self) -> _Floats:
        """Closest points of the two features, 2 x 3."""
    @property
    def body(self) -> tuple[int, int]:
        """Bodies of the two features."""
    @property
    def triangle(self) -> tuple[int, int]:
        """For each feature the triangle with the lowest id that contains it. Takes time in the number of triangles."""

class Proximities:
    """Feature pairs within a distance, sorted by pair, as read-only arrays with a row each."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Proximity]: ...
    @overload
    def __getitem__(self, rows: int) -> Proximity: ...
    @overload
    def __getitem__(self, rows: _Rows) -> Proximities: ...
    @property
    def kind(self) -> _Kinds:
        """VERTEX_FACE or EDGE_EDGE, n."""
    @property
    def vertices(self) -> _Ids:
        """Vertex ids of each pair, n x 4: the vertex and the face, or two edges."""
    @property
    def distance(self) -> _Floats:
        """Distances, n, to two units in the last place."""
    @property
    def weights(self) -> _Floats:
        """Barycentric weights of the closest points, n x 4, in the order of `vertices`."""
    @property
    def normal(self) -> _Floats:
        """Unit normals towards the first feature, n x 3; zero where there is none."""
    @property
    def points(self) -> _Floats:
        """Closest points of the two features, n x 2 x 3."""
    @property
    def body(self) -> _Ids:
        """Bodies of the two features, n x 2."""
    @property
    def triangle(self) -> _Ids:
        """For each feature the triangle with the lowest id that contains it, n x 2."""
    @property
    def scene(self) -> Scene:
        """The scene of the query."""
    @property
    def stats(self) -> Stats:
        """Counters and times of the query."""
    @property
    def vf_count(self) -> int:
        """Number of vertex-face pairs."""
    @property
    def ee_count(self) -> int:
        """Number of edge-edge pairs."""
    def to_pandas(self) -> Any:
        """The pairs as a pandas.DataFrame, a row each."""
    def to_vtk(self, file: _Path) -> None:
        """Writes a .vtp file for ParaView, and the mesh beside it: FILE.vtp and FILE_mesh.vtp."""

class Scene:
    """Bodies with common vertex and triangle ids. Where a body is asked for, its number or its name will do."""

    def __init__(self) -> None: ...
    def add_body(
        self,
        positions: npt.ArrayLike,
        faces: npt.ArrayLike,
        *,
        name: str | None = None,
        static: bool = False,
        motion: _Motion | None = None,
        groups: int = 1,
        meets: int = 0xFFFFFFFF,
    ) -> int:
        """Adds a mesh: n x 3 positions, m x 3 faces in rows of these positions. Returns the number of the body.

        `static` bodies must not move; motion "rigid" is a description only. Two bodies are tested against each
        other if `meets` of each has a bit of `groups` of the other.
        """
    def ignore_pair(self, a: int | str, b: int | str) -> None:
        """Leaves a pair of bodies out of all queries; a = b: the contacts of a body with itself."""
    def tests_pair(self, a: int | str, b: int | str) -> bool:
        """Whether queries test a pair of bodies."""
    def begin_edit(self) -> SceneEdit:
        """Begins a batch of changes of the meshes, which apply() makes."""
    def apply(self, edit: SceneEdit) -> None:
        """Makes all changes of an edit, or none."""
    def copy(self) -> Scene:
        """An independent copy; it shares memory until one of them changes."""
    def body(self, name: str) -> int:
        """The number of the body with this name."""
    def name(self, body: int) -> str:
        """The name of a body: its own, or "body N"."""
    def vertices(self, body: int | str) -> slice:
        """The rows of the vertices that a body was added with, as a slice."""
    def motion(self, body: int | str) -> _Motion:
        """How a body moves: "deforming", "rigid" or "static"."""
    def groups(self, body: int | str) -> int:
        """Bit mask of the collision groups of a body."""
    def meets(self, body: int | str) -> int:
        """Bit mask of the collision groups that a body is tested against."""
    def has_body(self, body: int) -> bool:
        """Whether this body exists; False for a number out of range or of a removed body."""
    def has_vertex(self, vertex: int) -> bool:
        """Whether this vertex exists; False for an id out of range or of a removed vertex."""
    def has_triangle(self, triangle: int) -> bool:
        """Whether this triangle exists; False for an id out of range or of a removed triangle."""
    @property
    def body_count(self) -> int:
        """Number of body ids, those of removed bodies included."""
    @property
    def vertex_count(self) -> int:
        """Number of vertex ids, those of removed vertices included."""
    @property
    def triangle_count(self) -> int:
        """Number of triangle ids, those of removed triangles included."""
    @property
    def positions(self) -> _Floats:
        """Positions with which the vertices were added, n x 3, read-only."""
    @property
    def triangles(self) -> _Ids:
        """Vertex ids of all triangles, m x 3, read-only; removed triangles have 4294967295 three times."""
    @property
    def vertex_body(self) -> _Ids:
        """The body of each vertex, n; 4294967295 for a removed vertex."""
    @property
    def ignored_pairs(self) -> _Ids:
        """Pairs of bodies that queries leave out, k x 2."""
    @property
    def revision(self) -> int:
        """Number of changes since the scene was empty."""

class SceneEdit:
    """A batch of changes of the meshes of a scene, made by Scene.begin_edit or Detector.begin_edit.

    Nothing changes before apply(). Ids of what remains never change.
    """

    def add_vertex(self, body: int | str, position: npt.ArrayLike) -> int:
        """Adds a vertex to a body and returns its id."""
    def remove_vertex(self, vertex: int) -> None:
        """Removes a vertex and all triangles that use it."""
    def add_triangle(self, vertices: Sequence[int]) -> int:
        """Adds a triangle of three vertices of one body and returns its id."""
    def set_triangle(self, triangle: int, vertices: Sequence[int]) -> None:
        """Replaces the vertices of a triangle, which keeps its id and body."""
    def remove_triangle(self, triangle: int) -> None:
        """Removes a triangle. Its vertices stay."""
    def split_vertex(self, vertex: int, triangles: Sequence[int]) -> int:
        """Tears the mesh at a vertex: these triangles get a copy of it. Returns the id of the copy."""
    def tear_edge(self, a: int, b: int) -> list[int]:
        """Tears the mesh along an edge. Returns the ids of the copies of its ends."""
    def split_edge(self, a: int, b: int, position: npt.ArrayLike) -> int:
        """Inserts a vertex into an edge, whose triangles are split in two. Returns the id of the vertex."""
    def add_body(
        self,
        positions: npt.ArrayLike,
        faces: npt.ArrayLike,
        *,
        name: str | None = None,
        static: bool = False,
        motion: _Motion | None = None,
        groups: int = 1,
        meets: int = 0xFFFFFFFF,
    ) -> int:
        """Adds a body, as Scene.add_body does. Returns its number."""
    def remove_body(self, body: int | str) -> None:
        """Removes a body with its vertices and triangles."""
    def split_body(self, body: int | str, groups: Sequence[Sequence[int]] | None = None) -> list[int]:
        """Moves groups of triangles, or all components but one, into new bodies. Returns their numbers."""
    def carry(self, x: npt.ArrayLike) -> _Floats:
        """Positions of all vertices after the edit, from those before it. Copies get those of their originals."""
    @property
    def copies(self) -> _Ids:
        """Copied vertices, n x 2: the copy, and the vertex that it copies."""
    @property
    def vertex_count(self) -> int:
        """Number of vertex ids after the edit."""
    @property
    def triangle_count(self) -> int:
        """Number of triangle ids after the edit."""
    @property
    def body_count(self) -> int:
        """Number of body ids after the edit."""
    @property
    def empty(self) -> bool:
        """Whether the edit changes nothing."""

# Devices: queries on a GPU, and results in its memory.
def devices() -> list[str]:
    """Names of the devices on which queries run."""
def why_no_cuda() -> str:
    """Why device "cuda" cannot be used, in one line; empty if it can."""

class DeviceColumn:
    """A column of impacts in GPU memory: an array for every library with __cuda_array_interface__ or DLPack."""

    def __len__(self) -> int: ...
    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array."""
    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of its values, in the notation of numpy."""
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[Any, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

class _DeviceColumns:
    @property
    def kind(self) -> DeviceColumn:
        """VERTEX_FACE or EDGE_EDGE, n, uint8."""
    @property
    def vertices(self) -> DeviceColumn:
        """Vertex ids of each pair, n x 4, uint32: the vertex and the face, or two edges."""
    @property
    def toi(self) -> DeviceColumn:
        """Times of impact, n: no contact of the pair before it."""
    @property
    def toi_hi(self) -> DeviceColumn:
        """Upper ends of the intervals that contain the exact times of impact, n."""
    @property
    def weights(self) -> DeviceColumn:
        """Barycentric weights of the contact points, n x 4, in the order of `vertices`."""
    @property
    def normal(self) -> DeviceColumn:
        """Unit normals towards the first feature, n x 3; zero where there is none."""
    @property
    def side(self) -> DeviceColumn:
        """Side of the first feature before the contact, n, int32: 1, -1, or 0."""
    @property
    def remembered_side(self) -> DeviceColumn:
        """The side before the contact began, in an earlier step, n, int32."""
    @property
    def stats(self) -> Stats:
        """Counters and times of the query."""
    def __len__(self) -> int: ...

class DeviceImpacts(_DeviceColumns):
    """Impacts of a step in GPU memory, sorted by pair. Valid until the next query of their detector."""

    @property
    def scene(self) -> Scene:
        """The scene of the query."""
    def to_host(self) -> Impacts:
        """The impacts as Impacts. Contact points are those of the positions that the arrays of the query have now."""

class Detector:
    """Collision detection for one scene, step after step. Runs one query at a time; keeps a copy of the scene."""

    def __init__(
        self,
        scene: Scene,
        *,
        method: _Method = "auto",
        thickness: float = 0.0,
        tolerance: float = 1e-6,
        threads: int = 0,
        memory_cap: int = 0,
        device: _Device = "cpu",
        research: ResearchOptions | None = None,
        progress: _Progress | None = None,
    ) -> None:
        """Builds what the method keeps.

        `thickness`: distance that counts as a contact. `tolerance`: largest width of a time-of-impact interval.
        `threads`: 0 for all cores. `memory_cap`: most bytes of a query, 0 for no limit. `device`: the processor that
        runs the queries; "cuda" takes method "auto" alone. `progress` is called with the share of the work that is
        done; False stops the query.
        """
    @overload
    def impacts(self, x_t0: _CudaArray, x_t1: _CudaArray) -> DeviceImpacts:
        """Finds every impact of a step whose positions are in GPU memory, where the impacts stay."""
    @overload
    def impacts(self, x_t0: npt.ArrayLike, x_t1: npt.ArrayLike) -> Impacts:
        """Finds every impact of the step from x_t0 to x_t1, n x 3 positions of all vertices of the scene."""
    @overload
    def impacts(self, x_t0: _DLPackArray, x_t1: _DLPackArray) -> DeviceImpacts:
        """Finds every impact of a step whose positions are in GPU memory, where the impacts stay."""
    @overload
    def impacts(
        self, x_t0: npt.ArrayLike, x_t1: npt.ArrayLike, *, sink: Callable[[Impacts], bool | None]
    ) -> Stats:
        """Passes the impacts to `sink` in batches and returns the stats.

        A sink that returns False raises Interrupted.
        """
    def first_impact(self, x_t0: _Positions, x_t1: _Positions) -> FirstImpact:
        """Finds the earliest impact of the step."""
    def safe_step(
        self,
        x_t0: _Positions,
        x_t1: _Positions,
        *,
        keep: float = 0.2,
        min_distance: float = 0.0,
        out: _CudaArray | _DLPackArray | None = None,
    ) -> SafeStep:
        """Finds how far the scene can move from x_t0 towards x_t1 without a contact: the step of a solver.

        `keep` is the share of the way to the first contact that is left, in [1/64, 1). All pairs stay farther apart
        than `min_distance` and the thickness. `out`, for positions in GPU memory: an array there that the safe
        positions are written to; it may be x_t0 or x_t1.
        """
    def intersections(
        self, x: _Positions, *, adjacent: bool = False, overlaps: bool = False
    ) -> Intersections:
        """Finds the edges and faces, and the triangles, that intersect at one instant.

        `adjacent`: also triangles that share a vertex or an edge and meet beyond it. `overlaps`: also what the
        triangles of each pair share.
        """
    @overload
    def proximities(self, x: _Positions, d: float) -> Proximities:
        """Finds every pair of features within the distance d at one instant."""
    @overload
    def proximities(
        self, x: npt.ArrayLike, d: float, *, sink: Callable[[Proximities], bool | None]
    ) -> Stats:
        """Passes the pairs to `sink` in batches and returns the stats.

        A sink that returns False raises Interrupted.
        """
    def begin_edit(self) -> SceneEdit:
        """Begins a batch of changes of the meshes, which apply() makes."""
    def apply(self, edit: SceneEdit) -> None:
        """Makes all changes of an edit, or none. Later queries take positions of all vertices after it."""
    def validate(self) -> str:
        """An empty string, or the first difference from a new detector: for tests."""
    @property
    def scene(self) -> Scene:
        """A copy of the scene, with all edits applied."""
    @property
    def method(self) -> _Method:
        """How candidates are found."""
    @property
    def device(self) -> _Device:
        """Which processor the queries were asked to run on."""
    @property
    def thickness(self) -> float:
        """Distance that counts as a contact."""
    @property
    def tolerance(self) -> float:
        """Largest width of a time-of-impact interval."""
    @property
    def memory_bytes(self) -> int:
        """Bytes that the detector keeps between queries; its copy of the scene is not included."""

# Batches: many soups or detectors in one call, each result that of a single call.
_Step = tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike]  # faces, x_t0, x_t1

def contacts(
    x_t0: npt.ArrayLike,
    x_t1: npt.ArrayLike,
    faces: npt.ArrayLike,
    *,
    thickness: float = 0.0,
    tolerance: float = 1e-6,
    threads: int = 0,
    method: _Method = "auto",
    device: _Device = "cpu",
) -> Impacts:
    """Finds every contact of one step of a triangle mesh, from the positions x_t0 to x_t1."""

def find_impacts(
    steps: Sequence[_Step],
    *,
    method: _Method = "auto",
    thickness: float = 0.0,
    tolerance: float = 1e-6,
    threads: int = 0,
    memory_cap: int = 0,
    device: _Device = "cpu",
    progress: _Progress | None = None,
) -> list[Impacts]:
    """Finds every impact of each step (faces, x_t0, x_t1) of a triangle soup, in parallel, in their order."""
def first_impacts(
    steps: Sequence[_Step],
    *,
    method: _Method = "auto",
    thickness: float = 0.0,
    tolerance: float = 1e-6,
    threads: int = 0,
    memory_cap: int = 0,
    device: _Device = "cpu",
    progress: _Progress | None = None,
) -> list[FirstImpact]:
    """Finds the earliest impact of each step (faces, x_t0, x_t1) of a triangle soup, in parallel."""
def detector_impacts(
    steps: Sequence[tuple[Detector, npt.ArrayLike, npt.ArrayLike]], *, threads: int = 0
) -> list[Impacts]:
    """Finds every impact of each step (detector, x_t0, x_t1), in parallel. Each detector occurs once."""
def detector_first_impacts(
    steps: Sequence[tuple[Detector, npt.ArrayLike, npt.ArrayLike]], *, threads: int = 0
) -> list[FirstImpact]:
    """Finds the earliest impact of each step (detector, x_t0, x_t1), in parallel."""

class BatchImpacts:
    """Impacts of a batch, scene after scene, sorted by pair in each: read-only arrays with vertex ids of the batch."""

    def __len__(self) -> int: ...
    @property
    def kind(self) -> _Kinds:
        """VERTEX_FACE or EDGE_EDGE, n."""
    @property
    def vertices(self) -> _Ids:
        """Vertex ids of each pair, n x 4: the vertex and the face, or two edges."""
    @property
    def toi(self) -> _Floats:
        """Times of impact, n: no contact of the pair before it."""
    @property
    def toi_hi(self) -> _Floats:
        """Upper ends of the intervals that contain the exact times of impact, n."""
    @property
    def weights(self) -> _Floats:
        """Barycentric weights of the contact points, n x 4, in the order of `vertices`."""
    @property
    def normal(self) -> _Floats:
        """Unit normals towards the first feature, n x 3; zero where there is none."""
    @property
    def point(self) -> _Floats:
        """Middle of the closest points of both features at `toi_hi`, n x 3."""
    @property
    def side(self) -> npt.NDArray[np.int32]:
        """Side of the first feature before the contact, n: 1, -1, or 0."""
    @property
    def remembered_side(self) -> npt.NDArray[np.int32]:
        """The side before the contact began, in an earlier step, n; as `side` except with method adaptive."""
    @property
    def begins(self) -> npt.NDArray[np.int64]:
        """The row where each scene's impacts begin; then the number of all."""
    def of(self, scene: int) -> Impacts:
        """The impacts of one scene, with its own vertex ids."""
    @property
    def stats(self) -> Stats:
        """Counters and times of the query."""

class DeviceBatchImpacts(_DeviceColumns):
    """Impacts of a batch in GPU memory, with vertex ids of the batch. Valid until the next query of the batch."""

    @property
    def begins(self) -> npt.NDArray[np.int64]:
        """The row where each scene's impacts begin, in host memory; then the number of all."""
    def to_host(self) -> BatchImpacts:
        """The impacts as BatchImpacts. Contact points are those of the positions that the arrays have now."""

class DetectorBatch:
    """Collision detection for many scenes that advance together and do not meet each other. On a GPU one query."""

    def __init__(
        self,
        scenes: Sequence[Scene],
        *,
        method: _Method = "auto",
        thickness: float = 0.0,
        tolerance: float = 1e-6,
        threads: int = 0,
        memory_cap: int = 0,
        device: _Device = "cpu",
        research: ResearchOptions | None = None,
        progress: _Progress | None = None,
    ) -> None:
        """Copies the scenes. Options as for Detector."""
    def __len__(self) -> int:
        """Number of scenes."""
    @property
    def vertex_count(self) -> int:
        """Number of vertices of all scenes: the rows of the arrays of positions."""
    def vertices(self, scene: int) -> slice:
        """The rows of a scene's vertices, as a slice."""
    @overload
    def impacts(self, x_t0: _CudaArray, x_t1: _CudaArray) -> DeviceBatchImpacts:
        """Finds every impact of a step whose positions are in GPU memory, where the impacts stay."""
    @overload
    def impacts(self, x_t0: npt.ArrayLike, x_t1: npt.ArrayLike) -> BatchImpacts:
        """Finds every impact of each scene in the step from x_t0 to x_t1, positions of all scenes."""
    @overload
    def impacts(self, x_t0: _DLPackArray, x_t1: _DLPackArray) -> DeviceBatchImpacts:
        """Finds every impact of a step whose positions are in GPU memory, where the impacts stay."""
    def first_impacts(self, x_t0: npt.ArrayLike, x_t1: npt.ArrayLike) -> list[FirstImpact]:
        """Finds the earliest impact of each scene."""
    @property
    def device(self) -> _Device:
        """Which processor the queries were asked to run on."""
    @property
    def memory_bytes(self) -> int:
        """Bytes that the batch keeps between queries; its copies of the scenes are not included."""

# Boxes.
class BoxPairs:
    """Pairs of boxes within a distance, sorted."""

    def __len__(self) -> int: ...
    @property
    def pairs(self) -> _Ids:
        """Numbers of both boxes, n x 2, the smaller one first."""
    @property
    def distance(self) -> _Floats:
        """Distances, n; 0 for boxes that touch or overlap."""
    @property
    def stats(self) -> Stats:
        """Counters and times of the query."""

def lattice_boxes(
    cells: npt.ArrayLike, x_t0: npt.ArrayLike, x_t1: npt.ArrayLike
) -> tuple[_Floats, _Floats]:
    """Bounding boxes of lattice cells (k x 8 vertex ids) over a step: their lower and upper corners, k x 3."""
def close_boxes(
    lo: npt.ArrayLike,
    hi: npt.ArrayLike,
    d: float,
    *,
    groups: npt.ArrayLike | None = None,
    threads: int = 0,
    memory_cap: int = 0,
    research: ResearchOptions | None = None,
    progress: _Progress | None = None,
) -> BoxPairs:
    """Finds every pair of boxes within the distance d. Boxes of one group are not tested against each other."""

# Elementary tests. Points are arrays of 4 x 3 (5 x 3 for an edge and a face, 6 x 3 for two triangles).
class ElementaryImpact:
    """The first contact of a pair."""

    @property
    def toi(self) -> float:
        """Lower end of the interval that contains the exact time: no contact before it."""
    @property
    def toi_hi(self) -> float:
        """Upper end of this interval."""
    @property
    def weights(self) -> _Floats:
        """Barycentric weights of the four points."""
    @property
    def normal(self) -> _Floats:
        """Unit normal towards the first feature; zero where there is none."""
    @property
    def side(self) -> int:
        """Side of the first feature before the contact: 1, -1, or 0."""

class ElementaryDistance:
    """Distance of a pair at one instant."""

    @property
    def distance(self) -> float:
        """The distance, to two units in the last place."""
    @property
    def weights(self) -> _Floats:
        """Barycentric weights of the closest points."""
    @property
    def normal(self) -> _Floats:
        """Unit normal towards the first feature; zero where there is none."""

def impact_vertex_face(
    t0: npt.ArrayLike, t1: npt.ArrayLike, *, tolerance: float = 1e-6, thickness: float = 0.0
) -> ElementaryImpact | None:
    """First contact of a vertex and a face (v, f0, f1, f2) from t0 to t1; None if they do not touch."""
def impact_edge_edge(
    t0: npt.ArrayLike, t1: npt.ArrayLike, *, tolerance: float = 1e-6, thickness: float = 0.0
) -> ElementaryImpact | None:
    """First contact of two edges (a0, a1, b0, b1) from t0 to t1; None if they do not touch."""
def intersect_edge_face(points: npt.ArrayLike) -> bool:
    """Whether the edge p, q and the face a, b, c share a point."""
def intersect_triangle_triangle(points: npt.ArrayLike) -> bool:
    """Whether two triangles share a point."""
def distance_vertex_face(points: npt.ArrayLike) -> ElementaryDistance:
    """Distance of a vertex and a face (v, f0, f1, f2)."""
def distance_edge_edge(points: npt.ArrayLike) -> ElementaryDistance:
    """Distance of two edges (a0, a1, b0, b1)."""
def within_vertex_face(points: npt.ArrayLike, d: float) -> bool:
    """Whether the distance of a vertex and a face is at most d, decided exactly."""
def within_edge_edge(points: npt.ArrayLike, d: float) -> bool:
    """Whether the distance of two edges is at most d, decided exactly."""

# Files.
def read_mesh(file: _Path) -> tuple[_Floats, _Ids]:
    """Reads a .ply, .obj, .stl or .off file: positions and faces. Polygons are split into fans of triangles."""
def write_mesh(
    file: _Path, positions: npt.ArrayLike, faces: npt.ArrayLike, *, ascii: bool = False
) -> None:
    """Writes a .ply file (binary, or text with ascii=True) or an .obj file."""
def list_frames(folder_or_glob: str) -> list[str]:
    """The mesh files of a sequence, a folder or a pattern with * and ?, in natural order of their names."""

class PointCache:
    """Frames of a .pc2 or .mdd file, read on demand: cache[0] are the positions of the first one, n x 3."""

    def __init__(self, file: _Path) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, frame: int) -> _Floats: ...
    @property
    def vertex_count(self) -> int:
        """Number of positions in each frame."""

def write_pc2(file: _Path, frames: Sequence[npt.ArrayLike]) -> None:
    """Writes a PC2 point cache, rounded to floats."""
def write_mdd(file: _Path, frames: Sequence[npt.ArrayLike], *, frames_per_second: float = 24.0) -> None:
    """Writes an MDD point cache, rounded to floats."""

class Queries:
    """Queries of a public data set: points of both ends, n x 4 x 3, and the exact answers."""

    def __len__(self) -> int: ...
    @property
    def kind(self) -> _Kind:
        """The kind of pair: "vertex-face" or "edge-edge"."""
    @property
    def t0(self) -> _Floats:
        """Points of each query at the start of the step, n x 4 x 3."""
    @property
    def t1(self) -> _Floats:
        """Points of each query at the end of the step, n x 4 x 3."""
    @property
    def truth(self) -> npt.NDArray[np.bool_]:
        """Whether the two features touch, n."""

def read_queries(file: _Path) -> Queries:
    """Reads a query file; the name of its folder, edge-edge or vertex-face, says which kind of pair it has."""

class Capture:
    """A recorded step with its answer: bug report, test and input of the program in one.

    Files do not keep the names of bodies.
    """

    def __init__(
        self,
        scene: Scene,
        x_t0: npt.ArrayLike,
        x_t1: npt.ArrayLike,
        impacts: Impacts,
        *,
        thickness: float = 0.0,
        tolerance: float = 1e-6,
    ) -> None: ...
    @property
    def scene(self) -> Scene:
        """The scene of the step."""
    @property
    def x_t0(self) -> _Floats:
        """Positions at the start of the step, n x 3."""
    @property
    def x_t1(self) -> _Floats:
        """Positions at the end of the step, n x 3."""
    @property
    def thickness(self) -> float:
        """Thickness of the query."""
    @property
    def tolerance(self) -> float:
        """Tolerance of the query."""
    @property
    def vf_count(self) -> int:
        """Number of vertex-face impacts of the answer."""
    @property
    def ee_count(self) -> int:
        """Number of edge-edge impacts of the answer."""
    @property
    def hash(self) -> int:
        """Impacts.hash() of the answer."""
    @property
    def toi_hash(self) -> int:
        """Impacts.toi_hash() of the answer."""

def read_capture(file: _Path) -> Capture:
    """Reads a .graze file."""
def write_capture(file: _Path, capture: Capture) -> None:
    """Writes a .graze file."""

class VtkSequence:
    """Results of many steps as a time series for ParaView: FILE.pvd of contacts, FILE_mesh.pvd of meshes.

    The files of the steps go to the folder FILE_vtk. As a context manager it closes itself.
    """

    def __init__(self, file: _Path) -> None: ...
    def add(self, result: Impacts | Proximities | Intersections, *, time: float | None = None) -> None:
        """Writes the files of a step. Its time is the number of steps before it, unless it is given."""
    def close(self) -> None:
        """Writes the .pvd files, with the steps added so far."""
    def __len__(self) -> int: ...
    def __enter__(self) -> VtkSequence: ...
    def __exit__(self, *raised: object) -> None: ...

# Methods and their variants.
class ResearchOptions:
    """Variants of the methods, by the names of the command line; see graze/research.hpp."""

    def __init__(self, **options: Any) -> None: ...
    def to_dict(self) -> dict[str, Any]:
        """The options by name."""

def methods() -> list[str]:
    """Names of all methods, those for comparison included."""
def method_summary(method: _Method) -> str:
    """One line that describes a method."""

def _soup(x: npt.ArrayLike, faces: npt.ArrayLike, name: str) -> Scene:
    """A scene of one mesh, for functions that have no scene; `name` is what they call the positions."""

def _is_viewed(array: Any) -> bool:
    """Whether queries read these positions in place: for tests."""

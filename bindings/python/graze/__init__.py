"""graze finds every contact between moving triangle meshes, exactly.

    import graze

    impacts = graze.contacts(x_t0, x_t1, faces)        # all contacts of a step
    impacts.toi, impacts.vertices, impacts.point       # arrays, one row for each contact

    scene = graze.Scene()                              # several bodies, step after step
    scene.add_body(x, faces, name="cloth")
    detector = graze.Detector(scene, thickness=1e-3)
    step = detector.safe_step(x_t0, x_t1)

Positions are n x 3 arrays of float64, faces m x 3 arrays of integers. `graze.rigid` has posed rigid objects,
`graze.plot` pictures with matplotlib, and `graze.show` opens the report page of a step.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Literal

import numpy.typing as npt

from . import rigid
from ._graze import (
    AREA,
    EDGE_EDGE,
    POINT,
    SEGMENT,
    VERTEX_FACE,
    BatchImpacts,
    BoxPairs,
    Capture,
    Detector,
    DetectorBatch,
    DeviceBatchImpacts,
    DeviceColumn,
    DeviceImpacts,
    ElementaryDistance,
    ElementaryImpact,
    Error,
    FirstImpact,
    Impact,
    Impacts,
    InputError,
    Interrupted,
    Intersections,
    PointCache,
    Proximities,
    Proximity,
    Queries,
    ResearchOptions,
    ResourceError,
    SafeStep,
    Scene,
    SceneEdit,
    Stats,
    VtkSequence,
    __version__,
    _soup,
    close_boxes,
    contacts,
    detector_first_impacts,
    detector_impacts,
    devices,
    distance_edge_edge,
    distance_vertex_face,
    find_impacts,
    first_impacts,
    impact_edge_edge,
    impact_vertex_face,
    intersect_edge_face,
    intersect_triangle_triangle,
    lattice_boxes,
    list_frames,
    method_summary,
    methods,
    read_capture,
    read_mesh,
    read_queries,
    why_no_cuda,
    within_edge_edge,
    within_vertex_face,
    write_capture,
    write_mdd,
    write_mesh,
    write_pc2,
)
from ._show import show
from .collision_manager import CollisionManager

if TYPE_CHECKING:
    from . import plot as plot

__all__ = [
    "AREA",
    "EDGE_EDGE",
    "POINT",
    "SEGMENT",
    "VERTEX_FACE",
    "BatchImpacts",
    "BoxPairs",
    "Capture",
    "CollisionManager",
    "Detector",
    "DetectorBatch",
    "DeviceBatchImpacts",
    "DeviceColumn",
    "DeviceImpacts",
    "ElementaryDistance",
    "ElementaryImpact",
    "Error",
    "FirstImpact",
    "Impact",
    "Impacts",
    "InputError",
    "Interrupted",
    "Intersections",
    "PointCache",
    "Proximities",
    "Proximity",
    "Queries",
    "ResearchOptions",
    "ResourceError",
    "SafeStep",
    "Scene",
    "SceneEdit",
    "Stats",
    "VtkSequence",
    "__version__",
    "close_boxes",
    "contacts",
    "detector_first_impacts",
    "detector_impacts",
    "devices",
    "distance_edge_edge",
    "distance_vertex_face",
    "find_impacts",
    "first_impacts",
    "impact_edge_edge",
    "impact_vertex_face",
    "intersect_edge_face",
    "intersect_triangle_triangle",
    "lattice_boxes",
    "list_frames",
    "method_summary",
    "methods",
    "plot",
    "read_capture",
    "read_mesh",
    "read_queries",
    "rigid",
    "safe_step",
    "self_intersections",
    "show",
    "why_no_cuda",
    "within_edge_edge",
    "within_vertex_face",
    "write_capture",
    "write_mdd",
    "write_mesh",
    "write_pc2",
]


def self_intersections(
    x: npt.ArrayLike,
    faces: npt.ArrayLike,
    *,
    overlaps: bool = False,
    threads: int = 0,
    device: Literal["cpu", "cuda", "auto"] = "cpu",
) -> Intersections:
    """Finds all pairs of triangles of a mesh that intersect at one instant.

    Triangles that share a vertex or an edge are listed if they meet beyond it, as mesh repair has it.
    """
    detector = Detector(_soup(x, faces, "x"), threads=threads, device=device)
    return detector.intersections(x, adjacent=True, overlaps=overlaps)


def safe_step(
    x_t0: npt.ArrayLike,
    x_t1: npt.ArrayLike,
    faces: npt.ArrayLike,
    *,
    keep: float = 0.2,
    min_distance: float = 0.0,
    thickness: float = 0.0,
    threads: int = 0,
    device: Literal["cpu", "cuda", "auto"] = "cpu",
) -> SafeStep:
    """Finds how far a mesh can move from x_t0 towards x_t1 without a contact.

    For more than one step, keep a Detector: it reuses what it knows from the last step.
    """
    detector = Detector(_soup(x_t0, faces, "x_t0"), thickness=thickness, threads=threads, device=device)
    return detector.safe_step(x_t0, x_t1, keep=keep, min_distance=min_distance)


def __getattr__(name: str) -> object:
    """Imports graze.plot when it is first used, which needs matplotlib."""
    if name == "plot":
        return importlib.import_module(".plot", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

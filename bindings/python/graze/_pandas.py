"""Results as tables of pandas; imported by their to_pandas()."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._graze import Impacts, Intersections, Proximities

_KINDS = ["vertex-face", "edge-edge"]
_SHAPES = ["segment", "point", "area"]


def _columns(name: str, values: npt.NDArray[Any], suffixes: str = "") -> dict[str, npt.NDArray[Any]]:
    """Returns the columns of an n x k array by name: name_0, name_1, ... or name_x, name_y, name_z."""
    ends = suffixes or [str(i) for i in range(values.shape[1])]
    return {f"{name}_{end}": np.ascontiguousarray(values[:, i]) for i, end in enumerate(ends)}


def _pandas() -> Any:
    return importlib.import_module("pandas")


def _category(codes: npt.NDArray[np.uint8], names: list[str]) -> Any:
    return _pandas().Categorical.from_codes(codes.astype(np.int8), categories=names)


def impact_table(impacts: Impacts) -> Any:
    """Returns a table with a row for each impact."""
    columns: dict[str, Any] = {"kind": _category(impacts.kind, _KINDS)}
    columns |= _columns("vertex", impacts.vertices)
    columns |= {"toi": impacts.toi.copy(), "toi_hi": impacts.toi_hi.copy()}
    columns |= _columns("weight", impacts.weights)
    columns |= _columns("normal", impacts.normal, "xyz")
    columns |= _columns("point", impacts.point, "xyz")
    columns |= {"side": impacts.side.copy(), "remembered_side": impacts.remembered_side.copy()}
    columns |= _columns("body", impacts.body)
    columns |= _columns("triangle", impacts.triangle)
    return _pandas().DataFrame(columns)


def proximity_table(proximities: Proximities) -> Any:
    """Returns a table with a row for each pair."""
    columns: dict[str, Any] = {"kind": _category(proximities.kind, _KINDS)}
    columns |= _columns("vertex", proximities.vertices)
    columns |= {"distance": proximities.distance.copy()}
    columns |= _columns("weight", proximities.weights)
    columns |= _columns("normal", proximities.normal, "xyz")
    columns |= _columns("point_0", proximities.points[:, 0], "xyz")
    columns |= _columns("point_1", proximities.points[:, 1], "xyz")
    columns |= _columns("body", proximities.body)
    columns |= _columns("triangle", proximities.triangle)
    return _pandas().DataFrame(columns)


def intersection_table(intersections: Intersections) -> Any:
    """Returns a table with a row for each pair of triangles."""
    columns: dict[str, Any] = _columns("triangle", intersections.triangle_pairs)
    columns |= _columns("body", intersections.body)
    if intersections.shape is not None and intersections.segment is not None:
        columns |= {"shape": _category(intersections.shape, _SHAPES)}
        columns |= _columns("p", intersections.segment[:, 0], "xyz")
        columns |= _columns("q", intersections.segment[:, 1], "xyz")
    return _pandas().DataFrame(columns)

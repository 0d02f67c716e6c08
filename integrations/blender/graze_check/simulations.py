"""Frames in an order in which simulations are right.

Blender simulates from one frame to the next. A simulation that is not baked is right only if all frames from its
first one are visited in their order; a jump may show something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def unbaked(scene: bpy.types.Scene) -> list[tuple[str, int]]:
    """Name and first frame of each simulation of the scene that is not baked."""
    found = [(name, cache.frame_start) for name, cache in _caches(scene) if not cache.is_baked]
    return sorted(set(found))


def frames_to(scene: bpy.types.Scene, first: int, last: int) -> range:
    """The frames to visit in order, so that those from first to last are right."""
    starts = [start for _, start in unbaked(scene) if start <= last]
    return range(min([first, *starts]), last + 1)


def go_to(scene: bpy.types.Scene, frame: int) -> None:
    """Shows a frame as it is when the scene is played."""
    for visited in frames_to(scene, frame, frame):
        scene.frame_set(visited)


def _caches(scene: bpy.types.Scene) -> Iterator[tuple[str, Any]]:
    for thing in scene.objects:
        for modifier in thing.modifiers:
            if modifier.type in {"CLOTH", "SOFT_BODY"}:
                yield thing.name_full, modifier.point_cache
            elif modifier.type == "DYNAMIC_PAINT" and modifier.canvas_settings:
                for surface in modifier.canvas_settings.canvas_surfaces:
                    yield thing.name_full, surface.point_cache
        for system in thing.particle_systems:
            yield thing.name_full, system.point_cache
    if scene.rigidbody_world:
        yield "the rigid bodies", scene.rigidbody_world.point_cache

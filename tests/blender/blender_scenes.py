"""What the tests of the Blender add-on share: installing it from its zip, scenes, and meshes read vertex by vertex.

GRAZE_PYTHON_PATH, else PYTHONPATH, says where the Python package graze is: Blender itself ignores PYTHONPATH.
"""

from __future__ import annotations

import atexit
import os
import pathlib
import shutil
import sys
import tempfile

import bpy
import numpy as np

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="graze-blender-"))
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
sys.dont_write_bytecode = True

paths = os.environ.get("GRAZE_PYTHON_PATH") or os.environ.get("PYTHONPATH") or ""
sys.path[:0] = [str(SOURCE / "scripts"), *filter(None, paths.split(os.pathsep))]


def install_addon() -> pathlib.Path:
    """Packs the add-on, installs it as a user does, into a folder of the test, and returns the zip."""
    import blender_addon

    os.environ["BLENDER_USER_SCRIPTS"] = str(SCRATCH / "scripts")
    packed = blender_addon.pack(SCRATCH / "zip")
    bpy.ops.preferences.addon_install(filepath=str(packed))
    bpy.ops.preferences.addon_enable(module="graze_check")
    return packed


def empty_scene(last: int) -> bpy.types.Scene:
    """A new file with nothing in it, and frames from 1."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    if not hasattr(bpy.types.Scene, "graze_check"):
        bpy.ops.preferences.addon_enable(module="graze_check")
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, last
    return scene


def add_mesh(name: str, points: list, faces: list) -> bpy.types.Object:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(thing)
    return thing


def add_square(name: str, z: float, size: float = 1.0) -> bpy.types.Object:
    return add_mesh(name, [(-size, -size, z), (size, -size, z), (size, size, z), (-size, size, z)], [(0, 1, 2, 3)])


def add_triangle(name: str, z: float, x: float = 0.6) -> bpy.types.Object:
    """A small triangle, which above a square is beside the square's diagonal."""
    return add_mesh(name, [(x - 0.3, -0.1, z), (x + 0.3, -0.1, z), (x, 0.3, z)], [(0, 1, 2)])


def move(thing: bpy.types.Object, **heights: float) -> None:
    """Keys of the height of an object, by frame: move(thing, f1=0.0, f5=1.0). In between it moves evenly."""
    for frame, height in heights.items():
        thing.location.z = height
        thing.keyframe_insert("location", index=2, frame=int(frame[1:]))
    for point in thing.animation_data.action.fcurves[0].keyframe_points:
        point.interpolation = "LINEAR"


def add_cloth_on_sphere(last: int, cells: int = 20) -> tuple[bpy.types.Object, bpy.types.Object]:
    """A cloth falls on a sphere. Few sub-steps and no self-collision: it passes through the sphere and itself."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=cells, y_subdivisions=cells, size=2, location=(0.1, 0, 0.8))
    cloth = bpy.context.object
    cloth.name = "Cloth"
    modifier = cloth.modifiers.new("Cloth", "CLOTH")
    modifier.settings.quality = 2
    modifier.collision_settings.distance_min = 0.001
    modifier.collision_settings.use_self_collision = False
    modifier.point_cache.frame_end = last
    bpy.ops.mesh.primitive_uv_sphere_add(segments=12, ring_count=8, radius=0.5, location=(0, 0, 0.2))
    sphere = bpy.context.object
    sphere.name = "Sphere"
    sphere.modifiers.new("Collision", "COLLISION")
    sphere.collision.thickness_outer = 0.001
    return cloth, sphere


def bake(thing: bpy.types.Object) -> None:
    cache = next(modifier for modifier in thing.modifiers if modifier.type == "CLOTH").point_cache
    with bpy.context.temp_override(scene=bpy.context.scene, active_object=thing, point_cache=cache):
        bpy.ops.ptcache.bake(bake=True)


def world_positions(thing: bpy.types.Object) -> np.ndarray:
    """Vertices of the evaluated mesh at the current frame, one by one: floats of Blender, products in double."""
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh, m = evaluated.to_mesh(), [[float(value) for value in row] for row in evaluated.matrix_world]
    points = []
    for vertex in mesh.vertices:
        x, y, z = (float(value) for value in vertex.co)
        points.append([x * m[k][0] + y * m[k][1] + z * m[k][2] + m[k][3] for k in range(3)])
    evaluated.to_mesh_clear()
    return np.array(points)


def triangles_and_polygons(thing: bpy.types.Object) -> tuple[list, list]:
    """Triangles of the evaluated mesh at the current frame, and the polygon of each."""
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    mesh.calc_loop_triangles()
    triangles = [tuple(triangle.vertices) for triangle in mesh.loop_triangles]
    polygons = [triangle.polygon_index for triangle in mesh.loop_triangles]
    evaluated.to_mesh_clear()
    return triangles, polygons


def attribute_values(thing: bpy.types.Object, name: str = "graze_contact") -> list[int] | None:
    attribute = thing.data.attributes.get(name)
    return None if attribute is None else [item.value for item in attribute.data]


def group_members(thing: bpy.types.Object, name: str = "graze_contact") -> dict[int, float] | None:
    """Weights of the vertices of a group."""
    group = thing.vertex_groups.get(name)
    if group is None:
        return None
    weights = {}
    for vertex in thing.data.vertices:
        for element in vertex.groups:
            if element.group == group.index:
                weights[vertex.index] = element.weight
    return weights


def corners_of(thing: bpy.types.Object, polygons: list[int]) -> set[int]:
    return {vertex for polygon in polygons for vertex in thing.data.polygons[polygon].vertices}

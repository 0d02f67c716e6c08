"""Tests of the Blender add-on, inside Blender and without a window:

blender -b --factory-startup --python-exit-code 1 --python tests/blender/graze_check_test.py

The add-on's findings are compared with those of graze for positions that the test reads from Blender itself.
"""

from __future__ import annotations

import collections
import contextlib
import hashlib
import itertools
import math
import pathlib
import re
import sys
import types
import unittest
import zipfile

import bpy
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from blender_scenes import (  # noqa: E402
    SCRATCH,
    SOURCE,
    add_cloth_on_sphere,
    add_mesh,
    add_square,
    add_triangle,
    attribute_values,
    bake,
    corners_of,
    empty_scene,
    group_members,
    install_addon,
    move,
    triangles_and_polygons,
    world_positions,
)

ZIP = install_addon()
import blender_addon  # noqa: E402
import graze  # noqa: E402
import graze_check  # noqa: E402
from graze_check import graze_module, marks, meshes, queries, run, topology  # noqa: E402

LAST = 40


def rows_of(scene: bpy.types.Scene) -> list[tuple]:
    """Rows of the list of results: first and last frame, kind, objects, number, earliest time."""
    return [(row.begin, row.end, row.kind, row.objects, row.count, row.time) for row in scene.graze_check.rows]


def counts_of(scene: bpy.types.Scene) -> list[tuple]:
    return [row[:5] for row in rows_of(scene)]


def messages_of(scene: bpy.types.Scene) -> str:
    return "\n".join(message.name for message in scene.graze_check.messages)


def check(scene: bpy.types.Scene, **settings: object) -> list[tuple]:
    """Runs a check with these settings, and returns the rows of results."""
    for name, value in settings.items():
        setattr(scene.graze_check, name, value)
    if bpy.ops.graze.check() != {"FINISHED"}:
        raise AssertionError("the check did not finish")
    return rows_of(scene)


def refusal(scene: bpy.types.Scene, **settings: object) -> str:
    """The error line of a check that must not finish."""
    try:
        check(scene, **settings)
    except RuntimeError as error:
        return str(error).strip()
    raise AssertionError("the check was not refused")


class DirectAnswers:
    """What graze finds for all frames of some objects, and the polygons that take part, by dictionaries of sets."""

    def __init__(self, scene: bpy.types.Scene, things: list[bpy.types.Object], parts: tuple[int, ...] = (1, 1)):
        """`parts`: evaluated polygons of each polygon, by object; they follow each other."""
        self.scene, self.things, self.parts = scene, things, parts
        scene.frame_set(1)
        self.faces = [triangles_and_polygons(thing) for thing in things]
        self.x = []
        for frame in range(scene.frame_start, scene.frame_end + 1):
            scene.frame_set(frame)
            self.x.append([world_positions(thing) for thing in things])
        self.offsets = [0, *itertools.accumulate(len(x) for x in self.x[0])]

    def detector(self, thickness: float) -> graze.Detector:
        world = graze.Scene()
        for x, (triangles, _) in zip(self.x[0], self.faces):
            world.add_body(x, np.array(triangles))
        return graze.Detector(world, thickness=thickness, method="r-tri")

    def name(self, a: int, b: int) -> str:
        a, b = min(a, b), max(a, b)
        return f"{self.things[a].name} with itself" if a == b else f"{self.things[a].name}, {self.things[b].name}"

    def find(self, thickness: float = 0.0) -> None:
        """Fills `rows`, and `counts`: contacts of each polygon of each object."""
        detector = self.detector(thickness)
        self.rows, self.counts = [], [collections.Counter() for _ in self.things]
        for k, x in enumerate(self.x):
            frame = self.scene.frame_start + k
            found = detector.intersections(np.concatenate(x))
            self._add(frame, frame, "intersection", found.body, [float(frame)] * len(found), self._of_pairs(found))
            if k + 1 < len(self.x):
                impacts = detector.impacts(np.concatenate(x), np.concatenate(self.x[k + 1]))
                times = [frame + toi for toi in impacts.toi.tolist()]
                self._add(frame, frame + 1, "contact", impacts.body, times, self._of_impacts(impacts))

    def _add(self, begin, end, kind, bodies, times, taking_part) -> None:
        pairs = collections.defaultdict(list)
        for (a, b), time in zip(bodies.tolist(), times):
            pairs[min(a, b), max(a, b)].append(time)
        for (a, b), all_times in sorted(pairs.items()):
            self.rows.append((begin, end, kind, self.name(a, b), len(all_times), min(all_times)))
        for polygons in taking_part:
            for body, polygon in polygons:
                self.counts[body][polygon] += 1

    def _of_pairs(self, found) -> list[set]:
        first = [0, *itertools.accumulate(len(triangles) for triangles, _ in self.faces)]
        return [
            {(body, self.faces[body][1][t - first[body]] // self.parts[body]) for body, t in zip(bodies, pair)}
            for bodies, pair in zip(found.body.tolist(), found.triangle_pairs.tolist())
        ]

    def _of_impacts(self, impacts) -> list[set]:
        around = [collections.defaultdict(set) for _ in self.things]  # by body: polygons that have these corners
        for body, (triangles, polygons) in enumerate(self.faces):
            for triangle, polygon in zip(triangles, polygons):
                for size in (1, 2, 3):
                    for corners in itertools.combinations(sorted(triangle), size):
                        around[body][corners].add(polygon // self.parts[body])
        taking_part = []
        for impact in impacts:
            ids, cut = impact.vertices, 1 if impact.kind == "vertex-face" else 2
            polygons = set()
            for body, feature in zip(impact.body, (ids[:cut], ids[cut:])):
                corners = tuple(sorted(v - self.offsets[body] for v in feature))
                polygons |= {(body, polygon) for polygon in around[body][corners]}
            taking_part.append(polygons)
        return taking_part


class Addon(unittest.TestCase):
    def test_zip_is_the_same_each_time_and_has_the_version_of_the_project(self):
        again = blender_addon.pack(SCRATCH / "again")
        self.assertEqual(hashlib.sha256(ZIP.read_bytes()).digest(), hashlib.sha256(again.read_bytes()).digest())
        names = zipfile.ZipFile(ZIP).namelist()
        self.assertEqual(names, sorted(names))
        self.assertIn("graze_check/__init__.py", names)
        self.assertIn("graze_check/LICENSE", names)
        version = re.search(r"VERSION (\d+)\.(\d+)\.(\d+)", (SOURCE / "CMakeLists.txt").read_text()).groups()
        self.assertEqual(graze_check.bl_info["version"], tuple(map(int, version)))
        self.assertEqual(ZIP.name, f"graze_check-{'.'.join(version)}.zip")

    def test_is_loaded_from_where_blender_installed_it(self):
        self.assertTrue(pathlib.Path(graze_check.__file__).is_relative_to(SCRATCH / "scripts/addons/graze_check"))

    def test_leaves_nothing_when_disabled(self):
        empty_scene(1)
        bpy.ops.preferences.addon_disable(module="graze_check")
        try:
            self.assertFalse(hasattr(bpy.types.Scene, "graze_check"))
            self.assertFalse(hasattr(bpy.types, "GRAZE_PT_check"))
            self.assertFalse(hasattr(bpy.types, "GRAZE_OT_check"))
        finally:
            bpy.ops.preferences.addon_enable(module="graze_check")


class ClothOnSphere(unittest.TestCase):
    """A cloth that Blender simulates passes through a sphere and through itself."""

    @classmethod
    def setUpClass(cls):
        cls.scene = empty_scene(LAST)
        cls.cloth, cls.sphere = add_cloth_on_sphere(LAST)
        bake(cls.cloth)
        cls.direct = DirectAnswers(cls.scene, [cls.cloth, cls.sphere])
        cls.direct.find()
        cls.scene.frame_set(17)

    def setUp(self):
        bpy.ops.graze.clear()
        settings = self.scene.graze_check
        for name in settings.bl_rna.properties.keys():
            settings.property_unset(name)
        settings.frames = True

    def assert_rows(self, rows, expected):
        """Times are kept in single precision in the list."""
        self.assertEqual([row[:5] for row in rows], [row[:5] for row in expected])
        for row, other in zip(rows, expected):
            self.assertEqual(row[5], np.float32(other[5]))

    def test_scene_has_contacts_of_every_kind(self):
        kinds = {(row[2], row[3]) for row in self.direct.rows}
        self.assertEqual(kinds, set(itertools.product(("contact", "intersection"), ("Cloth with itself", "Cloth, Sphere"))))

    def test_finds_what_graze_finds_in_the_exported_positions(self):
        self.assert_rows(check(self.scene), self.direct.rows)

    def test_counts_contacts_on_faces_and_groups_their_vertices(self):
        check(self.scene)
        for thing, counts in zip((self.cloth, self.sphere), self.direct.counts):
            expected = [counts[polygon.index] for polygon in thing.data.polygons]
            self.assertGreater(sum(expected), 0)
            self.assertEqual(attribute_values(thing), expected)
            attribute = thing.data.attributes["graze_contact"]
            self.assertEqual((attribute.data_type, attribute.domain), ("INT", "FACE"))
            marked = corners_of(thing, [polygon for polygon, count in counts.items() if count])
            self.assertEqual(group_members(thing), dict.fromkeys(marked, 1.0))
            self.assertNotIn(meshes.NUMBERS, thing.data.attributes)

    def test_sets_a_marker_at_each_frame_with_contacts(self):
        self.scene.timeline_markers.new("graze: mine", frame=3)
        check(self.scene)
        totals = collections.defaultdict(collections.Counter)
        for begin, _, kind, _, count, _ in self.direct.rows:
            totals[begin][kind] += count
        expected = {frame: marks.marker_name(kinds["contact"], kinds["intersection"]) for frame, kinds in totals.items()}
        markers = {marker.frame: marker.name for marker in self.scene.timeline_markers if marker.frame != 3}
        self.assertEqual(markers, expected)
        check(self.scene)
        self.assertEqual(len(self.scene.timeline_markers), len(expected) + 1)
        bpy.ops.graze.clear()
        self.assertEqual([marker.name for marker in self.scene.timeline_markers], ["graze: mine"])
        self.scene.timeline_markers.clear()

    def test_writes_a_table_into_a_text(self):
        check(self.scene)
        lines = bpy.data.texts["graze report"].as_string().splitlines()
        table = [re.split(r"  +", line.strip()) for line in lines if re.match(r"\d+( to \d+)?  ", line)]
        expected = [
            [str(begin) if begin == end else f"{begin} to {end}", f"{time:.6f}", kind, str(count), objects]
            for begin, end, kind, objects, count, time in self.direct.rows
        ]
        self.assertEqual(table, expected)
        self.assertIn("objects: Cloth (400 faces), Sphere (96 faces)", lines)

    def test_summary_has_the_totals(self):
        check(self.scene)
        steps = [row for row in self.direct.rows if row[2] == "contact"]
        contacts = f"{sum(row[4] for row in steps)} contacts in {len({row[0] for row in steps})} of {LAST - 1} steps"
        self.assertTrue(self.scene.graze_check.summary.startswith(contacts), self.scene.graze_check.summary)
        first = min(self.direct.rows, key=lambda row: row[5])
        self.assertTrue(self.scene.graze_check.summary.endswith(f"at frame {first[5]:.4g} ({first[3]})"))

    def test_shows_the_frame_from_before(self):
        self.scene.frame_set(17)
        check(self.scene)
        self.assertEqual(self.scene.frame_current, 17)

    def test_between_and_within_are_parts_of_the_whole(self):
        within = check(self.scene, between=False)
        self.assert_rows(within, [row for row in self.direct.rows if row[3] == "Cloth with itself"])
        between = check(self.scene, between=True, within=False)
        self.assert_rows(between, [row for row in self.direct.rows if row[3] == "Cloth, Sphere"])

    def test_steps_and_frames_are_parts_of_the_whole(self):
        steps = check(self.scene, frames=False)
        self.assert_rows(steps, [row for row in self.direct.rows if row[2] == "contact"])
        frames = check(self.scene, frames=True, steps=False)
        self.assert_rows(frames, [row for row in self.direct.rows if row[2] == "intersection"])

    def test_range_is_a_part_of_the_whole(self):
        rows = check(self.scene, whole_scene=False, first=20, last=25)
        expected = [row for row in self.direct.rows if 20 <= row[0] and row[1] <= 25]
        self.assert_rows(rows, expected)

    def test_thickness_is_that_of_graze(self):
        self.direct.find(thickness=0.01)
        thick = list(self.direct.rows)
        self.direct.find()
        rows = check(self.scene, thickness=0.01)
        self.assert_rows(rows, [(*row[:5], row[5]) for row in thick])
        self.assertGreater(sum(row[4] for row in thick), sum(row[4] for row in self.direct.rows))

    def test_objects_are_the_chosen_ones(self):
        bpy.ops.object.select_all(action="DESELECT")
        self.cloth.select_set(True)
        rows = check(self.scene, objects="SELECTED")
        self.assert_rows(rows, [row for row in self.direct.rows if row[3] == "Cloth with itself"])
        collection = bpy.data.collections.new("Only the sphere")
        self.scene.collection.children.link(collection)
        collection.objects.link(self.sphere)
        self.assertEqual(check(self.scene, objects="COLLECTION", collection=collection), [])
        bpy.data.collections.remove(collection)

    def test_hidden_objects_are_left_out(self):
        self.sphere.hide_set(True)
        self.addCleanup(self.sphere.hide_set, False)
        rows = check(self.scene)
        self.assert_rows(rows, [row for row in self.direct.rows if row[3] == "Cloth with itself"])
        self.scene.graze_check.collection = self.scene.collection
        check(self.scene, objects="COLLECTION")
        self.assertIn("Sphere: it is hidden", messages_of(self.scene))

    def test_marks_do_not_disturb_the_simulation(self):
        before = self.direct.x
        check(self.scene)
        for frame in (31, 12, LAST):
            self.scene.frame_set(frame)
            np.testing.assert_array_equal(world_positions(self.cloth), before[frame - 1][0])

    def test_clear_removes_all_that_the_check_made_and_nothing_else(self):
        self.cloth.data.attributes.new("mine", "INT", "FACE")
        self.cloth.vertex_groups.new(name="mine").add([1], 0.5, "REPLACE")
        check(self.scene)
        bpy.ops.graze.clear()
        self.assertNotIn("graze report", bpy.data.texts)
        self.assertEqual(len(self.scene.timeline_markers), 0)
        self.assertEqual((rows_of(self.scene), messages_of(self.scene), self.scene.graze_check.summary), ([], "", ""))
        for thing in (self.cloth, self.sphere):
            self.assertFalse([name for name in thing.data.attributes.keys() if name.startswith("graze")])
        self.assertEqual(self.cloth.vertex_groups.keys(), ["mine"])
        self.assertEqual(group_members(self.cloth, "mine"), {1: 0.5})
        self.assertIn("mine", self.cloth.data.attributes)
        self.cloth.data.attributes.remove(self.cloth.data.attributes["mine"])
        self.cloth.vertex_groups.clear()

    def test_cancel_keeps_what_was_found_and_shows_the_frame_from_before(self):
        self.scene.frame_set(17)
        started = run.Run(bpy.context, graze, threaded=False)
        for _ in started.work():
            if self.scene.frame_current == 30:
                started.cancel()
        started.finish()
        self.assertEqual(self.scene.frame_current, 17)
        self.assert_rows(rows_of(self.scene), [row for row in self.direct.rows if row[0] < 30 and row[1] <= 30])
        self.assertIn("cancelled at frame 30", messages_of(self.scene))
        steps = {row[0] for row in self.direct.rows if row[1] <= 30 and row[2] == "contact"}
        self.assertIn(f"in {len(steps)} of 29 steps", self.scene.graze_check.summary)

    def test_cancel_stops_a_query_on_its_thread(self):
        started = run.Run(bpy.context, graze, threaded=True)
        watch = started._check.progress
        asked = []

        def cancel_in_the_query(share):
            asked.append(share)
            if self.scene.frame_current == 30:
                started.cancel()
            return watch(share)

        started._check.progress = cancel_in_the_query
        with self.assertRaises(graze.Interrupted):
            for _ in started.work():
                pass
        started.finish()
        self.assertGreater(len(asked), 0)
        self.assert_rows(rows_of(self.scene), [row for row in self.direct.rows if row[0] < 29])
        self.assertEqual(self.scene.frame_current, 17)

    def test_thread_finds_the_same(self):
        started = run.Run(bpy.context, graze, threaded=True)
        waits = sum(1 for waiting in started.work() if waiting)
        started.finish()
        self.assertGreater(waits, 0)
        self.assertEqual(started.share, 1.0)
        self.assert_rows(rows_of(self.scene), self.direct.rows)


class UnbakedCloth(unittest.TestCase):
    def test_is_played_from_its_first_frame(self):
        scene = empty_scene(LAST)
        cloth, sphere = add_cloth_on_sphere(LAST)
        bake(cloth)
        whole = check(scene, frames=True)
        scene = empty_scene(LAST)
        add_cloth_on_sphere(LAST)
        rows = check(scene, frames=True, whole_scene=False, first=25, last=30)
        self.assertEqual(rows, [row for row in whole if 25 <= row[0] and row[1] <= 30])
        self.assertGreater(len(rows), 0)
        self.assertIn("Cloth: its simulation is not baked. It was played from frame 1", messages_of(scene))

    def test_jump_shows_what_the_check_saw(self):
        scene = empty_scene(LAST)
        cloth, sphere = add_cloth_on_sphere(LAST)
        direct = DirectAnswers(scene, [cloth])
        check(scene)
        for frame in (33, 20):
            bpy.ops.graze.jump(frame=frame)
            self.assertEqual(scene.frame_current, frame)
            np.testing.assert_array_equal(world_positions(cloth), direct.x[frame - 1][0])


class Modifiers(unittest.TestCase):
    def test_contacts_of_a_subdivided_cloth_are_counted_on_its_own_faces(self):
        scene = empty_scene(LAST)
        cloth, sphere = add_cloth_on_sphere(LAST, cells=10)
        cloth.modifiers.new("Subdivision", "SUBSURF").levels = 1
        bake(cloth)
        # One level makes four quads of each quad, one after the other.
        direct = DirectAnswers(scene, [cloth, sphere], parts=(4, 1))
        self.assertEqual(len(direct.faces[0][0]), 8 * len(cloth.data.polygons))
        direct.find()
        rows = check(scene, frames=True)
        self.assertEqual([row[:5] for row in rows], [row[:5] for row in direct.rows])
        self.assertGreater(len(rows), 20)
        for thing, counts in zip((cloth, sphere), direct.counts):
            expected = [counts[polygon.index] for polygon in thing.data.polygons]
            self.assertEqual(attribute_values(thing), expected)
            marked = corners_of(thing, [polygon for polygon, count in enumerate(expected) if count])
            self.assertEqual(group_members(thing), dict.fromkeys(marked, 1.0))
        self.assertIn("Cloth: modifiers make 400 faces; contacts are counted on the faces", messages_of(scene))
        self.assertNotIn(meshes.NUMBERS, cloth.data.attributes)

    def test_faces_that_come_from_no_face_are_said_to_be_unmarked(self):
        scene = empty_scene(2)
        square, triangle = add_square("Square", 0.0), add_triangle("Triangle", 0.0)
        square.modifiers.new("Remesh", "REMESH").voxel_size = 0.5
        solid = add_mesh("Solid", [(-1, -1, -1), (1, -1, -1), (0, 1, -1), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])
        solid.modifiers.new("Remesh", "REMESH").voxel_size = 0.5
        bpy.data.objects.remove(square)
        move(triangle, f1=3.0, f2=-3.0)
        rows = check(scene)
        self.assertEqual([row[:4] for row in rows], [(1, 2, "contact", "Solid, Triangle")])
        self.assertIn("come from none: contacts there are in the table, but not marked", messages_of(scene))
        self.assertIsNone(attribute_values(solid))
        self.assertEqual(attribute_values(triangle), [rows[0][4]])

    def test_faces_taken_from_another_object_are_not_mistaken(self):
        """A boolean gives the cut object faces of the cutter, numbered as the cutter's."""
        scene = empty_scene(2)
        bpy.ops.mesh.primitive_cube_add(size=2)
        cut = bpy.context.object
        cut.name = "Cut"
        bpy.ops.mesh.primitive_cube_add(size=2, location=(0.5, 0.5, 1.5))
        cutter = bpy.context.object
        cutter.name = "Cutter"
        modifier = cut.modifiers.new("Boolean", "BOOLEAN")
        modifier.object, modifier.solver = cutter, "FAST"
        triangle = add_triangle("Triangle", 0.0, x=0.5)
        triangle.location.y = 0.5
        move(triangle, f1=3.0, f2=0.7)
        for thing in (cut, triangle):
            thing.select_set(True)
        cutter.select_set(False)
        rows = check(scene, objects="SELECTED")
        # The only face below the triangle is the floor of the notch, z = 0.5, which is the cutter's bottom.
        self.assertEqual(rows, [])
        move(triangle, f1=3.0, f2=0.3)
        rows = check(scene, objects="SELECTED")
        self.assertEqual([row[:5] for row in rows], [(1, 2, "contact", "Cut, Triangle", 3)])
        self.assertIsNone(attribute_values(cut))
        self.assertEqual(attribute_values(triangle), [3])

    def test_object_whose_faces_change_is_left_out_of_these_steps(self):
        scene = empty_scene(4)
        add_square("Square", 0.0)
        triangle, early = add_triangle("Triangle", 0.0), add_triangle("Early", 0.0, x=-0.4)
        grown = add_square("Grown", -0.5)
        array = grown.modifiers.new("Array", "ARRAY")
        array.use_relative_offset, array.use_constant_offset = False, True
        array.constant_offset_displace = (0.0, 0.0, -5.0)
        for frame, count in ((1, 1), (2, 1), (3, 2), (4, 2)):
            array.count = count
            array.keyframe_insert("count", frame=frame)
        move(triangle, f1=0.2, f4=-0.7)  # through Square between 1 and 2, through Grown between 3 and 4
        move(early, f1=-0.2, f4=-0.8)  # through Grown between 2 and 3, where its faces change
        check(scene)
        self.assertEqual(
            counts_of(scene),
            [(1, 2, "contact", "Square, Triangle", 3), (3, 4, "contact", "Grown, Triangle", 3)],
        )
        self.assertIn("Grown: its faces change in 1 of 3 steps, first from 2 to 3", messages_of(scene))
        self.assertEqual(attribute_values(grown), [3])
        self.assertEqual(attribute_values(triangle), [6])
        self.assertIsNone(attribute_values(early))

    def test_diagonals_of_polygons_stay_those_of_the_mesh(self):
        """Blender splits a quad anew when it bends inward. The step must have equal triangles at both ends."""
        scene = empty_scene(2)
        quad = add_mesh("Quad", [(-1, 0, 0), (0, -1, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2, 3)])
        quad.shape_key_add(name="Basis")
        bent = quad.shape_key_add(name="Bent")
        bent.data[1].co = (0, 0.5, 0)
        for frame, value in ((1, 0.0), (2, 1.0)):
            bent.value = value
            bent.keyframe_insert("value", frame=frame)
        splits = []
        for frame in (1, 2):
            scene.frame_set(frame)
            splits.append({frozenset(triangle) for triangle in triangles_and_polygons(quad)[0]})
        self.assertNotEqual(*splits)
        falling = add_mesh("Falling", [(-0.1, 0.6, 0), (0.1, 0.6, 0), (0, 0.8, 0)], [(0, 1, 2)])
        move(falling, f1=1.0, f2=-1.0)
        check(scene)
        self.assertEqual(messages_of(scene), "")
        # The split of the first frame holds for the whole step: its corner passes through the diagonal.
        self.assertEqual(
            counts_of(scene), [(1, 2, "contact", "Falling, Quad", 3), (1, 2, "contact", "Quad with itself", 1)]
        )
        # A range that begins with the bent quad has these triangles, too.
        check(scene, steps=False, frames=True, whole_scene=False, first=2, last=2)
        self.assertEqual(counts_of(scene), [])

    def test_no_modifier_moves_vertices_only_by_mistake(self):
        """Every name in the list is one of a modifier."""
        known = set(bpy.types.Modifier.bl_rna.properties["type"].enum_items.keys())
        self.assertLessEqual(meshes.MOVES_VERTICES_ONLY, known)


class Recorder:
    """Stands for the module graze: keeps what scenes are made of, and how many detectors."""

    def __init__(self):
        self.scenes = []
        self.VERTEX_FACE = graze.VERTEX_FACE

    def Scene(self):
        recorder, scene = self, graze.Scene()

        def add_body(x, triangles, *, name, static):
            recorder.scenes[-1][name] = static
            return scene.add_body(x, triangles, name=name, static=static)

        self.scenes.append({})
        return types.SimpleNamespace(scene=scene, add_body=add_body, ignore_pair=scene.ignore_pair)

    def Detector(self, scene, **options):
        return graze.Detector(scene.scene, **options)


class StaticObjects(unittest.TestCase):
    def record(self, scene: bpy.types.Scene) -> list[dict[str, bool]]:
        """Bodies of each scene that a check makes, and whether they are static."""
        started = run.Run(bpy.context, graze, threaded=False)
        recorder = started._check.graze = Recorder()
        for _ in started.work():
            pass
        started.finish()
        return recorder.scenes

    def test_object_that_rests_is_static_until_it_moves(self):
        scene = empty_scene(6)
        add_square("Floor", 0.0)
        falling, late = add_triangle("Falling", 0.0), add_triangle("Late", 0.0, x=3.0)
        move(falling, f1=1.5, f6=-1.1)  # no frame has it at height 0, where two steps would touch the floor
        move(late, f1=1.0, f3=1.0, f6=2.0)
        self.assertEqual(
            self.record(scene),
            [{"Falling": False, "Floor": True, "Late": True}, {"Falling": False, "Floor": True, "Late": False}],
        )
        self.assertEqual([row[2:5] for row in rows_of(scene)], [("contact", "Falling, Floor", 3)])

    def test_least_motion_is_a_motion(self):
        scene = empty_scene(2)
        add_square("Floor", 0.0)
        shaken = add_triangle("Shaken", 1.0)
        move(shaken, f1=0.0, f2=1e-7)
        scene.frame_set(2)
        self.assertGreater(world_positions(shaken)[0, 2], 1.0)
        self.assertEqual(self.record(scene), [{"Floor": True, "Shaken": False}])

    def test_detector_is_kept_while_nothing_changes(self):
        scene = empty_scene(10)
        add_square("Floor", 0.0)
        move(add_triangle("Falling", 0.0), f1=1.5, f10=-1.0)
        scene.graze_check.frames = True
        self.assertEqual(len(self.record(scene)), 1)


class Settings(unittest.TestCase):
    def falling_triangle(self, last: int) -> bpy.types.Scene:
        scene = empty_scene(last)
        add_square("Floor", 0.0)
        move(add_triangle("Falling", 0.0), f1=1.0, f11=-1.6)
        return scene

    def test_steps_of_several_frames_cover_the_range_to_its_end(self):
        scene = self.falling_triangle(11)
        self.assertEqual([row[:5] for row in check(scene, step=1)], [(4, 5, "contact", "Falling, Floor", 3)])
        self.assertEqual([row[:5] for row in check(scene, step=4)], [(1, 5, "contact", "Falling, Floor", 3)])
        row = check(scene, step=100)[0]
        self.assertEqual(row[:5], (1, 11, "contact", "Falling, Floor", 3))
        self.assertAlmostEqual(row[5], 1 + 10 / 2.6, delta=1e-4)
        self.assertEqual(run.sample_frames(1, 10, 4), [1, 5, 9, 10])

    def test_adjacent_faces_only_if_asked_for(self):
        scene = empty_scene(1)
        add_mesh("Folded", [(0, 0, 0), (4, 0, 0), (0, 4, 0), (1, 1, 0)], [(0, 1, 2), (0, 1, 3)])
        self.assertEqual(check(scene, steps=False, frames=True), [])
        rows = check(scene, adjacent=True)
        self.assertEqual([row[:5] for row in rows], [(1, 1, "intersection", "Folded with itself", 1)])

    def test_objects_that_share_a_mesh_share_its_marks(self):
        scene = empty_scene(2)
        one, falling = add_square("One", 0.0), add_triangle("Falling", 0.0)
        other = bpy.data.objects.new("Other", one.data)
        other.location.z = -0.5
        scene.collection.objects.link(other)
        move(falling, f1=1.0, f2=-1.0)
        rows = check(scene)
        self.assertEqual([row[3:5] for row in rows], [("Falling, One", 3), ("Falling, Other", 3)])
        self.assertEqual(attribute_values(one), [6])
        self.assertEqual(group_members(one), dict.fromkeys(range(4), 1.0))

    def test_what_leaves_nothing_to_check_is_one_line(self):
        scene = self.falling_triangle(11)
        self.assertIn("choose what to find", refusal(scene, steps=False, frames=False))
        self.assertIn("choose where to find contacts", refusal(scene, steps=True, within=False, between=False))
        self.assertIn("choose a collection", refusal(scene, within=True, between=True, objects="COLLECTION"))
        bpy.ops.object.select_all(action="DESELECT")
        self.assertIn("there is no mesh to check", refusal(scene, objects="SELECTED"))
        self.assertIn("the first frame, 3, is after the last, 2", refusal(scene, whole_scene=False, first=3, last=2))
        line = refusal(scene, first=2, last=2, objects="VISIBLE")
        self.assertEqual(line, "Error: contacts during steps need a range of at least two frames")
        self.assertEqual(scene.graze_check.error, line.removeprefix("Error: "))
        self.assertEqual(scene.frame_current, 1)

    def test_edit_mode_must_be_left_first(self):
        scene = self.falling_triangle(2)
        bpy.context.view_layer.objects.active = bpy.data.objects["Floor"]
        bpy.ops.object.mode_set(mode="EDIT")
        self.assertIn("Leave edit mode first", refusal(scene))
        bpy.ops.object.mode_set(mode="OBJECT")

    def test_attribute_of_another_kind_is_left_alone(self):
        scene = self.falling_triangle(11)
        floor = bpy.data.objects["Floor"]
        floor.data.attributes.new("graze_contact", "FLOAT", "POINT")
        check(scene)
        self.assertIn('Floor: its faces are not marked, because its mesh has an attribute "graze_contact"', messages_of(scene))
        bpy.ops.graze.clear()
        self.assertEqual(floor.data.attributes["graze_contact"].data_type, "FLOAT")


class Errors(unittest.TestCase):
    def test_position_that_is_no_number_is_an_error_line(self):
        scene = empty_scene(5)
        add_square("Floor", 0.0)
        falling = add_triangle("Falling", 0.0)
        move(falling, f1=1.0, f5=-1.4)
        falling.shape_key_add(name="Basis")
        burst = falling.shape_key_add(name="Burst")
        burst.data[1].co.x = math.nan
        for frame, muted in ((1, True), (3, True), (4, False)):
            burst.mute = muted
            burst.keyframe_insert("mute", frame=frame)
        burst.value = 1.0
        scene.frame_set(2)
        line = refusal(scene)
        # The matrix of the object makes all coordinates of the point NaN.
        self.assertEqual(line, "Error: Falling: vertex 1 is at (nan, nan, nan) at frame 4, which is no finite point")
        self.assertEqual(scene.graze_check.error, line.removeprefix("Error: "))
        self.assertEqual(scene.frame_current, 2)
        self.assertIn("stopped at frame 4", messages_of(scene))
        self.assertTrue(scene.graze_check.summary.startswith("3 contacts in 1 of 2 steps"), scene.graze_check.summary)
        self.assertIsNone(sys.modules["graze_check.operators"].GRAZE_OT_check.running)

    def test_mistake_of_the_program_is_raised_and_the_frame_restored(self):
        scene = empty_scene(3)
        add_square("Floor", 0.0)
        scene.frame_set(2)
        original = queries.Check.step
        queries.Check.step = lambda *_: 1 / 0
        self.addCleanup(setattr, queries.Check, "step", original)
        self.assertIn("ZeroDivisionError", refusal(scene))
        self.assertEqual(scene.frame_current, 2)
        queries.Check.step = original
        self.assertEqual(check(scene), [])


class Package(unittest.TestCase):
    @contextlib.contextmanager
    def modules_of_graze(self, **replaced):
        """Replaces what `import graze` finds."""
        names = [name for name in sys.modules if name == "graze" or name.startswith("graze.")]
        kept, path = {name: sys.modules.pop(name) for name in names}, list(sys.path)
        sys.modules.update(replaced)
        try:
            yield
        finally:
            sys.modules.pop("graze", None)
            sys.modules.update(kept)
            sys.path[:] = path

    def fake_package(self, name: str, text: str) -> pathlib.Path:
        folder = SCRATCH / name
        (folder / "graze").mkdir(parents=True)
        (folder / "graze/__init__.py").write_text(text)
        return folder

    def test_missing_package_is_one_line_that_says_how_to_install_it(self):
        scene = empty_scene(2)
        add_square("Floor", 0.0)
        with self.modules_of_graze(graze=None):
            line = refusal(scene)
        python = f"{sys.version_info.major}.{sys.version_info.minor}"
        self.assertEqual(
            line,
            f"Error: The Python package graze is missing: install it for Python {python}, "
            "or set its folder in the preferences of this add-on",
        )
        self.assertEqual(scene.graze_check.error, line.removeprefix("Error: "))

    def test_package_that_cannot_be_loaded_is_one_line(self):
        folder = self.fake_package("broken", 'raise ImportError("libtbb.so.12: cannot open\\nshared object file")')
        with self.modules_of_graze():
            sys.path.insert(0, str(folder))
            module, line = graze_module.load()
        self.assertIsNone(module)
        self.assertEqual(
            line, "The Python package graze cannot be loaded: libtbb.so.12: cannot open shared object file"
        )

    def test_folder_in_the_preferences_is_searched_first(self):
        folder = self.fake_package("chosen", '__version__ = "chosen"')
        preferences = bpy.context.preferences.addons["graze_check"].preferences
        preferences.folder = str(folder)
        try:
            with self.modules_of_graze():
                self.assertEqual(graze_module.load()[0].__version__, "chosen")
        finally:
            preferences.folder = ""
        self.assertIs(graze_module.load()[0], graze)


class Tables(unittest.TestCase):
    def test_faces_around_features_are_those_of_a_search(self):
        random = np.random.default_rng(5)
        for _ in range(20):
            triangles = random.integers(0, 8, size=(random.integers(1, 30), 3))
            face = random.integers(-1, 5, size=len(triangles))
            table = topology.Topology(8, (np.zeros(0), np.zeros(0)), triangles, face)
            for size, around in ((1, None), (2, table.faces_of_edges), (3, table.faces_of_corners)):
                asked = [sorted(random.choice(triangle, size, replace=False)) for triangle in triangles]
                lookup = around or (lambda ids: table.faces_of_vertices(ids[:, 0]))
                rows, faces = lookup(np.array(asked))
                for row, feature in enumerate(asked):
                    expected = {
                        f for triangle, f in zip(triangles.tolist(), face.tolist())
                        if not collections.Counter(feature) - collections.Counter(triangle)
                    }  # fmt: skip
                    self.assertEqual(sorted(faces[rows == row].tolist()), sorted(expected))


if __name__ == "__main__":
    program = unittest.main(argv=["graze_check_test", *sys.argv[sys.argv.index("--") + 1 :]] if "--" in sys.argv else ["graze_check_test"], exit=False)
    if not program.result.wasSuccessful() or program.result.testsRun == 0:
        raise SystemExit(1)

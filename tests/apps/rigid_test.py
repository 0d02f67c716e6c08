"""graze rigid: two posed meshes, with every tree and overlap test; poses, motions, files."""

import json
import math
import re
import unittest

from support import LARGE, ProgramTest, write_obj

TREES = ["boxtree", "aabb", "obb", "kdop18", "kdop26", "sphere"]
OVERLAPS = ["sat", "sat-lite", "axis", "lut"]
SPLITS = ["free", "volume", "longest", "volume-sampled"]


def write_cube(path):
    """A cube of side 2 about the origin, in 12 triangles."""
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    sides = [(0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)]
    write_obj(path, corners, [(a, b, c) for a, b, c, _ in sides] + [(a, c, d) for a, _, c, d in sides])


def write_torus(path, around, across):
    """Writes a torus of radii 1 and 0.4 with 2 * around * across triangles."""
    def point(i, j):
        u, v = 2 * math.pi * i / around, 2 * math.pi * j / across
        return ((1 + 0.4 * math.cos(v)) * math.cos(u), (1 + 0.4 * math.cos(v)) * math.sin(u), 0.4 * math.sin(v))

    def vertex(i, j):
        return i % around * across + j % across

    cells = [(i, j) for i in range(around) for j in range(across)]
    write_obj(path, [point(i, j) for i, j in cells],
              [(vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)) for i, j in cells] +
              [(vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)) for i, j in cells])


class RigidTest(ProgramTest):
    def setUp(self):
        super().setUp()
        write_cube(self.folder / "cube.obj")
        write_torus(self.folder / "torus.obj", 16, 10)
        write_obj(self.folder / "large.obj", LARGE, [(0, 1, 2)])
        # The wedge stands in the large triangle and intersects it from x = -0.5 to x = 0.5.
        write_obj(self.folder / "wedge.obj", [(-1, 0, 1), (1, 0, 1), (0, 0, -1)], [(0, 1, 2)])

    def rigid(self, *arguments, status=0):
        return json.loads(self.succeed("rigid", *arguments, "--json", "-", status=status))


class Poses(RigidTest):
    def test_separated_meshes_are_status_0_and_intersecting_meshes_status_1(self):
        self.rigid("cube.obj", "cube.obj", "--pose", "3 0 0")
        self.rigid("cube.obj", "cube.obj", "--pose", "1 0.5 0.25", status=1)
        self.rigid("large.obj", "wedge.obj", status=1)  # at the positions in their files

    def test_faces_that_touch_intersect_and_at_the_next_double_they_do_not(self):
        self.rigid("cube.obj", "cube.obj", "--pose-b", "2,0,0", status=1)
        self.rigid("cube.obj", "cube.obj", "--pose-b", f"{math.nextafter(2, 3)!r},0,0")
        self.rigid("cube.obj", "cube.obj", "--pose-a", "5 0 0", "--pose-b", "7 0 0", status=1)
        self.rigid("cube.obj", "cube.obj", "--pose-a", "5 0 0", "--pose-b=-7 0 0")

    def test_rotations_are_quaternions_axes_in_degrees_or_matrices(self):
        # Rotated by 45 degrees about z, the edge of the cube is as far from the centre as half the diagonal of its
        # face.
        reach = 1 + math.sqrt(2)
        half = math.sin(math.pi / 8)
        c = math.sqrt(0.5)
        for turn in (f"{{}} 0 0 {math.cos(math.pi / 8)!r} 0 0 {half!r}", "{} 0 0 axis 0 0 2 45",
                     f"{c!r} {-c!r} 0 {{}}, {c!r} {c!r} 0 0, 0 0 1 0"):
            self.rigid("cube.obj", "cube.obj", "--pose", turn.format(reach - 1e-6), status=1)
            self.rigid("cube.obj", "cube.obj", "--pose", turn.format(reach + 1e-6))

    def test_contacts_are_written_with_what_the_triangles_share(self):
        document = self.rigid("large.obj", "wedge.obj", "--contacts", "out.csv", status=1)
        self.assertEqual(document["query"], "contacts")
        self.assertEqual((document["total"]["pairs"], document["poses"][0]["pair"]), (1, [0, 0]))
        title, row = self.read_lines("out.csv")
        self.assertEqual(title, "pose,a,b,shape,px,py,pz,qx,qy,qz")
        cells = row.split(",")
        self.assertEqual(cells[:4], ["0", "0", "0", "segment"])
        self.assertEqual([float(cell) for cell in cells[4:]], [-0.5, 0, 0, 0.5, 0, 0])

    def test_pairs_are_all_of_them(self):
        # The large triangle cuts the cube at half its height, through its eight upright triangles.
        document = self.rigid("large.obj", "cube.obj", "--query", "pairs", "--contacts", "out.csv", status=1)
        self.assertEqual(document["total"]["pairs"], 8)
        lines = self.read_lines("out.csv")
        self.assertEqual(lines[0], "pose,a,b")
        self.assertEqual(len(lines), 9)
        text = self.succeed("rigid", "large.obj", "cube.obj", "--query", "pairs", status=1)
        self.assertEqual(text.splitlines()[0].split()[:3], ["pose", "contact", "pairs"])
        self.assertEqual(text.splitlines()[1].split()[:3], ["0", "yes", "8"])

    def test_a_file_of_poses_is_a_row_each(self):
        (self.folder / "poses.csv").write_text(
            "x,y,z\n0,0,0\n# far\n\n9,0,0,1,0,0,0\n2 0 0 axis 1 0 0 90\n4,0,0,6.5,0,0\n", encoding="ascii")
        document = self.rigid("cube.obj", "cube.obj", "--poses", "poses.csv", status=1)
        self.assertEqual([pose["hit"] for pose in document["poses"]], [True, False, True, False])
        self.assertEqual((document["total"]["poses"], document["total"]["hits"]), (4, 2))
        self.assertIsNone(document["poses"][1]["pair"])
        text = self.succeed("rigid", "cube.obj", "cube.obj", "--poses", "poses.csv", status=1)
        self.assertEqual([line.split()[1] for line in text.splitlines()[1:5]], ["yes", "no", "yes", "no"])
        self.assertEqual(text.splitlines()[-1].split()[:2], ["all", "2"])

    def test_a_document_has_the_keys_that_are_written_down(self):
        document = self.rigid("cube.obj", "cube.obj", "--threads", "1", status=1)
        self.assertEqual(list(document), ["graze", "tree", "split", "overlap", "lift", "coherence", "query", "threads",
                                          "objects", "poses", "total"])
        self.assertEqual(list(document["poses"][0]), ["pose", "hit", "pair", "pairs", "hash", "us", "counters"])
        self.assertEqual(list(document["total"]), ["poses", "hits", "pairs", "hash", "us", "counters"])
        self.assertEqual(list(document["total"]["counters"]), ["node_tests", "triangle_tests", "exact"])
        self.assertEqual(document["total"]["hash"], document["poses"][0]["hash"])


class Answers(RigidTest):
    def hashes(self, *arguments):
        document = self.rigid("torus.obj", "torus.obj", "--tumble", "40", "--distance", "0.8,1.6,2.1", *arguments, status=1)
        self.assertEqual([row["poses"] for row in document["distances"]], [40, 40, 40])
        return [row["hash"] for row in document["distances"]], [row["hits"] for row in document["distances"]]

    def test_every_tree_overlap_test_and_number_of_threads_gives_the_same_hits(self):
        right, hits = self.hashes()
        self.assertGreater(hits[0], hits[2])
        for tree in TREES:
            self.assertEqual(self.hashes("--tree", tree), (right, hits), tree)
        for overlap in OVERLAPS:
            self.assertEqual(self.hashes("--overlap", overlap), (right, hits), overlap)
            self.assertEqual(self.hashes("--overlap", overlap, "--no-lift"), (right, hits), overlap)
        for split in SPLITS:
            self.assertEqual(self.hashes("--split", split), (right, hits), split)
        for extra in (["--threads", "2"], ["--threads", "7"], ["--coherence"], ["--coherence", "--threads", "3"]):
            self.assertEqual(self.hashes(*extra), (right, hits), extra)

    def test_every_tree_overlap_test_and_number_of_threads_gives_the_same_pairs(self):
        right, _ = self.hashes("--query", "pairs")
        for tree in TREES:
            self.assertEqual(self.hashes("--query", "pairs", "--tree", tree)[0], right, tree)
        for overlap in OVERLAPS:
            self.assertEqual(self.hashes("--query", "pairs", "--overlap", overlap)[0], right, overlap)
        self.assertEqual(self.hashes("--query", "pairs", "--threads", "3")[0], right)
        self.assertEqual(self.hashes("--query", "contacts")[0], right)

    def test_a_tumble_prints_a_row_a_distance(self):
        text = self.succeed("rigid", "torus.obj", "torus.obj", "--tumble", "20", "--distance", "1.2,5", status=1)
        rows = [line.split() for line in text.splitlines()]
        self.assertEqual(rows[0][:3], ["distance", "poses", "hits"])
        self.assertEqual([row[:2] for row in rows[1:]], [["1.2", "20"], ["5", "20"]])
        self.assertEqual(rows[2][2], "0")

    def test_a_tumble_scales_into_a_cube_of_size_two(self):
        write_obj(self.folder / "big.obj", [(100, 0, 0), (700, 0, 0), (100, 600, 0), (100, 0, 600)],
                  [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)])
        self.rigid("big.obj", "big.obj", "--tumble", "1", "--distance", "2.01")
        self.rigid("big.obj", "big.obj", "--tumble", "1", "--distance", "1.5", status=1)


class Trees(RigidTest):
    def test_a_node_takes_nine_bytes(self):
        text = self.succeed("rigid", "torus.obj", "--stats")
        cells = text.splitlines()[1].split()
        self.assertEqual(cells[:5], ["a", "320", "boxtree", "639", "9"])
        document = self.rigid("torus.obj")
        (tree,) = document["objects"]
        self.assertEqual((tree["triangles"], tree["nodes"], tree["bytes_per_node"]), (320, 639, 9))
        self.assertGreaterEqual(tree["tree_bytes"], 9 * 639)
        self.assertLess(tree["tree_bytes"], 9 * 639 + 200)
        self.assertGreater(tree["build_ms"], 0)
        self.assertNotIn("poses", document)

    def test_other_trees_take_more(self):
        for tree in TREES[1:]:
            self.assertGreater(self.rigid("torus.obj", "--tree", tree)["objects"][0]["bytes_per_node"], 9, tree)

    def test_a_saved_tree_answers_like_the_mesh(self):
        self.succeed("rigid", "torus.obj", "--save-tree", "torus.boxtree")
        poses = ["--pose", "0.9 0.2 0.1 axis 1 2 3 40", "--query", "pairs"]
        mesh = self.rigid("torus.obj", "torus.obj", *poses, status=1)
        saved = self.rigid("torus.boxtree", "torus.boxtree", *poses, status=1)
        self.assertEqual(saved["total"]["hash"], mesh["total"]["hash"])
        self.assertEqual(saved["total"]["counters"], mesh["total"]["counters"])
        self.assertIsNone(saved["objects"][0]["build_ms"])
        self.assertEqual(saved["objects"][0]["nodes"], 639)
        mixed = self.rigid("torus.boxtree", "torus.obj", "--tree", "aabb", *poses, status=1)
        self.assertEqual(mixed["total"]["hash"], mesh["total"]["hash"])
        size = (self.folder / "torus.boxtree").stat().st_size
        self.assertLess(size, 9 * 639 + 160 * 24 + 320 * 12 + 200)

    def test_a_damaged_tree_is_refused(self):
        self.succeed("rigid", "torus.obj", "--save-tree", "torus.boxtree")
        data = (self.folder / "torus.boxtree").read_bytes()
        (self.folder / "short.boxtree").write_bytes(data[:-5])
        self.refuse("rigid", "short.boxtree", "torus.obj", naming=["short.boxtree"])


class Motions(RigidTest):
    def test_the_first_contact_of_a_cube_that_comes_nearer(self):
        # The gap is 3 and the displacement is 5.
        for path in ("straight", "screw"):
            document = self.rigid("cube.obj", "cube.obj", "--pose", "5 0 0", "--end", "0 0 0", "--path", path, status=1)
            motion = document["motion"]
            self.assertLessEqual(motion["toi"], 0.6)
            self.assertGreater(motion["toi"], 0.6 - 1e-4)
            self.assertLess(motion["distance"], 1e-4)
            self.assertEqual(len(motion["pair"]), 2)
        text = self.succeed("rigid", "cube.obj", "cube.obj", "--pose", "5 0 0", "--end", "0 0 0", status=1)
        self.assertRegex(text.splitlines()[1], r"yes +0\.(5999|6000)")

    def test_a_motion_without_contact_is_status_0(self):
        motion = self.rigid("cube.obj", "cube.obj", "--pose", "5 0 0", "--pose-b-end", "2.5 0 0")["motion"]
        self.assertEqual((motion["toi"], motion["pair"], motion["distance"]), (None, None, None))

    def test_both_may_move_and_turn_about_a_centre(self):
        self.rigid("cube.obj", "cube.obj", "--pose-a-end", "8 0 0", "--pose-b", "5 0 0", "--pose-b-end", "13 0 0")
        # Rotating about its own centre the cube passes the other; about a corner that is farther away it sweeps
        # into it.
        turn = ["--pose", "0 0 2.5", "--end", "0 0 2.5 axis 0 0 1 90"]
        self.rigid("cube.obj", "cube.obj", *turn)
        self.rigid("cube.obj", "cube.obj", "--pose", "0 0 2.1", "--end", "0 0 2.1 axis 0 1 0 90", status=1)


class BadCalls(RigidTest):
    def test_what_does_not_go_together_is_refused_in_one_line(self):
        two = ["rigid", "cube.obj", "cube.obj"]
        self.refuse("rigid", naming=["A"])
        self.refuse("rigid", "cube.obj", naming=["A and B"])
        self.refuse("rigid", "cube.obj", "--stats", "--pose", "0 0 0", naming=["A and B"])
        self.refuse("rigid", "cube.obj", "missing.ply", naming=["missing.ply"])
        self.refuse("rigid", "missing.boxtree", "cube.obj", naming=["missing.boxtree"])
        self.refuse(*two, "--tree", "oak", naming=["oak", "kdop26"])
        self.refuse(*two, "--overlap", "guess", naming=["guess", "sat-lite"])
        self.refuse(*two, "--split", "odd", naming=["odd", "longest"])
        self.refuse(*two, "--query", "some", naming=["some", "contacts"])
        self.refuse(*two, "--tumble", "10", naming=["--distance"])
        self.refuse(*two, "--distance", "1", naming=["--tumble"])
        self.refuse(*two, "--tumble", "0", "--distance", "1", naming=["--tumble"])
        self.refuse(*two, "--tumble", "5", "--distance", "inf", naming=["--distance"])
        self.refuse(*two, "--tumble", "5", "--distance", "1", "--pose", "0 0 0", naming=["--poses"])
        self.refuse(*two, "--query", "first", "--contacts", "x.csv", naming=["--contacts"])
        self.refuse(*two, "--end", "1 0 0", "--tree", "aabb", naming=["boxtree", "aabb"])
        self.refuse(*two, "--end", "1 0 0", "--path", "round", naming=["round", "screw"])
        self.refuse(*two, "--end", "1 0 0", "--tolerance", "0", naming=["--tolerance"])
        self.refuse(*two, "--centre", "1 0 0", naming=["--centre"])
        self.refuse(*two, "--save-tree", "tree.ply", naming=["tree.ply", ".boxtree"])
        self.refuse(*two, "--save-tree", "t.boxtree", "--tree", "obb", naming=["--save-tree", "obb"])
        self.refuse(*two, "--json", "none/out.json", naming=["none"])
        self.refuse(*two, "--contacts", "cube.obj", naming=["cube.obj", "input"])

    def test_poses_that_are_none_are_refused_by_name_and_line(self):
        two = ["rigid", "cube.obj", "cube.obj"]
        self.refuse(*two, "--pose", "1 2", naming=["--pose-b", "1 2"])
        self.refuse(*two, "--pose-a", "1 2 x", naming=["--pose-a", "x"])
        self.refuse(*two, "--pose", "1 2 inf", naming=["--pose-b", "inf"])
        self.refuse(*two, "--pose", "0 0 0 0 0 0 0", naming=["--pose-b", "quaternion"])
        self.refuse(*two, "--pose", "0 0 0 axis 0 0 0 90", naming=["--pose-b", "axis"])
        self.refuse(*two, "--pose", "2 0 0 0 0 1 0 0 0 0 1 0", naming=["--pose-b", "orthonormal"])
        for text, culprit in (("0,0,0\n1,2\n", "line 2"), ("0,0,0\n\nx,0,0\n", "line 3"), ("x,y,z\n", "no poses"),
                              ("0,0,0,0,0,0,0,0,0,0,0,0,0,0\n", "line 1, a")):
            (self.folder / "poses.csv").write_text(text, encoding="ascii")
            line = self.refuse(*two, "--poses", "poses.csv", naming=["poses.csv", culprit])
            self.assertFalse(re.search(r"poses\.csv.*poses\.csv", line), line)

    def test_a_refused_call_leaves_no_files(self):
        self.refuse("rigid", "cube.obj", "missing.obj", "--json", "out.json", "--contacts", "out.csv", "--save-tree",
                    "out.boxtree", naming=["missing.obj"])
        self.assertEqual([path.name for path in self.folder.glob("out*")], [])


class Distances(RigidTest):
    def test_bounds_contain_the_distance_and_are_as_narrow_as_asked_for(self):
        for tree in ("boxtree", "obb"):
            for gap, pose in ((1.5, "3.5 0 0"), (3 - math.sqrt(2), "4 0 0 axis 0 0 1 45")):
                document = self.rigid("cube.obj", "cube.obj", "--pose", pose, "--query", "distance", "--tree", tree)
                found = document["poses"][0]
                self.assertLessEqual(found["lo"], gap * (1 + 1e-15))
                self.assertGreaterEqual(found["hi"], gap * (1 - 1e-15))
                self.assertLessEqual(found["hi"] - found["lo"], 1e-6 * found["hi"])
                self.assertAlmostEqual(math.dist(found["point_a"], found["point_b"]), gap, delta=2e-6)
        self.assertEqual((document["query"], document["total"]["hits"]), ("distance", 0))

    def test_contact_is_distance_zero_and_status_1(self):
        (self.folder / "poses.csv").write_text(f"2 0 0\n{math.nextafter(2, 3)!r} 0 0\n5 0 0\n")
        options = ("cube.obj", "cube.obj", "--poses", "poses.csv", "--query", "distance")
        for extra in ([], ["--coherence"], ["--threads", "1"]):
            poses = self.rigid(*options, *extra, status=1)["poses"]
            self.assertEqual([(pose["hit"], pose["lo"] == 0, pose["hi"] == 0) for pose in poses],
                             [(True, True, True), (False, False, False), (False, False, False)])

    def test_tumbles_and_contacts_of_distances_are_refused(self):
        query = ("cube.obj", "cube.obj", "--query", "distance")
        self.assertIn("--tumble", self.refuse("rigid", *query, "--tumble", "3", "--distance", "1"))
        self.assertIn("--contacts", self.refuse("rigid", *query, "--contacts", "out.csv"))


class World(RigidTest):
    def write_world(self, *objects, **keys):
        document = {"objects": [{"mesh": "cube.obj", **each} for each in objects], **keys}
        (self.folder / "world.json").write_text(json.dumps(document))

    def hits(self, *arguments, status=1):
        document = self.rigid("world.json", *arguments, status=status)
        return [(hit["a"], hit["b"]) for hit in document["hits"]]

    def test_pairs_of_objects_that_intersect_are_named(self):
        self.write_world({"name": "floor", "pose": "0 0 -2", "static": True}, {"name": "part"},
                         {"pose": "1.5 0 1 axis 0 0 1 30"}, {"name": "far", "pose": "9 0 0"})
        self.assertEqual(self.hits(), [("floor", "part"), ("part", "object 2")])
        self.assertEqual(self.hits("--query", "first"), [("floor", "part")])
        for tree in TREES:
            self.assertEqual(self.hits("--tree", tree, "--threads", "1"), [("floor", "part"), ("part", "object 2")])
        above = f"0 0 {math.nextafter(2, 3)!r}"
        self.write_world({"pose": "0 0 -2"}, {}, {"pose": above}, ignore=[["object 0", "object 1"]])
        self.assertEqual(self.hits(status=0), [])
        self.write_world({"groups": 1, "meets": 2}, {"groups": 1, "meets": 2}, {"groups": 2, "meets": 1})
        self.assertEqual(self.hits(), [("object 0", "object 2"), ("object 1", "object 2")])
        self.write_world()
        self.assertEqual(self.hits(status=0), [])

    def test_triangles_are_those_of_the_two_objects_alone(self):
        pose = "1 0.5 0.25 axis 1 2 3 40"
        self.write_world({"name": "a, first"}, {"name": "b", "pose": pose})
        for query, options in (("pairs", ["--query", "pairs"]), ("contacts", [])):
            self.rigid("cube.obj", "cube.obj", "--pose", pose, *options, "--contacts", "two.csv", status=1)
            world = self.rigid("world.json", *options, "--contacts", "world.csv", status=1)
            two = [line.split(",", 1)[1] for line in self.read_lines("two.csv")]
            rows = self.read_lines("world.csv")
            self.assertEqual(rows[0], "object_a,object_b," + two[0])
            self.assertEqual(rows[1:], ['"a, first",b,' + line for line in two[1:]])
            self.assertEqual((world["query"], world["total"]["pairs"]), (query, len(two) - 1))

    def test_bad_worlds_are_refused_in_one_line(self):
        for text, message in (("{", "world.json: is not JSON"), ("[]", "world.json: is not a JSON object"),
                              ('{"objects": 1}', 'world.json: has no list of "objects"'),
                              ('{"objects": [{"mush": 1}]}', 'objects[0]: the key "mush" is unknown'),
                              ('{"objects": [{"name": "a"}]}', 'objects[0]: has no "mesh"'),
                              ('{"objects": [{"mesh": "none.obj"}]}', "none.obj: no such file"),
                              ('{"objects": [{"mesh": "cube.obj", "pose": "1 2"}]}', "objects[0]: pose '1 2'"),
                              ('{"objects": [{"mesh": "cube.obj", "groups": -1}]}', "objects[0]: groups is -1"),
                              ('{"objects": [], "ignore": [["a", "b"]]}', 'ignore[0]: there is no object "a"')):
            (self.folder / "world.json").write_text(text)
            self.assertIn(message, self.refuse("rigid", "world.json"))
        self.write_world({"name": "a"}, {"name": "a"})
        self.assertIn('objects[1]: the name "a" is taken', self.refuse("rigid", "world.json"))
        self.write_world({"name": "a"}, ignore=[["a", "a"]])
        self.assertIn("ignore[0]: names one object twice", self.refuse("rigid", "world.json"))

    def test_options_of_two_objects_and_inputs_as_outputs_are_refused(self):
        self.write_world({})
        for options in (["cube.obj"], ["--pose", "0 0 1"], ["--end", "0 0 1"], ["--tumble", "3", "--distance", "1"],
                        ["--coherence"], ["--stats"], ["--save-tree", "cube.boxtree"]):
            self.assertIn("two objects", self.refuse("rigid", "world.json", *options))
        self.assertIn("--query 'nope' is unknown", self.refuse("rigid", "world.json", "--query", "nope"))
        self.assertIn("cube.obj", self.refuse("rigid", "world.json", "--contacts", "cube.obj"))
        self.assertIn("world.json", self.refuse("rigid", "world.json", "--json", "world.json"))


if __name__ == "__main__":
    unittest.main()

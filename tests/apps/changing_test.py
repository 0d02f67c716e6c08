"""graze detect --frames on sequences whose triangles change: tears, removals, growth, shrinking, and refused input.

The expected answer of a step is that of two meshes written by hand, both with the triangles of the frame at the
step's end."""

import json
import os
import unittest

from support import HAS_VIEWER, LARGE, SMALL, ProgramTest, report_array, report_of, write_obj


def grid(side, lift):
    """A sheet of side x side vertices with z = lift(x, y), and its triangles."""
    vertices = [(float(i), float(j), lift(i, j)) for j in range(side) for i in range(side)]
    triangles = []
    for j in range(side - 1):
        for i in range(side - 1):
            a = j * side + i
            triangles += [(a, a + 1, a + side), (a + 1, a + side + 1, a + side)]
    return vertices, triangles


def small(height, dx=0.0):
    return [(x + dx, y, height) for x, y in SMALL]


class Changing(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "run").mkdir()

    def write_frames(self, frames, names=None):
        for number, (vertices, triangles) in enumerate(frames):
            write_obj(self.folder / "run" / (names[number] if names else f"f{number}.obj"), vertices, triangles)

    def write_edits(self, changes, name="run/topology.json"):
        (self.folder / name).write_text(json.dumps({"changes": changes}), encoding="ascii")

    def steps(self, *more):
        done = self.run_graze("detect", "--frames", "run", "--json", "-", *more)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout)["steps"]

    def alone(self, step, frames, start=None):
        """Runs the step on two meshes with the end frame's triangles; `start` replaces the vertices of the start
        frame."""
        vertices, triangles = frames[step + 1]
        write_obj(self.folder / "start.obj", frames[step][0] if start is None else start, triangles)
        write_obj(self.folder / "end.obj", vertices, triangles)
        done = self.run_graze("detect", "start.obj", "end.obj", "--json", "alone.json", "--contacts", "alone.csv")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return self.read_json("alone.json")["steps"][0]

    def assert_same(self, step, expected):
        for key in ("vertices", "triangles", "vf", "ee", "toi", "hash", "toi_hash"):
            self.assertEqual(step[key], expected[key], key)

    def test_a_tear_has_its_copies_start_where_their_parents_are(self):
        # A sheet of 3 x 3 vertices with a triangle that falls through it. Its last column is torn off, which copies
        # 1, 4, 7.
        vertices, triangles = grid(3, lambda i, j: 0.0)
        copy = {1: 12, 4: 13, 7: 14}
        torn = [tuple(copy.get(v, v) for v in t) if any(v % 3 == 2 for v in t) else t for t in triangles]
        self.assertNotEqual(torn, triangles)
        fall = lambda h: [(0.8, 0.8, h), (1.3, 0.9, h), (1.0, 1.2, h)]
        drop = lambda dz: [(x, y, z + dz) for x, y, z in vertices]
        copies = lambda dz: [(1.0, 0.0, dz), (1.0, 1.0, dz), (1.0, 2.0, dz)]
        faller = [(9, 10, 11)]
        frames = [
            (vertices + fall(0.5), triangles + faller),
            (drop(0.1) + fall(0.3), triangles + faller),
            (drop(0.2) + fall(-0.3) + copies(-0.4), torn + faller),
            (drop(0.3) + fall(-0.6) + copies(-0.9), torn + faller),
        ]
        self.write_frames(frames)
        self.write_edits([{"frame": 1, "first_new_vertex": 12, "parents": [1, 4, 7]}])
        expected = [self.alone(0, frames), self.alone(1, frames, frames[1][0] + copies(0.1)), self.alone(2, frames)]
        self.assertGreater(expected[1]["vf"] + expected[1]["ee"], 0)
        for method in ("auto", "iccd", "r-tri", "basic", "brute"):
            steps = self.steps("--method", method)
            for step, alone in zip(steps, expected):
                self.assert_same(step, alone)
            self.assertEqual(["edit" in step["ms"] for step in steps], [False, True, False])
        # The edits file is not beside the frames: without it the copied vertices are static in this step, and the
        # answer differs.
        (self.folder / "run/topology.json").rename(self.folder / "edits.json")
        self.assert_same(self.steps("--edits", "edits.json")[1], expected[1])
        still = self.steps()[1]
        self.assert_same(still, self.alone(1, frames, frames[1][0] + copies(-0.4)))
        self.assertNotEqual(still["toi_hash"], expected[1]["toi_hash"])

    def test_a_part_of_a_folder_takes_its_part_of_the_edits(self):
        frames = [(LARGE + small(h), [(0, 1, 2), (3, 4, 5)]) for h in (2.0, 1.5, 1.0)]
        frames.append((LARGE + small(-1.0) + [(5.0, 0.0, 1.0)], [(0, 1, 2), (3, 4, 6)]))
        self.write_frames(frames, ["a0.obj", "b1x.obj", "b2.obj", "b3.obj"])
        self.write_edits([{"frame": 2, "first_new_vertex": 6, "parents": [5]}])
        expected = self.steps()[2]
        done = self.run_graze("detect", "--frames", "run/b*.obj", "--json", "part.json")
        self.assertNotIn("edits", done.stderr)
        self.assertEqual(self.read_json("part.json")["steps"][1]["toi_hash"], expected["toi_hash"])
        done = self.run_graze("detect", "--frames", "run/??.obj", "--json", "part.json")
        self.assertRegex(done.stderr, r"edits +run/topology.json is not used")

    def test_a_triangle_that_goes_in_the_middle_of_the_list_takes_its_contacts_along(self):
        vertices = LARGE + small(1.0, -3.0) + small(1.0, 0.0) + small(1.0, 3.0)
        below = LARGE + small(-1.0, -3.0) + small(-1.0, 0.0) + small(-1.0, 3.0)
        whole = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11)]
        frames = [(vertices, whole), (below, whole), (vertices, whole[:2] + whole[3:]), (below, whole[2:] + whole[:1])]
        self.write_frames(frames)
        steps = self.steps("--method", "iccd")
        self.assertEqual([step["vf"] for step in steps], [9, 6, 6])
        self.assertEqual([step["triangles"] for step in steps], [4, 3, 3])
        for number, step in enumerate(steps):
            self.assert_same(step, self.alone(number, frames))

    def test_what_is_only_in_another_order_is_no_edit(self):
        frames = [(LARGE + small(1.0), [(0, 1, 2), (3, 4, 5)]), (LARGE + small(-1.0), [(0, 1, 2), (3, 4, 5)]),
                  (LARGE + small(1.0), [(4, 5, 3), (1, 2, 0)])]
        self.write_frames(frames)
        steps = self.steps()
        self.assertEqual([step["vf"] for step in steps], [3, 3])
        self.assertNotIn("edit", steps[1]["ms"])

    def test_a_sequence_that_shrinks_and_grows_again_reports_the_ids_of_its_files(self):
        two = [(0, 1, 2), (3, 4, 5)]
        three = two + [(6, 7, 8)]
        up, down = 1.0, -1.0
        frames = [
            (LARGE + small(up, -2) + small(up, 2), three),
            (LARGE + small(down, -2) + small(down, 2), three),
            (LARGE + small(up, -2), two),
            (LARGE + small(down, -2) + small(down, 3), three),
            (LARGE + small(up, -2) + small(up, 3), three),
            (LARGE, two[:1]),
            (LARGE + small(down, 1) + small(down, 4), three),
            (LARGE + small(up, 1) + small(up, 4), three),
        ]
        self.write_frames(frames)
        self.succeed("detect", "--frames", "run", "--json", "all.json", "--contacts", "all.csv", "--capture", "kept",
                     "--method", "iccd", status=1)
        steps = self.read_json("all.json")["steps"]
        self.assertEqual([step["vf"] for step in steps], [6, 3, 3, 6, 0, 0, 6])
        lines = self.read_lines("all.csv")[1:]
        for number, step in enumerate(steps):
            start, end = frames[number][0], frames[number + 1][0]
            start = (start + end[len(start):])[:len(end)]
            self.assert_same(step, self.alone(number, frames, start))
            own = [line.split(",", 1)[1] for line in lines if line.startswith(f"{number},")]
            self.assertEqual(own, [line.split(",", 1)[1] for line in self.read_lines("alone.csv")[1:]])
            again = json.loads(self.run_graze("detect", f"kept/step_{number:05}.graze", "--json", "-").stdout)
            self.assert_same(again["steps"][0], step)
        first = self.run_graze("detect", "--frames", "run", "--first", "--contacts", "first.csv")
        self.assertEqual(first.returncode, 1, first.stderr)
        self.assertIn("6,vf,", "".join(self.read_lines("first.csv")))
        self.assertTrue(set(self.read_lines("first.csv")) <= set(self.read_lines("all.csv")))

    def test_an_interrupted_run_goes_on_with_the_triangles_of_its_step(self):
        vertices, triangles = grid(5, lambda i, j: 0.1 * i * j)
        frames = [(vertices + small(2.0 - 0.4 * k), triangles[k:] + [(25, 26, 27)]) for k in range(12)]
        self.write_frames(frames)
        command = ["detect", "--frames", "run", "--contacts", "all.csv"]
        self.run_graze(*command, "--json", "all.json")
        whole = self.read_json("all.json")["steps"]
        # Stops the run at the last frame, which is broken, then repairs the frame without changing its time stamp.
        good = (self.folder / "run/f11.obj").read_bytes()
        stamp = (self.folder / "run/f11.obj").stat()
        (self.folder / "run/f11.obj").write_bytes(b"x" * len(good))
        self.set_times("run/f11.obj", stamp)
        self.assertEqual(self.run_graze(*command, "--json", "cut.json").returncode, 2)
        (self.folder / "run/f11.obj").write_bytes(good)
        self.set_times("run/f11.obj", stamp)
        journal = self.folder / "cut.json.partial"
        committed = [line for line in journal.read_text(encoding="ascii").splitlines() if line.startswith("{")]
        self.assertEqual(len(committed), 1 + 10)
        done = self.run_graze(*command, "--json", "cut.json")
        self.assertRegex(done.stderr, r"resumed +after 10 of 11 steps")
        for step, expected in zip(self.read_json("cut.json")["steps"], whole):
            self.assert_same(step, expected)

    def set_times(self, name, stamp):
        os.utime(self.folder / name, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))

    def test_the_tables_show_edits_where_there_are_some(self):
        frames = [(LARGE + small(1.0), [(0, 1, 2), (3, 4, 5)]), (LARGE + small(-1.0), [(0, 1, 2), (3, 4, 5)]),
                  (LARGE + small(1.0), [(0, 1, 2)])]
        self.write_frames(frames)
        table = self.succeed("detect", "--frames", "run", "--stats", status=1)
        self.assertRegex(table, r"step +edit ms +update ms")
        self.write_frames([frames[0], frames[1], frames[0]])
        self.assertNotIn("edit ms", self.succeed("detect", "--frames", "run", "--stats", status=1))

    def test_bench_measures_methods_across_changes(self):
        frames = [(LARGE + small(1.0, -2) + small(1.0, 2), [(0, 1, 2), (3, 4, 5), (6, 7, 8)]),
                  (LARGE + small(-1.0, -2) + small(-1.0, 2), [(0, 1, 2), (3, 4, 5), (6, 7, 8)]),
                  (LARGE, [(0, 1, 2)]),
                  (LARGE + small(-1.0, 1), [(0, 1, 2), (3, 4, 5)]),
                  (LARGE + small(1.0, 1), [(0, 1, 2), (3, 4, 5)])]
        self.write_frames(frames)
        self.succeed("bench", "--scene", "run", "--method", "brute,basic,r-tri,iccd", "--runs", "2", "--threads", "1",
                     "--json", "bench.json")
        document = self.read_json("bench.json")
        self.assertEqual(len({row["hash"] for row in document["rows"]}), 1)
        self.assertEqual([row["vf"] for row in document["rows"]], [9, 9, 9, 9])
        for row in document["rows"]:
            self.assertGreater(row["edit_ms"], 0.0)

    @unittest.skipUnless(HAS_VIEWER, "built without the viewer")
    def test_a_report_has_the_triangles_of_each_step(self):
        frames = [(LARGE + small(1.0), [(0, 1, 2), (3, 4, 5)]),
                  (LARGE + small(0.5), [(0, 1, 2), (3, 4, 5)]),
                  (LARGE + small(-1.0) + [(3.0, 3.0, 1.0)], [(0, 1, 2), (3, 4, 6)]),
                  (LARGE, [(0, 1, 2)])]
        self.write_frames(frames)
        self.succeed("detect", "--frames", "run", "--report", "page.html", status=1)
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        mesh = report_of(page)["mesh"]
        self.assertEqual((mesh["vertices"], mesh["changes"]), (7, [1, 2]))
        lists = [list(memoryview(report_array(page, name)).cast("H"))
                 for name in ("triangles", "triangles-1", "triangles-2")]
        self.assertEqual(lists, [[0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 6], [0, 1, 2]])
        for frame in range(4):
            self.assertEqual(len(report_array(page, f"frame-{frame}")), 7 * 3 * mesh["bits"] // 8)
        # A new vertex is at its first position before it appears; removed vertices are still present in the frame
        # before.
        kind = "H" if mesh["bits"] == 16 else "f"
        at = [list(memoryview(report_array(page, f"frame-{frame}")).cast(kind)) for frame in range(4)]
        self.assertEqual(at[1][18:21], at[2][18:21])
        self.assertNotEqual(at[2][9:12], at[2][0:3])
        self.write_frames([frames[0]] * 4)
        self.run_graze("detect", "--frames", "run", "--report", "page.html")
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        self.assertNotIn("changes", report_of(page)["mesh"])

    def test_bad_edits_are_refused_with_one_line(self):
        frames = [(LARGE + small(1.0), [(0, 1, 2), (3, 4, 5)]),
                  (LARGE + small(-1.0) + [(0.0, 0.0, 0.0)], [(0, 1, 2), (3, 4, 6)])]
        self.write_frames(frames)
        good = {"frame": 0, "first_new_vertex": 6, "parents": [5]}

        def refuse(changes, *naming):
            self.write_edits(changes, "edits.json")
            self.refuse("detect", "--frames", "run", "--edits", "edits.json", naming=["edits.json", *naming])

        self.write_edits([good], "edits.json")
        self.succeed("detect", "--frames", "run", "--edits", "edits.json", status=1)
        refuse([good, good], "change 1", "frame 0")
        refuse([good | {"frame": 1}], "frame 1")
        refuse([good | {"frame": -1}], "change 0", "-1")
        refuse([good | {"frame": 0.5}], "change 0", "0.5")
        refuse([good | {"parents": [6]}], "change 0", "parent of vertex 6", "is 6")
        refuse([good | {"parents": ["a"]}], "change 0", "parent of vertex 6", '"a"')
        refuse([good | {"parents": 5}], "change 0", "parents")
        refuse([good | {"first_new_vertex": 5, "parents": [4]}], "frame 0", "begin with 5", "6 vertices")
        refuse([good | {"parents": [5, 5]}], "frame 0", "2 parents", "1 new")
        refuse([{"frame": 0, "parents": [5]}], "change 0", "first_new_vertex")
        refuse([7], "change 0")
        for text, word in (("{", "JSON"), ("[]", "changes"), ('{"changes": 3}', "changes")):
            (self.folder / "edits.json").write_text(text, encoding="ascii")
            self.refuse("detect", "--frames", "run", "--edits", "edits.json", naming=["edits.json", word])
        self.refuse("detect", "--frames", "run", "--edits", "none.json", naming=["none.json"])
        self.refuse("detect", "run/f0.obj", "run/f0.obj", "--edits", "edits.json", naming=["--edits", "--frames"])
        # The two files of a step must have the same triangles: anything else is taken for a wrong file.
        self.refuse("detect", "run/f0.obj", "run/f1.obj", naming=["f1.obj", "7 vertices"])
        self.refuse("capture", "run/f0.obj", "run/f1.obj", "-o", "a.graze", naming=["f1.obj", "7 vertices"])

    def test_a_scene_that_breaks_is_detected_from_start_to_end_by_all_methods_alike(self):
        self.succeed("scene", "breaking", "-o", "china", "--size", "700", "--frames", "12")
        changes = self.read_json("china/topology.json")["changes"]
        self.assertGreater(len(changes), 0)
        hashes = set()
        for method in ("iccd", "r-tri"):
            done = self.run_graze("detect", "--frames", "china", "--method", method, "--json", f"{method}.json")
            self.assertIn(done.returncode, (0, 1), done.stderr)
            steps = self.read_json(f"{method}.json")["steps"]
            self.assertEqual(len(steps), 11)
            hashes.add(tuple(step["toi_hash"] for step in steps))
            edited = [step["step"] for step in steps if "edit" in step["ms"]]
            self.assertEqual(edited, [change["frame"] for change in changes if change["frame"] > 0])
            self.assertEqual(steps[-1]["vertices"],
                             changes[-1]["first_new_vertex"] + len(changes[-1]["parents"]))
        self.assertEqual(len(hashes), 1)


if __name__ == "__main__":
    unittest.main()

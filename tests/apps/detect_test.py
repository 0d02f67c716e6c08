"""graze detect on two meshes: answers, exit status, JSON, CSV, report, broken input."""

import json
import re
import struct
import unittest

from support import (HAS_VIEWER, LARGE, SMALL, TWO_TRIANGLES, ProgramTest, report_array, report_of, write_obj,
                     write_two_triangles)

STEP_KEYS = ["step", "vertices", "triangles", "vf", "ee", "toi", "hash", "toi_hash", "ms", "counters", "memory_bytes"]
AUTO_KEYS = STEP_KEYS[:-1] + ["clustering", "memory_bytes"]  # keys of the default method
CLUSTER_KEYS = ["clusters", "kept", "pairs", "feature_tests", "feature_pairs", "kept_contacts"]


class Detect(ProgramTest):
    def setUp(self):
        super().setUp()
        write_two_triangles(self.folder / "above.obj", 1.0)
        write_two_triangles(self.folder / "nearer.obj", 0.25)
        write_two_triangles(self.folder / "below.obj", -1.0)

    def test_no_contact_is_status_0(self):
        self.succeed("detect", "above.obj", "nearer.obj", status=0)

    def test_contact_is_status_1_and_counted(self):
        text = self.succeed("detect", "above.obj", "below.obj", status=1)
        self.assertEqual(text.splitlines()[0].split(), ["step", "vertices", "triangles", "vf", "ee", "toi", "ms"])
        self.assertEqual(text.splitlines()[1].split()[:5], ["0", "6", "2", "3", "0"])

    def test_json_has_the_keys_of_the_contract_in_order(self):
        document = json.loads(self.succeed("detect", "above.obj", "below.obj", "--threads", "2", "--json", "-", status=1))
        self.assertEqual(list(document), ["graze", "method", "threads", "steps"])
        self.assertEqual((document["method"], document["threads"]), ("auto", 2))
        (step,) = document["steps"]
        self.assertEqual(list(step), AUTO_KEYS)
        self.assertEqual(list(step["clustering"]), CLUSTER_KEYS)
        self.assertEqual(list(step["ms"]), ["update", "traverse", "narrow", "total"])
        self.assertEqual(list(step["counters"]), ["bv_tests", "triangle_pairs", "vf_tests", "ee_tests", "exact"])
        self.assertEqual([step[key] for key in STEP_KEYS[:5]], [0, 6, 2, 3, 0])
        self.assertAlmostEqual(step["toi"], 0.5, delta=1e-6)
        self.assertLessEqual(step["toi"], 0.5)
        for key in ("hash", "toi_hash"):
            self.assertRegex(step[key], r"\A[0-9a-f]{16}\Z")

    def test_stats_show_the_proofs_of_methods_that_have_them(self):
        for name, height in (("low.obj", 0), ("high.obj", 1)):
            corners = "".join(f"v {x} {y} {height}\n" for x, y in ((0, 0), (1, 0), (1, 1), (0, 1)))
            (self.folder / name).write_text(corners + "f 1 2 3\nf 1 3 4\n", encoding="utf-8")
        titles = r"(?m)^ *step +cones +contours +free patches +free triangles +orphans +free orphans$"
        self.assertRegex(self.succeed("detect", "low.obj", "high.obj", "--method", "iccd", "--stats"), titles)
        self.assertNotRegex(self.succeed("detect", "low.obj", "high.obj", "--stats"), titles)

    def test_adaptive_shows_what_it_keeps_between_steps(self):
        keys = ["session_frames", "session_step", "dangling_vertices", "dangling_triangles", "violating_triangles",
                "pairs", "pair_bytes", "measured", "admissible", "remembered"]
        titles = r"(?m)^ *step +session +dangling +violating +pairs +B/pair +measured +admissible +remembered$"
        choices = ["--session", "3", "--alpha", "2", "--beta", "0.3", "--gamma", "0", "--by-work", "--low-curvature", "60"]
        meshes = ["above.obj", "below.obj"]
        plain = json.loads(self.succeed("detect", *meshes, "--json", "-", *choices, status=1))["steps"][0]
        self.assertEqual(list(plain), AUTO_KEYS)  # auto ignores these options
        self.assertNotRegex(self.succeed("detect", *meshes, "--stats", status=1), titles)
        for more in ([], choices, ["--no-skip"]):
            adaptive = ["detect", *meshes, "--method", "adaptive", *more]
            step = json.loads(self.succeed(*adaptive, "--json", "-", status=1))["steps"][0]
            self.assertEqual(list(step), STEP_KEYS[:-1] + ["coherence", "memory_bytes"])
            self.assertEqual(list(step["coherence"]), keys)
            self.assertEqual((step["hash"], step["toi_hash"]), (plain["hash"], plain["toi_hash"]))
            self.assertRegex(self.succeed(*adaptive, "--stats", status=1), titles)

    def test_bad_choices_of_adaptive_are_refused(self):
        for option, value in (("--session", "1025"), ("--session", "-1"), ("--alpha", "-1"), ("--alpha", "nan"),
                              ("--beta", "-0.5"), ("--gamma", "inf"), ("--low-curvature", "0"),
                              ("--low-curvature", "90"), ("--low-curvature", "nan")):
            self.refuse("detect", "above.obj", "below.obj", "--method", "adaptive", option, value, naming=[option])
        self.refuse("bench", "--method", "adaptive", "--beta", "nan", naming=["--beta"])

    def test_hash_shows_what_each_level_of_culling_left(self):
        keys = ["levels", "voxels", "used_voxels", "entries", "voxel_pairs", "repeated", "box_pairs", "neighbours",
                "neighbours_out", "element_pairs"]
        titles = (r"(?m)^ *step +levels +voxels +used +entries +voxel pairs +repeated +box pairs +neighbours +ruled out "
                  r"+element pairs$")
        choices = ["--cells", "largest", "--voxels", "0.2", "--neighbours", "certified", "--normal-threshold", "-1",
                   "--all-features", "--volume", "kdop18", "--edge-bounds", "none"]
        meshes = ["above.obj", "below.obj"]
        plain = json.loads(self.succeed("detect", *meshes, "--json", "-", *choices, status=1))["steps"][0]
        self.assertEqual(list(plain), AUTO_KEYS)  # auto ignores these options
        self.assertNotRegex(self.succeed("detect", *meshes, "--stats", status=1), titles)
        for more in ([], choices):
            arguments = ["detect", *meshes, "--method", "hash", *more]
            document = json.loads(self.succeed(*arguments, "--json", "-", status=1))
            self.assertNotIn("contacts_may_be_missing", document)
            (step,) = document["steps"]
            self.assertEqual(list(step), STEP_KEYS[:-1] + ["hashing", "memory_bytes"])
            self.assertEqual(list(step["hashing"]), keys)
            self.assertEqual((step["hash"], step["toi_hash"]), (plain["hash"], plain["toi_hash"]))
            self.assertRegex(self.succeed(*arguments, "--stats", status=1), titles)

    def test_the_lossy_neighbour_test_is_named_wherever_it_may_lose_contacts(self):
        lossy = ["detect", "above.obj", "below.obj", "--method", "hash", "--neighbours", "lossy-normals", "--json", "-"]
        done = self.run_graze(*lossy)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"\Awarning +contacts may be missing: [^\n]*lossy-normals[^\n]*-0\.9\n\Z")
        document = json.loads(done.stdout)
        self.assertEqual(list(document), ["graze", "method", "threads", "contacts_may_be_missing", "steps"])
        self.assertIs(document["contacts_may_be_missing"], True)
        # With a thickness the lossy normal test is not used: it says nothing about pairs that are close without
        # touching.
        done = self.run_graze(*lossy, "--thickness", "0.1")
        self.assertEqual(done.stderr, "")
        self.assertNotIn("contacts_may_be_missing", json.loads(done.stdout))
        self.assertIn("LOSES CONTACTS", self.succeed("detect", "--help"))
        # A capture must hold the true answer, so that it refuses a lossy method.
        self.refuse(*lossy[:-2], "--capture", "out.graze", naming=["lossy-normals"])
        self.refuse("capture", *lossy[1:-2], "-o", "out.graze", naming=["lossy-normals"])

    def test_a_run_with_the_lossy_test_is_not_continued_without_it(self):
        (self.folder / "run").mkdir()
        for k, height in enumerate((1.0, -1.0)):
            write_two_triangles(self.folder / "run" / f"{k}.obj", height)
        write_obj(self.folder / "run" / "2.obj", LARGE, [(0, 1, 2), (0, 1, 9)])  # broken: the run stops there
        lossy = ["detect", "--frames", "run", "--method", "hash", "--json", "out.json", "--neighbours", "lossy-normals"]
        self.assertEqual(self.run_graze(*lossy).returncode, 2)
        self.assertTrue((self.folder / "out.json.partial").exists())
        self.refuse(*lossy[:-2], naming=["out.json.partial"])

    def test_bad_choices_of_hash_are_refused(self):
        for option, value in (("--cells", "cubes"), ("--voxels", "-1"), ("--voxels", "1025"), ("--voxels", "nan"), ("--voxels", "inf"),
                              ("--neighbours", "lossy"), ("--normal-threshold", "1.5"), ("--normal-threshold", "nan")):
            naming = [value] if option in ("--cells", "--neighbours") else [option]
            self.refuse("detect", "above.obj", "below.obj", "--method", "hash", option, value, naming=naming)
        self.refuse("bench", "--method", "hash", "--voxels", "nan", naming=["--voxels"])
        self.refuse("bench", "--method", "hash", "--neighbours", "kind", naming=["kind", "lossy-normals"])

    def test_json_without_contact_has_no_toi(self):
        document = json.loads(self.succeed("detect", "above.obj", "nearer.obj", "--json", "-"))
        self.assertIsNone(document["steps"][0]["toi"])
        self.assertEqual((document["steps"][0]["vf"], document["steps"][0]["ee"]), (0, 0))

    def test_json_file_is_the_same_document_and_the_table_stays(self):
        table = self.succeed("detect", "above.obj", "below.obj", "--json", "out.json", status=1)
        self.assertIn("triangles", table)
        self.assertEqual(self.read_json("out.json")["steps"][0]["vf"], 3)

    def test_contacts_are_written_with_their_ids_and_intervals(self):
        self.succeed("detect", "above.obj", "below.obj", "--contacts", "out.csv", status=1)
        header, *rows = self.read_lines("out.csv")
        self.assertEqual(header, "step,kind,a0,a1,b0,b1,b2,toi_lo,toi_hi")
        self.assertEqual([row.split(",")[:7] for row in rows],
                         [["0", "vf", vertex, "-", "0", "1", "2"] for vertex in "345"])
        for row in rows:
            low, high = map(float, row.split(",")[7:])
            self.assertTrue(low <= 0.5 <= high and high - low <= 1e-6, row)

    def test_an_edge_pair_is_written_as_two_edges(self):
        # Two crossed slivers: their long edges intersect, and no vertex touches a face.
        flat = [(-4, 0, 0), (4, 0, 0), (0, -40, -40)]
        write_obj(self.folder / "a.obj", flat + [(0, -4, 1), (0, 4, 1), (40, 0, 41)], TWO_TRIANGLES)
        write_obj(self.folder / "b.obj", flat + [(0, -4, -1), (0, 4, -1), (40, 0, 39)], TWO_TRIANGLES)
        self.succeed("detect", "a.obj", "b.obj", "--contacts", "out.csv", status=1)
        rows = [row.split(",")[1:7] for row in self.read_lines("out.csv")[1:]]
        self.assertIn(["ee", "0", "1", "3", "4", "-"], rows)

    def test_first_gives_the_earliest_time_only(self):
        document = json.loads(self.succeed("detect", "above.obj", "below.obj", "--first", "--json", "-", status=1))
        (step,) = document["steps"]
        self.assertEqual(list(step), AUTO_KEYS)
        self.assertAlmostEqual(step["toi"], 0.5, delta=1e-6)
        self.assertIsNone(step["vf"])
        self.succeed("detect", "above.obj", "nearer.obj", "--first", status=0)

    def test_thickness_makes_a_near_miss_a_contact(self):
        self.succeed("detect", "above.obj", "nearer.obj", "--thickness", "0.2", status=0)
        self.succeed("detect", "above.obj", "nearer.obj", "--thickness", "0.5", status=1)

    def test_stats_print_the_counters(self):
        text = self.succeed("detect", "above.obj", "below.obj", "--stats", status=1)
        for title in ("vf tests", "ee tests", "filter", "interval", "exact", "narrow ms", "triangles/s", "B/triangle"):
            self.assertIn(title, text)

    def test_stats_print_the_funnel_from_bounds_to_contacts(self):
        # Two triangles make one pair, whose boxes overlap: three vertices against the face, and edges against
        # edges.
        arguments = ["detect", "above.obj", "below.obj", "--method", "no-dupl", "--stats"]
        text = self.succeed(*arguments, status=1)
        counters = json.loads(self.succeed(*arguments, "--json", "-", status=1))["steps"][0]["counters"]
        lines = text.split("\n\n")
        funnel = lines[-2].splitlines()
        self.assertRegex(funnel[0], r"\Astage +pairs +left  logarithmic\Z")
        cells = {line[:21].strip(): line[21:].split() for line in funnel[1:]}
        self.assertEqual(list(cells), ["bounds compared", "triangle pairs", "elementary tests", "past the filter",
                                       "in exact arithmetic", "contacts"])
        tests = counters["vf_tests"] + counters["ee_tests"]
        self.assertEqual(cells["triangle pairs"][0], "1")
        self.assertEqual(cells["elementary tests"][:3], [str(tests), "x", f"{tests:.{2 if tests < 10 else 1}f}"])
        self.assertEqual(cells["in exact arithmetic"][0], str(counters["exact"]))
        self.assertEqual(cells["contacts"][0], "3")
        times = lines[-1].splitlines()
        self.assertEqual([line[:21].strip() for line in times],
                         ["time", "update", "traverse", "narrow", "sort and the rest", "total"])

    def test_the_funnel_of_a_method_has_the_stages_of_the_method(self):
        for method, stage in (("hash", "pairs in voxels"), ("brute", "bounds compared")):
            text = self.succeed("detect", "above.obj", "below.obj", "--method", method, "--stats", status=1)
            self.assertRegex(text.split("\n\n")[-2], rf"\Astage.*\n{stage} ")
            self.assertNotIn("feature pairs", text)

    def test_auto_shows_what_clusters_left(self):
        text = self.succeed("detect", "above.obj", "below.obj", "--stats", status=1)
        step = json.loads(self.succeed("detect", "above.obj", "below.obj", "--json", "-", status=1))["steps"][0]
        titles = r"(?m)^ *step +clusters +kept +cluster pairs +feature tests +feature pairs +kept contacts\n( +0.*)$"
        row = [int(cell) for cell in re.search(titles, text).group(1).split()]
        self.assertEqual(row, [0] + [step["clustering"][key] for key in CLUSTER_KEYS])
        self.assertGreaterEqual(step["clustering"]["feature_tests"], step["clustering"]["feature_pairs"])
        funnel = dict(re.findall(r"(?m)^(\w[\w ]*?)  +([\d,]+)", text.split("\n\n")[-2]))
        self.assertEqual(int(funnel["features compared"]), step["clustering"]["feature_tests"])
        self.assertEqual(int(funnel["feature pairs"]), step["clustering"]["feature_pairs"])
        self.assertEqual(int(funnel["contacts"]), 3)

    def test_the_funnel_of_a_sequence_is_of_all_steps(self):
        (self.folder / "run").mkdir()
        for k, height in enumerate((1, -1, 1, -1)):
            write_two_triangles(self.folder / "run" / f"{k}.obj", height)
        funnel = self.succeed("detect", "--frames", "run", "--stats", status=1).split("\n\n")[-2]
        self.assertRegex(funnel, r"\Astage, 3 steps +pairs")
        self.assertRegex(funnel, r"\ncontacts +9 ")

    @unittest.skipIf(HAS_VIEWER, "this program has the viewer")
    def test_report_is_refused_by_a_program_without_the_viewer(self):
        self.refuse("detect", "above.obj", "below.obj", "--report", "out.html", naming=["--report", "GRAZE_VIEWER"])

    @unittest.skipUnless(HAS_VIEWER, "this program has no viewer")
    def test_report_is_one_page_without_outside_parts(self):
        self.succeed("detect", "above.obj", "below.obj", "--report", "out.html", status=1)
        page = (self.folder / "out.html").read_text(encoding="utf-8")
        self.assertNotRegex(page, r"<(script|img|link)[^>]* (src|href)=|@import|url\(")
        report = report_of(page)
        self.assertEqual(report["title"], "above.obj → below.obj")
        self.assertEqual(report["shown"], [{"step": 0, "found": 3, "kept": 3}])
        (step,) = report["steps"]
        self.assertEqual(step["funnel"]["contacts"], 3)
        self.assertEqual(step["funnel"]["tests"], step["counters"]["vf_tests"] + step["counters"]["ee_tests"])
        self.assertLessEqual(set(step["funnel"]), set(report["stages"]))
        self.assertEqual(list(step["funnel"]), [key for key in report["stages"] if key in step["funnel"]])
        self.assertEqual(report["mesh"]["min"], [-10, -10, -1])
        self.assertEqual(report["mesh"]["max"], [10, 10, 1])
        self.assertEqual(struct.unpack("<6H", report_array(page, "triangles")), (0, 1, 2, 3, 4, 5))
        impacts = report_array(page, "impacts-0")
        self.assertEqual(len(impacts), 3 * 62)
        for low, high in zip(struct.unpack("<3d", impacts[:24]), struct.unpack("<3d", impacts[24:48])):
            self.assertTrue(low <= 0.5 <= high)
        self.assertEqual(struct.unpack("<12I", impacts[48:96]), (3, 0, 1, 2, 4, 0, 1, 2, 5, 0, 1, 2))
        self.assertEqual(struct.unpack("<6H", report_array(page, "frame-0")[18:30])[2::3], (65535, 65535))
        self.assertEqual(struct.unpack("<6H", report_array(page, "frame-1")[18:30])[2::3], (0, 0))

    @unittest.skipUnless(HAS_VIEWER, "this program has no viewer")
    def test_report_of_the_first_contact_has_that_one(self):
        self.succeed("detect", "above.obj", "below.obj", "--first", "--report", "out.html", status=1)
        report = report_of((self.folder / "out.html").read_text(encoding="utf-8"))
        self.assertEqual(report["shown"], [{"step": 0, "found": 1, "kept": 1}])
        self.assertIsNone(report["steps"][0]["vf"])

    def test_methods_and_threads_give_the_same_hashes(self):
        seen = set()
        for options in (["--method", "brute"], ["--threads", "1"], ["--threads", "3"]):
            step = json.loads(self.succeed("detect", "above.obj", "below.obj", "--json", "-", *options,
                                           status=1))["steps"][0]
            seen.add((step["hash"], step["toi_hash"]))
        self.assertEqual(len(seen), 1)


class BrokenInput(ProgramTest):
    def setUp(self):
        super().setUp()
        write_two_triangles(self.folder / "good.obj", 1.0)

    def test_a_missing_file_is_named(self):
        self.refuse("detect", "good.obj", "missing.obj", naming=["missing.obj"])

    def test_an_unknown_format_is_named(self):
        (self.folder / "mesh.xyz").write_text("hello\n", encoding="ascii")
        self.refuse("detect", "mesh.xyz", "good.obj", naming=["mesh.xyz"])

    def test_nan_is_named_with_its_line(self):
        text = (self.folder / "good.obj").read_text(encoding="ascii").splitlines()
        text[2] = "v nan 0 0"
        (self.folder / "nan.obj").write_text("\n".join(text) + "\n", encoding="ascii")
        self.refuse("detect", "good.obj", "nan.obj", naming=["nan.obj", "3"])

    def test_other_vertex_counts_are_named(self):
        write_obj(self.folder / "more.obj", LARGE + [(x, y, 0.5) for x, y in SMALL] + [(9, 9, 9)], TWO_TRIANGLES)
        self.refuse("detect", "good.obj", "more.obj", naming=["more.obj", "7 vertices", "6"])

    def test_other_triangle_counts_are_named(self):
        write_obj(self.folder / "fewer.obj", LARGE + [(x, y, 0.5) for x, y in SMALL], [(0, 1, 2)])
        self.refuse("detect", "good.obj", "fewer.obj", naming=["fewer.obj", "1 triangles", "2"])

    def test_the_first_other_triangle_is_named(self):
        write_obj(self.folder / "turned.obj", LARGE + [(x, y, 0.5) for x, y in SMALL], [(0, 1, 2), (3, 5, 4)])
        self.refuse("detect", "good.obj", "turned.obj", naming=["turned.obj", "triangle 1", "(3, 5, 4)", "(3, 4, 5)"])

    def test_an_output_that_was_there_stays_when_the_input_is_broken(self):
        (self.folder / "out.json").write_text("precious", encoding="ascii")
        self.refuse("detect", "good.obj", "missing.obj", "--json", "out.json")
        self.assertEqual((self.folder / "out.json").read_text(encoding="ascii"), "precious")


if __name__ == "__main__":
    unittest.main()

"""graze papers: the tables of R-TRI, ICCD, ADAPTIVE, HASH and BOXTREE, as text, JSON and a page."""

import json
import re
import unittest

from support import ProgramTest, SMALL as SMALL_TRIANGLE, write_obj, write_two_triangles

SMALL = ["--size", "400", "--frames", "3", "--runs", "1"]


class Papers(ProgramTest):
    def test_tables_figure_and_page_of_r_tri(self):
        (self.folder / "run").mkdir()
        for k, height in enumerate((1, -1)):
            write_two_triangles(self.folder / "run" / f"{k}.obj", height)
        done = self.run_graze("papers", "--only", "r-tri", "-o", "new/folder", "--scene", "run/", *SMALL)
        self.assertEqual(done.returncode, 0, done.stderr)
        for title in ("Table 1", "Table 2", "Figure 10", "edges"):
            self.assertRegex(done.stdout, rf"(?m)^.*{title}")

        document = self.read_json("new/folder/r-tri.json")
        self.assertEqual([(row["vf"], row["ee"], row["total"]) for row in document["table1"]],
                         [(4, 9, 13), (4, 9, 13), (3, 0, 3), (9, 27, 36), (9, 9, 18), (9, 9, 18)])
        for row in document["table1"]:
            self.assertEqual(row["printed"], {key: row[key] for key in ("vf", "ee", "total")})

        names = [row["scene"] for row in document["table2"]]
        self.assertEqual(names[-4:], ["draped-ball", "flying-balls", "crossing-sheets", "run/"])
        for row in document["table2"]:
            self.assertLessEqual(row["box_cull"], row["segment_cull"])
            if row["box_cull"] > 0:
                self.assertAlmostEqual(row["improvement"], row["segment_cull"] / row["box_cull"] - 1, places=9)
        self.assertEqual(document["table2"][-4]["printed"]["segment_cull"], 0.879)
        self.assertIsNone(document["table2"][-2]["printed"])

        self.assertEqual([scene["scene"] for scene in document["fig10"]], names)
        for scene, culling in zip(document["fig10"], document["table2"]):
            tests = {row["method"]: row["vf_tests"] + row["ee_tests"] for row in scene["rows"]}
            self.assertGreaterEqual(tests["basic"], tests["no-dupl"])
            self.assertGreaterEqual(tests["no-dupl"], tests["r-tri"])
            self.assertEqual(tests.get("adj", tests["r-tri"]), tests["r-tri"])  # as in the paper
            self.assertEqual(len({row["hash"] for row in scene["rows"]}), 1)
            # Two independent counts of the vertex-face pairs agree: the detector's, and the one in `culling`.
            vf_tests = {row["method"]: row["vf_tests"] for row in scene["rows"]}
            self.assertEqual(vf_tests["no-dupl"], culling["pairs"])
            passed = culling["pairs"] * (1 - culling["segment_cull"])
            self.assertAlmostEqual(vf_tests["r-tri"], passed, places=3)
        # Counts of the two triangles by hand: 3 vertices of each against the other's face, and 9 pairs of edges.
        by_hand = {row["method"]: (row["vf_tests"], row["ee_tests"]) for row in document["fig10"][-1]["rows"]}
        self.assertEqual(by_hand["basic"], (6, 9))
        self.assertEqual(by_hand["no-dupl"], (6, 9))

        page = (self.folder / "new" / "folder" / "index.html").read_text(encoding="utf-8")
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        self.assertTrue(page.endswith("</html>\n"))
        self.assertEqual(page.count("<svg"), 2)
        self.assertIn("prefers-color-scheme: dark", page)
        self.assertNotRegex(page, r"(src|href)=|@import|url\(")

    def iccd(self, *arguments):
        """Runs ICCD, checks that all contestants agree, and returns the document."""
        self.succeed("papers", "--only", "iccd", "-o", "out", *arguments)
        document = self.read_json("out/iccd.json")
        for scene in document["table2"]:
            self.assertEqual(len(scene["contestants"]), 9)
            self.assertEqual(len({row["toi_hash"] for row in scene["contestants"]}), 1)
        return document

    def test_iccd_on_two_meshes_by_hand(self):
        # A square of two triangles. A small triangle falls through it across the diagonal.
        square = [(-10, -10, 0), (10, -10, 0), (10, 10, 0), (-10, 10, 0)]
        (self.folder / "fall").mkdir()
        for k, height in enumerate((1, -1)):
            write_obj(self.folder / "fall" / f"{k}.obj", square + [(x, y, height) for x, y in SMALL_TRIANGLE],
                      [(0, 1, 2), (0, 2, 3), (4, 5, 6)])
        # A flat sheet of 32 triangles that rises: one patch, whose contour does not change.
        (self.folder / "rise").mkdir()
        sheet = [(5 * j + i, 5 * j + i + 1, 5 * j + i + 6) for j in range(4) for i in range(4)]
        sheet += [(5 * j + i, 5 * j + i + 6, 5 * j + i + 5) for j in range(4) for i in range(4)]
        for k in range(2):
            write_obj(self.folder / "rise" / f"{k}.obj", [(i, j, k) for j in range(5) for i in range(5)], sheet)
        document = self.iccd("--bare", "--scene", "fall", "--scene", "rise", "--runs", "1")

        fall, rise = document["table1"]
        self.assertEqual((fall["triangles"], fall["vertex_adjacent"], fall["edge_adjacent"]), (3, 0, 1))
        self.assertEqual(fall["adjacent_tests"], 4)
        self.assertEqual(fall["orphans"], {"vf": 2, "ee": 2, "total": 4})
        self.assertIsNone(fall["printed"])
        # 56 edges, 16 of them on the boundary. Fans: 9 interior vertices with 6 triangles, 12 side vertices with 3,
        # corners with 1, 1, 2 and 2.
        self.assertEqual(rise["edge_adjacent"], 40)
        self.assertEqual(rise["adjacent_pairs"], 9 * 15 + 12 * 3 + 2 - 40)
        self.assertEqual(rise["adjacent_tests"], 9 * rise["vertex_adjacent"] + 4 * 40)

        # Counts by hand. Without removing duplicates: 15 tests of the small triangle with each of the two, and 4
        # between the two. Each feature pair once: 6 of a vertex of the small triangle and a face, 4 of a vertex and
        # the small face, 3 times 5 pairs of edges, and the orphans. Two triangles are too few for a cone.
        fall, rise = document["fig15"]
        self.assertEqual([fall[key] for key in ("base", "cones", "procedural", "orphans")], [34, 34, 29, 29])
        self.assertLessEqual(fall["bounds"], 29)
        # The whole sheet is proved free of self-collision: no test is left.
        self.assertGreater(rise["base"], rise["cones"])
        self.assertEqual([rise[key] for key in ("cones", "procedural", "orphans", "bounds")], [0, 0, 0, 0])
        fall, rise = document["culling"]
        self.assertEqual((fall["free_share"], fall["orphans"], fall["orphans_free"]), (0, 4, 0))
        self.assertEqual((rise["free_share"], rise["triangles_a_patch"], rise["contour_tests"]), (1, 32, 1))
        self.assertEqual((rise["orphans"], rise["orphans_free"]), (0, document["table1"][1]["orphans"]["total"]))
        self.assertEqual(document["cones"][1]["canonical"]["tests"], 0)
        self.assertGreater(document["cones"][1]["none"]["tests"], 0)

        patches = (self.folder / "out" / "iccd-patches.svg").read_text(encoding="utf-8")
        self.assertIn("32 of 32 triangles in 1 proved patches", patches)
        self.assertEqual(patches.count("<path"), 32)
        contour = (self.folder / "out" / "iccd-contour.svg").read_text(encoding="utf-8")
        self.assertIn("32 triangles, 16 contour edges", contour)

    def test_iccd_on_the_catalogue(self):
        document = self.iccd(*SMALL)
        self.assertEqual([row["scene"] for row in document["table1"]],
                         ["cloth-ball", "princess", "skirt", "n-body", "letters", "breaking"])
        self.assertEqual([row["printed"] and row["printed"]["orphans"] for row in document["table1"]],
                         ["4.8K", "2K", "10.8K", "200", "114", None])
        self.assertFalse(any(row["same_digits"] for row in document["table1"]))  # no mesh is large enough
        self.assertEqual([row["printed"]["speedup"] for row in document["table2"]], [9, 8.8, 9.4, 14.6, 12.6, 21.4])
        self.assertEqual([row["printed"]["iccd"] for row in document["table3"]],
                         [216e3, 14e3, 16e3, 188e3, 8e3, 981e3])
        for row, table in zip(document["fig15"], document["table3"]):
            left = [row[key] for key in ("base", "cones", "procedural", "orphans", "bounds")]
            self.assertEqual(left, sorted(left, reverse=True), row["scene"])
            self.assertGreater(row["base"], row["bounds"])
            self.assertEqual([table[key] for key in ("base", "paper", "ours")], [left[0], left[3], left[4]])
            self.assertGreaterEqual(table["ours"], table["impacts"])
        for row, cones in zip(document["culling"], document["cones"]):
            self.assertLessEqual(0, row["free_share"])
            self.assertLessEqual(row["free_share"], 1)
            self.assertEqual(row["free_share"], cones["tight"]["free_share"])
            self.assertLessEqual(cones["tight"]["tests"], cones["none"]["tests"])
        self.assertGreater(document["culling"][0]["free_share"], 0.5)  # a cloth that has just begun to fall
        page = (self.folder / "out" / "index.html").read_text(encoding="utf-8")
        self.assertEqual(page.count("<svg"), 5)  # a chart and four pictures
        self.assertNotRegex(page, r"(src|href)=|@import|url\(")

    def test_adaptive_along_sequences_and_its_study_of_free_movement(self):
        text = self.succeed("papers", "--only", "adaptive", "-o", "out", "--bare", "--scene", "drifting-cloth,cloth-ball",
                            "--size", "3000", "--frames", "4", "--runs", "2")
        for title in ("Table 2: milliseconds", "Figure 8", "Sections 9.2 and 9.3", "memory of SwD", r"Figure 5 \(a\)"):
            self.assertRegex(text, rf"(?m)^.*{title}")
        document = self.read_json("out/adaptive.json")
        self.assertEqual([scene["scene"] for scene in document["table2"]], ["drifting-cloth", "cloth-ball"])
        for scene in document["table2"]:
            rows = {row["method"]: row for row in scene["rows"]}
            self.assertEqual(list(rows), ["NoDup", "R-TRI", "nSwD", "SwD"])
            self.assertEqual(len({row["toi_hash"] for row in rows.values()}), 1)
            self.assertEqual(scene["steps"], 3)
            self.assertGreaterEqual(rows["NoDup"]["vf_tests"], rows["R-TRI"]["vf_tests"])
            self.assertAlmostEqual(scene["gains"]["swd_over_rtri"], rows["R-TRI"]["ms"] / rows["SwD"]["ms"] - 1, places=9)
            self.assertEqual(scene["printed"]["swd_over_nodup"], 1.0)
        self.assertGreater(document["table2"][0]["rows"][0]["impacts"], 0)
        (figure,) = document["fig8"]  # without the scenes that stand for Set One
        self.assertTrue(figure["without_self"])
        self.assertEqual([row["method"] for row in figure["rows"]],
                         ["NoDup", "R-TRI", "α1 f2", "α2 f3", "α4 f5", "α7 f8", "adapted"])
        self.assertEqual(len({row["toi_hash"] for row in figure["rows"]}), 1)
        self.assertLess(figure["rows"][0]["impacts"], document["table2"][0]["rows"][0]["impacts"])
        self.assertEqual([time["ms"] for time in document["times"]], [830, 660, 130, 246, 290, 144])
        self.assertEqual(round(document["memory"][0]["printed_bytes_a_pair"]), 338)

        for row in document["fig5"]["expected"]:
            self.assertAlmostEqual(row["closed_1d"], (row["k"] - 1) / 2)
            self.assertAlmostEqual(row["drawn_1d"] / row["closed_1d"], 1, delta=0.004)  # 6 standard errors
            self.assertAlmostEqual(row["drawn"] / row["integral"], 1, delta=0.004)
        for row in document["fig5"]["free"]:
            self.assertAlmostEqual(row["drawn"], row["integral"], delta=0.003)
            self.assertLessEqual(row["weak"], row["integral"])
        page = (self.folder / "out" / "index.html").read_text(encoding="utf-8")
        self.assertEqual(page.count("<svg"), 5)  # stages of two scenes, Figure 8, Figure 5 (a) and (b)
        self.assertNotRegex(page, r"(src|href)=|@import|url\(")

    def hash_paper(self, *arguments, mesh):
        """Runs HASH, checks what holds on every scene, and returns the document; `mesh`: no scene consists of
        disconnected triangles."""
        self.succeed("papers", "--only", "hash", "-o", "out", "--runs", "1", *arguments)
        document = self.read_json("out/hash.json")
        for seven, eight, neighbours, methods in zip(*(document[key] for key in ("fig7", "fig8", "neighbours", "methods"))):
            for rule in seven["rules"]:
                self.assertGreaterEqual(rule["voxel_pairs"], rule["box_pairs"])
                self.assertGreaterEqual(rule["box_pairs"], rule["triangle_pairs"])
            paper, certified, lossy, own, own_certified = eight["rows"]
            self.assertEqual([row["contestant"] for row in eight["rows"]],
                             ["paper", "paper, certified", "paper, lossy-normals", "hash", "hash, certified"])
            for row in eight["rows"]:
                self.assertGreaterEqual(row["element_pairs"], row["tests"])
            for row in (paper, certified, lossy):
                self.assertEqual(row["element_pairs"], 15 * row["triangle_pairs"])
            for less, more in ((certified, paper), (lossy, paper), (own, paper), (own_certified, own)):
                self.assertLessEqual(less["triangle_pairs"], more["triangle_pairs"])
                # For disconnected triangles our rule builds no 26-DOPs of features; the paper's rule does.
                if less is not own or mesh:
                    self.assertLessEqual(less["tests"], more["tests"])
            for row in neighbours["rows"]:
                self.assertLessEqual(row["neighbours_out"], row["neighbours"])
                if "lossy" not in row["contestant"]:
                    self.assertEqual(row["lost"], 0)
            self.assertEqual([row["method"] for row in methods["rows"]], ["r-tri", "basic", "hash", "paper"])
            self.assertEqual(len({row["impacts"] for row in methods["rows"]}), 1)
        page = (self.folder / "out" / "index.html").read_text(encoding="utf-8")
        self.assertEqual(page.count("<svg"), 3 * len(document["fig7"]))  # Figures 7, 8 and 9
        self.assertNotRegex(page, r"(src|href)=|@import|url\(")
        return document

    def test_hash_on_two_meshes_by_hand(self):
        # Two scenes: a small triangle falls through a large one; a triangle falls through its neighbour while it
        # turns about their common vertex, with a normal that points to the same side.
        (self.folder / "fall").mkdir()
        (self.folder / "corner").mkdir()
        for k, height in enumerate((1, -1)):
            write_two_triangles(self.folder / "fall" / f"{k}.obj", height)
            write_obj(self.folder / "corner" / f"{k}.obj",
                      [(0, 0, 0), (10, 0, 0), (0, 10, 0), (2, 2, height), (3, 1, height)], [(0, 1, 2), (0, 4, 3)])
        document = self.hash_paper("--bare", "--scene", "fall", "--scene", "corner", mesh=False)
        fall, corner = document["fig8"]
        # With representative triangles the common vertex is tested once, by one triangle.
        self.assertEqual([row["element_pairs"] for row in fall["rows"]], [15, 15, 15, 15, 15])
        self.assertEqual([row["element_pairs"] for row in corner["rows"]], [15, 15, 0, 14, 14])
        self.assertEqual([row["triangle_pairs"] for row in corner["rows"]], [1, 1, 0, 1, 1])
        self.assertEqual([rule["box_pairs"] for scene in document["fig7"] for rule in scene["rules"]], [1] * 10)
        fall, corner = ({row["contestant"]: row for row in scene["rows"]} for scene in document["neighbours"])
        self.assertEqual([(row["contacts"], row["lost"], row["neighbours"]) for row in fall.values()], [(3, 0, 0)] * 5)
        self.assertEqual([row["contacts"] for row in corner.values()], [2] * 5)  # both vertices through the face
        self.assertEqual([row["lost"] for row in corner.values()], [0, 0, 2, 0, 0])
        self.assertEqual([(row["neighbours"], row["neighbours_out"]) for row in corner.values()],
                         [(0, 0), (1, 0), (1, 1), (0, 0), (1, 0)])

    def test_hash_on_a_heap_of_tori(self):
        document = self.hash_paper("--bare", "--scene", "tori", "--size", "1500", "--frames", "8", mesh=True)
        (benchmark,) = document["benchmarks"]
        self.assertEqual((benchmark["printed_voxels"], benchmark["steps"]), (2239, 7))
        self.assertGreater(benchmark["static_triangles"], 0)  # in a table of their own, as large as the other
        self.assertAlmostEqual(benchmark["voxels"] / benchmark["triangles"], 2 * 0.2, delta=0.01)
        (seven,), (nine,) = document["fig7"], document["fig9"]
        self.assertEqual(seven["printed"], 100)
        self.assertGreater(seven["rules"][0]["culled"], 10)
        self.assertEqual({len(steps) for steps in seven["steps"].values()}, {7})
        self.assertEqual(nine["printed"], {"dual_core_ms": 80, "quad_core_ms": 40})
        self.assertEqual([row["contestant"] for row in nine["rows"]], ["hash", "paper"])
        self.assertTrue(all("not_static" in row for row in nine["rows"]))
        self.assertEqual(len(document["cells"]), 14)
        self.assertEqual(len({row["box_pairs"] for row in document["cells"]}), 1)

    def test_boxtree_on_its_soups(self):
        text = self.succeed("papers", "--only", "boxtree", "-o", "out", "--size", "1000", "--frames", "4", "--runs", "1")
        for title in ("Table 1", "Figure 5", "Figure 7", "Section 3.3", "Figure 8", "Section 4.2", "Section 3.1"):
            self.assertRegex(text, rf"(?m)^{title}")
        steps = "Each tumble has 4 steps; the paper has 5,000 (--full)."
        self.assertEqual(text.splitlines()[1], steps)
        document = self.read_json("out/boxtree.json")
        objects = ["car-body", "headlight", "lock", "torus", "sphere"]
        self.assertEqual([row["object"] for row in document["answers"]], objects)
        self.assertTrue(all(row["pairs"] > 0 for row in document["answers"]))

        table = document["table1"]
        self.assertEqual([(row["tree"], row["overlap"]) for row in table[:4]],
                         [("boxtree", name) for name in ("axis", "lut", "sat-lite", "sat")])
        self.assertEqual([row["bytes"] for row in table[:4]], [9, 9, 9, 9])
        self.assertEqual([row["tree"] for row in table[4:]], ["sphere", "aabb", "obb", "kdop18", "kdop26"])
        self.assertEqual([(row["printed"]["bytes"], row["printed"]["flops"]) for row in table],
                         [(9, 12), (9, None), (9, 24), (9, 82), (16, 29), (28, 90), (64, 243), (None, None), (100, 168)])
        for row in table:
            self.assertGreater(row["bytes"], 8)
            for flops in (row["flops"], row["lifted"]):
                self.assertLess(0, flops["mean"])
                self.assertLessEqual(flops["mean"], flops["worst"])
                total = flops["multiplications"] + flops["additions"] + flops["comparisons"]
                self.assertAlmostEqual(flops["mean"], total / flops["tests"], places=9)
        axis, lut, lite, sat = table[:4]
        self.assertLess(axis["flops"]["worst"], lite["flops"]["worst"])
        self.assertLess(lite["flops"]["worst"], sat["flops"]["worst"])
        for row in table:
            self.assertLess(row["lifted"]["mean"], row["flops"]["mean"])
        products = [row["flops"]["multiplications"] / row["flops"]["tests"] for row in (axis, lut)]
        self.assertLess(products[1], products[0] / 2)  # one product for the index in the table instead of three

        for row in document["fig5"]:
            self.assertEqual([round(build["polygons"], -3) for build in row["rows"][1:]], [2000, 4000, 8000], row["object"])
            self.assertEqual(row["rows"][0]["growth"], 1)
            self.assertEqual(row["rows"][0]["volume_growth"], 1)
        for row in document["fig7"]:
            self.assertEqual(len(row["us"]), 14)
            self.assertEqual([len(us) for us in row["us"].values()], [4] * 14)
            self.assertEqual(len(row["hits"]), 4)
            tests = row["node_tests"]
            self.assertEqual(tests["axis, scalar"], tests["axis, scalar, no lift"])
        self.assertGreater(sum(sum(row["hits"]) for row in document["fig7"]), 0)
        for row in document["fig8"]:
            self.assertEqual(len(row["rows"]), 3)
            for size in row["rows"]:
                self.assertEqual(list(size["us"]), ["as printed", "as printed, random order", "kdop26", "kdop18", "aabb", "obb", "sphere",
                                                    "boxtree, library", "kdop26, library"])
                self.assertLess(3 * size["tree_bytes"]["as printed"], size["tree_bytes"]["aabb"] + 600)
        volumes = ["boxtree", "aabb", "obb", "kdop18", "kdop26", "sphere"]
        for row in document["shapes"]:
            self.assertEqual([(cell["shape"], cell["volume"]) for cell in row["rows"]],
                             [(shape, volume) for shape in ("volume", "volume, random order", "free", "sah") for volume in volumes])
            self.assertEqual(row["steps"], 4)
        # The trees of Figure 8 are those over SAH.
        for eight, shapes in zip(document["fig8"], document["shapes"]):
            self.assertEqual(eight["object"], shapes["object"])
            poses = 4 * len(document["distances"])
            for cell in shapes["rows"]:
                if cell["shape"] != "sah" or cell["volume"] == "boxtree":
                    continue
                self.assertAlmostEqual(cell["node_tests"], eight["rows"][1]["node_tests"][cell["volume"]] / poses)
            self.assertAlmostEqual(shapes["rows"][0]["node_tests"], eight["rows"][1]["node_tests"]["as printed"] / poses)
        for row in document["splits"]:
            self.assertEqual([split["split"] for split in row["rows"]],
                             ["free", "volume", "longest", "volume-sampled", "volume, random order"])
        for row in document["empty"]:
            self.assertLessEqual(row["quarter"], row["median"])
            self.assertLessEqual(row["median"], row["three_quarters"])
            self.assertLess(0, row["little"])
            self.assertLess(row["little"], 1)
            self.assertTrue(1 < row["sides"] < 6)
        page = (self.folder / "out" / "index.html").read_text(encoding="utf-8")
        self.assertEqual(page.count("<svg"), 7)  # Figures 5 and 8, and 7 for each object
        self.assertNotRegex(page, r"(src|href)=|@import|url\(")
        self.assertIn(f"<p>{steps}</p>", page)
        # Every row says how many triangles and, where objects tumble, how many steps.
        for section in re.split(r"\n(?=Table|Figure|Section)", text)[1:]:
            self.assertRegex(section, r"triangles", section.splitlines()[0])
            if section.startswith(("Figure 7", "Figure 8", "Section 3.3", "Section 4.2")):
                self.assertRegex(section, r"(?m)^  object +triangles +steps")

    def test_boxtree_in_as_many_steps_as_printed(self):
        (self.folder / "one").mkdir()
        for k in range(2):
            write_obj(self.folder / "one" / f"{k}.obj", [(0, 0, 0), (5, 0, 0), (0, 5, 5)], [(0, 1, 2)])
        text = self.succeed("papers", "--only", "boxtree", "--full", "--bare", "--scene", "one", "--frames", "3", "--runs", "1",
                            "--json", "full.json")
        self.assertEqual(text.splitlines()[1], "Each tumble has 5,000 steps, as in the paper.")
        self.assertEqual(self.read_json("full.json")["papers"][0]["steps"], 5000)

    def test_boxtree_on_a_mesh_by_hand(self):
        # A tetrahedron in the corner of a cube. By volume, with two triangles per leaf: the boxes can be computed
        # by hand.
        (self.folder / "corner").mkdir()
        for k in range(2):
            write_obj(self.folder / "corner" / f"{k}.obj", [(0, 0, 0), (5, 0, 0), (0, 5, 0), (0, 0, 5)],
                      [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)])
        self.succeed("papers", "--only", "boxtree", "-o", "out", "--bare", "--scene", "corner", "--frames", "8", "--runs", "1")
        document = self.read_json("out/boxtree.json")
        (empty,), (seven,), (eight,) = document["empty"], document["fig7"], document["fig8"]
        self.assertEqual(empty["nodes"], 6)
        self.assertEqual([row["polygons"] for row in eight["rows"]], [4])
        # Boxes of side 2 whose centres are at most 0.8 apart overlap in all rotations, and solids that penetrate so
        # deeply intersect.
        self.assertEqual(seven["triangles"], 4)
        self.assertEqual(document["steps"], 8)
        self.assertLessEqual(max(seven["hits"]), 8)

    def test_json_takes_the_place_of_the_tables(self):
        (self.folder / "run").mkdir()
        for k, height in enumerate((1, -1)):
            write_two_triangles(self.folder / "run" / f"{k}.obj", height)
        document = json.loads(self.succeed("papers", "--json", "-", "--bare", "--scene", "run", *SMALL))
        self.assertEqual([paper["paper"] for paper in document["papers"]], ["R-TRI", "ICCD", "ADAPTIVE", "HASH", "BOXTREE"])
        for paper in document["papers"]:
            rows = paper["table2" if "table2" in paper else "fig7"]
            self.assertEqual([row["object" if paper["paper"] == "BOXTREE" else "scene"] for row in rows], ["run"])

    def test_what_is_refused(self):
        self.refuse("papers", "--only", "R-SQUARE", naming=["R-SQUARE", "R-TRI"])
        self.refuse("papers", "--scene", "nowhere", naming=["nowhere"])
        self.refuse("papers", "--bare", naming=["--bare", "--scene"])
        (self.folder / "file").write_text("", encoding="ascii")
        self.refuse("papers", "-o", "file", "--bare", "--scene", "crossing-sheets", *SMALL, naming=["file"])


if __name__ == "__main__":
    unittest.main()

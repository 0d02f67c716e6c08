"""graze papers: the tables of R-TRI, as text, JSON and a page."""

import json
import unittest

from support import ProgramTest, write_two_triangles

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
            self.assertEqual(tests.get("adj", tests["r-tri"]), tests["r-tri"])  # as the paper says
            self.assertEqual(len({row["hash"] for row in scene["rows"]}), 1)
            # Both counted the same pairs, one through the detector and one beside it.
            vf_tests = {row["method"]: row["vf_tests"] for row in scene["rows"]}
            self.assertEqual(vf_tests["no-dupl"], culling["pairs"])
            passed = culling["pairs"] * (1 - culling["segment_cull"])
            self.assertAlmostEqual(vf_tests["r-tri"], passed, places=3)
        # The two triangles by hand: 3 vertices of each against the other's face, 9 pairs of edges.
        by_hand = {row["method"]: (row["vf_tests"], row["ee_tests"]) for row in document["fig10"][-1]["rows"]}
        self.assertEqual(by_hand["basic"], (6, 9))
        self.assertEqual(by_hand["no-dupl"], (6, 9))

        page = (self.folder / "new" / "folder" / "index.html").read_text(encoding="utf-8")
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        self.assertTrue(page.endswith("</html>\n"))
        self.assertEqual(page.count("<svg"), 2)
        self.assertIn("prefers-color-scheme: dark", page)
        self.assertNotRegex(page, r"(src|href)=|@import|url\(")

    def test_json_takes_the_place_of_the_tables(self):
        document = json.loads(self.succeed("papers", "--json", "-", *SMALL))
        self.assertEqual([paper["paper"] for paper in document["papers"]], ["R-TRI"])

    def test_what_is_refused(self):
        self.refuse("papers", "--only", "R-SQUARE", naming=["R-SQUARE", "R-TRI"])
        self.refuse("papers", "--scene", "nowhere", naming=["nowhere"])
        (self.folder / "file").write_text("", encoding="ascii")
        self.refuse("papers", "-o", "file", *SMALL, naming=["file"])


if __name__ == "__main__":
    unittest.main()

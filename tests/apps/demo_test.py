"""graze demo: works without any input and leaves a report."""

import json
import unittest

from support import HAS_VIEWER, ProgramTest, report_array, report_of


class Demo(ProgramTest):
    def test_demo_prints_a_table_and_writes_the_report(self):
        done = self.run_graze("demo", "--size", "2400", "--frames", "13")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0].split(), ["step", "vertices", "triangles", "vf", "ee", "toi", "ms"])
        total = lines[-1].split()
        self.assertEqual(total[0], "total")
        for count in total[1:3]:  # contacts of both kinds
            self.assertGreater(int(count.replace(",", "")), 0)
        if not HAS_VIEWER:
            self.assertRegex(done.stderr, "report +none")
            return
        self.assertIn("report.html", done.stderr)
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        self.assertTrue(page.endswith("</html>\n"))
        report = report_of(page)
        self.assertEqual(len(report["steps"]), 12)
        self.assertEqual([shown["step"] for shown in report["shown"]], list(range(12)))
        for step, shown in zip(report["steps"], report["shown"]):
            self.assertEqual((shown["found"], shown["kept"]), (step["vf"] + step["ee"],) * 2)
        vertices, triangles = report["mesh"]["vertices"], report["mesh"]["triangles"]
        self.assertEqual(len(report_array(page, "triangles")), triangles * 3 * 2)
        for frame in range(13):
            self.assertEqual(len(report_array(page, f"frame-{frame}")), vertices * 3 * 2)

    def test_demo_takes_another_place_and_size(self):
        document = json.loads(self.succeed("demo", "-o", "other.html", "--size", "130", "--frames", "3", "--json", "-"))
        self.assertEqual([step["step"] for step in document["steps"]], [0, 1])
        self.succeed("scene", "cloth-ball", "--size", "130", "--frames", "2", "-o", "scene")
        mesh = json.loads(self.succeed("info", "scene/frame_0000.ply", "--json", "-"))
        self.assertEqual(document["steps"][0]["triangles"], mesh["triangles"])
        self.assertEqual((self.folder / "other.html").exists(), HAS_VIEWER)
        self.assertFalse((self.folder / "report.html").exists())

    def test_demo_refuses_what_makes_no_scene(self):
        self.refuse("demo", "--size", "1", naming=["--size"])
        self.refuse("demo", "--frames", "1", naming=["--frames"])
        self.refuse("demo", "-o", "no/such/folder.html", naming=["no/such"])


if __name__ == "__main__":
    unittest.main()

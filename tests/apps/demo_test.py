"""graze demo: works without any input and leaves a report."""

import json
import unittest

from support import ProgramTest


class Demo(ProgramTest):
    def test_demo_prints_a_table_and_writes_the_report(self):
        done = self.run_graze("demo")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0].split(), ["step", "vertices", "triangles", "vf", "ee", "toi", "ms"])
        total = lines[-1].split()
        self.assertEqual(total[0], "total")
        for count in total[1:3]:  # contacts of both kinds
            self.assertGreater(int(count.replace(",", "")), 0)
        self.assertIn("report.html", done.stderr)
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        self.assertTrue(page.endswith("</html>\n"))
        self.assertEqual(page.count("<svg"), 2)
        self.assertIn("<circle", page)
        self.assertEqual(page.count("<tr>"), 1 + 12)
        self.assertNotRegex(page, r"(src|href)=|@import|url\(")

    def test_demo_takes_another_place_and_size(self):
        document = json.loads(self.succeed("demo", "-o", "other.html", "--size", "8", "--frames", "3", "--json", "-"))
        self.assertEqual([step["step"] for step in document["steps"]], [0, 1])
        self.assertEqual(document["steps"][0]["triangles"], 2 * 7 * 7 + 8 * 2 * 2)
        self.assertTrue((self.folder / "other.html").exists())
        self.assertFalse((self.folder / "report.html").exists())

    def test_demo_refuses_what_makes_no_scene(self):
        self.refuse("demo", "--size", "1", naming=["--size"])
        self.refuse("demo", "--frames", "1", naming=["--frames"])
        self.refuse("demo", "-o", "no/such/folder.html", naming=["no/such"])


if __name__ == "__main__":
    unittest.main()

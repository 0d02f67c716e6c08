"""scripts/performance_page.py: measures, and rewrites only the text between its markers."""

import pathlib
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from support import GRAZE, SOURCE, ProgramTest

SCRIPT = SOURCE / "scripts" / "performance_page.py"


class PerformancePage(ProgramTest):
    def run_script(self, page):
        return subprocess.run([sys.executable, "-B", SCRIPT, "--graze", GRAZE, "--page", page, "--quick", "--runs", "1"],
                              cwd=self.folder, capture_output=True, text=True, timeout=280, check=False)

    def test_tables_and_picture_are_made_and_the_text_stays(self):
        page = self.folder / "performance.md"
        original = (SOURCE / "docs" / "performance.md").read_text(encoding="utf-8")
        page.write_text(original, encoding="utf-8")
        done = self.run_script(page)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = page.read_text(encoding="utf-8")
        blank = re.compile(r"(<!-- figures: (\w+) -->).*?(<!-- end: \2 -->)", re.S)
        self.assertEqual(blank.sub(r"\1\3", text), blank.sub(r"\1\3", original))
        between = {match.group(2): match.group(0) for match in blank.finditer(text)}
        self.assertRegex(between["scenes"], r"\| crossing-sheets \| [\d,]+ \|")
        self.assertIn("| 4,096 |", between["scaling"])
        self.assertIn("varies by", between["scaling"])
        picture = xml.etree.ElementTree.parse(self.folder / "pictures" / "scaling.svg")
        circles = [node for node in picture.iter() if node.tag.endswith("circle")]
        self.assertGreaterEqual(len(circles), 2)

    def test_a_page_without_markers_is_left_alone(self):
        page = self.folder / "page.md"
        page.write_text("nothing here\n", encoding="utf-8")
        done = self.run_script(page)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("markers", done.stderr)
        self.assertEqual(pathlib.Path(page).read_text(encoding="utf-8"), "nothing here\n")


if __name__ == "__main__":
    unittest.main()

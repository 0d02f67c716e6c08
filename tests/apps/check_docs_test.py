"""scripts/check_docs.py: runs the marked blocks and finds a stale one."""

import subprocess
import sys
import unittest

from support import GRAZE, SOURCE, ProgramTest


class CheckDocs(ProgramTest):
    def check(self, text):
        (self.folder / "page.md").write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, SOURCE / "scripts/check_docs.py", "--graze", GRAZE,
                               self.folder / "page.md"], capture_output=True, text=True, timeout=120, check=False)

    def test_blocks_run_in_order_in_one_folder(self):
        done = self.check("# Page\n```sh check\ngraze --version >version\n```\ntext\n```sh check\ngrep graze version\n```\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 blocks", done.stdout)

    def test_a_failing_block_is_named_by_its_line(self):
        done = self.check("one\ntwo\n```sh check\ngraze detect --no-such-option\n```\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("page.md:3: exit 2, expected 0", done.stderr)
        self.assertIn("--no-such-option", done.stderr)

    def test_a_block_may_expect_another_status(self):
        self.assertEqual(self.check("```sh check exit=2\ngraze nonsense\n```\n").returncode, 0)
        self.assertEqual(self.check("```sh check exit=1\ngraze --version\n```\n").returncode, 1)

    def test_unmarked_blocks_are_left_alone(self):
        done = self.check("```sh\nfalse\n```\n```cpp\ncheck\n```\n")
        self.assertEqual(done.returncode, 0)
        self.assertIn("0 blocks", done.stdout)

    def test_a_block_that_never_ends_is_an_error(self):
        self.assertNotEqual(self.check("```sh check\ntrue\n").returncode, 0)


if __name__ == "__main__":
    unittest.main()

"""scripts/check_docs.py: runs the marked blocks and finds a stale one."""

import os
import subprocess
import sys
import unittest

from support import GRAZE, SOURCE, ProgramTest


def check(folder, program, text, **variables):
    (folder / "page.md").write_text(text, encoding="utf-8")
    return subprocess.run([sys.executable, SOURCE / "scripts/check_docs.py", "--graze", program, folder / "page.md"],
                          capture_output=True, text=True, timeout=120, check=False, env=dict(os.environ, **variables))


class CheckDocs(ProgramTest):
    def check(self, text):
        return check(self.folder, GRAZE, text)

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


class CheckPython(ProgramTest):
    """Python blocks. The tests are about the script: an empty module beside an empty program stands for the package."""

    def setUp(self):
        super().setUp()
        (self.folder / "build/python").mkdir(parents=True)
        (self.folder / "build/python/graze.py").touch()
        (self.folder / "build/graze").touch()

    def check(self, text, python=sys.executable):
        return check(self.folder, self.folder / "build/graze", text, PYTHON=str(python))

    def test_python_blocks_share_their_names(self):
        done = self.check("```python check\nimport graze\nx = 1\n```\ntext\n```python check\nassert x == 1\n```\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 blocks", done.stdout)

    def test_python_blocks_run_after_those_of_the_shell_in_their_folder(self):
        done = self.check("```python check\nassert open('a').read() == 'b'\n```\n```sh check\nprintf b >a\n```\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 blocks", done.stdout)

    def test_a_failing_python_block_is_named_by_its_line(self):
        blocks = "```python check\ndef f(x):\n    assert x == 1, x\n```\ntext\n```python check\nf(1)\nf(27)\n```\n"
        done = self.check(blocks)
        self.assertEqual(done.returncode, 1)
        self.assertIn("page.md:6: exit 1, expected 0", done.stderr)
        self.assertIn("line 8", done.stderr)
        self.assertIn("AssertionError: 27", done.stderr)

    def test_a_block_that_is_no_python_is_named_by_its_line(self):
        done = self.check("```python check\nx = 1\n```\n```python check\nx = = 2\n```\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("page.md:4: exit 1, expected 0", done.stderr)

    def test_a_process_that_ends_early_is_a_failure_of_the_first_block(self):
        done = self.check("\n```python check\nimport os\nos._exit(3)\n```\n```python check\n```\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("page.md:2: exit 3, expected 0", done.stderr)

    def test_shell_and_python_blocks_may_both_fail(self):
        done = self.check("```sh check\nfalse\n```\n```python check\nraise KeyError\n```\n")
        self.assertIn("page.md:1: exit 1", done.stderr)
        self.assertIn("page.md:4: exit 1", done.stderr)
        self.assertIn("2 failed", done.stdout)

    def test_unmarked_python_blocks_are_left_alone(self):
        done = self.check("```python\nraise KeyError\n```\n```pycon check\n>>> 1\n```\n")
        self.assertEqual(done.returncode, 0)
        self.assertIn("0 blocks", done.stdout)

    def test_python_blocks_are_skipped_where_the_module_is_missing(self):
        python = self.folder / "python"
        python.write_text("#!/bin/sh\necho \"ModuleNotFoundError: No module named 'graze'\"; exit 1\n", encoding="utf-8")
        python.chmod(0o755)
        done = self.check("```python check\nraise KeyError\n```\n```sh check\ntrue\n```\n", python)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("skipped: 1 Python blocks of", done.stdout)
        self.assertIn("No module named 'graze'", done.stdout)
        self.assertIn("1 blocks", done.stdout)
        done = self.check("```python check\nraise KeyError\n```\n", self.folder / "nothing")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("skipped: 1 Python blocks of", done.stdout)


if __name__ == "__main__":
    unittest.main()

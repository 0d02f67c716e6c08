"""Shared code of the program's tests: running the program, and small meshes whose contacts are known by hand.

The scene is a large triangle at z = 0 (vertices 0, 1, 2) and a small one (3, 4, 5) well inside it at another
height. When the small triangle passes through the large one, its three vertices touch the face at the same time,
and no other features touch."""

import base64
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

GRAZE = os.environ["GRAZE"]
HAS_VIEWER = os.environ.get("GRAZE_VIEWER", "ON") == "ON"
SOURCE = pathlib.Path(__file__).resolve().parents[2]

LARGE = [(-10, -10, 0), (10, -10, 0), (0, 10, 0)]
SMALL = [(-1, -1), (1, -1), (0, 1)]
TWO_TRIANGLES = [(0, 1, 2), (3, 4, 5)]


def write_obj(path, vertices, triangles):
    with open(path, "w", encoding="ascii") as out:
        for vertex in vertices:
            out.write("v %r %r %r\n" % tuple(vertex))
        for triangle in triangles:
            out.write("f %d %d %d\n" % tuple(i + 1 for i in triangle))


def write_two_triangles(path, height):
    write_obj(path, LARGE + [(x, y, height) for x, y in SMALL], TWO_TRIANGLES)


def report_of(page):
    """Returns the JSON document inside a report."""
    return json.loads(re.search(r'id="graze-report">(.*?)</script>', page, re.S).group(1))


def report_array(page, name):
    """Returns the bytes of an array inside a report."""
    return base64.b64decode(re.search(f'id="graze-{name}">([^<]*)</script>', page).group(1), validate=True)


class ProgramTest(unittest.TestCase):
    """A test that runs in its own temporary folder."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="graze-test-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_graze(self, *arguments, **options):
        return subprocess.run([GRAZE, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120, check=False, **options)

    def succeed(self, *arguments, status=0):
        """Runs the program, checks its exit status and that stderr is empty; returns stdout."""
        done = self.run_graze(*arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertNotIn("graze:", done.stderr)
        return done.stdout

    def refuse(self, *arguments, naming=()):
        """Runs the program, checks that it refuses with one line that contains all of `naming`; returns the line.
        """
        done = self.run_graze(*arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Agraze: [^\n]+\n\Z")
        for word in naming:
            self.assertIn(word, done.stderr)
        return done.stderr

    def read_json(self, name):
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def read_lines(self, name):
        return (self.folder / name).read_text(encoding="utf-8").splitlines()

"""graze detect --frames: rows, point caches, and resuming after an interruption.

To stop the program at a known place, its stdout is a pipe of one page that nobody reads: the program runs until its
rows fill the page and blocks there, in the middle of the sequence, until the test reads."""

import fcntl
import json
import os
import signal
import struct
import subprocess
import time
import unittest

from support import GRAZE, HAS_VIEWER, LARGE, SMALL, ProgramTest, report_array, report_of, write_two_triangles

F_SETPIPE_SZ = 1031
FRAMES = 240


def height(frame):
    """Height that oscillates through z = 0 with a period of six frames; no frame lies in the plane."""
    return [1.5, 0.5, -0.5, -1.5, -0.5, 0.5][frame % 6]


def without_times(document):
    for step in document["steps"]:
        del step["ms"]
        del step["memory_bytes"]  # capacity of arrays, which may depend on earlier steps
    return document


class Sequence(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "run").mkdir()

    def write_frames(self, count):
        for frame in range(count):
            write_two_triangles(self.folder / f"run/f{frame}.obj", height(frame))

    def test_each_step_is_a_row_in_natural_order(self):
        self.write_frames(13)
        for argument in ("run", "run/f*.obj"):
            document = json.loads(self.succeed("detect", "--frames", argument, "--json", "-", status=1))
            self.assertEqual([step["step"] for step in document["steps"]], list(range(12)))
            self.assertEqual([step["vf"] for step in document["steps"]], [0, 3, 0, 0, 3, 0] * 2)

    def test_a_total_closes_the_table(self):
        self.write_frames(7)
        lines = self.succeed("detect", "--frames", "run", status=1).splitlines()
        self.assertEqual(len(lines), 1 + 6 + 2)
        self.assertEqual(lines[-1].split()[:3], ["total", "6", "0"])

    def test_a_sequence_without_contact_is_status_0(self):
        self.write_frames(2)
        self.succeed("detect", "--frames", "run", status=0)

    def test_bad_sequences_are_refused(self):
        self.write_frames(1)
        self.refuse("detect", "--frames", "run", naming=["two frames"])
        self.refuse("detect", "--frames", "nothing", naming=["nothing"])
        self.refuse("detect", "run/f0.obj", "run/f0.obj", "--frames", "run", naming=["--frames"])
        self.refuse("detect", "--frames", "run", "--mesh", "run/f0.obj", naming=["--mesh"])

    def test_a_broken_frame_is_named_when_it_is_reached(self):
        self.write_frames(4)
        (self.folder / "run/f2.obj").write_text("v 0 0\n", encoding="ascii")
        done = self.run_graze("detect", "--frames", "run")
        self.assertEqual(done.returncode, 2)
        self.assertIn("f2.obj", done.stderr)

    def test_a_point_cache_needs_and_takes_its_mesh(self):
        self.write_frames(1)
        with open(self.folder / "run.pc2", "wb") as out:
            out.write(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, 6, 0.0, 1.0, 7))
            for frame in range(7):
                for point in LARGE + [(x, y, height(frame)) for x, y in SMALL]:
                    out.write(struct.pack("<fff", *point))
        self.refuse("detect", "--frames", "run.pc2", naming=["run.pc2", "--mesh"])
        document = json.loads(self.succeed("detect", "--frames", "run.pc2", "--mesh", "run/f0.obj", "--json", "-",
                                           status=1))
        self.assertEqual([step["vf"] for step in document["steps"]], [0, 3, 0, 0, 3, 0])

    def command(self, name):
        report = ["--report", f"{name}.html"] if HAS_VIEWER else []
        return ["detect", "--frames", "run", "--json", f"{name}.json", "--contacts", f"{name}.csv", *report]

    def start_and_wait_in_the_middle(self, name):
        """Starts a run and waits until it blocks half-way; returns the run and the read end of its pipe."""
        read_end, write_end = os.pipe()
        fcntl.fcntl(write_end, F_SETPIPE_SZ, 4096)
        program = subprocess.Popen([GRAZE, *self.command(name)], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=write_end, stderr=subprocess.PIPE, text=True)
        os.close(write_end)
        journal = self.folder / f"{name}.json.partial"
        size, unchanged = -1, 0
        for _ in range(2000):
            time.sleep(0.02)
            now = journal.stat().st_size if journal.exists() else -1
            unchanged = unchanged + 1 if now == size else 0
            size = now
            if size > 1000 and unchanged >= 25:
                break
        self.assertIsNone(program.poll(), "the run was to be stuck, but ended")
        return program, read_end

    def assert_resumes(self, name):
        done = self.run_graze(*self.command(name))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"resumed +after \d+ of 239 steps")
        self.assertFalse((self.folder / f"{name}.json.partial").exists())
        self.assertEqual(len(done.stdout.splitlines()), 1 + 239 + 2)
        self.succeed(*self.command("whole"), status=1)
        self.assertEqual((self.folder / f"{name}.csv").read_bytes(), (self.folder / "whole.csv").read_bytes())
        self.assertEqual(without_times(self.read_json(f"{name}.json")), without_times(self.read_json("whole.json")))
        if HAS_VIEWER:  # the page also has the steps of the interrupted run
            pages = [(self.folder / f"{page}.html").read_text(encoding="utf-8") for page in (name, "whole")]
            shown = [report_of(page)["shown"] for page in pages]
            self.assertEqual(len(shown[0]), 239)
            self.assertEqual(shown[0], shown[1])
            for array in ("impacts-1", "impacts-238", "frame-0", "frame-239"):
                self.assertEqual(report_array(pages[0], array), report_array(pages[1], array))

    def test_a_killed_run_resumes_and_ends_with_the_same_files(self):
        self.write_frames(FRAMES)
        program, read_end = self.start_and_wait_in_the_middle("cut")
        program.kill()
        program.wait(timeout=60)
        program.stderr.close()
        os.close(read_end)
        self.assertFalse((self.folder / "cut.json").exists())
        with open(self.folder / "cut.json.partial", "a", encoding="ascii") as journal:
            journal.write("77,vf,3,-,0,1,2,0.4")  # a step that was being written when the power failed
        self.assert_resumes("cut")

    def test_ctrl_c_ends_with_status_3_and_says_how_to_resume(self):
        self.write_frames(FRAMES)
        program, read_end = self.start_and_wait_in_the_middle("cut")
        program.send_signal(signal.SIGINT)
        while os.read(read_end, 65536):  # lets the run reach its next check for signals
            pass
        os.close(read_end)
        complaint = program.stderr.read()
        program.stderr.close()
        self.assertEqual(program.wait(timeout=60), 3)
        self.assertRegex(complaint, r"\Agraze: interrupted after \d+ of 239 steps; run the same command again[^\n]*\n\Z")
        self.assert_resumes("cut")

    def test_a_journal_of_another_run_is_refused_and_kept(self):
        self.write_frames(FRAMES)
        program, read_end = self.start_and_wait_in_the_middle("cut")
        program.kill()
        program.wait(timeout=60)
        program.stderr.close()
        os.close(read_end)
        before = (self.folder / "cut.json.partial").read_bytes()
        self.refuse(*self.command("cut"), "--thickness", "0.1", naming=["cut.json.partial", "remove it"])
        self.assertEqual((self.folder / "cut.json.partial").read_bytes(), before)


if __name__ == "__main__":
    unittest.main()

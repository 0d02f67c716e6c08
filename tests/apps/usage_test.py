"""Help, version, methods, and messages about bad usage."""

import json
import os
import pty
import subprocess
import unittest

from support import GRAZE, ProgramTest, write_two_triangles

COMMANDS = ["demo", "detect", "check", "proximity", "queries", "rigid", "info", "methods", "bench", "papers"]


class Usage(ProgramTest):
    def test_version_is_one_line(self):
        self.assertRegex(self.succeed("--version"), r"\Agraze \d+\.\d+\.\d+\n\Z")

    def test_help_lists_every_command(self):
        text = self.succeed("--help")
        for command in COMMANDS:
            self.assertRegex(text, rf"\n  {command} ")

    def test_every_command_has_help_with_its_exit_status(self):
        for command in COMMANDS:
            text = self.succeed(command, "--help")
            self.assertIn("--json", text)
            if command != "methods":
                self.assertIn("Exit status", text)

    def test_methods_are_listed_and_accepted(self):
        listed = json.loads(self.succeed("methods", "--json", "-"))["methods"]
        names = [method["name"] for method in listed]
        self.assertEqual(names[:2], ["auto", "brute"])
        table = self.succeed("methods")
        write_two_triangles(self.folder / "a.obj", 1)
        for method in listed:
            self.assertIn(method["summary"], table)
            self.succeed("detect", "a.obj", "a.obj", "--method", method["name"])

    def test_bad_usage_is_one_line_and_status_2(self):
        write_two_triangles(self.folder / "a.obj", 1)
        self.refuse(naming=["no command"])
        self.refuse("fly", naming=["fly"])
        self.refuse("detect", naming=["START END"])
        self.refuse("detect", "a.obj", naming=["START END"])
        self.refuse("detect", "a.obj", "a.obj", "a.obj", naming=["a.obj"])
        self.refuse("detect", "a.obj", "a.obj", "--bogus", naming=["--bogus"])
        self.refuse("detect", "a.obj", "a.obj", "--method", "magic", naming=["magic"])
        self.refuse("detect", "a.obj", "a.obj", "--threads", "many", naming=["--threads"])
        self.refuse("detect", "a.obj", "a.obj", "--threads", "-1", naming=["--threads"])
        self.refuse("detect", "a.obj", "a.obj", "--thickness", "-1", naming=["--thickness"])
        self.refuse("detect", "a.obj", "a.obj", "--thickness", "nan", naming=["--thickness"])
        self.refuse("detect", "a.obj", "a.obj", "--tolerance", "0", naming=["--tolerance"])
        self.refuse("detect", "a.obj", "a.obj", "--memory-cap", "lots", naming=["lots"])
        self.refuse("detect", "a.obj", "a.obj", "--mesh", "a.obj", naming=["--mesh"])
        self.refuse("detect", "a.obj", "a.obj", "--json", "none/out.json", naming=["none"])
        self.refuse("detect", "a.obj", "a.obj", "--contacts", "-", naming=["--json"])
        self.refuse("detect", "a.obj", "a.obj", "--json", "x", "--contacts", "./x", naming=["x", "one file"])
        self.refuse("check", naming=["MESH"])
        self.refuse("proximity", "a.obj", naming=["--distance"])
        self.refuse("proximity", "a.obj", "--distance", "inf", naming=["--distance"])
        self.refuse("queries", naming=["INPUTS"])

    def test_memory_cap_takes_units(self):
        write_two_triangles(self.folder / "a.obj", 1)
        for size in ["64M", "1.5GiB", "2g", "100000000"]:
            self.succeed("detect", "a.obj", "a.obj", "--memory-cap", size)

    def test_a_file_name_may_be_any_bytes(self):
        write_two_triangles(self.folder / "a.obj", 1)
        os.mkdir(os.fsencode(self.folder) + b"/r\xff")
        for name in (b"1.obj", b"2.obj"):
            os.link(self.folder / "a.obj", os.fsencode(self.folder) + b"/r\xff/" + name)
        done = subprocess.run([GRAZE.encode(), b"detect", b"--frames", b"r\xff", b"--json", b"out.json"],
                              cwd=self.folder, capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.read_json("out.json")["steps"]), 1)

    def test_a_device_as_output_is_written_and_not_replaced(self):
        write_two_triangles(self.folder / "a.obj", 1)
        self.succeed("detect", "a.obj", "a.obj", "--json", "/dev/null", "--contacts", "/dev/null")
        self.assertFalse(os.path.isfile("/dev/null"))


class Terminal(ProgramTest):
    def on_terminal(self, environment):
        """Output of demo on a terminal that is both its stdout and its stderr."""
        try:
            master, slave = pty.openpty()
        except OSError as error:  # a container without /dev/pts
            self.skipTest(f"no terminal to be had here: {error}")
        program = subprocess.Popen([GRAZE, "demo", "--size", "20", "--frames", "4"], cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, env=environment)
        os.close(slave)
        seen = b""
        try:
            while chunk := os.read(master, 65536):
                seen += chunk
        except OSError:  # Linux reports that the other side has closed
            pass
        os.close(master)
        self.assertEqual(program.wait(timeout=60), 0)
        return seen

    def environment(self, **changes):
        clean = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        return dict(clean, TERM="xterm", **changes)

    def test_colour_shows_on_a_terminal_unless_no_color_is_set(self):
        self.assertIn(b"\x1b[1m", self.on_terminal(self.environment()))
        quiet = self.on_terminal(self.environment(NO_COLOR="1"))
        self.assertNotIn(b"\x1b[1m", quiet)
        self.assertNotIn(b"\x1b[36m", quiet)

    def test_progress_shows_only_on_a_terminal(self):
        self.assertIn(b"%", self.on_terminal(self.environment()))
        done = self.run_graze("demo", "--size", "20", "--frames", "4")
        self.assertNotIn("%", done.stderr)
        self.assertNotIn("\x1b", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()

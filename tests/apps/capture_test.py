"""graze capture, and graze detect on captures: an unchanged answer passes, a changed one is noticed, a broken file
is refused."""

import json
import struct
import unittest

from support import HAS_VIEWER, ProgramTest, write_two_triangles


def mix(z):
    mask = (1 << 64) - 1
    z = ((z ^ (z >> 30)) * 0xbf58476d1ce4e5b9) & mask
    z = ((z ^ (z >> 27)) * 0x94d049bb133111eb) & mask
    return z ^ (z >> 31)


def checksum(data):
    """Checksum of the capture format, written from its description, independently of the program."""
    mask, state, count = (1 << 64) - 1, 0x6772617a65, 0
    data += bytes(-len(data) % 8)
    for (word,) in struct.iter_unpack("<Q", data):
        state = mix(((state ^ word) + 0x9e3779b97f4a7c15) & mask)
        count += 1
    return mix(((state ^ count) + 0x9e3779b97f4a7c15) & mask)


class Captures(ProgramTest):
    def setUp(self):
        super().setUp()
        write_two_triangles(self.folder / "above.obj", 1.0)
        write_two_triangles(self.folder / "nearer.obj", 0.25)
        write_two_triangles(self.folder / "below.obj", -1.0)

    def rewrite(self, name, offset, data):
        """Changes bytes of a capture and updates its checksum."""
        bytes_ = bytearray((self.folder / name).read_bytes())
        bytes_[offset:offset + len(data)] = data
        bytes_[-8:] = struct.pack("<Q", checksum(bytes(bytes_[:-8])))
        (self.folder / name).write_bytes(bytes_)

    def test_a_capture_runs_to_the_answer_of_the_meshes(self):
        self.succeed("capture", "above.obj", "below.obj", "-o", "a.graze", status=1)
        meshes = json.loads(self.succeed("detect", "above.obj", "below.obj", "--json", "-", status=1))
        again = json.loads(self.succeed("detect", "a.graze", "--json", "-", status=1))
        for key in ("vertices", "triangles", "vf", "ee", "toi", "hash", "toi_hash"):
            self.assertEqual(again["steps"][0][key], meshes["steps"][0][key])
        self.assertEqual(again["steps"][0]["vf"], 3)

    def test_the_checksum_is_the_one_described(self):
        self.succeed("capture", "above.obj", "below.obj", "-o", "a.graze", status=1)
        data = (self.folder / "a.graze").read_bytes()
        self.assertEqual(struct.unpack("<Q", data[-8:])[0], checksum(data[:-8]))

    def test_options_are_kept(self):
        self.succeed("capture", "above.obj", "nearer.obj", "-o", "none.graze")
        self.succeed("detect", "none.graze")
        self.succeed("capture", "above.obj", "nearer.obj", "-o", "near.graze", "--thickness", "0.5", status=1)
        self.succeed("detect", "near.graze", "--method", "brute", status=1)
        self.refuse("detect", "near.graze", "--thickness", "0", naming=["near.graze", "thickness"])

    def test_another_answer_is_status_3_and_names_both_hashes(self):
        self.succeed("capture", "above.obj", "below.obj", "-o", "a.graze", status=1)
        found = json.loads(self.succeed("detect", "a.graze", "--json", "-", status=1))["steps"][0]
        for offset, key in ((72, "hash"), (80, "toi_hash")):
            self.succeed("capture", "above.obj", "below.obj", "-o", "a.graze", status=1)
            self.rewrite("a.graze", offset, struct.pack("<Q", 0xABCDEF))
            done = self.run_graze("detect", "a.graze", "--json", "out.json")
            self.assertEqual(done.returncode, 3)
            self.assertRegex(done.stderr, r"\Agraze: a\.graze: [^\n]+\n\Z")
            self.assertIn("0000000000abcdef", done.stderr)
            self.assertIn(found[key], done.stderr)
            self.assertEqual(self.read_json("out.json")["steps"][0][key], found[key])

    def test_first_contact_of_a_capture_needs_no_hash(self):
        self.succeed("capture", "above.obj", "below.obj", "-o", "a.graze", status=1)
        self.assertRegex(self.succeed("detect", "a.graze", "--first", status=1), r" 0\.(49999\d*|50000\d*) ")

    def test_detect_writes_captures_of_a_step_and_of_a_sequence(self):
        self.succeed("detect", "above.obj", "below.obj", "--capture", "a.graze", status=1)
        self.succeed("detect", "a.graze", status=1)
        (self.folder / "run").mkdir()
        for number, height in enumerate((1.0, 0.25, -1.0), 1):
            write_two_triangles(self.folder / "run" / f"frame{number}.obj", height)
        self.succeed("detect", "--frames", "run", "--capture", "captures", status=1)
        self.assertEqual(sorted(file.name for file in (self.folder / "captures").iterdir()),
                         ["step_00000.graze", "step_00001.graze"])
        self.succeed("detect", "captures/step_00000.graze")
        self.succeed("detect", "captures/step_00001.graze", status=1)

    def test_a_capture_of_a_capture_is_the_same_file(self):
        self.succeed("capture", "above.obj", "below.obj", "-o", "a.graze", status=1)
        self.succeed("detect", "a.graze", "--capture", "b.graze", status=1)
        self.assertEqual((self.folder / "a.graze").read_bytes(), (self.folder / "b.graze").read_bytes())

    def test_a_report_of_a_capture_is_written(self):
        self.succeed("capture", "above.obj", "below.obj", "-o", "a.graze", status=1)
        if not HAS_VIEWER:
            self.refuse("detect", "a.graze", "--report", "report.html", naming=["--report", "GRAZE_VIEWER"])
            return
        self.succeed("detect", "a.graze", "--report", "report.html", status=1)
        self.assertIn("a.graze", (self.folder / "report.html").read_text(encoding="utf-8"))

    def test_bad_usage_is_refused(self):
        self.refuse("capture", "above.obj", "below.obj", "-o", "a.ply", naming=["a.ply", ".graze"])
        self.refuse("capture", "above.obj", "none.obj", "-o", "a.graze", naming=["none.obj"])
        self.refuse("capture", "above.obj", "below.obj", "-o", "no/a.graze", naming=["no/a.graze"])
        self.refuse("capture", "above.obj", "below.obj", "-o", "a.graze", "--thickness", "-1", naming=["--thickness"])
        self.refuse("capture", "above.obj", "below.obj", naming=["--output"])
        self.refuse("detect", "above.obj", "below.obj", "--first", "--capture", "a.graze", naming=["--first"])
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["above.obj", "below.obj", "nearer.obj"])

    def test_broken_captures_are_refused(self):
        self.refuse("detect", "none.graze", naming=["none.graze", "no such file"])
        self.succeed("capture", "above.obj", "below.obj", "-o", "a.graze", status=1)
        self.refuse("detect", "a.graze", "--capture", "a.graze", naming=["a.graze", "input"])
        data = (self.folder / "a.graze").read_bytes()
        (self.folder / "a.graze").write_bytes(data[:-20])
        self.refuse("detect", "a.graze", naming=["a.graze", "but the file has"])
        (self.folder / "a.graze").write_bytes(data[:100] + b"x" + data[101:])
        self.refuse("detect", "a.graze", naming=["a.graze", "damaged"])
        (self.folder / "a.graze").write_bytes(b"hello")
        self.refuse("detect", "a.graze", naming=["a.graze", "not a capture"])


if __name__ == "__main__":
    unittest.main()

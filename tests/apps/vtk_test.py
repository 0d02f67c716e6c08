"""--vtk of graze detect, check and proximity: what the files hold, sequences, resumed runs, and targets that are
refused. tests/python/test_vtk.py reads such files with VTK itself."""

import os
import re
import struct
import unittest
import xml.etree.ElementTree

from support import LARGE, SMALL, ProgramTest, write_obj, write_two_triangles

TYPES = {"Float64": "d", "Int32": "i", "Int64": "q", "UInt8": "B", "UInt32": "I"}


class Vtp:
    """The arrays of a .vtp file by section and name, each a list of numbers, or of tuples."""

    def __init__(self, path):
        data = path.read_bytes()
        head, _, rest = data.partition(b'<AppendedData encoding="raw">')
        appended = rest[rest.index(b"_") + 1:]
        root = xml.etree.ElementTree.fromstring(head + b"</VTKFile>")
        assert root.attrib["header_type"] == "UInt64" and root.attrib["byte_order"] == "LittleEndian"
        self.piece = root.find("PolyData/Piece").attrib
        self.sections = {section.tag: section.attrib for section in root.find("PolyData/Piece")}
        self.arrays = {(section.tag, array.attrib["Name"]): self.numbers(array.attrib, appended)
                       for section in root.find("PolyData/Piece") for array in section}

    @staticmethod
    def numbers(array, appended):
        at = int(array["offset"])
        code = TYPES[array["type"]]
        size = struct.unpack_from("<Q", appended, at)[0]
        values = struct.unpack_from(f"<{size // struct.calcsize(code)}{code}", appended, at + 8)
        width = int(array["NumberOfComponents"])
        return list(values) if width == 1 else [values[i:i + width] for i in range(0, len(values), width)]

    def __getitem__(self, key):
        return self.arrays[key]


class VtkTest(ProgramTest):
    def setUp(self):
        super().setUp()
        write_two_triangles(self.folder / "start.obj", 1.0)
        write_two_triangles(self.folder / "end.obj", -1.0)

    def vtp(self, name):
        return Vtp(self.folder / name)

    def files(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))


class Step(VtkTest):
    def test_a_step_is_a_file_of_contacts_and_a_file_of_the_mesh(self):
        self.succeed("detect", "start.obj", "end.obj", "--vtk", "out.vtp", "--contacts", "out.csv", status=1)
        self.assertEqual(self.files(), ["end.obj", "out.csv", "out.vtp", "out_mesh.vtp", "start.obj"])
        contacts = self.vtp("out.vtp")
        rows = [line.split(",") for line in self.read_lines("out.csv")[1:]]
        self.assertEqual(contacts["PointData", "vertices"],
                         [tuple(int(row[i]) for i in (2, 4, 5, 6)) for row in rows])
        self.assertEqual(contacts["PointData", "toi"], [float(row[7]) for row in rows])
        self.assertEqual(contacts["PointData", "toi_hi"], [float(row[8]) for row in rows])
        self.assertEqual(contacts["PointData", "kind"], [0, 0, 0])
        self.assertEqual([abs(n[2]) for n in contacts["PointData", "normal"]], [1.0] * 3)
        for point, (x, y) in zip(contacts["Points", "Points"], SMALL):
            self.assertAlmostEqual(point[0], x)
            self.assertAlmostEqual(point[1], y)
            self.assertAlmostEqual(point[2], 0.0, places=5)
        mesh = self.vtp("out_mesh.vtp")
        self.assertEqual(mesh["Points", "Points"], LARGE + [(x, y, 1.0) for x, y in SMALL])
        self.assertEqual(mesh["PointData", "displacement"], [(0, 0, 0)] * 3 + [(0, 0, -2)] * 3)
        self.assertEqual(mesh["CellData", "contacts"], [3, 3])
        self.assertEqual(mesh["Polys", "connectivity"], [0, 1, 2, 3, 4, 5])

    def test_without_contact_the_files_are_there_and_have_no_rows(self):
        self.succeed("detect", "start.obj", "start.obj", "--vtk", "out.vtp")
        self.assertEqual(self.vtp("out.vtp").piece["NumberOfPoints"], "0")
        self.assertEqual(self.vtp("out.vtp")["PointData", "toi"], [])
        self.assertEqual(self.vtp("out_mesh.vtp")["CellData", "contacts"], [0, 0])

    def test_first_and_thickness(self):
        self.succeed("detect", "start.obj", "end.obj", "--first", "--vtk", "out.vtp", status=1)
        self.assertEqual(len(self.vtp("out.vtp")["PointData", "toi"]), 1)
        self.succeed("detect", "start.obj", "end.obj", "--thickness", "0.5", "--vtk", "out.vtp", status=1)
        self.assertAlmostEqual(min(self.vtp("out.vtp")["PointData", "toi"]), 0.25, places=5)

    def test_a_capture_has_files_as_its_meshes_do(self):
        self.succeed("capture", "start.obj", "end.obj", "-o", "step.graze", status=1)
        self.succeed("detect", "step.graze", "--vtk", "a.vtp", status=1)
        self.succeed("detect", "start.obj", "end.obj", "--vtk", "b.vtp", "--method", "brute", status=1)
        for end in (".vtp", "_mesh.vtp"):
            self.assertEqual((self.folder / f"a{end}").read_bytes(), (self.folder / f"b{end}").read_bytes())

    def test_check_writes_what_triangles_share(self):
        write_obj(self.folder / "m.obj", [(0, 0, 0), (3, 0, 0), (0, 3, 0), (1, 1, -1), (1, 1, 1), (-5, 0.5, 0)],
                  [(0, 1, 2), (3, 4, 5)])
        self.succeed("check", "m.obj", "--vtk", "out.vtp", "--pairs", "out.csv", status=1)
        _, _, shape, *ends = self.read_lines("out.csv")[1].split(",")
        self.assertEqual(shape, "segment")
        file = self.vtp("out.vtp")
        self.assertEqual([x for point in file["Points", "Points"] for x in point], [float(x) for x in ends])
        self.assertEqual((file["Lines", "connectivity"], file["CellData", "shape"]), ([0, 1], [0]))
        self.assertEqual(self.vtp("out_mesh.vtp")["CellData", "contacts"], [1, 1])
        self.succeed("check", "start.obj", "--vtk", "none.vtp")
        self.assertEqual(self.vtp("none.vtp").piece["NumberOfLines"], "0")

    def test_proximity_writes_distances_and_closest_points(self):
        self.succeed("proximity", "start.obj", "--distance", "1", "--vtk", "out.vtp", status=1)
        file = self.vtp("out.vtp")
        self.assertEqual(file["PointData", "distance"], [1.0] * 3)
        self.assertEqual(file["PointData", "point_0"], [(x, y, 1.0) for x, y in SMALL])
        self.assertEqual(file["PointData", "point_1"], [(x, y, 0.0) for x, y in SMALL])
        self.assertEqual(self.vtp("out_mesh.vtp")["CellData", "contacts"], [3, 3])

    def test_bad_targets_are_refused_before_anything_is_written(self):
        step = ["detect", "start.obj", "end.obj"]
        (self.folder / "folder.vtp").mkdir()
        os.link(self.folder / "start.obj", self.folder / "linked.vtp")
        before = self.files()
        self.refuse(*step, "--vtk", "out.pvd", naming=["out.pvd", ".vtp"])
        self.refuse(*step, "--vtk", "-", naming=[".vtp"])
        self.refuse(*step, "--vtk", "out.csv", naming=["out.csv"])
        self.refuse(*step, "--vtk", "missing/out.vtp", naming=["missing"])
        self.refuse(*step, "--vtk", "folder.vtp", naming=["folder.vtp"])
        self.refuse(*step, "--vtk", "linked.vtp", naming=["linked.vtp", "input"])
        self.refuse(*step, "--vtk", "out.vtp", "--json", "out_mesh.vtp", naming=["out_mesh.vtp", "two outputs"])
        for command in (["check"], ["proximity", "--distance", "1"]):
            self.refuse(*command, "start.obj", "--vtk", "out.pvd", naming=["out.pvd", ".vtp"])
            self.refuse(*command, "start.obj", "--vtk", "missing/out.vtp", naming=["missing"])
            self.refuse(*command, "start.obj", "--vtk", "linked.vtp", naming=["linked.vtp", "input"])
        self.assertEqual(self.files(), before)


class Sequence(VtkTest):
    FRAMES = 6

    def setUp(self):
        super().setUp()
        (self.folder / "run").mkdir()
        for frame in range(self.FRAMES):
            write_two_triangles(self.folder / f"run/{frame}.obj", [1.5, 0.5, -0.5, -1.5, -0.5, 0.5][frame])

    def members(self, name):
        """(time, file) of a collection."""
        root = xml.etree.ElementTree.parse(self.folder / name).getroot()
        self.assertEqual(root.attrib["type"], "Collection")
        return [(float(row.attrib["timestep"]), row.attrib["file"]) for row in root.find("Collection")]

    def test_each_step_is_a_member_of_both_collections(self):
        self.succeed("detect", "--frames", "run", "--vtk", "run.pvd", status=1)
        self.assertFalse((self.folder / "run.pvd.partial").exists())
        self.assertEqual(self.members("run.pvd"), [(k, f"run_vtk/step_0000{k}.vtp") for k in range(5)])
        self.assertEqual(self.members("run_mesh.pvd"), [(k, f"run_vtk/step_0000{k}_mesh.vtp") for k in range(5)])
        found = [len(self.vtp(file)["PointData", "toi"]) for _, file in self.members("run.pvd")]
        self.assertEqual(found, [0, 3, 0, 0, 3])
        self.assertEqual(self.vtp("run_vtk/step_00001_mesh.vtp")["PointData", "displacement"][3:], [(0, 0, -1)] * 3)

    def test_an_interrupted_run_resumes_and_ends_with_the_same_files(self):
        command = ["detect", "--frames", "run", "--method", "adaptive"]
        frame = self.folder / "run/4.obj"
        text, stamp = frame.read_text(encoding="ascii"), frame.stat().st_mtime_ns
        self.succeed(*command, "--vtk", "whole.pvd", status=1)
        for options in ([], ["--json", "cut.json"], ["--contacts", "cut.csv"]):
            frame.write_text(re.sub("10", "x0", text, count=1), encoding="ascii")
            os.utime(frame, ns=(stamp, stamp))  # the journal knows frames by size and time
            self.refuse_in_the_middle(*command, "--vtk", "cut.pvd", *options)
            self.assertFalse((self.folder / "cut.pvd").exists())
            (self.folder / "cut_vtk/step_00001.vtp").unlink()
            (self.folder / "cut_vtk/step_00002_mesh.vtp").unlink()
            frame.write_text(text, encoding="ascii")
            os.utime(frame, ns=(stamp, stamp))
            done = self.run_graze(*command, "--vtk", "cut.pvd", *options)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("after 3 of 5 steps", done.stderr)
            self.assert_same_files()
            for path in [*(self.folder / "cut_vtk").iterdir(), *self.folder.glob("cut*.pvd")]:
                path.unlink()

    def refuse_in_the_middle(self, *arguments):
        done = self.run_graze(*arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("4.obj", done.stderr)

    def assert_same_files(self):
        for end in (".pvd", "_mesh.pvd"):
            cut, whole = ((self.folder / f"{name}{end}").read_text(encoding="utf-8") for name in ("cut", "whole"))
            self.assertEqual(cut.replace("cut_vtk", "whole_vtk"), whole)
        names = sorted(path.name for path in (self.folder / "whole_vtk").iterdir())
        self.assertEqual(names, sorted(path.name for path in (self.folder / "cut_vtk").iterdir()))
        for name in names:
            self.assertEqual((self.folder / "cut_vtk" / name).read_bytes(),
                             (self.folder / "whole_vtk" / name).read_bytes())

    def test_a_journal_of_a_run_with_another_target_is_refused(self):
        (self.folder / "run/4.obj").write_text("v 0 0\n", encoding="ascii")
        self.refuse_in_the_middle("detect", "--frames", "run", "--json", "a.json", "--vtk", "a.pvd")
        self.refuse("detect", "--frames", "run", "--json", "a.json", "--vtk", "b.pvd", naming=["a.json.partial"])
        self.refuse("detect", "--frames", "run", "--json", "a.json", naming=["a.json.partial"])

    def test_triangles_may_change(self):
        (self.folder / "tear").mkdir()
        write_two_triangles(self.folder / "tear/0.obj", 1.0)
        write_obj(self.folder / "tear/1.obj", LARGE + [(x, y, -1.0) for x, y in SMALL] + [(0, -1, -1)],
                  [(0, 1, 2), (3, 6, 5), (6, 4, 5)])
        write_two_triangles(self.folder / "tear/2.obj", 1.0)
        self.succeed("detect", "--frames", "tear", "--vtk", "tear.pvd", status=1)
        meshes = [self.vtp(file) for _, file in self.members("tear_mesh.pvd")]
        self.assertEqual([mesh.piece["NumberOfPoints"] for mesh in meshes], ["7", "6"])
        self.assertEqual([mesh.piece["NumberOfPolys"] for mesh in meshes], ["3", "2"])
        for _, file in self.members("tear.pvd"):
            contacts = self.vtp(file)
            self.assertEqual(len(contacts["PointData", "toi"]), len(contacts["Verts", "offsets"]))

    def test_bad_targets_of_a_sequence_are_refused(self):
        (self.folder / "taken_vtk").write_text("a file", encoding="ascii")
        before = self.files()
        self.refuse("detect", "--frames", "run", "--vtk", "out.vtp", naming=["out.vtp", ".pvd"])
        self.refuse("detect", "--frames", "run", "--vtk", "missing/out.pvd", naming=["missing"])
        self.refuse("detect", "--frames", "run", "--vtk", "taken.pvd", naming=["taken_vtk"])
        self.refuse("detect", "--frames", "run", "--vtk", "out.pvd", "--report", "out_mesh.pvd",
                    naming=["out_mesh.pvd", "two outputs"])
        self.assertEqual(self.files(), before)


if __name__ == "__main__":
    unittest.main()

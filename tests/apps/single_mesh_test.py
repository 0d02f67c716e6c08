"""graze check and graze proximity: one mesh, one instant."""

import json
import unittest

from support import LARGE, TWO_TRIANGLES, ProgramTest, write_obj, write_two_triangles


class Check(ProgramTest):
    def setUp(self):
        super().setUp()
        write_two_triangles(self.folder / "apart.obj", 1.0)
        # The second triangle penetrates the first: two of its edges pass through the face.
        write_obj(self.folder / "stuck.obj", LARGE + [(-1, 0, 1), (1, 0, 1), (0, 0, -1)], TWO_TRIANGLES)

    def test_a_clean_mesh_is_status_0(self):
        document = json.loads(self.succeed("check", "apart.obj", "--json", "-"))
        self.assertEqual((document["edge_face"], document["triangle_pairs"]), (0, 0))

    def test_intersections_are_status_1_counted_and_written(self):
        text = self.succeed("check", "stuck.obj", "--json", "out.json", "--contacts", "out.csv", status=1)
        self.assertEqual(text.splitlines()[1].split()[:4], ["6", "2", "2", "1"])
        document = self.read_json("out.json")
        self.assertEqual(list(document), ["graze", "method", "threads", "vertices", "triangles", "edge_face",
                                          "triangle_pairs", "adjacent_pairs", "ms", "counters", "memory_bytes"])
        self.assertEqual((document["edge_face"], document["triangle_pairs"]), (2, 1))
        self.assertEqual(self.read_lines("out.csv"), ["kind,a0,a1,b0,b1,b2", "ef,3,5,0,1,2", "ef,4,5,0,1,2"])

    def test_triangles_of_an_edge_that_are_folded_flat_are_counted_unless_left_out(self):
        write_obj(self.folder / "folded.obj", [(0, 0, 0), (2, 0, 0), (0, 1, 0), (1, 1, 0)], [(0, 1, 2), (1, 0, 3)])
        text = self.succeed("check", "folded.obj", "--json", "out.json", "--pairs", "out.csv", status=1)
        self.assertEqual(text.splitlines()[1].split()[:5], ["4", "2", "0", "1", "1"])
        self.assertEqual(self.read_json("out.json")["adjacent_pairs"], 1)
        self.assertEqual(self.read_lines("out.csv"), ["a,b,shape,px,py,pz,qx,qy,qz", "0,1,area,0,0,0,2,0,0"])
        self.succeed("check", "folded.obj", "--no-adjacent")

    def test_pairs_have_the_shape_of_what_they_share(self):
        self.succeed("check", "stuck.obj", "--pairs", "out.csv", status=1)
        self.assertEqual(self.read_lines("out.csv")[1], "0,1,segment,-0.5,0,0,0.5,0,0")

    def test_a_missing_mesh_is_refused(self):
        self.refuse("check", "missing.ply", naming=["missing.ply"])

    def test_outputs_of_one_name_are_refused(self):
        self.refuse("check", "stuck.obj", "--contacts", "out.csv", "--pairs", "out.csv", naming=["out.csv"])


class Proximity(ProgramTest):
    def setUp(self):
        super().setUp()
        write_two_triangles(self.folder / "near.obj", 0.5)

    def test_pairs_at_exactly_the_distance_count(self):
        text = self.succeed("proximity", "near.obj", "--distance", "0.5", "--json", "out.json", "--contacts", "out.csv",
                            status=1)
        self.assertEqual(text.splitlines()[1].split()[:5], ["6", "2", "3", "0", "0.5"])
        document = self.read_json("out.json")
        self.assertEqual((document["distance"], document["vf"], document["ee"], document["nearest"]), (0.5, 3, 0, 0.5))
        rows = [line.split(",") for line in self.read_lines("out.csv")]
        self.assertEqual(rows[0], "kind,a0,a1,b0,b1,b2,distance,px,py,pz,qx,qy,qz,nx,ny,nz".split(","))
        self.assertEqual([row[:7] for row in rows[1:]],
                         [["vf", vertex, "-", "0", "1", "2", "0.5"] for vertex in ("3", "4", "5")])
        for row in rows[1:]:
            p, q, normal = ([float(x) for x in row[i:i + 3]] for i in (7, 10, 13))
            self.assertEqual((p[:2], p[2] - q[2]), (q[:2], 0.5))
            for component, known in zip(normal, [0, 0, 1]):
                self.assertAlmostEqual(component, known, delta=1e-30)

    def test_nothing_nearer_is_status_0(self):
        document = json.loads(self.succeed("proximity", "near.obj", "--distance", "0.49", "--json", "-"))
        self.assertEqual((document["vf"], document["ee"], document["nearest"]), (0, 0, None))


class Info(ProgramTest):
    def test_counts_are_those_of_the_contract(self):
        # A tetrahedron and a triangle separated from it.
        write_obj(self.folder / "m.obj", [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (5, 5, 5), (6, 5, 5), (5, 6, 5)],
                  [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3), (4, 5, 6)])
        document = json.loads(self.succeed("info", "m.obj", "--json", "-"))
        self.assertEqual(document, {"vertices": 7, "edges": 9, "triangles": 5, "components": 2, "boundary_edges": 3,
                                    "nonmanifold_edges": 0, "adjacent_pairs": {"vertex": 0, "edge": 6},
                                    "orphans": {"vf": 4, "ee": 3}})
        text = self.succeed("info", "m.obj")
        self.assertRegex(text, r"\nboundary edges +3\n")


if __name__ == "__main__":
    unittest.main()

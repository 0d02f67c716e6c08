"""graze queries: the confusion table, its JSON, and the kinds."""

import json
import unittest

from support import ProgramTest

FACE = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]


def rows(points, truth):
    return "".join(",".join(f"{coordinate},1" for coordinate in point) + f",{truth}\n" for point in points)


def vertex_face(x, y, truth):
    """A vertex that falls from z = 1 to z = -1 at (x, y), and a static face."""
    return rows([(x, y, 1)] + FACE + [(x, y, -1)] + FACE, truth)


class Queries(ProgramTest):
    def write(self, name, *queries):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(queries), encoding="ascii")

    def test_right_verdicts_are_status_0(self):
        self.write("set/vertex-face/a.csv", vertex_face(1, 1, 1), vertex_face(9, 9, 0), vertex_face(2, 2, 1))
        lines = self.succeed("queries", "set").splitlines()
        self.assertEqual(lines[0].split(), ["file", "kind", "queries", "tp", "tn", "fn", "fp"])
        self.assertEqual(lines[1].split()[1:], ["vf", "3", "2", "1", "0", "0"])
        self.assertEqual(lines[3].split(), ["total", "3", "2", "1", "0", "0"])
        text = "\n".join(lines)
        for word in ("ns/query", "median", "mean", "p99", "max", "best of 5", "first call", "filter", "interval", "exact"):
            self.assertIn(word, text)

    def test_json_has_the_keys_of_the_contract(self):
        self.write("vertex-face/a.csv", vertex_face(1, 1, 1), vertex_face(9, 9, 0))
        document = json.loads(self.succeed("queries", "vertex-face/a.csv", "--repeat", "2", "--json", "-"))
        self.assertEqual(document["files"], [{"file": "vertex-face/a.csv", "kind": "vf", "queries": 2, "positives": 1,
                                              "fn": 0, "fp": 0}])
        total = document["total"]
        self.assertEqual(list(total), ["queries", "positives", "fn", "fp", "median_ns", "mean_ns", "p99_ns", "max_ns",
                                       "tiers"])
        self.assertEqual(list(total["tiers"]), ["filter", "interval", "exact"])
        self.assertEqual(sum(total["tiers"].values()), 2)
        self.assertLessEqual(total["median_ns"], total["max_ns"])
        self.assertGreater(total["mean_ns"], 0)

    def test_wrong_verdicts_are_counted_by_file_and_status_1(self):
        self.write("s/vertex-face/a.csv", vertex_face(1, 1, 0), vertex_face(9, 9, 1), vertex_face(8, 8, 1))
        self.write("s/vertex-face/b.csv", vertex_face(1, 1, 1))
        document = json.loads(self.succeed("queries", "s", "--json", "-", status=1))
        self.assertEqual([(entry["fn"], entry["fp"]) for entry in document["files"]], [(2, 1), (0, 0)])
        self.assertEqual((document["total"]["fn"], document["total"]["fp"]), (2, 1))

    def test_kind_is_needed_where_the_folder_does_not_say_it(self):
        self.write("plain/a.csv", vertex_face(1, 1, 1))
        self.refuse("queries", "plain/a.csv", naming=["plain"])
        self.succeed("queries", "plain/a.csv", "--kind", "vf")
        self.refuse("queries", "plain/a.csv", "--kind", "ff", naming=["ff"])

    def test_edge_edge_queries_are_edges(self):
        still = [(-1, 0, 0), (1, 0, 0)]
        crossing = rows(still + [(0, -1, 1), (0, 1, 1)] + still + [(0, -1, -1), (0, 1, -1)], 1)
        self.write("edge-edge/a.csv", crossing)
        self.succeed("queries", "edge-edge")

    def test_broken_files_are_refused(self):
        self.refuse("queries", "missing.csv", "--kind", "vf", naming=["missing.csv"])
        (self.folder / "empty").mkdir()
        self.refuse("queries", "empty", naming=["empty"])
        self.refuse("queries", "empty", "--repeat", "0", naming=["--repeat"])


if __name__ == "__main__":
    unittest.main()

"""graze bench: rows side by side with checked answers, on scenes of the catalogue and on files."""

import json
import signal
import subprocess
import time
import unittest

from support import HAS_VIEWER, GRAZE, ProgramTest, write_obj, write_two_triangles

ROW = ["scene", "method", "query", "threads", "vf", "ee", "hash", "median_ms", "min_ms", "bytes_per_triangle", "cpu_ms",
       "later_cpu_ms", "ms", "funnel"]


class Bench(ProgramTest):
    def bench(self, *arguments):
        return json.loads(self.succeed("bench", "--runs", "2", "--json", "-", *arguments))

    def test_every_method_gives_the_same_row_on_a_catalogue_scene(self):
        document = self.bench("--scene", "crossing-sheets", "--size", "300", "--threads", "1,2")
        self.assertEqual(list(document)[0], "machine")
        self.assertGreaterEqual(document["machine"]["cores"], 1)
        rows = document["rows"]
        for row in rows:
            self.assertEqual(list(row), ROW)
            self.assertGreater(row["vf"], 0)
            self.assertGreater(row["bytes_per_triangle"], 0)
            self.assertGreaterEqual(row["median_ms"], row["min_ms"])
            self.assertGreater(row["min_ms"], 0)
            self.assertGreater(row["cpu_ms"], 0)
            self.assertEqual(row["later_cpu_ms"], row["cpu_ms"])  # a single step has no later steps
            self.assertEqual(list(row["ms"]), ["update", "traverse", "narrow", "total"])
            self.assertEqual(row["funnel"]["contacts"], row["vf"] + row["ee"])
        self.assertEqual(len({(row["vf"], row["ee"], row["hash"]) for row in rows}), 1)
        listed = json.loads(self.succeed("methods", "--json", "-"))["methods"]
        self.assertEqual([(row["threads"], row["method"]) for row in rows],
                         [(threads, method["name"]) for threads in (1, 2) for method in listed])
        self.assertEqual(document["scenes"][0]["steps"], 1)

    def test_queries_are_rows_of_their_own_and_agree_between_methods(self):
        queries = ["impacts", "first", "safe-step", "thickness", "intersections", "proximities"]
        document = self.bench("--scene", "crossing-sheets", "--size", "300", "--method", "auto,r-tri,hash", "--threads", "1",
                              "--query", ",".join(queries), "--thickness", "1e-3", "--distance", "1e-2")
        rows = document["rows"]
        self.assertEqual([row["query"] for row in rows], 3 * queries)
        for query in queries:
            same = [row for row in rows if row["query"] == query]
            self.assertEqual(len({row["hash"] for row in same}), 1, query)
            self.assertEqual("triangle_pairs" in same[0], query == "intersections")
            self.assertEqual(same[0]["vf"] is None, query in ["first", "safe-step", "intersections"])
        by_query = {row["query"]: row for row in rows}
        self.assertGreaterEqual(by_query["thickness"]["vf"], by_query["impacts"]["vf"])

    def test_queries_without_what_they_need_are_refused(self):
        self.refuse("bench", "--query", "nonsense", naming=["nonsense", "proximities"])
        self.refuse("bench", "--query", "thickness", naming=["--thickness"])
        self.refuse("bench", "--query", "proximities", naming=["--distance"])
        self.refuse("bench", "--distance", "1", naming=["--query proximities"])
        self.refuse("bench", "--first", "--query", "impacts", naming=["--first"])
        self.refuse("bench", "--query", "impacts,first", "--report", "r.html", naming=["--report"])

    def test_one_step_has_the_counts_and_the_hash_of_detect(self):
        for name, height in (("1.obj", 1), ("2.obj", -1)):
            (self.folder / "run").mkdir(exist_ok=True)
            write_two_triangles(self.folder / "run" / name, height)
        detected = json.loads(self.succeed("detect", "--frames", "run", "--json", "-", status=1))["steps"][0]
        row, = self.bench("--scene", "run/", "--method", "r-tri")["rows"]
        self.assertEqual((row["scene"], row["vf"], row["ee"], row["hash"]), ("run/", 3, 0, detected["hash"]))

    def test_steps_add_up_and_frames_limits_them(self):
        (self.folder / "run").mkdir()
        for k, height in enumerate((1, -1, 1, -1)):
            write_two_triangles(self.folder / "run" / f"{k}.obj", height)
        row, = self.bench("--scene", "run", "--method", "basic")["rows"]
        self.assertEqual(row["vf"], 9)
        fewer = self.bench("--scene", "run/*.obj", "--method", "basic", "--frames", "3")
        self.assertEqual(fewer["rows"][0]["vf"], 6)
        self.assertEqual(fewer["scenes"], [{"scene": "run/*.obj", "vertices": 6, "triangles": 2, "steps": 2}])
        self.assertNotEqual(fewer["rows"][0]["hash"], row["hash"])

    def test_scenes_and_methods_are_lists_and_the_table_has_a_line_for_each(self):
        lines = self.succeed("bench", "--scene", "crossing-sheets,flying-balls", "--scene", "draped-ball", "--size", "200",
                             "--frames", "2", "--method", "r-tri,no-dupl", "--runs", "1", "--threads", "1").splitlines()
        self.assertEqual(lines[0].split()[:6], ["scene", "method", "query", "threads", "vf", "ee"])
        self.assertEqual([line.split()[:2] for line in lines[1:]],
                         [[scene, method] for scene in ("crossing-sheets", "flying-balls", "draped-ball")
                          for method in ("r-tri", "no-dupl")])

    def test_brute_runs_by_default_only_where_the_scene_is_small(self):
        rows = self.bench("--scene", "crossing-sheets", "--size", "6000")["rows"]
        self.assertNotIn("brute", [row["method"] for row in rows])
        self.assertIn("basic", [row["method"] for row in rows])

    def test_choices_within_the_methods_change_no_answer(self):
        scene = ["--scene", "draped-ball", "--size", "300", "--frames", "4", "--method", "r-tri"]
        plain, = self.bench(*scene)["rows"]
        other, = self.bench(*scene, "--volume", "kdop26", "--builder", "lbvh", "--edge-bounds", "computed")["rows"]
        self.assertEqual(other["hash"], plain["hash"])
        self.assertNotEqual(other["bytes_per_triangle"], plain["bytes_per_triangle"])
        self.refuse("bench", "--volume", "ball", naming=["ball"])

    def test_first_has_no_counts_but_agrees(self):
        rows = self.bench("--scene", "crossing-sheets", "--size", "300", "--first")["rows"]
        self.assertTrue(all(row["vf"] is None and row["ee"] is None for row in rows))
        self.assertEqual(len({row["hash"] for row in rows}), 1)

    def test_a_peer_is_a_row_without_hash_or_a_line_that_says_how_to_get_it(self):
        arguments = ["bench", "--scene", "crossing-sheets", "--size", "300", "--method", "r-tri,peer:embree", "--runs", "1",
                     "--json", "out.json"]
        done = self.run_graze(*arguments)
        if done.returncode == 0:
            ours, peer = self.read_json("out.json")["rows"]
            self.assertEqual((peer["method"], peer["hash"]), ("peer:embree", None))
            self.assertGreater(peer["vf"], ours["vf"])
        else:
            self.refuse(*arguments, naming=["peer:embree", "GRAZE_PEERS"])
            self.assertFalse((self.folder / "out.json").exists())

    def test_a_report_holds_the_rows(self):
        arguments = ["bench", "--scene", "crossing-sheets", "--size", "200", "--method", "r-tri,brute", "--runs", "1",
                     "--report", "bench.html"]
        if not HAS_VIEWER:
            self.refuse(*arguments, naming=["--report", "GRAZE_VIEWER"])
            return
        self.assertEqual(self.run_graze(*arguments).returncode, 0)
        page = (self.folder / "bench.html").read_text(encoding="utf-8")
        for word in ['"crossing-sheets"', '"r-tri"', '"brute"', '"median_ms"']:
            self.assertIn(word, page)
        self.refuse("bench", "--report", "-", naming=["--json"])

    def test_what_is_refused(self):
        write_obj(self.folder / "one.obj", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
        self.refuse("bench", "--scene", "nowhere", naming=["nowhere", "draped-ball"])
        self.refuse("bench", "--scene", "one.obj", naming=["one.obj"])
        self.refuse("bench", "--method", "magic", naming=["magic", "r-tri"])
        self.refuse("bench", "--method", "peer:magic", naming=["peer:magic", "peer:embree"])
        self.refuse("bench", "--threads", "many", naming=["--threads"])
        self.refuse("bench", "--runs", "0", naming=["--runs"])
        self.refuse("bench", "--scene", "draped-ball", "--frames", "1", naming=["--frames"])
        self.refuse("bench", "--json", "none/out.json", naming=["none"])

    def test_an_interrupt_stops_it_with_one_line(self):
        program = subprocess.Popen([GRAZE, "bench", "--scene", "draped-ball", "--method", "r-tri", "--runs", "100000"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        program.send_signal(signal.SIGINT)
        out, error = program.communicate(timeout=60)
        self.assertEqual((program.returncode, out, error), (3, "", "graze: interrupted\n"))

    def test_micro_measures_the_filter(self):
        document = json.loads(self.succeed("bench", "--micro", "--pairs", "1000", "--json", "-"))
        self.assertEqual({row["kind"] for row in document["micro"]}, {"vf", "ee"})


if __name__ == "__main__":
    unittest.main()

"""--device: the answers of the host on a GPU, an emulated one here; without a GPU one line that says why."""

import json
import os
import unittest

from support import ProgramTest, write_two_triangles

EMULATED = os.environ.get("GRAZE_EMULATED_GPU", "OFF") == "ON"


class DeviceTest(ProgramTest):
    def setUp(self):
        super().setUp()
        write_two_triangles(self.folder / "a.obj", 1)
        write_two_triangles(self.folder / "b.obj", -1)

    def answer(self, *arguments):
        """The JSON document of a step with contacts."""
        return json.loads(self.succeed("detect", "a.obj", "b.obj", "--json", "-", *arguments, status=1))


class AnyDevice(DeviceTest):
    def test_other_names_and_methods_are_refused(self):
        self.refuse("detect", "a.obj", "b.obj", "--device", "gpu", naming=["gpu", "cuda", "auto"])
        self.refuse("detect", "a.obj", "b.obj", "--device", "cuda", "--method", "r-tri", naming=["r-tri", "cuda"])
        self.refuse("bench", "--device", "gpu", naming=["gpu", "cuda"])

    def test_auto_runs_everywhere_and_with_every_method(self):
        expected = self.answer()
        for method in ["auto", "r-tri", "hash"]:
            actual = self.answer("--device", "auto", "--method", method)
            self.assertEqual(actual["steps"][0]["toi_hash"], expected["steps"][0]["toi_hash"])

    @unittest.skipIf(EMULATED, "there is an emulated GPU")
    def test_a_missing_gpu_is_one_line(self):
        done = self.run_graze("detect", "a.obj", "b.obj", "--device", "cuda")
        if done.returncode == 1:
            self.skipTest("there is a GPU")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"\Agraze: device cuda: [^\n]+\n\Z")
        self.assertEqual(done.stdout, "")


@unittest.skipUnless(EMULATED, "this program has no emulated GPU")
class EmulatedGpu(DeviceTest):
    def test_detect_has_the_answers_of_the_host(self):
        for options in [[], ["--thickness", "0.1"], ["--first"]]:
            expected = self.answer(*options)["steps"][0]
            actual = self.answer("--device", "cuda", *options)["steps"][0]
            for key in ["vf", "ee", "toi", "hash", "toi_hash"]:
                self.assertEqual(actual[key], expected[key], key)
            self.assertGreater(actual["device_bytes"], 0)
            self.assertGreaterEqual(actual["memory_bytes"], actual["device_bytes"])
            self.assertNotIn("device_bytes", expected)

    def test_stats_show_the_memory_of_the_gpu(self):
        table = self.succeed("detect", "a.obj", "b.obj", "--device", "cuda", "--stats", status=1)
        self.assertIn("on GPU", table)
        self.assertNotIn("on GPU", self.succeed("detect", "a.obj", "b.obj", "--stats", status=1))

    def test_sequences_are_the_same_with_edits(self):
        rows = []
        self.succeed("scene", "breaking", "--size", "200", "--frames", "5", "-o", "frames")
        for device in ["cpu", "cuda"]:
            done = self.run_graze("detect", "--frames", "frames", "--device", device, "--json", "-")
            self.assertIn(done.returncode, [0, 1], done.stderr)
            rows.append([(step["vf"], step["ee"], step["toi_hash"]) for step in json.loads(done.stdout)["steps"]])
        self.assertEqual(rows[0], rows[1])

    def test_bench_has_rows_of_both(self):
        document = json.loads(self.succeed("bench", "--scene", "crossing-sheets", "--size", "300", "--runs", "1",
                                           "--device", "cpu,cuda", "--method", "auto,r-tri", "--json", "-"))
        rows = document["rows"]
        self.assertEqual([row["method"] for row in rows], ["auto", "auto:cuda", "r-tri"])
        self.assertEqual(len({row["hash"] for row in rows}), 1)


if __name__ == "__main__":
    unittest.main()

"""graze scene: lists scenes, writes frames, and resumes after an interruption with the same bytes."""

import json
import signal
import subprocess
import time
import unittest

from support import GRAZE, ProgramTest


class Scene(ProgramTest):
    def contents(self, folder):
        return {path.name: path.read_bytes() for path in sorted((self.folder / folder).iterdir())}

    def test_the_list_has_a_line_a_scene(self):
        lines = self.succeed("scene", "--list").splitlines()
        names = [line.split()[0] for line in lines[1:]]
        for name in ("cloth-ball", "skirt", "breaking", "crossing-sheets"):
            self.assertIn(name, names)
        document = json.loads(self.succeed("scene", "--list", "--json", "-"))
        self.assertEqual([scene["name"] for scene in document["scenes"]], names)
        ball = document["scenes"][names.index("cloth-ball")]
        self.assertTrue(ball["simulated"])
        self.assertFalse(ball["breaks"])
        self.assertGreater(ball["triangles"], 0)

    def test_frames_are_meshes_without_intersections_that_detect_reads(self):
        document = json.loads(self.succeed("scene", "cloth-ball", "-o", "run", "--size", "300", "--frames", "8",
                                           "--json", "-"))
        self.assertEqual(document["frames"], 8)
        self.assertEqual(document["scene"], "cloth-ball")
        names = [name for name in self.contents("run") if name.startswith("frame_")]
        self.assertEqual(names, ["frame_%04d.ply" % frame for frame in range(8)])
        for name in names:
            self.succeed("check", "run/" + name)
        steps = self.run_graze("detect", "--frames", "run", "--json", "steps.json")
        self.assertIn(steps.returncode, (0, 1), steps.stderr)
        self.assertEqual(len(self.read_json("steps.json")["steps"]), 7)

    def test_more_frames_are_added_and_are_the_same_as_in_one_go_with_any_threads(self):
        self.succeed("scene", "cloth-ball", "-o", "once", "--size", "300", "--frames", "8")
        self.succeed("scene", "cloth-ball", "-o", "twice", "--size", "300", "--frames", "3", "--threads", "1")
        done = self.run_graze("scene", "cloth-ball", "-o", "twice", "--size", "300", "--frames", "8", "--threads", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3 frames were there", done.stderr)
        self.assertEqual(self.contents("once"), self.contents("twice"))

    def test_an_interrupted_run_goes_on(self):
        arguments = ["scene", "cloth-ball", "-o", "run", "--size", "3000", "--frames", "12"]
        with subprocess.Popen([GRAZE, *arguments], cwd=self.folder, stderr=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) as running:
            deadline = time.monotonic() + 60
            while not (self.folder / "run" / "frame_0002.ply").exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            running.send_signal(signal.SIGINT)
            _, complaint = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 3)
        self.assertRegex(complaint, r"\Agraze: interrupted; run the same command again to continue after frame \d+\n\Z")
        self.succeed(*arguments)
        self.succeed("scene", "cloth-ball", "-o", "whole", "--size", "3000", "--frames", "12")
        self.assertEqual(self.contents("run"), self.contents("whole"))

    def test_a_missing_frame_or_a_broken_state_is_noticed(self):
        arguments = ["scene", "cloth-ball", "-o", "run", "--size", "300", "--frames", "4"]
        self.succeed(*arguments)
        before = self.contents("run")
        (self.folder / "run" / "frame_0001.ply").unlink()
        self.succeed(*arguments)
        self.assertEqual(self.contents("run"), before)
        state = self.folder / "run" / "state.bin"
        state.write_bytes(state.read_bytes()[:-5])
        self.refuse(*arguments, naming=["state.bin"])

    def test_breaking_scenes_say_when_their_triangles_change(self):
        self.succeed("scene", "letters", "-o", "run", "--size", "1400", "--frames", "30")
        changes = self.read_json("run/topology.json")["changes"]
        self.assertTrue(changes)
        for change in changes:
            before = json.loads(self.succeed("info", "run/frame_%04d.ply" % change["frame"], "--json", "-"))
            after = json.loads(self.succeed("info", "run/frame_%04d.ply" % (change["frame"] + 1), "--json", "-"))
            self.assertEqual(before["vertices"], change["first_new_vertex"])
            self.assertEqual(after["vertices"], before["vertices"] + len(change["parents"]))
            self.assertEqual(after["triangles"], before["triangles"])
            self.assertTrue(all(0 <= parent < after["vertices"] for parent in change["parents"]))

    def test_a_point_cache_is_read_back(self):
        arguments = ["scene", "cloth-ball", "-o", "run", "--size", "300", "--frames", "4", "--format", "pc2"]
        self.succeed(*arguments)
        self.assertEqual(sorted(self.contents("run")), ["cache.pc2", "mesh.ply", "scene.json", "state.bin"])
        before = self.contents("run")
        self.succeed(*arguments)
        self.assertEqual(self.contents("run"), before)
        done = self.run_graze("detect", "--frames", "run/cache.pc2", "--mesh", "run/mesh.ply", "--json", "steps.json")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual(len(self.read_json("steps.json")["steps"]), 3)

    def test_what_makes_no_scene_is_refused(self):
        self.refuse("scene", "no-such", "-o", "run", naming=["no-such", "cloth-ball"])
        self.refuse("scene", "-o", "run", naming=["--list"])
        self.refuse("scene", "cloth-ball", naming=["-o"])
        self.refuse("scene", "cloth-ball", "-o", "run", "--frames", "1", naming=["--frames"])
        self.refuse("scene", "cloth-ball", "-o", "run", "--format", "abc", naming=["abc"])
        self.refuse("scene", "breaking", "-o", "run", "--format", "pc2", naming=["breaking", "ply"])
        self.assertFalse((self.folder / "run").exists())

    def test_a_folder_with_another_scene_is_left_alone(self):
        self.succeed("scene", "crossing-sheets", "-o", "run")
        before = self.contents("run")
        self.refuse("scene", "crossing-sheets", "-o", "run", "--seed", "2", naming=["run"])
        self.assertEqual(self.contents("run"), before)
        (self.folder / "file").write_text("x")
        self.refuse("scene", "crossing-sheets", "-o", "file", naming=["file"])


if __name__ == "__main__":
    unittest.main()

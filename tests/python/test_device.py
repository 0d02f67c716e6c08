"""Devices: detectors on a GPU, arrays in GPU memory as arguments and as results, and refusals where there is no GPU.

Without a GPU the refusals are tested. On a GPU (graze.why_no_cuda() is empty) every array library that is installed is
tested; on the emulated GPU (GRAZE_EMULATED_GPU=ON), arrays of numpy that say they are in GPU memory (gpu_arrays.py).
Answers are compared with those of the CPU, bit for bit. Runs with pytest, and without: python3 test_device.py
"""

from __future__ import annotations

import ctypes
import gc
import os
import threading
import unittest
import weakref
from typing import Any

import numpy as np

import graze
from gpu_arrays import (
    USED_NAME,
    CapsuleArray,
    Capsules,
    Cupy,
    CupyInterface,
    Interface,
    InterfaceArray,
    InterfaceOnly,
    Jax,
    Library,
    TakenTensor,
    Torch,
    TorchInterface,
    name_of,
    read_capsule,
    read_interface,
    set_name,
)
from meshes import TWO_FACES, grid, refused, run_python, soup, sphere, two_bodies, two_triangles

EMULATED = os.environ.get("GRAZE_EMULATED_GPU", "OFF") == "ON"
WHY_NOT = graze.why_no_cuda()
ON_GPU = not WHY_NOT and not EMULATED

on_any_gpu = unittest.skipIf(WHY_NOT, f"device cuda: {WHY_NOT}")
on_real_gpu = unittest.skipUnless(ON_GPU, WHY_NOT or "the GPU is emulated")
on_emulated_gpu = unittest.skipUnless(EMULATED, "this package has no emulated GPU")
without_gpu = unittest.skipUnless(WHY_NOT, "there is a GPU")

COLUMNS = ["kind", "vertices", "toi", "toi_hi", "weights", "normal", "side", "remembered_side"]


def scene_of(faces: np.ndarray, x: np.ndarray) -> graze.Scene:
    scene = graze.Scene()
    scene.add_body(x, faces)
    return scene


def ball_and_cloth(rings: int = 6, side: int = 8) -> tuple[graze.Scene, np.ndarray, np.ndarray]:
    """A ball that falls through a cloth: a scene, and positions at both ends of the step."""
    cloth, cloth_faces = grid(side)
    ball, ball_faces = sphere(rings, 1.5, (side / 2 - 0.4, side / 2 - 0.3, 2.0))
    scene = graze.Scene()
    scene.add_body(cloth, cloth_faces, name="cloth", static=True)
    scene.add_body(ball, ball_faces, name="ball")
    x_t1 = scene.positions.copy()
    x_t1[scene.vertices("ball"), 2] -= 3.3
    return scene, scene.positions.copy(), x_t1


def cases() -> list[tuple[graze.Scene, np.ndarray, np.ndarray, dict[str, Any]]]:
    """Scenes, positions at both ends of a step, and options of detectors."""
    faces, a, b = soup(np.random.default_rng(7), 40, 50, lattice=True)
    touching = scene_of(faces, a)
    crossed, c, d = soup(np.random.default_rng(8), 60, 50)
    return [
        (two_bodies(), two_triangles(1.0), two_triangles(-1.0), {}),
        (*ball_and_cloth(), {}),
        (*ball_and_cloth(), {"thickness": 0.05, "tolerance": 1e-3}),
        (touching, a, b, {}),
        (scene_of(crossed, c), c, d, {"thickness": 0.01}),
        (scene_of(crossed, c), c, c, {}),
    ]


def same_bits(a: Any, b: Any) -> bool:
    """Whether two arrays have the same type, shape and bytes."""
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


class Comparisons(unittest.TestCase):
    def equal_columns(self, actual: Any, expected: Any, names: list[str]) -> None:
        self.assertEqual(len(actual), len(expected))
        for name in names:
            self.assertTrue(same_bits(getattr(actual, name), getattr(expected, name)), name)

    def equal_impacts(self, actual: graze.Impacts, expected: graze.Impacts) -> None:
        """Whether results on the host are equal in everything but their statistics."""
        self.assertIsInstance(actual, graze.Impacts)
        self.equal_columns(actual, expected, [*COLUMNS, "point", "body", "triangle"])
        self.assertEqual((actual.hash(), actual.toi_hash()), (expected.hash(), expected.toi_hash()))
        self.assertEqual((actual.vf_count, actual.ee_count), (expected.vf_count, expected.ee_count))
        self.assertEqual((actual.thickness, actual.tolerance), (expected.thickness, expected.tolerance))
        self.assertTrue(same_bits(actual.x_t0, expected.x_t0) and same_bits(actual.x_t1, expected.x_t1))

    def equal_impact(self, actual: graze.Impact | None, expected: graze.Impact | None) -> None:
        self.assertEqual(actual is None, expected is None)
        if actual is None or expected is None:
            return
        for name in ["kind", "vertices", "toi", "toi_hi", "side", "remembered_side", "body", "triangle"]:
            self.assertEqual(getattr(actual, name), getattr(expected, name), name)
        for name in ["weights", "normal", "point"]:
            self.assertTrue(same_bits(getattr(actual, name), getattr(expected, name)), name)


# ------------------------------------------------------------------------------------------------------- any machine


class AnyDevice(Comparisons):
    def test_devices_have_names(self) -> None:
        self.assertEqual(graze.devices(), ["cpu", "cuda", "auto"])
        self.assertEqual(graze.Detector(two_bodies()).device, "cpu")
        self.assertEqual(graze.Detector(two_bodies(), device="auto").device, "auto")
        self.assertEqual(graze.DetectorBatch([two_bodies()], device="auto").device, "auto")
        self.assertNotIn("\n", graze.why_no_cuda())

    def test_unknown_devices_are_refused(self) -> None:
        x = two_triangles(1.0)
        wrong: Any = "gpu"
        for call in [
            lambda: graze.Detector(two_bodies(), device=wrong),
            lambda: graze.DetectorBatch([two_bodies()], device=wrong),
            lambda: graze.contacts(x, x, TWO_FACES, device=wrong),
            lambda: graze.find_impacts([], device=wrong),
            lambda: graze.first_impacts([], device=wrong),
            lambda: graze.self_intersections(x, TWO_FACES, device=wrong),
            lambda: graze.safe_step(x, x, TWO_FACES, device=wrong),
        ]:
            refused(call, "gpu", "cpu", "cuda", "auto")

    def test_methods_that_do_not_run_on_a_gpu_are_refused(self) -> None:
        for method in ["hash", "r-tri", "brute"]:
            chosen: Any = method
            refused(lambda: graze.Detector(two_bodies(), device="cuda", method=chosen), method, "cuda", "auto")
            refused(lambda: graze.DetectorBatch([two_bodies()], device="cuda", method=chosen), method, "cuda")

    def test_auto_answers_everywhere_and_with_every_method(self) -> None:
        for scene, x_t0, x_t1, options in cases():
            expected = graze.Detector(scene, **options).impacts(x_t0, x_t1)
            for method in graze.methods():
                chosen: Any = method
                detector = graze.Detector(scene, device="auto", method=chosen, **options)
                found = detector.impacts(x_t0, x_t1)
                self.assertEqual(found.toi_hash(), expected.toi_hash(), method)

    def test_one_call_functions_take_auto(self) -> None:
        scene, x_t0, x_t1 = ball_and_cloth()
        faces = scene.triangles
        expected = graze.contacts(x_t0, x_t1, faces)
        self.equal_impacts(graze.contacts(x_t0, x_t1, faces, device="auto"), expected)
        steps = [(faces, x_t0, x_t1), (TWO_FACES, two_triangles(1.0), two_triangles(-1.0))]
        for actual, single in zip(graze.find_impacts(steps, device="auto"), graze.find_impacts(steps)):
            self.equal_impacts(actual, single)
        for first, one in zip(graze.first_impacts(steps, device="auto"), graze.first_impacts(steps)):
            self.assertEqual(first.toi, one.toi)
            self.equal_impact(first.impact, one.impact)
        crossing = x_t1 + [0, 0, 1.6]
        pairs = graze.self_intersections(crossing, faces, overlaps=True, device="auto")
        expected_pairs = graze.self_intersections(crossing, faces, overlaps=True)
        self.equal_columns(pairs, expected_pairs, ["edges", "faces", "triangle_pairs", "shape", "segment"])
        safe, other = [graze.safe_step(x_t0, x_t1, faces, device=device) for device in ("auto", "cpu")]
        self.assertTrue(safe.step == other.step and same_bits(safe.positions, other.positions))

    def test_arrays_on_a_gpu_are_refused_by_what_runs_on_the_cpu(self) -> None:
        x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
        for kind in [InterfaceArray, CapsuleArray]:
            a, b = kind(x_t0), kind(x_t1)
            for options in [{}, {"device": "auto", "method": "hash"}]:
                detector = graze.Detector(two_bodies(), **options)
                words = ["GPU memory", "this detector", "CPU", 'device="cuda"']
                refused(lambda: detector.impacts(a, b), "x_t0", *words)
                refused(lambda: detector.first_impact(a, b), "x_t0", *words)
                refused(lambda: detector.safe_step(a, b), "x_t0", *words)
                refused(lambda: detector.safe_step(a, b, out=a), "x_t0", *words)
                refused(lambda: detector.intersections(a), "x is", *words)
                refused(lambda: detector.proximities(a, 0.1), "x is", *words)
                batch = graze.DetectorBatch([two_bodies()], **options)
                refused(lambda: batch.impacts(a, b), "x_t0", "this batch", "CPU")
                self.assertEqual((len(detector.impacts(x_t0, x_t1)), len(batch.impacts(x_t0, x_t1))), (3, 3))

    def test_one_array_on_a_gpu_and_one_on_the_host_are_refused(self) -> None:
        x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
        detector = graze.Detector(two_bodies(), device="auto")
        batch = graze.DetectorBatch([two_bodies()], device="auto")
        for kind in [InterfaceArray, CapsuleArray]:
            for query in [detector.impacts, detector.first_impact, detector.safe_step, batch.impacts]:
                refused(lambda: query(kind(x_t0), x_t1), "x_t0 is in GPU memory", "x_t1 is not")
                refused(lambda: query(x_t0.tolist(), kind(x_t1)), "x_t1 is in GPU memory", "x_t0 is not")

    def test_arrays_on_a_gpu_are_refused_where_no_query_runs(self) -> None:
        x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
        for kind in [InterfaceArray, CapsuleArray]:
            given = kind(x_t0)
            words = ["GPU memory", "must be in host memory"]
            refused(lambda: graze.contacts(given, given, TWO_FACES), "x_t0", *words)
            refused(lambda: graze.contacts(x_t0, given, TWO_FACES), "x_t1", *words)
            refused(lambda: graze.contacts(x_t0, x_t1, kind(TWO_FACES)), "faces", *words)
            refused(lambda: graze.find_impacts([(TWO_FACES, x_t0, given)]), "steps[0]: x_t1", *words)
            refused(lambda: graze.self_intersections(given, TWO_FACES), "x is", *words)
            refused(lambda: graze.safe_step(given, given, TWO_FACES), "x_t0", *words)
            refused(lambda: graze.Scene().add_body(given, TWO_FACES), "positions", *words)
            step = (graze.Detector(two_bodies()), x_t0, given)
            refused(lambda: graze.detector_impacts([step]), "steps[0]: x_t1", *words)
            batch = graze.DetectorBatch([two_bodies()], device="auto")
            refused(lambda: batch.first_impacts(given, x_t1), "x_t0", *words)

    def test_out_is_refused_for_positions_on_the_host(self) -> None:
        x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
        for out in [x_t0, InterfaceArray(x_t0)]:
            refused(lambda: graze.Detector(two_bodies()).safe_step(x_t0, x_t1, out=out), "out", "host memory")

    def test_arrays_of_other_libraries_in_host_memory_are_read_as_before(self) -> None:
        class HostArray:
            """Like a tensor of PyTorch on the CPU."""

            def __init__(self, x: np.ndarray) -> None:
                self.x = x

            def __array__(self, *arguments: Any, **options: Any) -> np.ndarray:
                return self.x

            def __dlpack__(self, *, stream: Any = None) -> Any:
                raise AssertionError("not asked")

            def __dlpack_device__(self) -> tuple[int, int]:
                return 1, 0

            @property
            def __cuda_array_interface__(self) -> Any:
                raise AttributeError("on the CPU")

        x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
        for device in ["cpu", "auto"]:
            chosen: Any = device
            detector = graze.Detector(two_bodies(), device=chosen)
            self.assertEqual(len(detector.impacts(HostArray(x_t0), HostArray(x_t1))), 3)


@without_gpu
class WithoutGpu(unittest.TestCase):
    def test_the_reason_is_named(self) -> None:
        x = two_triangles(1.0)
        for call in [
            lambda: graze.Detector(two_bodies(), device="cuda"),
            lambda: graze.DetectorBatch([two_bodies()], device="cuda"),
            lambda: graze.contacts(x, x, TWO_FACES, device="cuda"),
            lambda: graze.find_impacts([(TWO_FACES, x, x)], device="cuda"),
            lambda: graze.first_impacts([(TWO_FACES, x, x)], device="cuda"),
            lambda: graze.self_intersections(x, TWO_FACES, device="cuda"),
            lambda: graze.safe_step(x, x, TWO_FACES, device="cuda"),
        ]:
            refused(call, WHY_NOT, "device cuda", error=graze.ResourceError)
            refused(call, WHY_NOT, error=MemoryError)

    def test_auto_is_the_cpu_and_says_so_to_arrays_on_a_gpu(self) -> None:
        given = InterfaceArray(two_triangles(1.0))
        refused(lambda: graze.Detector(two_bodies(), device="auto").impacts(given, given), "x_t0", "CPU")


class BatchOfArraysOnTheHost(Comparisons):
    """DetectorBatch with arrays of numpy."""

    def setUp(self) -> None:
        steps = [(scene, x_t0, x_t1) for scene, x_t0, x_t1, _ in cases()]
        self.scenes = [graze.Scene(), *[scene for scene, _, _ in steps]]  # the first one is empty
        self.x_t0 = np.concatenate([x_t0 for _, x_t0, _ in steps])
        self.x_t1 = np.concatenate([x_t1 for _, _, x_t1 in steps])

    def test_answers_are_those_of_single_detectors(self) -> None:
        for options in [{}, {"thickness": 0.02, "tolerance": 1e-4}, {"device": "auto"}, {"method": "hash"}]:
            batch = graze.DetectorBatch(self.scenes, **options)
            self.assertEqual((len(batch), batch.vertex_count), (len(self.scenes), len(self.x_t0)))
            for _ in range(2):
                found = batch.impacts(self.x_t0, self.x_t1)
                firsts = batch.first_impacts(self.x_t0, self.x_t1)
                self.assertIsInstance(found, graze.BatchImpacts)
                self.assertEqual((found.begins[0], found.begins[-1]), (0, len(found)))
                for number, scene in enumerate(self.scenes):
                    rows = batch.vertices(number)
                    expected = graze.Detector(scene, **options).impacts(self.x_t0[rows], self.x_t1[rows])
                    self.equal_impacts(found.of(number), expected)
                    first, last = found.begins[number : number + 2]
                    self.assertTrue(same_bits(found.vertices[first:last], expected.vertices + np.uint32(rows.start)))
                    self.assertTrue(same_bits(found.toi[first:last], expected.toi))
                    single = graze.Detector(scene, **options).first_impact(self.x_t0[rows], self.x_t1[rows])
                    self.assertEqual(firsts[number].toi, single.toi)
                    self.equal_impact(firsts[number].impact, single.impact)

    def test_columns_are_read_only_views(self) -> None:
        batch = graze.DetectorBatch(self.scenes)
        found = batch.impacts(self.x_t0, self.x_t1)
        point = found.point
        for name in [*COLUMNS, "point", "begins"]:
            self.assertFalse(getattr(found, name).flags.writeable, name)
        self.assertEqual(found.toi.ctypes.data, found.toi.ctypes.data)
        expected = point.copy()
        del found, batch
        gc.collect()
        self.assertTrue(same_bits(point, expected))

    def test_parts_of_the_arrays_belong_to_a_scene(self) -> None:
        batch = graze.DetectorBatch(self.scenes)
        found = batch.impacts(self.x_t0, self.x_t1)
        part = found.of(2)
        self.assertTrue(np.shares_memory(part.x_t0, self.x_t0))
        self.assertEqual(part.scene.name(0), "cloth")
        self.assertEqual(found.of(-1).toi_hash(), found.of(len(batch) - 1).toi_hash())
        for wrong in [len(batch), -len(batch) - 1]:
            with self.assertRaises(IndexError):
                found.of(wrong)
            with self.assertRaises(IndexError):
                batch.vertices(wrong)

    def test_bad_input_is_refused_and_the_batch_goes_on(self) -> None:
        batch = graze.DetectorBatch(self.scenes)
        expected = batch.impacts(self.x_t0, self.x_t1)
        wrong: Any = [two_bodies(), None]
        refused(lambda: graze.DetectorBatch(wrong), "scenes[1]", "None", "Scene")
        refused(lambda: batch.impacts(self.x_t0[:-1], self.x_t1), "x_t0", len(self.x_t0) - 1, len(self.x_t0))
        refused(lambda: batch.impacts(self.x_t0, self.x_t1[:, :2]), "x_t1", "n x 3")
        bad = self.x_t1.copy()
        bad[batch.vertices(2).start + 5, 1] = np.nan
        for query in [batch.impacts, batch.first_impacts]:
            refused(lambda: query(self.x_t0, bad), 2, "x_t1", 5, "nan")
        self.equal_columns(batch.impacts(self.x_t0, self.x_t1), expected, COLUMNS)

    def test_no_scenes_and_scenes_without_vertices_have_no_impacts(self) -> None:
        nothing = np.empty((0, 3))
        for scenes in [[], [graze.Scene()], [graze.Scene(), graze.Scene()]]:
            for device in ["cpu", "auto"]:
                chosen: Any = device
                batch = graze.DetectorBatch(scenes, device=chosen)
                found = batch.impacts(nothing, nothing)
                self.assertEqual(found.begins.tolist(), [0] * (len(scenes) + 1))
                self.assertEqual((len(found), found.weights.shape), (0, (0, 4)))
                self.assertEqual([first.toi for first in batch.first_impacts(nothing, nothing)], [1.0] * len(scenes))

    def test_progress_is_called_and_stops_a_query(self) -> None:
        shares: list[float] = []
        graze.DetectorBatch(self.scenes, progress=shares.append).impacts(self.x_t0, self.x_t1)
        self.assertTrue(shares and all(0.0 <= share <= 1.0 for share in shares))
        stopped = graze.DetectorBatch(self.scenes, progress=lambda share: False)
        with self.assertRaises(graze.Interrupted):
            stopped.impacts(self.x_t0, self.x_t1)


# ------------------------------------------------------------------------------- arrays of every library, on a GPU


class QueriesOnGpu:
    """Tests of one library; `made_by` makes it, and skips the tests where it cannot be used."""

    made_by: type[Library]
    library: Library

    @classmethod
    def setUpClass(cls) -> None:
        cls.library = cls.made_by()

    def step(self: Any, x_t0: np.ndarray, x_t1: np.ndarray) -> tuple[Any, Any]:
        return self.library.put(x_t0), self.library.put(x_t1)

    def equal_on_gpu(self: Any, actual: Any, expected: Any) -> None:
        """Whether the columns of a result in GPU memory are those of one on the host."""
        self.assertEqual(len(actual), len(expected))
        for name in COLUMNS:
            column, wanted = getattr(actual, name), getattr(expected, name)
            self.assertIsInstance(column, graze.DeviceColumn)
            self.assertEqual((column.shape, column.dtype, len(column)), (wanted.shape, wanted.dtype, len(wanted)))
            for values in self.library.columns(column):
                self.assertTrue(same_bits(values, wanted), name)

    def test_impacts(self: Any) -> None:
        for scene, x_t0, x_t1, options in cases():
            on_host = graze.Detector(scene, **options)
            for device in ["cuda", "auto"]:
                detector = graze.Detector(scene, device=device, **options)
                for a, b in [(x_t0, x_t1), (x_t0, 0.5 * (x_t0 + x_t1)), (x_t0, x_t0), (x_t0, x_t1)]:
                    found = detector.impacts(*self.step(a, b))
                    expected = on_host.impacts(a, b)
                    self.assertIsInstance(found, graze.DeviceImpacts)
                    self.equal_on_gpu(found, expected)
                    self.equal_impacts(found.to_host(), expected)
                    self.assertEqual(found.scene.triangle_count, scene.triangle_count)
                    self.assertGreater(found.stats.device_bytes, 0)

    def test_arrays_on_the_host_have_results_on_the_host(self: Any) -> None:
        for scene, x_t0, x_t1, options in cases():
            detector = graze.Detector(scene, device="cuda", **options)
            self.assertEqual(detector.device, "cuda")
            self.equal_impacts(detector.impacts(x_t0, x_t1), graze.Detector(scene, **options).impacts(x_t0, x_t1))

    def test_a_result_without_rows(self: Any) -> None:
        x = two_triangles(1.0)
        found = graze.Detector(two_bodies(), device="cuda").impacts(*self.step(x, x))
        self.equal_on_gpu(found, graze.Detector(two_bodies()).impacts(x, x))
        self.assertEqual((len(found), len(found.to_host())), (0, 0))

    def test_first_impact(self: Any) -> None:
        for scene, x_t0, x_t1, options in cases():
            detector = graze.Detector(scene, device="cuda", **options)
            on_host = graze.Detector(scene, **options)
            for a, b in [(x_t0, x_t1), (x_t0, x_t0)]:
                first, expected = detector.first_impact(*self.step(a, b)), on_host.first_impact(a, b)
                self.assertEqual(first.toi, expected.toi)
                self.equal_impact(first.impact, expected.impact)

    def test_safe_step_without_an_array_to_write_to(self: Any) -> None:
        for scene, x_t0, x_t1, options in cases():
            safe = graze.Detector(scene, device="cuda", **options).safe_step(*self.step(x_t0, x_t1), keep=0.3)
            expected = graze.Detector(scene, **options).safe_step(x_t0, x_t1, keep=0.3)
            self.assertEqual(safe.step, expected.step)
            self.assertTrue(same_bits(safe.positions, expected.positions))
            self.equal_impact(safe.limit, expected.limit)

    def test_safe_step_writes_to_an_array(self: Any) -> None:
        if not self.library.mutable:
            self.skipTest("arrays of this library do not change")
        for scene, x_t0, x_t1, options in cases():
            detector = graze.Detector(scene, device="cuda", **options)
            expected = graze.Detector(scene, **options).safe_step(x_t0, x_t1)
            for place in range(3):
                arrays = [*self.step(x_t0, x_t1), self.library.put(np.full_like(x_t0, 7.0))]
                safe = detector.safe_step(*arrays[:2], out=arrays[place])
                self.assertIs(safe.positions, arrays[place])
                self.assertEqual(safe.step, expected.step)
                self.equal_impact(safe.limit, expected.limit)
                for i, before in enumerate([x_t0, x_t1]):
                    after = expected.positions if i == place else before
                    self.assertTrue(same_bits(self.library.get(arrays[i]), after), i)
                self.assertTrue(same_bits(self.library.get(arrays[place]), expected.positions))

    def test_intersections_and_proximities(self: Any) -> None:
        for scene, x_t0, x_t1, options in cases():
            detector, on_host = graze.Detector(scene, device="cuda", **options), graze.Detector(scene, **options)
            x = 0.5 * (x_t0 + x_t1)
            for choice in [{}, {"adjacent": True}, {"overlaps": True}]:
                found = detector.intersections(self.library.put(x), **choice)
                expected = on_host.intersections(x, **choice)
                self.equal_columns(found, expected, ["edges", "faces", "triangle_pairs", "body"])
                if "overlaps" in choice:
                    self.equal_columns(found, expected, ["shape", "segment"])
            near, expected_near = detector.proximities(self.library.put(x), 0.1), on_host.proximities(x, 0.1)
            columns = ["kind", "vertices", "distance", "weights", "normal", "points", "body", "triangle"]
            self.equal_columns(near, expected_near, columns)

    def test_results_outlive_their_detector_and_their_arrays(self: Any) -> None:
        scene, x_t0, x_t1 = ball_and_cloth()
        expected = graze.Detector(scene).impacts(x_t0, x_t1)
        detector = graze.Detector(scene, device="cuda")
        a, b = self.step(x_t0, x_t1)
        found = detector.impacts(a, b)
        normal = found.normal
        del detector, a, b, scene
        gc.collect()
        self.equal_on_gpu(found, expected)
        self.equal_impacts(found.to_host(), expected)
        del found
        gc.collect()
        for values in self.library.columns(normal):
            self.assertTrue(same_bits(values, expected.normal))

    def test_results_end_with_the_next_query(self: Any) -> None:
        x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
        a, b = self.step(x_t0, x_t1)
        far = self.library.put(np.where(two_triangles(9.0) == 9.0, np.inf, two_triangles(9.0)))
        detector = graze.Detector(two_bodies(), device="cuda")
        for query in [
            lambda: detector.impacts(a, b),
            lambda: detector.impacts(x_t0, x_t1),
            lambda: detector.first_impact(a, b),
            lambda: detector.safe_step(a, b),
            lambda: detector.intersections(a),
            lambda: detector.proximities(a, 0.1),
            lambda: graze.detector_impacts([(detector, x_t0, x_t1)]),
            lambda: refused(lambda: detector.impacts(far, far)),  # a query that fails half-way
        ]:
            found = detector.impacts(a, b)
            column = found.toi
            refused(lambda: detector.impacts(a, self.library.put(x_t1[:5])), "x_t1", 5, 6)  # no query runs
            self.equal_on_gpu(found, graze.Detector(two_bodies()).impacts(x_t0, x_t1))
            query()
            line = refused(lambda: found.toi, "until the next query of this detector", error=graze.Error)
            self.assertEqual(refused(found.to_host, error=graze.Error), line)
            self.assertEqual(refused(lambda: column.__cuda_array_interface__, error=graze.Error), line)
            self.assertEqual(refused(column.__dlpack__, error=graze.Error), line)
            self.assertEqual((len(found), len(column), column.shape), (3, 3, (3,)))
            self.assertIn("3 impacts", repr(found))
            self.assertGreater(found.stats.total_ms, 0.0)

    def test_results_stay_when_another_detector_answers(self: Any) -> None:
        x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
        a, b = self.step(x_t0, x_t1)
        one, two = [graze.Detector(two_bodies(), device="cuda") for _ in range(2)]
        found = one.impacts(a, b)
        two.impacts(b, a)
        two.impacts(a, a)
        self.equal_on_gpu(found, graze.Detector(two_bodies()).impacts(x_t0, x_t1))

    def test_edits(self: Any) -> None:
        scene, x_t0, x_t1 = ball_and_cloth()
        detector, on_host = graze.Detector(scene, device="cuda"), graze.Detector(scene)
        found = detector.impacts(*self.step(x_t0, x_t1))
        expected = on_host.impacts(x_t0, x_t1)
        for one in [detector, on_host]:
            edit = one.begin_edit()
            edit.remove_triangle(3)
            edit.split_vertex(0, [0])
            edit.remove_vertex(30)
            a, b = edit.carry(x_t0), edit.carry(x_t1)
            one.apply(edit)
        self.equal_on_gpu(found, expected)  # an edit is no query
        self.equal_impacts(found.to_host(), expected)
        self.equal_on_gpu(detector.impacts(*self.step(a, b)), on_host.impacts(a, b))
        refused(lambda: detector.impacts(*self.step(x_t0, x_t1)), "x_t0", len(x_t0), len(a))

    def test_contact_points_on_the_host_are_those_of_the_arrays_now(self: Any) -> None:
        if not self.library.mutable:
            self.skipTest("arrays of this library do not change")
        x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
        a, b = self.step(x_t0, x_t1)
        detector = graze.Detector(two_bodies(), device="cuda")
        found = detector.impacts(a, b)
        graze.Detector(two_bodies(), device="cuda").safe_step(a, b, out=a)
        moved = found.to_host()
        self.assertTrue(same_bits(moved.x_t0, self.library.get(a)))
        self.assertFalse(same_bits(moved.x_t0, x_t0))
        self.assertTrue(same_bits(moved.toi, graze.Detector(two_bodies()).impacts(x_t0, x_t1).toi))

    def test_bad_positions_have_the_messages_of_the_host(self: Any) -> None:
        scene, x_t0, x_t1 = ball_and_cloth()
        detector, on_host = graze.Detector(scene, device="cuda"), graze.Detector(scene)
        ball = scene.vertices("ball").start
        for row, column, value in [(ball + 5, 1, np.nan), (ball, 0, np.inf), (3, 2, 8.0)]:
            for end in range(2):
                step = [x_t0.copy(), x_t1.copy()]
                step[end][row, column] = value
                for query in ["impacts", "first_impact", "safe_step"]:
                    line = refused(lambda: getattr(on_host, query)(*step))
                    self.assertEqual(refused(lambda: getattr(detector, query)(*self.step(*step))), line)
        bad = x_t0.copy()
        bad[4, 1] = -np.inf
        for query, arguments in [("intersections", ()), ("proximities", (0.1,))]:
            line = refused(lambda: getattr(on_host, query)(bad, *arguments))
            self.assertEqual(refused(lambda: getattr(detector, query)(self.library.put(bad), *arguments)), line)
        self.equal_on_gpu(detector.impacts(*self.step(x_t0, x_t1)), on_host.impacts(x_t0, x_t1))

    def test_batch(self: Any) -> None:
        steps = [(scene, x_t0, x_t1) for scene, x_t0, x_t1, _ in cases()]
        scenes = [scene for scene, _, _ in steps]
        x_t0 = np.concatenate([start for _, start, _ in steps])
        x_t1 = np.concatenate([end for _, _, end in steps])
        for device in ["cuda", "auto"]:
            for options in [{}, {"thickness": 0.02}]:
                batch = graze.DetectorBatch(scenes, device=device, **options)
                expected = graze.DetectorBatch(scenes, **options).impacts(x_t0, x_t1)
                for _ in range(2):
                    found = batch.impacts(*self.step(x_t0, x_t1))
                    self.assertIsInstance(found, graze.DeviceBatchImpacts)
                    self.equal_on_gpu(found, expected)
                    self.assertTrue(same_bits(found.begins, expected.begins))
                    copied = found.to_host()
                    self.equal_columns(copied, expected, [*COLUMNS, "point", "begins"] if len(expected) else COLUMNS)
                    for number in range(len(scenes)):
                        self.equal_impacts(copied.of(number), expected.of(number))
                self.equal_columns(batch.impacts(x_t0, x_t1), expected, [*COLUMNS, "point"])
                refused(lambda: found.toi, "until the next query of this batch", error=graze.Error)
                refused(found.to_host, "until the next query of this batch", error=graze.Error)

    def test_batch_of_one_scene(self: Any) -> None:
        x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
        found = graze.DetectorBatch([two_bodies()], device="cuda").impacts(*self.step(x_t0, x_t1))
        self.assertEqual(found.begins.tolist(), [0, 3])
        self.equal_impacts(found.to_host().of(0), graze.Detector(two_bodies()).impacts(x_t0, x_t1))

    def test_batch_refuses_bad_positions_of_a_scene(self: Any) -> None:
        scenes = [two_bodies() for _ in range(3)]
        x_t0 = np.concatenate([two_triangles(1.0)] * 3)
        x_t1 = np.concatenate([two_triangles(-1.0)] * 3)
        batch = graze.DetectorBatch(scenes, device="cuda")
        bad = x_t1.copy()
        bad[6 + 4, 2] = np.nan
        refused(lambda: batch.impacts(*self.step(x_t0, bad)), "scene 1", "x_t1", 4, "nan")
        refused(lambda: batch.impacts(*self.step(x_t0[:6], x_t1[:6])), "x_t0", 6, 18)
        self.assertEqual(len(batch.impacts(*self.step(x_t0, x_t1))), 9)

    def test_a_sink_is_refused(self: Any) -> None:
        detector = graze.Detector(two_bodies(), device="cuda")
        a, b = self.step(two_triangles(1.0), two_triangles(-1.0))
        refused(lambda: detector.impacts(a, b, sink=lambda batch: None), "sink", "GPU memory")
        refused(lambda: detector.proximities(a, 0.1, sink=lambda batch: None), "sink", "GPU memory")

    def test_many_threads_with_a_detector_each(self: Any) -> None:
        scene, x_t0, x_t1 = ball_and_cloth()
        expected = graze.Detector(scene).impacts(x_t0, x_t1)
        failures: list[BaseException] = []

        def work() -> None:
            try:
                detector = graze.Detector(scene, device="cuda")
                for _ in range(3):
                    self.equal_impacts(detector.impacts(*self.step(x_t0, x_t1)).to_host(), expected)
            except BaseException as failure:
                failures.append(failure)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


@on_emulated_gpu
class WithInterfaces(QueriesOnGpu, Comparisons):
    made_by = Interface


@on_emulated_gpu
class WithCapsules(QueriesOnGpu, Comparisons):
    made_by = Capsules

    def tearDown(self) -> None:
        gc.collect()
        self.assertEqual(len(CapsuleArray.alive), 0, "tensors were not given back")


@on_real_gpu
class WithTorch(QueriesOnGpu, Comparisons):
    made_by = Torch


@on_real_gpu
class WithTorchInterfaces(QueriesOnGpu, Comparisons):
    made_by = TorchInterface


@on_real_gpu
class WithCupy(QueriesOnGpu, Comparisons):
    made_by = Cupy


@on_real_gpu
class WithCupyInterfaces(QueriesOnGpu, Comparisons):
    made_by = CupyInterface


@on_real_gpu
class WithJax(QueriesOnGpu, Comparisons):
    made_by = Jax

    def test_columns_that_jax_takes_itself_are_right(self) -> None:
        scene, x_t0, x_t1 = ball_and_cloth()
        found = graze.Detector(scene, device="cuda").impacts(*self.step(x_t0, x_t1))
        expected = graze.Detector(scene).impacts(x_t0, x_t1)
        for name in COLUMNS:
            try:
                taken = self.library.jax.dlpack.from_dlpack(getattr(found, name))  # type: ignore[attr-defined]
            except Exception:  # JAX has no arrays with gaps between rows
                continue
            self.assertTrue(same_bits(np.asarray(taken), getattr(expected, name)), name)


# ------------------------------------------------------------------------------------------------------------ streams


class Streams(Comparisons):
    """Positions that work in a queue writes: answers are those of the positions after it."""

    def setUp(self) -> None:
        self.scene, self.x_t0, self.x_t1 = ball_and_cloth()
        self.expected = graze.Detector(self.scene).impacts(self.x_t0, self.x_t1)
        self.safe = graze.Detector(self.scene).safe_step(self.x_t0, self.x_t1)
        self.detector = graze.Detector(self.scene, device="cuda")
        self.assertGreater(len(self.expected), 0)


@on_real_gpu
class TorchStreams(Streams):
    def setUp(self) -> None:
        library = Torch()
        self.torch = library.torch
        super().setUp()
        self.right = library.put(self.x_t1)
        self.a, self.b = library.put(self.x_t0), library.put(self.x_t0)
        self.torch.cuda.synchronize()

    def write_later(self) -> None:
        """Queues work that takes a while, then the copy of the positions."""
        self.torch.cuda._sleep(200_000_000)
        self.b.copy_(self.right, non_blocking=True)

    def test_the_current_stream(self) -> None:
        for stream in [self.torch.cuda.Stream(), self.torch.cuda.default_stream()]:
            self.b.copy_(self.a)
            self.torch.cuda.synchronize()
            with self.torch.cuda.stream(stream):
                self.write_later()
                found = self.detector.impacts(self.a, self.b)
                self.equal_impacts(found.to_host(), self.expected)

    def test_the_array_to_write_to(self) -> None:
        out = self.torch.empty_like(self.a)
        self.b.copy_(self.right)
        self.torch.cuda.synchronize()
        with self.torch.cuda.stream(self.torch.cuda.Stream()):
            self.torch.cuda._sleep(200_000_000)
            out.fill_(7.0)  # is done before the safe positions are written
            self.detector.safe_step(self.a, self.b, out=out)
            double = 2.0 * out
        self.torch.cuda.synchronize()
        self.assertTrue(same_bits(out.cpu().numpy(), self.safe.positions))
        self.assertTrue(same_bits(double.cpu().numpy(), 2.0 * self.safe.positions))


@on_real_gpu
class CupyStreams(Streams):
    def setUp(self) -> None:
        library = Cupy()
        self.cupy = library.cupy
        super().setUp()
        self.right = library.put(self.x_t1)
        self.a, self.b = library.put(self.x_t0), library.put(self.x_t0)
        code = 'extern "C" __global__ void spin() { long long t = clock64(); while (clock64() - t < 200000000LL) {} }'
        self.spin = self.cupy.RawKernel(code, "spin")
        self.spin((1,), (1,), ())
        self.cupy.cuda.Device().synchronize()

    def test_the_current_stream(self) -> None:
        stream_of = self.cupy.cuda.Stream
        for wrap in [lambda array: array, InterfaceOnly]:
            for stream in [stream_of(non_blocking=True), stream_of(), stream_of.null]:
                self.b[...] = self.a
                self.cupy.cuda.Device().synchronize()
                with stream:
                    self.spin((1,), (1,), ())
                    self.b[...] = self.right
                    found = self.detector.impacts(wrap(self.a), wrap(self.b))
                    self.equal_impacts(found.to_host(), self.expected)

    def test_a_stream_may_be_destroyed_after_the_query(self) -> None:
        stream = self.cupy.cuda.Stream(non_blocking=True)
        with stream:
            self.b[...] = self.right
            found = self.detector.impacts(InterfaceOnly(self.a), InterfaceOnly(self.b))
        del stream
        gc.collect()
        self.equal_impacts(found.to_host(), self.expected)

    def test_arrays_of_two_streams(self) -> None:
        """Both interfaces are asked while their stream is the current one, as libraries do that keep them."""
        streams = [self.cupy.cuda.Stream(non_blocking=True) for _ in range(2)]
        interfaces = []
        self.cupy.cuda.Device().synchronize()
        for stream, array, value in zip(streams, [self.a, self.b], [self.cupy.asarray(self.x_t0), self.right]):
            array[...] = 0.0
            self.cupy.cuda.Device().synchronize()
            with stream:
                self.spin((1,), (1,), ())
                array[...] = value
                interfaces.append(InterfaceArray(self.x_t0, **array.__cuda_array_interface__))
        self.equal_impacts(self.detector.impacts(*interfaces).to_host(), self.expected)


@on_real_gpu
class JaxStreams(Streams):
    def test_results_of_compiled_functions(self) -> None:
        jax = Jax().jax
        device = jax.devices("gpu")[0]

        @jax.jit
        def slow(x: Any, big: Any) -> Any:
            for _ in range(20):
                big = big @ big / jax.numpy.linalg.norm(big)
            return x + 0.0 * jax.numpy.nan_to_num(big.sum())

        big = jax.device_put(np.ones((2048, 2048)), device)
        x_t0, x_t1 = jax.device_put(self.x_t0, device), jax.device_put(self.x_t1, device)
        slow(x_t1, big).block_until_ready()
        self.equal_impacts(self.detector.impacts(x_t0, slow(x_t1, big)).to_host(), self.expected)


# -------------------------------------------------------------------------------------------- arrays that do not fit


@on_any_gpu
class Refusals(unittest.TestCase):
    """Arrays that say what does not fit. No query reads their memory, which is that of the host."""

    def setUp(self) -> None:
        self.x = two_triangles(1.0)
        self.detector = graze.Detector(two_bodies(), device="cuda")

    def refuse(self, given: Any, *words: object) -> None:
        """Refused as each argument of each query, with its name."""
        good = InterfaceArray(self.x)
        batch = graze.DetectorBatch([two_bodies()], device="cuda")
        refused(lambda: self.detector.impacts(given, good), "x_t0", *words)
        refused(lambda: self.detector.impacts(good, given), "x_t1", *words)
        refused(lambda: self.detector.first_impact(good, given), "x_t1", *words)
        refused(lambda: self.detector.safe_step(given, good), "x_t0", *words)
        refused(lambda: self.detector.safe_step(good, good, out=given), "out", *words)
        refused(lambda: self.detector.intersections(given), "x", *words)
        refused(lambda: self.detector.proximities(given, 0.1), "x", *words)
        refused(lambda: batch.impacts(good, given), "x_t1", *words)

    def test_types(self) -> None:
        for name in ["float32", "float16", "int64", "uint8", "complex128", "bool"]:
            self.refuse(InterfaceArray(self.x.astype(name)), f"dtype {name}", "must be float64")
            self.refuse(CapsuleArray(self.x.astype(name)), "dtype " + name.replace("bool", "bool8"), "float64")
        self.refuse(InterfaceArray(self.x, typestr=">f8"), ">f8", "float64")
        self.refuse(InterfaceArray(self.x, typestr="nonsense"), "nonsense", "float64")
        self.refuse(CapsuleArray(self.x, lanes=2), "float64 x 2", "must be float64")

    def test_shapes(self) -> None:
        for shape in [(6,), (6, 2), (6, 4), (2, 3, 3), (3, 6), ()]:
            x = np.zeros(shape)
            text = "(" + ", ".join(map(str, shape)) + ")"
            self.refuse(InterfaceArray(x), f"shape {text}", "n x 3")
            self.refuse(CapsuleArray(x), f"shape {text}", "n x 3")
        for rows in [0, 1, 5, 7]:
            self.refuse(InterfaceArray(np.zeros((rows, 3))), f"{rows} rows", "must have 6")
            self.refuse(CapsuleArray(np.zeros((rows, 3))), f"{rows} rows", "must have 6")
        self.refuse(InterfaceArray(self.x, shape=(-6, 3)), "n x 3")
        for wrong in [6, "63", None, (6.0, 3), ("6", 3)]:
            self.refuse(InterfaceArray(self.x, shape=wrong), "shape")
        self.refuse(InterfaceArray(self.x, shape=(10**30, 3)), "shape")

    def test_strides(self) -> None:
        for x in [np.zeros((6, 4))[:, :3], np.asfortranarray(self.x), self.x[::-1], np.zeros((12, 3))[::2]]:
            self.refuse(InterfaceArray(x), "strides", "contiguous")
            self.refuse(CapsuleArray(x), "strides", "contiguous")
        self.refuse(InterfaceArray(self.x, strides=(24,)), "strides")
        self.refuse(InterfaceArray(self.x, strides=24), "strides")

    def test_addresses(self) -> None:
        self.refuse(InterfaceArray(self.x, data=(self.x.ctypes.data + 4, False)), "multiple of 8")
        for wrong in [None, 5, (5,), (5, False, 0), [5, False]]:
            self.refuse(InterfaceArray(self.x, data=wrong), "data")
        for address in ["5", None, -8, 2**70]:
            self.refuse(InterfaceArray(self.x, data=(address, False)), "address")
        for name, call in [
            ("x_t0", lambda null, good: self.detector.impacts(null, good)),
            ("x_t1", lambda null, good: self.detector.first_impact(good, null)),
            ("x_t0", lambda null, good: graze.DetectorBatch([two_bodies()], device="cuda").impacts(null, good)),
            ("x", lambda null, good: self.detector.intersections(null)),
        ]:
            null = InterfaceArray(self.x, data=(0, False))
            refused(lambda: call(null, InterfaceArray(self.x)), name, "null")

    def test_masks_versions_and_streams(self) -> None:
        self.refuse(InterfaceArray(self.x, mask=InterfaceArray(self.x)), "masked")
        for version in [0, 1, -3]:
            self.refuse(InterfaceArray(self.x, version=version), "version", version, "2 or 3")
        for version in [None, "3", 3.0]:
            self.refuse(InterfaceArray(self.x, version=version), "version")
        self.refuse(InterfaceArray(self.x, stream=0), "stream 0", "ambiguous")
        for stream in [-1, "1", 1.5, 2**70]:
            self.refuse(InterfaceArray(self.x, stream=stream), "stream")

    def test_what_is_no_dictionary(self) -> None:
        for wrong in [None, 5, "text", [], {}]:
            given = InterfaceArray(self.x)
            given.interface = wrong  # type: ignore[assignment]
            self.refuse(given)

    def test_an_array_that_must_not_be_written_to(self) -> None:
        self.x.flags.writeable = False
        fixed = InterfaceArray(self.x)
        refused(lambda: self.detector.safe_step(fixed, fixed, out=fixed), "out", "read-only")

    def test_out_on_the_host(self) -> None:
        given = InterfaceArray(self.x)
        for out in [self.x, self.x.tolist(), 5, "out"]:
            refused(lambda: self.detector.safe_step(given, given, out=out), "out", "GPU memory")

    def test_exceptions_of_arrays_become_one_line(self) -> None:
        class Raises:
            def __init__(self, error: BaseException) -> None:
                self.error = error

            @property
            def __cuda_array_interface__(self) -> Any:
                raise self.error

        class RaisesOnTheWay(CapsuleArray):
            def __init__(self, x: np.ndarray, error: BaseException) -> None:
                super().__init__(x)
                self.error = error

            def __dlpack__(self, *, stream: Any = None) -> Any:
                raise self.error

        error = RuntimeError("it requires\ngrad")
        self.refuse(Raises(error), "__cuda_array_interface__", "RuntimeError", "it requires grad")
        self.refuse(RaisesOnTheWay(self.x, error), "__dlpack__", "RuntimeError", "it requires grad")
        for passes in [KeyboardInterrupt(), MemoryError()]:
            for given in [Raises(passes), RaisesOnTheWay(self.x, passes)]:
                with self.assertRaises(type(passes)):
                    self.detector.intersections(given)
        self.assertEqual(len(self.detector.impacts(self.x, two_triangles(-1.0))), 3)

    def test_capsules_of_other_memory(self) -> None:
        self.refuse(CapsuleArray(self.x, place=(1, 0)), "memory of kind 1")
        self.refuse(CapsuleArray(self.x, place=(10, 0)), "memory of kind 10")
        self.refuse(CapsuleArray(self.x, place=(2, 71)), "on GPU 71", "GPU 0")

    def test_what_is_no_capsule(self) -> None:
        class Returns(CapsuleArray):
            def __init__(self, x: np.ndarray, value: Any) -> None:
                super().__init__(x)
                self.value = value

            def __dlpack__(self, *, stream: Any = None) -> Any:
                return self.value

        other = CapsuleArray(self.x)
        wrong = other.capsule()
        set_name(wrong, b"dltensor_versioned")
        for value in [None, 5, "dltensor", wrong]:
            self.refuse(Returns(self.x, value), "__dlpack__", "no capsule named dltensor")
        set_name(wrong, b"dltensor")
        TakenTensor(wrong).give_back()

    def test_capsules_are_given_back_when_they_are_refused(self) -> None:
        for given in [
            CapsuleArray(self.x.astype("float32")),
            CapsuleArray(np.zeros((6, 2))),
            CapsuleArray(np.asfortranarray(self.x)),
            CapsuleArray(self.x, place=(1, 0)),
            CapsuleArray(self.x, place=(2, 71)),
        ]:
            self.refuse(given)
            self.assertEqual(given.out, 0)
        self.assertEqual(len(CapsuleArray.alive), 0)


# -------------------------------------------------------------------------- what interfaces and capsules are made of


class Owner:
    """A progress callable, which the detector keeps: it lives as long as the detector does."""

    def __call__(self, share: float) -> None:
        pass


@on_emulated_gpu
class EmulatedMemory(Comparisons):
    def setUp(self) -> None:
        self.scene, self.x_t0, self.x_t1 = ball_and_cloth()
        self.expected = graze.Detector(self.scene).impacts(self.x_t0, self.x_t1)

    def tearDown(self) -> None:
        gc.collect()
        self.assertEqual(len(CapsuleArray.alive), 0, "tensors were not given back")

    def found(self) -> tuple[graze.DeviceImpacts, weakref.ref[Owner]]:
        """A result, and a reference that dies with its detector."""
        owner = Owner()
        detector = graze.Detector(self.scene, device="cuda", progress=owner)
        impacts = detector.impacts(InterfaceArray(self.x_t0), InterfaceArray(self.x_t1))
        return impacts, weakref.ref(owner)

    def test_positions_are_viewed_in_place(self) -> None:
        x_t0, x_t1 = InterfaceArray(self.x_t0), InterfaceArray(self.x_t1)
        detector = graze.Detector(self.scene, device="cuda")
        out = InterfaceArray(np.zeros_like(self.x_t0))
        expected = graze.Detector(self.scene).safe_step(self.x_t0, self.x_t1)
        self.assertIs(detector.safe_step(x_t0, x_t1, out=out).positions, out)
        self.assertTrue(same_bits(out.x, expected.positions))
        self.x_t1[...] = self.x_t0
        self.assertEqual(len(detector.impacts(x_t0, x_t1)), 0)

    def test_interfaces_of_all_versions_and_forms(self) -> None:
        x = self.x_t1
        detector = graze.Detector(self.scene, device="cuda")
        for changes in [
            {"version": 2},
            {"version": np.int64(3)},
            {"strides": (24, 8)},
            {"shape": list(x.shape)},
            {"typestr": np.dtype("float64")},
            {"stream": 1},
            {"mask": None},
            {"data": (np.uint64(x.ctypes.data), True)},
            {"descr": [("", "<f8")]},
        ]:
            given = InterfaceArray(x, **changes)
            found = detector.impacts(InterfaceArray(self.x_t0), given)
            self.equal_impacts(found.to_host(), self.expected)
        old = InterfaceArray(x)
        for key in ["strides", "stream"]:
            del old.interface[key]
        self.equal_impacts(detector.impacts(InterfaceArray(self.x_t0), old).to_host(), self.expected)

    def test_arrays_of_several_streams(self) -> None:
        handles = [(ctypes.c_uint64 * 8)() for _ in range(3)]  # zeros are streams of the emulated GPU
        streams = [None, 1, *[ctypes.addressof(handle) for handle in handles]]
        expected = graze.Detector(self.scene).safe_step(self.x_t0, self.x_t1)
        detector = graze.Detector(self.scene, device="cuda")
        batch = graze.DetectorBatch([self.scene], device="cuda")
        for first in streams:
            for second in streams:
                x_t0, x_t1 = InterfaceArray(self.x_t0, stream=first), InterfaceArray(self.x_t1, stream=second)
                self.equal_impacts(detector.impacts(x_t0, x_t1).to_host(), self.expected)
                self.equal_impacts(batch.impacts(x_t0, x_t1).to_host().of(0), self.expected)
                self.assertEqual(detector.first_impact(x_t0, x_t1).toi, self.expected.toi.min())
                self.assertEqual(len(detector.intersections(x_t0)), 0)
                out = InterfaceArray(np.zeros_like(self.x_t0), stream=streams[-1])
                detector.safe_step(x_t0, x_t1, out=out)
                self.assertTrue(same_bits(out.x, expected.positions))

    def test_capsules_of_all_forms(self) -> None:
        detector = graze.Detector(self.scene, device="cuda")
        for changes in [{"byte_offset": 64}, {"with_strides": False}, {"device": (13, 0), "place": (13, 5)}]:
            given = [CapsuleArray(x, **changes) for x in (self.x_t0, self.x_t1)]
            found = detector.impacts(*given)
            self.equal_impacts(found.to_host(), self.expected)
            self.assertEqual([one.streams for one in given], [[1], [1]])

    def test_one_array_for_all_arguments(self) -> None:
        for kind in [InterfaceArray, CapsuleArray]:
            given: Any = kind(self.x_t0.copy())
            detector = graze.Detector(self.scene, device="cuda")
            safe = detector.safe_step(given, given, out=given)
            self.assertEqual(safe.step, 1.0)
            self.assertTrue(same_bits(given.x, self.x_t0))
            self.assertEqual(len(detector.impacts(given, given)), 0)

    def test_dlpack_is_asked_before_the_interface(self) -> None:
        class Both(CapsuleArray):
            @property
            def __cuda_array_interface__(self) -> Any:
                raise AssertionError("not asked")

        detector = graze.Detector(self.scene, device="cuda")
        found = detector.impacts(Both(self.x_t0), Both(self.x_t1))
        self.equal_impacts(found.to_host(), self.expected)

    def test_arrays_are_held_as_long_as_contact_points_may_be_asked_for(self) -> None:
        detector = graze.Detector(self.scene, device="cuda")
        arrays = CapsuleArray(self.x_t0), CapsuleArray(self.x_t1)
        found = detector.impacts(*arrays)
        self.assertEqual([array.out for array in arrays], [1, 1])
        detector.impacts(self.x_t0, self.x_t1)
        del found
        self.assertEqual([array.out for array in arrays], [0, 0])
        detector.first_impact(*arrays)
        detector.safe_step(*arrays)
        detector.intersections(arrays[0])
        detector.proximities(arrays[0], 0.1)
        self.assertEqual([array.out for array in arrays], [0, 0])

    def test_a_used_capsule_is_refused(self) -> None:
        class Again(CapsuleArray):
            """Returns the same capsule each time."""

            kept: Any = None

            def __dlpack__(self, *, stream: Any = None) -> Any:
                self.kept = self.kept or self.capsule()
                return self.kept

        given = Again(self.x_t0)
        detector = graze.Detector(self.scene, device="cuda")
        line = refused(lambda: detector.impacts(given, given), "x_t1", "__dlpack__", "used already")
        self.assertEqual(given.out, 0)
        self.assertEqual(name_of(given.kept), USED_NAME)
        self.assertEqual(refused(lambda: detector.impacts(given, given)), line.replace("x_t1", "x_t0"))

    def test_queries_inside_a_query_are_refused(self) -> None:
        detector = graze.Detector(self.scene, device="cuda")
        before = detector.impacts(InterfaceArray(self.x_t0), InterfaceArray(self.x_t1))

        class Asks(CapsuleArray):
            def __dlpack__(self, *, stream: Any = None) -> Any:
                refused(before.to_host, "is running a query", error=graze.Error)
                detector.first_impact(self.x, self.x)

        given = Asks(self.x_t0)
        refused(lambda: detector.impacts(given, given), "x_t0", "Error")
        self.equal_impacts(before.to_host(), self.expected)

        lines: list[str] = []
        watched: list[Any] = []

        def look(share: float) -> None:
            if watched:
                lines.append(refused(watched[0].to_host, error=graze.Error))

        asked = graze.Detector(self.scene, device="cuda", progress=look)
        watched.append(asked.impacts(InterfaceArray(self.x_t0), InterfaceArray(self.x_t1)))
        self.assertEqual(lines, [])
        asked.first_impact(self.x_t0, self.x_t1)
        self.assertGreater(len(lines), 0)
        self.assertEqual(len(set(lines)), 1)
        self.assertIn("until the next query", lines[0])

    def test_an_interface_says_what_the_memory_holds(self) -> None:
        found, _ = self.found()
        interface = found.weights.__cuda_array_interface__
        self.assertEqual(interface["shape"], (len(self.expected), 4))
        self.assertEqual((interface["typestr"], interface["version"], interface["stream"]), ("<f8", 3, None))
        self.assertEqual(interface["data"][1], False)
        for name in COLUMNS:
            self.assertTrue(same_bits(read_interface(getattr(found, name)), getattr(self.expected, name)), name)
            self.assertTrue(same_bits(read_capsule(getattr(found, name)), getattr(self.expected, name)), name)
        self.assertEqual(repr(found.normal), f"DeviceColumn(normal, {len(self.expected)} rows)")

    def test_columns_share_the_memory_of_the_result(self) -> None:
        found, _ = self.found()
        first = found.toi.__cuda_array_interface__["data"][0]
        self.assertEqual(found.toi.__cuda_array_interface__["data"][0], first)
        writable = (ctypes.c_double * 1).from_address(first)
        before, writable[0] = writable[0], 0.25
        self.assertEqual(found.to_host().toi[0], 0.25)
        writable[0] = before

    def test_columns_are_not_read_on_the_host(self) -> None:
        found, _ = self.found()
        with self.assertRaisesRegex(TypeError, r"toi is in GPU memory: call to_host\(\)"):
            np.asarray(found.toi)
        with self.assertRaisesRegex(TypeError, "to_host"):
            np.linalg.norm(found.normal)  # type: ignore[arg-type]
        for arguments in [{"dl_device": (1, 0)}, {"dl_device": (2, 1)}, {"copy": True}]:
            with self.assertRaises(BufferError):
                found.toi.__dlpack__(**arguments)
        for arguments in [{"dl_device": (2, 0)}, {"copy": False}, {"max_version": (1, 3)}, {"stream": 2}]:
            TakenTensor(found.toi.__dlpack__(**arguments)).give_back()
        if hasattr(np, "from_dlpack"):
            with self.assertRaises((BufferError, RuntimeError, TypeError)):
                np.from_dlpack(found.toi)

    def test_results_of_a_gpu_are_not_shown_or_recorded(self) -> None:
        found: Any = self.found()[0]
        with self.assertRaisesRegex(TypeError, "DeviceImpacts"):
            graze.show(found, path=os.devnull)
        with self.assertRaises(TypeError):
            graze.Capture(self.scene, self.x_t0, self.x_t1, found)

    def test_a_capsule_that_nobody_takes(self) -> None:
        found, owner = self.found()
        capsules = [found.toi.__dlpack__() for _ in range(3)]
        del found
        gc.collect()
        self.assertIsNotNone(owner())
        del capsules
        gc.collect()
        self.assertIsNone(owner())

    def test_a_capsule_that_is_taken_keeps_the_memory(self) -> None:
        found, owner = self.found()
        capsule = found.weights.__dlpack__()
        taken = TakenTensor(capsule)
        other = TakenTensor(found.weights.__dlpack__())
        del found, capsule
        gc.collect()
        self.assertTrue(same_bits(taken.array(), self.expected.weights))
        taken.give_back()
        self.assertIsNotNone(owner())
        self.assertTrue(same_bits(other.array(), self.expected.weights))
        thread = threading.Thread(target=other.give_back)
        thread.start()
        thread.join()
        gc.collect()
        self.assertIsNone(owner())

    def test_a_column_keeps_the_memory(self) -> None:
        found, owner = self.found()
        values = read_interface(found.normal)
        del found
        gc.collect()
        self.assertTrue(same_bits(values, self.expected.normal))
        self.assertIsNotNone(owner())
        del values
        gc.collect()
        self.assertIsNone(owner())

    def test_objects_may_end_in_any_order(self) -> None:
        rng = np.random.default_rng(3)
        for _ in range(20):
            found, owner = self.found()
            held: list[Any] = [found, found.toi, found.normal.__dlpack__(), found.kind.__dlpack__(), found.to_host()]
            taken = TakenTensor(held[3])
            del found
            for i in rng.permutation(len(held)):
                held[i] = None
                if rng.random() < 0.3:
                    gc.collect()
            self.assertIsNotNone(owner())
            taken.give_back()
            gc.collect()
            self.assertIsNone(owner())

    def test_arguments_may_be_columns_of_results(self) -> None:
        scene = two_bodies()
        x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
        found = graze.Detector(scene, device="cuda").impacts(InterfaceArray(x_t0), InterfaceArray(x_t1))
        other = graze.Detector(scene_of(np.array([[0, 1, 2]]), x_t0[:3]), device="cuda")
        refused(lambda: other.intersections(found.normal), "x has the strides", "contiguous")
        refused(lambda: other.intersections(found.toi), "x has the shape (3)")

    def test_the_interpreter_may_end_at_any_time(self) -> None:
        code = """
            import numpy as np, graze
            from gpu_arrays import CapsuleArray, TakenTensor
            from meshes import two_bodies, two_triangles
            detector = graze.Detector(two_bodies(), device="cuda")
            found = detector.impacts(CapsuleArray(two_triangles(1.0)), CapsuleArray(two_triangles(-1.0)))
            held = [found.toi.__dlpack__(), TakenTensor(found.toi.__dlpack__()), found.normal, found]
            import atexit, builtins, sys
            builtins.held = held
            if len(held[3]) == 3: print("three")
        """
        lines = [line[12:] for line in code.splitlines()]
        self.assertEqual(run_python("\n".join(lines)).strip(), "three")


if __name__ == "__main__":
    unittest.main()

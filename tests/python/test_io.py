"""Files: meshes, sequences, point caches, query files and captures; damaged files are refused."""

from __future__ import annotations

import json
import math
import os
import pathlib
import subprocess
from typing import Any

import numpy as np
import pytest

import graze
from meshes import CUBE_FACES, CUBE_VERTICES, TWO_FACES, refused, same, two_bodies, two_triangles

AWKWARD = np.array(
    [(0.1, 1 / 3, -0.0), (5e-324, 1e-300, 1e300), (math.pi, -math.e, 2**53 + 0.0), (1e22, 1e23, 123456789.123456789)]
)


@pytest.mark.parametrize("name, options", [("m.ply", {}), ("m.ply", {"ascii": True}), ("m.obj", {}), ("m.OBJ", {})])
@pytest.mark.parametrize("as_path", [str, pathlib.Path, os.fspath])
def test_a_mesh_reads_back_bit_for_bit(tmp_path: Any, name: str, options: Any, as_path: Any) -> None:
    file = as_path(str(tmp_path / name))
    faces = np.array([(0, 1, 2), (2, 1, 3), (0, 0, 1)])
    graze.write_mesh(file, AWKWARD, faces, **options)
    x, f = graze.read_mesh(file)
    assert x.tobytes() == AWKWARD.tobytes() and np.array_equal(f, faces)
    assert x.dtype == np.float64 and f.dtype == np.uint32 and x.shape == (4, 3) and f.shape == (3, 3)


def test_a_mesh_in_a_folder_with_an_unusual_name(tmp_path: Any) -> None:
    folder = tmp_path / "été 日本 🦌 %d {}"
    folder.mkdir()
    graze.write_mesh(folder / "ö.ply", CUBE_VERTICES, CUBE_FACES)
    x, f = graze.read_mesh(folder / "ö.ply")
    assert np.array_equal(x, CUBE_VERTICES) and np.array_equal(f, CUBE_FACES)


@pytest.mark.skipif(os.name != "posix", reason="names of files are text here")
def test_a_name_that_is_no_text_is_read_or_refused(tmp_path: Any) -> None:
    name = os.path.join(str(tmp_path), os.fsdecode(b"\xff\xfe.ply"))
    try:
        graze.write_mesh(name, CUBE_VERTICES, CUBE_FACES)
    except ValueError:
        return  # UnicodeError is a ValueError
    assert os.path.exists(name) and np.array_equal(graze.read_mesh(name)[0], CUBE_VERTICES)


@pytest.mark.parametrize("file", ["nul\0.ply", None, 3, ["a.ply"]])
def test_what_is_no_path_is_refused(file: Any) -> None:
    for call in (graze.read_mesh, graze.read_capture, graze.read_queries, graze.PointCache, graze.rigid.Object.load):
        with pytest.raises((TypeError, ValueError)):
            call(file)
    with pytest.raises((TypeError, ValueError)):
        graze.write_mesh(file, CUBE_VERTICES, CUBE_FACES)


def test_other_formats_are_read(tmp_path: Any) -> None:
    (tmp_path / "quad.off").write_text("OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n")
    x, f = graze.read_mesh(tmp_path / "quad.off")
    assert x.tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]] and f.tolist() == [[0, 1, 2], [0, 2, 3]]
    corners = "".join(f"vertex {v}\n" for v in ("0 0 0", "1 0 0", "0 1 0"))
    (tmp_path / "one.stl").write_text(
        f"solid one\nfacet normal 0 0 1\nouter loop\n{corners}endloop\nendfacet\nendsolid one\n"
    )
    x, f = graze.read_mesh(tmp_path / "one.stl")
    assert x.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]] and f.tolist() == [[0, 1, 2]]


@pytest.mark.parametrize("x", [[(0, 0, np.nan), (1, 0, 0), (0, 1, 0)], [(0, 0, 0), (1, 0, 0)]])
def test_a_bad_mesh_is_not_written(tmp_path: Any, x: Any) -> None:
    refused(lambda: graze.write_mesh(tmp_path / "m.ply", x, [(0, 1, 2)]))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["m.stl", "m.off", "m", "m.png", ".ply"])
def test_a_format_that_is_not_written_is_refused(tmp_path: Any, name: str) -> None:
    refused(lambda: graze.write_mesh(tmp_path / name, CUBE_VERTICES, CUBE_FACES))
    assert list(tmp_path.iterdir()) == []


READERS: dict[str, Any] = {
    "mesh.ply": graze.read_mesh,
    "mesh.obj": graze.read_mesh,
    "mesh.stl": graze.read_mesh,
    "mesh.off": graze.read_mesh,
    "cache.pc2": graze.PointCache,
    "cache.mdd": graze.PointCache,
    "step.graze": graze.read_capture,
    "vertex-face/queries.csv": graze.read_queries,
    "object.boxtree": graze.rigid.Object.load,
}


@pytest.mark.parametrize("name", READERS)
def test_files_that_are_missing_or_no_files_are_named(tmp_path: Any, name: str) -> None:
    file = tmp_path / name
    refused(lambda: READERS[name](file), file.name)
    file.mkdir(parents=True)
    refused(lambda: READERS[name](file), file.name)


@pytest.mark.parametrize("name", [name for name in READERS if name != "mesh.obj" and "csv" not in name])
@pytest.mark.parametrize("content", [b"", b"\0" * 100, b"\xff" * 999, b"ply\nformat", "été\n".encode() * 50])
def test_files_of_rubbish_are_named(tmp_path: Any, name: str, content: bytes) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    refused(lambda: READERS[name](file), file.name)


def step() -> tuple[graze.Scene, Any, Any, graze.Impacts]:
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    return two_bodies(), x_t0, x_t1, graze.Detector(two_bodies()).impacts(x_t0, x_t1)


def write_all(folder: pathlib.Path) -> list[pathlib.Path]:
    """A valid file of each format that graze writes."""
    scene, x_t0, x_t1, impacts = step()
    graze.write_mesh(folder / "mesh.ply", CUBE_VERTICES, CUBE_FACES)
    graze.write_pc2(folder / "cache.pc2", [x_t0, x_t1])
    graze.write_mdd(folder / "cache.mdd", [x_t0, x_t1])
    graze.write_capture(folder / "step.graze", graze.Capture(scene, x_t0, x_t1, impacts))
    graze.rigid.Object(CUBE_VERTICES, CUBE_FACES).save(folder / "object.boxtree")
    return sorted(folder.iterdir())


def test_damaged_files_are_refused_or_read_never_a_crash(tmp_path: Any) -> None:
    for file in write_all(tmp_path):
        read = READERS[file.name]
        content = file.read_bytes()
        read(file)
        for length in sorted({0, 1, 7, len(content) // 2, len(content) - 1}):
            file.write_bytes(content[:length])
            refused(lambda: read(file), file.name)
        rng = np.random.default_rng(0)
        for _ in range(150):
            damaged = bytearray(content)
            for _ in range(int(rng.integers(1, 4))):
                damaged[int(rng.integers(len(damaged)))] = int(rng.integers(256))
            file.write_bytes(bytes(damaged))
            try:
                read(file)
            except graze.InputError as error:
                assert file.name in str(error) and "\n" not in str(error)


def test_frames_are_listed_in_natural_order(tmp_path: Any) -> None:
    for name in ("f10.ply", "f2.ply", "f1.ply"):
        graze.write_mesh(tmp_path / name, CUBE_VERTICES, CUBE_FACES)
    (tmp_path / "notes.txt").write_text("no mesh")
    expected = [str(tmp_path / name) for name in ("f1.ply", "f2.ply", "f10.ply")]
    assert graze.list_frames(str(tmp_path)) == expected
    assert graze.list_frames(str(tmp_path / "f*.ply")) == expected
    assert graze.list_frames(str(tmp_path / "f?.ply")) == expected[:2]
    refused(lambda: graze.list_frames(str(tmp_path / "g*.ply")), "g*.ply")
    refused(lambda: graze.list_frames(str(tmp_path / "missing")), "missing")


# Point caches -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write, name", [(graze.write_pc2, "c.pc2"), (graze.write_mdd, "c.mdd")])
def test_a_point_cache_reads_back_as_floats(tmp_path: Any, write: Any, name: str) -> None:
    frames = [np.random.default_rng(i).normal(size=(7, 3)) for i in range(3)]
    write(tmp_path / name, frames)
    cache = graze.PointCache(tmp_path / name)
    assert len(cache) == 3 and cache.vertex_count == 7
    for i, frame in enumerate(frames):
        assert np.array_equal(cache[i], frame.astype(np.float32).astype(np.float64))
    assert np.array_equal(cache[-1], cache[2]) and [len(frame) for frame in cache] == [7, 7, 7]
    for bad in (3, -4, 2**40, 2**70):
        with pytest.raises(IndexError):
            cache[bad]
    write(tmp_path / name, [frame.tolist() for frame in frames])
    assert np.array_equal(graze.PointCache(tmp_path / name)[1], cache[1])


@pytest.mark.parametrize("write, name", [(graze.write_pc2, "c.pc2"), (graze.write_mdd, "c.mdd")])
@pytest.mark.parametrize(
    "frames",
    [[], [np.zeros((0, 3))], [np.zeros((2, 3)), np.zeros((3, 3))], [np.zeros((2, 2))], None, [None], ["ab"], "ab"],
    ids=str,
)
def test_frames_that_are_none_are_refused(tmp_path: Any, write: Any, name: str, frames: Any) -> None:
    with pytest.raises((graze.InputError, TypeError)):
        write(tmp_path / name, frames)
    assert list(tmp_path.iterdir()) == []


def test_a_bad_frame_is_named_with_its_row(tmp_path: Any) -> None:
    bad = np.zeros((4, 3))
    bad[2, 0] = np.nan
    refused(lambda: graze.write_pc2(tmp_path / "c.pc2", [np.zeros((4, 3)), bad]), 1, 2, "nan")


@pytest.mark.parametrize("rate", [0.0, -1.0, math.nan, math.inf])
def test_a_frame_rate_is_positive(tmp_path: Any, rate: float) -> None:
    refused(lambda: graze.write_mdd(tmp_path / "c.mdd", [np.zeros((1, 3))], frames_per_second=rate))


# Queries ------------------------------------------------------------------------------------------------------------


def test_a_query_file_is_read(tmp_path: Any) -> None:
    folder = tmp_path / "vertex-face"
    folder.mkdir()
    start = [(0, 0, 1), (-1, -1, 0), (1, -1, 0), (0, 1, 0)]
    rows = []
    for truth, end in ((1, -1), (0, 2)):
        for point in [*start, (0, 0, end), *start[1:]]:
            rows.append(",".join(f"{value},1" for value in point) + f",{truth}")
    (folder / "data.csv").write_text("\n".join(rows) + "\n")
    queries = graze.read_queries(folder / "data.csv")
    assert len(queries) == 2 and queries.kind == "vertex-face" and queries.truth.tolist() == [True, False]
    assert queries.t0.shape == queries.t1.shape == (2, 4, 3) and queries.truth.dtype == bool
    assert queries.t0[0].tolist() == [list(map(float, point)) for point in start]
    assert queries.t1[:, 0].tolist() == [[0, 0, -1], [0, 0, 2]]
    other = tmp_path / "pairs"
    folder.rename(other)
    refused(lambda: graze.read_queries(other / "data.csv"))


# Captures -----------------------------------------------------------------------------------------------------------


def test_a_capture_reads_back(tmp_path: Any) -> None:
    scene, x_t0, x_t1, impacts = step()
    graze.write_capture(tmp_path / "a.graze", graze.Capture(scene, x_t0, x_t1, impacts, thickness=0.0))
    capture = graze.read_capture(tmp_path / "a.graze")
    assert np.array_equal(capture.x_t0, x_t0) and np.array_equal(capture.x_t1, x_t1)
    assert (capture.hash, capture.toi_hash) == (impacts.hash(), impacts.toi_hash())
    assert (capture.vf_count, capture.ee_count) == (3, 0)
    assert (capture.thickness, capture.tolerance) == (0.0, 1e-6)
    assert capture.scene.body_count == 2 and capture.scene.motion(0) == "static"
    again = graze.Detector(capture.scene).impacts(capture.x_t0, capture.x_t1)
    assert same(again, impacts)


def test_the_program_confirms_a_capture(tmp_path: Any, program: str) -> None:
    scene, x_t0, x_t1, impacts = step()
    graze.write_capture(tmp_path / "a.graze", graze.Capture(scene, x_t0, x_t1, impacts))
    command = [program, "detect", str(tmp_path / "a.graze"), "--json", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    row = json.loads(done.stdout)["steps"][0]
    assert (row["vf"], row["ee"]) == (3, 0)
    # A capture with another answer is noticed.
    wrong = graze.Detector(scene).impacts(x_t0, two_triangles(0.5))
    assert len(wrong) == 0
    graze.write_capture(tmp_path / "b.graze", graze.Capture(scene, x_t0, x_t1, wrong))
    command[2] = str(tmp_path / "b.graze")
    assert subprocess.run(command, capture_output=True, check=False).returncode == 3


def test_a_capture_that_a_detector_would_refuse_is_refused(tmp_path: Any) -> None:
    scene, x_t0, x_t1, impacts = step()
    moving = x_t1.copy()
    moving[0, 0] += 1
    bad = x_t1.copy()
    bad[4, 2] = np.nan
    for end in (moving, bad, x_t1[:5]):
        refused(
            lambda: graze.write_capture(tmp_path / "a.graze", graze.Capture(scene, x_t0, end, impacts))
        )
    for options in ({"thickness": -1.0}, {"tolerance": 0.0}):
        refused(
            lambda: graze.write_capture(
                tmp_path / "a.graze", graze.Capture(scene, x_t0, x_t1, impacts, **options)
            )
        )
    assert list(tmp_path.iterdir()) == []


def test_files_in_folders_that_do_not_exist_are_named(tmp_path: Any) -> None:
    scene, x_t0, x_t1, impacts = step()
    missing = tmp_path / "missing"
    refused(lambda: graze.write_mesh(missing / "m.ply", x_t0, TWO_FACES), "m.ply")
    refused(lambda: graze.write_pc2(missing / "c.pc2", [x_t0]), "c.pc2")
    refused(lambda: graze.write_mdd(missing / "c.mdd", [x_t0]), "c.mdd")
    capture = graze.Capture(scene, x_t0, x_t1, impacts)
    refused(lambda: graze.write_capture(missing / "a.graze", capture), "a.graze")
    refused(lambda: graze.rigid.Object(x_t0, TWO_FACES).save(missing / "o.boxtree"), "o.boxtree")

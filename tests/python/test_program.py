"""The package and the program give the same answers, by hash: on public frames and on random scenes."""

from __future__ import annotations

import json
import pathlib
import subprocess
from typing import Any

import numpy as np
import pytest

import graze
from meshes import soup

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, settings, strategies as st  # noqa: E402

#: Frames of the public data: the step, and its contacts of both kinds.
FRAMES = {
    "cloth-ball": ("cloth_ball92.ply", "cloth_ball93.ply", 19032, 94822),
    "n-body-simulation": ("balls16_18.ply", "balls16_19.ply", 9459, 41031),
    "cloth-funnel": ("227.ply", "228.ply", 27, 107),
}


def answer_of(program: str, *arguments: object) -> dict[str, Any]:
    """The JSON that the program writes."""
    command = [program, *map(str, arguments), "--json", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def hashes(result: graze.Impacts) -> tuple[int, int, str, str]:
    """Numbers and hashes of impacts, as the program writes them."""
    return result.vf_count, result.ee_count, f"{result.hash():016x}", f"{result.toi_hash():016x}"


def program_hashes(program: str, *arguments: object) -> tuple[int, int, str, str]:
    step = answer_of(program, "detect", *arguments)["steps"][0]
    return step["vf"], step["ee"], step["hash"], step["toi_hash"]


@pytest.mark.parametrize("name", FRAMES)
def test_public_frames_have_the_answers_of_the_program_and_the_truth(
    name: str, program: str, data: pathlib.Path
) -> None:
    begin, end, vf, ee = FRAMES[name]
    files = data / "frames" / name / begin, data / "frames" / name / end
    x_t0, faces = graze.read_mesh(files[0])
    x_t1, _ = graze.read_mesh(files[1])
    found = hashes(graze.contacts(x_t0, x_t1, faces))
    assert found[:2] == (vf, ee)
    assert found == program_hashes(program, *files)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return tmp_path_factory.mktemp("scenes")


@settings(max_examples=500)
@given(
    seed=st.integers(0, 2**32 - 1),
    vertices=st.integers(3, 40),
    triangles=st.integers(1, 40),
    lattice=st.booleans(),
    exponent=st.sampled_from([0, 0, 0, -300, 300]),
    thickness=st.sampled_from([0.0, 0.0, 1e-3, 0.25]),
    method=st.sampled_from(["auto", "auto", "r-tri", "iccd", "adaptive", "hash"]),
)
def test_random_scenes_have_the_answers_of_the_program(
    seed: int,
    vertices: int,
    triangles: int,
    lattice: bool,
    exponent: int,
    thickness: float,
    method: Any,
    program: str,
    folder: pathlib.Path,
) -> None:
    faces, x_t0, x_t1 = soup(np.random.default_rng(seed), vertices, triangles, lattice=lattice)
    scale = 2.0**exponent
    for name, x in (("a.ply", x_t0), ("b.ply", x_t1)):
        graze.write_mesh(folder / name, scale * x, faces)
    result = graze.contacts(scale * x_t0, scale * x_t1, faces, thickness=scale * thickness, method=method)
    options = ("--thickness", repr(scale * thickness), "--method", method)
    assert hashes(result) == program_hashes(program, folder / "a.ply", folder / "b.ply", *options)


@settings(max_examples=100)
@given(seed=st.integers(0, 2**32 - 1), vertices=st.integers(3, 30), triangles=st.integers(1, 30), lattice=st.booleans())
def test_queries_at_one_instant_have_the_answers_of_the_program(
    seed: int, vertices: int, triangles: int, lattice: bool, program: str, folder: pathlib.Path
) -> None:
    faces, x, _ = soup(np.random.default_rng(seed), vertices, triangles, lattice=lattice)
    graze.write_mesh(folder / "m.ply", x, faces)
    pairs = graze.self_intersections(x, faces)
    scene = graze.Scene()
    scene.add_body(x, faces)
    near = graze.Detector(scene).proximities(x, 0.5)
    check = answer_of(program, "check", folder / "m.ply")
    proximity = answer_of(program, "proximity", folder / "m.ply", "--distance", 0.5)
    assert check["triangle_pairs"] == len(pairs)
    assert check["edge_face"] == len(pairs.edges)
    assert (proximity["vf"], proximity["ee"]) == (near.vf_count, near.ee_count)

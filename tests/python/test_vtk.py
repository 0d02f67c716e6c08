"""VTK files: VTK's own reader gives back every array of a result and of its mesh, bit for bit."""

from __future__ import annotations

import os
import pathlib
import subprocess
import xml.etree.ElementTree
from typing import Any

import numpy as np
import pytest

import graze
from meshes import CUBE_FACES, CUBE_VERTICES, TWO_FACES, refused, soup, two_bodies, two_triangles

vtk = pytest.importorskip("vtk", reason="VTK is not installed: nothing reads the files back")
numpy_support = pytest.importorskip("vtk.util.numpy_support")


def read(file: Any) -> Any:
    """The PolyData of a file; fails if VTK complains about it."""
    complaints: list[str] = []
    reader = vtk.vtkXMLPolyDataReader()
    assert reader.CanReadFile(str(file)) == 1
    for event in ("ErrorEvent", "WarningEvent"):
        reader.AddObserver(event, lambda *_: complaints.append("complaint"))
    reader.SetFileName(str(file))
    reader.Update()
    assert not complaints and reader.GetErrorCode() == 0
    return reader.GetOutput()


def columns(data: Any) -> dict[str, np.ndarray]:
    """The arrays of points or of cells by name, in one row for each, also if there is none."""
    result = {}
    for i in range(data.GetNumberOfArrays()):
        array = data.GetArray(i)
        width = array.GetNumberOfComponents()
        values = numpy_support.vtk_to_numpy(array)
        result[array.GetName()] = values.reshape(-1, width) if width > 1 else values
    return result


def points(poly: Any) -> np.ndarray:
    if poly.GetPoints() is None:
        return np.zeros((0, 3))
    values = numpy_support.vtk_to_numpy(poly.GetPoints().GetData()).reshape(-1, 3)
    assert values.dtype == np.float64
    return values


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


PAIRS = ("kind", "vertices", "weights", "normal", "body", "triangle")
IMPACTS = (*PAIRS, "toi", "toi_hi", "side")


def check_contacts(poly: Any, result: Any, names: tuple[str, ...], extra: dict[str, np.ndarray]) -> None:
    found = columns(poly.GetPointData())
    expected = {name: getattr(result, name) for name in names} | extra
    assert set(found) == set(expected)
    for name, values in expected.items():
        assert same_bits(found[name], values), name
    assert poly.GetNumberOfPoints() == poly.GetNumberOfCells() == poly.GetNumberOfVerts() == len(result)


def contacts_by_triangle(triangles: np.ndarray, result: Any) -> np.ndarray:
    """How many contacts have a feature that a triangle contains; by looking at each triangle for each contact."""
    sets = [set(map(int, t)) for t in triangles]
    counts = np.zeros(len(sets), dtype=np.uint32)
    for kind, vertices in zip(result.kind, result.vertices):
        first = 1 if kind == graze.VERTEX_FACE else 2
        for feature in (set(map(int, vertices[:first])), set(map(int, vertices[first:]))):
            face = kind == graze.VERTEX_FACE and len(vertices[first:]) == 3 and feature == set(map(int, vertices[1:]))
            for t, corners in enumerate(sets):
                counts[t] += corners == feature if face else feature <= corners
    return counts


def check_mesh(poly: Any, scene: graze.Scene, x: np.ndarray) -> dict[str, np.ndarray]:
    assert same_bits(points(poly), np.asarray(x, dtype=np.float64))
    data, cells = columns(poly.GetPointData()), columns(poly.GetCellData())
    assert np.array_equal(data["vertex"], np.arange(scene.vertex_count))
    assert same_bits(data["body"], scene.vertex_body)
    assert np.array_equal(cells["triangle"], np.arange(scene.triangle_count))
    assert poly.GetNumberOfCells() == poly.GetNumberOfPolys() == scene.triangle_count
    if scene.triangle_count:
        corners = numpy_support.vtk_to_numpy(poly.GetPolys().GetConnectivityArray()).reshape(-1, 3)
        assert np.array_equal(corners, scene.triangles)
        assert np.array_equal(cells["body"], scene.vertex_body[scene.triangles[:, 0]])
    return cells


def check_impacts(file: pathlib.Path, impacts: graze.Impacts, x_t0: np.ndarray, x_t1: np.ndarray) -> None:
    poly = read(file)
    check_contacts(poly, impacts, IMPACTS, {})
    assert same_bits(points(poly), impacts.point)
    mesh = read(file.with_name(file.stem + "_mesh.vtp"))
    cells = check_mesh(mesh, impacts.scene, x_t0)
    assert np.array_equal(cells["contacts"], contacts_by_triangle(impacts.scene.triangles, impacts))
    assert same_bits(columns(mesh.GetPointData())["displacement"], np.asarray(x_t1) - np.asarray(x_t0))


def check_proximities(file: pathlib.Path, near: graze.Proximities) -> None:
    poly = read(file)
    ends = {f"point_{i}": near.points[:, i] for i in (0, 1)}
    check_contacts(poly, near, (*PAIRS, "distance"), ends)
    assert same_bits(points(poly), 0.5 * near.points[:, 0] + 0.5 * near.points[:, 1])


@pytest.mark.parametrize("lattice", [False, True])
@pytest.mark.parametrize("thickness", [0.0, 0.05])
def test_impacts_of_a_soup_read_back(tmp_path: pathlib.Path, lattice: bool, thickness: float) -> None:
    faces, x_t0, x_t1 = soup(np.random.default_rng(3), 40, 30, lattice=lattice)
    impacts = graze.contacts(x_t0, x_t1, faces, thickness=thickness)
    assert impacts.vf_count > 10 and impacts.ee_count > 10
    impacts.to_vtk(tmp_path / "out.vtp")
    check_impacts(tmp_path / "out.vtp", impacts, x_t0, x_t1)
    assert sorted(os.listdir(tmp_path)) == ["out.vtp", "out_mesh.vtp"]


def test_bodies_and_active_arrays(tmp_path: pathlib.Path) -> None:
    x_t0, x_t1 = two_triangles(1 / 3), two_triangles(-0.1)
    impacts = graze.Detector(two_bodies()).impacts(x_t0, x_t1)
    impacts.to_vtk(str(tmp_path / "out.vtp"))
    check_impacts(tmp_path / "out.vtp", impacts, x_t0, x_t1)
    contacts, mesh = read(tmp_path / "out.vtp"), read(tmp_path / "out_mesh.vtp")
    assert columns(contacts.GetPointData())["body"].tolist() == [[1, 0]] * 3
    assert contacts.GetPointData().GetScalars().GetName() == "toi"
    assert contacts.GetPointData().GetVectors().GetName() == "normal"
    assert mesh.GetPointData().GetVectors().GetName() == "displacement"
    assert mesh.GetCellData().GetScalars().GetName() == "contacts"
    warp = vtk.vtkWarpVector()  # what Warp By Vector of ParaView is
    warp.SetInputData(mesh)
    warp.SetScaleFactor(1.0)
    warp.Update()
    assert np.allclose(points(warp.GetOutput()), x_t1)


def test_results_without_rows_and_bodies_without_triangles(tmp_path: pathlib.Path) -> None:
    scene = two_bodies()
    scene.add_body([(7.0, 8.0, 9.0)], np.zeros((0, 3), dtype=np.int64))
    x = np.vstack([two_triangles(1.0), [(7.0, 8.0, 9.0)]])
    detector = graze.Detector(scene)
    impacts = detector.impacts(x, x)
    assert len(impacts) == 0
    impacts.to_vtk(tmp_path / "a.vtp")
    check_impacts(tmp_path / "a.vtp", impacts, x, x)
    near = detector.proximities(x, 0.1)
    near.to_vtk(tmp_path / "b.vtp")
    check_proximities(tmp_path / "b.vtp", near)
    detector.intersections(x, overlaps=True).to_vtk(tmp_path / "c.vtp")
    assert read(tmp_path / "c.vtp").GetNumberOfCells() == 0
    for name in "abc":
        check_mesh(read(tmp_path / f"{name}_mesh.vtp"), scene, x)


def test_an_empty_scene(tmp_path: pathlib.Path) -> None:
    nothing = np.zeros((0, 3))
    graze.Detector(graze.Scene()).impacts(nothing, nothing).to_vtk(tmp_path / "out.vtp")
    for name in ("out.vtp", "out_mesh.vtp"):
        poly = read(tmp_path / name)
        assert poly.GetNumberOfPoints() == poly.GetNumberOfCells() == 0


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_any_scale(tmp_path: pathlib.Path, scale: float) -> None:
    x_t0, x_t1 = two_triangles(1 / 3) * scale, two_triangles(-0.1) * scale
    impacts = graze.contacts(x_t0, x_t1, TWO_FACES)
    assert len(impacts) == 3
    impacts.to_vtk(tmp_path / "out.vtp")
    check_impacts(tmp_path / "out.vtp", impacts, x_t0, x_t1)


def test_proximities_read_back(tmp_path: pathlib.Path) -> None:
    faces, x, _ = soup(np.random.default_rng(5), 40, 30)
    scene = graze.Scene()
    scene.add_body(x, faces)
    near = graze.Detector(scene).proximities(x, 0.1)
    assert near.vf_count > 3 and near.ee_count > 3
    near.to_vtk(tmp_path / "out.vtp")
    check_proximities(tmp_path / "out.vtp", near)
    cells = check_mesh(read(tmp_path / "out_mesh.vtp"), scene, x)
    assert np.array_equal(cells["contacts"], contacts_by_triangle(scene.triangles, near))


def test_intersections_read_back(tmp_path: pathlib.Path) -> None:
    x = np.vstack([CUBE_VERTICES, CUBE_VERTICES * 0.7 + (1.0, 0.3, 0.1)])
    faces = np.vstack([CUBE_FACES, CUBE_FACES + 8])
    found = graze.self_intersections(x, faces, overlaps=True)
    assert len(found) > 5 and found.segment is not None and found.shape is not None
    found.to_vtk(tmp_path / "out.vtp")
    poly = read(tmp_path / "out.vtp")
    assert poly.GetNumberOfCells() == poly.GetNumberOfLines() == len(found)
    assert same_bits(points(poly).reshape(-1, 2, 3), found.segment)
    ends = numpy_support.vtk_to_numpy(poly.GetLines().GetConnectivityArray())
    assert np.array_equal(ends, np.arange(2 * len(found)))
    data = columns(poly.GetCellData())
    assert set(data) == {"triangle", "body", "shape"}
    assert same_bits(data["triangle"], found.triangle_pairs)
    assert same_bits(data["body"], found.body) and same_bits(data["shape"], found.shape)
    cells = check_mesh(read(tmp_path / "out_mesh.vtp"), found.scene, x)
    assert np.array_equal(cells["contacts"], np.bincount(found.triangle_pairs.ravel(), minlength=len(faces)))
    refused(lambda: graze.self_intersections(x, faces).to_vtk(tmp_path / "out.vtp"), "overlaps=True")


def test_a_part_of_a_result_is_written_with_the_whole_mesh(tmp_path: pathlib.Path) -> None:
    faces, x_t0, x_t1 = soup(np.random.default_rng(3), 40, 30)
    impacts = graze.contacts(x_t0, x_t1, faces)
    early = impacts[impacts.toi < np.median(impacts.toi)]
    assert 0 < len(early) < len(impacts) and early.x_t0 is None
    early.to_vtk(tmp_path / "early.vtp")
    check_impacts(tmp_path / "early.vtp", early, x_t0, x_t1)
    batches: list[graze.Impacts] = []
    scene = graze.Scene()
    scene.add_body(x_t0, faces)
    graze.Detector(scene).impacts(x_t0, x_t1, sink=batches.append)
    batches[0].to_vtk(tmp_path / "batch.vtp")
    check_impacts(tmp_path / "batch.vtp", batches[0], x_t0, x_t1)


def test_after_an_edit_ids_are_those_of_the_scene(tmp_path: pathlib.Path) -> None:
    scene = two_bodies()
    edit = scene.begin_edit()
    edit.remove_triangle(0)
    edit.remove_vertex(0)
    scene.apply(edit)
    x = two_triangles(1.0)
    x[0] = np.nan
    graze.Detector(scene).impacts(x, x).to_vtk(tmp_path / "out.vtp")
    mesh = read(tmp_path / "out_mesh.vtp")
    assert columns(mesh.GetPointData())["vertex"].tolist() == [1, 2, 3, 4, 5]
    assert columns(mesh.GetCellData())["triangle"].tolist() == [1]
    assert same_bits(points(mesh), x[1:])


def test_what_cannot_be_written_is_refused(tmp_path: pathlib.Path) -> None:
    x_t0, x_t1 = two_triangles(1.0), two_triangles(-1.0)
    impacts = graze.contacts(x_t0, x_t1, TWO_FACES)
    for name in ("out.vtk", "out", "out.pvd", ".vtp"):
        refused(lambda name=name: impacts.to_vtk(tmp_path / name), name, ".vtp")
    refused(lambda: impacts.to_vtk(tmp_path / "missing" / "out.vtp"), "missing")
    with pytest.raises(TypeError):
        impacts.to_vtk(3)  # type: ignore[arg-type]
    x_t1[3] += 1.0  # a solver that goes on in the same array
    refused(lambda: impacts.to_vtk(tmp_path / "out.vtp"), "changed")
    assert list(tmp_path.iterdir()) == []


# Sequences ----------------------------------------------------------------------------------------------------------


def members(file: pathlib.Path) -> list[tuple[float, pathlib.Path]]:
    root = xml.etree.ElementTree.parse(file).getroot()
    assert root.attrib["type"] == "Collection" and root[0].tag == "Collection"
    return [(float(row.attrib["timestep"]), file.parent / row.attrib["file"]) for row in root[0]]


def test_a_sequence_of_steps(tmp_path: pathlib.Path) -> None:
    heights = [1.5, 0.5, -0.5, -1.5]
    detector = graze.Detector(two_bodies())
    results = []
    with graze.VtkSequence(tmp_path / "é & run.pvd") as sequence:
        for k in range(3):
            results.append(detector.impacts(two_triangles(heights[k]), two_triangles(heights[k + 1])))
            sequence.add(results[-1], time=0.25 * k)
        assert len(sequence) == 3
    contacts = members(tmp_path / "é & run.pvd")
    assert [time for time, _ in contacts] == [0.0, 0.25, 0.5]
    for k, (_, file) in enumerate(contacts):
        check_impacts(file, results[k], two_triangles(heights[k]), two_triangles(heights[k + 1]))
    meshes = members(tmp_path / "é & run_mesh.pvd")
    assert [file.name for _, file in meshes] == [file.stem + "_mesh.vtp" for _, file in contacts]


def test_a_sequence_takes_results_of_every_kind_and_counts_steps(tmp_path: pathlib.Path) -> None:
    x = two_triangles(0.05)
    detector = graze.Detector(two_bodies())
    sequence = graze.VtkSequence(str(tmp_path / "run.pvd"))
    sequence.add(detector.impacts(x, x))
    sequence.add(detector.proximities(x, 0.1))
    sequence.add(detector.intersections(x, overlaps=True))
    assert not (tmp_path / "run.pvd").exists()
    sequence.close()
    assert [time for time, _ in members(tmp_path / "run.pvd")] == [0.0, 1.0, 2.0]
    assert [read(file).GetNumberOfPoints() for _, file in members(tmp_path / "run.pvd")] == [0, 3, 0]
    for wrong in (None, 3, "impacts", detector.first_impact(x, x)):
        with pytest.raises(TypeError):
            sequence.add(wrong)  # type: ignore[arg-type]
    refused(lambda: sequence.add(detector.impacts(x, x), time=2.0), "not after")
    refused(lambda: sequence.add(detector.impacts(x, x), time=float("nan")), "nan")
    refused(lambda: sequence.add(detector.intersections(x)), "overlaps=True")
    assert len(sequence) == 3
    refused(lambda: graze.VtkSequence(tmp_path / "run.vtp"), ".pvd")


def test_a_sequence_that_stops_early_has_the_steps_until_then(tmp_path: pathlib.Path) -> None:
    x = two_triangles(0.05)
    with pytest.raises(KeyError):
        with graze.VtkSequence(tmp_path / "run.pvd") as sequence:
            sequence.add(graze.contacts(x, x, TWO_FACES))
            raise KeyError
    assert len(members(tmp_path / "run.pvd")) == 1


# The program --------------------------------------------------------------------------------------------------------


def test_the_program_writes_the_same_files(tmp_path: pathlib.Path, program: str) -> None:
    x_t0, x_t1 = two_triangles(1 / 3), two_triangles(-0.1)
    graze.write_mesh(tmp_path / "start.ply", x_t0, TWO_FACES)
    graze.write_mesh(tmp_path / "end.ply", x_t1, TWO_FACES)
    bodies = graze.Detector(two_bodies()).impacts(x_t0, x_t1)
    graze.write_capture(tmp_path / "bodies.graze", graze.Capture(bodies.scene, x_t0, x_t1, bodies))
    for command, result in {
        ("detect", "start.ply", "end.ply"): graze.contacts(x_t0, x_t1, TWO_FACES),
        ("detect", "bodies.graze"): bodies,
        ("check", "start.ply"): graze.self_intersections(x_t0, TWO_FACES, overlaps=True),
    }.items():
        line = [program, *command, "--vtk", "program.vtp"]
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        result.to_vtk(tmp_path / "python.vtp")
        for end in (".vtp", "_mesh.vtp"):
            assert (tmp_path / f"program{end}").read_bytes() == (tmp_path / f"python{end}").read_bytes()

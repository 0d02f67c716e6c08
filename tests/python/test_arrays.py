"""Arrays in and out: what is taken, what is viewed in place, what is refused, and how long results live."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import graze
from meshes import TWO_FACES, grid, refused, run_python, same, soup, two_bodies, two_triangles

START, END = two_triangles(1.0), two_triangles(-1.0)
EXPECTED = graze.contacts(START, END, TWO_FACES)


class ArrayLike:
    """Has an array, but is none."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.array if dtype is None else self.array.astype(dtype)


class Broken:
    """Fails when it is asked for an array."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        raise RuntimeError("no array today")


def in_columns(x: np.ndarray, step: int) -> np.ndarray:
    """The same values in rows that are `step` doubles apart."""
    wide = np.full((len(x), step), np.nan)
    wide[:, :3] = x
    return wide[:, :3]


def unaligned(x: np.ndarray) -> np.ndarray:
    """The same values at an odd address."""
    raw = np.zeros(x.nbytes + 1, dtype=np.uint8)
    array = raw[1:].view(x.dtype).reshape(x.shape)
    array[...] = x
    assert not array.flags.aligned
    return array


def read_only(x: np.ndarray) -> np.ndarray:
    array = x.copy()
    array.flags.writeable = False
    return array


POSITION_FORMS: dict[str, Callable[[np.ndarray], Any]] = {
    "double": lambda x: x,
    "list": lambda x: x.tolist(),
    "tuple": lambda x: tuple(map(tuple, x.tolist())),
    "rows": lambda x: list(x),
    "float32": lambda x: x.astype(np.float32),
    "float16": lambda x: x.astype(np.float16),
    "int8": lambda x: x.astype(np.int8),
    "int64": lambda x: x.astype(np.int64),
    "big-endian": lambda x: x.astype(">f8"),
    "big-endian float": lambda x: x.astype(">f4"),
    "column-major": np.asfortranarray,
    "transposed": lambda x: np.ascontiguousarray(x.T).T,
    "strided rows": lambda x: np.repeat(x, 2, axis=0)[::2],
    "strided columns": lambda x: np.repeat(x, 2, axis=1)[:, ::2],
    "part of a wider array": lambda x: in_columns(x, 5),
    "reversed twice": lambda x: x[::-1].copy()[::-1],
    "mirrored twice": lambda x: x[:, ::-1].copy()[:, ::-1],
    "unaligned": unaligned,
    "read-only": read_only,
    "matrix": lambda x: np.asmatrix(x),
    "array-like": ArrayLike,
    "memoryview": lambda x: memoryview(np.ascontiguousarray(x)),
}

FACE_FORMS: dict[str, Callable[[np.ndarray], Any]] = {
    "list": lambda f: f.tolist(),
    "tuple": lambda f: tuple(map(tuple, f.tolist())),
    **{name: (lambda f, name=name: f.astype(name)) for name in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")},
    "big-endian": lambda f: f.astype(">i4"),
    "big-endian uint32": lambda f: f.astype(">u4"),
    "column-major": lambda f: np.asfortranarray(f.astype(np.uint32)),
    "strided": lambda f: np.repeat(f.astype(np.uint32), 3, axis=0)[::3],
    "reversed twice": lambda f: f[::-1].copy()[::-1],
    "unaligned": lambda f: unaligned(f.astype(np.uint32)),
    "read-only": lambda f: read_only(f.astype(np.uint32)),
    "array-like": ArrayLike,
}


def test_the_scene_of_this_file_has_three_contacts() -> None:
    assert (EXPECTED.vf_count, EXPECTED.ee_count) == (3, 0)
    assert np.all(EXPECTED.toi <= 0.5) and np.all(EXPECTED.toi_hi >= 0.5)


@pytest.mark.parametrize("form", POSITION_FORMS)
def test_positions_of_any_form_give_the_same_contacts(form: str) -> None:
    make = POSITION_FORMS[form]
    x_t0, x_t1 = make(START), make(END)
    before = np.array(x_t0, copy=True), np.array(x_t1, copy=True)
    assert same(graze.contacts(x_t0, x_t1, TWO_FACES), EXPECTED)
    detector = graze.Detector(two_bodies())
    assert same(detector.impacts(x_t0, x_t1), EXPECTED)
    assert detector.first_impact(x_t0, x_t1).toi == EXPECTED.toi.min()
    assert len(detector.proximities(x_t0, 1.0)) == 3
    scene = graze.Scene()
    scene.add_body(x_t0, TWO_FACES)
    assert np.array_equal(scene.positions, START)
    assert np.array_equal(before[0], np.array(x_t0)) and np.array_equal(before[1], np.array(x_t1))


@pytest.mark.parametrize("form", FACE_FORMS)
def test_faces_of_any_integer_type_give_the_same_contacts(form: str) -> None:
    faces = FACE_FORMS[form](TWO_FACES)
    assert same(graze.contacts(START, END, faces), EXPECTED)
    scene = graze.Scene()
    scene.add_body(START, faces)
    assert np.array_equal(scene.triangles, TWO_FACES)
    assert same(graze.find_impacts([(faces, START, END)])[0], EXPECTED)


@pytest.mark.parametrize("form", ["double", "read-only"])
def test_contiguous_doubles_are_viewed_in_place(form: str) -> None:
    assert graze._graze._is_viewed(POSITION_FORMS[form](START.copy()))


@pytest.mark.parametrize(
    "form",
    [form for form in POSITION_FORMS if form not in ("double", "read-only", "matrix", "array-like", "memoryview")],
)
def test_other_positions_are_converted(form: str) -> None:
    assert not graze._graze._is_viewed(POSITION_FORMS[form](START.copy()))


def test_a_query_neither_keeps_nor_changes_its_arrays() -> None:
    class Tracked(np.ndarray):
        """An array that can be watched: plain arrays take no weak references."""

    x_t0, x_t1 = START.copy().view(Tracked), END.copy().view(Tracked)
    detector = graze.Detector(two_bodies())
    stats = detector.impacts(x_t0, x_t1, sink=lambda batch: None)
    del stats
    assert np.array_equal(x_t0, START) and np.array_equal(x_t1, END)
    watch = weakref.ref(x_t0)
    del x_t0
    gc.collect()
    assert watch() is None, "the detector holds the positions of a streamed query"


def test_x_t0_and_x_t1_may_be_one_array() -> None:
    assert len(graze.contacts(START, START, TWO_FACES)) == 0
    x = two_triangles(0.0)
    assert len(graze.contacts(x, x, TWO_FACES)) > 0


# What is refused ----------------------------------------------------------------------------------------------------

DETECTOR_QUERIES: dict[str, Callable[[Any], Any]] = {
    "x_t0": lambda x: graze.Detector(two_bodies()).impacts(x, END),
    "x_t1": lambda x: graze.Detector(two_bodies()).impacts(START, x),
    "x_t0 of first_impact": lambda x: graze.Detector(two_bodies()).first_impact(x, END),
    "x_t1 of safe_step": lambda x: graze.Detector(two_bodies()).safe_step(START, x),
    "x of intersections": lambda x: graze.Detector(two_bodies()).intersections(x),
    "x of proximities": lambda x: graze.Detector(two_bodies()).proximities(x, 1.0),
}
SOUP_QUERIES: dict[str, Callable[[Any], Any]] = {
    "x_t0 of contacts": lambda x: graze.contacts(x, END, TWO_FACES),
    "x_t1 of contacts": lambda x: graze.contacts(START, x, TWO_FACES),
    "x of self_intersections": lambda x: graze.self_intersections(x, TWO_FACES),
    "x_t0 of safe_step": lambda x: graze.safe_step(x, END, TWO_FACES),
    "positions": lambda x: graze.Scene().add_body(x, TWO_FACES),
    "positions of Object": lambda x: graze.rigid.Object(x, TWO_FACES),
}
QUERIES = {**DETECTOR_QUERIES, **SOUP_QUERIES}


def name_of(query: str) -> str:
    return query.split()[0]


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("row, column", [(0, 0), (4, 2), (5, 1)])
def test_a_value_that_is_not_finite_is_named_with_its_row(
    query: str, value: float, row: int, column: int
) -> None:
    x = START.copy()
    x[row, column] = value
    refused(lambda: QUERIES[query](x), name_of(query), row, "nan" if np.isnan(value) else "inf")


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("form", ["list", "float32", "big-endian", "strided rows", "unaligned"])
def test_nan_is_found_in_arrays_that_are_converted(query: str, form: str) -> None:
    x = START.copy()
    x[3, 1] = np.nan
    refused(lambda: QUERIES[query](POSITION_FORMS[form](x)), name_of(query), 3, "nan")


WRONG_SHAPES = {
    "two columns": (START[:, :2], "(6, 2)"),
    "four columns": (np.hstack([START, START[:, :1]]), "(6, 4)"),
    "flat": (START.ravel(), "(18,)"),
    "three dimensions": (START[None], "(1, 6, 3)"),
    "transposed": (START.T, "(3, 6)"),
    "a scalar": (np.float64(1.0), "()"),
    "one point": (START[0], "(3,)"),
    "no columns": (np.zeros((6, 0)), "(6, 0)"),
}


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("shape", WRONG_SHAPES)
def test_a_wrong_shape_is_named(query: str, shape: str) -> None:
    x, text = WRONG_SHAPES[shape]
    refused(lambda: QUERIES[query](x), name_of(query), text)


@pytest.mark.parametrize("query", DETECTOR_QUERIES)
@pytest.mark.parametrize("rows", [0, 1, 5, 7, 12])
def test_a_detector_refuses_a_wrong_number_of_rows(query: str, rows: int) -> None:
    refused(lambda: QUERIES[query](np.zeros((rows, 3))), name_of(query), rows, 6)


@pytest.mark.parametrize("query", SOUP_QUERIES)
@pytest.mark.parametrize("rows", [1, 5])
def test_a_soup_with_too_few_rows_is_refused(query: str, rows: int) -> None:
    refused(lambda: QUERIES[query](np.zeros((rows, 3))))


def test_ends_of_different_lengths_are_refused() -> None:
    longer = np.vstack([END, END])
    refused(lambda: graze.contacts(START, longer, TWO_FACES), "x_t1", 12, 6)
    refused(lambda: graze.safe_step(longer, END, TWO_FACES), "x_t1", 12, 6)


@pytest.mark.parametrize("empty", [[], np.zeros((0, 3)), np.zeros((0, 3), dtype=np.float32), np.zeros(0)])
def test_empty_arrays_are_scenes_without_contacts(empty: Any) -> None:
    none = np.zeros((0, 3), dtype=np.int64)
    for faces in ([], none, none.astype(np.uint32)):
        assert len(graze.contacts(empty, empty, faces)) == 0
        assert len(graze.self_intersections(empty, faces)) == 0
        assert graze.safe_step(empty, empty, faces).step == 1.0
    assert len(graze.contacts(START, END, [])) == 0
    detector = graze.Detector(graze.Scene())
    result = detector.impacts(empty, empty)
    assert result.vertices.shape == (0, 4) and result.normal.shape == (0, 3) and result.toi.shape == (0,)
    assert len(detector.proximities(empty, 1.0)) == 0
    assert detector.first_impact(empty, empty).impact is None


def test_an_empty_list_is_no_answer_for_positions_that_are_needed() -> None:
    refused(lambda: graze.contacts([], [], TWO_FACES))
    refused(lambda: graze.Detector(two_bodies()).impacts([], []), "x_t0", 6)


WRONG_TYPES: dict[str, Any] = {
    "complex": START.astype(np.complex128),
    "bool": START > 0,
    "object": START.astype(object),
    "strings": START.astype(str),
    "bytes": START.astype("S"),
    "longdouble": START.astype(np.longdouble),
    "masked": np.ma.masked_array(START, mask=START > 5),
    "masked, no mask": np.ma.masked_array(START),
    "times": START.astype("datetime64[s]"),
    "durations": START.astype("timedelta64[s]"),
    "structured": np.zeros(6, dtype=[("x", "f8"), ("y", "f8"), ("z", "f8")]),
    "ragged": [[0.0, 1.0, 2.0], [3.0, 4.0]],
    "words": [["a", "b", "c"]] * 6,
    "None": None,
    "list with None": [[0.0, None, 1.0]] * 6,
    "a string": "positions",
    "bytes object": b"123456789012345678",
    "dict": {"x": 1},
    "set": {1, 2, 3},
    "generator": (row for row in START),
    "a function": grid,
    "a type": np.ndarray,
    "huge ints": [[10**30, 0, 0]] * 6,
    "a broken array": Broken(),
}


@pytest.mark.filterwarnings("ignore::numpy.VisibleDeprecationWarning")
@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("kind", WRONG_TYPES)
def test_what_is_no_array_of_numbers_is_refused(query: str, kind: str) -> None:
    refused(lambda: QUERIES[query](WRONG_TYPES[kind]), name_of(query))


@pytest.mark.parametrize("value", [2**53 + 1, -(2**53) - 1, 2**63 - 1])
def test_an_integer_that_no_double_equals_is_refused(value: int) -> None:
    x = np.zeros((6, 3), dtype=np.int64)
    x[2, 1] = value
    refused(lambda: graze.contacts(x, END, TWO_FACES), "x_t0", 2, value)


def test_a_large_unsigned_integer_that_no_double_equals_is_refused() -> None:
    x = np.zeros((6, 3), dtype=np.uint64)
    x[1, 0] = 2**64 - 1
    refused(lambda: graze.contacts(x, END, TWO_FACES), "x_t0", 1, 2**64 - 1)


@pytest.mark.parametrize("value", [2**53, -(2**53), 2**62, -(2**63)])
def test_an_integer_that_a_double_equals_is_taken(value: int) -> None:
    x = np.zeros((3, 3), dtype=np.int64)
    x[2, 1] = value
    scene = graze.Scene()
    scene.add_body(x, [(0, 1, 2)])
    assert int(scene.positions[2, 1]) == value


@pytest.mark.parametrize("value", [5e-324, 1e-300, 1e300, -0.0])
def test_the_whole_range_of_doubles_is_taken(value: float) -> None:
    x = np.full((3, 3), value)
    scene = graze.Scene()
    scene.add_body(x, [(0, 1, 2)])
    assert scene.positions.tobytes() == x.tobytes()
    assert len(graze.contacts(x, x, [(0, 1, 2)])) == 0


# Faces --------------------------------------------------------------------------------------------------------------

FACE_TAKERS: dict[str, Callable[[Any], Any]] = {
    "contacts": lambda f: graze.contacts(START, END, f),
    "self_intersections": lambda f: graze.self_intersections(START, f),
    "safe_step": lambda f: graze.safe_step(START, END, f),
    "add_body": lambda f: graze.Scene().add_body(START, f),
    "find_impacts": lambda f: graze.find_impacts([(f, START, END)]),
    "Object": lambda f: graze.rigid.Object(START, f),
    "edit": lambda f: graze.Scene().begin_edit().add_body(START, f),
    "write_mesh": lambda f: graze.write_mesh("/nonexistent/folder/mesh.ply", START, f),
}


@pytest.mark.parametrize("taker", FACE_TAKERS)
@pytest.mark.parametrize(
    "bad, words",
    [
        (TWO_FACES.astype(float), ["float64"]),
        (TWO_FACES.astype(np.float32), ["float32"]),
        (TWO_FACES > 0, ["bool"]),
        (TWO_FACES.astype(complex), ["complex"]),
        (TWO_FACES.astype(object), ["object"]),
        (TWO_FACES.astype(str), []),
        (np.ma.masked_array(TWO_FACES), []),
        (TWO_FACES.ravel(), ["(6,)"]),
        (TWO_FACES[:, :2], ["(2, 2)"]),
        (TWO_FACES[None], ["(1, 2, 3)"]),
        (np.zeros((0, 2), dtype=int), ["(0, 2)"]),
        ([[0, 1], [2]], []),
        (None, []),
        ("faces", []),
        ([[0, 1, None]], []),
        ([[0, 1, 2**70]], []),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::numpy.VisibleDeprecationWarning")
def test_faces_that_are_no_triangles_are_refused(taker: str, bad: Any, words: list[str]) -> None:
    refused(lambda: FACE_TAKERS[taker](bad), "faces", *words)


@pytest.mark.parametrize("taker", FACE_TAKERS)
def test_quads_are_refused_with_a_way_to_split_them(taker: str) -> None:
    quads = np.array([(0, 1, 2, 3)])
    line = refused(lambda: FACE_TAKERS[taker](quads), "faces", "(1, 4)", "split")
    split = eval(line[line.index("np.") :], {"np": np, "F": quads})  # the hint is code that works
    assert np.array_equal(split, [(0, 1, 2), (0, 2, 3)])


@pytest.mark.parametrize("taker", FACE_TAKERS)
@pytest.mark.parametrize("dtype", ["i1", "i4", "i8", "u4", "u8"])
@pytest.mark.parametrize("bad", [-1, 6, 127, 2**31 - 1, 2**32 - 1, 2**32, 2**32 + 1, -(2**63), 2**64 - 1])
def test_a_vertex_id_out_of_range_is_named(taker: str, dtype: str, bad: int) -> None:
    limits = np.iinfo(dtype)
    if not limits.min <= bad <= limits.max:
        pytest.skip("the type does not hold this id")
    faces = TWO_FACES.astype(dtype)
    faces[1, 2] = bad
    if taker == "write_mesh" and 0 <= bad < 6:
        return
    refused(lambda: FACE_TAKERS[taker](faces), 1, bad)


# Huge arrays --------------------------------------------------------------------------------------------------------


def test_a_huge_array_of_the_wrong_length_is_refused_before_it_is_copied() -> None:
    x = np.broadcast_to(np.zeros(3), (2**40, 3))
    refused(lambda: graze.Detector(two_bodies()).impacts(x, x), "x_t0", 2**40)
    small = np.broadcast_to(np.zeros(3, dtype=np.float32), (2**31, 3))
    refused(lambda: graze.Detector(two_bodies()).impacts(START, small), "x_t1", 2**31)


def test_more_rows_than_ids_are_refused() -> None:
    x = np.broadcast_to(np.zeros(3), (2**33, 3))
    refused(lambda: graze.Scene().add_body(x, TWO_FACES), "positions")
    faces = np.broadcast_to(np.zeros(3, dtype=np.uint32), (2**33, 3))
    refused(lambda: graze.Scene().add_body(START, faces), "faces")
    refused(lambda: graze.contacts(x, x, TWO_FACES), "x_t0")


@pytest.mark.parametrize(
    "call",
    [
        "graze.Scene().add_body(x, [(0, 1, 2)])",
        "graze.contacts(x, x, [(0, 1, 2)])",
        "graze.Scene().add_body(np.zeros((3, 3)), faces)",
        "graze.contacts(np.zeros((3, 3)), np.zeros((3, 3)), faces.astype('i8', copy=False))",
        "graze.rigid.Object(x, [(0, 1, 2)])",
        "graze.close_boxes(x, x, 0.0)",
    ],
)
def test_memory_that_runs_out_is_an_error_not_a_crash(call: str) -> None:
    code = f"""
import resource
import numpy as np
import graze
x = np.broadcast_to(np.zeros(3), (10**9, 3))
faces = np.broadcast_to(np.zeros(3, dtype=np.uint32), (10**9, 3))
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
try:
    {call}
except (MemoryError, graze.InputError) as error:
    print(type(error).__name__)
assert len(graze.contacts(np.zeros((3, 3)), np.zeros((3, 3)), [(0, 1, 2)])) == 0
"""
    assert run_python(code).strip() in ("MemoryError", "ResourceError", "InputError", "_ArrayMemoryError")


# Results ------------------------------------------------------------------------------------------------------------

IMPACT_ARRAYS = {
    "kind": (np.uint8, ()),
    "vertices": (np.uint32, (4,)),
    "toi": (np.float64, ()),
    "toi_hi": (np.float64, ()),
    "weights": (np.float64, (4,)),
    "normal": (np.float64, (3,)),
    "point": (np.float64, (3,)),
    "side": (np.int32, ()),
    "remembered_side": (np.int32, ()),
    "body": (np.uint32, (2,)),
    "triangle": (np.uint32, (2,)),
}


@pytest.mark.parametrize("name", IMPACT_ARRAYS)
def test_arrays_of_a_result_are_read_only_and_outlive_it(name: str) -> None:
    rng = np.random.default_rng(3)
    faces, x_t0, x_t1 = soup(rng, 60, 40)
    result = graze.contacts(x_t0, x_t1, faces)
    dtype, columns = IMPACT_ARRAYS[name]
    array = getattr(result, name)
    assert array.dtype == dtype and array.shape == (len(result), *columns) and len(result) > 10
    with pytest.raises(ValueError):
        array[0] = 0
    with pytest.raises(ValueError):
        array.setflags(write=True)
    before = array.copy()
    del result
    gc.collect()
    garbage = [graze.contacts(x_t0, x_t1, faces) for _ in range(3)]
    assert np.array_equal(array, before)
    del garbage


@pytest.mark.parametrize("name", ["toi", "vertices", "weights"])
def test_columns_share_the_memory_of_the_result(name: str) -> None:
    array, again = getattr(EXPECTED, name), getattr(EXPECTED, name)
    assert np.shares_memory(array, again)


@pytest.mark.parametrize("name", ["positions", "triangles", "vertex_body"])
def test_arrays_of_a_scene_stay_valid_when_the_scene_grows_or_goes(name: str) -> None:
    scene = graze.Scene()
    x, faces = grid(12)
    scene.add_body(x, faces)
    array = getattr(scene, name)
    before = np.array(array)
    with pytest.raises(ValueError):
        array[0] = 0
    for _ in range(50):
        scene.add_body(x, faces)
    assert np.array_equal(array, before)
    del scene
    gc.collect()
    filler = [np.full(len(x) * 3, 7.0) for _ in range(50)]
    assert np.array_equal(array, before)
    del filler


@pytest.mark.parametrize("name", ["positions", "triangles", "vertex_body"])
def test_arrays_of_a_detectors_scene_stay_valid_after_an_edit(name: str) -> None:
    x, faces = grid(12)
    scene = graze.Scene()
    scene.add_body(x, faces)
    detector = graze.Detector(scene)
    array = getattr(detector.scene, name)
    before = np.array(array)
    for _ in range(20):
        edit = detector.begin_edit()
        edit.remove_triangle(int(np.flatnonzero([detector.scene.has_triangle(t) for t in range(20)])[0]))
        edit.add_body(x, faces)
        detector.apply(edit)
    del detector, scene, edit
    gc.collect()
    assert np.array_equal(array, before)

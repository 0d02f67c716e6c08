#!/usr/bin/env python3
"""Makes the seed corpus of the reader fuzzers: small valid files and a dictionary for each reader.

Usage: fuzz_seeds.py FOLDER
"""
import pathlib
import struct
import sys

POINTS = [(0.0, 0.0, 0.0), (1.0, -0.0, 0.1), (5e-324, 1e308, -2.5), (0.25, 3.0, 1e-3)]
FACES = [(0, 1, 2), (3, 2, 1, 0)]


def ply(fmt, coordinate, count, index, extras):
    order = ">" if "big" in fmt else "<"
    codes = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "float": "f", "double": "d"}
    head = f"ply\nformat {fmt} 1.0\ncomment seed\n"
    body = b""
    if extras:
        head += "obj_info x\nelement other 2\nproperty list uchar short junk\nproperty int k\n"
    head += f"element vertex {len(POINTS)}\n"
    head += "".join(f"property {coordinate} {axis}\n" for axis in "xyz")
    if extras:
        head += "property uchar red\nproperty list uchar float near\n"
    head += f"element face {len(FACES)}\nproperty list {count} {index} {'vertex_index' if extras else 'vertex_indices'}\n"
    head += "end_header\n"
    rows = []
    if extras:
        rows += [[("uchar", 2), ("short", -1), ("short", 7), ("int", 5)], [("uchar", 0), ("int", 6)]]
    for point in POINTS:
        row = [(coordinate, 1.5 if coordinate == "float" and abs(v) > 1e38 else v) for v in point]
        if extras:
            row += [("uchar", 9), ("uchar", 1), ("float", 0.5)]
        rows.append(row)
    for face in FACES:
        rows.append([(count, len(face))] + [(index, i) for i in face])
    for row in rows:
        if fmt == "ascii":
            body += (" ".join(repr(v) for _, v in row) + "\n").encode()
        else:
            body += b"".join(struct.pack(order + codes[t], v) for t, v in row)
    return head.encode() + body


def seeds():
    for i, (fmt, coordinate, count, index, extras) in enumerate([
            ("ascii", "double", "uchar", "int", False), ("ascii", "float", "int", "uint", True),
            ("binary_little_endian", "double", "uchar", "int", False),
            ("binary_little_endian", "float", "ushort", "uchar", True),
            ("binary_big_endian", "float", "uchar", "int", False), ("binary_big_endian", "double", "int", "short", True)]):
        yield "ply", f"{i}.ply", ply(fmt, coordinate, count, index, extras)

    vertices = "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in POINTS)
    yield "obj", "plain.obj", (vertices + "f 1 2 3\nf 4 3 2 1\n").encode()
    yield "obj", "forms.obj", ("# c\r\no a\r\n" + vertices + "vt 0 0\nvn 0 0 1\nf 1/1 2/1 3/1\nf -1//1 -2//1 -3//1\n"
                               "f 1/1/1 2/1/1 \\\n3/1/1 +4/1/1\nv 1 2 3 1 0.5 0.5 0.5\ng x y\nusemtl m\n").encode()

    facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 -0\nvertex 0 1e0 0\nendloop\nendfacet\n"
    yield "stl", "text.stl", f"solid a b\n{facet}{facet}endsolid a b\nsolid\nendsolid\n".encode()
    triangle = struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 1, 0, -0.0, 0, 1, 0, 7)
    yield "stl", "binary.stl", b"solid but binary".ljust(80, b"\0") + struct.pack("<I", 2) + triangle * 2

    points = "".join(f"{x!r} {y!r} {z!r}\n" for x, y, z in POINTS)
    yield "off", "plain.off", f"OFF # c\n4 2 0\n{points}3 0 1 2\n4 3 2 1 0\n".encode()
    yield "off", "colour.off", b"COFF 3 1\n0 0 0 255 0 0 255\n1 0 0 1 1 1 1\n0 1 0 0 0 0 0\n\n3 0 1 2 0.5 0.5 0.5\n"

    floats = [0.5, -0.0, 1e30, 1.0, 2.0, 3.0] * 2
    yield "point_cache", "a.pc2", b"POINTCACHE2\0" + struct.pack("<iiffi", 1, 2, 0, 1, 2) + struct.pack("<12f", *floats)
    yield "point_cache", "a.mdd", struct.pack(">ii", 2, 2) + struct.pack(">14f", 0, 1, *floats)

    row = "-8388609,8388608,1,1,3656043714753847,2251799813685248,1\n"
    big = f"{2**1000},{2**1060},6,4,-0,10,0\n"
    yield "query_csv", "a.csv", (row * 8 + big * 8).encode()

    # Without a checksum: the fuzz target adds the right one.
    head = b"GRAZECAP" + struct.pack("<IIQQQdd4Q", 1, 2, 4, 2, 1, 0.01, 1e-6, 1, 0, 7, 8)
    bodies = struct.pack("<10I", 3, 1, 0, 1, 3, 1, 1, 2, 2, 1) + struct.pack("<2I6I", 0, 1, 0, 1, 2, 3, 3, 3)
    coordinates = [value for point in POINTS for value in point]
    yield "capture", "two_bodies.graze", head + bodies + struct.pack("<24d", *coordinates, *coordinates)
    yield "capture", "empty.graze", b"GRAZECAP" + struct.pack("<IIQQQdd4Q", 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0)


DICTIONARIES = {
    "ply": ["ply\\x0a", "format ", "ascii", "binary_little_endian", "binary_big_endian", "1.0", "element ", "vertex ",
            "face ", "property ", "list ", "uchar ", "char ", "ushort ", "short ", "uint ", "int ", "float ", "double ",
            "vertex_indices", "vertex_index", "end_header\\x0a", "comment ", "obj_info ", "tristrips", "4294967295", "nan",
            "inf"],
    "obj": ["v ", "f ", "vn ", "vt ", "o ", "g ", "usemtl ", "mtllib ", "s off", "//", "/", "-1", "\\\\\\x0a", "1e400", "nan",
            "999999999", "2147483648", "#"],
    "stl": ["solid ", "endsolid", "facet normal ", "outer loop", "vertex ", "endloop", "endfacet", "nan", "1e400"],
    "off": ["OFF", "COFF", "NOFF", "STOFF", "4OFF", "BINARY", "#", "4294967296", "18446744073709551615", "1e-400"],
    "point_cache": ["POINTCACHE2\\x00", "\\x7f\\xff\\xff\\xff", "\\xff\\xff\\xff\\x7f"],
    "capture": ["GRAZECAP", "\\xff\\xff\\xff\\xff", "\\x00\\x00\\x00\\x00\\x00\\x00\\xf0\\x7f"],
    "query_csv": [",", "-", "9007199254740993", "18446744073709551616", "\\x0d\\x0a"],
}


def main():
    folder = pathlib.Path(sys.argv[1])
    for reader, name, data in seeds():
        (folder / reader).mkdir(parents=True, exist_ok=True)
        (folder / reader / name).write_bytes(data)
    for reader, words in DICTIONARIES.items():
        (folder / f"{reader}.dict").write_text("".join(f'"{word}"\n' for word in words))


if __name__ == "__main__":
    main()

"""Graze in Blender: finds the contacts of animated meshes and marks the faces, frames and times at which they occur.

    settings.py      what the user chooses, and the results, as properties of the scene
    panel.py         the panel "Graze" in the sidebar of the 3D view
    operators.py     graze.check, graze.clear, graze.jump
    run.py           one check: frame by frame, with progress and cancel
    simulations.py   frames in an order in which simulations are right
    meshes.py        evaluated meshes as arrays
    topology.py      triangles of a mesh, and the faces around their vertices and edges
    queries.py       the queries of graze, without Blender
    marks.py         attributes, vertex groups and markers
    report.py        the text of the report
    graze_module.py  the Python package graze
"""

bl_info = {
    "name": "Graze: contacts of meshes",
    "author": "the graze authors",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > Graze",
    "description": "Finds every contact within and between animated meshes, exactly",
    "doc_url": "",
    "category": "Mesh",
}

from . import graze_module, operators, panel, settings  # noqa: E402  (Blender reads bl_info from the first lines)

_PARTS = (graze_module, settings, operators, panel)


def register() -> None:
    for part in _PARTS:
        part.register()


def unregister() -> None:
    for part in reversed(_PARTS):
        part.unregister()

"""What the user chooses, and the results of the last check, as properties of the scene."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from .queries import Options


class GrazeRow(bpy.types.PropertyGroup):
    """A row of the list of results."""

    begin: IntProperty(name="First frame of the step")
    end: IntProperty(name="Last frame of the step")
    time: FloatProperty(name="Earliest time, in frames")
    kind: StringProperty(name="Kind")
    count: IntProperty(name="Number")
    objects: StringProperty(name="Objects")


class GrazeMessage(bpy.types.PropertyGroup):
    """A line about what could not be tested or marked. The text is the name."""


class GrazeSettings(bpy.types.PropertyGroup):
    objects: EnumProperty(
        name="Objects",
        description="Which meshes are checked",
        items=(
            ("SELECTED", "Selected meshes", "The selected objects that are meshes"),
            ("VISIBLE", "Visible meshes", "All meshes that are visible in the view layer"),
            ("COLLECTION", "Collection", "The visible meshes of a collection and its children"),
        ),
        default="VISIBLE",
    )
    collection: PointerProperty(name="Collection", description="Its meshes are checked", type=bpy.types.Collection)
    whole_scene: BoolProperty(
        name="Scene Range", description="Check from the first to the last frame of the scene", default=True
    )
    first: IntProperty(name="First Frame", description="First frame to check", default=1)
    last: IntProperty(name="Last Frame", description="Last frame to check", default=250)
    step: IntProperty(
        name="Step",
        description="Check every n-th frame. Between two frames vertices move on straight lines",
        default=1,
        min=1,
    )
    steps: BoolProperty(
        name="Contacts during Steps",
        description="Find every contact on the way from one frame to the next",
        default=True,
    )
    frames: BoolProperty(
        name="Intersections at Frames", description="Find the faces that intersect at each frame", default=False
    )
    adjacent: BoolProperty(
        name="Neighbouring Faces, too",
        description="Also find faces that share a vertex or an edge and intersect beyond it",
        default=False,
    )
    within: BoolProperty(name="Within Objects", description="Find contacts of an object with itself", default=True)
    between: BoolProperty(name="Between Objects", description="Find contacts of two objects", default=True)
    thickness: FloatProperty(
        name="Thickness",
        description="Distance that counts as a contact during a step. It should be smaller than the faces: "
        "otherwise a surface is in contact with itself everywhere",
        default=0.0,
        min=0.0,
        precision=4,
        unit="LENGTH",
    )

    rows: CollectionProperty(type=GrazeRow)
    active_row: IntProperty(name="Selected Row")
    messages: CollectionProperty(type=GrazeMessage)
    summary: StringProperty(name="Summary of the last check")
    error: StringProperty(name="Error of the last check")

    def options(self) -> Options:
        return Options(self.steps, self.frames, self.within, self.between, self.adjacent, self.thickness)

    def frame_range(self, scene: bpy.types.Scene) -> tuple[int, int]:
        return (scene.frame_start, scene.frame_end) if self.whole_scene else (self.first, self.last)

    def clear_results(self) -> None:
        self.rows.clear()
        self.messages.clear()
        self.active_row = 0
        self.summary = self.error = ""


_CLASSES = (GrazeRow, GrazeMessage, GrazeSettings)


def register() -> None:
    for one in _CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Scene.graze_check = PointerProperty(type=GrazeSettings)


def unregister() -> None:
    del bpy.types.Scene.graze_check
    for one in reversed(_CLASSES):
        bpy.utils.unregister_class(one)

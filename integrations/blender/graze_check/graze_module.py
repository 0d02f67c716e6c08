"""The Python package graze: imported from Blender's Python, or from the folder in the preferences of this add-on."""

import importlib
import os
import sys
from types import ModuleType

import bpy


class GrazePreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    folder: bpy.props.StringProperty(
        name="Folder of the package",
        description="Folder that contains the Python package graze, if Blender's Python does not have it",
        subtype="DIR_PATH",
    )

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.prop(self, "folder")
        problem = load()[1]
        self.layout.label(text=problem or f"graze {load()[0].__version__}", icon="ERROR" if problem else "CHECKMARK")


def chosen_folder() -> str:
    """The folder in the preferences; empty if there is none."""
    addon = bpy.context.preferences.addons.get(__package__)
    folder = addon.preferences.folder if addon and addon.preferences else ""
    return os.path.normpath(bpy.path.abspath(folder)) if folder else ""


def load() -> tuple[ModuleType | None, str]:
    """The package and an empty line; or None and one line that says what is missing."""
    folder = chosen_folder()
    if folder and folder not in sys.path:
        sys.path.insert(0, folder)
        importlib.invalidate_caches()
    try:
        return importlib.import_module("graze"), ""
    except ModuleNotFoundError as error:
        if error.name == "graze":
            return None, missing_line()
        return None, f"The Python package graze cannot be loaded: {one_line(error)}"
    except ImportError as error:
        return None, f"The Python package graze cannot be loaded: {one_line(error)}"


def missing_line() -> str:
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return (
        f"The Python package graze is missing: install it for Python {python}, "
        "or set its folder in the preferences of this add-on"
    )


def one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def register() -> None:
    bpy.utils.register_class(GrazePreferences)


def unregister() -> None:
    bpy.utils.unregister_class(GrazePreferences)

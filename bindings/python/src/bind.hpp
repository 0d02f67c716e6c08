// The parts of the compiled module graze._graze, one function for each public header of graze. module.cpp calls
// them in the order of their dependencies.
#pragma once

#include <pybind11/pybind11.h>

namespace graze::python {

void bind_error(pybind11::module_& module);
void bind_types(pybind11::module_& module);
void bind_stats(pybind11::module_& module);
void bind_methods(pybind11::module_& module);
void bind_research(pybind11::module_& module);
void bind_scene(pybind11::module_& module);
void bind_edit(pybind11::module_& module);
void bind_results(pybind11::module_& module);
void bind_device(pybind11::module_& module);
void bind_detector(pybind11::module_& module);
void bind_detector_batch(pybind11::module_& module);
void bind_batch(pybind11::module_& module);
void bind_boxes(pybind11::module_& module);
void bind_elementary(pybind11::module_& module);
void bind_rigid(pybind11::module_& module);
void bind_rigid_distance(pybind11::module_& rigid);
void bind_rigid_world(pybind11::module_& module);
void bind_io(pybind11::module_& module);
void bind_vtk(pybind11::module_& module);
void bind_version(pybind11::module_& module);

}  // namespace graze::python

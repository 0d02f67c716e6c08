// The compiled module graze._graze. The Python package around it (graze/__init__.py) adds what needs no C++.
#include "arrays.hpp"
#include "bind.hpp"

PYBIND11_MODULE(_graze, module) {
  using namespace graze::python;
  module.doc() = "Finds every contact between moving triangle meshes, exactly. Import graze instead.";
  bind_error(module);
  bind_types(module);
  bind_stats(module);
  bind_methods(module);
  bind_research(module);
  bind_scene(module);
  bind_edit(module);
  bind_results(module);
  bind_device(module);
  bind_detector(module);
  bind_detector_batch(module);
  bind_batch(module);
  bind_boxes(module);
  bind_elementary(module);
  bind_rigid(module);
  bind_rigid_world(module);
  bind_io(module);
  bind_vtk(module);
  bind_version(module);
  module.def(
      "_is_viewed", [](const pybind11::object& array) { return Positions(array, "array").array().is(array); },
      "Whether queries read these positions in place: for tests.");
}

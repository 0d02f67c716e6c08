// graze/vtk.hpp in Python: results as files for ParaView.
#include <graze/vtk.hpp>

#include <filesystem>
#include <optional>
#include <string>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <graze/error.hpp>

#include "bind.hpp"
#include "gil.hpp"
#include "objects.hpp"

namespace graze::python {

namespace {

/// Positions of a query, read again from its arrays.
Positions positions_of(const ResultContext& context, const py::object& array, const char* name) {
  return {array, name, context.scene.scene.vertex_count()};
}

[[noreturn]] void fail_changed() {
  throw InputError("the positions of the query have changed since: write the result before you change its arrays");
}

/// Calls write(scene, x_t0, x_t1, impacts). Contact points, which were computed with the query, tell whether the
/// arrays are still those of the query.
template <typename Write>
void write_rows(const ImpactRows& result, const Write& write) {
  const ResultContext& context = *result.context;
  const Positions x_t0 = positions_of(context, context.x_t0, "x_t0");
  const Positions x_t1 = positions_of(context, context.x_t1, "x_t1");
  const auto& rows = result.rows.impacts;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (contact_point(rows[i], x_t0.span(), x_t1.span()) != result.points[i]) fail_changed();
  }
  write(context.scene.scene, x_t0.span(), x_t1.span(), std::span<const Impact>(rows));
}

template <typename Write>
void write_rows(const ProximityRows& result, const Write& write) {
  const ResultContext& context = *result.context;
  const Positions x = positions_of(context, context.x_t0, "x");
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const Proximity& row = result.rows[i];
    if (closest_points(row.pair, row.weights, x.span()) != result.points[i]) fail_changed();
  }
  write(context.scene.scene, x.span(), std::span<const Proximity>(result.rows));
}

template <typename Write>
void write_rows(const IntersectionRows& result, const Write& write) {
  if (!result.with_overlaps) {
    throw InputError("VTK files show what triangles have in common: find the intersections with overlaps=True");
  }
  const ResultContext& context = *result.context;
  const Positions x = positions_of(context, context.x_t0, "x");
  write(context.scene.scene, x.span(), result.rows);
}

/// Writes without the GIL: the positions and the rows are held by the caller.
template <typename Rows>
void write_file(const Rows& result, const std::filesystem::path& file) {
  write_rows(result, [&](const auto&... rows) {
    const GilReleased released;
    write_vtk(file, rows...);
  });
}

// Keeps the GIL, which keeps the steps of several threads apart.
void add_step(VtkSequence& self, const py::object& result, py::handle given_time) {
  const double time = given_time.is_none() ? static_cast<double>(self.step_count()) : number_of(given_time, "time");
  const auto write = [&](const auto&... rows) { self.add(time, rows...); };
  if (py::isinstance<ImpactRows>(result)) {
    write_rows(result.cast<const ImpactRows&>(), write);
  } else if (py::isinstance<ProximityRows>(result)) {
    write_rows(result.cast<const ProximityRows&>(), write);
  } else if (py::isinstance<IntersectionRows>(result)) {
    write_rows(result.cast<const IntersectionRows&>(), write);
  } else {
    throw py::type_error("VtkSequence.add takes Impacts, Proximities or Intersections, not " + text_of(result));
  }
}

}  // namespace

void to_vtk(const ImpactRows& result, const std::filesystem::path& file) {
  write_file(result, file);
}
void to_vtk(const ProximityRows& result, const std::filesystem::path& file) {
  write_file(result, file);
}
void to_vtk(const IntersectionRows& result, const std::filesystem::path& file) {
  write_file(result, file);
}

void bind_vtk(py::module_& module) {
  py::class_<VtkSequence, std::shared_ptr<VtkSequence>>(
      module, "VtkSequence", "Results of many steps as a time series for ParaView: FILE.pvd and FILE_mesh.pvd.")
      .def(py::init<std::filesystem::path>(), py::arg("file"))
      .def("add", &add_step, py::arg("result"), py::kw_only(), py::arg("time") = py::none(),
           "Writes the files of a step. Its time is the number of steps before it, unless it is given.")
      .def("close", &VtkSequence::write, "Writes the .pvd files, with the steps added so far.")
      .def("__len__", &VtkSequence::step_count)
      .def("__enter__", [](const py::object& self) { return self; })
      .def("__exit__", [](const VtkSequence& self, const py::args& /*raised*/) { self.write(); });
}

}  // namespace graze::python

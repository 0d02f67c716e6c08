// Results of graze.DetectorBatch (detector_batch.hpp): columns of all impacts, and the impacts of one scene.
#include <cstdint>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "detector_batch.hpp"
#include "impact_columns.hpp"

namespace graze::python {

namespace {

std::span<const Vec3> positions_in(const py::array& x) {
  return {static_cast<const Vec3*>(x.data()), static_cast<std::size_t>(x.shape(0))};
}

/// A view of one member of all impacts, read-only.
py::array column(const py::object& self, const ImpactColumn& column) {
  const std::vector<Impact>& impacts = self.cast<const BatchRows&>().found.impacts;
  static const Impact kNone{};  // an array without rows needs an address, too
  const Impact* const first = impacts.empty() ? &kNone : impacts.data();
  const auto shape = column.shape(impacts.size());
  const auto strides = column.strides();
  return read_only(py::array(py::dtype(column.type), {shape.begin(), shape.end()}, {strides.begin(), strides.end()},
                             column.first(first), self));
}

/// Where the impacts of each scene begin, as an array of its own.
py::array begins_array(const std::vector<std::size_t>& begins) {
  return read_only(owning_array<std::int64_t>(std::vector<std::int64_t>(begins.begin(), begins.end()), 0));
}

/// The rows of one array of positions that belong to a scene.
py::object part_of(const py::object& x, std::size_t first, std::size_t last) {
  return x[py::slice(static_cast<py::ssize_t>(first), static_cast<py::ssize_t>(last), 1)];
}

/// The impacts of one scene, as a query of its own detector returns them.
std::shared_ptr<ImpactRows> impacts_of(const BatchRows& self, py::handle given) {
  const BatchScenes& all = *self.scenes;
  const std::size_t scene = scene_of(given, all);
  const std::size_t first = all.first_vertices[scene];
  const std::size_t last = all.first_vertices[scene + 1];
  auto rows = std::make_shared<ImpactRows>();
  rows->rows.stats = self.found.stats;
  for (Impact impact : self.found.of(scene)) {
    impact.pair = own_pair(impact.pair, first);
    rows->rows.impacts.push_back(impact);
  }
  const auto begin = self.points.begin();
  rows->points.assign(begin + static_cast<std::ptrdiff_t>(self.found.begins[scene]),
                      begin + static_cast<std::ptrdiff_t>(self.found.begins[scene + 1]));
  rows->context = std::make_shared<ResultContext>(ResultContext{.scene = all.scenes[scene],
                                                                .thickness = all.thickness,
                                                                .tolerance = all.tolerance,
                                                                .x_t0 = part_of(self.x_t0, first, last),
                                                                .x_t1 = part_of(self.x_t1, first, last)});
  return rows;
}

std::shared_ptr<BatchRows> to_host(const GpuBatchRows& self) {
  BatchImpacts found{self.impacts->to_host(), self.begins, self.stats};
  CopiedStep x(*self.x);
  return batch_rows(std::move(found), std::move(x.x_t0), std::move(x.x_t1), self.scenes);
}

void bind_host_results(py::module_& module) {
  py::class_<BatchRows, std::shared_ptr<BatchRows>> impacts(
      module, "BatchImpacts", "All impacts of a batch, scene after scene, with vertex ids of the batch.");
  for (const ImpactColumn& each : kImpactColumns) {
    impacts.def_property_readonly(
        each.name, [&each](const py::object& self) { return column(self, each); }, each.text);
  }
  impacts
      .def_property_readonly(
          "point",
          [](const py::object& self) {
            const auto& points = self.cast<const BatchRows&>().points;
            return column_of<double>(points, points.empty() ? nullptr : &points.front().x, 3, self);
          },
          "Contact points: the middle of the closest points of both features at `toi_hi`, n x 3.")
      .def_property_readonly(
          "begins", [](const BatchRows& self) { return begins_array(self.found.begins); },
          "The row where each scene's impacts begin; then the number of all.")
      .def("of", &impacts_of, py::arg("scene"), "The impacts of one scene, with its own vertex ids.")
      .def("__len__", [](const BatchRows& self) { return self.found.impacts.size(); })
      .def_property_readonly("stats", [](const BatchRows& self) { return self.found.stats; })
      .def("__repr__", [](const BatchRows& self) {
        return fmt::format("BatchImpacts({} impacts of {} scenes)", self.found.impacts.size(),
                           self.scenes->scenes.size());
      });
}

void bind_gpu_results(py::module_& module) {
  py::class_<GpuBatchRows, std::shared_ptr<GpuBatchRows>> impacts(
      module, "DeviceBatchImpacts",
      "All impacts of a batch in GPU memory, with vertex ids of the batch. Valid until the next query of the "
      "batch.");
  def_gpu_columns(impacts);
  impacts
      .def_property_readonly(
          "begins", [](const GpuBatchRows& self) { return begins_array(self.begins); },
          "The row where each scene's impacts begin, in host memory; then the number of all.")
      .def("__len__", [](const GpuBatchRows& self) { return self.impacts->count(); })
      .def_readonly("stats", &GpuBatchRows::stats)
      .def("to_host", &to_host, "The impacts as BatchImpacts, with contact points.")
      .def("__repr__", [](const GpuBatchRows& self) {
        return fmt::format("DeviceBatchImpacts({} impacts of {} scenes)", self.impacts->count(),
                           self.scenes->scenes.size());
      });
}

}  // namespace

std::size_t scene_of(py::handle given, const BatchScenes& scenes) {
  return row_of(given, scenes.scenes.size(), "scenes");
}

FeaturePair own_pair(FeaturePair pair, std::size_t first_vertex) {
  for (VertexId& vertex : pair.vertices) vertex -= static_cast<VertexId>(first_vertex);
  return pair;
}

std::shared_ptr<BatchRows> batch_rows(BatchImpacts&& found, py::array x_t0, py::array x_t1,
                                      BatchScenesPointer scenes) {
  auto rows = std::make_shared<BatchRows>();
  rows->found = std::move(found);
  rows->points.reserve(rows->found.impacts.size());
  for (const Impact& impact : rows->found.impacts) {
    rows->points.push_back(contact_point(impact, positions_in(x_t0), positions_in(x_t1)));
  }
  rows->x_t0 = std::move(x_t0);
  rows->x_t1 = std::move(x_t1);
  rows->scenes = std::move(scenes);
  return rows;
}

void bind_batch_results(py::module_& module) {
  bind_host_results(module);
  bind_gpu_results(module);
}

}  // namespace graze::python

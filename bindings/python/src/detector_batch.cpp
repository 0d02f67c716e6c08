// graze/detector_batch.hpp in Python: many scenes that advance together.
#include "detector_batch.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bind.hpp"
#include "detector_device.hpp"

namespace graze::python {

namespace {

using Pointer = std::shared_ptr<NamedBatch>;

std::vector<NamedScene> scenes_in(const py::sequence& given) {
  std::vector<NamedScene> scenes;
  scenes.reserve(py::len(given));
  for (const py::handle scene : given) {
    if (!py::isinstance<NamedScene>(scene)) {
      throw InputError(fmt::format("scenes[{}]: {} is no Scene", scenes.size(), text_of(scene)));
    }
    scenes.push_back(scene.cast<const NamedScene&>());
  }
  return scenes;
}

DetectorBatch batch_of(const std::vector<NamedScene>& scenes, const DetectorOptions& options) {
  std::vector<Scene> copies;  // they share the arrays
  copies.reserve(scenes.size());
  for (const NamedScene& scene : scenes) copies.push_back(scene.scene);
  return DetectorBatch(copies, options);
}

BatchScenesPointer scenes_of(std::vector<NamedScene>&& scenes, const NamedBatch& self) {
  auto all = std::make_shared<BatchScenes>();
  all->scenes = std::move(scenes);
  for (std::size_t s = 0; s <= all->scenes.size(); ++s) all->first_vertices.push_back(self.batch.first_vertex(s));
  all->thickness = self.options.thickness;
  all->tolerance = self.options.tolerance;
  return all;
}

Pointer make_batch(const py::sequence& scenes, const std::string& method, py::handle thickness,
                   py::handle tolerance, py::handle threads, py::handle memory_cap, const std::string& device,
                   const ResearchOptions* research, py::object progress) {
  require_callable(progress, "progress");
  DetectorOptions options = detector_options(method, thickness, tolerance, threads, memory_cap, device);
  if (research != nullptr) options.research = *research;
  return std::make_shared<NamedBatch>(scenes_in(scenes), std::move(options), std::move(progress));
}

/// Positions of all scenes at both ends of a step.
struct BatchStep {
  BatchStep(const NamedBatch& self, py::handle given_t0, py::handle given_t1)
      : x_t0(given_t0, "x_t0", self.batch.vertex_count()), x_t1(given_t1, "x_t1", self.batch.vertex_count()) {}
  Positions x_t0;
  Positions x_t1;
};

std::shared_ptr<GpuBatchRows> gpu_impacts(const Pointer& self, py::handle x_t0, py::handle x_t1) {
  require_on_gpu(*self, "x_t0");
  auto x = std::make_shared<const GpuStep>(x_t0, x_t1, self->batch.vertex_count());
  DeviceBatchImpacts found = self->run([&] { return self->batch.impacts(x->view()); });
  auto impacts = std::make_shared<const GpuImpacts>(self, found.impacts, found.begins.back());
  return std::make_shared<GpuBatchRows>(
      GpuBatchRows{std::move(impacts), std::move(found.begins), found.stats, std::move(x), self->scenes});
}

py::object impacts(const Pointer& self, py::handle x_t0, py::handle x_t1) {
  const BusyMark busy = self->begin();
  if (is_step_on_gpu(x_t0, x_t1)) return py::cast(gpu_impacts(self, x_t0, x_t1));
  const BatchStep step(*self, x_t0, x_t1);
  BatchImpacts found = self->run([&] { return self->batch.impacts(step.x_t0.span(), step.x_t1.span()); });
  return py::cast(batch_rows(std::move(found), step.x_t0.array(), step.x_t1.array(), self->scenes));
}

/// The first impact of one scene, with its own vertex ids.
std::shared_ptr<FirstRow> first_of(FirstImpact&& first, std::size_t scene, const BatchScenes& all,
                                   const BatchStep& step) {
  const std::size_t begin = all.first_vertices[scene];
  const std::size_t count = all.first_vertices[scene + 1] - begin;
  if (first.impact) first.impact->pair = own_pair(first.impact->pair, begin);
  const auto context = std::make_shared<ResultContext>(
      ResultContext{.scene = all.scenes[scene], .thickness = all.thickness, .tolerance = all.tolerance});
  return std::make_shared<FirstRow>(
      first_row(first, step.x_t0.span().subspan(begin, count), step.x_t1.span().subspan(begin, count), context));
}

py::list first_impacts(NamedBatch& self, py::handle x_t0, py::handle x_t1) {
  const BusyMark busy = self.begin();
  const BatchStep step(self, x_t0, x_t1);
  std::vector<FirstImpact> found =
      self.run([&] { return self.batch.first_impacts(step.x_t0.span(), step.x_t1.span()); });
  py::list rows;
  for (std::size_t s = 0; s < found.size(); ++s) rows.append(first_of(std::move(found[s]), s, *self.scenes, step));
  return rows;
}

using Class = py::class_<NamedBatch, Pointer>;

void bind_properties(Class& batch) {
  batch.def("__len__", [](const NamedBatch& self) { return self.batch.scene_count(); })
      .def_property_readonly(
          "vertex_count", [](const NamedBatch& self) { return self.batch.vertex_count(); },
          "Number of vertices of all scenes: the rows of the arrays of positions.")
      .def(
          "vertices",
          [](const NamedBatch& self, py::handle given) {
            const std::size_t scene = scene_of(given, *self.scenes);
            const auto& first = self.scenes->first_vertices;
            return py::slice(static_cast<py::ssize_t>(first[scene]), static_cast<py::ssize_t>(first[scene + 1]), 1);
          },
          py::arg("scene"), "The rows of a scene's vertices, as a slice.")
      .def_property_readonly(
          "device", [](const NamedBatch& self) { return std::string(name_of(self.options.device)); },
          "Which processor the queries were asked to run on.")
      .def_property_readonly(
          "memory_bytes",
          [](NamedBatch& self) {
            const BusyMark busy = self.begin();
            return self.batch.memory_bytes();
          },
          "Bytes that the batch keeps between queries; its copies of the scenes are not included.")
      .def("__repr__", [](const NamedBatch& self) {
        return fmt::format("DetectorBatch({} scenes)", self.batch.scene_count());
      });
}

}  // namespace

NamedBatch::NamedBatch(std::vector<NamedScene>&& given, DetectorOptions chosen, py::object progress)
    : QueryRunner(std::move(chosen), std::move(progress), "this batch"),
      batch(batch_of(given, options)),
      scenes(scenes_of(std::move(given), *this)) {}

void bind_detector_batch(py::module_& module) {
  bind_batch_results(module);
  Class batch(module, "DetectorBatch", "Collision detection for many scenes that advance together.");
  batch
      .def(py::init(&make_batch), py::arg("scenes"), py::kw_only(), py::arg("method") = "auto",
           py::arg("thickness") = 0.0, py::arg("tolerance") = 1e-6, py::arg("threads") = 0,
           py::arg("memory_cap") = 0, py::arg("device") = "cpu", py::arg("research") = py::none(),
           py::arg("progress") = py::none())
      .def("impacts", &impacts, py::arg("x_t0"), py::arg("x_t1"),
           "Finds every impact of each scene in the step from x_t0 to x_t1, positions of all scenes.")
      .def("first_impacts", &first_impacts, py::arg("x_t0"), py::arg("x_t1"),
           "Finds the earliest impact of each scene, as a list.");
  bind_properties(batch);
}

}  // namespace graze::python

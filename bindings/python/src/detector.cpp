// graze/detector.hpp in Python.
#include <graze/detector.hpp>

#include <memory>
#include <string>
#include <utility>

#include <pybind11/stl.h>

#include "bind.hpp"
#include "detector_device.hpp"
#include "objects.hpp"

namespace graze::python {

namespace {

using Pointer = std::shared_ptr<NamedDetector>;

Pointer make_detector(const NamedScene& scene, const std::string& method, py::handle thickness,
                      py::handle tolerance, py::handle threads, py::handle memory_cap, const std::string& device,
                      const ResearchOptions* research, py::object progress) {
  require_callable(progress, "progress");
  DetectorOptions options = detector_options(method, thickness, tolerance, threads, memory_cap, device);
  if (research != nullptr) options.research = *research;
  return std::make_shared<NamedDetector>(scene, std::move(options), std::move(progress));
}

/// Positions of all vertices of a detector's scene at both ends of a step.
struct Step {
  Step(const NamedDetector& self, py::handle given_t0, py::handle given_t1)
      : x_t0(given_t0, "x_t0", self.detector.scene().vertex_count()),
        x_t1(given_t1, "x_t1", self.detector.scene().vertex_count()) {}
  Positions x_t0;
  Positions x_t1;
};

std::shared_ptr<ImpactRows> impacts(NamedDetector& self, const Step& step) {
  const ContextPointer context = context_of(self, step.x_t0.array(), step.x_t1.array());
  return std::make_shared<ImpactRows>(self.run([&] {
    return impact_rows(self.detector.impacts(step.x_t0.span(), step.x_t1.span()), step.x_t0.span(),
                       step.x_t1.span(), context);
  }));
}

Stats stream_impacts(NamedDetector& self, const Step& step, const py::object& sink) {
  const ContextPointer context = context_of(self, step.x_t0.array(), step.x_t1.array(), true);
  const ImpactSink pass = [&](std::span<const Impact> batch) {
    return self.watch.ask([&] {
      Impacts rows{{batch.begin(), batch.end()}, {}};
      return sink(
          std::make_shared<ImpactRows>(impact_rows(std::move(rows), step.x_t0.span(), step.x_t1.span(), context)));
    });
  };
  return self.run([&] { return self.detector.impacts(step.x_t0.span(), step.x_t1.span(), pass); });
}

py::object find_impacts(const Pointer& self, py::handle x_t0, py::handle x_t1, const py::object& sink) {
  const BusyMark busy = self->begin();
  require_callable(sink, "sink");
  if (is_step_on_gpu(x_t0, x_t1)) {
    require_no_sink(sink);
    return py::cast(gpu_impacts(self, x_t0, x_t1));
  }
  const Step step(*self, x_t0, x_t1);
  if (sink.is_none()) return py::cast(impacts(*self, step));
  return py::cast(stream_impacts(*self, step, sink));
}

std::shared_ptr<FirstRow> first_impact(NamedDetector& self, py::handle x_t0, py::handle x_t1) {
  const BusyMark busy = self.begin();
  if (is_step_on_gpu(x_t0, x_t1)) return gpu_first_impact(self, x_t0, x_t1);
  const Step step(self, x_t0, x_t1);
  const FirstImpact first =
      self.run([&] { return self.detector.first_impact(step.x_t0.span(), step.x_t1.span()); });
  return std::make_shared<FirstRow>(first_row(first, step.x_t0.span(), step.x_t1.span(), context_of(self)));
}

std::shared_ptr<SafeRow> safe_step(NamedDetector& self, py::handle x_t0, py::handle x_t1, py::handle keep,
                                   py::handle min_distance, const py::object& out) {
  const BusyMark busy = self.begin();
  const SafeStepOptions options{.keep = number_of(keep, "keep"),
                                .min_distance = number_of(min_distance, "min_distance")};
  if (is_step_on_gpu(x_t0, x_t1)) return gpu_safe_step(self, x_t0, x_t1, options, out);
  if (!out.is_none()) throw InputError("out is for positions in GPU memory, x_t0 and x_t1 are in host memory");
  const Step step(self, x_t0, x_t1);
  SafeStep safe = self.run([&] { return self.detector.safe_step(step.x_t0.span(), step.x_t1.span(), options); });
  const ContextPointer context = context_of(self);
  auto row = std::make_shared<SafeRow>(
      SafeRow{safe.step, positions_array(std::move(safe.positions)), std::nullopt, safe.stats, context});
  if (safe.limit) {
    row->limit = ImpactRow{*safe.limit, contact_point(*safe.limit, step.x_t0.span(), step.x_t1.span()), context};
  }
  return row;
}

std::shared_ptr<IntersectionRows> intersections(NamedDetector& self, py::handle given, bool adjacent,
                                                bool overlaps) {
  const BusyMark busy = self.begin();
  const IntersectionOptions options{.adjacent = adjacent, .overlaps = overlaps};
  if (is_on_gpu(given)) return gpu_intersections(self, given, options);
  const Positions x(given, "x", self.detector.scene().vertex_count());
  Intersections found = self.run([&] { return self.detector.intersections(x.span(), options); });
  return std::make_shared<IntersectionRows>(
      IntersectionRows{std::move(found), overlaps, context_of(self, x.array())});
}

py::object proximities(NamedDetector& self, py::handle given, py::handle distance, const py::object& sink) {
  const BusyMark busy = self.begin();
  require_callable(sink, "sink");
  const double d = number_of(distance, "d");
  if (is_on_gpu(given)) {
    require_no_sink(sink);
    return py::cast(gpu_proximities(self, given, d));
  }
  const Positions x(given, "x", self.detector.scene().vertex_count());
  const ContextPointer context = context_of(self, x.array());
  if (sink.is_none()) {
    return py::cast(std::make_shared<ProximityRows>(self.run([&] {
      Proximities found = self.detector.proximities(x.span(), d);
      return proximity_rows(std::move(found.proximities), x.span(), found.stats, context);
    })));
  }
  const ProximitySink pass = [&](std::span<const Proximity> batch) {
    return self.watch.ask([&] {
      return sink(
          std::make_shared<ProximityRows>(proximity_rows({batch.begin(), batch.end()}, x.span(), {}, context)));
    });
  };
  return py::cast(self.run([&] { return self.detector.proximities(x.span(), d, pass); }));
}

void apply(NamedDetector& self, const NamedEdit& edit) {
  const BusyMark busy = self.begin();
  require_free(edit, self.names);
  self.detector.apply(edit.edit);
  add_names(edit, self.names);
}

using Class = py::class_<NamedDetector, Pointer>;

void bind_queries(Class& detector) {
  detector
      .def(
          "impacts", &find_impacts, py::arg("x_t0"), py::arg("x_t1"), py::kw_only(), py::arg("sink") = py::none(),
          "Finds every impact of the step from x_t0 to x_t1. With a sink, passes it batches of impacts and returns "
          "the stats; if the sink returns False, raises Interrupted.")
      .def("first_impact", &first_impact, py::arg("x_t0"), py::arg("x_t1"),
           "Finds the earliest impact of the step.")
      .def("safe_step", &safe_step, py::arg("x_t0"), py::arg("x_t1"), py::kw_only(), py::arg("keep") = 0.2,
           py::arg("min_distance") = 0.0, py::arg("out") = py::none(),
           "Finds how far the scene can move from x_t0 towards x_t1 without a contact: the step of a solver.")
      .def("intersections", &intersections, py::arg("x"), py::kw_only(), py::arg("adjacent") = false,
           py::arg("overlaps") = false, "Finds what intersects at one instant.")
      .def("proximities", &proximities, py::arg("x"), py::arg("d"), py::kw_only(), py::arg("sink") = py::none(),
           "Finds every pair of features within a distance at one instant.");
}

void bind_scene_of(Class& detector) {
  detector
      .def(
          "begin_edit",
          [](NamedDetector& self) {
            const BusyMark busy = self.begin();
            return std::make_shared<NamedEdit>(self.detector.begin_edit(), self.names);
          },
          py::keep_alive<0, 1>(), "Begins a batch of changes of the meshes, which apply() makes.")
      .def("apply", &apply, py::arg("edit"), "Makes all changes of an edit, or none.")
      .def(
          "validate",
          [](NamedDetector& self) {
            const BusyMark busy = self.begin();
            return self.detector.validate();
          },
          "An empty string, or the first difference from a new detector: for tests.")
      .def_property_readonly(
          "scene",
          // Also while a query runs: queries do not change the scene, and apply() keeps the GIL.
          [](const NamedDetector& self) {
            return std::make_shared<NamedScene>(NamedScene{self.detector.scene(), self.names});
          },
          "A copy of the detector's scene, with all edits applied.");
}

}  // namespace

void bind_detector(py::module_& module) {
  Class detector(module, "Detector", "Collision detection for one scene, step after step.");
  detector.def(py::init(&make_detector), py::arg("scene"), py::kw_only(), py::arg("method") = "auto",
               py::arg("thickness") = 0.0, py::arg("tolerance") = 1e-6, py::arg("threads") = 0,
               py::arg("memory_cap") = 0, py::arg("device") = "cpu", py::arg("research") = py::none(),
               py::arg("progress") = py::none());
  bind_queries(detector);
  bind_scene_of(detector);
  detector
      .def_property_readonly(
          "method", [](const NamedDetector& self) { return std::string(name_of(self.options.method)); },
          "How candidates are found.")
      .def_property_readonly(
          "device", [](const NamedDetector& self) { return std::string(name_of(self.options.device)); },
          "Which processor the queries were asked to run on.")
      .def_property_readonly(
          "thickness", [](const NamedDetector& self) { return self.options.thickness; },
          "Distance that counts as a contact.")
      .def_property_readonly(
          "tolerance", [](const NamedDetector& self) { return self.options.tolerance; },
          "Largest width of a time-of-impact interval.")
      .def_property_readonly(
          "memory_bytes",
          [](NamedDetector& self) {
            const BusyMark busy = self.begin();
            return self.detector.memory_bytes();
          },
          "Bytes that the detector keeps between queries; its copy of the scene is not included.")
      .def("__repr__",
           [](const NamedDetector& self) { return "Detector(" + std::string(name_of(self.options.method)) + ")"; });
}

}  // namespace graze::python

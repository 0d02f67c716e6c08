// graze/batch.hpp in Python: many steps in one call. Batches call their progress on any thread, but signals reach
// Python on its main thread alone: the work runs on a thread of its own, while this one looks for signals.
#include <graze/batch.hpp>

#include <future>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bind.hpp"
#include "objects.hpp"

namespace graze::python {

namespace {

/// What stands before the names of the arguments of one step of a batch.
std::string prefix_of(std::size_t step) {
  return fmt::format("steps[{}]: ", step);
}

/// The three members of a step.
py::tuple members_of(py::handle step, std::size_t index, const char* members) {
  if (!py::isinstance<py::sequence>(step) || py::isinstance<py::str>(step) || py::len(step) != 3) {
    throw InputError(fmt::format("steps[{}] is no tuple of {}", index, members));
  }
  return py::tuple(py::reinterpret_borrow<py::object>(step));
}

/// A triangle soup at both ends of a step.
struct Soup {
  Soup(py::handle given_faces, py::handle given_t0, py::handle given_t1, const std::string& prefix)
      : faces(given_faces, prefix + "faces"),
        x_t0(given_t0, prefix + "x_t0"),
        x_t1(given_t1, prefix + "x_t1", x_t0.span().size()) {
    require_finite(x_t0.span(), prefix + "x_t0");
    require_finite(x_t1.span(), prefix + "x_t1");
    require_ids(faces.span(), x_t0.span().size(), prefix + "faces");
  }
  [[nodiscard]] SoupStep view() const { return {faces.span(), x_t0.span(), x_t1.span()}; }

  Faces faces;
  Positions x_t0;
  Positions x_t1;
};

std::vector<Soup> soups_of(const py::sequence& steps) {
  std::vector<Soup> soups;
  soups.reserve(py::len(steps));
  for (const py::handle step : steps) {
    const py::tuple members = members_of(step, soups.size(), "faces, x_t0 and x_t1");
    soups.emplace_back(members[0], members[1], members[2], prefix_of(soups.size()));
  }
  return soups;
}

ContextPointer context_of(const Soup& soup, const DetectorOptions& options) {
  auto context = std::make_shared<ResultContext>(ResultContext{.scene = {},
                                                               .thickness = options.thickness,
                                                               .tolerance = options.tolerance,
                                                               .x_t0 = soup.x_t0.array(),
                                                               .x_t1 = soup.x_t1.array()});
  context->scene.scene.add_body({.positions = soup.x_t0.span(), .triangles = soup.faces.span()});
  return context;
}

std::shared_ptr<ImpactRows> row_of(Impacts&& impacts, const Soup& soup, const ContextPointer& context) {
  return std::make_shared<ImpactRows>(impact_rows(std::move(impacts), soup.x_t0.span(), soup.x_t1.span(), context));
}
std::shared_ptr<FirstRow> row_of(const FirstImpact& first, const Soup& soup, const ContextPointer& context) {
  return std::make_shared<FirstRow>(first_row(first, soup.x_t0.span(), soup.x_t1.span(), context));
}

/// All contacts of one soup.
std::shared_ptr<ImpactRows> contacts(py::handle x_t0, py::handle x_t1, py::handle faces, py::handle thickness,
                                     py::handle tolerance, py::handle threads, const std::string& method,
                                     const std::string& device) {
  const Soup soup(faces, x_t0, x_t1, "");
  CallWatch watch{py::none()};
  DetectorOptions options = detector_options(method, thickness, tolerance, threads, py::int_(0), device);
  options.progress = CallWatch::callback(watch);
  Impacts found = run_query(
      watch, [&] { return graze::find_impacts(soup.faces.span(), soup.x_t0.span(), soup.x_t1.span(), options); });
  return row_of(std::move(found), soup, context_of(soup, options));
}

/// A batch of soups: `query` is find_impacts or first_impacts of the library.
template <typename Result>
py::list run_soups(const py::sequence& steps, DetectorOptions options, const py::object& progress,
                   std::vector<Result> (*query)(std::span<const SoupStep>, const DetectorOptions&)) {
  require_callable(progress, "progress");
  const std::vector<Soup> soups = soups_of(steps);
  std::vector<SoupStep> views;
  for (const Soup& soup : soups) views.push_back(soup.view());
  BatchWatch watch(progress);
  options.progress = watch.callback();
  std::vector<Result> found = watch.run([&] { return query(views, options); });
  py::list rows;
  for (std::size_t i = 0; i < soups.size(); ++i) {
    rows.append(row_of(std::move(found[i]), soups[i], context_of(soups[i], options)));
  }
  return rows;
}

template <typename Result>
void def_soups(py::module_& module, const char* name, const char* text,
               std::vector<Result> (*query)(std::span<const SoupStep>, const DetectorOptions&)) {
  module.def(
      name,
      [query](const py::sequence& steps, const std::string& method, py::handle thickness, py::handle tolerance,
              py::handle threads, py::handle memory_cap, const std::string& device, const py::object& progress) {
        return run_soups(steps, detector_options(method, thickness, tolerance, threads, memory_cap, device),
                         progress, query);
      },
      py::arg("steps"), py::kw_only(), py::arg("method") = "auto", py::arg("thickness") = 0.0,
      py::arg("tolerance") = 1e-6, py::arg("threads") = 0, py::arg("memory_cap") = 0, py::arg("device") = "cpu",
      py::arg("progress") = py::none(), text);
}

/// One step of a scene with its detector.
struct DetectorArguments {
  DetectorArguments(const py::tuple& members, std::size_t index)
      : held(members[0]),
        detector(detector_of(held, index)),
        x_t0(members[1], prefix_of(index) + "x_t0", detector->detector.scene().vertex_count()),
        x_t1(members[2], prefix_of(index) + "x_t1", detector->detector.scene().vertex_count()) {}

  static NamedDetector* detector_of(py::handle given, std::size_t index) {
    if (!py::isinstance<NamedDetector>(given)) {
      throw InputError(fmt::format("steps[{}]: {} is no Detector", index, text_of(given)));
    }
    return given.cast<NamedDetector*>();
  }
  [[nodiscard]] DetectorStep view() const { return {&detector->detector, x_t0.span(), x_t1.span()}; }

  py::object held;
  NamedDetector* detector;
  Positions x_t0;
  Positions x_t1;
};

std::shared_ptr<ImpactRows> row_of(Impacts&& impacts, const DetectorArguments& step,
                                   const ContextPointer& context) {
  return std::make_shared<ImpactRows>(impact_rows(std::move(impacts), step.x_t0.span(), step.x_t1.span(), context));
}
std::shared_ptr<FirstRow> row_of(const FirstImpact& first, const DetectorArguments& step,
                                 const ContextPointer& context) {
  return std::make_shared<FirstRow>(first_row(first, step.x_t0.span(), step.x_t1.span(), context));
}

/// Throws InputError for a detector that is in the batch twice.
void require_distinct(const std::vector<DetectorArguments>& steps) {
  std::unordered_map<const NamedDetector*, std::size_t> first;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto [place, is_new] = first.emplace(steps[i].detector, i);
    if (!is_new) throw InputError(fmt::format("steps[{}] has the detector of steps[{}]", i, place->second));
  }
}

template <typename Result>
py::list run_detectors(const py::sequence& given, py::handle threads,
                       std::vector<Result> (*query)(std::span<const DetectorStep>, unsigned)) {
  std::vector<DetectorArguments> steps;
  steps.reserve(py::len(given));
  for (const py::handle step : given) {
    steps.emplace_back(members_of(step, steps.size(), "a Detector, x_t0 and x_t1"), steps.size());
  }
  require_distinct(steps);
  std::vector<BusyMark> busy;
  std::vector<DetectorStep> views;
  BatchWatch watch{py::none()};
  for (const DetectorArguments& step : steps) {
    busy.push_back(step.detector->begin());
    views.push_back(step.view());
    watch.add(step.detector->watch);
    ++step.detector->queries;
  }
  const unsigned count = threads_of(threads);
  std::vector<Result> found = watch.run([&] { return query(views, count); });
  py::list rows;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const DetectorArguments& step = steps[i];
    rows.append(
        row_of(std::move(found[i]), step, context_of(*step.detector, step.x_t0.array(), step.x_t1.array())));
  }
  return rows;
}

template <typename Result>
void def_detectors(py::module_& module, const char* name, const char* text,
                   std::vector<Result> (*query)(std::span<const DetectorStep>, unsigned)) {
  module.def(
      name, [query](const py::sequence& steps, py::handle threads) { return run_detectors(steps, threads, query); },
      py::arg("steps"), py::kw_only(), py::arg("threads") = 0, text);
}

}  // namespace

void bind_batch(py::module_& module) {
  module.def("contacts", &contacts, py::arg("x_t0"), py::arg("x_t1"), py::arg("faces"), py::kw_only(),
             py::arg("thickness") = 0.0, py::arg("tolerance") = 1e-6, py::arg("threads") = 0,
             py::arg("method") = "auto", py::arg("device") = "cpu",
             "Finds every contact of one step of a triangle mesh, from the positions x_t0 to x_t1.");
  def_soups<Impacts>(module, "find_impacts",
                     "Finds every impact of each step (faces, x_t0, x_t1) of a triangle soup, in parallel.",
                     &graze::find_impacts);
  def_soups<FirstImpact>(
      module, "first_impacts",
      "Finds the earliest impact of each step (faces, x_t0, x_t1) of a triangle soup, in parallel.",
      &graze::first_impacts);
  def_detectors<Impacts>(module, "detector_impacts",
                         "Finds every impact of each step (detector, x_t0, x_t1), in parallel.",
                         &graze::find_impacts);
  def_detectors<FirstImpact>(module, "detector_first_impacts",
                             "Finds the earliest impact of each step (detector, x_t0, x_t1), in parallel.",
                             &graze::first_impacts);
}

}  // namespace graze::python

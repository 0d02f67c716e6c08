// The objects of Python that several parts of the module share: scenes with names, detectors, and rows of results.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <graze/detector.hpp>
#include <graze/edit.hpp>
#include <graze/features.hpp>
#include <graze/results.hpp>
#include <graze/scene.hpp>

#include "arrays.hpp"
#include "calls.hpp"

namespace graze::python {

/// Names of bodies, by body id. Bodies without a name of their own are called "body N". Copies share one table
/// until one of them changes.
class BodyNames {
 public:
  /// Throws InputError if another body has this name.
  void add(BodyId body, const std::string& name);
  /// Throws InputError if a body cannot get this name: another has it, or it is what another is called without one.
  void require_free(const std::string& name, BodyId body) const;
  [[nodiscard]] std::string of(BodyId body) const;
  /// The body with this name; nothing if there is none.
  [[nodiscard]] std::optional<BodyId> find(const std::string& name) const;

 private:
  struct Table {
    std::unordered_map<std::string, BodyId> bodies;
    std::unordered_map<BodyId, std::string> names;
  };
  std::shared_ptr<Table> table_;  ///< null: no body has a name of its own
};

/// graze.Scene.
struct NamedScene {
  Scene scene;
  BodyNames names;
};

/// The body that a number or a name means. Throws InputError if there is none.
BodyId body_of(py::handle given, const Scene& scene, const BodyNames& names);
/// Arguments of add_body after the positions and faces.
Motion motion_of(const std::optional<std::string>& motion, bool is_static);
const char* motion_name(Motion motion);

/// graze.SceneEdit: the names of new bodies reach the scene when the edit is applied.
struct NamedEdit {
  NamedEdit(SceneEdit&& begun, const BodyNames& known_names) : edit(std::move(begun)), known(known_names) {}

  SceneEdit edit;
  BodyNames known;                                      ///< names when the edit began
  std::vector<std::pair<BodyId, std::string>> names{};  ///< names of bodies that the edit adds
};
/// Throws InputError if a name of the edit is taken.
void require_free(const NamedEdit& edit, const BodyNames& names);
/// Gives the bodies that the edit added their names.
void add_names(const NamedEdit& edit, BodyNames& names);

/// What graze.Detector and graze.DetectorBatch have in common: they run one query at a time, and number queries,
/// because results in GPU memory are valid until the next one.
struct QueryRunner {
  QueryRunner(DetectorOptions given, py::object progress, const char* text)
      : what(text), watch(std::move(progress)), options(std::move(given)) {
    options.progress = CallWatch::callback(watch);
  }

  [[nodiscard]] BusyMark begin() { return BusyMark(busy, what); }
  /// Returns what a query returns, which ends the validity of earlier results. Releases the GIL while it runs.
  template <typename Query>
  auto run(const Query& query) {
    ++queries;
    return run_query(watch, query);
  }

  const char* what;  ///< "this detector", for messages
  CallWatch watch;
  DetectorOptions options;
  std::atomic<bool> busy = false;
  std::uint64_t queries = 0;  ///< number of queries so far; needs the GIL
};

/// graze.Detector.
struct NamedDetector : QueryRunner {
  NamedDetector(const NamedScene& scene, DetectorOptions given, py::object progress)
      : QueryRunner(std::move(given), std::move(progress), "this detector"),
        names(scene.names),
        detector(scene.scene, options) {}

  BodyNames names;
  Detector detector;
};

/// What the rows of a result refer to. Scenes share their arrays, so that this costs little.
struct ResultContext {
  NamedScene scene;
  double thickness = 0.0;
  double tolerance = 1e-6;
  py::object x_t0 = py::none();  ///< arrays of the query; of an instant x_t0 alone
  py::object x_t1 = py::none();
  bool is_part = false;  ///< a slice or a batch: not all rows of the query
};
using ContextPointer = std::shared_ptr<const ResultContext>;
/// The context of results of a detector.
ContextPointer context_of(const NamedDetector& detector, py::object x_t0 = py::none(), py::object x_t1 = py::none(),
                          bool is_part = false);

/// Columns that are computed when they are first asked for, and kept: a row for each pair, of its two features.
struct PairColumns {
  py::object body;
  py::object triangle;
};

/// graze.Impacts: rows with their contact points.
struct ImpactRows {
  Impacts rows;
  std::vector<Vec3> points;
  ContextPointer context;
  PairColumns columns{};
};
/// graze.Impact: one row.
struct ImpactRow {
  Impact row;
  Vec3 point;
  ContextPointer context;
};
/// graze.Proximities: rows with the closest points of both features.
struct ProximityRows {
  std::vector<Proximity> rows;
  std::vector<std::array<Vec3, 2>> points;
  Stats stats;
  ContextPointer context;
  PairColumns columns{};
};
/// graze.Proximity: one row.
struct ProximityRow {
  Proximity row;
  std::array<Vec3, 2> points;
  ContextPointer context;
};
/// graze.Intersections.
struct IntersectionRows {
  Intersections rows;
  bool with_overlaps = false;
  ContextPointer context;
};
/// graze.FirstImpact.
struct FirstRow {
  double toi = 1.0;
  std::optional<ImpactRow> impact;
  Stats stats;
  ContextPointer context;
};
/// graze.SafeStep.
struct SafeRow {
  double step = 1.0;
  py::object positions;
  std::optional<ImpactRow> limit;
  Stats stats;
  ContextPointer context;
};

/// Results of a step, with the contact points. Needs no GIL.
ImpactRows impact_rows(Impacts&& impacts, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                       ContextPointer context);
FirstRow first_row(const FirstImpact& first, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                   const ContextPointer& context);
ProximityRows proximity_rows(std::vector<Proximity>&& rows, std::span<const Vec3> x, const Stats& stats,
                             ContextPointer context);

/// Write a result as VTK files (graze/vtk.hpp). Throw InputError if the arrays of the query have changed since.
void to_vtk(const ImpactRows& result, const std::filesystem::path& file);
void to_vtk(const ProximityRows& result, const std::filesystem::path& file);
void to_vtk(const IntersectionRows& result, const std::filesystem::path& file);

/// The options that detectors and batches share, by the names of Python.
DetectorOptions detector_options(const std::string& method, py::handle thickness, py::handle tolerance,
                                 py::handle threads, py::handle memory_cap, const std::string& device);
/// The number of threads of an argument; 0 means all cores.
unsigned threads_of(py::handle given);

}  // namespace graze::python

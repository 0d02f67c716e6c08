// The context of every query: scene, body filter, options, progress, counters, and the gap within which a pair may
// be reported.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/detector.hpp>
#include <graze/elementary.hpp>
#include <graze/results.hpp>

#include "core/function_ref.hpp"
#include "core/memory_budget.hpp"
#include "core/stopwatch.hpp"
#include "scene/body_filter.hpp"

namespace graze::query {

/// Scene, filter and options of a query. A stage of a query has a QueryContext with its own options
/// (stage_options).
struct QueryContext {
  const Scene& scene;
  const BodyFilter& filter;
  const DetectorOptions& options;

  [[nodiscard]] ElementaryOptions elementary() const {
    return {.tolerance = options.tolerance, .thickness = options.thickness};
  }
};

/// Vertex positions at both ends of a step.
struct StepPositions {
  std::span<const Vec3> x_t0;
  std::span<const Vec3> x_t1;

  [[nodiscard]] std::size_t size() const { return x_t0.size(); }
};

/// Receives the impacts of a block, in block order, on the calling thread. Each impact is charged to the budget
/// with sizeof(Impact) bytes, which the receiver releases.
using FoundImpacts = FunctionRef<void(std::vector<Impact>&& impacts)>;

/// Receives all impacts of a query in order; the view is valid during the call only.
using ViewedImpacts = FunctionRef<void(std::span<const Impact> impacts)>;

/// Receives the proximities of a block, in block order, on the calling thread. Each is charged to the budget with
/// sizeof(Proximity) bytes, which the receiver releases.
using FoundProximities = FunctionRef<void(std::vector<Proximity>&& proximities)>;

/// Calls the progress callback, if any, and throws Interrupted if it returns false.
void report_progress(const DetectorOptions& options, double share);

/// Options of one stage of a query: progress 0 to 1 of the stage is reported as `begin` to `end` of the query. The
/// result refers to the progress callback of `options`.
DetectorOptions stage_options(const DetectorOptions& options, double begin, double end);

/// The largest distance at which an elementary test may still report a pair: 0 without thickness, else thickness
/// plus the slack (graze/elementary.hpp) of the largest possible pair, rounded up. Culling must keep every pair
/// within this gap: the elementary test then decides, so that all methods report the same pairs.
double reported_gap(const ElementaryOptions& options, const StepPositions& x);

/// Adds the counters of `part` to `sum`, but not its times.
void add_counters(Stats& sum, const Stats& part);

}  // namespace graze::query

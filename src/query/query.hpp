// What every query shares: the scene, the body filter and the options it runs with, its progress, and its counters.
#pragma once

#include <cstdint>
#include <span>

#include <graze/detector.hpp>
#include <graze/elementary.hpp>
#include <graze/results.hpp>

#include "core/function_ref.hpp"
#include "core/memory_budget.hpp"
#include "core/stopwatch.hpp"
#include "scene/body_filter.hpp"

namespace graze::query {

/// The context of a query. A stage of a query is a QueryContext with options of its own (stage_options).
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

/// Receives impacts in block order, on the calling thread. `share` is the part of the work that is done when the
/// current wave has been handed over. sizeof(Impact) is charged to the budget for each impact; the receiver
/// releases it.
using FoundImpacts = FunctionRef<void(std::span<Impact> impacts, double share)>;

/// Calls the progress callback, if there is one, and throws Interrupted if it returns false.
void report_progress(const DetectorOptions& options, double share);

/// Options of one stage of a query: its progress 0 to 1 is reported as `begin` to `end` of the whole query. Refers
/// to the progress callback of `options`.
DetectorOptions stage_options(const DetectorOptions& options, double begin, double end);

/// The largest distance at which an elementary test may still report a pair: 0 without thickness, else thickness
/// plus slack (graze/elementary.hpp) of the largest pair there can be, rounded up. A cull that keeps every pair
/// within it leaves the decision to the elementary test, so that all methods report the same pairs.
double reported_gap(const ElementaryOptions& options, const StepPositions& x);

/// Adds the counters, not the times, of a part.
void add_counters(Stats& sum, const Stats& part);

}  // namespace graze::query

// Streams of candidates at one instant to the exact elementary tests: proximities (distance queries) and edge-face
// intersections. Each block of work has its own stream, which tests every candidate as it arrives.
#pragma once

#include <span>
#include <vector>

#include <graze/elementary.hpp>
#include <graze/results.hpp>

#include "core/memory_budget.hpp"
#include "mesh/features.hpp"
#include "narrow/kernels/pair_filter.hpp"
#include "query/proximity_test.hpp"

namespace graze::query {

/// The results of one block of a query at one instant.
template <typename Found>
struct InstantResult {
  std::vector<Found> found;
  Stats stats;
};

/// Keeps the pairs whose exact distance at `x` is <= d.
struct ProximityStream {
  std::span<const Vec3> x;
  double d;
  MemoryBudget& budget;
  InstantResult<Proximity>& result;

  void push(FeatureKind kind, const PairVertices& vertices, bool keep = true) {
    if (keep) test_proximity({kind, vertices}, x, d, budget, result.stats, result.found);
  }
  [[nodiscard]] Stats& stats() { return result.stats; }
};

/// Keeps the edge-face pairs that intersect at `x`.
struct EdgeFaceStream {
  std::span<const Vec3> x;
  MemoryBudget& budget;
  InstantResult<Intersection>& result;

  void push(const Edge& e, const Face& f) {
    if (intersect_edge_face({x[e[0]], x[e[1]], x[f[0]], x[f[1]], x[f[2]]}, &result.stats.tiers)) push_proved(e, f);
  }
  /// For a pair that is proved to intersect.
  void push_proved(const Edge& e, const Face& f) {
    charge_proved(1);
    push_charged(e, f);
  }
  /// Charges pairs that push_charged() will add: many at once, because threads share the budget.
  void charge_proved(std::size_t count) {
    budget.charge(2 * count * sizeof(Intersection));  // in the block's list, and in the merged list
  }
  void push_charged(const Edge& e, const Face& f) { result.found.push_back({e, f}); }
  [[nodiscard]] Stats& stats() { return result.stats; }
};

}  // namespace graze::query

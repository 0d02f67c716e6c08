// Interface of the methods that work on pairs of leaves: leaves with bounding volumes (hierarchy, spatial hash) and
// the sources of their candidates. Two files implement the queries for all of these methods:
// query/leaf/leaf_search.hpp (continuous) and query/leaf/leaf_instant.hpp (at one instant).
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "query/candidate_source.hpp"
#include "query/leaf/leaf_bounds.hpp"
#include "query/leaf/leaf_features.hpp"
#include "query/query.hpp"

namespace graze::query {

/// Leaves, their bounds, and the structure that finds pairs of leaves whose bounds overlap.
class BoundedLeaves : public LeafBounds {
 public:
  using LeafBounds::LeafBounds;

  /// Computes bounds of the motion from x_t0 to x_t1: if two features come within `gap`, their bounds overlap.
  /// Preconditions: finite positions of all vertices; static bodies do not move.
  virtual void update(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double gap) = 0;
  /// Prepares the culling of adjacent triangles for a step (proofs of patches, tests of neighbours). Sources then
  /// skip the pairs that a proof rules out, until the next call. `static_too`: also among static bodies.
  /// Precondition: an update for this step or a prefix of it.
  virtual void prepare_culling(std::span<const VertexPath> paths, bool static_too, CullCounts& counts) = 0;
  /// Prepares the culling of adjacent triangles at one instant; all paths are points.
  virtual void prepare_instant_culling(std::span<const VertexPath> paths, bool static_too, CullCounts& counts) = 0;
  /// Turns the culling of adjacent triangles off: for queries that report more than contacts.
  virtual void disable_culling() = 0;

  /// Bytes of everything that the constructor and update() allocate; known before the first update.
  [[nodiscard]] virtual std::size_t planned_bytes() const = 0;
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
  /// Adds the counters of the structure to the stats.
  virtual void count(Stats& /*stats*/) const {}

 protected:
  ~BoundedLeaves() = default;
};

/// The arguments from which a method makes the sources of a query.
struct LeafQuery {
  const QueryContext& query;
  const FeatureBounds& bounds;
  LeafBounds::Scope scope;
  PairTests tests;
  bool instant;  ///< at one instant, not over a step
  MemoryBudget& budget;
  Stats& stats;
};

/// A method that generates its candidates from pairs of leaves.
class LeafMethod {
 public:
  /// Sources of candidates whose bounds overlap. The sources refer to the mesh, the query's filter and the budget.
  [[nodiscard]] virtual std::unique_ptr<SourceSequence> leaf_sources(const LeafQuery& query) = 0;
  /// Whether the sources generate every candidate at most once.
  [[nodiscard]] virtual bool tests_once() const = 0;

 protected:
  ~LeafMethod() = default;
};

}  // namespace graze::query

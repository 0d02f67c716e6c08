// What the methods that work on pairs of leaves share: a mesh with bounds (hierarchy, spatial hash) and the sources
// of its candidates. Their queries are written once: query/leaf_search.hpp (continuous), query/leaf_instant.hpp.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "query/candidate_source.hpp"
#include "query/leaf_bounds.hpp"
#include "query/leaf_features.hpp"
#include "query/query.hpp"

namespace graze::query {

/// Leaves and their bounds, with whatever finds pairs of leaves whose bounds overlap.
class BoundedLeaves : public LeafBounds {
 public:
  using LeafBounds::LeafBounds;

  /// Makes the bounds of the motion from x_t0 to x_t1: bounds of features that come within `gap` overlap.
  /// Preconditions: finite positions of all vertices; static bodies do not move.
  virtual void update(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double gap) = 0;
  /// Prepares the culling of adjacent triangles for a step (proofs of patches, tests of neighbours): sources then
  /// leave out what it rules out, until the next call. `static_too`: also between static bodies. Precondition: an
  /// update for this step or a part of it.
  virtual void prepare_culling(std::span<const VertexPath> paths, bool static_too, CullCounts& counts) = 0;
  /// Prepares the culling of adjacent triangles at one instant; all paths are points.
  virtual void prepare_instant_culling(std::span<const VertexPath> paths, bool static_too, CullCounts& counts) = 0;
  /// Culls no adjacent triangles: for queries that report more than contacts.
  virtual void disable_culling() = 0;

  /// Bytes of everything that the constructor and update() make; known before the first update.
  [[nodiscard]] virtual std::size_t planned_bytes() const = 0;
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
  /// Adds counters of what is kept.
  virtual void count(Stats& /*stats*/) const {}

 protected:
  ~BoundedLeaves() = default;
};

/// What the sources of a query are made from.
struct LeafQuery {
  const QueryContext& query;
  const FeatureBounds& bounds;
  LeafBounds::Scope scope;
  PairTests tests;
  bool instant;  ///< at one instant, not over a step
  MemoryBudget& budget;
  Stats& stats;
};

/// A method that makes its candidates from pairs of leaves.
class LeafMethod {
 public:
  /// Sources of candidates whose bounds overlap. They refer to the mesh, the filter of the query and the budget.
  [[nodiscard]] virtual std::unique_ptr<SourceSequence> leaf_sources(const LeafQuery& query) = 0;
  /// Whether no candidate comes twice.
  [[nodiscard]] virtual bool tests_once() const = 0;

 protected:
  ~LeafMethod() = default;
};

}  // namespace graze::query

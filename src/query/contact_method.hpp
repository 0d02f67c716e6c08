// The interface (seam) between the detector and the methods: each method is one class in its own folder of
// src/methods.
//
// A method keeps its structures between queries, generates candidates, and culls pairs by proof; query/ does waves,
// batches, merging and sorting (query/impact_loop.hpp). The detector checks input, picks a method
// (api/pick_method.hpp), measures time, and knows no method by name. The GPU is one more class
// (cuda/cuda_method.hpp); a cluster of machines would be another. CONTRIBUTING.md, "Adding a method", lists the
// steps.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <graze/results.hpp>

#include "mesh/mesh_change.hpp"
#include "query/device_queries.hpp"
#include "query/query.hpp"

namespace graze::query {

/// Preconditions of all queries: the input is checked (scene/input_checks.hpp), rebuild() has been called, and no
/// other query of the same object runs. Answers are the same for every method and any number of threads.
class ContactMethod {
 public:
  ContactMethod() = default;
  ContactMethod(const ContactMethod&) = delete;
  ContactMethod& operator=(const ContactMethod&) = delete;
  virtual ~ContactMethod() = default;

  /// Discards the kept structures and builds them from the current scene. Called before the first query and after
  /// edits that apply() does not follow.
  virtual void rebuild() = 0;

  /// Passes every impact of the step to `found` (see FoundImpacts); each once if reports_once().
  virtual Stats impacts(const QueryContext& query, const StepPositions& x, MemoryBudget& budget,
                        FoundImpacts found) = 0;
  virtual FirstImpact first_impact(const QueryContext& query, const StepPositions& x) = 0;
  /// Fills edge_face alone; query/intersections.hpp derives the pairs of triangles.
  virtual Intersections intersections(const QueryContext& query, std::span<const Vec3> x) = 0;
  /// Passes every pair within d to `found`; each once if reports_once().
  virtual Stats proximities(const QueryContext& query, std::span<const Vec3> x, double d, MemoryBudget& budget,
                            FoundProximities found) = 0;

  /// Whether impacts() and proximities() report each pair once and in an order that does not depend on threads, so
  /// that they can be streamed; if not, the caller sorts them and removes duplicates.
  [[nodiscard]] virtual bool reports_once() const { return true; }
  /// Whether impacts() and proximities() also report all pairs in order, so that the caller need not sort them.
  [[nodiscard]] virtual bool reports_in_order() const { return false; }
  /// As impacts(), with all impacts in order in one view, which is valid during the call of `found`. Precondition:
  /// reports_in_order().
  virtual Stats ordered_impacts(const QueryContext& query, const StepPositions& x, MemoryBudget& budget,
                                ViewedImpacts found);
  /// The same queries of positions in GPU memory; null for a method that runs on the host.
  [[nodiscard]] virtual DeviceQueries* device_queries() { return nullptr; }
  /// The smallest number of triangles for which a second thread pays off.
  [[nodiscard]] virtual std::size_t min_triangles_for_threads() const { return 500; }
  /// Throws InputError for a scene with more triangles than the method can number.
  virtual void check_triangle_count(std::size_t count) const;

  /// Whether apply() can follow a local edit; if not, rebuild() follows it.
  [[nodiscard]] virtual bool follows_edits() const { return true; }
  /// Called before the scene changes by an edit that apply() follows.
  virtual void prepare_edit() {}
  /// Updates the kept structures after an edit of the scene, near the change only. `filter_changed`: the body
  /// filter may give other answers than before. If memory runs out, the next call is rebuild().
  virtual void apply(const MeshChange& change, bool filter_changed) = 0;

  /// Compares the kept structures with fresh ones of the scene: empty if they agree, else one line on the first
  /// difference. For tests.
  [[nodiscard]] virtual std::string validate() const = 0;
  /// Bytes of the structures that are kept between queries.
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
};

}  // namespace graze::query

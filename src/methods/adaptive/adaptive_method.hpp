// Method::Adaptive (ADAPTIVE, Algorithm 1): temporal coherence. Holds the data kept between steps and runs the
// continuous queries.
//
// A step is plain, as in method r-tri, or it is the first or a later step of a session; a later step skips the
// update of the hierarchy and the traversal (methods/adaptive/session.hpp). A controller chooses between them by
// the cost of steps (methods/adaptive/skip_controller.hpp). Without sessions (nSwD) a step is plain, except for
// pairs that a distance kept from earlier steps rules out (methods/adaptive/distance_filter.hpp). The contacts are
// identical in all three cases and pass through the history of sides. Discrete queries are those of r-tri. Cost of
// a session step: see session.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <graze/methods.hpp>
#include <graze/research.hpp>
#include <graze/results.hpp>
#include <graze/types.hpp>

#include "methods/adaptive/distance_filter.hpp"
#include "methods/adaptive/session.hpp"
#include "methods/adaptive/side_history.hpp"
#include "methods/adaptive/skip_controller.hpp"
#include "methods/bvh/bvh_method.hpp"
#include "query/contact_method.hpp"
#include "query/duplicate_test_check.hpp"

namespace graze::methods {

class AdaptiveMethod final : public ContactMethod {
 public:
  /// Refers to the scene.
  AdaptiveMethod(const Scene& scene, const DetectorOptions& options);

  /// Remembered sides stay valid: vertex ids are never reused.
  void rebuild() override;
  /// Impacts also get the remembered side of their pair.
  Stats impacts(const QueryContext& query, const StepPositions& x, MemoryBudget& budget,
                FoundImpacts found) override;
  FirstImpact first_impact(const QueryContext& query, const StepPositions& x) override;
  /// Queries at one instant update the hierarchy: the bounds of a running session are lost.
  Intersections intersections(const QueryContext& query, std::span<const Vec3> x) override;
  Stats proximities(const QueryContext& query, std::span<const Vec3> x, double d, MemoryBudget& budget,
                    FoundProximities found) override;
  void prepare_edit() override { plain_.prepare_edit(); }
  void apply(const MeshChange& change, bool filter_changed) override;
  [[nodiscard]] std::string validate() const override { return plain_.validate(); }
  [[nodiscard]] std::size_t memory_bytes() const override { return plain_.memory_bytes() + history_bytes(); }

 private:
  class Paths;
  class PendingCandidates;
  template <typename Features>
  class FilteredCandidates;

  /// The scene was edited: nothing that sessions and distances know holds.
  void forget_scene();
  /// Bytes of sessions, distances and remembered sides.
  [[nodiscard]] std::size_t history_bytes() const;

  [[nodiscard]] bool may_use_history(const AdaptiveStep& step);
  void charge_kept(const Hierarchy& hierarchy, MemoryBudget& budget);
  /// Frees the memory of sessions and distances, and returns it to the budget.
  void release(MemoryBudget& budget);
  template <typename Found, typename Plain, typename Sink, typename Merge>
  void take_step(AdaptiveStep step, MemoryBudget& budget, Stats& stats, const Plain& plain, const Sink& sink,
                 const Merge& merge);
  template <typename Found, typename Sink, typename Merge>
  Session::Outcome take_session_step(const AdaptiveStep& step, SkipController::Step kind, MemoryBudget& budget,
                                     Stats& stats, const Sink& sink, const Merge& merge);
  template <typename Found, typename Sink, typename Merge>
  void test_pending(const AdaptiveStep& step, std::span<StoredPair> pairs, DuplicateTestCheck& duplicate_check,
                    Stats& stats, const Sink& sink, const Merge& merge);
  template <typename Found, typename Sink, typename Merge>
  void test_directly(const AdaptiveStep& step, const LeafPairSource& source, DuplicateTestCheck& duplicate_check,
                     const Sink& sink, const Merge& merge);
  template <typename Found, typename Sink, typename Merge>
  bool take_filtered_step(AdaptiveStep step, MemoryBudget& budget, Stats& stats, const Sink& sink,
                          const Merge& merge);
  [[nodiscard]] double cost_of(const Stats& stats, double ms, const Hierarchy& hierarchy) const;

  BvhMethod plain_;  ///< takes plain steps, and keeps the hierarchy
  research::AdaptiveOptions options_;
  bool plain_next_ = false;  ///< the scene was edited: the hierarchy must be updated by a plain step first
  bool is_memory_limited_ =
      false;  ///< results and kept data did not fit into the memory cap together: plain steps only
  Session session_;
  unsigned session_step_ = 0;  ///< steps of the running session so far
  DistanceFilter filter_;
  SkipController controller_;
  SideHistory history_;
};

}  // namespace graze::methods

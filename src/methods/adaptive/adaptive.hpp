// Method::Adaptive (ADAPTIVE, Algorithm 1): what it keeps between steps, and its continuous queries.
//
// A step is plain, as one of r-tri; or the first of a session, or a later one, which skips update and traversal
// (methods/adaptive/session.hpp). A controller says which, by what steps cost
// (methods/adaptive/skip_controller.hpp). Without sessions (nSwD) a step is plain but for pairs that a distance
// kept from earlier steps rules out (methods/adaptive/distance_filter.hpp). Contacts are the same in all three, and
// go through the history of sides. Discrete queries are those of r-tri.
#pragma once

#include <cstddef>
#include <span>

#include <graze/methods.hpp>
#include <graze/results.hpp>
#include <graze/types.hpp>

#include "methods/adaptive/distance_filter.hpp"
#include "methods/adaptive/session.hpp"
#include "methods/adaptive/side_history.hpp"
#include "methods/adaptive/skip_controller.hpp"
#include "methods/bvh/hierarchy.hpp"
#include "query/duplicate_test_check.hpp"
#include "query/query.hpp"

namespace graze::methods {

class Adaptive {
 public:
  explicit Adaptive(const AdaptiveOptions& options);

  /// As bvh_impacts and bvh_first_impact. Impacts have the side that is remembered of their pair.
  Stats impacts(const DetectorQuery& query, Hierarchy& hierarchy, std::span<const Vec3> x_t0,
                std::span<const Vec3> x_t1, MemoryBudget& budget, const FoundImpacts& found);
  FirstImpact first_impact(const DetectorQuery& query, Hierarchy& hierarchy, std::span<const Vec3> x_t0,
                           std::span<const Vec3> x_t1);

  /// Another query has updated the hierarchy.
  void hierarchy_used() { session_.lose_bounds(); }
  /// The scene was edited. Sides are remembered: ids of vertices are not used again.
  void scene_edited();

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  class Paths;

  [[nodiscard]] bool may_use_history(const AdaptiveStep& step);
  void charge_kept(const Hierarchy& hierarchy, MemoryBudget& budget);
  /// Gives back what sessions and distances take, and was charged.
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

  AdaptiveOptions options_;
  bool plain_next_ = false;  ///< an edit came: the hierarchy must be updated as for any method first
  bool is_cramped_ = false;  ///< results and what is kept did not fit in the memory cap together: plain steps alone
  Session session_;
  unsigned session_step_ = 0;  ///< steps of the running session so far
  DistanceFilter filter_;
  SkipController controller_;
  SideHistory history_;
};

}  // namespace graze::methods

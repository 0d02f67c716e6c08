// Steps of Method::Adaptive: plain, within a session, or with the distance filter. See adaptive.hpp.
#include "methods/adaptive/adaptive.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <graze/error.hpp>

#include "methods/adaptive/pair_measuring.hpp"
#include "methods/bvh/bvh_method.hpp"
#include "narrow/orientation.hpp"
#include "query/candidate_stream.hpp"
#include "query/leaf_features.hpp"

namespace graze::methods {

namespace {

/// Side of a pair at the end of a step, as in Impact::side; exact.
int end_side(const Impact& impact, std::span<const Vec3> x_t1) {
  const auto& v = impact.pair.vertices;
  bool exact = false;
  // Vertex-face: side of the vertex relative to the face. Edge-edge: sign of (a1 - a0) . ((b0 - a0) x (b1 - a0)).
  if (impact.pair.kind == FeatureKind::VertexFace) {
    return narrow::orient3d(x_t1[v[1]], x_t1[v[3]], x_t1[v[2]], x_t1[v[0]], exact);
  }
  return narrow::orient3d(x_t1[v[1]], x_t1[v[2]], x_t1[v[3]], x_t1[v[0]], exact);
}

/// Passes on the contacts among static bodies, which are known from an earlier step.
template <typename Found, typename Sink, typename Merge>
void give_static(LeafBounds& mesh, const Sink& sink, const Merge& merge) {
  if (!mesh.has_static()) return;
  BlockResult<Found> still;
  sink(still, std::span<const Impact>(*mesh.static_contacts().impacts));
  merge(still, 1.0);
}

/// A block of the pending list.
struct PairBlock {
  std::size_t begin = 0;
  std::uint64_t pairs = 0;
};

std::vector<PairBlock> pair_blocks(std::size_t count) {
  constexpr std::size_t kPairsPerBlock = 16384;
  std::vector<PairBlock> blocks;
  for (std::size_t begin = 0; begin < count; begin += kPairsPerBlock) {
    blocks.push_back({begin, std::min(kPairsPerBlock, count - begin)});
  }
  return blocks;
}

}  // namespace

/// The paths of a step's vertices, computed on demand and charged to the budget with the planned hierarchy.
class Adaptive::Paths {
 public:
  Paths(AdaptiveStep& step, MemoryBudget& budget) : step_(step), budget_(budget) {}

  /// Computes the paths. Returns false if the budget does not allow it.
  [[nodiscard]] bool make() {
    if (charged_ > 0) return true;
    const std::size_t bytes = step_.hierarchy.planned_bytes() + step_.x_t0.size() * sizeof(VertexPath);
    if (!budget_.fits(bytes)) return false;
    budget_.charge(bytes);
    charged_ = bytes;
    make_paths(step_.x_t0, step_.x_t1, paths_);
    step_.paths = paths_;
    return true;
  }
  void release() {
    budget_.release(charged_);
    charged_ = 0;
    std::vector<VertexPath>().swap(paths_);
    step_.paths = {};
  }

 private:
  AdaptiveStep& step_;
  MemoryBudget& budget_;
  std::size_t charged_ = 0;
  std::vector<VertexPath> paths_;
};

Adaptive::Adaptive(const AdaptiveOptions& options) : options_(options), controller_(options.frames) {}

void Adaptive::scene_edited() {
  plain_next_ = true;
  session_.forget_scene();
  filter_.forget_scene();
}

/// Whether the kept data still matches the scene. If not, the next step is plain and makes it match again.
bool Adaptive::may_use_history(const AdaptiveStep& step) {
  Hierarchy& hierarchy = step.hierarchy;
  const bool static_known =
      !hierarchy.has_static() || (hierarchy.static_contacts().impacts && hierarchy.static_unmoved(step.x_t0));
  if (!static_known) filter_.forget_scene();
  return !plain_next_ && !is_cramped_ && static_known;
}

void Adaptive::release(MemoryBudget& budget) {
  const std::size_t held = memory_bytes();
  session_.release();
  filter_.release();
  budget.release(held - memory_bytes());
}

/// Charges the kept data to the budget, or frees it if it leaves too little memory for the query.
void Adaptive::charge_kept(const Hierarchy& hierarchy, MemoryBudget& budget) {
  if (!budget.fits(memory_bytes() + hierarchy.planned_bytes())) {
    session_.release();
    filter_.release();
  }
  budget.charge(memory_bytes());
}

std::size_t Adaptive::memory_bytes() const {
  return session_.memory_bytes() + filter_.memory_bytes() + history_.memory_bytes();
}

/// Cost of a step: its time in ms, or an estimate in ms from counted work, which is identical in every run.
double Adaptive::cost_of(const Stats& stats, double ms, const Hierarchy& hierarchy) const {
  if (!options_.by_work) return ms;
  const bool later = stats.coherence.session_step > 1;
  const double sum = (later ? 20.0 : 120.0) * static_cast<double>(hierarchy.leaves().size()) +
                     4.0 * static_cast<double>(stats.bv_tests) + 10.0 * static_cast<double>(stats.triangle_pairs) +
                     15.0 * static_cast<double>(stats.coherence.measured) +
                     3.0 * static_cast<double>(stats.coherence.pairs) +
                     20.0 * static_cast<double>(stats.vf_tests + stats.ee_tests) +
                     200.0 * static_cast<double>(stats.tiers.interval);
  return 1e-6 * sum;
}

/// Tests the admissible pairs of a part of the pending list.
template <typename Found, typename Sink, typename Merge>
void Adaptive::test_pending(const AdaptiveStep& step, std::span<StoredPair> pairs,
                            DuplicateTestCheck& duplicate_check, Stats& stats, const Sink& sink,
                            const Merge& merge) {
  const std::vector<PairBlock> blocks = pair_blocks(pairs.size());
  const ImpactBatch::Step tests{step.paths, step.query.elementary()};
  StageTimes times;
  const Stopwatch loop;
  run_in_waves<BlockResult<Found>>(
      step.query.options, std::span<const PairBlock>(blocks),
      [&](const PairBlock& block, BlockResult<Found>& part) {
        test_named<Found>(step.hierarchy, tests, duplicate_check, part, sink, [&](auto& named) {
          for (StoredPair& pair : pairs.subspan(block.begin, block.pairs)) {
            if (!session_.look(pair)) continue;
            ++part.stats.coherence.admissible;
            for_features(step.hierarchy, pair, named);
          }
        });
      },
      [&](BlockResult<Found>& part, double share) {
        times.add(part);
        merge(part, share);
      },
      [] {});
  Stats split;
  times.write(loop.ms(), split);
  stats.traverse_ms += split.traverse_ms;
  stats.narrow_ms += split.narrow_ms;
}

/// Tests all feature pairs that the pairs of leaves represent, and stores none.
template <typename Found, typename Sink, typename Merge>
void Adaptive::test_directly(const AdaptiveStep& step, const LeafPairSource& source,
                             DuplicateTestCheck& duplicate_check, const Sink& sink, const Merge& merge) {
  using Result = BlockResult<Found>;
  const ImpactBatch::Step tests{step.paths, step.query.elementary()};
  const FeatureBounds bounds{step.hierarchy, step.paths, step.query.options.thickness > 0.0};
  const RepresentedFeatures<false> features{bounds};  // the hierarchy has no feature bounds for this step
  run_leaf_pairs<Result>(
      step.query, step.hierarchy, source,
      [&](Result& part, const auto& walk) {
        test_named<Found>(step.hierarchy, tests, duplicate_check, part, sink, [&](auto& named) {
          walk([&](std::span<const LeafPair> pairs) { features.continuous(pairs, named); });
        });
      },
      merge);
}

template <typename Found, typename Sink, typename Merge>
Session::Outcome Adaptive::take_session_step(const AdaptiveStep& step, SkipController::Step kind,
                                             MemoryBudget& budget, Stats& stats, const Sink& sink,
                                             const Merge& merge) {
  // Estimated shares of the work, for progress reports.
  constexpr double kStoring = 0.6;
  constexpr double kPending = 0.9;
  const bool first = kind == SkipController::Step::First;
  {
    DetectorOptions storing = stage_options(step.query.options, 0.0, kStoring);
    if (!first) storing.progress = {};  // a later step stores few pairs, if any
    const DetectorQuery query{step.query.scene, step.query.filter, storing};
    const Session::Outcome outcome =
        first ? session_.begin(step.with(query), options_, controller_.frames(), budget, stats)
              : session_.advance(step.with(query), budget, stats);
    if (outcome != Session::Outcome::Ready) return outcome;
  }
  session_step_ = first ? 1 : session_step_ + 1;
  stats.coherence.session_frames = controller_.frames();
  stats.coherence.session_step = session_step_;
  give_static<Found>(step.hierarchy, sink, merge);
  const bool dangling = session_.has_dangling();
  const DetectorOptions pending =
      stage_options(step.query.options, first ? kStoring : 0.0, dangling ? kPending : 1.0);
  const DetectorQuery pending_query{step.query.scene, step.query.filter, pending};
  DuplicateTestCheck duplicate_check(true);
  test_pending<Found>(step.with(pending_query), session_.pairs(), duplicate_check, stats, sink, merge);
  Session::Outcome outcome = Session::Outcome::Ready;
  if (dangling) {
    const DetectorOptions rest = stage_options(step.query.options, kPending, 1.0);
    const DetectorQuery rest_query{step.query.scene, step.query.filter, rest};
    // Storing reports no progress: the tests that follow do.
    DetectorOptions silent = rest;
    silent.progress = {};
    const DetectorQuery silent_query{step.query.scene, step.query.filter, silent};
    const LeafPairSource source = session_.renew_references(step, stats);
    const std::size_t before = session_.pairs().size();
    outcome = session_.store(step.with(silent_query), source, budget, stats);
    if (outcome == Session::Outcome::Ready) {
      test_pending<Found>(step.with(rest_query), session_.pairs().subspan(before), duplicate_check, stats, sink,
                          merge);
    } else {
      test_directly<Found>(step.with(rest_query), source, duplicate_check, sink, merge);
    }
  }
  stats.coherence.pairs = session_.pairs().size();
  stats.coherence.pair_bytes = session_.pair_bytes();
  if (outcome == Session::Outcome::Ready) {
    session_.finish_step();
  } else {
    controller_.end_session(true);
  }
  return Session::Outcome::Ready;
}

/// Makes one step; calls `plain` where there is no session. Stats are complete except for the memory and the total
/// time.
template <typename Found, typename Plain, typename Sink, typename Merge>
void Adaptive::take_step(AdaptiveStep step, MemoryBudget& budget, Stats& stats, const Plain& plain,
                         const Sink& sink, const Merge& merge) {
  using Kind = SkipController::Step;
  const Stopwatch watch;
  Hierarchy& hierarchy = step.hierarchy;
  const auto take_plain = [&] {
    session_.end();
    session_.lose_bounds();
    plain();
  };
  if (!may_use_history(step)) {
    controller_.end_session(false);
    take_plain();
    return;
  }
  Paths paths(step, budget);
  for (;;) {
    const Kind kind = controller_.next();
    if (kind == Kind::Plain) {
      paths.release();
      take_plain();
      controller_.done(kind, cost_of(stats, watch.ms(), hierarchy));
      return;
    }
    if (kind == Kind::Later && !session_.is_running()) {
      controller_.end_session(false);
      continue;
    }
    if (!paths.make()) {  // exceeds the memory cap: free as much as possible
      release(budget);
      controller_.end_session(false);
      take_plain();
      return;
    }
    const Session::Outcome outcome = take_session_step<Found>(step, kind, budget, stats, sink, merge);
    if (outcome == Session::Outcome::Ready) {
      if (session_.is_running()) controller_.done(kind, cost_of(stats, watch.ms(), hierarchy));
      return;
    }
    session_.end();
    if (kind == Kind::First) {
      paths.release();
      take_plain();
      controller_.done(kind, cost_of(stats, watch.ms(), hierarchy));
      controller_.end_session(true);
      return;
    }
    controller_.end_session(outcome == Session::Outcome::TooFar);
  }
}

/// Makes a step without sessions. Returns false if the caller must make a plain step instead.
template <typename Found, typename Sink, typename Merge>
bool Adaptive::take_filtered_step(AdaptiveStep step, MemoryBudget& budget, Stats& stats, const Sink& sink,
                                  const Merge& merge) {
  struct Part : BlockResult<Found> {
    DistanceFilter::Part filtered;
  };
  const Stopwatch update;
  Hierarchy& hierarchy = step.hierarchy;
  Paths paths(step, budget);
  // Check static bodies before the update, which accepts their new positions.
  if (!may_use_history(step) || !filter_.begin_step(step)) return false;
  if (!paths.make()) {
    release(budget);
    return false;
  }
  hierarchy.update(step.x_t0, step.x_t1, step.gap);
  if (step.query.options.thickness > 0.0) {
    hierarchy.forget_proofs();
  } else {
    hierarchy.prove(step.paths, false, stats.culled);
  }
  stats.update_ms = update.ms();

  const Stopwatch loop;
  StageTimes times;
  give_static<Found>(hierarchy, sink, merge);
  const ImpactBatch::Step tests{step.paths, step.query.elementary()};
  const FeatureBounds bounds{hierarchy, step.paths, step.query.options.thickness > 0.0};
  const LeafPairSource source(hierarchy.leaf_pairs(Hierarchy::Scope::Moving, PairTests::Continuous, true));
  DuplicateTestCheck duplicate_check(true);
  const auto run = [&](const auto& features) {
    run_leaf_pairs<Part>(
        step.query, hierarchy, source,
        [&](Part& part, const auto& walk) {
          test_named<Found>(hierarchy, tests, duplicate_check, part, sink, [&](auto& named) {
            std::vector<LeafPair> some;
            walk([&](std::span<const LeafPair> pairs) {
              some.assign(pairs.begin(), pairs.end());
              features.continuous(filter_.keep(step, some, part.filtered), named);
            });
          });
        },
        [&](Part& part, double share) {
          filter_.take(part.filtered, budget, stats);
          times.add(part);
          merge(part, share);
        });
  };
  if (hierarchy.choices().edge_bounds != EdgeBounds::None) {
    run(RepresentedFeatures<true>{bounds});
  } else {
    run(RepresentedFeatures<false>{bounds});
  }
  filter_.end_step(stats);
  times.write(loop.ms(), stats);
  return true;
}

Stats Adaptive::impacts(const DetectorQuery& query, Hierarchy& hierarchy, std::span<const Vec3> x_t0,
                        std::span<const Vec3> x_t1, MemoryBudget& budget, const FoundImpacts& found) {
  using Found = std::vector<Impact>;
  history_.begin_step();
  const FoundImpacts remembered = [&](std::span<Impact> some, double share) {
    budget.charge(some.size() * SideHistory::kBytesTaken);
    history_.take(some, [&](const Impact& impact) { return end_side(impact, x_t1); });
    found(some, share);
  };
  Stats stats;
  const auto plain = [&] {
    stats = bvh_impacts(query, hierarchy, x_t0, x_t1, budget, remembered);
    plain_next_ = false;
  };
  const auto sink = [&](BlockResult<Found>& part, std::span<const Impact> some) {
    keep_impacts(part.found, some, budget);
  };
  const auto merge = [&](BlockResult<Found>& part, double share) {
    add_counters(stats, part.stats);
    if (!part.found.empty()) remembered(part.found, share);
  };
  try {
    charge_kept(hierarchy, budget);
    const AdaptiveStep step{query, hierarchy, x_t0, x_t1, {}, reported_gap(query.elementary(), x_t0, x_t1)};
    if (options_.skip) {
      take_step<Found>(step, budget, stats, plain, sink, merge);
    } else if (!take_filtered_step<Found>(step, budget, stats, sink, merge)) {
      plain();
    }
  } catch (const InputError&) {  // memory cap exceeded: kept data must not cause this again
    is_cramped_ = true;
    release(budget);
    throw;
  }
  history_.end_step();
  stats.coherence.remembered = history_.size();
  stats.memory_bytes =
      std::max<std::uint64_t>(stats.memory_bytes, hierarchy.memory_bytes() + x_t0.size() * sizeof(VertexPath)) +
      memory_bytes();
  return stats;
}

FirstImpact Adaptive::first_impact(const DetectorQuery& query, Hierarchy& hierarchy, std::span<const Vec3> x_t0,
                                   std::span<const Vec3> x_t1) {
  using Found = std::optional<Impact>;
  FirstImpact result;
  if (!options_.skip) {
    result = bvh_first_impact(query, hierarchy, x_t0, x_t1);
  } else {
    MemoryBudget budget(query.options.memory_cap);
    const auto plain = [&] {
      result = bvh_first_impact(query, hierarchy, x_t0, x_t1);
      plain_next_ = false;
    };
    charge_kept(hierarchy, budget);
    const AdaptiveStep step{query, hierarchy, x_t0, x_t1, {}, reported_gap(query.elementary(), x_t0, x_t1)};
    take_step<Found>(
        step, budget, result.stats, plain,
        [](BlockResult<Found>& part, std::span<const Impact> some) { keep_earliest(part.found, some); },
        [&](BlockResult<Found>& part, double) {
          add_counters(result.stats, part.stats);
          if (part.found) keep_earliest(result.impact, {&*part.found, 1});
        });
    if (result.impact) result.toi = result.impact->toi_lo;
  }
  if (result.impact) history_.look_up(*result.impact);
  result.stats.coherence.remembered = history_.size();
  result.stats.memory_bytes = std::max<std::uint64_t>(result.stats.memory_bytes,
                                                      hierarchy.memory_bytes() + x_t0.size() * sizeof(VertexPath)) +
                              memory_bytes();
  return result;
}

}  // namespace graze::methods

// Steps of Method::Adaptive: plain, within a session, or with the distance filter. See adaptive_method.hpp.
#include "methods/adaptive/adaptive_method.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <graze/error.hpp>
#include <graze/research.hpp>

#include "methods/adaptive/pair_measuring.hpp"
#include "narrow/orientation.hpp"
#include "query/leaf/leaf_candidates.hpp"

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

}  // namespace

/// The paths of a step's vertices, computed on demand and charged to the budget with the planned hierarchy.
class AdaptiveMethod::Paths {
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

AdaptiveMethod::AdaptiveMethod(const Scene& scene, const DetectorOptions& options)
    : plain_(scene, Method::Adaptive,
             hierarchy_choices(Method::Adaptive, options.research->hierarchy, options.research->adaptive)),
      options_(options.research->adaptive),
      controller_(options.research->adaptive.frames) {}

void AdaptiveMethod::rebuild() {
  forget_scene();
  plain_.rebuild();
}

void AdaptiveMethod::apply(const MeshChange& change, bool filter_changed) {
  forget_scene();
  plain_.apply(change, filter_changed);
}

Intersections AdaptiveMethod::intersections(const QueryContext& query, std::span<const Vec3> x) {
  session_.lose_bounds();
  return plain_.intersections(query, x);
}

Stats AdaptiveMethod::proximities(const QueryContext& query, std::span<const Vec3> x, double d,
                                  MemoryBudget& budget, FoundProximities found) {
  session_.lose_bounds();
  return plain_.proximities(query, x, d, budget, found);
}

void AdaptiveMethod::forget_scene() {
  plain_next_ = true;
  session_.forget_scene();
  filter_.forget_scene();
}

/// Whether the kept data still matches the scene. If not, the next step is plain and makes it match again.
bool AdaptiveMethod::may_use_history(const AdaptiveStep& step) {
  Hierarchy& hierarchy = step.hierarchy;
  hierarchy.static_contacts().require_thickness(step.query.options.thickness);
  const bool static_known =
      !hierarchy.has_static() || (hierarchy.static_contacts().impacts && hierarchy.static_unmoved(step.x_t0));
  if (!static_known) filter_.forget_scene();
  return !plain_next_ && !is_memory_limited_ && static_known;
}

void AdaptiveMethod::release(MemoryBudget& budget) {
  const std::size_t held = history_bytes();
  session_.release();
  filter_.release();
  budget.release(held - history_bytes());
}

/// Charges the kept data to the budget, or frees it if it leaves too little memory for the query.
void AdaptiveMethod::charge_kept(const Hierarchy& hierarchy, MemoryBudget& budget) {
  if (!budget.fits(history_bytes() + hierarchy.planned_bytes())) {
    session_.release();
    filter_.release();
  }
  budget.charge(history_bytes());
}

std::size_t AdaptiveMethod::history_bytes() const {
  return session_.memory_bytes() + filter_.memory_bytes() + history_.memory_bytes();
}

/// Cost of a step: its time in ms, or an estimate in ms from counted work, which is identical in every run.
double AdaptiveMethod::cost_of(const Stats& stats, double ms, const Hierarchy& hierarchy) const {
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

/// The admissible pairs of a part of the pending list.
class AdaptiveMethod::PendingCandidates final : public CandidateSource {
 public:
  /// Refers to everything it is given. Pairs that are found to be void are marked.
  PendingCandidates(const Session& session, const Hierarchy& hierarchy, std::span<StoredPair> pairs)
      : session_(session), hierarchy_(hierarchy), pairs_(pairs) {}

  [[nodiscard]] std::vector<std::uint64_t> block_weights() const override {
    std::vector<std::uint64_t> weights;
    for (std::size_t begin = 0; begin < pairs_.size(); begin += kPairsPerBlock) {
      weights.push_back(std::min(kPairsPerBlock, pairs_.size() - begin));
    }
    return weights;
  }
  void generate(std::size_t block, CandidateStream& stream) const override {
    FeatureSink<CandidateStream> sink{hierarchy_, stream};
    const std::size_t begin = block * kPairsPerBlock;
    for (StoredPair& pair : pairs_.subspan(begin, std::min(kPairsPerBlock, pairs_.size() - begin))) {
      if (!session_.is_admissible(pair)) continue;
      ++sink.stats.coherence.admissible;
      for_features(hierarchy_, pair, sink);
    }
  }

 private:
  static constexpr std::size_t kPairsPerBlock = 16384;

  const Session& session_;
  const Hierarchy& hierarchy_;
  std::span<StoredPair> pairs_;
};

/// Tests the admissible pairs of a part of the pending list.
template <typename Found, typename Sink, typename Merge>
void AdaptiveMethod::test_pending(const AdaptiveStep& step, std::span<StoredPair> pairs,
                                  DuplicateTestCheck& duplicate_check, Stats& stats, const Sink& sink,
                                  const Merge& merge) {
  StageTimes times;
  const Stopwatch loop;
  test_source<Found>(
      step.query, PendingCandidates(session_, step.hierarchy, pairs), {step.paths, step.query.elementary()},
      duplicate_check, sink,
      [&](BlockResult<Found>& block, double share) {
        times.add(block);
        merge(block, share);
      },
      [] {});
  Stats split;
  times.write(loop.ms(), split);
  stats.traverse_ms += split.traverse_ms;
  stats.narrow_ms += split.narrow_ms;
}

/// Tests all feature pairs that the pairs of leaves represent, and stores none.
template <typename Found, typename Sink, typename Merge>
void AdaptiveMethod::test_directly(const AdaptiveStep& step, const LeafPairSource& source,
                                   DuplicateTestCheck& duplicate_check, const Sink& sink, const Merge& merge) {
  const FeatureBounds bounds{step.hierarchy, step.paths, step.query.options.thickness > 0.0};
  const RepresentedFeatures<false> features{bounds};  // the hierarchy has no feature bounds for this step
  test_source<Found>(step.query, LeafCandidates(step.query.filter, step.hierarchy, source, features),
                     {step.paths, step.query.elementary()}, duplicate_check, sink, merge, [] {});
}

template <typename Found, typename Sink, typename Merge>
Session::Outcome AdaptiveMethod::take_session_step(const AdaptiveStep& step, SkipController::Step kind,
                                                   MemoryBudget& budget, Stats& stats, const Sink& sink,
                                                   const Merge& merge) {
  // Estimated shares of the work, for progress reports.
  constexpr double kStoring = 0.6;
  constexpr double kPending = 0.9;
  const bool first = kind == SkipController::Step::First;
  {
    DetectorOptions storing = stage_options(step.query.options, 0.0, kStoring);
    if (!first) storing.progress = {};  // a later step stores few pairs, if any
    const QueryContext query{step.query.scene, step.query.filter, storing};
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
  const QueryContext pending_query{step.query.scene, step.query.filter, pending};
  DuplicateTestCheck duplicate_check(true);
  test_pending<Found>(step.with(pending_query), session_.pairs(), duplicate_check, stats, sink, merge);
  Session::Outcome outcome = Session::Outcome::Ready;
  if (dangling) {
    const DetectorOptions rest = stage_options(step.query.options, kPending, 1.0);
    const QueryContext rest_query{step.query.scene, step.query.filter, rest};
    // Storing reports no progress: the tests that follow do.
    DetectorOptions silent = rest;
    silent.progress = {};
    const QueryContext silent_query{step.query.scene, step.query.filter, silent};
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
void AdaptiveMethod::take_step(AdaptiveStep step, MemoryBudget& budget, Stats& stats, const Plain& plain,
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

/// Candidates of overlapping leaves, less the pairs that a kept distance rules out.
template <typename Features>
class AdaptiveMethod::FilteredCandidates final : public CandidateSource {
 public:
  /// Refers to everything it is given but the features.
  FilteredCandidates(const AdaptiveStep& step, const DistanceFilter& filter, const Features& features)
      : step_(step),
        filter_(filter),
        features_(features),
        pairs_(step.hierarchy.leaf_pairs(Hierarchy::Scope::Moving, PairTests::Continuous, true)),
        filtered_(pairs_.block_weights().size()) {}

  [[nodiscard]] std::vector<std::uint64_t> block_weights() const override { return pairs_.block_weights(); }
  void generate(std::size_t block, CandidateStream& stream) const override {
    FeatureSink<CandidateStream> sink{step_.hierarchy, stream};
    std::vector<LeafPair> kept;
    for_tested_pairs(step_.query.filter, step_.hierarchy, pairs_, block, stream.stats(),
                     [&](std::span<const LeafPair> pairs) {
                       kept.assign(pairs.begin(), pairs.end());
                       features_.continuous(filter_.keep(step_, kept, filtered_[block]), sink);
                     });
  }
  /// What the filter noted of a block.
  [[nodiscard]] DistanceFilter::Part take(std::size_t block) { return std::move(filtered_[block]); }

 private:
  const AdaptiveStep& step_;
  const DistanceFilter& filter_;
  Features features_;
  LeafPairSource pairs_;
  mutable std::vector<DistanceFilter::Part> filtered_;  ///< by block: each is written by the thread of its block
};

/// Takes a step without sessions. Returns false if the step is to be a plain one.
template <typename Found, typename Sink, typename Merge>
bool AdaptiveMethod::take_filtered_step(AdaptiveStep step, MemoryBudget& budget, Stats& stats, const Sink& sink,
                                        const Merge& merge) {
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
    hierarchy.disable_culling();
  } else {
    hierarchy.prepare_culling(step.paths, false, stats.culled);
  }
  stats.update_ms = update.ms();

  const Stopwatch loop;
  StageTimes times;
  give_static<Found>(hierarchy, sink, merge);
  const FeatureBounds bounds{hierarchy, step.paths, step.query.options.thickness > 0.0};
  DuplicateTestCheck duplicate_check(true);
  const auto run = [&](const auto& features) {
    FilteredCandidates candidates(step, filter_, features);
    std::size_t merged = 0;
    test_source<Found>(
        step.query, candidates, {step.paths, step.query.elementary()}, duplicate_check, sink,
        [&](BlockResult<Found>& block, double share) {
          filter_.take(candidates.take(merged++), budget, stats);
          times.add(block);
          merge(block, share);
        },
        [] {});
  };
  if (hierarchy.choices().edge_bounds != research::EdgeBounds::None) {
    run(RepresentedFeatures<true>{bounds});
  } else {
    run(RepresentedFeatures<false>{bounds});
  }
  filter_.end_step(stats);
  times.write(loop.ms(), stats);
  return true;
}

Stats AdaptiveMethod::impacts(const QueryContext& query, const StepPositions& x, MemoryBudget& budget,
                              FoundImpacts found) {
  Hierarchy& hierarchy = plain_.hierarchy();
  using Found = std::vector<Impact>;
  history_.begin_step();
  const auto remembered = [&](std::vector<Impact>&& some) {
    budget.charge(some.size() * SideHistory::kBytesTaken);
    history_.take(some, [&](const Impact& impact) { return end_side(impact, x.x_t1); });
    found(std::move(some));
  };
  Stats stats;
  const auto plain = [&] {
    stats = plain_.impacts(query, x, budget, remembered);
    plain_next_ = false;
  };
  const auto sink = [&](BlockResult<Found>& part, std::span<const Impact> some) {
    keep_impacts(part.found, some, budget);
  };
  const auto merge = [&](BlockResult<Found>& part, double) {
    add_counters(stats, part.stats);
    if (!part.found.empty()) remembered(std::move(part.found));
  };
  try {
    charge_kept(hierarchy, budget);
    const AdaptiveStep step{query, hierarchy, x.x_t0, x.x_t1, {}, reported_gap(query.elementary(), x)};
    if (options_.skip) {
      take_step<Found>(step, budget, stats, plain, sink, merge);
    } else if (!take_filtered_step<Found>(step, budget, stats, sink, merge)) {
      plain();
    }
  } catch (const ResourceError&) {  // memory cap exceeded: kept data must not cause this again
    is_memory_limited_ = true;
    release(budget);
    throw;
  }
  history_.end_step();
  stats.coherence.remembered = history_.size();
  stats.memory_bytes =
      std::max<std::uint64_t>(stats.memory_bytes, hierarchy.memory_bytes() + x.size() * sizeof(VertexPath)) +
      history_bytes();
  return stats;
}

FirstImpact AdaptiveMethod::first_impact(const QueryContext& query, const StepPositions& x) {
  Hierarchy& hierarchy = plain_.hierarchy();
  using Found = std::optional<Impact>;
  FirstImpact result;
  if (!options_.skip) {
    result = plain_.first_impact(query, x);
  } else {
    MemoryBudget budget(query.options.memory_cap);
    const auto plain = [&] {
      result = plain_.first_impact(query, x);
      plain_next_ = false;
    };
    charge_kept(hierarchy, budget);
    const AdaptiveStep step{query, hierarchy, x.x_t0, x.x_t1, {}, reported_gap(query.elementary(), x)};
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
  result.stats.memory_bytes =
      std::max<std::uint64_t>(result.stats.memory_bytes, hierarchy.memory_bytes() + x.size() * sizeof(VertexPath)) +
      history_bytes();
  return result;
}

}  // namespace graze::methods

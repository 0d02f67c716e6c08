// Continuous queries of method `auto`. See cluster_search.hpp.
#include "methods/cluster/cluster_search.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "methods/cluster/cluster_blocks.hpp"
#include "methods/cluster/cluster_pairs.hpp"
#include "query/step_prefix.hpp"

namespace graze::methods {

namespace {

/// Candidates of continuous tests.
class StepCandidates final : public ClusterBlocks {
 public:
  /// Refers to the rules: their prefix may become shorter between waves.
  StepCandidates(const QueryContext& query, const ClusterMesh& mesh, const PairRules& rules, Goal goal)
      : ClusterBlocks(query, mesh, rules.gap), rules_(rules), goal_(goal) {}

  /// In a search for the first impact the results of a wave decide about the work of the next one: its length must
  /// not depend on threads.
  [[nodiscard]] WaveSizes wave_sizes() const override {
    return goal_ == Goal::First ? WaveSizes{.first = 16, .last = 256} : ClusterBlocks::wave_sizes();
  }

  void generate(std::size_t block, CandidateStream& stream) const override {
    PairBuffer buffer;
    const auto drain = [&] { push_candidates(buffer, query().filter, stream); };
    for_pairs(block, stream.stats(), [&](std::span<const ClusterPair> pairs) {
      collect_pairs(mesh().clusters(), pairs, rules_, buffer, stream.stats().cluster, drain);
    });
  }

 private:
  const PairRules& rules_;
  Goal goal_;
};

}  // namespace

/// Positions at the end of a part.
std::size_t ClusterSearch::part_bytes() const {
  return goal_ == Goal::First ? x_.size() * sizeof(Vec3) : 0;
}

std::size_t ClusterSearch::planned_bytes() const {
  return leaf_bytes_ + ClusterMesh::planned_bytes(query_.scene.vertex_count(), query_.scene.triangle_count()) +
         part_bytes();
}

void ClusterSearch::begin(Stats& stats) {
  mesh_.require_thickness(query_.options.thickness);
  mesh_.begin_step(x_.x_t0, x_.x_t1);
  gap_ = reported_gap(query_.elementary(), x_);
  stats.cluster.clusters = mesh_.clusters().size();
  stats.cluster.kept = mesh_.kept_cluster_count();
  begin_bytes_ = mesh_.memory_bytes();
  keeps_ = goal_ == Goal::All || mesh_.has_static_vertices();
}

/// The first part is one in which vertices hardly move against the size of a cluster; each next one is much longer.
StepPart ClusterSearch::first_part() {
  constexpr double kFirstDisplacement = 1.0 / 64.0;
  constexpr double kShortest = 0x1p-12;
  const double displacement = mesh_.mean_displacement(x_.x_t0);
  double until = 1.0;
  while (until > kShortest && until * displacement > kFirstDisplacement) until *= 0.5;
  return {.until = until, .progress_end = until};
}

StepPart ClusterSearch::next_part(const StepPart& part) {
  constexpr double kLonger = 32.0;
  const double until = std::min(1.0, kLonger * part.until);
  return {.begin = part.until, .until = until, .progress_begin = part.until, .progress_end = until};
}

void ClusterSearch::bound(const StepPart& part, Stats& /*stats*/) {
  in_first_part_ = part.is_first();
  until_ = part.until;
  if (part.is_last()) {
    margin_ = 0.0;
    mesh_.bound_step(x_.x_t0, x_.x_t1);
  } else {
    margin_ = truncate_step(x_.x_t0, x_.x_t1, part.until, x_until_);
    mesh_.bound_part(x_.x_t0, x_until_);
  }
}

std::size_t ClusterSearch::memory_bytes() const {
  return leaf_bytes_ + (goal_ == Goal::All ? mesh_.memory_bytes() : begin_bytes_ + part_bytes());
}

KnownImpacts ClusterSearch::known_impacts(const QueryContext& /*query*/, MemoryBudget& /*budget*/, Stats& stats) {
  KnownImpacts known{mesh_.kept_impacts()};
  if (goal_ == Goal::All) stats.cluster.kept_contacts = known.impacts.size();
  return known;
}

ImpactBatch::Step ClusterSearch::tests() const {
  return {.paths = mesh_.paths(), .options = query_.elementary(), .already_filtered = true};
}

std::unique_ptr<SourceSequence> ClusterSearch::sources(const QueryContext& query, MemoryBudget& /*budget*/,
                                                       Stats& stats) {
  rules_ = {.gap = gap_ + margin_, .touching = query_.options.thickness == 0.0, .position_error = margin_};
  auto source = std::make_unique<StepCandidates>(query, mesh_, rules_, goal_);
  stats.bv_tests += source->front_tests();
  return std::make_unique<SingleSource>(std::move(source));
}

/// Copies the impacts whose vertices are all static in this step.
void ClusterSearch::copy_static(std::span<const Impact> impacts, std::vector<Impact>& kept) const {
  if (!mesh_.has_static_vertices()) return;
  std::copy_if(impacts.begin(), impacts.end(), std::back_inserter(kept),
               [&](const Impact& impact) { return mesh_.is_static_pair(impact.pair); });
}

void ClusterSearch::keep_in_block(std::span<const Impact> impacts, std::vector<Impact>& kept,
                                  MemoryBudget& budget) {
  if (!in_first_part_ || !keeps_) return;
  const std::size_t before = kept.size();
  copy_static(impacts, kept);
  constexpr std::size_t kCopies = 3;  // that exist at the same time, at most
  if (!budget.try_charge((kept.size() - before) * kCopies * sizeof(Impact))) keeps_ = false;
}

void ClusterSearch::keep_block(std::vector<Impact>&& kept) {
  if (keeps_) kept_.push_back(std::move(kept));
}

/// An impact that is reported before the earliest one so far begins no later, and its true time is within the
/// tolerance of that. The products and the sum round by less than the factor.
double ClusterSearch::after_wave(const std::optional<Impact>& earliest) {
  if (earliest) {
    rules_.prefix = std::min(1.0, (1.0 + 0x1p-40) * (earliest->toi_lo + query_.options.tolerance) / until_);
  }
  return 0.0;
}

void ClusterSearch::finish_part(const StepPart& part) {
  if (part.is_first() && keeps_) mesh_.keep(std::exchange(kept_, {}));
}

}  // namespace graze::methods

// Safe step: search for the step, shorter steps, proof of the rounded positions. See safe_step.hpp.
#include "query/safe_step.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "geometry/vec.hpp"
#include "narrow/separation_time.hpp"

namespace graze::query {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Adds counters and times of a search to those of the whole query.
void add_search(Stats& sum, const Stats& part) {
  add_counters(sum, part);
  sum.update_ms += part.update_ms;
  sum.traverse_ms += part.traverse_ms;
  sum.narrow_ms += part.narrow_ms;
  sum.memory_bytes = std::max(sum.memory_bytes, part.memory_bytes);
}

/// The time until which a step is certainly free, and the impact that ends it: kNever and no impact if it is free.
struct FreeTime {
  double time = kNever;
  std::optional<Impact> limit;
};

class SafeStepSearch {
 public:
  SafeStepSearch(ContactMethod& method, const QueryContext& query) : method_(method), query_(query) {}

  FreeTime free_time(const StepPositions& x) {
    const DetectorOptions options = next_stage();
    const FirstImpact first = method_.first_impact({query_.scene, query_.filter, options}, x);
    add_search(stats_, first.stats);
    if (!first.impact) return {};
    // Without a distance intervals are exact: a contact at 0 is one. With a distance the tests are conservative,
    // and report pairs at 0 that are a little farther apart.
    if (first.toi > 0.0 || query_.options.thickness == 0.0) return {first.toi, first.impact};
    return free_time_of_all(x);
  }

  [[nodiscard]] const Stats& stats() const { return stats_; }

 private:
  /// Options of the next search: each one reports half of the progress that is left, since nobody knows how many
  /// there will be.
  DetectorOptions next_stage() {
    const double begin = std::exchange(progress_, 0.5 * (1.0 + progress_));
    return stage_options(query_.options, begin, progress_);
  }

  /// The least time over all impacts, with exact arithmetic for those at the start.
  FreeTime free_time_of_all(const StepPositions& x) {
    FreeTime free;
    MemoryBudget budget(query_.options.memory_cap);
    const auto take = [&](std::vector<Impact>&& impacts) {
      for (const Impact& impact : impacts) {
        const double time = impact.toi_lo > 0.0 ? impact.toi_lo : separation_time_of(impact, x);
        if (time == kNever) continue;
        if (free.limit && std::pair(free.time, free.limit->pair) <= std::pair(time, impact.pair)) continue;
        free = {time, impact};
      }
      budget.release(impacts.size() * sizeof(Impact));
    };
    const DetectorOptions options = next_stage();
    add_search(stats_, method_.impacts({query_.scene, query_.filter, options}, x, budget, take));
    return free;
  }

  [[nodiscard]] double separation_time_of(const Impact& impact, const StepPositions& x) const {
    PairStep pair;
    for (std::size_t i = 0; i < 4; ++i) {
      pair.t0[i] = x.x_t0[impact.pair.vertices[i]];
      pair.t1[i] = x.x_t1[impact.pair.vertices[i]];
    }
    return narrow::separation_time(impact.pair.kind, pair, query_.options.thickness);
  }

  ContactMethod& method_;
  const QueryContext& query_;
  Stats stats_;
  double progress_ = 0.0;  ///< share of the work that is reported as done
};

/// Writes x_t0 + step (x_t1 - x_t0), rounded, to `y`; returns whether anything moves. A difference that overflows
/// is avoided.
bool advance(const StepPositions& x, double step, std::vector<Vec3>& y) {
  y.resize(x.size());
  bool moves = false;
  for (std::size_t v = 0; v < y.size(); ++v) {
    const Vec3 path = x.x_t1[v] - x.x_t0[v];
    y[v] = is_finite(path) ? x.x_t0[v] + step * path : lerp(x.x_t0[v], x.x_t1[v], step);
    moves = moves || y[v] != x.x_t0[v];
  }
  return moves;
}

}  // namespace

SafeStep find_safe_step(ContactMethod& method, const QueryContext& query, const StepPositions& x, double keep) {
  SafeStepSearch search(method, query);
  SafeStep result;
  const FreeTime free = search.free_time(x);
  result.limit = free.limit;
  if (free.time == kNever) {
    result.positions.assign(x.x_t1.begin(), x.x_t1.end());
  } else {
    // Shares of the free time that leave at most `keep` of the way to the contact, whose interval is narrow
    // (narrow/toi_width.hpp: 2^-10, below 1/16 of the least `keep`). If rounding makes contacts at all of them, the
    // step is reduced faster; positions that close to a contact soon round to x_t0, from which nothing moves then.
    const std::array shares = {1.0 - keep / 2, 1.0 - keep * 3 / 4, 1.0 - keep * 15 / 16};
    constexpr double kReduction = 0.125;
    constexpr int kReductions = 22;  // to less than 2^-64 of the free time
    const int tries = static_cast<int>(shares.size()) + kReductions;
    const double farthest = std::min(free.time, 1.0);
    bool is_free = free.time == 0.0;
    for (int i = 0; i < tries && !is_free; ++i) {
      const auto share = static_cast<std::size_t>(i);
      const double step = share < shares.size() ? farthest * shares[share] : kReduction * result.step;
      result.step = std::max(step, std::numeric_limits<double>::denorm_min());
      is_free =
          !advance(x, result.step, result.positions) || search.free_time({x.x_t0, result.positions}).time == kNever;
    }
    if (free.time == 0.0) result.step = 0.0;
    if (free.time == 0.0 || !is_free) result.positions.assign(x.x_t0.begin(), x.x_t0.end());
  }
  result.stats = search.stats();
  report_progress(query.options, 1.0);
  return result;
}

}  // namespace graze::query

// Impacts and first impact on a hierarchy (pipeline/bvh_methods.hpp).
//
// First impact: boxes of a short part [0, h] of the step first. All contacts up to h are among its candidates, so
// once one is found that begins before h - tolerance, nothing later matters; else h grows. Contacts come early
// where there are many, and short sweeps overlap little.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/sort.hpp"
#include "geometry/vec.hpp"
#include "pipeline/bvh_methods.hpp"
#include "pipeline/candidate_stream.hpp"
#include "pipeline/leaf_features.hpp"

namespace graze {

namespace {

struct GroupBlock {
  std::size_t group = 0;
  std::uint64_t pairs = 0;
};

/// Tests the feature pairs that `features` makes of a traversal's leaf pairs: sink(part, impact) for what is found,
/// then merge(part) in the order of the groups.
template <typename Found, typename Features, typename Sink, typename Merge>
void test_leaf_pairs(const Query& query, const BvhTraversal& traversal, const Features& features,
                     const ImpactBatch::Step& step, const Sink& sink, const Merge& merge) {
  constexpr std::uint64_t kWeight = std::uint64_t{1} << 20U;  // groups are about equal; waves of 16 to 64
  std::vector<GroupBlock> blocks(traversal.group_count());
  for (std::size_t g = 0; g < blocks.size(); ++g) blocks[g] = {g, kWeight};
  using Result = BlockResult<Found>;
  run_in_waves<Result>(
      query.options, std::span<const GroupBlock>(blocks),
      [&](const GroupBlock& block, Result& part) {
        const auto found = [&](const Impact& impact) { sink(part, impact); };
        CandidateStream stream(step, part, found);
        part.stats.bv_tests += traversal.run_group(block.group, [&](std::span<const LeafPair> pairs) {
          part.stats.triangle_pairs += pairs.size();
          for (const LeafPair& pair : pairs) {
            features(pair, [&](const FeaturePair& candidate) { stream.push(candidate); });
          }
        });
        stream.finish();
      },
      merge, [] {});
}

/// Calls run(traversal, features) with what the method is made of.
template <typename Run>
void with_method(const Query& query, const Hierarchy& hierarchy, std::span<const Vec3> x_t0,
                 std::span<const Vec3> x_t1, const Run& run) {
  const bool thick = query.options.thickness > 0.0;
  if (query.options.method == Method::Basic) {
    run(hierarchy.all_leaf_pairs(), BasicFeatures{hierarchy});
  } else if (query.options.method == Method::NoDupl) {
    run(hierarchy.representative_leaf_pairs(Hierarchy::Tests::Continuous),
        RepresentedFeatures<false>{hierarchy, x_t0, x_t1, thick});
  } else {
    run(hierarchy.representative_leaf_pairs(Hierarchy::Tests::Continuous),
        RepresentedFeatures<true>{hierarchy, x_t0, x_t1, thick});
  }
}

/// The end positions of the part [0, t] of the step, and the gap that makes up for their roundings: (1-t) a + t b
/// errs by at most 2^-53 of each term and of the sum, so by 2^-52 of the largest coordinate, or by the smallest
/// double where products underflow. Both features of a pair err; a volume is inflated by half the gap; a segment
/// not at all, so the other volume's half must cover both: 2^-51. Precondition: t is a power of two, so that 1-t is
/// exact.
double shorten(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double t, std::vector<Vec3>& x) {
  double largest = 0.0;
  x.resize(x_t0.size());
  for (std::size_t v = 0; v < x.size(); ++v) {
    x[v] = lerp(x_t0[v], x_t1[v], t);
    largest = std::max({largest, max_abs(x_t0[v]), max_abs(x_t1[v])});
  }
  return 0x1p-49 * largest + 8.0 * std::numeric_limits<double>::denorm_min();
}

}  // namespace

Impacts bvh_impacts(const Query& query, Hierarchy& hierarchy, std::span<const Vec3> x_t0,
                    std::span<const Vec3> x_t1) {
  const ImpactBatch::Step step{
      x_t0, x_t1, {.tolerance = query.options.tolerance, .thickness = query.options.thickness}};
  Impacts result;
  MemoryBudget budget(query.options.memory_cap);
  const Stopwatch update;
  hierarchy.update(x_t0, x_t1, reported_gap(step.options, x_t0, x_t1));
  result.stats.memory_bytes = query.topology.memory_bytes() + hierarchy.memory_bytes();
  budget.charge(result.stats.memory_bytes);
  result.stats.update_ms = update.ms();

  const Stopwatch loop;
  StageTimes times;
  using Found = std::vector<Impact>;
  with_method(query, hierarchy, x_t0, x_t1, [&](const BvhTraversal& traversal, const auto& features) {
    test_leaf_pairs<Found>(
        query, traversal, features, step,
        [&](BlockResult<Found>& part, const Impact& impact) {
          budget.charge(2 * sizeof(Impact));  // where it is found, and again while all are joined or sorted
          part.found.push_back(impact);
        },
        [&](BlockResult<Found>& part) {
          add_counters(result.stats, part.stats);
          times.add(part);
          result.impacts.insert(result.impacts.end(), part.found.begin(), part.found.end());
        });
  });
  parallel_sort(result.impacts, [](const Impact& a, const Impact& b) { return a.pair < b.pair; });
  if (query.options.method == Method::Basic) {  // the others find each once
    const auto same = [](const Impact& a, const Impact& b) { return a.pair == b.pair; };
    result.impacts.erase(std::unique(result.impacts.begin(), result.impacts.end(), same), result.impacts.end());
  }
  times.write(loop.ms(), result.stats);
  return result;
}

FirstImpact bvh_first_impact(const Query& query, Hierarchy& hierarchy, std::span<const Vec3> x_t0,
                             std::span<const Vec3> x_t1) {
  const ImpactBatch::Step step{
      x_t0, x_t1, {.tolerance = query.options.tolerance, .thickness = query.options.thickness}};
  FirstImpact result;
  MemoryBudget budget(query.options.memory_cap);
  StageTimes times;
  double update_ms = 0.0;
  const Stopwatch all;
  const double gap = reported_gap(step.options, x_t0, x_t1);
  std::vector<Vec3> x_until;
  using Found = std::optional<Impact>;
  constexpr std::array kParts = {0x1p-6, 0x1p-3, 1.0};
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    const double until = kParts[i];
    DetectorOptions options = query.options;
    if (options.progress) {
      options.progress = [&, i](double share) {
        return query.options.progress((static_cast<double>(i) + share) / static_cast<double>(kParts.size()));
      };
    }
    const Stopwatch update;
    std::span<const Vec3> end = x_t1;
    double room = 0.0;
    if (until < 1.0) {
      room = shorten(x_t0, x_t1, until, x_until);
      end = x_until;
    }
    hierarchy.update(x_t0, end, gap + room);
    update_ms += update.ms();
    if (i == 0) {
      result.stats.memory_bytes =
          query.topology.memory_bytes() + hierarchy.memory_bytes() + x_until.capacity() * sizeof(Vec3);
      budget.charge(result.stats.memory_bytes);
    }
    with_method(query, hierarchy, x_t0, end, [&](const BvhTraversal& traversal, const auto& features) {
      test_leaf_pairs<Found>(
          {query.topology, options}, traversal, features, step,
          [](BlockResult<Found>& part, const Impact& impact) {
            if (!part.found || earlier(impact, *part.found)) part.found = impact;
          },
          [&](BlockResult<Found>& part) {
            add_counters(result.stats, part.stats);
            times.add(part);
            if (part.found && (!result.impact || earlier(*part.found, *result.impact))) result.impact = part.found;
          });
    });
    if (result.impact && result.impact->toi_lo < until - query.options.tolerance) {
      if (until < 1.0) report_progress(query.options, 1.0);
      break;
    }
  }
  times.write(all.ms() - update_ms, result.stats);
  result.stats.update_ms = update_ms;
  if (result.impact) result.toi = result.impact->toi_lo;
  return result;
}

}  // namespace graze

// See cluster_method.hpp.
//
// First impact: as in query/leaf_continuous.hpp, parts of the step that grow; bounds of a part are those at
// its two ends.
#include "methods/cluster/cluster_method.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "methods/cluster/cluster_pairs.hpp"
#include "methods/cluster/cluster_traversal.hpp"
#include "query/candidate_stream.hpp"
#include "query/step_prefix.hpp"

namespace graze::methods {

namespace {

/// Some pairs of nodes of the front.
struct Block {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint64_t pairs = 1;  ///< blocks weigh the same
};

std::vector<Block> blocks_of(const ClusterTraversal& walk) {
  constexpr std::size_t kBlocks = 512;           ///< at least, where the front has as many
  constexpr std::size_t kMaxPairsPerBlock = 64;  ///< pairs of the front in one
  const std::size_t count = walk.front().size();
  const std::size_t some = std::clamp<std::size_t>(count / kBlocks, 1, kMaxPairsPerBlock);
  std::vector<Block> blocks;
  for (std::size_t begin = 0; begin < count; begin += some)
    blocks.push_back({begin, std::min(begin + some, count)});
  return blocks;
}

/// Waves are as long as many threads need, or as short as the cache of one likes: answers, their order and counters
/// are those of blocks.
WaveSizes wave_sizes(unsigned threads) {
  return threads == 1 ? WaveSizes{.first = 16, .last = 32} : WaveSizes{.first = 64, .last = 512};
}

/// How close features are candidates.
struct Gap {
  double reported = 0.0;  ///< see reported_gap()
  double room = 0.0;      ///< for roundings of positions: see shorten()
};

/// Tests the candidates of a part of a step: sink(part, impacts), a span, then merge(part, share) in block order.
template <typename Found, typename Sink, typename Merge>
void test_candidates(const DetectorQuery& query, const ClusterMesh& mesh, const Gap& gap,
                     const ImpactBatch::Step& step, Stats& stats, const Sink& sink, const Merge& merge) {
  DuplicateTestCheck duplicate_check(true);
  const PairRules rules{.gap = mesh.frame().length_up(gap.reported + gap.room),
                        .touching = query.options.thickness == 0.0,
                        .blur = mesh.frame().length_up(gap.room)};
  const ClusterTraversal walk(mesh.tree(), rules.gap);
  stats.bv_tests += walk.front_tests();
  const std::vector<Block> blocks = blocks_of(walk);
  const bool all = query.filter.tests_all();
  using Result = BlockResult<Found>;
  run_in_waves<Result>(
      query.options, std::span<const Block>(blocks),
      [&](const Block& block, Result& part) {
        const auto found = [&](std::span<const Impact> some) { sink(part, some); };
        CandidateStream stream(step, duplicate_check, part, found);
        PairBuffer buffer;
        const auto drain = [&] {
          for (const auto& v : buffer.vertex_faces) {
            stream.push(FeatureKind::VertexFace, v, all || query.filter.tests(v[0], v[1]));
          }
          for (const auto& v : buffer.edge_edges) {
            stream.push(FeatureKind::EdgeEdge, v, all || query.filter.tests(v[0], v[2]));
          }
          buffer.vertex_faces.clear();
          buffer.edge_edges.clear();
        };
        for (std::size_t i = block.begin; i < block.end; ++i) {
          part.stats.bv_tests += walk.run(walk.front()[i], [&](std::span<const ClusterPair> pairs) {
            collect_pairs(
                mesh.clusters(), pairs, rules, buffer, part.stats.cluster,
                [](void* context) { (*static_cast<decltype(drain)*>(context))(); },
                const_cast<void*>(static_cast<const void*>(&drain)));
          });
        }
        stream.finish();
      },
      merge, [] {}, wave_sizes(query.options.threads));
}

std::size_t planned_bytes(const DetectorQuery& query, std::size_t beside) {
  return beside + ClusterMesh::planned_bytes(query.scene.vertex_count(), query.scene.triangle_count());
}

/// Those of impacts of which all vertices stand still.
void keep_static(const ClusterMesh& mesh, std::span<const Impact> some, std::vector<Impact>& kept) {
  if (!mesh.has_static_vertices()) return;
  std::copy_if(some.begin(), some.end(), std::back_inserter(kept),
               [&](const Impact& impact) { return mesh.is_static_pair(impact.pair); });
}

void count_clusters(const ClusterMesh& mesh, Stats& stats) {
  stats.cluster.clusters = mesh.clusters().size();
  stats.cluster.kept = mesh.kept_cluster_count();
}

}  // namespace

Stats cluster_impacts(const DetectorQuery& query, ClusterMesh& mesh, std::size_t beside, std::span<const Vec3> x_t0,
                      std::span<const Vec3> x_t1, MemoryBudget& budget, const FoundImpacts& found) {
  Stats stats;
  const Stopwatch update;
  const std::size_t planned = planned_bytes(query, beside);
  budget.charge(planned);
  mesh.begin_step(x_t0, x_t1);
  mesh.bound_step(x_t0, x_t1);
  const ImpactBatch::Step step{.paths = mesh.paths(), .options = query.elementary(), .sifted = true};
  const double gap = reported_gap(step.options, x_t0, x_t1);
  count_clusters(mesh, stats);
  stats.memory_bytes = beside + mesh.memory_bytes();
  budget.charge_rest(planned, stats.memory_bytes);
  stats.update_ms = update.ms();

  const Stopwatch loop;
  StageTimes times;
  std::vector<Impact> still = mesh.kept_impacts();
  stats.cluster.kept_contacts = still.size();
  if (!still.empty()) {
    budget.charge(still.size() * sizeof(Impact));
    found(still, 1.0);
  }
  std::vector<Impact> to_keep;
  using Found = std::vector<Impact>;
  test_candidates<Found>(
      query, mesh, {.reported = gap}, step, stats,
      [&](BlockResult<Found>& part, std::span<const Impact> some) { keep_impacts(part.found, some, budget); },
      [&](BlockResult<Found>& part, double share) {
        add_counters(stats, part.stats);
        times.add(part);
        if (part.found.empty()) return;
        const std::size_t before = to_keep.size();
        keep_static(mesh, part.found, to_keep);
        budget.charge((to_keep.size() - before) * sizeof(Impact));
        found(part.found, share);
      });
  mesh.keep(std::move(to_keep));
  times.write(loop.ms(), stats);
  return stats;
}

FirstImpact cluster_first_impact(const DetectorQuery& query, ClusterMesh& mesh, std::size_t beside,
                                 std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  FirstImpact result;
  MemoryBudget budget(query.options.memory_cap);
  const std::size_t planned = planned_bytes(query, beside) + x_t0.size() * sizeof(Vec3);
  budget.charge(planned);
  const Stopwatch all;
  StageTimes times;
  mesh.begin_step(x_t0, x_t1);
  const ImpactBatch::Step step{.paths = mesh.paths(), .options = query.elementary(), .sifted = true};
  const double gap = reported_gap(step.options, x_t0, x_t1);
  count_clusters(mesh, result.stats);
  result.stats.memory_bytes = beside + mesh.memory_bytes() + x_t0.size() * sizeof(Vec3);
  budget.charge_rest(planned, result.stats.memory_bytes);
  keep_earliest(result.impact, mesh.kept_impacts());
  double update_ms = all.ms();
  std::vector<Vec3> x_until;
  // Contacts of what stands still are kept for the next query, if there is memory for all.
  std::vector<Impact> to_keep;
  std::atomic<bool> keeps = mesh.has_static_vertices();
  struct Found {
    std::optional<Impact> earliest;
    std::vector<Impact> still;
  };
  // The first part is one in which vertices hardly move against their neighbours; each next one is much longer.
  constexpr double kFirstDisplacement = 1.0 / 64.0;
  constexpr double kShortest = 0x1p-12;
  constexpr double kLonger = 32.0;
  const double way = mesh.mean_displacement(x_t0);
  double until = 1.0;
  while (until > kShortest && until * way > kFirstDisplacement) until *= 0.5;
  for (double begin = 0.0;; begin = until, until = std::min(1.0, kLonger * until)) {
    const DetectorOptions options = stage_options(query.options, begin, until);
    const DetectorQuery part_query{query.scene, query.filter, options};
    const Stopwatch update;
    double room = 0.0;
    if (until < 1.0) {
      room = truncate_step(x_t0, x_t1, until, x_until);
      mesh.bound_part(x_t0, x_until);
    } else {
      mesh.bound_step(x_t0, x_t1);
    }
    update_ms += update.ms();
    test_candidates<Found>(
        part_query, mesh, {.reported = gap, .room = room}, step, result.stats,
        [&](BlockResult<Found>& part, std::span<const Impact> some) {
          keep_earliest(part.found.earliest, some);
          if (begin > 0.0 || !keeps) return;
          const std::size_t before = part.found.still.size();
          keep_static(mesh, some, part.found.still);
          constexpr std::size_t kLists = 3;  // that they are in at a time, at most
          if (!budget.try_charge((part.found.still.size() - before) * kLists * sizeof(Impact))) keeps = false;
        },
        [&](BlockResult<Found>& part, double) {
          add_counters(result.stats, part.stats);
          times.add(part);
          if (part.found.earliest) keep_earliest(result.impact, std::span(&*part.found.earliest, 1));
          if (keeps) to_keep.insert(to_keep.end(), part.found.still.begin(), part.found.still.end());
        });
    // What stands still is as close in every part: the first has found all of it.
    if (begin == 0.0 && keeps) mesh.keep(std::exchange(to_keep, {}));
    if (until == 1.0) break;
    if (result.impact && result.impact->toi_lo < until - query.options.tolerance) {
      report_progress(query.options, 1.0);
      break;
    }
  }
  times.write(all.ms() - update_ms, result.stats);
  result.stats.update_ms = update_ms;
  if (result.impact) result.toi = result.impact->toi_lo;
  return result;
}

}  // namespace graze::methods

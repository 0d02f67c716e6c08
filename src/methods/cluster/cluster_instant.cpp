// See cluster_instant.hpp.
#include "methods/cluster/cluster_instant.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <utility>

#include "core/memory_budget.hpp"
#include "core/stopwatch.hpp"
#include "core/tasks.hpp"
#include "geometry/same_bits.hpp"
#include "methods/cluster/cluster_blocks.hpp"
#include "methods/cluster/cluster_edge_faces.hpp"
#include "methods/cluster/cluster_pairs.hpp"
#include "query/instant_loop.hpp"
#include "query/proximity_test.hpp"
#include "query/sort_pairs.hpp"

namespace graze::methods {

namespace {

constexpr std::size_t kGrain = 8192;

/// Candidates at one instant.
class InstantCandidates final : public ClusterBlocks {
 public:
  InstantCandidates(const QueryContext& query, const ClusterMesh& mesh, double gap)
      : ClusterBlocks(query, mesh, gap), rules_{.gap = gap, .touching = gap == 0.0} {}

  void generate(std::size_t /*block*/, CandidateStream& /*stream*/) const override {}

  void generate_proximities(std::size_t block, ProximityStream& stream) const override {
    PairBuffer buffer;
    const auto drain = [&] { push_candidates(buffer, query().filter, stream); };
    for_pairs(block, stream.stats(), [&](std::span<const ClusterPair> pairs) {
      collect_pairs(mesh().clusters(), pairs, rules_, buffer, stream.stats().cluster, drain);
    });
  }

  void generate_edge_faces(std::size_t block, EdgeFaceStream& stream) const override {
    EdgeFaceBuffer buffer;
    const BodyFilter& filter = query().filter;
    const bool all = filter.tests_all();
    const auto drain = [&] {
      if (!all) {
        std::erase_if(buffer.proved, [&](const EdgeFaceVertices& v) { return !filter.tests(v[0], v[2]); });
      }
      stream.charge_proved(buffer.proved.size());
      stream.stats().tiers.filter += buffer.proved.size();
      for (const EdgeFaceVertices& v : buffer.proved) stream.push_charged({v[0], v[1]}, {v[2], v[3], v[4]});
      for (const EdgeFaceVertices& v : buffer.undecided) {
        if (all || filter.tests(v[0], v[2])) stream.push({v[0], v[1]}, {v[2], v[3], v[4]});
      }
      buffer.proved.clear();
      buffer.undecided.clear();
    };
    for_pairs(block, stream.stats(), [&](std::span<const ClusterPair> pairs) {
      collect_edge_faces(mesh().clusters(), pairs, buffer, stream.stats().cluster, drain);
    });
  }

 private:
  PairRules rules_;
};

/// Marks the vertices that are where they were in the last query; empty if there are none.
std::vector<std::uint8_t> unchanged_vertices(std::span<const Vec3> last, std::span<const Vec3> x) {
  if (last.size() != x.size()) return {};
  std::vector<std::uint8_t> same(x.size());
  std::atomic<bool> some = false;
  parallel_for(0, x.size(), kGrain, [&](std::size_t first, std::size_t end) {
    std::uint8_t any = 0;
    for (std::size_t v = first; v < end; ++v) {
      same[v] = same_bits(last[v], x[v]) ? 1 : 0;
      any |= same[v];
    }
    if (any != 0) some.store(true, std::memory_order_relaxed);
  });
  if (!some) same.clear();
  return same;
}

bool all_of(std::span<const std::uint8_t> same, std::span<const VertexId> vertices) {
  return std::all_of(vertices.begin(), vertices.end(), [&](VertexId v) { return same[v] != 0; });
}
bool is_unchanged(std::span<const std::uint8_t> same, const Intersection& found) {
  return all_of(same, found.edge) && all_of(same, found.face);
}
bool is_unchanged(std::span<const std::uint8_t> same, const Proximity& found) {
  return all_of(same, found.pair.vertices);
}

/// Contacts of unchanged vertices that are collected for the next query, while there is memory for them.
template <typename Found>
struct Collected {
  std::span<const std::uint8_t> unchanged;
  MemoryBudget& budget;
  std::vector<Found> found;
  bool complete = true;

  void add(std::span<const Found> some) {
    if (unchanged.empty() || !complete) return;
    const std::size_t before = found.size();
    std::copy_if(some.begin(), some.end(), std::back_inserter(found),
                 [&](const Found& pair) { return is_unchanged(unchanged, pair); });
    complete = budget.try_charge((found.size() - before) * sizeof(Found));
  }
};

/// Finds the pairs within d at x: calls generate(source, block, result) for the blocks, and take(found) for what
/// they find, in block order, and for the kept contacts, which are charged to the budget. Updates `kept` at the
/// end.
template <typename Found, typename Generate, typename Take>
void find(const QueryContext& query, ClusterMesh& mesh, std::size_t other_bytes, KeptContacts<Found>& kept,
          std::span<const Vec3> x, double d, MemoryBudget& budget, Stats& stats, const Generate& generate,
          const Take& take) {
  const Stopwatch update;
  const std::size_t planned =
      other_bytes + ClusterMesh::planned_bytes(query.scene.vertex_count(), query.scene.triangle_count());
  if (!budget.try_charge(planned + kept.memory_bytes())) {
    kept = {};
    budget.charge(planned);
  }
  std::vector<std::uint8_t> unchanged = unchanged_vertices(kept.x, x);
  std::vector<std::uint8_t> known;  // vertices whose contacts with each other are in kept.found
  if (kept.d == d && !kept.unchanged.empty() && !unchanged.empty()) {
    known = unchanged;
    for (std::size_t v = 0; v < known.size(); ++v) known[v] &= kept.unchanged[v];
  }
  mesh.bound_instant(x, known);
  stats.memory_bytes = other_bytes + mesh.memory_bytes();
  budget.charge_rest(planned, stats.memory_bytes);
  stats.cluster.clusters = mesh.clusters().size();
  stats.cluster.kept = mesh.kept_cluster_count();
  stats.update_ms = update.ms();

  const Stopwatch loop;
  auto source = std::make_unique<InstantCandidates>(query, mesh, d);
  stats.bv_tests += source->front_tests();
  SingleSource sources(std::move(source));
  // Kept contacts are in `before` until the query is complete: if it fails for lack of memory, the next one has
  // theirs.
  KeptContacts<Found> before = std::exchange(kept, {});
  Collected<Found> collected{unchanged, budget, {}};
  find_at_instant<Found>(query, sources, stats, generate, [&](std::vector<Found>&& some) {
    collected.add(some);
    take(std::move(some));
  });
  if (!known.empty()) {
    std::vector<Found> again;
    std::copy_if(before.found.begin(), before.found.end(), std::back_inserter(again),
                 [&](const Found& pair) { return is_unchanged(known, pair); });
    stats.cluster.kept_contacts = again.size();
    budget.charge(again.size() * sizeof(Found));
    collected.add(again);
    if (!again.empty()) take(std::move(again));
  }
  const std::size_t bytes = x.size() * (sizeof(Vec3) + 1) + collected.found.size() * sizeof(Found);
  if (collected.complete && budget.try_charge(2 * bytes)) {  // what is kept must leave room for the next answer
    kept.found = std::move(collected.found);
    kept.d = d;
    kept.x = std::move(before.x);  // its memory is there already
    kept.x.resize(x.size());
    parallel_for(0, x.size(), kGrain, [&](std::size_t first, std::size_t end) {
      std::copy(x.begin() + static_cast<std::ptrdiff_t>(first), x.begin() + static_cast<std::ptrdiff_t>(end),
                kept.x.begin() + static_cast<std::ptrdiff_t>(first));
    });
    kept.unchanged = std::move(unchanged);
  }
  stats.narrow_ms = loop.ms();
}

}  // namespace

Intersections ClusterInstant::intersections(const QueryContext& query, ClusterMesh& mesh, std::size_t other_bytes,
                                            std::span<const Vec3> x) {
  Intersections result;
  MemoryBudget budget(query.options.memory_cap);
  std::vector<std::vector<Intersection>> blocks;
  find(
      query, mesh, other_bytes, intersections_, x, 0.0, budget, result.stats,
      [&](const CandidateSource& source, std::size_t block, InstantResult<Intersection>& found) {
        EdgeFaceStream stream{x, budget, found};
        source.generate_edge_faces(block, stream);
      },
      [&](std::vector<Intersection>&& some) { blocks.push_back(std::move(some)); });
  result.edge_face = sorted_intersections(std::move(blocks));
  return result;
}

Stats ClusterInstant::proximities(const QueryContext& query, ClusterMesh& mesh, std::size_t other_bytes,
                                  std::span<const Vec3> x, double d, MemoryBudget& budget, FoundProximities found) {
  Stats stats;
  find(
      query, mesh, other_bytes, proximities_, x, d, budget, stats,
      [&](const CandidateSource& source, std::size_t block, InstantResult<Proximity>& result) {
        ProximityStream stream{x, d, budget, result};
        source.generate_proximities(block, stream);
      },
      found);
  return stats;
}

void ClusterInstant::forget() {
  intersections_ = {};
  proximities_ = {};
}

}  // namespace graze::methods

// Boxes as primitives (AABB pairs, graze/boxes.hpp): candidates from a spatial hash, each decided exactly.
//
// HASH, section 6.1, uses lattices of free-form deformations whose cells' boxes stand for the bodies. Boxes within
// d of each other have gaps of at most d along each axis, so they overlap when both grow by d/2; the hash table
// holds the grown boxes, rounded outward to floats. Groups of voxels generate pairs on any thread and are merged in
// order: the answer and the counters do not depend on the number of threads. Cost: O(boxes + overlapping pairs).
#include <graze/boxes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include <graze/error.hpp>
#include <graze/research.hpp>

#include "api/option_checks.hpp"
#include "core/sort.hpp"
#include "core/tasks.hpp"
#include "geometry/packed_box.hpp"
#include "hash/voxel_pairs.hpp"
#include "hash/voxel_table.hpp"
#include "narrow/box_distance.hpp"
#include "query/candidate_stream.hpp"
#include "query/query.hpp"
#include "query/waves.hpp"
#include "scene/input_checks.hpp"

namespace graze {

using namespace api;
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace hash;
using namespace query;
using namespace methods;

namespace {

constexpr std::size_t kGrain = 4096;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void validate_points(std::span<const Vec3> x, std::string_view name) {
  for (std::size_t v = 0; v < x.size(); ++v) {
    const char axis = axis_not_finite(x[v]);
    if (axis == 0) continue;
    throw InputError(
        fmt::format("{}: vertex {}: {} is {}, not a finite number", name, v, axis, coordinate(x[v], axis)));
  }
}

void validate_boxes(std::span<const Box> boxes) {
  constexpr std::size_t kMaxBoxes = std::numeric_limits<std::uint32_t>::max();
  if (boxes.size() > kMaxBoxes) {
    throw InputError(fmt::format("{} boxes exceed the limit of {}", boxes.size(), kMaxBoxes));
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (const auto& [end, name] : {std::pair(boxes[i].lo, "lo"), std::pair(boxes[i].hi, "hi")}) {
      const char axis = axis_not_finite(end);
      if (axis == 0) continue;
      throw InputError(
          fmt::format("box {}: {}.{} is {}, not a finite number", i, name, axis, coordinate(end, axis)));
    }
    for (const char axis : {'x', 'y', 'z'}) {
      const double lo = coordinate(boxes[i].lo, axis);
      const double hi = coordinate(boxes[i].hi, axis);
      if (lo > hi)
        throw InputError(fmt::format("box {}: lo.{} is {}, above hi.{}, which is {}", i, axis, lo, axis, hi));
    }
  }
}

/// The box grown by `half` on each side, rounded outward to floats. If the gap between two boxes is <= 2 half, then
/// lo - half of one box is <= hi + half of the other in real numbers; rounding is monotone, so the inequality also
/// holds in doubles and floats.
PackedBox grown(const Box& box, double half) {
  PackedBox packed;
  std::size_t k = 0;
  for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    packed.lo[k] = round_down(box.lo.*axis - half);
    packed.minus_hi[k] = -round_up(box.hi.*axis + half);
    ++k;
  }
  return packed;
}

/// Boxes, groups and distance of one call.
struct BoxQuery {
  std::span<const Box> boxes;
  std::span<const std::uint32_t> groups;
  double d;

  [[nodiscard]] bool tests(std::uint32_t a, std::uint32_t b) const {
    return groups.empty() || groups[a] != groups[b];
  }
};

/// Appends the pairs of a chunk that are within the distance.
void test_pairs(const BoxQuery& query, std::span<const LeafPair> chunk, MemoryBudget& budget, Stats& stats,
                std::vector<BoxPair>& found) {
  const std::size_t before = found.size();
  for (const LeafPair& pair : chunk) {
    const auto [a, b] = std::minmax(pair.a, pair.b);
    if (!query.tests(a, b)) continue;
    const std::optional<double> distance =
        narrow::distance_within(query.boxes[a], query.boxes[b], query.d, stats.tiers);
    if (distance) found.push_back({a, b, *distance});
  }
  // Charged three times: found, merged, sorted.
  budget.charge(3 * sizeof(BoxPair) * (found.size() - before));
}

/// The hash table over the boxes of a query; refers to the query.
class BoxTable {
 public:
  BoxTable(const BoxQuery& query, const research::HashOptions& options, MemoryBudget& budget) {
    const std::size_t count = query.boxes.size();
    const std::size_t own = count * (sizeof(PackedBox) + sizeof(std::uint32_t));
    const std::size_t planned = own + VoxelTable::planned_bytes(count, options);
    budget.charge(planned);
    // Rounded up: half of a subnormal distance may not be exact.
    const double half = query.d > 0.0 ? std::nextafter(0.5 * query.d, kInfinity) : 0.0;
    packed_.resize(count);
    parallel_for(0, count, kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) packed_[i] = grown(query.boxes[i], half);
    });
    numbers_.resize(count);
    std::iota(numbers_.begin(), numbers_.end(), 0U);
    table_.update(BoxRow(std::span<const PackedBox>(packed_)), numbers_, options);
    memory_bytes_ = own + table_.memory_bytes();
    budget.charge_rest(planned, memory_bytes_);
  }

  [[nodiscard]] const VoxelTable& table() const { return table_; }
  [[nodiscard]] std::size_t memory_bytes() const { return memory_bytes_; }

 private:
  std::vector<PackedBox> packed_;
  std::vector<std::uint32_t> numbers_;
  VoxelTable table_;
  std::size_t memory_bytes_ = 0;
};

BoxPairs find_pairs(const BoxQuery& query, const DetectorOptions& options) {
  BoxPairs result;
  Stats& stats = result.stats;
  MemoryBudget budget(options.memory_cap);
  const Stopwatch update;
  const BoxTable boxes(query, options.research->hash, budget);
  boxes.table().count(stats.hash);
  stats.memory_bytes = boxes.memory_bytes();
  stats.update_ms = update.ms();

  const Stopwatch loop;
  const VoxelPairs pairs(boxes.table());
  const std::vector<std::uint64_t> weights(
      pairs.group_count(), 1 + stats.hash.voxel_pairs / std::max<std::size_t>(1, pairs.group_count()));
  StageTimes times;
  using Result = BlockResult<std::vector<BoxPair>>;
  run_in_waves<Result>(
      options, weights,
      [&](std::size_t group, Result& part) {
        const Stopwatch all;
        const VoxelPairCounts counts = pairs.run_group(group, [&](std::span<const LeafPair> chunk) {
          const Stopwatch narrow;
          test_pairs(query, chunk, budget, part.stats, part.found);
          part.narrow_ms += narrow.ms();
        });
        part.stats.bv_tests = counts.box_tests;
        part.stats.hash.box_pairs = counts.pairs;
        part.stats.hash.repeated = counts.repeated;
        part.found.shrink_to_fit();
        part.all_ms = all.ms();
      },
      [&](Result& part, double) {
        add_counters(stats, part.stats);
        times.add(part);
        result.pairs.insert(result.pairs.end(), part.found.begin(), part.found.end());
      },
      [] {});
  parallel_sort(result.pairs,
                [](const BoxPair& p, const BoxPair& q) { return std::tie(p.a, p.b) < std::tie(q.a, q.b); });
  times.write(loop.ms(), stats);
  return result;
}

}  // namespace

std::vector<Box> lattice_boxes(std::span<const LatticeCell> cells, std::span<const Vec3> x_t0,
                               std::span<const Vec3> x_t1) {
  if (x_t0.size() != x_t1.size()) {
    throw InputError(fmt::format("x_t0 has {} positions, x_t1 has {}", x_t0.size(), x_t1.size()));
  }
  validate_points(x_t0, "x_t0");
  validate_points(x_t1, "x_t1");
  for (std::size_t c = 0; c < cells.size(); ++c) {
    for (const VertexId v : cells[c]) {
      if (v < x_t0.size()) continue;
      throw InputError(
          fmt::format("cell {}: vertex id {} is out of range, there are {} positions", c, v, x_t0.size()));
    }
  }
  std::vector<Box> boxes(cells.size());
  parallel_for(0, cells.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      Box box{x_t0[cells[c].front()], x_t0[cells[c].front()]};
      for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
        for (const VertexId v : cells[c]) {
          const auto [lo, hi] = std::minmax(x_t0[v].*axis, x_t1[v].*axis);
          box.lo.*axis = std::min(box.lo.*axis, lo);
          box.hi.*axis = std::max(box.hi.*axis, hi);
        }
      }
      boxes[c] = box;
    }
  });
  return boxes;
}

BoxPairs close_boxes(std::span<const Box> boxes, std::span<const std::uint32_t> groups, double d,
                     const BoxOptions& options) {
  const Stopwatch total;
  DetectorOptions query;
  query.method = Method::Hash;
  query.research->hash = options.research->hash;
  query.threads = options.threads;
  query.memory_cap = options.memory_cap;
  query.progress = options.progress;
  validate_options(query);
  validate_distance(d);
  if (!groups.empty() && groups.size() != boxes.size()) {
    throw InputError(fmt::format("groups has {} numbers, there are {} boxes", groups.size(), boxes.size()));
  }
  validate_boxes(boxes);
  BoxPairs result;
  with_threads(options.threads, [&] { result = find_pairs({boxes, groups, d}, query); });
  result.stats.total_ms = total.ms();
  return result;
}

}  // namespace graze

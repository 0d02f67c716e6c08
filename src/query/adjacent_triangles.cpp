// See adjacent_triangles.hpp.
#include "query/adjacent_triangles.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/sort.hpp"
#include "core/tasks.hpp"
#include "narrow/adjacent_triangles.hpp"

namespace graze::query {

namespace {

using Side = SideTable::Side;

void count_tier(bool exact, TierCounts& tiers) {
  ++(exact ? tiers.exact : tiers.filter);
}

bool repeats_vertex(const Triangle& t) {
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

/// Whether two triangles have exactly one vertex id in common.
bool share_one_vertex(const Triangle& a, const Triangle& b) {
  VertexId common = kNoVertex;
  for (const VertexId v : a) {
    if (v == common || !incident(v, b)) continue;
    if (common != kNoVertex) return false;
    common = v;
  }
  return common != kNoVertex;
}

void add_pair(TriangleId a, TriangleId b, TrianglePairPart& part) {
  part.pairs.push_back({std::min(a, b), std::max(a, b)});
}

/// Appends the pairs of two sides of one edge, from v to a.high, if their triangles overlap.
void compare_sides(VertexId v, const Side& a, const Side& b, std::span<const Vec3> x, TrianglePairPart& part) {
  const auto repeats = [&](const Side& side) { return side.opposite == v || side.opposite == side.high; };
  if (repeats(a) || repeats(b)) return;  // one is a segment, and has no more than the edge
  if (a.opposite == b.opposite) {
    if (a.opposite > a.high) add_pair(a.triangle, b.triangle, part);  // each pair at one of its three edges
    return;
  }
  bool exact = false;
  if (narrow::overlap_beyond_edge(x[v], x[a.high], x[a.opposite], x[b.opposite], exact)) {
    add_pair(a.triangle, b.triangle, part);
  }
  count_tier(exact, part.tiers);
}

/// Appends the overlapping pairs of sides of a row.
void compare_row(VertexId v, std::span<const Side> row, std::span<const Vec3> x, TrianglePairPart& part) {
  for (std::size_t i = 0; i + 1 < row.size(); ++i) {
    for (std::size_t j = i + 1; j < row.size() && row[j].high == row[i].high; ++j) {
      compare_sides(v, row[i], row[j], x, part);
    }
  }
}

/// Calls fn(part, i) for all i below count, in parts that are appended.
template <typename Fn>
void for_each_in_parts(std::size_t count, MemoryBudget& budget, std::vector<TrianglePairPart>& parts,
                       const Fn& fn) {
  constexpr std::size_t kPerPart = 4096;
  const std::size_t before = parts.size();
  parts.resize(before + (count + kPerPart - 1) / kPerPart);
  parallel_for(before, parts.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      const std::size_t begin = (p - before) * kPerPart;
      for (std::size_t i = begin; i < std::min(count, begin + kPerPart); ++i) fn(parts[p], i);
      budget.charge(2 * parts[p].pairs.size() * sizeof(TrianglePair));
    }
  });
}

/// A triangle at a vertex.
struct Corner {
  VertexId vertex = 0;
  TriangleId triangle = 0;

  friend auto operator<=>(const Corner&, const Corner&) = default;
};

/// Returns the corners of all triangles at the vertices of triangles that name a vertex twice, sorted, each once.
std::vector<Corner> corners_near_segments(std::span<const Triangle> triangles, std::size_t vertex_count,
                                          MemoryBudget& budget) {
  constexpr std::size_t kGrain = 8192;
  budget.charge(vertex_count);
  std::vector<std::uint8_t> at_segment(vertex_count, 0);
  parallel_for(0, triangles.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      if (triangles[t][0] == kNoVertex || !repeats_vertex(triangles[t])) continue;
      for (const VertexId v : triangles[t]) std::atomic_ref(at_segment[v]).store(1, std::memory_order_relaxed);
    }
  });
  std::vector<std::vector<Corner>> parts((triangles.size() + kGrain - 1) / kGrain);
  parallel_for(0, parts.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      const std::size_t end = std::min(triangles.size(), (p + 1) * kGrain);
      for (std::size_t t = p * kGrain; t < end; ++t) {
        const Face ids = face_of(triangles[t]);
        if (ids[0] == kNoVertex) continue;
        for (std::size_t k = 0; k < 3; ++k) {
          const bool again = k > 0 && ids[k] == ids[k - 1];
          if (!again && at_segment[ids[k]] != 0) parts[p].push_back({ids[k], static_cast<TriangleId>(t)});
        }
      }
      budget.charge(3 * parts[p].size() * sizeof(Corner));  // and a copy, and the work space of the sort
    }
  });
  std::vector<Corner> corners;
  for (const std::vector<Corner>& part : parts) corners.insert(corners.end(), part.begin(), part.end());
  parallel_sort(corners);
  return corners;
}

/// Appends the pair if its triangles have one common vertex, one of them names a vertex twice, and they overlap.
void compare_segments(TriangleId a_id, TriangleId b_id, std::span<const Triangle> triangles,
                      std::span<const Vec3> x, TrianglePairPart& part) {
  const Triangle& a = triangles[a_id];
  const Triangle& b = triangles[b_id];
  if ((!repeats_vertex(a) && !repeats_vertex(b)) || !share_one_vertex(a, b)) return;
  const auto corners = [&](const Triangle& t) { return std::array{x[t[0]], x[t[1]], x[t[2]]}; };
  bool exact = false;
  if (narrow::overlap_beyond_vertex(corners(a), corners(b), exact)) add_pair(a_id, b_id, part);
  count_tier(exact, part.tiers);
}

}  // namespace

void find_overlapping_neighbours(const QueryContext& query, const SideTable& sides, std::span<const Vec3> x,
                                 MemoryBudget& budget, std::vector<TrianglePairPart>& parts) {
  const bool all = query.filter.tests_all();
  for_each_in_parts(x.size(), budget, parts, [&](TrianglePairPart& part, std::size_t i) {
    const auto v = static_cast<VertexId>(i);
    const std::span<const Side> row = sides[v];
    if (row.size() >= 2 && (all || query.filter.tests(v, v))) compare_row(v, row, x, part);
  });
  if (!sides.some_repeat_vertex()) return;
  const std::span<const Triangle> triangles = query.scene.triangles();
  const std::vector<Corner> corners = corners_near_segments(triangles, x.size(), budget);
  for_each_in_parts(corners.size(), budget, parts, [&](TrianglePairPart& part, std::size_t i) {
    const auto [v, a] = corners[i];
    if (!all && !query.filter.tests(v, v)) return;
    for (std::size_t j = i + 1; j < corners.size() && corners[j].vertex == v; ++j) {
      compare_segments(a, corners[j].triangle, triangles, x, part);
    }
  });
}

}  // namespace graze::query

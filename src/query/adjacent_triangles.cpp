// See adjacent_triangles.hpp.
#include "query/adjacent_triangles.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/tasks.hpp"
#include "narrow/adjacent_triangles.hpp"

namespace graze::query {

namespace {

void count_tier(bool exact, TierCounts& tiers) {
  ++(exact ? tiers.exact : tiers.filter);
}

bool repeats_vertex(const Triangle& t) {
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

bool has(const Triangle& t, VertexId v) {
  return t[0] == v || t[1] == v || t[2] == v;
}

/// The different vertex ids that two triangles have in common.
struct CommonVertices {
  std::array<VertexId, 3> ids{};
  std::size_t count = 0;

  CommonVertices(const Triangle& a, const Triangle& b) {
    for (std::size_t k = 0; k < 3; ++k) {
      const bool again = (k > 0 && a[k] == a[0]) || (k > 1 && a[k] == a[1]);
      if (!again && has(b, a[k])) ids[count++] = a[k];
    }
  }
};

/// The corner of a triangle of three different vertices that is neither p nor q.
VertexId opposite(const Triangle& t, VertexId p, VertexId q) {
  return *std::find_if(t.begin(), t.end(), [&](VertexId v) { return v != p && v != q; });
}

bool overlap(const Triangle& a, const Triangle& b, const CommonVertices& common, std::span<const Vec3> x,
             TierCounts& tiers) {
  const bool repeats = repeats_vertex(a) || repeats_vertex(b);
  // A triangle that names a vertex twice is the segment of its two vertices: if both are common, it has no more.
  if (common.count == 3) return true;
  if (common.count == 1) return repeats && overlap_beyond_common_vertex(a, b, x, tiers);
  if (repeats) return false;
  const auto [p, q] = std::array{common.ids[0], common.ids[1]};
  bool exact = false;
  const bool found = narrow::overlap_beyond_edge(x[p], x[q], x[opposite(a, p, q)], x[opposite(b, p, q)], exact);
  count_tier(exact, tiers);
  return found;
}

/// The triangles of each vertex, ascending, each once.
struct VertexStars {
  std::vector<std::uint32_t> begin;
  std::vector<TriangleId> triangles;

  explicit VertexStars(const Scene& scene) : begin(scene.vertex_count() + 1, 0) {
    for_each_corner(scene, [&](VertexId v, TriangleId) { ++begin[v + 1]; });
    for (std::size_t v = 0; v + 1 < begin.size(); ++v) begin[v + 1] += begin[v];
    triangles.resize(begin.back());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for_each_corner(scene, [&](VertexId v, TriangleId t) { triangles[next[v]++] = t; });
  }

  template <typename Take>
  static void for_each_corner(const Scene& scene, const Take& take) {
    const std::span<const Triangle> all = scene.triangles();
    for (TriangleId t = 0; t < all.size(); ++t) {
      const Triangle& ids = all[t];
      if (ids[0] == kNoVertex) continue;
      take(ids[0], t);
      if (ids[1] != ids[0]) take(ids[1], t);
      if (ids[2] != ids[0] && ids[2] != ids[1]) take(ids[2], t);
    }
  }

  [[nodiscard]] std::span<const TriangleId> operator[](VertexId v) const {
    return std::span(triangles).subspan(begin[v], begin[v + 1] - begin[v]);
  }
};

}  // namespace

bool overlap_beyond_common_vertex(const Triangle& a, const Triangle& b, std::span<const Vec3> x,
                                  TierCounts& tiers) {
  const auto corners = [&](const Triangle& t) { return std::array{x[t[0]], x[t[1]], x[t[2]]}; };
  bool exact = false;
  const bool found = narrow::overlap_beyond_vertex(corners(a), corners(b), exact);
  count_tier(exact, tiers);
  return found;
}

void find_overlapping_neighbours(const QueryContext& query, std::span<const Vec3> x, MemoryBudget& budget,
                                 std::vector<TrianglePair>& pairs, TierCounts& tiers) {
  const std::span<const Triangle> triangles = query.scene.triangles();
  budget.charge(2 * x.size() * sizeof(std::uint32_t) + 3 * triangles.size() * sizeof(TriangleId));
  const VertexStars stars(query.scene);
  struct Part {
    std::vector<TrianglePair> pairs;
    TierCounts tiers;
  };
  constexpr std::size_t kVerticesPerPart = 4096;
  std::vector<Part> parts((x.size() + kVerticesPerPart - 1) / kVerticesPerPart);
  parallel_for(0, parts.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      const std::size_t end = std::min(x.size(), (p + 1) * kVerticesPerPart);
      for (std::size_t i = p * kVerticesPerPart; i < end; ++i) {
        const auto v = static_cast<VertexId>(i);
        const std::span<const TriangleId> star = stars[v];
        if (star.size() < 2 || !query.filter.tests(v, v)) continue;
        for (std::size_t j = 0; j + 1 < star.size(); ++j) {
          const Triangle& a = triangles[star[j]];
          for (std::size_t k = j + 1; k < star.size(); ++k) {
            const Triangle& b = triangles[star[k]];
            const CommonVertices common(a, b);
            // Each pair once: at the least of its common vertices.
            if (*std::min_element(common.ids.begin(),
                                  common.ids.begin() + static_cast<std::ptrdiff_t>(common.count)) != v) {
              continue;
            }
            if (overlap(a, b, common, x, parts[p].tiers)) parts[p].pairs.push_back({star[j], star[k]});
          }
        }
      }
    }
  });
  for (const Part& part : parts) {
    budget.charge(2 * part.pairs.size() * sizeof(TrianglePair));
    pairs.insert(pairs.end(), part.pairs.begin(), part.pairs.end());
    tiers += part.tiers;
  }
}

}  // namespace graze::query

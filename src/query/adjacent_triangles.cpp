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

/// The two vertices of a triangle beside a vertex v.
struct OppositeSide {
  VertexId p = 0;
  VertexId q = 0;
  bool repeats = false;  ///< the triangle names a vertex twice

  OppositeSide() = default;
  OppositeSide(const Triangle& t, VertexId v)
      : p(t[0] == v ? t[1] : t[0]), q(t[2] == v ? t[1] : t[2]), repeats(repeats_vertex(t)) {}

  /// False if the two triangles have v alone in common, and are found among the edge-face pairs.
  [[nodiscard]] bool may_overlap(const OppositeSide& other) const {
    return p == other.p || p == other.q || q == other.p || q == other.q || repeats || other.repeats;
  }
};

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

}  // namespace

bool overlap_beyond_common_vertex(const Triangle& a, const Triangle& b, std::span<const Vec3> x,
                                  TierCounts& tiers) {
  const auto corners = [&](const Triangle& t) { return std::array{x[t[0]], x[t[1]], x[t[2]]}; };
  bool exact = false;
  const bool found = narrow::overlap_beyond_vertex(corners(a), corners(b), exact);
  count_tier(exact, tiers);
  return found;
}

void find_overlapping_neighbours(const QueryContext& query, const VertexStars& stars, std::span<const Vec3> x,
                                 MemoryBudget& budget, std::vector<TrianglePair>& pairs, TierCounts& tiers) {
  const std::span<const Triangle> triangles = query.scene.triangles();
  struct Part {
    std::vector<TrianglePair> pairs;
    TierCounts tiers;
  };
  constexpr std::size_t kVerticesPerPart = 4096;
  std::vector<Part> parts((x.size() + kVerticesPerPart - 1) / kVerticesPerPart);
  parallel_for(0, parts.size(), 1, [&](std::size_t first, std::size_t last) {
    std::vector<OppositeSide> sides;
    for (std::size_t p = first; p < last; ++p) {
      const std::size_t end = std::min(x.size(), (p + 1) * kVerticesPerPart);
      for (std::size_t i = p * kVerticesPerPart; i < end; ++i) {
        const auto v = static_cast<VertexId>(i);
        const std::span<const TriangleId> star = stars[v];
        if (star.size() < 2 || !query.filter.tests(v, v)) continue;
        sides.assign(star.size(), {});
        for (std::size_t j = 0; j < star.size(); ++j) sides[j] = OppositeSide(triangles[star[j]], v);
        for (std::size_t j = 0; j + 1 < star.size(); ++j) {
          for (std::size_t k = j + 1; k < star.size(); ++k) {
            if (!sides[j].may_overlap(sides[k])) continue;
            const Triangle& a = triangles[star[j]];
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

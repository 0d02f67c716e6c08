// See query/intersections.hpp.
#include "query/intersections.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "core/tasks.hpp"
#include "mesh/features.hpp"
#include "mesh/vertex_stars.hpp"
#include "narrow/triangle_contact.hpp"
#include "query/adjacent_triangles.hpp"
#include "query/sort_pairs.hpp"

namespace graze::query {

namespace {

/// A vertex with few triangles: the first with at most 16, else the one with the fewest.
VertexId with_few_triangles(const VertexStars& stars, std::span<const VertexId> vertices) {
  constexpr std::size_t kFew = 16;
  for (const VertexId v : vertices) {
    if (stars[v].size() <= kFew) return v;
  }
  return *std::min_element(vertices.begin(), vertices.end(),
                           [&](VertexId a, VertexId b) { return stars[a].size() < stars[b].size(); });
}

bool has_all(const Triangle& t, std::span<const VertexId> vertices) {
  return std::all_of(vertices.begin(), vertices.end(),
                     [&](VertexId v) { return t[0] == v || t[1] == v || t[2] == v; });
}

/// Sets `having` to the triangles that have all vertices of a feature.
void find_triangles_of(std::span<const Triangle> triangles, const VertexStars& stars,
                       std::span<const VertexId> feature, std::vector<TriangleId>& having) {
  having.clear();
  for (const TriangleId t : stars[with_few_triangles(stars, feature)]) {
    if (has_all(triangles[t], feature)) having.push_back(t);
  }
}

/// Appends the pairs of triangles of which one has the edge and the other is the face of a pair in `found`.
/// Triangles with a common vertex are tested if they are asked for; `x` has the positions.
void add_triangle_pairs(std::span<const Triangle> triangles, const VertexStars& stars,
                        std::span<const Intersection> found, std::span<const Vec3> x,
                        const IntersectionOptions& options, MemoryBudget& budget, std::vector<TrianglePair>& pairs,
                        TierCounts& tiers) {
  struct Part {
    std::vector<TrianglePair> pairs;
    TierCounts tiers;
  };
  constexpr std::size_t kPerPart = 4096;
  std::vector<Part> parts((found.size() + kPerPart - 1) / kPerPart);
  parallel_for(0, parts.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      Part& part = parts[p];
      std::vector<TriangleId> of_edge;
      std::vector<TriangleId> of_face;
      Edge before{kNoVertex, kNoVertex};
      for (const auto& [edge, face] :
           found.subspan(p * kPerPart, std::min(kPerPart, found.size() - p * kPerPart))) {
        if (edge != before) find_triangles_of(triangles, stars, edge, of_edge);  // pairs are sorted by edge
        before = edge;
        find_triangles_of(triangles, stars, face, of_face);
        for (const TriangleId a : of_edge) {
          const bool adjacent = share_vertex(triangles[a], face);
          if (adjacent && !options.adjacent) continue;
          for (const TriangleId b : of_face) {
            if (adjacent && !overlap_beyond_common_vertex(triangles[a], triangles[b], x, part.tiers)) continue;
            part.pairs.push_back({std::min(a, b), std::max(a, b)});
          }
        }
      }
      budget.charge(2 * part.pairs.size() * sizeof(TrianglePair));
    }
  });
  for (const Part& part : parts) {
    pairs.insert(pairs.end(), part.pairs.begin(), part.pairs.end());
    tiers += part.tiers;
  }
}

std::vector<TriangleOverlap> overlaps_of(const Scene& scene, std::span<const TrianglePair> pairs,
                                         std::span<const Vec3> x) {
  std::vector<TriangleOverlap> overlaps(pairs.size());
  parallel_for(0, pairs.size(), 256, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const auto corners = [&](TriangleId t) {
        const Triangle& ids = scene.triangles()[t];
        return std::array{x[ids[0]], x[ids[1]], x[ids[2]]};
      };
      bool exact = false;
      const narrow::TriangleContact contact =
          narrow::triangle_contact(corners(pairs[i].a), corners(pairs[i].b), exact);
      overlaps[i] = {contact.shape, contact.p, contact.q};
    }
  });
  return overlaps;
}

}  // namespace

Intersections find_intersections(ContactMethod& method, const QueryContext& query, std::span<const Vec3> x,
                                 const IntersectionOptions& options) {
  Intersections result = method.intersections(query, x);
  const Stopwatch rest;
  MemoryBudget budget(query.options.memory_cap);
  budget.charge(result.stats.memory_bytes + result.edge_face.capacity() * sizeof(Intersection));
  std::vector<TrianglePair>& pairs = result.triangle_pairs;
  if (options.adjacent || !result.edge_face.empty()) {
    const std::span<const Triangle> triangles = query.scene.triangles();
    budget.charge(VertexStars::planned_bytes(x.size(), triangles.size()));
    const VertexStars stars(triangles, x.size());
    add_triangle_pairs(triangles, stars, result.edge_face, x, options, budget, pairs, result.stats.tiers);
    if (options.adjacent) find_overlapping_neighbours(query, stars, x, budget, pairs, result.stats.tiers);
  }
  budget.charge(pairs.size() * kSortBytes<TrianglePair>);
  sort_triangle_pairs(pairs);
  pairs.shrink_to_fit();
  if (options.overlaps) {
    budget.charge(pairs.size() * sizeof(TriangleOverlap));
    result.overlaps = overlaps_of(query.scene, pairs, x);
  }
  result.stats.narrow_ms += rest.ms();
  return result;
}

}  // namespace graze::query

// See query/intersections.hpp.
#include "query/intersections.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "core/tasks.hpp"
#include "mesh/features.hpp"
#include "narrow/adjacent_triangles.hpp"
#include "narrow/triangle_contact.hpp"
#include "query/adjacent_triangles.hpp"
#include "query/sort_pairs.hpp"

namespace graze::query {

namespace {

using Side = SideTable::Side;

/// Makes or charges the table.
const SideTable& side_table(const Scene& scene, MemoryBudget& budget, std::optional<SideTable>& kept) {
  if (kept) {
    budget.charge(kept->memory_bytes());
  } else {
    budget.charge(SideTable::planned_bytes(scene.vertex_count(), scene.triangle_count()));
    kept.emplace(scene.triangles(), scene.vertex_count());
  }
  return *kept;
}

/// Whether the triangle of a side that intersects a face, and the face, which has the triangle's opposite corner,
/// overlap beyond this corner.
bool overlap_beyond_opposite(const Side& side, const Edge& edge, const Face& face, std::span<const Vec3> x,
                             TierCounts& tiers) {
  bool exact = false;
  const bool found = narrow::overlap_beyond_vertex_if_side_does(x[side.opposite], x[edge[0]], x[edge[1]],
                                                                {x[face[0]], x[face[1]], x[face[2]]}, exact);
  ++(exact ? tiers.exact : tiers.filter);
  return found;
}

/// Appends the pairs of triangles of which one has the edge and the other is the face of a pair in `found`.
/// Triangles with a common vertex are tested if they are asked for; `x` has the positions. Charges the pairs twice,
/// for a copy of them.
void find_triangle_pairs(const SideTable& sides, std::span<const Intersection> found, std::span<const Vec3> x,
                         const IntersectionOptions& options, MemoryBudget& budget,
                         std::vector<TrianglePairPart>& parts) {
  constexpr std::size_t kPerPart = 4096;
  constexpr std::size_t kAhead = 8;  // rows of faces are fetched before they are needed
  parts.resize((found.size() + kPerPart - 1) / kPerPart);
  parallel_for(0, parts.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      TrianglePairPart& part = parts[p];
      std::span<const Side> of_edge;
      Edge before{kNoVertex, kNoVertex};
      const std::size_t end = std::min(found.size(), (p + 1) * kPerPart);
      for (std::size_t i = p * kPerPart; i < end; ++i) {
        if (i + 2 * kAhead < end) sides.prefetch_begin(found[i + 2 * kAhead].face[0]);
        if (i + kAhead < end) sides.prefetch_row(found[i + kAhead].face[0]);
        const auto& [edge, face] = found[i];
        if (edge[0] != before[0] || edge[1] != before[1])
          of_edge = sides.of_edge(edge);  // pairs are sorted by edge
        before = edge;
        const std::span<const Side> of_face = sides.of_face(face);
        for (const Side& a : of_edge) {
          // The edge and the face have no common vertex.
          if (incident(a.opposite, face) &&
              !(options.adjacent && overlap_beyond_opposite(a, edge, face, x, part.tiers))) {
            continue;
          }
          for (const Side& b : of_face) {
            part.pairs.push_back({std::min(a.triangle, b.triangle), std::max(a.triangle, b.triangle)});
          }
        }
      }
      budget.charge(2 * part.pairs.size() * sizeof(TrianglePair));
    }
  });
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
                                 const IntersectionOptions& options, std::optional<SideTable>& kept) {
  Intersections result = method.intersections(query, x);
  const Stopwatch rest;
  MemoryBudget budget(query.options.memory_cap);
  budget.charge(result.stats.memory_bytes + result.edge_face.capacity() * sizeof(Intersection));
  if (options.adjacent || !result.edge_face.empty()) {
    const SideTable& sides = side_table(query.scene, budget, kept);
    result.stats.memory_bytes += sides.memory_bytes();
    std::vector<TrianglePairPart> parts;
    find_triangle_pairs(sides, result.edge_face, x, options, budget, parts);
    if (options.adjacent) find_overlapping_neighbours(query, sides, x, budget, parts);
    std::vector<std::vector<TrianglePair>> blocks;
    std::size_t count = 0;
    for (TrianglePairPart& part : parts) {
      result.stats.tiers += part.tiers;
      count += part.pairs.size();
      blocks.push_back(std::move(part.pairs));
    }
    budget.charge(count * kSortBytes<TrianglePair>);
    result.triangle_pairs = sorted_triangle_pairs(std::move(blocks));
  }
  if (options.overlaps) {
    budget.charge(result.triangle_pairs.size() * sizeof(TriangleOverlap));
    result.overlaps = overlaps_of(query.scene, result.triangle_pairs, x);
  }
  result.stats.narrow_ms += rest.ms();
  return result;
}

}  // namespace graze::query

// SIMD overlap tests of feature bounds (box_pairs.hpp). Highway compiles this file once per instruction set and
// selects the best at run time.
#include "cull/box_pairs.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cull/box_pairs.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::cull {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE bool separated(const PackedBox& a, const PackedBox& b) {
#if HWY_TARGET == HWY_SCALAR
  return !a.overlaps(b);
#else
  const hn::FixedTag<float, 4> d;
  const auto lo_a = hn::Load(d, a.lo.data());
  const auto lo_b = hn::Load(d, b.lo.data());
  const auto hi_a = hn::Neg(hn::Load(d, a.minus_hi.data()));
  const auto hi_b = hn::Neg(hn::Load(d, b.minus_hi.data()));
  const auto lanes = hn::And(hn::FirstN(d, 3), hn::Or(hn::Gt(lo_a, hi_b), hn::Gt(lo_b, hi_a)));
  return !hn::AllFalse(d, lanes);
#endif
}

/// Prefetch distance, in pairs.
constexpr std::size_t kAhead = 8;

// Whether a pair is kept is unpredictable. So every pair is written, and only kept pairs advance the count.

/// write(count, place, a, b) stores the canonically ordered pair at index `count`, the next free one.
template <typename Write>
HWY_INLINE std::size_t keep_edges_with(std::span<const PackedBox> edges, std::span<const IndexPair> pairs,
                                       const Write& write) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i + kAhead < pairs.size()) {
      hwy::Prefetch(&edges[pairs[i + kAhead].a]);
      hwy::Prefetch(&edges[pairs[i + kAhead].b]);
    }
    // Canonical order by vertices: the first vertices of edges that share no vertex differ.
    const bool in_order = edges[pairs[i].a].first < edges[pairs[i].b].first;
    const PackedBox& a = edges[in_order ? pairs[i].a : pairs[i].b];
    const PackedBox& b = edges[in_order ? pairs[i].b : pairs[i].a];
    write(count, i, a, b);
    const bool neighbours = incident(Edge{a.first, a.second}, Edge{b.first, b.second});
    count += static_cast<std::size_t>(!separated(a, b)) & static_cast<std::size_t>(!neighbours);
  }
  return count;
}

std::size_t keep_edges(std::span<const PackedBox> edges, std::span<const IndexPair> pairs, PairVertices* kept) {
  return keep_edges_with(edges, pairs,
                         [&](std::size_t count, std::size_t /*place*/, const PackedBox& a, const PackedBox& b) {
                           kept[count] = {a.first, a.second, b.first, b.second};
                         });
}

std::size_t keep_edges_and_places(std::span<const PackedBox> edges, std::span<const IndexPair> pairs,
                                  PairVertices* kept, std::uint16_t* places) {
  return keep_edges_with(edges, pairs,
                         [&](std::size_t count, std::size_t place, const PackedBox& a, const PackedBox& b) {
                           kept[count] = {a.first, a.second, b.first, b.second};
                           places[count] = static_cast<std::uint16_t>(place);
                         });
}

/// write(count, place) stores the pair at index `count`, the next free one.
template <typename Write>
HWY_INLINE std::size_t keep_vertex_faces_with(std::span<const PackedBox> vertices, std::span<const Leaf> leaves,
                                              std::span<const IndexPair> pairs, const Write& write) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i + kAhead < pairs.size()) hwy::Prefetch(&vertices[pairs[i + kAhead].a]);
    const Leaf& leaf = leaves[pairs[i].b];
    write(count, i);
    const bool corner = incident(pairs[i].a, leaf.vertices);
    count +=
        static_cast<std::size_t>(!separated(vertices[pairs[i].a], leaf.box)) & static_cast<std::size_t>(!corner);
  }
  return count;
}

std::size_t keep_vertex_faces(std::span<const PackedBox> vertices, std::span<const Leaf> leaves,
                              std::span<const IndexPair> pairs, IndexPair* kept) {
  return keep_vertex_faces_with(vertices, leaves, pairs,
                                [&](std::size_t count, std::size_t place) { kept[count] = pairs[place]; });
}

std::size_t keep_vertex_faces_and_places(std::span<const PackedBox> vertices, std::span<const Leaf> leaves,
                                         std::span<const IndexPair> pairs, PairVertices* kept,
                                         std::uint16_t* places) {
  return keep_vertex_faces_with(vertices, leaves, pairs, [&](std::size_t count, std::size_t place) {
    const auto& face = leaves[pairs[place].b].vertices;
    kept[count] = {pairs[place].a, face[0], face[1], face[2]};
    places[count] = static_cast<std::uint16_t>(place);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::cull
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::cull {

HWY_EXPORT(keep_edges);
HWY_EXPORT(keep_vertex_faces);
HWY_EXPORT(keep_edges_and_places);
HWY_EXPORT(keep_vertex_faces_and_places);

std::size_t overlapping_edges(std::span<const PackedBox> edges, std::span<const IndexPair> pairs,
                              PairVertices* kept) {
  return HWY_DYNAMIC_DISPATCH(keep_edges)(edges, pairs, kept);
}

std::size_t overlapping_vertex_faces(std::span<const PackedBox> vertices, std::span<const Leaf> leaves,
                                     std::span<const IndexPair> pairs, IndexPair* kept) {
  return HWY_DYNAMIC_DISPATCH(keep_vertex_faces)(vertices, leaves, pairs, kept);
}

std::size_t overlapping_edges(std::span<const PackedBox> edges, std::span<const IndexPair> pairs,
                              PairVertices* kept, std::uint16_t* places) {
  return HWY_DYNAMIC_DISPATCH(keep_edges_and_places)(edges, pairs, kept, places);
}

std::size_t overlapping_vertex_faces(std::span<const PackedBox> vertices, std::span<const Leaf> leaves,
                                     std::span<const IndexPair> pairs, PairVertices* kept, std::uint16_t* places) {
  return HWY_DYNAMIC_DISPATCH(keep_vertex_faces_and_places)(vertices, leaves, pairs, kept, places);
}

}  // namespace graze::cull
#endif

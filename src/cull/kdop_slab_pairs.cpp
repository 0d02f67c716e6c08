// SIMD overlap tests of k-DOP slabs (cull/kdop_slab_pairs.hpp), compiled by Highway once per instruction set.
#include "cull/kdop_slab_pairs.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cull/kdop_slab_pairs.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::cull {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Prefetch distance, in pairs.
constexpr std::size_t kAhead = 8;

/// Some lanes of a k-DOP: lower ends and negated upper ends of its slabs.
template <class D>
struct Part {
  hn::Vec<D> lo;
  hn::Vec<D> minus_hi;
};

template <class D, std::size_t K>
HWY_INLINE Part<D> load(D d, const KdopSlabs<K>& slabs, std::size_t lane) {
  return {hn::LoadU(d, slabs.lo.data() + lane), hn::LoadU(d, slabs.minus_hi.data() + lane)};
}
template <class D, std::size_t K>
HWY_INLINE Part<D> load_union(D d, const KdopSlabs<K>& a, const KdopSlabs<K>& b, std::size_t lane) {
  const Part<D> one = load(d, a, lane);
  const Part<D> other = load(d, b, lane);
  return {hn::Min(one.lo, other.lo), hn::Min(one.minus_hi, other.minus_hi)};
}
/// Returns the mask of lanes that separate a and b.
template <class D>
HWY_INLINE hn::Mask<D> separated(D, const Part<D>& a, const Part<D>& b) {
  return hn::Or(hn::Gt(a.lo, hn::Neg(b.minus_hi)), hn::Gt(b.lo, hn::Neg(a.minus_hi)));
}

/// Returns whether no lane separates a pair. Calls parts(d, lane), which returns the mask of separating lanes, for
/// vectors that together cover all lanes.
template <std::size_t kLanes, class Parts>
HWY_INLINE bool overlap(const Parts& parts) {
  const hn::CappedTag<float, 8> eight;
  const hn::CappedTag<float, 4> four;
  const std::size_t step = hn::Lanes(eight);
  std::size_t lane = 0;
  auto some = parts(eight, 0);
  for (lane = step; lane + step <= kLanes; lane += step) some = hn::Or(some, parts(eight, lane));
  bool all = hn::AllFalse(eight, some);
  for (; lane < kLanes; lane += hn::Lanes(four)) all = all && hn::AllFalse(four, parts(four, lane));
  return all;
}

template <std::size_t K>
HWY_INLINE void prefetch(const KdopSlabs<K>& slabs) {
  hwy::Prefetch(&slabs);
  hwy::Prefetch(reinterpret_cast<const char*>(&slabs) + sizeof(slabs) - 1);
}

/// Keeps the pairs whose slabs overlap. Pair has two indices: `a` into of_a, `b` into of_b.
template <std::size_t K, typename Pair>
HWY_INLINE std::size_t keep_pairs(const KdopSlabs<K>* of_a, const KdopSlabs<K>* of_b, std::span<Pair> pairs) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Pair pair = pairs[i];
    if (i + kAhead < pairs.size()) {
      prefetch(of_a[pairs[i + kAhead].a]);
      prefetch(of_b[pairs[i + kAhead].b]);
    }
    const KdopSlabs<K>& a = of_a[pair.a];
    const KdopSlabs<K>& b = of_b[pair.b];
    pairs[count] = pair;
    count += static_cast<std::size_t>(overlap<KdopSlabs<K>::kLanes>(
        [&](auto d, std::size_t lane) HWY_ATTR { return separated(d, load(d, a, lane), load(d, b, lane)); }));
  }
  return count;
}

template <std::size_t K>
HWY_INLINE std::size_t keep_edges(const KdopSlabs<K>* vertices, std::span<PairVertices> pairs) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const PairVertices pair = pairs[i];
    if (i + kAhead < pairs.size()) {
      for (const VertexId v : pairs[i + kAhead]) prefetch(vertices[v]);
    }
    pairs[count] = pair;
    count += static_cast<std::size_t>(overlap<KdopSlabs<K>::kLanes>([&](auto d, std::size_t lane) HWY_ATTR {
      return separated(d, load_union(d, vertices[pair[0]], vertices[pair[1]], lane),
                       load_union(d, vertices[pair[2]], vertices[pair[3]], lane));
    }));
  }
  return count;
}

std::size_t leaves_6(const KdopSlabs<6>* leaves, std::span<LeafPair> pairs) {
  return keep_pairs(leaves, leaves, pairs);
}
std::size_t leaves_10(const KdopSlabs<10>* leaves, std::span<LeafPair> pairs) {
  return keep_pairs(leaves, leaves, pairs);
}
std::size_t vertex_faces_6(const KdopSlabs<6>* vertices, const KdopSlabs<6>* leaves, std::span<IndexPair> pairs) {
  return keep_pairs(vertices, leaves, pairs);
}
std::size_t vertex_faces_10(const KdopSlabs<10>* vertices, const KdopSlabs<10>* leaves,
                            std::span<IndexPair> pairs) {
  return keep_pairs(vertices, leaves, pairs);
}
std::size_t edges_6(const KdopSlabs<6>* vertices, std::span<PairVertices> pairs) {
  return keep_edges(vertices, pairs);
}
std::size_t edges_10(const KdopSlabs<10>* vertices, std::span<PairVertices> pairs) {
  return keep_edges(vertices, pairs);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::cull
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::cull {

HWY_EXPORT(leaves_6);
HWY_EXPORT(leaves_10);
HWY_EXPORT(vertex_faces_6);
HWY_EXPORT(vertex_faces_10);
HWY_EXPORT(edges_6);
HWY_EXPORT(edges_10);

template <>
std::size_t keep_overlapping_leaves(std::span<const KdopSlabs<6>> leaves, std::span<LeafPair> pairs) {
  return HWY_DYNAMIC_DISPATCH(leaves_6)(leaves.data(), pairs);
}
template <>
std::size_t keep_overlapping_leaves(std::span<const KdopSlabs<10>> leaves, std::span<LeafPair> pairs) {
  return HWY_DYNAMIC_DISPATCH(leaves_10)(leaves.data(), pairs);
}
template <>
std::size_t keep_overlapping_vertex_faces(std::span<const KdopSlabs<6>> vertices,
                                          std::span<const KdopSlabs<6>> leaves, std::span<IndexPair> pairs) {
  return HWY_DYNAMIC_DISPATCH(vertex_faces_6)(vertices.data(), leaves.data(), pairs);
}
template <>
std::size_t keep_overlapping_vertex_faces(std::span<const KdopSlabs<10>> vertices,
                                          std::span<const KdopSlabs<10>> leaves, std::span<IndexPair> pairs) {
  return HWY_DYNAMIC_DISPATCH(vertex_faces_10)(vertices.data(), leaves.data(), pairs);
}
template <>
std::size_t keep_overlapping_edges(std::span<const KdopSlabs<6>> vertices, std::span<PairVertices> pairs) {
  return HWY_DYNAMIC_DISPATCH(edges_6)(vertices.data(), pairs);
}
template <>
std::size_t keep_overlapping_edges(std::span<const KdopSlabs<10>> vertices, std::span<PairVertices> pairs) {
  return HWY_DYNAMIC_DISPATCH(edges_10)(vertices.data(), pairs);
}

}  // namespace graze::cull
#endif

// Edge-face pairs of cluster pairs (cluster_edge_faces.hpp). Highway compiles this file once per instruction set
// and selects the best at run time. float_proof_kernel.inl.hpp has the arithmetic and its error bounds.
#include "methods/cluster/cluster_edge_faces.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/simd/inline_lambda.hpp"
#include "methods/cluster/cluster_bounds.hpp"
#include "methods/cluster/cluster_table.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/cluster/cluster_edge_faces.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::methods {
namespace HWY_NAMESPACE {

#include "methods/cluster/lookup.inl.hpp"

#include "methods/cluster/float_proof.inl.hpp"

#include "methods/cluster/self_proof.inl.hpp"

#include "methods/cluster/feature_lists.inl.hpp"

constexpr int kEdgeBits = 10;  // of a pair's word: five for each of its vertices, those of the edge lowest

/// Packs the vertex indices of features, five bits each instead of a byte.
template <int kCorners>
HWY_INLINE void pack(const Features& features, Features& packed) {
  const WordTag u;
  const auto field = hn::Set(u, 31U);
  for (std::size_t at = 0; at < features.count; at += hn::Lanes(u)) {
    const Words words = hn::Load(u, &features.words[at]);
    Words out = hn::Or(hn::And(words, field), hn::ShiftLeft<5>(hn::And(hn::ShiftRight<8>(words), field)));
    if (kCorners == 3) out = hn::Or(out, hn::ShiftLeft<10>(hn::And(hn::ShiftRight<16>(words), field)));
    hn::Store(out, u, &packed.words[at]);
  }
  packed.count = features.count;
}

/// Returns the index of the corner-th vertex of each pair, lane by lane.
HWY_INLINE Ints packed_corner(Words words, int corner) {
  return hn::BitCast(IntTag(), hn::And(hn::ShiftRightSame(words, 5 * corner), hn::Set(WordTag(), 31U)));
}

/// Gathers a point per lane.
HWY_INLINE Point<Floats> point_of(const Cluster& cluster, Ints places) {
  Point<Floats> p;
  for (std::size_t k = 0; k < 3; ++k) p.x[k] = look_up(cluster.x[k].data(), places);
  return p;
}

/// Gathers the five points of each pair.
HWY_INLINE EdgeFacePoints<Floats> points_of_pairs(const Cluster& a, const Cluster& b, Words words) {
  return {point_of(a, packed_corner(words, 0)),
          point_of(a, packed_corner(words, 1)),
          {point_of(b, packed_corner(words, 2)), point_of(b, packed_corner(words, 3)),
           point_of(b, packed_corner(words, 4))}};
}

struct Work {
  SelectedFeatures a;
  SelectedFeatures b;
  Features edges;  // packed
  Features faces;  // packed
  Bounds bounds_a;
  Bounds bounds_b;
  alignas(64) PairWords words;
  alignas(64) PairWords proved;
  Cluster changed;  // a cluster in another one's local frame
};

/// Splits the pairs into those that are proved to intersect, in `proved`, and those that are undecided, in place;
/// drops the others. Returns the numbers of both.
struct Decided {
  std::size_t proved = 0;
  std::size_t undecided = 0;
};
HWY_INLINE Decided decide(const Cluster& a, const Cluster& b, std::uint32_t* words, std::size_t count,
                          std::uint32_t* proved) {
  const WordTag u;
  const std::size_t lanes = hn::Lanes(u);
  const Floats delta = hn::Set(FloatTag(), 0.5F * (a.error + b.error));
  count = keep_words(words, count, [&](Words some) GRAZE_INLINE_LAMBDA {
    const auto edge_id = [&](int corner)
                             GRAZE_INLINE_LAMBDA { return look_up(a.ids.data(), packed_corner(some, corner)); };
    const Ints p = edge_id(0);
    const Ints q = edge_id(1);
    auto out = hn::Ne(p, p);
    for (int corner = 2; corner < 5; ++corner) {
      const Ints v = look_up(b.ids.data(), packed_corner(some, corner));
      out = hn::Or(out, hn::Or(hn::Eq(v, p), hn::Eq(v, q)));
    }
    return hn::RebindMask(u, out);
  });
  count = keep_words(words, count, [&](Words some) GRAZE_INLINE_LAMBDA {
    return hn::RebindMask(u, edge_beside_plane<FloatMask>(points_of_pairs(a, b, some), delta));
  });
  Decided decided;
  for (std::size_t at = 0; at < count; at += lanes) {
    const Words some = hn::LoadU(u, words + at);
    const EdgeFaceProof<FloatMask> proof = prove_edge_face<FloatMask>(points_of_pairs(a, b, some), delta);
    auto hit = hn::RebindMask(u, proof.intersect);
    auto keep = hn::Not(hn::Or(hit, hn::RebindMask(u, proof.apart)));
    if (at + lanes > count) {
      keep = hn::And(keep, hn::FirstN(u, count - at));
      hit = hn::And(hit, hn::FirstN(u, count - at));
    }
    hn::StoreU(hn::Compress(some, hit), u, proved + decided.proved);
    decided.proved += hn::CountTrue(u, hit);
    hn::StoreU(hn::Compress(some, keep), u, words + decided.undecided);
    decided.undecided += hn::CountTrue(u, keep);
  }
  return decided;
}

/// Appends the pairs in `words`, unless all of a pair's vertices are kept: such pairs are cached.
HWY_INLINE void append(const Cluster& a, const Cluster& b, const std::uint32_t* words, std::size_t count,
                       std::vector<EdgeFaceVertices>& list) {
  for (std::size_t i = 0; i < count; ++i) {
    std::array<std::uint32_t, 5> places;
    for (std::size_t k = 0; k < 5; ++k) places[k] = words[i] >> (5U * k) & 31U;
    std::uint32_t kept = 1;
    for (std::size_t k = 0; k < 5; ++k) kept &= (k < 2 ? a : b).kept >> places[k];
    if ((kept & 1U) != 0) continue;
    list.push_back({a.ids[places[0]], a.ids[places[1]], b.ids[places[2]], b.ids[places[3]], b.ids[places[4]]});
  }
}

/// Appends the pairs of edges of a and faces of b.
HWY_INLINE void edge_faces(const Cluster& a, const Cluster& b, const Features& edges, const Features& faces,
                           Work& work, EdgeFaceBuffer& buffer, ClusterCounts& counts) {
  if (edges.count == 0 || faces.count == 0) return;
  bound<2, 1, true>(a, edges, a.error + b.error, work.bounds_a);
  bound<3, 1, true>(b, faces, 0.0F, work.bounds_b);
  pack<2>(edges, work.edges);
  pack<3>(faces, work.faces);
  const std::size_t count =
      find_overlaps<false, kEdgeBits, 1>(work.edges, work.bounds_a, work.faces, work.bounds_b, work.words.data());
  counts.feature_tests += edges.count * faces.count;
  counts.feature_pairs += count;
  const Decided decided = decide(a, b, work.words.data(), count, work.proved.data());
  append(a, b, work.proved.data(), decided.proved, buffer.proved);
  append(a, b, work.words.data(), decided.undecided, buffer.undecided);
}

void collect_intersections(const Cluster* clusters, std::span<const ClusterPair> pairs, EdgeFaceBuffer& buffer,
                           ClusterCounts& counts, FunctionRef<void()> full) {
  constexpr std::size_t kMaxBufferedPairs = 4096;
  Work work;
  for (const ClusterPair& pair : pairs) {
    const auto [a, b] = in_one_frame(clusters[pair.a], clusters[pair.b], work.changed);
    if (pair.a == pair.b) {
      if (proved_free_of_self_collision(a, 0.0F)) continue;
      choose_all(a.edges.data(), a.edge_count, work.a.edges);
      choose_all(a.faces.data(), a.face_count, work.a.faces);
      edge_faces(a, a, work.a.edges, work.a.faces, work, buffer, counts);
    } else {
      if (separated_by_slabs<true>(a, b, 0.0F)) continue;
      choose_near<true>(a, b, 0.0F, work.a);
      if (work.a.faces.count == 0) continue;
      choose_near<true>(b, a, 0.0F, work.b);
      if (work.b.faces.count == 0) continue;
      edge_faces(a, b, work.a.edges, work.b.faces, work, buffer, counts);
      edge_faces(b, a, work.b.edges, work.a.faces, work, buffer, counts);
    }
    ++counts.pairs;
    if (buffer.proved.size() + buffer.undecided.size() >= kMaxBufferedPairs) full();
  }
  full();
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::methods
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::methods {

HWY_EXPORT(collect_intersections);

void collect_edge_faces(std::span<const Cluster> clusters, std::span<const ClusterPair> pairs,
                        EdgeFaceBuffer& buffer, ClusterCounts& counts, FunctionRef<void()> full) {
  HWY_DYNAMIC_DISPATCH(collect_intersections)(clusters.data(), pairs, buffer, counts, full);
}

}  // namespace graze::methods
#endif

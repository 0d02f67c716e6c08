// Candidate feature pairs of cluster pairs (cluster_pairs.hpp). Highway compiles this file once per instruction set
// and selects the best at run time.
//
// Error bounds: methods/cluster/feature_lists.inl.hpp, float_proof_kernel.inl.hpp and self_proof.inl.hpp.
#include "methods/cluster/cluster_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "methods/cluster/cluster_bounds.hpp"
#include "methods/cluster/cluster_table.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/cluster/cluster_pairs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::methods {
namespace HWY_NAMESPACE {

#include "methods/cluster/lookup.inl.hpp"

#include "methods/cluster/float_proof.inl.hpp"

#include "methods/cluster/self_proof.inl.hpp"

#include "methods/cluster/feature_lists.inl.hpp"

/// PairRules in a local frame, lengths rounded up.
struct FrameRules {
  float gap = 0.0F;
  bool touching = true;
  float position_error = 0.0F;

  FrameRules(const PairRules& rules, const ClusterLocalFrame& frame)
      : gap(frame.length_up(rules.gap)),
        touching(rules.touching),
        position_error(frame.length_up(rules.position_error)) {}
};

/// Drops pairs that are incident, never coplanar or never within the gap of it, or separated by k-DOP slabs; in
/// place. Returns the number of pairs left.
template <bool kVertexFace>
HWY_INLINE std::size_t prove(const Cluster& a, const Cluster& b, const FrameRules& rules, std::uint32_t* words,
                             std::size_t count) {
  const WordTag u;
  constexpr int kFirst = kVertexFace ? 1 : 2;  // number of vertices of the first feature
  const float error = a.error + b.error;
  const float room = 3.0F * error + 1.75F * rules.gap;
  count = keep_words(words, count, [&](Words some) HWY_ATTR {
    const auto id = [&](int point)
                        HWY_ATTR { return look_up((point < kFirst ? a : b).ids.data(), corner_of(some, point)); };
    auto out = hn::Or(hn::Eq(id(0), id(2)), hn::Eq(id(0), id(3)));
    out = kVertexFace ? hn::Or(out, hn::Eq(id(0), id(1)))
                      : hn::Or(out, hn::Or(hn::Eq(id(1), id(2)), hn::Eq(id(1), id(3))));
    return hn::RebindMask(u, out);
  });
  const Floats delta = hn::Set(FloatTag(), 0.5F * error + rules.position_error);
  const Floats gap = hn::Set(FloatTag(), rules.gap);
  count = keep_words(words, count, [&](Words some) HWY_ATTR {
    const Points<Floats> p = points_of<kVertexFace>(a, b, some);
    return hn::RebindMask(u, rules.touching ? never_coplanar_in_floats<FloatMask>(p, delta)
                                            : beyond_gap_along_normal<kVertexFace, FloatMask>(p, delta, gap));
  });
  return keep_words(words, count, [&](Words some) HWY_ATTR {
    return hn::RebindMask(
        u, separated_by_slabs<kFirst, FloatMask>(points_of<kVertexFace>(a, b, some), hn::Set(FloatTag(), room)));
  });
}

/// Returns the indices of a pair's four vertices.
HWY_INLINE std::array<std::uint32_t, 4> places_of(std::uint32_t word) {
  return {word & 31U, word >> 8U & 31U, word >> 16U & 31U, word >> 24U};
}

/// Returns whether all four vertices are kept. The first kFirst belong to cluster a. Contacts of such pairs are
/// cached (cluster_mesh.hpp).
template <std::size_t kFirst>
HWY_INLINE bool all_kept(const Cluster& a, const Cluster& b, const std::array<std::uint32_t, 4>& places) {
  std::uint32_t kept = 1;
  for (std::size_t i = 0; i < 4; ++i) kept &= (i < kFirst ? a : b).kept >> places[i];
  return (kept & 1U) != 0;
}

struct Work {
  SelectedFeatures a;
  SelectedFeatures b;
  Bounds bounds_a;
  Bounds bounds_b;
  alignas(64) PairWords words;
  Cluster changed;  // a cluster in another one's local frame
};

/// Appends the candidate edge-edge pairs of a and b to the buffer.
template <bool kSelf, std::size_t kEnds>
HWY_INLINE void edge_edges(const Cluster& a, const Cluster& b, const Features& ea, const Features& eb,
                           const FrameRules& rules, Work& work, PairBuffer& buffer, ClusterCounts& counts) {
  if (ea.count == 0 || eb.count == 0) return;
  // In a self-test both edges of a pair are enlarged, each by half of the room.
  const float room = (kSelf ? 0.5F : 1.0F) * (a.error + b.error + rules.gap);
  bound<2, kEnds>(a, ea, room, work.bounds_a);
  if (!kSelf) bound<2, kEnds>(b, eb, 0.0F, work.bounds_b);
  const Features& second = kSelf ? ea : eb;
  const Bounds& bounds = kSelf ? work.bounds_a : work.bounds_b;
  std::size_t count = find_overlaps<kSelf, 16, kEnds>(ea, work.bounds_a, second, bounds, work.words.data());
  counts.feature_tests += kSelf ? ea.count * (ea.count - 1) / 2 : ea.count * eb.count;
  counts.feature_pairs += count;
  count = prove<false>(a, b, rules, work.words.data(), count);
  const bool some_kept = a.kept != 0 && b.kept != 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto p = places_of(work.words[i]);
    if (some_kept && all_kept<2>(a, b, p)) continue;
    if (a.ids[p[0]] < b.ids[p[2]]) {
      buffer.edge_edges.push_back({a.ids[p[0]], a.ids[p[1]], b.ids[p[2]], b.ids[p[3]]});
    } else {
      buffer.edge_edges.push_back({b.ids[p[2]], b.ids[p[3]], a.ids[p[0]], a.ids[p[1]]});
    }
  }
}

/// Appends the candidate vertex-face pairs of vertices of a and faces of b to the buffer.
template <std::size_t kEnds>
HWY_INLINE void vertex_faces(const Cluster& a, const Cluster& b, const Features& va, const Features& fb,
                             const FrameRules& rules, Work& work, PairBuffer& buffer, ClusterCounts& counts) {
  if (va.count == 0 || fb.count == 0) return;
  bound<1, kEnds>(a, va, a.error + b.error + rules.gap, work.bounds_a);
  bound<3, kEnds>(b, fb, 0.0F, work.bounds_b);
  std::size_t count = find_overlaps<false, 8, kEnds>(va, work.bounds_a, fb, work.bounds_b, work.words.data());
  counts.feature_tests += va.count * fb.count;
  counts.feature_pairs += count;
  count = prove<true>(a, b, rules, work.words.data(), count);
  const bool some_kept = a.kept != 0 && b.kept != 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto p = places_of(work.words[i]);
    if (some_kept && all_kept<1>(a, b, p)) continue;
    buffer.vertex_faces.push_back({a.ids[p[0]], b.ids[p[1]], b.ids[p[2]], b.ids[p[3]]});
  }
}

/// Estimates the cost of find_overlaps() for rows against a list: half a comparison per row, and one per block of
/// the list. The estimate does not depend on the instruction set, so neither does the order of pairs.
HWY_INLINE std::size_t row_work(std::size_t rows, std::size_t list) {
  return rows * (1 + 2 * ((list + kBlock - 1) / kBlock));
}

/// Collects the candidates of two clusters, or of one with itself.
template <std::size_t kEnds>
HWY_INLINE void collect_pair(const Cluster& a, const Cluster& b, const FrameRules& rules, Work& work,
                             PairBuffer& buffer, ClusterCounts& counts) {
  if (&a == &b) {
    choose_all(kPlaces.data(), a.owned_vertices, work.a.vertices);
    choose_all(a.edges.data(), a.edge_count, work.a.edges);
    choose_all(a.faces.data(), a.face_count, work.a.faces);
    vertex_faces<kEnds>(a, a, work.a.vertices, work.a.faces, rules, work, buffer, counts);
    edge_edges<true, kEnds>(a, a, work.a.edges, work.a.edges, rules, work, buffer, counts);
    return;
  }
  vertex_faces<kEnds>(a, b, work.a.vertices, work.b.faces, rules, work, buffer, counts);
  vertex_faces<kEnds>(b, a, work.b.vertices, work.a.faces, rules, work, buffer, counts);
  if (row_work(work.a.edges.count, work.b.edges.count) <= row_work(work.b.edges.count, work.a.edges.count)) {
    edge_edges<false, kEnds>(a, b, work.a.edges, work.b.edges, rules, work, buffer, counts);
  } else {
    edge_edges<false, kEnds>(b, a, work.b.edges, work.a.edges, rules, work, buffer, counts);
  }
}

void collect(const Cluster* clusters, std::span<const ClusterPair> pairs, const PairRules& rules,
             PairBuffer& buffer, ClusterCounts& counts, FunctionRef<void()> full) {
  constexpr std::size_t kMaxBufferedPairs = 4096;
  Work work;
  FrameRules in_frame(rules, ClusterLocalFrame());
  double scale = 1.0;  // of in_frame
  for (const ClusterPair& pair : pairs) {
    const auto [a, b] = in_one_frame(clusters[pair.a], clusters[pair.b], work.changed);
    if (a.frame.scale != scale) {
      in_frame = FrameRules(rules, a.frame);
      scale = a.frame.scale;
    }
    if (pair.a == pair.b) {
      if (rules.touching && proved_free_of_self_collision(a, in_frame.position_error)) continue;
    } else {
      if (separated_by_slabs<false>(a, b, in_frame.gap)) continue;
      choose_near<false>(a, b, in_frame.gap, work.a);
      if (work.a.faces.count == 0) continue;
      choose_near<false>(b, a, in_frame.gap, work.b);
      if (work.b.faces.count == 0) continue;
    }
    if (a.slow != 0 && b.slow != 0) {
      collect_pair<1>(a, b, in_frame, work, buffer, counts);
    } else {
      collect_pair<2>(a, b, in_frame, work, buffer, counts);
    }
    ++counts.pairs;
    if (buffer.vertex_faces.size() + buffer.edge_edges.size() >= kMaxBufferedPairs) full();
  }
  full();
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::methods
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::methods {

HWY_EXPORT(collect);

void collect_pairs(std::span<const Cluster> clusters, std::span<const ClusterPair> pairs, const PairRules& rules,
                   PairBuffer& buffer, ClusterCounts& counts, FunctionRef<void()> full) {
  HWY_DYNAMIC_DISPATCH(collect)(clusters.data(), pairs, rules, buffer, counts, full);
}

}  // namespace graze::methods
#endif

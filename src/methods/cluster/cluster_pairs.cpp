// Candidate feature pairs of cluster pairs (cluster_pairs.hpp). Highway compiles this file once per instruction set
// and selects the best at run time.
//
// Error bounds: methods/cluster/feature_lists.inl.hpp, float_proof_kernel.inl.hpp and self_proof.inl.hpp.
//
// Positions at t0 in place of a prefix of the step. A coordinate changes by at most D = `displacement` in the step,
// its errors at both ends included, and in a prefix, the share s of the step, by at most s D. A point moves by at
// most sqrt(3) s D, and along x +- y +- z by 3 s D. So what is farther apart at t0 than the gap and sqrt(3) s (D_a
// + D_b) along an axis or a unit vector, or than 1.75 times that along a diagonal direction, stays farther apart
// than the gap. The difference of two points, of one cluster or of two, changes by at most 2 s max(D_a, D_b) per
// coordinate: if F at t0 is not 0 for any differences within that of the computed ones, it never is in the prefix.
#include "methods/cluster/cluster_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/simd/inline_lambda.hpp"
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
  float change = 0.0F;  ///< bound on the change of a difference of two points, in the prefix; 0 for the whole step

  FrameRules(const PairRules& rules, const ClusterLocalFrame& frame)
      : gap(frame.length_up(rules.gap)),
        touching(rules.touching),
        position_error(frame.length_up(rules.position_error)) {}

  /// The rules for positions at t0 that hold for the share `prefix` of the step: see the head. The constants have a
  /// margin for the rounding of the sums, and so has length_up().
  [[nodiscard]] FrameRules at_t0(const Cluster& a, const Cluster& b, float prefix) const {
    FrameRules rules = *this;
    rules.gap += 1.7325F * prefix * (a.displacement + b.displacement);
    rules.change = 2.001F * prefix * std::max(a.displacement, b.displacement);
    return rules;
  }
};

/// How the features of two clusters are bounded: at both ends of the step; over the whole step, which is as good
/// where clusters are slow; or at its beginning, with a gap for the displacements of a short prefix.
enum class PairMotion : std::uint8_t { Fast, Slow, Still };

constexpr std::size_t ends_of(PairMotion motion) {
  return motion == PairMotion::Fast ? 2 : 1;
}

/// The ids of the four vertices of pairs, one pair per lane.
template <class V>
struct PairIds {
  V at[4];
};

template <bool kVertexFace>
HWY_INLINE PairIds<Ints> ids_of(const Cluster& a, const Cluster& b, Words words) {
  PairIds<Ints> ids;
  for (int point = 0; point < 4; ++point) {
    const Cluster& cluster = point < (kVertexFace ? 1 : 2) ? a : b;
    ids.at[point] = look_up(cluster.ids.data(), corner_of(words, point));
  }
  return ids;
}

/// Drops pairs that are incident, never coplanar or never within the gap of it, or separated by k-DOP slabs; in
/// place. Returns the number of pairs left.
template <bool kVertexFace, PairMotion kMotion>
HWY_INLINE std::size_t prove(const Cluster& a, const Cluster& b, const FrameRules& rules, std::uint32_t* words,
                             std::size_t count) {
  const WordTag u;
  constexpr int kFirst = kVertexFace ? 1 : 2;  // number of vertices of the first feature
  const float error = a.error + b.error;
  const float room = 3.0F * error + 1.75F * rules.gap;
  if (a.may_share_vertices(b)) {
    count = keep_words(words, count, [&](Words some) GRAZE_INLINE_LAMBDA {
      const PairIds<Ints> ids = ids_of<kVertexFace>(a, b, some);
      auto out = hn::Or(hn::Eq(ids.at[0], ids.at[2]), hn::Eq(ids.at[0], ids.at[3]));
      out = kVertexFace ? hn::Or(out, hn::Eq(ids.at[0], ids.at[1]))
                        : hn::Or(out, hn::Or(hn::Eq(ids.at[1], ids.at[2]), hn::Eq(ids.at[1], ids.at[3])));
      return hn::RebindMask(u, out);
    });
  }
  const Floats delta = hn::Set(FloatTag(), 0.5F * error + rules.position_error);
  if constexpr (kMotion == PairMotion::Still) {
    if (rules.touching) {  // cheaper than the proof for the whole step, which decides about the rest
      const Floats at_t0 = hn::Add(delta, hn::Set(FloatTag(), rules.change));
      count = keep_words(words, count, [&](Words some) GRAZE_INLINE_LAMBDA {
        Point<Floats> p[4];
        points_at_t0<kVertexFace>(a, b, some, p);
        return hn::RebindMask(u, not_coplanar_in_floats<FloatMask>(p, at_t0));
      });
    }
  }
  const Floats gap = hn::Set(FloatTag(), rules.gap);
  count = keep_words(words, count, [&](Words some) GRAZE_INLINE_LAMBDA {
    const Points<Floats> p = points_of<kVertexFace>(a, b, some);
    return hn::RebindMask(u, rules.touching ? never_coplanar_in_floats<FloatMask>(p, delta)
                                            : beyond_gap_along_normal<kVertexFace, FloatMask>(p, delta, gap));
  });
  return keep_words(words, count, [&](Words some) GRAZE_INLINE_LAMBDA {
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

/// Appends pairs by their vertex ids in canonical order, except those whose contacts are cached; changes the words.
/// Precondition: words may be read to the end of their last vector.
template <bool kVertexFace>
HWY_INLINE void append(const Cluster& a, const Cluster& b, std::uint32_t* words, std::size_t count,
                       PairBuffer::List& list) {
  if (a.kept != 0 && b.kept != 0) {
    std::size_t left = 0;
    for (std::size_t i = 0; i < count; ++i) {
      words[left] = words[i];
      left += all_kept < kVertexFace ? 1 : 2 > (a, b, places_of(words[i])) ? 0U : 1U;
    }
    count = left;
  }
  const WordTag u;
  const std::size_t lanes = hn::Lanes(u);
  const std::size_t begin = list.size();
  list.resize(begin + (count + lanes - 1) / lanes * lanes);
  for (std::size_t at = 0; at < count; at += lanes) {
    const PairIds<Ints> ids = ids_of<kVertexFace>(a, b, hn::LoadU(u, words + at));
    PairIds<Words> out;
    for (int point = 0; point < 4; ++point) out.at[point] = hn::BitCast(u, ids.at[point]);
    if (!kVertexFace) {
      const auto b_first = hn::Lt(out.at[2], out.at[0]);
      const PairIds<Words> raw = out;
      for (int point = 0; point < 4; ++point) {
        out.at[point] = hn::IfThenElse(b_first, raw.at[(point + 2) % 4], raw.at[point]);
      }
    }
    hn::StoreInterleaved4(out.at[0], out.at[1], out.at[2], out.at[3], u, list[begin + at].data());
  }
  list.resize(begin + count);
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
template <bool kSelf, PairMotion kMotion>
HWY_INLINE void edge_edges(const Cluster& a, const Cluster& b, const Features& ea, const Features& eb,
                           const FrameRules& rules, Work& work, PairBuffer& buffer, ClusterCounts& counts) {
  if (ea.count == 0 || eb.count == 0) return;
  // In a self-test both edges of a pair are enlarged, each by half of the room.
  const float room = (kSelf ? 0.5F : 1.0F) * (a.error + b.error + rules.gap);
  constexpr std::size_t kEnds = ends_of(kMotion);
  constexpr bool kInstant = kMotion == PairMotion::Still;
  bound<2, kEnds, kInstant>(a, ea, room, work.bounds_a);
  if (!kSelf) bound<2, kEnds, kInstant>(b, eb, 0.0F, work.bounds_b);
  const Features& second = kSelf ? ea : eb;
  const Bounds& bounds = kSelf ? work.bounds_a : work.bounds_b;
  std::size_t count = find_overlaps<kSelf, 16, kEnds>(ea, work.bounds_a, second, bounds, work.words.data());
  counts.feature_tests += kSelf ? ea.count * (ea.count - 1) / 2 : ea.count * eb.count;
  counts.feature_pairs += count;
  count = prove<false, kMotion>(a, b, rules, work.words.data(), count);
  append<false>(a, b, work.words.data(), count, buffer.edge_edges);
}

/// Appends the candidate vertex-face pairs of vertices of a and faces of b to the buffer.
template <PairMotion kMotion>
HWY_INLINE void vertex_faces(const Cluster& a, const Cluster& b, const Features& va, const Features& fb,
                             const FrameRules& rules, Work& work, PairBuffer& buffer, ClusterCounts& counts) {
  if (va.count == 0 || fb.count == 0) return;
  constexpr std::size_t kEnds = ends_of(kMotion);
  constexpr bool kInstant = kMotion == PairMotion::Still;
  bound<1, kEnds, kInstant>(a, va, a.error + b.error + rules.gap, work.bounds_a);
  bound<3, kEnds, kInstant>(b, fb, 0.0F, work.bounds_b);
  std::size_t count = find_overlaps<false, 8, kEnds>(va, work.bounds_a, fb, work.bounds_b, work.words.data());
  counts.feature_tests += va.count * fb.count;
  counts.feature_pairs += count;
  count = prove<true, kMotion>(a, b, rules, work.words.data(), count);
  append<true>(a, b, work.words.data(), count, buffer.vertex_faces);
}

/// Estimates the cost of find_overlaps() for rows against a list: half a comparison per row, and one per block of
/// the list. The estimate does not depend on the instruction set, so neither does the order of pairs.
HWY_INLINE std::size_t row_work(std::size_t rows, std::size_t list) {
  return rows * (1 + 2 * ((list + kBlock - 1) / kBlock));
}

/// Collects the candidates of two clusters, or of one with itself. Returns false if bounds of the clusters separate
/// them.
template <PairMotion kMotion>
HWY_INLINE bool collect_pair(const Cluster& a, const Cluster& b, const FrameRules& rules, Work& work,
                             PairBuffer& buffer, ClusterCounts& counts) {
  if (&a == &b) {
    choose_all(kPlaces.data(), a.owned_vertices, work.a.vertices);
    choose_all(a.edges.data(), a.edge_count, work.a.edges);
    choose_all(a.faces.data(), a.face_count, work.a.faces);
  } else {
    constexpr bool kInstant = kMotion == PairMotion::Still;
    if (separated_by_slabs<kInstant>(a, b, rules.gap)) return false;
    choose_near<kInstant, true>(a, b, rules.gap, work.a);
    if (work.a.faces.count == 0) return false;
    choose_near<kInstant, true>(b, a, rules.gap, work.b);
    if (work.b.faces.count == 0) return false;
  }
  const Cluster* p = &a;
  const Cluster* q = &b;
  const SelectedFeatures* of_p = &work.a;
  const SelectedFeatures* of_q = p == q ? &work.a : &work.b;
  const auto swap_sides = [&] {
    std::swap(p, q);
    std::swap(of_p, of_q);
  };
  // One call in a loop, because all of it is inlined.
  for (std::size_t side = 0; side < (&a == &b ? 1U : 2U); ++side) {
    vertex_faces<kMotion>(*p, *q, of_p->vertices, of_q->faces, rules, work, buffer, counts);
    swap_sides();
  }
  if (&a == &b) {
    edge_edges<true, kMotion>(a, a, work.a.edges, work.a.edges, rules, work, buffer, counts);
    return true;
  }
  const std::size_t count_p = of_p->edges.count;
  const std::size_t count_q = of_q->edges.count;
  if (row_work(count_q, count_p) < row_work(count_p, count_q)) swap_sides();
  edge_edges<false, kMotion>(*p, *q, of_p->edges, of_q->edges, rules, work, buffer, counts);
  return true;
}

void collect(const Cluster* clusters, std::span<const ClusterPair> pairs, const PairRules& rules,
             PairBuffer& buffer, ClusterCounts& counts, FunctionRef<void()> full) {
  constexpr std::size_t kMaxBufferedPairs = 4096;
  Work work;
  const float prefix = std::min(1.0F, 1.000001F * static_cast<float>(rules.prefix) + 0x1p-100F);  // rounded up
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
    }
    bool near = true;
    if (prefix <= std::min(a.still_prefix, b.still_prefix)) {
      near = collect_pair<PairMotion::Still>(a, b, in_frame.at_t0(a, b, prefix), work, buffer, counts);
    } else if (a.slow != 0 && b.slow != 0) {
      near = collect_pair<PairMotion::Slow>(a, b, in_frame, work, buffer, counts);
    } else {
      near = collect_pair<PairMotion::Fast>(a, b, in_frame, work, buffer, counts);
    }
    if (!near) continue;
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

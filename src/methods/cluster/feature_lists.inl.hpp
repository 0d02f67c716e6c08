// Lists of the features of two clusters that may touch, and the pairs of them whose bounds overlap, in SIMD lanes.
// Included by sources that Highway compiles once per instruction set, inside their namespace HWY_NAMESPACE, after
// lookup.inl.hpp; therefore no include guard and no namespace here.
//
// Error bound. A coordinate of a cluster is wrong by at most a quarter of its error. Two features are compared by
//   fl(lo - room) > hi   with room >= both errors and the gap:
// the subtraction rounds by 2^-24 of a coordinate, a quarter of an error, so half of the room remains as margin.
// Comparisons with a box, which already includes its own cluster's error, have the same margin. The comparison
// itself, by the sign of a difference, is exact.

/// Feature list of a cluster, one packed word each. Padded by one block so that a full vector can be loaded at the
/// end.
struct Features {
  alignas(64) std::array<std::uint32_t, kClusterEdges + kBlock> words;
  std::size_t count = 0;
};

/// Bounds of listed features, by row as in LinearBox.
struct Bounds {
  alignas(64) std::array<std::array<float, kClusterEdges + kBlock>, 6> lo;
  alignas(64) std::array<std::array<float, kClusterEdges + kBlock>, 6> hi;
};

/// Outcode of each vertex against the other cluster's box and slab: bit k is set if the vertex is beyond side k at
/// both t0 and t1.
struct Outcodes {
  alignas(64) std::array<std::uint32_t, kClusterVertices> bits;
};

/// Computes the outcodes of a cluster's vertices: bits 0 to 5 for the sides of the other cluster's box, 6 and 7 for
/// its slab. With kInstant, both ends of the step are the same.
template <bool kInstant>
HWY_INLINE void outcodes_of(const Cluster& cluster, const Cluster& other, float gap, Outcodes& sides) {
  const LinearBox& box = other.box;
  const float room = cluster.error + gap;
  const float slab_room = kSlabErrors * cluster.error + 1.01F * gap;
  const FloatTag d;
  const WordTag u;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t at = 0; at < kClusterVertices; at += lanes) {
    auto code = hn::Zero(u);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto x0 = hn::Load(d, &cluster.x[k][at]);
      auto above = hn::Gt(x0, hn::Set(d, box.hi[k] + room));
      auto below = hn::Lt(x0, hn::Set(d, box.lo[k] - room));
      if constexpr (!kInstant) {
        const auto x1 = hn::Load(d, &cluster.x[3 + k][at]);
        above = hn::And(above, hn::Gt(x1, hn::Set(d, box.hi[3 + k] + room)));
        below = hn::And(below, hn::Lt(x1, hn::Set(d, box.lo[3 + k] - room)));
      }
      code = hn::Or(code, hn::IfThenElseZero(hn::RebindMask(u, above), hn::Set(u, 1U << (2 * k))));
      code = hn::Or(code, hn::IfThenElseZero(hn::RebindMask(u, below), hn::Set(u, 2U << (2 * k))));
    }
    const Floats along0 = along(d, other.normal, cluster, 0, at);
    auto over = hn::Gt(along0, hn::Set(d, other.slab_hi[0] + slab_room));
    auto under = hn::Lt(along0, hn::Set(d, other.slab_lo[0] - slab_room));
    if constexpr (!kInstant) {
      const Floats along1 = along(d, other.normal, cluster, 3, at);
      over = hn::And(over, hn::Gt(along1, hn::Set(d, other.slab_hi[1] + slab_room)));
      under = hn::And(under, hn::Lt(along1, hn::Set(d, other.slab_lo[1] - slab_room)));
    }
    code = hn::Or(code, hn::IfThenElseZero(hn::RebindMask(u, over), hn::Set(u, 64U)));
    code = hn::Or(code, hn::IfThenElseZero(hn::RebindMask(u, under), hn::Set(u, 128U)));
    hn::Store(code, u, &sides.bits[at]);
  }
}

/// Keeps the features whose vertices share no outcode bit: the others lie beyond one side for the whole step.
/// Precondition: words may be read to the end of their last vector.
template <int kCorners>
HWY_INLINE void choose(const Outcodes& sides, const std::uint32_t* words, std::size_t count, Features& chosen) {
  const WordTag u;
  const IntTag i;
  const std::size_t lanes = hn::Lanes(u);
  std::size_t kept = 0;
  for (std::size_t at = 0; at < count; at += lanes) {
    const auto some = hn::Load(u, words + at);
    Ints common = look_up(sides.bits.data(), corner_of(some, 0));
    for (int corner = 1; corner < kCorners; ++corner) {
      common = hn::And(common, look_up(sides.bits.data(), corner_of(some, corner)));
    }
    auto keep = hn::RebindMask(u, hn::Eq(common, hn::Zero(i)));
    if (at + lanes > count) keep = hn::And(keep, hn::FirstN(u, count - at));
    hn::StoreU(hn::Compress(some, keep), u, &chosen.words[kept]);
    kept += hn::CountTrue(u, keep);
  }
  chosen.count = kept;
}

/// Keeps all features.
HWY_INLINE void choose_all(const std::uint32_t* words, std::size_t count, Features& chosen) {
  std::copy(words, words + count, chosen.words.begin());
  std::fill(chosen.words.begin() + static_cast<std::ptrdiff_t>(count),
            chosen.words.begin() + static_cast<std::ptrdiff_t>(count + kBlock), 0U);
  chosen.count = count;
}

/// Features of a cluster selected for a pair: those near the other cluster, or all. Queries at one instant have no
/// use for vertices.
struct SelectedFeatures {
  Features vertices;
  Features edges;
  Features faces;
};

/// A vertex as a feature word: its own index.
alignas(64) constexpr std::array<std::uint32_t, kClusterVertices> kPlaces = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

/// Selects the features near another cluster, without kVertices only edges and faces. With kInstant, both ends of
/// the step are the same.
template <bool kInstant, bool kVertices = !kInstant>
HWY_INLINE void choose_near(const Cluster& cluster, const Cluster& other, float gap, SelectedFeatures& chosen) {
  Outcodes sides;
  outcodes_of<kInstant>(cluster, other, gap, sides);
  if (kVertices) choose<1>(sides, kPlaces.data(), cluster.owned_vertices, chosen.vertices);
  choose<2>(sides, cluster.edges.data(), cluster.edge_count, chosen.edges);
  choose<3>(sides, cluster.faces.data(), cluster.face_count, chosen.faces);
}

/// Returns whether k-DOP slabs separate two clusters, in the same order at both ends of the step. The room is 1.75
/// times the gap because the diagonal directions have lengths of up to sqrt(3). With kInstant, both ends are the
/// same.
template <bool kInstant>
HWY_INLINE bool separated_by_slabs(const Cluster& a, const Cluster& b, float gap) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  const auto room = hn::Set(d, 1.75F * gap);
  Floats apart = hn::Zero(d);
  for (std::size_t at = 0; at < SlabBox::kLanes; at += lanes) {
    const auto overlap_of = [&](const Cluster& high, const Cluster& low, std::size_t end) GRAZE_INLINE_LAMBDA {
      return hn::Sub(hn::Load(d, &high.slabs.hi[end][at]), hn::Sub(hn::Load(d, &low.slabs.lo[end][at]), room));
    };
    if constexpr (kInstant) {
      apart = hn::Or(apart, hn::Or(overlap_of(b, a, 0), overlap_of(a, b, 0)));
    } else {
      apart = hn::OrAnd(apart, overlap_of(b, a, 0), overlap_of(b, a, 1));
      apart = hn::OrAnd(apart, overlap_of(a, b, 0), overlap_of(a, b, 1));
    }
  }
  return !hn::AllFalse(d, by_sign(apart));
}

/// Computes bounds of features, enlarged by `room`: at both ends of the step (kEnds = 2), or swept over the whole
/// step (kEnds = 1; with kInstant, both ends are the same). Lanes past the last feature are separated from
/// everything.
template <int kCorners, std::size_t kEnds, bool kInstant = false>
HWY_INLINE void bound(const Cluster& cluster, const Features& features, float room, Bounds& bounds) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  const auto more = hn::Set(d, room);
  const auto far = hn::Set(d, 0x1p100F);
  for (std::size_t at = 0; at < features.count; at += lanes) {
    const Words words = hn::Load(WordTag(), &features.words[at]);
    const FloatMask there = hn::FirstN(d, std::min(lanes, features.count - at));
    for (std::size_t k = 0; k < 3 * kEnds; ++k) {
      const float* const row = cluster.x[k].data();
      Floats lo = look_up(row, corner_of(words, 0));
      Floats hi = lo;
      const auto include = [&](Floats x) GRAZE_INLINE_LAMBDA {
        lo = hn::Min(lo, x);
        hi = hn::Max(hi, x);
      };
      for (int corner = 1; corner < kCorners; ++corner) include(look_up(row, corner_of(words, corner)));
      if (kEnds == 1 && !kInstant) {
        const float* const end = cluster.x[3 + k].data();
        for (int corner = 0; corner < kCorners; ++corner) include(look_up(end, corner_of(words, corner)));
      }
      hn::Store(hn::IfThenElse(there, hn::Sub(lo, more), far), d, &bounds.lo[k][at]);
      hn::Store(hn::IfThenElse(there, hn::Add(hi, more), hn::Neg(far)), d, &bounds.hi[k][at]);
    }
  }
}

/// Pairs of features as words: vertex indices of the first feature in the low bytes.
using PairWords = std::array<std::uint32_t, kClusterEdges * kClusterEdges + kBlock>;

/// Writes the pairs whose bounds overlap, and returns their number; the vertices of the second feature begin at bit
/// kShift. With kSelf, a list is paired with itself, each pair once.
template <bool kSelf, int kShift, std::size_t kEnds>
HWY_INLINE std::size_t find_overlaps(const Features& a, const Bounds& bounds_a, const Features& b,
                                     const Bounds& bounds_b, std::uint32_t* out) {
  const FloatTag d;
  const WordTag u;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.count; ++i) {
    Floats lo[3 * kEnds];
    Floats hi[3 * kEnds];
    for (std::size_t k = 0; k < 3 * kEnds; ++k) {
      lo[k] = hn::Set(d, bounds_a.lo[k][i]);
      hi[k] = hn::Set(d, bounds_a.hi[k][i]);
    }
    const auto word = hn::Set(u, a.words[i]);
    for (std::size_t at = kSelf ? (i + 1) / lanes * lanes : 0; at < b.count; at += lanes) {
      Floats apart = hn::Zero(d);
      const auto above = [&](std::size_t k)
                             GRAZE_INLINE_LAMBDA { return hn::Sub(hn::Load(d, &bounds_b.hi[k][at]), lo[k]); };
      const auto below = [&](std::size_t k)
                             GRAZE_INLINE_LAMBDA { return hn::Sub(hi[k], hn::Load(d, &bounds_b.lo[k][at])); };
      for (std::size_t k = 0; k < 3; ++k) {
        if constexpr (kEnds == 2) {
          apart = hn::OrAnd(apart, above(k), above(3 + k));
          apart = hn::OrAnd(apart, below(k), below(3 + k));
        } else {
          apart = hn::Or(apart, hn::Or(above(k), below(k)));
        }
      }
      auto overlap = hn::Not(hn::RebindMask(u, by_sign(apart)));
      if (kSelf && at <= i) overlap = hn::AndNot(hn::FirstN(u, i + 1 - at), overlap);
      const auto words = hn::Or(word, hn::ShiftLeft<kShift>(hn::Load(u, &b.words[at])));
      hn::StoreU(hn::Compress(words, overlap), u, out + count);
      count += hn::CountTrue(u, overlap);
    }
  }
  return count;
}

/// Keeps the words that out(words) does not mask, in place; returns their number.
template <typename Out>
HWY_INLINE std::size_t keep_words(std::uint32_t* words, std::size_t count, const Out& out) {
  const WordTag u;
  const std::size_t lanes = hn::Lanes(u);
  std::size_t kept = 0;
  for (std::size_t at = 0; at < count; at += lanes) {
    const auto raw = hn::LoadU(u, words + at);
    auto keep = hn::Not(out(raw));
    if (at + lanes > count) keep = hn::And(keep, hn::FirstN(u, count - at));
    hn::StoreU(hn::Compress(raw, keep), u, words + kept);
    kept += hn::CountTrue(u, keep);
  }
  return kept;
}

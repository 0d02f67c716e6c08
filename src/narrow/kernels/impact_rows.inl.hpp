// Narrow phase kernels: runs a quick search for times of impact over a batch of pairs, one pair a lane, and writes
// the impacts. Sources include this file after gather.inl.hpp and quick_root.inl.hpp, inside HWY_NAMESPACE.
// Therefore the file has no include guard and no namespace.

HWY_INLINE std::uint64_t bits_of(Mask mask) {
  std::uint8_t bytes[HWY_MAX_BYTES / 8 + 8] = {};
  hn::StoreMaskBits(Tag(), mask, bytes);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < (kLaneCount + 7) / 8; ++i) bits |= std::uint64_t{bytes[i]} << (8 * i);
  return bits;
}

/// The numbers of the impacts of one vector of pairs, by lane.
struct Rows {
  HWY_ALIGN double toi[2][kLaneCount];
  HWY_ALIGN double weights[4][kLaneCount];
  HWY_ALIGN double normal[3][kLaneCount];
  HWY_ALIGN double side[kLaneCount];
};

HWY_INLINE void store(const QuickRoot<Lanes, Mask>& root, Rows& rows) {
  const Tag d;
  hn::Store(root.toi_lo, d, rows.toi[0]);
  hn::Store(root.toi_hi, d, rows.toi[1]);
  for (int k = 0; k < 4; ++k) hn::Store(root.weights[k], d, rows.weights[k]);
  for (int k = 0; k < 3; ++k) hn::Store(root.normal[k], d, rows.normal[k]);
  hn::Store(root.side, d, rows.side);
}

/// kLaneCount pairs from `at` on; lanes past the end repeat the last pair, in `last`.
HWY_INLINE const PairVertices* pairs_of_lanes(std::span<const PairVertices> pairs, std::size_t at,
                                              PairVertices* last) {
  if (at + kLaneCount <= pairs.size()) return &pairs[at];
  for (std::size_t lane = 0; lane < kLaneCount; ++lane) last[lane] = pairs[std::min(at + lane, pairs.size() - 1)];
  return last;
}

/// Writes the impacts of one vector of pairs and the indices of undecided pairs. The first pair has index `at`;
/// `used` lanes count.
template <bool kVertexFace>
HWY_INLINE void write_impacts(const QuickRoot<Lanes, Mask>& root, const PairVertices* some, std::size_t at,
                              std::size_t used, Impact* impacts, std::uint16_t* undecided, RootCounts& counts) {
  const std::uint64_t contact = bits_of(root.contact);
  const std::uint64_t open = ~(contact | bits_of(root.apart));
  for (std::size_t lane = 0; lane < used; ++lane) {
    undecided[counts.undecided] = static_cast<std::uint16_t>(at + lane);
    counts.undecided += (open >> lane) & 1U;
  }
  if (contact == 0) return;
  Rows rows;
  store(root, rows);
  for (std::size_t lane = 0; lane < used; ++lane) {
    if (((contact >> lane) & 1U) == 0) continue;
    Impact& impact = impacts[counts.impacts++];
    impact.pair = {kVertexFace ? FeatureKind::VertexFace : FeatureKind::EdgeEdge, some[lane]};
    impact.toi_lo = rows.toi[0][lane];
    impact.toi_hi = rows.toi[1][lane];
    for (std::size_t k = 0; k < 4; ++k) impact.weights[k] = rows.weights[k][lane];
    impact.normal = {rows.normal[0][lane], rows.normal[1][lane], rows.normal[2][lane]};
    impact.side = static_cast<int>(rows.side[lane]);
    impact.remembered_side = impact.side;
  }
}

/// Runs solve(points of kLaneCount pairs) on the pairs from `begin` on; writes the impacts and the indices of
/// undecided pairs.
template <bool kVertexFace, class Solve>
HWY_INLINE void find_in_lanes(std::span<const VertexPath> paths, std::span<const PairVertices> pairs,
                              std::size_t begin, Impact* impacts, std::uint16_t* undecided, RootCounts& counts,
                              const Solve& solve) {
  for (std::size_t at = begin; at < pairs.size(); at += kLaneCount) {
    const std::size_t used = std::min(kLaneCount, pairs.size() - at);
    PairVertices last[kLaneCount];
    const PairVertices* some = pairs_of_lanes(pairs, at, last);
    write_impacts<kVertexFace>(solve(gather(paths.data(), some)), some, at, used, impacts, undecided, counts);
  }
}

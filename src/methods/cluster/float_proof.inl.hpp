// The proofs of float_proof_kernel.inl.hpp in SIMD lanes of floats, and the points of pairs that they are about.
// Included by a source that Highway compiles once per instruction set, inside its namespace HWY_NAMESPACE, after
// lookup.inl.hpp; therefore no include guard and no namespace here.

#include "core/simd/lane_operations.inl.hpp"

HWY_INLINE Floats sqrt(Floats a) {
  return hn::Sqrt(a);
}
HWY_INLINE bool all(FloatMask a) {
  return hn::AllTrue(FloatTag(), a);
}

#define GRAZE_LANES HWY_INLINE
#include "narrow/kernels/pair_kernel.inl.hpp"

#include "methods/cluster/float_proof_kernel.inl.hpp"
#undef GRAZE_LANES

/// Gathers the coordinates at t0 of the points of each pair, one pair per lane.
template <bool kVertexFace>
HWY_INLINE void points_at_t0(const Cluster& a, const Cluster& b, Words words, Point<Floats> (&p)[4]) {
  for (int point = 0; point < 4; ++point) {
    const Cluster& cluster = point < (kVertexFace ? 1 : 2) ? a : b;
    const Ints places = corner_of(words, point);
    for (int k = 0; k < 3; ++k) p[point].x[k] = look_up(cluster.x[static_cast<std::size_t>(k)].data(), places);
  }
}

/// Gathers the coordinates of the four points of each pair, one pair per lane.
template <bool kVertexFace>
HWY_INLINE Points<Floats> points_of(const Cluster& a, const Cluster& b, Words words) {
  Points<Floats> p;
  for (int point = 0; point < 4; ++point) {
    const Cluster& cluster = point < (kVertexFace ? 1 : 2) ? a : b;
    const Ints places = corner_of(words, point);
    for (int k = 0; k < 3; ++k) {
      p.x[0][point][k] = look_up(cluster.x[static_cast<std::size_t>(k)].data(), places);
      p.x[1][point][k] = look_up(cluster.x[3 + static_cast<std::size_t>(k)].data(), places);
    }
  }
  return p;
}

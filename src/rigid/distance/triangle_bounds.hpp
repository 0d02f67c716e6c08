// Certified bounds of the distances of pairs of posed triangles, in SIMD lanes: one pair a lane.
//
// Two disjoint triangles are closest at two edges, or at a vertex and the interior of a face. The kernel computes
// the closest points of the nine pairs of edges (Ericson, Real-Time Collision Detection, 2005, section 5.1.9) and
// the projections of the six vertices, and takes the least distance x. Its weights are only good guesses: for
// whatever weights in [0, 1], |x| is not below the distance; and for whatever direction n, the gap between the
// projections of all six corners on n, divided by |n|, is not above it. So rounding and degenerate shapes widen the
// bounds and never falsify them. Four directions are tried: x, both normals, and the common normal of the nearest
// pair of edges. The direction of x errs by an angle of about u L / |x|, that of a normal does not grow for close
// triangles, so without the normals the lower bound of parallel faces would fail at distances below 1e-5 of their
// size. For triangles that cross or touch no gap is positive, and the lower bound is 0.
//
// Error. u = 2^-53, L the largest coordinate of the pair relative to the first corner of a. The relative
// coordinates err by u L. Differences of two err by 4u L in all. For edges x = (a0 - b0) + s e - t f sums 4, 4 + 2
// and 4 + 2 of these units and twice 2 for the sums: 20u L a coordinate. For faces x = (a - b0) - v e - w f with v,
// w each within 2u of a quotient, so that the point may lie outside of the face by 8u L: 28u L a coordinate. Both
// are below 49u L in length. A projection on x errs by 4 sqrt(3) u L |x|, the difference of two by 10 sqrt(3) u L
// |x|, and the quotient by 4u times its value, which is at most 2 sqrt(3) L: below 32u L. Both bounds give way by
// 128u L. Pairs with L outside of [2^-80, 2^80] units get the bounds 0 and infinity. Every operation rounds once,
// in the same order on every instruction set. Cost: about 900 operations for a vector of pairs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/rigid.hpp>

#include "rigid/distance/proximity_tree.hpp"

namespace graze::rigid {

/// Posed corners of the triangles of a leaf group, by lane: exactly the doubles of posed().
struct alignas(64) PosedGroup {
  std::array<std::array<std::array<double, kWide>, 3>, 3> at;  ///< [corner][coordinate]
  std::array<TriangleId, kWide> triangles;
  std::uint32_t count;
};

/// One pair of a posed group of a and a posed group of b, by lanes.
struct LanePair {
  std::uint8_t a;
  std::uint8_t b;
};

/// A direction as a filter of pairs: those whose projections are separated along `unit`, from a to b, by `beyond`
/// or more are dropped. The caller adds the rounding of the projections to `beyond`. Zero vector: drops no pair.
struct PairFilter {
  Vec3 unit;
  double beyond = 0.0;
};

/// Lists the pairs of triangles of two groups that the filter does not drop, by lane of a, then of b. Returns their
/// number.
std::size_t list_pairs(const PosedGroup& a, const PosedGroup& b, const PairFilter& filter,
                       std::array<LanePair, kWide * kWide>& pairs);

/// Bounds of eight pairs in units of length.
struct alignas(64) TriangleBounds {
  std::array<double, kWide> lower;
  std::array<double, kWide> upper;
  std::array<std::array<double, kWide>, 3> between;  ///< the direction of the lower bound, from a to b; any length
};

/// Bounds of up to eight pairs; entries beyond pairs.size() are meaningless. `scale`: units per length, a power of
/// two.
void triangle_bounds(const PosedGroup& a, const PosedGroup& b, std::span<const LanePair> pairs, double scale,
                     TriangleBounds& bounds);

}  // namespace graze::rigid

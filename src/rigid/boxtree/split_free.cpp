// Our split criterion for boxtrees ("perpendicular splitting planes", which BOXTREE, section 4.2, leaves
// unexplored): a plane partitions the polygons, and then each child cuts off the one of the six slabs of its
// parent's box that gains most.
//
// The plane is chosen among bins of box centres along the three axes, by the sum over both children of sqrt(n)
// M(box). The box is the one that the child will really have, its parent's minus one slab, instead of the tight
// one. The factor is sqrt(n), because a contact curve crosses about that many triangles of a patch of n. On two
// bunnies, tight boxes and the factor n need 1.5 times as many node pairs. M is in rigid/boxtree/child_measure.hpp.
// Large sets are judged by a sample. O(n).
//
// Small sets are split at the centre of their longest extent: queries see leaf groups with tight boxes
// (rigid/boxtree/boxtree_traversal.hpp), and compact leaf groups save a tenth of the node pairs. Sets of 17 to 32
// become two leaf groups, not three: fewer and fuller ones take less memory and fill more lanes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "rigid/boxtree/boxtree.hpp"
#include "rigid/boxtree/child_measure.hpp"
#include "rigid/boxtree/polygon_set.hpp"

namespace graze::rigid {

namespace {

constexpr std::size_t kBins = 16;
constexpr std::size_t kSample = 512;
/// Sets of up to this many polygons are split at the centre.
constexpr std::size_t kMaxPolygonsForSweep = 2 * kLeafGroupSize;
constexpr float kWorst = std::numeric_limits<float>::max();

float weight(std::size_t count) {
  return std::sqrt(static_cast<float>(count));
}

float middle(const PackedBox& box, std::size_t axis) {
  return box.lo[axis] - box.minus_hi[axis];
}

std::size_t part_at(const PolygonSet& set, std::size_t axis, float from, float scale, float at) {
  return partition_in_place(
      set, [=](const PackedBox& one, std::size_t) { return (middle(one, axis) - from) * scale < at; });
}

/// Splits at the centre of the longest extent of the box centres, or as near to it as makes two leaf groups.
std::size_t split_middle(const PolygonSet& set) {
  const Row4 extent = set.middle_hi - set.middle_lo;
  std::size_t axis = extent[1] > extent[0] ? 1 : 0;
  if (extent[2] > extent[axis]) axis = 2;
  const std::size_t first = part_at(set, axis, set.middle_lo[axis], 1.0F, 0.5F * extent[axis]);
  if (set.count <= kLeafGroupSize) return first;
  const std::size_t rank = std::clamp(first, set.count - kLeafGroupSize, kLeafGroupSize);
  if (rank != first) split_at_rank(set, axis, rank);
  return rank;
}

struct Bins {
  std::array<std::array<RowBox, kBins>, 3> boxes{};
  std::array<std::array<std::uint32_t, kBins>, 3> counts{};
};

struct Plane {
  std::size_t axis = 3;  ///< 3: none
  float at = 0.0F;       ///< in bins
};

/// Evaluates every plane between two bins along an axis.
void sweep(const Bins& bins, std::size_t axis, const ChildMeasure& measure, float& best, Plane& plane) {
  const auto& boxes = bins.boxes[axis];
  const auto& counts = bins.counts[axis];
  std::array<float, kBins> first;
  RowBox sum;
  std::size_t count = 0;
  for (std::size_t b = 0; b + 1 < kBins; ++b) {
    sum.include(boxes[b]);
    count += counts[b];
    first[b] = weight(count) * measure(sum);
  }
  const std::size_t total = count + counts[kBins - 1];
  sum = {};
  count = 0;
  for (std::size_t b = kBins - 1; b > 0; --b) {
    if (counts[b] == 0) continue;  // the plane above this bin gives the same split
    sum.include(boxes[b]);
    count += counts[b];
    if (count == total) break;  // a sample may leave the first bins empty
    const float cost = first[b - 1] + weight(count) * measure(sum);
    if (cost < best) {
      best = cost;
      plane = {axis, static_cast<float>(b)};
    }
  }
}

}  // namespace

std::size_t split_free(const PolygonSet& set, const ChildMeasure& measure) {
  if (set.count <= kMaxPolygonsForSweep) return split_middle(set);
  std::array<float, 3> scales{};
  for (std::size_t k = 0; k < 3; ++k) {
    const float extent = set.middle_hi[k] - set.middle_lo[k];
    // Scale to slightly less than kBins, so that the largest centre falls into the last bin.
    if (extent > 0x1p-100F) scales[k] = static_cast<float>(kBins) * (1.0F - 0x1p-20F) / extent;
  }
  const Row4 base = set.middle_lo;
  const Row4 scale(scales[0], scales[1], scales[2], 0.0F);

  Bins bins;
  const std::size_t step = set.count < 2 * kSample ? 1 : set.count / kSample;
  for (std::size_t i = 0; i < set.count; i += step) {
    const RowBox one = RowBox::load(set.boxes[i]);
    const Row4 place = (one.middle() - base) * scale;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto b = static_cast<std::size_t>(static_cast<std::int32_t>(place[k]));
      bins.boxes[k][b].include(one);
      ++bins.counts[k][b];
    }
  }
  float best = kWorst;
  Plane plane;
  for (std::size_t k = 0; k < 3; ++k) {
    if (scales[k] > 0.0F) sweep(bins, k, measure, best, plane);
  }
  if (plane.axis == 3) return 0;

  return part_at(set, plane.axis, base[plane.axis], scales[plane.axis], plane.at);
}

}  // namespace graze::rigid

// Coordinate maps: non-decreasing maps of coordinates that let floats resolve features of any size, at any place.
//
// The broad phase only compares bounds. Let g be non-decreasing and let a lower end be bounded from below and an
// upper end from above, in doubles. Then g(lo_a) > g(hi_b) implies lo_a > hi_b: volumes that g separates are
// separate, and no outward rounding is needed after g. Every slab direction has a map of its own. A map is
// piecewise linear; near a feature its slope is about one over the feature's size, so that a mapped unit is about
// one feature, and empty space is a few units wide.
//
// Monotonicity of the computed map. Segment j is  y_j + (x/2 - x_j) s_j  with s_j > 0: a difference, a product with
// a positive number and a sum, each rounded to nearest, so each non-decreasing in x. y_(j+1) is the computed value
// of segment j at x_(j+1), and segment j+1 has the value y_(j+1) + 0 there, so the pieces join without a step down.
// The clamp and the conversion to float are non-decreasing, too. Halving keeps differences of doubles finite; with
// 0 < s_j < infinity no operation has the form 0 * infinity or infinity - infinity, so no value is NaN.
//
// Range. A gap between neighbouring ends of samples has at most three units, merging segments at most doubles a
// range and adds eight units for each segment: with 8192 samples below 2^19 units, centred at zero. A float then
// resolves 1/64 of a feature at worst, and 2^-16 of it in a sheet of 30,000 triangles.
//
// Who may use mapped boxes: overlap tests, which the proof covers, and heuristics, which are free (SAH, Morton
// codes, cell sizes, growth of sampled boxes, tree quality). Whoever compares a box with positions must not: the
// segment tests of FeatureBounds (query/leaf/leaf_features.hpp) make their boxes from positions while maps are in
// use; distances, cones, contours and neighbour tests never read boxes.
//
// Cost: O(n log n) in the samples to build; a comparison or a binary search in the segments, and three operations
// a coordinate.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "geometry/motion_bounds.hpp"

namespace graze::geometry {

/// The map of one direction.
class CoordinateMap {
 public:
  /// The interval that a feature covers along the direction, and the feature's size.
  struct Sample {
    double lo = 0.0;
    double hi = 0.0;
    double size = 0.0;
  };

  /// Mapped coordinates are between -kLimit and kLimit, so that areas and volumes of boxes are finite floats.
  static constexpr double kLimit = 0x1p40;

  /// The map of a direction without features.
  CoordinateMap() : CoordinateMap(std::span<const Sample>()) {}
  /// Samples need not be sorted. Samples of size zero count only if all have that size.
  explicit CoordinateMap(std::span<const Sample> samples);

  /// Maps a coordinate; infinities are allowed, NaN is not. `segment` is a guess of the segment that contains x,
  /// and is set to it: neighbouring vertices usually are in one segment. Start with 0.
  [[nodiscard]] float operator()(double x, std::uint32_t& segment) const {
    const double half = halved(x);
    const Segment* at = &segments_[segment];
    if (!(at->begin <= half && half < at->end)) {
      segment = find(half);
      at = &segments_[segment];
    }
    return static_cast<float>(at->map(half));
  }
  [[nodiscard]] float operator()(double x) const {
    std::uint32_t segment = 0;
    return (*this)(x, segment);
  }

  [[nodiscard]] std::size_t segment_count() const { return segments_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const { return segments_.capacity() * sizeof(Segment); }

 private:
  /// All coordinates of segments are halved.
  struct Segment {
    double begin = 0.0;   ///< -infinity for the first segment
    double end = 0.0;     ///< infinity for the last segment
    double origin = 0.0;  ///< the coordinate with the value `value`
    double value = 0.0;
    double slope = 0.0;

    [[nodiscard]] double map(double half) const {
      const double y = value + (half - origin) * slope;
      return y < -kLimit ? -kLimit : y > kLimit ? kLimit : y;
    }
  };

  static double halved(double x) {
    constexpr double kLargest = std::numeric_limits<double>::max();
    return 0.5 * (x < -kLargest ? -kLargest : x > kLargest ? kLargest : x);
  }
  [[nodiscard]] std::uint32_t find(double half) const;

  std::vector<Segment> segments_;  ///< never empty
};

/// The maps of the directions of a Dop, in its order.
struct CoordinateMaps {
  /// Guesses of the segment of each direction.
  using Hints = std::array<std::uint32_t, 13>;

  std::vector<CoordinateMap> directions;

  [[nodiscard]] std::size_t memory_bytes() const;
};

/// Makes maps of the first `directions` directions for triangles that move as `at` says, samples of all triangles;
/// their sizes are those at the start, or at the reference positions. Does not depend on the number of threads.
CoordinateMaps make_coordinate_maps(const MotionBounds& at, std::span<const Triangle> triangles,
                                    std::size_t directions);

}  // namespace graze::geometry

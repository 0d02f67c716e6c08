// Ray against boxes of the world (slab test of Kay and Kajiya, 1986), conservative in doubles.
//
// Proof. Along each axis the ray is in the slab [lo, hi] for t between (lo - o) / d and (hi - o) / d. Three
// roundings (difference, reciprocal, product; for a segment also its rounded direction) err by less than 4u of
// these values, u = 2^-53, plus underflow below 2^-1000. So if the largest entry exceeds the least exit by more
// than 2^-48 of it and 2^-1000, no t is in all slabs. d = 0 has an infinite reciprocal: entries are -inf inside of
// the slab and +inf beside it. Axes whose numbers may leave the range of doubles, and NaN (0 times infinity, at a
// side), rule nothing out.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "geometry/vec.hpp"
#include "narrow/ray_triangle.hpp"
#include "rigid/world/world_box.hpp"

namespace graze::rigid {

/// The part [near, far] of a ray outside of which it is not in a box.
struct RayPart {
  double near = 0.0;
  double far = 0.0;
};

class RaySlabs {
 public:
  /// `largest` bounds the |coordinates| of all boxes.
  RaySlabs(const RayLine& line, double largest) : origin_{line.origin.x, line.origin.y, line.origin.z} {
    const std::array<double, 3> d{line.direction.x, line.direction.y, line.direction.z};
    const bool fits = max_abs(line.origin) < 0x1p1000 && largest < 0x1p1021;
    for (std::size_t k = 0; k < 3; ++k) {
      const double size = std::abs(d[k]);
      const bool safe =
          fits && (size == 0.0 || (size > 0x1p-1020 && size < 0x1p1020)) && !(line.end && size == 0.0);
      reciprocal_[k] = safe ? 1.0 / std::abs(d[k]) : std::numeric_limits<double>::quiet_NaN();
      backward_[k] = d[k] < 0.0;
    }
    // A segment's direction may be zero because it underflowed; it is zero iff the ends are equal.
    if (!line.end || !fits) return;
    const std::array<double, 3> end{line.end->x, line.end->y, line.end->z};
    for (std::size_t k = 0; k < 3; ++k) {
      if (end[k] == origin_[k]) reciprocal_[k] = std::numeric_limits<double>::infinity();
    }
  }

  /// Whether a part of the ray up to `most` may be in the box.
  bool enter(const WorldBox& box, double most, RayPart& part) const {
    double near = 0.0;
    double far = most;
    for (std::size_t k = 0; k < 3; ++k) {
      const double first = backward_[k] ? origin_[k] - box.hi[k] : box.lo[k] - origin_[k];
      const double last = backward_[k] ? origin_[k] - box.lo[k] : box.hi[k] - origin_[k];
      const double in = first * reciprocal_[k];
      const double out = last * reciprocal_[k];
      near = in > near ? in : near;
      far = out < far ? out : far;
    }
    part.near = near * (1.0 - 0x1p-48);
    part.far = far * (1.0 + 0x1p-48) + 0x1p-1000;
    return !(near > part.far);
  }

 private:
  std::array<double, 3> origin_;
  std::array<double, 3> reciprocal_{};
  std::array<bool, 3> backward_{};
};

}  // namespace graze::rigid

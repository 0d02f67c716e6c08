// A pair of solids, or of a half-space and a solid: do they meet, and how far are they apart. Three tiers: bounds
// in doubles, bounds in double-doubles, exact arithmetic (cores that are hulls) or a conservative answer (curved
// cores).
//
// The pair is relative to the first solid's reference point and, only if its extent lies outside of the window of
// narrow/closest.hpp, scaled by a power of two. A first solid that meets many others is prepared once.
#pragma once

#include <array>

#include <graze/rigid_shapes.hpp>
#include <graze/stats.hpp>

#include "rigid/shapes/body.hpp"
#include "rigid/shapes/solid.hpp"

namespace graze::rigid {

/// Below this share of the extent of a pair, a distance with a curved core counts as contact: 2^-40 is promised;
/// the bounds are narrower.
inline constexpr double kContactShare = 0x1p-42;

struct Meeting {
  bool meets = false;
  double margin = 0.0;  ///< as of ShapeHit
};

struct Separation {
  double lo = 0.0;
  double hi = 0.0;
  Vec3 on_a;
  Vec3 on_b;
};

/// A solid with its core in doubles, relative to its reference point.
struct Prepared {
  Solid solid;
  Vec3 origin;
  Body<double> body;

  explicit Prepared(const Solid& its_solid)
      : solid(its_solid), origin(its_solid.reference()), body(its_solid, origin, 0) {}
};

/// A triangle, or a single point or segment, as a solid.
inline Solid triangle_solid(const std::array<Vec3, 3>& corners) {
  Solid solid;
  solid.points = corners;
  return solid;
}

/// Whether they share a point. Counts the tier that decided.
Meeting meet(const Prepared& a, const Solid& b, TierCounts& tiers);
Meeting meet(const Plane& a, const Solid& b, TierCounts& tiers);
Meeting meet(const Plane& a, const Plane& b, TierCounts& tiers);

/// Bounds of the distance; hi - lo <= tolerance hi, or with a curved core also kContactShare of the extent. With
/// `beyond`, stops as soon as lo > beyond: then hi is not narrow.
Separation separation(const Prepared& a, const Solid& b, double tolerance, double beyond, TierCounts& tiers);
Separation separation(const Plane& a, const Solid& b, double tolerance, double beyond, TierCounts& tiers);
Separation separation(const Plane& a, const Plane& b, TierCounts& tiers);

}  // namespace graze::rigid

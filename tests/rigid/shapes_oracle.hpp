// Exact ground truth for shapes, by another algorithm than the library's: distances of hulls as minima over all
// pairs of sub-simplices, certified by the direction that they give; half-spaces in rationals; cylinders and cones
// by exact membership of points and by bounds along directions. Cost: O(n^4) in the points of two hulls.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <graze/rigid_shapes.hpp>

#include "oracle/exact.hpp"

namespace graze::testing {

using oracle::Rational;

/// The set of a posed shape, or of a triangle, as the header states it.
struct ExactSet {
  ShapeKind kind = ShapeKind::ConvexHull;
  std::vector<Vec3> points;  ///< all but cylinder, cone and half-space
  double radius = 0.0;       ///< sphere, capsule: rounding; cylinder, cone: of the disc
  double half = 0.0;         ///< cylinder, cone
  Vec3 centre;               ///< cylinder, cone; origin of a half-space
  Vec3 axis;                 ///< cylinder, cone; normal of a half-space
  double offset = 0.0;       ///< half-space

  [[nodiscard]] bool curved() const { return kind == ShapeKind::Cylinder || kind == ShapeKind::Cone; }
  [[nodiscard]] bool plane() const { return kind == ShapeKind::HalfSpace; }
};

ExactSet exact_set(const PosedShape& shape);
ExactSet exact_set(const std::array<Vec3, 3>& triangle);

/// The distance of two sets without curved ones: sqrt(square) - reach where that is positive, else they meet.
struct ExactDistance {
  Rational square;
  Rational reach;

  [[nodiscard]] bool meets() const { return square <= reach * reach; }
  /// Whether the distance, 0 if they meet, is at least (at most) this.
  [[nodiscard]] bool at_least(double lo) const;
  [[nodiscard]] bool at_most(double hi) const;
};
ExactDistance exact_distance(const ExactSet& a, const ExactSet& b);

/// Whether the point lies in the set, which is a cylinder or a cone.
bool contains(const ExactSet& curved, const Vec3& y);
/// A number that the largest n . y over a set does not exceed. Not for half-spaces.
Rational support_bound(const ExactSet& set, const Vec3& n);
/// A lower bound of the distance of two sets along a direction n from a to b, rounded down; negative if it says
/// nothing. Not for half-spaces.
double distance_bound(const ExactSet& a, const ExactSet& b, const Vec3& n);

}  // namespace graze::testing

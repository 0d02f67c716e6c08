// Distances of posed soups in rational arithmetic: the minimum over all pairs of triangles, and over all pairs of
// features of two disjoint triangles. Shares no code with the library. Cost: about half a millisecond for each pair
// of triangles.
#pragma once

#include <string>
#include <vector>

#include <graze/rigid_distance.hpp>

#include "oracle/exact.hpp"
#include "rigid/oracle_objects.hpp"

namespace graze::testing {

/// Exact squared distance of two triangles.
oracle::Fraction triangle_distance2(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b);

/// All squared distances of two posed soups.
class DistanceTwin {
 public:
  DistanceTwin(const Soup& a, const Pose& pose_a, const Soup& b, const Pose& pose_b);

  /// Whether there is a pair at all.
  [[nodiscard]] bool empty() const { return distances2_.empty(); }
  [[nodiscard]] const oracle::Fraction& least() const { return distances2_[least_]; }
  [[nodiscard]] const oracle::Fraction& of(const TrianglePair& pair) const;
  /// All pairs within d, sorted.
  [[nodiscard]] std::vector<TrianglePair> within(double d) const;
  /// Checks bounds, tolerance, decision of contact, witness and closest points; returns what is wrong, or nothing.
  [[nodiscard]] std::string check(const RigidDistance& found, const DistanceOptions& options) const;

 private:
  std::size_t columns_ = 0;
  std::vector<oracle::Fraction> distances2_;
  std::size_t least_ = 0;
  std::vector<std::array<Vec3, 3>> a_;
  std::vector<std::array<Vec3, 3>> b_;
};

}  // namespace graze::testing

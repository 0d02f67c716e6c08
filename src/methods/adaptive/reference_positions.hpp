// The homes of all vertices during a session, how far each strays from its own in a step, and which are dangling
// (ADAPTIVE, sections 4.1 and 4.3).
//
// A session begins with a step in which a vertex goes by u. The paper bounds its way so far and lets the bound grow
// by de = (alpha |u| + beta v') + gamma l', v' being the mean of |u| over its body, l' the body's mean edge length.
// The same way, from x_t0 to x_t1 + alpha u, lies within (alpha + 1) |u| / 2 of its middle: that is home, and
// (alpha + 1) |u| / 2 + beta v' + gamma l' is its reach; along an axis, with u's component there for |u|, its side.
// What a step spends is the real distance from home at its
// two ends; motion is straight, so it is never farther in between, and a vertex that comes back spends nothing.
//
// Where all bodies that move have a common drift it is taken off first: C(x), the median of x - home over some
// vertices, is the same for all of them, so that pairs among them do not see it. Pairs with a still body do, and
// add drift(). C is any vector that is linear over the step: how it is found does not matter for the proof.
//
// Roundings: x - home and then - C round by at most 2^-53 of |x - home| <= |stray| + |C| each axis, the square root
// of the sum of squares by a few units more: 2^-48 of both together, and the smallest float, cover them. Cost:
// linear.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "geometry/reference_point.hpp"

namespace graze::methods {

class ReferencePositions {
 public:
  /// Of vertices of static bodies: home is where they are, the reach 0. And of removed ones, which are nowhere.
  static constexpr std::uint32_t kStatic = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t kRemoved = kStatic - 1;

  struct Plan {
    double alpha = 1.0;
    double beta = 0.2;
    double gamma = 0.1;
    bool bounded = true;  ///< false: nothing ever dangles
  };
  /// What does not change from step to step.
  struct Mesh {
    std::span<const std::uint32_t> groups;      ///< of each vertex its body, kStill or kRemoved
    std::span<const double> mean_edge_lengths;  ///< of each body
  };

  /// Homes and reaches for a session that begins with this step, and what stray() says of the step itself, within
  /// which nothing dangles. False if coordinates are so large or so small that floats can't tell distances.
  [[nodiscard]] bool begin(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, const Mesh& mesh,
                           const Plan& plan);

  /// How far every vertex strays in this step, and the common drift. False if a still one stands elsewhere: then
  /// there must be new homes. Precondition: begin, for as many vertices.
  [[nodiscard]] bool measure_displacements(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                                           std::span<const std::uint32_t> groups);
  /// Not within reach, or not known to be.
  [[nodiscard]] bool is_dangling(VertexId v) const { return !(displacement_[v] <= points_[v].displacement_bound); }
  /// At most this far from home in the step, rounded up; infinite where it is dangling along an axis.
  [[nodiscard]] float displacement(VertexId v) const { return displacement_[v]; }
  /// New homes for those that dangle in this step; then none does. Returns how many. Precondition: stray for the
  /// same step.
  std::size_t renew_references(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, const Mesh& mesh,
                               const Plan& plan);

  /// The mean, over vertices that move, of their reach in edge lengths of their body; 0 if none moves.
  [[nodiscard]] double mean_displacement_bound(const Mesh& mesh) const;

  [[nodiscard]] std::span<const ReferencePoint> points() const { return points_; }
  /// The largest |C| in this step, rounded up, and what it was expected to be at most.
  [[nodiscard]] float drift() const { return drift_; }
  [[nodiscard]] float drift_bound() const { return drift_bound_; }

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  /// The farthest that a vertex is from home in a step, in all and along each axis; rounded up.
  struct Displacement {
    float distance = 0.0F;
    std::array<float, 3> along{};
  };
  [[nodiscard]] Displacement displacement_of(VertexId v, const Vec3& x_t0, const Vec3& x_t1) const;
  /// Makes the reach at least what it is now, and the sides at least `sides` and what they must be now.
  void hold(VertexId v, const Displacement& displacement, const std::array<double, 3>& sides);
  /// Homes, reaches and the sums that they need; speeds are in strayed_.
  void place(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, const Mesh& mesh, const Plan& plan);
  void choose_sample(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, std::span<const std::uint32_t> groups);
  [[nodiscard]] static bool moves(std::uint32_t group) { return group < kRemoved; }
  [[nodiscard]] Vec3 common_drift(std::span<const Vec3> x) const;
  [[nodiscard]] float drift_size() const;

  std::vector<ReferencePoint> points_;  ///< by vertex
  std::vector<float> displacement_;     ///< by vertex
  std::vector<VertexId> sample_;        ///< the vertices whose median is C; none: C is 0
  std::vector<double> slack_;           ///< by body: beta v' + gamma l'
  Vec3 step_drift_ = {};                ///< of C in the step
  Vec3 drift_t0_ = {};
  Vec3 drift_t1_ = {};
  float drift_ = 0.0F;
  float drift_bound_ = 0.0F;
};

}  // namespace graze::methods

// The reference positions of all vertices during a session, the displacement of each vertex from its reference
// position in a step, and which vertices dangle, i.e. exceed their displacement bound (ADAPTIVE, sections 4.1 and
// 4.3).
//
// A session begins with a step in which a vertex moves by u. The paper bounds its path so far and extends the bound
// by de = (alpha |u| + beta v') + gamma l', where v' is the mean of |u| over the vertex's body and l' the body's
// mean edge length. Here the bound is a ball: the path from x_t0 to x_t1 + alpha u lies within (alpha + 1) |u| / 2
// of its midpoint, which is the reference position; (alpha + 1) |u| / 2 + beta v' + gamma l' is the displacement
// bound. The bound along an axis (its side) has u's component along that axis in place of |u|. A step spends the
// real distance from the reference position at its two ends; motion is linear, so no time in between is farther,
// and a vertex that returns spends nothing.
//
// A common drift of all moving bodies is subtracted first: C(x), the median of x - reference position over a sample
// of vertices, is one vector for all moving vertices, so pairs among them do not see it. Pairs with a static body
// do, and add drift(). C may be any vector that is linear over the step: the proof does not depend on how it is
// chosen.
//
// Rounding: x - reference and then - C have an error of at most 2^-53 of |x - reference| <= |displacement| + |C|
// per axis, and the square root of the sum of squares adds a few units: 2^-48 of |displacement| + |C|, plus the
// smallest float, covers all of them. Cost: linear in vertices.
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
  /// Group of vertices of static bodies, whose reference position is their position, with displacement bound 0; and
  /// group of removed vertices, which have no position.
  static constexpr std::uint32_t kStatic = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t kRemoved = kStatic - 1;

  struct Plan {
    double alpha = 1.0;
    double beta = 0.2;
    double gamma = 0.1;
    bool bounded = true;  ///< false: displacement bounds are infinite, so no vertex ever dangles
  };
  /// Data that does not change from step to step.
  struct Mesh {
    std::span<const std::uint32_t> groups;      ///< for each vertex its body, kStatic or kRemoved
    std::span<const double> mean_edge_lengths;  ///< for each body
  };

  /// Computes reference positions and displacement bounds for a session that begins with this step, and the
  /// displacements in this step, in which no vertex dangles. Returns false if coordinates are so large or so small
  /// that distances in floats would overflow or vanish.
  [[nodiscard]] bool begin(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, const Mesh& mesh,
                           const Plan& plan);

  /// Measures the displacement of every vertex in this step, and the common drift. Returns false if a static vertex
  /// has moved: then begin must be called again. Precondition: begin was called for the same number of vertices.
  [[nodiscard]] bool measure_displacements(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                                           std::span<const std::uint32_t> groups);
  /// Whether the vertex is, or may be, outside its displacement bound.
  [[nodiscard]] bool is_dangling(VertexId v) const { return !(displacement_[v] <= points_[v].displacement_bound); }
  /// Upper bound on the distance from the reference position during the step; infinite if the vertex exceeds its
  /// side along an axis.
  [[nodiscard]] float displacement(VertexId v) const { return displacement_[v]; }
  /// Gives new reference positions to the vertices that dangle in this step; afterwards none dangles. Returns their
  /// number. Precondition: measure_displacements was called for this step.
  std::size_t renew_references(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, const Mesh& mesh,
                               const Plan& plan);

  /// Mean displacement bound over all moving vertices, in mean edge lengths of their body; 0 if no vertex moves.
  [[nodiscard]] double mean_displacement_bound(const Mesh& mesh) const;

  [[nodiscard]] std::span<const ReferencePoint> points() const { return points_; }
  /// The largest |C| in this step, rounded up; and the largest |C| that the session's bounds allow for.
  [[nodiscard]] float drift() const { return drift_; }
  [[nodiscard]] float drift_bound() const { return drift_bound_; }

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  /// Largest distance of a vertex from its reference position in a step, in total and along each axis; rounded up.
  struct Displacement {
    float distance = 0.0F;
    std::array<float, 3> along{};
  };
  [[nodiscard]] Displacement displacement_of(VertexId v, const Vec3& x_t0, const Vec3& x_t1) const;
  /// Raises the displacement bound to at least `displacement`, and sets the sides to at least `sides` and
  /// `displacement` along each axis.
  void raise_bound(VertexId v, const Displacement& displacement, const std::array<double, 3>& sides);
  /// Computes reference positions, displacement bounds and the slack of each body; uses displacement_ for the
  /// speeds.
  void place(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, const Mesh& mesh, const Plan& plan);
  void choose_sample(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, std::span<const std::uint32_t> groups);
  [[nodiscard]] static bool moves(std::uint32_t group) { return group < kRemoved; }
  [[nodiscard]] Vec3 common_drift(std::span<const Vec3> x) const;
  [[nodiscard]] float drift_size() const;

  std::vector<ReferencePoint> points_;  ///< indexed by vertex
  std::vector<float> displacement_;     ///< indexed by vertex
  std::vector<VertexId> sample_;        ///< vertices whose median displacement is C; empty if C is 0
  std::vector<double> slack_;           ///< for each body: beta v' + gamma l'
  Vec3 step_drift_ = {};                ///< common drift in the first step of the session: the mean displacement of
                                        ///< the sample
  Vec3 drift_t0_ = {};
  Vec3 drift_t1_ = {};
  float drift_ = 0.0F;
  float drift_bound_ = 0.0F;
};

}  // namespace graze::methods

// Lower bounds of the distance between one oriented box and eight others, in SIMD lanes.
//
// Lengths are in units of 2^exponent of the query. Let t be the vector from the centre of the fixed box f to that
// of a box o, with edge vectors w_i and z_j (unit vectors, nearly) and half extents h. For points x of f and y of
// o,
//   (y - x).n  >=  t.n - sum h_i |w_i.n| - sum h_j |z_j.n|   for every n, (1)
// which bounds the distance from below if |n| <= 1. Four bounds are combined; each holds by itself:
//   - n = +-w_i: three gaps. Because the w_i are orthogonal, the distance is at least the root of the sum of the
//     squares of the positive gaps: the distance of f from the box around o along the axes of f. The greatest
//     singular value of the matrix of the w_i is at most sqrt((1 + 3e-6)(1 + 6e-7)): poses and float axes are
//     orthonormal only within 1e-6 and 2e-7. The factor 1 - 2^-19 covers that.
//   - n = +-z_j: likewise along the axes of o.
//   - n = t / |t|, which is best for boxes that are far apart relative to their size.
//   - n = the direction between the closest points found so far, which is best near these.
// If no gap is positive, the result is the largest gap, a number <= 0 that serves to order pairs: the deeper the
// boxes overlap, the smaller.
//
// Error. t and the products with it are computed by way of R^T R = 1, in which poses err by delta; with that, the
// rounding of posed doubles, of relative coordinates and of these operations, each product of t or of t.n in (1)
// errs by at most `margin`; BoxFrames derives it. It is subtracted from every gap, and added to every product in
// the sum for n = t / |t|. The bound for that direction increases with |t|, so a lower bound of |t| is used. Every
// operation rounds once, in the same order on every instruction set.
#pragma once

#include <array>
#include <cstddef>

#include <graze/rigid.hpp>

#include "rigid/distance/proximity_tree.hpp"

namespace graze::rigid {

using Matrix3 = std::array<std::array<double, 3>, 3>;
using Triple3 = std::array<double, 3>;

/// The fixed box as the kernel needs it, in the coordinates of the eight boxes' object.
struct FixedBox {
  Matrix3 turn{};      ///< row i: w_i in the coordinates of the other object
  Triple3 offset{};    ///< t.w_i for a box with its centre at the origin of the other object
  Triple3 from{};      ///< t in the other object's coordinates, for such a box
  Triple3 half{};      ///< half extents, in units, margin included
  double scale = 1.0;  ///< of the relative coordinates of the other object
  double margin = 0.0;
  double shrink = 1.0;  ///< factor of a lower bound of |t|
  // The direction of the closest points: its coordinates in the other object, t.n for a box at the origin, and the
  // sum of h_i |w_i.n|. Zero vector: no direction.
  Triple3 direction{};
  double along = 0.0;
  double reach = 0.0;
};

/// Sets bounds[lane] for each of the eight boxes of a node.
void box_bounds(const FixedBox& fixed, const WideNode& others, double* bounds);

/// Two posed objects with the transforms between their coordinates; makes FixedBoxes.
class BoxFrames {
 public:
  /// An object in a pose. `max_coordinate`: the largest |coordinate| of its vertices.
  struct Side {
    const ProximityTree* tree = nullptr;
    Pose pose;
    double max_coordinate = 0.0;
  };
  BoxFrames(const Side& a, const Side& b);

  /// Exponent of the unit of length: 2^exponent.
  [[nodiscard]] int exponent() const { return exponent_; }
  /// Sets the direction from a to b in which closest points lie; a vector of length 1 within 2^-40.
  void set_direction(const Vec3& unit);
  /// A box of side `fixed` (0: a, 1: b), to be held against boxes of the other side.
  [[nodiscard]] FixedBox fix(unsigned fixed, ProximityTree::Slot slot) const;
  /// Sum of the half extents of a box, in units: for the choice which box to open.
  [[nodiscard]] double size(unsigned side, ProximityTree::Slot slot) const;

 private:
  struct Placed {
    const ProximityTree* tree = nullptr;
    double scale = 1.0;  ///< length of a relative unit
    double delta = 0.0;  ///< bound of the norm of R^T R - 1
    Matrix3 rotation{};
    Matrix3 to_other{};   ///< R^T times the rotation of the other side
    Triple3 apart{};      ///< R^T times the vector from this side's origin to the other's
    Triple3 direction{};  ///< R^T times the direction, oriented from this side to the other
    double along = 0.0;   ///< the vector from this side's origin to the other's, along the direction
  };

  int exponent_ = 0;
  double margin_ = 0.0;
  Vec3 apart_;  ///< from a's origin to b's, in units
  std::array<Placed, 2> sides_;
};

}  // namespace graze::rigid

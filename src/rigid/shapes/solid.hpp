// A posed shape as plain data, in the doubles that define it (graze/rigid_shapes.hpp): a core and a rounding
// radius.
//
// Box, sphere, capsule, hull and triangle are one form: all points within `radius` of the convex hull of given
// points (eight, one, two, n and three of them). So one algorithm decides all their pairs. A cylinder and a cone
// are cores of their own with radius 0; a half-space is a plane. Cost: linear in the points of a hull, else
// constant.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/rigid_shapes.hpp>

#include "core/namespaces.hpp"

namespace graze::rigid {

/// Whether the core of a solid is the hull of points, or curved.
enum class Curve : std::uint8_t { None, Cylinder, Cone };

/// A bounded solid. Does not own its points.
struct Solid {
  std::span<const Vec3> points;  ///< Curve::None: the core is their convex hull; at least one
  double radius = 0.0;           ///< the solid is all points within this distance of the core; 0 if curved
  Curve curve = Curve::None;
  Vec3 centre;        ///< curved cores: between the two ends of the axis
  Vec3 axis;          ///< curved cores: direction of the axis, of length 1 within 1e-6
  double half = 0.0;  ///< curved cores: half of the length of the axis
  double disc = 0.0;  ///< curved cores: radius of the cylinder, or of the base of the cone

  /// A point of the core.
  [[nodiscard]] const Vec3& reference() const { return curve == Curve::None ? points.front() : centre; }
};

/// The half-space of all y with normal . (y - origin) <= offset.
struct Plane {
  Vec3 normal;
  Vec3 origin;
  double offset = 0.0;
};

/// Coordinates and sizes beyond this are refused, so that no difference overflows.
inline constexpr double kLargest = 0x1p1000;

/// A shape in its pose: owns the posed points.
class PosedSolid {
 public:
  /// Throws InputError, naming `which`, for an invalid pose and for what lies beyond kLargest.
  PosedSolid(const PosedShape& shape, const char* which);

  [[nodiscard]] bool is_half_space() const { return kind_ == ShapeKind::HalfSpace; }
  /// The solid, valid as long as this object is neither moved nor destroyed. Precondition: !is_half_space().
  [[nodiscard]] Solid solid() const;
  /// The plane. Precondition: is_half_space().
  [[nodiscard]] const Plane& plane() const { return plane_; }

 private:
  ShapeKind kind_;
  std::size_t few_count_ = 0;
  std::array<Vec3, 8> few_;  ///< posed points of all kinds but hulls
  std::vector<Vec3> many_;   ///< posed points of a hull
  Solid form_;               ///< without the points
  Plane plane_;
};

}  // namespace graze::rigid

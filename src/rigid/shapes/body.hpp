// The core of a solid in the numbers of one tier (doubles or double-doubles), relative to an origin and scaled by a
// power of two; and its support function, the farthest point in a direction.
//
// Error bounds. Let L bound the coordinates of a core relative to the origin plus its sizes, and u be the unit
// roundoff (2^-53, or 2^-100 for DoubleDouble). L is in the window of narrow/closest.hpp, in which underflow is
// negligible.
//  - A relative point errs by u L in each coordinate; the difference of two doubles is a DoubleDouble without
//  error.
//  - The unit axis errs by at most 4 u in each coordinate: squares, sums, root, quotient.
//  - The support value n . y of a point errs by 7 u L |n|: one rounding of y, three of products and sums, each on
//  at
//    most sqrt(3) L |n|. Of a disc: n . centre (7 u L |n|), half |n . axis| (the axis errs by 4 sqrt(3) u, the
//    product by 3 sqrt(3) u: 13 u L |n|) and disc |n x axis| (each coordinate errs by 14 u |n|, the length by
//    sqrt(3) of it and the root: 28 u L |n|), and two sums: below 52 u L |n|.
//  - A support point of a disc lies in the real core within 30 u L: centre and axis err by 9 u L; the radial
//  direction
//    axis x (n x axis) is orthogonal to the axis within 15 u, however short n x axis is, as long as it exceeds its
//    own error by 2^8. Otherwise the point is the disc's centre. The support value is not taken from the point, so
//    it stays within its bound.
// Cost: O(n) in the points of the core.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/vec.hpp"
#include "narrow/closest.hpp"
#include "rigid/shapes/relative.hpp"
#include "rigid/shapes/solid.hpp"

namespace graze::rigid {

/// (n x axis)^2 must exceed this share of n^2 for a radial direction: (2^8 14 u)^2 and more.
template <class T>
inline constexpr double kLeastRadial = 0.0;
template <>
inline constexpr double kLeastRadial<double> = 0x1p-80;
template <>
inline constexpr double kLeastRadial<Quad> = 0x1p-170;

/// The farthest point of a core in a direction n.
template <class T>
struct Support {
  T value;                  ///< the largest n . y of the core
  narrow::Vec<T> point;     ///< a point of the core, with this value unless radial directions are lost
  std::uint32_t index = 0;  ///< the index of a point of the core that is a hull
};

template <class T>
class Body {
 public:
  Body() = default;
  Body(const Solid& solid, const Vec3& origin, int exponent) : curve_(solid.curve) {
    const PowerOfTwo scale(exponent);
    if (curve_ == Curve::None) {
      set_points(solid.points, origin, scale);
      return;
    }
    centre_ = relative<T>(solid.centre, origin, scale);
    half_ = scale(T(solid.half));
    disc_ = scale(T(solid.disc));
    const narrow::Vec<T> m{T(solid.axis.x), T(solid.axis.y), T(solid.axis.z)};
    axis_ = T(T(1.0) / narrow::square_root(narrow::dot(m, m))) * m;
    // The length of the axis is 1 within 1e-6, so that the quotient errs as much as three divisions would.
    extent_ = max_abs(centre_) + narrow::to_double(half_) + narrow::to_double(disc_);
  }

  /// A triangle or any other few points (at most eight), already relative and scaled.
  template <std::size_t kCount>
  void set_few(const std::array<narrow::Vec<T>, kCount>& points) {
    static_assert(kCount <= 8);
    curve_ = Curve::None;
    many_.clear();
    count_ = kCount;
    extent_ = 0.0;
    for (std::size_t i = 0; i < kCount; ++i) {
      few_[i] = points[i];
      extent_ = std::max(extent_, max_abs(points[i]));
    }
  }

  /// Bounds the coordinates of the core relative to the origin, plus its sizes.
  [[nodiscard]] double extent() const { return extent_; }
  [[nodiscard]] std::span<const narrow::Vec<T>> points() const {
    return many_.empty() ? std::span<const narrow::Vec<T>>(few_.data(), count_) : std::span(many_);
  }
  [[nodiscard]] narrow::Vec<T> reference() const { return curve_ == Curve::None ? points().front() : centre_; }

  [[nodiscard]] Support<T> support(const narrow::Vec<T>& n) const {
    if (curve_ == Curve::None) {
      const auto all = points();
      Support<T> best{narrow::dot(n, all[0]), all[0], 0};
      for (std::size_t i = 1; i < all.size(); ++i) {
        const T value = narrow::dot(n, all[i]);
        if (value > best.value) best = {value, all[i], static_cast<std::uint32_t>(i)};
      }
      return best;
    }
    const T along = narrow::dot(n, axis_);
    const T rise = half_ * along;
    const T middle = narrow::dot(n, centre_);
    // n x axis has the length of the part of n that is perpendicular to the axis.
    const narrow::Vec<T> across = narrow::cross(n, axis_);
    const T square = narrow::dot(across, across);
    const T reach = disc_ * narrow::square_root(square);
    const bool up = along > T(0.0);
    if (curve_ == Curve::Cone && rise > reach - rise) return {middle + rise, centre_ + half_ * axis_, 0};
    const bool at_top = curve_ == Curve::Cylinder && up;
    Support<T> result{middle + (at_top ? rise : -rise) + reach,
                      at_top ? centre_ + half_ * axis_ : centre_ - half_ * axis_, 0};
    if (square > T(kLeastRadial<T>) * narrow::dot(n, n)) {
      const narrow::Vec<T> radial = narrow::cross(axis_, across);
      result.point = result.point + T(disc_ / narrow::square_root(narrow::dot(radial, radial))) * radial;
    }
    return result;
  }

 private:
  void set_points(std::span<const Vec3> points, const Vec3& origin, const PowerOfTwo& scale) {
    count_ = points.size();
    if (count_ > few_.size()) many_.resize(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      const narrow::Vec<T> x = relative<T>(points[i], origin, scale);
      (many_.empty() ? few_[i] : many_[i]) = x;
      extent_ = std::max(extent_, max_abs(x));
    }
  }

  Curve curve_ = Curve::None;
  std::size_t count_ = 0;
  double extent_ = 0.0;
  std::array<narrow::Vec<T>, 8> few_{};
  std::vector<narrow::Vec<T>> many_;
  narrow::Vec<T> centre_;
  narrow::Vec<T> axis_;
  T half_{};
  T disc_{};
};

}  // namespace graze::rigid

// Views and margins of a traversal of two group trees. See the header.
//
// With unit 2^e and u = 2^-53: let a_k be the columns of a's rotation A, s_a and s_b the units of the local frames,
// d the vector between their origins, all in units. A common point x of posed triangles is A u_a s_a + posed origin
// of a, and so for b, each coordinate up to the posing error, so
//   (A^T A u_a)_k s_a = a_k . d + (A^T B u_b)_k s_b + e,   |e| <= |a_k|_1 P,  |a_k|_1 <= 1.74,
// where P contains five posing errors of each object. A A^T differs from 1 by at most 1e-6 in each entry, so A^T A
// by at most 3e-6, and (A^T A u)_k from u_k by at most 9e-6, because |u_i| <= 1. Division by s_a gives the view of
// a. Dot products in doubles err by less than 2^-49 of (|d| + s_a + s_b). Floats round by 2^-24 of |offset| and of
// entries of S, which is less than 2^-22 of the third term of the margin; |s . e| <= 1.75 of the largest
// coordinate.
//
// A viewer smaller than 2^-40 units is treated as if it had that size, so that nothing overflows: its coordinates
// shrink by less than all of it, which is added to the margin. Roots are tested in doubles, oriented boxes along 15
// directions with the proof of rigid/boxtree/group_traversal.cpp. Infinities and NaN make the margin infinite, or
// the offset NaN: nothing is separated then.
#include "rigid/boxtree/group_view.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "geometry/vec.hpp"
#include "geometry/volume.hpp"

namespace graze::rigid {

namespace {

constexpr double kSmallest = 0x1p-40;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::array<Vec3, 3> columns(const Pose& pose) {
  const auto& r = pose.rotation;
  return {Vec3{r[0].x, r[1].x, r[2].x}, Vec3{r[0].y, r[1].y, r[2].y}, Vec3{r[0].z, r[1].z, r[2].z}};
}

/// As in rigid/placement.cpp: bound of the difference between a posed coordinate and its real value.
double posing_error(const GroupPlaced& object) {
  return 0x1p-51 * (3.1 * object.max_coordinate + max_abs(object.pose.translation)) + 0x1p-1070;
}

using Matrix = std::array<std::array<double, 3>, 3>;

/// 2^exponent for exponents from -1022 to 0; 0 below.
double power(int exponent) {
  return exponent < -1022 ? 0.0 : std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
}

/// Centre and half of a root's box.
struct Root {
  std::array<double, 3> centre;
  std::array<double, 3> half;

  explicit Root(const GroupPlaced& object) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto lo = static_cast<double>(object.lo[k]);
      const auto hi = static_cast<double>(object.hi[k]);
      centre[k] = 0.5 * (lo + hi);
      half[k] = 0.5 * (hi - lo);
    }
  }
};

/// One object as the viewer of the other: its unit, and the other's placement in it.
struct Viewer {
  double unit;
  double scale;  ///< unit of the other object
  std::array<double, 3> offset;
  double margin;

  /// `moved` and `error` are in units of 2^exponent, and so are the units `own` and `other` of the local frames.
  Viewer(const std::array<double, 3>& moved, double own, double other, double error)
      : unit(std::max(own, kSmallest)), offset(moved) {
    const double inverse = 1.0 / unit;
    scale = other * inverse;
    double far = 0.0;
    for (double& x : offset) {
      x *= inverse;
      far = std::max(far, std::abs(x));
    }
    margin = 1.75 * (9.1e-6 + (error + (unit - own)) * inverse) + 0x1p-18 * (2.0 + 1.8 * scale + far);
    margin *= 1.0 + 0x1p-20;
  }

  /// The widest gap between the roots along the viewer's axes, in its units. `turn(i, k)` is the product of axis i
  /// of the other object and axis k of the viewer.
  template <class Turn>
  [[nodiscard]] double gap(const Turn& turn, const Root& own_root, const Root& other_root) const {
    double widest = -kInfinity;
    for (std::size_t k = 0; k < 3; ++k) {
      double between = 0.0;
      double extent = 0.0;
      for (std::size_t i = 0; i < 3; ++i) {
        between += turn(i, k) * other_root.centre[i];
        extent += std::abs(turn(i, k)) * other_root.half[i];
      }
      const double distance = std::abs(offset[k] - own_root.centre[k] + scale * between);
      const double now = distance - (own_root.half[k] + scale * extent + margin);
      if (now > widest) widest = now;
    }
    return widest;
  }

  /// The widest gap between oriented boxes, `own` of the viewer, in its units; any gap unless it is to be measured.
  /// `products` has the products of axes of the viewer and axes of the other object.
  [[nodiscard]] double gap(const Matrix& products, const GroupBox& own, const GroupBox& other, bool measure) const {
    Matrix own_turned;  // [own box axis][axis of the other's frame]
    Matrix c;           // [own box axis][other box axis]
    Matrix size;
    std::array<double, 3> t;
    std::array<double, 3> h;
    std::array<double, 3> g;
    double slack = margin;
    for (std::size_t i = 0; i < 3; ++i) {
      h[i] = static_cast<double>(own.half[i]);
      g[i] = scale * static_cast<double>(other.half[i]);
      slack += static_cast<double>(kOwnSkew) * h[i] + static_cast<double>(kOtherSkew) * g[i];
    }
    double widest = -kInfinity;
    const auto along = [&](double distance, double extent) {
      const double now = std::abs(distance) - (extent + slack);
      if (now > widest) widest = now;
      return widest > 0.0 && !measure;
    };
    for (std::size_t i = 0; i < 3; ++i) {
      double at = 0.0;
      for (std::size_t k = 0; k < 3; ++k)
        at += static_cast<double>(own.axes[i][k]) * (offset[k] - static_cast<double>(own.centre[k]));
      double of_other = 0.0;
      for (std::size_t k = 0; k < 3; ++k) {
        own_turned[i][k] = static_cast<double>(own.axes[i][0]) * products[0][k] +
                           static_cast<double>(own.axes[i][1]) * products[1][k] +
                           static_cast<double>(own.axes[i][2]) * products[2][k];
        of_other += own_turned[i][k] * static_cast<double>(other.centre[k]);
      }
      t[i] = at + scale * of_other;
      double extent = h[i];
      for (std::size_t j = 0; j < 3; ++j) {
        c[i][j] = own_turned[i][0] * static_cast<double>(other.axes[j][0]) +
                  own_turned[i][1] * static_cast<double>(other.axes[j][1]) +
                  own_turned[i][2] * static_cast<double>(other.axes[j][2]);
        size[i][j] = std::abs(c[i][j]);
        extent += size[i][j] * g[j];
      }
      if (along(t[i], extent)) return widest;
    }
    // Along the sum over i of c[i][j] e_i, which is an axis of the other box but for the errors of axes.
    for (std::size_t j = 0; j < 3; ++j) {
      const double distance = c[0][j] * t[0] + c[1][j] * t[1] + c[2][j] * t[2];
      if (along(distance, g[j] + size[0][j] * h[0] + size[1][j] * h[1] + size[2][j] * h[2])) return widest;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t i1 = (i + 1) % 3;
      const std::size_t i2 = (i + 2) % 3;
      for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t j1 = (j + 1) % 3;
        const std::size_t j2 = (j + 2) % 3;
        const double extent = h[i1] * size[i2][j] + h[i2] * size[i1][j] + g[j1] * size[i][j2] + g[j2] * size[i][j1];
        if (along(c[i1][j] * t[i2] - c[i2][j] * t[i1], extent)) return widest;
      }
    }
    return widest;
  }

  template <class Turn>
  void fill(GroupView& view, const Turn& turn) const {
    view.unit = unit;
    for (std::size_t k = 0; k < 3; ++k) {
      view.offset[k] = static_cast<float>(offset[k]);
      for (std::size_t i = 0; i < 3; ++i) {
        view.turn[i][k] = static_cast<float>(turn(i, k));
        view.slope[i][k] = static_cast<float>(scale * turn(i, k));
      }
    }
    view.scale = static_cast<float>(scale * (1.0 + 0x1p-20));
    // NaN compares false: the margin is infinite then.
    view.margin =
        margin < 0x1p60 ? static_cast<float>(margin * (1.0 + 0x1p-20)) : std::numeric_limits<float>::infinity();
  }
};

}  // namespace

GroupPlacement place_groups(const GroupPlaced& a, const GroupPlaced& b, bool measure) {
  GroupPlacement placement;
  // Half the vector between the centres: the difference of two large numbers may overflow.
  const Vec3 half = 0.5 * posed(b.pose, b.local_frame.origin) - 0.5 * posed(a.pose, a.local_frame.origin);
  // Choose the unit so that both objects fit and their distance is a float.
  const LocalFrame& larger = a.local_frame.exponent > b.local_frame.exponent ? a.local_frame : b.local_frame;
  placement.exponent = larger.exponent;
  double scale = larger.scale;
  const double far = max_abs(half);
  if (!(far * scale < 0x1p60) && std::isfinite(far)) {
    placement.exponent = std::max(placement.exponent, std::ilogb(far) - 60);
    scale = std::ldexp(1.0, -placement.exponent);
  }
  const double scale_a = power(a.local_frame.exponent - placement.exponent);
  const double scale_b = power(b.local_frame.exponent - placement.exponent);
  const Vec3 apart = 2.0 * (scale * half);
  const double posing = 5.0 * (posing_error(a) + posing_error(b)) * scale;
  const double error = 1.74 * posing + 0x1p-49 * (2.0 * far * scale + scale_a + scale_b);
  const auto columns_a = columns(a.pose);
  const auto columns_b = columns(b.pose);
  Matrix products;  // [axis of a][axis of b]
  std::array<double, 3> from_a;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) products[i][j] = dot(columns_a[i], columns_b[j]);
    from_a[i] = dot(columns_a[i], apart);
  }
  const auto turn_a = [&](std::size_t i, std::size_t k) { return products[k][i]; };
  const auto turn_b = [&](std::size_t i, std::size_t k) { return products[i][k]; };
  const auto separated_by = [&](double gap) {
    gap *= 1.0 - 0x1p-14;
    if (gap > placement.gap && gap < kInfinity) placement.gap = gap;
    placement.roots_separated = placement.gap > 0.0;
    return placement.roots_separated && !measure;
  };
  const Viewer viewer_a(from_a, scale_a, scale_b, error);
  // The axes of a's local frame first: they take a third of the work of the oriented boxes.
  if (separated_by(viewer_a.gap(turn_a, Root(a), Root(b)) * viewer_a.unit)) return placement;
  if (separated_by(viewer_a.gap(products, a.root, b.root, measure) * viewer_a.unit)) return placement;
  if (placement.roots_separated) return placement;
  std::array<double, 3> from_b;
  for (std::size_t i = 0; i < 3; ++i) from_b[i] = -dot(columns_b[i], apart);
  const Viewer viewer_b(from_b, scale_b, scale_a, error);
  viewer_a.fill(placement.a, turn_a);
  viewer_b.fill(placement.b, turn_b);
  return placement;
}

}  // namespace graze::rigid

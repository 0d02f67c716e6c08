// Bounds of triangle distances, compiled by Highway once for each instruction set. See the header.
#include "rigid/distance/triangle_bounds.hpp"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rigid/distance/triangle_bounds.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef GRAZE_RIGID_DISTANCE_TRIANGLE_BOUNDS_ONCE
#define GRAZE_RIGID_DISTANCE_TRIANGLE_BOUNDS_ONCE
namespace graze::rigid {

namespace {

/// Corners of the pairs, by lane: a's, then b's.
struct alignas(64) Gathered {
  double at[2][3][3][kWide];
};

}  // namespace

}  // namespace graze::rigid
#endif

HWY_BEFORE_NAMESPACE();
namespace graze::rigid {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, kWide>;
using Wide = hn::Vec<Doubles>;

constexpr double kError = 128.0 * 0x1p-53;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Below these, lengths and areas give no weights: edge pairs then start from an end, faces are left out.
constexpr double kNoLength = 0x1p-500;
constexpr double kNoArea = 0x1p-800;

struct Points {
  Wide x;
  Wide y;
  Wide z;
};
HWY_INLINE Wide all(double value) {
  return hn::Set(Doubles(), value);
}
HWY_INLINE Points minus(const Points& a, const Points& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Points along(const Points& a, Wide s, const Points& b) {
  return {hn::Add(a.x, hn::Mul(s, b.x)), hn::Add(a.y, hn::Mul(s, b.y)), hn::Add(a.z, hn::Mul(s, b.z))};
}
HWY_INLINE Points back_along(const Points& a, Wide s, const Points& b) {
  return {hn::Sub(a.x, hn::Mul(s, b.x)), hn::Sub(a.y, hn::Mul(s, b.y)), hn::Sub(a.z, hn::Mul(s, b.z))};
}
HWY_INLINE Wide dot(const Points& a, const Points& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
HWY_INLINE Points cross(const Points& a, const Points& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)), hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}
HWY_INLINE Wide clamped(Wide s) {
  const Doubles d;
  return hn::Min(hn::Max(s, hn::Zero(d)), hn::Set(d, 1.0));
}
/// 1 / x, or 0 where x is at most `least`.
HWY_INLINE Wide inverse(Wide x, double least) {
  const Doubles d;
  const auto usable = hn::Gt(x, hn::Set(d, least));
  const Wide one = hn::Set(d, 1.0);
  return hn::IfThenElseZero(usable, hn::Div(one, hn::IfThenElse(usable, x, one)));
}

HWY_INLINE Points select(hn::Mask<Doubles> mask, const Points& yes, const Points& no) {
  return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y), hn::IfThenElse(mask, yes.z, no.z)};
}

/// The least difference of points so far, from the point of b to the point of a.
struct Least {
  Points x;
  Wide square;
  // The edges of the nearest pair of edges, and the normals of both faces.
  Points edge_a;
  Points edge_b;
  Points normal_a;
  Points normal_b;

  HWY_INLINE hn::Mask<Doubles> offer(const Points& other, Wide other_square) {
    const auto nearer = hn::Lt(other_square, square);
    x = select(nearer, other, x);
    square = hn::IfThenElse(nearer, other_square, square);
    return nearer;
  }
};

HWY_INLINE void edges_and_edges(const Points (&a)[3], const Points (&b)[3], Least& least) {
  const Doubles d;
  const Wide zero = hn::Zero(d);
  const Wide one = all(1.0);
  Points f[3];
  Wide ff[3];
  Wide inverse_ff[3];
  for (std::size_t j = 0; j < 3; ++j) {
    f[j] = minus(b[(j + 1) % 3], b[j]);
    ff[j] = dot(f[j], f[j]);
    inverse_ff[j] = inverse(ff[j], kNoLength);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const Points e = minus(a[(i + 1) % 3], a[i]);
    const Wide ee = dot(e, e);
    const Wide inverse_ee = inverse(ee, kNoLength);
    for (std::size_t j = 0; j < 3; ++j) {
      const Points r = minus(a[i], b[j]);
      const Wide ef = dot(e, f[j]);
      const Wide er = dot(e, r);
      const Wide fr = dot(f[j], r);
      const Wide determinant = hn::Sub(hn::Mul(ee, ff[j]), hn::Mul(ef, ef));
      Wide s = clamped(hn::Mul(hn::Sub(hn::Mul(ef, fr), hn::Mul(er, ff[j])), inverse(determinant, kNoArea)));
      const Wide free = hn::Mul(hn::Add(hn::Mul(ef, s), fr), inverse_ff[j]);
      const Wide t = clamped(free);
      const auto moved = hn::Or(hn::Lt(free, zero), hn::Gt(free, one));
      // With t at an end, or without an edge of b, s is the point of a's edge nearest to it.
      const auto again = hn::Or(moved, hn::Not(hn::Gt(ff[j], all(kNoLength))));
      s = hn::IfThenElse(again, clamped(hn::Mul(hn::Sub(hn::Mul(ef, t), er), inverse_ee)), s);
      const Points x = back_along(along(r, s, e), t, f[j]);
      const auto nearer = least.offer(x, dot(x, x));
      least.edge_a = select(nearer, e, least.edge_a);
      least.edge_b = select(nearer, f[j], least.edge_b);
    }
  }
}

/// Projections of the corners of one triangle on the face of another. `of_a`: the corners are a's.
HWY_INLINE void corners_and_face(const Points (&corners)[3], const Points (&face)[3], bool of_a, Least& least) {
  const Doubles d;
  const Wide zero = hn::Zero(d);
  const Points e = minus(face[1], face[0]);
  const Points f = minus(face[2], face[0]);
  const Points n = cross(e, f);
  (of_a ? least.normal_b : least.normal_a) = n;
  const Wide nn = dot(n, n);
  const Wide inverse_nn = inverse(nn, kNoArea);
  const Points to_v = cross(f, n);
  const Points to_w = cross(n, e);
  const auto has_area = hn::Gt(nn, all(kNoArea));
  for (const Points& corner : corners) {
    const Points r = minus(corner, face[0]);
    const Wide v = dot(r, to_v);
    const Wide w = dot(r, to_w);
    const auto inside =
        hn::And(hn::And(hn::Ge(v, zero), hn::Ge(w, zero)), hn::And(hn::Le(hn::Add(v, w), nn), has_area));
    const Points x = back_along(back_along(r, hn::Mul(v, inverse_nn), e), hn::Mul(w, inverse_nn), f);
    const Wide square = hn::IfThenElse(inside, dot(x, x), all(kInfinity));
    const Points from_b{of_a ? x.x : hn::Neg(x.x), of_a ? x.y : hn::Neg(x.y), of_a ? x.z : hn::Neg(x.z)};
    least.offer(from_b, square);
  }
}

/// The gap between two triangles along a direction, per unit of length, and the direction itself.
struct Gap {
  Wide width;
  Points direction;

  /// Takes the gap along n, either way, if it is wider. Directions shorter than 2^-200 do not count.
  HWY_INLINE void offer(const Points (&a)[3], const Points (&b)[3], const Points& n) {
    const Wide a0 = dot(a[0], n);
    const Wide a1 = dot(a[1], n);
    const Wide a2 = dot(a[2], n);
    const Wide b0 = dot(b[0], n);
    const Wide b1 = dot(b[1], n);
    const Wide b2 = dot(b[2], n);
    const Wide forth = hn::Sub(hn::Min(a0, hn::Min(a1, a2)), hn::Max(b0, hn::Max(b1, b2)));
    const Wide back = hn::Sub(hn::Min(b0, hn::Min(b1, b2)), hn::Max(a0, hn::Max(a1, a2)));
    const Wide square = dot(n, n);
    const auto usable = hn::Gt(square, all(0x1p-400));
    const Wide wider = hn::IfThenElseZero(
        usable, hn::Div(hn::Max(forth, back), hn::Sqrt(hn::IfThenElse(usable, square, all(1.0)))));
    const auto better = hn::Gt(wider, width);
    const auto turned = hn::Gt(back, forth);
    const Points opposite{hn::Neg(n.x), hn::Neg(n.y), hn::Neg(n.z)};
    width = hn::IfThenElse(better, wider, width);
    direction = select(better, select(turned, opposite, n), direction);
  }
};

HWY_INLINE Wide largest(const Points& p) {
  return hn::Max(hn::Abs(p.x), hn::Max(hn::Abs(p.y), hn::Abs(p.z)));
}

HWY_INLINE void bounds_of(const Gathered& pairs, double scale, std::size_t lane, TriangleBounds& bounds) {
  const Doubles d;
  const auto load = [&](std::size_t side, std::size_t corner) HWY_ATTR {
    const auto& at = pairs.at[side][corner];
    return Points{hn::LoadU(d, at[0] + lane), hn::LoadU(d, at[1] + lane), hn::LoadU(d, at[2] + lane)};
  };
  const Points origin = load(0, 0);
  const Wide units = all(scale);
  const auto relative = [&](const Points& p) HWY_ATTR {
    const Points r = minus(p, origin);
    return Points{hn::Mul(units, r.x), hn::Mul(units, r.y), hn::Mul(units, r.z)};
  };
  const Points a[3] = {relative(origin), relative(load(0, 1)), relative(load(0, 2))};
  const Points b[3] = {relative(load(1, 0)), relative(load(1, 1)), relative(load(1, 2))};
  const Wide extent =
      hn::Max(hn::Max(largest(a[1]), largest(a[2])), hn::Max(largest(b[0]), hn::Max(largest(b[1]), largest(b[2]))));
  const Points none{all(0.0), all(0.0), all(0.0)};
  Least least{minus(a[0], b[0]), all(kInfinity), none, none, none, none};
  edges_and_edges(a, b, least);
  corners_and_face(a, b, true, least);
  corners_and_face(b, a, false, least);

  Gap gap{all(0.0), least.x};
  gap.offer(a, b, least.x);
  gap.offer(a, b, least.normal_a);
  gap.offer(a, b, least.normal_b);
  gap.offer(a, b, cross(least.edge_a, least.edge_b));
  const auto usable = hn::And(hn::Ge(extent, all(0x1p-80)), hn::Le(extent, all(0x1p80)));
  const Wide error = hn::Mul(extent, all(kError));
  const Wide lower = hn::IfThenElseZero(usable, hn::Max(hn::Sub(gap.width, error), hn::Zero(d)));
  hn::StoreU(lower, d, bounds.lower.data() + lane);
  hn::StoreU(hn::IfThenElse(usable, hn::Add(hn::Sqrt(least.square), error), all(kInfinity)), d,
             bounds.upper.data() + lane);
  hn::StoreU(hn::Neg(gap.direction.x), d, bounds.between[0].data() + lane);
  hn::StoreU(hn::Neg(gap.direction.y), d, bounds.between[1].data() + lane);
  hn::StoreU(hn::Neg(gap.direction.z), d, bounds.between[2].data() + lane);
}

void bounds_of_pairs(const Gathered& pairs, std::size_t count, double scale, TriangleBounds& bounds) {
  const Doubles d;
  for (std::size_t lane = 0; lane < count; lane += hn::Lanes(d)) bounds_of(pairs, scale, lane, bounds);
}

/// Least and largest projection of each triangle of a group.
void project(const PosedGroup& group, const Vec3& unit, double* low, double* high) {
  const Doubles d;
  for (std::size_t lane = 0; lane < kWide; lane += hn::Lanes(d)) {
    const Points n{all(unit.x), all(unit.y), all(unit.z)};
    const auto at = [&](std::size_t corner) HWY_ATTR {
      const auto& p = group.at[corner];
      return dot(n, Points{hn::LoadU(d, p[0].data() + lane), hn::LoadU(d, p[1].data() + lane),
                           hn::LoadU(d, p[2].data() + lane)});
    };
    const Wide p = at(0);
    const Wide q = at(1);
    const Wide r = at(2);
    hn::StoreU(hn::Min(p, hn::Min(q, r)), d, low + lane);
    hn::StoreU(hn::Max(p, hn::Max(q, r)), d, high + lane);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::rigid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::rigid {

HWY_EXPORT(bounds_of_pairs);
HWY_EXPORT(project);

std::size_t list_pairs(const PosedGroup& a, const PosedGroup& b, const PairFilter& filter,
                       std::array<LanePair, kWide * kWide>& pairs) {
  alignas(64) std::array<double, kWide> unused;
  alignas(64) std::array<double, kWide> high;
  alignas(64) std::array<double, kWide> low;
  HWY_DYNAMIC_DISPATCH(project)(a, filter.unit, unused.data(), high.data());
  HWY_DYNAMIC_DISPATCH(project)(b, filter.unit, low.data(), unused.data());
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < a.count; ++i) {
    for (std::uint32_t j = 0; j < b.count; ++j) {
      pairs[count] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j)};
      count += low[j] - high[i] >= filter.beyond ? 0U : 1U;  // keeps the pair if NaN
    }
  }
  return count;
}

void triangle_bounds(const PosedGroup& a, const PosedGroup& b, std::span<const LanePair> pairs, double scale,
                     TriangleBounds& bounds) {
  Gathered gathered;
  for (std::size_t i = 0; i < kWide; ++i) {
    const LanePair pair = pairs[i < pairs.size() ? i : 0];
    for (std::size_t corner = 0; corner < 3; ++corner) {
      for (std::size_t k = 0; k < 3; ++k) {
        gathered.at[0][corner][k][i] = a.at[corner][k][pair.a];
        gathered.at[1][corner][k][i] = b.at[corner][k][pair.b];
      }
    }
  }
  HWY_DYNAMIC_DISPATCH(bounds_of_pairs)(gathered, pairs.size(), scale, bounds);
}

}  // namespace graze::rigid
#endif

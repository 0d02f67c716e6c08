// Lower bounds of box distances, compiled by Highway once for each instruction set. See the header.
#include "rigid/distance/box_bounds.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rigid/distance/box_bounds.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::rigid {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, kWide>;
using Wide = hn::Vec<Doubles>;

HWY_INLINE Wide load(const float* lanes) {
  const Doubles d;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Doubles>(), lanes));
}
HWY_INLINE Wide all(double value) {
  return hn::Set(Doubles(), value);
}
HWY_INLINE Wide dot(const Wide (&v)[3], const Wide (&w)[3]) {
  return hn::Add(hn::Add(hn::Mul(v[0], w[0]), hn::Mul(v[1], w[1])), hn::Mul(v[2], w[2]));
}

HWY_INLINE Wide bounds_of(const FixedBox& fixed, const WideNode& others, std::size_t lane) {
  const Doubles d;
  const Wide zero = hn::Zero(d);
  const Wide scale = all(fixed.scale);
  const Wide margin = all(fixed.margin);
  Wide centre[3];
  Wide half[3];
  Wide axes[3][3];
  Wide turn[3][3];
  for (std::size_t k = 0; k < 3; ++k) {
    centre[k] = hn::Mul(scale, load(others.centre[k].data() + lane));
    half[k] = hn::Mul(scale, load(others.half[k].data() + lane));
    for (std::size_t j = 0; j < 3; ++j) {
      axes[j][k] = load(others.axes[j][k].data() + lane);
      turn[j][k] = all(fixed.turn[j][k]);
    }
  }
  const Wide half_of_fixed[3] = {all(fixed.half[0]), all(fixed.half[1]), all(fixed.half[2])};
  Wide from[3];
  for (std::size_t k = 0; k < 3; ++k) from[k] = hn::Add(all(fixed.from[k]), centre[k]);

  // t along the axes of both boxes, and the cosines between the axes.
  Wide along_fixed[3];
  Wide along_other[3];
  Wide cosine[3][3];
  for (std::size_t i = 0; i < 3; ++i) {
    along_fixed[i] = hn::Abs(hn::Add(all(fixed.offset[i]), dot(turn[i], centre)));
    along_other[i] = hn::Abs(dot(axes[i], from));
    for (std::size_t j = 0; j < 3; ++j) cosine[i][j] = hn::Abs(dot(turn[i], axes[j]));
  }
  Wide widest = all(-1e300);
  Wide squares_fixed = zero;
  Wide squares_other = zero;
  Wide reach = zero;
  for (std::size_t i = 0; i < 3; ++i) {
    const Wide gap = hn::Sub(hn::Sub(along_fixed[i], half_of_fixed[i]), dot(cosine[i], half));
    widest = hn::Max(widest, gap);
    const Wide positive = hn::Max(gap, zero);
    squares_fixed = hn::Add(squares_fixed, hn::Mul(positive, positive));
    reach = hn::Add(reach, hn::Mul(half_of_fixed[i], hn::Add(along_fixed[i], margin)));
  }
  for (std::size_t j = 0; j < 3; ++j) {
    const Wide cosines[3] = {cosine[0][j], cosine[1][j], cosine[2][j]};
    // half_of_fixed contains one margin, but the cosines may take it away.
    const Wide gap = hn::Sub(hn::Sub(along_other[j], hn::Add(half[j], margin)), dot(cosines, half_of_fixed));
    widest = hn::Max(widest, gap);
    const Wide positive = hn::Max(gap, zero);
    squares_other = hn::Add(squares_other, hn::Mul(positive, positive));
    reach = hn::Add(reach, hn::Mul(half[j], hn::Add(along_other[j], margin)));
  }
  const Wide squares = hn::Max(squares_fixed, squares_other);
  const Wide by_axes =
      hn::IfThenElse(hn::Gt(squares, zero), hn::Mul(hn::Sqrt(squares), all(1.0 - 0x1p-19)), widest);
  // The direction between the centres.
  const Wide length = hn::Max(
      hn::Sub(hn::Mul(hn::Sqrt(dot(from, from)), all(fixed.shrink)), hn::Add(margin, margin)), all(0x1p-300));
  const Wide by_centres = hn::Sub(hn::Sub(length, hn::Div(reach, length)), margin);
  // The direction of the closest points.
  const Wide direction[3] = {all(fixed.direction[0]), all(fixed.direction[1]), all(fixed.direction[2])};
  const Wide reaches[3] = {hn::Abs(dot(axes[0], direction)), hn::Abs(dot(axes[1], direction)),
                           hn::Abs(dot(axes[2], direction))};
  const Wide by_direction = hn::Sub(hn::Sub(hn::Add(all(fixed.along), dot(direction, centre)), dot(reaches, half)),
                                    all(fixed.reach + fixed.margin));
  return hn::Max(by_axes, hn::Max(by_centres, by_direction));
}

void bounds_of_eight(const FixedBox& fixed, const WideNode& others, double* bounds) {
  const Doubles d;
  for (std::size_t lane = 0; lane < kWide; lane += hn::Lanes(d))
    hn::StoreU(bounds_of(fixed, others, lane), d, bounds + lane);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::rigid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::rigid {

HWY_EXPORT(bounds_of_eight);

void box_bounds(const FixedBox& fixed, const WideNode& others, double* bounds) {
  HWY_DYNAMIC_DISPATCH(bounds_of_eight)(fixed, others, bounds);
}

}  // namespace graze::rigid
#endif

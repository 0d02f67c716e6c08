// The separating axis test of two moving triangles in floats (rigid/motion/moving_triangle_window.hpp), a lane for
// each direction. Included inside of namespace HWY_NAMESPACE once for each instruction set; therefore it has no
// include guard and no namespace.

#include "rigid/motion/moving_window.inl.hpp"

/// Factors of the cross products: 0 to 5 are edges, 6 and 7 the normals.
constexpr std::array<std::uint8_t, kSlabDirections> kFirst{0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 3, 6, 6, 6, 7, 7};
constexpr std::array<std::uint8_t, kSlabDirections> kSecond{3, 4, 5, 3, 4, 5, 3, 4, 5, 1, 4, 0, 1, 2, 3, 4};

HWY_INLINE FloatPoint product(const FloatPoint& a, const FloatPoint& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

HWY_INLINE bool narrow_pair(const ScaledPair& pair, Window& window) {
  const RowTag d;
  std::array<FloatPoint, 8> factors;
  std::copy(pair.edges.begin(), pair.edges.end(), factors.begin());
  factors[6] = product(factors[0], factors[1]);
  factors[7] = product(factors[3], factors[4]);
  alignas(64) std::array<SlabFrame::Row, 3> first;
  alignas(64) std::array<SlabFrame::Row, 3> second;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t k = 0; k < kSlabDirections; ++k) {
      first[axis][k] = factors[kFirst[k]][axis];
      second[axis][k] = factors[kSecond[k]][axis];
    }
  }
  TimedEnds a;
  TimedEnds b;
  for (std::size_t k = 0; k < kSlabDirections; k += kRowStep) {
    const auto ux = hn::Load(d, first[0].data() + k);
    const auto uy = hn::Load(d, first[1].data() + k);
    const auto uz = hn::Load(d, first[2].data() + k);
    const auto vx = hn::Load(d, second[0].data() + k);
    const auto vy = hn::Load(d, second[1].data() + k);
    const auto vz = hn::Load(d, second[2].data() + k);
    auto x = hn::Sub(hn::Mul(uy, vz), hn::Mul(uz, vy));
    auto y = hn::Sub(hn::Mul(uz, vx), hn::Mul(ux, vz));
    auto z = hn::Sub(hn::Mul(ux, vy), hn::Mul(uy, vx));
    const auto square = hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z));
    const auto factor = hn::IfThenElseZero(hn::Gt(square, hn::Set(d, 1e-30F)),
                                           hn::Div(hn::Set(d, 1.0F - 0x1p-20F), hn::Sqrt(square)));
    x = hn::Mul(x, factor);
    y = hn::Mul(y, factor);
    z = hn::Mul(z, factor);
    const auto turn = [&](const FloatPoint& n) HWY_ATTR {
      const auto cx = hn::Sub(hn::Mul(y, hn::Set(d, n[2])), hn::Mul(z, hn::Set(d, n[1])));
      const auto cy = hn::Sub(hn::Mul(z, hn::Set(d, n[0])), hn::Mul(x, hn::Set(d, n[2])));
      const auto cz = hn::Sub(hn::Mul(x, hn::Set(d, n[1])), hn::Mul(y, hn::Set(d, n[0])));
      return hn::Add(hn::Sqrt(hn::Add(hn::Add(hn::Mul(cx, cx), hn::Mul(cy, cy)), hn::Mul(cz, cz))),
                     hn::Set(d, 0x1p-20F));  // rounding of d, the axis and their product
    };
    const auto bend = hn::Add(hn::Mul(turn(pair.axis_a), hn::Set(d, pair.bend_a)),
                              hn::Mul(turn(pair.axis_b), hn::Set(d, pair.bend_b)));
    const auto margin = hn::Add(bend, hn::Set(d, pair.margin));
    for (std::size_t end = 0; end < 2; ++end) {
      const auto at = [&](const FloatPoint& p) HWY_ATTR {
        return hn::Add(hn::Add(hn::Mul(hn::Set(d, p[0]), x), hn::Mul(hn::Set(d, p[1]), y)),
                       hn::Mul(hn::Set(d, p[2]), z));
      };
      const auto a0 = at(pair.a[end][0]);
      const auto a1 = at(pair.a[end][1]);
      const auto a2 = at(pair.a[end][2]);
      hn::Store(hn::Min(a0, hn::Min(a1, a2)), d, a.lo[end].data() + k);
      hn::Store(hn::Max(a0, hn::Max(a1, a2)), d, a.hi[end].data() + k);
      const auto b0 = at(pair.b[end][0]);
      const auto b1 = at(pair.b[end][1]);
      const auto b2 = at(pair.b[end][2]);
      hn::Store(hn::Sub(hn::Min(b0, hn::Min(b1, b2)), margin), d, b.lo[end].data() + k);
      hn::Store(hn::Add(hn::Max(b0, hn::Max(b1, b2)), margin), d, b.hi[end].data() + k);
    }
  }
  return narrow_window(a, b, window);
}

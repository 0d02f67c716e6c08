// The last stage of a traversal over a slab of time (rigid/motion/moving_traversal.cpp): triangles of two leaf
// groups, placed at the ends of the window of the groups and tested in floats in SIMD lanes, first one triangle
// against a group along its normal, a lane for each triangle, then pairs
// (rigid/motion/moving_triangle_window.inl.hpp). Included inside of namespace HWY_NAMESPACE once for each
// instruction set; therefore it has no include guard and no namespace.

/// Places the triangles of leaf groups at times of a grid in the slab, and tests pairs of them.
class PlacedGroups {
 public:
  explicit PlacedGroups(const MovingSlab& slab)
      : slab_(slab),
        axis_a_(scaled_point(1.0, slab.a().motion.axis())),
        axis_b_(scaled_point(1.0, slab.b().motion.axis())) {
    const double eighth = slab.duration() * slab.duration() * (0.125 + 0x1p-20);
    bend_a_ = static_cast<float>(slab.a().acceleration_bound * eighth);
    bend_b_ = static_cast<float>(slab.b().acceleration_bound * eighth);
    margin_ =
        static_cast<float>(0x1p-18 * (slab.a().unit + slab.b().unit + slab.far()) + 2.0 * kGapMargin + 0x1p-120);
  }

  /// Both objects at a time of the grid.
  const GridPlaces& grid(std::size_t i) {
    GridPlaces& places = grid_[i];
    if (places.known) return places;
    places.known = true;
    const double t =
        i == kGridSteps ? slab_.t1() : slab_.t0() + static_cast<double>(i) / kGridSteps * slab_.duration();
    const Motion::Instant at_a = slab_.a().motion.at(t);
    const Motion::Instant at_b = slab_.b().motion.at(t);
    const Vec3 between = at_b.point(slab_.b().middle) - at_a.point(slab_.a().middle);
    for (std::size_t row = 0; row < 3; ++row) {
      places.rows_a[row] = scaled_point(slab_.a().unit, at_a.turn[row]);
      places.rows_b[row] = scaled_point(slab_.b().unit, at_b.turn[row]);
    }
    places.between = scaled_point(1.0, between);
    return places;
  }
  static FloatPoint scaled_point(double scale, const Vec3& x) {
    return {static_cast<float>(scale * x.x), static_cast<float>(scale * x.y), static_cast<float>(scale * x.z)};
  }

  static HWY_INLINE void place(const GroupSlot& group, const std::array<FloatPoint, 3>& rows,
                               const FloatPoint& origin, std::array<std::array<LaneRow, 3>, 3>& points) {
    const RowTag d;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      for (std::size_t k = 0; k < kLeafGroupSize; k += kRowStep) {
        const auto x = hn::Load(d, group.corners[corner][0].data() + k);
        const auto y = hn::Load(d, group.corners[corner][1].data() + k);
        const auto z = hn::Load(d, group.corners[corner][2].data() + k);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const auto sum =
              hn::Add(hn::Add(hn::Mul(x, hn::Set(d, rows[axis][0])), hn::Mul(y, hn::Set(d, rows[axis][1]))),
                      hn::Mul(z, hn::Set(d, rows[axis][2])));
          hn::Store(hn::Add(sum, hn::Set(d, origin[axis])), d, points[corner][axis].data() + k);
        }
      }
    }
  }

  /// The triangles of a group that the normal of a triangle does not separate from it throughout the window.
  HWY_INLINE std::uint64_t near_plane(const std::array<std::array<FloatPoint, 3>, 2>& corners,
                                      const FloatPoint (&middle)[3], const GroupPoints& others, float share) const {
    const auto difference = [](const FloatPoint& p, const FloatPoint& q) {
      return FloatPoint{p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    };
    FloatPoint n = product(difference(middle[1], middle[0]), difference(middle[2], middle[0]));
    const float square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if (!(square > 1e-30F)) return ~std::uint64_t{0};
    const float factor = (1.0F - 0x1p-20F) / std::sqrt(square);
    for (float& x : n) x *= factor;
    const auto across = [&](const FloatPoint& axis) {
      const FloatPoint c = product(n, axis);
      return std::sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) + 0x1p-20F;
    };
    const float margin = margin_ + share * share * (across(axis_a_) * bend_a_ + across(axis_b_) * bend_b_);
    const RowTag d;
    const auto at = [&](const FloatPoint& p) { return p[0] * n[0] + p[1] * n[1] + p[2] * n[2]; };
    std::uint64_t result = 0;
    for (std::size_t k = 0; k < kLeafGroupSize; k += kRowStep) {
      hn::Vec<RowTag> above[2];
      hn::Vec<RowTag> below[2];
      for (std::size_t end = 0; end < 2; ++end) {
        const float a0 = at(corners[end][0]);
        const float a1 = at(corners[end][1]);
        const float a2 = at(corners[end][2]);
        const auto lo_a = hn::Set(d, std::min(a0, std::min(a1, a2)) - margin);
        const auto hi_a = hn::Set(d, std::max(a0, std::max(a1, a2)) + margin);
        const auto project = [&](std::size_t corner) HWY_ATTR {
          const auto& p = others.at[end][corner];
          return hn::Add(hn::Add(hn::Mul(hn::Load(d, p[0].data() + k), hn::Set(d, n[0])),
                                 hn::Mul(hn::Load(d, p[1].data() + k), hn::Set(d, n[1]))),
                         hn::Mul(hn::Load(d, p[2].data() + k), hn::Set(d, n[2])));
        };
        const auto b0 = project(0);
        const auto b1 = project(1);
        const auto b2 = project(2);
        above[end] = hn::Sub(hn::Min(b0, hn::Min(b1, b2)), hi_a);
        below[end] = hn::Sub(lo_a, hn::Max(b0, hn::Max(b1, b2)));
      }
      const auto zero = hn::Zero(d);
      const auto separated = hn::Or(hn::And(hn::Gt(above[0], zero), hn::Gt(above[1], zero)),
                                    hn::And(hn::Gt(below[0], zero), hn::Gt(below[1], zero)));
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(d, hn::Not(separated), bits);
      std::uint64_t word = 0;
      for (std::size_t byte = 0; byte < 2; ++byte) word |= std::uint64_t{bits[byte]} << (8 * byte);
      result |= word << k;
    }
    return result;
  }

  /// Whether the separating axis test leaves a window of a triangle and triangle j of the other group.
  HWY_INLINE bool near_pair(const std::array<std::array<FloatPoint, 3>, 2>& corners, const GroupPoints& others,
                            std::size_t j, float share, Window& own) const {
    ScaledPair pair;
    pair.a = corners;
    for (std::size_t end = 0; end < 2; ++end) {
      for (std::size_t corner = 0; corner < 3; ++corner) {
        for (std::size_t axis = 0; axis < 3; ++axis) pair.b[end][corner][axis] = others.at[end][corner][axis][j];
      }
    }
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::size_t next = (corner + 1) % 3;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        pair.edges[corner][axis] =
            (pair.a[0][next][axis] - pair.a[0][corner][axis]) + (pair.a[1][next][axis] - pair.a[1][corner][axis]);
        pair.edges[3 + corner][axis] =
            (pair.b[0][next][axis] - pair.b[0][corner][axis]) + (pair.b[1][next][axis] - pair.b[1][corner][axis]);
      }
    }
    pair.axis_a = axis_a_;
    pair.axis_b = axis_b_;
    pair.bend_a = share * share * bend_a_;
    pair.bend_b = share * share * bend_b_;
    pair.margin = margin_;
    return !narrow_pair(pair, own);
  }

 private:
  const MovingSlab& slab_;
  FloatPoint axis_a_;
  FloatPoint axis_b_;
  float bend_a_;  ///< curvature of the slab along a direction d with |d x axis| = 1
  float bend_b_;
  float margin_;  ///< rounding of GroupPoints and their projections: see the head of the file
  std::array<GridPlaces, kGridSteps + 1> grid_;
};

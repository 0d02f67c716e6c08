// Narrow phase kernels: posed triangles, one per SIMD lane, and what the two stages of triangle_pairs.cpp compute
// of them. That file includes this one inside HWY_NAMESPACE, after hn, kError and kTiny. Therefore it has no
// include guard and no namespace. Operations round once each, none is fused, in the order of posed().

template <class D>
constexpr std::size_t lane_count() {
#if HWY_TARGET == HWY_SCALAR
  return 1;
#else
  return hn::MaxLanes(D());
#endif
}

/// Points or vectors, one per lane.
template <class D>
struct Points {
  hn::Vec<D> x;
  hn::Vec<D> y;
  hn::Vec<D> z;
};
template <class D>
HWY_INLINE Points<D> minus(const Points<D>& a, const Points<D>& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
template <class D>
HWY_INLINE Points<D> abs(const Points<D>& a) {
  return {hn::Abs(a.x), hn::Abs(a.y), hn::Abs(a.z)};
}
template <class D>
HWY_INLINE Points<D> select(hn::Mask<D> mask, const Points<D>& yes, const Points<D>& no) {
  return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y), hn::IfThenElse(mask, yes.z, no.z)};
}
template <class D>
HWY_INLINE hn::Vec<D> dot(const Points<D>& a, const Points<D>& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}

/// A cross product, and the sums of the magnitudes of its terms, for the error bound.
template <class D>
struct Normal {
  Points<D> n;
  Points<D> size;
};
template <class D>
HWY_INLINE Normal<D> cross(const Points<D>& a, const Points<D>& b) {
  const Points<D> left{hn::Mul(a.y, b.z), hn::Mul(a.z, b.x), hn::Mul(a.x, b.y)};
  const Points<D> right{hn::Mul(a.z, b.y), hn::Mul(a.x, b.z), hn::Mul(a.y, b.x)};
  return {minus(left, right),
          {hn::Add(hn::Abs(left.x), hn::Abs(right.x)), hn::Add(hn::Abs(left.y), hn::Abs(right.y)),
           hn::Add(hn::Abs(left.z), hn::Abs(right.z))}};
}

/// P + kTiny (1 + sum |d_k|); the head of triangle_pairs.cpp defines P.
template <class D>
HWY_INLINE hn::Vec<D> permanent(const Points<D>& size, const Points<D>& d) {
  const D tag;
  const auto sum = hn::Add(hn::Add(d.x, d.y), d.z);
  return hn::Add(dot(size, d), hn::Mul(hn::Set(tag, kTiny), hn::Add(sum, hn::Set(tag, 1.0))));
}

template <class D>
struct Corners {
  Points<D> at[3];
};

/// Transposes the rows of one point per lane into columns. Precondition: one double beyond the end of each row is
/// readable.
template <class D>
HWY_INLINE Points<D> columns(const double* const* rows) {
  const D d;
  constexpr std::size_t kLanes = lane_count<D>();
  if constexpr (kLanes == 1) {
    return {hn::LoadU(d, rows[0]), hn::LoadU(d, rows[0] + 1), hn::LoadU(d, rows[0] + 2)};
#if HWY_TARGET != HWY_SCALAR
  } else if constexpr (kLanes == 2) {
    const auto a = hn::LoadU(d, rows[0]);
    const auto b = hn::LoadU(d, rows[1]);
    return {hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b),
            hn::InterleaveLower(d, hn::LoadU(d, rows[0] + 2), hn::LoadU(d, rows[1] + 2))};
#endif
#if HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE
  } else if constexpr (kLanes == 4) {
    const auto r0 = hn::LoadU(d, rows[0]);
    const auto r1 = hn::LoadU(d, rows[1]);
    const auto r2 = hn::LoadU(d, rows[2]);
    const auto r3 = hn::LoadU(d, rows[3]);
    const auto low_01 = hn::InterleaveLower(d, r0, r1);  // x0 x1 z0 z1
    const auto low_23 = hn::InterleaveLower(d, r2, r3);
    const auto high_01 = hn::InterleaveUpper(d, r0, r1);  // y0 y1
    const auto high_23 = hn::InterleaveUpper(d, r2, r3);
    return {hn::ConcatLowerLower(d, low_23, low_01), hn::ConcatLowerLower(d, high_23, high_01),
            hn::ConcatUpperUpper(d, low_23, low_01)};
#endif
#if HWY_MAX_BYTES >= 64 && !HWY_HAVE_SCALABLE
  } else if constexpr (kLanes == 8) {
    const hn::Half<D> half;
    // Rows i and i + 4 share a register.
    const auto load = [&](int i) HWY_ATTR {
      return hn::Combine(d, hn::LoadU(half, rows[i + 4]), hn::LoadU(half, rows[i]));
    };
    const auto r0 = load(0);
    const auto r1 = load(1);
    const auto r2 = load(2);
    const auto r3 = load(3);
    const auto low_01 = hn::InterleaveLower(d, r0, r1);  // x0 x1 z0 z1, x4 x5 z4 z5
    const auto low_23 = hn::InterleaveLower(d, r2, r3);
    const auto high_01 = hn::InterleaveUpper(d, r0, r1);
    const auto high_23 = hn::InterleaveUpper(d, r2, r3);
    return {hn::OddEvenBlocks(hn::SwapAdjacentBlocks(low_23), low_01),
            hn::OddEvenBlocks(hn::SwapAdjacentBlocks(high_23), high_01),
            hn::OddEvenBlocks(low_23, hn::SwapAdjacentBlocks(low_01))};
#endif
  }
}

/// A posed mesh prepared for many gathers. No double follows the last position in memory, so that position is read
/// from a copy.
struct Object {
  explicit Object(const PosedTriangles& from)
      : positions(from.positions.data()), triangles(from.triangles.data()), pose(from.pose) {
    if (from.positions.empty()) return;
    const Vec3& p = from.positions.back();
    last = &p;
    copy[0] = p.x;
    copy[1] = p.y;
    copy[2] = p.z;
  }
  const double* row(VertexId v) const {
    const Vec3* p = positions + v;
    return p == last ? copy : &p->x;
  }

  const Vec3* positions;
  const Triangle* triangles;
  const Pose& pose;
  const Vec3* last = nullptr;
  double copy[4] = {};
};

template <class D>
HWY_INLINE Points<D> pose_points(const Pose& pose, const Points<D>& p) {
  const D d;
  const auto row = [&](const Vec3& r, double t) HWY_ATTR {
    const Points<D> all{hn::Set(d, r.x), hn::Set(d, r.y), hn::Set(d, r.z)};
    return hn::Add(dot(all, p), hn::Set(d, t));
  };
  return {row(pose.rotation[0], pose.translation.x), row(pose.rotation[1], pose.translation.y),
          row(pose.rotation[2], pose.translation.z)};
}

/// The posed corners of one triangle per lane.
template <class D>
HWY_INLINE Corners<D> gather(const Object& object, const TriangleId* ids) {
  constexpr std::size_t kLanes = lane_count<D>();
  const double* rows[3][kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const Triangle& triangle = object.triangles[ids[lane]];
    for (std::size_t i = 0; i < 3; ++i) rows[i][lane] = object.row(triangle[i]);
  }
  Corners<D> corners;
  for (std::size_t i = 0; i < 3; ++i) corners.at[i] = pose_points<D>(object.pose, columns<D>(rows[i]));
  return corners;
}

/// A triangle seen from its lone corner: the edges to the other two corners in the order of their indices.
template <class D>
struct Lone {
  Points<D> corner;
  Points<D> first;
  Points<D> second;
  Points<D> to_first;
  Points<D> to_second;
  hn::Mask<D> middle;    ///< the lone corner is corner 1; the other two are then not in cyclic order
  hn::Mask<D> negative;  ///< the lone corner is on the negative side
};
/// The lone corner of each triangle, from the corners that are on the negative side. The result is meaningless in
/// lanes where all sides are equal.
template <class D>
HWY_INLINE Lone<D> lone_corner(const Corners<D>& t, const hn::Mask<D> (&negative)[3]) {
  const auto& [n0, n1, n2] = negative;
  const auto differ_01 = hn::Xor(n0, n1);
  const auto differ_12 = hn::Xor(n1, n2);
  const auto middle = hn::And(differ_01, differ_12);
  const auto last = hn::AndNot(differ_01, differ_12);
  const auto first = hn::AndNot(differ_12, differ_01);
  const Points<D> corner = select<D>(middle, t.at[1], select<D>(last, t.at[2], t.at[0]));
  const Points<D> one = select<D>(first, t.at[1], t.at[0]);
  const Points<D> other = select<D>(last, t.at[1], t.at[2]);
  return {corner, one, other, minus(one, corner), minus(other, corner), middle, hn::Xor(differ_01, n2)};
}

/// f(u, v) of the head of triangle_pairs.cpp, and its error bound.
template <class D>
struct Order {
  hn::Vec<D> f;
  hn::Vec<D> bound;
};
template <class D>
HWY_INLINE Order<D> order_of(const Points<D>& between, const Points<D>& abs_components, const Points<D>& to_v,
                             const Points<D>& to_u) {
  const Normal<D> normal = cross(to_v, to_u);
  return {dot(normal.n, between), hn::Mul(hn::Set(D(), kError), permanent<D>(normal.size, abs_components))};
}

/// The order of the ends of two triangles on their line of intersection: they intersect iff two conditions hold,
/// each that edge p-u of a cuts the line not beyond edge o-v of b. A condition holds strictly, fails, or neither is
/// certain.
template <class D>
struct LineOrder {
  Points<D> p, u_one, u_two;
  Points<D> o, v_one, v_two;
  hn::Mask<D> one_holds, one_fails;
  hn::Mask<D> two_holds, two_fails;
};
template <class D>
HWY_INLINE LineOrder<D> order_on_line(const Lone<D>& p, const Lone<D>& o) {
  const D d;
  const Points<D> between = minus(o.corner, p.corner);
  const Points<D> abs_components = abs(between);
  // The order of the other two corners along the line: first to second, or second to first in the lanes `late`.
  const auto late_a = hn::Not(hn::Xor(o.negative, p.middle));
  const auto late_b = hn::Xor(p.negative, o.middle);
  const auto same = hn::Not(hn::Xor(late_a, late_b));
  // Compare the first corner of a with the corner of b at the other end of its interval, and the second likewise.
  const Order<D> one = order_of(between, abs_components, select<D>(same, o.to_second, o.to_first), p.to_first);
  const Order<D> two = order_of(between, abs_components, select<D>(same, o.to_first, o.to_second), p.to_second);
  // The sign is of (end of b) - (start of a) if a is in order; otherwise of (start of b) - (end of a), which must
  // be negative.
  const auto flip = hn::IfThenElseZero(late_a, hn::Set(d, -0.0));
  const auto f_one = hn::Xor(one.f, flip);
  const auto f_two = hn::Xor(two.f, hn::Xor(flip, hn::Set(d, -0.0)));
  return {p.corner,
          p.first,
          p.second,
          o.corner,
          select<D>(same, o.second, o.first),
          select<D>(same, o.first, o.second),
          hn::Gt(f_one, one.bound),
          hn::Gt(hn::Neg(one.bound), f_one),
          hn::Gt(f_two, two.bound),
          hn::Gt(hn::Neg(two.bound), f_two)};
}

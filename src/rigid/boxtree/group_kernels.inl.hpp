// Separating axis tests of a group traversal (rigid/boxtree/group_traversal.cpp) in SIMD lanes: a box against
// boxes, a triangle against boxes or a box against triangles, a triangle against triangles. Included inside of
// namespace HWY_NAMESPACE once for each instruction set; therefore it has no include guard and no namespace.
//
// All points are in the frame of the object whose volumes fill the lanes. View::margin says why a direction s with
// |s| <= 1 separates two volumes if their intervals along it, computed here, are farther apart than the margin.

using Lanes = hn::CappedTag<float, GroupTree::kWidth>;
using Floats = hn::Vec<Lanes>;
#if HWY_TARGET == HWY_SCALAR
constexpr std::size_t kStep = 1;
#else
constexpr std::size_t kStep = hn::MaxLanes(Lanes());
#endif

HWY_INLINE Floats set(float x) {
  return hn::Set(Lanes(), x);
}
HWY_INLINE Floats plus(Floats a, Floats b, Floats c) {
  return hn::Add(hn::Add(a, b), c);
}

struct Points {
  Floats x;
  Floats y;
  Floats z;
};
HWY_INLINE Points set(const std::array<float, 3>& p) {
  return {set(p[0]), set(p[1]), set(p[2])};
}
HWY_INLINE Points minus(const Points& a, const Points& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Floats dot(const Points& a, const Points& b) {
  return plus(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y), hn::Mul(a.z, b.z));
}
HWY_INLINE Points cross(const Points& a, const Points& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)), hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}
HWY_INLINE Floats least(Floats a, Floats b, Floats c) {
  return hn::Min(a, hn::Min(b, c));
}
HWY_INLINE Floats largest(Floats a, Floats b, Floats c) {
  return hn::Max(a, hn::Max(b, c));
}

/// Collects the verdicts of several directions. With kMeasure also the widest gap, for directions of length 1.
template <bool kMeasure>
class Separation {
 public:
  Separation() : widest_(hn::Zero(Lanes())), separated_(hn::Gt(widest_, widest_)) {}

  /// Volumes whose centres (or nearest ends) are `distance` apart and that extend by `extent` in all. NaN never
  /// separates.
  HWY_INLINE void along(Floats distance, Floats extent) {
    if constexpr (kMeasure) {
      const auto gap = hn::Sub(distance, extent);
      widest_ = hn::IfThenElse(hn::Gt(gap, widest_), gap, widest_);
    } else {
      separated_ = hn::Or(separated_, hn::Gt(distance, extent));
    }
  }
  /// The same for a direction that is not longer than `length`.
  HWY_INLINE void along(Floats distance, Floats extent, Floats length) {
    if constexpr (kMeasure) {
      const auto gap = hn::Div(hn::Sub(distance, extent), length);
      widest_ = hn::IfThenElse(hn::Gt(gap, widest_), gap, widest_);
    } else {
      along(distance, extent);
    }
  }
  [[nodiscard]] HWY_INLINE hn::Mask<Lanes> mask() const {
    if constexpr (kMeasure) return hn::Gt(widest_, hn::Zero(Lanes()));
    return separated_;
  }
  [[nodiscard]] HWY_INLINE Floats widest() const { return widest_; }
  /// Whether further directions make no difference. Gaps take all of them, whatever the other lanes of a register
  /// are.
  [[nodiscard]] HWY_INLINE bool complete(hn::Mask<Lanes> invalid) const {
    return !kMeasure && hn::AllTrue(Lanes(), hn::Or(separated_, invalid));
  }

 private:
  Floats widest_;
  hn::Mask<Lanes> separated_;
};

/// Relative depth of an overlap: the least, over some directions, of the part of the extent that overlaps. Only
/// computed if asked for, from the numbers of the directions.
class Depth {
 public:
  HWY_INLINE void along(std::size_t direction, Floats distance, Floats extent) {
    distances_[direction] = distance;
    extents_[direction] = extent;
  }
  template <std::size_t kCount>
  [[nodiscard]] HWY_INLINE Floats value() const {
    static_assert(kCount == 3 || kCount == 6);
    // In pairs: comparisons one after the other take their latency each.
    Floats part[kCount];
    Floats whole[kCount];
    for (std::size_t n = 0; n < kCount; ++n) {
      part[n] = hn::Sub(extents_[n], distances_[n]);
      whole[n] = extents_[n];
    }
    const auto keep_smaller = [&](std::size_t a, std::size_t b) HWY_ATTR {
      const auto smaller = hn::Lt(hn::Mul(part[b], whole[a]), hn::Mul(part[a], whole[b]));
      part[a] = hn::IfThenElse(smaller, part[b], part[a]);
      whole[a] = hn::IfThenElse(smaller, whole[b], whole[a]);
    };
    if constexpr (kCount == 6) {
      for (std::size_t n = 0; n < 3; ++n) keep_smaller(n, n + 3);
    }
    keep_smaller(0, 1);
    keep_smaller(0, 2);
    return hn::Div(part[0], whole[0]);
  }

 private:
  Floats distances_[6];
  Floats extents_[6];
};

struct Boxes {
  Points centre;
  Points axes[3];
  Floats half[3];
};

/// Loads boxes as decode() does, from the column `row` points to.
HWY_INLINE Boxes load_boxes(const std::int16_t* row, std::size_t stride) {
  const Lanes d;
  const hn::Rebind<std::int16_t, Lanes> d16;
  const hn::Rebind<std::int32_t, Lanes> d32;
  const auto unit = hn::Set(d, GroupTree::kUnit);
  const auto number = [&](std::size_t r) HWY_ATTR {
    return hn::Mul(hn::ConvertTo(d, hn::PromoteTo(d32, hn::LoadU(d16, row + r * stride))), unit);
  };
  const auto half = [&](std::size_t r) HWY_ATTR {
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(d32, hn::LoadU(d16, row + r * stride))));
  };
  Boxes boxes;
  boxes.centre = {number(0), number(1), number(2)};
  const auto x = number(3);
  const auto y = number(4);
  const auto z = number(5);
  const auto one = hn::Set(d, 1.0F);
  const auto two = hn::Set(d, 2.0F);
  const auto xx = hn::Mul(x, x);
  const auto yy = hn::Mul(y, y);
  const auto zz = hn::Mul(z, z);
  const auto w = hn::Sqrt(hn::Max(hn::Sub(one, hn::Add(hn::Add(xx, yy), zz)), hn::Zero(d)));
  const auto xy = hn::Mul(x, y);
  const auto xz = hn::Mul(x, z);
  const auto yz = hn::Mul(y, z);
  const auto wx = hn::Mul(w, x);
  const auto wy = hn::Mul(w, y);
  const auto wz = hn::Mul(w, z);
  const auto diagonal = [&](Floats a, Floats b) HWY_ATTR { return hn::Sub(one, hn::Mul(two, hn::Add(a, b))); };
  const auto sum = [&](Floats a, Floats b) HWY_ATTR { return hn::Mul(two, hn::Add(a, b)); };
  const auto difference = [&](Floats a, Floats b) HWY_ATTR { return hn::Mul(two, hn::Sub(a, b)); };
  boxes.axes[0] = {diagonal(yy, zz), difference(xy, wz), sum(xz, wy)};
  boxes.axes[1] = {sum(xy, wz), diagonal(xx, zz), difference(yz, wx)};
  boxes.axes[2] = {difference(xz, wy), sum(yz, wx), diagonal(xx, yy)};
  for (std::size_t i = 0; i < 3; ++i) boxes.half[i] = half(6 + i);
  return boxes;
}

/// Tests a box of the other object against boxes, along the 15 directions of their axes. `invalid`: lanes that do
/// not matter.
template <class Verdict, bool kDepth>
HWY_INLINE void box_against_boxes(const Boxes& own, const PlacedBox& other, hn::Mask<Lanes> invalid,
                                  Verdict& verdict, Depth& depth) {
  const Points between = minus(set(other.centre), own.centre);
  const auto margin =
      hn::Add(set(other.margin), hn::Mul(set(kOwnSkew), plus(own.half[0], own.half[1], own.half[2])));
  Floats t[3];
  Floats c[3][3];     // [own axis][other axis]
  Floats size[3][3];  // magnitudes of c
  const Points axes[3] = {set(other.axes[0]), set(other.axes[1]), set(other.axes[2])};
  const Floats half[3] = {set(other.half[0]), set(other.half[1]), set(other.half[2])};
  for (std::size_t i = 0; i < 3; ++i) {
    t[i] = dot(own.axes[i], between);
    for (std::size_t j = 0; j < 3; ++j) {
      c[i][j] = dot(own.axes[i], axes[j]);
      size[i][j] = hn::Abs(c[i][j]);
    }
    const auto extent = plus(plus(own.half[i], hn::Mul(size[i][0], half[0]), hn::Mul(size[i][1], half[1])),
                             hn::Mul(size[i][2], half[2]), margin);
    const auto distance = hn::Abs(t[i]);
    verdict.along(distance, extent);
    if constexpr (kDepth) depth.along(i, distance, extent);
  }
  for (std::size_t j = 0; j < 3; ++j) {
    const auto extent = plus(plus(half[j], hn::Mul(size[0][j], own.half[0]), hn::Mul(size[1][j], own.half[1])),
                             hn::Mul(size[2][j], own.half[2]), margin);
    const auto distance = hn::Abs(dot(axes[j], between));
    verdict.along(distance, extent);
    if constexpr (kDepth) depth.along(3 + j, distance, extent);
  }
  if (verdict.complete(invalid)) return;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t i1 = (i + 1) % 3;
    const std::size_t i2 = (i + 2) % 3;
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t j1 = (j + 1) % 3;
      const std::size_t j2 = (j + 2) % 3;
      const auto distance = hn::Abs(hn::Sub(hn::Mul(c[i1][j], t[i2]), hn::Mul(c[i2][j], t[i1])));
      const auto of_own = hn::Add(hn::Mul(own.half[i1], size[i2][j]), hn::Mul(own.half[i2], size[i1][j]));
      const auto of_other = hn::Add(hn::Mul(half[j1], size[i][j2]), hn::Mul(half[j2], size[i][j1]));
      verdict.along(distance, plus(of_own, of_other, margin));
    }
  }
}

struct Triangles {
  Points corners[3];
  Points normal;  ///< of length 1, or 0
};

/// Tests triangles against boxes, along the axes of the boxes, the normals, and the cross products of axes and
/// edges.
template <class Verdict, bool kDepth>
HWY_INLINE void triangles_against_boxes(const Triangles& triangles, const Boxes& boxes, Floats margin,
                                        hn::Mask<Lanes> invalid, Verdict& verdict, Depth& depth) {
  Points from_centre[3];
  Floats t[3][3];  // [corner][axis]
  for (std::size_t k = 0; k < 3; ++k) {
    from_centre[k] = minus(triangles.corners[k], boxes.centre);
    for (std::size_t i = 0; i < 3; ++i) t[k][i] = dot(boxes.axes[i], from_centre[k]);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const auto lo = least(t[0][i], t[1][i], t[2][i]);
    const auto hi = largest(t[0][i], t[1][i], t[2][i]);
    const auto distance = hn::Max(lo, hn::Neg(hi));
    const auto extent = hn::Add(boxes.half[i], margin);
    verdict.along(distance, extent);
    if constexpr (kDepth) {
      const auto half = hn::Mul(hn::Set(Lanes(), 0.5F), hn::Sub(hi, lo));
      depth.along(i, hn::Add(distance, half), hn::Add(extent, half));
    }
  }
  Floats extent = margin;
  for (std::size_t i = 0; i < 3; ++i)
    extent = hn::Add(extent, hn::Mul(boxes.half[i], hn::Abs(dot(triangles.normal, boxes.axes[i]))));
  const Floats along[3] = {dot(triangles.normal, from_centre[0]), dot(triangles.normal, from_centre[1]),
                           dot(triangles.normal, from_centre[2])};
  verdict.along(hn::Max(least(along[0], along[1], along[2]), hn::Neg(largest(along[0], along[1], along[2]))),
                extent);
  if (verdict.complete(invalid)) return;
  // Directions have the length of the edge: margins and gaps are in proportion. kTiny is for numbers that
  // underflow.
  constexpr float kTiny = 0x1p-120F;
  for (std::size_t k = 0; k < 3; ++k) {
    const Floats* const at = t[k];
    const Floats* const next = t[(k + 1) % 3];
    const Floats* const last = t[(k + 2) % 3];
    const Floats edge[3] = {hn::Sub(next[0], at[0]), hn::Sub(next[1], at[1]), hn::Sub(next[2], at[2])};
    const Floats size[3] = {hn::Abs(edge[0]), hn::Abs(edge[1]), hn::Abs(edge[2])};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t i1 = (i + 1) % 3;
      const std::size_t i2 = (i + 2) % 3;
      const auto one = hn::Sub(hn::Mul(edge[i1], at[i2]), hn::Mul(edge[i2], at[i1]));
      const auto other = hn::Sub(hn::Mul(edge[i1], last[i2]), hn::Mul(edge[i2], last[i1]));
      const auto of_box = hn::Add(hn::Mul(boxes.half[i2], size[i1]), hn::Mul(boxes.half[i1], size[i2]));
      const auto length = hn::Add(hn::Add(size[i1], size[i2]), set(kTiny));
      verdict.along(hn::Max(hn::Min(one, other), hn::Neg(hn::Max(one, other))),
                    plus(of_box, hn::Mul(length, margin), set(kTiny)), length);
    }
  }
}

/// Tests a triangle of the other object against triangles, along the axes of the frame and the normals of both.
template <class Verdict>
HWY_INLINE void triangle_against_triangles(const Points own[3], const Points& own_normal,
                                           const PlacedTriangle& other, Floats margin, Verdict& verdict) {
  const Points p[3] = {set(other.corners[0]), set(other.corners[1]), set(other.corners[2])};
  const auto gap = [&](Floats lo, Floats hi, Floats other_lo, Floats other_hi)
                       HWY_ATTR { verdict.along(hn::Max(hn::Sub(lo, other_hi), hn::Sub(other_lo, hi)), margin); };
  gap(least(own[0].x, own[1].x, own[2].x), largest(own[0].x, own[1].x, own[2].x), least(p[0].x, p[1].x, p[2].x),
      largest(p[0].x, p[1].x, p[2].x));
  gap(least(own[0].y, own[1].y, own[2].y), largest(own[0].y, own[1].y, own[2].y), least(p[0].y, p[1].y, p[2].y),
      largest(p[0].y, p[1].y, p[2].y));
  gap(least(own[0].z, own[1].z, own[2].z), largest(own[0].z, own[1].z, own[2].z), least(p[0].z, p[1].z, p[2].z),
      largest(p[0].z, p[1].z, p[2].z));
  const auto along_normal = [&](const Points& normal) HWY_ATTR {
    Floats of_own[3];
    Floats of_other[3];
    for (std::size_t k = 0; k < 3; ++k) {
      of_own[k] = dot(normal, minus(own[k], p[0]));
      of_other[k] = k == 0 ? hn::Zero(Lanes()) : dot(normal, minus(p[k], p[0]));
    }
    gap(least(of_own[0], of_own[1], of_own[2]), largest(of_own[0], of_own[1], of_own[2]),
        least(of_other[0], of_other[1], of_other[2]), largest(of_other[0], of_other[1], of_other[2]));
  };
  along_normal(set(other.normal));
  along_normal(own_normal);
}

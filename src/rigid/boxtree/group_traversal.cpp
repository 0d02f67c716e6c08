// Simultaneous traversal of two group trees, compiled by Highway once for each instruction set. See the header.
//
// Proof. Let the lanes hold volumes of one object, in its relative coordinates u. GroupView says where points of
// the other object lie. Volumes do not touch if along some direction s with |s| <= 1 + 2e-5 their intervals are
// farther apart than GroupView::margin. That contains 2^-18 (2 + 1.8 scale + |c|) for the rounding of coordinates
// and of their products, where c is the offset of the view: a difference of two points is at most sqrt(3) (1 + 1.8
// scale + |c|) long, each of its three projections errs by 2^-22 of that, a product of two axes by 2^-22, an edge
// by twice that of a projection; in all less than 2^-18.4 of the length for any test.
//
// Boxes. A point of a box is c + sum of x_i e_i, |x_i| <= h_i. Own axes are orthonormal within kAxisError = 2^-18;
// those of the other object, turned by S / scale, within 1.2e-5, because rotations are within 1e-6 and floats
// round. Along an axis e_i, along a product e_i x a_j, taken as (e_i1 . a_j) e_i2 - (e_i2 . a_j) e_i1, which is a
// direction whatever the axes are, and along a product of an own axis and an edge, the extents that orthonormal
// axes would give err by at most 3 kAxisError times the sum of h for own boxes, and by 3 x 1.2e-5 times that sum
// for boxes of the other object: kOwnSkew and kOtherSkew. Along axes a_j and normals extents are computed from the
// products of axes themselves.
//
// A product of an axis and an edge has the length of the edge as computed, and takes that share of the margin,
// which thus covers however short an edge. Every direction is used as computed, so its error plays no part.
// Comparisons with NaN are false and separate nothing; an infinite margin does not either. A finite margin is less
// than 2^60, and then, because the roots are not separated, so are differences of points; scales are at most 2^40:
// products of both are floats. Normals check their squares.
#include "rigid/boxtree/group_traversal.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rigid/boxtree/group_traversal.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef GRAZE_RIGID_GROUP_TRAVERSAL_ONCE
#define GRAZE_RIGID_GROUP_TRAVERSAL_ONCE
namespace graze::rigid {

namespace {

constexpr std::size_t kGroupSlots = 64;  // a power of two
constexpr std::uint32_t kNoGroup = 0xffffffffU;
constexpr std::uint8_t kNoTriangle = 0xff;
/// A leaf group is opened into its triangles if it is larger than this many times its partner.
constexpr float kOpenTriangles = 1.5F;
/// Steps of a first-hit search before it moves on to another pair.
constexpr std::size_t kBudget = 32;

/// A box of the other object in this object's frame.
struct PlacedBox {
  std::array<float, 3> centre{};
  std::array<std::array<float, 3>, 3> axes{};
  std::array<float, 3> half{};
  float margin = 0.0F;

  PlacedBox(const GroupBox& box, const GroupView& view) : centre(view.point(box.centre)) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) {
        axes[j][k] = (view.turn[0][k] * box.axes[j][0] + view.turn[1][k] * box.axes[j][1]) +
                     view.turn[2][k] * box.axes[j][2];
      }
      half[j] = view.scale * box.half[j];
    }
    margin = view.margin + kOtherSkew * ((half[0] + half[1]) + half[2]);
  }
};

/// A triangle of the other object in this object's frame.
struct PlacedTriangle {
  std::array<std::array<float, 3>, 3> corners{};
  std::array<float, 3> normal{};
};

float size_of(const GroupTree& tree, std::uint32_t block, std::uint32_t lane) {
  const std::size_t stride = tree.count(block);
  const std::int16_t* const row = tree.rows_of(block) + 6 * stride + lane;
  return (group_half(row[0]) + group_half(row[stride])) + group_half(row[2 * stride]);
}

}  // namespace

/// Triangles in one frame, a lane each.
struct alignas(64) TriangleRows {
  using Row = std::array<float, GroupTree::kWidth>;
  std::array<std::array<Row, 3>, 3> corners;  // [corner][coordinate]
  std::array<Row, 3> normal;
};

/// The triangles of a leaf group, in their own frame and in that of the other object.
struct alignas(64) GroupSlot {
  TriangleRows own;
  TriangleRows placed;
  std::array<TriangleId, GroupTree::kWidth> ids;
  std::uint32_t count;
};

/// Hash table of leaf groups. Each query starts with an empty table. Slots are used in order, so that the few slots
/// of a small query stay in the CPU cache.
struct GroupTable {
  std::array<std::uint32_t, kGroupSlots> roots;  // by hash: the boxtree node at the root of the leaf group
  std::array<std::uint8_t, kGroupSlots> slot_of;
  std::uint8_t used;
  std::array<GroupSlot, kGroupSlots> slots;
};

/// An open pair: a node of either tree, or a triangle of the leaf group at that node.
struct OpenPair {
  std::array<std::uint32_t, 2> node;  // block and lane
  std::array<std::uint8_t, 2> triangle;
  float depth;  // of the overlap; only for a search for the first hit
};

struct GroupTables::Tables {
  std::array<GroupTable, 2> tables;
  std::vector<OpenPair> open;
};

}  // namespace graze::rigid
#endif

HWY_BEFORE_NAMESPACE();
namespace graze::rigid {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#include "rigid/boxtree/group_kernels.inl.hpp"

static_assert(GroupTree::kWidth % kStep == 0);

/// One of the two objects of a traversal.
class GroupSide {
 public:
  GroupSide(const GroupTraversed& object, GroupTable& table) : view(object.view), object_(object), table_(table) {
    table.roots.fill(kNoGroup);
    table.used = 0;
  }

  const GroupView& view;

  [[nodiscard]] const GroupTree& groups() const { return object_.groups; }
  [[nodiscard]] std::uint32_t child(std::uint32_t node) const {
    return groups().children[groups().first[node / GroupTree::kWidth] + node % GroupTree::kWidth];
  }
  [[nodiscard]] GroupBox box(std::uint32_t node) const {
    return decode(groups(), node / GroupTree::kWidth, node % GroupTree::kWidth);
  }
  [[nodiscard]] float size(std::uint32_t node) const {
    return size_of(groups(), node / GroupTree::kWidth, node % GroupTree::kWidth);
  }

  /// The triangles of a leaf group. `other` is the other object's view of this one.
  HWY_INLINE const GroupSlot& slot(std::uint32_t root, const GroupView& other) {
    const std::size_t place = (root * 2654435761U) >> 26U;
    static_assert(kGroupSlots == 64);
    if (table_.roots[place] != root) {
      if (table_.roots[place] == kNoGroup) table_.slot_of[place] = table_.used++;
      table_.roots[place] = root;
      fill(root, other, table_.slots[table_.slot_of[place]]);
    }
    return table_.slots[table_.slot_of[place]];
  }

 private:
  HWY_NOINLINE void fill(std::uint32_t root, const GroupView& other, GroupSlot& slot) const {
    alignas(64) float points[3][GroupTree::kWidth][4];
    slot.count = 0;
    std::array<std::uint32_t, kLeafGroupSize> stack;
    std::size_t open = 1;
    stack[0] = root;
    while (open > 0) {
      const BoxNode& node = object_.tree.nodes[stack[--open]];
      if (!node.leaf()) {
        stack[open] = node.place();
        stack[open + 1] = node.place() + 1;
        open += 2;
        continue;
      }
      const std::size_t lane = slot.count++;
      slot.ids[lane] = node.place();
      const Triangle& triangle = object_.triangles[node.place()];
      for (std::size_t c = 0; c < 3; ++c) relative(object_.positions[triangle[c]], points[c][lane]);
    }
    for (std::size_t lane = slot.count; lane < GroupTree::kWidth; ++lane) {
      for (auto& corner : points) std::fill_n(corner[lane], 4, 0.0F);
    }
    const Lanes d;
    for (std::size_t k = 0; k < GroupTree::kWidth; k += kStep) {
      Points corners[3];
      for (std::size_t c = 0; c < 3; ++c) {
        Floats unused;
        hn::LoadInterleaved4(d, points[c][k], corners[c].x, corners[c].y, corners[c].z, unused);
        store(corners[c], slot.own.corners[c], k);
        const Points placed = turned(corners[c], other.slope);
        store({hn::Add(placed.x, set(other.offset[0])), hn::Add(placed.y, set(other.offset[1])),
               hn::Add(placed.z, set(other.offset[2]))},
              slot.placed.corners[c], k);
      }
      const Points normal = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
      const auto square = dot(normal, normal);
      // A normal too short for its square gives the zero direction, which separates nothing.
      const auto good = hn::Gt(square, set(0x1p-100F));
      const auto inverse = hn::IfThenElseZero(good, hn::Div(hn::Set(d, 1.0F), hn::Sqrt(square)));
      const Points unit{hn::Mul(normal.x, inverse), hn::Mul(normal.y, inverse), hn::Mul(normal.z, inverse)};
      store(unit, slot.own.normal, k);
      store(turned(unit, other.turn), slot.placed.normal, k);
    }
  }

  /// LocalFrame::relative, in floats.
  HWY_INLINE void relative(const Vec3& x, float* HWY_RESTRICT u) const {
    const LocalFrame& frame = object_.tree.local_frame;
#if HWY_TARGET != HWY_SCALAR && HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE
    const hn::FixedTag<double, 4> d;
    const hn::Rebind<float, decltype(d)> half;
    const auto three = hn::FirstN(d, 3);
    const auto moved = hn::Sub(hn::MaskedLoad(three, d, &x.x), hn::MaskedLoad(three, d, &frame.origin.x));
    hn::Store(hn::DemoteTo(half, hn::Mul(moved, hn::Set(d, frame.scale))), half, u);
#else
    const auto point = frame.relative(x);
    for (std::size_t k = 0; k < 3; ++k) u[k] = static_cast<float>(point[k]);
#endif
  }
  static HWY_INLINE Points turned(const Points& p, const std::array<std::array<float, 3>, 3>& by) {
    const auto along = [&](std::size_t k) HWY_ATTR {
      return plus(hn::Mul(set(by[0][k]), p.x), hn::Mul(set(by[1][k]), p.y), hn::Mul(set(by[2][k]), p.z));
    };
    return {along(0), along(1), along(2)};
  }
  static HWY_INLINE void store(const Points& p, std::array<TriangleRows::Row, 3>& rows, std::size_t k) {
    const Lanes d;
    hn::Store(p.x, d, rows[0].data() + k);
    hn::Store(p.y, d, rows[1].data() + k);
    hn::Store(p.z, d, rows[2].data() + k);
  }

  GroupTraversed object_;
  GroupTable& table_;
};

HWY_INLINE PlacedTriangle placed_triangle(const GroupSlot& slot, std::size_t lane) {
  PlacedTriangle triangle;
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t k = 0; k < 3; ++k) triangle.corners[c][k] = slot.placed.corners[c][k][lane];
    triangle.normal[c] = slot.placed.normal[c][lane];
  }
  return triangle;
}

/// Which of up to 16 lanes are not separated, and the depth of each overlap.
struct Near {
  std::uint32_t bits = 0;
  alignas(64) std::array<float, GroupTree::kWidth> depth{};
};

template <bool kMeasure, bool kFirst>
class GroupTraversal {
 public:
  GroupTraversal(const GroupTraversed& a, const GroupTraversed& b, GroupTables::Tables& work, LeafSink& sink)
      : sides_{GroupSide(a, work.tables[0]), GroupSide(b, work.tables[1])},
        units_{a.view.unit, b.view.unit},
        open_(work.open),
        sink_(sink) {}

  GroupTraversalCounts run() {
    open_.clear();
    open_.push_back({{0, 0}, {kNoTriangle, kNoTriangle}, 1.0F});
    std::size_t steps = 0;
    std::size_t budget = kBudget;
    while (!open_.empty()) {
      if (kFirst && ++steps > budget) {
        steps = 0;
        budget = std::max(kBudget, open_.size() / 4);
        const auto deepest =
            std::max_element(open_.begin(), open_.end(),
                             [](const OpenPair& one, const OpenPair& other) { return one.depth < other.depth; });
        std::swap(*deepest, open_.back());
      }
      const OpenPair pair = open_.back();
      open_.pop_back();
      if (visit(pair)) return counts();
    }
    sink_.flush();
    return counts();
  }

 private:
  static constexpr std::uint32_t kGroup = GroupTree::kGroup;

  [[nodiscard]] GroupTraversalCounts counts() const { return {tests_, kMeasure ? gap_ : 0.0}; }

  /// Keeps the lanes that are not separated; `s` is the side whose frame the test was in.
  HWY_INLINE void collect(const Separation<kMeasure>& verdict, std::size_t k, std::uint32_t valid, std::size_t s,
                          std::uint32_t& bits) {
    const Lanes d;
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, verdict.mask(), bytes);
    std::uint32_t separated = bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8U;
    separated = (separated << k) & valid;
    bits |= (valid & ~separated) & (((1U << kStep) - 1U) << k);
    if constexpr (kMeasure) {
      alignas(64) std::array<float, GroupTree::kWidth> widest;
      hn::Store(verdict.widest(), d, widest.data());
      for (std::uint32_t rest = separated >> k; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
        gap_ = std::min(gap_, (1.0 - 0x1p-14) * static_cast<double>(widest[lane]) * units_[s]);
      }
    }
  }
  static HWY_INLINE hn::Mask<Lanes> beyond(std::size_t k, std::uint32_t count) {
    const Lanes d;
    return hn::Not(hn::FirstN(d, count > k ? count - k : 0));
  }

  /// Tests a box of the other object against the boxes of a block of side s.
  HWY_INLINE void boxes_near_box(std::size_t s, std::uint32_t block, const PlacedBox& other, Near& near) {
    const GroupTree& tree = sides_[s].groups();
    const std::uint32_t count = tree.count(block);
    const std::int16_t* const rows = tree.rows_of(block);
    tests_ += count;
    for (std::size_t k = 0; k < count; k += kStep) {
      Separation<kMeasure> verdict;
      Depth depth;
      box_against_boxes<Separation<kMeasure>, kFirst>(load_boxes(rows + k, count), other, beyond(k, count), verdict,
                                                      depth);
      collect(verdict, k, (1U << count) - 1U, s, near.bits);
      if (kFirst && near.bits >> k != 0) hn::Store(depth.value<6>(), Lanes(), near.depth.data() + k);
    }
  }

  HWY_INLINE void boxes_near_triangle(std::size_t s, std::uint32_t block, const PlacedTriangle& other, Near& near) {
    const GroupTree& tree = sides_[s].groups();
    const std::uint32_t count = tree.count(block);
    const std::int16_t* const rows = tree.rows_of(block);
    const Triangles triangles{{set(other.corners[0]), set(other.corners[1]), set(other.corners[2])},
                              set(other.normal)};
    tests_ += count;
    for (std::size_t k = 0; k < count; k += kStep) {
      const Boxes boxes = load_boxes(rows + k, count);
      const auto margin = hn::Add(set(sides_[s].view.margin),
                                  hn::Mul(set(kOwnSkew), plus(boxes.half[0], boxes.half[1], boxes.half[2])));
      Separation<kMeasure> verdict;
      Depth depth;
      triangles_against_boxes<Separation<kMeasure>, kFirst>(triangles, boxes, margin, beyond(k, count), verdict,
                                                            depth);
      collect(verdict, k, (1U << count) - 1U, s, near.bits);
      if (kFirst && near.bits >> k != 0) hn::Store(depth.value<3>(), Lanes(), near.depth.data() + k);
    }
  }

  HWY_INLINE void triangles_near_box(std::size_t s, const GroupSlot& slot, const PlacedBox& other, Near& near) {
    const Lanes d;
    const Boxes box{set(other.centre),
                    {set(other.axes[0]), set(other.axes[1]), set(other.axes[2])},
                    {set(other.half[0]), set(other.half[1]), set(other.half[2])}};
    const auto margin = set(other.margin);
    tests_ += slot.count;
    for (std::size_t k = 0; k < slot.count; k += kStep) {
      const auto load = [&](const std::array<TriangleRows::Row, 3>& rows) HWY_ATTR {
        return Points{hn::Load(d, rows[0].data() + k), hn::Load(d, rows[1].data() + k),
                      hn::Load(d, rows[2].data() + k)};
      };
      const Triangles triangles{{load(slot.own.corners[0]), load(slot.own.corners[1]), load(slot.own.corners[2])},
                                load(slot.own.normal)};
      Separation<kMeasure> verdict;
      Depth depth;
      triangles_against_boxes<Separation<kMeasure>, kFirst>(triangles, box, margin, beyond(k, slot.count), verdict,
                                                            depth);
      collect(verdict, k, (1U << slot.count) - 1U, s, near.bits);
      if (kFirst && near.bits >> k != 0) hn::Store(depth.value<3>(), d, near.depth.data() + k);
    }
  }

  HWY_INLINE std::uint32_t triangles_near_triangle(std::size_t s, const GroupSlot& slot, std::uint32_t valid,
                                                   const PlacedTriangle& other) {
    const Lanes d;
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < slot.count; k += kStep) {
      const auto load = [&](const std::array<TriangleRows::Row, 3>& rows) HWY_ATTR {
        return Points{hn::Load(d, rows[0].data() + k), hn::Load(d, rows[1].data() + k),
                      hn::Load(d, rows[2].data() + k)};
      };
      const Points own[3] = {load(slot.own.corners[0]), load(slot.own.corners[1]), load(slot.own.corners[2])};
      Separation<kMeasure> verdict;
      triangle_against_triangles(own, load(slot.own.normal), other, set(sides_[s].view.margin), verdict);
      collect(verdict, k, valid, s, bits);
    }
    return bits;
  }

  /// Adds the pairs of a step, in a search for the first hit with the deepest overlap last. `pair` is complete but
  /// for the node or triangle of side s.
  HWY_INLINE void push(const Near& near, OpenPair pair, std::size_t s, bool triangles, std::uint32_t block) {
    const std::size_t begin = open_.size();
    open_.resize(begin + static_cast<std::size_t>(std::popcount(near.bits)));
    OpenPair* out = open_.data() + begin;
    alignas(64) std::array<std::int32_t, GroupTree::kWidth> keys;
    if constexpr (kFirst) order(near, keys);
    for (std::uint32_t rest = near.bits; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      if (triangles) {
        pair.triangle[s] = static_cast<std::uint8_t>(lane);
      } else {
        pair.node[s] = block * GroupTree::kWidth + lane;
      }
      if constexpr (kFirst) {
        pair.depth = near.depth[lane];
        out[rank(keys, near.bits, keys[lane])] = pair;
      } else {
        *out++ = pair;
      }
    }
  }

  /// Keys in the order of the depths, all different, whatever the depths are.
  static HWY_INLINE void order(const Near& near, std::array<std::int32_t, GroupTree::kWidth>& keys) {
    const hn::RebindToSigned<Lanes> d;
    for (std::size_t k = 0; k < GroupTree::kWidth; k += kStep) {
      const auto depth = hn::BitCast(d, hn::Load(Lanes(), near.depth.data() + k));
      const auto lanes = hn::Iota(d, static_cast<std::int32_t>(k));
      hn::Store(hn::Or(hn::AndNot(hn::Set(d, GroupTree::kWidth - 1), depth), lanes), d, keys.data() + k);
    }
  }
  /// The number of keys below one, among the lanes of `bits`. A sort by swaps would mispredict most of its
  /// branches.
  static HWY_INLINE std::size_t rank(const std::array<std::int32_t, GroupTree::kWidth>& keys, std::uint32_t bits,
                                     std::int32_t key) {
    const hn::RebindToSigned<Lanes> d;
    std::uint32_t below = 0;
    for (std::size_t k = 0; k < GroupTree::kWidth; k += kStep) {
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, hn::Lt(hn::Load(d, keys.data() + k), hn::Set(d, key)), bytes);
      below |= (bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8U) << k;
    }
    return static_cast<std::size_t>(std::popcount(below & bits));
  }

  /// Returns true to end the traversal.
  bool visit(const OpenPair& pair) {
    const std::uint32_t children[2] = {sides_[0].child(pair.node[0]), sides_[1].child(pair.node[1])};
    const bool is_group[2] = {(children[0] & kGroup) != 0, (children[1] & kGroup) != 0};
    for (std::size_t s = 0; s < 2; ++s) {
      if (pair.triangle[s] == kNoTriangle) continue;
      if (is_group[1 - s]) return triangle_and_group(pair, s, children);
      open_by_triangle(pair, s, children);
      return false;
    }
    if (is_group[0] && is_group[1]) return groups(pair, children);
    const float size_0 = sides_[0].size(pair.node[0]);
    const float size_1 = sides_[0].view.scale * sides_[1].size(pair.node[1]);
    if (is_group[0] || is_group[1]) {
      const std::size_t s = is_group[0] ? 0 : 1;
      if (s == 0 ? size_0 > kOpenTriangles * size_1 : size_1 > kOpenTriangles * size_0) {
        open_triangles(pair, s, children[s]);
      } else {
        open_boxes(pair, 1 - s, children[1 - s]);
      }
      return false;
    }
    const std::size_t larger = size_0 >= size_1 ? 0 : 1;
    open_boxes(pair, larger, children[larger]);
    return false;
  }

  HWY_NOINLINE void open_boxes(const OpenPair& pair, std::size_t s, std::uint32_t block) {
    Near near;
    boxes_near_box(s, block, PlacedBox(sides_[1 - s].box(pair.node[1 - s]), sides_[s].view), near);
    push(near, pair, s, false, block);
  }
  HWY_NOINLINE void open_triangles(const OpenPair& pair, std::size_t s, std::uint32_t group) {
    const GroupSlot& slot = slot_of(s, group);
    Near near;
    triangles_near_box(s, slot, PlacedBox(sides_[1 - s].box(pair.node[1 - s]), sides_[s].view), near);
    push(near, pair, s, true, 0);
  }
  HWY_NOINLINE void open_by_triangle(const OpenPair& pair, std::size_t s, const std::uint32_t* children) {
    const GroupSlot& slot = slot_of(s, children[s]);
    Near near;
    boxes_near_triangle(1 - s, children[1 - s], placed_triangle(slot, pair.triangle[s]), near);
    push(near, pair, 1 - s, false, children[1 - s]);
  }

  HWY_INLINE const GroupSlot& slot_of(std::size_t s, std::uint32_t group) {
    return sides_[s].slot(group & ~kGroup, sides_[1 - s].view);
  }

  HWY_NOINLINE bool triangle_and_group(const OpenPair& pair, std::size_t s, const std::uint32_t* children) {
    const GroupSlot& one = slot_of(s, children[s]);
    const GroupSlot& group = slot_of(1 - s, children[1 - s]);
    tests_ += group.count;
    return put(s, one, 1U << pair.triangle[s], group, (1U << group.count) - 1U) || end_of_groups();
  }
  HWY_NOINLINE bool groups(const OpenPair& pair, const std::uint32_t* children) {
    const GroupSlot* const slots[2] = {&slot_of(0, children[0]), &slot_of(1, children[1])};
    Near near[2];
    for (std::size_t s = 0; s < 2; ++s) {
      triangles_near_box(s, *slots[s], PlacedBox(sides_[1 - s].box(pair.node[1 - s]), sides_[s].view), near[s]);
      if (near[s].bits == 0) return false;
    }
    const std::size_t fewer = std::popcount(near[0].bits) <= std::popcount(near[1].bits) ? 0 : 1;
    return put(fewer, *slots[fewer], near[fewer].bits, *slots[1 - fewer], near[1 - fewer].bits) || end_of_groups();
  }

  /// Puts the pairs of some triangles of side s and some of the other side into the sink.
  HWY_INLINE bool put(std::size_t s, const GroupSlot& ones, std::uint32_t bits, const GroupSlot& others,
                      std::uint32_t valid) {
    for (; bits != 0; bits &= bits - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
      std::uint32_t rest = triangles_near_triangle(1 - s, others, valid, placed_triangle(ones, lane));
      for (; rest != 0; rest &= rest - 1) {
        const TriangleId one = ones.ids[lane];
        const TriangleId other = others.ids[static_cast<std::size_t>(std::countr_zero(rest))];
        if (s == 0 ? sink_.put(one, other) : sink_.put(other, one)) return true;
      }
    }
    return false;
  }
  /// A search for the first hit does not wait for a full batch.
  HWY_INLINE bool end_of_groups() { return kFirst && sink_.pending() >= kFirstPending && sink_.flush(); }
  static constexpr std::size_t kFirstPending = 1;

  std::array<GroupSide, 2> sides_;
  std::array<double, 2> units_;
  std::vector<OpenPair>& open_;
  LeafSink& sink_;
  std::uint64_t tests_ = 0;
  double gap_ = std::numeric_limits<double>::infinity();
};

GroupTraversalCounts traverse(const GroupTraversed& a, const GroupTraversed& b,
                              const GroupTraversalOptions& options, GroupTables::Tables& work, LeafSink& sink) {
  if (options.measure) {
    return options.first ? GroupTraversal<true, true>(a, b, work, sink).run()
                         : GroupTraversal<true, false>(a, b, work, sink).run();
  }
  return options.first ? GroupTraversal<false, true>(a, b, work, sink).run()
                       : GroupTraversal<false, false>(a, b, work, sink).run();
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::rigid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::rigid {

HWY_EXPORT(traverse);

GroupTables::GroupTables() = default;
GroupTables::~GroupTables() = default;
GroupTables::GroupTables(GroupTables&&) noexcept = default;
GroupTables& GroupTables::operator=(GroupTables&&) noexcept = default;

GroupTables::Tables& GroupTables::tables() {
  if (!tables_) tables_ = std::make_unique_for_overwrite<Tables>();
  return *tables_;
}

GroupTraversalCounts traverse_groups(const GroupTraversed& a, const GroupTraversed& b,
                                     const GroupTraversalOptions& options, GroupTables& work, LeafSink& sink) {
  if (a.groups.empty() || b.groups.empty()) return {};
  return HWY_DYNAMIC_DISPATCH(traverse)(a, b, options, work.tables(), sink);
}

}  // namespace graze::rigid
#endif

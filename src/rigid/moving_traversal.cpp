// Traversal of two moving boxtrees over a slab of time, compiled by Highway once for each instruction set. See the
// header.
//
// Each operation on floats rounds once on every target, so every machine tests the same pairs.
//
// Points of leaf groups, in floats relative to the middle of a. With the units of both trees, the largest
// coordinate `far` between the middles, and v = 2^-24: relative coordinates, rotations and the middle are rounded,
// and three products summed, so a coordinate errs by at most v (9 unit + 2 far). A projection on a direction of
// length 1 adds four roundings of at most 1.75 (1.75 unit + far). The difference of two projections errs by less
// than v (28 (unit_a + unit_b) + 18 far), its sums with margins included by less than 2^-18 (unit_a + unit_b +
// far).
#include "rigid/moving_traversal.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "geometry/vec.hpp"
#include "rigid/moving_bounds.hpp"
#include "rigid/moving_triangle_window.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rigid/moving_traversal.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef GRAZE_RIGID_MOVING_TRAVERSAL_ONCE
#define GRAZE_RIGID_MOVING_TRAVERSAL_ONCE
namespace graze::rigid {

namespace {

/// Nodes of a leaf group, numbered from its root, children after parents.
inline constexpr std::size_t kGroupNodes = 2 * kLeafGroupSize - 1;
inline constexpr std::size_t kSlots = 32;  // a power of two
inline constexpr std::uint32_t kNoGroup = 0xffffffffU;
/// Intervals of the grid of times in a slab on which triangles of leaf groups are placed.
inline constexpr std::size_t kGridSteps = 16;
/// A node is larger than another if its box is larger by this factor; then it is opened alone.
inline constexpr float kLarger = 2.0F;
/// A leaf group is split into its triangles against a node whose box is smaller than they are on average, by this
/// factor.
inline constexpr float kLargeTriangle = 2.0F;

/// A node on the way down: its ends, and its box in relative coordinates.
struct NodeBounds {
  TimedEnds ends;
  std::array<float, 3> lo;
  std::array<float, 3> hi;

  [[nodiscard]] float extent() const { return (hi[0] - lo[0]) + (hi[1] - lo[1]) + (hi[2] - lo[2]); }
};

using LaneRow = std::array<float, kLeafGroupSize>;

struct alignas(64) GroupSlot {
  std::array<TimedEnds, kGroupNodes> ends;
  std::array<std::array<LaneRow, 3>, 3> corners;  // [corner][axis][leaf], relative coordinates
  std::array<std::uint8_t, kLeafGroupSize> leaf;  // node of each leaf
  std::size_t leaf_count;
  float triangle_size;                           // mean of the sums of the sides of the triangles' boxes
  std::array<std::uint32_t, kGroupNodes> place;  // number of the first child, or the triangle
  std::uint64_t leaves;                          // bit i: node i is a leaf
};

/// Hash table of tightened leaf groups of one tree and slab. A slot is not evicted while a traversal refers to it:
/// within a pair in which one side is a leaf group, no other leaf group of that side is requested.
struct GroupTable {
  std::array<std::uint32_t, kSlots> roots;  // by hash: the tree node at the root of the leaf group
  std::array<std::uint8_t, kSlots> slot_of;
  std::uint8_t used;
  std::array<GroupSlot, kSlots> slots;
};

/// Both objects at one of the times of the grid within a slab, in floats: rotations times the units of the trees,
/// and the middle of b relative to that of a.
struct GridPlaces {
  std::array<Point, 3> rows_a;
  std::array<Point, 3> rows_b;
  Point between;
  bool known = false;
};

/// The triangles of a leaf group at both ends of a window.
struct alignas(64) GroupPoints {
  std::array<std::array<std::array<LaneRow, 3>, 3>, 2> at;  // [end][corner][axis][leaf]
};

}  // namespace

struct MovingTables::Tables {
  GroupTable a;
  GroupTable b;
  GroupSlot alone;  // a leaf group that meets a single large triangle
};

}  // namespace graze::rigid
#endif

HWY_BEFORE_NAMESPACE();
namespace graze::rigid {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#include "rigid/moving_triangle_window.inl.hpp"

/// One of the two trees of a traversal, projected on the directions of a frame.
class MovingSide {
 public:
  /// `before` and `beyond` are added to lower and to upper ends.
  MovingSide(const MovingObject& object, const SlabFrame::Slopes& slopes,
             const std::array<SlabFrame::Row, 2>& before, const std::array<SlabFrame::Row, 2>& beyond)
      : object_(object), slopes_(slopes), before_(before), beyond_(beyond) {}

  [[nodiscard]] const MovingObject& object() const { return object_; }
  [[nodiscard]] const BoxNode* nodes() const { return object_.object.boxtree.nodes.data(); }
  [[nodiscard]] float size(const NodeBounds& node) const {
    return static_cast<float>(object_.unit) * node.extent();
  }

  void of_root(NodeBounds& root) const {
    root.lo = object_.object.boxtree.lo;
    root.hi = object_.object.boxtree.hi;
    of_box(root);
  }

  /// Ends of a box from its relative coordinates.
  void of_box(NodeBounds& node) const {
    const RowTag d;
    for (std::size_t end = 0; end < 2; ++end) {
      for (std::size_t k = 0; k < kSlabDirections; k += kRowStep) {
        auto lo = hn::Load(d, before_[end].data() + k);
        auto hi = hn::Load(d, beyond_[end].data() + k);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const auto slope = hn::Load(d, slopes_[end][axis].data() + k);
          const auto one = hn::Mul(slope, hn::Set(d, node.lo[axis]));
          const auto other = hn::Mul(slope, hn::Set(d, node.hi[axis]));
          lo = hn::Add(lo, hn::Min(one, other));
          hi = hn::Add(hi, hn::Max(one, other));
        }
        hn::Store(lo, d, node.ends.lo[end].data() + k);
        hn::Store(hi, d, node.ends.hi[end].data() + k);
      }
    }
  }

  /// A child loses a slab: an upper child at its lower side, which moves lower ends up where the slope is positive.
  HWY_INLINE void of_child(const NodeBounds& parent, const BoxNode& node, NodeBounds& child) const {
    const RowTag d;
    const auto zero = hn::Zero(d);
    const std::size_t axis = node.axis();
    const auto cut = hn::Set(d, node.upper() ? node.cut() : -node.cut());
    for (std::size_t end = 0; end < 2; ++end) {
      for (std::size_t k = 0; k < kSlabDirections; k += kRowStep) {
        const auto moved = hn::Mul(cut, hn::Load(d, slopes_[end][axis].data() + k));
        hn::Store(hn::Add(hn::Load(d, parent.ends.lo[end].data() + k), hn::Max(moved, zero)), d,
                  child.ends.lo[end].data() + k);
        hn::Store(hn::Add(hn::Load(d, parent.ends.hi[end].data() + k), hn::Min(moved, zero)), d,
                  child.ends.hi[end].data() + k);
      }
    }
    child.lo = parent.lo;
    child.hi = parent.hi;
    (node.upper() ? child.lo : child.hi)[axis] += node.upper() ? node.cut() : -node.cut();
  }

  /// Relative coordinates of the corners of a triangle.
  [[nodiscard]] HWY_INLINE std::array<Point, 3> corners(TriangleId id) const {
    const Triangle& triangle = object_.object.triangles[id];
    std::array<Point, 3> u;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const auto point = object_.object.boxtree.local_frame.relative(object_.object.positions[triangle[corner]]);
      for (std::size_t axis = 0; axis < 3; ++axis) u[corner][axis] = static_cast<float>(point[axis]);
    }
    return u;
  }

  HWY_INLINE void of_triangle(const std::array<Point, 3>& u, TimedEnds& ends) const {
    const RowTag d;
    for (std::size_t end = 0; end < 2; ++end) {
      for (std::size_t k = 0; k < kSlabDirections; k += kRowStep) {
        const auto x = hn::Load(d, slopes_[end][0].data() + k);
        const auto y = hn::Load(d, slopes_[end][1].data() + k);
        const auto z = hn::Load(d, slopes_[end][2].data() + k);
        const auto at = [&](const Point& p) HWY_ATTR {
          return hn::Add(hn::Add(hn::Mul(hn::Set(d, p[0]), x), hn::Mul(hn::Set(d, p[1]), y)),
                         hn::Mul(hn::Set(d, p[2]), z));
        };
        const auto first = at(u[0]);
        const auto second = at(u[1]);
        const auto third = at(u[2]);
        hn::Store(hn::Add(hn::Min(first, hn::Min(second, third)), hn::Load(d, before_[end].data() + k)), d,
                  ends.lo[end].data() + k);
        hn::Store(hn::Add(hn::Max(first, hn::Max(second, third)), hn::Load(d, beyond_[end].data() + k)), d,
                  ends.hi[end].data() + k);
      }
    }
  }

  /// Projects the triangles of a leaf group.
  HWY_NOINLINE void tighten(const BoxNode& root, GroupSlot& slot) const {
    slot.leaves = 0;
    std::array<const BoxNode*, kGroupNodes> from;
    from[0] = &root;
    std::uint32_t count = 1;
    for (std::uint32_t i = 0; i < count; ++i) {
      const BoxNode& node = *from[i];
      if (node.leaf()) {
        slot.leaves |= std::uint64_t{1} << i;
        slot.place[i] = node.place();
        continue;
      }
      slot.place[i] = count;
      from[count] = nodes() + node.place();
      from[count + 1] = nodes() + node.place() + 1;
      count += 2;
    }
    const RowTag d;
    slot.leaf_count = 0;
    float extents = 0.0F;
    for (std::uint32_t i = count; i-- > 0;) {
      if ((slot.leaves >> i & 1U) != 0) {
        const std::array<Point, 3> u = corners(slot.place[i]);
        of_triangle(u, slot.ends[i]);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          for (std::size_t corner = 0; corner < 3; ++corner)
            slot.corners[corner][axis][slot.leaf_count] = u[corner][axis];
          extents +=
              std::max({u[0][axis], u[1][axis], u[2][axis]}) - std::min({u[0][axis], u[1][axis], u[2][axis]});
        }
        slot.leaf[slot.leaf_count++] = static_cast<std::uint8_t>(i);
        continue;
      }
      const TimedEnds& one = slot.ends[slot.place[i]];
      const TimedEnds& other = slot.ends[slot.place[i] + 1];
      for (std::size_t end = 0; end < 2; ++end) {
        for (std::size_t k = 0; k < kSlabDirections; k += kRowStep) {
          hn::Store(hn::Min(hn::Load(d, one.lo[end].data() + k), hn::Load(d, other.lo[end].data() + k)), d,
                    slot.ends[i].lo[end].data() + k);
          hn::Store(hn::Max(hn::Load(d, one.hi[end].data() + k), hn::Load(d, other.hi[end].data() + k)), d,
                    slot.ends[i].hi[end].data() + k);
        }
      }
    }
    slot.triangle_size = static_cast<float>(object_.unit) * extents / static_cast<float>(slot.leaf_count);
    for (auto& corner : slot.corners) {
      for (LaneRow& row : corner)
        std::fill(row.begin() + static_cast<std::ptrdiff_t>(slot.leaf_count), row.end(), 0.0F);
    }
  }

  /// The tightened nodes of a leaf group, from the table if they are there.
  HWY_INLINE const GroupSlot& group(const BoxNode& root, GroupTable& table) const {
    const auto number = static_cast<std::uint32_t>(&root - nodes());
    const std::size_t place = (number * 2654435761U) >> 27U;
    static_assert(kSlots == 32);
    if (table.roots[place] != number) {
      if (table.roots[place] == kNoGroup) table.slot_of[place] = table.used++;
      table.roots[place] = number;
      tighten(root, table.slots[table.slot_of[place]]);
    }
    return table.slots[table.slot_of[place]];
  }

 private:
  const MovingObject& object_;
  const SlabFrame::Slopes& slopes_;
  const std::array<SlabFrame::Row, 2>& before_;
  const std::array<SlabFrame::Row, 2>& beyond_;
};

class SlabTraversal {
 public:
  SlabTraversal(const MovingSlab& slab, const SlabFrame& frame, MovingTables::Tables& tables, SlabVisitor& visitor)
      : slab_(slab),
        side_a_(slab.a(), frame.slope_a, kNone, kNone),
        side_b_(slab.b(), frame.slope_b, frame.before, frame.beyond),
        tables_(tables),
        visitor_(visitor),
        axis_a_(scaled_point(1.0, slab.a().motion.axis())),
        axis_b_(scaled_point(1.0, slab.b().motion.axis())) {
    const double eighth = slab.duration() * slab.duration() * (0.125 + 0x1p-20);
    bend_a_ = static_cast<float>(slab.a().acceleration_bound * eighth);
    bend_b_ = static_cast<float>(slab.b().acceleration_bound * eighth);
    margin_ =
        static_cast<float>(0x1p-18 * (slab.a().unit + slab.b().unit + slab.far()) + 2.0 * kGapMargin + 0x1p-120);
    for (GroupTable* table : {&tables.a, &tables.b}) {
      table->roots.fill(kNoGroup);
      table->used = 0;
    }
  }

  std::uint64_t run() {
    NodeBounds a;
    NodeBounds b;
    side_a_.of_root(a);
    side_b_.of_root(b);
    Window window;
    if (near(a.ends, b.ends, window)) open(*side_a_.nodes(), a, *side_b_.nodes(), b, window);
    return tests_;
  }

 private:
  alignas(64) static constexpr std::array<SlabFrame::Row, 2> kNone{};

  /// Whether a pair has to be opened. Narrows its window.
  HWY_INLINE bool near(const TimedEnds& a, const TimedEnds& b, Window& window) {
    ++tests_;
    return !narrow_window(a, b, window) && !settled(window);
  }
  HWY_INLINE bool settled(const Window& window) {
    if (window.start < visitor_.limit) return false;
    visitor_.skipped = std::min(visitor_.skipped, window.start);
    return true;
  }

  /// Numbers 0 to count - 1 of pairs with the earliest start first.
  template <std::size_t kMost>
  struct Order {
    std::array<Window, kMost> windows;
    std::array<std::uint8_t, kMost> order;
    std::size_t count = 0;

    HWY_INLINE void add(std::size_t pair, const Window& window) {
      windows[pair] = window;
      std::size_t at = count++;
      for (; at > 0 && windows[order[at - 1]].start > window.start; --at) order[at] = order[at - 1];
      order[at] = static_cast<std::uint8_t>(pair);
    }
  };

  void open(const BoxNode& a, const NodeBounds& in_a, const BoxNode& b, const NodeBounds& in_b,
            const Window& window) {
    const float size_a = side_a_.size(in_a);
    const float size_b = side_b_.size(in_b);
    if (a.cluster()) {
      const GroupSlot& group = side_a_.group(a, tables_.a);
      Window narrowed = window;
      if (!near(group.ends[0], in_b.ends, narrowed)) return;
      if (!b.cluster() && group.triangle_size > kLargeTriangle * size_b) {
        triangles_of_a(group, b, in_b, narrowed);
      } else {
        open_b(group, b, in_b, narrowed);
      }
      return;
    }
    if (b.cluster()) {
      const GroupSlot& group = side_b_.group(b, tables_.b);
      Window narrowed = window;
      if (!near(in_a.ends, group.ends[0], narrowed)) return;
      if (group.triangle_size > kLargeTriangle * size_a) {
        triangles_of_b(a, in_a, group, narrowed);
      } else {
        open_a(a, in_a, group, narrowed);
      }
      return;
    }
    const bool only_a = size_a > kLarger * size_b;
    const bool only_b = size_b > kLarger * size_a;
    const BoxNode* const child_a = side_a_.nodes() + a.place();
    const BoxNode* const child_b = side_b_.nodes() + b.place();
    std::array<NodeBounds, 2> of_a;
    std::array<NodeBounds, 2> of_b;
    Order<4> order;
    if (!only_b) {
      for (std::size_t i = 0; i < 2; ++i) side_a_.of_child(in_a, child_a[i], of_a[i]);
    }
    if (!only_a) {
      for (std::size_t j = 0; j < 2; ++j) side_b_.of_child(in_b, child_b[j], of_b[j]);
    }
    for (std::size_t i = 0; i < (only_b ? 1U : 2U); ++i) {
      for (std::size_t j = 0; j < (only_a ? 1U : 2U); ++j) {
        Window narrowed = window;
        if (near((only_b ? in_a : of_a[i]).ends, (only_a ? in_b : of_b[j]).ends, narrowed))
          order.add(2 * i + j, narrowed);
      }
    }
    for (std::size_t n = 0; n < order.count; ++n) {
      const std::size_t i = order.order[n] / 2U;
      const std::size_t j = order.order[n] % 2U;
      const Window& narrowed = order.windows[order.order[n]];
      if (settled(narrowed)) continue;
      open(only_b ? a : child_a[i], only_b ? in_a : of_a[i], only_a ? b : child_b[j], only_a ? in_b : of_b[j],
           narrowed);
    }
  }

  void open_a(const BoxNode& a, const NodeBounds& in_a, const GroupSlot& b, const Window& window) {
    if (a.cluster()) {
      const GroupSlot& group = side_a_.group(a, tables_.a);
      Window narrowed = window;
      if (near(group.ends[0], b.ends[0], narrowed)) groups(group, b, narrowed);
      return;
    }
    const BoxNode* const child = side_a_.nodes() + a.place();
    std::array<NodeBounds, 2> of_a;
    Order<2> order;
    for (std::size_t i = 0; i < 2; ++i) {
      side_a_.of_child(in_a, child[i], of_a[i]);
      Window narrowed = window;
      if (near(of_a[i].ends, b.ends[0], narrowed)) order.add(i, narrowed);
    }
    for (std::size_t n = 0; n < order.count; ++n) {
      const std::size_t i = order.order[n];
      if (!settled(order.windows[i])) open_a(child[i], of_a[i], b, order.windows[i]);
    }
  }
  void open_b(const GroupSlot& a, const BoxNode& b, const NodeBounds& in_b, const Window& window) {
    if (b.cluster()) {
      const GroupSlot& group = side_b_.group(b, tables_.b);
      Window narrowed = window;
      if (near(a.ends[0], group.ends[0], narrowed)) groups(a, group, narrowed);
      return;
    }
    const BoxNode* const child = side_b_.nodes() + b.place();
    std::array<NodeBounds, 2> of_b;
    Order<2> order;
    for (std::size_t j = 0; j < 2; ++j) {
      side_b_.of_child(in_b, child[j], of_b[j]);
      Window narrowed = window;
      if (near(a.ends[0], of_b[j].ends, narrowed)) order.add(j, narrowed);
    }
    for (std::size_t n = 0; n < order.count; ++n) {
      const std::size_t j = order.order[n];
      if (!settled(order.windows[j])) open_b(a, child[j], of_b[j], order.windows[j]);
    }
  }

  /// All pairs of triangles of two leaf groups. Their triangles are placed at the ends of the window, on a grid of
  /// times in the slab; each triangle of a, with its normal as direction, is tested against those of b in lanes,
  /// and the pairs that are left along the directions of the slab and of the pair.
  void groups(const GroupSlot& a, const GroupSlot& b, const Window& window) {
    constexpr auto kSteps = static_cast<float>(kGridSteps);
    const auto first = static_cast<std::size_t>(window.start * kSteps);
    const std::size_t last = std::min(kGridSteps, static_cast<std::size_t>((1.0F - window.tail) * kSteps) + 1);
    const auto share = static_cast<float>(last - first) / kSteps;  // exact
    GroupPoints points_a;
    GroupPoints points_b;
    for (std::size_t end = 0; end < 2; ++end) {
      const GridPlaces& places = grid(end == 0 ? first : last);
      place(a, places.rows_a, Point{}, points_a.at[end]);
      place(b, places.rows_b, places.between, points_b.at[end]);
    }
    // Fractions of the grid's interval from fractions of the slab, and back.
    const float origin = static_cast<float>(first) / kSteps;
    for (std::size_t i = 0; i < a.leaf_count; ++i) {
      Window of_a = window;
      if (!near(a.ends[a.leaf[i]], b.ends[0], of_a)) continue;
      std::array<std::array<Point, 3>, 2> corners;
      Point middle[3];
      for (std::size_t corner = 0; corner < 3; ++corner) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          corners[0][corner][axis] = points_a.at[0][corner][axis][i];
          corners[1][corner][axis] = points_a.at[1][corner][axis][i];
          middle[corner][axis] = corners[0][corner][axis] + corners[1][corner][axis];
        }
      }
      for (std::uint64_t left = near_plane(corners, middle, points_b, share) & lanes_of(b); left != 0;
           left &= left - 1) {
        const auto j = static_cast<std::size_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(left));
        Window narrowed = of_a;
        if (!near(a.ends[a.leaf[i]], b.ends[b.leaf[j]], narrowed)) continue;
        Window own;
        ++tests_;
        if (near_pair(corners, points_b, j, share, own)) {
          narrowed.start = std::max(narrowed.start, (origin + own.start * share) * (1.0F - 0x1p-20F));
          const float end = origin + share - own.tail * share;
          narrowed.tail = std::max(narrowed.tail, (1.0F - end * (1.0F + 0x1p-20F)));
          if (narrowed.start + narrowed.tail > 1.0F || settled(narrowed)) continue;
          visitor_.visit({a.place[a.leaf[i]], b.place[b.leaf[j]]}, narrowed);
        }
      }
    }
  }

  static std::uint64_t lanes_of(const GroupSlot& group) { return (std::uint64_t{1} << group.leaf_count) - 1; }

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
  static Point scaled_point(double scale, const Vec3& x) {
    return {static_cast<float>(scale * x.x), static_cast<float>(scale * x.y), static_cast<float>(scale * x.z)};
  }

  static HWY_INLINE void place(const GroupSlot& group, const std::array<Point, 3>& rows, const Point& origin,
                               std::array<std::array<LaneRow, 3>, 3>& points) {
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
  HWY_INLINE std::uint64_t near_plane(const std::array<std::array<Point, 3>, 2>& corners, const Point (&middle)[3],
                                      const GroupPoints& others, float share) const {
    const auto difference = [](const Point& p, const Point& q) {
      return Point{p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    };
    Point n = product(difference(middle[1], middle[0]), difference(middle[2], middle[0]));
    const float square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if (!(square > 1e-30F)) return ~std::uint64_t{0};
    const float factor = (1.0F - 0x1p-20F) / std::sqrt(square);
    for (float& x : n) x *= factor;
    const auto across = [&](const Point& axis) {
      const Point c = product(n, axis);
      return std::sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) + 0x1p-20F;
    };
    const float margin = margin_ + share * share * (across(axis_a_) * bend_a_ + across(axis_b_) * bend_b_);
    const RowTag d;
    const auto at = [&](const Point& p) { return p[0] * n[0] + p[1] * n[1] + p[2] * n[2]; };
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
  HWY_INLINE bool near_pair(const std::array<std::array<Point, 3>, 2>& corners, const GroupPoints& others,
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

  /// Every triangle of a large leaf group against the subtree of a small node, with directions of its own.
  void triangles_of_a(const GroupSlot& group, const BoxNode& b, const NodeBounds& in_b, const Window& window) {
    for (std::uint64_t left = group.leaves; left != 0; left &= left - 1) {
      const auto i = static_cast<std::size_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(left));
      Window narrowed = window;
      if (!near(group.ends[i], in_b.ends, narrowed)) continue;
      const TriangleId triangle = group.place[i];
      SlabFrame frame;
      slab_.project(triangle_directions(slab_.a(), &MovingSlab::at_a, triangle, slab_.axes_b()), frame);
      const MovingSide side_a(slab_.a(), frame.slope_a, kNone, kNone);
      const MovingSide side_b(slab_.b(), frame.slope_b, frame.before, frame.beyond);
      TimedEnds ends;
      side_a.of_triangle(side_a.corners(triangle), ends);
      NodeBounds root = in_b;
      side_b.of_box(root);
      if (near(ends, root.ends, narrowed)) alone(ends, triangle, true, side_b, b, root, narrowed);
    }
  }
  void triangles_of_b(const BoxNode& a, const NodeBounds& in_a, const GroupSlot& group, const Window& window) {
    for (std::uint64_t left = group.leaves; left != 0; left &= left - 1) {
      const auto i = static_cast<std::size_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(left));
      Window narrowed = window;
      if (!near(in_a.ends, group.ends[i], narrowed)) continue;
      const TriangleId triangle = group.place[i];
      SlabFrame frame;
      slab_.project(triangle_directions(slab_.b(), &MovingSlab::at_b, triangle, slab_.axes_a()), frame);
      const MovingSide side_a(slab_.a(), frame.slope_a, kNone, kNone);
      const MovingSide side_b(slab_.b(), frame.slope_b, frame.before, frame.beyond);
      TimedEnds ends;
      side_b.of_triangle(side_b.corners(triangle), ends);
      NodeBounds root = in_a;
      side_a.of_box(root);
      if (near(ends, root.ends, narrowed)) alone(ends, triangle, false, side_a, a, root, narrowed);
    }
  }

  /// The subtree of a node against one triangle; `is_a`: the triangle belongs to a.
  void alone(const TimedEnds& ends, TriangleId triangle, bool is_a, const MovingSide& side, const BoxNode& node,
             const NodeBounds& in_node, const Window& window) {
    if (node.cluster()) {
      GroupSlot& group = tables_.alone;
      side.tighten(node, group);
      for (std::uint64_t left = group.leaves; left != 0; left &= left - 1) {
        const auto i = static_cast<std::size_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(left));
        Window narrowed = window;
        if (!near(ends, group.ends[i], narrowed)) continue;
        visitor_.visit(is_a ? TrianglePair{triangle, group.place[i]} : TrianglePair{group.place[i], triangle},
                       narrowed);
      }
      return;
    }
    const BoxNode* const child = side.nodes() + node.place();
    std::array<NodeBounds, 2> bounds;
    Order<2> order;
    for (std::size_t i = 0; i < 2; ++i) {
      side.of_child(in_node, child[i], bounds[i]);
      Window narrowed = window;
      if (near(ends, bounds[i].ends, narrowed)) order.add(i, narrowed);
    }
    for (std::size_t n = 0; n < order.count; ++n) {
      const std::size_t i = order.order[n];
      if (!settled(order.windows[i])) alone(ends, triangle, is_a, side, child[i], bounds[i], order.windows[i]);
    }
  }

  /// Directions that separate a triangle from boxes with these axes: see the header of the traversal.
  std::array<Vec3, kSlabDirections> triangle_directions(const MovingObject& object,
                                                        const Motion::Instant& (MovingSlab::*at)(std::size_t) const,
                                                        TriangleId triangle,
                                                        const std::array<Vec3, 3>& axes) const {
    std::array<Vec3, 3> corner;
    const std::array<Vec3, 3> vertices = object.vertices(triangle);
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 from_centre = object.motion.from_centre(vertices[i]);
      corner[i] = (slab_.*at)(0).point(from_centre) + (slab_.*at)(1).point(from_centre);
    }
    const auto unit = [](const Vec3& v) {
      const double size = std::sqrt(dot(v, v));
      return size > 0x1p-400 ? ((1.0 - 0x1p-40) / size) * v : Vec3{};
    };
    std::array<Vec3, kSlabDirections> directions;
    const Vec3 normal = unit(cross(unit(corner[1] - corner[0]), unit(corner[2] - corner[0])));
    directions[0] = normal;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 edge = unit(corner[(i + 1) % 3] - corner[i]);
      directions[1 + i] = cross(normal, edge);
      directions[4 + i] = axes[i];
      for (std::size_t j = 0; j < 3; ++j) directions[7 + 3 * i + j] = cross(edge, axes[j]);
    }
    return directions;
  }

  const MovingSlab& slab_;
  MovingSide side_a_;
  MovingSide side_b_;
  MovingTables::Tables& tables_;
  SlabVisitor& visitor_;
  Point axis_a_;
  Point axis_b_;
  float bend_a_;  ///< curvature of the slab along a direction d with |d x axis| = 1
  float bend_b_;
  float margin_;  ///< rounding of GroupPoints and their projections: see the head of the file
  std::array<GridPlaces, kGridSteps + 1> grid_;
  std::uint64_t tests_ = 0;
};

std::uint64_t traverse(const MovingSlab& slab, MovingTables::Tables& tables, SlabVisitor& visitor) {
  SlabFrame frame;
  slab.project(slab.box_directions(), frame);
  return SlabTraversal(slab, frame, tables, visitor).run();
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::rigid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::rigid {

HWY_EXPORT(traverse);

MovingTables::MovingTables() = default;
MovingTables::~MovingTables() = default;
MovingTables::MovingTables(MovingTables&&) noexcept = default;
MovingTables& MovingTables::operator=(MovingTables&&) noexcept = default;

MovingTables::Tables& MovingTables::tables() {
  if (!tables_) tables_ = std::make_unique_for_overwrite<Tables>();
  return *tables_;
}

std::uint64_t traverse_slab(const MovingSlab& slab, MovingTables& work, SlabVisitor& visitor) {
  return HWY_DYNAMIC_DISPATCH(traverse)(slab, work.tables(), visitor);
}

}  // namespace graze::rigid
#endif

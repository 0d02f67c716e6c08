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
#include "rigid/motion/moving_traversal.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "geometry/vec.hpp"
#include "rigid/motion/moving_bounds.hpp"
#include "rigid/motion/moving_triangle_window.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rigid/motion/moving_traversal.cpp"
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

}  // namespace

/// Both objects at one of the times of the grid within a slab, in floats: rotations times the units of the trees,
/// and the middle of b relative to that of a.
struct GridPlaces {
  std::array<FloatPoint, 3> rows_a;
  std::array<FloatPoint, 3> rows_b;
  FloatPoint between;
  bool known = false;
};

namespace {

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

#include "rigid/motion/moving_triangle_window.inl.hpp"

#include "rigid/motion/moving_groups.inl.hpp"

#include "rigid/motion/moving_side.inl.hpp"

class SlabTraversal {
 public:
  SlabTraversal(const MovingSlab& slab, const SlabFrame& frame, MovingTables::Tables& tables, SlabVisitor& visitor)
      : slab_(slab),
        side_a_(slab.a(), frame.slope_a, kNone, kNone),
        side_b_(slab.b(), frame.slope_b, frame.before, frame.beyond),
        tables_(tables),
        visitor_(visitor),
        placed_(slab) {
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
      const GridPlaces& places = placed_.grid(end == 0 ? first : last);
      PlacedGroups::place(a, places.rows_a, FloatPoint{}, points_a.at[end]);
      PlacedGroups::place(b, places.rows_b, places.between, points_b.at[end]);
    }
    // Fractions of the grid's interval from fractions of the slab, and back.
    const float origin = static_cast<float>(first) / kSteps;
    for (std::size_t i = 0; i < a.leaf_count; ++i) {
      Window of_a = window;
      if (!near(a.ends[a.leaf[i]], b.ends[0], of_a)) continue;
      std::array<std::array<FloatPoint, 3>, 2> corners;
      FloatPoint middle[3];
      for (std::size_t corner = 0; corner < 3; ++corner) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          corners[0][corner][axis] = points_a.at[0][corner][axis][i];
          corners[1][corner][axis] = points_a.at[1][corner][axis][i];
          middle[corner][axis] = corners[0][corner][axis] + corners[1][corner][axis];
        }
      }
      for (std::uint64_t left = placed_.near_plane(corners, middle, points_b, share) & lanes_of(b); left != 0;
           left &= left - 1) {
        const auto j = static_cast<std::size_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(left));
        Window narrowed = of_a;
        if (!near(a.ends[a.leaf[i]], b.ends[b.leaf[j]], narrowed)) continue;
        Window own;
        ++tests_;
        if (placed_.near_pair(corners, points_b, j, share, own)) {
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
  PlacedGroups placed_;
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

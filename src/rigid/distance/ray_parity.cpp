// Exact parity of ray crossings. See the header.
#include "rigid/distance/ray_parity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/vec.hpp"
#include "narrow/edge_face.hpp"
#include "narrow/orientation.hpp"

namespace graze::rigid {

namespace {

/// A hierarchy of one box around a segment, so that the bounds of boxes find what is near it.
ProximityTree box_around(const Vec3& from, std::size_t axis, double length) {
  ProximityTree tree;
  Vec3 middle = from;
  (axis == 0 ? middle.x : axis == 1 ? middle.y : middle.z) += 0.5 * length;
  int exponent = 0;
  std::frexp(0.5 * length, &exponent);
  tree.local_frame = local_frame_at(middle, std::clamp(exponent + 1, kMinExponent, kMaxExponent));
  WideNode& node = tree.nodes.emplace_back();
  node = {};
  node.count = 1;
  for (std::size_t lane = 0; lane < kWide; ++lane) {
    for (std::size_t k = 0; k < 3; ++k) {
      node.axes[k][k][lane] = 1.0F;
      // The middle is rounded; half the unit is more than half the length.
      node.half[k][lane] = k == axis ? 1.0F : 0.0F;
    }
    node.child[lane] = WideNode::kGroupBit;
  }
  return tree;
}

/// Whether the projection of the side u-v, seen along the first coordinate, passes p as the header says.
bool passes(Vec3 u, Vec3 v, const Vec3& p, bool& exact) {
  if (u.y > v.y) std::swap(u, v);
  if (!(u.y <= p.y && p.y < v.y)) return false;
  if (u.z > p.z && v.z > p.z) return true;
  if (u.z < p.z && v.z < p.z) return false;
  return narrow::orient2d(narrow::Projection::AlongX, u, v, p, exact) < 0;
}

bool hits(const TriangleCorners& t, const Vec3& p) {
  if (t[0].x <= p.x && t[1].x <= p.x && t[2].x <= p.x) return false;
  bool exact = false;
  const bool inside =
      passes(t[0], t[1], p, exact) != (passes(t[1], t[2], p, exact) != passes(t[2], t[0], p, exact));
  if (!inside) return false;
  return narrow::orient3d(t[0], t[1], t[2], p, exact) *
             narrow::orient2d(narrow::Projection::AlongX, t[0], t[1], t[2], exact) >
         0;
}

bool on_triangle(const TriangleCorners& t, const Vec3& p) {
  bool exact = false;
  return narrow::triangles_intersect({p, p, p}, t, exact);
}

}  // namespace

void for_each_near_ray(const ProximitySide& side, const Vec3& p, std::size_t axis,
                       core::FunctionRef<void(const TriangleCorners&)> visit) {
  if (side.tree.nodes.empty()) return;
  // Long enough to leave the object, whose vertices are at most twice its unit from its origin.
  const LocalFrame& frame = side.tree.local_frame;
  const double reach = max_abs(posed(side.pose, frame.origin) - p) + 4.0 * std::ldexp(1.0, frame.exponent);
  if (!(reach < 0x1p1018)) {
    for (TriangleId t = 0; t < side.object.triangles.size(); ++t) visit(corners_of(side, t));
    return;
  }
  const double length = std::max(2.0 * reach, std::numeric_limits<double>::min());
  const ProximityTree ray = box_around(p, axis, length);
  const Pose still;
  const BoxFrames frames({&ray, still, max_abs(ray.local_frame.origin)},
                         {&side.tree, side.pose, side.object.max_coordinate});
  const FixedBox fixed = frames.fix(0, 0);
  std::vector<ProximityTree::Slot> stack{0};
  alignas(64) std::array<double, kWide> bounds;
  while (!stack.empty()) {
    const ProximityTree::Slot slot = stack.back();
    stack.pop_back();
    if (side.tree.is_group(slot)) {
      const LeafGroup& group = side.tree.groups[side.tree.group(slot)];
      for (std::uint32_t i = 0; i < group.count; ++i) visit(corners_of(side, group.triangles[i]));
      continue;
    }
    const std::uint32_t index = side.tree.child(slot);
    const WideNode& node = side.tree.nodes[index];
    box_bounds(fixed, node, bounds.data());
    for (std::uint32_t lane = 0; lane < node.count; ++lane) {
      if (!(bounds[lane] > 0.0)) stack.push_back(static_cast<ProximityTree::Slot>(index * kWide + lane));
    }
  }
}

PointSide locate_point(const ProximitySide& side, const Vec3& p) {
  bool odd = false;
  bool boundary = false;
  for_each_near_ray(side, p, 0, [&](const TriangleCorners& t) {
    if (boundary) return;
    odd = odd != hits(t, p);
    boundary = on_triangle(t, p);
  });
  return boundary ? PointSide::Boundary : odd ? PointSide::Inside : PointSide::Outside;
}

}  // namespace graze::rigid

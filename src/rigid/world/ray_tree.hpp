// Tree of a mesh for rays: boxes aligned with the object's axes, in floats rounded outward, over leaves of up to
// four triangles; about 24 bytes a triangle. A world builds it when the first ray comes to a mesh, whatever kind
// of tree the object has: pairs of triangles and rays want different trees, and those that only collide pay
// nothing.
//
// The topology is that of build_split_tree (binned surface area heuristic). Traversal is front to back, in doubles,
// with the nearest child first. O(n log n) to build.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/rigid.hpp>
#include <graze/types.hpp>

#include "narrow/ray_triangle.hpp"
#include "rigid/world/ray_slabs.hpp"
#include "rigid/world/world_box.hpp"

namespace graze::rigid {

struct RayTree {
  struct Node {
    std::array<float, 3> lo;
    std::array<float, 3> hi;
    std::uint32_t first = 0;  ///< leaf: first place in `order`; inner node: first of two adjacent children
    std::uint32_t count = 0;  ///< triangles of a leaf; 0: an inner node
  };
  Vec3 origin;  ///< relative coordinates are u = (x - origin) 2^-exponent, |u| <= 1
  int exponent = 0;
  std::vector<Node> nodes;
  std::vector<std::uint32_t> order;  ///< triangles in the order of leaves
  std::uint32_t depth = 0;
};

RayTree build_ray_tree(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                       const LocalBounds& bounds);

/// Part of a ray in the relative coordinates of a tree: the points at + s way, 0 <= s <= 1, which belong to
/// t = near + s (far - near), all within `margin` along each axis.
struct LocalRay {
  std::array<double, 3> at{};
  std::array<double, 3> reciprocal{};  ///< of the way
  double margin = 0.0;
  RayPart part;
  bool known = false;  ///< false: numbers left the range of doubles, and nothing can be ruled out
};

/// Transforms the part of a ray that is in the box of a posed object.
LocalRay local_ray(const RayTree& tree, const LocalBounds& bounds, const Pose& pose, const RayLine& line,
                   const RayPart& part);

/// Where the ray enters a node's box, a parameter s that is not too large, or a number above 1 if it does not.
inline double entry(const LocalRay& ray, const RayTree::Node& node) {
  double near = 0.0;
  double far = 1.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double one = (static_cast<double>(node.lo[k]) - ray.margin - ray.at[k]) * ray.reciprocal[k];
    const double other = (static_cast<double>(node.hi[k]) + ray.margin - ray.at[k]) * ray.reciprocal[k];
    const double in = one < other ? one : other;
    const double out = one < other ? other : one;
    near = in > near ? in : near;
    far = out < far ? out : far;
  }
  constexpr double kNever = 2.0;
  return near > far * (1.0 + 0x1p-48) + 0x1p-100 ? kNever : near * (1.0 - 0x1p-48);
}

/// Calls visit(triangles) for every leaf that the ray may touch, nearest first as far as boxes tell. limit() is the
/// largest s that still matters, and may decrease from call to call. Returns the number of boxes tested.
template <typename Visit, typename Limit>
std::uint64_t traverse(const RayTree& tree, const LocalRay& ray, const Visit& visit, const Limit& limit) {
  if (tree.nodes.empty()) return 0;
  if (!ray.known) {
    visit(std::span<const std::uint32_t>(tree.order));
    return 0;
  }
  struct Waiting {
    std::uint32_t node;
    double near;
  };
  constexpr std::size_t kMaxDepth = 128;
  std::array<Waiting, kMaxDepth>
      stack;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
  std::size_t waiting = 0;
  std::uint64_t tests = 1;
  Waiting here{0, entry(ray, tree.nodes[0])};
  for (;;) {
    if (here.near <= limit()) {
      const RayTree::Node& node = tree.nodes[here.node];
      if (node.count == 0) {
        tests += 2;
        Waiting near{node.first, entry(ray, tree.nodes[node.first])};
        Waiting far{node.first + 1, entry(ray, tree.nodes[node.first + 1])};
        if (far.near < near.near) std::swap(near, far);
        stack[waiting++] = far;
        here = near;
        continue;
      }
      visit(std::span(tree.order).subspan(node.first, node.count));
    }
    if (waiting == 0) return tests;
    here = stack[--waiting];
  }
}

}  // namespace graze::rigid

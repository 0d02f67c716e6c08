// Trees for rays: construction, and the error bound of the transformed ray. See the header.
//
// Proof of `margin`. Let c be the origin of the tree, x a vertex, |.| the largest coordinate, u = 2^-53. posed(x)
// is R x + t + e with |e| <= E = 4u (3.1 m + |t|) + 2^-1070, m the largest |coordinate| (four roundings). With R' R
// = I + G (rotations are orthonormal only within 1e-6),
//   R' (posed(x) - posed(c)) = (x - c) + G (x - c) + R' (e_x - e_c),
// which differs from x - c by at most g |x - c| + 6.2 E, where g is the largest row sum of |G|, and rows of R' sum
// to at most 3.1. The map is affine, so the same holds for all points of a triangle: a point p of the ray in the
// posed triangle has q = R' (p - posed(c)) within that distance of the local box of the triangle. Rounding of q:
// the ends of the part, origin + t direction, err by 4u (|origin| + 2 |t direction|) (product, sum, and the rounded
// direction of a segment); the difference by u, and the dot product by 4u, of at most 3.1 times their size. All
// intermediate points are on the segment between two such ends, at the same parameter. Boxes of nodes and relative
// vertices round outward by 2^-50. The slab test rounds like the one in ray_slabs.hpp; a way shorter than 2^-200
// along an axis is replaced by 2^-200.
#include "rigid/world/ray_tree.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/vec.hpp"
#include "geometry/volume.hpp"
#include "rigid/local_frame.hpp"
#include "rigid/trees/split_tree.hpp"

namespace graze::rigid {

namespace {

constexpr std::uint32_t kLeafTriangles = 4;
constexpr double kUnit = 0x1p-53;

/// 1 / d, or that of a number of the same sign that is not smaller than 2^-200.
double safe_reciprocal(double d) {
  return std::abs(d) < 0x1p-200 ? (d < 0.0 ? -0x1p200 : 0x1p200) : 1.0 / d;
}

}  // namespace

RayTree build_ray_tree(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                       const LocalBounds& bounds) {
  RayTree tree;
  tree.origin = bounds.centre;
  if (triangles.empty()) return tree;
  std::frexp(max_abs(bounds.half), &tree.exponent);
  tree.exponent = std::clamp(tree.exponent, kMinExponent, kMaxExponent);
  const double scale = std::ldexp(1.0, -tree.exponent);
  std::vector<Corners> corners;
  corners.reserve(triangles.size());
  for (const Triangle& triangle : triangles) {
    Corners& all = corners.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 u = scale * (positions[triangle[i]] - bounds.centre);
      all[i] = {u.x, u.y, u.z};
    }
  }
  SplitTree split = build_split_tree(corners);
  tree.order = std::move(split.order);
  tree.depth = split.depth;
  // Parents come before children in both trees; a node of few triangles becomes a leaf.
  struct Task {
    std::uint32_t from;
    std::uint32_t to;
  };
  tree.nodes.emplace_back();
  std::vector<Task> open{{0, 0}};
  while (!open.empty()) {
    const auto [from, to] = open.back();
    open.pop_back();
    const SplitTree::Node& node = split.nodes[from];
    std::array<double, 3> lo = corners[tree.order[node.first]][0];
    std::array<double, 3> hi = lo;
    for (std::uint32_t i = node.first; i < node.last; ++i) {
      for (const Point& corner : corners[tree.order[i]]) {
        for (std::size_t k = 0; k < 3; ++k) {
          lo[k] = std::min(lo[k], corner[k]);
          hi[k] = std::max(hi[k], corner[k]);
        }
      }
    }
    for (std::size_t k = 0; k < 3; ++k) {
      tree.nodes[to].lo[k] = round_down(lo[k] - 0x1p-50);
      tree.nodes[to].hi[k] = round_up(hi[k] + 0x1p-50);
    }
    if (node.last - node.first <= kLeafTriangles || node.child == 0) {
      tree.nodes[to].first = node.first;
      tree.nodes[to].count = node.last - node.first;
      continue;
    }
    const auto child = static_cast<std::uint32_t>(tree.nodes.size());
    tree.nodes[to].first = child;
    tree.nodes.resize(tree.nodes.size() + 2);
    open.push_back({node.child + 1, child + 1});
    open.push_back({node.child, child});
  }
  tree.nodes.shrink_to_fit();
  return tree;
}

LocalRay local_ray(const RayTree& tree, const LocalBounds& bounds, const Pose& pose, const RayLine& line,
                   const RayPart& part) {
  LocalRay ray;
  ray.part = {part.near, std::min(part.far, line.max)};
  const auto& r = pose.rotation;
  const std::array<Vec3, 3> columns{Vec3{r[0].x, r[1].x, r[2].x}, Vec3{r[0].y, r[1].y, r[2].y},
                                    Vec3{r[0].z, r[1].z, r[2].z}};
  double skew = 0.0;  // g
  for (std::size_t i = 0; i < 3; ++i) {
    double row = 16.0 * kUnit;
    for (std::size_t j = 0; j < 3; ++j) row += std::abs(dot(columns[i], columns[j]) - (i == j ? 1.0 : 0.0));
    skew = std::max(skew, row);
  }
  const Vec3 centre = posed(pose, tree.origin);
  const Vec3 p = line.origin + ray.part.near * line.direction;
  const Vec3 q = line.origin + ray.part.far * line.direction;
  const Vec3 from = p - centre;
  const Vec3 to = q - centre;
  const double posing = 4.0 * kUnit * (3.1 * bounds.max_coordinate + max_abs(pose.translation)) + 0x1p-1070;
  const double ends =
      4.0 * kUnit * (max_abs(line.origin) + 2.0 * std::abs(ray.part.far) * max_abs(line.direction)) + 0x1p-1070;
  const double away = std::max(max_abs(from), max_abs(to));
  const double error = skew * max_abs(bounds.half) + 6.2 * posing + 3.1 * ends + 32.0 * kUnit * away;
  // Scaled in two steps: the power itself may be out of range.
  const int half = tree.exponent / 2;
  const double scale_one = std::ldexp(1.0, -half);
  const double scale_two = std::ldexp(1.0, half - tree.exponent);
  ray.margin = 1.01 * (scale_one * error * scale_two) + 0x1p-49;
  bool finite = ray.margin < 0x1p100;
  for (std::size_t k = 0; k < 3; ++k) {
    const double begin = scale_one * dot(columns[k], from) * scale_two;
    const double end = scale_one * dot(columns[k], to) * scale_two;
    finite = finite && std::abs(begin) < 0x1p100 && std::abs(end) < 0x1p100;
    ray.at[k] = begin;
    ray.reciprocal[k] = safe_reciprocal(end - begin);
  }
  ray.known = finite;
  return ray;
}

}  // namespace graze::rigid

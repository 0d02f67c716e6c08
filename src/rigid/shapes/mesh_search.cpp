// Search of a mesh for what meets, or is nearest to, a shape. See the header.
#include "rigid/shapes/mesh_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigid/collide.hpp"

namespace graze::rigid {

namespace {

/// Iterations for a node: enough for most boxes; what they leave open is descended.
constexpr int kNodeIterations = 8;
/// Width of a node's bounds of the distance. Wider bounds take fewer iterations, but let in more nodes: 2^-3 is
/// four times as slow.
constexpr double kNodeWidth = 0x1p-12;

narrow::Vec<double> operator-(const narrow::Vec<double>& x) {
  return {-x.x, -x.y, -x.z};
}

double length_of(const narrow::Vec<double>& x) {
  return std::sqrt(narrow::dot(x, x));
}

bool is_zero(const narrow::Vec<double>& x) {
  return x.x == 0.0 && x.y == 0.0 && x.z == 0.0;
}

}  // namespace

MeshSearch::MeshSearch(const PosedSolid& shape, const ObjectState& mesh, const Pose& pose)
    : mesh_(mesh), pose_(pose) {
  if (shape.is_half_space()) {
    plane_ = &shape.plane();
  } else {
    solid_.emplace(shape.solid());
  }
  if (mesh.triangles.empty()) return;
  origin_ = plane_ != nullptr ? plane_->origin : solid_->origin;
  boxes_.emplace(mesh, pose, origin_, 0);
  boxes_->corners(boxes_->root(), box_);
  double all = box_.extent() + boxes_->error();
  if (plane_ != nullptr) {
    exponent_ = plane_exponent(*plane_, all);
    scaled_plane_.emplace(*plane_, exponent_);
    extent_ = PowerOfTwo(exponent_)(all) + scaled_plane_->length;
  } else {
    all = std::max(all, solid_->body.extent()) + solid_->solid.radius;
    exponent_ = narrow::in_window(all) || !(all > 0.0) ? 0 : std::ilogb(all) + 1;
    extent_ = PowerOfTwo(exponent_)(all);
    reach_ = PowerOfTwo(exponent_)(solid_->solid.radius);
    body_ = exponent_ == 0 ? solid_->body : Body<double>(solid_->solid, origin_, exponent_);
  }
  if (exponent_ != 0) boxes_.emplace(mesh, pose, origin_, exponent_);
}

Bounds<double> MeshSearch::bounds(const NodeRange& range, Direction& guess, const Goal<double>& goal) {
  boxes_->corners(range, box_);
  Bounds<double> bounds = plane_ != nullptr ? plane_bounds(*scaled_plane_, box_, extent_)
                                            : gjk(body_, box_, extent_, goal, is_zero(guess) ? nullptr : &guess);
  guess = bounds.direction;
  return bounds;
}

Goal<double> MeshSearch::hit_goal() const {
  Goal<double> goal;
  goal.reach = reach_;
  goal.apart = reach_ + boxes_->error();
  goal.near = reach_;
  goal.iterations = kNodeIterations;
  return goal;
}

bool MeshSearch::near(Node& node, RigidStats& stats) {
  ++stats.node_tests;
  const Goal<double> goal = hit_goal();
  const Bounds<double> found = bounds(node.range, node.guess, goal);
  node.lo = found.lo;
  if (plane_ != nullptr) {
    // The upper end of the box along the normal, with the error of plane_bounds.hpp.
    const double top = (box_.support(-found.direction).value - scaled_plane_->offset) / length_of(found.direction);
    node.inside = top + narrow::kError<double> * extent_ + boxes_->error() * (1.0 + 0x1p-50) <= 0.0;
  }
  // The sum in `apart` is rounded.
  return !(found.lo > goal.apart * (1.0 + 0x1p-50));
}

Meeting MeshSearch::meet_triangle(const std::array<Vec3, 3>& corners, TierCounts& tiers) const {
  const Solid solid = triangle_solid(corners);
  return plane_ != nullptr ? meet(*plane_, solid, tiers) : meet(*solid_, solid, tiers);
}

Separation MeshSearch::triangle_separation(const std::array<Vec3, 3>& corners, double tolerance, double beyond,
                                           TierCounts& tiers) const {
  const Solid solid = triangle_solid(corners);
  return plane_ != nullptr ? separation(*plane_, solid, tolerance, beyond, tiers)
                           : separation(*solid_, solid, tolerance, beyond, tiers);
}

double MeshSearch::shape_gap(double core_gap) const {
  const double gap = (core_gap - reach_) * (1.0 - 0x1p-50) - 0x1p-50 * reach_;
  if (!(gap > 0.0)) return 0.0;
  const double length = std::min(std::ldexp(gap, exponent_), std::numeric_limits<double>::max());
  return length < 0x1p-1000 ? 0.0 : length;  // below, the scaling rounds
}

template <typename Test>
bool MeshSearch::in_group(const Node& node, const Test& test) const {
  const PowerOfTwo scale(exponent_);
  const double error = narrow::kError<double> * extent_;
  // The least n . y over the shape; n points from the mesh to the shape.
  const Direction n = node.guess;
  const double length = length_of(n);
  const double end = plane_ != nullptr ? -scaled_plane_->offset : -body_.support(-n).value;
  // A leaf group, or a node below one: a stack of its depth suffices, and it has at most 15.
  std::array<std::uint32_t, 32> open;
  std::size_t count = 0;
  open[count++] = node.place;
  while (count > 0) {
    const BoxNode& at = boxes_->node(open[--count]);
    if (!at.leaf()) {
      open[count++] = at.place() + 1;
      open[count++] = at.place();
      continue;
    }
    const std::array<Vec3, 3> corners = posed_triangle(mesh_, pose_, at.place());
    double farthest = -std::numeric_limits<double>::infinity();
    for (const Vec3& x : corners)
      farthest = std::max(farthest, narrow::dot(n, relative<double>(x, origin_, scale)));
    const double lo = length > 0.0 ? (end - farthest) / length - error : -1.0;
    if (test(at.place(), corners, lo)) return true;
  }
  return false;
}

template <typename Found>
void MeshSearch::visit(RigidStats& stats, const Found& found) {
  if (!boxes_) return;
  std::vector<Node> open{Node{0, boxes_->root(), {}, 0.0, false}};
  if (!near(open.front(), stats)) return;
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    const BoxNode& at = boxes_->node(node.place);
    if (node.inside && at.leaf()) {
      if (found(at.place(), Meeting{.meets = true})) return;
      continue;
    }
    if (!node.inside && (at.cluster() || at.leaf())) {
      const bool ended = in_group(node, [&](TriangleId triangle, const std::array<Vec3, 3>& corners, double lo) {
        if (lo > reach_) return false;
        ++stats.triangle_tests;
        const Meeting meeting = meet_triangle(corners, stats.tiers);
        return meeting.meets && found(triangle, meeting);
      });
      if (ended) return;
      continue;
    }
    std::array<Node, 2> children;
    std::array<bool, 2> kept{true, true};
    for (std::uint32_t i = 0; i < 2; ++i) {
      const BoxNode& child = boxes_->node(at.place() + i);
      children[i] = {at.place() + i, MeshBoxes::child(child, node.range), node.guess, node.lo, node.inside};
      if (!node.inside) kept[i] = near(children[i], stats);
    }
    const std::size_t last = children[1].lo < children[0].lo ? 1 : 0;  // visited first
    if (kept[1 - last]) open.push_back(children[1 - last]);
    if (kept[last]) open.push_back(children[last]);
  }
}

ShapeHit MeshSearch::first() {
  ShapeHit result;
  visit(result.stats, [&](TriangleId triangle, const Meeting& meeting) {
    result.hit = true;
    result.margin = meeting.margin;
    result.triangle = triangle;
    return true;
  });
  return result;
}

ShapeTriangles MeshSearch::all() {
  ShapeTriangles result;
  visit(result.stats, [&](TriangleId triangle, const Meeting& meeting) {
    result.triangles.push_back(triangle);
    result.margin = std::max(result.margin, meeting.margin);
    return false;
  });
  std::sort(result.triangles.begin(), result.triangles.end());
  return result;
}

ShapeDistance MeshSearch::distance(double tolerance) {
  ShapeDistance result;
  result.lo = result.hi = std::numeric_limits<double>::infinity();
  if (!boxes_) return result;
  // Half of the tolerance is for triangles, half for nodes.
  const double half = 0.5 * tolerance;
  const auto later = [](const Node& one, const Node& other) {
    return one.lo != other.lo ? one.lo > other.lo : one.place > other.place;
  };
  std::vector<Node> open;
  double lo = result.hi;
  const auto add = [&](Node node) {
    ++result.stats.node_tests;
    Goal<double> goal;
    goal.reach = reach_;
    goal.apart = reach_ + boxes_->error() + PowerOfTwo(exponent_)(result.hi) * (1.0 + 0x1p-50);
    goal.near = reach_;
    goal.width = kNodeWidth;
    goal.iterations = kNodeIterations;
    const Bounds<double> found = bounds(node.range, node.guess, goal);
    node.lo = shape_gap(found.lo - boxes_->error());
    if (node.lo <= result.hi) {
      open.push_back(node);
      std::push_heap(open.begin(), open.end(), later);
    }
  };
  add({0, boxes_->root(), {}, 0.0, false});
  while (!open.empty()) {
    std::pop_heap(open.begin(), open.end(), later);
    const Node node = open.back();
    open.pop_back();
    if (node.lo >= result.hi * (1.0 - half)) {
      lo = std::min(lo, node.lo);
      break;
    }
    const BoxNode& at = boxes_->node(node.place);
    if (!at.cluster() && !at.leaf()) {
      for (std::uint32_t i = 0; i < 2; ++i) {
        const BoxNode& child = boxes_->node(at.place() + i);
        add({at.place() + i, MeshBoxes::child(child, node.range), node.guess, 0.0, false});
      }
      continue;
    }
    const bool ended = in_group(node, [&](TriangleId triangle, const std::array<Vec3, 3>& corners, double core_lo) {
      const double bound = shape_gap(core_lo);
      if (bound >= result.hi * (1.0 - half)) {
        lo = std::min(lo, bound);
        return false;
      }
      ++result.stats.triangle_tests;
      const Separation found = triangle_separation(corners, half, result.hi, result.stats.tiers);
      lo = std::min(lo, found.lo);
      if (!(found.hi < result.hi)) return false;
      result.hi = found.hi;
      result.on_a = found.on_a;
      result.on_b = found.on_b;
      result.triangle = triangle;
      return found.lo == 0.0;  // contact, or with a curved core within the least width
    });
    if (ended) break;
  }
  result.lo = std::min(lo, result.hi);
  return result;
}

}  // namespace graze::rigid

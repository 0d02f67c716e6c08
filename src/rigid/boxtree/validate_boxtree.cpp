// Validates a boxtree from its bytes: shape and boxes in one descent, each node and each triangle once. See
// rigid/boxtree/boxtree.hpp. O(n).
//
// Only leaves are compared with their triangles: cuts are not negative, so the box of a node contains the boxes
// below it. Ends of boxes are summed in doubles, with at most d roundings of 2^-53 for d levels as long as they
// stay within [-2, 2], and a relative vertex errs by one more. Both are subtracted from the slack, so a tree that
// passes is valid in real numbers.
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "geometry/vec.hpp"
#include "rigid/boxtree/boxtree.hpp"

namespace graze::rigid {

namespace {

struct Visit {
  std::uint32_t place;
  std::uint32_t depth;
  std::array<double, 3> lo;
  std::array<double, 3> hi;
};

unsigned flags_of(const BoxNode& node) {
  std::array<unsigned char, sizeof(BoxNode)> bytes;
  std::memcpy(bytes.data(), &node, bytes.size());
  return bytes[8];
}

class Check {
 public:
  Check(const Boxtree& tree, std::span<const Vec3> positions, std::span<const Triangle> triangles)
      : tree_(tree), positions_(positions), triangles_(triangles) {}

  std::string all() {
    if (std::string wrong = header(); !wrong.empty() || triangles_.empty()) return wrong;
    seen_nodes_.resize(tree_.nodes.size());
    seen_triangles_.resize(triangles_.size());
    Visit root{0, 0, {}, {}};
    for (std::size_t k = 0; k < 3; ++k) {
      root.lo[k] = static_cast<double>(tree_.lo[k]);
      root.hi[k] = static_cast<double>(tree_.hi[k]);
    }
    std::vector<Visit> open{root};
    while (!open.empty()) {
      Visit visit = open.back();
      open.pop_back();
      if (std::string wrong = node(visit); !wrong.empty()) return wrong;
      const BoxNode& at = tree_.nodes[visit.place];
      if (at.leaf()) continue;
      for (std::uint32_t i = 0; i < 2; ++i) open.push_back({at.place() + i, visit.depth + 1, visit.lo, visit.hi});
    }
    // The number of nodes is right for this number of leaves, and no node was seen twice. So if all leaves were
    // seen, all nodes were.
    if (leaves_ != triangles_.size())
      return fmt::format("{} of {} triangles are in the tree", leaves_, triangles_.size());
    if (deepest_ != tree_.depth) return fmt::format("the depth is {}, not {}", deepest_, tree_.depth);
    return marks();
  }

 private:
  [[nodiscard]] std::string header() const {
    const std::size_t expected = triangles_.empty() ? 0 : 2 * triangles_.size() - 1;
    if (tree_.nodes.size() != expected) {
      return fmt::format("{} triangles need {} nodes, not {}", triangles_.size(), expected, tree_.nodes.size());
    }
    const LocalFrame& local_frame = tree_.local_frame;
    if (!is_finite(local_frame.origin)) return "the origin is not finite";
    if (local_frame.exponent < kMinExponent || local_frame.exponent > kMaxExponent) {
      return fmt::format("the exponent {} is not in [{}, {}]", local_frame.exponent, kMinExponent, kMaxExponent);
    }
    if (local_frame.scale != std::ldexp(1.0, -local_frame.exponent))
      return "the scale does not belong to the exponent";
    if (tree_.depth > kMaxBoxtreeDepth) {
      return fmt::format("a depth of {} is more than {}", tree_.depth, kMaxBoxtreeDepth);
    }
    if (triangles_.empty()) return tree_.depth == 0 ? "" : "a tree of no triangles has no depth";
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(-1.0F <= tree_.lo[k] && tree_.lo[k] <= tree_.hi[k] && tree_.hi[k] <= 1.0F)) {
        return fmt::format("the root's box [{}, {}] on axis {} is not one within [-1, 1]", tree_.lo[k], tree_.hi[k],
                           k);
      }
    }
    return {};
  }

  [[nodiscard]] std::string marks() const {
    Boxtree marked = tree_;
    mark_leaf_groups(marked);
    for (std::size_t i = 0; i < marked.nodes.size(); ++i) {
      if (marked.nodes[i].cluster() != tree_.nodes[i].cluster())
        return fmt::format("node {} is {}marked as a leaf group", i, tree_.nodes[i].cluster() ? "" : "not ");
    }
    return {};
  }

  /// Checks one node and cuts off its slab.
  std::string node(Visit& visit) {
    const std::uint32_t place = visit.place;
    if (seen_nodes_[place]) return fmt::format("node {} has two parents", place);
    seen_nodes_[place] = true;
    const BoxNode& at = tree_.nodes[place];
    if (flags_of(at) > 31 || at.axis() > 2)
      return fmt::format("node {} has invalid flags {:#x}", place, flags_of(at));
    const float cut = at.cut();
    if (!(cut >= 0.0F && cut <= 2.0F)) return fmt::format("node {} has a cut of {}, outside of [0, 2]", place, cut);
    if (place == 0 && cut != 0.0F) return fmt::format("the root has a cut of {}, not 0", cut);
    if (visit.depth > tree_.depth) return fmt::format("node {} lies deeper than {}", place, tree_.depth);
    const std::size_t axis = at.axis();
    if (at.upper()) {
      visit.lo[axis] += static_cast<double>(cut);
    } else {
      visit.hi[axis] -= static_cast<double>(cut);
    }
    if (at.leaf()) return leaf(visit, at.place());
    if (at.place() <= place || at.place() >= tree_.nodes.size() - 1) {
      return fmt::format("node {} has children at {}, of {} nodes", place, at.place(), tree_.nodes.size());
    }
    return {};
  }

  std::string leaf(const Visit& visit, std::uint32_t triangle) {
    if (triangle >= triangles_.size()) {
      return fmt::format("node {} holds triangle {} of {}", visit.place, triangle, triangles_.size());
    }
    if (seen_triangles_[triangle]) return fmt::format("triangle {} is in the tree twice", triangle);
    seen_triangles_[triangle] = true;
    ++leaves_;
    deepest_ = visit.depth > deepest_ ? visit.depth : deepest_;
    const double slack = boxtree_slack(tree_) - 0x1p-53 * (2.0 + static_cast<double>(tree_.depth));
    for (const VertexId id : triangles_[triangle]) {
      if (id >= positions_.size()) return fmt::format("triangle {} has no vertex {}", triangle, id);
      const auto u = tree_.local_frame.relative(positions_[id]);
      for (std::size_t k = 0; k < 3; ++k) {
        // A vertex outside of [-1, 1] or NaN is in no box.
        if (!(u[k] >= visit.lo[k] - slack && u[k] <= visit.hi[k] + slack)) {
          return fmt::format("node {} does not hold vertex {} of triangle {} on axis {}: {} is not in [{}, {}]",
                             visit.place, id, triangle, k, u[k], visit.lo[k], visit.hi[k]);
        }
      }
    }
    return {};
  }

  const Boxtree& tree_;
  std::span<const Vec3> positions_;
  std::span<const Triangle> triangles_;
  std::vector<bool> seen_nodes_;
  std::vector<bool> seen_triangles_;
  std::size_t leaves_ = 0;
  std::uint32_t deepest_ = 0;
};

}  // namespace

std::string validate_boxtree(const Boxtree& tree, std::span<const Vec3> positions,
                             std::span<const Triangle> triangles) {
  return Check(tree, positions, triangles).all();
}

}  // namespace graze::rigid

// Fits bounding volumes to given tree shapes (shapes.hpp). Boxes of a boxtree are kept in doubles and cuts
// are rounded down, as in rigid/boxtree/build_boxtree.cpp; the argument that every box contains its triangles is
// there.
#include "research/papers/boxtree/shapes.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "geometry/volume.hpp"
#include "rigid/boxtree/boxtree.hpp"
#include "rigid/boxtree/child_measure.hpp"
#include "rigid/boxtree/polygon_set.hpp"
#include "rigid/object.hpp"

namespace graze::papers {
namespace {

using rigid::BoxNode;
using rigid::Boxtree;
using rigid::NodeBox;
using rigid::ObjectState;
using rigid::RowBox;
using rigid::SplitTree;

/// Lists the leaves below a node of a boxtree, and the ranges of all nodes there.
void list_leaves(const Boxtree& tree, std::size_t place, SplitTree& shape) {
  const BoxNode& node = tree.nodes[place];
  SplitTree::Node& range = shape.nodes[place];
  range.first = static_cast<std::uint32_t>(shape.order.size());
  if (node.leaf()) {
    shape.order.push_back(node.place());
  } else {
    range.child = node.place();
    list_leaves(tree, node.place(), shape);
    list_leaves(tree, node.place() + std::size_t{1}, shape);
  }
  range.last = static_cast<std::uint32_t>(shape.order.size());
}

/// Box of a triangle in relative coordinates, rounded outward.
RowBox box_of(const ObjectState& object, const rigid::LocalFrame& frame, const Triangle& triangle) {
  std::array<std::array<float, 4>, 2> rows{};
  for (std::size_t k = 0; k < 3; ++k) {
    rows[0][k] = RowBox::kEmpty;
    rows[1][k] = RowBox::kEmpty;
  }
  for (const VertexId vertex : triangle) {
    const std::array<double, 3> u = frame.relative(object.positions[vertex]);
    for (std::size_t k = 0; k < 3; ++k) {
      rows[0][k] = std::min(rows[0][k], round_down(u[k]));
      rows[1][k] = std::min(rows[1][k], round_down(-u[k]));
    }
  }
  return {rigid::Row4::load(rows[0].data()), rigid::Row4::load(rows[1].data())};
}

class BoxtreeFit {
 public:
  BoxtreeFit(const ObjectState& object, const SplitTree& shape) : shape_(shape), tight_(shape.nodes.size()) {
    tree_.local_frame = rigid::make_local_frame(object.positions, object.triangles);
    tree_.depth = shape.depth;
    tree_.nodes.resize(shape.nodes.size());
    if (shape.nodes.empty()) return;
    for (std::size_t i = shape.nodes.size(); i-- > 0;) {  // children have larger indices
      const SplitTree::Node& node = shape.nodes[i];
      if (node.child == 0) {
        tight_[i] = box_of(object, tree_.local_frame, object.triangles[shape.order[node.first]]);
      } else {
        tight_[i] = tight_[node.child];
        tight_[i].include(tight_[node.child + std::size_t{1}]);
      }
    }
    NodeBox box;
    for (std::size_t k = 0; k < 3; ++k) {
      tree_.lo[k] = tight_[0].lo[k];
      tree_.hi[k] = -tight_[0].minus_hi[k];
      box.lo[k] = static_cast<double>(tree_.lo[k]);
      box.hi[k] = static_cast<double>(tree_.hi[k]);
    }
    set_node(0, 0, 0.0F);
    cut_below(0, box);
    rigid::mark_leaf_groups(tree_);
  }
  Boxtree take() { return std::move(tree_); }

 private:
  void set_node(std::size_t place, unsigned side, float width) {
    const SplitTree::Node& node = shape_.nodes[place];
    const bool leaf = node.child == 0;
    tree_.nodes[place] =
        BoxNode(width, side & 3U, side >= BoxNode::kUpper, leaf, leaf ? shape_.order[node.first] : node.child);
  }
  void cut_below(std::size_t place, const NodeBox& box) {
    if (shape_.nodes[place].child == 0) return;
    const rigid::ChildMeasure measure(box);
    for (const std::size_t child :
         {std::size_t{shape_.nodes[place].child}, shape_.nodes[place].child + std::size_t{1}}) {
      const RowBox& tight = tight_[child];
      const unsigned side = measure.best_side(tight);
      const std::size_t k = side & 3U;
      NodeBox below = box;
      float width = 0.0F;
      if (side >= BoxNode::kUpper) {
        width = std::max(0.0F, round_down(static_cast<double>(tight.lo[k]) - box.lo[k]));
        below.lo[k] += static_cast<double>(width);
      } else {
        width = std::max(0.0F, round_down(box.hi[k] + static_cast<double>(tight.minus_hi[k])));
        below.hi[k] -= static_cast<double>(width);
      }
      set_node(child, side, width);
      cut_below(child, below);
    }
  }

  const SplitTree& shape_;
  std::vector<RowBox> tight_;
  Boxtree tree_;
};

}  // namespace

rigid::SplitTree shape_of(const RigidObject& boxtree) {
  const Boxtree& tree = rigid::ObjectAccess::state(boxtree).boxtree;
  SplitTree shape;
  shape.depth = tree.depth;
  shape.nodes.resize(tree.nodes.size());
  if (!tree.nodes.empty()) list_leaves(tree, 0, shape);
  return shape;
}

rigid::SplitTree sah_shape(const RigidObject& object) {
  const ObjectState& state = rigid::ObjectAccess::state(object);
  const rigid::LocalFrame frame = rigid::make_local_frame(state.positions, state.triangles);
  std::vector<rigid::Corners> corners;
  corners.reserve(state.triangles.size());
  for (const auto& [i, j, k] : state.triangles) {
    corners.push_back({frame.relative(state.positions[i]), frame.relative(state.positions[j]),
                       frame.relative(state.positions[k])});
  }
  return rigid::build_split_tree(corners);
}

RigidObject fit_to_shape(const RigidObject& object, RigidTree tree, const rigid::SplitTree& shape) {
  const ObjectState& mesh = rigid::ObjectAccess::state(object);
  auto state = std::make_shared<ObjectState>();
  state->positions = mesh.positions;
  state->triangles = mesh.triangles;
  state->kind = tree;
  state->max_coordinate = mesh.max_coordinate;
  if (tree == RigidTree::Boxtree) {
    state->boxtree = BoxtreeFit(mesh, shape).take();
  } else {
    state->volumes = rigid::build_volume_tree(mesh.positions, mesh.triangles, tree, &shape);
  }
  return rigid::ObjectAccess::make(std::move(state));
}

}  // namespace graze::papers

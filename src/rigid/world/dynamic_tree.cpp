// Insertion, removal and rotations of a dynamic tree of boxes. See the header.
//
// Costs are surface areas. A comparison with NaN, from areas beyond the range of doubles, is false and leaves a
// valid tree of any quality.
#include "rigid/world/dynamic_tree.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/assert.hpp"

namespace graze::rigid {

DynamicTree::Index DynamicTree::take_node() {
  if (free_ == kNone) {
    nodes_.emplace_back();
    return static_cast<Index>(nodes_.size() - 1);
  }
  const Index index = free_;
  free_ = node(index).parent;
  node(index) = {};
  return index;
}

void DynamicTree::free_node(Index index) {
  node(index) = {};
  node(index).height = -1;
  node(index).parent = free_;
  free_ = index;
}

DynamicTree::Index DynamicTree::insert(const WorldBox& box, std::uint32_t item) {
  // Reserve first: a leaf takes two nodes, itself and its parent.
  if (nodes_.capacity() - nodes_.size() < 2) nodes_.reserve(std::max<std::size_t>(16, 2 * nodes_.capacity()));
  const Index leaf = take_node();
  node(leaf).box = box;
  node(leaf).right = static_cast<Index>(item);
  link(leaf);
  ++leaves_;
  return leaf;
}

void DynamicTree::remove(Index leaf) {
  GRAZE_ASSERT(at(leaf).leaf() && at(leaf).height == 0);
  unlink(leaf);
  free_node(leaf);
  --leaves_;
}

void DynamicTree::replace(Index leaf, const WorldBox& box) {
  unlink(leaf);
  node(leaf).box = box;
  link(leaf);
}

DynamicTree::Index DynamicTree::best_sibling(const WorldBox& box) const {
  // A sibling costs the area of the new parent, and what its ancestors grow by. Every sibling below a node costs at
  // least the area of the leaf and what the node and its ancestors grow by.
  const double area = box.half_area();
  Index best = root_;
  double best_cost = at(root_).box.united(box).half_area();
  double grown = 0.0;
  for (Index here = root_;;) {
    const Node& node = at(here);
    const double united = node.box.united(box).half_area();
    if (const double cost = united + grown; cost <= best_cost) {
      best = here;
      best_cost = cost;
    }
    if (node.leaf()) return best;
    grown += united - node.box.half_area();
    if (grown + area > best_cost) return best;
    // At least what any sibling in the child's subtree costs.
    const auto growth = [&](const Node& child) {
      const double with = child.box.united(box).half_area();
      return child.leaf() ? with : area + (with - child.box.half_area());
    };
    const Node& left = at(node.left);
    const Node& right = at(node.right);
    const double to_left = growth(left);
    const double to_right = growth(right);
    here = to_left < to_right || (!(to_right < to_left) && left.height <= right.height) ? node.left : node.right;
  }
}

void DynamicTree::link(Index leaf) {
  if (root_ == kNone) {
    root_ = leaf;
    node(leaf).parent = kNone;
    return;
  }
  const Index sibling = best_sibling(at(leaf).box);
  const Index above = at(sibling).parent;
  const Index parent = take_node();
  Node& made = node(parent);
  made.height = -1;  // of no node in use, so that the nodes above are fitted
  made.parent = above;
  made.left = sibling;
  made.right = leaf;
  node(sibling).parent = parent;
  node(leaf).parent = parent;
  if (above == kNone) {
    root_ = parent;
  } else if (at(above).left == sibling) {
    node(above).left = parent;
  } else {
    node(above).right = parent;
  }
  refit_upwards(parent);
}

void DynamicTree::unlink(Index leaf) {
  const Index parent = at(leaf).parent;
  node(leaf).parent = kNone;
  if (parent == kNone) {
    root_ = kNone;
    return;
  }
  const Index sibling = at(parent).left == leaf ? at(parent).right : at(parent).left;
  const Index above = at(parent).parent;
  node(sibling).parent = above;
  free_node(parent);
  if (above == kNone) {
    root_ = sibling;
    return;
  }
  (at(above).left == parent ? node(above).left : node(above).right) = sibling;
  refit_upwards(above);
}

void DynamicTree::fit(Index index) {
  Node& here = node(index);
  here.box = at(here.left).box.united(at(here.right).box);
  here.height = 1 + std::max(at(here.left).height, at(here.right).height);
}

void DynamicTree::refit_upwards(Index index) {
  // What the nodes above see of a node is its box and height: if both stay, so does everything above.
  for (; index != kNone; index = at(index).parent) {
    const WorldBox box = at(index).box;
    const std::int32_t height = at(index).height;
    fit(index);
    rotate(index);
    if (at(index).height == height && at(index).box == box) return;
  }
}

void DynamicTree::rotate(Index index) {
  // Four swaps: a child with a child of its sibling. The box of `index` stays, that of the sibling changes.
  //
  //        here                 here
  //        /  \                 /  \      .
  //    child  sibling  ->   grand  sibling
  //            /  \                 /  \  .
  //       grand    rest         child    rest
  const Node& here = at(index);
  if (here.height < 2) return;
  Index best_child = kNone;
  Index best_grand = kNone;
  double best_gain = 0.0;
  for (const auto& [child, sibling] : {std::array{here.left, here.right}, std::array{here.right, here.left}}) {
    const Node& below = at(sibling);
    if (below.leaf()) continue;
    const double area = below.box.half_area();
    for (const auto& [grand, rest] : {std::array{below.left, below.right}, std::array{below.right, below.left}}) {
      const double gain = area - at(child).box.united(at(rest).box).half_area();
      if (gain > best_gain) {
        best_gain = gain;
        best_child = child;
        best_grand = grand;
      }
    }
  }
  if (best_child == kNone) return;
  const Index sibling = at(best_grand).parent;
  (at(index).left == best_child ? node(index).left : node(index).right) = best_grand;
  (at(sibling).left == best_grand ? node(sibling).left : node(sibling).right) = best_child;
  node(best_grand).parent = index;
  node(best_child).parent = sibling;
  fit(sibling);
  node(index).height = 1 + std::max(at(at(index).left).height, at(at(index).right).height);
}

std::string DynamicTree::validate() const {
  std::size_t unused = 0;
  for (Index i = free_; i != kNone && unused <= nodes_.size(); i = at(i).parent, ++unused) {
    if (at(i).height != -1) return fmt::format("node {} is in the list of unused nodes and in use", i);
  }
  if (root_ == kNone) {
    if (leaves_ != 0) return fmt::format("no root, but {} leaves", leaves_);
    return unused == nodes_.size() ? "" : "an empty tree has nodes in use";
  }
  if (at(root_).parent != kNone) return "the root has a parent";
  std::size_t used = 0;
  std::size_t found = 0;
  std::vector<Index> open{root_};
  while (!open.empty()) {
    const Index i = open.back();
    open.pop_back();
    const Node& here = at(i);
    if (++used > nodes_.size()) return "a node has two parents";
    if (here.height < 0) return fmt::format("node {} is unused, but in the tree", i);
    if (here.leaf()) {
      ++found;
      if (here.height != 0) return fmt::format("leaf {} has height {}", i, here.height);
      continue;
    }
    for (const Index child : {here.left, here.right}) {
      if (child < 0 || static_cast<std::size_t>(child) >= nodes_.size())
        return fmt::format("node {} has a child {} that does not exist", i, child);
      if (at(child).parent != i) return fmt::format("node {} is not the parent of its child {}", i, child);
      open.push_back(child);
    }
    if (here.box != at(here.left).box.united(at(here.right).box))
      return fmt::format("the box of node {} is not the union of its children's", i);
    if (here.height != 1 + std::max(at(here.left).height, at(here.right).height))
      return fmt::format("node {} has a wrong height of {}", i, here.height);
  }
  if (found != leaves_) return fmt::format("{} leaves are in the tree, {} were inserted", found, leaves_);
  if (used + unused != nodes_.size())
    return fmt::format("{} nodes are used and {} unused, of {}", used, unused, nodes_.size());
  return {};
}

}  // namespace graze::rigid

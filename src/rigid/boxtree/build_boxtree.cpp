// Top-down build: a set of polygons is split in two (rigid/boxtree/split_free.cpp, rigid/boxtree/split_volume.cpp,
// rigid/boxtree/split_volume_sampled.cpp), and each part cuts one slab off its parent's box. O(n) for each level.
// Subtrees are built in parallel; a subtree of m polygons has 2m - 1 nodes, so all node indices are known in
// advance and the result does not depend on threads.
//
// Why each box contains its triangles: the box of a triangle bounds its relative vertices, rounded outward to
// floats, and relative vertices err by at most 2^-53. A node's box is kept in doubles. Each cut is at most the gap
// between that box and the tight bounds of its polygons, up to one rounding of a number below 2, and moving the box
// rounds once more. So after d levels the real box and the kept one differ by at most d 2^-53 at either end, and a
// vertex lies outside of the real box by at most (d + 4) 2^-53, which is less than boxtree_slack.
//
// Depth: at depths beyond 2 log2 n + 8, sets are halved, which takes log2 n more levels. So no soup makes a tree
// deeper than 3 log2 n + 10, about 100 for the largest number of triangles.
#include "rigid/boxtree/build_boxtree.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "core/tasks.hpp"
#include "geometry/volume.hpp"
#include "rigid/boxtree/child_measure.hpp"
#include "rigid/boxtree/polygon_set.hpp"

namespace graze::rigid {

namespace {

/// Subtrees with more polygons are built in parallel.
constexpr std::size_t kTaskSize = 2048;
constexpr std::size_t kGrain = 4096;

/// The slab that a node cuts off its parent's box.
struct Cut {
  unsigned side = 0;
  float width = 0.0F;
};

/// Cuts off as much as the polygons allow, rounded down, and moves that side of the box.
Cut cut_off(unsigned side, const RowBox& tight, NodeBox& box) {
  const std::size_t k = side & 3U;
  const bool upper = side >= BoxNode::kUpper;
  const double gap =
      upper ? static_cast<double>(tight.lo[k]) - box.lo[k] : box.hi[k] + static_cast<double>(tight.minus_hi[k]);
  if (!(gap > 0.0)) return {side, 0.0F};
  const float width = round_down(gap);
  if (upper) {
    box.lo[k] += static_cast<double>(width);
  } else {
    box.hi[k] -= static_cast<double>(width);
  }
  return {side, width};
}

class Builder {
 public:
  Builder(Boxtree& tree, BoxtreeSplit split, std::size_t count)
      : tree_(tree), split_(split), halve_from_(2U * static_cast<std::uint32_t>(std::bit_width(count)) + 6U) {}

  /// Makes the node at index `place`. Its descendants start at index `next`, and its parent has `count_above`
  /// leaves. Returns the depth of its deepest leaf.
  std::uint32_t make(std::size_t place, std::size_t next, const Cut& cut, const PolygonSet& set, const NodeBox& box,
                     std::uint32_t depth, std::size_t count_above) {
    const bool leaf = set.count == 1;
    BoxNode node(cut.width, cut.side & 3U, cut.side >= BoxNode::kUpper, leaf,
                 leaf ? set.boxes[0].first : static_cast<std::uint32_t>(next));
    node.mark_leaf_group(set.count <= kLeafGroupSize && count_above > kLeafGroupSize);
    tree_.nodes[place] = node;
    if (leaf) return depth;
    std::array<PolygonSet, 2> sets;
    std::array<NodeBox, 2> boxes{box, box};
    std::array<Cut, 2> cuts;
    part(set, box, depth, sets, boxes, cuts);
    // Layout: the two children, then all nodes below the first child, then all nodes below the second.
    const std::array<std::size_t, 2> nexts{next + 2, next + 2 * sets[0].count};
    std::array<std::uint32_t, 2> depths{};
    const auto go = [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        depths[i] = make(next + i, nexts[i], cuts[i], sets[i], boxes[i], depth + 1, set.count);
      }
    };
    if (set.count > kTaskSize) {
      parallel_for(0, 2, 1, go);
    } else {
      go(0, 2);
    }
    return std::max(depths[0], depths[1]);
  }

 private:
  void part(const PolygonSet& set, const NodeBox& box, std::uint32_t depth, std::array<PolygonSet, 2>& sets,
            std::array<NodeBox, 2>& boxes, std::array<Cut, 2>& cuts) const {
    const ChildMeasure measure(box);
    const bool free = split_ == BoxtreeSplit::Free;
    VolumeSplit split;
    if (depth < halve_from_) {
      if (free) {
        split.first = split_free(set, measure);
      } else if (split_ == BoxtreeSplit::VolumeSampled) {
        split = split_volume_sampled(set, box);
      } else {
        split = split_volume(set, box, split_ == BoxtreeSplit::Longest);
      }
    }
    if (split.first == 0) {
      const auto axis = static_cast<unsigned>(split_half(set));
      split = {set.count / 2, {axis, axis + BoxNode::kUpper}};
    }
    sets[0] = PolygonSet(set.boxes, split.first);
    sets[1] = PolygonSet(set.boxes + split.first, set.count - split.first);
    for (std::size_t i = 0; i < 2; ++i) {
      cuts[i] = cut_off(free ? measure.best_side(sets[i].tight) : split.sides[i], sets[i].tight, boxes[i]);
    }
  }

  Boxtree& tree_;
  BoxtreeSplit split_;
  std::uint32_t halve_from_;
};

void make_boxes(std::span<const Vec3> positions, std::span<const Triangle> triangles, const LocalFrame& local_frame,
                PackedBox* boxes) {
  parallel_for(0, triangles.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const auto [a, b, c] = triangles[i];
      const auto u = local_frame.relative(positions[a]);
      const auto v = local_frame.relative(positions[b]);
      const auto w = local_frame.relative(positions[c]);
      PackedBox& box = boxes[i];
      for (std::size_t k = 0; k < 3; ++k) {
        box.lo[k] = round_down(std::min(u[k], std::min(v[k], w[k])));
        box.minus_hi[k] = round_down(-std::max(u[k], std::max(v[k], w[k])));
      }
      box.first = static_cast<std::uint32_t>(i);
      box.second = 0;
    }
  });
}

}  // namespace

std::size_t split_half(const PolygonSet& set) {
  const Row4 extent = set.middle_hi - set.middle_lo;
  std::size_t axis = extent[1] > extent[0] ? 1 : 0;
  if (extent[2] > extent[axis]) axis = 2;
  split_at_rank(set, axis, set.count / 2);
  return axis;
}

void split_at_rank(const PolygonSet& set, std::size_t axis, std::size_t rank) {
  std::vector<std::pair<float, std::uint32_t>> order(set.count);
  for (std::size_t i = 0; i < set.count; ++i) {
    order[i] = {set.boxes[i].lo[axis] - set.boxes[i].minus_hi[axis], static_cast<std::uint32_t>(i)};
  }
  const auto border = order.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(order.begin(), border, order.end());
  // Partition again, because the order that nth_element leaves differs between standard libraries.
  const auto bound = *border;
  partition_in_place(set, [&](const PackedBox& one, std::size_t i) {
    return std::pair(one.lo[axis] - one.minus_hi[axis], static_cast<std::uint32_t>(i)) < bound;
  });
}

Boxtree build_boxtree(std::span<const Vec3> positions, std::span<const Triangle> triangles, BoxtreeSplit split) {
  Boxtree tree;
  tree.local_frame = make_local_frame(positions, triangles);
  const std::size_t count = triangles.size();
  if (count == 0) return tree;
  // A vector would be filled with zeros first.
  const auto boxes = std::make_unique_for_overwrite<PackedBox[]>(count);
  make_boxes(positions, triangles, tree.local_frame, boxes.get());
  const PolygonSet set(boxes.get(), count);
  NodeBox box;
  for (std::size_t k = 0; k < 3; ++k) {
    tree.lo[k] = set.tight.lo[k];
    tree.hi[k] = -set.tight.minus_hi[k];
    box.lo[k] = static_cast<double>(tree.lo[k]);
    box.hi[k] = static_cast<double>(tree.hi[k]);
  }
  tree.nodes.resize(2 * count - 1);
  tree.depth = Builder(tree, split, count).make(0, 1, {}, set, box, 0, std::numeric_limits<std::size_t>::max());
  return tree;
}

}  // namespace graze::rigid

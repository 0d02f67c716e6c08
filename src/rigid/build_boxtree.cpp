// Top-down: each set is cut at the middle of its longest side, and each half takes away from its parent's box the
// slab that holds the most volume. O(n log n).
#include "rigid/build_boxtree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "geometry/volume.hpp"

namespace graze::rigid {

namespace {

struct Bounds {
  std::array<float, 3> lo;
  std::array<float, 3> hi;
};

struct Builder {
  std::vector<Bounds> boxes;
  std::vector<std::uint32_t> order;
  Boxtree& tree;

  struct Box {
    std::array<double, 3> lo;
    std::array<double, 3> hi;
  };

  Bounds bounds(std::size_t first, std::size_t last) const {
    Bounds all = boxes[order[first]];
    for (std::size_t i = first + 1; i < last; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        all.lo[k] = std::min(all.lo[k], boxes[order[i]].lo[k]);
        all.hi[k] = std::max(all.hi[k], boxes[order[i]].hi[k]);
      }
    }
    return all;
  }

  void make(std::size_t place, std::size_t first, std::size_t last, Box box, std::uint32_t depth, bool root) {
    const Bounds own = bounds(first, last);
    unsigned side = 0;
    float cut = 0.0F;
    if (!root) {
      double best = -1.0;
      for (unsigned k = 0; k < 3; ++k) {
        const double length = std::max(box.hi[k] - box.lo[k], 1e-30);
        const double below = own.lo[k] - box.lo[k];
        const double above = box.hi[k] - own.hi[k];
        if (below / length > best) {
          best = below / length;
          side = k + 4;
        }
        if (above / length > best) {
          best = above / length;
          side = k;
        }
      }
      const unsigned k = side & 3U;
      const double width = side >= 4 ? own.lo[k] - box.lo[k] : box.hi[k] - own.hi[k];
      cut = std::max(0.0F, std::nextafter(static_cast<float>(width), 0.0F));
      if (side >= 4) {
        box.lo[k] += static_cast<double>(cut);
      } else {
        box.hi[k] -= static_cast<double>(cut);
      }
    }
    tree.depth = std::max(tree.depth, depth);
    if (last - first == 1) {
      tree.nodes[place] = BoxNode(cut, side & 3U, side >= 4, true, order[first]);
      return;
    }
    std::size_t axis = 0;
    for (std::size_t k = 1; k < 3; ++k) {
      if (own.hi[k] - own.lo[k] > own.hi[axis] - own.lo[axis]) axis = k;
    }
    const std::size_t middle = first + (last - first) / 2;
    const auto at = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(first), at(middle), at(last), [&](std::uint32_t i, std::uint32_t j) {
      const float mid_i = boxes[i].lo[axis] + boxes[i].hi[axis];
      const float mid_j = boxes[j].lo[axis] + boxes[j].hi[axis];
      return mid_i < mid_j || (mid_i == mid_j && i < j);
    });
    const std::size_t child = tree.nodes.size();
    tree.nodes.resize(child + 2);
    tree.nodes[place] = BoxNode(cut, side & 3U, side >= 4, false, static_cast<std::uint32_t>(child));
    make(child, first, middle, box, depth + 1, false);
    make(child + 1, middle, last, box, depth + 1, false);
  }
};

}  // namespace

Boxtree build_boxtree(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                      BoxtreeSplit /*split*/) {
  Boxtree tree;
  tree.frame = make_frame(positions, triangles);
  if (triangles.empty()) return tree;
  Builder builder{{}, {}, tree};
  for (const Triangle& triangle : triangles) {
    Bounds box{{2, 2, 2}, {-2, -2, -2}};
    for (const VertexId v : triangle) {
      const auto u = tree.frame.relative(positions[v]);
      for (std::size_t k = 0; k < 3; ++k) {
        box.lo[k] = std::min(box.lo[k], round_down(u[k]));
        box.hi[k] = std::max(box.hi[k], round_up(u[k]));
      }
    }
    builder.boxes.push_back(box);
  }
  builder.order.resize(triangles.size());
  std::iota(builder.order.begin(), builder.order.end(), 0U);
  const Bounds all = builder.bounds(0, triangles.size());
  tree.lo = all.lo;
  tree.hi = all.hi;
  tree.nodes.reserve(2 * triangles.size() - 1);
  tree.nodes.resize(1);
  Builder::Box box{};
  for (std::size_t k = 0; k < 3; ++k) {
    box.lo[k] = static_cast<double>(all.lo[k]);
    box.hi[k] = static_cast<double>(all.hi[k]);
  }
  builder.make(0, 0, triangles.size(), box, 0, true);
  mark_clusters(tree);
  return tree;
}

}  // namespace graze::rigid

// Order and refit of the cluster tree; cluster_tree.hpp describes its layout.
#include "methods/cluster/cluster_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/tasks.hpp"

namespace graze::methods {

namespace {

struct Place {
  std::array<float, 3> centre;
  std::uint32_t cluster;
};

/// Splits the places recursively along the longest axis, each time at a multiple of the largest power of 16 below
/// their number, until runs of at most 16 remain.
void put_in_order(std::span<Place> places) {
  std::vector<std::span<Place>> stack{places};
  while (!stack.empty()) {
    const std::span<Place> some = stack.back();
    stack.pop_back();
    if (some.size() <= ClusterTree::kWidth) continue;
    std::size_t run = ClusterTree::kWidth;
    while (run * ClusterTree::kWidth < some.size()) run *= ClusterTree::kWidth;
    std::array<float, 3> lo;
    std::array<float, 3> hi;
    lo.fill(std::numeric_limits<float>::infinity());
    hi.fill(-std::numeric_limits<float>::infinity());
    for (const Place& place : some) {
      for (std::size_t k = 0; k < 3; ++k) {
        lo[k] = std::min(lo[k], place.centre[k]);
        hi[k] = std::max(hi[k], place.centre[k]);
      }
    }
    std::size_t axis = 0;
    for (std::size_t k = 1; k < 3; ++k) axis = hi[k] - lo[k] > hi[axis] - lo[axis] ? k : axis;
    const std::size_t cut = std::max<std::size_t>((some.size() / 2 + run / 2) / run, 1) * run;
    std::nth_element(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(cut), some.end(),
                     [axis](const Place& a, const Place& b) {
                       return std::pair(a.centre[axis], a.cluster) < std::pair(b.centre[axis], b.cluster);
                     });
    stack.push_back(some.subspan(cut));
    stack.push_back(some.first(cut));
  }
}

void set_child(ClusterTree::Node& node, std::size_t child, const LinearBox& box, bool kept) {
  for (std::size_t k = 0; k < 6; ++k) {
    node.lo[k][child] = box.lo[k];
    node.hi[k][child] = box.hi[k];
  }
  node.kept |= static_cast<std::uint32_t>(kept) << child;
}

LinearBox box_of(const ClusterTree::Node& node) {
  LinearBox box;
  for (std::size_t k = 0; k < 6; ++k) {
    for (std::size_t c = 0; c < ClusterTree::kWidth; ++c) {
      box.lo[k] = std::min(box.lo[k], node.lo[k][c]);
      box.hi[k] = std::max(box.hi[k], node.hi[k][c]);
    }
  }
  return box;
}

/// Fills the nodes of a level: child(i) returns the bounds of the i-th child, and whether all its vertices are
/// kept.
template <typename Child>
void fill(std::vector<ClusterTree::Node>& level, std::size_t children, const Child& child) {
  parallel_for(0, level.size(), 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      level[i].kept = 0;
      for (std::size_t c = 0; c < ClusterTree::kWidth; ++c) {
        const std::size_t at = i * ClusterTree::kWidth + c;
        if (at < children) {
          const auto [box, kept] = child(at);
          set_child(level[i], c, box, kept);
        } else {
          set_child(level[i], c, LinearBox(), true);
        }
      }
    }
  });
}

}  // namespace

void ClusterTree::order(std::span<const Cluster> clusters) {
  std::vector<Place> places;
  places.reserve(clusters.size());
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (clusters[i].vertex_count == 0) continue;
    const LinearBox& box = clusters[i].box;
    Place place{{}, static_cast<std::uint32_t>(i)};
    for (std::size_t k = 0; k < 3; ++k) {
      const float centre = 0.25F * (box.lo[k] + box.hi[k]) + 0.25F * (box.lo[3 + k] + box.hi[3 + k]);
      place.centre[k] = std::isfinite(centre) ? centre : 0.0F;
    }
    places.push_back(place);
  }
  put_in_order(places);
  order_.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) order_[i] = places[i].cluster;
  levels_.clear();
  for (std::size_t below = order_.size(); below > 0;) {
    below = (below + kWidth - 1) / kWidth;
    levels_.emplace_back(below);
    if (below == 1) break;
  }
}

void ClusterTree::refit(std::span<const Cluster> clusters) {
  spread_ = 0.0;
  struct Child {
    LinearBox box;
    bool kept;
  };
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    if (level == 0) {
      fill(levels_[0], order_.size(), [&](std::size_t i) {
        const Cluster& cluster = clusters[order_[i]];
        return Child{cluster.box, cluster.all_kept()};
      });
    } else {
      const std::vector<Node>& below = levels_[level - 1];
      fill(levels_[level], below.size(), [&](std::size_t i) {
        return Child{box_of(below[i]), below[i].kept == (1U << kWidth) - 1U};
      });
    }
    if (level > 1 || (level == 0 && levels_.size() > 1)) continue;
    for (const Node& node : levels_[level]) {  // children: the lowest nodes, or the clusters if there is one level
      for (std::size_t c = 0; c < kWidth; ++c) {
        for (std::size_t k = 0; k < 3; ++k) {
          if (node.lo[k][c] <= node.hi[k][c]) spread_ += static_cast<double>(node.hi[k][c] - node.lo[k][c]);
        }
      }
    }
  }
}

std::size_t ClusterTree::memory_bytes() const {
  std::size_t nodes = 0;
  for (const auto& level : levels_) nodes += level.capacity();
  return order_.capacity() * sizeof(order_[0]) + nodes * sizeof(Node);
}

}  // namespace graze::methods

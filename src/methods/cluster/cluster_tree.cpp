// Order and refit of the cluster tree; cluster_tree.hpp describes its layout.
#include "methods/cluster/cluster_tree.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/tasks.hpp"
#include "core/uninitialized_vector.hpp"

namespace graze::methods {

namespace {

constexpr std::uint32_t kNoCluster = std::numeric_limits<std::uint32_t>::max();

struct Place {
  std::array<double, 3> centre;
  std::uint32_t cluster;
};

/// Splits places in two along the longest axis, at a multiple of the largest power of 16 below their number;
/// returns the number of the first ones.
std::size_t split_places(std::span<Place> some) {
  std::size_t run = ClusterTree::kWidth;
  while (run * ClusterTree::kWidth < some.size()) run *= ClusterTree::kWidth;
  std::array<double, 3> lo;
  std::array<double, 3> hi;
  lo.fill(std::numeric_limits<double>::infinity());
  hi.fill(-std::numeric_limits<double>::infinity());
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
  return cut;
}

/// Splits the places recursively until runs of at most 16 remain.
void put_in_order(std::span<Place> places) {
  // Level by level on all threads, until there is a part for each; then each part on one thread.
  constexpr std::size_t kPart = 1024;
  std::vector<std::span<Place>> parts{places};
  for (bool any_large = places.size() > kPart; any_large;) {
    std::vector<std::array<std::span<Place>, 2>> halves(parts.size());
    parallel_for(0, parts.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const std::size_t cut = parts[i].size() > kPart ? split_places(parts[i]) : parts[i].size();
        halves[i] = {parts[i].first(cut), parts[i].subspan(cut)};
      }
    });
    parts.clear();
    any_large = false;
    for (const auto& both : halves) {
      for (const std::span<Place> half : both) {
        if (half.empty()) continue;
        parts.push_back(half);
        any_large = any_large || half.size() > kPart;
      }
    }
  }
  parallel_for(0, parts.size(), 1, [&](std::size_t first, std::size_t last) {
    std::vector<std::span<Place>> stack(parts.begin() + static_cast<std::ptrdiff_t>(first),
                                        parts.begin() + static_cast<std::ptrdiff_t>(last));
    while (!stack.empty()) {
      const std::span<Place> some = stack.back();
      stack.pop_back();
      if (some.size() <= ClusterTree::kWidth) continue;
      const std::size_t cut = split_places(some);
      stack.push_back(some.subspan(cut));
      stack.push_back(some.first(cut));
    }
  });
}

void set_child(ClusterTree::Node& node, std::size_t child, const SceneBox& box, bool kept) {
  for (std::size_t k = 0; k < 6; ++k) {
    node.lo[k][child] = box.lo[k];
    node.hi[k][child] = box.hi[k];
  }
  node.kept |= static_cast<std::uint32_t>(kept) << child;
}

SceneBox box_of(const ClusterTree::Node& node) {
  SceneBox box;
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
      level[i].present = 0;
      level[i].kept = 0;
      for (std::size_t c = 0; c < ClusterTree::kWidth; ++c) {
        const std::size_t at = i * ClusterTree::kWidth + c;
        if (at < children) {
          const auto [box, kept] = child(at);
          set_child(level[i], c, box, kept);
          level[i].present |= 1U << c;
        } else {
          set_child(level[i], c, SceneBox(), true);
        }
      }
    }
  });
}

}  // namespace

void ClusterTree::order(std::span<const Cluster> clusters) {
  constexpr std::size_t kGrain = 512;
  UninitializedVector<Place> places(clusters.size());
  std::atomic<bool> any_free = false;
  parallel_for(0, clusters.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      places[i] = {{}, kNoCluster};
      if (clusters[i].vertex_count == 0) {
        any_free.store(true, std::memory_order_relaxed);
        continue;
      }
      const SceneBox box = scene_box(clusters[i]);
      for (std::size_t k = 0; k < 3; ++k) {
        const double centre = 0.25 * box.lo[k] + 0.25 * box.hi[k] + 0.25 * box.lo[3 + k] + 0.25 * box.hi[3 + k];
        places[i].centre[k] = std::isfinite(centre) ? centre : 0.0;
      }
      places[i].cluster = static_cast<std::uint32_t>(i);
    }
  });
  if (any_free) std::erase_if(places, [](const Place& place) { return place.cluster == kNoCluster; });
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
    SceneBox box;
    bool kept;
  };
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    if (level == 0) {
      fill(levels_[0], order_.size(), [&](std::size_t i) {
        const Cluster& cluster = clusters[order_[i]];
        return Child{scene_box(cluster), cluster.all_kept()};
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
          const double extent = node.hi[k][c] - node.lo[k][c];
          if (extent >= 0.0 && std::isfinite(extent)) spread_ += extent;
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

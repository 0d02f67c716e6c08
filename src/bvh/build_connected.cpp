// Agglomerative builder over mesh connectivity (build_connected.hpp). Components are processed in parallel, each
// with its own arrays. In a large component the picks and the contraction of the graph are parallel too: each task
// writes only to the slots of its own groups.
#include "bvh/build_connected.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/assert.hpp"
#include "core/tasks.hpp"
#include "mesh/topology.hpp"

namespace graze::bvh {

namespace {

constexpr std::uint32_t kNone = 0xffffffffU;
constexpr std::size_t kGrain = 2048;

/// Axis-aligned bounds; boxes are clamped to the largest float so that areas are finite.
struct Bounds {
  std::array<float, 3> lo;
  std::array<float, 3> hi;

  void include(const Bounds& other) {
    for (std::size_t k = 0; k < 3; ++k) {
      lo[k] = other.lo[k] < lo[k] ? other.lo[k] : lo[k];
      hi[k] = other.hi[k] > hi[k] ? other.hi[k] : hi[k];
    }
  }
};

/// Extents of the union of two bounds.
std::array<double, 3> extents(const Bounds& a, const Bounds& b) {
  std::array<double, 3> extent;
  for (std::size_t k = 0; k < 3; ++k) {
    const double lo = a.lo[k] < b.lo[k] ? a.lo[k] : b.lo[k];
    const double hi = a.hi[k] > b.hi[k] ? a.hi[k] : b.hi[k];
    extent[k] = hi - lo;
  }
  return extent;
}

/// One entry of the adjacency lists: a neighbouring leaf group.
struct Neighbour {
  std::uint32_t group;
  std::uint32_t shared;  ///< number of links between the two groups
};

struct LeafGroup {
  Bounds box;
  Bounds normals;      ///< box of the unit normals; empty (lo > hi) if none is known
  std::uint32_t node;  ///< node in the forest
  std::uint32_t leaves;
  std::uint32_t contour;  ///< number of edges to other groups, including the border of the mesh
  std::uint32_t first;    ///< its neighbours are [first, first + degree)
  std::uint32_t degree;
};

Bounds box_of(const Aabb& box) {
  constexpr float kMaxFloat = std::numeric_limits<float>::max();
  Bounds bounds;
  for (std::size_t k = 0; k < 3; ++k) {
    bounds.lo[k] = std::clamp(box.lo[k], -kMaxFloat, kMaxFloat);
    bounds.hi[k] = std::clamp(box.hi[k], -kMaxFloat, kMaxFloat);
  }
  return bounds;
}

Bounds normal_of(const Vec3& normal) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const double most = std::max({std::abs(normal.x), std::abs(normal.y), std::abs(normal.z)});
  if (!(most > 0.0) || !std::isfinite(normal.x + normal.y + normal.z)) {
    return {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
  }
  // Scales the largest component to 1 first, so that the squares neither overflow nor underflow.
  const std::array<double, 3> n = {normal.x / most, normal.y / most, normal.z / most};
  const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  Bounds bounds;
  for (std::size_t k = 0; k < 3; ++k) bounds.lo[k] = bounds.hi[k] = static_cast<float>(n[k] / length);
  return bounds;
}

/// A candidate merge with its cost. The order of candidates is total on pairs of groups, so the best of all is
/// always mutual. Ties, frequent on grids, are broken by the common bits of the ids: partners are then 0 1, 2 3,
/// ..., not a chain.
struct MergeCandidate {
  double cost = std::numeric_limits<double>::infinity();
  std::uint32_t from = kNone;
  std::uint32_t to = kNone;

  [[nodiscard]] bool better_than(const MergeCandidate& other) const {
    if (cost != other.cost) return cost < other.cost;
    if ((from ^ to) != (other.from ^ other.to)) return (from ^ to) < (other.from ^ other.to);
    return std::min(from, to) < std::min(other.from, other.to);
  }
};

/// Graph of the leaf groups of one component, and the merge rounds. Reused for several components to keep its
/// memory.
class LeafGroupMerger {
 public:
  explicit LeafGroupMerger(const ConnectedWeights& weights) : weights_(weights) {}

  std::vector<LeafGroup> groups;
  std::vector<Neighbour> neighbours;

  /// Merges until one group is left; merge k is node first_node + k. Returns the root.
  std::uint32_t run(std::span<ConnectedForest::Merge> merges, std::uint32_t first_node) {
    std::size_t done = 0;
    while (groups.size() > 1) {
      pick();
      if (10 * match_mutual() < groups.size() && 10 * match_greedily() < groups.size() &&
          groups.size() > kMaxGroupsWithoutHubPairs) {
        match_around_hubs();
      }
      done = contract(merges, done, first_node);
    }
    GRAZE_ASSERT(done == merges.size());
    return groups[0].node;
  }

 private:
  [[nodiscard]] double cost(const LeafGroup& a, const LeafGroup& b, std::uint32_t shared) const {
    const std::array<double, 3> e = extents(a.box, b.box);
    const double area = e[0] * (e[1] + e[2]) + e[1] * e[2];
    const std::array<double, 3> n = extents(a.normals, b.normals);
    const double diagonal = n[0] >= 0.0 ? n[0] * n[0] + n[1] * n[1] + n[2] * n[2] : 0.0;
    const double both = static_cast<double>(a.contour) + static_cast<double>(b.contour);
    const double contour = std::max(both - 2.0 * shared, 0.0);
    const double leaves = static_cast<double>(a.leaves) + static_cast<double>(b.leaves);
    return area *
           (1.0 + weights_.normals * diagonal / 12.0 + weights_.contour * contour * contour / (9.0 * leaves));
  }

  /// Returns the neighbour with the least merge cost among those for which allowed(neighbour) is true; kNone if
  /// none is.
  template <typename Allowed>
  [[nodiscard]] std::uint32_t best_of(std::uint32_t i, const Allowed& allowed) const {
    const LeafGroup& group = groups[i];
    MergeCandidate best;
    for (std::uint32_t k = group.first; k < group.first + group.degree; ++k) {
      const Neighbour& to = neighbours[k];
      if (!allowed(to.group)) continue;
      const MergeCandidate candidate{cost(group, groups[to.group], to.shared), i, to.group};
      if (best.to == kNone || candidate.better_than(best)) best = candidate;
    }
    return best.to;
  }

  void pick() {
    picks_.resize(groups.size());
    parallel_for(0, groups.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        picks_[i] = best_of(static_cast<std::uint32_t>(i), [](std::uint32_t) { return true; });
      }
    });
  }

  /// match_mutual, match_greedily and match_around_hubs return the number of pairs matched so far in this round.
  std::size_t match_mutual() {
    mates_.assign(groups.size(), kNone);
    pairs_ = 0;
    for (std::uint32_t i = 0; i < groups.size(); ++i) {
      if (picks_[i] > i && picks_[picks_[i]] == i) join(i, picks_[i]);
    }
    return pairs_;
  }

  std::size_t match_greedily() {
    for (std::uint32_t i = 0; i < groups.size(); ++i) {
      if (mates_[i] != kNone) continue;
      const std::uint32_t mate = best_of(i, [&](std::uint32_t j) { return mates_[j] == kNone; });
      if (mate != kNone) join(i, mate);
    }
    return pairs_;
  }

  /// Pairs unmatched groups that have a common neighbour (hub). After match_greedily all neighbours of an unmatched
  /// group are matched. At most one unmatched group per hub remains, so at least a quarter of the N groups
  /// disappears in this round.
  std::size_t match_around_hubs() {
    for (std::uint32_t hub = 0; hub < groups.size(); ++hub) {
      std::uint32_t single = kNone;
      for (std::uint32_t k = groups[hub].first; k < groups[hub].first + groups[hub].degree; ++k) {
        const std::uint32_t i = neighbours[k].group;
        if (mates_[i] != kNone) continue;
        if (single == kNone) {
          single = i;
        } else {
          join(single, i);
          single = kNone;
        }
      }
    }
    return pairs_;
  }

  void join(std::uint32_t i, std::uint32_t j) {
    mates_[i] = j;
    mates_[j] = i;
    ++pairs_;
  }

  /// Builds the groups and the graph of the next round. A merged pair takes the position of its first group.
  std::size_t contract(std::span<ConnectedForest::Merge> merges, std::size_t done, std::uint32_t first_node) {
    new_ids_.resize(groups.size());
    next_.clear();
    olds_.clear();
    std::uint32_t room = 0;
    for (std::uint32_t i = 0; i < groups.size(); ++i) {
      const std::uint32_t mate = mates_[i];
      if (mate < i) {
        new_ids_[i] = new_ids_[mate];
        continue;
      }
      new_ids_[i] = static_cast<std::uint32_t>(next_.size());
      LeafGroup group = groups[i];
      group.first = room;
      room += group.degree;
      if (mate != kNone) {
        const LeafGroup& other = groups[mate];
        merges[done] = {group.node, other.node};
        group.node = first_node + static_cast<std::uint32_t>(done++);
        group.box.include(other.box);
        group.normals.include(other.normals);
        group.leaves += other.leaves;
        group.contour += other.contour;  // gather() subtracts the shared edges
        room += other.degree;
      }
      next_.push_back(group);
      olds_.push_back(i);
    }
    next_neighbours_.resize(room);
    parallel_for(0, next_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) gather(i);
    });
    groups.swap(next_);
    neighbours.swap(next_neighbours_);
    return done;
  }

  /// Collects the neighbours of a new group: the neighbours of its parts, renumbered and without duplicates.
  void gather(std::size_t i) {
    constexpr std::uint32_t kShort = 32;
    LeafGroup& group = next_[i];
    Neighbour* const out = next_neighbours_.data() + group.first;
    std::uint32_t count = 0;
    std::uint32_t inside = 0;
    const auto add = [&](std::uint32_t old, bool search) {
      const LeafGroup& part = groups[old];
      for (std::uint32_t k = part.first; k < part.first + part.degree; ++k) {
        const Neighbour to{new_ids_[neighbours[k].group], neighbours[k].shared};
        if (to.group == i) {
          inside += to.shared;
          continue;
        }
        Neighbour* const end = out + count;
        Neighbour* const same =
            search ? std::find_if(out, end, [&](const Neighbour& n) { return n.group == to.group; }) : end;
        if (same != end) {
          same->shared += to.shared;
        } else {
          out[count++] = to;
        }
      }
    };
    const std::uint32_t mate = mates_[olds_[i]];
    const std::uint32_t most = groups[olds_[i]].degree + (mate == kNone ? 0 : groups[mate].degree);
    add(olds_[i], most <= kShort);
    if (mate != kNone) add(mate, most <= kShort);
    if (most > kShort) {
      std::sort(out, out + count, [](const Neighbour& a, const Neighbour& b) { return a.group < b.group; });
      std::uint32_t kept = 0;
      for (std::uint32_t k = 0; k < count; ++k) {
        if (kept > 0 && out[kept - 1].group == out[k].group) {
          out[kept - 1].shared += out[k].shared;
        } else {
          out[kept++] = out[k];
        }
      }
      count = kept;
    }
    group.degree = count;
    // Both parts list their shared links, so `inside` counts each link twice: once for each contour. Edges with
    // many faces can have more links than the contours have edges.
    group.contour -= std::min(group.contour, inside);
  }

  ConnectedWeights weights_;
  std::vector<std::uint32_t> picks_;
  std::vector<std::uint32_t> mates_;
  std::vector<std::uint32_t> new_ids_;
  std::vector<std::uint32_t> olds_;  ///< for each new group, the first of its parts
  std::vector<LeafGroup> next_;
  std::vector<Neighbour> next_neighbours_;
  std::size_t pairs_ = 0;
};

/// For each leaf, returns the smallest leaf in its connected component (union-find over the links).
std::vector<std::uint32_t> smallest_reachable(std::size_t n, std::span<const LeafLink> links) {
  std::vector<std::uint32_t> up(n);
  std::iota(up.begin(), up.end(), 0U);
  const auto find = [&](std::uint32_t i) {
    while (up[i] != i) i = up[i] = up[up[i]];
    return i;
  };
  for (const LeafLink& link : links) {
    GRAZE_ASSERT(link.a < n && link.b < n);
    const std::uint32_t a = find(link.a);
    const std::uint32_t b = find(link.b);
    up[std::max(a, b)] = std::min(a, b);
  }
  for (std::uint32_t i = 0; i < n; ++i) up[i] = up[up[i]];
  return up;
}

/// Builds rows from each(put), which calls put(row, item) for all items, in the same order on both calls.
template <typename Each>
Rows make_rows(std::size_t count, const Each& each) {
  Rows rows;
  rows.offsets.assign(count + 1, 0);
  each([&](std::uint32_t row, std::uint32_t) { ++rows.offsets[row + 1]; });
  std::partial_sum(rows.offsets.begin(), rows.offsets.end(), rows.offsets.begin());
  rows.items.resize(rows.offsets.back());
  std::vector<std::uint32_t> next(rows.offsets.begin(), rows.offsets.end() - 1);
  each([&](std::uint32_t row, std::uint32_t item) { rows.items[next[row]++] = item; });
  return rows;
}

}  // namespace

ConnectedForest bvh_build_connected(std::span<const Aabb> boxes, std::span<const Vec3> normals,
                                    std::span<const LeafLink> links, const ConnectedWeights& weights) {
  GRAZE_ASSERT(normals.empty() || normals.size() == boxes.size());
  const auto n = static_cast<std::uint32_t>(boxes.size());
  ConnectedForest forest;
  forest.leaf_count = n;
  std::vector<std::uint32_t> component_of = smallest_reachable(n, links);
  for (std::uint32_t i = 0; i < n; ++i) {
    // The smallest leaf of a component comes first; its entry is replaced by the component's number.
    if (component_of[i] == i) {
      component_of[i] = static_cast<std::uint32_t>(forest.components.size());
      forest.components.push_back({i, 0, 1});
    } else {
      component_of[i] = component_of[component_of[i]];
      ++forest.components[component_of[i]].leaf_count;
    }
  }
  std::uint32_t merge_count = 0;
  for (ConnectedForest::Component& component : forest.components) {
    component.first_merge = merge_count;
    merge_count += component.leaf_count - 1;
  }
  if (merge_count == 0) return forest;
  forest.merges.resize(merge_count);

  const Rows leaves = make_rows(forest.components.size(), [&](const auto& put) {
    for (std::uint32_t i = 0; i < n; ++i) put(component_of[i], i);
  });
  const Rows adjacent = make_rows(n, [&](const auto& put) {
    for (const LeafLink& link : links) {
      if (link.a == link.b) continue;
      put(link.a, link.b);
      put(link.b, link.a);
    }
  });
  std::vector<std::uint32_t> place(n);  // index of a leaf within its component
  for (std::size_t c = 0; c < forest.components.size(); ++c) {
    for (std::uint32_t k = 0; k < leaves.length(c); ++k) place[leaves[c][k]] = k;
  }

  parallel_for(0, forest.components.size(), 64, [&](std::size_t begin, std::size_t end) {
    LeafGroupMerger merger(weights);
    for (std::size_t c = begin; c < end; ++c) {
      ConnectedForest::Component& component = forest.components[c];
      if (component.leaf_count == 1) continue;
      merger.groups.clear();
      merger.neighbours.clear();
      for (const std::uint32_t leaf : leaves[c]) {
        const auto first = static_cast<std::uint32_t>(merger.neighbours.size());
        for (const std::uint32_t to : adjacent[leaf]) merger.neighbours.push_back({place[to], 1});
        const auto degree = static_cast<std::uint32_t>(merger.neighbours.size()) - first;
        merger.groups.push_back(
            {box_of(boxes[leaf]), normal_of(normals.empty() ? Vec3{} : normals[leaf]), leaf, 1, 3, first, degree});
      }
      component.root = merger.run(std::span(forest.merges).subspan(component.first_merge, component.leaf_count - 1),
                                  n + component.first_merge);
    }
  });
  return forest;
}

}  // namespace graze::bvh

// Splits groups of leaves into clusters; build_clusters.hpp describes the method.
#include "methods/cluster/build/build_clusters.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "core/assert.hpp"
#include "core/prefetch.hpp"
#include "core/tasks.hpp"
#include "methods/cluster/build/cluster_disc.hpp"
#include "methods/cluster/build/group_leaves.hpp"
#include "methods/cluster/build/split_part.hpp"
#include "methods/cluster/build/surface_coordinates.hpp"

namespace graze::methods {

namespace {

/// Hash table of the vertex ids of a cluster, with their indices.
class LocalIds {
 public:
  /// Returns the index of an id in `list`, adding it if it is new; kFull if there are `room` ids already.
  std::size_t place(VertexId id, std::array<VertexId, kClusterVertices>& list, std::size_t room) {
    for (std::size_t i = hash(id);; i = (i + 1) % kSlots) {
      if (used_[i] == 0) {
        if (count_ == room) return kFull;
        list[count_] = id;
        used_[i] = static_cast<std::uint8_t>(++count_);
        return count_ - 1;
      }
      const std::size_t place = used_[i] - 1U;
      if (list[place] == id) return place;
    }
  }
  [[nodiscard]] std::size_t count() const { return count_; }

  static constexpr std::size_t kFull = ~std::size_t{0};

 private:
  static constexpr std::size_t kSlots = 128;
  static std::size_t hash(VertexId id) { return (id * 0x9e3779b1U) >> 25U; }

  std::array<std::uint8_t, kSlots> used_{};
  std::size_t count_ = 0;
};

/// Makes a cluster of the leaves; false if they have too many vertices or edges.
bool make_cluster(const ClusterInput& input, std::span<const std::uint32_t> leaves, Cluster& cluster) {
  cluster = {};
  LocalIds ids;
  // The vertices that the leaves represent come first: the cluster owns them.
  for (const std::uint32_t number : leaves) {
    const Leaf& leaf = input.leaves[number];
    for (std::size_t k = 0; k < represented_vertex_count(leaf.id); ++k) {
      if (ids.place(leaf.vertices[k], cluster.ids, kClusterVertices) == LocalIds::kFull) return false;
    }
  }
  cluster.owned_vertices = static_cast<std::uint8_t>(ids.count());
  std::size_t edges = 0;
  std::size_t faces = 0;
  for (const std::uint32_t number : leaves) {
    const Leaf& leaf = input.leaves[number];
    const Face face = leaf.face();
    std::array<std::uint32_t, 3> at;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t place = ids.place(face[k], cluster.ids, kClusterVertices);
      if (place == LocalIds::kFull) return false;
      at[k] = static_cast<std::uint32_t>(place);
    }
    cluster.faces[faces++] = at[0] | at[1] << 8U | at[2] << 16U;
    for (const std::uint32_t e : leaf.represented_edges()) {
      if (edges == kClusterEdges) return false;
      // The ends of an edge ascend like the ids of the face.
      const Edge& ends = input.edges[e];
      cluster.edges[edges++] = at[ends[0] == face[0] ? 0 : 1] | at[ends[1] == face[2] ? 2 : 1] << 8U;
    }
  }
  cluster.vertex_count = static_cast<std::uint8_t>(ids.count());
  cluster.edge_count = static_cast<std::uint8_t>(edges);
  cluster.face_count = static_cast<std::uint8_t>(faces);
  for (std::size_t i = ids.count(); i < kClusterVertices; ++i) cluster.ids[i] = cluster.ids[ids.count() - 1];
  return true;
}

/// Whether leaves have few enough vertices and edges for a cluster. Precondition: at most kClusterFaces leaves.
bool fits_cluster(const ClusterInput& input, std::span<const std::uint32_t> leaves) {
  LocalIds ids;
  std::array<VertexId, kClusterVertices> named;
  std::size_t edges = 0;
  for (const std::uint32_t number : leaves) {
    const Leaf& leaf = input.leaves[number];
    edges += represented_edge_count(leaf.id);
    for (const VertexId v : leaf.vertices) {
      if (ids.place(v, named, kClusterVertices) == LocalIds::kFull) return false;
    }
  }
  return edges <= kClusterEdges;
}

/// Splits ranges of items into clusters; keeps its work space from one range to the next.
class RangeSplitter {
 public:
  RangeSplitter(const ClusterInput& input, double unit) : input_(input), unit_(unit) {}

  /// Sorts the items of a range by cluster. Calls begin(i) where items[i] begins one.
  template <typename Begin>
  void split(std::span<std::uint32_t> items, std::span<const std::uint32_t> leaves, bool by_component,
             const Begin& begin) {
    numbers_.resize(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) numbers_[i] = leaves[items[i]];
    if (items.size() <= kClusterFaces && !by_component && fits_cluster(input_, numbers_)) return begin(0);
    before_.assign(items.begin(), items.end());
    coordinates_.assign(items.size(), {});
    if (!by_component && items.size() <= kFewFaces) {
      mixed_.resize(items.size());
      std::iota(mixed_.begin(), mixed_.end(), 0U);
      split_group(mixed_, items, 0, begin);
      return;
    }
    surface_.find_components(input_.leaves, numbers_);
    std::size_t done = 0;
    mixed_.clear();
    for (std::size_t c = 0; c < surface_.component_count(); ++c) {
      const std::span<const std::uint32_t> component = surface_.component(c);
      if (component.size() > kFewFaces) surface_.find_coordinates(c, coordinates_);
      if (!by_component) continue;
      if (component.size() < kOwnPiece) {
        mixed_.insert(mixed_.end(), component.begin(), component.end());
      } else {
        done = split_group(component, items, done, begin);
      }
    }
    if (!by_component) {
      mixed_.resize(items.size());
      std::iota(mixed_.begin(), mixed_.end(), 0U);
    }
    split_group(mixed_, items, done, begin);
  }

 private:
  /// Components with fewer faces have few layers: splitting them in space is good enough.
  static constexpr std::size_t kFewFaces = 4 * kClusterFaces;

  /// Splits some items of the range and writes them from index `done` on; returns the end.
  template <typename Begin>
  std::size_t split_group(std::span<const std::uint32_t> group, std::span<std::uint32_t> items, std::size_t done,
                          const Begin& begin) {
    while (group.size() > PartSplitter::kMaxSize) {  // whatever its shape: no part of a mesh is that large
      done = split_group(group.first(PartSplitter::kMaxSize), items, done, begin);
      group = group.subspan(PartSplitter::kMaxSize);
    }
    axes_.resize(group.size());
    std::array<double, 3> origin{};
    for (std::size_t i = 0; i < group.size(); ++i) {
      const std::array<double, 3> centre = centre_of(input_, input_.leaves[numbers_[group[i]]]);
      if (i == 0) origin = centre;
      const auto along = [&](std::size_t k) {
        constexpr double kLargest = 0x1p100;
        return static_cast<float>(std::clamp((centre[k] - origin[k]) / unit_, -kLargest, kLargest));
      };
      const SurfaceCoordinates& surface = coordinates_[group[i]];
      axes_[i] = {along(0), along(1), along(2), surface[0], surface[1]};
    }
    order_.resize(group.size());
    std::array<std::uint32_t, kClusterFaces> some{};
    const auto fits = [&](std::span<const std::uint32_t> indices) {
      for (std::size_t i = 0; i < indices.size(); ++i) some[i] = numbers_[group[indices[i]]];
      return fits_cluster(input_, std::span(some).first(indices.size()));
    };
    splitter_.split(axes_, order_, fits, [&](std::size_t i) { begin(done + i); });
    for (const std::uint32_t i : order_) items[done++] = before_[group[i]];
    return done;
  }

  const ClusterInput& input_;
  double unit_;  // typical size of a triangle
  SurfaceSearch surface_;
  PartSplitter splitter_;
  std::vector<std::uint32_t> numbers_;  // leaves, by item
  std::vector<std::uint32_t> before_;   // items
  std::vector<SurfaceCoordinates> coordinates_;
  std::vector<std::uint32_t> mixed_;  // items that are split together
  std::vector<SplitAxes> axes_;
  std::vector<std::uint32_t> order_;
};

/// Sorts the leaves by cluster and returns the end of each cluster. Frees all work memory before it returns.
std::vector<std::uint32_t> order_leaves(const ClusterInput& input, std::span<std::uint32_t> leaves) {
  LeafGroups groups = group_leaves(input, leaves);
  const std::span<std::uint32_t> items = groups.items;
  // Neighbouring ranges are a task if they are small.
  std::vector<std::size_t> tasks;  // first range of each, and the end
  for (std::size_t r = 0, size = kLargestPart; r < groups.ranges.size(); ++r) {
    size += groups.ranges[r].size();
    if (size < kLargestPart) continue;
    tasks.push_back(r);
    size = groups.ranges[r].size();
  }
  tasks.push_back(groups.ranges.size());
  const std::size_t task_count = tasks.size() - 1;
  std::vector<std::vector<std::uint32_t>> begins(task_count);  // where clusters begin
  parallel_for(0, task_count, 4, [&](std::size_t first, std::size_t last) {
    RangeSplitter splitter(input, groups.unit);
    for (std::size_t t = first; t < last; ++t) {
      for (std::size_t r = tasks[t]; r < tasks[t + 1]; ++r) {
        const ItemRange& range = groups.ranges[r];
        splitter.split(items.subspan(range.begin, range.size()), leaves, range.is_part,
                       [&](std::size_t i) { begins[t].push_back(static_cast<std::uint32_t>(range.begin + i)); });
      }
    }
  });
  parallel_for(0, items.size(), 8192, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) items[i] = leaves[items[i]];
  });
  parallel_for(0, items.size(), 8192, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) leaves[i] = items[i];
  });
  std::vector<std::uint32_t> ends;
  std::size_t count = 0;
  for (const auto& some : begins) count += some.size();
  ends.reserve(count);
  for (const auto& some : begins) {
    for (const std::uint32_t begin : some) {
      if (begin > 0) ends.push_back(begin);
    }
  }
  if (!items.empty()) ends.push_back(static_cast<std::uint32_t>(items.size()));
  return ends;
}

}  // namespace

MadeClusters build_clusters(const ClusterInput& input, std::vector<std::uint32_t> leaves) {
  // Decides where to split first, then makes each cluster in its final place: no second copy of the clusters
  // exists.
  MadeClusters all;
  all.ends = order_leaves(input, leaves);
  const std::vector<std::uint32_t>& ends = all.ends;
  all.leaves = std::move(leaves);
  all.clusters.resize(ends.size());
  parallel_for(0, ends.size(), 128, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      const std::size_t begin = c == 0 ? 0 : ends[c - 1];
      // The leaves of the next cluster are on their way while this one is made.
      if (c + 1 < last) {
        for (std::size_t i = ends[c]; i < ends[c + 1]; ++i) prefetch(input.leaves[all.leaves[i]]);
      }
      [[maybe_unused]] const bool fits =
          make_cluster(input, std::span(all.leaves).subspan(begin, ends[c] - begin), all.clusters[c]);
      GRAZE_ASSERT(fits);
      find_contour(all.clusters[c]);
    }
  });
  return all;
}

}  // namespace graze::methods

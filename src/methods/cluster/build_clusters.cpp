// Splits groups of leaves into clusters; build_clusters.hpp describes the method.
#include "methods/cluster/build_clusters.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/assert.hpp"
#include "core/tasks.hpp"
#include "methods/cluster/cluster_disc.hpp"
#include "methods/cluster/group_leaves.hpp"

namespace graze::methods {

namespace {

/// Hash table of the vertex ids of a cluster, with their indices.
class LocalIds {
 public:
  /// Returns the index of an id, adding it if it is new; kFull if there are `room` ids already.
  std::size_t place(VertexId id, Cluster& cluster, std::size_t room) {
    for (std::size_t i = hash(id);; i = (i + 1) % kSlots) {
      if (used_[i] == 0) {
        if (count_ == room) return kFull;
        cluster.ids[count_] = id;
        used_[i] = static_cast<std::uint8_t>(++count_);
        return count_ - 1;
      }
      const std::size_t place = used_[i] - 1U;
      if (cluster.ids[place] == id) return place;
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
      if (ids.place(leaf.vertices[k], cluster, kClusterVertices) == LocalIds::kFull) return false;
    }
  }
  cluster.owned_vertices = static_cast<std::uint8_t>(ids.count());
  std::size_t edges = 0;
  std::size_t faces = 0;
  for (const std::uint32_t number : leaves) {
    const Leaf& leaf = input.leaves[number];
    const Face face = leaf.face();
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t place = ids.place(face[k], cluster, kClusterVertices);
      if (place == LocalIds::kFull) return false;
      cluster.faces[faces] |= static_cast<std::uint32_t>(place) << (8 * k);
    }
    ++faces;
    for (const std::uint32_t e : leaf.represented_edges()) {
      if (edges == kClusterEdges) return false;
      const Edge& ends = input.edges[e];
      cluster.edges[edges++] = static_cast<std::uint32_t>(ids.place(ends[0], cluster, kClusterVertices)) |
                               static_cast<std::uint32_t>(ids.place(ends[1], cluster, kClusterVertices)) << 8U;
    }
  }
  cluster.vertex_count = static_cast<std::uint8_t>(ids.count());
  cluster.edge_count = static_cast<std::uint8_t>(edges);
  cluster.face_count = static_cast<std::uint8_t>(faces);
  for (std::size_t i = ids.count(); i < kClusterVertices; ++i) cluster.ids[i] = cluster.ids[ids.count() - 1];
  return true;
}

/// Leaves and the items that stand for them.
struct SplitInput {
  const ClusterInput& input;
  std::span<const std::uint32_t> leaves;
  std::span<ClusterItem> items;
  double unit = 1.0;  ///< of the items' centres
};

/// Extent of the coordinates of a range of items.
struct ItemExtent {
  ClusterItem::Axes lo;
  ClusterItem::Axes hi;

  explicit ItemExtent(std::span<const ClusterItem> items) {
    lo.fill(std::numeric_limits<float>::infinity());
    hi.fill(-std::numeric_limits<float>::infinity());
    for (const ClusterItem& item : items) {
      for (std::size_t k = 0; k < lo.size(); ++k) {
        lo[k] = item.centre[k] < lo[k] ? item.centre[k] : lo[k];
        hi[k] = item.centre[k] > hi[k] ? item.centre[k] : hi[k];
      }
    }
  }
  /// Whether floats have too few bits left for the differences of the centres.
  [[nodiscard]] bool unresolved() const {
    float largest = 0.0F;
    float size = 0.0F;
    for (std::size_t k = 0; k < 3; ++k) {
      largest = std::max({largest, -lo[k], hi[k]});
      size = std::max(size, hi[k] - lo[k]);
    }
    return size < 0x1p-10F * largest;
  }
};

/// Makes the centres of a range relative to the first one.
void recentre(const SplitInput& split, const ItemRange& range) {
  const auto leaf = [&](const ClusterItem& item) -> const Leaf& {
    return split.input.leaves[split.leaves[item.place]];
  };
  const Vec3 origin = split.input.x[leaf(split.items[range.begin]).vertices[0]];
  for (ClusterItem& item : split.items.subspan(range.begin, range.size())) {
    set_centre(split.input, leaf(item), origin, split.unit, item);
  }
}

/// Splits a range along its longest axis: reorders the items so that those before the split come first, and returns
/// the index of the split.
std::size_t cut(const SplitInput& split, const ItemRange& range) {
  const std::span<ClusterItem> items = split.items;
  ItemExtent extent(items.subspan(range.begin, range.size()));
  if (extent.unresolved()) {
    recentre(split, range);
    extent = ItemExtent(items.subspan(range.begin, range.size()));
  }
  const auto& [lo, hi] = extent;
  std::size_t axis = 0;
  for (std::size_t k = 1; k < lo.size(); ++k) axis = hi[k] - lo[k] > hi[axis] - lo[axis] ? k : axis;
  const std::size_t half = range.size() / 2;
  const std::size_t full =
      range.size() > kClusterFaces
          ? std::max<std::size_t>((half + kClusterFaces / 2) / kClusterFaces, 1) * kClusterFaces
          : half;
  const auto begin = items.begin() + static_cast<std::ptrdiff_t>(range.begin);
  std::nth_element(begin, begin + static_cast<std::ptrdiff_t>(full),
                   begin + static_cast<std::ptrdiff_t>(range.size()),
                   [axis](const ClusterItem& a, const ClusterItem& b) {
                     return std::pair(a.centre[axis], a.place) < std::pair(b.centre[axis], b.place);
                   });
  return range.begin + full;
}

/// Sorts the leaves by cluster and returns the end of each cluster. Frees all work memory before it returns.
std::vector<std::uint32_t> order_leaves(const ClusterInput& input, const ClusterLocalFrame& local_frame,
                                        std::span<std::uint32_t> leaves) {
  constexpr std::size_t kTask = 4096;
  ClusterWork work({input.leaves, input.x.size(), leaves});
  std::vector<ItemRange> todo = group_leaves(input, local_frame, leaves, work);
  const std::span<ClusterItem> items = work.items();
  const SplitInput split{input, leaves, items, work.unit()};
  std::reverse(todo.begin(), todo.end());
  std::vector<ItemRange> tasks;
  while (!todo.empty()) {
    const ItemRange range = todo.back();
    todo.pop_back();
    if (range.size() <= kTask) {
      tasks.push_back(range);
      continue;
    }
    const std::size_t at = cut(split, range);
    todo.push_back({at, range.end});
    todo.push_back({range.begin, at});
  }
  std::vector<std::uint8_t> begins(items.size());  // 1: the item begins a cluster
  parallel_for(0, tasks.size(), 8, [&](std::size_t first, std::size_t last) {
    std::vector<ItemRange> stack;
    std::array<std::uint32_t, kClusterFaces> some{};
    Cluster cluster;
    const auto fits = [&](const ItemRange& range) {
      for (std::size_t i = 0; i < range.size(); ++i) some[i] = leaves[items[range.begin + i].place];
      return make_cluster(input, std::span(some).first(range.size()), cluster);
    };
    for (std::size_t t = first; t < last; ++t) {
      stack.assign(1, tasks[t]);
      while (!stack.empty()) {
        const ItemRange range = stack.back();
        stack.pop_back();
        if (range.size() <= kClusterFaces && fits(range)) {
          begins[range.begin] = 1;
          continue;
        }
        const std::size_t at = cut(split, range);
        stack.push_back({at, range.end});
        stack.push_back({range.begin, at});
      }
    }
  });
  for (ClusterItem& item : items) item.place = leaves[item.place];
  for (std::size_t i = 0; i < items.size(); ++i) leaves[i] = items[i].place;
  std::vector<std::uint32_t> ends;
  ends.reserve(static_cast<std::size_t>(std::count(begins.begin(), begins.end(), std::uint8_t{1})));
  for (std::size_t i = 1; i <= begins.size(); ++i) {
    if (i == begins.size() || begins[i] != 0) ends.push_back(static_cast<std::uint32_t>(i));
  }
  return ends;
}

}  // namespace

MadeClusters build_clusters(const ClusterInput& input, const ClusterLocalFrame& local_frame,
                            std::vector<std::uint32_t> leaves) {
  // Decides where to split first, then makes each cluster in its final place: no second copy of the clusters
  // exists.
  const std::vector<std::uint32_t> ends = order_leaves(input, local_frame, leaves);
  MadeClusters all;
  all.leaves = std::move(leaves);
  all.clusters.resize(ends.size());
  parallel_for(0, ends.size(), 128, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      const std::size_t begin = c == 0 ? 0 : ends[c - 1];
      [[maybe_unused]] const bool fits =
          make_cluster(input, std::span(all.leaves).subspan(begin, ends[c] - begin), all.clusters[c]);
      GRAZE_ASSERT(fits);
      find_contour(all.clusters[c]);
    }
  });
  return all;
}

}  // namespace graze::methods

// Splits groups of leaves into clusters; build_clusters.hpp describes the method.
#include "methods/cluster/build/build_clusters.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "core/prefetch.hpp"
#include "core/tasks.hpp"
#include "methods/cluster/build/cluster_disc.hpp"
#include "methods/cluster/build/group_leaves.hpp"
#include "methods/cluster/build/local_vertices.hpp"
#include "methods/cluster/build/split_part.hpp"
#include "methods/cluster/build/surface_coordinates.hpp"

namespace graze::methods {

namespace {

/// Makes a cluster of the leaves, given their codes.
void make_cluster(const LeafView& all, std::span<const std::uint32_t> leaves, std::span<const LeafCode> codes,
                  Cluster& cluster) {
  cluster = {};
  unsigned owned = 0;
  unsigned last = 0;  // place of the last vertex
  unsigned edges = 0;
  std::array<std::uint32_t, kClusterEdges + 1> edge_words;  // one more, because every word is written
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Face face = all.face(leaves[i]);
    const unsigned mask = all.masks[leaves[i]];
    const unsigned code = codes[i];
    const std::array<std::uint32_t, 3> at{code & kPlaceMask, code >> kPlaceBits & kPlaceMask,
                                          code >> (2 * kPlaceBits) & kPlaceMask};
    for (unsigned k = 0; k < 3; ++k) {
      cluster.ids[at[k]] = face[k];
      last = std::max(last, at[k]);
      owned += mask >> k & 1U;
      edge_words[edges] = at[kFaceEdges[k][0]] | at[kFaceEdges[k][1]] << 8U;
      edges += mask >> (kFirstEdgeBit + k) & 1U;
    }
    static_assert(kFlippedFace == 1U << 24U);
    cluster.faces[i] = at[0] | at[1] << 8U | at[2] << 16U | (code >> kTurnedBit) << 24U;
  }
  std::copy(edge_words.begin(), edge_words.begin() + edges, cluster.edges.begin());
  cluster.owned_vertices = static_cast<std::uint8_t>(owned);
  cluster.vertex_count = static_cast<std::uint8_t>(last + 1);
  cluster.edge_count = static_cast<std::uint8_t>(edges);
  cluster.face_count = static_cast<std::uint8_t>(leaves.size());
  for (std::size_t i = last + 1; i < kClusterVertices; ++i) cluster.ids[i] = cluster.ids[last];
  const auto [least, greatest] = std::minmax_element(cluster.ids.begin(), cluster.ids.end());
  cluster.least_id = *least;
  cluster.greatest_id = *greatest;
}

/// Splits ranges of leaves into clusters; keeps its work space from one range to the next.
class RangeSplitter {
 public:
  /// See SurfaceSearch about `places`.
  RangeSplitter(const ClusterInput& input, double unit, std::span<std::uint16_t> places)
      : input_(input), unit_(unit), surface_(input.leaves, places) {}

  /// Sorts the leaves of a range by cluster, and writes their codes. Calls begin(i) where leaves[i] begins one.
  template <typename Begin>
  void split(std::span<std::uint32_t> leaves, std::span<LeafCode> codes, bool by_component, const Begin& begin) {
    // Whatever the shape of a longer range: no part of a mesh is that large.
    for (std::size_t from = 0; from < leaves.size(); from += LocalVertices::kMaxLeaves) {
      const std::size_t count = std::min(leaves.size() - from, LocalVertices::kMaxLeaves);
      leaves_ = leaves.subspan(from, count);
      codes_ = codes.subspan(from, count);
      split_some(by_component, [&](std::size_t i) { begin(from + i); });
    }
  }

 private:
  /// Components with fewer faces have few layers: splitting them in space is good enough.
  static constexpr std::size_t kFewFaces = 4 * kClusterFaces;
  static_assert(LocalVertices::kMaxLeaves <= SurfaceSearch::kMaxSize);
  static_assert(LocalVertices::kMaxLeaves <= PartSplitter::kMaxSize);

  template <typename Begin>
  void split_some(bool by_component, const Begin& begin) {
    before_.assign(leaves_.begin(), leaves_.end());
    vertices_.number(input_.leaves, before_);
    done_ = 0;
    if (before_.size() <= kClusterFaces && !by_component && vertices_.fit(all())) {
      write_codes(all());
      begin(0);
      return;
    }
    place_vertices();
    if (!by_component && before_.size() <= kFewFaces) {
      split_group(all(), false, begin);
      return;
    }
    surface_.find_components(before_);
    mixed_.clear();
    for (std::size_t c = 0; c < surface_.component_count(); ++c) {
      const std::span<const std::uint16_t> component = surface_.component(c);
      if (component.size() > kFewFaces) surface_.find_coordinates(c);
      if (!by_component) continue;
      if (component.size() < kOwnPiece) {
        mixed_.insert(mixed_.end(), component.begin(), component.end());
      } else {
        split_group(component, true, begin);
      }
    }
    split_group(by_component ? std::span<const std::uint16_t>(mixed_) : all(), true, begin);
  }

  /// The indices of a whole range.
  std::span<const std::uint16_t> all() {
    mixed_.resize(before_.size());
    std::iota(mixed_.begin(), mixed_.end(), std::uint16_t{0});
    return mixed_;
  }

  /// Positions of the vertices of the range, from one of them on, in units of a typical triangle.
  void place_vertices() {
    const std::span<const VertexId> ids = vertices_.ids();
    positions_.resize(ids.size());
    const Vec3 origin = input_.x[ids[0]];
    const double scale = std::min(1.0 / unit_, std::numeric_limits<double>::max());
    const auto along = [&](double x, double from) {
      constexpr double kLargest = 0x1p100;
      return static_cast<float>(std::clamp((x - from) * scale, -kLargest, kLargest));
    };
    for (std::size_t v = 0; v < ids.size(); ++v) {
      const Vec3& p = input_.x[ids[v]];
      positions_[v] = {along(p.x, origin.x), along(p.y, origin.y), along(p.z, origin.z)};
    }
  }

  /// The axes of a leaf: the centre of its bounding box, and its surface coordinates.
  [[nodiscard]] SplitAxes axes_of(std::uint16_t i, bool has_surface) const {
    const auto& v = vertices_.corners(i);
    const auto& p = positions_[v[0]];
    const auto& q = positions_[v[1]];
    const auto& r = positions_[v[2]];
    const auto middle = [](float a, float b, float c) {
      return 0.5F * std::min(std::min(a, b), c) + 0.5F * std::max(std::max(a, b), c);
    };
    const SurfaceCoordinates surface = has_surface ? surface_.coordinates(i) : SurfaceCoordinates{};
    return {middle(p[0], q[0], r[0]), middle(p[1], q[1], r[1]), middle(p[2], q[2], r[2]), surface[0], surface[1]};
  }

  /// Splits some leaves of the range, which are the next ones in the result.
  template <typename Begin>
  void split_group(std::span<const std::uint16_t> group, bool has_surface, const Begin& begin) {
    axes_.resize(group.size());
    for (std::size_t i = 0; i < group.size(); ++i) axes_[i] = axes_of(group[i], has_surface);
    std::array<std::uint16_t, kClusterFaces> some{};
    std::span<const std::uint16_t> last;
    const auto fits = [&](std::span<const std::uint16_t> indices) {
      for (std::size_t i = 0; i < indices.size(); ++i) some[i] = group[indices[i]];
      last = std::span(some).first(indices.size());
      return vertices_.fit(last);
    };
    splitter_.split(axes_, fits, [&] {
      begin(done_);
      write_codes(last);
    });
  }

  /// Writes the next leaves and their codes: those that have just been found to fit.
  void write_codes(std::span<const std::uint16_t> indices) {
    vertices_.write_codes(indices, codes_.subspan(done_, indices.size()));
    for (const std::uint16_t i : indices) leaves_[done_++] = before_[i];
  }

  const ClusterInput& input_;
  double unit_;  // typical size of a triangle
  SurfaceSearch surface_;
  PartSplitter splitter_;
  LocalVertices vertices_;
  std::span<std::uint32_t> leaves_;              // of the range, where they are sorted
  std::span<LeafCode> codes_;                    // of the sorted leaves
  std::size_t done_ = 0;                         // number of leaves that are sorted
  std::vector<std::uint32_t> before_;            // the leaves of the range in their first order
  std::vector<std::uint16_t> mixed_;             // indices of leaves that are split together
  std::vector<std::array<float, 3>> positions_;  // by number of a vertex
  std::vector<SplitAxes> axes_;
};

/// Sorts the leaves by cluster, writes their codes, and returns the end of each cluster. Frees all other work
/// memory before it returns.
std::vector<std::uint32_t> order_leaves(const ClusterInput& input, UninitializedVector<std::uint32_t>& leaves,
                                        UninitializedVector<LeafCode>& codes) {
  const LeafGroups groups = group_leaves(input, leaves);
  codes.resize(leaves.size());
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
  UninitializedVector<std::uint16_t> places(input.leaves.neighbours.size());
  parallel_for(0, places.size(), 65536, [&](std::size_t first, std::size_t last) {
    std::fill(places.data() + first, places.data() + last, std::uint16_t{0});
  });
  std::vector<std::vector<std::uint32_t>> begins(task_count);  // where clusters begin
  parallel_for(0, task_count, 4, [&](std::size_t first, std::size_t last) {
    RangeSplitter splitter(input, groups.unit, places);
    for (std::size_t t = first; t < last; ++t) {
      for (std::size_t r = tasks[t]; r < tasks[t + 1]; ++r) {
        const LeafRange& range = groups.ranges[r];
        splitter.split(std::span(leaves).subspan(range.begin, range.size()),
                       std::span(codes).subspan(range.begin, range.size()), range.is_part,
                       [&](std::size_t i) { begins[t].push_back(static_cast<std::uint32_t>(range.begin + i)); });
      }
    }
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
  if (!leaves.empty()) ends.push_back(static_cast<std::uint32_t>(leaves.size()));
  return ends;
}

}  // namespace

MadeClusters build_clusters(const ClusterInput& input, UninitializedVector<std::uint32_t> leaves) {
  // Decides where to split first, then makes each cluster in its final place: no second copy of the clusters
  // exists.
  MadeClusters all;
  UninitializedVector<LeafCode> codes;
  all.ends = order_leaves(input, leaves, codes);
  const std::vector<std::uint32_t>& ends = all.ends;
  all.leaves = std::move(leaves);
  all.clusters.resize(ends.size());
  parallel_for(0, ends.size(), 128, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      const std::size_t begin = c == 0 ? 0 : ends[c - 1];
      // The leaves of the next cluster are on their way while this one is made.
      if (c + 1 < last) {
        for (std::size_t i = ends[c]; i < ends[c + 1]; ++i) prefetch(input.leaves.vertices(all.leaves[i]));
      }
      make_cluster(input.leaves, std::span(all.leaves).subspan(begin, ends[c] - begin),
                   std::span(codes).subspan(begin, ends[c] - begin), all.clusters[c]);
      find_contour(all.clusters[c]);
    }
  });
  return all;
}

}  // namespace graze::methods

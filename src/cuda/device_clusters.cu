// See device_clusters.cuh.
#include "cuda/device_clusters.cuh"

#include <algorithm>
#include <array>
#include <vector>

#include "core/tasks.hpp"

namespace graze::cuda {

namespace {

/// The words of a cluster, with vertex ids of the batch.
ClusterShape shape_of(const methods::Cluster& cluster, std::uint32_t first_vertex) {
  ClusterShape shape;
  std::transform(cluster.ids.begin(), cluster.ids.end(), shape.ids, [&](VertexId id) { return id + first_vertex; });
  std::copy(cluster.edges.begin(), cluster.edges.end(), shape.edges);
  std::copy(cluster.faces.begin(), cluster.faces.end(), shape.faces);
  std::copy(cluster.contour.begin(), cluster.contour.end(), shape.contour);
  shape.vertex_count = cluster.vertex_count;
  shape.owned_vertices = cluster.owned_vertices;
  shape.edge_count = cluster.edge_count;
  shape.face_count = cluster.face_count;
  shape.contour_count = cluster.contour_count;
  return shape;
}

template <typename T>
void copy(const std::vector<T>& from, DeviceBuffer<T>& to, cudaStream_t stream) {
  to.reserve(from.size(), "scenes");
  check(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice, stream),
        "copy scenes");
  check(cudaStreamSynchronize(stream), "copy scenes");
}

}  // namespace

void DeviceClusters::take(std::span<const SceneClusters> scenes, cudaStream_t stream) {
  std::size_t count = 0;
  for (const SceneClusters& scene : scenes) count += scene.tree->cluster_count();
  // The stack of the traversal has 28 bits for a node.
  if (count >= std::size_t{1} << 28U) throw ResourceError("GPU: too many triangles");
  plan_levels(count, stream);
  take_scenes(scenes, stream);
  take_shapes(scenes, stream);
}

void DeviceClusters::plan_levels(std::size_t count, cudaStream_t stream) {
  tree_ = {};
  tree_.cluster_count = static_cast<std::uint32_t>(count);
  std::array<std::size_t, kMaxLevels> begins{};
  std::size_t nodes = 0;
  for (std::size_t below = count; count > 0;) {
    below = (below + kTreeWidth - 1) / kTreeWidth;
    begins[tree_.level_count] = nodes;
    tree_.counts[tree_.level_count++] = static_cast<std::uint32_t>(below);
    nodes += below;
    if (below == 1) break;
  }
  tables_.reserve(count, "tables of clusters");
  nodes_.reserve(nodes, "the tree");
  arrived_.reserve(nodes, "the tree");
  sums_.reserve(3 * (std::size_t{tree_.counts[0]} + 1), "measures of the tree");
  for (std::uint32_t level = 0; level < tree_.level_count; ++level) {
    tree_.levels[level] = nodes_.data() + begins[level];
    tree_.arrived[level] = arrived_.data() + begins[level];
  }
  check(cudaMemsetAsync(arrived_.data(), 0, nodes * sizeof(std::uint32_t), stream), "clear the tree");
}

void DeviceClusters::take_scenes(std::span<const SceneClusters> scenes, cudaStream_t stream) {
  std::vector<ClusterLocalFrame> frames;
  frames.reserve(scenes.size());
  for (const SceneClusters& scene : scenes) frames.push_back(scene.shared);
  copy(frames, frames_, stream);
  scenes_ = {.shared = frames_.data(), .count = static_cast<std::uint32_t>(scenes.size())};
  scenes_.vertex_count = scenes.empty() ? 0U : scenes.back().first_vertex + scenes.back().vertex_count;
  if (scenes.size() <= 1) return;
  std::vector<std::uint32_t> of_cluster;
  std::vector<std::uint32_t> ends;
  std::vector<std::uint32_t> of_vertex;
  std::vector<std::uint32_t> first_vertices;
  of_cluster.reserve(tree_.cluster_count);
  of_vertex.reserve(scenes_.vertex_count);
  for (std::uint32_t s = 0; s < scenes.size(); ++s) {
    first_vertices.push_back(scenes[s].first_vertex);
    of_cluster.insert(of_cluster.end(), scenes[s].tree->cluster_count(), s);
    of_vertex.insert(of_vertex.end(), scenes[s].vertex_count, s);
    ends.push_back(static_cast<std::uint32_t>(of_cluster.size()));
  }
  first_vertices.push_back(scenes_.vertex_count);
  copy(of_cluster, of_cluster_, stream);
  copy(ends, cluster_ends_, stream);
  copy(of_vertex, of_vertex_, stream);
  copy(first_vertices, first_vertices_, stream);
  scenes_.of_cluster = of_cluster_.data();
  scenes_.cluster_ends = cluster_ends_.data();
  scenes_.of_vertex = of_vertex_.data();
  scenes_.first_vertices = first_vertices_.data();
}

void DeviceClusters::take_shapes(std::span<const SceneClusters> scenes, cudaStream_t stream) {
  const std::size_t count = tree_.cluster_count;
  shapes_.reserve(count, "clusters");
  if (count == 0) return;
  staging_.reserve(count, "clusters");
  std::size_t begin = 0;
  for (const SceneClusters& scene : scenes) {
    parallel_for(0, scene.tree->cluster_count(), 256, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        staging_.data()[begin + i] = shape_of(scene.clusters[scene.tree->cluster_at(i)], scene.first_vertex);
      }
    });
    begin += scene.tree->cluster_count();
  }
  check(cudaMemcpyAsync(shapes_.data(), staging_.data(), count * sizeof(ClusterShape), cudaMemcpyHostToDevice,
                        stream),
        "copy clusters");
  check(cudaStreamSynchronize(stream), "copy clusters");
  staging_.release();
}

}  // namespace graze::cuda

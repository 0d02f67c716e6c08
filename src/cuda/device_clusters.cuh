// The clusters of one or many scenes in GPU memory, in the order of the trees, and the nodes over them. The host
// makes clusters and order (methods/cluster/cluster_mesh.hpp); tables and bounds are computed here, for every step.
#pragma once

#include <cstdint>
#include <span>

#include "cuda/device_scene.cuh"
#include "cuda/engine.hpp"
#include "cuda/runtime/buffer.cuh"

namespace graze::cuda {

class DeviceClusters {
 public:
  explicit DeviceClusters(Usage& usage)
      : shapes_(usage),
        tables_(usage),
        nodes_(usage),
        arrived_(usage),
        sums_(usage),
        frames_(usage),
        of_cluster_(usage),
        cluster_ends_(usage),
        of_vertex_(usage),
        first_vertices_(usage) {}

  /// Takes the clusters of each scene in the order of its tree. Waits for the copy.
  void take(std::span<const SceneClusters> scenes, cudaStream_t stream);

  [[nodiscard]] const ClusterShape* shapes() const { return shapes_.data(); }
  [[nodiscard]] ClusterTable* tables() const { return tables_.data(); }
  [[nodiscard]] const TreeView& tree() const { return tree_; }
  [[nodiscard]] const ScenesView& scenes() const { return scenes_; }
  /// Room for measure(), and where it leaves its results.
  [[nodiscard]] double* sums() const { return sums_.data(); }
  [[nodiscard]] const double* results() const { return sums_.data() + 3 * std::size_t{tree_.counts[0]}; }

 private:
  void take_shapes(std::span<const SceneClusters> scenes, cudaStream_t stream);
  void take_scenes(std::span<const SceneClusters> scenes, cudaStream_t stream);
  void plan_levels(std::size_t count, cudaStream_t stream);

  DeviceBuffer<ClusterShape> shapes_;
  DeviceBuffer<ClusterTable> tables_;
  DeviceBuffer<TreeNode> nodes_;  ///< of all levels, the lowest first; in a batch of the lowest level alone
  DeviceBuffer<std::uint32_t> arrived_;
  DeviceBuffer<double> sums_;
  DeviceBuffer<ClusterLocalFrame> frames_;
  DeviceBuffer<std::uint32_t> of_cluster_;
  DeviceBuffer<std::uint32_t> cluster_ends_;
  DeviceBuffer<std::uint32_t> of_vertex_;
  DeviceBuffer<std::uint32_t> first_vertices_;
  PinnedBuffer<ClusterShape> staging_;
  TreeView tree_{};
  ScenesView scenes_{};
};

}  // namespace graze::cuda

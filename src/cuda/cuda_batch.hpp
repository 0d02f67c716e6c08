// A batch of scenes on a GPU: the clusters of all scenes are one list, and a step of all of them is one query of
// the engine, in which no pair has features of two scenes.
//
// The host makes the clusters of each scene, once; they are made anew when those of all scenes together have grown.
// Cost of a step: that of one scene with as many triangles, and for each scene the square of its number of
// clusters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <graze/scene.hpp>

#include "cuda/engine.hpp"
#include "methods/cluster/cluster_leaves.hpp"
#include "methods/cluster/cluster_mesh.hpp"
#include "query/batch_method.hpp"

namespace graze::cuda {

class CudaBatch final : public BatchMethod {
 public:
  /// Refers to the scenes. Throws ResourceError if there is no GPU that can be used.
  explicit CudaBatch(std::span<const Scene> scenes);

  BatchImpacts impacts(const DetectorOptions& options, const StepPositions& x) override;
  DeviceBatchImpacts impacts(const DetectorOptions& options, const DeviceStep& x) override;
  [[nodiscard]] std::size_t memory_bytes() const override;

 private:
  struct Part {
    explicit Part(const Scene& scene) : leaves(scene), clusters(scene, leaves) {}
    methods::ClusterLeaves leaves;
    methods::ClusterMesh clusters;
  };

  /// Finds all impacts and leaves them in the engine.
  Answer run(const DetectorOptions& options, const Positions& x, Want want);
  void prepare(const Positions& x);
  void note(const Answer& answer);
  [[noreturn]] void refuse(const Positions& x);
  [[nodiscard]] std::vector<std::size_t> begins() const;

  std::span<const Scene> scenes_;
  std::vector<std::uint32_t> first_vertices_;
  Engine engine_;
  std::vector<std::unique_ptr<Part>> parts_;  ///< by scene
  bool has_clusters_ = false;
  double made_sizes_ = 0.0;  ///< sizes of the clusters in the first step after they were made; 0: not yet known
};

}  // namespace graze::cuda

// Method `auto` on a GPU: the host makes the clusters and follows edits (methods/cluster/cluster_mesh.hpp), the GPU
// does the steps (cuda/engine.hpp), and the host decides the few candidates that floating-point arithmetic cannot.
//
// Clusters are made anew, or put in a new order, when the measures of a step say that they have grown: this is the
// only work of the host that grows with the scene.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cuda/engine.hpp"
#include "methods/cluster/cluster_leaves.hpp"
#include "methods/cluster/cluster_mesh.hpp"
#include "query/contact_method.hpp"
#include "query/device_queries.hpp"

namespace graze::cuda {

class CudaMethod final : public ContactMethod, private DeviceQueries {
 public:
  /// Refers to the scene. Throws ResourceError if there is no GPU that can be used.
  explicit CudaMethod(const Scene& scene) : scene_(scene) {}

  void rebuild() override;
  Stats impacts(const QueryContext& query, const StepPositions& x, MemoryBudget& budget,
                FoundImpacts found) override;
  Stats ordered_impacts(const QueryContext& query, const StepPositions& x, MemoryBudget& budget,
                        ViewedImpacts found) override;
  FirstImpact first_impact(const QueryContext& query, const StepPositions& x) override;
  Intersections intersections(const QueryContext& query, std::span<const Vec3> x) override;
  Stats proximities(const QueryContext& query, std::span<const Vec3> x, double d, MemoryBudget& budget,
                    FoundProximities found) override;
  [[nodiscard]] bool reports_in_order() const override { return true; }
  [[nodiscard]] DeviceQueries* device_queries() override { return this; }
  void prepare_edit() override { leaves_->prepare_edit(); }
  void apply(const MeshChange& change, bool filter_changed) override;
  [[nodiscard]] std::string validate() const override;
  [[nodiscard]] std::size_t memory_bytes() const override;
  /// Switches the recording of stage times, and returns those of the last query: see Engine.
  void record_stages(bool on) { engine_.record_stages(on); }
  [[nodiscard]] std::optional<StageTimes> stage_times() const { return engine_.stage_times(); }

 private:
  DeviceImpacts impacts(const QueryContext& query, const DeviceStep& x) override;
  FirstImpact first_impact(const QueryContext& query, const DeviceStep& x) override;
  [[nodiscard]] std::vector<Vec3> copy_to_host(const Vec3* x, std::size_t count, void* stream) override {
    return engine_.copy_to_host(x, count, stream);
  }
  void copy_from_host(std::span<const Vec3> x, Vec3* to, void* stream) override {
    engine_.copy_from_host(x, to, stream);
  }

  /// Makes or renews clusters where they are due, and charges what is kept.
  void prepare(const QueryContext& query, const Positions& x);
  void place_removed(std::span<Vec3> x) const;
  [[noreturn]] void refuse(const Positions& x);
  /// Finds all impacts and leaves them in the engine.
  Answer find_impacts(const QueryContext& query, const Positions& x, Want want);
  FirstImpact first_of(const QueryContext& query, Positions x);
  /// Runs a query and notes its measures.
  Answer run(const QueryContext& query, const Positions& x, const Query& what);
  void note(const Answer& answer);

  const Scene& scene_;
  Engine engine_;
  std::optional<ClusterLeaves> leaves_;
  std::optional<ClusterMesh> clusters_;
  bool has_clusters_ = false;  ///< the engine has the clusters, in an order that fits
  bool has_filter_ = false;
  // Measures of the first step after clusters were made, and after they were ordered; 0: not yet known.
  double ordered_node_sizes_ = 0.0;
  double ordered_own_frames_ = 0.0;
  double made_sizes_ = 0.0;
  double cluster_size_ = 0.0;  ///< mean size of a cluster
};

}  // namespace graze::cuda

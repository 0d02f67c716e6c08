// Many scenes that advance together, e.g. thousands of environments of a learner: one detector for all of them,
// which keeps its structures between steps. On a GPU (Device::Cuda) a step of all scenes is one launch.
//
// Scenes do not meet each other. Vertices of all scenes are numbered through, scene after scene: positions are one
// array, and impacts have these numbers. For scenes whose triangles change in each call see graze/batch.hpp.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <graze/detector.hpp>
#include <graze/device.hpp>
#include <graze/export.hpp>
#include <graze/results.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze {

/// Impacts of all scenes of a batch: scene after scene, those of each scene sorted by pair.
struct GRAZE_API BatchImpacts {
  std::vector<Impact> impacts;      ///< with vertex ids of the batch
  std::vector<std::size_t> begins;  ///< by scene: where its impacts begin; then the number of all impacts
  Stats stats;                      ///< work and time of all scenes

  /// The impacts of one scene. Precondition: there is such a scene.
  [[nodiscard]] std::span<const Impact> of(std::size_t scene) const;
};

/// Impacts of all scenes of a batch in GPU memory. Valid until the next query of their detector.
struct DeviceBatchImpacts {
  const Impact* impacts = nullptr;  ///< GPU memory, which the detector owns
  std::vector<std::size_t> begins;  ///< as in BatchImpacts
  Stats stats;                      ///< work and time of all scenes
};

/// Answers queries for many scenes at once, of which it keeps copies. Not thread-safe: make one call at a time.
/// Answers equal those of one Detector for each scene, bit for bit. Exceptions as for Detector; messages begin with
/// "scene N: " where they concern one scene. After any exception the detector stays valid.
class GRAZE_API DetectorBatch {
 public:
  /// Copies scenes and options. Throws as Detector::Detector does, and InputError for more than 2^31 vertices in
  /// all.
  explicit DetectorBatch(std::span<const Scene> scenes, const DetectorOptions& options = {});
  ~DetectorBatch();
  DetectorBatch(DetectorBatch&&) noexcept;  ///< A moved-from object can only be destroyed or assigned to.
  DetectorBatch& operator=(
      DetectorBatch&&) noexcept;  ///< A moved-from object can only be destroyed or assigned to.

  /// Number of scenes.
  [[nodiscard]] std::size_t scene_count() const;
  /// Number of vertices of all scenes: the length of the arrays of positions.
  [[nodiscard]] std::size_t vertex_count() const;
  /// The number in the batch of a scene's vertex 0. Precondition: scene <= scene_count(), where the end counts too.
  [[nodiscard]] std::size_t first_vertex(std::size_t scene) const;

  /// Finds every impact of each scene in the step from x_t0 to x_t1, positions of all vertices of the batch.
  [[nodiscard]] BatchImpacts impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);
  /// Finds the earliest impact of each scene, by scene. Statistics are those of the scene on the host; on a GPU,
  /// where scenes have no statistics of their own, those of all scenes are with the first.
  [[nodiscard]] std::vector<FirstImpact> first_impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);
  /// The same for positions in GPU memory, see Detector::impacts(const DeviceStep&).
  [[nodiscard]] DeviceBatchImpacts impacts(const DeviceStep& x);

  /// Bytes that the detector keeps between queries; the copies of the scenes are not included.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graze

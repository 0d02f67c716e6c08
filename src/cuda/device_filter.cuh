// The body filter (scene/body_filter.hpp) in GPU memory, and the vertices that are static or removed.
#pragma once

#include <cstdint>
#include <span>

#include <graze/scene.hpp>

#include "cuda/device_scene.cuh"
#include "cuda/runtime/buffer.cuh"

namespace graze::cuda {

class DeviceFilter {
 public:
  explicit DeviceFilter(Usage& usage)
      : is_static_(usage), removed_(usage), body_of_(usage), groups_(usage), meets_(usage), ignored_(usage) {}

  /// Takes the filters of scenes, whose vertices and bodies are numbered through. Waits for the copy.
  void take(std::span<const Scene* const> scenes, cudaStream_t stream);
  [[nodiscard]] const FilterView& view() const { return view_; }

 private:
  void take_vertices(std::span<const Scene* const> scenes, cudaStream_t stream);
  void take_bodies(std::span<const Scene* const> scenes, cudaStream_t stream);

  DeviceBuffer<std::uint8_t> is_static_;
  DeviceBuffer<RemovedVertex> removed_;
  DeviceBuffer<std::uint32_t> body_of_;
  DeviceBuffer<std::uint32_t> groups_;
  DeviceBuffer<std::uint32_t> meets_;
  DeviceBuffer<std::uint64_t> ignored_;
  FilterView view_{};
};

/// Gives removed vertices the positions of vertices that exist.
void place_removed(const FilterView& filter, Vec3* x, cudaStream_t stream);

}  // namespace graze::cuda

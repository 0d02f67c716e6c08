// Devices: the processor that runs the queries of a detector, and positions and results in GPU memory.
//
// Pointers to GPU memory are those of the CUDA runtime's current device; this header has no type of CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <graze/export.hpp>
#include <graze/results.hpp>
#include <graze/types.hpp>

namespace graze {

/// The processor that runs queries. Impacts, intersections and proximities are the same on all, bit for bit.
enum class Device : std::uint8_t {
  Cpu,   ///< "cpu": the cores of the host
  Cuda,  ///< "cuda": a GPU of NVIDIA; Method::Auto alone
  Auto,  ///< "auto": the GPU if graze was built for it, there is one, and the method runs on it; else the host
};

/// Returns the name of a device on the command line. Throws InputError for a value that is no device.
[[nodiscard]] GRAZE_API std::string_view name_of(Device device);
/// Returns the device with this name. Throws InputError for any other name.
template <>
[[nodiscard]] GRAZE_API Device from_name<Device>(std::string_view name);
/// Returns all devices.
template <>
[[nodiscard]] GRAZE_API std::span<const Device> all_values<Device>();

/// Returns why Device::Cuda cannot be used, in one line; empty if it can.
[[nodiscard]] GRAZE_API std::string why_no_cuda();

/// Positions of all scene vertices at both ends of a step, in GPU memory.
struct DeviceStep {
  const Vec3* x_t0 = nullptr;  ///< positions at the start of the step, by vertex id
  const Vec3* x_t1 = nullptr;  ///< positions at the end of the step, by vertex id
  std::size_t count = 0;       ///< number of positions in each array
  void* stream = nullptr;  ///< the cudaStream_t whose work so far writes the positions; null: the default stream
};

/// Positions of all scene vertices at one instant, in GPU memory.
struct DevicePositions {
  const Vec3* x = nullptr;  ///< positions by vertex id
  std::size_t count = 0;    ///< number of positions
  void* stream = nullptr;   ///< as in DeviceStep
};

/// Copies impacts from GPU memory. Throws ResourceError if there is no GPU.
[[nodiscard]] GRAZE_API std::vector<Impact> copy_to_host(const DeviceImpacts& impacts);
/// Copies positions from GPU memory, after the work of their stream. Throws ResourceError if there is no GPU.
[[nodiscard]] GRAZE_API std::vector<Vec3> copy_to_host(const DevicePositions& x);

/// Returns the number of the CUDA runtime's current device, which queries use. Throws ResourceError if there is no
/// GPU.
[[nodiscard]] GRAZE_API int current_gpu();

}  // namespace graze

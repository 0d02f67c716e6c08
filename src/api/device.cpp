// Devices: names, and whether there is a GPU (graze/device.hpp).
#include <graze/device.hpp>

#include <array>

#include <graze/error.hpp>

#include "core/enum_names.hpp"

#if defined(GRAZE_HAS_CUDA)
#include "cuda/runtime/gpu.hpp"
#endif

namespace graze {

namespace {

using core::Named;

constexpr std::array kDevices = {Named{Device::Cpu, "cpu"}, Named{Device::Cuda, "cuda"},
                                 Named{Device::Auto, "auto"}};

void require_gpu() {
  const std::string why = why_no_cuda();
  if (!why.empty()) throw ResourceError("device cuda: " + why);
}

}  // namespace

std::string_view name_of(Device device) {
  return core::name_in(kDevices, "device", device);
}
template <>
Device from_name<Device>(std::string_view name) {
  return core::value_named(kDevices, "device", name);
}
template <>
std::span<const Device> all_values<Device>() {
  static constexpr auto kAll = core::values_of(kDevices);
  return kAll;
}

std::string why_no_cuda() {
#if defined(GRAZE_HAS_CUDA)
  return cuda::why_no_gpu();
#else
  return "graze was built without CUDA (GRAZE_CUDA)";
#endif
}

std::vector<Impact> copy_to_host(const DeviceImpacts& impacts) {
  require_gpu();
  std::vector<Impact> all(impacts.count);
#if defined(GRAZE_HAS_CUDA)
  cuda::copy_to_host(impacts.impacts, all);
#endif
  return all;
}

std::vector<Vec3> copy_to_host(const DevicePositions& x) {
  require_gpu();
  std::vector<Vec3> all(x.count);
#if defined(GRAZE_HAS_CUDA)
  cuda::copy_to_host(x.x, all, x.stream);
#endif
  return all;
}

int current_gpu() {
  require_gpu();
#if defined(GRAZE_HAS_CUDA)
  return cuda::current_device();
#else
  return 0;  // not reached: there is no GPU
#endif
}

}  // namespace graze

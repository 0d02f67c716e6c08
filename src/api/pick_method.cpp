// See pick_method.hpp.
#include "api/pick_method.hpp"

#include <fmt/format.h>

#include <graze/error.hpp>

#include "methods/make_method.hpp"

#if defined(GRAZE_HAS_CUDA)
#include "cuda/cuda_batch.hpp"
#include "cuda/cuda_method.hpp"
#endif

namespace graze::api {

namespace {

/// Whether the options lead to the GPU. Throws if they ask for it and cannot have it.
bool runs_on_gpu(const DetectorOptions& options) {
  const bool suits = options.method == Method::Auto;
  if (options.device == Device::Cuda && !suits) {
    throw InputError(
        fmt::format("method {} does not run on device cuda; method auto does", name_of(options.method)));
  }
  if (options.device == Device::Cpu || !suits) return false;
  const std::string why = why_no_cuda();
  if (options.device == Device::Cuda && !why.empty()) throw ResourceError("device cuda: " + why);
  return why.empty();
}

}  // namespace

std::unique_ptr<query::ContactMethod> pick_method(const Scene& scene, const DetectorOptions& options) {
  if (!runs_on_gpu(options)) return methods::make_method(scene, options);
#if defined(GRAZE_HAS_CUDA)
  return std::make_unique<cuda::CudaMethod>(scene);
#else
  return nullptr;  // not reached: why_no_cuda() says that there is no GPU
#endif
}

std::unique_ptr<query::BatchMethod> pick_batch_method([[maybe_unused]] std::span<const Scene> scenes,
                                                      const DetectorOptions& options) {
  if (!runs_on_gpu(options)) return nullptr;
#if defined(GRAZE_HAS_CUDA)
  return std::make_unique<cuda::CudaBatch>(scenes);
#else
  return nullptr;
#endif
}

}  // namespace graze::api

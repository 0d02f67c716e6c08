// Kernels of the GPU for comparison with the host's: a thread for each input.
#include "cuda/kernel_twins.hpp"

#include "cuda/kernels/elementary_device.cuh"
#include "cuda/runtime/error.cuh"

namespace graze::testing {

namespace {

using cuda::check;

template <typename Input, typename Output, typename Function>
__global__ void map_kernel(const Input* inputs, std::size_t count, Output* outputs, Function function) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) outputs[i] = function(inputs[i]);
}

/// function(input) for all inputs.
template <typename Output, typename Input, typename Function>
std::vector<Output> map(std::span<const Input> inputs, Function function) {
  std::vector<Output> outputs(inputs.size());
  if (inputs.empty()) return outputs;
  Input* from = nullptr;
  Output* to = nullptr;
  check(cudaMalloc(&from, inputs.size_bytes()), "allocate");
  check(cudaMalloc(&to, outputs.size() * sizeof(Output)), "allocate");
  check(cudaMemcpy(from, inputs.data(), inputs.size_bytes(), cudaMemcpyHostToDevice), "copy inputs");
  constexpr unsigned kThreads = 128;
  const auto blocks = static_cast<unsigned>((inputs.size() + kThreads - 1) / kThreads);
  map_kernel<<<blocks, kThreads>>>(from, inputs.size(), to, function);
  cuda::check_launch("run kernels");
  check(cudaMemcpy(outputs.data(), to, outputs.size() * sizeof(Output), cudaMemcpyDeviceToHost), "copy results");
  check(cudaFree(from), "free");
  check(cudaFree(to), "free");
  return outputs;
}

template <bool kVertexFace>
struct AnswerPair {
  cuda::ThickLimits limits;

  __device__ PairAnswer operator()(const PairStep& pair) const {
    const cuda::PairPoints points = narrow::scalar::to_points(pair);
    PairAnswer answer;
    if (limits.thickness > 0.0) {
      answer.filtered = cuda::never_within<kVertexFace>(points, limits);
      answer.quickly_apart = cuda::quickly_apart<kVertexFace>(points, limits);
      answer.found = cuda::thick_roots<kVertexFace>(points, limits);
    } else {
      answer.filtered = cuda::never_touches<kVertexFace>(points);
      answer.found = cuda::roots<kVertexFace>(points, limits.tolerance);
    }
    return answer;
  }
};

struct Prove {
  __device__ ProofAnswer operator()(const ProofInput& input) const { return prove(input); }
};
struct Bound {
  __device__ BoundsAnswer operator()(const BoundsInput& input) const { return bound(input); }
};

}  // namespace

std::vector<PairAnswer> answers_on_gpu(FeatureKind kind, std::span<const PairStep> pairs,
                                       const ElementaryOptions& options) {
  const cuda::ThickLimits limits = cuda::thick_limits(options);
  return kind == FeatureKind::VertexFace ? map<PairAnswer>(pairs, AnswerPair<true>{limits})
                                         : map<PairAnswer>(pairs, AnswerPair<false>{limits});
}

std::vector<ProofAnswer> proofs_on_gpu(std::span<const ProofInput> inputs) {
  return map<ProofAnswer>(inputs, Prove{});
}

std::vector<BoundsAnswer> bounds_on_gpu(std::span<const BoundsInput> inputs) {
  return map<BoundsAnswer>(inputs, Bound{});
}

}  // namespace graze::testing

// Throughput of the first tier of the elementary tests, the filter in plain doubles, over batches of feature pairs:
// the scalar kernel against every SIMD target, on one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <graze/types.hpp>

#include "research/namespaces.hpp"

namespace graze::papers {

/// Which feature pairs are filtered.
enum class PairMix : std::uint8_t {
  Near,         ///< pairs whose swept boxes overlap: the candidates that a broad phase generates
  Coplanarity,  ///< near pairs that only the coplanarity cubic rejects
};

struct FilterSpeed {
  PairMix mix = PairMix::Near;
  FeatureKind kind = FeatureKind::VertexFace;
  std::string target;           ///< "scalar" or a SIMD target
  std::uint64_t pairs = 0;      ///< pairs filtered in one run
  std::uint64_t survivors = 0;  ///< pairs that the filter does not reject; equal for all targets
  double pairs_per_second = 0;  ///< the best of three runs
};

/// Measures every mix, kind and target over `pairs` pairs each. Throws std::logic_error if a SIMD target rejects
/// other pairs than the scalar kernel. Switches SIMD targets: not while a query runs.
std::vector<FilterSpeed> measure_filter_speed(std::uint64_t pairs, std::uint64_t seed);

/// Name of the instruction set that SIMD kernels use on this machine; "scalar" if none.
std::string best_simd_target();

}  // namespace graze::papers

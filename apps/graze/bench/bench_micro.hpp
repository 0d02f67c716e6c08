// Throughput of tier a over batches of pairs, one thread: the scalar twin against every SIMD target.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <graze/types.hpp>

namespace graze::app {

/// What a row's pairs are.
enum class PairMix : std::uint8_t {
  Near,         ///< features of a sheet whose swept boxes meet: what a hierarchy hands on
  Coplanarity,  ///< those of them that only the coplanarity cubic rejects
};

struct MicroRow {
  PairMix mix = PairMix::Near;
  FeatureKind kind = FeatureKind::VertexFace;
  std::string target;           ///< "scalar" or a SIMD target
  std::uint64_t pairs = 0;      ///< pairs filtered in the measured run
  std::uint64_t survivors = 0;  ///< of them not rejected; equal for all targets, or the run fails
  double pairs_per_second = 0;  ///< the best of three runs
};

/// Measures all rows over `pairs` pairs each. Throws std::logic_error if a target disagrees with the scalar twin.
std::vector<MicroRow> bench_micro(std::uint64_t pairs, std::uint64_t seed);

}  // namespace graze::app

// How much of a long test runs: all of it on a GPU, a part on an emulated one, whose threads take turns.
#pragma once

#include <algorithm>
#include <cstdint>

#include "environment.hpp"

namespace graze::testing {

/// GRAZE_CUDA_EFFORT percent (default 100) of a number of scenes, steps or queries, at least one.
inline std::uint64_t with_effort(std::uint64_t number) {
  return std::max<std::uint64_t>(1, number * from_environment("GRAZE_CUDA_EFFORT", 100) / 100);
}

}  // namespace graze::testing

// SIMD dispatch: the names of the instruction sets that this build contains and this machine can run, and the
// choice of one of them; for tests and benchmarks that compare them. Kernels select the best one by default
// (Highway).
#pragma once

#include <string>
#include <vector>

#include "core/namespaces.hpp"

namespace graze::core {

/// Names of the compiled targets that this machine can run, best first.
std::vector<std::string> simd_targets();

/// Makes every SIMD kernel use this target from now on; an empty name restores the best one. Throws
/// std::invalid_argument for an unknown name. Must not be called while a query runs.
void use_simd_target(const std::string& name);

}  // namespace graze::core

// The instruction sets that this build can run on this machine, by name; for tests and benchmarks that compare
// them.
#pragma once

#include <string>
#include <vector>

#include "core/namespaces.hpp"

namespace graze::core {

/// Names of the targets that were compiled and that this machine can run, best first.
std::vector<std::string> simd_targets();

/// Makes every SIMD kernel use this target from now on; an empty name goes back to the best. Not while a query
/// runs.
void use_simd_target(const std::string& name);

}  // namespace graze::core

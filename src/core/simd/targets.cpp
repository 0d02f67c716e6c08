// Lists and selects the SIMD instruction sets that Highway compiled (see targets.hpp).
#include "core/simd/targets.hpp"

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <stdexcept>

namespace graze::core {

std::vector<std::string> simd_targets() {
  std::vector<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) names.emplace_back(hwy::TargetName(target));
  return names;
}

void use_simd_target(const std::string& name) {
  hwy::SetSupportedTargetsForTest(0);
  std::int64_t chosen = 0;
  if (!name.empty()) {
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      if (name == hwy::TargetName(target)) chosen = target;
    }
    if (chosen == 0) throw std::invalid_argument("no SIMD target " + name);
  }
  hwy::SetSupportedTargetsForTest(chosen);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace graze::core

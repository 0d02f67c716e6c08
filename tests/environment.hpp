// Reads numbers from the environment, to run a random test longer or from another seed.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace graze::testing {

inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace graze::testing

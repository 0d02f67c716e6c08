// Hint to the processor that a value is needed soon.
#pragma once

#include <cstddef>

#include "core/namespaces.hpp"

namespace graze::core {

/// Fetches all cache lines of a value, for reading. Does nothing where the compiler has no such hint.
template <typename T>
void prefetch([[maybe_unused]] const T& value) {
#if defined(__GNUC__)
  constexpr std::size_t kLine = 64;
  const char* const bytes = reinterpret_cast<const char*>(&value);
  for (std::size_t at = 0; at < sizeof(T); at += kLine) __builtin_prefetch(bytes + at);
  __builtin_prefetch(bytes + sizeof(T) - 1);
#endif
}

}  // namespace graze::core

// Order of the features of a triangle (mesh/representatives.hpp): those that it represents come first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/namespaces.hpp"

namespace graze::mesh {

/// Moves the items that `represented` accepts to the front, without repeated values; returns their number.
template <typename T, typename Represented>
std::uint32_t represented_first(std::array<T, 3>& items, const Represented& represented) {
  std::uint32_t count = 0;
  for (std::uint32_t k = 0; k < 3; ++k) {
    const T item = items[k];
    if (!represented(item)) continue;
    if (std::find(items.begin(), items.begin() + count, item) != items.begin() + count) continue;
    std::swap(items[count++], items[k]);
  }
  return count;
}

}  // namespace graze::mesh

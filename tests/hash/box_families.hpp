// Boxes that are difficult for the cells of a spatial hash: on cell corners, of all sizes at once, flat, needles,
// near and beyond the range of floats. Equal seeds give equal boxes on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "geometry/packed_box.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;

struct BoxFamily {
  std::string_view name;
  std::vector<PackedBox> (*make)(std::uint64_t seed, std::size_t count);
};

/// Families of about `count` boxes each; the ids of the packed boxes are arbitrary.
std::span<const BoxFamily> box_families();

PackedBox packed(const std::array<float, 3>& lo, const std::array<float, 3>& hi);

}  // namespace graze::testing

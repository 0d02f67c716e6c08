// Two copies of a rigid soup that tumble past and through each other: many contacts between bodies, and those that
// a soup has with itself all the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "scenes/animation.hpp"
#include "scenes/shapes.hpp"

namespace graze::scenes {

struct TumbleOptions {
  std::string name;        ///< of the animation
  std::size_t frames = 5;  ///< >= 2; apart in the first and in the last, deepest in the middle
  std::uint64_t seed = 1;  ///< of the axes they turn about
};
/// The first copy turns about its own middle, the second flies through it while it turns.
Animation tumbling_pair(const Shape& soup, const TumbleOptions& options);

}  // namespace graze::scenes

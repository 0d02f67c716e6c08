// Two copies of a rigid polygon soup that tumble past and through each other: many contacts between bodies, and
// permanent self-collision of the soups. Cost: linear in vertices times frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "scenes/animation.hpp"
#include "scenes/shapes.hpp"

namespace graze::scenes {

struct TumbleOptions {
  std::string name;        ///< name of the animation
  std::size_t frames = 5;  ///< >= 2; separated in the first and in the last frame, deepest penetration in the
                           ///< middle
  std::uint64_t seed = 1;  ///< seed of the rotation axes
};
/// The first copy rotates about its own centre, the second flies through it while it rotates.
Animation tumbling_pair(const Shape& soup, const TumbleOptions& options);

}  // namespace graze::scenes

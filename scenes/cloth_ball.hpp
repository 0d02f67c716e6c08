// A square cloth that falls on a rotating ball, drapes over it and folds on itself: analytic, no simulation.
//
// The geometry is the papers' cloth-on-rotating-ball benchmark. The motion is a closed formula, so that it is cheap
// to compute and always has the same contacts: cloth against ball where the drape is pressed on, self-collision of
// the cloth where the folds of the hanging part touch. Cost: linear in vertices times frames.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scenes/animation.hpp"

namespace graze::scenes {

struct ClothBallOptions {
  std::size_t size = 29;    ///< vertices along a side of the cloth, >= 2; the ball has about a quarter as many
                            ///< triangles
  std::size_t frames = 13;  ///< >= 2
  std::uint64_t seed = 1;   ///< seed of the jitter that makes the cloth asymmetric
};

Animation cloth_ball(const ClothBallOptions& options = {});

}  // namespace graze::scenes

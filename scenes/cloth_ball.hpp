// A square cloth that falls on a turning ball, drapes over it and folds on itself: analytic, no simulation.
//
// The shape is the papers' cloth-on-rotating-ball benchmark; the motion is written down, so that it costs nothing
// to make and has the same contacts for ever: cloth against ball where the drape is pressed on, cloth against cloth
// where the hanging part meanders until its folds meet.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scenes/animation.hpp"

namespace graze::scenes {

struct ClothBallOptions {
  std::size_t size = 29;    ///< vertices along a side of the cloth, >= 2; the ball has about as many triangles / 3
  std::size_t frames = 13;  ///< >= 2
  std::uint64_t seed = 1;   ///< of the jitter that keeps the cloth from being symmetric
};

Animation cloth_ball(const ClothBallOptions& options = {});

}  // namespace graze::scenes

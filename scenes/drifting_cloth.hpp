// A large pleated cloth that lies on static ridges and drifts over them slowly: analytic, no simulation.
//
// A test of temporal coherence, for methods that reuse results of earlier steps: along the sequence nearly the same
// pairs stay near each other. The cloth touches the ridges where a slow wave presses it on, and itself where pleats
// close. In a step the whole cloth moves 0.2 edge lengths on a circle, and each vertex moves a few hundredths of an
// edge length relative to that. With gusts, time runs up to fifteen times as fast in every other ten frames, and
// the cloth lifts off. Soft ridges quiver like jelly, together with the cloth on them. Cost: linear in vertices
// times frames.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scenes/animation.hpp"

namespace graze::scenes {

struct DriftingClothOptions {
  std::size_t size = 80;    ///< vertices along a side of the cloth, >= 2; the ridges have a third as many triangles
  std::size_t frames = 41;  ///< >= 2; a frame does not depend on the number of frames
  std::uint64_t seed = 1;   ///< seed of the direction of drift, the waves and the jitter
  bool gusts = false;
  bool soft = false;  ///< ridges deform
};

/// The bodies are the ridges, static unless soft, then the cloth.
Animation drifting_cloth(const DriftingClothOptions& options = {});

/// Time of a frame of the cloth with gusts, in frames of the calm cloth; grows by 1 to 15 per frame.
double gusty_time(std::size_t frame);

}  // namespace graze::scenes

// Simulated garments on moving figures: the papers' dress, flamenco and princess. The figure carries the
// waistbands, the rest is cloth; no frame has an intersection.
#pragma once

#include <memory>

#include "scenes/catalogue.hpp"
#include "scenes/stream.hpp"

namespace graze::scenes {

std::unique_ptr<SceneStream> open_garment(const SceneRequest& request);
std::unique_ptr<SceneStream> open_skirt(const SceneRequest& request);
std::unique_ptr<SceneStream> open_princess(const SceneRequest& request);

}  // namespace graze::scenes

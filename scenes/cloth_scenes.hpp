// Simulated cloth: on a spinning ball, a bumpy ball, cones, a scanned-looking surface. Sizes are in triangles of
// the whole scene.
#pragma once

#include <memory>

#include "scenes/catalogue.hpp"
#include "scenes/stream.hpp"

namespace graze::scenes {

std::unique_ptr<SceneStream> open_cloth_ball(const SceneRequest& request);

}  // namespace graze::scenes

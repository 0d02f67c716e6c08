// Simulated cloth that falls on obstacles: the papers' cloth-ball and similar scenes. Sizes are in triangles of the
// whole scene; no frame has an intersection.
#pragma once

#include <memory>

#include "scenes/catalogue.hpp"
#include "scenes/stream.hpp"

namespace graze::scenes {

std::unique_ptr<SceneStream> open_cloth_ball(const SceneRequest& request);
std::unique_ptr<SceneStream> open_cloth_bumpy_ball(const SceneRequest& request);
std::unique_ptr<SceneStream> open_cloth_cones(const SceneRequest& request);
std::unique_ptr<SceneStream> open_bunny_cloth(const SceneRequest& request);

}  // namespace graze::scenes

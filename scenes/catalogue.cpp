// The table of scenes (scenes/catalogue.hpp).
#include "scenes/catalogue.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <graze/error.hpp>

#include "scenes/balls.hpp"
#include "scenes/cloth_ball.hpp"
#include "scenes/cloth_scenes.hpp"
#include "scenes/sheets.hpp"

namespace graze::scenes {

namespace {

/// Vertices along a side of a square grid of about this many triangles.
std::size_t grid_side(double triangles) {
  return std::max<std::size_t>(2, static_cast<std::size_t>(std::lround(std::sqrt(triangles / 2.0))) + 1);
}

std::unique_ptr<SceneStream> open_draped_ball(const SceneRequest& request) {
  const auto size = static_cast<double>(request.size);
  return stream_of(cloth_ball({.size = grid_side(0.75 * size), .frames = request.frames, .seed = request.seed}));
}

std::unique_ptr<SceneStream> open_flying_balls(const SceneRequest& request) {
  constexpr std::size_t kLevels = 8;  // 512 triangles a ball
  const std::size_t count = std::max<std::size_t>(2, request.size / (8 * kLevels * kLevels));
  return stream_of(
      flying_balls({.count = count, .levels = kLevels, .frames = request.frames, .seed = request.seed}));
}

std::unique_ptr<SceneStream> open_sheets(const SceneRequest& request) {
  const auto size = static_cast<double>(request.size);
  return stream_of(
      crossing_sheets({.size = grid_side(size / 2.0), .frames = request.frames, .seed = request.seed}));
}

constexpr std::array kScenes = {
    SceneEntry{"cloth-ball", "a cloth falls on a ball that starts to spin, wraps it and folds; simulated", 2000, 60,
               open_cloth_ball, true},
    SceneEntry{"draped-ball", "a cloth drapes over a turning ball and folds on itself; analytic", 2400, 13,
               open_draped_ball},
    SceneEntry{"flying-balls", "balls on straight lines through a box and through each other; analytic", 8192, 5,
               open_flying_balls},
    SceneEntry{"crossing-sheets", "two uneven sheets, one passing through the other; analytic", 1000, 2,
               open_sheets},
};

}  // namespace

std::span<const SceneEntry> catalogue() {
  return kScenes;
}

const SceneEntry& find_scene(std::string_view name, SceneRequest& request) {
  std::string known;
  for (const SceneEntry& entry : kScenes) {
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
    if (entry.name != name) continue;
    if (request.size == 0) request.size = entry.default_size;
    if (request.frames == 0) request.frames = entry.default_frames;
    if (request.frames < 2) throw InputError("scene '" + std::string(name) + "': a scene has at least 2 frames");
    return entry;
  }
  throw InputError("scene '" + std::string(name) + "' is unknown; there are: " + known);
}

std::unique_ptr<SceneStream> open_scene(std::string_view name, SceneRequest& request) {
  return find_scene(name, request).open(request);
}

Animation make_animation(std::string_view name, const SceneRequest& request) {
  SceneRequest full = request;
  const std::unique_ptr<SceneStream> stream = open_scene(name, full);
  Animation animation = collect(*stream, full.frames);
  animation.name = name;
  return animation;
}

}  // namespace graze::scenes

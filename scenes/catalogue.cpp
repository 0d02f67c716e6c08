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
#include "scenes/figure_scenes.hpp"
#include "scenes/pile_scenes.hpp"
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
    SceneEntry{"cloth-ball", "a cloth falls on a ball that starts to spin, wraps it and folds", 2000, 90,
               open_cloth_ball, true},
    SceneEntry{"cloth-bumpy-ball", "the same on a ball with bumps", 2400, 60, open_cloth_bumpy_ball, true},
    SceneEntry{"cloth-cones", "a cloth falls on a field of cones", 2400, 60, open_cloth_cones, true},
    SceneEntry{"bunny-cloth", "a cloth falls on a still surface like a scanned hare", 4000, 60, open_bunny_cloth,
               true},
    SceneEntry{"garment", "a dress on a swaying mannequin", 3000, 60, open_garment, true},
    SceneEntry{"skirt", "seven layers of skirt on a dancer who turns", 4000, 60, open_skirt, true},
    SceneEntry{"princess", "a figure in a long skirt sits down", 3000, 90, open_princess, true},
    SceneEntry{"n-body", "rigid balls fly about in a tumbling box", 6400, 60, open_n_body, true},
    SceneEntry{"tori", "14 soft tori pile up in a bowl", 3000, 60, open_tori, true},
    SceneEntry{"alphabet", "rigid letters fall into a box: 1,014 of 900 triangles at size 912600", 7200, 60,
               open_alphabet, true},
    SceneEntry{"letters", "soft letters fall into a bowl and break", 4000, 60, open_letters, true, true},
    SceneEntry{"breaking", "a ring falls on a china figure, which breaks into pieces", 4000, 45, open_breaking,
               true, true},
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

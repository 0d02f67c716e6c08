// The table of scenes, and look-up by name (scenes/catalogue.hpp).
#include "scenes/catalogue.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <graze/error.hpp>

#include "scenes/balls.hpp"
#include "scenes/cloth_ball.hpp"
#include "scenes/cloth_scenes.hpp"
#include "scenes/crumpled_sheet.hpp"
#include "scenes/drifting_cloth.hpp"
#include "scenes/figure_scenes.hpp"
#include "scenes/pile_scenes.hpp"
#include "scenes/rigid_soups.hpp"
#include "scenes/shapes/soups.hpp"
#include "scenes/sheets.hpp"
#include "scenes/stress.hpp"

namespace graze::scenes {

namespace {

/// Vertices along a side of a square grid of about this many triangles.
std::size_t grid_side(double triangles) {
  return std::max<std::size_t>(2, static_cast<std::size_t>(std::lround(std::sqrt(triangles / 2.0))) + 1);
}

Animation make_draped_ball(const SceneRequest& request) {
  const auto size = static_cast<double>(request.size);
  return cloth_ball({.size = grid_side(0.75 * size), .frames = request.frames, .seed = request.seed});
}

Animation make_flying_balls(const SceneRequest& request) {
  constexpr std::size_t kLevels = 8;  // 512 triangles per ball
  const std::size_t count = std::max<std::size_t>(2, request.size / (8 * kLevels * kLevels));
  return flying_balls({.count = count, .levels = kLevels, .frames = request.frames, .seed = request.seed});
}

Animation make_sheets(const SceneRequest& request) {
  const auto size = static_cast<double>(request.size);
  return crossing_sheets({.size = grid_side(size / 2.0), .frames = request.frames, .seed = request.seed});
}

/// The cloth has three quarters of the triangles.
DriftingClothOptions drifting(const SceneRequest& request) {
  const std::size_t side = grid_side(0.75 * static_cast<double>(request.size));
  return {.size = side, .frames = request.frames, .seed = request.seed};
}

template <Shape (*kSoup)(std::size_t, std::uint64_t)>
Animation make_tumble(const SceneRequest& request, std::string name) {
  return tumbling_pair(kSoup(request.size / 2, request.seed),
                       {.name = std::move(name), .frames = request.frames, .seed = request.seed});
}

StressOptions stress(const SceneRequest& request) {
  return {.triangles = request.size, .frames = request.frames, .seed = request.seed};
}

constexpr std::array kScenes = {
    SceneEntry{"cloth-ball", "a cloth falls on a ball that starts to spin, wraps it and folds", 2000, 60, nullptr,
               open_cloth_ball},
    SceneEntry{"cloth-bumpy-ball", "a cloth falls on a spinning ball with bumps", 2400, 60, nullptr,
               open_cloth_bumpy_ball},
    SceneEntry{"cloth-cones", "a cloth falls on a field of cones", 2400, 60, nullptr, open_cloth_cones},
    SceneEntry{"bunny-cloth", "a cloth falls on a static surface like a scanned hare", 4000, 60, nullptr,
               open_bunny_cloth},
    SceneEntry{"garment", "a dress on a swaying mannequin", 6000, 45, nullptr, open_garment},
    SceneEntry{"skirt", "seven layers of skirt on a dancer who turns", 12000, 30, nullptr, open_skirt},
    SceneEntry{"princess", "a figure in a long skirt sits down", 6000, 60, nullptr, open_princess},
    SceneEntry{"n-body", "rigid balls fly about in a tumbling box", 6400, 30, nullptr, open_n_body},
    SceneEntry{"tori", "14 soft tori pile up in a bowl", 3000, 60, nullptr, open_tori},
    SceneEntry{"alphabet", "rigid letters fall into a box: 1,014 of 900 triangles at size 912600", 7200, 60,
               nullptr, open_alphabet},
    SceneEntry{"letters", "soft letters fall into a bowl and break", 4000, 60, nullptr, open_letters, true},
    SceneEntry{"breaking", "a ring falls on a china figure, which breaks into pieces", 4000, 45, nullptr,
               open_breaking, true},
    SceneEntry{"draped-ball", "a cloth drapes over a turning ball and folds on itself; analytic", 2400, 13,
               make_draped_ball},
    SceneEntry{"flying-balls", "balls on straight lines through a box and through each other; analytic", 8192, 5,
               make_flying_balls},
    SceneEntry{"crossing-sheets", "two uneven sheets, one passing through the other; analytic", 1000, 2,
               make_sheets},
    SceneEntry{"drifting-cloth", "a pleated cloth drifts slowly over static ridges; analytic", 16000, 41,
               [](const SceneRequest& request) { return drifting_cloth(drifting(request)); }},
    SceneEntry{"windy-cloth",
               "a pleated cloth drifts over static ridges, calm and in violent gusts by turns; analytic", 16000, 41,
               [](const SceneRequest& request) {
                 DriftingClothOptions options = drifting(request);
                 options.gusts = true;
                 return drifting_cloth(options);
               }},
    SceneEntry{"jelly-cloth", "a pleated cloth drifts over ridges that quiver like jelly; analytic", 16000, 41,
               [](const SceneRequest& request) {
                 DriftingClothOptions options = drifting(request);
                 options.soft = true;
                 return drifting_cloth(options);
               }},
    // Rigid polygon soups.
    SceneEntry{"car-body", "two car bodies, panels and parts, tumble through each other; rigid soup", 4000, 5,
               [](const SceneRequest& request) { return make_tumble<make_car_body>(request, "car-body"); }},
    SceneEntry{"headlight", "two headlights, nested shells, tumble through each other; rigid soup", 2400, 5,
               [](const SceneRequest& request) { return make_tumble<make_headlight>(request, "headlight"); }},
    SceneEntry{"lock", "two padlocks, small mechanical parts, tumble through each other; rigid soup", 4000, 5,
               [](const SceneRequest& request) { return make_tumble<make_lock>(request, "lock"); }},
    SceneEntry{"torus", "two tori in patches tumble through each other; rigid soup", 5000, 5,
               [](const SceneRequest& request) { return make_tumble<make_torus_soup>(request, "torus"); }},
    SceneEntry{"sphere", "two spheres in patches tumble through each other; rigid soup", 5000, 5,
               [](const SceneRequest& request) { return make_tumble<make_sphere_soup>(request, "sphere"); }},
    // Stress scenes.
    SceneEntry{"one-cell", "all triangles at one place, two huge ones far away; stress", 3000, 3,
               [](const SceneRequest& request) { return one_cell(stress(request)); }},
    SceneEntry{"giant-triangle", "one giant triangle sinks through a fine sheet; stress", 5000, 5,
               [](const SceneRequest& request) { return giant_triangle(stress(request)); }},
    SceneEntry{"needle-field", "long thin triangles in all directions; stress", 2000, 3,
               [](const SceneRequest& request) { return needle_field(stress(request)); }},
    SceneEntry{"crumpled-sheet", "a sheet is crumpled until its layers touch; stress", 5000, 5,
               [](const SceneRequest& request) {
                 return crumpled_sheet({.triangles = request.size, .frames = request.frames, .seed = request.seed});
               }},
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
  const SceneEntry& entry = find_scene(name, request);
  return entry.simulate != nullptr ? entry.simulate(request) : stream_of(entry.make(request));
}

Animation make_animation(std::string_view name, const SceneRequest& request) {
  SceneRequest full = request;
  const std::unique_ptr<SceneStream> stream = open_scene(name, full);
  Animation animation = collect(*stream, full.frames);
  animation.name = name;
  return animation;
}

}  // namespace graze::scenes

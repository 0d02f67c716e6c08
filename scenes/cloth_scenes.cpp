// Setups of the cloth scenes (scenes/cloth_scenes.hpp). Lengths are in ball radii; gravity is 30 radii per second
// squared, the Earth's for a ball with a radius of a third of a metre. In a frame the cloth moves by a few edge
// lengths at the default size.
#include "scenes/cloth_scenes.hpp"

#include <algorithm>
#include <cmath>

#include "scenes/random.hpp"
#include "scenes/setup.hpp"
#include "scenes/shapes.hpp"
#include "scenes/shapes/surfaces.hpp"
#include "scenes/sim/simulation.hpp"

namespace graze::scenes {

namespace {

/// Makes a square cloth of about this many triangles, centred above the origin. The jitter keeps it from folding in
/// perfect symmetry, which no cloth does.
struct ClothSize {
  std::size_t triangles = 0;
  double half_side = 1.0;
  double height = 0.0;
};
Shape hanging_cloth(const ClothSize& size, Random& random) {
  const auto cells = std::max<long>(2, std::lround(std::sqrt(static_cast<double>(size.triangles) / 2.0)));
  Shape cloth = make_grid(static_cast<std::size_t>(cells) + 1);
  const double jitter = 0.02 / static_cast<double>(cells);
  for (Vec3& p : cloth.positions) {
    p.x = size.half_side * (p.x + random.uniform(-jitter, jitter));
    p.y = size.half_side * (p.y + random.uniform(-jitter, jitter));
    p.z = size.height + size.half_side * random.uniform(-jitter, jitter);
  }
  return cloth;
}

sim::SimulationOptions cloth_options(const SceneRequest& request, const Shape& cloth) {
  sim::SimulationOptions options;
  options.threads = request.threads;
  options.thickness = kThickness * mean_edge(cloth);
  options.friction = 0.5;
  options.air = 1.0;
  options.gravity = {0.0, 0.0, -30.0};
  return options;
}

/// Path that is static for a second and then spins back and forth: one turn each way within three seconds. The
/// cloth lags behind, so it is wound up and thrown off repeatedly.
sim::Path spinning(std::vector<Vec3> rest) {
  return [rest = std::move(rest)](double time, std::span<Vec3> positions) {
    const double turns = 0.5 - 0.5 * cos_turns(std::max(0.0, time - 1.0) / 3.0);
    const double c = cos_turns(turns);
    const double s = sin_turns(turns);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      positions[i] = {c * rest[i].x - s * rest[i].y, s * rest[i].x + c * rest[i].y, rest[i].z};
    }
  };
}

/// The floor that the hem comes to rest on; it holds the hem back while the ball spins, which winds the cloth up.
Shape floor_below(double z) {
  return placed_shape(make_grid(9), 4.0, {}, {0.0, 0.0, z});
}

}  // namespace

std::unique_ptr<SceneStream> open_cloth_ball(const SceneRequest& request) {
  Random random(request.seed);
  const Shape cloth = hanging_cloth({request.size * 3 / 4, 2.3, 1.06}, random);
  const auto levels = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(request.size) / 32.0)));
  const Shape ball = make_sphere(std::max<std::size_t>(2, levels));
  auto simulation = std::make_unique<sim::Simulation>(cloth_options(request, cloth));
  simulation->add_cloth(cloth, {});
  simulation->add_kinematic(ball, spinning(ball.positions));
  simulation->add_static(floor_below(-1.3));
  return stream_of(std::move(simulation));
}

std::unique_ptr<SceneStream> open_cloth_bumpy_ball(const SceneRequest& request) {
  Random random(request.seed);
  const Shape cloth = hanging_cloth({request.size / 2, 2.3, 1.3}, random);
  const Shape ball = make_bumpy_ball(60, 0.15, request.size / 2);
  auto simulation = std::make_unique<sim::Simulation>(cloth_options(request, cloth));
  simulation->add_cloth(cloth, {});
  simulation->add_kinematic(ball, spinning(ball.positions));
  simulation->add_static(floor_below(-1.3));
  return stream_of(std::move(simulation));
}

std::unique_ptr<SceneStream> open_cloth_cones(const SceneRequest& request) {
  Random random(request.seed);
  const Shape cloth = hanging_cloth({request.size * 2 / 3, 1.5, 0.9}, random);
  const Shape ground = make_cone_field(
      {.half = 2.0, .cones_per_side = 5, .height = 0.7, .radius = 0.3, .blunt = 0.05}, request.size / 3);
  auto simulation = std::make_unique<sim::Simulation>(cloth_options(request, cloth));
  simulation->add_static(ground);
  simulation->add_cloth(cloth, {});
  return stream_of(std::move(simulation));
}

std::unique_ptr<SceneStream> open_bunny_cloth(const SceneRequest& request) {
  Random random(request.seed);
  // In the papers a cloth of 16k triangles drapes over a scan of 60k.
  const Shape cloth = hanging_cloth({request.size / 5, 1.4, 1.62}, random);
  const Shape scan = make_scan(request.size * 4 / 5, request.seed);
  auto simulation = std::make_unique<sim::Simulation>(cloth_options(request, cloth));
  simulation->add_static(scan);
  simulation->add_cloth(cloth, {});
  return stream_of(std::move(simulation));
}

}  // namespace graze::scenes

// Setups of the cloth scenes (scenes/cloth_scenes.hpp). Lengths in ball radii, the Earth's gravity on a ball of a
// metre: slow enough that a frame's motion is a few edges at demonstration size.
#include "scenes/cloth_scenes.hpp"

#include <algorithm>
#include <cmath>

#include "scenes/random.hpp"
#include "scenes/shapes.hpp"
#include "scenes/sim/simulation.hpp"

namespace graze::scenes {

namespace {

/// A square cloth of about this many triangles, centred above the origin; jittered, or it would fold in perfect
/// symmetry, which no cloth does.
Shape hanging_cloth(std::size_t triangles, double half_side, double height, Random& random) {
  const auto cells = std::max<long>(2, std::lround(std::sqrt(static_cast<double>(triangles) / 2.0)));
  Shape cloth = make_grid(static_cast<std::size_t>(cells) + 1);
  const double jitter = 0.02 / static_cast<double>(cells);
  for (Vec3& p : cloth.positions) {
    p.x = half_side * (p.x + random.uniform(-jitter, jitter));
    p.y = half_side * (p.y + random.uniform(-jitter, jitter));
    p.z = height + half_side * random.uniform(-jitter, jitter);
  }
  return cloth;
}

double edge_length(const Shape& cloth, double half_side) {
  return 2.0 * half_side / (std::sqrt(static_cast<double>(cloth.positions.size())) - 1.0);
}

}  // namespace

std::unique_ptr<SceneStream> open_cloth_ball(const SceneRequest& request) {
  constexpr double kHalfSide = 2.3;
  Random random(request.seed);
  const Shape cloth = hanging_cloth(request.size * 3 / 4, kHalfSide, 1.06, random);
  const auto levels = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(request.size) / 32.0)));
  const Shape ball = make_sphere(std::max<std::size_t>(2, levels));

  sim::SimulationOptions options;
  options.threads = request.threads;
  options.thickness = 0.12 * edge_length(cloth, kHalfSide);
  options.friction = 0.6;
  options.air = 1.0;
  auto simulation = std::make_unique<sim::Simulation>(options);
  simulation->add_cloth(cloth, {});
  // The ball stands for a second and a half, then spins up to half a turn a second.
  simulation->add_kinematic(ball, [rest = ball.positions](double time, std::span<Vec3> positions) {
    const double spinning = std::max(0.0, time - 1.5);
    const double turns = spinning < 1.0 ? 0.25 * spinning * spinning : 0.5 * spinning - 0.25;
    const double c = cos_turns(turns);
    const double s = sin_turns(turns);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      positions[i] = {c * rest[i].x - s * rest[i].y, s * rest[i].x + c * rest[i].y, rest[i].z};
    }
  });
  return stream_of(std::move(simulation));
}

}  // namespace graze::scenes

// Setups of the garments (scenes/figure_scenes.hpp). Lengths are in metres.
#include "scenes/figure_scenes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "scenes/setup.hpp"
#include "scenes/shapes/figures.hpp"
#include "scenes/shapes/garments.hpp"
#include "scenes/shapes/solids.hpp"
#include "scenes/sim/simulation.hpp"

namespace graze::scenes {

namespace {

/// The seed sets the wind: every seed blows the cloth in a different direction.
sim::SimulationOptions garment_options(const SceneRequest& request, const Shape& cloth) {
  sim::SimulationOptions options;
  options.threads = request.threads;
  options.thickness = std::min(kThickness * mean_edge(cloth), 0.005);
  options.friction = 0.3;
  options.air = 2.0;
  Random random(request.seed);
  const Vec3 strength = {random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), 0.0};
  const double phase = random.uniform(0.0, 1.0);
  options.wind = [strength, phase](double time) {
    const double gust = 1.0 + sin_turns(0.4 * time + phase);
    return Vec3{gust * strength.x, gust * strength.y, 0.0};
  };
  return options;
}

/// Rounds sizes up to a smallest number of triangles: a coarser body has no gap between its limbs, and a coarser
/// tube cuts its corners through the body.
std::size_t at_least(std::size_t least, std::size_t size) {
  return std::max(least, size);
}

/// Adds a figure that moves `speed` times as fast as its definition.
void add_figure(sim::Simulation& simulation, const Figure& figure, double speed) {
  simulation.add_kinematic(figure.rest(), [figure, speed](double time, std::span<Vec3> positions) {
    const std::vector<Vec3> moved = figure.positions(speed * time);
    std::copy(moved.begin(), moved.end(), positions.begin());
  });
}

void add_garment(sim::Simulation& simulation, const Figure& figure, double speed, const Garment& garment) {
  sim::Material material;
  material.bend = 2e-4;
  simulation.add_cloth(garment.shape, material);
  std::vector<Vec3> rim;
  for (const VertexId i : garment.held) rim.push_back(garment.shape.positions[i]);
  simulation.pin(garment.held, [figure, rim, speed](double time, std::span<Vec3> positions) {
    const std::vector<Vec3> moved = figure.carried(rim, speed * time);
    std::copy(moved.begin(), moved.end(), positions.begin());
  });
}

}  // namespace

std::unique_ptr<SceneStream> open_garment(const SceneRequest& request) {
  const Figure figure = make_mannequin(at_least(3000, request.size / 2));
  const Garment dress = make_dress(figure, at_least(3000, request.size / 2));
  auto simulation = std::make_unique<sim::Simulation>(garment_options(request, dress.shape));
  constexpr double kSpeed = 2.0;
  add_figure(*simulation, figure, kSpeed);
  add_garment(*simulation, figure, kSpeed, dress);
  return stream_of(std::move(simulation));
}

std::unique_ptr<SceneStream> open_skirt(const SceneRequest& request) {
  constexpr std::size_t kLayers = 7;
  const Figure figure = make_dancer(at_least(3000, request.size / 4));
  const std::vector<Garment> skirts = make_skirts(figure, kLayers, at_least(9000, request.size * 3 / 4));
  auto simulation = std::make_unique<sim::Simulation>(garment_options(request, skirts.front().shape));
  constexpr double kSpeed = 2.0;
  add_figure(*simulation, figure, kSpeed);
  for (const Garment& skirt : skirts) add_garment(*simulation, figure, kSpeed, skirt);
  return stream_of(std::move(simulation));
}

std::unique_ptr<SceneStream> open_princess(const SceneRequest& request) {
  const Figure figure = make_sitter(at_least(3000, request.size / 3));
  GarmentOptions long_skirt;
  long_skirt.bottom_z = 0.2;
  long_skirt.flare = 0.5;
  const Garment skirt = make_garment(figure, long_skirt, at_least(3000, request.size * 2 / 3));
  auto simulation = std::make_unique<sim::Simulation>(garment_options(request, skirt.shape));
  // The floor is slightly below the feet; only the hem may touch it.
  simulation->add_static(placed_shape(make_grid(9), 1.5, {}, {0.0, 0.0, -0.02}));
  add_figure(*simulation, figure, 1.0);
  add_garment(*simulation, figure, 1.0, skirt);
  return stream_of(std::move(simulation));
}

}  // namespace graze::scenes

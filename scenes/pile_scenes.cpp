// Setups of the piles (scenes/pile_scenes.hpp). Bodies start on a lattice, each in a cell that is large enough for
// any rotation, so that no two bodies touch.
#include "scenes/pile_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "scenes/random.hpp"
#include "scenes/setup.hpp"
#include "scenes/shapes.hpp"
#include "scenes/shapes/letters.hpp"
#include "scenes/shapes/solids.hpp"
#include "scenes/shapes/surfaces.hpp"
#include "scenes/sim/simulation.hpp"

namespace graze::scenes {

namespace {

/// Smallest number of triangles for a letter without self-intersections and with its holes.
constexpr std::size_t kMinLetterTriangles = 700;

/// Number of letters of an alphabet with about this many triangles in total.
std::size_t letter_count(std::size_t triangles) {
  constexpr std::size_t kMaxLetters = 1014;  // 39 alphabets
  return std::clamp<std::size_t>(triangles / 900, 4, kMaxLetters);
}

/// Centre of the k-th cell of a column of layers with side x side cells each, from the bottom.
Vec3 cell_centre(std::size_t k, std::size_t side, double cell, double bottom) {
  const std::size_t layer_size = side * side;
  const std::size_t in_layer = k % layer_size;
  const std::size_t row_of = in_layer / side;
  const std::size_t layer_of = k / layer_size;
  const auto column = static_cast<double>(in_layer % side);
  const auto row = static_cast<double>(row_of);
  const auto layer = static_cast<double>(layer_of);
  const double middle = 0.5 * static_cast<double>(side - 1);
  return {cell * (column - middle), cell * (row - middle), bottom + cell * (layer + 0.5)};
}

double bounding_radius(const Shape& shape) {
  double most = 0.0;
  for (const Vec3& p : shape.positions) most = std::max(most, p.x * p.x + p.y * p.y + p.z * p.z);
  return std::sqrt(most);
}

/// Smallest side of a square layer that holds at least this many cells.
std::size_t square_side(double cells) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(std::sqrt(cells))));
}

sim::SimulationOptions heap_options(const SceneRequest& request, double edge) {
  sim::SimulationOptions options;
  options.threads = request.threads;
  options.thickness = kThickness * edge;
  options.friction = 0.4;
  options.gravity = {0.0, 0.0, -30.0};  // bodies are a few centimetres large
  return options;
}

}  // namespace

std::unique_ptr<SceneStream> open_n_body(const SceneRequest& request) {
  // About two hundred balls from 6,400 triangles on; larger scenes have finer balls, not more.
  const auto levels = static_cast<std::size_t>(
      std::max(2.0, std::floor(std::sqrt(static_cast<double>(request.size) / (8.0 * 250.0)))));
  const std::size_t count = std::max<std::size_t>(4, request.size * 19 / 20 / (8 * levels * levels));
  const Shape ball = make_sphere(levels);
  constexpr double kCell = 2.3;
  std::size_t side = 1;
  while (side * side * side < count) ++side;
  const double half = 0.55 * kCell * static_cast<double>(side);
  auto simulation = std::make_unique<sim::Simulation>(heap_options(request, mean_edge(ball)));
  // A closed box that tumbles; otherwise all balls would soon be at rest.
  const Shape box = make_room({half, half, half}, std::max<std::size_t>(48, request.size / 20));
  simulation->add_kinematic(box, [rest = box.positions](double time, std::span<Vec3> positions) {
    const double turns = time < 1.0 ? 0.15 * time * time : 0.3 * time - 0.15;
    const double c = cos_turns(turns);
    const double s = sin_turns(turns);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      positions[i] = {rest[i].x, c * rest[i].y - s * rest[i].z, s * rest[i].y + c * rest[i].z};
    }
  });
  Random random(request.seed);
  for (std::size_t k = 0; k < count; ++k) {
    const double radius = random.uniform(0.7, 1.0);
    const Turn turn = random_turn(random);
    simulation->add_rigid(
        placed_shape(ball, radius, turn, cell_centre(k, side, kCell, -0.5 * kCell * static_cast<double>(side))),
        {});
    const double vx = random.uniform(-12.0, 12.0);
    const double vy = random.uniform(-12.0, 12.0);
    const double vz = random.uniform(-12.0, 0.0);
    simulation->set_velocity({vx, vy, vz});
  }
  return stream_of(std::move(simulation));
}

std::unique_ptr<SceneStream> open_tori(const SceneRequest& request) {
  constexpr std::size_t kTori = 14;
  const Shape torus = make_torus(1.0, 0.4, request.size / (kTori + 1));
  auto simulation = std::make_unique<sim::Simulation>(heap_options(request, mean_edge(torus)));
  simulation->add_static(make_bowl(3.4, 0.3, request.size / (kTori + 1)));
  Random random(request.seed);
  sim::Material rubber;
  rubber.stretch = 1e-6;
  rubber.shear = 1e-6;
  rubber.bend = 1e-5;
  rubber.shape = 0.02;
  for (std::size_t k = 0; k < kTori; ++k) {
    const Turn turn = random_turn(random);
    simulation->add_soft(placed_shape(torus, 1.0, turn, cell_centre(k, 2, 2.9, -0.2)), rubber);
  }
  return stream_of(std::move(simulation));
}

std::vector<Shape> alphabet_letters(const SceneRequest& request) {
  const std::size_t count = letter_count(request.size);
  const std::size_t triangles = std::max(kMinLetterTriangles, request.size / count);
  std::vector<Shape> letters;
  for (std::size_t k = 0; k < std::min<std::size_t>(26, count); ++k) {
    letters.push_back(make_letter(static_cast<char>('A' + k), triangles));
  }
  return letters;
}

std::unique_ptr<SceneStream> open_alphabet(const SceneRequest& request) {
  const std::size_t count = letter_count(request.size);
  const std::vector<Shape> letters = alphabet_letters(request);
  double reach = 0.0;
  for (const Shape& letter : letters) reach = std::max(reach, bounding_radius(letter));
  const double cell = 2.05 * reach;
  const std::size_t side = square_side(std::sqrt(static_cast<double>(count)) * 0.8);
  const double half = 0.5 * cell * static_cast<double>(side);
  auto simulation = std::make_unique<sim::Simulation>(heap_options(request, mean_edge(letters.front())));
  simulation->add_static(
      make_open_box({half, half, 0.5 * half}, 0.5, std::max<std::size_t>(100, request.size / 50)));
  Random random(request.seed);
  for (std::size_t k = 0; k < count; ++k) {
    const Turn turn = random_turn(random);
    simulation->add_rigid(
        placed_shape(letters[k % letters.size()], 1.0, turn, cell_centre(k, side, cell, -0.5 * half)), {});
  }
  return stream_of(std::move(simulation));
}

std::unique_ptr<SceneStream> open_letters(const SceneRequest& request) {
  const std::size_t count = std::clamp<std::size_t>(request.size / 800, 2, 26);
  const std::size_t triangles = std::max(kMinLetterTriangles, request.size / (count + 1));
  std::vector<Shape> letters;
  double reach = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    letters.push_back(make_letter(static_cast<char>('A' + k), triangles));
    reach = std::max(reach, bounding_radius(letters.back()));
  }
  const double cell = 2.05 * reach;
  const std::size_t side = count > 4 ? 2 : 1;
  auto simulation = std::make_unique<sim::Simulation>(heap_options(request, mean_edge(letters.front())));
  simulation->add_static(make_bowl(1.1 * cell, 0.3, triangles));
  Random random(request.seed);
  sim::Material jelly;
  jelly.stretch = 1e-6;
  jelly.shear = 1e-6;
  jelly.bend = 1e-5;
  jelly.shape = 0.05;
  jelly.strength = 6.0;
  for (std::size_t k = 0; k < count; ++k) {
    const Turn turn = random_turn(random);
    const Shape letter = placed_shape(letters[k], 1.0, turn, cell_centre(k, side, cell, -0.5 * cell));
    simulation->add_soft(letter, jelly);
    simulation->set_pieces(make_pieces(letter, 6, random));
  }
  return stream_of(std::move(simulation));
}

std::unique_ptr<SceneStream> open_breaking(const SceneRequest& request) {
  // A torus falls on a hollow china figure that stands on the ground.
  const Shape china = placed_shape(make_scan(request.size * 7 / 10, request.seed), 1.0, {}, {0.0, 0.0, 0.02});
  const Shape ring =
      placed_shape(make_torus(0.5, 0.2, request.size * 2 / 10), 1.0, {0.06, 0.03, 0.0}, {0.0, 0.1, 2.3});
  const double edge = mean_edge(china);
  auto options = heap_options(request, edge);
  options.substeps = 10;
  auto simulation = std::make_unique<sim::Simulation>(options);
  const auto cells = static_cast<std::size_t>(std::max(4.0, std::sqrt(static_cast<double>(request.size) / 20.0)));
  simulation->add_static(placed_shape(make_grid(cells + 1), 3.0, {}, {}));
  sim::Material iron;
  iron.mass = 20.0;
  simulation->add_rigid(ring, iron);
  simulation->set_velocity({0.0, 0.0, -3.0});
  sim::Material porcelain;
  porcelain.strength = 1.0;
  porcelain.pieces_rigid = true;
  simulation->add_rigid(china, porcelain);
  Random random(request.seed);
  const std::size_t pieces = std::clamp<std::size_t>(china.triangles.size() / 24, 4, 400);
  simulation->set_pieces(make_pieces(china, pieces, random));
  return stream_of(std::move(simulation));
}

}  // namespace graze::scenes

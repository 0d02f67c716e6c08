// Pieces are slightly irregular spheres of 72 triangles on a lattice; scenes differ in their positions and sizes.
// Sheets grow in extent with the number of triangles, not in number.
#include "hash_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "scenes/catalogue.hpp"
#include "scenes/random.hpp"
#include "scenes/shapes.hpp"

namespace graze::benchmarks {
namespace {

using scenes::Random;

constexpr std::size_t kLevels = 3;  // of a piece: 8 * 3^2 triangles

Vec3 random_vector(Random& random, double size) {
  const double x = random.uniform(-size, size);
  const double y = random.uniform(-size, size);
  const double z = random.uniform(-size, size);
  return {x, y, z};
}

Vec3 sum(const Vec3& a, const Vec3& b, double scale) {
  return {a.x + scale * b.x, a.y + scale * b.y, a.z + scale * b.z};
}

struct Step {
  std::vector<Triangle> triangles;
  std::vector<Vec3> start;
  std::vector<Vec3> end;
};

/// Adds about `triangles` triangles in pieces of a given radius, on a cubic lattice around `middle`.
void append_pieces(Step& step, std::size_t triangles, double radius, const Vec3& middle, Random& random) {
  const scenes::Shape piece = scenes::make_sphere(kLevels);
  const std::size_t count = std::max<std::size_t>(1, triangles / piece.triangles.size());
  std::size_t side = 1;
  while (side * side * side < count) ++side;
  constexpr double kSpacing = 2.2;  // for unit spheres that move by up to 0.3 along each axis
  const double half = 0.5 * kSpacing * static_cast<double>(side - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = i / side;
    const std::size_t layer = row / side;
    const auto x = static_cast<double>(i % side);
    const auto y = static_cast<double>(row % side);
    const auto z = static_cast<double>(layer);
    const Vec3 at{kSpacing * x - half, kSpacing * y - half, kSpacing * z - half};
    const Vec3 way = random_vector(random, 0.3);
    const auto first = static_cast<VertexId>(step.start.size());
    for (const Vec3& p : piece.positions) {
      const Vec3 from = sum(sum(at, p, 1.0), random_vector(random, 0.03), 1.0);
      step.start.push_back(sum(middle, from, radius));
      step.end.push_back(sum(middle, sum(from, way, 1.0), radius));
    }
    for (const Triangle& t : piece.triangles) step.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
}

/// Layers of squares of side 1, divided into two triangles each; about one square in thirty has contacts.
void append_sheets(Step& step, std::size_t triangles, Random& random) {
  constexpr std::size_t kLayers = 5;
  const auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(triangles) / (2.0 * kLayers))) + 2;
  const scenes::Shape grid = scenes::make_grid(side);
  const double half = 0.5 * static_cast<double>(side - 1);
  for (std::size_t layer = 0; layer < kLayers; ++layer) {
    const auto first = static_cast<VertexId>(step.start.size());
    const double phase = random.uniform(0.0, 1.0);
    for (const Vec3& p : grid.positions) {
      const double x = half * p.x;
      const double y = half * p.y;
      const auto height = [&](double shift) {
        return 0.8 * static_cast<double>(layer) +
               1.1 * scenes::sin_turns(0.03 * x + phase + shift) * scenes::sin_turns(0.025 * y + phase);
      };
      const Vec3 jitter = random_vector(random, 0.1);
      step.start.push_back({x + jitter.x, y + jitter.y, height(0.0) + 0.3 * jitter.z});
      step.end.push_back({x + jitter.x, y + jitter.y, height(0.05) + 0.3 * jitter.z});
    }
    for (const Triangle& t : grid.triangles) step.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
}

}  // namespace

const std::vector<std::string>& hash_scenes() {
  static const std::vector<std::string> kNames{"pieces",   "sheets", "giant-triangle", "needle-field",
                                               "one-cell", "mixed",  "far-patch"};
  return kNames;
}

scenes::Animation make_hash_scene(std::string_view name, std::size_t triangles) {
  if (std::find(hash_scenes().begin(), hash_scenes().end(), name) == hash_scenes().end()) {
    throw std::runtime_error(std::string(name) + ": no such scene");
  }
  Random random(1);
  Step step;
  if (name == "pieces") {
    append_pieces(step, triangles, 1.0, {}, random);
  } else if (name == "sheets") {
    append_sheets(step, triangles, random);
  } else if (name == "mixed") {
    for (const double radius : {1.0, 10.0, 100.0, 1000.0}) {
      append_pieces(step, triangles / 4, radius, random_vector(random, 1.0), random);
    }
  } else if (name == "far-patch") {
    append_pieces(step, triangles / 2, 1.0, {}, random);
    append_pieces(step, triangles / 2, 0.01, {1000.0, 900.0, -800.0}, random);
  } else {
    return scenes::make_animation(name, {.size = triangles, .frames = 3});
  }
  scenes::Animation animation;
  animation.name = name;
  scenes::append_body(animation, step.start.size(), step.triangles, Motion::Deforming);
  animation.frames = {std::move(step.start), std::move(step.end)};
  return animation;
}

}  // namespace graze::benchmarks

// Sheets are grids of squares of side 1 that grow in extent with the number of triangles, not in number; pieces are
// spheres of 72 triangles. Irregularities come from hashes of ids, so that nothing is stored per vertex.
#include "auto_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "scenes/random.hpp"
#include "scenes/shapes.hpp"

namespace graze::benchmarks {
namespace {

using scenes::cos_turns;
using scenes::sin_turns;

constexpr std::size_t kPieceLevels = 3;  // 8 * 3^2 triangles

/// A pseudorandom number in [0, 1) for an id.
double chance(std::uint64_t id, std::uint64_t salt) {
  scenes::Random random(id * 8 + salt);
  (void)random.next();
  return random.uniform(0.0, 1.0);
}

/// Layers of a square grid, in order, and the rest positions of their vertices.
struct Layers {
  std::size_t count = 1;
  std::size_t side = 2;  ///< vertices per side

  Layers(std::size_t layers, std::size_t triangles) : count(layers) {
    const double squares = static_cast<double>(triangles) / (2.0 * static_cast<double>(layers));
    side = static_cast<std::size_t>(std::sqrt(squares)) + 2;
  }

  [[nodiscard]] std::vector<Triangle> triangles() const {
    const scenes::Shape grid = scenes::make_grid(side);
    std::vector<Triangle> result;
    result.reserve(count * grid.triangles.size());
    for (std::size_t layer = 0; layer < count; ++layer) {
      const auto first = static_cast<VertexId>(layer * side * side);
      for (const Triangle& t : grid.triangles) result.push_back({first + t[0], first + t[1], first + t[2]});
    }
    return result;
  }

  /// Calls place(layer, column, row, x) for each vertex, with x at its rest position.
  template <typename Place>
  void for_each(std::vector<Vec3>& x, const Place& place) const {
    x.resize(count * side * side);
    std::size_t i = 0;
    for (std::size_t layer = 0; layer < count; ++layer) {
      for (std::size_t row = 0; row < side; ++row) {
        for (std::size_t column = 0; column < side; ++column, ++i) {
          const double uneven = 0.2 * chance(i, 0) - 0.1;
          x[i] = {static_cast<double>(column) + uneven, static_cast<double>(row) - uneven,
                  0.9 * static_cast<double>(layer) + 0.1 * uneven};
          place(layer, column, row, x[i]);
        }
      }
    }
  }
};

double hill(double x, double y) {
  return 0.6 * sin_turns(0.021 * x) * cos_turns(0.017 * y);
}

/// A smooth bump of height 1 around the centre of a cell of a square lattice; 0 beyond its radius.
double bump(std::size_t column, std::size_t row, std::size_t cell, double radius) {
  const double middle = 0.5 * static_cast<double>(cell);
  const double dx = static_cast<double>(column % cell) - middle;
  const double dy = static_cast<double>(row % cell) - middle;
  const double rest = 1.0 - (dx * dx + dy * dy) / (radius * radius);
  return rest > 0.0 ? rest * rest : 0.0;
}

std::uint64_t cell_id(std::size_t layer, std::size_t column, std::size_t row, std::size_t cell) {
  return (static_cast<std::uint64_t>(row / cell) << 32U | static_cast<std::uint64_t>(column / cell)) * 8 + layer;
}

AutoScene from_parts(std::vector<Vec3> start, const std::vector<Triangle>& triangles,
                     std::function<void(std::size_t, std::vector<Vec3>&)> positions) {
  AutoScene result;
  result.scene.add_body({.positions = start, .triangles = triangles});
  result.positions = std::move(positions);
  return result;
}

AutoScene make_sheets(std::size_t triangles) {
  const Layers layers(5, triangles);
  const auto positions = [layers](std::size_t frame, std::vector<Vec3>& x) {
    const auto time = static_cast<double>(frame);
    layers.for_each(x, [time](std::size_t layer, std::size_t column, std::size_t row, Vec3& p) {
      constexpr std::size_t kCell = 64;
      const double phase = chance(cell_id(layer, column, row, kCell), 1);
      const double height = 0.55 + 0.55 * sin_turns(0.11 * time + phase);  // the next layer is 0.9 above
      p.z += hill(p.x + time, p.y) + 1.2 * height * bump(column, row, kCell, 4.0) + 0.15 * time;
      p.x += 0.6 * time;
      p.y += 0.25 * time;
    });
  };
  std::vector<Vec3> start;
  positions(0, start);
  return from_parts(std::move(start), layers.triangles(), positions);
}

AutoScene make_partly_moving(std::size_t triangles, double share) {
  const Layers layers(5, triangles);
  const auto positions = [layers, share](std::size_t frame, std::vector<Vec3>& x) {
    const auto time = static_cast<double>(frame);
    layers.for_each(x, [time, share](std::size_t layer, std::size_t column, std::size_t row, Vec3& p) {
      constexpr std::size_t kCell = 16;
      constexpr double kRadius = 7.0;
      constexpr double kCovered = 3.14 * kRadius * kRadius / (kCell * kCell);
      p.z += hill(p.x, p.y);
      if (layer % 2 == 0) p.z += 1.1 * bump(column, row, 4 * kCell, 3.0);  // static contacts
      const std::uint64_t id = cell_id(layer, column, row, kCell);
      const bool moves = chance(id, 2) * kCovered < share || id == 2;  // at least one cell moves
      if (!moves) return;
      p.z += (0.5 + 0.55 * sin_turns(0.11 * time + chance(id, 3))) * bump(column, row, kCell, kRadius);
    });
  };
  std::vector<Vec3> start;
  positions(0, start);
  return from_parts(std::move(start), layers.triangles(), positions);
}

/// Places a slightly irregular unit sphere around a point.
void put_piece(const scenes::Shape& piece, std::size_t id, const Vec3& at, Vec3* x) {
  for (std::size_t i = 0; i < piece.positions.size(); ++i) {
    const Vec3& p = piece.positions[i];
    const double size = 0.97 + 0.06 * chance(id * piece.positions.size() + i, 4);
    x[i] = {at.x + size * p.x, at.y + size * p.y, at.z + size * p.z};
  }
}

std::vector<Triangle> piece_triangles(const scenes::Shape& piece, std::size_t count) {
  std::vector<Triangle> result;
  result.reserve(count * piece.triangles.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = static_cast<VertexId>(i * piece.positions.size());
    for (const Triangle& t : piece.triangles) result.push_back({first + t[0], first + t[1], first + t[2]});
  }
  return result;
}

AutoScene make_pieces(std::size_t triangles) {
  const scenes::Shape piece = scenes::make_sphere(kPieceLevels);
  const std::size_t count = std::max<std::size_t>(1, triangles / piece.triangles.size());
  std::size_t side = 1;
  while (side * side * side < count) ++side;
  const auto positions = [piece, count, side](std::size_t frame, std::vector<Vec3>& x) {
    constexpr double kSpacing = 2.5;
    const auto time = static_cast<double>(frame);
    x.resize(count * piece.positions.size());
    for (std::size_t i = 0; i < count; ++i) {
      const auto swing = [&](std::uint64_t axis) {
        return 0.4 * sin_turns((0.05 + 0.05 * chance(i, axis)) * time + chance(i, 3 + axis));
      };
      const std::size_t row = i / side;
      const std::size_t layer = row / side;
      const Vec3 at{kSpacing * static_cast<double>(i % side) + swing(0),
                    kSpacing * static_cast<double>(row % side) + swing(1),
                    kSpacing * static_cast<double>(layer) + swing(2)};
      put_piece(piece, i, at, x.data() + i * piece.positions.size());
    }
  };
  std::vector<Vec3> start;
  positions(0, start);
  return from_parts(std::move(start), piece_triangles(piece, count), positions);
}

AutoScene make_obstacles(std::size_t triangles) {
  const scenes::Shape piece = scenes::make_sphere(kPieceLevels);
  const std::size_t count = std::max<std::size_t>(1, triangles / 10 / piece.triangles.size());
  const Layers ground(1, triangles - count * piece.triangles.size());
  std::vector<Vec3> start;
  ground.for_each(start, [](std::size_t, std::size_t, std::size_t, Vec3& p) { p.z += 3.0 * hill(p.x, p.y); });
  const std::size_t ground_count = start.size();
  auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(count)));
  while (side * side < count) ++side;
  const double spacing = static_cast<double>(ground.side - 1) / static_cast<double>(side);
  const auto put_pieces = [piece, count, side, spacing](std::size_t frame, Vec3* x) {
    const auto time = static_cast<double>(frame);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = i / side;
      const double px = spacing * (static_cast<double>(i % side) + 0.5) + 0.3 * time;
      const double py = spacing * (static_cast<double>(row) + 0.5) + chance(i, 0);
      const double height = 1.2 + 0.3 * sin_turns(0.07 * time + chance(i, 1));  // touches the ground now and then
      put_piece(piece, i, {px, py, 3.0 * hill(px, py) + height}, x + i * piece.positions.size());
    }
  };
  AutoScene result;
  result.scene.add_body({.positions = start, .triangles = ground.triangles(), .motion = Motion::Static});
  std::vector<Vec3> pieces(count * piece.positions.size());
  put_pieces(0, pieces.data());
  result.scene.add_body({.positions = pieces, .triangles = piece_triangles(piece, count)});
  result.positions = [ground, ground_count, put_pieces, all = ground_count + pieces.size()](std::size_t frame,
                                                                                            std::vector<Vec3>& x) {
    if (x.size() != all) {
      ground.for_each(x, [](std::size_t, std::size_t, std::size_t, Vec3& p) { p.z += 3.0 * hill(p.x, p.y); });
      x.resize(all);
    }
    put_pieces(frame, x.data() + ground_count);
  };
  return result;
}

}  // namespace

const std::vector<std::string>& auto_scenes() {
  static const std::vector<std::string> kNames{"sheets",    "pieces",   "obstacles",
                                               "moving-10", "moving-1", "moving-0.1"};
  return kNames;
}

AutoScene make_auto_scene(std::string_view name, std::size_t triangles) {
  if (name == "sheets") return make_sheets(triangles);
  if (name == "pieces") return make_pieces(triangles);
  if (name == "obstacles") return make_obstacles(triangles);
  if (name == "moving-10") return make_partly_moving(triangles, 0.1);
  if (name == "moving-1") return make_partly_moving(triangles, 0.01);
  if (name == "moving-0.1") return make_partly_moving(triangles, 0.001);
  throw std::runtime_error(std::string(name) + ": no such scene");
}

}  // namespace graze::benchmarks

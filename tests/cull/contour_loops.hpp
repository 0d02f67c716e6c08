// Moving loops for the contour test: drawn in the plane and lifted to space along an axis at random depths.
#pragma once

#include "cull/projection.hpp"
#include "geometry/path.hpp"
#include "geometry/vec.hpp"
#include "oracle/random.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

namespace graze::test {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
using namespace bvh;
using namespace cull;

struct PlanarStep {
  Vec2 t0;
  Vec2 t1;
};

struct Loop {
  ProjectionAxis axis;
  std::vector<VertexPath> paths;
  std::vector<VertexId> vertices;
};

inline ProjectionAxis random_axis(oracle::Random& random) {
  const auto q = [&] { return std::ldexp(random.between(-1 << 20, 1 << 20), -20); };
  return {static_cast<std::uint8_t>(random.below(3)), q(), q()};
}

/// A point that projects to (x, y) up to rounding.
inline Vec3 lift(const ProjectionAxis& axis, const Vec2& p, double depth) {
  std::array<double, 3> x{};
  x[axis.dominant] = depth;
  x[(axis.dominant + 1U) % 3] = p.x + axis.q_u * depth;
  x[(axis.dominant + 2U) % 3] = p.y + axis.q_w * depth;
  return {x[0], x[1], x[2]};
}

/// The loop through these points; ids are not in order and not all are used.
inline Loop make_loop(oracle::Random& random, const ProjectionAxis& axis, const std::vector<PlanarStep>& steps) {
  Loop loop;
  loop.axis = axis;
  loop.paths.resize(2 * steps.size() + 3);
  const std::size_t n = steps.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t id = 2 * (n - 1 - i) + 1;
    loop.paths[id] = {lift(axis, steps[i].t0, random.symmetric()), lift(axis, steps[i].t1, random.symmetric())};
    loop.vertices.push_back(static_cast<VertexId>(id));
  }
  return loop;
}

/// A random point far along the axis, so that products of the axis with the depth round: small coordinates are
/// multiples of 2^-48, the depth is a multiple of 2^-28.
inline Vec3 random_base(oracle::Random& random, const ProjectionAxis& axis) {
  const auto x = [&](int bits, double size) {
    return std::ldexp(std::trunc(size * random.symmetric() * 0x1p28), bits);
  };
  std::array<double, 3> base{x(-48, 0x1p20), x(-48, 0x1p20), x(-48, 0x1p20)};
  base[axis.dominant] = x(-28, 0x1p12);
  return {base[0], base[1], base[2]};
}

/// A point whose exact projection is that of `base` plus (i, j), integers of at most 9 in absolute value. It
/// is also shifted along the axis, so that its computed projection has its own error. All sums here are exact.
inline Vec3 beside(oracle::Random& random, const ProjectionAxis& axis, const Vec3& base, double i, double j) {
  const double depth = std::ldexp(std::trunc(random.symmetric() * 0x1p28), -28);
  return base + lift(axis, {i, j}, depth);
}

inline Vec2 polar(double radius, double angle) {
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// A star: radii between 1 - roughness and 1; angles change by up to `turn` n-ths of the circle.
inline std::vector<PlanarStep> star(oracle::Random& random, std::size_t n, double roughness, double turn) {
  std::vector<PlanarStep> steps(n);
  const double step = 2.0 * std::numbers::pi / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = step * static_cast<double>(i);
    steps[i] = {polar(1.0 - roughness * random.unit(), angle),
                polar(1.0 - roughness * random.unit(), angle + turn * step * random.symmetric())};
  }
  return steps;
}

/// A band of constant width along a spiral of `turns` turns, whose inner end moves inwards by `shift` widths.
inline std::vector<PlanarStep> spiral(std::size_t half, double turns, double shift) {
  std::vector<PlanarStep> steps(2 * half);
  constexpr double kPitch = 1.0;
  for (std::size_t i = 0; i < half; ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(half - 1);
    const double angle = 2.0 * std::numbers::pi * turns * s;
    const double radius = 1.0 + kPitch * turns * s;
    steps[i] = {polar(radius, angle), polar(radius, angle)};
    steps[2 * half - 1 - i] = {polar(radius + 0.5 * kPitch, angle),
                               polar(radius + (0.5 + shift * (1.0 - s)) * kPitch, angle)};
  }
  return steps;
}

/// x = sin 2a, y = sin a, which crosses itself at the origin.
inline std::vector<PlanarStep> figure_eight(std::size_t n) {
  std::vector<PlanarStep> steps(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double a = 2.0 * std::numbers::pi * (static_cast<double>(i) + 0.3) / static_cast<double>(n);
    const Vec2 p{std::sin(2.0 * a), std::sin(a)};
    steps[i] = {p, p};
  }
  return steps;
}

}  // namespace graze::test

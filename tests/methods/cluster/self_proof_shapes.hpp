// Shapes of one cluster that a careless self-collision proof takes for free: wound bands, fans of more than one
// turn, slits; and simple ones.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "methods/cluster/self_proof_check.hpp"

namespace graze::cluster_samples {

/// Rounds to a multiple of 2^-10: sums and differences of such numbers are exact, and so are touching contacts.
inline double snapped(double x) {
  return std::ldexp(std::round(std::ldexp(x, 10)), -10);
}

inline Vec3 polar(double radius, double degrees, double z) {
  const double angle = degrees * std::numbers::pi / 180.0;
  return {snapped(radius * std::cos(angle)), snapped(radius * std::sin(angle)), z};
}

inline SceneStep grid(std::uint32_t columns, std::uint32_t rows) {
  SceneStep step;
  for (std::uint32_t j = 0; j <= rows; ++j) {
    for (std::uint32_t i = 0; i <= columns; ++i) step.x_t0.push_back({double(i), double(j), 0.0});
  }
  for (std::uint32_t j = 0; j < rows; ++j) {
    for (std::uint32_t i = 0; i < columns; ++i) {
      const VertexId a = j * (columns + 1) + i;
      const VertexId c = a + columns + 1;
      step.triangles.push_back({a, a + 1, c});
      step.triangles.push_back({a + 1, c + 1, c});
    }
  }
  step.x_t1 = step.x_t0;
  return step;
}

/// A band of quads around the origin from 0 to `degrees`; radius and height grow by `growth` and `rise` per turn.
struct Spiral {
  int quads = 15;
  double degrees = 300.0;
  double inner = 2.0;
  double width = 0.5;
  double growth = 0.0;
  double rise = 0.0;
};

inline SceneStep band(const Spiral& spiral) {
  SceneStep step;
  for (int i = 0; i <= spiral.quads; ++i) {
    const double degrees = spiral.degrees * i / spiral.quads;
    const double inner = spiral.inner + spiral.growth * degrees / 360.0;
    const double z = snapped(spiral.rise * degrees / 360.0);
    step.x_t0.push_back(polar(inner, degrees, z));
    step.x_t0.push_back(polar(inner + spiral.width, degrees, z));
  }
  for (VertexId v = 0; v < 2 * static_cast<VertexId>(spiral.quads); v += 2) {
    step.triangles.push_back({v, v + 1, v + 3});
    step.triangles.push_back({v, v + 3, v + 2});
  }
  step.x_t1 = step.x_t0;
  return step;
}

/// Faces around the origin over `degrees`: an open fan, or a closed one that winds round the origin degrees / 360
/// times.
inline SceneStep fan(int faces, double degrees, bool closed, double radius, double growth, double rise) {
  SceneStep step;
  step.x_t0.push_back({0, 0, 0});
  for (int i = 0; i < faces + (closed ? 0 : 1); ++i) {
    const double part = degrees * i / faces;
    step.x_t0.push_back(polar(radius + growth * part / 360.0, part, snapped(rise * part / 360.0)));
  }
  for (int i = 0; i < faces; ++i) {
    const auto v = static_cast<VertexId>(i + 1);
    step.triangles.push_back({0, v, closed && i + 1 == faces ? 1 : v + 1});
  }
  step.x_t1 = step.x_t0;
  return step;
}

/// A grid of 4 x 4 cells with a slit from its right side to its centre along y = 2; vertices 13 and 14 are on the
/// lower edge of the slit, 25 and 26 on the upper.
inline SceneStep slit_grid() {
  SceneStep step = grid(4, 4);
  for (Triangle& t : step.triangles) {
    const bool above = step.x_t0[t[0]].y + step.x_t0[t[1]].y + step.x_t0[t[2]].y > 6.0;
    for (VertexId& v : t) v = above && v == 13 ? 25 : above && v == 14 ? 26 : v;
  }
  for (const VertexId v : {13U, 14U}) {
    step.x_t0.push_back(step.x_t0[v]);
    step.x_t1.push_back(step.x_t1[v]);
  }
  return step;
}

template <typename Change>
inline SceneStep changed(SceneStep step, const Change& change) {
  for (std::vector<Vec3>* x : {&step.x_t0, &step.x_t1}) {
    for (Vec3& p : *x) p = change(p);
  }
  return step;
}

/// Copies of the step, scaled by powers of two, translated by exact amounts, and in other planes.
inline std::vector<SceneStep> elsewhere(const SceneStep& step) {
  std::vector<SceneStep> all{step};
  for (const int exponent : {-900, -40, 40, 900}) {
    all.push_back(changed(step, [&](const Vec3& p) {
      return Vec3{std::ldexp(p.x, exponent), std::ldexp(p.y, exponent), std::ldexp(p.z, exponent)};
    }));
  }
  all.push_back(changed(step, [](const Vec3& p) { return Vec3{p.x + 0x1p20, p.y - 0x1p24, p.z + 4097.0}; }));
  all.push_back(changed(step, [](const Vec3& p) { return Vec3{p.z, p.x, p.y}; }));
  all.push_back(changed(step, [](const Vec3& p) { return Vec3{p.x, p.y, p.z + p.x - 2 * p.y}; }));
  return all;
}

}  // namespace graze::cluster_samples

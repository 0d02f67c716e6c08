// Bumps displace the vertices of a sphere along their radii and cones displace the vertices of a grid upwards, so
// neither can fold; the scan is the surface of a field (scenes/shapes/field.hpp). Cost: linear in triangles times
// bumps or cones.
#include "scenes/shapes/surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "scenes/shapes/build.hpp"
#include "scenes/shapes/field.hpp"

namespace graze::scenes {

Shape make_bumpy_ball(std::size_t bumps, double height, std::size_t triangles) {
  using shaping::to_count;
  Shape ball = make_sphere(to_count(std::sqrt(static_cast<double>(triangles) / 8.0)));
  // Fibonacci spiral: equal steps in height, a golden fraction of a turn between neighbours.
  std::vector<Vec3> tops;
  const auto count = static_cast<double>(bumps);
  for (std::size_t i = 0; i < bumps; ++i) {
    const double z = 1.0 - (2.0 * static_cast<double>(i) + 1.0) / count;
    const double r = std::sqrt(1.0 - z * z);
    const double turns = 0.6180339887498949 * static_cast<double>(i);
    tops.push_back({r * cos_turns(turns), r * sin_turns(turns), z});
  }
  const double reach = 3.0 / count;  // squared radius of a bump: neighbours just touch
  shaping::transform(ball, [&](const Vec3& p) {
    double lift = 0.0;
    for (const Vec3& top : tops) {
      const double near = 1.0 - dot(p - top, p - top) / reach;
      if (near > 0.0) lift = std::max(lift, near * near);
    }
    return (1.0 + height * lift) * p;
  });
  return ball;
}

Shape make_cone_field(const ConeFieldOptions& options, std::size_t triangles) {
  const std::size_t side = shaping::to_count(std::sqrt(0.5 * static_cast<double>(triangles))) + 1;
  Shape ground = make_grid(side);
  const double spacing = 2.0 * options.half / static_cast<double>(side - 1);
  std::vector<Vec3> tips;
  const auto cones = static_cast<double>(options.cones_per_side);
  // At the centre of its square, rounded to the next line of the grid: no tip is cut off between vertices.
  const auto place = [&](std::size_t i) {
    const double middle = 2.0 * options.half * (static_cast<double>(i) + 0.5) / cones;
    return spacing * std::floor(middle / spacing + 0.5) - options.half;
  };
  for (std::size_t i = 0; i < options.cones_per_side; ++i) {
    for (std::size_t j = 0; j < options.cones_per_side; ++j) tips.push_back({place(i), place(j), 0.0});
  }
  shaping::transform(ground, [&](const Vec3& p) {
    const double x = options.half * p.x;
    const double y = options.half * p.y;
    double z = 0.0;
    for (const Vec3& tip : tips) {
      const double dx = x - tip.x;
      const double dy = y - tip.y;
      const double distance = std::sqrt(dx * dx + dy * dy + options.blunt * options.blunt);
      z = std::max(z, options.height * (1.0 - distance / options.radius));
    }
    return Vec3{x, y, z};
  });
  return ground;
}

Shape make_scan(std::size_t triangles, std::uint64_t seed) {
  using shaping::smooth_union;
  using shaping::stick_distance;
  const auto field = [seed](const Vec3& p) {
    double d = stick_distance(p, {0.0, 0.15, 0.42}, {0.0, -0.12, 0.55}, 0.40, 0.34);                // body
    d = smooth_union(d, stick_distance(p, {0, -0.25, 0.7}, {0, -0.42, 0.95}, 0.2, 0.17), 0.15);     // neck
    d = smooth_union(d, stick_distance(p, {0, -0.40, 0.98}, {0, -0.58, 0.92}, 0.21, 0.12), 0.08);   // head
    d = smooth_union(d, stick_distance(p, {0.0, 0.50, 0.3}, {0.0, 0.58, 0.36}, 0.12, 0.11), 0.06);  // tail
    const Vec3 q{std::abs(p.x), p.y, p.z};  // body parts that come in pairs
    d = smooth_union(d, stick_distance(q, {0.09, -0.33, 1.12}, {0.22, -0.12, 1.42}, 0.075, 0.06), 0.06);  // ears
    d = smooth_union(d, stick_distance(q, {0.30, 0.15, 0.28}, {0.33, -0.12, 0.16}, 0.23, 0.14), 0.06);    // thighs
    d = smooth_union(d, stick_distance(q, {0.33, -0.05, 0.09}, {0.32, -0.38, 0.08}, 0.09, 0.08), 0.05);   // feet
    d = smooth_union(d, stick_distance(q, {0.16, -0.32, 0.5}, {0.15, -0.42, 0.09}, 0.11, 0.08), 0.06);    // paws
    if (std::abs(d) > 0.1) return d;  // too far from the surface for the coat
    const double lumps = shaping::smooth_noise(6.0 * p, seed);
    const double coat = shaping::smooth_noise(19.0 * p, seed + 1);
    return d + 0.012 * lumps + 0.004 * coat;
  };
  Shape scan = shaping::make_skin(field, {{-0.7, -0.85, -0.1}, {0.7, 0.85, 1.6}}, triangles);
  double lowest = scan.positions.empty() ? 0.0 : scan.positions.front().z;
  for (const Vec3& p : scan.positions) lowest = std::min(lowest, p.z);
  shaping::transform(scan, [&](const Vec3& p) { return Vec3{p.x, p.y, p.z - lowest}; });
  return scan;
}

}  // namespace graze::scenes

// Fits bounding spheres to triangles. See the header.
#include "rigid/trees/sphere_volume.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/volume.hpp"

namespace graze::rigid {

namespace {

double distance2(const Point& p, const Point& q) {
  const double x = p[0] - q[0];
  const double y = p[1] - q[1];
  const double z = p[2] - q[2];
  return x * x + y * y + z * z;
}

Point farthest(std::span<const Corners> triangles, const Point& from) {
  Point result = triangles[0][0];
  double most = -1.0;
  for (const Corners& corners : triangles) {
    for (const Point& corner : corners) {
      const double now = distance2(corner, from);
      if (now > most) {
        most = now;
        result = corner;
      }
    }
  }
  return result;
}

Point middle(std::span<const Corners> triangles) {
  Point result{};
  for (std::size_t k = 0; k < 3; ++k) {
    double lo = triangles[0][0][k];
    double hi = lo;
    for (const Corners& corners : triangles) {
      for (const Point& corner : corners) {
        lo = std::min(lo, corner[k]);
        hi = std::max(hi, corner[k]);
      }
    }
    result[k] = 0.5 * (lo + hi);
  }
  return result;
}

Point in_doubles(const std::array<float, 3>& p) {
  return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}

}  // namespace

SphereVolume SphereVolume::fit(std::span<const Corners> triangles) {
  constexpr int kSteps = 16;
  Point centre = middle(triangles);
  Point best = centre;
  double least = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kSteps; ++step) {
    const Point far = farthest(triangles, centre);
    const double reach = distance2(far, centre);
    if (reach < least) {
      least = reach;
      best = centre;
    }
    for (std::size_t k = 0; k < 3; ++k) centre[k] += (far[k] - centre[k]) / (step + 2);
  }
  SphereVolume volume{};
  for (std::size_t k = 0; k < 3; ++k) volume.centre[k] = static_cast<float>(best[k]);
  const Point rounded = in_doubles(volume.centre);
  // A root and five roundings of numbers below 16, and points that err by at most 2^-53: below 2^-46.
  volume.radius = round_up(std::sqrt(distance2(farthest(triangles, rounded), rounded)) + 0x1p-46);
  return volume;
}

bool SphereVolume::contains(const Point& u) const {
  return std::sqrt(distance2(u, in_doubles(centre))) <= static_cast<double>(radius);
}

SphereScale sphere_scale(const LocalView& view) {
  double growth = 0.0;
  double margin = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    double row = 0.0;
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < 3; ++k)
        sum += static_cast<double>(view.slope[i][k]) * static_cast<double>(view.slope[j][k]);
      row += std::abs(sum);
    }
    growth = std::max(growth, row);
    margin += static_cast<double>(view.margin[i]) * static_cast<double>(view.margin[i]);
  }
  constexpr double kMore = 1.0 + 0x1p-19;
  return {round_up(kMore * std::sqrt(growth)), round_up(kMore * std::sqrt(margin) + 0x1p-18)};
}

}  // namespace graze::rigid

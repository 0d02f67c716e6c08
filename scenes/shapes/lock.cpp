// The padlock as a polygon soup: its case in the xz plane, the shackle above, the plug along z from below with the
// key in it.
#include <algorithm>
#include <cmath>

#include "scenes/shapes/build.hpp"
#include "scenes/shapes/soup_parts.hpp"
#include "scenes/shapes/soups.hpp"

namespace graze::scenes {
namespace {

using shaping::SoupParts;

constexpr double kHalfTurn = 3.141592653589793;

void housing(SoupParts& parts) {
  for (const double gap : {0.0, 0.05}) {  // outer and inner walls, with separate lids
    const double x = 0.8 - gap;
    const double y = 0.3 - gap;
    for (const double side : {-1.0, 1.0}) {
      parts.panel(2.0 * x, 1.2, [&](double u, double v) {
        return Vec3{x * (2.0 * u - 1.0), side * y, -0.9 + 1.2 * v};
      });
      parts.panel(kHalfTurn * y, 1.2, [&](double u, double v) {  // rounded ends
        return Vec3{side * (x + y * sin_turns(0.5 * u)), y * cos_turns(0.5 * u), -0.9 + 1.2 * v};
      });
    }
  }
  for (const double z : {-0.9, -0.86, 0.26, 0.3}) {
    parts.panel(
        1.6, 0.6,
        [&](double u, double v) {
          return Vec3{0.8 * (2.0 * u - 1.0), 0.3 * (2.0 * v - 1.0), z};
        },
        [&](double u, double v) {  // the hole of the plug below, the holes of the shackle above
          const double x = 0.8 * (2.0 * u - 1.0);
          const double y = 0.3 * (2.0 * v - 1.0);
          const double dx = z < 0.0 ? x : std::abs(x) - 0.5;
          return dx * dx + y * y > (z < 0.0 ? 0.04 : 0.015);
        });
  }
}

void shackle(SoupParts& parts) {
  parts.tube(kHalfTurn * 0.5 + 1.4, 0.1, [](double t) {
    if (t < 0.3) return Vec3{-0.5, 0.0, -0.2 + 0.9 * t / 0.3};
    if (t > 0.7) return Vec3{0.5, 0.0, 0.7 - 0.9 * (t - 0.7) / 0.3};
    const double turns = 0.5 * (t - 0.3) / 0.4;
    return Vec3{-0.5 * cos_turns(turns), 0.0, 0.7 + 0.5 * sin_turns(turns)};
  });
  for (const double x : {-0.5, 0.5}) {
    parts.cylinder({x, 0.0, -0.3}, {x, 0.0, -0.2}, 0.1);
    parts.box({0.72 * x, 0.0, 0.05}, {0.07, 0.05, 0.05});  // bolts
  }
}

void plug(SoupParts& parts) {
  parts.cylinder({0.0, 0.0, -0.95}, {0.0, 0.0, 0.1}, 0.17);
  for (const double x : {-0.025, 0.025}) {  // walls of the keyway, with a ward along each
    parts.panel(0.9, 0.26, [&](double u, double v) {
      const double ward = 0.012 * sin_turns(1.5 * v);
      return Vec3{x + ward, -0.13 + 0.26 * v, -0.95 + 0.9 * u};
    });
  }
  for (int pin = 0; pin < 6; ++pin) {
    const double z = -0.8 + 0.14 * pin;
    const double rise = 0.02 * ((pin * 5) % 4);
    parts.cylinder({0.0, 0.0 + rise, z}, {0.0, 0.15 + rise, z}, 0.025);
    parts.cylinder({0.0, 0.155 + rise, z}, {0.0, 0.21 + rise, z}, 0.025);
    parts.tube(0.5, 0.004, [&](double t) {  // spring
      return Vec3{0.02 * cos_turns(4.0 * t), 0.215 + rise + (0.07 - rise) * t, z + 0.02 * sin_turns(4.0 * t)};
    });
  }
}

void key(SoupParts& parts) {
  for (const double x : {-0.015, 0.015}) {  // the blade's two faces
    parts.panel(0.95, 0.2, [&](double u, double v) {
      const double cut = std::abs(6.8 * u - std::floor(6.8 * u) - 0.5);  // teeth
      return Vec3{x, -0.11 + v * (0.08 + 0.14 * cut), -0.06 - 0.95 * u};
    });
  }
  for (const double x : {-0.02, 0.02}) {  // the bow, with its hole
    parts.panel(
        0.5, 0.5,
        [&](double u, double v) {
          return Vec3{x, 0.25 * (2.0 * u - 1.0), -1.25 + 0.25 * (2.0 * v - 1.0)};
        },
        [](double u, double v) {
          const double r = (u - 0.5) * (u - 0.5) + (v - 0.5) * (v - 0.5);
          return r < 0.25 && r > 0.02;
        });
  }
}

}  // namespace

Shape make_lock(std::size_t triangles, std::uint64_t seed) {
  const double area = 14.0;
  return shaping::fit_spacing(std::sqrt(2.0 * area / static_cast<double>(triangles)), triangles,
                              [seed](double spacing) {
                                SoupParts parts(spacing, seed);
                                housing(parts);
                                shackle(parts);
                                plug(parts);
                                key(parts);
                                for (const double x : {-0.62, -0.3, 0.3, 0.62})
                                  parts.cylinder({x, -0.32, -0.7}, {x, 0.32, -0.7}, 0.04);
                                return parts.take();
                              });
}

}  // namespace graze::scenes

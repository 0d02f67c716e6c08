// The car as a polygon soup: x forward, y to the left, z up; 4 long, 1.7 wide, 1.4 tall. A panel is a piece of a
// few height and width profiles; arches and windows are omitted cells.
#include <algorithm>
#include <cmath>

#include "scenes/shapes/build.hpp"
#include "scenes/shapes/soup_parts.hpp"
#include "scenes/shapes/soups.hpp"

namespace graze::scenes {
namespace {

using shaping::SoupParts;

constexpr double kFront = 2.0;
constexpr double kRear = -2.0;
constexpr double kBelt = 0.62;  // height where the windows begin
constexpr double kSill = 0.0;
constexpr double kRoof = 1.10;
constexpr double kAxle = 1.28;  // position of an axle along x, at either end
constexpr double kWheel = 0.33;

// Half the width: rounded towards both ends, and narrower above the belt.
double half_width(double x, double z) {
  const double end = std::max(std::abs(x) - 1.2, 0.0) / 0.8;
  const double glass = std::max(z - kBelt, 0.0);
  return 0.85 - 0.22 * end * end - 0.45 * glass - 0.05 * (z - 0.3) * (z - 0.3);
}

bool in_arch(double x, double z) {
  const double dx = std::abs(x) - kAxle;
  return dx * dx + z * z < (kWheel + 0.06) * (kWheel + 0.06);
}

// Adds a surface across the car between two stations, at the height of a profile, crowned in the middle.
void across(SoupParts& parts, double from, double to, double z_from, double z_to, double crown) {
  const double rise = z_to - z_from;
  const double length = std::sqrt((to - from) * (to - from) + rise * rise);
  parts.panel(length, 1.6, [&](double u, double v) {
    const double x = from + u * (to - from);
    const double z = z_from + u * rise;
    const double side = 2.0 * v - 1.0;
    return Vec3{x, side * half_width(x, z), z + crown * (1.0 - side * side)};
  });
}

void body_sides(SoupParts& parts) {
  for (const double side : {-1.0, 1.0}) {
    for (const double gap : {0.0, 0.04}) {  // an outer and an inner sheet
      parts.panel(
          4.0, kBelt - kSill,
          [&](double u, double v) {
            const double x = kRear + u * (kFront - kRear);
            const double z = kSill + v * (kBelt - kSill);
            return Vec3{x, side * (half_width(x, z) - gap), z};
          },
          [&](double u, double v) { return !in_arch(kRear + u * (kFront - kRear), kSill + v * (kBelt - kSill)); });
      // Above the belt: pillars around the windows.
      parts.panel(
          2.2, kRoof - kBelt,
          [&](double u, double v) {
            const double z = kBelt + v * (kRoof - kBelt);
            const double x = -1.45 + 0.35 * v + u * (2.2 - 0.9 * v);
            return Vec3{x, side * (half_width(x, z) - gap), z};
          },
          [](double u, double v) {
            const bool is_window = v > 0.12 && v < 0.88 && ((u > 0.08 && u < 0.44) || (u > 0.52 && u < 0.9));
            return !is_window;
          });
    }
    for (const double end : {-kAxle, kAxle}) {  // arch lining: half a drum
      parts.panel(3.1416 * (kWheel + 0.06), 0.3, [&](double u, double v) {
        const double r = kWheel + 0.06;
        return Vec3{end + r * cos_turns(0.5 * u), side * (0.82 - 0.3 * v), r * sin_turns(0.5 * u)};
      });
    }
  }
}

void wheels(SoupParts& parts) {
  for (const double side : {-1.0, 1.0}) {
    for (const double end : {-kAxle, kAxle}) {
      const Vec3 hub{end, side * 0.7, 0.0};
      parts.panel(6.2832 * kWheel, 6.2832 * 0.08, [&](double u, double v) {  // tyre
        const double r = kWheel - 0.09 + 0.08 * cos_turns(v);
        return hub + Vec3{r * cos_turns(u), 0.09 * sin_turns(v), r * sin_turns(u)};
      });
      parts.cylinder(hub - Vec3{0.0, 0.05, 0.0}, hub + Vec3{0.0, 0.05, 0.0}, 0.06);
      for (int spoke = 0; spoke < 5; ++spoke) {
        const double turns = spoke / 5.0;
        parts.panel(0.2, 0.05, [&](double u, double v) {
          const double r = 0.04 + 0.2 * u;
          return hub + Vec3{r * cos_turns(turns) - 0.04 * (v - 0.5) * sin_turns(turns), 0.04 * side,
                            r * sin_turns(turns) + 0.04 * (v - 0.5) * cos_turns(turns)};
        });
      }
    }
  }
}

void inside(SoupParts& parts) {
  parts.panel(3.2, 1.3, [](double u, double v) {  // floor, corrugated
    return Vec3{-1.6 + 3.2 * u, -0.65 + 1.3 * v, 0.05 + 0.02 * sin_turns(8.0 * v)};
  });
  for (const double y : {-0.35, 0.35}) {
    for (const double x : {-0.7, 0.15}) {
      parts.box({x, y, 0.28}, {0.25, 0.24, 0.08});
      parts.panel(0.5, 0.6, [&](double u, double v) {
        return Vec3{x - 0.25 - 0.15 * v, y - 0.24 + 0.48 * u, 0.3 + 0.55 * v + 0.03 * sin_turns(0.5 * u)};
      });
    }
  }
  parts.tube(6.2832 * 0.17, 0.015, [](double t) {  // steering wheel
    return Vec3{0.55 - 0.06 * sin_turns(t), 0.35 + 0.17 * cos_turns(t), 0.62 + 0.16 * sin_turns(t)};
  });
  parts.box({0.75, 0.0, 0.55}, {0.12, 0.68, 0.08});
  parts.box({1.35, 0.0, 0.3}, {0.35, 0.3, 0.22});  // engine
  for (const double y : {-0.2, 0.0, 0.2}) parts.cylinder({1.1, y, 0.52}, {1.6, y, 0.56}, 0.05);
}

}  // namespace

Shape make_car_body(std::size_t triangles, std::uint64_t seed) {
  const double area = 45.0;
  return shaping::fit_spacing(std::sqrt(2.0 * area / static_cast<double>(triangles)), triangles,
                              [seed](double spacing) {
                                SoupParts parts(spacing, seed);
                                body_sides(parts);
                                across(parts, 0.85, 1.95, kBelt + 0.02, kBelt - 0.12, 0.05);   // hood
                                across(parts, -1.95, -1.5, kBelt - 0.04, kBelt + 0.02, 0.03);  // boot
                                across(parts, -1.1, 0.2, kRoof, kRoof, 0.06);                  // roof
                                across(parts, 0.78, 0.2, kBelt, kRoof, 0.04);                  // windscreen
                                across(parts, -1.48, -1.1, kBelt, kRoof, 0.04);                // rear window
                                across(parts, 1.95, 2.02, kBelt - 0.14, 0.05, 0.0);            // nose
                                across(parts, -1.97, -2.02, kBelt - 0.06, 0.05, 0.0);          // tail
                                wheels(parts);
                                inside(parts);
                                return parts.take();
                              });
}

}  // namespace graze::scenes

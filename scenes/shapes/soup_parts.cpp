// Panels, shells, boxes and tubes of a polygon soup (scenes/shapes/soup_parts.hpp).
#include "scenes/shapes/soup_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "scenes/shapes/build.hpp"

namespace graze::scenes::shaping {
namespace {

constexpr double kTau = 6.283185307179586;
constexpr double kMisplaced = 1e-3;  // displacement of parts: the parts of real models do not quite fit either
constexpr double kRound = 0.9995;    // fraction of a full turn that a revolved part covers: its seam stays open

Vec3 unit(const Vec3& a) {
  return (1.0 / norm(a)) * a;
}

// Two unit vectors perpendicular to an axis and to each other. (A named pair: lambdas can't capture structured
// bindings.)
struct Square {
  Vec3 first;
  Vec3 second;
};

Square square_to(const Vec3& axis) {
  const Vec3 other = std::abs(axis.y) < 0.9 ? Vec3{0.0, 1.0, 0.0} : Vec3{1.0, 0.0, 0.0};
  const Vec3 first = unit(cross(axis, other));
  return {first, cross(axis, first)};
}

}  // namespace

std::size_t SoupParts::cuts(double length, std::size_t least) const {
  return to_count(length / spacing_, least);
}

void SoupParts::panel(double length_u, double length_v, const Surface& surface, const Keep& keep) {
  const std::size_t columns = cuts(length_u, 1);
  const std::size_t rows = cuts(length_v, 1);
  const double x = random_.uniform(-kMisplaced, kMisplaced);
  const double y = random_.uniform(-kMisplaced, kMisplaced);
  const double z = random_.uniform(-kMisplaced, kMisplaced);
  Shape patch = make_patch({.columns = columns, .rows = rows}, [&](double u, double v) {
    return surface(u, v) + Vec3{x, y, z};
  });
  if (keep) {
    // Two triangles per cell, row by row. Vertices without a remaining triangle are removed, too.
    Shape kept;
    constexpr VertexId kNone = std::numeric_limits<VertexId>::max();
    std::vector<VertexId> ids(patch.positions.size(), kNone);
    for (std::size_t i = 0; i < patch.triangles.size(); ++i) {
      const std::size_t column = i / 2 % columns;
      const std::size_t row = i / 2 / columns;
      const double u = (static_cast<double>(column) + 0.5) / static_cast<double>(columns);
      const double v = (static_cast<double>(row) + 0.5) / static_cast<double>(rows);
      if (!keep(u, v)) continue;
      Triangle triangle = patch.triangles[i];
      for (VertexId& id : triangle) {
        if (ids[id] == kNone) {
          ids[id] = static_cast<VertexId>(kept.positions.size());
          kept.positions.push_back(patch.positions[id]);
        }
        id = ids[id];
      }
      kept.triangles.push_back(triangle);
    }
    patch = std::move(kept);
  }
  append(soup_, patch);
}

void SoupParts::lathe(const Vec3& base, const std::vector<ProfilePoint>& profile) {
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const ProfilePoint& a = profile[i];
    const ProfilePoint& b = profile[i + 1];
    const double length = std::sqrt((b.radius - a.radius) * (b.radius - a.radius) + (b.z - a.z) * (b.z - a.z));
    // Use at least six sides.
    const double girth = std::max(kTau * std::max(a.radius, b.radius), 6.0 * spacing_);
    panel(girth, length, [&](double u, double v) {
      const double radius = a.radius + v * (b.radius - a.radius);
      return base + Vec3{radius * cos_turns(kRound * u), radius * sin_turns(kRound * u), a.z + v * (b.z - a.z)};
    });
  }
}

void SoupParts::box(const Vec3& middle, const Vec3& half) {
  for (const double side : {-1.0, 1.0}) {
    panel(2.0 * half.x, 2.0 * half.y, [&](double u, double v) {
      return middle + Vec3{half.x * (2.0 * u - 1.0), half.y * (2.0 * v - 1.0), side * half.z};
    });
    panel(2.0 * half.y, 2.0 * half.z, [&](double u, double v) {
      return middle + Vec3{side * half.x, half.y * (2.0 * u - 1.0), half.z * (2.0 * v - 1.0)};
    });
    panel(2.0 * half.z, 2.0 * half.x, [&](double u, double v) {
      return middle + Vec3{half.x * (2.0 * v - 1.0), side * half.y, half.z * (2.0 * u - 1.0)};
    });
  }
}

void SoupParts::tube(double length, double radius, const std::function<Vec3(double t)>& curve) {
  constexpr double kStep = 1e-4;
  const double girth = std::max(kTau * radius, 5.0 * spacing_);
  panel(girth, std::max(length, 2.0 * spacing_), [&](double u, double v) {
    const double t = std::clamp(v, kStep, 1.0 - kStep);
    const Square square = square_to(unit(curve(t + kStep) - curve(t - kStep)));
    return curve(v) + (radius * cos_turns(kRound * u)) * square.first +
           (radius * sin_turns(kRound * u)) * square.second;
  });
}

void SoupParts::cylinder(const Vec3& a, const Vec3& b, double radius) {
  const Vec3 along = b - a;
  tube(norm(along), radius, [&](double t) { return a + t * along; });
  const Square square = square_to(unit(along));
  const double girth = std::max(kTau * radius, 5.0 * spacing_);
  for (const Vec3& end : {a, b}) {
    panel(girth, radius, [&](double u, double v) {
      const double r = radius * (0.05 + 0.95 * v);  // the centre stays open: otherwise all of its corners would
                                                    // coincide
      return end + (r * cos_turns(kRound * u)) * square.first + (r * sin_turns(kRound * u)) * square.second;
    });
  }
}

Shape SoupParts::take() {
  const std::size_t count = soup_.triangles.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t lot = random_.next() % 256;
    if (lot == 0) {
      const Triangle again = soup_.triangles[i];
      soup_.triangles.push_back(again);
    }
    if (lot % 8 == 1) std::swap(soup_.triangles[i][1], soup_.triangles[i][2]);
  }
  return std::exchange(soup_, {});
}

}  // namespace graze::scenes::shaping

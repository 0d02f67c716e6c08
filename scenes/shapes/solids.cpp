// Torus, capsule and bowl are periodic grids and capsule surfaces; boxes are the surface of the filled cells of a
// nonuniform lattice, whose lines are as evenly spaced as the walls allow. Cost: linear in triangles (boxes: in the
// cells of the lattice).
#include "scenes/shapes/solids.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "scenes/shapes/build.hpp"

namespace graze::scenes {
namespace {

using shaping::to_count;

constexpr double kTau = 6.283185307179586;

// Returns lattice lines that include all given coordinates, with no gap wider than about the spacing.
std::vector<double> lines_through(const std::vector<double>& coordinates, double spacing) {
  std::vector<double> lines{coordinates.front()};
  for (std::size_t i = 1; i < coordinates.size(); ++i) {
    const double gap = coordinates[i] - coordinates[i - 1];
    const std::size_t cuts = to_count(gap / spacing);
    for (std::size_t k = 1; k < cuts; ++k) {
      lines.push_back(coordinates[i - 1] + gap * static_cast<double>(k) / static_cast<double>(cuts));
    }
    lines.push_back(coordinates[i]);
  }
  return lines;
}

// Returns the surface of the filled cells of a lattice, facing outward. `filled` gets the centre of a cell.
Shape skin_of_cells(const std::vector<double>& xs, const std::vector<double>& ys, const std::vector<double>& zs,
                    const std::function<bool(const Vec3&)>& filled) {
  const std::size_t nx = xs.size();
  const std::size_t ny = ys.size();
  const std::size_t nz = zs.size();
  const auto is_filled = [&](std::size_t i, std::size_t j, std::size_t k) {  // cells are numbered from 1; 0 and n
                                                                             // are outside
    if (i == 0 || j == 0 || k == 0 || i == nx || j == ny || k == nz) return false;
    return filled({0.5 * (xs[i - 1] + xs[i]), 0.5 * (ys[j - 1] + ys[j]), 0.5 * (zs[k - 1] + zs[k])});
  };
  Shape shape;
  constexpr VertexId kNone = std::numeric_limits<VertexId>::max();
  std::vector<VertexId> ids(nx * ny * nz, kNone);
  const auto vertex = [&](std::size_t i, std::size_t j, std::size_t k) {
    VertexId& id = ids[(k * ny + j) * nx + i];
    if (id == kNone) {
      id = static_cast<VertexId>(shape.positions.size());
      shape.positions.push_back({xs[i], ys[j], zs[k]});
    }
    return id;
  };
  // Corners are in order around a face that looks along its axis; reversed if the filled cell is on the other side.
  // Braces fix the order of the vertex calls, and so the numbering; function arguments would not.
  const auto face = [&](const std::array<VertexId, 4>& corners, bool is_forward, bool is_odd) {
    const auto [a, b, c, d] = corners;
    const auto triangle = [&](VertexId p, VertexId q, VertexId r) {
      shape.triangles.push_back(is_forward ? Triangle{p, q, r} : Triangle{p, r, q});
    };
    if (is_odd) {
      triangle(a, b, c);
      triangle(a, c, d);
    } else {
      triangle(b, c, d);
      triangle(b, d, a);
    }
  };
  for (std::size_t k = 0; k < nz; ++k) {
    for (std::size_t j = 0; j < ny; ++j) {
      for (std::size_t i = 0; i < nx; ++i) {
        // Add the faces between cell (i, j, k) and its upper neighbour in each direction; cells are numbered from
        // 1.
        const bool is_odd = (i + j + k) % 2 != 0;
        if (j + 1 < ny && k + 1 < nz) {
          const bool below = is_filled(i, j + 1, k + 1);
          if (below != is_filled(i + 1, j + 1, k + 1)) {
            face({vertex(i, j, k), vertex(i, j + 1, k), vertex(i, j + 1, k + 1), vertex(i, j, k + 1)}, below,
                 is_odd);
          }
        }
        if (i + 1 < nx && k + 1 < nz) {
          const bool below = is_filled(i + 1, j, k + 1);
          if (below != is_filled(i + 1, j + 1, k + 1)) {
            face({vertex(i, j, k), vertex(i, j, k + 1), vertex(i + 1, j, k + 1), vertex(i + 1, j, k)}, below,
                 is_odd);
          }
        }
        if (i + 1 < nx && j + 1 < ny) {
          const bool below = is_filled(i + 1, j + 1, k);
          if (below != is_filled(i + 1, j + 1, k + 1)) {
            face({vertex(i, j, k), vertex(i + 1, j, k), vertex(i + 1, j + 1, k), vertex(i, j + 1, k)}, below,
                 is_odd);
          }
        }
      }
    }
  }
  return shape;
}

}  // namespace

Shape make_torus(double major, double minor, std::size_t triangles) {
  const double cells = 0.5 * static_cast<double>(triangles);
  const std::size_t around_tube = to_count(std::sqrt(cells * minor / major), 3);
  const std::size_t around_axis = to_count(cells / static_cast<double>(around_tube), 3);
  return shaping::make_patch({.columns = around_axis, .rows = around_tube, .wrap_u = true, .wrap_v = true},
                             [&](double u, double v) {
                               const double radius = major + minor * cos_turns(v);
                               return Vec3{radius * cos_turns(u), radius * sin_turns(u), minor * sin_turns(v)};
                             });
}

Shape make_capsule(double radius, double length, std::size_t triangles) {
  // Even spacing: 4 n edges around the equator, n from the equator to the pole; bands of the same height.
  const auto target = static_cast<double>(triangles);
  const double bands_per_ring = length / (0.25 * kTau * radius);
  const std::size_t rings = to_count(std::sqrt(target / (8.0 + 8.0 * bands_per_ring)));
  const auto n = static_cast<double>(rings);
  const std::size_t bands = length > 0.0 ? to_count((target - 8.0 * n * n) / (8.0 * n)) : 0;
  return shaping::make_capsule_surface(rings, bands, [&](double w, double turns) {
    double z = 0.5 * length * (w < 1.0 ? -1.0 : (w > 2.0 ? 1.0 : 2.0 * w - 3.0));
    double r = radius;
    if (w < 1.0 || w > 2.0) {
      const double latitude = 0.25 * (w < 1.0 ? w - 1.0 : w - 2.0);
      r = radius * cos_turns(latitude);
      z += radius * sin_turns(latitude);
    }
    return Vec3{r * cos_turns(turns), r * sin_turns(turns), z};
  });
}

Shape make_bowl(double inner_radius, double thickness, std::size_t triangles) {
  const double outer_radius = inner_radius + thickness;
  const double rim = 0.5 * thickness;
  const double bands_per_ring = 2.0 * rim / inner_radius;  // half a circle of the rim against a quarter of the bowl
  const auto bands_of = [&](std::size_t n) { return to_count(bands_per_ring * static_cast<double>(n), 2); };
  const auto count_of = [&](std::size_t n) { return 8 * n * (n + bands_of(n)); };
  std::size_t rings = 2;
  while (count_of(rings) + count_of(rings + 1) < 2 * triangles) ++rings;
  const std::size_t bands = bands_of(rings);
  return shaping::make_capsule_surface(rings, bands, [&](double w, double turns) {
    double r = 0.0;
    double z = 0.0;
    if (w <= 1.0) {
      r = outer_radius * sin_turns(0.25 * w);
      z = -outer_radius * cos_turns(0.25 * w);
    } else if (w < 2.0) {
      r = inner_radius + rim + rim * cos_turns(0.5 * (w - 1.0));
      z = rim * sin_turns(0.5 * (w - 1.0));
    } else {
      r = inner_radius * cos_turns(0.25 * (w - 2.0));
      z = -inner_radius * sin_turns(0.25 * (w - 2.0));
    }
    return Vec3{r * cos_turns(turns), r * sin_turns(turns), z};
  });
}

Shape make_box(const Vec3& half, std::size_t triangles) {
  const double area = 8.0 * (half.x * half.y + half.y * half.z + half.z * half.x);
  const double spacing = std::sqrt(2.0 * area / static_cast<double>(triangles));
  return shaping::fit_spacing(spacing, triangles, [&](double h) {
    return skin_of_cells(lines_through({-half.x, half.x}, h), lines_through({-half.y, half.y}, h),
                         lines_through({-half.z, half.z}, h), [](const Vec3&) { return true; });
  });
}

Shape make_room(const Vec3& half, std::size_t triangles) {
  Shape room = make_box(half, triangles);
  shaping::flip(room);
  return room;
}

Shape make_open_box(const Vec3& half, double wall, std::size_t triangles) {
  const double area = 16.0 * (half.x * half.y + half.y * half.z + half.z * half.x);
  const double spacing = std::sqrt(2.0 * area / static_cast<double>(triangles));
  const auto hollow = [&](const Vec3& p) {
    return p.x > -half.x && p.x < half.x && p.y > -half.y && p.y < half.y && p.z > -half.z;
  };
  return shaping::fit_spacing(spacing, triangles, [&](double h) {
    return skin_of_cells(lines_through({-half.x - wall, -half.x, half.x, half.x + wall}, h),
                         lines_through({-half.y - wall, -half.y, half.y, half.y + wall}, h),
                         lines_through({-half.z - wall, -half.z, half.z}, h),
                         [&](const Vec3& p) { return !hollow(p); });
  });
}

}  // namespace graze::scenes

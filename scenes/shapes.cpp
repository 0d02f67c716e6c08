// Implementation of grid, sphere and sine (scenes/shapes.hpp). Cost: linear in the generated triangles.
#include "scenes/shapes.hpp"

#include <array>
#include <cmath>
#include <map>

namespace graze::scenes {

Shape make_grid(std::size_t side) {
  Shape grid;
  const double last = static_cast<double>(side - 1);
  for (std::size_t row = 0; row < side; ++row) {
    for (std::size_t column = 0; column < side; ++column) {
      grid.positions.push_back(
          {2.0 * static_cast<double>(column) / last - 1.0, 2.0 * static_cast<double>(row) / last - 1.0, 0.0});
    }
  }
  for (std::size_t row = 0; row + 1 < side; ++row) {
    for (std::size_t column = 0; column + 1 < side; ++column) {
      const auto a = static_cast<VertexId>(row * side + column);
      const VertexId b = a + 1;
      const auto c = static_cast<VertexId>(a + side);
      const VertexId d = c + 1;
      if ((row + column) % 2 == 0) {
        grid.triangles.push_back({a, b, d});
        grid.triangles.push_back({a, d, c});
      } else {
        grid.triangles.push_back({a, b, c});
        grid.triangles.push_back({b, d, c});
      }
    }
  }
  return grid;
}

Shape make_sphere(std::size_t levels) {
  Shape sphere;
  const auto n = static_cast<int>(levels);
  // A vertex is an integer point on the octahedron |x|+|y|+|z| = n, so faces share the vertices of their edges.
  std::map<std::array<int, 3>, VertexId> ids;
  const auto vertex = [&](int x, int y, int z) {
    const auto [at, is_new] = ids.try_emplace({x, y, z}, static_cast<VertexId>(sphere.positions.size()));
    if (is_new) {
      const double px = x;
      const double py = y;
      const double pz = z;
      const double length = std::sqrt(px * px + py * py + pz * pz);
      sphere.positions.push_back({px / length, py / length, pz / length});
    }
    return at->second;
  };
  for (const int sx : {1, -1}) {
    for (const int sy : {1, -1}) {
      for (const int sz : {1, -1}) {
        const auto corner = [&](int i, int j) { return vertex(sx * i, sy * j, sz * (n - i - j)); };
        const bool flip = sx * sy * sz < 0;
        const auto triangle = [&](VertexId a, VertexId b, VertexId c) {
          sphere.triangles.push_back(flip ? Triangle{a, c, b} : Triangle{a, b, c});
        };
        for (int i = 0; i < n; ++i) {
          for (int j = 0; i + j < n; ++j) {
            // Separate statements: vertices are numbered in the order of the calls, and the evaluation order of
            // arguments is unspecified.
            const VertexId c = corner(i, j + 1);
            const VertexId b = corner(i + 1, j);
            const VertexId a = corner(i, j);
            triangle(a, b, c);
            if (i + j + 1 < n) triangle(b, corner(i + 1, j + 1), c);
          }
        }
      }
    }
  }
  return sphere;
}

double sin_turns(double turns) {
  // Reduce to a quarter turn on each side of zero: sine is odd, and symmetric about a quarter turn.
  double t = turns - std::floor(turns + 0.5);
  if (t > 0.25) t = 0.5 - t;
  if (t < -0.25) t = -0.5 - t;
  const double x = 6.283185307179586 * t;
  const double s = x * x;
  // Taylor series to x^13: the next term is below (pi/2)^15 / 15! < 7e-10.
  return x * (1.0 + s * (-1.0 / 6 + s * (1.0 / 120 +
                                         s * (-1.0 / 5040 + s * (1.0 / 362880 + s * (-1.0 / 39916800 +
                                                                                     s * (1.0 / 6227020800.0)))))));
}

}  // namespace graze::scenes

// Moving triangle soups for the tests of src/bvh: random ones of several shapes, and degenerate ones.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <graze/types.hpp>

namespace graze::testing {

struct Soup {
  std::string name;
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;
  std::vector<Triangle> triangles;
};

/// Triangles of size about `size` in the unit cube that move by about `motion`.
inline Soup random_soup(std::size_t count, double size, double motion, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return static_cast<double>(random() >> 11U) * 0x1p-53; };
  const auto vector = [&](double scale) {
    const double x = uniform() - 0.5;
    const double y = uniform() - 0.5;
    return Vec3{scale * x, scale * y, scale * (uniform() - 0.5)};
  };
  Soup soup{.name = "random " + std::to_string(count), .x_t0 = {}, .x_t1 = {}, .triangles = {}};
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 centre = vector(1.0);
    const auto first = static_cast<VertexId>(soup.x_t0.size());
    for (int corner = 0; corner < 3; ++corner) {
      const Vec3 at = vector(size);
      const Vec3 by = vector(motion);
      const Vec3 x{centre.x + at.x, centre.y + at.y, centre.z + at.z};
      soup.x_t0.push_back(x);
      soup.x_t1.push_back({x.x + by.x, x.y + by.y, x.z + by.z});
    }
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  return soup;
}

/// `count` triangles without extent, triangle i at place(i).
template <typename Place>
Soup points(std::string name, std::size_t count, const Place& place) {
  Soup soup{.name = std::move(name), .x_t0 = {}, .x_t1 = {}, .triangles = {}};
  for (std::size_t i = 0; i < count; ++i) {
    soup.x_t0.push_back(place(i));
    const auto id = static_cast<VertexId>(i);
    soup.triangles.push_back({id, id, id});
  }
  soup.x_t1 = soup.x_t0;
  return soup;
}

inline std::vector<Soup> degenerate_soups() {
  std::vector<Soup> soups;
  for (const std::size_t count : {0U, 1U, 2U, 3U, 5U}) soups.push_back(random_soup(count, 0.5, 0.1, count));
  soups.push_back(points("all at one point", 3000, [](std::size_t) { return Vec3{1.0, 2.0, 3.0}; }));
  soups.push_back(points("two places", 3000, [](std::size_t i) { return Vec3{i % 7 == 0 ? 1.0 : 0.0, 0.0, 0.0}; }));
  soups.push_back(points("powers of two: every midpoint peels off one", 1200, [](std::size_t i) {
    return Vec3{std::ldexp(1.0, 127 - static_cast<int>(i % 270)), 0.0, 0.0};
  }));
  soups.push_back(points("denormal floats", 500, [](std::size_t i) {
    return Vec3{std::ldexp(static_cast<double>(i), -149), std::ldexp(-static_cast<double>(i), -1074), 0.0};
  }));
  soups.push_back(points("beyond float", 500, [](std::size_t i) {
    return Vec3{i % 2 == 0 ? 1e300 : -1e300, i % 3 == 0 ? 1e200 : 1.0, static_cast<double>(i)};
  }));
  soups.push_back(points("on a line", 2000, [](std::size_t i) { return Vec3{0.0, static_cast<double>(i), 0.0}; }));
  Soup big = random_soup(400, 0.05, 0.02, 77);
  big.name = "one triangle over all";
  big.x_t0[0] = {-1e30, -1e30, 0.0};
  big.x_t0[1] = {1e30, -1e30, 0.1};
  big.x_t0[2] = {0.0, 1e30, -0.1};
  soups.push_back(big);
  return soups;
}

}  // namespace graze::testing

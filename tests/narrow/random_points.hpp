// Random points that are difficult for the elementary tests: small integer grids (ties), ordinary reals,
// coordinates of very different magnitudes, and offsets of a few ulps around a grid.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <random>

#include <graze/types.hpp>

namespace graze::test {

enum class Points { Grid, Real, Wild, NearGrid };

class PointSource {
 public:
  explicit PointSource(unsigned seed) : random_(seed) {}

  double coordinate(Points kind) {
    switch (kind) {
      case Points::Grid:
        return static_cast<double>(integer(-2, 2));
      case Points::Real:
        return std::uniform_real_distribution<double>(-1.0, 1.0)(random_);
      case Points::Wild: {
        if (integer(0, 4) == 0) {
          return 0.0;
        }
        constexpr std::array kScales{1e-320, 1e-300, 1e-160, 1e-8, 1.0, 1e8, 1e160, 1e300};
        return kScales[static_cast<std::size_t>(integer(0, 7))] * static_cast<double>(integer(-3, 3));
      }
      case Points::NearGrid:
        break;
    }
    return static_cast<double>(integer(-2, 2)) + std::ldexp(static_cast<double>(integer(-2, 2)), -52);
  }

  template <std::size_t kCount>
  std::array<Vec3, kCount> points(Points kind) {
    std::array<Vec3, kCount> p;
    for (Vec3& v : p) {
      v = {coordinate(kind), coordinate(kind), coordinate(kind)};
    }
    return p;
  }

  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

 private:
  std::mt19937 random_;
};

}  // namespace graze::test

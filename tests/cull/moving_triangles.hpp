// Moving triangles for the tests of normal cones: smooth ones and many degenerate kinds.
#pragma once

#include <array>
#include <cmath>

#include <graze/types.hpp>

#include "cull/control_normals.hpp"
#include "geometry/path.hpp"
#include "geometry/vec.hpp"
#include "oracle/random.hpp"

namespace graze::test {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
using namespace bvh;
using namespace cull;

using LinearTriangle = std::array<VertexPath, 3>;
using QuadraticTriangle = std::array<QuadraticPath, 3>;

inline Vec3 random_vector(oracle::Random& random, double size = 1.0) {
  return {size * random.symmetric(), size * random.symmetric(), size * random.symmetric()};
}

/// A triangle of size about 1 whose vertices move by up to `motion`.
inline LinearTriangle smooth_triangle(oracle::Random& random, double motion) {
  LinearTriangle triangle;
  for (VertexPath& p : triangle) {
    p.t0 = random_vector(random);
    p.t1 = p.t0 + random_vector(random, motion);
  }
  return triangle;
}

/// Kinds of difficult triangles, by number: 0 any; 1 tiny motion; 2 thin; 3 flipping; 4 degenerate during the step;
/// 5 no area at an end of the step; 6 small integers; 7 far from the origin; 8 any magnitude, 1e-300 to 1e300; 9
/// one common magnitude.
inline constexpr int kTroubles = 10;

inline LinearTriangle troubled_triangle(oracle::Random& random, int kind) {
  const auto scaled = [](const Vec3& p, int exponent) {
    return Vec3{std::ldexp(p.x, exponent), std::ldexp(p.y, exponent), std::ldexp(p.z, exponent)};
  };
  LinearTriangle t = smooth_triangle(random, kind == 1 ? std::ldexp(1.0, random.between(-60, -10)) : 1.0);
  const double thin = std::ldexp(1.0, random.between(-52, -5));
  switch (kind) {
    case 2:
      t[2].t0 = lerp(t[0].t0, t[1].t0, random.unit()) + random_vector(random, thin);
      t[2].t1 = t[2].t0 + random_vector(random, thin);
      t[0].t1 = t[0].t0 + random_vector(random, thin);
      t[1].t1 = t[1].t0 + random_vector(random, thin);
      break;
    case 3:
      t[0].t1 = t[1].t0 + random_vector(random, thin);
      t[1].t1 = t[0].t0 + random_vector(random, thin);
      t[2].t1 = t[2].t0;
      break;
    case 4:
      for (VertexPath& p : t) p.t1 = -0.5 * p.t0;
      break;
    case 5:
      t[2].t1 = lerp(t[0].t1, t[1].t1, 0.5);
      if (random.coin()) t[1].t1 = t[0].t1;
      break;
    case 6:
      for (VertexPath& p : t) {
        const auto digit = [&] { return static_cast<double>(random.between(-2, 2)); };
        p.t0 = {digit(), digit(), digit()};
        p.t1 = {digit(), digit(), digit()};
      }
      break;
    case 7: {
      const Vec3 away = random_vector(random, std::ldexp(1.0, random.between(10, 50)));
      for (VertexPath& p : t) {
        p.t0 = p.t0 + away;
        p.t1 = p.t1 + away;
      }
      break;
    }
    case 8:
      for (VertexPath& p : t) {
        p.t0 = scaled(p.t0, random.between(-1000, 1000));
        p.t1 = scaled(p.t1, random.between(-1000, 1000));
      }
      break;
    case 9: {
      const int exponent = random.between(-1060, 1020);
      t = smooth_triangle(random, 0.1);
      for (VertexPath& p : t) {
        p.t0 = scaled(p.t0, exponent);
        p.t1 = scaled(p.t1, exponent);
      }
      break;
    }
    default:
      break;
  }
  return t;
}

/// Moves a middle control point off the straight line by up to `bend` of its length.
inline QuadraticTriangle bent(oracle::Random& random, const LinearTriangle& t, double bend) {
  QuadraticTriangle result;
  for (std::size_t v = 0; v < 3; ++v) {
    const Vec3 middle = 0.5 * t[v].t0 + 0.5 * t[v].t1;
    const double size = bend * max_abs(0.5 * t[v].t1 - 0.5 * t[v].t0);
    result[v] = {t[v].t0, middle + random_vector(random, size), t[v].t1};
  }
  return result;
}

}  // namespace graze::test

// Polygon soups and poses that are hard on trees: no volume, no area, no length, all sizes at once, far from where
// floats are fine, and poses that let faces touch exactly. Linear in triangles.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <graze/rigid.hpp>

#include "oracle/random.hpp"

namespace graze::testing {

using oracle::Random;

/// Whether this is one of the slow builds that check contracts: fewer rounds.
#if defined(GRAZE_ASSERTS)
inline constexpr bool kIsSlow = true;
#else
inline constexpr bool kIsSlow = false;
#endif

struct Soup {
  std::string name;
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;

  /// Three vertices of its own.
  void add(const Vec3& p, const Vec3& q, const Vec3& r);
};

/// `count` triangles of about `size` with their middles in [-1, 1]^3.
Soup random_soup(Random& random, std::size_t count, double size);
/// One of every family, about [-1, 1]^3, `count` triangles each or so.
std::vector<Soup> soup_gallery(Random& random, std::size_t count);
/// Closed: box, sphere, torus.
std::vector<Soup> solids(std::size_t triangles);
/// Unit cube [0, 1]^3 of 12 triangles.
Soup unit_cube();

Soup moved(Soup soup, const Vec3& by);
/// Exact: by 2^exponent.
Soup scaled(Soup soup, int exponent);

Vec3 random_vec(Random& random);
Pose random_rotation(Random& random);
/// All 48 rotations and reflections that permute the axes: exact.
std::vector<Pose> axis_permutations();
/// Rows off orthonormal by `off`, in one of several ways.
Pose distorted(const Pose& pose, double off, Random& random);
/// Of the box of the vertices that triangles use.
Vec3 middle_of(const Soup& soup);
double radius_of(const Soup& soup);
/// Poses of a and b, turned at random, with their middles about `share` of the sum of radii apart, near `where`.
PosePair near_poses(const Soup& a, const Soup& b, double share, const Vec3& where, Random& random);

}  // namespace graze::testing

// Polygon soups and poses that are difficult for bounding-volume trees: without volume, area or length, of all
// sizes at once, far from the origin, and poses in which faces touch exactly. Cost: linear in the number of
// triangles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <graze/rigid.hpp>

#include "environment.hpp"
#include "oracle/random.hpp"

namespace graze::testing {

using oracle::Random;

/// Whether this is one of the slow builds that check contracts, which run fewer rounds.
#if defined(GRAZE_ASSERTS)
inline constexpr bool kIsSlow = true;
#else
inline constexpr bool kIsSlow = false;
#endif

/// The random stream of a test; a different one for each GRAZE_RIGID_SEED.
inline Random seeded(std::uint64_t test) {
  return Random(test + 1000 * from_environment("GRAZE_RIGID_SEED", 0));
}

struct Soup {
  std::string name;
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;

  /// Adds a triangle with three new vertices.
  void add(const Vec3& p, const Vec3& q, const Vec3& r);
};

/// `count` triangles of about `size` with their centres in [-1, 1]^3.
Soup random_soup(Random& random, std::size_t count, double size);
/// One soup of every family, about [-1, 1]^3, of about `count` triangles each.
std::vector<Soup> soup_gallery(Random& random, std::size_t count);
/// Closed solids: box, sphere, torus.
std::vector<Soup> solids(std::size_t triangles);
/// Unit cube [0, 1]^3 of 12 triangles.
Soup unit_cube();

Soup moved(Soup soup, const Vec3& by);
/// Scaled by 2^exponent, exactly.
Soup scaled(Soup soup, int exponent);

Vec3 random_vec(Random& random);
Pose random_rotation(Random& random);
/// All 48 rotations and reflections that permute the axes, exactly.
std::vector<Pose> axis_permutations();
/// A pose whose rows deviate from orthonormal by `off`, in one of several ways.
Pose distorted(const Pose& pose, double off, Random& random);
/// Centre of the box of the vertices that triangles use.
Vec3 middle_of(const Soup& soup);
double radius_of(const Soup& soup);
/// Randomly rotated poses of a and b near `where`, with their centres about `share` of the sum of radii apart.
PosePair near_poses(const Soup& a, const Soup& b, double share, const Vec3& where, Random& random);

}  // namespace graze::testing

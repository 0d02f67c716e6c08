// Soups and poses (rigid/oracle_objects.hpp).
#include "rigid/oracle_objects.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "geometry/vec.hpp"
#include "scenes/shapes.hpp"
#include "scenes/shapes/solids.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;

namespace {

Soup named(std::string name) {
  Soup soup;
  soup.name = std::move(name);
  return soup;
}

Soup from_shape(std::string name, const scenes::Shape& shape) {
  return {std::move(name), shape.positions, shape.triangles};
}

Soup needles(Random& random, std::size_t count) {
  Soup soup = named("needles");
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 p = random_vec(random);
    soup.add(p, p + 1.5 * random_vec(random), p + 1e-7 * random_vec(random));
  }
  return soup;
}

Soup slivers(Random& random, std::size_t count) {
  Soup soup = named("slivers");
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 p = random_vec(random);
    const Vec3 q = random_vec(random);
    soup.add(p, q, 0.5 * (p + q) + 1e-15 * random_vec(random));
  }
  return soup;
}

/// Repeated ids, randomly shared vertices, duplicate triangles.
Soup repeated_ids(Random& random, std::size_t count) {
  Soup soup = named("repeated ids");
  const std::uint32_t vertices = 9;
  for (std::uint32_t i = 0; i < vertices; ++i) soup.positions.push_back(random_vec(random));
  for (std::size_t i = 0; i < count; ++i)
    soup.triangles.push_back({random.below(vertices), random.below(vertices), random.below(vertices)});
  return soup;
}

Soup one_point(Random& random, std::size_t count) {
  Soup soup = named("one point");
  const Vec3 p = random_vec(random);
  for (std::size_t i = 0; i < count; ++i) soup.add(p, p, p);
  return soup;
}

Soup points(Random& random, std::size_t count) {
  Soup soup = named("points");
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 p = random_vec(random);
    soup.add(p, p, p);
  }
  return soup;
}

Soup one_line(Random& random, std::size_t count) {
  Soup soup = named("one line");
  const auto at = [](int k) { return Vec3{0.125 * k, -0.25 * k, 0.5 * k}; };
  for (std::size_t i = 0; i < count; ++i)
    soup.add(at(random.between(-2, 2)), at(random.between(-2, 2)), at(random.between(-2, 2)));
  return soup;
}

/// On a coarse lattice in one plane: edges and corners touch exactly.
Soup one_plane(Random& random, std::size_t count) {
  Soup soup = named("one plane");
  const auto at = [&] { return Vec3{0.25 * random.between(-4, 4), 0.25 * random.between(-4, 4), 0.5}; };
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 p = at();
    const Vec3 q = at();
    soup.add(p, q, at());
  }
  return soup;
}

/// On a coarse lattice in space.
Soup lattice(Random& random, std::size_t count) {
  Soup soup = named("lattice");
  const auto at = [&] {
    return Vec3{0.5 * random.between(-2, 2), 0.5 * random.between(-2, 2), 0.5 * random.between(-2, 2)};
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 p = at();
    const Vec3 q = at();
    soup.add(p, q, at());
  }
  return soup;
}

Soup identical(Random& random, std::size_t count) {
  Soup soup = named("identical");
  const Vec3 p = random_vec(random);
  const Vec3 q = random_vec(random);
  const Vec3 r = random_vec(random);
  for (std::size_t i = 0; i < count; ++i) soup.add(p, q, r);
  return soup;
}

Soup giant_and_tiny(Random& random, std::size_t count) {
  Soup soup = named("giant and tiny");
  soup.add({-1, -1, -1}, {1, 1, -1}, {1, -1, 1});
  const Vec3 where = 0.5 * random_vec(random);
  for (std::size_t i = 1; i < count; ++i) {
    const Vec3 p = where + 1e-6 * random_vec(random);
    soup.add(p, p + 1e-7 * random_vec(random), p + 1e-7 * random_vec(random));
  }
  return soup;
}

/// Sizes 2^-k around one point, with k from 0 to `last`.
Soup nested(Random& random, std::size_t count, int last) {
  Soup soup = named("nested to 2^-" + std::to_string(last));
  for (std::size_t i = 0; i < count; ++i) {
    const int k = static_cast<int>(i) * last / static_cast<int>(std::max<std::size_t>(count - 1, 1));
    const double size = std::ldexp(1.0, -k);
    soup.add(size * random_vec(random), size * random_vec(random), size * random_vec(random));
  }
  return soup;
}

/// Each triangle is half as large as the last and beside it: touching boxes, cuts of every size.
Soup staircase(std::size_t count) {
  Soup soup = named("staircase");
  double at = -1.0;
  double size = 1.0;
  for (std::size_t i = 0; i < count; ++i) {
    soup.add({at, 0, 0}, {at + size, 0, size}, {at, size, 0});
    at += size;
    size *= 0.5;
  }
  return soup;
}

}  // namespace

void Soup::add(const Vec3& p, const Vec3& q, const Vec3& r) {
  const auto first = static_cast<VertexId>(positions.size());
  positions.insert(positions.end(), {p, q, r});
  triangles.push_back({first, first + 1, first + 2});
}

Soup random_soup(Random& random, std::size_t count, double size) {
  Soup soup = named("random");
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 p = random_vec(random);
    soup.add(p + size * random_vec(random), p + size * random_vec(random), p + size * random_vec(random));
  }
  return soup;
}

std::vector<Soup> soup_gallery(Random& random, std::size_t count) {
  std::vector<Soup> all;
  all.push_back(random_soup(random, count, 0.3));
  all.push_back(random_soup(random, count, 1.0));
  all.push_back(needles(random, count));
  all.push_back(slivers(random, count));
  all.push_back(repeated_ids(random, count));
  all.push_back(one_point(random, count));
  all.push_back(points(random, count));
  all.push_back(one_line(random, count));
  all.push_back(one_plane(random, count));
  all.push_back(lattice(random, count));
  all.push_back(identical(random, count));
  all.push_back(giant_and_tiny(random, count));
  all.push_back(nested(random, count, 20));
  all.push_back(nested(random, count, 140));
  all.push_back(nested(random, count, 1060));
  all.push_back(staircase(count));
  all.push_back(random_soup(random, 1, 1.0));
  all.back().name = "one triangle";
  all.push_back(random_soup(random, 2, 1.0));
  all.back().name = "two triangles";
  all.push_back(named("empty"));
  for (Soup& solid : solids(count)) all.push_back(std::move(solid));
  return all;
}

std::vector<Soup> solids(std::size_t triangles) {
  std::vector<Soup> all;
  all.push_back(from_shape("box", scenes::make_box({1.0, 0.5, 0.75}, triangles)));
  const auto levels = static_cast<std::size_t>(std::sqrt(static_cast<double>(triangles) / 8.0));
  all.push_back(from_shape("sphere", scenes::make_sphere(std::max<std::size_t>(levels, 1))));
  all.push_back(from_shape("torus", scenes::make_torus(0.7, 0.25, triangles)));
  return all;
}

Soup unit_cube() {
  Soup cube = named("unit cube");
  for (unsigned i = 0; i < 8; ++i)
    cube.positions.push_back(
        {static_cast<double>(i & 1U), static_cast<double>((i >> 1U) & 1U), static_cast<double>((i >> 2U) & 1U)});
  const std::array<std::array<VertexId, 4>, 6> sides{
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
  for (const auto& side : sides) {
    cube.triangles.push_back({side[0], side[1], side[2]});
    cube.triangles.push_back({side[0], side[2], side[3]});
  }
  return cube;
}

Soup moved(Soup soup, const Vec3& by) {
  for (Vec3& x : soup.positions) x = x + by;
  soup.name += " moved";
  return soup;
}

Soup scaled(Soup soup, int exponent) {
  for (Vec3& x : soup.positions)
    x = {std::ldexp(x.x, exponent), std::ldexp(x.y, exponent), std::ldexp(x.z, exponent)};
  soup.name += " scaled by 2^" + std::to_string(exponent);
  return soup;
}

Vec3 random_vec(Random& random) {
  const double x = random.symmetric();
  const double y = random.symmetric();
  return {x, y, random.symmetric()};
}

Pose random_rotation(Random& random) {
  std::array<double, 4> q{};
  for (double& c : q) c = random.symmetric();
  return pose_from_quaternion(q);
}

std::vector<Pose> axis_permutations() {
  std::array<std::size_t, 3> order{0, 1, 2};
  std::vector<Pose> all;
  do {
    for (unsigned signs = 0; signs < 8; ++signs) {
      Pose pose;
      for (std::size_t i = 0; i < 3; ++i) {
        const double one = ((signs >> i) & 1U) != 0 ? -1.0 : 1.0;
        pose.rotation[i] = {order[i] == 0 ? one : 0.0, order[i] == 1 ? one : 0.0, order[i] == 2 ? one : 0.0};
      }
      all.push_back(pose);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return all;
}

Pose distorted(const Pose& pose, double off, Random& random) {
  Pose result = pose;
  auto& r = result.rotation;
  const std::size_t i = random.below(3);
  switch (random.below(4)) {
    case 0:  // all rows longer: |row|^2 - 1 = off
      for (Vec3& row : r) row = std::sqrt(1.0 + off) * row;
      break;
    case 1:  // one row shorter
      r[i] = std::sqrt(1.0 - off) * r[i];
      break;
    case 2:  // skewed
      r[i] = r[i] + off * r[(i + 1) % 3];
      break;
    default:  // two rows skewed the other way
      r[0] = r[0] - off * r[1];
      r[2] = r[2] - off * r[1];
      break;
  }
  return result;
}

Vec3 middle_of(const Soup& soup) {
  if (soup.triangles.empty()) return {};
  Vec3 lo = soup.positions[soup.triangles[0][0]];
  Vec3 hi = lo;
  for (const Triangle& t : soup.triangles) {
    for (const VertexId v : t) {
      const Vec3& x = soup.positions[v];
      lo = {std::min(lo.x, x.x), std::min(lo.y, x.y), std::min(lo.z, x.z)};
      hi = {std::max(hi.x, x.x), std::max(hi.y, x.y), std::max(hi.z, x.z)};
    }
  }
  return 0.5 * lo + 0.5 * hi;
}

double radius_of(const Soup& soup) {
  const Vec3 middle = middle_of(soup);
  double radius = 0.0;
  for (const Triangle& t : soup.triangles) {
    for (const VertexId v : t) radius = std::max(radius, length(soup.positions[v] - middle));
  }
  return radius;
}

PosePair near_poses(const Soup& a, const Soup& b, double share, const Vec3& where, Random& random) {
  PosePair poses{random_rotation(random), random_rotation(random)};
  Vec3 direction = random_vec(random);
  direction = (1.0 / std::max(length(direction), 1e-3)) * direction;
  const double far = share * (radius_of(a) + radius_of(b));
  poses.a.translation = where - posed(poses.a, middle_of(a));
  poses.b.translation = where + far * direction - posed(poses.b, middle_of(b));
  return poses;
}

}  // namespace graze::testing

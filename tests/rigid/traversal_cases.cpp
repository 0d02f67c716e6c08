// Cases for the tests of rigid traversals (rigid/traversal_cases.hpp).
#include "rigid/traversal_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>

#include "geometry/vec.hpp"
#include "narrow/edge_face.hpp"

namespace graze::rigid::testing {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;

namespace {

using Random = std::mt19937_64;

double between(Random& random, double lo, double hi) {
  return lo + (hi - lo) * static_cast<double>(random() >> 11U) * 0x1p-53;
}
Vec3 point_in(Random& random, double size) {
  const double x = between(random, -size, size);
  const double y = between(random, -size, size);
  return {x, y, between(random, -size, size)};
}

/// Random triangles; every fifth is a segment or a point, or repeats the one before.
Soup random_soup(Random& random, std::uint32_t count, double edge, bool all_degenerate = false) {
  Soup soup;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3 first = point_in(random, 1.0);
    const std::uint32_t id = 3 * i;
    for (int k = 0; k < 3; ++k) soup.positions.push_back(k == 0 ? first : first + point_in(random, edge));
    const std::uint64_t kind = all_degenerate ? random() % 2 : random() % 15;
    if (kind == 0) {
      soup.triangles.push_back({id, id + 1, id});
    } else if (kind == 1) {
      soup.triangles.push_back({id, id, id});
    } else if (kind == 2 && i > 0) {
      soup.triangles.push_back(soup.triangles.back());
    } else {
      soup.triangles.push_back({id, id + 1, id + 2});
    }
  }
  return soup;
}

/// The surface of [-1, 1]^3 with n by n squares per side, on a grid of exact doubles.
Soup box_surface(int n) {
  Soup soup;
  for (int side = 0; side < 6; ++side) {
    const auto corner = [&](int i, int j) {
      const double u = -1.0 + 2.0 * i / n;
      const double v = -1.0 + 2.0 * j / n;
      const double w = side % 2 == 0 ? -1.0 : 1.0;
      const std::array<Vec3, 3> turned{Vec3{u, v, w}, Vec3{v, w, u}, Vec3{w, u, v}};
      soup.positions.push_back(turned[static_cast<std::size_t>(side / 2)]);
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const auto id = static_cast<std::uint32_t>(soup.positions.size());
        corner(i, j);
        corner(i + 1, j);
        corner(i + 1, j + 1);
        corner(i, j + 1);
        soup.triangles.push_back({id, id + 1, id + 2});
        soup.triangles.push_back({id, id + 2, id + 3});
      }
    }
  }
  return soup;
}

Soup scaled(Soup soup, double factor, const Vec3& moved = {}) {
  for (Vec3& x : soup.positions) x = factor * x + moved;
  return soup;
}

Pose random_pose(Random& random, const Vec3& translation) {
  return pose_from_axis_angle(point_in(random, 1.0) + Vec3{0, 0, 1.5}, between(random, 0.0, 6.0), translation);
}
/// Shears and stretches the rows by up to 9e-7.
Pose spoilt(Random& random, Pose pose) {
  const Pose before = pose;
  for (std::size_t i = 0; i < 3; ++i)
    pose.rotation[i] = (1.0 + between(random, -2e-7, 2e-7)) * before.rotation[i] +
                       between(random, -4.5e-7, 4.5e-7) * before.rotation[(i + 1) % 3];
  return pose;
}

std::vector<TraversalCase> make_cases() {
  std::vector<TraversalCase> cases;
  Random random(20020412);
  for (int i = 0; i < 40; ++i) {
    Soup a = random_soup(random, 40, 0.4);
    Soup b = random_soup(random, 5 + static_cast<std::uint32_t>(i), 0.4);
    const Pose pose_a = random_pose(random, point_in(random, 1.0));
    Pose pose_b = random_pose(random, point_in(random, 1.0));
    if (i % 2 == 1) pose_b = spoilt(random, pose_b);
    cases.push_back({"random " + std::to_string(i), a, b, i % 4 == 3 ? spoilt(random, pose_a) : pose_a, pose_b});
  }
  for (const double size : {0x1p-1000, 1e-300, 1e-150, 1e-20, 1e20, 1e150, 1e300}) {
    const Soup a = scaled(random_soup(random, 30, 0.5), size);
    const Soup b = scaled(random_soup(random, 30, 0.5), size);
    const Vec3 moved = size * point_in(random, 0.5);
    cases.push_back(
        {"size " + std::to_string(std::log10(size)), a, b, random_pose(random, {}), random_pose(random, moved)});
  }
  for (const double ratio : {1e-3, 1e-7, 1e-12, 1e-14, 1e-200}) {
    // The small soup around a corner of a triangle of the large one.
    const Soup large = random_soup(random, 30, 0.5);
    const Soup small = scaled(random_soup(random, 30, 0.5), ratio);
    const Pose pose = spoilt(random, random_pose(random, point_in(random, 1.0)));
    const Pose about = random_pose(random, posed(pose, large.positions[0]));
    cases.push_back({"a large by " + std::to_string(ratio), large, small, pose, about});
    cases.push_back({"b large by " + std::to_string(ratio), small, large, about, pose});
  }
  for (const double far : {1e3, 1e7, 1e12, 1e300}) {
    const Vec3 there = far * Vec3{0.7, -1.0, 0.4};
    const Soup a = scaled(random_soup(random, 30, 0.5), 1.0, there);
    Pose pose = random_pose(random, {});
    pose.translation = -1.0 * posed(pose, there);
    cases.push_back({"a far by " + std::to_string(std::log10(far)), a, random_soup(random, 30, 0.5), pose,
                     random_pose(random, point_in(random, 0.5))});
    cases.push_back({"both far by " + std::to_string(std::log10(far)), random_soup(random, 30, 0.5),
                     random_soup(random, 30, 0.5), random_pose(random, there), random_pose(random, there)});
  }
  for (const Vec3& moved : {Vec3{2, 0, 0}, Vec3{0.25, -2, 0.125}, Vec3{2, 2, 0.5}, Vec3{2, -2, 2}, Vec3{0, 0, 0},
                            Vec3{std::nextafter(2.0, 0.0), 0, 0}}) {
    const Soup box = box_surface(3);
    const Pose turned = {{Vec3{0, 1, 0}, Vec3{0, 0, -1}, Vec3{-1, 0, 0}}, moved};
    cases.push_back({"boxes", box, box, {}, {.translation = moved}});
    cases.push_back({"turned boxes", box, box, {}, turned});
    // Both with the same rotation: faces touch up to rounding.
    const Pose any = random_pose(random, {});
    cases.push_back({"boxes at an angle", box, box, any, compose(any, turned)});
  }
  for (int i = 0; i < 4; ++i) {
    const Soup points = random_soup(random, 20, 0.5, true);
    cases.push_back({"segments and points", points, points, {}, {}});
    const Pose pose = random_pose(random, point_in(random, 0.5));
    cases.push_back({"segments, points and triangles", random_soup(random, 30, 0.5), points, pose, pose});
  }
  return cases;
}

std::array<Vec3, 3> posed_corners(const Soup& soup, const Pose& pose, TriangleId triangle) {
  const auto& [i, j, k] = soup.triangles[triangle];
  return {posed(pose, soup.positions[i]), posed(pose, soup.positions[j]), posed(pose, soup.positions[k])};
}

bool intersects(const TraversalCase& traversal_case, const TrianglePair& pair) {
  bool exact = false;
  return narrow::triangles_intersect(posed_corners(traversal_case.a, traversal_case.pose_a, pair.a),
                                     posed_corners(traversal_case.b, traversal_case.pose_b, pair.b), exact);
}

}  // namespace

const std::vector<TraversalCase>& traversal_cases() {
  static const std::vector<TraversalCase> kCases = make_cases();
  return kCases;
}

Soup rough_ball(int levels) {
  Soup soup;
  soup.positions = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (const std::uint32_t x : {0U, 1U}) {
    for (const std::uint32_t y : {2U, 3U}) {
      for (const std::uint32_t z : {4U, 5U}) soup.triangles.push_back({x, y, z});
    }
  }
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> halves;
    const auto half = [&](std::uint32_t i, std::uint32_t j) {
      const auto [at, is_new] =
          halves.try_emplace(std::minmax(i, j), static_cast<std::uint32_t>(soup.positions.size()));
      if (is_new) {
        const Vec3 sum = soup.positions[i] + soup.positions[j];
        soup.positions.push_back((1.0 / length(sum)) * sum);
      }
      return at->second;
    };
    std::vector<Triangle> finer;
    for (const auto& [i, j, k] : soup.triangles) {
      const std::uint32_t ij = half(i, j);
      const std::uint32_t jk = half(j, k);
      const std::uint32_t ki = half(k, i);
      finer.insert(finer.end(), {{i, ij, ki}, {ij, j, jk}, {ki, jk, k}, {ij, jk, ki}});
    }
    soup.triangles = std::move(finer);
  }
  for (Vec3& x : soup.positions) x = (1.0 + 0.2 * std::sin(5.0 * x.x) * std::sin(4.0 * x.y + 1.0)) * x;
  return soup;
}

Pairs intersecting_pairs(const TraversalCase& traversal_case) {
  Pairs pairs;
  for (TriangleId i = 0; i < traversal_case.a.triangles.size(); ++i) {
    for (TriangleId j = 0; j < traversal_case.b.triangles.size(); ++j) {
      if (intersects(traversal_case, {i, j})) pairs.insert({i, j});
    }
  }
  return pairs;
}

Pairs filter_intersecting(const TraversalCase& traversal_case, const Pairs& pairs) {
  Pairs result;
  for (const TrianglePair& pair : pairs) {
    if (intersects(traversal_case, pair)) result.insert(pair);
  }
  return result;
}

Placed place_soup(const Soup& soup, const LocalFrame& local_frame, const Pose& pose, double slack, double steps) {
  double max_coordinate = 0.0;
  for (const Vec3& x : soup.positions) max_coordinate = std::max(max_coordinate, max_abs(x));
  return {local_frame, pose, max_coordinate, slack, steps};
}

Pairs pairs_of(const std::function<void(LeafSink&)>& traverse) {
  Pairs pairs;
  const auto drain = [&](std::span<const TrianglePair> batch) {
    for (const TrianglePair& pair : batch) {
      EXPECT_TRUE(pairs.insert(pair).second) << pair.a << " " << pair.b << " is generated twice";
    }
    return false;
  };
  LeafSink sink(drain, 16);
  traverse(sink);
  return pairs;
}

}  // namespace graze::rigid::testing

// Convex shapes against a mesh and against each other: processor time of a query, one thread, least of some rounds.
//
// The mesh is a torus of 80,000 triangles; each shape is about a fifth of its size, in random poses whose centres
// lie on spheres of three radii: most near the surface, some beside it, all apart. Pairs of shapes overlap in about
// half of the poses. Answers are checked while they are measured: a hit iff there is a triangle, and iff the
// distance is 0.
//
//   graze_bench_rigid_shapes [QUERIES]
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <graze/graze.hpp>

#include "scenes/shapes/solids.hpp"

namespace {

using namespace graze;

constexpr int kRounds = 5;

/// Processor time of one query in microseconds: the least of some rounds.
template <typename Work>
double microseconds(std::size_t queries, const Work& work) {
  double least = 1e300;
  for (int round = 0; round < kRounds; ++round) {
    const std::clock_t start = std::clock();
    for (std::size_t i = 0; i < queries; ++i) work(i);
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least / static_cast<double>(queries) * 1e6;
}

/// A low-discrepancy sequence in [-1, 1).
double spread(std::size_t i, double step) {
  const double x = static_cast<double>(i + 1) * step;
  return 2.0 * (x - std::floor(x)) - 1.0;
}

Pose pose_at(std::size_t i, double radius) {
  const Vec3 d{spread(i, 0.8191725133961645), spread(i, 0.6710436067037893), spread(i, 0.5497004779019703)};
  const double length = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  return pose_from_axis_angle({spread(i, 0.7548776662466927), 0.3, spread(i, 0.5698402909980532)}, 0.1 * double(i),
                              {radius * d.x / length, radius * d.y / length, radius * d.z / length});
}

/// Names are string literals, with a zero at the end.
const char* name(const RigidShape& shape) {
  return name_of(shape.kind()).data();
}

std::vector<Vec3> hull_points() {
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < 20; ++i) points.push_back(pose_at(i, 0.2).translation);
  return points;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t queries = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 200;
  if (queries == 0) {
    std::fputs("usage: graze_bench_rigid_shapes [QUERIES]\n", stderr);
    return 2;
  }
  const scenes::Shape torus = scenes::make_torus(0.75, 0.3, 80'000);
  const RigidObject mesh(torus.positions, torus.triangles);
  const PosedObject placed{&mesh, {}};
  const std::array<RigidShape, 7> shapes{
      RigidShape::box({0.1, 0.15, 0.2}),     RigidShape::sphere(0.15),
      RigidShape::capsule(0.1, 0.15),        RigidShape::cylinder(0.1, 0.15),
      RigidShape::cone(0.1, 0.15),           RigidShape::half_space({0.3, 0.2, 1}, -0.1),
      RigidShape::convex_hull(hull_points())};
  bool consistent = true;
  std::printf("%zu triangles, %zu queries\n", mesh.triangles().size(), queries);
  std::printf("%-11s %6s %6s %10s %10s %10s %12s\n", "shape", "centre", "hits", "first us", "all us", "triangles",
              "distance us");
  for (const RigidShape& shape : shapes) {
    for (const double radius : {0.9, 1.25, 2.0}) {
      std::vector<PosedShape> posed;
      for (std::size_t i = 0; i < queries; ++i) posed.push_back({shape, pose_at(i, radius)});
      std::vector<bool> hits(queries);
      std::vector<std::size_t> counts(queries);
      std::vector<double> distances(queries);
      const double first = microseconds(queries, [&](std::size_t i) { hits[i] = shape_hit(posed[i], placed).hit; });
      const double all = microseconds(
          queries, [&](std::size_t i) { counts[i] = shape_triangles(posed[i], placed).triangles.size(); });
      const double distance =
          microseconds(queries, [&](std::size_t i) { distances[i] = shape_distance(posed[i], placed).lo; });
      std::size_t hit_count = 0;
      std::size_t triangles = 0;
      for (std::size_t i = 0; i < queries; ++i) {
        consistent = consistent && hits[i] == (counts[i] > 0) && hits[i] == (distances[i] == 0.0);
        hit_count += hits[i] ? 1U : 0U;
        triangles += counts[i];
      }
      std::printf("%-11s %6.2f %6zu %10.2f %10.2f %10zu %12.2f\n", name(shape), radius, hit_count, first, all,
                  triangles / queries, distance);
    }
  }
  // A box that lies on a floor: every triangle below it touches it to the bit.
  const scenes::Shape grid = scenes::make_grid(51);
  const RigidObject floor(grid.positions, grid.triangles);
  const PosedShape box{RigidShape::box({0.5, 0.5, 0.25}), {.translation = {0, 0, 0.25}}};
  ShapeTriangles touched;
  const double us = microseconds(10, [&](std::size_t) { touched = shape_triangles(box, {&floor, {}}); });
  std::printf("\nbox on a floor: %zu of %zu triangles in %.0f us, %llu decided in integers\n",
              touched.triangles.size(), floor.triangles().size(), us,
              static_cast<unsigned long long>(touched.stats.tiers.exact));
  std::printf("\n%-11s", "hit us");
  for (const RigidShape& other : shapes) std::printf(" %10s", name(other));
  for (const RigidShape& shape : shapes) {
    std::printf("\n%-11s", name(shape));
    for (const RigidShape& other : shapes) {
      constexpr std::size_t kPairs = 1000;
      std::vector<PosedShape> a;
      std::vector<PosedShape> b;
      for (std::size_t i = 0; i < kPairs; ++i) {
        a.push_back({shape, pose_at(i, 0.12)});
        b.push_back({other, pose_at(i + kPairs, 0.12)});
      }
      std::vector<bool> hits(kPairs);
      std::printf(" %10.3f", microseconds(kPairs, [&](std::size_t i) { hits[i] = shape_hit(a[i], b[i]).hit; }));
      for (std::size_t i = 0; i < kPairs; ++i)
        consistent = consistent && hits[i] == (shape_distance(a[i], b[i]).lo == 0.0);
    }
  }
  std::printf("\n%s\n", consistent ? "answers agree" : "ANSWERS DIFFER");
  return consistent ? 0 : 1;
}

// Figures and garments: bodies are closed and free of self-intersections during their whole motion, which starts
// from rest and has no jumps; garments are separated from the body and from each other at the start.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "scenes/shape_checks.hpp"
#include "scenes/shapes/build.hpp"
#include "scenes/shapes/figures.hpp"
#include "scenes/shapes/garments.hpp"

namespace graze::scenes {
namespace {

constexpr FigureMotion kMotions[] = {FigureMotion::Sway, FigureMotion::Dance, FigureMotion::Sit};

double max_displacement(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, shaping::norm(b[i] - a[i]));
  return most;
}

TEST(Figures, BodiesAreClosedAndStandUpright) {
  for (const FigureMotion motion : kMotions) {
    for (const std::size_t triangles : {3000U, 12000U}) {
      const Figure figure(motion, triangles);
      expect_closed(figure.rest());
      expect_size(figure.rest(), triangles);
      EXPECT_TRUE(shaping::is_closed_manifold(figure.rest()));
      EXPECT_EQ(genus(figure.rest()), 0) << "legs and arms are apart";
      EXPECT_GT(enclosed_volume(figure.rest()), 0.03);
      const auto [low, high] = std::minmax_element(figure.rest().positions.begin(), figure.rest().positions.end(),
                                                   [](const Vec3& a, const Vec3& b) { return a.z < b.z; });
      EXPECT_NEAR(low->z, 0.0, 0.02);
      EXPECT_NEAR(high->z, 1.75, 0.05);
    }
  }
}

TEST(Figures, MotionNeverIntersectsTheBody) {
  for (const FigureMotion motion : kMotions) {
    const Figure figure(motion, 4000);
    EXPECT_LT(max_displacement(figure.positions(0.0), figure.rest().positions), 1e-8);
    for (const double time : {0.0, 0.7, 1.3, 1.9, 2.6, 4.1}) {
      const Shape posed{figure.positions(time), figure.rest().triangles};
      EXPECT_EQ(intersection_count(posed), 0U) << time;
      EXPECT_GT(enclosed_volume(posed), 0.9 * enclosed_volume(figure.rest())) << time;
    }
  }
}

TEST(Figures, MotionStartsFromRestAndHasNoJumpsInSpeed) {
  constexpr double kTick = 1.0 / 240.0;
  for (const FigureMotion motion : kMotions) {
    const Figure figure(motion, 1000);
    std::vector<Vec3> before = figure.positions(0.0);
    std::vector<Vec3> now = figure.positions(kTick);
    EXPECT_LT(max_displacement(before, now), 2e-4);
    double moved = 0.0;
    for (int i = 2; i < 960; ++i) {
      std::vector<Vec3> next = figure.positions(kTick * i);
      // A jump in speed of 1 unit per second would show as 1/240.
      std::vector<Vec3> straight(now.size());
      for (std::size_t k = 0; k < now.size(); ++k) straight[k] = now[k] + (now[k] - before[k]);
      ASSERT_LT(max_displacement(straight, next), 3e-4) << i;
      moved = std::max(moved, max_displacement(now, next));
      before = std::move(now);
      now = std::move(next);
    }
    EXPECT_GT(moved, 5e-4) << "it does move";
  }
}

TEST(Figures, SittingLowersTheHipsAndKeepsTheFeet) {
  const Figure figure = make_sitter(1000);
  const std::vector<Vec3> points = {{0.14, 0.1, 0.05}, {0.13, 0.0, 0.60}, {0.0, 0.0, 1.05}, {0.0, 0.0, 1.7}};
  EXPECT_EQ(figure.carried(points, 0.5), figure.carried(points, 0.0)) << "stands first";
  const std::vector<Vec3> seated = figure.carried(points, 3.0);
  EXPECT_NEAR(seated[0].z, points[0].z, 1e-6);
  EXPECT_NEAR(seated[0].y, points[0].y, 1e-6);
  EXPECT_LT(seated[2].z, 0.8);
  EXPECT_LT(seated[2].y, -0.3) << "hips behind the feet";
  EXPECT_NEAR(seated[3].z - seated[2].z, 0.65, 0.01) << "back upright";
}

TEST(Figures, GarmentsTouchNeitherBodyNorEachOther) {
  for (const FigureMotion motion : kMotions) {
    const Figure figure(motion, 3000);
    Shape dressed = figure.rest();
    const std::vector<Garment> skirts = make_skirts(figure, 7, 5600);
    ASSERT_EQ(skirts.size(), 7U);
    for (const Garment& skirt : skirts) {
      expect_sound(skirt.shape);
      expect_size(skirt.shape, 800);
      EXPECT_GT(worst_triangle(skirt.shape), 0.15);
      EXPECT_EQ(papers::boundary_edges(build_topology(skirt.shape.triangles, skirt.shape.positions.size())).size(),
                2 * skirt.held.size());
      for (const VertexId id : skirt.held) EXPECT_NEAR(skirt.shape.positions[id].z, 1.06, 1e-12);
      shaping::append(dressed, skirt.shape);
    }
    EXPECT_EQ(intersection_count(dressed), 0U);
    const Garment dress = make_dress(figure, 1500);
    expect_size(dress.shape, 1500);
    EXPECT_EQ(intersection_count(figure.rest(), dress.shape), 0U);
  }
}

TEST(Figures, TubeHasTheRadiiAsked) {
  const Garment tube = make_tube({.top_z = 2.0, .bottom_z = 1.0, .top_radius = 0.5, .bottom_radius = 0.75}, 2000);
  expect_size(tube.shape, 2000);
  EXPECT_EQ(intersection_count(tube.shape), 0U);
  for (const VertexId id : tube.held) {
    const Vec3& p = tube.shape.positions[id];
    EXPECT_NEAR(p.x * p.x + p.y * p.y, 0.25, 1e-8);
    EXPECT_EQ(p.z, 2.0);
  }
}

TEST(Figures, EveryBitIsTheSameEverywhere) {
  const auto posed = [](const Figure& figure) { return fingerprint(figure.positions(1.7), figure.triangles()); };
  EXPECT_EQ(posed(make_mannequin(2000)), 0xA7E22330A864D6CEU);
  EXPECT_EQ(posed(make_dancer(2000)), 0x9712823E49ED4E56U);
  EXPECT_EQ(posed(make_sitter(2000)), 0x042C9C21F6A30DBAU);
  EXPECT_EQ(fingerprint(make_skirts(make_dancer(2000), 2, 1000)[1].shape), 0x99312D2999494BE7U);
}

}  // namespace
}  // namespace graze::scenes

// The simulator: bodies behave according to their kind, and no step ever passes through a contact.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <sstream>
#include <vector>

#include <graze/detector.hpp>
#include <graze/error.hpp>

#include "scenes/setup.hpp"
#include "scenes/shapes.hpp"
#include "scenes/shapes/solids.hpp"
#include "scenes/sim/simulation.hpp"

namespace graze::scenes::sim {
namespace {

Shape ground() {
  return placed_shape(make_grid(3), 4.0, {}, {});
}

std::size_t intersection_count(const Simulation& simulation) {
  Scene scene;
  scene.add_body({.positions = simulation.model().x, .triangles = simulation.model().triangles});
  return Detector(scene).intersections(simulation.model().x).edge_face.size();
}

double largest_edge_error(const Simulation& simulation, std::span<const Triangle> triangles) {
  double most = 0.0;
  const Model& model = simulation.model();
  for (const Triangle& t : triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const VertexId a = t[k];
      const VertexId b = t[(k + 1) % 3];
      const double rest = length(model.rest[b] - model.rest[a]);
      most = std::max(most, std::abs(length(model.x[b] - model.x[a]) - rest) / rest);
    }
  }
  return most;
}

double volume(const Simulation& simulation, const BodyRange& body) {
  double six = 0.0;
  for (std::size_t t = body.first_triangle; t < body.last_triangle; ++t) {
    const Triangle& triangle = simulation.model().triangles[t];
    const auto& x = simulation.model().x;
    six += dot(x[triangle[0]], cross(x[triangle[1]], x[triangle[2]]));
  }
  return six / 6.0;
}

TEST(Simulation, RotationPartUndoesAStretchAfterATurn) {
  const Quat turn = normalised({0.8, {0.3, -0.4, 0.2}});
  const Mat3 r = matrix(turn);
  // R times a symmetric positive stretch: its rotation part is R.
  const std::array<Vec3, 3> stretch = {Vec3{2.0, 0.3, 0.1}, Vec3{0.3, 1.5, -0.2}, Vec3{0.1, -0.2, 0.7}};
  const Quat found = rotation_part({r * stretch[0], r * stretch[1], r * stretch[2]}, {});
  const Mat3 f = matrix(found);
  for (std::size_t row = 0; row < 3; ++row) EXPECT_LT(length(f.row[row] - r.row[row]), 1e-5);
}

TEST(Simulation, AHangingClothKeepsItsEdgesAndSinks) {
  Simulation simulation({});
  const Shape cloth = make_grid(8);
  simulation.add_cloth(cloth, {});
  const std::array<VertexId, 2> corners = {0, 7};
  simulation.pin(corners, [&](double, std::span<Vec3> positions) {
    positions[0] = cloth.positions[0];
    positions[1] = cloth.positions[7];
  });
  simulation.start();
  for (int frame = 0; frame < 60; ++frame) simulation.advance();
  EXPECT_EQ(simulation.model().x[0], cloth.positions[0]);
  EXPECT_EQ(simulation.model().x[7], cloth.positions[7]);
  EXPECT_LT(simulation.model().x[63].z, -1.0) << "it hangs down from its pins";
  EXPECT_LT(largest_edge_error(simulation, cloth.triangles), 0.15);
  EXPECT_EQ(intersection_count(simulation), 0U);
}

TEST(Simulation, WindBlowsAClothOutToLee) {
  const auto mean_y = [](double wind) {
    SimulationOptions options;
    options.air = 20.0;
    options.wind = [wind](double) { return Vec3{0.0, wind, 0.0}; };
    Simulation simulation(options);
    // The cloth hangs in the plane y = 0 from its upper edge.
    const Shape cloth = placed_shape(make_grid(6), 1.0, {0.25, 0.0, 0.0}, {});
    simulation.add_cloth(cloth, {});
    std::vector<VertexId> top;
    std::vector<Vec3> places;
    for (VertexId i = 0; i < cloth.positions.size(); ++i) {
      if (cloth.positions[i].z < 0.99) continue;
      top.push_back(i);
      places.push_back(cloth.positions[i]);
    }
    simulation.pin(top,
                   [places](double, std::span<Vec3> out) { std::copy(places.begin(), places.end(), out.begin()); });
    simulation.start();
    for (int frame = 0; frame < 20; ++frame) simulation.advance();
    double sum = 0.0;
    for (const Vec3& p : simulation.model().x) sum += p.y;
    return sum / static_cast<double>(simulation.model().x.size());
  };
  EXPECT_GT(mean_y(3.0), 0.2);
  EXPECT_LT(mean_y(-3.0), -0.2);
}

TEST(Simulation, ARigidBallFallsAndComesToRestOnTheGround) {
  SimulationOptions options;
  options.thickness = 0.02;
  Simulation simulation(options);
  const Shape ball = make_sphere(2);
  simulation.add_static(ground());
  const PartId id = simulation.add_rigid(placed_shape(ball, 0.5, {0.1, 0.2, 0.3}, {0.1, 0.2, 1.5}), {});
  simulation.start();
  for (int frame = 0; frame < 60; ++frame) simulation.advance();
  double lowest = 1e300;
  const BodyRange body = simulation.bodies()[1];
  for (std::size_t i = body.first_vertex; i < body.last_vertex; ++i) {
    lowest = std::min(lowest, simulation.model().x[i].z);
  }
  EXPECT_GT(lowest, 0.0);
  EXPECT_LT(lowest, 0.03);
  EXPECT_LT(length(simulation.model().parts[id].velocity), 0.3);
  std::vector<Triangle> own(simulation.model().triangles.begin() + static_cast<std::ptrdiff_t>(body.first_triangle),
                            simulation.model().triangles.end());
  EXPECT_LT(largest_edge_error(simulation, own), 1e-9) << "rigid";
}

TEST(Simulation, FrictionHoldsABlockOnASlopeAndWithoutItSlides) {
  const auto slid = [](double friction) {
    SimulationOptions options;
    options.thickness = 0.01;
    options.friction = friction;
    options.gravity = {3.0, 0.0, -9.0};  // a slope of one in three
    Simulation simulation(options);
    simulation.add_static(ground());
    const PartId id =
        simulation.add_rigid(placed_shape(make_box({0.4, 0.4, 0.1}, 48), 1.0, {}, {0.03, 0.05, 0.111}), {});
    simulation.start();
    for (int frame = 0; frame < 20; ++frame) simulation.advance();
    return simulation.model().parts[id].pose.centre.x - 0.03;
  };
  EXPECT_LT(slid(0.8), 0.05);
  EXPECT_GT(slid(0.0), 0.4);
}

TEST(Simulation, ASoftTorusBouncesOnTheGroundAndKeepsItsVolume) {
  SimulationOptions options;
  options.thickness = 0.01;
  Simulation simulation(options);
  simulation.add_static(ground());
  Material rubber;
  rubber.shear = 0.0;
  rubber.shape = 0.02;
  simulation.add_soft(placed_shape(make_torus(1.0, 0.4, 240), 1.0, {0.1, 0.05, 0.0}, {0.0, 0.0, 1.5}), rubber);
  simulation.start();
  const BodyRange body = simulation.bodies()[1];
  const double before = volume(simulation, body);
  double least = before;
  for (int frame = 0; frame < 30; ++frame) {
    simulation.advance();
    least = std::min(least, volume(simulation, body));
  }
  EXPECT_GT(least, 0.9 * before);
  EXPECT_LT(simulation.model().x[body.first_vertex].z, 1.5);
  EXPECT_EQ(intersection_count(simulation), 0U);
}

// Two plates close on a cloth until no space is left: no motion can satisfy that, so that the clock must wait.
TEST(Simulation, PlatesThatWouldCrushAClothWait) {
  SimulationOptions options;
  options.thickness = 0.02;
  options.gravity = {};
  Simulation simulation(options);
  const Shape cloth = placed_shape(make_grid(6), 0.8, {}, {});
  simulation.add_cloth(cloth, {});
  for (const double side : {1.0, -1.0}) {
    const Shape plate = placed_shape(make_grid(3), 1.0, {}, {0.01, 0.02, 0.3 * side});
    simulation.add_kinematic(plate, [plate, side](double time, std::span<Vec3> positions) {
      for (std::size_t i = 0; i < positions.size(); ++i) {
        positions[i] = plate.positions[i];
        positions[i].z -= side * std::min(time, 1.0) * 1.2;  // the plates would pass through each other
      }
    });
  }
  simulation.start();
  for (int frame = 0; frame < 25; ++frame) {
    simulation.advance();
    ASSERT_EQ(intersection_count(simulation), 0U) << "frame " << frame;
  }
  EXPECT_GT(simulation.counts().shortened, 0U);
  const double upper = simulation.model().x[36].z;
  EXPECT_GT(upper, 0.0) << "the plate stopped above the cloth";
}

TEST(Simulation, ASceneThatIntersectsAtTheStartIsRefused) {
  Simulation simulation({});
  simulation.add_static(ground());
  simulation.add_rigid(make_sphere(2), {});
  EXPECT_THROW(simulation.start(), InputError);
}

// A hollow ball falls on the ground and breaks along given pieces.
std::unique_ptr<Simulation> china_ball(bool rigid_pieces) {
  SimulationOptions options;
  options.thickness = 0.005;
  auto simulation = std::make_unique<Simulation>(options);
  simulation->add_static(ground());
  const Shape ball = placed_shape(make_sphere(4), 0.5, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.8});
  Material china;
  china.strength = 1.0;
  china.pieces_rigid = rigid_pieces;
  simulation->add_rigid(ball, china);
  Random random(5);
  simulation->set_pieces(make_pieces(ball, 9, random));
  simulation->start();
  return simulation;
}

TEST(Simulation, WhatBreaksHasNewVerticesThatAreCopiesOfTheirParents) {
  for (const bool rigid : {true, false}) {
    const auto simulation = china_ball(rigid);
    const std::size_t triangles = simulation->model().triangles.size();
    std::size_t vertices = simulation->model().x.size();
    std::size_t changes = 0;
    for (std::size_t frame = 0; frame < 20; ++frame) {
      const std::vector<Triangle> before = simulation->model().triangles;
      const std::optional<TopologyChange> change = simulation->advance();
      ASSERT_EQ(intersection_count(*simulation), 0U) << "frame " << frame;
      ASSERT_EQ(simulation->model().triangles.size(), triangles);
      if (!change) continue;
      ++changes;
      EXPECT_EQ(change->frame, frame);
      EXPECT_EQ(simulation->model().x.size(), vertices + change->parents.size());
      EXPECT_FALSE(change->parents.empty());
      // Each corner is unchanged or a copy of the old vertex.
      for (std::size_t t = 0; t < triangles; ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
          const VertexId now = change->triangles[t][k];
          EXPECT_EQ(now < vertices ? now : change->parents[now - vertices], before[t][k]);
        }
      }
      vertices += change->parents.size();
    }
    EXPECT_GT(changes, 0U);
    EXPECT_GT(simulation->model().parts.size(), 5U) << "pieces";
    EXPECT_EQ(simulation->bodies().back().last_vertex, vertices);
  }
}

TEST(Simulation, ASavedStateGoesOnWithTheSameBits) {
  const auto whole = china_ball(false);
  const auto first = china_ball(false);
  for (int frame = 0; frame < 12; ++frame) {
    whole->advance();
    first->advance();
  }
  std::stringstream state;
  first->save(state);
  const auto second = china_ball(false);
  second->load(state);
  for (int frame = 0; frame < 4; ++frame) {
    whole->advance();
    second->advance();
    ASSERT_EQ(second->model().x, whole->model().x);
    ASSERT_EQ(second->model().triangles, whole->model().triangles);
  }
}

TEST(Simulation, AnEditedDetectorMovesThePiecesAsANewOneDoes) {
  const auto edited = china_ball(true);
  const auto anew = china_ball(true);  // load builds its detector from scratch
  std::size_t changes = 0;
  for (int frame = 0; frame < 16; ++frame) {
    std::stringstream state;
    edited->save(state);
    anew->load(state);
    changes += edited->advance() ? 1U : 0U;
    anew->advance();
    ASSERT_EQ(anew->model().x, edited->model().x) << frame;
    ASSERT_EQ(anew->model().triangles, edited->model().triangles) << frame;
  }
  EXPECT_GT(changes, 0U);
}

TEST(Simulation, ABrokenStateIsRefusedAndChangesNothing) {
  const auto simulation = china_ball(true);
  std::stringstream state;
  simulation->save(state);
  const std::string bytes = state.str();
  const std::vector<Vec3> before = simulation->model().x;
  for (const std::size_t size : {std::size_t{0}, std::size_t{20}, bytes.size() / 2, bytes.size() - 1}) {
    std::istringstream cut(bytes.substr(0, size));
    EXPECT_THROW(simulation->load(cut), InputError) << size;
  }
  Simulation other({});
  other.add_static(ground());
  other.start();
  std::istringstream foreign(bytes);
  EXPECT_THROW(other.load(foreign), InputError);
  EXPECT_EQ(simulation->model().x, before);
}

}  // namespace
}  // namespace graze::scenes::sim

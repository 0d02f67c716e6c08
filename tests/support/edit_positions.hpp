// Where the vertices of an edited scene are at a query: functions of the seed, the round and the ids alone, so that
// a script that is cut down still meets the same geometry.
//
// Calm steps in which cones hold and torn sides lie on each other, sheets wound over themselves under one normal,
// bodies that jump, coordinates that coincide, all points in one. Static bodies stay where they are for some
// rounds. Removed vertices are where no vertex can be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <graze/scene.hpp>

namespace graze::testing {

struct EditStep {
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;
};

/// `which` tells the queries of a round apart.
EditStep edit_step(const Scene& scene, std::uint64_t seed, std::uint32_t round, std::uint32_t which);

std::size_t living_triangles(const Scene& scene);

}  // namespace graze::testing

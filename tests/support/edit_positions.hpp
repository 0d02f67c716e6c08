// Positions of the vertices of an edited scene at a query: functions of the seed, the round and the ids only, so
// that a shortened script sees the same geometry.
//
// Calm steps in which cones are proved and torn edges coincide, sheets wound over themselves under one normal,
// bodies that jump, coinciding coordinates, all points in one. Static bodies stay where they are for some rounds.
// Removed vertices get positions that no vertex can have.
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

/// `which` distinguishes the queries of a round.
EditStep edit_step(const Scene& scene, std::uint64_t seed, std::uint32_t round, std::uint32_t which);

std::size_t existing_triangles(const Scene& scene);

}  // namespace graze::testing

// Rays and segments against a world: the trees of boxes find objects, a tree of the mesh finds triangles, and
// narrow/ray_triangle.hpp decides.
#pragma once

#include <span>
#include <vector>

#include <graze/rigid_world.hpp>

#include "rigid/world/world_state.hpp"

namespace graze::rigid {

/// The line of a ray or segment. Throws InputError, naming function and value, if it is invalid.
RayLine line_of(const Ray& ray, std::string_view function);
RayLine line_of(const Segment& segment, std::string_view function);

/// The first triangle along each line. Results do not depend on the number of threads.
std::vector<RayFirstHit> find_first_ray_hits(const WorldState& world, std::span<const RayLine> lines,
                                             const WorldOptions& options);
/// All triangles along a line, sorted as in RayHits. On the calling thread.
RayHits find_ray_hits(const WorldState& world, const RayLine& line, const WorldOptions& options);

}  // namespace graze::rigid

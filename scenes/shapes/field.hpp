// Closed surfaces from scalar fields: a solid is the set where a function is negative, and its surface is meshed
// with triangles of even size.
//
// The mesh is a surface net (Gibson 1998): one vertex for each lattice cell that the surface passes through, a quad
// for each lattice edge that crosses it; vertices are then relaxed towards their neighbours and projected back onto
// the surface, which makes the triangles even. A cell that two sheets pass through would not give a manifold, so it
// is filled. Cost: a few evaluations per lattice line, one byte per lattice point, a few evaluations per vertex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <graze/types.hpp>

#include "scenes/shapes.hpp"

namespace graze::scenes::shaping {

/// Negative inside the solid. Lipschitz continuous with constant kFieldSlope, as distances are with 1.
using Field = std::function<double(const Vec3&)>;
inline constexpr double kFieldSlope = 1.5;

struct FieldBounds {
  Vec3 low;
  Vec3 high;
};

/// Meshes the surface of a solid that lies within the bounds: closed, manifold, facing outward, with about the
/// requested number of triangles.
Shape make_skin(const Field& field, const FieldBounds& bounds, std::size_t triangles);

/// Distance to a capsule from a to b whose radius varies from radius_a to radius_b; nearly exact for slim cones.
double stick_distance(const Vec3& p, const Vec3& a, const Vec3& b, double radius_a, double radius_b);

/// Union of two solids, rounded where they are within `blend` of each other.
double smooth_union(double a, double b, double blend);

/// Smooth noise in [-1, 1] with one random value per lattice point of spacing 1; slope at most about 3.
double smooth_noise(const Vec3& p, std::uint64_t seed);

}  // namespace graze::scenes::shaping

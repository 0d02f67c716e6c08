// Closed surfaces from fields: a solid is where a function is negative, and its skin comes out as even triangles.
//
// The skin is a surface net (Gibson 1998): one vertex a lattice cell that the surface passes through, a quad for
// each lattice edge that crosses it; then relaxed towards neighbours and back onto the surface, which makes the
// triangles even. A cell that two sheets pass through would not give a manifold: it is filled. Cost: a few
// evaluations a lattice line, one byte a lattice point, a few evaluations a vertex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <graze/types.hpp>

#include "scenes/shapes.hpp"

namespace graze::scenes::shaping {

/// Negative inside. Changes by at most kFieldSlope times the distance moved, as distances do.
using Field = std::function<double(const Vec3&)>;
inline constexpr double kFieldSlope = 1.5;

struct FieldBounds {
  Vec3 low;
  Vec3 high;
};

/// The skin of a solid that lies within the bounds, facing outward: closed, manifold, about as many triangles as
/// asked.
Shape make_skin(const Field& field, const FieldBounds& bounds, std::size_t triangles);

/// Distance to a stick from a to b whose radius goes from radius_a to radius_b; about exact for slim cones.
double stick_distance(const Vec3& p, const Vec3& a, const Vec3& b, double radius_a, double radius_b);

/// The union of two solids, rounded where they are within `blend` of each other.
double smooth_union(double a, double b, double blend);

/// Smooth noise in [-1, 1] with one random value a lattice point of spacing 1; slope at most about 3.
double smooth_noise(const Vec3& p, std::uint64_t seed);

}  // namespace graze::scenes::shaping

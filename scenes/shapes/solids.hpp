// Closed solids with a formula: torus, capsule, bowl, box, box without a lid, room. All manifold, facing outward
// (the room inward), centred at the origin, z up; about as many triangles as asked, as even as the shape lets them
// be.
#pragma once

#include <cstddef>

#include "scenes/shapes.hpp"

namespace graze::scenes {

/// About the z axis: `major` from the centre to the middle of the tube, `minor` the tube's radius, < major.
Shape make_torus(double major, double minor, std::size_t triangles);

/// Along z: a cylinder of that radius, `length` between the centres of its two round ends; length 0 is a ball.
Shape make_capsule(double radius, double length, std::size_t triangles);

/// A thick half ball, open above: its hollow has the inner radius, its round rim is at z = 0.
Shape make_bowl(double inner_radius, double thickness, std::size_t triangles);

/// A solid box, edges 2 * half.
Shape make_box(const Vec3& half, std::size_t triangles);

/// The inside of a box: the same surface, facing inward.
Shape make_room(const Vec3& half, std::size_t triangles);

/// A bottom and four walls of that thickness round a hollow of 2 * half, open above; one closed surface.
Shape make_open_box(const Vec3& half, double wall, std::size_t triangles);

}  // namespace graze::scenes

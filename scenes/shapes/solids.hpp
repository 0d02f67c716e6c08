// Closed solids given by formulas: torus, capsule, bowl, box, box without a lid, room. All are manifold, face
// outward (the room inward) and are centred at the origin, with z up; they have about the requested number of
// triangles, as even as the shape allows. Cost: linear in the generated triangles.
#pragma once

#include <cstddef>

#include "scenes/shapes.hpp"

namespace graze::scenes {

/// About the z axis: `major` from the centre to the middle of the tube, `minor` is the tube's radius, < major.
Shape make_torus(double major, double minor, std::size_t triangles);

/// Along z: a cylinder with `length` between the centres of its two hemispherical ends; length 0 is a ball.
Shape make_capsule(double radius, double length, std::size_t triangles);

/// A thick half ball, open above: its inner surface has the inner radius, its rounded rim is at z = 0.
Shape make_bowl(double inner_radius, double thickness, std::size_t triangles);

/// A solid box with edges 2 * half.
Shape make_box(const Vec3& half, std::size_t triangles);

/// The interior of a box: the surface of make_box, facing inward.
Shape make_room(const Vec3& half, std::size_t triangles);

/// A bottom and four walls around an interior of 2 * half, open above; one closed surface.
Shape make_open_box(const Vec3& half, double wall, std::size_t triangles);

}  // namespace graze::scenes

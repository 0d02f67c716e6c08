// What is simulated: particles, triangles, and the parts they belong to. Plain arrays of plain structs, so that the
// whole state is saved and restored bit for bit by copying them.
//
// A part is a set of triangles that moves as one thing: a cloth, a soft body, a rigid body, an obstacle, or a
// piece that broke off one of these. Every particle belongs to one part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "scenes/sim/vector.hpp"

namespace graze::scenes::sim {

using PartId = std::uint32_t;

enum class Kind : std::uint8_t {
  Static,     ///< never moves
  Kinematic,  ///< moves as written down
  Cloth,      ///< stretch, shear and bend
  Soft,       ///< a closed surface with volume and a shape to return to
  Rigid,
};

/// Compliances are inverse stiffnesses in XPBD (Macklin, Mueller, Chentanez 2016); 0 is as stiff as the iterations
/// make it.
struct Material {
  double stretch = 0.0;       ///< compliance along edges
  double shear = 5e-5;        ///< along the longest edge of a triangle, and across it
  double bend = 1e-4;         ///< across the other edges
  double volume = 0.0;        ///< of soft bodies
  double shape = 0.1;         ///< share of the way back to its shape that a soft body goes in an iteration
  double mass = 1.0;          ///< of a particle, against those of other bodies
  double strength = 0.0;      ///< breaks where a contact stops it faster than this, in length/time; 0: never
  bool pieces_rigid = false;  ///< what breaks off is rigid, else soft
};

struct Pose {
  Vec3 centre;
  Quat rotation;
};

struct Part {
  Kind kind = Kind::Static;
  Material material;
  Quat rotation;  ///< last fit of a soft body: first guess of the next
  // Rigid parts only.
  Pose pose;
  Vec3 velocity;
  Vec3 spin;
  double inverse_mass = 0.0;
  Mat3 inverse_inertia;  ///< in its own frame
};

/// Everything that a later frame depends on, besides the setup and the clock.
struct Model {
  std::vector<Vec3> x;               ///< positions
  std::vector<Vec3> v;               ///< velocities; not those of rigid parts
  std::vector<Vec3> rest;            ///< undeformed; of rigid parts: in their own frame
  std::vector<double> inverse_mass;  ///< 0: does not answer to forces
  std::vector<PartId> part;
  std::vector<Triangle> triangles;
  std::vector<PartId> triangle_part;
  std::vector<std::uint32_t> triangle_piece;  ///< where it may break: triangles of one piece stay together
  std::vector<Part> parts;
};

/// A rigid part's particles where its pose puts them.
inline Vec3 placed(const Pose& pose, const Mat3& rotation, const Vec3& rest) {
  return pose.centre + rotation * rest;
}

/// Sets up the rigid state of a part from the positions of its particles, all of which are named: centre, mass,
/// inertia, own frame. Positions may change in their last bits.
void make_rigid(Model& model, PartId id, std::span<const VertexId> members);

}  // namespace graze::scenes::sim

// State of the simulation: particles, triangles, and the parts they belong to. Plain arrays of plain structs, so
// that the whole state is saved and restored bit for bit by copying the arrays.
//
// A part is a set of triangles that moves as one unit: a cloth, a soft body, a rigid body, an obstacle, or a piece
// that broke off another part. Every particle belongs to one part.
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
  Kinematic,  ///< follows a given path
  Cloth,      ///< resists stretch, shear and bending
  Soft,       ///< closed surface with a volume and a rest shape
  Rigid,
};

/// Parameters of a part. Compliances are inverse stiffnesses in XPBD (Macklin, Mueller, Chentanez 2016); 0 is as
/// stiff as the number of iterations allows.
struct Material {
  double stretch = 0.0;       ///< compliance along edges
  double shear = 5e-5;        ///< compliance along the longest edge of a triangle, and across it
  double bend = 1e-4;         ///< compliance across the other edges
  double volume = 0.0;        ///< compliance of the volume of soft bodies
  double shape = 0.1;         ///< fraction of the deviation from its rest shape that a soft body recovers per
                              ///< iteration
  double mass = 1.0;          ///< mass of a particle, relative to other bodies
  double strength = 0.0;      ///< breaks where a contact stops it faster than this, in length/time; 0: never breaks
  bool pieces_rigid = false;  ///< pieces that break off are rigid, otherwise soft
};

struct Pose {
  Vec3 centre;
  Quat rotation;
};

struct Part {
  Kind kind = Kind::Static;
  Material material;
  Quat rotation;  ///< last fit of a soft body: initial guess of the next fit
  // Fields of rigid parts only.
  Pose pose;
  Vec3 velocity;
  Vec3 spin;
  double inverse_mass = 0.0;
  Mat3 inverse_inertia;  ///< in the local frame
};

/// Everything that a later frame depends on, apart from the setup and the clock.
struct Model {
  std::vector<Vec3> x;               ///< positions
  std::vector<Vec3> v;               ///< velocities; unused for rigid parts
  std::vector<Vec3> rest;            ///< undeformed positions; for rigid parts in the local frame
  std::vector<double> inverse_mass;  ///< 0: does not respond to forces
  std::vector<PartId> part;
  std::vector<Triangle> triangles;
  std::vector<PartId> triangle_part;
  std::vector<std::uint32_t> triangle_piece;  ///< fracture pieces: the triangles of one piece stay together
  std::vector<Part> parts;
};

/// Position of a rigid part's particle in a pose.
inline Vec3 placed(const Pose& pose, const Mat3& rotation, const Vec3& rest) {
  return pose.centre + rotation * rest;
}

/// Initialises the rigid state of a part (centre, mass, inertia, local frame) from the positions of all of its
/// particles, `members`. Positions may change in their last bits.
void make_rigid(Model& model, PartId id, std::span<const VertexId> members);

}  // namespace graze::scenes::sim

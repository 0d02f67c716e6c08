// Contacts as half-space constraints with friction, made from the detector's proximities and impacts.
//
// A pair that comes closer than the thickness at time t is given the direction n between its closest points at t
// and must end the step at least the thickness apart along n. Cloth and soft bodies answer with their particles,
// rigid bodies with their pose (Mueller et al. 2020, "Detailed rigid body simulation with extended position based
// dynamics"). Friction follows the position-based form of Coulomb's law. Linear in contacts.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/results.hpp>

#include "scenes/sim/model.hpp"

namespace graze::scenes::sim {

struct Contact {
  std::array<VertexId, 4> vertices{};
  std::array<double, 4> weights{};  ///< first feature positive, second negative; each sums to 1
  std::uint32_t split = 1;          ///< vertices [0, split) are the first feature
  Vec3 normal;                      ///< from the second feature to the first
  double target = 0.0;              ///< distance along the normal to end with, at least
};

class Contacts {
 public:
  void clear() { contacts_.clear(); }
  [[nodiscard]] std::span<const Contact> all() const { return contacts_; }

  /// Adds what is closer than the thickness when the step begins.
  void add(const Model& model, std::span<const Proximity> proximities, double thickness);
  /// Adds the contacts of a step from model.x to y that was found to have these impacts.
  void add(const Model& model, std::span<const Vec3> y, std::span<const Impact> impacts, double thickness);

  /// One iteration on candidate positions (all but rigid parts) and candidate poses (rigid parts, by part id).
  void solve(const Model& model, std::span<Vec3> y, std::span<Pose> poses, double friction);

  /// The largest push a part got from a single contact since `clear_pushes`, and where.
  struct Push {
    double size = 0.0;
    Vec3 where;
  };
  void clear_pushes(std::size_t part_count) { pushes_.assign(part_count, {}); }
  [[nodiscard]] std::span<const Push> pushes() const { return pushes_; }

 private:
  std::vector<Contact> contacts_;
  std::vector<Push> pushes_;
};

}  // namespace graze::scenes::sim

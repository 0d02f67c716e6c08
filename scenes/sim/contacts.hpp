// Contacts as half-space constraints with friction, generated from the detector's proximities and impacts.
//
// A pair that comes closer than the thickness at time t gets the direction n between its closest points at t as its
// normal, and must end the step with at least the thickness as distance along n. Cloth and soft bodies respond with
// their particles, rigid bodies with their pose (Mueller et al. 2020, "Detailed rigid body simulation with extended
// position based dynamics"). Friction follows the position-based form of Coulomb's law. Cost: linear in contacts.
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
  std::array<double, 4> weights{};  ///< first feature positive, second negative; absolute values of each feature
                                    ///< sum to 1
  std::uint32_t split = 1;          ///< vertices [0, split) are the first feature
  Vec3 normal;                      ///< from the second feature to the first
  double target = 0.0;              ///< required distance along the normal at the end of the step
};

class Contacts {
 public:
  void clear() { contacts_.clear(); }
  [[nodiscard]] std::span<const Contact> all() const { return contacts_; }

  /// Adds contacts for the pairs that are closer than the thickness when the step begins.
  void add(const Model& model, std::span<const Proximity> proximities, double thickness);
  /// Adds contacts for the impacts found in a step from model.x to y.
  void add(const Model& model, std::span<const Vec3> y, std::span<const Impact> impacts, double thickness);

  /// Runs one iteration on candidate positions (all but rigid parts) and candidate poses (rigid parts, by part id).
  void solve(const Model& model, std::span<Vec3> y, std::span<Pose> poses, double friction);

  /// Largest correction of a part by a single contact since `clear_pushes`, and its position.
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

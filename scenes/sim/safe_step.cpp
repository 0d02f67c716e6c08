// Accepts only steps without impacts: the detector finds none on the linear paths of the step.
//
// A candidate step with impacts goes through these stages until one has none:
// 1. Repair: each impact becomes a contact with the normal at its own time; contacts are solved again.
// 2. Hold back: particles and rigid bodies in an impact move only a part of their displacement, so that they stop
//    before the impact, and in the last rounds move only along with the obstacle they touch. (Bridson, Fedkiw,
//    Anderson 2002 make such zones rigid; holding back needs no zones and ends in the same state.)
// 3. Truncate the step: the whole world, including obstacles, takes a shorter step; the clock advances less.
// 4. Nothing moves: a step without impacts, because there are no intersections to start with.
// So the guarantee never depends on how well stages 1 to 3 work; only the look of the motion does.
#include <algorithm>

#include "scenes/sim/simulation.hpp"

namespace graze::scenes::sim {

namespace {

constexpr int kRepairs = 4;
constexpr int kRepairIterations = 4;
constexpr int kHolds = 10;
constexpr int kShortenings = 6;

Pose between(const Pose& a, const Pose& b, double s) {
  if (!(s > 0.0)) return a;  // bit-identical: no motion
  return {a.centre + s * (b.centre - a.centre), normalised({a.rotation.w + s * (b.rotation.w - a.rotation.w),
                                                            a.rotation.v + s * (b.rotation.v - a.rotation.v)})};
}

}  // namespace

std::vector<Impact> Simulation::find_impacts() {
  ++counts_.queries;
  return detector_->impacts(model_.x, y_).impacts;
}

double Simulation::make_safe(double dt) {
  last_impacts_ = find_impacts();
  if (last_impacts_.empty()) return 1.0;
  ++counts_.repaired;
  if (repair()) return 1.0;
  ++counts_.held;
  if (hold_back()) return 1.0;
  ++counts_.shortened;
  return truncate_step(dt);
}

bool Simulation::repair() {
  for (int round = 0; round < kRepairs; ++round) {
    contacts_.add(model_, y_, last_impacts_, options_.thickness);
    for (int i = 0; i < kRepairIterations; ++i) contacts_.solve(model_, y_, poses_, options_.friction);
    place_rigid();
    last_impacts_ = find_impacts();
    if (last_impacts_.empty()) return true;
  }
  return false;
}

/// Finds the displacement of the obstacle at each particle in contact with one.
void Simulation::find_carry() {
  carry_.assign(y_.size(), {});
  std::vector<std::uint8_t> carried(y_.size(), 0);
  const auto is_obstacle = [&](VertexId i) { return model_.parts[model_.part[i]].kind == Kind::Kinematic; };
  for (const Contact& contact : contacts_.all()) {
    const bool first = is_obstacle(contact.vertices[0]);
    const bool second = is_obstacle(contact.vertices[3]);
    if (first == second) continue;
    const std::size_t from = first ? 0 : contact.split;
    const std::size_t to = first ? contact.split : 4;
    Vec3 moved;
    for (std::size_t k = from; k < to; ++k) {
      const VertexId i = contact.vertices[k];
      moved += (first ? contact.weights[k] : -contact.weights[k]) * (y_[i] - model_.x[i]);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const VertexId i = contact.vertices[k];
      if ((k >= from && k < to) || !(model_.inverse_mass[i] > 0.0)) continue;
      carry_[i] = moved;
      carried[i] = 1;
    }
  }
  // Upper layers are carried by the layer below.
  for (int layer = 0; layer < 3; ++layer) {
    const std::vector<std::uint8_t> before = carried;
    for (const Contact& contact : contacts_.all()) {
      for (std::size_t k = 0; k < 4; ++k) {
        const VertexId i = contact.vertices[k];
        if (before[i] == 0) continue;
        for (const VertexId j : contact.vertices) {
          if (carried[j] != 0 || !(model_.inverse_mass[j] > 0.0)) continue;
          carry_[j] = carry_[i];
          carried[j] = 1;
        }
      }
    }
  }
}

bool Simulation::hold_back() {
  find_carry();
  solved_y_ = y_;
  solved_poses_ = poses_;
  scale_.assign(y_.size(), 1.0);
  part_scale_.assign(model_.parts.size(), 1.0);
  for (int round = 0; round < kHolds; ++round) {
    const std::vector<double> before = scale_;
    const std::vector<double> part_before = part_scale_;
    for (const Impact& impact : last_impacts_) {
      const double factor = round < 3 ? 0.8 * impact.toi() : round < 6 ? 0.3 * impact.toi() : 0.0;
      for (const VertexId i : impact.pair.vertices) {
        const PartId id = model_.part[i];
        if (model_.parts[id].kind == Kind::Rigid) {
          part_scale_[id] = std::min(part_scale_[id], part_before[id] * factor);
        } else {
          scale_[i] = std::min(scale_[i], before[i] * factor);
        }
      }
    }
    for (std::size_t i = 0; i < y_.size(); ++i) {
      if (scale_[i] < 1.0 && model_.inverse_mass[i] > 0.0) {
        const Vec3 own = solved_y_[i] - model_.x[i] - carry_[i];
        y_[i] = model_.x[i] + (carry_[i] + scale_[i] * own);
      }
    }
    for (std::size_t id = 0; id < poses_.size(); ++id) {
      if (part_scale_[id] < 1.0) poses_[id] = between(model_.parts[id].pose, solved_poses_[id], part_scale_[id]);
    }
    place_rigid();
    last_impacts_ = find_impacts();
    if (last_impacts_.empty()) return true;
  }
  return false;
}

double Simulation::truncate_step(double dt) {
  solved_y_ = y_;
  solved_poses_ = poses_;
  double share = 1.0;
  for (int round = 0; round < kShortenings; ++round) {
    // Rigid bodies and obstacles do not move on the straight lines that the safe step is for, so its positions are
    // not used, and the result is tested again.
    ++counts_.queries;
    share *= detector_->safe_step(model_.x, y_, {.keep = 0.4}).step;
    if (!(share > 1e-6)) break;
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] = model_.x[i] + share * (solved_y_[i] - model_.x[i]);
    for (std::size_t id = 0; id < poses_.size(); ++id) {
      if (model_.parts[id].kind == Kind::Rigid)
        poses_[id] = between(model_.parts[id].pose, solved_poses_[id], share);
    }
    place_rigid();
    move_kinematic(clock_ + share * dt, y_);
    last_impacts_ = find_impacts();
    if (last_impacts_.empty()) return share;
  }
  y_ = model_.x;
  for (std::size_t id = 0; id < poses_.size(); ++id) poses_[id] = model_.parts[id].pose;
  return 0.0;
}

}  // namespace graze::scenes::sim

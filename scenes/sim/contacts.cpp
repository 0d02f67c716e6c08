// Generates and solves contacts (scenes/sim/contacts.hpp).
#include "scenes/sim/contacts.hpp"

#include <algorithm>

#include <graze/elementary.hpp>

namespace graze::scenes::sim {

namespace {

struct Closest {
  std::array<double, 4> weights{};
  Vec3 between;  ///< from the second feature to the first
  double distance = 0.0;
};

Closest closest_points(FeatureKind kind, const std::array<Vec3, 4>& p) {
  const ElementaryDistance found =
      kind == FeatureKind::VertexFace ? distance_vertex_face(p) : distance_edge_edge(p);
  Closest result;
  const std::size_t split = kind == FeatureKind::VertexFace ? 1 : 2;
  for (std::size_t k = 0; k < 4; ++k) {
    result.weights[k] = k < split ? found.weights[k] : -found.weights[k];
    result.between += result.weights[k] * p[k];
  }
  result.distance = length(result.between);
  return result;
}

bool can_move(const Model& model, VertexId i) {
  return model.inverse_mass[i] > 0.0 || model.parts[model.part[i]].kind == Kind::Rigid;
}

/// Separates pairs closer than the thickness slowly; a full correction would throw them apart.
double target(double distance, double thickness) {
  return std::min(thickness, distance + 0.1 * thickness);
}

/// One feature of a contact, as the solver sees it.
struct Side {
  Vec3 point;
  double weight = 0.0;  ///< generalised inverse mass along the normal
  Vec3 arm;             ///< rigid parts: from the centre to the point

  bool rigid = false;
};

}  // namespace

void Contacts::add(const Model& model, std::span<const Proximity> proximities, double thickness) {
  for (const Proximity& proximity : proximities) {
    Contact contact;
    contact.vertices = proximity.pair.vertices;
    contact.split = proximity.pair.kind == FeatureKind::VertexFace ? 1 : 2;
    bool movable = false;
    Vec3 between;
    for (std::size_t k = 0; k < 4; ++k) {
      const VertexId i = contact.vertices[k];
      contact.weights[k] = k < contact.split ? proximity.weights[k] : -proximity.weights[k];
      between += contact.weights[k] * model.x[i];
      movable = movable || can_move(model, i);
    }
    const double distance = length(between);
    if (!movable || !(distance > 0.0)) continue;
    contact.normal = (1.0 / distance) * between;
    contact.target = target(distance, thickness);
    contacts_.push_back(contact);
  }
}

void Contacts::add(const Model& model, std::span<const Vec3> y, std::span<const Impact> impacts, double thickness) {
  for (const Impact& impact : impacts) {
    Contact contact;
    contact.vertices = impact.pair.vertices;
    contact.split = impact.pair.kind == FeatureKind::VertexFace ? 1 : 2;
    std::array<Vec3, 4> start{};
    std::array<Vec3, 4> at_impact{};
    bool movable = false;
    for (std::size_t k = 0; k < 4; ++k) {
      const VertexId i = contact.vertices[k];
      start[k] = model.x[i];
      at_impact[k] = model.x[i] + impact.toi() * (y[i] - model.x[i]);
      movable = movable || can_move(model, i);
    }
    if (!movable) continue;
    const Closest before = closest_points(impact.pair.kind, start);
    const Closest now = closest_points(impact.pair.kind, at_impact);
    contact.weights = now.weights;
    // If the two features almost touch, the direction between them is dominated by rounding; the normal of the
    // face, or across the edges, is not. It points to the side where the first feature was.
    const bool apart = now.distance > 0.05 * std::min(before.distance, thickness);
    contact.normal = apart ? (1.0 / now.distance) * now.between : impact.normal;
    if (!apart) {
      if (dot(contact.normal, before.between) < 0.0) contact.normal = -1.0 * contact.normal;
      if (!(dot(contact.normal, contact.normal) > 0.5)) {
        if (!(before.distance > 0.0)) continue;
        contact.normal = (1.0 / before.distance) * before.between;
      }
    }
    contact.target = target(before.distance, thickness);
    contacts_.push_back(contact);
  }
}

void Contacts::solve(const Model& model, std::span<Vec3> y, std::span<Pose> poses, double friction) {
  for (const Contact& contact : contacts_) {
    std::array<Side, 2> sides{};
    Vec3 start;  // offset between the features when the step began
    for (std::size_t s = 0; s < 2; ++s) {
      Side& side = sides[s];
      const std::size_t first = s == 0 ? 0 : contact.split;
      const std::size_t last = s == 0 ? contact.split : 4;
      const double sign = s == 0 ? 1.0 : -1.0;
      const PartId id = model.part[contact.vertices[first]];
      const Part& part = model.parts[id];
      side.rigid = part.kind == Kind::Rigid;
      Vec3 local;
      for (std::size_t k = first; k < last; ++k) {
        const VertexId i = contact.vertices[k];
        const double w = sign * contact.weights[k];
        start += contact.weights[k] * model.x[i];
        if (side.rigid) {
          local += w * model.rest[i];
        } else {
          side.point += w * y[i];
          side.weight += w * w * model.inverse_mass[i];
        }
      }
      if (side.rigid) {
        const Mat3 rotation = matrix(poses[id].rotation);
        side.arm = rotation * local;
        side.point = poses[id].centre + side.arm;
        const Vec3 lever = cross(side.arm, contact.normal);
        const Vec3 turn = rotation * (part.inverse_inertia * transposed_times(rotation, lever));
        side.weight = part.inverse_mass + dot(lever, turn);
      }
    }
    const double weight = sides[0].weight + sides[1].weight;
    const Vec3 offset = sides[0].point - sides[1].point;
    const double missing = contact.target - dot(contact.normal, offset);
    if (!(missing > 0.0) || !(weight > 0.0)) continue;

    // Push along the normal, and friction against the sliding during the step, up to Coulomb's limit.
    const double push = missing / weight;
    const Vec3 slid = offset - start;
    const Vec3 tangent = slid - dot(contact.normal, slid) * contact.normal;
    const double slip = length(tangent);
    const double hold = slip > 0.0 ? std::min(friction * push, slip / weight) / slip : 0.0;
    const Vec3 impulse = push * contact.normal - hold * tangent;

    for (std::size_t s = 0; s < 2; ++s) {
      const Side& side = sides[s];
      const std::size_t first = s == 0 ? 0 : contact.split;
      const std::size_t last = s == 0 ? contact.split : 4;
      const double sign = s == 0 ? 1.0 : -1.0;
      const PartId id = model.part[contact.vertices[first]];
      if (side.rigid) {
        const Part& part = model.parts[id];
        Pose& pose = poses[id];
        pose.centre += (sign * part.inverse_mass) * impulse;
        const Mat3 rotation = matrix(pose.rotation);
        const Vec3 turn =
            rotation * (part.inverse_inertia * transposed_times(rotation, cross(side.arm, sign * impulse)));
        pose.rotation = turned(pose.rotation, turn);
      } else {
        for (std::size_t k = first; k < last; ++k) {
          const VertexId i = contact.vertices[k];
          y[i] += (contact.weights[k] * model.inverse_mass[i]) * impulse;
        }
      }
      if (missing > pushes_[id].size) pushes_[id] = {missing, side.point};
    }
  }
}

}  // namespace graze::scenes::sim

// Collider: queries between two objects, with temporal coherence between successive queries. See graze/rigid.hpp.
//
// Temporal coherence. After a hit, the next query tests the two hit triangles first. After a traversal that
// generated no candidate pair of triangles, the smallest gap between the separated nodes is a lower bound of the
// distance. As long as the displacement bounds of both objects since then sum to less than this distance, the
// objects are still separated and no tree is traversed.
#include <graze/rigid.hpp>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "core/hash.hpp"
#include "narrow/triangle_contact.hpp"
#include "rigid/collide.hpp"
#include "rigid/motion/advance.hpp"

namespace graze {

using namespace rigid;
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;

struct Collider::State {
  State(const RigidObject& object_a, const RigidObject& object_b, const ColliderOptions& chosen)
      : kept_a(object_a),
        kept_b(object_b),
        a(rigid::ObjectAccess::state(kept_a)),
        b(rigid::ObjectAccess::state(kept_b)),
        options(chosen) {}

  RigidObject kept_a;  // copies, so that later assignments to the caller's objects have no effect
  RigidObject kept_b;
  const rigid::ObjectState& a;
  const rigid::ObjectState& b;
  ColliderOptions options;
  RigidWork work;

  // With coherence: the last hit, or a lower bound of the distance (clearance) at the poses apart_a and apart_b.
  std::optional<TrianglePair> witness;
  double clearance = 0.0;
  Pose apart_a;
  Pose apart_b;

  /// Whether the clearance of an earlier query proves the objects separated at these poses.
  [[nodiscard]] bool still_separated(const Pose& pose_a, const Pose& pose_b) const {
    return clearance > 0.0 && rigid::max_displacement(placed(a, apart_a), apart_a, pose_a) +
                                      rigid::max_displacement(placed(b, apart_b), apart_b, pose_b) <
                                  0.999 * clearance;
  }

  /// Leaves the intersecting pairs in work.found.
  RigidStats search(const Pose& pose_a, const Pose& pose_b, bool first) {
    const PosedObjects places{a, b, pose_a, pose_b};
    const RigidSearch search{
        .overlap = options.overlap, .lift = options.lift, .first = first, .measure = options.coherence};
    if (!options.coherence) return collide(places, search, work).stats;

    check_pose(a, pose_a, "pose of a");
    check_pose(b, pose_b, "pose of b");
    work.found.clear();
    if (still_separated(pose_a, pose_b)) return {};
    RigidStats before;
    if (first && witness && intersect(places, *witness, before)) {
      work.found.push_back(*witness);
      return before;
    }
    RigidFound found = collide(places, search, work);
    witness = work.found.empty() ? std::nullopt : std::optional(work.found.front());
    clearance = found.clearance;
    apart_a = pose_a;
    apart_b = pose_b;
    found.stats += before;
    return found.stats;
  }
};

Collider::Collider(const RigidObject& a, const RigidObject& b, const ColliderOptions& options) {
  check_kinds(a, b);
  state_ = std::make_unique<State>(a, b, options);
}
Collider::~Collider() = default;
Collider::Collider(Collider&&) noexcept = default;
Collider& Collider::operator=(Collider&&) noexcept = default;

FirstHit Collider::first_hit(const Pose& pose_a, const Pose& pose_b) {
  FirstHit result;
  result.stats = state_->search(pose_a, pose_b, true);
  if (!state_->work.found.empty()) result.pair = state_->work.found.front();
  return result;
}

TrianglePairs Collider::triangle_pairs(const Pose& pose_a, const Pose& pose_b) {
  TrianglePairs result;
  result.stats = state_->search(pose_a, pose_b, false);
  result.pairs = sorted_pairs(state_->work.found);
  return result;
}

RigidContacts Collider::contacts(const Pose& pose_a, const Pose& pose_b) {
  TrianglePairs all = triangle_pairs(pose_a, pose_b);
  RigidContacts result;
  result.stats = all.stats;
  result.contacts.reserve(all.pairs.size());
  for (const TrianglePair& pair : all.pairs) {
    bool exact = false;
    const narrow::TriangleContact contact = narrow::triangle_contact(
        posed_triangle(state_->a, pose_a, pair.a), posed_triangle(state_->b, pose_b, pair.b), exact);
    result.contacts.push_back({pair, contact.shape, contact.p, contact.q});
  }
  return result;
}

RigidImpact Collider::first_contact(const RigidMotion& motion_a, const RigidMotion& motion_b,
                                    const AdvanceOptions& options) {
  return advance(state_->a, {motion_a}, state_->b, {motion_b}, {.tolerance = options.tolerance}, state_->work);
}

std::uint64_t TrianglePairs::hash() const {
  Hash64 hash;
  for (const TrianglePair& pair : pairs) hash.add(pair.a, pair.b);
  return hash.value();
}

}  // namespace graze

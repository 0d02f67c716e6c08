// Queries between two posed objects: the trees bring pairs of triangles, SIMD lanes judge them, exact arithmetic
// decides the rest. See graze/rigid.hpp.
#include <graze/rigid.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "core/hash.hpp"
#include "narrow/edge_face.hpp"
#include "narrow/triangle_contact.hpp"
#include "pipeline/rigid_advance.hpp"
#include "pipeline/rigid_object.hpp"
#include "rigid/boxtree_walk.hpp"
#include "rigid/boxtree_walk_scalar.hpp"
#include "simd/triangle_pairs.hpp"

namespace graze {

struct Collider::State {
  const RigidObject::State* a = nullptr;
  const RigidObject::State* b = nullptr;
  ColliderOptions options;
  rigid::ClusterTables work;
};

namespace {

std::array<Vec3, 3> posed_triangle(const RigidObject::State& object, const Pose& pose, TriangleId triangle) {
  const auto& [i, j, k] = object.triangles[triangle];
  return {posed(pose, object.positions[i]), posed(pose, object.positions[j]), posed(pose, object.positions[k])};
}

rigid::Placed placed(const RigidObject::State& object, const Pose& pose) {
  if (object.kind == RigidTree::Boxtree) {
    return {object.boxtree.frame, pose, object.reach, rigid::boxtree_slack(object.boxtree),
            static_cast<double>(object.boxtree.depth)};
  }
  return {object.volumes->frame(), pose, object.reach, 0.0, static_cast<double>(object.volumes->depth())};
}

/// Tests the pairs of a walk and keeps those that meet: all, or the first.
class Tester {
 public:
  Tester(const RigidObject::State& a, const Pose& pose_a, const RigidObject::State& b, const Pose& pose_b,
         bool first, RigidStats& stats, std::vector<TrianglePair>& found)
      : a_(a), b_(b), pose_a_(pose_a), pose_b_(pose_b), first_(first), stats_(stats), found_(found) {}

  /// Returns true when the walk is to end.
  static bool drain(void* tester, std::span<const TrianglePair> batch) {
    return static_cast<Tester*>(tester)->test(batch);
  }

 private:
  bool test(std::span<const TrianglePair> batch) {
    std::array<PairVerdict, rigid::LeafSink::kMost> verdicts;
    const std::size_t judged =
        judge_triangle_pairs({a_.positions, a_.triangles, pose_a_}, {b_.positions, b_.triangles, pose_b_}, batch,
                             std::span(verdicts.data(), batch.size()), first_);
    for (std::size_t i = 0; i < judged; ++i) {
      ++stats_.triangle_tests;
      bool meet = verdicts[i] == PairVerdict::Meet;
      if (verdicts[i] == PairVerdict::Unknown) {
        bool exact = false;
        meet = narrow::triangles_meet(posed_triangle(a_, pose_a_, batch[i].a),
                                      posed_triangle(b_, pose_b_, batch[i].b), exact);
        ++(exact ? stats_.tiers.exact : stats_.tiers.filter);
      } else {
        ++stats_.tiers.filter;
      }
      if (!meet) continue;
      found_.push_back(batch[i]);
      if (first_) return true;
    }
    return false;
  }

  const RigidObject::State& a_;
  const RigidObject::State& b_;
  const Pose& pose_a_;
  const Pose& pose_b_;
  bool first_;
  RigidStats& stats_;
  std::vector<TrianglePair>& found_;
};

void collide(const RigidObject::State& a, const Pose& pose_a, const RigidObject::State& b, const Pose& pose_b,
             const ColliderOptions& options, rigid::ClusterTables& work, bool first, RigidStats& stats, std::vector<TrianglePair>& found) {
  check_pose(pose_a, "pose of a");
  check_pose(pose_b, "pose of b");
  Tester tester(a, pose_a, b, pose_b, first, stats, found);
  rigid::LeafSink sink(&Tester::drain, &tester, first ? 4 : rigid::LeafSink::kMost);
  const rigid::Placement placement = rigid::place(placed(a, pose_a), placed(b, pose_b));
  if (a.kind != RigidTree::Boxtree) {
    stats.node_tests += a.volumes->walk(*b.volumes, placement, sink, nullptr);
  } else if (options.overlap == BoxOverlap::Lookup) {
    stats.node_tests +=
        rigid::walk_boxtrees_scalar(a.boxtree, b.boxtree, placement, {options.overlap, options.lift}, sink);
  } else {
    stats.node_tests +=
        rigid::walk_boxtrees({a.boxtree, a.positions, a.triangles}, {b.boxtree, b.positions, b.triangles}, placement, {options.overlap, options.lift}, work, sink);
  }
}

}  // namespace

Collider::Collider(const RigidObject& a, const RigidObject& b, const ColliderOptions& options)
    : state_(std::make_unique<State>(State{&a.state(), &b.state(), options, {}})) {
  if (a.tree() != b.tree()) {
    throw InputError(fmt::format("a has a tree of kind {}, b one of kind {}: both must be of one kind",
                                 name_of(a.tree()), name_of(b.tree())));
  }
}
Collider::~Collider() = default;
Collider::Collider(Collider&&) noexcept = default;
Collider& Collider::operator=(Collider&&) noexcept = default;

FirstHit Collider::first_hit(const Pose& pose_a, const Pose& pose_b) {
  FirstHit result;
  std::vector<TrianglePair> found;
  collide(*state_->a, pose_a, *state_->b, pose_b, state_->options, state_->work, true, result.stats, found);
  if (!found.empty()) result.pair = found.front();
  return result;
}

TrianglePairs Collider::triangle_pairs(const Pose& pose_a, const Pose& pose_b) {
  TrianglePairs result;
  collide(*state_->a, pose_a, *state_->b, pose_b, state_->options, state_->work, false, result.stats, result.pairs);
  std::sort(result.pairs.begin(), result.pairs.end());
  return result;
}

RigidContacts Collider::contacts(const Pose& pose_a, const Pose& pose_b) {
  TrianglePairs all = triangle_pairs(pose_a, pose_b);
  RigidContacts result;
  result.stats = all.stats;
  for (const TrianglePair& pair : all.pairs) {
    bool exact = false;
    const narrow::TriangleContact contact = narrow::triangle_contact(
        posed_triangle(*state_->a, pose_a, pair.a), posed_triangle(*state_->b, pose_b, pair.b), exact);
    result.contacts.push_back({pair, contact.shape, contact.p, contact.q});
  }
  return result;
}

RigidImpact Collider::first_contact(const RigidMotion& motion_a, const RigidMotion& motion_b,
                                    const AdvanceOptions& options) {
  if (state_->a->kind != RigidTree::Boxtree)
    throw InputError(
        fmt::format("first_contact needs boxtrees; the objects have trees of kind {}", name_of(state_->a->kind)));
  check_motion(motion_a, "motion of a");
  check_motion(motion_b, "motion of b");
  return advance(*state_->a, motion_a, *state_->b, motion_b, options);
}

std::uint64_t TrianglePairs::hash() const {
  Hash64 hash;
  for (const TrianglePair& pair : pairs) hash.add(pair.a, pair.b);
  return hash.value();
}

}  // namespace graze

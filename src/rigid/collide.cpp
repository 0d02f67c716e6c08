// Discrete rigid query: tree traversal generates candidate pairs of triangles, a SIMD filter decides most of them,
// exact arithmetic decides the rest.
#include "rigid/collide.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <graze/error.hpp>
#include <graze/research.hpp>

#include "narrow/edge_face.hpp"
#include "narrow/kernels/triangle_pairs.hpp"
#include "rigid/boxtree/boxtree_traversal_scalar.hpp"

namespace graze::rigid {

namespace {

/// Pairs in the first batch of a first-hit search: enough to fill some SIMD lanes, few enough to stop early.
constexpr std::size_t kFirstBatch = 8;

bool intersect_exactly(const PosedObjects& places, const TrianglePair& pair, TierCounts& tiers) {
  bool exact = false;
  const bool answer = narrow::triangles_intersect(posed_triangle(places.a, places.pose_a, pair.a),
                                                  posed_triangle(places.b, places.pose_b, pair.b), exact);
  ++(exact ? tiers.exact : tiers.filter);
  return answer;
}

/// Tests the candidates of a traversal and keeps the intersecting pairs: all of them, or the first.
class Tester {
 public:
  Tester(const PosedObjects& places, bool first, RigidStats& stats, std::vector<TrianglePair>& found)
      : places_(places),
        a_{places.a.positions, places.a.triangles, places.pose_a},
        b_{places.b.positions, places.b.triangles, places.pose_b},
        first_(first),
        stats_(stats),
        found_(found) {}

  /// Returns true to end the traversal.
  bool operator()(std::span<const TrianglePair> batch) {
    std::array<PairVerdict, LeafSink::kMaxPairs> verdicts;
    const std::size_t judged = test_triangle_pairs(a_, b_, batch, std::span(verdicts.data(), batch.size()), first_);
    for (std::size_t i = 0; i < judged; ++i) {
      ++stats_.triangle_tests;
      const bool undecided = verdicts[i] == PairVerdict::Unknown;
      if (!undecided) ++stats_.tiers.filter;
      const bool answer =
          undecided ? intersect_exactly(places_, batch[i], stats_.tiers) : verdicts[i] == PairVerdict::Intersect;
      if (!answer) continue;
      found_.push_back(batch[i]);
      if (first_) return true;
    }
    return false;
  }

 private:
  const PosedObjects& places_;
  PosedTriangles a_;
  PosedTriangles b_;
  bool first_;
  RigidStats& stats_;
  std::vector<TrianglePair>& found_;
};

GroupPlaced placed_groups(const ObjectState& object, const Pose& pose) {
  return {object.boxtree.local_frame, pose, object.max_coordinate, object.boxtree.lo, object.boxtree.hi,
          object.groups.root};
}

/// The default search of boxtrees: by the boxes of their leaf groups.
RigidFound collide_groups(const PosedObjects& places, const RigidSearch& search, RigidWork& work) {
  const auto& [a, b, pose_a, pose_b] = places;
  RigidFound result;
  const GroupPlacement placement = place_groups(placed_groups(a, pose_a), placed_groups(b, pose_b), search.measure);
  double gap = placement.gap;
  if (placement.roots_separated) {
    result.stats.node_tests = 1;
  } else {
    Tester tester(places, search.first, result.stats, work.found);
    LeafSink sink(tester, search.first ? kFirstBatch : LeafSink::kMaxPairs);
    const GroupTraversalCounts counts =
        traverse_groups({a.groups, a.boxtree, a.positions, a.triangles, placement.a},
                        {b.groups, b.boxtree, b.positions, b.triangles, placement.b},
                        {.first = search.first, .measure = search.measure}, work.groups, sink);
    result.stats.node_tests = counts.tests;
    gap = counts.gap;
  }
  if (search.measure && result.stats.triangle_tests == 0 && gap > 0.0 && std::isfinite(gap))
    result.clearance = std::ldexp(gap, placement.exponent);
  return result;
}

}  // namespace

std::array<Vec3, 3> posed_triangle(const ObjectState& object, const Pose& pose, TriangleId triangle) {
  const auto& [i, j, k] = object.triangles[triangle];
  return {posed(pose, object.positions[i]), posed(pose, object.positions[j]), posed(pose, object.positions[k])};
}

Placed placed(const ObjectState& object, const Pose& pose) {
  if (object.kind == RigidTree::Boxtree) {
    return {.local_frame = object.boxtree.local_frame,
            .pose = pose,
            .max_coordinate = object.max_coordinate,
            .slack = boxtree_slack(object.boxtree),
            .steps = static_cast<double>(object.boxtree.depth),
            .lo = object.boxtree.lo,
            .hi = object.boxtree.hi};
  }
  return {.local_frame = object.volumes->local_frame(), .pose = pose, .max_coordinate = object.max_coordinate};
}

void check_kinds(const RigidObject& a, const RigidObject& b) {
  if (a.tree() == b.tree()) return;
  throw InputError(fmt::format("a has a tree of kind {}, b one of kind {}: both must be of one kind",
                               name_of(a.tree()), name_of(b.tree())));
}

RigidFound collide(const PosedObjects& places, const RigidSearch& search, RigidWork& work) {
  check_pose(places.a, places.pose_a, "pose of a");
  check_pose(places.b, places.pose_b, "pose of b");
  const auto& [a, b, pose_a, pose_b] = places;
  work.found.clear();
  if (a.kind == RigidTree::Boxtree && search.overlap == BoxOverlap::Sat && search.lift)
    return collide_groups(places, search, work);
  RigidFound result;
  Tester tester(places, search.first, result.stats, work.found);
  LeafSink sink(tester, search.first ? kFirstBatch : LeafSink::kMaxPairs);
  const Placement placement = place(placed(a, pose_a), placed(b, pose_b), search.measure);
  if (placement.roots_separated) {
    result.stats.node_tests = 1;
    if (search.measure && std::isfinite(placement.gap))
      result.clearance = std::ldexp(placement.gap, placement.exponent);
    return result;
  }
  if (a.kind != RigidTree::Boxtree) {
    result.stats.node_tests = a.volumes->traverse(*b.volumes, placement, sink, nullptr);
    return result;
  }
  if (search.overlap == research::kLookup) {
    result.stats.node_tests = traverse_boxtrees_scalar(a.boxtree, b.boxtree, placement,
                                                       {.overlap = search.overlap, .lift = search.lift}, sink);
    return result;
  }
  const TraversalCounts counts = traverse_boxtrees(
      {a.boxtree, a.positions, a.triangles}, {b.boxtree, b.positions, b.triangles}, placement,
      {.overlap = search.overlap, .lift = search.lift, .first = search.first, .measure = search.measure},
      work.clusters, sink);
  result.stats.node_tests = counts.tests;
  if (search.measure && search.lift && result.stats.triangle_tests == 0 && std::isfinite(counts.gap))
    result.clearance = std::ldexp(static_cast<double>(counts.gap), placement.exponent);
  return result;
}

bool intersect(const PosedObjects& places, const TrianglePair& pair, RigidStats& stats) {
  ++stats.triangle_tests;
  return intersect_exactly(places, pair, stats.tiers);
}

}  // namespace graze::rigid

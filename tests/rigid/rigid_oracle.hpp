// Rigid queries against all pairs: every tree, split rule and overlap test, with and without lift and coherence, in
// the same poses. Ground truth is a test of every pair of triangles on independently posed doubles, by the
// library's exact predicate or in rational arithmetic. Cost per pose: all pairs of triangles whose boxes overlap.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <graze/rigid.hpp>

#include "rigid/oracle_objects.hpp"

namespace graze::testing {

/// An independent version of posed(), which stores each operation before the next.
Vec3 posed_twin(const Pose& pose, const Vec3& x);
std::array<Vec3, 3> posed_triangle(const Soup& soup, const Pose& pose, TriangleId triangle);

enum class Judge : std::uint8_t { Library, Rationals };

/// All pairs of triangles that intersect, sorted.
std::vector<TrianglePair> intersecting_pairs(const Soup& a, const Pose& pose_a, const Soup& b, const Pose& pose_b,
                                             Judge judge = Judge::Library);

/// One combination of options of a rigid query.
struct Choice {
  RigidTree tree = RigidTree::Boxtree;
  BoxtreeSplit split = BoxtreeSplit::Free;
  ColliderOptions options = {};
};
std::string described(const Choice& choice);
/// Every combination: 3 splits x 4 overlap tests x lift x coherence, and the other trees.
std::vector<Choice> all_choices();
/// One of each tree and each overlap test, without coherence.
std::vector<Choice> few_choices();

/// Two soups and a collider for each choice. The colliders are kept from pose to pose to exercise coherence.
class Pairing {
 public:
  Pairing(const Soup& a, const Soup& b, std::span<const Choice> choices);
  ~Pairing();

  /// Makes all queries with all colliders; returns an empty text, or the fault with the poses.
  std::string check(const Pose& pose_a, const Pose& pose_b, Judge judge = Judge::Library);
  /// Makes the same checks against a known set of pairs.
  std::string check(const Pose& pose_a, const Pose& pose_b, const std::vector<TrianglePair>& expected);

 private:
  struct Contestant;
  const Soup& a_;
  const Soup& b_;
  std::vector<std::unique_ptr<Contestant>> contestants_;
};

/// The pose as source text, exact to the last bit.
std::string described(const Pose& pose);

}  // namespace graze::testing

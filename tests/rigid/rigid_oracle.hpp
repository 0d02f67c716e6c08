// Rigid queries against all pairs: every tree, split, overlap test, with and without lift and coherence, on the
// same poses. The truth is a test of every pair of triangles on doubles posed here, by the library's exact
// predicate or in rationals. Cost: pairs of triangles, less those whose boxes are apart, for each pose.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <graze/rigid.hpp>

#include "rigid/oracle_objects.hpp"

namespace graze::testing {

/// posed(), written again: each operation stored before the next.
Vec3 posed_twin(const Pose& pose, const Vec3& x);
std::array<Vec3, 3> posed_triangle(const Soup& soup, const Pose& pose, TriangleId triangle);

enum class Judge : std::uint8_t { Library, Rationals };

/// All pairs of triangles that meet, sorted.
std::vector<TrianglePair> meeting_pairs(const Soup& a, const Pose& pose_a, const Soup& b, const Pose& pose_b,
                                        Judge judge = Judge::Library);

/// One way to ask.
struct Choice {
  RigidTree tree = RigidTree::Boxtree;
  BoxtreeSplit split = BoxtreeSplit::Free;
  ColliderOptions options = {};
};
std::string described(const Choice& choice);
/// Every way: 3 splits x 4 overlap tests x lift x coherence, and the other trees.
std::vector<Choice> all_choices();
/// One of each tree and each overlap test; no coherence.
std::vector<Choice> few_choices();

/// Two soups, and a collider for each choice. Colliders stay from pose to pose: coherence has something to go by.
class Pairing {
 public:
  Pairing(const Soup& a, const Soup& b, std::span<const Choice> choices);
  ~Pairing();

  /// Asks all of them; empty, or what is wrong, with the poses.
  std::string check(const Pose& pose_a, const Pose& pose_b, Judge judge = Judge::Library);
  /// As check, where the truth is known.
  std::string check(const Pose& pose_a, const Pose& pose_b, const std::vector<TrianglePair>& expected);

 private:
  struct Way;
  const Soup& a_;
  const Soup& b_;
  std::vector<std::unique_ptr<Way>> displacement_sum_;
};

/// To the last bit, as source text.
std::string described(const Pose& pose);

}  // namespace graze::testing

// A world beside a plain list of objects: every edit is made to both, and every query is compared with all pairs of
// objects, whose triangles are all tested (rigid/rigid_oracle.hpp). Pairs are only tested again if one of the
// objects moved, so that thousands of edits can be checked.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <graze/rigid_world.hpp>

#include "rigid/rigid_oracle.hpp"

namespace graze::testing {

class WorldModel {
 public:
  struct Object {
    ObjectId id;
    std::size_t soup = 0;
    Pose pose;
    std::uint32_t groups = 1;
    std::uint32_t meets = 0xffffffffU;
    Motion motion = Motion::Rigid;
  };

  /// Objects of the world are instances of these soups, which must outlive the model.
  explicit WorldModel(std::span<const Soup> soups, RigidTree tree = RigidTree::Boxtree,
                      Judge judge = Judge::Library);

  // Edits of both.
  void add(std::size_t soup, const Pose& pose, const WorldObjectOptions& options = {});
  void remove(std::size_t index);
  void set_pose(std::size_t index, const Pose& pose);
  void move(std::size_t index, const Pose& pose);
  /// Some edits in one call.
  void move(std::span<const std::size_t> indices, std::span<const Pose> poses);
  void set_motion(std::size_t index, Motion motion);
  void set_groups(std::size_t index, std::uint32_t groups, std::uint32_t meets);
  void ignore_pair(std::size_t a, std::size_t b);
  void allow_pair(std::size_t a, std::size_t b);
  /// An edit of any kind. Poses are near the origin, within `size`.
  void edit(Random& random, double size);

  /// Makes all queries with this many threads. Returns an empty text, or the first fault.
  std::string check(unsigned threads);
  /// Queries about one object, as itself and as a probe.
  std::string check_one(std::size_t index, unsigned threads);

  [[nodiscard]] RigidWorld& world() { return world_; }
  /// Pairs of triangles that all checks so far have expected: a test in which nothing hits checks little.
  [[nodiscard]] std::size_t expected_hits() const { return expected_hits_; }
  [[nodiscard]] const std::vector<Object>& objects() const { return objects_; }
  [[nodiscard]] const RigidObject& object(std::size_t soup) const { return rigid_[soup]; }

 private:
  /// All pairs of triangles of two objects.
  const std::vector<TrianglePair>& pairs_of(const Object& a, const Object& b);
  [[nodiscard]] bool tested(const Object& a, const Object& b) const;
  /// All hits between objects that `wanted` accepts, sorted.
  template <typename Wanted>
  std::vector<WorldHit> expected(const Wanted& wanted);

  std::span<const Soup> soups_;
  std::vector<RigidObject> rigid_;
  Judge judge_;
  RigidWorld world_;
  std::size_t expected_hits_ = 0;
  std::vector<Object> objects_;
  std::vector<ObjectId> removed_;
  std::set<std::pair<ObjectId, ObjectId>> ignored_;
  /// By ids, the smaller first; entries of moved objects are dropped.
  std::map<std::pair<ObjectId, ObjectId>, std::vector<TrianglePair>> known_;
};

/// Whether all counters are equal.
bool same_work(const WorldStats& a, const WorldStats& b);

}  // namespace graze::testing

// State of a world: objects, trees of boxes and the list of pairs, and the edits that keep them consistent. Knows
// no query.
//
// A moving object has a box in its tree that is larger than the object by 1/16 of its longest side, and in the
// direction of a move by up to twice the move (enlarged boxes of Box2D and Bullet): while the object stays inside,
// an edit changes neither tree nor pairs. Boxes of static objects are not enlarged. If a batch of moves takes more
// than a third of the objects out of their boxes, the tree is rebuilt.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <graze/rigid_world.hpp>

#include "rigid/collide.hpp"
#include "rigid/distance/search.hpp"
#include "rigid/work_spaces.hpp"
#include "rigid/world/object_table.hpp"
#include "rigid/world/pair_list.hpp"

namespace graze::rigid {

class WorldState {
 public:
  // Edits: see RigidWorld.
  ObjectId add(const RigidObject& object, const Pose& pose, const WorldObjectOptions& options);
  void remove(ObjectId id);
  void set_pose(ObjectId id, const Pose& pose);
  void move(ObjectId id, const Pose& pose);
  void move(std::span<const ObjectId> ids, std::span<const Pose> poses);
  void set_motion(ObjectId id, graze::Motion motion);
  void set_groups(ObjectId id, const GroupMasks& masks);
  void ignore_pair(ObjectId a, ObjectId b);
  void allow_pair(ObjectId a, ObjectId b);

  [[nodiscard]] const ObjectTable& objects() const { return objects_; }
  [[nodiscard]] const WorldTrees& trees() const { return trees_; }
  /// The stored pairs, up to date; valid until the next edit. Safe to call from several threads. Adds the overlap
  /// tests of the update to `tests`.
  [[nodiscard]] std::span<const std::uint64_t> pairs(std::uint64_t& tests) const;
  /// Work spaces of queries.
  [[nodiscard]] WorkSpaces<RigidWork>& work() const { return work_; }
  [[nodiscard]] WorkSpaces<ProximityWork>& proximity_work() const { return proximity_work_; }

  [[nodiscard]] std::string validate() const;
  [[nodiscard]] std::uint64_t memory_bytes() const;

 private:
  void place(std::uint32_t slot, const Pose& pose, const WorldBox& box);
  [[nodiscard]] WorldBox tree_box(const WorldSlot& object, const WorldBox& box) const;
  [[nodiscard]] std::string validate_pairs() const;

  ObjectTable objects_;
  WorldTrees trees_;
  mutable std::mutex pairs_mutex_;
  mutable PairList pairs_;
  mutable WorkSpaces<RigidWork> work_;
  mutable WorkSpaces<ProximityWork> proximity_work_;
};

}  // namespace graze::rigid

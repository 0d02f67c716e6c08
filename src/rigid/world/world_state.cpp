// Edits of a world. See the header.
//
// Every edit checks its input, then makes room, then changes: input that is refused, and memory that runs out,
// leave the world as it was.
#include "rigid/world/world_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "core/tasks.hpp"

namespace graze::rigid {

namespace {

/// Share of the longest side of a moving object's box by which its box in the tree is larger on every side.
constexpr double kMargin = 1.0 / 16.0;
/// The box in the tree also reaches ahead of a move by this many times the move, at most one longest side.
constexpr double kAhead = 2.0;
/// Objects that are checked and boxed together.
constexpr std::size_t kPerBlock = 256;
/// The tree is rebuilt if at least this many objects leave their boxes in one batch, and more than a third of all.
constexpr std::size_t kMinRebuild = 128;

void check_motion_kind(graze::Motion motion, std::string_view function, const std::string& which) {
  if (motion == graze::Motion::Rigid || motion == graze::Motion::Static) return;
  throw InputError(fmt::format("{}: the motion of {} must be Rigid or Static, not {}", function, which,
                               motion == graze::Motion::Deforming ? "Deforming" : "an unknown value"));
}

/// The move of the box's centre, times kAhead, and at most one longest side along each axis.
std::array<double, 3> ahead(const WorldBox& from, const WorldBox& to) {
  std::array<double, 3> along{};
  double longest = 0.0;
  for (std::size_t k = 0; k < 3; ++k) longest = std::max(longest, to.hi[k] - to.lo[k]);
  for (std::size_t k = 0; k < 3; ++k) {
    const double moved = (0.5 * to.lo[k] + 0.5 * to.hi[k]) - (0.5 * from.lo[k] + 0.5 * from.hi[k]);
    along[k] = std::clamp(kAhead * moved, -longest, longest);
  }
  return along;
}

}  // namespace

ObjectId WorldState::add(const RigidObject& object, const Pose& pose, const WorldObjectOptions& options) {
  if (objects_.size() >= kMaxObjects)
    throw InputError(fmt::format("add: a world has at most {} objects", kMaxObjects));
  check_motion_kind(options.motion, "add", "the object");
  if (objects_.kind() && object.tree() != *objects_.kind())
    throw InputError(fmt::format("add: the object has a tree of kind {}, the world's objects have trees of kind {}",
                                 name_of(object.tree()), name_of(*objects_.kind())));
  const ObjectState& state = ObjectAccess::state(object);
  check_pose(state, pose, "add: the pose of the object");

  const LocalBounds& bounds = state.mesh_data.bounds(state);
  pairs_.make_room(objects_.slot_count() + 1);
  const std::uint32_t slot = objects_.take(object);
  WorldSlot& here = objects_[slot];
  here.pose = pose;
  here.motion = options.motion;
  here.masks = {options.groups, options.meets};
  if (!bounds.empty) {
    here.box = posed_box(bounds, pose);
    try {
      here.leaf = trees_.of(here.motion).insert(tree_box(here, here.box), slot);
    } catch (...) {
      objects_.release(slot);
      throw;
    }
  }
  pairs_.mark(slot);
  return objects_.id(slot);
}

void WorldState::remove(ObjectId id) {
  const std::uint32_t slot = objects_.find(id, "remove");
  const WorldSlot& here = objects_[slot];
  if (here.leaf != DynamicTree::kNone) trees_.of(here.motion).remove(here.leaf);
  objects_.release(slot);
  pairs_.mark(slot);
}

WorldBox WorldState::tree_box(const WorldSlot& object, const WorldBox& box) const {
  return object.motion == graze::Motion::Static ? box : enlarged(box, kMargin);
}

void WorldState::place(std::uint32_t slot, const Pose& pose, const WorldBox& box) {
  WorldSlot& here = objects_[slot];
  here.pose = pose;
  if (here.leaf == DynamicTree::kNone) return;
  here.box = box;
  DynamicTree& tree = trees_.of(here.motion);
  if (tree.box(here.leaf).contains(box)) return;
  tree.replace(here.leaf, tree_box(here, box));
  pairs_.mark(slot);
}

void WorldState::set_pose(ObjectId id, const Pose& pose) {
  const std::uint32_t slot = objects_.find(id, "set_pose");
  const ObjectState& state = objects_[slot].state();
  check_pose(state, pose, ("set_pose: the pose of " + described(id)).c_str());
  const LocalBounds& bounds = objects_[slot].bounds();
  place(slot, pose, bounds.empty ? WorldBox{} : posed_box(bounds, pose));
}

void WorldState::move(ObjectId id, const Pose& pose) {
  move(std::span(&id, 1), std::span(&pose, 1));
}

void WorldState::move(std::span<const ObjectId> ids, std::span<const Pose> poses) {
  if (ids.size() != poses.size())
    throw InputError(fmt::format("move: {} ids, but {} poses", ids.size(), poses.size()));
  // The poses are checked and the new boxes computed first, in parallel.
  struct Step {
    std::uint32_t slot = 0;
    bool leaves = false;  ///< the box in the tree
    WorldBox box;
  };
  std::vector<Step> steps(ids.size());
  const auto check = [&](std::size_t i) {
    const std::uint32_t slot = objects_.find(ids[i], "move");
    const WorldSlot& here = objects_[slot];
    if (here.motion == graze::Motion::Static)
      throw InputError(fmt::format("move: {} is static; set_pose places it elsewhere", described(ids[i])));
    const ObjectState& state = here.state();
    try {
      check_pose(state, poses[i], "pose");
    } catch (const InputError&) {  // again, with its name, which would cost more than the check
      check_pose(state, poses[i], ("move: the pose of " + described(ids[i])).c_str());
    }
    steps[i].slot = slot;
    if (here.leaf == DynamicTree::kNone) return;
    steps[i].box = posed_box(here.bounds(), poses[i]);
    steps[i].leaves = !trees_.moving.box(here.leaf).contains(steps[i].box);
  };
  const std::size_t blocks = (ids.size() + kPerBlock - 1) / kPerBlock;
  std::vector<std::uint8_t> refused(blocks);
  const auto check_block = [&](std::size_t b) {
    for (std::size_t i = b * kPerBlock; i < std::min(ids.size(), (b + 1) * kPerBlock); ++i) check(i);
  };
  if (blocks <= 1) {
    if (blocks == 1) check_block(0);
  } else {
    with_threads(0, [&] {
      parallel_for(0, blocks, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t b = first; b < last; ++b) {
          try {
            check_block(b);
          } catch (const InputError&) {
            refused[b] = 1;
          }
        }
      });
    });
    // The message is about the first of the refused moves, whatever thread met it.
    for (std::size_t b = 0; b < blocks; ++b) {
      if (refused[b] != 0) check_block(b);
    }
  }
  const auto leaving = static_cast<std::size_t>(
      std::count_if(steps.begin(), steps.end(), [](const Step& step) { return step.leaves; }));
  if (leaving < kMinRebuild || leaving <= trees_.moving.leaves() / 3) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      WorldSlot& here = objects_[steps[i].slot];
      here.pose = poses[i];
      if (here.leaf == DynamicTree::kNone) continue;
      const WorldBox before = here.box;
      here.box = steps[i].box;
      if (trees_.moving.box(here.leaf).contains(here.box)) continue;
      trees_.moving.replace(here.leaf, enlarged(here.box, kMargin, ahead(before, here.box)));
      pairs_.mark(steps[i].slot);
    }
    return;
  }
  DynamicTree::Rebuild work(trees_.moving);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    WorldSlot& here = objects_[steps[i].slot];
    here.pose = poses[i];
    if (here.leaf == DynamicTree::kNone) continue;
    const WorldBox before = here.box;
    here.box = steps[i].box;
    if (trees_.moving.box(here.leaf).contains(here.box)) continue;
    trees_.moving.set_box(here.leaf, enlarged(here.box, kMargin, ahead(before, here.box)));
    pairs_.mark(steps[i].slot);
  }
  trees_.moving.rebuild(work);
}

void WorldState::set_motion(ObjectId id, graze::Motion motion) {
  const std::uint32_t slot = objects_.find(id, "set_motion");
  check_motion_kind(motion, "set_motion", described(id));
  WorldSlot& here = objects_[slot];
  if (here.motion == motion) return;
  if (here.leaf != DynamicTree::kNone) {
    const WorldBox box = motion == graze::Motion::Static ? here.box : enlarged(here.box, kMargin);
    const DynamicTree::Index leaf = trees_.of(motion).insert(box, slot);
    trees_.of(here.motion).remove(here.leaf);
    here.leaf = leaf;
    pairs_.mark(slot);
  }
  here.motion = motion;
}

void WorldState::set_groups(ObjectId id, const GroupMasks& masks) {
  const std::uint32_t slot = objects_.find(id, "set_groups");
  objects_[slot].masks = masks;
  pairs_.mark(slot);
}

void WorldState::ignore_pair(ObjectId a, ObjectId b) {
  const std::uint32_t slot_a = objects_.find(a, "ignore_pair");
  const std::uint32_t slot_b = objects_.find(b, "ignore_pair");
  if (a == b) throw InputError(fmt::format("ignore_pair: {} with itself, which is never tested", described(a)));
  objects_.ignore(slot_a, slot_b);
}

void WorldState::allow_pair(ObjectId a, ObjectId b) {
  const std::uint32_t slot_a = objects_.find(a, "allow_pair");
  const std::uint32_t slot_b = objects_.find(b, "allow_pair");
  if (a == b) throw InputError(fmt::format("allow_pair: {} with itself, which is never tested", described(a)));
  objects_.allow(slot_a, slot_b);
}

std::span<const std::uint64_t> WorldState::pairs(std::uint64_t& tests) const {
  const std::lock_guard lock(pairs_mutex_);
  tests += pairs_.update(objects_, trees_);
  return pairs_.pairs();
}

std::uint64_t WorldState::memory_bytes() const {
  const std::lock_guard lock(pairs_mutex_);
  return objects_.memory_bytes() + trees_.still.memory_bytes() + trees_.moving.memory_bytes() +
         pairs_.memory_bytes();
}

std::string WorldState::validate() const {
  for (const DynamicTree* tree : {&trees_.still, &trees_.moving}) {
    if (std::string wrong = tree->validate(); !wrong.empty())
      return fmt::format("{} tree: {}", tree == &trees_.still ? "static" : "moving", wrong);
  }
  std::size_t used = 0;
  std::size_t leaves = 0;
  for (std::uint32_t slot = 0; slot < objects_.slot_count(); ++slot) {
    if (!objects_.used(slot)) continue;
    ++used;
    const WorldSlot& here = objects_[slot];
    if ((here.leaf == DynamicTree::kNone) != here.state().triangles.empty())
      return fmt::format("{} has {} in a tree", described(objects_.id(slot)),
                         here.leaf == DynamicTree::kNone ? "triangles, but no box" : "no triangles, but a box");
    if (here.leaf == DynamicTree::kNone) continue;
    ++leaves;
    const DynamicTree::Node& leaf = trees_.of(here.motion).at(here.leaf);
    if (!leaf.leaf() || leaf.height != 0 || leaf.item() != slot)
      return fmt::format("{} has the leaf of another one", described(objects_.id(slot)));
    if (!leaf.box.contains(here.box))
      return fmt::format("{} is not in its box in the tree", described(objects_.id(slot)));
    for (const Triangle& triangle : here.state().triangles) {
      for (const VertexId v : triangle) {
        const Vec3 x = posed(here.pose, here.state().positions[v]);
        if (!here.box.contains({{x.x, x.y, x.z}, {x.x, x.y, x.z}}))
          return fmt::format("{}: vertex {} is not in its box", described(objects_.id(slot)), v);
      }
    }
  }
  if (used != objects_.size()) return fmt::format("{} objects are in use of {}", used, objects_.size());
  if (leaves != trees_.still.leaves() + trees_.moving.leaves()) return "a tree has a leaf of no object";
  for (const std::uint64_t key : objects_.ignored()) {
    if (!objects_.used(first_of(key)) || !objects_.used(second_of(key)))
      return "a pair with an object that was removed is ignored";
  }
  return validate_pairs();
}

std::string WorldState::validate_pairs() const {
  const std::lock_guard lock(pairs_mutex_);
  std::vector<std::uint64_t> expected;
  for (std::uint32_t a = 0; a < objects_.slot_count(); ++a) {
    if (objects_[a].leaf == DynamicTree::kNone || pairs_.changed(a)) continue;
    for (std::uint32_t b = a + 1; b < objects_.slot_count(); ++b) {
      if (objects_[b].leaf == DynamicTree::kNone || pairs_.changed(b) || !objects_[a].masks.meet(objects_[b].masks))
        continue;
      if (trees_.of(objects_[a].motion)
              .box(objects_[a].leaf)
              .overlaps(trees_.of(objects_[b].motion).box(objects_[b].leaf)))
        expected.push_back(pair_key(a, b));
    }
  }
  std::vector<std::uint64_t> kept;
  for (const std::uint64_t key : pairs_.pairs()) {
    if (!pairs_.changed(first_of(key)) && !pairs_.changed(second_of(key))) kept.push_back(key);
  }
  if (kept == expected) return {};
  return fmt::format("{} pairs are stored, {} boxes of unchanged objects overlap", kept.size(), expected.size());
}

}  // namespace graze::rigid

// Candidates of a query about pairs of objects. See the header.
#include "rigid/world/candidates.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "core/tasks.hpp"

namespace graze::rigid {

namespace {

/// Stored pairs whose boxes are compared together.
constexpr std::size_t kKeysPerBlock = 4096;
/// Objects that are looked up together.
constexpr std::size_t kSlotsPerBlock = 32;

/// The box with d >= 0 on every side. Boxes with a gap of at most d along an axis overlap along it: then hi + d >=
/// lo' for doubles hi, d and lo', and a rounded sum is on the same side of a double.
WorldBox within(const WorldBox& box, double d) {
  return {{box.lo[0] - d, box.lo[1] - d, box.lo[2] - d}, {box.hi[0] + d, box.hi[1] + d, box.hi[2] + d}};
}

}  // namespace

PairSide PairQuery::side(std::uint32_t slot) const {
  if (slot == kProbe) return {ObjectAccess::state(*scope_.probe->object), scope_.probe->pose, kNoObject};
  const WorldSlot& object = world_.objects()[slot];
  return {object.state(), object.pose, world_.objects().id(slot)};
}

Candidates PairQuery::of_one(double d) const {
  const ObjectTable& objects = world_.objects();
  Candidates found;
  WorldBox box;
  GroupMasks masks;
  if (scope_.slot) {
    const WorldSlot& object = objects[*scope_.slot];
    if (object.leaf == DynamicTree::kNone) return found;
    box = object.box;
    masks = object.masks;
  } else {
    const ObjectState& state = ObjectAccess::state(*scope_.probe->object);
    const LocalBounds& bounds = state.mesh_data.bounds(state);
    if (bounds.empty) return found;
    box = posed_box(bounds, scope_.probe->pose);
    masks = {scope_.probe->groups, scope_.probe->meets};
  }
  box = within(box, d);
  const std::uint32_t one = scope_.slot.value_or(kProbe);
  const std::uint32_t self = scope_.slot ? one : scope_.probe->instead_of.slot;
  const bool known = self != kNoObject.slot;
  found.box_tests = world_.trees().for_overlaps(box, [&](std::uint32_t other) {
    const WorldSlot& object = objects[other];
    if (other == self || !object.box.overlaps(box) || !masks.meet(object.masks) ||
        !in_groups(masks.groups, object.masks.groups) || (known && objects.ignores(self, other)))
      return;
    found.pairs.push_back({one, other});
  });
  std::sort(found.pairs.begin(), found.pairs.end(),
            [](const Candidate& x, const Candidate& y) { return x.b < y.b; });
  return found;
}

Candidates PairQuery::of_stored() const {
  const ObjectTable& objects = world_.objects();
  Candidates found;
  const std::span<const std::uint64_t> keys = world_.pairs(found.box_tests);
  std::vector<std::vector<Candidate>> blocks((keys.size() + kKeysPerBlock - 1) / kKeysPerBlock);
  parallel_for(0, blocks.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t begin = i * kKeysPerBlock;
      for (const std::uint64_t key : keys.subspan(begin, std::min(kKeysPerBlock, keys.size() - begin))) {
        const Candidate pair{first_of(key), second_of(key)};
        const WorldSlot& a = objects[pair.a];
        const WorldSlot& b = objects[pair.b];
        if (a.box.overlaps(b.box) && in_groups(a.masks.groups, b.masks.groups) && !objects.ignores(pair.a, pair.b))
          blocks[i].push_back(pair);
      }
    }
  });
  if (blocks.size() == 1) {
    found.pairs = std::move(blocks[0]);
    return found;
  }
  for (const std::vector<Candidate>& block : blocks)
    found.pairs.insert(found.pairs.end(), block.begin(), block.end());
  return found;
}

Candidates PairQuery::of_all(double d) const {
  const ObjectTable& objects = world_.objects();
  std::vector<Candidates> blocks((objects.slot_count() + kSlotsPerBlock - 1) / kSlotsPerBlock);
  parallel_for(0, blocks.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Candidates& block = blocks[i];
      const std::size_t end = std::min(objects.slot_count(), (i + 1) * kSlotsPerBlock);
      for (auto slot = static_cast<std::uint32_t>(i * kSlotsPerBlock); slot < end; ++slot) {
        const WorldSlot& one = objects[slot];
        if (one.leaf == DynamicTree::kNone) continue;
        const WorldBox box = within(one.box, d);
        const auto before = static_cast<std::ptrdiff_t>(block.pairs.size());
        block.box_tests += world_.trees().for_overlaps(box, [&](std::uint32_t other) {
          const WorldSlot& object = objects[other];
          if (other > slot && object.box.overlaps(box) && one.masks.meet(object.masks) &&
              in_groups(one.masks.groups, object.masks.groups) && !objects.ignores(slot, other))
            block.pairs.push_back({slot, other});
        });
        std::sort(block.pairs.begin() + before, block.pairs.end(),
                  [](const Candidate& x, const Candidate& y) { return x.b < y.b; });
      }
    }
  });
  Candidates found;
  for (const Candidates& block : blocks) {
    found.box_tests += block.box_tests;
    found.pairs.insert(found.pairs.end(), block.pairs.begin(), block.pairs.end());
  }
  return found;
}

void check_probe(const WorldState& world, const WorldProbe& probe) {
  if (probe.object == nullptr) throw InputError("the object of the probe is a null pointer");
  const std::optional<RigidTree> kind = world.objects().kind();
  if (kind && probe.object->tree() != *kind)
    throw InputError(fmt::format("the probe has a tree of kind {}, the world's objects have trees of kind {}",
                                 name_of(probe.object->tree()), name_of(*kind)));
  check_pose(ObjectAccess::state(*probe.object), probe.pose, "the pose of the probe");
  if (probe.instead_of != kNoObject) world.objects().find(probe.instead_of, "instead_of of the probe");
}

}  // namespace graze::rigid

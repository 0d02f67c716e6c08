// The objects of a world: slots with generations, poses, groups, and the ignored pairs. Knows no boxes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <graze/rigid_world.hpp>

#include "rigid/object.hpp"
#include "rigid/world/dynamic_tree.hpp"
#include "rigid/world/world_box.hpp"

namespace graze::rigid {

/// Most objects of a world: indices of nodes are 31 bits.
inline constexpr std::size_t kMaxObjects = std::size_t{1} << 30U;

/// Bit masks of an object.
struct GroupMasks {
  std::uint32_t groups = 1;
  std::uint32_t meets = 0xffffffffU;

  /// Whether two objects are tested by their groups.
  [[nodiscard]] bool meet(const GroupMasks& other) const {
    return (groups & other.meets) != 0 && (other.groups & meets) != 0;
  }
};

struct WorldSlot {
  std::optional<RigidObject> object;  ///< empty: the slot is free
  Pose pose;
  WorldBox box;                                  ///< of the posed object; unused if it has no triangles
  DynamicTree::Index leaf = DynamicTree::kNone;  ///< kNone: the object has no triangles
  std::uint32_t generation = 0;
  std::uint32_t ignored = 0;  ///< number of ignored pairs with this object
  GroupMasks masks;
  graze::Motion motion = graze::Motion::Rigid;

  [[nodiscard]] const ObjectState& state() const { return ObjectAccess::state(*object); }
  [[nodiscard]] const LocalBounds& bounds() const { return state().mesh_data.bounds(state()); }
};

class ObjectTable {
 public:
  /// Puts an object into the slot that was freed last, or a new one. Adds nothing if memory runs out.
  std::uint32_t take(const RigidObject& object);
  /// Frees a slot and drops its ignored pairs.
  void release(std::uint32_t slot);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t slot_count() const { return slots_.size(); }
  [[nodiscard]] WorldSlot& operator[](std::uint32_t slot) { return slots_[slot]; }
  [[nodiscard]] const WorldSlot& operator[](std::uint32_t slot) const { return slots_[slot]; }
  [[nodiscard]] bool used(std::uint32_t slot) const { return slots_[slot].object.has_value(); }
  [[nodiscard]] ObjectId id(std::uint32_t slot) const { return {slot, slots_[slot].generation}; }
  [[nodiscard]] bool has(ObjectId id) const {
    return id.slot < slots_.size() && slots_[id.slot].generation == id.generation && used(id.slot);
  }
  /// The slot of an id. Throws InputError, with the name of the function, if the id is not of an object.
  std::uint32_t find(ObjectId id, std::string_view function) const;

  /// Whether the pair becomes ignored, or tested again, by this call. Precondition: a != b, both used.
  bool ignore(std::uint32_t a, std::uint32_t b);
  bool allow(std::uint32_t a, std::uint32_t b);
  [[nodiscard]] bool ignores(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] std::span<const std::uint64_t> ignored() const { return ignored_; }
  /// The kind of tree of all objects; empty if there is no object.
  [[nodiscard]] std::optional<RigidTree> kind() const { return kind_; }
  [[nodiscard]] std::uint64_t memory_bytes() const;

 private:
  std::vector<WorldSlot> slots_;
  std::vector<std::uint32_t> free_;     // the next one last; room for all slots is reserved
  std::vector<std::uint64_t> ignored_;  // sorted keys of pairs
  std::size_t size_ = 0;
  std::optional<RigidTree> kind_;
};

/// A pair of slots in one number, that orders pairs by the smaller slot, then by the larger.
inline std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) {
  return a < b ? std::uint64_t{a} << 32U | b : std::uint64_t{b} << 32U | a;
}
inline std::uint32_t first_of(std::uint64_t key) {
  return static_cast<std::uint32_t>(key >> 32U);
}
inline std::uint32_t second_of(std::uint64_t key) {
  return static_cast<std::uint32_t>(key);
}

/// An object in messages.
std::string described(ObjectId id);

}  // namespace graze::rigid

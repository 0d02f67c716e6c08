// Slots with generations, and a sorted list of ignored pairs. See the header.
#include "rigid/world/object_table.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <graze/error.hpp>

namespace graze::rigid {

std::string described(ObjectId id) {
  if (id == kNoObject) return "kNoObject";
  return id.generation == 0 ? fmt::format("object {}", id.slot)
                            : fmt::format("object {} of generation {}", id.slot, id.generation);
}

std::uint32_t ObjectTable::take(const RigidObject& object) {
  if (free_.empty()) {
    // Room for every slot in the list of free ones, so that release() never allocates.
    if (slots_.size() == slots_.capacity()) slots_.reserve(std::max<std::size_t>(16, 2 * slots_.size()));
    free_.reserve(slots_.capacity());
    slots_.emplace_back();
    free_.push_back(static_cast<std::uint32_t>(slots_.size() - 1));
  }
  const std::uint32_t slot = free_.back();
  slots_[slot].object = object;
  free_.pop_back();
  kind_ = object.tree();
  ++size_;
  return slot;
}

void ObjectTable::release(std::uint32_t slot) {
  WorldSlot& here = slots_[slot];
  if (here.ignored != 0) {
    std::erase_if(ignored_, [&](std::uint64_t key) {
      if (first_of(key) != slot && second_of(key) != slot) return false;
      --slots_[first_of(key) == slot ? second_of(key) : first_of(key)].ignored;
      return true;
    });
  }
  const std::uint32_t generation = here.generation;
  here = {};
  here.generation = generation + 1;
  // A slot whose generations are used up is never used again.
  if (generation != std::numeric_limits<std::uint32_t>::max() - 1) free_.push_back(slot);
  if (--size_ == 0) kind_.reset();
}

std::uint32_t ObjectTable::find(ObjectId id, std::string_view function) const {
  if (has(id)) return id.slot;
  if (id.slot < slots_.size() && (id.generation < slots_[id.slot].generation))
    throw InputError(fmt::format("{}: {} was removed", function, described(id)));
  throw InputError(fmt::format("{}: there is no {}, the world has {} objects", function, described(id), size_));
}

bool ObjectTable::ignores(std::uint32_t a, std::uint32_t b) const {
  if (slots_[a].ignored == 0 || slots_[b].ignored == 0) return false;
  return std::binary_search(ignored_.begin(), ignored_.end(), pair_key(a, b));
}

bool ObjectTable::ignore(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t key = pair_key(a, b);
  const auto place = std::lower_bound(ignored_.begin(), ignored_.end(), key);
  if (place != ignored_.end() && *place == key) return false;
  ignored_.insert(place, key);
  ++slots_[a].ignored;
  ++slots_[b].ignored;
  return true;
}

bool ObjectTable::allow(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t key = pair_key(a, b);
  const auto place = std::lower_bound(ignored_.begin(), ignored_.end(), key);
  if (place == ignored_.end() || *place != key) return false;
  ignored_.erase(place);
  --slots_[a].ignored;
  --slots_[b].ignored;
  return true;
}

std::uint64_t ObjectTable::memory_bytes() const {
  return slots_.capacity() * sizeof(WorldSlot) + free_.capacity() * sizeof(std::uint32_t) +
         ignored_.capacity() * sizeof(std::uint64_t);
}

}  // namespace graze::rigid

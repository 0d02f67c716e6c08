// A hash table of ids that stores no keys: it answers which edge has these two vertices, or which triangle
// represents these three.
//
// Open addressing with linear probing, a load factor of at most one half, and backward-shift deletion, so that
// erased entries leave no tombstones. A slot holds the id alone, 8 bytes per entry at half load; the caller passes
// a function that returns the key of an id. A key is a few words; the hash mixes each word with a seed. Adversarial
// keys that collide would make linear probing quadratic. They cause a long probe, and the table then takes a random
// seed and rehashes all entries. Nobody observes the order of the slots, so no result depends on it. Cost: O(1)
// expected.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "core/assert.hpp"
#include "core/namespaces.hpp"

namespace graze::core {

/// Hash table of ids. In every function key_of(id) returns the key of an id; the key must not change while the id
/// is in the table.
template <std::size_t kWords>
class IndexTable {
 public:
  using Key = std::array<std::uint32_t, kWords>;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t memory_bytes() const { return slots_.capacity() * sizeof(std::uint32_t); }
  /// How often colliding keys made the table change its seed.
  [[nodiscard]] std::size_t reseed_count() const { return reseed_count_; }

  /// The id that has this key, or kNone.
  template <typename KeyOf>
  [[nodiscard]] std::uint32_t find(const Key& key, const KeyOf& key_of) const {
    return slots_.empty() ? kNone : slots_[slot_of(key, key_of)];
  }

  /// Reserves capacity for `count` ids: inserting up to that many does not allocate, unless adversarial keys force
  /// a rehash.
  template <typename KeyOf>
  void reserve(std::size_t count, const KeyOf& key_of) {
    if (2 * count + 1 > slots_.size()) rehash(std::max(2 * count + 1, slots_.size() + slots_.size() / 2), key_of);
  }

  /// Precondition: the table holds no id with the key of `id`.
  template <typename KeyOf>
  void insert(std::uint32_t id, const KeyOf& key_of) {
    reserve(size_ + 1, key_of);
    if (place(id, key_of) > max_probes_) {
      max_probes_ *= 2;  // bounds the number of rehashes even if the keys collide under every seed
      seed_ = std::uint64_t{std::random_device{}()} << 32U | ++reseed_count_;
      ++size_;
      rehash(slots_.size(), key_of);
      return;
    }
    ++size_;
  }

  /// Replaces `id` by `by` in its slot. Precondition: both have the same key.
  template <typename KeyOf>
  void replace(std::uint32_t id, std::uint32_t by, const KeyOf& key_of) {
    const std::size_t at = slot_of(key_of(id), key_of);
    GRAZE_ASSERT(slots_[at] == id);
    slots_[at] = by;
  }

  template <typename KeyOf>
  void erase(std::uint32_t id, const KeyOf& key_of) {
    std::size_t hole = slot_of(key_of(id), key_of);
    GRAZE_ASSERT(slots_[hole] == id);
    // Backward shift: each entry up to the next free slot moves into the hole if the hole lies between the entry's
    // preferred slot and its current slot.
    for (std::size_t at = next(hole); slots_[at] != kNone; at = next(at)) {
      const std::size_t preferred = preferred_slot(key_of(slots_[at]));
      if (distance(preferred, at) < distance(hole, at)) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = kNone;
    --size_;
  }

  /// Public so that tests can search for colliding keys.
  static constexpr std::uint64_t hash(const Key& key, std::uint64_t seed) {
    std::uint64_t state = seed;
    for (const std::uint32_t word : key) {
      state = (state ^ word) * 0x9E3779B97F4A7C15ULL;  // odd constants make each word's step a bijection
      state = (state ^ (state >> 32U)) * 0xD6E8FEB86659FD93ULL;
      state ^= (state >> 29U) + seed;
    }
    return state;
  }

 private:
  [[nodiscard]] std::size_t preferred_slot(const Key& key) const {
    // Scales the upper half of the hash to the number of slots, which need not be a power of two.
    return static_cast<std::size_t>((hash(key, seed_) >> 32U) * std::uint64_t{slots_.size()} >> 32U);
  }
  [[nodiscard]] std::size_t next(std::size_t at) const { return at + 1 == slots_.size() ? 0 : at + 1; }
  [[nodiscard]] std::size_t distance(std::size_t from, std::size_t to) const {
    return to >= from ? to - from : to + slots_.size() - from;
  }
  /// The slot of the id with this key, or the free slot where it would be inserted.
  template <typename KeyOf>
  [[nodiscard]] std::size_t slot_of(const Key& key, const KeyOf& key_of) const {
    std::size_t at = preferred_slot(key);
    while (slots_[at] != kNone && key_of(slots_[at]) != key) at = next(at);
    return at;
  }
  /// Inserts an id without a check of the load; returns how many occupied slots it probed.
  template <typename KeyOf>
  std::size_t place(std::uint32_t id, const KeyOf& key_of) {
    std::size_t probes = 0;
    std::size_t at = preferred_slot(key_of(id));
    for (; slots_[at] != kNone; at = next(at)) ++probes;
    slots_[at] = id;
    return probes;
  }
  template <typename KeyOf>
  void rehash(std::size_t slot_count, const KeyOf& key_of) {
    std::vector<std::uint32_t> old(slot_count, kNone);
    std::swap(old, slots_);
    for (const std::uint32_t id : old) {
      if (id != kNone) place(id, key_of);
    }
  }

  std::vector<std::uint32_t> slots_;  ///< more than half of the slots are free
  std::size_t size_ = 0;
  std::uint64_t seed_ = 0x6772617A65ULL;
  std::size_t max_probes_ = 192;  ///< a longer probe causes a rehash; ordinary keys probe about log(size) slots
  std::size_t reseed_count_ = 0;
};

}  // namespace graze::core

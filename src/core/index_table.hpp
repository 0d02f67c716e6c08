// A hash table of ids whose keys lie elsewhere: which edge has these two vertices, which triangle stands for these
// three.
//
// Open addressing with linear probing at a load of one half at most, and backward-shift deletion, so that nothing
// is left behind by what was erased. A slot is the id alone, 8 bytes an entry; its key is read through a function
// that the caller gives. Keys are few words; the hash mixes each with a seed. Keys chosen to collide, which would
// make linear probing quadratic, give themselves away by a long probe: the table then takes a random seed and
// places everything anew. The order of slots is never seen, so no result depends on it. Cost: O(1) expected.
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

/// Everywhere below, key_of(id) is the key of an id in the table: the same as long as it is there.
template <std::size_t kWords>
class IndexTable {
 public:
  using Key = std::array<std::uint32_t, kWords>;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t memory_bytes() const { return slots_.capacity() * sizeof(std::uint32_t); }
  /// How often keys that collide made it take another seed.
  [[nodiscard]] std::size_t reseed_count() const { return reseed_count_; }

  /// The id with this key, or kNone.
  template <typename KeyOf>
  [[nodiscard]] std::uint32_t find(const Key& key, const KeyOf& key_of) const {
    return slots_.empty() ? kNone : slots_[slot_of(key, key_of)];
  }

  /// Room for so many ids: inserting them does not allocate, unless their keys collide on purpose.
  template <typename KeyOf>
  void reserve(std::size_t count, const KeyOf& key_of) {
    if (2 * count + 1 > slots_.size())
      place_anew(std::max(2 * count + 1, slots_.size() + slots_.size() / 2), key_of);
  }

  /// Precondition: no id with the same key is there.
  template <typename KeyOf>
  void insert(std::uint32_t id, const KeyOf& key_of) {
    reserve(size_ + 1, key_of);
    if (place(id, key_of) > most_probes_) {
      most_probes_ *= 2;  // should the keys be equal under every seed, this ends all the same
      seed_ = std::uint64_t{std::random_device{}()} << 32U | ++reseed_count_;
      ++size_;
      place_anew(slots_.size(), key_of);
      return;
    }
    ++size_;
  }

  /// Another id takes the place of one with the same key.
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
    // Whatever follows without a gap moves up, if the hole lies on its way from where it should be.
    for (std::size_t at = next(hole); slots_[at] != kNone; at = next(at)) {
      const std::size_t home = home_of(key_of(slots_[at]));
      if (distance(home, at) < distance(hole, at)) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = kNone;
    --size_;
  }

  /// For tests that look for keys which collide.
  static constexpr std::uint64_t hash(const Key& key, std::uint64_t seed) {
    std::uint64_t state = seed;
    for (const std::uint32_t word : key) {
      state = (state ^ word) * 0x9E3779B97F4A7C15ULL;  // odd constants: a bijection for each word
      state = (state ^ (state >> 32U)) * 0xD6E8FEB86659FD93ULL;
      state ^= (state >> 29U) + seed;
    }
    return state;
  }

 private:
  [[nodiscard]] std::size_t home_of(const Key& key) const {
    // The upper half of the hash, scaled: any number of slots will do.
    return static_cast<std::size_t>((hash(key, seed_) >> 32U) * std::uint64_t{slots_.size()} >> 32U);
  }
  [[nodiscard]] std::size_t next(std::size_t at) const { return at + 1 == slots_.size() ? 0 : at + 1; }
  [[nodiscard]] std::size_t distance(std::size_t from, std::size_t to) const {
    return to >= from ? to - from : to + slots_.size() - from;
  }
  /// Where the id with this key is, or the free slot where it would be.
  template <typename KeyOf>
  [[nodiscard]] std::size_t slot_of(const Key& key, const KeyOf& key_of) const {
    std::size_t at = home_of(key);
    while (slots_[at] != kNone && key_of(slots_[at]) != key) at = next(at);
    return at;
  }
  /// Returns the number of slots that were taken.
  template <typename KeyOf>
  std::size_t place(std::uint32_t id, const KeyOf& key_of) {
    std::size_t probes = 0;
    std::size_t at = home_of(key_of(id));
    for (; slots_[at] != kNone; at = next(at)) ++probes;
    slots_[at] = id;
    return probes;
  }
  template <typename KeyOf>
  void place_anew(std::size_t slot_count, const KeyOf& key_of) {
    std::vector<std::uint32_t> old(slot_count, kNone);
    std::swap(old, slots_);
    for (const std::uint32_t id : old) {
      if (id != kNone) place(id, key_of);
    }
  }

  std::vector<std::uint32_t> slots_;  // more of them free than taken
  std::size_t size_ = 0;
  std::uint64_t seed_ = 0x6772617A65ULL;
  std::size_t most_probes_ = 192;  // ordinary keys: about the logarithm of their number
  std::size_t reseed_count_ = 0;
};

}  // namespace graze::core

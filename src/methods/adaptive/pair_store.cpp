// The table of the pair store.
//
// A slot holds the place of a pair in its lower bits, as many as the table has (a place is less than the number of
// slots), and in the others bits of the pair's hash: a look into the array, which is far away in memory, is then
// almost always for the right pair. Linear probing from the hash's upper bits. Hashes are of the ordered pair, so
// {a, b} and {b, a} are one. Expected constant cost a pair.
#include "methods/adaptive/pair_store.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <graze/error.hpp>

#include "core/assert.hpp"

namespace graze::methods {
namespace {

constexpr unsigned kLeastBits = 4;
/// Pairs whose memory is asked for at once.
constexpr std::size_t kRun = 32;

/// The finalizer of SplitMix64.
std::uint64_t hash_of(std::uint32_t a, std::uint32_t b) {
  std::uint64_t z = std::uint64_t{std::max(a, b)} << 32U | std::min(a, b);
  z += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// Where a table with so many bits begins to look.
std::size_t home_slot(std::uint64_t hash, unsigned bits) {
  return static_cast<std::size_t>(hash >> (64U - bits));
}

/// The bits of a slot that are no place, from the lower end of the hash.
std::uint32_t tag_of(std::uint64_t hash, unsigned bits) {
  return static_cast<std::uint32_t>(hash << std::min(bits, 32U));
}

std::uint32_t place_mask(unsigned bits) {
  return static_cast<std::uint32_t>((std::uint64_t{1} << std::min(bits, 32U)) - 1);
}

/// The smallest table that so many pairs fill to 3/4 at most.
unsigned bits_for(std::size_t count) {
  unsigned bits = kLeastBits;
  while (std::uint64_t{count} * 4 > (std::uint64_t{3} << bits)) ++bits;
  return bits;
}

std::size_t slots_of(unsigned bits) {
  return std::size_t{1} << bits;
}

void prefetch([[maybe_unused]] const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#endif
}

}  // namespace

void PairStore::append(std::span<const StoredPair> some) {
  if (some.size() > std::size_t{kNone} - 1 - pairs_.size()) {
    throw InputError("more than 4294967294 pairs of triangles are close to each other");
  }
  const std::size_t before = pairs_.size();
  const std::size_t after = before + some.size();
  // What may fail comes first.
  pairs_.reserve(capacity_for(after));
  unsigned bits = slot_bits_;
  if (bits != 0 && bits < bits_for(after)) {
    bits = bits_for(after);
    if (slots_.size() < slots_of(bits)) {
      std::vector<std::uint32_t> more(slots_of(bits), kNone);
      slots_.swap(more);
    } else {
      std::fill_n(slots_.begin(), slots_of(bits), kNone);
    }
  }
  pairs_.insert(pairs_.end(), some.begin(), some.end());
  if (bits == 0) return;
  const bool is_new = std::exchange(slot_bits_, bits) != bits;
  insert(is_new ? 0 : before);
}

void PairStore::clear() {
  if (pairs_.size() < pairs_.capacity() / 4) {
    release();
    return;
  }
  forget_table();
  pairs_.clear();
}

void PairStore::release() {
  *this = {};
}

void PairStore::make_table() {
  if (slot_bits_ != 0) return;
  const unsigned bits = bits_for(pairs_.size());
  if (slots_.size() < slots_of(bits)) {
    slots_ = decltype(slots_)();  // not both at a time
    slots_.resize(slots_of(bits), kNone);
  } else {
    std::fill_n(slots_.begin(), slots_of(bits), kNone);
  }
  slot_bits_ = bits;
  insert(0);
}

std::uint32_t PairStore::find(const LeafPair& pair) const {
  GRAZE_ASSERT(slot_bits_ != 0);
  const std::uint64_t hash = hash_of(pair.a, pair.b);
  return find_from(home_slot(hash, slot_bits_), hash, pair);
}

void PairStore::find_all(std::span<const LeafPair> pairs, std::uint32_t* places) const {
  GRAZE_ASSERT(slot_bits_ != 0);
  const std::size_t mask = slots_of(slot_bits_) - 1;
  const std::uint32_t in_place = place_mask(slot_bits_);
  std::array<std::uint64_t, kRun> hashes;
  std::array<std::size_t, kRun> starts;
  for (std::size_t begin = 0; begin < pairs.size(); begin += kRun) {
    const std::size_t count = std::min(kRun, pairs.size() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      hashes[i] = hash_of(pairs[begin + i].a, pairs[begin + i].b);
      starts[i] = home_slot(hashes[i], slot_bits_);
      prefetch(&slots_[starts[i]]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      // The first slot that may be it, or is empty.
      const std::uint32_t tag = tag_of(hashes[i], slot_bits_);
      std::size_t slot = starts[i];
      while (slots_[slot] != kNone && (slots_[slot] & ~in_place) != tag) slot = (slot + 1) & mask;
      starts[i] = slot;
      if (slots_[slot] != kNone) prefetch(&pairs_[slots_[slot] & in_place]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      places[begin + i] = find_from(starts[i], hashes[i], pairs[begin + i]);
    }
  }
}

std::size_t PairStore::memory_bytes() const {
  return pairs_.capacity() * sizeof(StoredPair) + slots_.capacity() * sizeof(std::uint32_t);
}

/// The array's capacity when it must hold so many. Doubling, as it would by itself, might leave half of it empty.
std::size_t PairStore::capacity_for(std::size_t count) const {
  if (count <= pairs_.capacity()) return pairs_.capacity();
  return std::max(count, std::min(pairs_.size() + pairs_.size() / 4, std::size_t{kNone} - 1));
}

std::size_t PairStore::growth_bytes(std::size_t count) const {
  return (capacity_for(pairs_.size() + count) - pairs_.capacity()) * sizeof(StoredPair);
}

/// Puts the places from `first` on into the table, which has room.
void PairStore::insert(std::size_t first) {
  const std::size_t mask = slots_of(slot_bits_) - 1;
  std::array<std::uint64_t, kRun> hashes;
  for (std::size_t begin = first; begin < pairs_.size(); begin += kRun) {
    const std::size_t count = std::min(kRun, pairs_.size() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      hashes[i] = hash_of(pairs_[begin + i].a, pairs_[begin + i].b);
      prefetch(&slots_[home_slot(hashes[i], slot_bits_)]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t slot = home_slot(hashes[i], slot_bits_);
      GRAZE_ASSERT(find_from(slot, hashes[i], {pairs_[begin + i].a, pairs_[begin + i].b}) == kNone);
      while (slots_[slot] != kNone) slot = (slot + 1) & mask;
      slots_[slot] = static_cast<std::uint32_t>(begin + i) | tag_of(hashes[i], slot_bits_);
    }
  }
}

std::uint32_t PairStore::find_from(std::size_t slot, std::uint64_t hash, const LeafPair& pair) const {
  const std::size_t mask = slots_of(slot_bits_) - 1;
  const std::uint32_t in_place = place_mask(slot_bits_);
  const std::uint32_t tag = tag_of(hash, slot_bits_);
  for (; slots_[slot] != kNone; slot = (slot + 1) & mask) {
    if ((slots_[slot] & ~in_place) != tag) continue;
    const std::uint32_t place = slots_[slot] & in_place;
    const StoredPair& there = pairs_[place];
    if ((there.a == pair.a && there.b == pair.b) || (there.a == pair.b && there.b == pair.a)) return place;
  }
  return kNone;
}

}  // namespace graze::methods

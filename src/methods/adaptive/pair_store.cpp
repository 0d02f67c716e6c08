// The hash table of the pair store.
//
// The lower bits of a slot hold the index of a pair in the array, as many bits as the table has (an index is less
// than the number of slots); the other bits hold a part of the pair's hash, so that an access to the array, which
// is usually a cache miss, almost always finds the right pair. Linear probing starts at the hash's upper bits. The
// hash is of the sorted pair, so {a, b} and {b, a} are equal. Expected constant cost per pair.
#include "methods/adaptive/pair_store.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <graze/error.hpp>

#include "core/assert.hpp"

namespace graze::methods {
namespace {

constexpr unsigned kMinBits = 4;
/// Pairs whose memory is prefetched together.
constexpr std::size_t kRun = 32;

/// Finalizer of SplitMix64.
std::uint64_t hash_of(std::uint32_t a, std::uint32_t b) {
  std::uint64_t z = std::uint64_t{std::max(a, b)} << 32U | std::min(a, b);
  z += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// First slot to probe in a table of 2^bits slots.
std::size_t first_slot(std::uint64_t hash, unsigned bits) {
  return static_cast<std::size_t>(hash >> (64U - bits));
}

/// The bits of a slot that hold no index, taken from the lower end of the hash.
std::uint32_t tag_of(std::uint64_t hash, unsigned bits) {
  return static_cast<std::uint32_t>(hash << std::min(bits, 32U));
}

std::uint32_t place_mask(unsigned bits) {
  return static_cast<std::uint32_t>((std::uint64_t{1} << std::min(bits, 32U)) - 1);
}

/// Bits of the smallest table that `count` pairs fill to at most 3/4.
unsigned bits_for(std::size_t count) {
  unsigned bits = kMinBits;
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
    throw InputError("more than 2^32 - 2 close pairs of triangles; method adaptive can keep no more");
  }
  const std::size_t before = pairs_.size();
  const std::size_t after = before + some.size();
  // Allocate first, as allocation may throw.
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
    slots_ = decltype(slots_)();  // free the old table before the new one is allocated
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
  return find_from(first_slot(hash, slot_bits_), hash, pair);
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
      starts[i] = first_slot(hashes[i], slot_bits_);
      prefetch(&slots_[starts[i]]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      // Find the first slot that has the right tag or is empty.
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

/// Capacity of the array for `count` pairs. Doubling, the vector's own growth, could leave half of it empty.
std::size_t PairStore::capacity_for(std::size_t count) const {
  if (count <= pairs_.capacity()) return pairs_.capacity();
  return std::max(count, std::min(pairs_.size() + pairs_.size() / 4, std::size_t{kNone} - 1));
}

std::size_t PairStore::growth_bytes(std::size_t count) const {
  return (capacity_for(pairs_.size() + count) - pairs_.capacity()) * sizeof(StoredPair);
}

/// Inserts the pairs from index `first` on into the table, which is large enough.
void PairStore::insert(std::size_t first) {
  const std::size_t mask = slots_of(slot_bits_) - 1;
  std::array<std::uint64_t, kRun> hashes;
  for (std::size_t begin = first; begin < pairs_.size(); begin += kRun) {
    const std::size_t count = std::min(kRun, pairs_.size() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      hashes[i] = hash_of(pairs_[begin + i].a, pairs_[begin + i].b);
      prefetch(&slots_[first_slot(hashes[i], slot_bits_)]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t slot = first_slot(hashes[i], slot_bits_);
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

// The rules of the history of sides, and its hash table.
//
// Let g be the side that the step's geometry gives and h the remembered side. The resulting side:
//
//   no pair remembered, or h = 0    g
//   g = 0, or g = h                 h
//   g = -h, the pair was past       h    it came back the way it went, or went on through
//   g = -h, the pair was not past   g    it left and came round to the other side
//
// The table uses linear probing. It has 5/3 slots per pair when it is built, and at most 3/4 of the slots are used;
// pairs are removed only by rebuilding it. Its size is not a power of two, which would cost up to 75 bytes per
// pair.
#include "methods/adaptive/side_history.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/assert.hpp"
#include "core/hash.hpp"

namespace graze::methods {
namespace {

constexpr std::size_t kMinSlots = 16;

/// Maps the upper half of the hash to a slot, so that tables of every size are evenly used.
std::size_t first_slot(const FeaturePair& pair, std::size_t slot_count) {
  Hash64 hash;
  hash.add(pair.vertices[0], pair.vertices[1]);
  hash.add(pair.vertices[2], pair.vertices[3]);
  const std::uint64_t upper = (hash.value() ^ static_cast<std::uint64_t>(pair.kind) << 63U) >> 32U;
  // A table with more slots than values of the upper half spreads them in steps of slot_count >> 32.
  if (slot_count > 0xffffffffU) return static_cast<std::size_t>(upper * (slot_count >> 32U));
  return static_cast<std::size_t>(upper * slot_count >> 32U);
}

}  // namespace

void SideHistory::take_one(Impact& impact, int end_side) {
  GRAZE_ASSERT(end_side >= -1 && end_side <= 1);
  const bool is_known = look_up(impact);
  new_pairs_ += is_known ? 0 : 1;
  const int side = impact.remembered_side;
  taken_.push_back({impact.pair, step_ + 1, static_cast<std::int8_t>(side), side != 0 && end_side == -side, true});
}

void SideHistory::end_step() {
  // Reserve slots for all pairs first. Once in kGap + 1 steps the table is rebuilt without forgotten pairs, so the
  // cost is proportional to the contacts since the previous rebuild.
  const bool is_full = (used_ + new_pairs_) * 4 > entries_.size() * 3;
  if (is_full || (step_ % (kGap + 1) == 0 && used_ > size())) make_table(size() + new_pairs_);
  ++step_;
  for (std::size_t age = kGap; age > 0; --age) last_[age] = last_[age - 1];
  last_[0] = 0;
  for (const Entry& taken : taken_) remember(taken);
  std::vector<Entry>().swap(taken_);
}

void SideHistory::remember(const Entry& taken) {
  Entry& entry = entries_[slot_of(taken.pair)];
  if (!entry.is_used) {
    ++used_;
  } else if (step_ - entry.step <= kGap) {
    --last_[step_ - entry.step];
  }
  ++last_[0];
  entry = taken;
}

bool SideHistory::look_up(Impact& impact) const {
  impact.remembered_side = impact.side;
  if (used_ == 0) return false;
  const Entry& entry = entries_[slot_of(impact.pair)];
  if (!is_fresh(entry)) return false;
  impact.remembered_side = side_with(entry, impact.side);
  return true;
}

std::size_t SideHistory::size() const {
  return std::accumulate(last_.begin(), last_.end() - 1, std::size_t{0});  // the next step forgets the last group
}

std::size_t SideHistory::memory_bytes() const {
  return (entries_.capacity() + taken_.capacity()) * sizeof(Entry);
}

/// Returns the slot of a pair, or the free slot where it belongs. Precondition: a slot is free.
std::size_t SideHistory::slot_of(const FeaturePair& pair) const {
  std::size_t slot = first_slot(pair, entries_.size());
  while (entries_[slot].is_used && entries_[slot].pair != pair) slot = slot + 1 < entries_.size() ? slot + 1 : 0;
  return slot;
}

int SideHistory::side_with(const Entry& entry, int side) {
  if (entry.side == 0) return side;
  if (side == -entry.side && !entry.is_past) return side;
  return entry.side;
}

/// Rebuilds the table for `count` pairs with the pairs that are still remembered. If memory runs out, nothing
/// changes.
void SideHistory::make_table(std::size_t count) {
  std::vector<Entry> before(std::max(kMinSlots, count + count / 3 * 2 + 2));
  before.swap(entries_);
  used_ = 0;
  for (const Entry& entry : before) {
    if (!is_fresh(entry)) continue;
    entries_[slot_of(entry.pair)] = entry;
    ++used_;
  }
}

}  // namespace graze::methods

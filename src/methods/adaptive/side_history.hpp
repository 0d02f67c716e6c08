// Remembers on which side a feature pair was before its contact began (temporal coherence; ADAPTIVE, sections 1 and
// 9.3: a history of pairs in proximity decides the side where the geometry of one step can't).
//
// One step alone gives a side only if the pair was separated earlier in that step. A pair that touches from the
// start, slides in a plane, or has passed through and not come back has no side, or the wrong one. So every pair in
// contact keeps the side that it had when contact began: through steps in which it stays in contact, through steps
// in which it is past the other feature (until it returns the way it came), and through fewer than kGap steps
// without contact. The history depends on the contacts alone, so it is equal for every method, thread count and
// session. Open-addressing hash table by feature pair: at most 48 bytes per pair. Cost of a step: O(contacts), and
// O(remembered pairs) once in kGap + 1 steps or when the table is full.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/results.hpp>
#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::methods {

class SideHistory {
 private:
  struct Entry {
    FeaturePair pair;
    std::uint32_t step = 0;  ///< step of the last contact
    std::int8_t side = 0;    ///< side before contact; 0: unknown
    bool is_past = false;    ///< at the end of that step the pair was on the other side
    bool is_used = false;    ///< whether the slot is occupied
  };

 public:
  /// Number of steps without contact after which a pair is forgotten.
  static constexpr std::uint32_t kGap = 8;

  /// Approximate memory per contact until its step ends, in bytes.
  static constexpr std::size_t kBytesTaken = sizeof(Entry);

  /// Begins a step: the following contacts belong to it. A step that was begun but not ended, because its query was
  /// interrupted, is discarded.
  void begin_step() {
    taken_.clear();
    new_pairs_ = 0;
  }
  /// Records contacts of the step, each pair at most once per step, and sets remembered_side of each.
  /// end_side(impact) returns the side, -1, 0 or 1 as in Impact::side, of the pair at the end of the step; it is
  /// called for contacts only.
  template <typename EndSide>
  void take(std::span<Impact> impacts, const EndSide& end_side) {
    for (Impact& impact : impacts) take_one(impact, end_side(impact));
  }
  /// Commits the contacts recorded since begin_step. If memory runs out, the step is discarded.
  void end_step();
  /// Sets remembered_side as for a contact in the next step, without recording it: for read-only queries. Returns
  /// whether the pair is remembered.
  bool look_up(Impact& impact) const;

  /// Number of remembered pairs: pairs whose last contact is fewer than kGap steps ago.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void take_one(Impact& impact, int end_side);
  void remember(const Entry& taken);
  [[nodiscard]] std::size_t slot_of(const FeaturePair& pair) const;
  /// Whether the entry is still remembered in the step after the last completed one.
  [[nodiscard]] bool is_fresh(const Entry& entry) const { return entry.is_used && step_ + 1 - entry.step <= kGap; }
  [[nodiscard]] static int side_with(const Entry& entry, int side);
  void make_table(std::size_t count);

  std::vector<Entry> entries_;  ///< slots of the table
  std::size_t used_ = 0;        ///< occupied slots, including forgotten pairs
  std::uint32_t step_ = 0;
  std::array<std::size_t, kGap + 1> last_{};  ///< number of pairs by steps since their last contact
  std::vector<Entry> taken_;                  ///< contacts of the step in progress
  std::size_t new_pairs_ = 0;                 ///< contacts in taken_ that are not remembered yet
};

}  // namespace graze::methods

// On which side a pair was before it came into contact (ADAPTIVE, sections 1 and 9.3: a history of pairs in
// proximity tells sides where the geometry of one step can't).
//
// Contact in one step alone gives a side only if the pair was apart before it in that step. A pair that touches
// from the start, or slides in a plane, or has passed through and not come back, has none, or the wrong one. Here
// every pair in contact keeps the side that it had when contact began: through steps in which it stays in contact,
// through steps in which it is past the other (until it comes back the way it went), and through fewer than kGap
// steps without contact. What is remembered follows from the contacts alone, so it is the same for every method,
// thread and session. An open-addressing table by feature pair: at most 48 bytes a pair. Cost of a step:
// O(contacts), and O(remembered) now and then.
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
    std::uint32_t step = 0;  ///< of its last contact
    std::int8_t side = 0;    ///< before contact; 0: not known
    bool is_past = false;    ///< at the end of that step it was on the other side
    bool is_used = false;    ///< the slot is
  };

 public:
  /// Steps without contact after which a pair is forgotten.
  static constexpr std::uint32_t kGap = 8;

  /// What a contact takes until its step ends, about.
  static constexpr std::size_t kBytesTaken = sizeof(Entry);

  /// Begins a step: contacts that follow are its. One that was begun and not ended, as its query was stopped, has
  /// never been.
  void begin_step() {
    taken_.clear();
    new_pairs_ = 0;
  }
  /// Takes some contacts of the step, each pair once a step, and sets remembered_side of each. end_side(impact) is
  /// the side, -1, 0 or 1 in the sense of Impact::side, that the pair is on at the end of the step; called for
  /// contacts only.
  template <typename EndSide>
  void take(std::span<Impact> impacts, const EndSide& end_side) {
    for (Impact& impact : impacts) take_one(impact, end_side(impact));
  }
  /// Remembers what was taken since begin_step. If memory runs out, the step has never been.
  void end_step();
  /// Sets remembered_side as a contact in the next step would have it, and remembers nothing: for queries that only
  /// look. Whether the pair is remembered.
  bool look_up(Impact& impact) const;

  /// Pairs that are remembered: of whose last contact kGap steps have not passed.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void take_one(Impact& impact, int end_side);
  void remember(const Entry& taken);
  [[nodiscard]] std::size_t slot_of(const FeaturePair& pair) const;
  /// In the step after the last one that ended.
  [[nodiscard]] bool is_fresh(const Entry& entry) const { return entry.is_used && step_ + 1 - entry.step <= kGap; }
  [[nodiscard]] static int side_with(const Entry& entry, int side);
  void make_table(std::size_t count);

  std::vector<Entry> entries_;  ///< slots of the table
  std::size_t used_ = 0;        ///< how many are, those of forgotten pairs included
  std::uint32_t step_ = 0;
  std::array<std::size_t, kGap + 1> last_{};  ///< pairs by the steps since their last contact
  std::vector<Entry> taken_;                  ///< of the step that is not ended
  std::size_t new_pairs_ = 0;                 ///< of those, the ones that are not remembered
};

}  // namespace graze::methods

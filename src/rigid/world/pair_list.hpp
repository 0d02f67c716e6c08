// The pairs of objects whose boxes in the dynamic trees overlap, kept from query to query and updated for what
// changed since: the pairs of changed objects are dropped, and found again by one descent of each tree.
//
// Boxes in the trees are larger than the objects, so an object that stays in its box changes no pair. The list is
// sorted, so it depends neither on the number of threads nor on the order of edits. An update costs O(k log n) for
// k changed objects, on all threads, and one pass over the list.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rigid/world/dynamic_tree.hpp"
#include "rigid/world/object_table.hpp"

namespace graze::rigid {

/// The trees of a world: static objects seldom change, so that edits of moving ones stay in a smaller tree.
struct WorldTrees {
  DynamicTree still;
  DynamicTree moving;

  [[nodiscard]] DynamicTree& of(graze::Motion motion) { return motion == graze::Motion::Static ? still : moving; }
  [[nodiscard]] const DynamicTree& of(graze::Motion motion) const {
    return motion == graze::Motion::Static ? still : moving;
  }
  template <typename Visit>
  std::uint64_t for_overlaps(const WorldBox& box, const Visit& visit) const {
    return still.for_overlaps(box, visit) + moving.for_overlaps(box, visit);
  }
};

class PairList {
 public:
  /// Makes room for marks of this many slots. The only function that allocates, besides update().
  void make_room(std::size_t slots);
  /// The object's box in its tree or its groups changed, or it was added or removed.
  void mark(std::uint32_t slot) {
    if (changed_[slot]) return;
    changed_[slot] = 1;
    marked_.push_back(slot);
  }

  /// Brings the list up to date, by parallel_for. Returns the number of overlap tests. Changes nothing if memory
  /// runs out.
  std::uint64_t update(const ObjectTable& objects, const WorldTrees& trees);

  /// Keys of pairs (pair_key), sorted: all pairs whose groups meet and whose boxes in the trees overlap.
  [[nodiscard]] std::span<const std::uint64_t> pairs() const { return pairs_; }
  /// Whether a slot changed since the last update.
  [[nodiscard]] bool changed(std::uint32_t slot) const { return changed_[slot] != 0; }
  [[nodiscard]] std::uint64_t memory_bytes() const {
    return pairs_.capacity() * sizeof(std::uint64_t) + marked_.capacity() * sizeof(std::uint32_t) +
           changed_.capacity();
  }

 private:
  std::vector<std::uint64_t> pairs_;
  std::vector<std::uint32_t> marked_;
  std::vector<std::uint8_t> changed_;
};

}  // namespace graze::rigid

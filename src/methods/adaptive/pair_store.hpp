// The pairs of triangles that might touch during a session, each with a distance below which it is not, and the
// feature pairs that count (ADAPTIVE, sections 4.2 and 6: the hash table, its pending list and its active slots).
//
// Pairs lie in one array, in the order in which they came: that is the pending list, and a step reads it from end
// to end. An open-addressing table of places finds a pair by its triangles; it is made when it is first asked for,
// and from then on kept. Whether the strays of a step rule a pair out is the caller's to say: a pair has no
// state that a step must write. Clearing forgets the table, which is made in as much of its memory as it needs:
// no step pays for the largest there ever was. Memory: 16 bytes a pair, a quarter more where the array had to grow,
// and 4 a slot of the table, which is between 3/8 and 3/4 full: at most 31 together, until pairs are removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "mesh/leaf_pair.hpp"

namespace graze::methods {

/// Bits of StoredPair::mask, by the places that features have in their leaves: vertex i of a with the face of b,
/// vertex i of b with the face of a, edge i of a with edge j of b.
constexpr unsigned vertex_of_a_bit(unsigned i) {
  return i;
}
constexpr unsigned vertex_of_b_bit(unsigned i) {
  return 3 + i;
}
constexpr unsigned edge_edge_bit(unsigned i, unsigned j) {
  return 6 + 3 * i + j;
}

struct StoredPair {
  std::uint32_t a = 0;  ///< numbers of leaves
  std::uint32_t b = 0;
  float distance = 0.0F;   ///< no more than that of the features in `mask` at home; infinite: the pair is void
  std::uint16_t mask = 0;  ///< the feature pairs that may meet
};
static_assert(sizeof(StoredPair) == 16);

class PairStore {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  [[nodiscard]] std::size_t size() const { return pairs_.size(); }
  [[nodiscard]] std::span<StoredPair> pairs() { return pairs_; }
  [[nodiscard]] std::span<const StoredPair> pairs() const { return pairs_; }

  /// Adds pairs that are not there, in order. At most 2^32 - 2 in all: InputError beyond. Strong guarantee.
  void append(std::span<const StoredPair> some);
  /// By how much memory_bytes grows, the table aside, when so many are added.
  [[nodiscard]] std::size_t growth_bytes(std::size_t count) const;
  /// Removes the pairs from a place on, and the table.
  void truncate(std::size_t size) {
    forget_table();
    pairs_.resize(size);
  }
  /// Removes all, and the table; memory stays for the next ones, if a good part of it was used. Constant cost.
  void clear();
  /// Gives the memory back, too.
  void release();
  /// Removes the pairs that `is_void` holds for; the others keep their order. Linear.
  template <typename IsVoid>
  void remove_if(const IsVoid& is_void) {
    forget_table();
    std::erase_if(pairs_, is_void);
  }

  /// Makes the table, if there is none: then find and find_all are allowed, from several threads. Linear. If memory
  /// runs out there is none.
  void make_table();
  /// The place of a pair, {a, b} or {b, a}, or kNone. Precondition: make_table, and nothing appended since but with
  /// the table there.
  [[nodiscard]] std::uint32_t find(const LeafPair& pair) const;
  /// The same for many: memory is asked for ahead. Room for as many places.
  void find_all(std::span<const LeafPair> pairs, std::uint32_t* places) const;

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void forget_table() { slot_bits_ = 0; }
  [[nodiscard]] std::size_t capacity_for(std::size_t count) const;
  void insert(std::size_t first);
  [[nodiscard]] std::uint32_t find_from(std::size_t slot, std::uint64_t hash, const LeafPair& pair) const;

  std::vector<StoredPair> pairs_;
  std::vector<std::uint32_t> slots_;  ///< the table is its first 2^slot_bits_ words
  unsigned slot_bits_ = 0;            ///< 0: there is no table
};

}  // namespace graze::methods

// Stores the triangle pairs that might touch during a session, each with a lower bound on its distance and a mask
// of its relevant feature pairs (ADAPTIVE, sections 4.2 and 6: the hash table, its pending list and its active
// slots).
//
// The pairs lie in one array in the order of insertion, which is the pending list; a step reads it from end to end.
// An open-addressing hash table of array indices finds a pair by its triangles; it is built on first use and
// maintained from then on. The caller decides whether the displacements of a step rule a pair out: no step writes
// to a pair unless the pair becomes void. Clearing discards the table, and the next table uses only as much of that
// memory as it needs, so no step pays for the largest table so far. Memory: 16 bytes per pair, a quarter more where
// the array had to grow, and 4 per slot of the table, whose load factor is between 3/8 and 3/4: at most 31 bytes
// per pair in total, until pairs are removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "mesh/leaf_pair.hpp"

namespace graze::methods {

/// Bits of StoredPair::mask, by the index of a feature in its leaf: vertex i of a with the face of b, vertex i of b
/// with the face of a, edge i of a with edge j of b.
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
  std::uint32_t a = 0;  ///< leaf numbers a and b
  std::uint32_t b = 0;
  float distance = 0.0F;   ///< lower bound on the distance of the features in `mask` at their reference positions;
                           ///< infinite: pair is void
  std::uint16_t mask = 0;  ///< feature pairs that may touch
};
static_assert(sizeof(StoredPair) == 16);

class PairStore {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  [[nodiscard]] std::size_t size() const { return pairs_.size(); }
  [[nodiscard]] std::span<StoredPair> pairs() { return pairs_; }
  [[nodiscard]] std::span<const StoredPair> pairs() const { return pairs_; }

  /// Appends pairs that are not stored yet, in order. Throws InputError beyond 2^32 - 2 pairs in total. Strong
  /// exception guarantee.
  void append(std::span<const StoredPair> some);
  /// Increase of memory_bytes, apart from the table, if `count` pairs are appended.
  [[nodiscard]] std::size_t growth_bytes(std::size_t count) const;
  /// Removes the pairs from index `size` on, and the table.
  void truncate(std::size_t size) {
    forget_table();
    pairs_.resize(size);
  }
  /// Removes all pairs and the table. Keeps the memory for reuse if at least a quarter of it was in use. Constant
  /// cost.
  void clear();
  /// Removes all pairs and frees the memory.
  void release();
  /// Removes the pairs for which `is_void` returns true; the others keep their order. Linear cost.
  template <typename IsVoid>
  void remove_if(const IsVoid& is_void) {
    forget_table();
    std::erase_if(pairs_, is_void);
  }

  /// Builds the table if there is none. Afterwards find and find_all may be called from several threads. Linear
  /// cost. If memory runs out, there is no table.
  void make_table();
  /// Returns the index of the pair {a, b} or {b, a}, or kNone. Precondition: the table exists (make_table); append
  /// keeps it up to date.
  [[nodiscard]] std::uint32_t find(const LeafPair& pair) const;
  /// Calls find for each pair, with memory prefetched. Precondition: `places` has space for pairs.size() indices.
  void find_all(std::span<const LeafPair> pairs, std::uint32_t* places) const;

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void forget_table() { slot_bits_ = 0; }
  [[nodiscard]] std::size_t capacity_for(std::size_t count) const;
  void insert(std::size_t first);
  [[nodiscard]] std::uint32_t find_from(std::size_t slot, std::uint64_t hash, const LeafPair& pair) const;

  std::vector<StoredPair> pairs_;
  std::vector<std::uint32_t> slots_;  ///< the first 2^slot_bits_ words are the table
  unsigned slot_bits_ = 0;            ///< 0: there is no table
};

}  // namespace graze::methods

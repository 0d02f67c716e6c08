// The vertices of some leaves, numbered from 0 on, so that tables by vertex are small: which leaves have few enough
// vertices for a cluster, and where these are in it.
//
// Vertices are numbered once for a part of a mesh, by a hash table. Counting the vertices of a group of leaves is
// then one look-up by number for each corner, without a branch, and gives their places in the cluster as well: so
// the cluster is made without a search. Cost: O(leaves); 20 bytes of work space per leaf.
#pragma once

#include <array>
#include <bit>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "core/uninitialized_vector.hpp"
#include "methods/cluster/build/leaf_view.hpp"
#include "methods/cluster/cluster.hpp"

namespace graze::methods {

/// Places of the vertices of a leaf's face in its cluster, five bits each, and whether the winding of the triangle
/// is the opposite one.
using LeafCode = std::uint16_t;
inline constexpr unsigned kPlaceBits = 5;
inline constexpr unsigned kPlaceMask = kClusterVertices - 1;
inline constexpr unsigned kTurnedBit = 3 * kPlaceBits;
static_assert(1U << kPlaceBits == kClusterVertices);

/// The vertices of some leaves, numbered from 0 on, so that tables by vertex are small.
class LocalVertices {
 public:
  static constexpr std::size_t kMaxLeaves = std::numeric_limits<std::uint16_t>::max() / 3;

  /// Numbers the vertices of these leaves. Precondition: at most kMaxLeaves.
  void number(const LeafView& all, std::span<const std::uint32_t> leaves) {
    const auto bits = static_cast<unsigned>(std::bit_width(3 * leaves.size() + leaves.size() / 2));
    const std::size_t mask = (std::size_t{1} << bits) - 1;
    slots_.assign(std::size_t{1} << bits, 0);
    ids_.resize(3 * leaves.size());
    leaves_.resize(leaves.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const Triangle& t = all.vertices(leaves[i]);
      const Face face = face_of(t);
      LocalLeaf& leaf = leaves_[i];
      leaf.mask = all.masks[leaves[i]];
      leaf.turned = (t[0] > t[1]) != ((t[0] > t[2]) != (t[1] > t[2])) ? 1 : 0;
      for (std::size_t k = 0; k < 3; ++k) {
        // The first probe keeps neighbouring ids together, as the ids of a part mostly are; others are spread.
        std::size_t at = face[k] & mask;
        if (slots_[at] != 0 && ids_[slots_[at] - 1U] != face[k]) {
          at = (face[k] * 0x9e3779b1U) >> (32 - bits);
          while (slots_[at] != 0 && ids_[slots_[at] - 1U] != face[k]) at = (at + 1) & mask;
        }
        if (slots_[at] == 0) {
          ids_[count] = face[k];
          slots_[at] = static_cast<std::uint16_t>(++count);
        }
        leaf.corners[k] = static_cast<std::uint16_t>(slots_[at] - 1U);
      }
    }
    ids_.resize(count);
    seen_.assign(count, 0);
    call_ = 0;
  }

  [[nodiscard]] std::span<const VertexId> ids() const { return ids_; }
  /// Numbers of the vertices of the face of leaf i.
  [[nodiscard]] const std::array<std::uint16_t, 3>& corners(std::size_t i) const { return leaves_[i].corners; }

  /// Whether leaves have few enough vertices and edges for a cluster. Precondition: at most kClusterFaces leaves,
  /// by index.
  bool fit(std::span<const std::uint16_t> indices) {
    ++call_;
    unsigned count = 0;
    unsigned edges = 0;
    std::uint64_t owned = 0;
    for (const std::uint16_t i : indices) {
      const LocalLeaf& leaf = leaves_[i];
      const unsigned mask = leaf.mask;
      for (unsigned k = 0; k < 3; ++k) {
        std::uint32_t& seen = seen_[leaf.corners[k]];
        const bool is_new = seen >> kSeenBits != call_;
        const unsigned place = is_new ? count : seen & kMaxSeen;
        seen = call_ << kSeenBits | place;
        count += is_new ? 1U : 0U;
        owned |= std::uint64_t{mask >> k & 1U} << (place & 63U);  // places beyond 31 are of no cluster
        edges += mask >> (kFirstEdgeBit + k) & 1U;
      }
    }
    count_ = count;
    owned_ = static_cast<std::uint32_t>(owned);
    return count <= kClusterVertices && edges <= kClusterEdges;
  }

  /// Writes the codes of the leaves of the last call of fit(), which it accepted: vertices that they represent come
  /// first.
  void write_codes(std::span<const std::uint16_t> indices, std::span<LeafCode> codes) const {
    // Where a vertex goes that fit() has seen at a place.
    std::array<std::uint8_t, kClusterVertices> place_of;
    unsigned owned = 0;
    unsigned others = static_cast<unsigned>(std::bitset<kClusterVertices>(owned_).count());
    for (unsigned place = 0; place < count_; ++place) {
      const unsigned is_owned = owned_ >> place & 1U;
      place_of[place] = static_cast<std::uint8_t>(is_owned != 0 ? owned : others);
      owned += is_owned;
      others += 1U - is_owned;
    }
    for (std::size_t n = 0; n < indices.size(); ++n) {
      const LocalLeaf& leaf = leaves_[indices[n]];
      unsigned code = unsigned{leaf.turned} << kTurnedBit;
      for (unsigned k = 0; k < 3; ++k) {
        code |= unsigned{place_of[seen_[leaf.corners[k]] & kMaxSeen]} << (k * kPlaceBits);
      }
      codes[n] = static_cast<LeafCode>(code);
    }
  }

 private:
  struct LocalLeaf {
    std::array<std::uint16_t, 3> corners;  // numbers of its face's vertices
    FeatureMask mask;
    std::uint8_t turned;  // 1 if its winding is not that of its face
  };
  static constexpr unsigned kSeenBits = 7;
  static constexpr unsigned kMaxSeen = (1U << kSeenBits) - 1;
  static_assert(3 * kClusterFaces <= kMaxSeen + 1);

  std::vector<std::uint16_t> slots_;   // hash table of ids: numbers plus 1
  UninitializedVector<VertexId> ids_;  // by number
  std::vector<LocalLeaf> leaves_;
  std::vector<std::uint32_t> seen_;  // by number: the last call of fit() that had it, and its place there
  std::uint32_t call_ = 0;
  unsigned count_ = 0;       // vertices of the last call
  std::uint32_t owned_ = 0;  // bit per place: the vertex is represented
};

}  // namespace graze::methods

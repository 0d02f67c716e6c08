// The vertices of some leaves, numbered from 0 on, so that tables by vertex are small: which leaves have few enough
// vertices for a cluster, and where these are in it.
//
// Vertices are numbered once for a part of a mesh, by a hash table. Counting the vertices of a group of leaves is
// then one look-up by number for each corner, without a branch, and gives their places in the cluster as well: so
// the cluster is made without a search. Cost: O(leaves); 20 bytes of work space per leaf.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <graze/types.hpp>

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
    ids_.clear();
    corners_.resize(leaves.size());
    turned_.resize(leaves.size());
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const Triangle& t = all.vertices(leaves[i]);
      const Face face = face_of(t);
      turned_[i] = (t[0] > t[1]) != ((t[0] > t[2]) != (t[1] > t[2])) ? 1 : 0;
      for (std::size_t k = 0; k < 3; ++k) {
        // The first probe keeps neighbouring ids together, as the ids of a part mostly are; others are spread.
        std::size_t at = face[k] & mask;
        if (slots_[at] != 0 && ids_[slots_[at] - 1U] != face[k]) {
          at = (face[k] * 0x9e3779b1U) >> (32 - bits);
          while (slots_[at] != 0 && ids_[slots_[at] - 1U] != face[k]) at = (at + 1) & mask;
        }
        if (slots_[at] == 0) {
          ids_.push_back(face[k]);
          slots_[at] = static_cast<std::uint16_t>(ids_.size());
        }
        corners_[i][k] = static_cast<std::uint16_t>(slots_[at] - 1U);
      }
    }
    stamps_.assign(ids_.size(), 0);
    stamp_ = 0;
    places_.resize(ids_.size());
  }

  [[nodiscard]] std::span<const VertexId> ids() const { return ids_; }
  /// Numbers of the vertices of the face of leaf i.
  [[nodiscard]] const std::array<std::uint16_t, 3>& corners(std::size_t i) const { return corners_[i]; }

  /// Whether leaves have few enough vertices for a cluster. Precondition: at most kClusterFaces leaves, by index.
  bool fit(std::span<const std::uint16_t> indices) {
    ++stamp_;
    std::size_t count = 0;
    for (const std::uint16_t i : indices) {
      for (const std::uint16_t v : corners_[i]) {
        const bool is_new = stamps_[v] != stamp_;
        stamps_[v] = stamp_;
        places_[v] = static_cast<std::uint8_t>(is_new ? count : places_[v]);
        count += is_new ? 1U : 0U;
      }
    }
    count_ = count;
    return count <= kClusterVertices;
  }

  /// Writes the codes of the leaves of the last call of fit(), which it accepted: vertices that they represent come
  /// first. `mask(i)` is that of a leaf.
  template <typename Mask>
  void write_codes(std::span<const std::uint16_t> indices, const Mask& mask, std::span<LeafCode> codes) const {
    std::uint32_t owned = 0;
    unsigned others = 0;  // first place of a vertex that is not represented
    for (const std::uint16_t i : indices) {
      const unsigned bits = mask(i);
      for (unsigned k = 0; k < 3; ++k) {
        owned |= (bits >> k & 1U) << places_[corners_[i][k]];
        others += bits >> k & 1U;
      }
    }
    std::array<std::uint8_t, kClusterVertices> final;
    unsigned next = 0;
    for (std::size_t place = 0; place < count_; ++place) {
      const unsigned is_owned = owned >> place & 1U;
      final[place] = static_cast<std::uint8_t>(is_owned != 0 ? next : others);
      next += is_owned;
      others += 1U - is_owned;
    }
    for (std::size_t n = 0; n < indices.size(); ++n) {
      const auto& v = corners_[indices[n]];
      unsigned code = unsigned{turned_[indices[n]]} << kTurnedBit;
      for (unsigned k = 0; k < 3; ++k) code |= unsigned{final[places_[v[k]]]} << (k * kPlaceBits);
      codes[n] = static_cast<LeafCode>(code);
    }
  }

 private:
  std::vector<std::uint16_t> slots_;                   // hash table of ids: numbers plus 1
  std::vector<VertexId> ids_;                          // by number
  std::vector<std::array<std::uint16_t, 3>> corners_;  // by leaf
  std::vector<std::uint8_t> turned_;                   // by leaf: 1 if its winding is not that of its face
  std::vector<std::uint32_t> stamps_;                  // by number: the call of fit() that has seen it last
  std::vector<std::uint8_t> places_;                   // by number: its place among the vertices of that call
  std::uint32_t stamp_ = 0;
  std::size_t count_ = 0;
};

}  // namespace graze::methods

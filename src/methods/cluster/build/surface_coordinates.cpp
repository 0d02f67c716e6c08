// Landmarks and breadth-first distances on a mesh; surface_coordinates.hpp describes their use.
#include "methods/cluster/build/surface_coordinates.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>

#include "core/assert.hpp"

namespace graze::methods {

namespace {

constexpr std::uint16_t kFar = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kPaired = 1U << 31U;  // flag of a slot: its side has a neighbour

/// Whether side k of a face is an edge that no side before it is.
bool is_side(const Face& f, unsigned k) {
  if (k == 0) return f[0] != f[1];
  if (k == 1) return f[0] != f[2] && f[1] != f[2];
  return f[1] != f[2] && f[0] != f[1];
}

}  // namespace

/// The slot of an edge, or the one to add it in.
std::uint32_t& SurfaceSearch::slot_of(VertexId low, VertexId high) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = ((std::uint64_t{low} << 32U | high) * 0x9e3779b97f4a7c15U) >> shift_;;
       at = (at + 1) & mask) {
    std::uint32_t& slot = slots_[at];
    if (slot == kEmpty) return slot;
    const std::uint32_t side = slot & ~kPaired;
    const Face& face = faces_[side >> 2U];
    const auto& ends = kFaceEdges[side & 3U];
    if (face[ends[0]] == low && face[ends[1]] == high) return slot;
  }
}

/// Makes neighbours of a side and the one in the slot, unless that has a neighbour already.
void SurfaceSearch::join(std::uint32_t& slot, std::uint32_t side) {
  if ((slot & kPaired) != 0) {  // also of an empty slot
    slot = side;
    return;
  }
  neighbours_[side >> 2U][side & 3U] = static_cast<std::uint16_t>(slot >> 2U);
  neighbours_[slot >> 2U][slot & 3U] = static_cast<std::uint16_t>(side >> 2U);
  slot |= kPaired;
}

/// Takes those neighbours of the mesh that are among the leaves.
void SurfaceSearch::take_neighbours(std::span<const std::uint32_t> numbers) {
  const std::size_t count = numbers.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::atomic_ref(places_[numbers[i]]).store(static_cast<std::uint16_t>(i), std::memory_order_relaxed);
  }
  neighbours_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t leaf = leaves_.neighbours[numbers[i]][k];
      // Another thread may write the place of a leaf that is not one of these: whatever it is, another leaf is
      // there.
      const std::size_t place =
          leaf == kNoNeighbour ? count : std::atomic_ref(places_[leaf]).load(std::memory_order_relaxed);
      const bool is_here = place < count && numbers[place] == leaf;
      neighbours_[i][k] = static_cast<std::uint16_t>(is_here ? place : count);
    }
  }
}

/// Links leaves that share an edge, two and two where an edge has more leaves.
void SurfaceSearch::link(std::span<const std::uint32_t> numbers) {
  const std::size_t count = numbers.size();
  const auto none = static_cast<std::uint16_t>(count);
  neighbours_.assign(count, {none, none, none});
  faces_.resize(count);
  // Half of the table is free if edges have two leaves, and one slot in any case.
  const auto bits = static_cast<unsigned>(std::bit_width(3 * count));
  shift_ = 64 - std::max(bits, 1U);
  slots_.assign(std::size_t{1} << std::max(bits, 1U), kEmpty);
  // The sides that represent their edge come first: each has an edge of its own, which needs no look-up.
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Face f = leaves_.face(numbers[i]);
    faces_[i] = f;
    for (unsigned k = 0; k < 3; ++k) {
      if ((leaves_.masks[numbers[i]] >> (kFirstEdgeBit + k) & 1U) == 0) continue;
      const std::uint64_t edge = std::uint64_t{f[kFaceEdges[k][0]]} << 32U | f[kFaceEdges[k][1]];
      std::size_t at = (edge * 0x9e3779b97f4a7c15U) >> shift_;
      while (slots_[at] != kEmpty) at = (at + 1) & mask;
      slots_[at] = i << 2U | k;
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const Face& f = faces_[i];
    for (unsigned k = 0; k < 3; ++k) {
      if ((leaves_.masks[numbers[i]] >> (kFirstEdgeBit + k) & 1U) != 0 || !is_side(f, k)) continue;
      join(slot_of(f[kFaceEdges[k][0]], f[kFaceEdges[k][1]]), i << 2U | k);
    }
  }
}

/// Breadth-first search: computes the distances from a leaf, and lists the leaves in order of distance; returns
/// their number. Preconditions: the distances in the component are kFar, that of no leaf is not; there is room for
/// one leaf more than the component has.
std::size_t SurfaceSearch::search(std::uint16_t from, Distances& distance, std::uint16_t* reached) const {
  std::size_t count = 1;
  reached[0] = from;
  distance[from] = 0;
  for (std::size_t next = 0; next < count; ++next) {
    const std::uint16_t i = reached[next];
    const auto further = static_cast<std::uint16_t>(distance[i] + 1);
    for (const std::uint16_t to : neighbours_[i]) {
      const std::uint16_t known = distance[to];
      const bool is_new = known == kFar;
      distance[to] = is_new ? further : known;
      reached[count] = to;
      count += is_new ? 1U : 0U;
    }
  }
  return count;
}

void SurfaceSearch::find_components(std::span<const std::uint32_t> numbers) {
  const std::size_t count = numbers.size();
  GRAZE_ASSERT(count <= kMaxSize);
  if (leaves_.neighbours.empty()) {
    link(numbers);
  } else {
    take_neighbours(numbers);
  }
  nearest_.assign(count + 1, kFar);
  nearest_[count] = 0;
  order_.resize(count + 1);
  reached_.resize(count + 1);
  begins_.assign(1, 0);
  std::size_t done = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (nearest_[i] != kFar) continue;
    done += search(static_cast<std::uint16_t>(i), nearest_, order_.data() + done);
    begins_.push_back(static_cast<std::uint32_t>(done));
  }
  for (Distances& distance : distance_) distance.assign(count + 1, 0);
}

/// Includes the distances to one more landmark in nearest_; returns a leaf farthest from all landmarks so far.
std::uint16_t SurfaceSearch::farthest_of_all(const Distances& distance) {
  const std::size_t count = neighbours_.size();
  std::uint16_t farthest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint16_t near = std::min(nearest_[i], distance[i]);
    nearest_[i] = near;
    farthest = std::max(farthest, near);
  }
  return static_cast<std::uint16_t>(std::find(nearest_.begin(), nearest_.end(), farthest) - nearest_.begin());
}

/// The same among the leaves that a search has reached.
std::uint16_t SurfaceSearch::farthest_of(std::span<const std::uint16_t> reached, const Distances& distance) {
  std::uint16_t landmark = reached[0];
  std::uint16_t farthest = 0;
  for (const std::uint16_t i : reached) {
    const std::uint16_t near = std::min(nearest_[i], distance[i]);
    nearest_[i] = near;
    landmark = near > farthest ? i : landmark;
    farthest = std::max(farthest, near);
  }
  return landmark;
}

void SurfaceSearch::find_coordinates(std::size_t c) {
  const std::span<const std::uint16_t> all = component(c);
  // Mostly one component is all there is: passes in the order of leaves are then much faster.
  const bool is_whole = all.size() == neighbours_.size();
  const auto clear = [&](Distances& distance) {
    if (is_whole) {
      std::fill_n(distance.begin(), all.size(), kFar);
    } else {
      for (const std::uint16_t i : all) distance[i] = kFar;
    }
  };
  clear(nearest_);
  std::uint16_t landmark = all.back();  // the farthest from any start is a good first landmark
  for (Distances& distance : distance_) {
    clear(distance);
    const std::size_t count = search(landmark, distance, reached_.data());
    landmark = is_whole ? farthest_of_all(distance) : farthest_of(std::span(reached_).first(count), distance);
  }
}

}  // namespace graze::methods

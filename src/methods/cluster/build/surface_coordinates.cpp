// Landmarks and breadth-first distances on a mesh; surface_coordinates.hpp describes their use.
#include "methods/cluster/build/surface_coordinates.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "mesh/topology.hpp"

namespace graze::methods {

namespace {

constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

}  // namespace

/// Links leaves that share an edge, two and two where an edge has more leaves.
void SurfaceSearch::link(std::span<const Leaf> leaves, std::span<const std::uint32_t> numbers) {
  // Half of the table is free if edges have two leaves, and one slot in any case.
  const auto bits = static_cast<unsigned>(std::bit_width(3 * numbers.size()));
  const unsigned shift = 32 - std::min(bits, 32U);
  const std::size_t mask = (std::size_t{1} << bits) - 1;
  slots_.assign(std::size_t{1} << bits, {kNoEdge, 0});
  neighbours_.assign(numbers.size(), {kNone, kNone, kNone});
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    const Leaf& leaf = leaves[numbers[i]];
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t edge = leaf.edges[k];
      if (edge == kNoEdge) continue;
      std::size_t at = edge * 0x9e3779b1U >> shift;
      while (slots_[at].edge != edge && slots_[at].edge != kNoEdge) at = (at + 1) & mask;
      Slot& slot = slots_[at];
      if (slot.edge == edge && slot.side != kNone) {
        neighbours_[i][k] = slot.side / 3;
        neighbours_[slot.side / 3][slot.side % 3] = i;
        slot.side = kNone;
      } else {
        slot = {edge, 3 * i + k};
      }
    }
  }
}

/// Breadth-first search: computes the distances from a leaf, and appends the leaves in order of distance.
/// Precondition: the distances in the component are kFar.
void SurfaceSearch::search(std::uint32_t from, std::vector<std::uint32_t>& reached) {
  std::size_t next = reached.size();
  reached.push_back(from);
  distance_[from] = 0;
  for (; next < reached.size(); ++next) {
    const std::uint32_t i = reached[next];
    const std::uint32_t further = distance_[i] + 1;
    for (const std::uint32_t to : neighbours_[i]) {
      if (to == kNone || distance_[to] != kFar) continue;
      distance_[to] = further;
      reached.push_back(to);
    }
  }
}

void SurfaceSearch::find_components(std::span<const Leaf> leaves, std::span<const std::uint32_t> numbers) {
  link(leaves, numbers);
  distance_.assign(numbers.size(), kFar);
  nearest_.assign(numbers.size(), kFar);
  order_.clear();
  order_.reserve(numbers.size());
  reached_.reserve(numbers.size());
  begins_.assign(1, 0);
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    if (distance_[i] != kFar) continue;
    search(i, order_);
    begins_.push_back(static_cast<std::uint32_t>(order_.size()));
  }
}

void SurfaceSearch::find_coordinates(std::size_t c, std::span<SurfaceCoordinates> coordinates) {
  const std::span<const std::uint32_t> all = component(c);
  std::uint32_t landmark = all.back();  // the farthest from any start is a good first landmark
  for (const std::uint32_t i : all) coordinates[i] = {};
  for (std::size_t l = 0; l < kLandmarks; ++l) {
    for (const std::uint32_t i : all) distance_[i] = kFar;
    reached_.clear();
    search(landmark, reached_);
    // A leaf halfway between two landmarks gets 0. A way over n edges of a regular mesh passes 2 n triangles.
    const float scale = l % 2 == 0 ? 0.25F : -0.25F;
    // The next landmark is the leaf farthest from all landmarks so far.
    for (const std::uint32_t i : reached_) {
      nearest_[i] = std::min(nearest_[i], distance_[i]);
      if (nearest_[i] > nearest_[landmark]) landmark = i;
      coordinates[i][l / 2] += scale * static_cast<float>(distance_[i]);
    }
  }
}

}  // namespace graze::methods

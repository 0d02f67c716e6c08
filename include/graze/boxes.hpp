// Broad phase for boxes alone: finds every pair of axis-aligned boxes within a distance by spatial hashing (HASH,
// section 6.1: the lattices of free-form deformations).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <graze/export.hpp>
#include <graze/methods.hpp>
#include <graze/stats.hpp>
#include <graze/types.hpp>

namespace graze {

/// Axis-aligned box. Coordinates are finite, in scene units, and lo <= hi along each axis.
struct Box {
  Vec3 lo;  ///< lower corner
  Vec3 hi;  ///< upper corner
};

/// Vertex ids of the eight corners of a lattice cell, in any order.
using LatticeCell = std::array<VertexId, 8>;

/// Returns the bounding box of each cell over the step from x_t0 to x_t1, in which every corner moves on a straight
/// line. Exact: boxes are not rounded. Throws InputError for a vertex id out of range, a position that is not
/// finite, or position spans of different lengths.
[[nodiscard]] GRAZE_API std::vector<Box> lattice_boxes(std::span<const LatticeCell> cells,
                                                       std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);

/// Two boxes within the distance of a query.
struct BoxPair {
  std::uint32_t a = 0;    ///< index of the first box; a < b
  std::uint32_t b = 0;    ///< index of the second box
  double distance = 0.0;  ///< distance of the boxes, correctly rounded; 0 if they overlap or touch

  /// Compares indices and distance.
  friend bool operator==(const BoxPair&, const BoxPair&) = default;
};

/// All pairs of boxes within a distance.
struct BoxPairs {
  std::vector<BoxPair> pairs;  ///< sorted by a, then b
  Stats stats;                 ///< counters of Method::Hash for boxes as primitives; `tiers` counts distance tests
};

/// Options of close_boxes.
struct BoxOptions {
  ResearchOptions research = {};  ///< cells and voxels are those of `hash`; the answer does not depend on them
  unsigned threads = 0;           ///< 0: all cores. The answer does not depend on it
  std::uint64_t memory_cap = 0;   ///< see DetectorOptions::memory_cap
  std::function<bool(double)> progress = {};  ///< see DetectorOptions::progress
};

/// Finds every pair of boxes whose distance is <= d, decided exactly. `d` is in scene units, finite and >= 0.
/// `groups` is empty or has one number per box: boxes with equal numbers are not tested against each other.
/// Deterministic; safe to call from several threads. Throws InputError for invalid boxes, groups, d or options,
/// ResourceError beyond the memory cap, Interrupted if progress returns false.
[[nodiscard]] GRAZE_API BoxPairs close_boxes(std::span<const Box> boxes, std::span<const std::uint32_t> groups,
                                             double d, const BoxOptions& options = {});

}  // namespace graze

// Boxes as primitives: every pair of boxes within a distance, by spatial hashing (HASH, section 6.1: the lattices
// of free-form deformations).
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

/// lo <= hi along each axis; finite.
struct Box {
  Vec3 lo;
  Vec3 hi;
};

/// The corners of a cell of a lattice, by vertex.
using LatticeCell = std::array<VertexId, 8>;

/// The box of each cell over the step from x_t0 to x_t1: of all that its corners span on their straight ways.
/// Throws InputError for a corner out of range, a position that is not finite, or spans of different lengths.
[[nodiscard]] GRAZE_API std::vector<Box> lattice_boxes(std::span<const LatticeCell> cells,
                                                       std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);

/// Two boxes, by number; a < b.
struct BoxPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  double distance = 0.0;  ///< rounded to nearest, once; 0 where they overlap or touch

  friend bool operator==(const BoxPair&, const BoxPair&) = default;
};

struct BoxPairs {
  std::vector<BoxPair> pairs;  ///< by a, then b
  Stats stats;                 ///< as of Method::Hash with boxes for triangles; `tiers` decided them
};

struct BoxOptions {
  ResearchOptions research = {};  ///< the cells and voxels of its `hash`; the answer does not depend on them
  unsigned threads = 0;           ///< 0: all cores. The answer does not depend on it
  std::uint64_t memory_cap = 0;   ///< as of DetectorOptions
  std::function<bool(double)> progress = {};
};

/// Every pair of boxes whose distance is <= d, decided exactly. `groups`, if not empty, has a number for each box:
/// boxes of one group are not looked at with each other. Throws InputError for bad boxes, groups or d.
[[nodiscard]] GRAZE_API BoxPairs close_boxes(std::span<const Box> boxes, std::span<const std::uint32_t> groups,
                                             double d, const BoxOptions& options = {});

}  // namespace graze

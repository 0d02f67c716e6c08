// Chooses the cell sizes of a spatial hash from the sizes of the primitives (hash/cell_grid.hpp).
#include "hash/cell_grid.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace graze::hash {

CellGrid::CellGrid(std::span<const std::uint64_t> counts, double unit) : unit_(unit) {
  GRAZE_ASSERT(counts.size() == kExponents);
  std::uint64_t all = 0;
  for (const std::uint64_t count : counts) all += count;
  // A size with few primitives is merged into the next larger one. For the finest size, "few" means that testing
  // all of its primitives against each other in one cell costs at most `tests` tests per primitive of the scene.
  // For the other sizes, cells of every finer level are tested against their primitives, so there may be at most
  // `tests` of them.
  std::vector<std::size_t> used;
  for (std::uint64_t tests = 16;; tests *= 4) {
    used.clear();
    std::uint64_t waiting = 0;
    for (std::size_t i = 0; i < kExponents; ++i) {
      if (counts[i] == 0) continue;
      waiting += counts[i];
      const std::uint64_t few = used.empty() ? tests * all / waiting : tests;
      if (waiting <= few) continue;
      used.push_back(i);
      waiting = 0;
    }
    // The remaining primitives go to the coarsest size among them.
    if (waiting > 0) {
      std::size_t last = kExponents - 1;
      while (counts[last] == 0) --last;
      used.push_back(last);
    }
    if (used.size() <= kMaxLevels) break;  // terminates: with enough tests all sizes merge into one
  }
  std::size_t place = 0;
  for (std::size_t i = 0; i < kExponents; ++i) {
    if (place + 1 < used.size() && i > used[place]) ++place;
    level_of_[i] = static_cast<std::uint8_t>(place);
  }
  for (const std::size_t i : used) {
    const int exponent = static_cast<int>(i) + kFinest;
    levels_.push_back({exponent, exponent == kWholeSpace ? 0.0 : unit * power_of_two(-exponent)});
  }
}

CellGrid::CellGrid(double size, bool endless) : unit_(1.0 / size) {
  levels_ = {{kFinest, unit_}};
  level_of_.fill(0);
  if (!endless) return;
  levels_.push_back({kWholeSpace, 0.0});
  level_of_.back() = 1;
}

}  // namespace graze::hash

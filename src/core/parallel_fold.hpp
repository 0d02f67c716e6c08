// Parallel reduction (fold) of many values to one, such as the largest coordinate, or a sum of doubles.
//
// The range is cut into pieces whose length does not depend on threads; pieces run on all threads, and their
// results are combined in order, on the calling thread. So the result, the rounding of a sum included, does not
// depend on threads. Cost: O(n), and one value per piece.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/tasks.hpp"

namespace graze::core {

/// Combines of_piece(first, last), for pieces of at most kPiece that together cover [0, count) exactly once, to one
/// value: combine(value, piece) in order, from `start` on. Pieces may run at the same time.
template <std::size_t kPiece = 4096, typename T, typename OfPiece, typename Combine>
T parallel_fold(std::size_t count, T start, const OfPiece& of_piece, const Combine& combine) {
  std::vector<T> parts((count + kPiece - 1) / kPiece, start);
  parallel_for(0, parts.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t part = first; part < last; ++part) {
      parts[part] = of_piece(part * kPiece, std::min((part + 1) * kPiece, count));
    }
  });
  for (const T& part : parts) start = combine(start, part);
  return start;
}

}  // namespace graze::core

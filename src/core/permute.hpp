// Applies a permutation to an array in place, in parallel.
//
// A permutation consists of cycles: each value moves to the place of its predecessor in the cycle. A serial pass
// over the indices lists the moves of all cycles; pieces of the list then run in parallel. A piece reads at most
// two values that another piece overwrites: the source of its last move, and the source of the move that closes a
// cycle which began in an earlier piece. A first parallel pass saves both. Cost: O(n), each value moves once; 8
// bytes of extra memory per value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/tasks.hpp"

namespace graze::core {

namespace detail {

struct Move {
  std::uint32_t to = 0;
  std::uint32_t from = 0;
};

/// Lists the moves cycle by cycle. Turns `places` into the identity permutation.
inline std::vector<Move> moves_of(std::span<std::uint32_t> places) {
  std::vector<Move> moves;
  moves.reserve(places.size());
  for (std::uint32_t start = 0; start < places.size(); ++start) {
    for (std::uint32_t to = start; places[to] != to;) {
      const std::uint32_t from = std::exchange(places[to], to);
      moves.push_back({to, from});
      to = from;
    }
  }
  return moves;
}

/// Hints that a value will be read and written soon.
template <typename T>
void prefetch([[maybe_unused]] const T& value) {
#if defined(__GNUC__)
  constexpr std::size_t kLine = 64;
  const char* const bytes = reinterpret_cast<const char*>(&value);
  for (std::size_t at = 0; at < sizeof(T); at += kLine) __builtin_prefetch(bytes + at, 1);
  __builtin_prefetch(bytes + sizeof(T) - 1, 1);
#endif
}

}  // namespace detail

/// Sets values[i] to the old values[places[i]] for every i. Precondition: `places` is a permutation; afterwards it
/// is the identity.
template <typename T>
void permute(std::span<T> values, std::span<std::uint32_t> places) {
  constexpr std::size_t kItemsPerTask = 4096;
  constexpr std::size_t kAhead = 8;
  const std::vector<detail::Move> moves = detail::moves_of(places);
  const auto closes = [&](std::size_t i) { return i + 1 == moves.size() || moves[i + 1].to != moves[i].from; };
  const std::size_t pieces = (moves.size() + kItemsPerTask - 1) / kItemsPerTask;
  const auto end_of = [&](std::size_t piece) { return std::min((piece + 1) * kItemsPerTask, moves.size()); };
  struct SavedSources {
    std::optional<T> last;    ///< source of the last move of the piece
    std::optional<T> closed;  ///< source of the move that closes a cycle begun in an earlier piece
  };
  std::vector<SavedSources> aside(pieces);
  parallel_for(0, pieces, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t piece = first; piece < last; ++piece) {
      aside[piece].last = values[moves[end_of(piece) - 1].from];
      std::size_t i = piece * kItemsPerTask;
      if (i == 0 || closes(i - 1)) continue;
      while (i < end_of(piece) && !closes(i)) ++i;
      if (i < end_of(piece)) aside[piece].closed = values[moves[i].from];
    }
  });
  parallel_for(0, pieces, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t piece = first; piece < last; ++piece) {
      std::optional<T> begun = std::move(aside[piece].closed);
      const std::size_t begin = piece * kItemsPerTask;
      const std::size_t end = end_of(piece);
      for (std::size_t i = begin; i < end; ++i) {
        if (i + kAhead < end) detail::prefetch(values[moves[i + kAhead].from]);
        const bool starts = i == 0 || closes(i - 1);
        if (starts) begun = values[moves[i].to];
        values[moves[i].to] = i + 1 == end ? *aside[piece].last : closes(i) ? *begun : values[moves[i].from];
      }
    }
  });
}

}  // namespace graze::core

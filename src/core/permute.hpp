// Puts values in a new order where they lie, on all threads.
//
// A permutation is cycles: each value moves to where the one before it was. The moves of all cycles are listed
// first, which touches numbers alone; the list is then worked off in pieces at the same time. A piece needs what
// others overwrite twice at most: the value that its last move takes, and the one that began a cycle in an earlier
// piece and closes in this one. Those are put aside before. Cost: O(n), each value moved once; 8 bytes a value
// more.
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

/// Cycle by cycle; places are used up: each becomes its own.
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

/// A hint that a value will be read and written soon.
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

/// values[i] becomes what values[places[i]] was; places are used up. Precondition: a permutation.
template <typename T>
void permute(std::span<T> values, std::span<std::uint32_t> places) {
  constexpr std::size_t kItemsPerTask = 4096;
  constexpr std::size_t kAhead = 8;
  const std::vector<detail::Move> moves = detail::moves_of(places);
  const auto closes = [&](std::size_t i) { return i + 1 == moves.size() || moves[i + 1].to != moves[i].from; };
  const std::size_t pieces = (moves.size() + kItemsPerTask - 1) / kItemsPerTask;
  const auto end_of = [&](std::size_t piece) { return std::min((piece + 1) * kItemsPerTask, moves.size()); };
  struct Aside {
    std::optional<T> last;    // what the last move takes
    std::optional<T> closed;  // what the move takes that closes a cycle of an earlier piece
  };
  std::vector<Aside> aside(pieces);
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

// Detached pieces: which parts of a connected set of leaves became disconnected when something was removed, without
// a visit to the whole set.
//
// Searches start from the leaves beside the removed ones, since every remaining part contains one of these. The
// searches advance in turn, one leaf each, and two searches that meet are merged. When all but one are exhausted,
// the exhausted ones are the detached pieces, and the last need not be completed. Cost: at most the visits of the
// detached pieces times the number of searches, whatever the size of the rest.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/index_table.hpp"

namespace graze::mesh {

struct DetachedPieces {
  /// All pieces but the rest: the leaves of each piece ascend, and pieces are in the order of their smallest
  /// leaves.
  std::vector<std::vector<std::uint32_t>> pieces;
  /// Whether the rest was searched completely too. It then is the largest piece (among equal ones that with the
  /// smallest leaf). If false, the only fact known of the rest is that it contains none of the pieces.
  bool rest_is_largest = false;
  std::size_t visit_count = 0;  ///< number of leaves visited
};

/// Finds the detached pieces. `seeds` are leaves of one former component; duplicates are allowed. neighbours(leaf,
/// visit) calls visit(other) for each adjacent leaf, possibly repeatedly or for the leaf itself; it must be
/// symmetric. The result is deterministic.
template <typename Neighbours>
DetachedPieces detached_pieces(std::span<const std::uint32_t> seeds, const Neighbours& neighbours) {
  struct Found {
    std::uint32_t leaf;
    std::uint32_t search;  ///< the search that found it; it may have been merged since
  };
  struct Search {
    std::vector<std::uint32_t> todo;  ///< leaves found; those from `next` on are not visited yet
    std::size_t next = 0;
    [[nodiscard]] bool exhausted() const { return next == todo.size(); }
  };
  std::vector<Found> found;
  IndexTable<1> place_of;  // index of a leaf in `found`
  const auto leaf_at = [&](std::uint32_t place) { return std::array{found[place].leaf}; };
  const auto add = [&](std::uint32_t leaf, std::uint32_t search) {
    found.push_back({leaf, search});
    place_of.insert(static_cast<std::uint32_t>(found.size() - 1), leaf_at);
  };

  std::vector<Search> searches;
  for (const std::uint32_t seed : seeds) {
    if (place_of.find({seed}, leaf_at) != IndexTable<1>::kNone) continue;
    add(seed, static_cast<std::uint32_t>(searches.size()));
    searches.push_back({{seed}, 0});
  }
  std::vector<std::uint32_t> parent(searches.size());
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root_of = [&](std::uint32_t s) {
    while (parent[s] != s) s = parent[s] = parent[parent[s]];
    return s;
  };
  // Moves the shorter queue into the longer one.
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    const auto left = [&](std::uint32_t s) { return searches[s].todo.size() - searches[s].next; };
    if (left(a) < left(b)) std::swap(a, b);
    const Search from = std::exchange(searches[b], Search{});
    auto& todo = searches[a].todo;
    todo.insert(todo.end(), from.todo.begin() + static_cast<std::ptrdiff_t>(from.next), from.todo.end());
    parent[b] = a;
    return a;
  };

  DetachedPieces result;
  std::vector<std::uint32_t> active = parent;
  while (active.size() > 1) {
    for (const std::uint32_t s : active) {
      if (parent[s] != s || searches[s].exhausted()) continue;
      const std::uint32_t leaf = searches[s].todo[searches[s].next++];
      ++result.visit_count;
      std::uint32_t own = s;
      neighbours(leaf, [&](std::uint32_t other) {
        const std::uint32_t place = place_of.find({other}, leaf_at);
        if (place == IndexTable<1>::kNone) {
          add(other, own);
          searches[own].todo.push_back(other);
        } else if (const std::uint32_t owner = root_of(found[place].search); owner != own) {
          own = join(own, owner);
        }
      });
    }
    std::erase_if(active, [&](std::uint32_t s) { return parent[s] != s || searches[s].exhausted(); });
  }

  // Collects what each merged search found, by its root; the search that is still active is the rest.
  std::vector<std::vector<std::uint32_t>> by_root(searches.size());
  for (const Found& item : found) {
    const std::uint32_t root = root_of(item.search);
    if (active.empty() || root != active.front()) by_root[root].push_back(item.leaf);
  }
  for (auto& piece : by_root) {
    if (piece.empty()) continue;
    std::sort(piece.begin(), piece.end());
    result.pieces.push_back(std::move(piece));
  }
  std::sort(result.pieces.begin(), result.pieces.end(),
            [](const auto& a, const auto& b) { return a.front() < b.front(); });
  if (active.empty() && !result.pieces.empty()) {
    result.rest_is_largest = true;
    const auto largest = std::max_element(result.pieces.begin(), result.pieces.end(),
                                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    result.pieces.erase(largest);
  }
  return result;
}

}  // namespace graze::mesh

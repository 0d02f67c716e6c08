// See side_table.hpp. Threads count and place the sides of different triangles at the same time, in any order; each
// row is then sorted, by an order without ties, so that the table depends on the triangles alone.
#include "mesh/side_table.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "core/tasks.hpp"

namespace graze::mesh {

namespace {

constexpr std::size_t kGrain = 8192;

/// Adds to a counter that threads share; returns its value before.
std::uint32_t add(std::uint32_t& counter, std::uint32_t count) {
  return std::atomic_ref(counter).fetch_add(count, std::memory_order_relaxed);
}

/// The place of a side in its row, but for the triangle.
std::uint64_t key_of(const SideTable::Side& side) {
  return std::uint64_t{side.high} << 32U | side.opposite;
}

bool is_before(const SideTable::Side& p, const SideTable::Side& q) {
  return key_of(p) != key_of(q) ? key_of(p) < key_of(q) : p.triangle < q.triangle;
}

/// Sorts a row, which nearly always has a few sides.
void sort_row(std::span<SideTable::Side> row) {
  constexpr std::size_t kLong = 32;
  if (row.size() > kLong) {
    std::sort(row.begin(), row.end(), is_before);
    return;
  }
  for (std::size_t i = 1; i < row.size(); ++i) {
    const SideTable::Side side = row[i];
    std::size_t at = i;
    for (; at > 0 && is_before(side, row[at - 1]); --at) row[at] = row[at - 1];
    row[at] = side;
  }
}

/// The sides of a row with keys from `first` to `last`. In a short row it counts those before instead of stopping
/// at one, because the outcome of each comparison is unpredictable.
std::span<const SideTable::Side> between(std::span<const SideTable::Side> row, std::uint64_t first,
                                         std::uint64_t last) {
  constexpr std::size_t kLong = 32;
  if (row.size() <= kLong) {
    std::size_t begin = 0;
    std::size_t end = 0;
    for (const SideTable::Side& side : row) {
      const std::uint64_t key = key_of(side);
      begin += key < first ? 1U : 0U;
      end += key <= last ? 1U : 0U;
    }
    return row.subspan(begin, end - begin);
  }
  const auto begin =
      std::partition_point(row.begin(), row.end(), [&](const auto& side) { return key_of(side) < first; });
  return {begin, std::partition_point(begin, row.end(), [&](const auto& side) { return key_of(side) <= last; })};
}

}  // namespace

SideTable::SideTable(std::span<const Triangle> triangles, std::size_t vertex_count) {
  begin_.resize(vertex_count + 1);
  UninitializedVector<std::uint32_t> next;  // by vertex: first the number of its sides, then the next free place
  next.resize(vertex_count);
  const std::size_t parts = (vertex_count + kGrain - 1) / kGrain;
  const auto for_parts = [&](const auto& fn) {
    parallel_for(0, parts, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t part = first; part < last; ++part) {
        fn(part, part * kGrain, std::min((part + 1) * kGrain, vertex_count));
      }
    });
  };
  const auto for_triangles = [&](const auto& fn) {
    parallel_for(0, triangles.size(), kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) {
        if (triangles[t][0] != kNoVertex) fn(static_cast<TriangleId>(t), face_of(triangles[t]));
      }
    });
  };
  for_parts([&](std::size_t, std::size_t first, std::size_t last) {
    std::fill(next.data() + first, next.data() + last, 0U);
  });
  std::atomic<bool> some_repeat = false;
  for_triangles([&](TriangleId, const Face& f) {
    const bool repeats = f[0] == f[1] || f[1] == f[2];
    add(next[f[0]], repeats ? 1 : 2);
    if (!repeats) add(next[f[1]], 1);
    if (repeats) some_repeat.store(true, std::memory_order_relaxed);
  });
  some_repeat_vertex_ = some_repeat;

  // Where the rows begin: sums within parts of the vertices, then over the parts.
  std::vector<std::uint32_t> part_begins(parts + 1, 0);
  for_parts([&](std::size_t part, std::size_t first, std::size_t last) {
    part_begins[part + 1] = std::accumulate(next.data() + first, next.data() + last, 0U);
  });
  std::inclusive_scan(part_begins.begin(), part_begins.end(), part_begins.begin());
  for_parts([&](std::size_t part, std::size_t first, std::size_t last) {
    std::uint32_t at = part_begins[part];
    for (std::size_t v = first; v < last; ++v) {
      begin_[v] = at;
      at += std::exchange(next[v], at);
    }
  });
  begin_[vertex_count] = part_begins[parts];

  sides_.resize(begin_[vertex_count]);
  for_triangles([&](TriangleId t, const Face& f) {
    const auto [a, b, c] = f;
    if (a == b || b == c) {
      sides_[add(next[a], 1)] = {c, b, t};
      return;
    }
    const std::uint32_t place = add(next[a], 2);
    sides_[place] = {b, c, t};
    sides_[place + 1] = {c, b, t};
    sides_[add(next[b], 1)] = {c, a, t};
  });
  for_parts([&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) sort_row({sides_.data() + begin_[v], begin_[v + 1] - begin_[v]});
  });
}

std::span<const SideTable::Side> SideTable::of_edge(const Edge& e) const {
  return between((*this)[e[0]], key_of({e[1], 0, 0}), key_of({e[1], kNoVertex, 0}));
}

std::span<const SideTable::Side> SideTable::of_face(const Face& f) const {
  const bool repeats = f[0] == f[1] || f[1] == f[2];
  const std::uint64_t key = repeats ? key_of({f[2], f[1], 0}) : key_of({f[1], f[2], 0});
  return between((*this)[f[0]], key, key);
}

}  // namespace graze::mesh

// See sort_pairs.hpp.
#include "query/sort_pairs.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>

#include <graze/error.hpp>

#include "core/bucket_sort.hpp"
#include "core/permute.hpp"
#include "core/tasks.hpp"

namespace graze::query {

namespace {

constexpr std::size_t kGrain = 4096;

void require_sortable(std::size_t count) {
  if (count > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("more than 2^32 - 1 results; use the streaming query");
  }
}

std::uint64_t joined(std::uint32_t high, std::uint32_t low) {
  return std::uint64_t{high} << 32U | low;
}

/// Sort key: the pair, then the index of its result. The three words hold kind and first vertex; second and third
/// vertex; fourth vertex and index.
struct Key {
  std::uint64_t first = 0;
  std::uint64_t middle = 0;
  std::uint64_t last = 0;

  Key() = default;
  Key(const FeaturePair& pair, std::uint32_t place)
      : first(joined(pair.kind == FeatureKind::VertexFace ? 0 : 1, pair.vertices[0])),
        middle(joined(pair.vertices[1], pair.vertices[2])),
        last(joined(pair.vertices[3], place)) {}

  [[nodiscard]] std::uint64_t kind() const { return first >> 32U; }
  [[nodiscard]] VertexId vertex() const { return static_cast<VertexId>(first); }
  [[nodiscard]] std::uint32_t place() const { return static_cast<std::uint32_t>(last); }

  [[nodiscard]] bool same_pair(const Key& other) const {
    return first == other.first && middle == other.middle && last >> 32U == other.last >> 32U;
  }

  friend bool operator<(const Key& a, const Key& b) {
    if (a.first != b.first) return a.first < b.first;
    return a.middle != b.middle ? a.middle < b.middle : a.last < b.last;
  }
};

/// The number of bits of the ids that id_of() returns for the values.
template <typename T, typename IdOf>
unsigned id_bits(const std::vector<T>& values, const IdOf& id_of) {
  std::atomic<std::uint32_t> all = 0;
  parallel_for(0, values.size(), kGrain, [&](std::size_t first, std::size_t last) {
    std::uint32_t some = 0;
    for (std::size_t i = first; i < last; ++i) some |= id_of(values[i]);
    all.fetch_or(some, std::memory_order_relaxed);
  });
  return static_cast<unsigned>(std::bit_width(all.load() | 1U));
}

template <typename Result>
void sort_by_pair(std::vector<Result>& results) {
  require_sortable(results.size());
  std::vector<std::uint32_t> places;
  std::atomic<bool> some_repeat = false;
  {
    std::vector<Key> keys(results.size());
    parallel_for(0, keys.size(), kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) keys[i] = Key(results[i].pair, static_cast<std::uint32_t>(i));
    });
    const unsigned bits = id_bits(keys, [](const Key& key) { return key.vertex(); });
    bucket_sort(
        keys, bits + 1, [=](const Key& key) { return key.kind() << bits | key.vertex(); }, std::less<>());
    places.resize(keys.size());
    parallel_for(0, keys.size(), kGrain, [&](std::size_t first, std::size_t last) {
      bool repeats = false;
      for (std::size_t i = first; i < last; ++i) {
        places[i] = keys[i].place();
        repeats = repeats || (i > 0 && keys[i].same_pair(keys[i - 1]));
      }
      if (repeats) some_repeat.store(true, std::memory_order_relaxed);
    });
  }
  permute(std::span(results), std::span(places));
  if (!some_repeat) return;
  const auto same = [](const Result& a, const Result& b) { return a.pair == b.pair; };
  results.erase(std::unique(results.begin(), results.end(), same), results.end());
}

/// Sorts small values, and removes duplicates. `id_of` returns the leading id of a value.
template <typename T, typename IdOf, typename Less>
void sort_by_id(std::vector<T>& values, const IdOf& id_of, const Less& less) {
  require_sortable(values.size());
  bucket_sort(
      values, id_bits(values, id_of), [&](const T& value) { return std::uint64_t{id_of(value)}; }, less);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

void sort_impacts(std::vector<Impact>& impacts) {
  sort_by_pair(impacts);
}

void sort_proximities(std::vector<Proximity>& proximities) {
  sort_by_pair(proximities);
}

void sort_intersections(std::vector<Intersection>& intersections) {
  // Compares two ids at once.
  const auto less = [](const Intersection& a, const Intersection& b) {
    const std::uint64_t edge_a = joined(a.edge[0], a.edge[1]);
    const std::uint64_t edge_b = joined(b.edge[0], b.edge[1]);
    if (edge_a != edge_b) return edge_a < edge_b;
    const std::uint64_t face_a = joined(a.face[0], a.face[1]);
    const std::uint64_t face_b = joined(b.face[0], b.face[1]);
    return face_a != face_b ? face_a < face_b : a.face[2] < b.face[2];
  };
  sort_by_id(
      intersections, [](const Intersection& value) { return value.edge[0]; }, less);
}

void sort_triangle_pairs(std::vector<TrianglePair>& pairs) {
  sort_by_id(
      pairs, [](const TrianglePair& value) { return value.a; },
      [](const TrianglePair& p, const TrianglePair& q) { return joined(p.a, p.b) < joined(q.a, q.b); });
}

}  // namespace graze::query

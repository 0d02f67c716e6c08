// See sort_pairs.hpp.
#include "query/sort_pairs.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include <graze/error.hpp>

#include "core/bucket_sort.hpp"
#include "core/prefetch.hpp"
#include "core/tasks.hpp"
#include "core/uninitialized_vector.hpp"

namespace graze::query {

namespace {

constexpr std::size_t kGrain = 2048;
constexpr std::size_t kAhead = 8;  // results that are fetched before they are needed

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
unsigned id_bits(std::span<const T> values, const IdOf& id_of) {
  std::atomic<std::uint32_t> all = 0;
  parallel_for(0, values.size(), kGrain, [&](std::size_t first, std::size_t last) {
    std::uint32_t some = 0;
    for (std::size_t i = first; i < last; ++i) some |= id_of(values[i]);
    all.fetch_or(some, std::memory_order_relaxed);
  });
  return static_cast<unsigned>(std::bit_width(all.load() | 1U));
}

/// Takes memory for `count` results. The pages of the memory are first touched on all threads: the system hands
/// them out one by one, which takes longer than writing them.
template <typename Result>
std::vector<Result> reserved_results(std::size_t count) {
  constexpr std::size_t kPage = 4096;
  std::vector<Result> results;
  results.reserve(count);
  auto* const bytes = reinterpret_cast<std::byte*>(results.data());
  parallel_for(0, count * sizeof(Result) / kPage, 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t page = first; page < last; ++page) bytes[page * kPage] = std::byte{0};
  });
  return results;
}

/// Sorts the keys. Returns the number of different pairs; the keys of these are the first ones.
std::size_t sort_keys(std::span<Key> keys) {
  const unsigned bits = id_bits(std::span<const Key>(keys), [](const Key& key) { return key.vertex(); });
  bucket_sort(
      keys, bits + 1, [=](const Key& key) { return key.kind() << bits | key.vertex(); }, std::less<>());
  std::atomic<bool> some_repeat = false;
  parallel_for(1, keys.size(), kGrain, [&](std::size_t first, std::size_t last) {
    bool repeats = false;
    for (std::size_t i = first; i < last; ++i) repeats = repeats || keys[i].same_pair(keys[i - 1]);
    if (repeats) some_repeat.store(true, std::memory_order_relaxed);
  });
  if (!some_repeat) return keys.size();
  const auto same = [](const Key& a, const Key& b) { return a.same_pair(b); };
  return static_cast<std::size_t>(std::unique(keys.begin(), keys.end(), same) - keys.begin());
}

/// Where the blocks begin in one array of all; and its length.
template <typename Result>
std::vector<std::size_t> begins_of(const std::vector<std::vector<Result>>& blocks) {
  std::vector<std::size_t> begins(1, 0);
  for (const std::vector<Result>& block : blocks) begins.push_back(begins.back() + block.size());
  require_sortable(begins.back());
  return begins;
}

template <typename Result>
std::vector<Result> sorted_by_pair(std::vector<std::vector<Result>> blocks) {
  const std::vector<std::size_t> begins = begins_of(blocks);
  const std::size_t count = begins.back();
  UninitializedVector<Key> keys(count);
  UninitializedVector<const Result*> from(count);
  parallel_for(0, blocks.size(), 4, [&](std::size_t first, std::size_t last) {
    for (std::size_t b = first; b < last; ++b) {
      std::size_t place = begins[b];
      for (const Result& result : blocks[b]) {
        keys[place] = Key(result.pair, static_cast<std::uint32_t>(place));
        from[place++] = &result;
      }
    }
  });
  // One thread gives the results their first values, which std::vector asks for, while the others sort the keys.
  std::vector<Result> results = reserved_results<Result>(count);
  std::size_t different = 0;
  parallel_for(0, 2, 1, [&](std::size_t first, std::size_t last) {
    if (first == 0) results.resize(count);
    if (last == 2) different = sort_keys(keys);
  });
  results.resize(different);
  parallel_for(0, different, kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (i + kAhead < last) prefetch(*from[keys[i + kAhead].place()]);
      results[i] = *from[keys[i].place()];
    }
  });
  return results;
}

/// Returns small values sorted and without duplicates. `ids_of` returns their first two ids, the order of which is
/// that of the values; `less` orders values with the same two ids.
template <typename T, typename IdsOf, typename Less>
std::vector<T> sorted_by_ids(std::vector<std::vector<T>> blocks, const IdsOf& ids_of, const Less& less) {
  const std::vector<std::size_t> begins = begins_of(blocks);
  UninitializedVector<T> values(begins.back());
  parallel_for(0, blocks.size(), 4, [&](std::size_t first, std::size_t last) {
    for (std::size_t b = first; b < last; ++b) {
      std::copy(blocks[b].begin(), blocks[b].end(), values.data() + begins[b]);
      std::vector<T>().swap(blocks[b]);
    }
  });
  const std::span<const T> all(values);
  const unsigned first_bits = id_bits(all, [&](const T& value) { return ids_of(value)[0]; });
  const unsigned second_bits = id_bits(all, [&](const T& value) { return ids_of(value)[1]; });
  const auto key_of = [&](const T& value) {
    const std::array<std::uint32_t, 2> ids = ids_of(value);
    return std::uint64_t{ids[0]} << second_bits | ids[1];
  };
  bucket_sort(std::span(values), first_bits + second_bits, key_of, [&](const T& a, const T& b) {
    const std::uint64_t key_a = key_of(a);
    const std::uint64_t key_b = key_of(b);
    return key_a != key_b ? key_a < key_b : less(a, b);
  });

  // Copies the values that differ from the one before, part by part.
  const std::size_t parts = (values.size() + kGrain - 1) / kGrain;
  const auto for_parts = [&](const auto& fn) {
    parallel_for(0, parts, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t part = first; part < last; ++part) {
        fn(part, part * kGrain, std::min((part + 1) * kGrain, values.size()));
      }
    });
  };
  const auto is_new = [&](std::size_t i) { return i == 0 || !(values[i] == values[i - 1]); };
  std::vector<std::size_t> part_begins(parts + 1, 0);
  for_parts([&](std::size_t part, std::size_t first, std::size_t last) {
    std::size_t count = 0;
    for (std::size_t i = first; i < last; ++i) count += is_new(i) ? 1U : 0U;
    part_begins[part + 1] = count;
  });
  for (std::size_t part = 0; part < parts; ++part) part_begins[part + 1] += part_begins[part];
  std::vector<T> results = reserved_results<T>(part_begins[parts]);
  results.resize(part_begins[parts]);
  for_parts([&](std::size_t part, std::size_t first, std::size_t last) {
    std::size_t place = part_begins[part];
    for (std::size_t i = first; i < last; ++i) {
      if (is_new(i)) results[place++] = values[i];
    }
  });
  return results;
}

}  // namespace

std::vector<Impact> sorted_impacts(std::vector<std::vector<Impact>> blocks) {
  return sorted_by_pair(std::move(blocks));
}

std::vector<Proximity> sorted_proximities(std::vector<std::vector<Proximity>> blocks) {
  return sorted_by_pair(std::move(blocks));
}

std::vector<Intersection> sorted_intersections(std::vector<std::vector<Intersection>> blocks) {
  const auto less = [](const Intersection& a, const Intersection& b) {
    const std::uint64_t face_a = joined(a.face[0], a.face[1]);
    const std::uint64_t face_b = joined(b.face[0], b.face[1]);
    return face_a != face_b ? face_a < face_b : a.face[2] < b.face[2];
  };
  return sorted_by_ids(
      std::move(blocks), [](const Intersection& value) { return value.edge; }, less);
}

std::vector<TrianglePair> sorted_triangle_pairs(std::vector<std::vector<TrianglePair>> blocks) {
  return sorted_by_ids(
      std::move(blocks),
      [](const TrianglePair& value) {
        return std::array{value.a, value.b};
      },
      [](const TrianglePair&, const TrianglePair&) { return false; });
}

}  // namespace graze::query

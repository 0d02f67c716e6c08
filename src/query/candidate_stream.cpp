// Flushes full batches. Deterministic order of results: sorts impacts by feature pair and removes duplicates
// (query/candidate_stream.hpp).
//
// Impacts are large, and a scene may have more impacts than triangles. So small keys are sorted, and the impacts
// are then permuted in place, without a second array of impacts. The sort is a bucket sort by kind and first
// vertex: O(n) where few pairs share their first vertex.
#include "query/candidate_stream.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>

#include <graze/error.hpp>

#include "core/permute.hpp"
#include "core/tasks.hpp"

namespace graze::query {

void CandidateStream::flush(ImpactBatch& batch) {
  const Stopwatch narrow;
  batch.flush(cost_.stats, sink_);
  cost_.narrow_ms += narrow.ms();
}

void CandidateStream::finish(ImpactBatch& batch) {
  if (batch.empty()) return;
  const Stopwatch narrow;
  batch.finish(cost_.stats, sink_);
  cost_.narrow_ms += narrow.ms();
}

void CandidateStream::finish() {
  finish(vertex_face_);
  finish(edge_edge_);
  cost_.all_ms += all_.ms();
}

namespace {

/// Sort key: the pair, then the index of its impact. The three words hold kind and first vertex; second and third
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

  [[nodiscard]] bool is_edge_edge() const { return first >> 32U != 0; }
  [[nodiscard]] VertexId vertex() const { return static_cast<VertexId>(first); }
  [[nodiscard]] std::uint32_t place() const { return static_cast<std::uint32_t>(last); }

  [[nodiscard]] bool same_pair(const Key& other) const {
    return first == other.first && middle == other.middle && last >> 32U == other.last >> 32U;
  }

  friend bool operator<(const Key& a, const Key& b) {
    if (a.first != b.first) return a.first < b.first;
    return a.middle != b.middle ? a.middle < b.middle : a.last < b.last;
  }

 private:
  static std::uint64_t joined(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32U | low; }
};

/// Sorts by pair; equal pairs by index. Keys go into buckets by kind and first vertex, or by the upper bits of the
/// vertex where there are more vertices than keys. The buckets are small and are sorted in parallel.
void sort_keys(std::vector<Key>& keys) {
  constexpr std::size_t kMinImpactsForThreads = 512;
  if (keys.size() < kMinImpactsForThreads) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  VertexId all = 0;
  for (const Key& key : keys) all |= key.vertex();
  const auto bits = static_cast<unsigned>(std::bit_width(all | 1U));
  const auto width = std::min(bits, static_cast<unsigned>(std::bit_width(keys.size())));
  const unsigned shift = bits - width;
  const std::size_t kinds = std::size_t{1} << width;
  const auto digit = [=](const Key& key) { return (key.vertex() >> shift) + (key.is_edge_edge() ? kinds : 0); };
  std::vector<std::uint32_t> ends(2 * kinds + 1, 0);  // holds the begin of each bucket until the keys are in place
  for (const Key& key : keys) ++ends[digit(key) + 1];
  for (std::size_t d = 1; d <= 2 * kinds; ++d) ends[d] += ends[d - 1];
  std::vector<Key> dealt(keys.size());
  for (const Key& key : keys) dealt[ends[digit(key)]++] = key;
  keys.swap(dealt);
  constexpr std::size_t kGrain = 4096;
  parallel_for(0, 2 * kinds, kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t d = first; d < last; ++d) {
      const std::uint32_t begin = d == 0 ? 0 : ends[d - 1];
      if (ends[d] - begin < 2) continue;
      std::sort(keys.begin() + static_cast<std::ptrdiff_t>(begin),
                keys.begin() + static_cast<std::ptrdiff_t>(ends[d]));
    }
  });
}

}  // namespace

void sort_impacts(std::vector<Impact>& impacts) {
  if (impacts.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("more than 2^32 - 1 impacts; use the streaming query");
  }
  constexpr std::size_t kGrain = 4096;
  std::vector<std::uint32_t> places;
  std::atomic<bool> some_repeat = false;
  {
    std::vector<Key> keys(impacts.size());
    parallel_for(0, keys.size(), kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) keys[i] = Key(impacts[i].pair, static_cast<std::uint32_t>(i));
    });
    sort_keys(keys);
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
  permute(std::span(impacts), std::span(places));
  if (!some_repeat) return;
  const auto same = [](const Impact& a, const Impact& b) { return a.pair == b.pair; };
  impacts.erase(std::unique(impacts.begin(), impacts.end(), same), impacts.end());
}

}  // namespace graze::query

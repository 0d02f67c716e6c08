// The run-time database of `adj` (Tang et al. 2007; Hutter and Fuhrmann 2007, as R-TRI section 5.2 describes them):
// records generated feature pairs, so that each pair is tested once.
//
// A hash set of pairs of 32-bit ids with open addressing. Threads share it, so it is divided into shards with one
// lock each: the thread that tests a pair may vary, the set of tested pairs does not. The set grows with the
// candidates, while representatives need no memory; the paper compares the two. Cost: O(1) per insertion.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "query/query.hpp"

namespace graze::methods {

class PairDatabase {
 public:
  /// Charges its memory to the budget.
  explicit PairDatabase(MemoryBudget& budget) : budget_(&budget), shards_(std::make_unique<Shards>()) {}

  /// Inserts (a, b) and returns whether it is new. Thread-safe. Precondition: not both are 2^32 - 1.
  bool insert(std::uint32_t a, std::uint32_t b) {
    const std::uint64_t key = std::uint64_t{a} << 32U | b;
    const std::uint64_t hash = (key ^ key >> 29U) * 0x9E3779B97F4A7C15U;
    Shard& shard = (*shards_)[hash >> 58U];
    const std::scoped_lock lock(shard.mutex);
    if (2 * (shard.count + 1) > shard.keys.size()) grow(shard);
    const std::size_t mask = shard.keys.size() - 1;
    for (std::size_t place = hash >> 20U & mask;; place = (place + 1) & mask) {
      if (shard.keys[place] == key) return false;
      if (shard.keys[place] != kFree) continue;
      shard.keys[place] = key;
      ++shard.count;
      return true;
    }
  }

 private:
  static constexpr std::uint64_t kFree = std::numeric_limits<std::uint64_t>::max();

  struct alignas(64) Shard {
    std::mutex mutex;
    std::vector<std::uint64_t> keys;
    std::size_t count = 0;
  };
  using Shards = std::array<Shard, 64>;

  void grow(Shard& shard) {
    constexpr std::size_t kFirst = 256;
    const std::vector<std::uint64_t> old = std::move(shard.keys);
    const std::size_t size = old.empty() ? kFirst : 2 * old.size();
    budget_->charge((size - old.size()) * sizeof(std::uint64_t));
    shard.keys.assign(size, kFree);
    for (const std::uint64_t key : old) {
      if (key == kFree) continue;
      const std::uint64_t hash = (key ^ key >> 29U) * 0x9E3779B97F4A7C15U;
      std::size_t place = hash >> 20U & (size - 1);
      while (shard.keys[place] != kFree) place = (place + 1) & (size - 1);
      shard.keys[place] = key;
    }
  }

  MemoryBudget* budget_;
  std::unique_ptr<Shards> shards_;
};

}  // namespace graze::methods

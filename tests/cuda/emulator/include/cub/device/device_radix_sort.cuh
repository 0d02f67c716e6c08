// The stable sort of CUB, on the host.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

namespace cub {

struct DeviceRadixSort {
  template <typename Key, typename Value>
  static cudaError_t SortPairs(void* room, std::size_t& bytes, const Key* keys, Key* sorted_keys,
                               const Value* values, Value* sorted_values, int count, int first_bit = 0,
                               int end_bit = 8 * sizeof(Key), cudaStream_t stream = nullptr) {
    if (room == nullptr) {
      bytes = 1;
      return cudaSuccess;
    }
    graze::emulator::enqueue(stream, [=] {
      const auto digits = [&](Key key) {
        const Key above = end_bit == 8 * sizeof(Key) ? key : key & ((Key{1} << end_bit) - 1);
        return above >> first_bit;
      };
      std::vector<std::pair<Key, Value>> all;
      for (int i = 0; i < count; ++i) all.emplace_back(keys[i], values[i]);
      std::stable_sort(all.begin(), all.end(),
                       [&](const auto& a, const auto& b) { return digits(a.first) < digits(b.first); });
      for (int i = 0; i < count; ++i) {
        sorted_keys[i] = all[static_cast<std::size_t>(i)].first;
        sorted_values[i] = all[static_cast<std::size_t>(i)].second;
      }
    });
    return cudaSuccess;
  }
};

}  // namespace cub

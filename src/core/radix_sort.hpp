// A stable parallel radix sort of values by an integer key, least significant digit first.
//
// Values go from one array to another and back, once per digit of at most 11 bits. In each pass they are cut into
// blocks; each block counts its values by digit, and a prefix sum over digits and blocks gives every block its own
// places. No comparison of values, whose outcome could not be predicted. Cost: O(n key_bits / 11); one more array
// of n values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/tasks.hpp"

namespace graze::core {

/// Sorts by key_of(value), a std::uint64_t below 2^key_bits; values with equal keys keep their order. Precondition:
/// fewer than 2^32 values; key_bits > 0.
template <typename T, typename Allocator, typename KeyOf>
void radix_sort(std::vector<T, Allocator>& values, unsigned key_bits, const KeyOf& key_of) {
  constexpr unsigned kMaxDigitBits = 11;
  constexpr std::size_t kMinPerBlock = 8192;
  constexpr std::size_t kMaxBlocks = 16;
  const std::size_t count = values.size();
  constexpr std::size_t kMinForDigits = 512;
  if (count < kMinForDigits) {
    std::stable_sort(values.begin(), values.end(), [&](const T& a, const T& b) { return key_of(a) < key_of(b); });
    return;
  }
  const unsigned passes = (key_bits + kMaxDigitBits - 1) / kMaxDigitBits;
  const unsigned digit_bits = (key_bits + passes - 1) / passes;
  const std::size_t digits = std::size_t{1} << digit_bits;
  const std::size_t blocks = std::clamp<std::size_t>(count / kMinPerBlock, 1, kMaxBlocks);
  std::vector<T, Allocator> dealt(count);
  std::vector<std::uint32_t> places(blocks * digits);  // by block, then digit: first counts, then next places
  for (unsigned pass = 0; pass < passes; ++pass) {
    const auto digit_of = [&](const T& value) {
      return static_cast<std::size_t>(key_of(value) >> (pass * digit_bits)) & (digits - 1);
    };
    const auto for_blocks = [&](const auto& fn) {
      parallel_for(0, blocks, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t block = first; block < last; ++block) {
          fn(places.data() + block * digits, block * count / blocks, (block + 1) * count / blocks);
        }
      });
    };
    for_blocks([&](std::uint32_t* counts, std::size_t begin, std::size_t end) {
      std::fill(counts, counts + digits, 0U);
      for (std::size_t i = begin; i < end; ++i) ++counts[digit_of(values[i])];
    });
    std::uint32_t next = 0;
    for (std::size_t digit = 0; digit < digits; ++digit) {
      for (std::size_t block = 0; block < blocks; ++block) {
        next += std::exchange(places[block * digits + digit], next);
      }
    }
    for_blocks([&](std::uint32_t* place, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) dealt[place[digit_of(values[i])]++] = values[i];
    });
    values.swap(dealt);
  }
}

}  // namespace graze::core

// A 64-bit hash of a sequence of 64-bit words, with the same value on every platform. Tests, JSON output and
// captures identify results by it.
//
// state = 0x6772617a65 ("graze"); for each word: state = mix((state ^ word) + 0x9e3779b97f4a7c15), where mix is the
// finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014); finally the number of words is added as one more word.
// mix is a bijection, so two sequences of equal length that differ in exactly one word never collide. A double is
// added by its bit pattern. The hash does not resist an adversary. Cost: two multiplications per word.
#pragma once

#include <bit>
#include <cstdint>

#include "core/namespaces.hpp"

namespace graze::core {

class Hash64 {
 public:
  constexpr void add(std::uint64_t word) {
    state_ = mix((state_ ^ word) + 0x9e3779b97f4a7c15U);
    ++count_;
  }
  constexpr void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  /// Adds two 32-bit words as one 64-bit word, `low` in the lower half.
  constexpr void add(std::uint32_t low, std::uint32_t high) { add(static_cast<std::uint64_t>(high) << 32U | low); }
  [[nodiscard]] constexpr std::uint64_t value() const { return mix((state_ ^ count_) + 0x9e3779b97f4a7c15U); }

 private:
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  std::uint64_t state_ = 0x6772617a65U;
  std::uint64_t count_ = 0;
};

}  // namespace graze::core

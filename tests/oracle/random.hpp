// A small seeded generator (splitmix64) with the few distributions that the generators need. It replaces the
// distributions of <random>, whose values differ between standard libraries.
#pragma once

#include <cmath>
#include <cstdint>

namespace graze::oracle {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// The stream of item `index` under `seed`: any item can be generated again by itself.
  Random(std::uint64_t seed, std::uint64_t index) : state_(seed) {
    state_ = next() ^ (index * 0x9E3779B97F4A7C15ULL);
    next();
  }

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31U);
  }
  /// 0 <= value < count.
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>((next() >> 32U) * count >> 32U); }
  /// first <= value <= last.
  int between(int first, int last) {
    return first + static_cast<int>(below(static_cast<std::uint32_t>(last - first + 1)));
  }
  bool coin() { return (next() >> 63U) != 0; }
  /// In [-1, 1), using all 53 bits.
  double symmetric() { return std::ldexp(static_cast<double>(next() >> 11U), -52) - 1.0; }
  /// In [0, 1).
  double unit() { return std::ldexp(static_cast<double>(next() >> 11U), -53); }

 private:
  std::uint64_t state_;
};

}  // namespace graze::oracle

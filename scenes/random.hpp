// Random numbers that are identical on every platform: SplitMix64 (Steele, Lea, Flood 2014), and uniform doubles by
// scaling its top 53 bits. The standard's distributions are not used, because libraries may round differently.
#pragma once

#include <cstdint>

namespace graze::scenes {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  /// Uniform in [lo, hi) up to one rounding.
  double uniform(double lo, double hi) {
    const double unit = static_cast<double>(next() >> 11U) * 0x1p-53;
    return lo + (hi - lo) * unit;
  }

 private:
  std::uint64_t state_;
};

}  // namespace graze::scenes

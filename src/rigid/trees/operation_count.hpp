// Floating-point operation counts: a float that increments a counter with every product, sum and comparison, so
// that BOXTREE's Table 1 is measured on the code that it describes. Negation and absolute value are not counted:
// both change one bit. Code that uses plain floats pays nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/namespaces.hpp"

namespace graze::rigid {

/// Floating-point operations of a traversal, without its setup.
struct FlopCounts {
  std::uint64_t multiplications = 0;
  std::uint64_t additions = 0;
  std::uint64_t comparisons = 0;
  std::uint64_t tests = 0;  ///< node pairs; total() / tests is the average
  std::uint64_t worst = 0;  ///< operations of the most expensive test; shared work is divided equally, rounded up

  [[nodiscard]] std::uint64_t total() const { return multiplications + additions + comparisons; }
};

/// A float that counts its operations in the thread-local counts().
class CountingFloat {
 public:
  CountingFloat() = default;
  explicit CountingFloat(float value) : value_(value) {}

  static FlopCounts& counts() {
    thread_local FlopCounts counts;
    return counts;
  }
  [[nodiscard]] float value() const { return value_; }

  friend CountingFloat operator*(CountingFloat a, CountingFloat b) {
    ++counts().multiplications;
    return CountingFloat(a.value_ * b.value_);
  }
  friend CountingFloat operator+(CountingFloat a, CountingFloat b) {
    ++counts().additions;
    return CountingFloat(a.value_ + b.value_);
  }
  friend CountingFloat operator-(CountingFloat a, CountingFloat b) {
    ++counts().additions;
    return CountingFloat(a.value_ - b.value_);
  }
  friend CountingFloat operator-(CountingFloat a) { return CountingFloat(-a.value_); }
  friend bool operator>(CountingFloat a, CountingFloat b) {
    ++counts().comparisons;
    return a.value_ > b.value_;
  }
  friend CountingFloat magnitude(CountingFloat a) { return CountingFloat(std::abs(a.value_)); }
  friend std::uint32_t whole(CountingFloat a) { return static_cast<std::uint32_t>(a.value_); }

 private:
  float value_;
};

inline float magnitude(float a) {
  return std::abs(a);
}
/// The integer part; a >= 0. Values that do not fit become 2^31.
inline std::uint32_t whole(float a) {
  return static_cast<std::uint32_t>(std::min(a, 0x1p31F));
}

}  // namespace graze::rigid

// Floating-point operations, counted: a float that adds one to a count with every product, sum and comparison, so
// that BOXTREE's Table 1 is measured by the code that it speaks of. A change of sign is no operation, nor is a
// magnitude: both are one bit. Costs nothing where plain floats are used.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/namespaces.hpp"

namespace graze::rigid {

/// Floating-point operations of a walk, without setting up: multiplications, additions, comparisons.
struct FlopCounts {
  std::uint64_t multiplications = 0;
  std::uint64_t additions = 0;
  std::uint64_t comparisons = 0;
  std::uint64_t tests = 0;  ///< pairs of nodes; total() / tests is the average
  std::uint64_t worst = 0;  ///< operations of the dearest test; work for several tests in equal shares, rounded up

  [[nodiscard]] std::uint64_t total() const { return multiplications + additions + comparisons; }
};

/// Counts into counts(), which is of this thread.
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
/// Without its fraction; a >= 0. What does not fit is the largest that does.
inline std::uint32_t whole(float a) {
  return static_cast<std::uint32_t>(std::min(a, 0x1p31F));
}

}  // namespace graze::rigid

// The memory cap of a query: every array that grows with the scene or the result is charged before it is made.
//
// Charges of different threads may come in any order: whether their sum exceeds the cap does not depend on it.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/namespaces.hpp"

namespace graze::core {

class MemoryBudget {
 public:
  /// `cap` in bytes; 0: no cap.
  explicit MemoryBudget(std::uint64_t cap) : cap_(cap) {}
  /// Throws ResourceError once the sum of all charges exceeds the cap.
  void charge(std::uint64_t bytes);
  /// Charges the difference between what an array takes and what was charged for it before it was made.
  void charge_rest(std::uint64_t planned, std::uint64_t taken) { charge(taken > planned ? taken - planned : 0); }
  /// Charges and returns true if the sum of all charges stays within the cap; else charges nothing.
  [[nodiscard]] bool try_charge(std::uint64_t bytes);
  /// Whether a charge would stay within the cap.
  [[nodiscard]] bool fits(std::uint64_t bytes) const {
    return cap_ == 0 || used_.load(std::memory_order_relaxed) + bytes <= cap_;
  }
  /// Takes a charge back: the memory is free again.
  void release(std::uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  std::uint64_t cap_;
  std::atomic<std::uint64_t> used_{0};
};

}  // namespace graze::core

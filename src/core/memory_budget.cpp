// Charges against the memory cap of a query. See memory_budget.hpp.
#include "core/memory_budget.hpp"

#include <fmt/format.h>

#include <graze/error.hpp>

namespace graze::core {

void MemoryBudget::charge(std::uint64_t bytes) {
  const std::uint64_t used = used_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  // The message names the cap alone: the sum that a thread sees depends on the other threads.
  if (cap_ != 0 && used > cap_) {
    throw ResourceError(fmt::format("memory cap exceeded: the query needs more than {} bytes", cap_));
  }
}

bool MemoryBudget::try_charge(std::uint64_t bytes) {
  const std::uint64_t used = used_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (cap_ == 0 || used <= cap_) return true;
  release(bytes);
  return false;
}

}  // namespace graze::core

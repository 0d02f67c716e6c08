// Budget, progress and counters of a query (pipeline/query.hpp).
#include "pipeline/query.hpp"

#include <fmt/format.h>

#include <graze/error.hpp>

namespace graze {

void MemoryBudget::charge(std::uint64_t bytes) {
  const std::uint64_t used = used_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  // The message names the cap alone: how far over it a thread saw the sum depends on the others.
  if (cap_ != 0 && used > cap_) {
    throw InputError(fmt::format("memory cap: the query needs more than the {} bytes that it may take", cap_));
  }
}

void report_progress(const DetectorOptions& options, double share) {
  if (options.progress && !options.progress(share)) throw Interrupted();
}

void add_counters(Stats& sum, const Stats& part) {
  sum.bv_tests += part.bv_tests;
  sum.triangle_pairs += part.triangle_pairs;
  sum.vf_tests += part.vf_tests;
  sum.ee_tests += part.ee_tests;
  sum.tiers += part.tiers;
}

}  // namespace graze

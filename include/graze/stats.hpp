// Counters and times of one query. Every stage counts its own work; the papers' tables come out of these.
#pragma once

#include <cstdint>

namespace graze {

/// How many elementary tests each tier decided; filter + interval + exact = all elementary tests, edge-face ones
/// included, which Stats counts nowhere else.
struct TierCounts {
  std::uint64_t filter = 0;    ///< decided in doubles, by a proved error bound
  std::uint64_t interval = 0;  ///< decided by certified subdivision
  std::uint64_t exact = 0;     ///< decided in exact arithmetic

  TierCounts& operator+=(const TierCounts& other) {
    filter += other.filter;
    interval += other.interval;
    exact += other.exact;
    return *this;
  }
};

/// Work and time of one query. Counters are the same for every run and number of threads; times are not.
struct Stats {
  std::uint64_t bv_tests = 0;        ///< bound overlap tests
  std::uint64_t triangle_pairs = 0;  ///< triangle pairs whose features were looked at
  std::uint64_t vf_tests = 0;        ///< elementary tests, vertex-face
  std::uint64_t ee_tests = 0;        ///< elementary tests, edge-edge
  TierCounts tiers;                  ///< who decided the elementary tests
  double update_ms = 0.0;            ///< bounds and topology
  double traverse_ms = 0.0;          ///< making candidates
  double narrow_ms = 0.0;            ///< elementary tests
  double total_ms = 0.0;             ///< the whole query
  std::uint64_t memory_bytes = 0;    ///< what the detector's own arrays hold at the end of the query
};

}  // namespace graze

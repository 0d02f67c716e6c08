// Narrow phase, tier c: exact arithmetic in integers of fixed width, for the pairs that it can decide. Its answers
// are those of narrow/exact/exact_tests.hpp to the bit; what it leaves goes there.
#pragma once

#include <optional>

#include <graze/elementary.hpp>

#include "core/namespaces.hpp"
#include "narrow/exact/exact_tests.hpp"

namespace graze::narrow {

/// The answer of an exact test, if `decided`.
struct FixedResult {
  bool decided = false;
  std::optional<ExactContact> contact;
};

/// The first contact of the pair in [0,1], as exact_vertex_face() and exact_edge_edge() find it. Preconditions:
/// finite points, tolerance >= 2^-40.
FixedResult fixed_vertex_face(const PairStep& pair, double tolerance);
FixedResult fixed_edge_edge(const PairStep& pair, double tolerance);

}  // namespace graze::narrow

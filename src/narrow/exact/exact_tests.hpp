// Narrow phase, tier c: the exact fallback. Continuous vertex-face and edge-edge tests with their time of impact
// in exact integer arithmetic. Decides every input, degenerate or not.
#pragma once

#include <optional>

#include <graze/elementary.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

struct ExactContact {
  double toi_lo = 0.0;
  double toi_hi = 0.0;
  /// Sign of the coplanarity cubic just before the contact; 0 at t = 0, or if the cubic vanishes identically.
  int cubic_sign_before = 0;
};

/// The first contact of the pair in [0,1], if any. The interval is no wider than `tolerance`. Precondition: finite
/// points.
std::optional<ExactContact> exact_vertex_face(const PairStep& pair, double tolerance);
std::optional<ExactContact> exact_edge_edge(const PairStep& pair, double tolerance);

}  // namespace graze::narrow

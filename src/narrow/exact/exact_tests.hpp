// Tier c: continuous vertex-face and edge-edge in exact integer arithmetic. Decides every input, degenerate or not.
#pragma once

#include <optional>

#include <graze/elementary.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

struct ExactContact {
  double toi_lo = 0.0;
  double toi_hi = 0.0;
  int cubic_sign_before =
      0;  ///< sign of the coplanarity cubic just before the contact; 0 at t = 0 or if it vanishes
};

/// The first contact of the pair in [0,1], if any. Points must be finite.
std::optional<ExactContact> exact_vertex_face(const PairStep& pair, double tolerance);
std::optional<ExactContact> exact_edge_edge(const PairStep& pair, double tolerance);

}  // namespace graze::narrow

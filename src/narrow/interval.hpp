// Tier b: certified subdivision in time of one pair that tier a could not reject.
//
// The coplanarity cubic and the inside quadratics (narrow/kernels/pair_kernel.inl.hpp) are split by de Casteljau's
// rule, their error bounds with them. In time order each piece is dropped (no root, or certainly outside), accepted
// (one certain root, certainly inside), or split. Decides everything but contacts that graze within rounding error;
// cost: a few splits of about a hundred operations.
#pragma once

#include <graze/elementary.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

enum class IntervalOutcome { Apart, Contact, Undecided };

/// toi interval and side are set for Contact only.
struct IntervalResult {
  IntervalOutcome outcome = IntervalOutcome::Undecided;
  double toi_lo = 0.0;
  double toi_hi = 0.0;
  int cubic_sign_before = 0;  ///< sign of F just before the contact
};

/// For touching (no thickness). Right for any pair, meant for those that tier a leaves.
IntervalResult interval_vertex_face(const PairStep& pair, double tolerance);
IntervalResult interval_edge_edge(const PairStep& pair, double tolerance);

}  // namespace graze::narrow

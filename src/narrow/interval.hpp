// Narrow phase, tier b (interval): finds the time of impact of one pair that the filter could not reject, by
// certified subdivision of time.
//
// The coplanarity cubic and the inside quadratics (narrow/kernels/pair_kernel.inl.hpp) are split by de Casteljau's
// algorithm together with their error bounds. In time order each interval is dropped (no root, or certainly
// outside), accepted (one certain root, certainly inside), or split. This decides every pair except contacts that
// graze within rounding error, which need exact arithmetic. Cost: a few splits of about a hundred operations.
#pragma once

#include <graze/elementary.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

enum class IntervalOutcome { Apart, Contact, Undecided };

/// The interval and the sign are set for Contact only.
struct IntervalResult {
  IntervalOutcome outcome = IntervalOutcome::Undecided;
  double toi_lo = 0.0;
  double toi_hi = 0.0;
  int cubic_sign_before = 0;  ///< sign of F just before the contact
};

/// Tests for touching, without thickness. Correct for any pair; intended for pairs that the filter leaves
/// undecided.
IntervalResult interval_vertex_face(const PairStep& pair, double tolerance);
IntervalResult interval_edge_edge(const PairStep& pair, double tolerance);

}  // namespace graze::narrow

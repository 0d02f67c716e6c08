// Narrow phase: continuous elementary tests and their time of impact. The filter runs first (tier a), then the
// interval tier (tier b: quick root search, then subdivision of time), then exact arithmetic (tier c: integers of
// fixed width, then of any length); the first tier that is certain answers. This file also has the public
// functions, which check their input.
//
// Tier b never decides a pair that touches at t = 0: F(0) = 0 then, and it needs a certain sign of F at the start
// of the step for a contact. Subdivision would be in vain, so these pairs, the most frequent ones of tier c, go
// there first.
#include "narrow/elementary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <graze/error.hpp>

#include "geometry/vec.hpp"
#include "narrow/contact_point.hpp"
#include "narrow/exact/exact_tests.hpp"
#include "narrow/exact/fixed_tests.hpp"
#include "narrow/exact/start_contact.hpp"
#include "narrow/interval.hpp"
#include "narrow/kernels/filter_scalar.hpp"
#include "narrow/kernels/roots_scalar.hpp"
#include "narrow/thickness.hpp"

namespace graze {
namespace narrow {
namespace {

using FilterTest = bool (*)(const PairStep&);
using QuickTest = QuickResult (*)(const PairStep&, double);
using IntervalTest = IntervalResult (*)(const PairStep&, double);
using StartTest = bool (*)(const std::array<Vec3, 4>&);
using FixedTest = FixedResult (*)(const PairStep&, double);
using ExactTest = std::optional<ExactContact> (*)(const PairStep&, double);
using Description = void (*)(const PairStep&, ElementaryImpact&);

bool filter_vertex_face(const PairStep& pair) {
  return scalar::never_touch_vf<bool>(scalar::to_points(pair), 0.0, false);
}
bool filter_edge_edge(const PairStep& pair) {
  return scalar::never_touch_ee<bool>(scalar::to_points(pair), 0.0, false);
}

/// Runs tiers a, b and c in turn. `sign` converts the sign of the coplanarity cubic into a side
/// (pair_kernel.inl.hpp: F = -N.(v-f0) for vertex-face, F = N.(a0-b0) for edge-edge).
template <FilterTest Filter, QuickTest Quick, StartTest Starts, IntervalTest Interval, FixedTest Fixed,
          ExactTest Exact, Description Describe>
std::optional<ElementaryImpact> first_touch(const PairStep& pair, double tolerance, Filtered filtered,
                                            TierCounts& tiers, int sign) {
  if (filtered == Filtered::No && Filter(pair)) {
    ++tiers.filter;
    return std::nullopt;
  }
  if (filtered != Filtered::Quick) {
    const QuickResult quick = Quick(pair, tolerance);
    if (quick.outcome != IntervalOutcome::Undecided) {
      ++tiers.interval;
      return quick.outcome == IntervalOutcome::Contact ? std::optional(quick.impact) : std::nullopt;
    }
  }
  ElementaryImpact impact;
  if (Starts(pair.t0)) {
    ++tiers.exact;
    Describe(pair, impact);
    return impact;
  }
  const IntervalResult result = Interval(pair, tolerance);
  if (result.outcome != IntervalOutcome::Undecided) {
    ++tiers.interval;
    if (result.outcome == IntervalOutcome::Apart) return std::nullopt;
    impact.toi_lo = result.toi_lo;
    impact.toi_hi = result.toi_hi;
    impact.side = sign * result.cubic_sign_before;
    Describe(pair, impact);
    return impact;
  }
  ++tiers.exact;
  const FixedResult fixed = Fixed(pair, tolerance);
  const auto contact = fixed.decided ? fixed.contact : Exact(pair, tolerance);
  if (!contact) return std::nullopt;
  impact.toi_lo = contact->toi_lo;
  impact.toi_hi = contact->toi_hi;
  impact.side = sign * contact->cubic_sign_before;
  Describe(pair, impact);
  return impact;
}

void check(const PairStep& pair, const ElementaryOptions& options) {
  if (!(options.tolerance >= 0x1p-40 && options.tolerance <= 1.0)) {
    throw InputError(fmt::format("tolerance {} is outside [2^-40, 1]", options.tolerance));
  }
  if (!(options.thickness >= 0.0 && std::isfinite(options.thickness))) {
    throw InputError(fmt::format("thickness {} is not a finite number >= 0", options.thickness));
  }
  for (std::size_t end = 0; end < 2; ++end) {
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec3& x = end == 0 ? pair.t0[i] : pair.t1[i];
      if (!is_finite(x)) {
        throw InputError(fmt::format("point {} at t{} is not finite: ({}, {}, {})", i, end, x.x, x.y, x.z));
      }
    }
  }
}

}  // namespace

std::optional<ElementaryImpact> test_vertex_face(const PairStep& pair, const ElementaryOptions& options,
                                                 Filtered filtered, TierCounts& tiers) {
  if (options.thickness > 0.0) return thickness_vertex_face(pair, options, filtered, tiers);
  return first_touch<filter_vertex_face, quick_root_vertex_face, starts_in_contact_vertex_face,
                     interval_vertex_face, fixed_vertex_face, exact_vertex_face, describe_vertex_face>(
      pair, options.tolerance, filtered, tiers, -1);
}

std::optional<ElementaryImpact> test_edge_edge(const PairStep& pair, const ElementaryOptions& options,
                                               Filtered filtered, TierCounts& tiers) {
  if (options.thickness > 0.0) return thickness_edge_edge(pair, options, filtered, tiers);
  return first_touch<filter_edge_edge, quick_root_edge_edge, starts_in_contact_edge_edge, interval_edge_edge,
                     fixed_edge_edge, exact_edge_edge, describe_edge_edge>(pair, options.tolerance, filtered, tiers,
                                                                           1);
}

}  // namespace narrow

std::optional<ElementaryImpact> impact_vertex_face(const PairStep& pair, const ElementaryOptions& options,
                                                   TierCounts* tiers) {
  narrow::check(pair, options);
  TierCounts ignored;
  return narrow::test_vertex_face(pair, options, narrow::Filtered::No, tiers != nullptr ? *tiers : ignored);
}

std::optional<ElementaryImpact> impact_edge_edge(const PairStep& pair, const ElementaryOptions& options,
                                                 TierCounts* tiers) {
  narrow::check(pair, options);
  TierCounts ignored;
  return narrow::test_edge_edge(pair, options, narrow::Filtered::No, tiers != nullptr ? *tiers : ignored);
}

}  // namespace graze

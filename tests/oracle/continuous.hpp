// The continuous oracle: the exact first time at which a moving vertex and face, or two moving edges, touch.
//
// Decided in integer arithmetic for any finite doubles and any degenerate shape; the proof is in continuous.cpp.
#pragma once

#include "oracle/algebraic_root.hpp"

#include <graze/elementary.hpp>

#include <optional>

namespace graze::oracle {

/// The first t in [0, 1] at which the closed sets share a point, or nothing. Points as in PairStep.
std::optional<Root> first_contact_vertex_face(const PairStep& pair);
std::optional<Root> first_contact_edge_edge(const PairStep& pair);
std::optional<Root> first_contact(FeatureKind kind, const PairStep& pair);

/// The side of the first feature just before its first contact at t, as in ElementaryImpact::side: the sign of
/// (f1-f0)x(f2-f0) . (v-f0), or (a1-a0)x(b1-b0) . (a0-b0); 0 at t = 0 and if coplanar for the whole step.
int side_before(FeatureKind kind, const PairStep& pair, const Root& t);

/// Proof of no contact by comparisons alone: along one coordinate axis the features are strictly separated, in the
/// same order, at both ends. (Each difference of coordinates is linear in t: if positive at both ends, it is
/// positive in between.) The functions first_contact_* start with this test.
bool separated_along_an_axis(FeatureKind kind, const PairStep& pair);

/// First contact without separated_along_an_axis, so that tests can compare the two.
std::optional<Root> first_contact_without_shortcut(FeatureKind kind, const PairStep& pair);

}  // namespace graze::oracle

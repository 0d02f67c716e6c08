// Checks the library's elementary tests against the oracle, one call per query; used by the tests and by
// fuzz_elementary.
//
// The functions under test are passed as pointers, so that tests can also pass broken ones and see them detected.
#pragma once

#include "oracle/query_generator.hpp"

#include <graze/elementary.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace graze::oracle {

/// The functions under test. library() in elementary_library.hpp fills in graze's own.
struct ElementaryFunctions {
  using Impact = std::optional<ElementaryImpact> (*)(const PairStep&, const ElementaryOptions&, TierCounts*);
  using EdgeFace = bool (*)(const std::array<Vec3, 5>&, TierCounts*);
  using TriangleTriangle = bool (*)(const std::array<Vec3, 6>&, TierCounts*);
  using Distance = ElementaryDistance (*)(const std::array<Vec3, 4>&);
  using Within = bool (*)(const std::array<Vec3, 4>&, double, TierCounts*);

  Impact impact_vertex_face = nullptr;
  Impact impact_edge_edge = nullptr;
  EdgeFace intersect_edge_face = nullptr;
  TriangleTriangle intersect_triangle_triangle = nullptr;
  Distance distance_vertex_face = nullptr;
  Distance distance_edge_edge = nullptr;
  Within within_vertex_face = nullptr;
  Within within_edge_edge = nullptr;
};

/// Work done, summed over queries.
struct CheckCounts {
  std::uint64_t queries = 0;
  std::uint64_t contacts = 0;   ///< by the oracle, thickness 0
  std::uint64_t thick = 0;      ///< queries with thickness
  std::uint64_t undecided = 0;  ///< thick queries checked in part: the oracle's bounds did not decide
  std::uint64_t discrete = 0;   ///< intersections and distances
  TierCounts tiers;             ///< tiers of the continuous tests, thickness 0

  CheckCounts& operator+=(const CheckCounts& other);
};

/// Each check returns a description of the first disagreement, empty if there is none. This one checks contact or
/// not; an interval in [0, 1], no wider than the tolerance, around the exact first time; side; valid weights and
/// normal.
std::string check_impact(const ElementaryFunctions& tested, FeatureKind kind, const PairStep& pair,
                         double tolerance, CheckCounts& counts);
/// A pair must be reported if it comes within thickness, and not if it stays beyond thickness + tolerance * min(1,
/// thickness); it is separated before toi_lo and close enough at toi_hi.
std::string check_thick_impact(const ElementaryFunctions& tested, FeatureKind kind, const PairStep& pair,
                               const ElementaryOptions& options, CheckCounts& counts);
/// Checks the path of the pair's first point against the triangle of its other three at t0, and a triangle pair
/// made of its points.
std::string check_intersections(const ElementaryFunctions& tested, const PairStep& pair, CheckCounts& counts);
/// The distance of four points, and whether they are within d.
std::string check_distance(const ElementaryFunctions& tested, FeatureKind kind, const std::array<Vec3, 4>& points,
                           double d, CheckCounts& counts);

/// Makes all checks of query `index` of a family: the continuous test always, the others for a share of the
/// indices, with tolerances, thicknesses and distances that depend only on seed and index.
std::string check_query(const ElementaryFunctions& tested, const QueryFamily& family, FeatureKind kind,
                        std::uint64_t seed, std::uint64_t index, CheckCounts& counts);

/// A GoogleTest that repeats the query, ready to paste into tests/narrow/agrees_with_oracle_test.cpp.
std::string regression_test(const QueryFamily& family, FeatureKind kind, std::uint64_t seed, std::uint64_t index);

}  // namespace graze::oracle

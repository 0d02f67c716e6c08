// Judges the library's elementary tests by the oracle: one call a query; used by the tests and by fuzz_elementary.
//
// The functions under test come in as pointers, so that tests can also hand in broken ones and see them caught.
#pragma once

#include "oracle/query_generator.hpp"

#include <graze/elementary.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace graze::oracle {

/// What is judged. library() in elementary_library.hpp fills in graze's own.
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

/// Work done; sums over queries.
struct CheckCounts {
  std::uint64_t queries = 0;
  std::uint64_t contacts = 0;   ///< by the oracle, thickness 0
  std::uint64_t thick = 0;      ///< queries with thickness
  std::uint64_t undecided = 0;  ///< of those, where the oracle's bounds gave up and only part was checked
  std::uint64_t discrete = 0;   ///< intersections and distances
  TierCounts tiers;             ///< of the continuous tests, thickness 0

  CheckCounts& operator+=(const CheckCounts& other);
};

/// Each returns a description of the first disagreement, empty if there is none.
/// Contact or not; interval in [0, 1], no wider than the tolerance, around the exact first time; side; sane weights
/// and normal.
std::string check_impact(const ElementaryFunctions& tested, FeatureKind kind, const PairStep& pair,
                         double tolerance, CheckCounts& counts);
/// Reported if the pair comes within thickness, not if it stays beyond thickness + tolerance * min(1, thickness);
/// apart before toi_lo, near enough at toi_hi.
std::string check_thick_impact(const ElementaryFunctions& tested, FeatureKind kind, const PairStep& pair,
                               const ElementaryOptions& options, CheckCounts& counts);
/// The segment of the pair's first point against its other three at t0; and triangles made of its points.
std::string check_intersections(const ElementaryFunctions& tested, const PairStep& pair, CheckCounts& counts);
/// The distance of four points, and whether they are within d.
std::string check_distance(const ElementaryFunctions& tested, FeatureKind kind, const std::array<Vec3, 4>& points,
                           double d, CheckCounts& counts);

/// All of it for query `index` of a family: the continuous test always, the others for a share of the indices, with
/// tolerances, thicknesses and distances that depend on seed and index alone.
std::string check_query(const ElementaryFunctions& tested, const QueryFamily& family, FeatureKind kind,
                        std::uint64_t seed, std::uint64_t index, CheckCounts& counts);

/// A GoogleTest that repeats the query, ready to paste into tests/narrow/agrees_with_oracle_test.cpp.
std::string regression_test(const QueryFamily& family, FeatureKind kind, std::uint64_t seed, std::uint64_t index);

}  // namespace graze::oracle

// The queries that graze bench can measure, one call of the detector each, with a hash of the answer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <graze/detector.hpp>

#include "output/funnel.hpp"

namespace graze::app {

enum class BenchQuery : std::uint8_t { Impacts, First, SafeStep, Thickness, Intersections, Proximities };

/// Name on the command line: impacts, first, safe-step, thickness, intersections or proximities.
std::string_view name_of(BenchQuery query);
/// Throws InputError for an unknown name.
BenchQuery bench_query_from_name(std::string_view name);

/// The answer of a query on one step. Queries at one instant are for the start of the step, and are measured after
/// the same query at its end: a detector keeps the contacts of what did not move between two queries.
struct QueryAnswer {
  std::optional<std::uint64_t> vf;  ///< vertex-face pairs; none where the query has no such count
  std::optional<std::uint64_t> ee;
  std::optional<std::uint64_t> triangle_pairs;  ///< intersecting triangles, adjacent ones included
  std::uint64_t hash = 0;                       ///< hash of the pairs; of intersections, of the pairs of triangles
  /// Hash of the pairs with their times, where the query has times; of intersections, with the edges and faces.
  std::uint64_t toi_hash = 0;
  Stats stats;
  Funnel funnel;
};

std::uint64_t hash_of(std::span<const TrianglePair> pairs);

/// Runs one query, with the pairs renumbered to `frame_ids` (by scene id; empty: no change) before they are hashed.
/// `measure` is called with the query proper, and must call it.
using Measure = std::function<void(const std::function<void()>&)>;
QueryAnswer run_query(Detector& detector, BenchQuery query, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                      double distance, const std::vector<VertexId>& frame_ids, const Measure& measure);

}  // namespace graze::app

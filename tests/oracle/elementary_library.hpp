// graze's own elementary tests as the functions to be judged. Whoever includes this links the library.
#pragma once

#include "oracle/elementary_check.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace graze::oracle {

inline ElementaryFunctions library() {
  return {&graze::impact_vertex_face,          &graze::impact_edge_edge,     &graze::intersect_edge_face,
          &graze::intersect_triangle_triangle, &graze::distance_vertex_face, &graze::distance_edge_edge,
          &graze::within_vertex_face,          &graze::within_edge_edge};
}

/// For regression tests: what check_impact (or check_thick_impact, where thickness > 0) has to say on graze itself.
inline std::string disagreement(FeatureKind kind, const PairStep& pair, const ElementaryOptions& options = {}) {
  CheckCounts counts;
  return options.thickness > 0.0 ? check_thick_impact(library(), kind, pair, options, counts)
                                 : check_impact(library(), kind, pair, options.tolerance, counts);
}

/// The same for a generated query, with all that the fuzzer checks of it.
inline std::string disagreement(std::string_view family, FeatureKind kind, std::uint64_t seed,
                                std::uint64_t index) {
  const QueryFamily* found = find_query_family(family);
  if (found == nullptr) return "no such family";
  CheckCounts counts;
  return check_query(library(), *found, kind, seed, index, counts);
}

}  // namespace graze::oracle

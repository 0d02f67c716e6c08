// graze's own elementary tests as the functions under test. Programs that include this header link the library.
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

/// For regression tests: the result of check_impact (or check_thick_impact, if thickness > 0) for graze itself.
inline std::string disagreement(FeatureKind kind, const PairStep& pair, const ElementaryOptions& options = {}) {
  CheckCounts counts;
  return options.thickness > 0.0 ? check_thick_impact(library(), kind, pair, options, counts)
                                 : check_impact(library(), kind, pair, options.tolerance, counts);
}

/// The result of all checks of the fuzzer for a generated query.
inline std::string disagreement(std::string_view family, FeatureKind kind, std::uint64_t seed,
                                std::uint64_t index) {
  const QueryFamily* found = find_query_family(family);
  if (found == nullptr) return "no such family";
  CheckCounts counts;
  return check_query(library(), *found, kind, seed, index, counts);
}

}  // namespace graze::oracle

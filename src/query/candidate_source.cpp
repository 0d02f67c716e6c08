// See candidate_source.hpp.
#include "query/candidate_source.hpp"

#include "core/assert.hpp"

namespace graze::query {

void CandidateSource::generate_proximities(std::size_t /*block*/, ProximityStream& /*stream*/) const {
  GRAZE_ASSERT(false);
}

void CandidateSource::generate_edge_faces(std::size_t /*block*/, EdgeFaceStream& /*stream*/) const {
  GRAZE_ASSERT(false);
}

}  // namespace graze::query

// Generates the pairs of the orphan set. See orphan_candidates.hpp.
#include "methods/bvh/orphan_candidates.hpp"

#include <graze/research.hpp>

#include <algorithm>
#include <span>

namespace graze::methods {

OrphanCandidates::OrphanCandidates(const LeafQuery& query, Hierarchy& hierarchy)
    : filter_(query.query.filter),
      hierarchy_(hierarchy),
      bounds_(query.bounds),
      budget_(query.budget),
      orphans_(hierarchy.open_orphans(query.scope, query.stats.culled)) {
  budget_.charge(orphans_.size() * sizeof(Orphan));
}

OrphanCandidates::~OrphanCandidates() {
  budget_.release(orphans_.size() * sizeof(Orphan));
}

std::vector<std::uint64_t> OrphanCandidates::block_weights() const {
  std::vector<std::uint64_t> weights;
  for (std::size_t begin = 0; begin < orphans_.size(); begin += kOrphansPerBlock) {
    weights.push_back(std::min(kOrphansPerBlock, orphans_.size() - begin));
  }
  return weights;
}

bool OrphanCandidates::is_tested(const Orphan& orphan) const {
  const bool by_bounds = hierarchy_.choices().edge_bounds != research::EdgeBounds::None;
  if (orphan.kind == FeatureKind::VertexFace) {
    const Leaf& leaf = hierarchy_.leaf(orphan.b);
    return filter_.tests(orphan.a, leaf.vertices[0]) && (!by_bounds || bounds_.vertex_face(orphan.a, leaf));
  }
  return filter_.tests(hierarchy_.edge(orphan.a)[0], hierarchy_.edge(orphan.b)[0]) &&
         (!by_bounds || bounds_.edge_edge(orphan.a, orphan.b));
}

void OrphanCandidates::generate(std::size_t block, CandidateStream& stream) const {
  FeatureSink<CandidateStream> sink{hierarchy_, stream};
  const std::size_t begin = block * kOrphansPerBlock;
  for (const Orphan& orphan :
       std::span(orphans_).subspan(begin, std::min(kOrphansPerBlock, orphans_.size() - begin))) {
    if (!is_tested(orphan)) continue;
    ++sink.stats.culled.orphans;
    if (orphan.kind == FeatureKind::VertexFace) {
      sink.vertex_face(orphan.a, orphan.b);
    } else {
      sink.edge_edge(orphan.a, orphan.b);
    }
  }
}

}  // namespace graze::methods

// Finds the hubs: vertices with more than kMaxFan leaves (mesh/near_faces.hpp).
#include "mesh/near_faces.hpp"

#include "core/assert.hpp"

namespace graze::mesh {

NearFaces::NearFaces(const Incidence& incidence) : is_hub_(incidence.vertex_leaves.size(), false) {
  for (std::size_t v = 0; v < is_hub_.size(); ++v) {
    if (incidence.vertex_leaves.length(v) <= kMaxFan) continue;
    is_hub_[v] = true;
    ++hub_count_;
  }
}

std::vector<VertexId> NearFaces::update(const Incidence& after, std::span<const VertexId> touched) {
  GRAZE_ASSERT(after.vertex_leaves.size() >= is_hub_.size());
  is_hub_.resize(after.vertex_leaves.size(), false);
  std::vector<VertexId> changed;
  for (const VertexId v : touched) {
    const bool is_hub = after.vertex_leaves.length(v) > kMaxFan;
    if (is_hub == is_hub_[v]) continue;
    is_hub_[v] = is_hub;
    hub_count_ = is_hub ? hub_count_ + 1 : hub_count_ - 1;
    changed.push_back(v);
  }
  return changed;
}

}  // namespace graze::mesh

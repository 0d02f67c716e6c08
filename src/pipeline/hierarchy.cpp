// See hierarchy.hpp.
#include "pipeline/hierarchy.hpp"

#include "bvh/quality.hpp"
#include "core/tasks.hpp"

namespace graze {

namespace {

constexpr std::size_t kGrain = 4096;

}  // namespace

Hierarchy::Hierarchy(std::span<const Triangle> triangles, const Topology& topology)
    : representatives_(make_representatives(triangles, topology)), leaves_(representatives_.active()) {
  faces_.reserve(leaves_.size());
  for (const RepresentativeId id : leaves_) faces_.push_back(representatives_.face(id));
}

void Hierarchy::update(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double gap) {
  make_vertex_volumes(x_t0, x_t1, gap, vertex_boxes_);
  leaf_boxes_.resize(leaves_.size());
  parallel_for(0, leaves_.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      leaf_boxes_[i] = triangle_volume(std::span<const Aabb>(vertex_boxes_), faces_[i]);
    }
  });
  edge_boxes_.resize(representatives_.edges.size());
  parallel_for(0, edge_boxes_.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t e = first; e < last; ++e) {
      edge_boxes_[e] = vertex_boxes_[representatives_.edges[e][0]];
      edge_boxes_[e].include(vertex_boxes_[representatives_.edges[e][1]]);
    }
  });
  if (cost_at_build_ == 0.0) {
    build();
    return;
  }
  volumes_.refit(tree_, [&](std::uint32_t leaf) { return leaf_boxes_[leaf]; });
  if (bvh_should_rebuild(cost_at_build_, bvh_cost(tree_, volumes_))) build();
}

void Hierarchy::build() {
  tree_ = bvh_build(leaf_boxes_);
  volumes_.refit(tree_, [&](std::uint32_t leaf) { return leaf_boxes_[leaf]; });
  cost_at_build_ = bvh_cost(tree_, volumes_);
  std::vector<LeafMask> masks(leaves_.size());
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    masks[i] = representative_mask(represented_vertex_count(leaves_[i]), represented_edge_count(leaves_[i]));
  }
  continuous_masks_ = BvhMasks(tree_, masks);
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    masks[i] = {static_cast<std::uint8_t>(represented_edge_count(leaves_[i]) > 0 ? 1 : 0), 1};
  }
  discrete_masks_ = BvhMasks(tree_, masks);
}

BvhTraversal Hierarchy::representative_leaf_pairs(Tests tests) const {
  return BvhTraversal(
      bvh_view(tree_, volumes_, tests == Tests::Continuous ? &continuous_masks_ : &discrete_masks_));
}

std::size_t Hierarchy::memory_bytes() const {
  return representatives_.memory_bytes() + tree_.memory_bytes() + volumes_.memory_bytes() +
         continuous_masks_.memory_bytes() + discrete_masks_.memory_bytes() +
         leaves_.capacity() * sizeof(RepresentativeId) + faces_.capacity() * sizeof(Face) +
         (vertex_boxes_.capacity() + edge_boxes_.capacity() + leaf_boxes_.capacity()) * sizeof(Aabb);
}

}  // namespace graze

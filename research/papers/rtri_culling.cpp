// Counts the culled pairs (rtri_culling.hpp). Boxes are axis-aligned, as in the paper.
#include "research/papers/rtri_culling.hpp"

#include <vector>

#include "bvh/build.hpp"
#include "bvh/masks.hpp"
#include "bvh/traverse.hpp"
#include "bvh/volumes.hpp"
#include "cull/segment_box.hpp"
#include "geometry/volume.hpp"
#include "mesh/features.hpp"
#include "mesh/topology.hpp"

namespace graze::papers {

CullMeter::CullMeter(const Scene& scene)
    : representatives_(
          make_representatives(scene.triangles(), build_topology(scene.triangles(), scene.vertex_count()))) {
  for (const Triangle& triangle : scene.triangles()) {
    is_static_.push_back(triangle[0] != kNoVertex && scene.motion(scene.body_of(triangle[0])) == Motion::Static);
  }
}

void CullMeter::add_step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, SweepCulling& counts) const {
  const std::vector<RepresentativeId> leaves = representatives_.active();
  std::vector<Aabb> vertex_boxes;
  make_vertex_volumes(x_t0, x_t1, 0.0, vertex_boxes);
  std::vector<Aabb> leaf_boxes;
  std::vector<LeafMask> masks;
  for (const RepresentativeId id : leaves) {
    leaf_boxes.push_back(triangle_volume(std::span<const Aabb>(vertex_boxes), representatives_.face(id)));
    masks.push_back(representative_mask(represented_vertex_count(id), represented_edge_count(id)));
  }
  const BvhTree tree = bvh_build(leaf_boxes);
  BvhVolumes<Aabb> volumes;
  volumes.refit(tree, [&](std::uint32_t leaf) { return leaf_boxes[leaf]; });
  const BvhMasks tree_masks(tree, masks);
  counts.bvh_bytes = tree.memory_bytes() + volumes.memory_bytes();
  counts.edge_bounds_bytes = representatives_.edges.size() * sizeof(Aabb);

  const BvhTraversal traversal(bvh_view(tree, volumes, &tree_masks));
  std::vector<SweepCulling> by_group(traversal.group_count());
  traversal.run([&](std::size_t group, std::span<const LeafPair> pairs) {
    SweepCulling& sum = by_group[group];
    const auto vertices_face = [&](std::uint32_t from, std::uint32_t to) {
      const Face face = representatives_.face(leaves[to]);
      for (const VertexId v : representatives_.vertices_of(leaves[from])) {
        if (incident(v, face)) continue;
        ++sum.pairs;
        sum.box_passed += vertex_boxes[v].overlaps(leaf_boxes[to]) ? 1U : 0U;
        sum.segment_passed += segment_may_overlap(x_t0[v], x_t1[v], leaf_boxes[to]) ? 1U : 0U;
      }
    };
    for (const LeafPair& pair : pairs) {
      if (is_static_[triangle_of(leaves[pair.a])] && is_static_[triangle_of(leaves[pair.b])]) continue;
      vertices_face(pair.a, pair.b);
      vertices_face(pair.b, pair.a);
    }
  });
  for (const SweepCulling& sum : by_group) {
    counts.pairs += sum.pairs;
    counts.box_passed += sum.box_passed;
    counts.segment_passed += sum.segment_passed;
  }
}

}  // namespace graze::papers

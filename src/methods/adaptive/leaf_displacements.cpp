// Implementation of the displacements of leaves from their reference positions. See leaf_displacements.hpp.
#include "methods/adaptive/leaf_displacements.hpp"

#include <algorithm>

#include "core/tasks.hpp"
#include "geometry/vec.hpp"
#include "geometry/volume.hpp"

namespace graze::methods {

void LeafDisplacements::learn_scene(const AdaptiveStep& step) {
  const Scene& scene = step.query.scene;
  groups_.resize(scene.vertex_count());
  std::vector<bool> is_static(scene.body_count());
  for (BodyId body = 0; body < scene.body_count(); ++body) {
    is_static[body] = scene.has_body(body) && scene.motion(body) == Motion::Static;
  }
  for (VertexId v = 0; v < groups_.size(); ++v) {
    const BodyId body = scene.body_of(v);
    groups_[v] = body == kNoBody   ? ReferencePositions::kRemoved
                 : is_static[body] ? ReferencePositions::kStatic
                                   : body;
  }
  edge_lengths_.assign(scene.body_count(), 0.0);
  std::vector<std::size_t> counts(edge_lengths_.size(), 0);
  for (const Edge& edge : step.hierarchy.edges()) {
    const std::uint32_t body = groups_[edge[0]];
    if (body >= edge_lengths_.size()) continue;  // edge of a static body, or a removed edge
    edge_lengths_[body] += length(step.x_t0[edge[1]] - step.x_t0[edge[0]]);
    ++counts[body];
  }
  for (std::size_t body = 0; body < edge_lengths_.size(); ++body) {
    if (counts[body] > 0) edge_lengths_[body] /= static_cast<double>(counts[body]);
  }
  knows_scene_ = true;
}

bool LeafDisplacements::begin(const AdaptiveStep& step, const ReferencePositions::Plan& plan) {
  if (!knows_scene_) learn_scene(step);
  plan_ = plan;
  gap_ = round_up(step.gap);
  if (!reference_positions_.begin(step.x_t0, step.x_t1, mesh(), plan)) return false;
  update_leaf_displacements(step);
  return true;
}

bool LeafDisplacements::advance(const AdaptiveStep& step) {
  gap_ = round_up(step.gap);
  if (!reference_positions_.measure_displacements(step.x_t0, step.x_t1, groups_)) return false;
  update_leaf_displacements(step);
  return true;
}

std::size_t LeafDisplacements::renew_references(const AdaptiveStep& step) {
  const std::size_t vertices = reference_positions_.renew_references(step.x_t0, step.x_t1, mesh(), plan_);
  for (const std::uint32_t leaf : dangling_) leaves_[leaf] = leaf_motion(step.hierarchy.leaf(leaf));
  return vertices;
}

LeafDisplacements::LeafMotion LeafDisplacements::leaf_motion(const Leaf& leaf) const {
  if (groups_[leaf.vertices[0]] == ReferencePositions::kStatic)
    return {reference_positions_.drift_bound(), reference_positions_.drift()};
  LeafMotion motion;
  bool dangles = false;
  for (const VertexId v : leaf.vertices) {
    motion.displacement_bound =
        std::max(motion.displacement_bound, reference_positions_.points()[v].displacement_bound);
    motion.displacement = std::max(motion.displacement, reference_positions_.displacement(v));
    dangles = dangles || reference_positions_.is_dangling(v);
  }
  if (dangles) motion.displacement = std::numeric_limits<float>::quiet_NaN();
  return motion;
}

void LeafDisplacements::update_leaf_displacements(const AdaptiveStep& step) {
  constexpr std::size_t kLeavesPerTask = 8192;
  const std::span<const Leaf> leaves = step.hierarchy.leaves();
  leaves_.resize(leaves.size());
  std::vector<std::vector<std::uint32_t>> found((leaves.size() + kLeavesPerTask - 1) / kLeavesPerTask);
  parallel_for(0, found.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first * kLeavesPerTask; i < std::min(last * kLeavesPerTask, leaves.size()); ++i) {
      if (leaves[i].id == kRepresentsNothing) continue;
      leaves_[i] = leaf_motion(leaves[i]);
      if (std::isnan(leaves_[i].displacement)) found[i / kLeavesPerTask].push_back(static_cast<std::uint32_t>(i));
    }
  });
  dangling_.clear();
  for (const auto& some : found) dangling_.insert(dangling_.end(), some.begin(), some.end());
}

std::size_t LeafDisplacements::memory_bytes() const {
  return groups_.capacity() * sizeof(std::uint32_t) + edge_lengths_.capacity() * sizeof(double) +
         reference_positions_.memory_bytes() + leaves_.capacity() * sizeof(LeafMotion) +
         dangling_.capacity() * sizeof(std::uint32_t);
}

}  // namespace graze::methods

// See leaf_displacements.hpp.
#include "methods/adaptive/leaf_displacements.hpp"

#include <algorithm>

#include "core/tasks.hpp"
#include "geometry/vec.hpp"
#include "geometry/volume.hpp"

namespace graze {

void LeafStrays::learn_scene(const AdaptiveStep& step) {
  const Scene& scene = step.query.scene;
  groups_.resize(scene.vertex_count());
  std::vector<bool> is_static(scene.body_count());
  for (BodyId body = 0; body < scene.body_count(); ++body) {
    is_static[body] = scene.has_body(body) && scene.motion(body) == Motion::Static;
  }
  for (VertexId v = 0; v < groups_.size(); ++v) {
    const BodyId body = scene.body_of(v);
    groups_[v] = body == kNoBody ? Homes::kRemoved : is_static[body] ? Homes::kStill : body;
  }
  edge_lengths_.assign(scene.body_count(), 0.0);
  std::vector<std::size_t> counts(edge_lengths_.size(), 0);
  for (const Edge& edge : step.hierarchy.edges()) {
    const std::uint32_t body = groups_[edge[0]];
    if (body >= edge_lengths_.size()) continue;  // still, or no edge any more
    edge_lengths_[body] += length(step.x_t0[edge[1]] - step.x_t0[edge[0]]);
    ++counts[body];
  }
  for (std::size_t body = 0; body < edge_lengths_.size(); ++body) {
    if (counts[body] > 0) edge_lengths_[body] /= static_cast<double>(counts[body]);
  }
  knows_scene_ = true;
}

bool LeafStrays::begin(const AdaptiveStep& step, const Homes::Plan& plan) {
  if (!knows_scene_) learn_scene(step);
  plan_ = plan;
  gap_ = round_up(step.gap);
  if (!homes_.begin(step.x_t0, step.x_t1, mesh(), plan)) return false;
  note_leaves(step);
  return true;
}

bool LeafStrays::advance(const AdaptiveStep& step) {
  gap_ = round_up(step.gap);
  if (!homes_.stray(step.x_t0, step.x_t1, groups_)) return false;
  note_leaves(step);
  return true;
}

std::size_t LeafStrays::rehome(const AdaptiveStep& step) {
  const std::size_t vertices = homes_.rehome(step.x_t0, step.x_t1, mesh(), plan_);
  for (const std::uint32_t leaf : dangling_) leaves_[leaf] = motion_of(step.hierarchy.leaf(leaf));
  return vertices;
}

LeafStrays::LeafMotion LeafStrays::motion_of(const Leaf& leaf) const {
  if (groups_[leaf.vertices[0]] == Homes::kStill) return {homes_.drift_reach(), homes_.drift()};
  LeafMotion motion;
  bool dangles = false;
  for (const VertexId v : leaf.vertices) {
    motion.reach = std::max(motion.reach, homes_.points()[v].reach);
    motion.strayed = std::max(motion.strayed, homes_.strayed(v));
    dangles = dangles || homes_.is_dangling(v);
  }
  if (dangles) motion.strayed = std::numeric_limits<float>::quiet_NaN();
  return motion;
}

void LeafStrays::note_leaves(const AdaptiveStep& step) {
  constexpr std::size_t kPiece = 8192;
  const std::span<const Leaf> leaves = step.hierarchy.leaves();
  leaves_.resize(leaves.size());
  std::vector<std::vector<std::uint32_t>> found((leaves.size() + kPiece - 1) / kPiece);
  parallel_for(0, found.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first * kPiece; i < std::min(last * kPiece, leaves.size()); ++i) {
      if (leaves[i].id == kRepresentsNothing) continue;
      leaves_[i] = motion_of(leaves[i]);
      if (std::isnan(leaves_[i].strayed)) found[i / kPiece].push_back(static_cast<std::uint32_t>(i));
    }
  });
  dangling_.clear();
  for (const auto& some : found) dangling_.insert(dangling_.end(), some.begin(), some.end());
}

std::size_t LeafStrays::memory_bytes() const {
  return groups_.capacity() * sizeof(std::uint32_t) + edge_lengths_.capacity() * sizeof(double) +
         homes_.memory_bytes() + leaves_.capacity() * sizeof(LeafMotion) +
         dangling_.capacity() * sizeof(std::uint32_t);
}

}  // namespace graze

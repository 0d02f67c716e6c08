// Many rigid queries at once: poses, or obstacles, on all cores. See graze/rigid.hpp.
#include <graze/rigid.hpp>

#include <graze/error.hpp>

#include "core/tasks.hpp"

namespace graze {

std::vector<FirstHit> first_hits(const RigidObject& a, const RigidObject& b, std::span<const PosePair> poses,
                                 const BatchOptions& options) {
  std::vector<FirstHit> results(poses.size());
  Collider collider(a, b, options.collider);
  for (std::size_t i = 0; i < poses.size(); ++i) results[i] = collider.first_hit(poses[i].a, poses[i].b);
  return results;
}

std::vector<TrianglePairs> triangle_pairs(const RigidObject& a, const RigidObject& b,
                                          std::span<const PosePair> poses, const BatchOptions& options) {
  std::vector<TrianglePairs> results(poses.size());
  Collider collider(a, b, options.collider);
  for (std::size_t i = 0; i < poses.size(); ++i) results[i] = collider.triangle_pairs(poses[i].a, poses[i].b);
  return results;
}

std::vector<FirstHit> first_hits(const PosedObject& object, std::span<const PosedObject> obstacles,
                                 const BatchOptions& options) {
  std::vector<FirstHit> results;
  for (const PosedObject& obstacle : obstacles)
    results.push_back(
        Collider(*object.object, *obstacle.object, options.collider).first_hit(object.pose, obstacle.pose));
  return results;
}

std::vector<TrianglePairs> triangle_pairs(const PosedObject& object, std::span<const PosedObject> obstacles,
                                          const BatchOptions& options) {
  std::vector<TrianglePairs> results;
  for (const PosedObject& obstacle : obstacles)
    results.push_back(
        Collider(*object.object, *obstacle.object, options.collider).triangle_pairs(object.pose, obstacle.pose));
  return results;
}

}  // namespace graze

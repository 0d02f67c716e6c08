// Embree's count equals that of all pairs of boxes, also after a refit of its trees: a peer that finds fewer pairs
// would look faster than it is.
#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "benchmarks/peers/peer.hpp"
#include "geometry/volume.hpp"
#include "mesh/features.hpp"
#include "mesh/topology.hpp"
#include "scenes/catalogue.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

peers::PeerCounts all_box_pairs(const Scene& scene, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  const Features features = build_topology(scene.triangles(), scene.vertex_count()).features;
  std::vector<Aabb> boxes;
  make_vertex_volumes(x_t0, x_t1, 0.0, boxes);
  std::vector<Aabb> edges;
  for (const Edge& edge : features.edges) {
    edges.push_back(boxes[edge[0]]);
    edges.back().include(boxes[edge[1]]);
  }
  peers::PeerCounts counts;
  for (const Face& face : features.faces) {
    const Aabb box = triangle_volume(std::span<const Aabb>(boxes), face);
    for (const VertexId v : features.vertices) counts.vf += !incident(v, face) && box.overlaps(boxes[v]) ? 1U : 0U;
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (std::size_t j = i + 1; j < edges.size(); ++j) {
      counts.ee += !incident(features.edges[i], features.edges[j]) && edges[i].overlaps(edges[j]) ? 1U : 0U;
    }
  }
  return counts;
}

TEST(Embree, CountsEveryPairOfBoxesInEachStepOnAnyNumberOfThreads) {
  const scenes::Animation animation = scenes::make_animation("draped-ball", {.size = 800, .frames = 5, .seed = 1});
  const Scene scene = scenes::make_scene(animation);
  for (const unsigned threads : {1U, 3U}) {
    const auto peer = peers::make_peer(threads == 1 ? "embree" : "embree-low", threads);
    peer->prepare(scene);
    for (std::size_t step = 0; step + 1 < animation.frames.size(); ++step) {
      const auto& x_t0 = animation.frames[step];
      const auto& x_t1 = animation.frames[step + 1];
      const peers::PeerCounts expected = all_box_pairs(scene, x_t0, x_t1);
      const peers::PeerCounts found = peer->run(x_t0, x_t1);
      EXPECT_GT(found.vf, 0U);
      EXPECT_EQ(found.vf, expected.vf) << "step " << step;
      EXPECT_EQ(found.ee, expected.ee) << "step " << step;
    }
    EXPECT_GT(peer->memory_bytes().value_or(0), 0U);
  }
}

}  // namespace
}  // namespace graze

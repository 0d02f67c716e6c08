// Compares the self-collision proof of a cluster, run through collect_pairs, with the exact contacts.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include <graze/elementary.hpp>

#include "methods/cluster/cluster_pairs.hpp"
#include "methods/cluster/cluster_table.hpp"
#include "methods/cluster/one_cluster.hpp"
#include "oracle/brute_scene.hpp"

namespace graze::cluster_samples {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace hash;
using namespace cull;
using namespace query;
using namespace methods;

using oracle::SceneStep;

/// The result of testing one cluster against itself.
struct SelfAnswer {
  bool free = false;
  float error = 0.0F;  ///< the cluster's error bound, in the local frame
  PairBuffer candidates;
};

inline SelfAnswer ask(const Cluster& shape, const SceneStep& step, const ClusterLocalFrame& local_frame,
                      const PairRules& rules = {}) {
  std::vector<Cluster> clusters(1, shape);
  fill_table_in(local_frame, step.x_t0, step.x_t1, clusters[0]);
  SelfAnswer answer;
  answer.error = clusters[0].error;
  ClusterCounts counts;
  const std::array<ClusterPair, 1> pair{};
  collect_pairs(clusters, pair, rules, answer.candidates, counts, [] {});
  answer.free = counts.pairs == 0;  // a pair proved free is not counted
  return answer;
}

/// Feature pairs that touch in the step, by the exact elementary tests; the first one, or all.
inline std::vector<FeaturePair> touching(const SceneStep& step, bool all) {
  std::vector<FeaturePair> found;
  for (const FeaturePair& pair : oracle::non_incident_pairs(oracle::features_of(step.triangles))) {
    const PairStep points = oracle::points_of(pair, step);
    const auto impact =
        pair.kind == FeatureKind::VertexFace ? impact_vertex_face(points) : impact_edge_edge(points);
    if (!impact) continue;
    found.push_back(pair);
    if (!all) break;
  }
  return found;
}

/// Expected pairs that are missing among the candidates.
inline std::vector<FeaturePair> missing(const std::vector<FeaturePair>& expected, const PairBuffer& candidates) {
  std::vector<FeaturePair> result;
  for (const FeaturePair& pair : expected) {
    const auto& among = pair.kind == FeatureKind::VertexFace ? candidates.vertex_faces : candidates.edge_edges;
    if (std::find(among.begin(), among.end(), pair.vertices) == among.end()) result.push_back(pair);
  }
  return result;
}

/// Local frames that a scene around this step could have: its own, that of a much larger scene, that of a distant
/// one, and one left from a smaller scene.
inline std::vector<ClusterLocalFrame> local_frames_for(const SceneStep& step) {
  const ClusterLocalFrame own = local_frame_of(middle_of(step.x_t0));
  std::vector<ClusterLocalFrame> frames{own};
  for (const double off : {3.0, 1000.0, 1e6}) {
    ClusterLocalFrame local_frame = own;
    const Vec3& origin = own.origin_t0;
    local_frame.origin_t0 = {origin.x - off / own.scale, origin.y + 0.7 * off / own.scale, origin.z};
    local_frame.origin_t1 = local_frame.origin_t0;
    frames.push_back(local_frame);
  }
  for (const double factor : {0x1p-20, 0x1p12}) {
    ClusterLocalFrame local_frame = own;
    local_frame.scale *= factor;
    frames.push_back(local_frame);
  }
  return frames;
}

/// Counts of steps proved free and of steps with contacts.
struct Tally {
  std::size_t free = 0;
  std::size_t in_contact = 0;
};

/// Checks in many local frames that the proof is right and that the candidates contain all touching pairs.
inline void expect_sound(const SceneStep& step, Tally& tally) {
  const std::optional<Cluster> shape = one_cluster(step.triangles);
  ASSERT_TRUE(shape.has_value());
  const std::vector<FeaturePair> expected = touching(step, true);
  tally.in_contact += expected.empty() ? 0U : 1U;
  bool first = true;
  for (const ClusterLocalFrame& local_frame : local_frames_for(step)) {
    const SelfAnswer answer = ask(*shape, step, local_frame);
    ASSERT_FALSE(answer.free && !expected.empty())
        << "said to be free, but " << oracle::to_string(expected.front()) << " touch\n"
        << oracle::to_source(step);
    ASSERT_TRUE(missing(expected, answer.candidates).empty()) << oracle::to_source(step);
    tally.free += first && answer.free ? 1U : 0U;
    first = false;
  }
}

inline bool is_free(const SceneStep& step) {
  return ask(one_cluster(step.triangles).value(), step, local_frame_of(middle_of(step.x_t0))).free;
}

}  // namespace graze::cluster_samples

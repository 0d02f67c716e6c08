// The proof that a cluster is free of self-collision, against the exact tests of all its pairs: the gallery of
// cones, whole and in parts, and random discs, some moved to the limit of the proof; with position_error,
// thickness, and every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "core/simd/targets.hpp"
#include "methods/cluster/random_disc.hpp"
#include "methods/cluster/self_proof_shapes.hpp"
#include "support/cone_gallery.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

using namespace cluster_samples;

/// Up to 32 connected faces, starting from one.
std::optional<SceneStep> part_of(const SceneStep& step, std::size_t from) {
  SceneStep part{{}, step.x_t0, step.x_t1};
  std::vector<bool> in(step.triangles.size());
  std::queue<std::size_t> next;
  next.push(from);
  in[from] = true;
  while (!next.empty() && part.triangles.size() < kClusterFaces) {
    const Triangle t = step.triangles[next.front()];
    next.pop();
    part.triangles.push_back(t);
    if (!one_cluster(part.triangles)) {
      part.triangles.pop_back();
      break;
    }
    for (std::size_t f = 0; f < step.triangles.size(); ++f) {
      const auto& u = step.triangles[f];
      const auto common =
          std::count_if(u.begin(), u.end(), [&](VertexId v) { return std::count(t.begin(), t.end(), v) > 0; });
      if (in[f] || common < 2) continue;
      in[f] = true;
      next.push(f);
    }
  }
  if (part.triangles.empty()) return std::nullopt;
  return part;
}

TEST(SelfProof, IsRightOfTheGalleryOfConesWholeAndInParts) {
  std::size_t whole = 0;
  std::size_t free = 0;
  std::size_t in_contact = 0;
  for (const testing::GalleryCase& item : testing::cone_gallery()) {
    SCOPED_TRACE(item.name);
    const SceneStep& step = item.step;
    if (one_cluster(step.triangles)) {
      ++whole;
      const std::vector<oracle::Contact> contacts = oracle::contacts(step);
      const SelfAnswer answer = ask(*one_cluster(step.triangles), step, local_frame_of(middle_of(step.x_t0)));
      EXPECT_FALSE(answer.free && !contacts.empty());
      EXPECT_TRUE(missing(oracle::pairs_of(contacts), answer.candidates).empty());
      Tally tally;
      for (const SceneStep& one : elsewhere(step)) expect_sound(one, tally);
    }
    const std::size_t stride = step.triangles.size() > 100 ? 16 : 2;
    for (std::size_t from = 0; from < step.triangles.size(); from += stride) {
      const std::optional<SceneStep> part = part_of(step, from);
      ASSERT_TRUE(part.has_value());
      const bool touches = !touching(*part, false).empty();
      const bool said_free = is_free(*part);
      ASSERT_FALSE(said_free && touches) << oracle::to_source(*part);
      free += said_free ? 1U : 0U;
      in_contact += touches ? 1U : 0U;
    }
  }
  EXPECT_GT(whole, 3U);
  EXPECT_GT(free, 50U);
  EXPECT_GT(in_contact, 50U);
}

TEST(SelfProof, IsRightOfRandomDiscs) {
  std::size_t free = 0;
  std::size_t discs = 0;
  for (std::uint64_t index = 0; index < 6000; ++index) {
    Random random(2, index);
    const SceneStep step = random_disc(random);
    const std::optional<Cluster> shape = one_cluster(step.triangles);
    ASSERT_TRUE(shape.has_value());
    ASSERT_GT(shape->contour_count, 0) << "grown as a disc";
    ++discs;
    bool any = false;
    for (const ClusterLocalFrame& local_frame : local_frames_for(step))
      any = any || ask(*shape, step, local_frame).free;
    if (!any) continue;
    ++free;
    ASSERT_TRUE(touching(step, false).empty()) << index << "\n" << oracle::to_source(step);
  }
  EXPECT_GT(free, discs / 5);
  EXPECT_LT(free, discs);
}

TEST(SelfProof, IsRightOfRandomDiscsThatMoveAsFarAsItSaysFree) {
  std::size_t limits = 0;
  for (std::uint64_t index = 0; index < 1500; ++index) {
    Random random(3, index);
    const SceneStep step = random_disc(random);
    const Cluster shape = one_cluster(step.triangles).value();
    const ClusterLocalFrame local_frame = local_frame_of(middle_of(step.x_t0));
    Random directions(4, index);
    std::vector<Vec3> displacements;
    for (std::size_t v = 0; v < step.x_t0.size(); ++v) {
      displacements.push_back({directions.symmetric(), directions.symmetric(), directions.symmetric()});
    }
    const auto moved = [&](double by) {
      SceneStep result = step;
      for (std::size_t v = 0; v < displacements.size(); ++v) {
        const Vec3& p = step.x_t0[v];
        result.x_t1[v] = {p.x + by * displacements[v].x, p.y + by * displacements[v].y,
                          p.z + by * displacements[v].z};
      }
      return result;
    };
    double some = 0.0;
    double most = 16.0;
    if (!ask(shape, moved(some), local_frame).free || ask(shape, moved(most), local_frame).free) continue;
    for (int i = 0; i < 40; ++i) {
      const double middle = (some + most) / 2;
      (ask(shape, moved(middle), local_frame).free ? some : most) = middle;
    }
    ++limits;
    ASSERT_TRUE(touching(moved(some), false).empty()) << index << "\n" << oracle::to_source(moved(some));
  }
  EXPECT_GT(limits, 300U);
}

TEST(SelfProof, LeavesRoomForTheBlur) {
  // Slit edges that are each moved by the position_error towards the other touch when the position_error is half
  // the opening.
  SceneStep slit = slit_grid();
  const std::optional<Cluster> shape = one_cluster(slit.triangles);
  ASSERT_TRUE(shape.has_value());
  for (const double opening : {0x1p-12, 0x1p-6, 0.25}) {
    SceneStep step = slit;
    for (const VertexId v : {25U, 26U}) {
      step.x_t0[v].y += opening;
      step.x_t1[v].y += opening;
    }
    const ClusterLocalFrame local_frame = local_frame_of(middle_of(step.x_t0));
    const auto said_free = [&](double position_error) {
      return ask(*shape, step, local_frame, {.gap = position_error, .position_error = position_error}).free;
    };
    EXPECT_TRUE(said_free(opening / 32));
    EXPECT_FALSE(said_free(opening / 2));
    for (const double huge : {1.0, 1e10, 1e30, 1e300}) EXPECT_FALSE(said_free(huge));
  }
  // Random discs with the largest position_error that is still proved free, displaced by that amount.
  std::size_t shaken = 0;
  for (std::uint64_t index = 0; index < 400; ++index) {
    Random random(5, index);
    const SceneStep step = random_disc(random);
    const Cluster disc = one_cluster(step.triangles).value();
    const ClusterLocalFrame local_frame = local_frame_of(middle_of(step.x_t0));
    const auto said_free = [&](double position_error) {
      return ask(disc, step, local_frame, {.gap = position_error, .position_error = position_error}).free;
    };
    if (!said_free(0.0)) continue;
    double some = 0.0;
    double most = 16.0;
    for (int i = 0; i < 40; ++i) (said_free((some + most) / 2) ? some : most) = (some + most) / 2;
    for (int i = 0; i < 4; ++i) {
      SceneStep off = step;
      const auto by = [&] { return random.coin() ? some : -some; };
      for (std::vector<Vec3>* x : {&off.x_t0, &off.x_t1}) {
        for (Vec3& p : *x) p = {p.x + by(), p.y + by(), p.z + by()};
      }
      ASSERT_TRUE(touching(off, false).empty()) << index;
      ++shaken;
    }
  }
  EXPECT_GT(shaken, 200U);
}

TEST(SelfProof, LeavesNothingOutWithinAThickness) {
  // Edges of a slit that are close and never touch.
  SceneStep step = slit_grid();
  for (const VertexId v : {25U, 26U}) step.x_t0[v].y = step.x_t1[v].y = step.x_t0[v].y + 0.125;
  ASSERT_TRUE(is_free(step));
  const ClusterLocalFrame local_frame = local_frame_of(middle_of(step.x_t0));
  const SelfAnswer answer =
      ask(one_cluster(step.triangles).value(), step, local_frame, {.gap = 0.25, .touching = false});
  EXPECT_FALSE(answer.free);
  const ElementaryOptions options{.thickness = 0.25};
  std::size_t near = 0;
  for (const FeaturePair& pair : oracle::non_incident_pairs(oracle::features_of(step.triangles))) {
    const PairStep points = oracle::points_of(pair, step);
    const auto impact = pair.kind == FeatureKind::VertexFace ? impact_vertex_face(points, options)
                                                             : impact_edge_edge(points, options);
    if (!impact) continue;
    ++near;
    EXPECT_TRUE(missing({pair}, answer.candidates).empty()) << oracle::to_string(pair);
  }
  EXPECT_GT(near, 5U);
}

TEST(SelfProof, IsTheSameOnEveryInstructionSet) {
  std::vector<SceneStep> steps;
  for (std::uint64_t index = 0; index < 600; ++index) {
    Random random(6, index);
    steps.push_back(random_disc(random));
  }
  for (int quads = 1; quads <= 15; ++quads) steps.push_back(band({.quads = quads, .degrees = 24.0 * quads}));
  for (int faces = 3; faces <= 30; ++faces) steps.push_back(fan(faces, 360.0, true, 2.0, 0.0, 0.0));
  for (int faces = 1; faces <= 30; ++faces) steps.push_back(fan(faces, 12.5 * faces, false, 2.0, 0.0, 0.0));
  const auto answers = [&] {
    std::vector<SelfAnswer> all;
    for (const SceneStep& step : steps) {
      for (const ClusterLocalFrame& local_frame : local_frames_for(step)) {
        all.push_back(ask(one_cluster(step.triangles).value(), step, local_frame));
      }
    }
    return all;
  };
  const std::vector<SelfAnswer> best = answers();
  ASSERT_FALSE(simd_targets().empty());
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    const std::vector<SelfAnswer> others = answers();
    for (std::size_t i = 0; i < best.size(); ++i) {
      ASSERT_EQ(others[i].free, best[i].free) << target << ", " << i;
      ASSERT_EQ(others[i].candidates.vertex_faces, best[i].candidates.vertex_faces) << target << ", " << i;
      ASSERT_EQ(others[i].candidates.edge_edges, best[i].candidates.edge_edges) << target << ", " << i;
    }
  }
  use_simd_target("");
}

}  // namespace
}  // namespace graze

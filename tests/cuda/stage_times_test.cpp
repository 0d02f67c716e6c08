// Times of the stages of a query on the GPU: all stages have one, and recording them changes no answer.
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include <graze/graze.hpp>

#include "core/memory_budget.hpp"
#include "cuda/cuda_method.hpp"
#include "cuda/skip_without_gpu.hpp"
#include "cuda/stage_times.hpp"
#include "support/adaptive_sequences.hpp"

namespace graze::testing {

namespace {

using cuda::Stage;
using cuda::StageTimes;

/// Two sheets of which the upper one falls through the lower one, and the method on the GPU, without a detector.
struct Fall {
  Scene scene = wavy_sheets(0.05, true, Motion::Deforming, 24);
  std::vector<Vec3> x_t0{scene.positions().begin(), scene.positions().end()};
  std::vector<Vec3> x_t1 = x_t0;
  DetectorOptions options;
  scene::BodyFilter filter{scene};
  cuda::CudaMethod method{scene};

  Fall() {
    for (VertexId v = 0; v < x_t1.size(); ++v) {
      if (scene.body_of(v) == 1) x_t1[v].z -= 0.2;
    }
    method.rebuild();
  }

  Impacts impacts() {
    Impacts all;
    core::MemoryBudget budget(0);
    method.ordered_impacts({scene, filter, options}, {x_t0, x_t1}, budget,
                           [&](std::span<const Impact> found) { all.impacts.assign(found.begin(), found.end()); });
    return all;
  }
  FirstImpact first() { return method.first_impact({scene, filter, options}, {x_t0, x_t1}); }
};

void expect_times(const std::optional<StageTimes>& times) {
  ASSERT_TRUE(times.has_value());
  for (const double ms : times->ms) EXPECT_GE(ms, 0.0);
  EXPECT_GT(times->of(Stage::Bounds), 0.0);
  EXPECT_GT(times->of(Stage::NarrowPhase), 0.0);
  EXPECT_GE(times->total_ms, times->of(Stage::NarrowPhase));
}

TEST(StageTimes, EveryStageHasAName) {
  const std::set<std::string_view> names(cuda::kStageNames.begin(), cuda::kStageNames.end());
  EXPECT_EQ(names.size(), cuda::kStageCount);
  EXPECT_FALSE(names.contains(""));
  EXPECT_EQ(cuda::kStageNames[static_cast<std::size_t>(Stage::NarrowPhase)], "narrow phase");
  EXPECT_EQ(cuda::kStageNames[static_cast<std::size_t>(Stage::Report)], "report");
}

TEST(StageTimes, AreThereWhenAskedForAndChangeNoAnswer) {
  GRAZE_SKIP_WITHOUT_GPU();
  Fall fall;
  const Impacts expected = fall.impacts();
  const double toi = fall.first().toi;
  EXPECT_GT(expected.impacts.size(), 100U);
  EXPECT_FALSE(fall.method.stage_times().has_value());
  fall.method.record_stages(true);
  EXPECT_FALSE(fall.method.stage_times().has_value());
  for (int run = 0; run < 2; ++run) {  // the first one makes the graphs, which the second one launches again
    EXPECT_EQ(fall.impacts().toi_hash(), expected.toi_hash());
    expect_times(fall.method.stage_times());
    EXPECT_EQ(fall.first().toi, toi);
    expect_times(fall.method.stage_times());
  }
  fall.method.record_stages(false);
  EXPECT_EQ(fall.impacts().toi_hash(), expected.toi_hash());
  EXPECT_FALSE(fall.method.stage_times().has_value());
}

TEST(StageTimes, CoverAllStagesOfAQueryAtOneInstant) {
  GRAZE_SKIP_WITHOUT_GPU();
  Fall fall;
  fall.method.record_stages(true);
  const Intersections found = fall.method.intersections({fall.scene, fall.filter, fall.options}, fall.x_t1);
  const std::optional<StageTimes> times = fall.method.stage_times();
  ASSERT_TRUE(times.has_value());
  for (const double ms : times->ms) EXPECT_GE(ms, 0.0);
  EXPECT_GT(times->of(Stage::Bounds), 0.0);
  fall.method.record_stages(false);
  EXPECT_EQ(fall.method.intersections({fall.scene, fall.filter, fall.options}, fall.x_t1).edge_face,
            found.edge_face);
}

}  // namespace
}  // namespace graze::testing

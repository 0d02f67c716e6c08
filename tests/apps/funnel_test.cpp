// The culling funnel of a report: which counters become stages, in which order, and the text of the table.
#include "output/funnel.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace graze::app {
namespace {

using Stages = std::vector<std::pair<std::string, std::uint64_t>>;

Stages stages_of(const Funnel& funnel) {
  Stages stages;
  for (const FunnelStage& stage : funnel) stages.emplace_back(stage_text(stage.stage).key, stage.pairs);
  return stages;
}

/// Elementary tests of both kinds and the tiers that decided them.
Stats tested(std::uint64_t vf, std::uint64_t ee, const TierCounts& tiers) {
  Stats stats;
  stats.vf_tests = vf;
  stats.ee_tests = ee;
  stats.tiers = tiers;
  return stats;
}

Stats of_tree() {
  Stats stats = tested(400, 600, {.filter = 900, .interval = 95, .exact = 5});
  stats.bv_tests = 10'000;
  stats.triangle_pairs = 800;
  return stats;
}

Stats of_clusters() {
  Stats stats = tested(10, 30, {.filter = 25, .interval = 14, .exact = 1});
  stats.bv_tests = 70;
  stats.cluster = {.clusters = 9, .kept = 2, .pairs = 20, .feature_tests = 5'000, .feature_pairs = 300};
  return stats;
}

TEST(Funnel, OfATreeGoesFromBoundsOverTrianglePairsToContacts) {
  EXPECT_EQ(stages_of(make_funnel(of_tree(), 7)), (Stages{{"bounds", 10'000},
                                                          {"triangle_pairs", 800},
                                                          {"tests", 1'000},
                                                          {"past_filter", 100},
                                                          {"exact", 5},
                                                          {"contacts", 7}}));
}

TEST(Funnel, OfClustersHasWhatBoundsOfFeaturesLeft) {
  EXPECT_EQ(stages_of(make_funnel(of_clusters(), 3)), (Stages{{"bounds", 70},
                                                              {"cluster_pairs", 20},
                                                              {"feature_tests", 5'000},
                                                              {"feature_pairs", 300},
                                                              {"tests", 40},
                                                              {"past_filter", 15},
                                                              {"exact", 1},
                                                              {"contacts", 3}}));
}

TEST(Funnel, OfHashHasTheLevelsOfCulling) {
  Stats stats = tested(20, 30, {.filter = 40, .interval = 10, .exact = 0});
  stats.bv_tests = 12'345;  // counts boxes and triangles together: no stage
  stats.triangle_pairs = 90;
  stats.hash = {.voxels = 64, .entries = 200, .voxel_pairs = 9'000, .box_pairs = 700, .element_pairs = 800};
  EXPECT_EQ(stages_of(make_funnel(stats, 4)), (Stages{{"voxel_pairs", 9'000},
                                                      {"box_pairs", 700},
                                                      {"triangle_pairs", 90},
                                                      {"element_pairs", 800},
                                                      {"tests", 50},
                                                      {"past_filter", 10},
                                                      {"exact", 0},
                                                      {"contacts", 4}}));
}

TEST(Funnel, OfAStepWithinASessionBeginsWithThePairsKept) {
  Stats stats = tested(3, 4, {.filter = 6, .interval = 1, .exact = 0});
  stats.coherence.pairs = 50;
  stats.coherence.admissible = 2;
  EXPECT_EQ(stages_of(make_funnel(stats, 1)), (Stages{{"kept_pairs", 50},
                                                      {"admissible_pairs", 2},
                                                      {"tests", 7},
                                                      {"past_filter", 1},
                                                      {"exact", 0},
                                                      {"contacts", 1}}));
}

TEST(Funnel, OfTheFirstImpactSaysForHowManyPairsRootsWereLookedFor) {
  Stats stats = of_tree();
  stats.tiers.interval = 15;  // 100 passed the filter; 80 of them could only be later
  const Stages stages = stages_of(make_funnel(stats, 1));
  const Stages end(stages.end() - 4, stages.end());
  EXPECT_EQ(end, (Stages{{"past_filter", 100}, {"solved", 20}, {"exact", 5}, {"contacts", 1}}));
}

TEST(Funnel, WithNothingInItStillNamesItsStages) {
  EXPECT_EQ(
      stages_of(make_funnel({}, 0)),
      (Stages{
          {"bounds", 0}, {"triangle_pairs", 0}, {"tests", 0}, {"past_filter", 0}, {"exact", 0}, {"contacts", 0}}));
}

TEST(Funnel, OfAStepWhoseContactsAreThoseOfTheStepBeforeHasEmptyStages) {
  Stats stats;
  stats.cluster = {.clusters = 9, .kept = 9, .pairs = 0, .feature_tests = 0, .feature_pairs = 0};
  const Funnel funnel = make_funnel(stats, 12);
  EXPECT_EQ(stages_of(funnel), (Stages{{"bounds", 0},
                                       {"cluster_pairs", 0},
                                       {"feature_tests", 0},
                                       {"feature_pairs", 0},
                                       {"tests", 0},
                                       {"past_filter", 0},
                                       {"exact", 0},
                                       {"contacts", 12}}));
  EXPECT_EQ(share_left(funnel, 7), std::nullopt);
}

TEST(Funnel, SharesAreOfTheStageAboveAndPassOverAsides) {
  const Funnel funnel = make_funnel(of_tree(), 7);
  EXPECT_EQ(share_left(funnel, 0), std::nullopt);
  EXPECT_EQ(share_left(funnel, 1), 0.08);
  EXPECT_EQ(share_left(funnel, 2), 1.25);
  EXPECT_EQ(share_left(funnel, 3), 0.1);
  EXPECT_EQ(share_left(funnel, 4), 0.05);  // exact arithmetic, as a share of the pairs past the filter
  EXPECT_EQ(share_left(funnel, 5), 0.07);  // contacts, as a share of the pairs past the filter
  EXPECT_EQ(share_left(make_funnel({}, 0), 1), std::nullopt);
}

TEST(Funnel, SumsStepsOfOtherStagesWithoutLosingAPair) {
  Funnel sum = make_funnel(of_tree(), 7);
  add_funnel(sum, make_funnel(of_clusters(), 3));
  add_funnel(sum, make_funnel(of_clusters(), 3));
  EXPECT_EQ(stages_of(sum), (Stages{{"bounds", 10'140},
                                    {"cluster_pairs", 40},
                                    {"triangle_pairs", 800},
                                    {"feature_tests", 10'000},
                                    {"feature_pairs", 600},
                                    {"tests", 1'080},
                                    {"past_filter", 130},
                                    {"exact", 7},
                                    {"contacts", 13}}));
}

TEST(Funnel, IsTheSameInDocumentsAndEveryKeyIsExplained) {
  EXPECT_EQ(funnel_json(make_funnel(of_tree(), 7)).dump(),
            R"({"bounds":10000,"triangle_pairs":800,"tests":1000,"past_filter":100,"exact":5,"contacts":7})");
  const Json stages = stages_json();
  ASSERT_EQ(stages.size(), kStageCount);
  for (std::size_t i = 0; i < kStageCount; ++i) {
    const StageText& text = stage_text(static_cast<Stage>(i));
    EXPECT_EQ(stages.at(text.key).at("name"), text.name);
    EXPECT_EQ(stages.at(text.key).at("unit"), text.unit);
    EXPECT_EQ(stages.at(text.key).contains("aside"), static_cast<Stage>(i) == Stage::Exact);
  }
  EXPECT_EQ(stages.begin().key(), "voxel_pairs");
}

TEST(FunnelTable, HasBarsAsLongAsTheLogarithmsOfThePairs) {
  const auto cells = funnel_cells(make_funnel(of_tree(), 1));
  using Cells = std::array<std::string, 4>;
  ASSERT_EQ(cells.size(), 6U);
  // The longest bar is 32 characters for 10^4 pairs, so that a factor of ten is eight characters.
  EXPECT_EQ(cells[0], (Cells{"bounds compared", "10,000", "", std::string(32, '#')}));
  EXPECT_EQ(cells[1], (Cells{"triangle pairs", "800", "8.00 %", std::string(23, '#')}));
  EXPECT_EQ(cells[2], (Cells{"elementary tests", "1,000", "x 1.25", std::string(24, '#')}));
  EXPECT_EQ(cells[3], (Cells{"past the filter", "100", "10.0 %", std::string(16, '#')}));
  EXPECT_EQ(cells[4], (Cells{"  in exact arithmetic", "5", "5.00 %", std::string(6, '#')}));
  EXPECT_EQ(cells[5], (Cells{"contacts", "1", "1.00 %", "#"}));
}

TEST(FunnelTable, SaysHowManyPairsOnePairLedToInThreeDigits) {
  const auto left = [](std::uint64_t triangle_pairs) {
    Stats stats = tested(300, 323, {.filter = 623, .interval = 0, .exact = 0});
    stats.triangle_pairs = triangle_pairs;
    return funnel_cells(make_funnel(stats, 0))[1][2];
  };
  EXPECT_EQ(left(500), "x 1.25");
  EXPECT_EQ(left(50), "x 12.5");
  EXPECT_EQ(left(2), "x 312");
  EXPECT_EQ(left(623), "100.0 %");
}

TEST(FunnelTable, DrawsNothingForNoPairs) {
  for (const auto& cells : funnel_cells(make_funnel({}, 0))) {
    EXPECT_EQ(cells[1], "0");
    EXPECT_EQ(cells[2], "");
    EXPECT_EQ(cells[3], "");
  }
}

TEST(FunnelTable, SplitsTheTimeAndGivesWhatIsNotInAStageToTheRest) {
  Stats stats;
  stats.update_ms = 2.0;
  stats.traverse_ms = 5.0;
  stats.narrow_ms = 10.0;
  stats.total_ms = 20.0;
  PhaseTimes times;
  times.add(stats, 0.0);
  EXPECT_DOUBLE_EQ(times.rest_ms(), 3.0);
  using Cells = std::array<std::string, 4>;
  EXPECT_EQ(time_cells(times), (std::vector<Cells>{{"update", "2.00", "10.0 %", std::string(3, '#')},
                                                   {"traverse", "5.00", "25.0 %", std::string(8, '#')},
                                                   {"narrow", "10.0", "50.0 %", std::string(16, '#')},
                                                   {"sort and the rest", "3.00", "15.0 %", std::string(5, '#')},
                                                   {"total", "20.0", "", ""}}));
  times.add(stats, 1.5);
  EXPECT_DOUBLE_EQ(times.rest_ms(), 4.5);
  EXPECT_EQ(time_cells(times).front(), (Cells{"edit", "1.50", "3.75 %", "#"}));
}

TEST(FunnelTable, NeverHasATimeBelowNothing) {
  Stats stats;
  stats.update_ms = 2.0;
  stats.total_ms = 1.5;
  PhaseTimes times;
  times.add(stats, 0.0);
  EXPECT_EQ(times.rest_ms(), 0.0);
}

}  // namespace
}  // namespace graze::app

// The benchmark of rigid objects accepts answers that agree and detects every kind of wrong answer.
#include "rigid_race.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <graze/error.hpp>

#include "benchmarks/peers/rigid_peer.hpp"
#include "scenes/tumble.hpp"

namespace graze::benchmarks {
namespace {

/// A contestant that returns the same pairs at every pose. On request, its answer changes after a number of
/// queries.
class Fake final : public RigidContestant {
 public:
  Fake(std::vector<TrianglePair> pairs, bool exact, std::size_t honest = 1'000'000)
      : pairs_(std::move(pairs)), exact_(exact), honest_(honest) {}

  [[nodiscard]] std::string_view name() const override { return "fake"; }
  [[nodiscard]] bool exact() const override { return exact_; }
  [[nodiscard]] double build_ms() const override { return 0.0; }
  [[nodiscard]] std::uint64_t tree_bytes() const override { return 0; }
  [[nodiscard]] std::uint64_t total_bytes() const override { return 0; }
  std::size_t ask(RigidQuery query, const PosePair& /*poses*/) override {
    if (honest_-- == 0) pairs_.push_back({99, 99});
    return query == RigidQuery::FirstHit ? std::min<std::size_t>(pairs_.size(), 1) : pairs_.size();
  }
  [[nodiscard]] std::vector<TrianglePair> last_pairs() const override { return pairs_; }

 private:
  std::vector<TrianglePair> pairs_;
  bool exact_;
  std::size_t honest_;
};

Contestants two(std::vector<TrianglePair> truth, std::vector<TrianglePair> other) {
  Contestants contestants;
  contestants.push_back(std::make_unique<Fake>(std::move(truth), true));
  contestants.push_back(std::make_unique<Fake>(std::move(other), false));
  return contestants;
}

TEST(RigidRace, GrazeAgreesWithItselfOnAllTreesAndInAllWaysOfABoxtree) {
  const scenes::Shape mesh = scenes::tumble_shape("lock:1000");
  Contestants contestants;
  for (const BoxOverlap overlap : all_values<BoxOverlap>()) {
    for (const bool lift : {true, false}) {
      contestants.push_back(make_graze({.collider = {.overlap = overlap, .lift = lift}}, mesh));
    }
  }
  for (const BoxtreeSplit split : all_values<BoxtreeSplit>()) {
    contestants.push_back(make_graze({.object = {.split = split}, .collider = {.coherence = true}}, mesh));
  }
  for (const RigidTree tree : all_values<RigidTree>())
    contestants.push_back(make_graze({.object = {.tree = tree}}, mesh));
  const auto poses = scenes::tumble(1.2, 8);
  for (const RigidQuery query : {RigidQuery::FirstHit, RigidQuery::TrianglePairs}) {
    const auto rows = race(contestants, query, poses, 1);
    ASSERT_EQ(rows.size(), contestants.size());
    EXPECT_GT(rows[0].hits, 0U);
    for (const RaceRow& row : rows) {
      EXPECT_TRUE(row.agrees()) << row.name;
      EXPECT_EQ(row.hash, rows[0].hash) << row.name;
      EXPECT_EQ(row.pairs, rows[0].pairs) << row.name;
      EXPECT_GT(row.mean_us, 0.0) << row.name;
      EXPECT_GT(row.median_us, 0.0) << row.name;
    }
  }
}

TEST(RigidRace, PairsThatAreMissingOrTooManyAreCounted) {
  const auto poses = scenes::tumble(1.0, 5);
  const auto rows = race(two({{1, 2}, {3, 4}}, {{1, 2}, {3, 5}, {3, 6}}), RigidQuery::TrianglePairs, poses, 1);
  EXPECT_EQ(rows[0].pairs, 10U);
  EXPECT_EQ(rows[1].false_pairs, 10U);
  EXPECT_EQ(rows[1].missed_pairs, 5U);
  EXPECT_EQ(rows[1].false_hits + rows[1].missed_hits, 0U);
  EXPECT_FALSE(rows[1].agrees());
  EXPECT_NE(rows[1].hash, rows[0].hash);
}

TEST(RigidRace, PosesThatAreMissingOrTooManyAreCounted) {
  const auto poses = scenes::tumble(1.0, 5);
  const auto missed = race(two({{1, 2}}, {}), RigidQuery::FirstHit, poses, 2);
  EXPECT_EQ(missed[1].missed_hits, 5U);
  EXPECT_FALSE(missed[1].agrees());
  const auto invented = race(two({}, {{1, 2}}), RigidQuery::FirstHit, poses, 2);
  EXPECT_EQ(invented[1].false_hits, 5U);
  EXPECT_EQ(invented[1].hits, 5U);
  EXPECT_FALSE(invented[1].agrees());
}

TEST(RigidRace, AnAnswerThatChangesBetweenRunsIsRefused) {
  const auto poses = scenes::tumble(1.0, 5);
  Contestants contestants;
  contestants.push_back(std::make_unique<Fake>(std::vector<TrianglePair>{{1, 2}}, true, 7));
  EXPECT_THROW((void)race(contestants, RigidQuery::TrianglePairs, poses, 1), std::runtime_error);
}

/// A contestant that takes long in one pose, which it knows by its translation.
class SlowAt final : public RigidContestant {
 public:
  explicit SlowAt(double x) : x_(x) {}

  [[nodiscard]] std::string_view name() const override { return "slow"; }
  [[nodiscard]] bool exact() const override { return true; }
  [[nodiscard]] double build_ms() const override { return 0.0; }
  [[nodiscard]] std::uint64_t tree_bytes() const override { return 0; }
  [[nodiscard]] std::uint64_t total_bytes() const override { return 0; }
  std::size_t ask(RigidQuery /*query*/, const PosePair& poses) override {
    const std::uint64_t rounds = poses.b.translation.x == x_ ? 2'000'000 : 20'000;
    for (std::uint64_t i = 0; i < rounds; ++i) work_ = work_ * 6364136223846793005ULL + i;
    return 1;
  }
  [[nodiscard]] std::vector<TrianglePair> last_pairs() const override { return {}; }

 private:
  double x_;
  volatile std::uint64_t work_ = 1;
};

TEST(RigidRace, TheWorstPoseIsThatWhereTheFirstContestantIsSlowest) {
  std::vector<PosePair> poses(5);
  for (std::size_t i = 0; i < poses.size(); ++i) poses[i].b.translation.x = static_cast<double>(i);
  Contestants contestants;
  contestants.push_back(std::make_unique<SlowAt>(3.0));
  contestants.push_back(std::make_unique<SlowAt>(99.0));
  auto rows = race(contestants, RigidQuery::FirstHit, poses, 1);
  EXPECT_EQ(rows[1].worst, 0.0);
  find_worst_poses(contestants, RigidQuery::FirstHit, poses, 2, rows);
  EXPECT_EQ(rows[0].worst, 1.0);
  EXPECT_EQ(rows[1].worst_pose, 3U);
  EXPECT_GT(rows[1].worst, 1.0);
}

TEST(RigidRace, ARaceNeedsATruth) {
  Contestants contestants;
  EXPECT_THROW((void)race(contestants, RigidQuery::FirstHit, scenes::tumble(1.0, 5), 1), std::runtime_error);
  contestants.push_back(std::make_unique<Fake>(std::vector<TrianglePair>{}, false));
  EXPECT_THROW((void)race(contestants, RigidQuery::FirstHit, scenes::tumble(1.0, 5), 1), std::runtime_error);
}

TEST(RigidPeers, APeerThatIsNotThereIsRefusedByName) {
  const auto message = [](std::string_view name) -> std::string {
    try {
      return std::string(peers::make_rigid_peer(name)->name());
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message("ode"), "peer 'ode' is unknown; there are: fcl, bullet");
  if (peers::rigid_peers_in_build().empty()) {
    EXPECT_EQ(message("fcl"),
              "peer 'fcl' is not in this build; switch it on with -DGRAZE_PEERS=ON (make bench-peers does)");
  }
}

// Where no triangles are close to touching, a peer's floating-point answer is exact: a peer that finds fewer pairs
// would look faster than it is.
TEST(RigidPeers, FindEveryPairOfAnObjectInGeneralPosition) {
  if (peers::rigid_peers_in_build().empty()) GTEST_SKIP() << "this build has no peers (GRAZE_PEERS)";
  const scenes::Shape mesh = scenes::tumble_shape("scan:1500");
  Contestants contestants;
  contestants.push_back(make_graze({}, mesh));
  for (const std::string_view name : peers::rigid_peers_in_build()) contestants.push_back(make_peer(name, mesh));
  for (const double distance : {0.8, 1.4}) {
    for (const RigidQuery query : {RigidQuery::FirstHit, RigidQuery::TrianglePairs}) {
      const auto rows = race(contestants, query, scenes::tumble(distance, 20), 1);
      EXPECT_GT(rows[0].pairs, 0U);
      for (const RaceRow& row : rows) {
        EXPECT_EQ(row.missed_hits, 0U) << row.name;
        EXPECT_EQ(row.missed_pairs, 0U) << row.name;
        EXPECT_LE(row.pairs, 3 * rows[0].pairs) << row.name;
      }
      if (rows[1].name.starts_with("fcl")) {
        EXPECT_TRUE(rows[1].agrees());
      }
    }
  }
  for (std::size_t i = 1; i < contestants.size(); ++i) {
    EXPECT_GT(contestants[i]->total_bytes(), mesh.triangles.size() * 40) << contestants[i]->name();
  }
}

}  // namespace
}  // namespace graze::benchmarks
